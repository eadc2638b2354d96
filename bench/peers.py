"""The peers: other game engines whose rules are written in Python, playing at random on one thread.

`make bench` installs them in an environment of their own.
"""

import random
from importlib import import_module
from types import ModuleType
from typing import Any

from bench.timing import best_rate

OPENSPIEL_GAMES = ("python_kuhn_poker", "python_liars_poker", "python_tic_tac_toe")


class PeerMissing(RuntimeError):
    """A peer is not installed here."""


def catanatron_decisions_per_second(seconds: float) -> float:
    """Whole games of four random bots; a decision is an action that a player played, forced ones too."""
    catan, players = _peer("catanatron.game"), _peer("catanatron.models.player")

    def play(seed: int) -> int:
        game = catan.Game([players.RandomPlayer(color) for color in players.Color], seed=seed)
        game.play()
        return len(game.state.actions)

    return best_rate(play, seconds)


def openspiel_decisions_per_second(seconds: float) -> dict[str, float]:
    """Whole random games of each of OPENSPIEL_GAMES, `seconds` for each; chance is played but not counted."""
    _peer("open_spiel.python.games")  # registers the games that are written in Python
    pyspiel = _peer("pyspiel")

    def rate(name: str) -> float:
        game = pyspiel.load_game(name)
        return best_rate(lambda seed: _play_openspiel(game, random.Random(seed)), seconds)

    return {name: rate(name) for name in OPENSPIEL_GAMES}


def _play_openspiel(game: Any, rng: random.Random) -> int:
    decisions, state = 0, game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions


def _peer(module: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError as error:
        raise PeerMissing(f"{module} cannot be imported ({error}): `make bench` installs the peers") from error
