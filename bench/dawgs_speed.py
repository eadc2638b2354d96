"""Dawgs of War against the clock: copying, saving, random play, exact odds."""

from time import perf_counter
from typing import Any

from bench.timing import best_rate
from wardogs.bots.random import Random
from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game
from wardogs.kernel.odds import choosing, odds
from wardogs.kernel.system import Wanted
from wardogs.systems import load_system

DAWGS = load_system("dawgs")


def best_microseconds(do: Any, times: int = 2000, runs: int = 7) -> float:
    """The fastest of several runs: other work on the machine only ever slows one down."""
    best = float("inf")
    for _ in range(runs):
        start = perf_counter()
        for _ in range(times):
            do()
        best = min(best, perf_counter() - start)
    return best / times * 1e6


def eight_planes() -> Game[Any, Any]:
    """A free-for-all of eight, three rounds in, at a question."""
    setup = DAWGS.plan(Wanted(None, 8, None, ({"round_limit": 200},)))
    game = DAWGS.game(setup, Fast(5))
    game.advance()
    while game.state.round < 3:
        for seat in game.waiting:
            game.answer(seat, game.question.asks[seat].default)
    return game


def copy_microseconds() -> float:
    game, fate = eight_planes(), Fast(0)
    return best_microseconds(lambda: game.copy(fate), 20000)


def save_and_load_microseconds() -> float:
    """To bytes and back to a game that stands at its question again."""
    game, fate = eight_planes(), Fast(0)

    def there_and_back() -> None:
        position = DAWGS.load(DAWGS.save(game.position))
        Game(DAWGS.rules, game.terms, position, fate).advance()

    return best_microseconds(there_and_back)


def decisions_per_second(seats: int, seconds: float) -> float:
    """Whole games between random bots; a decision is an answer to a question with more than one legal choice."""
    setup = DAWGS.plan(Wanted(None, seats, None, ({"round_limit": 200},)))

    start = DAWGS.opening(setup)

    def play(seed: int) -> int:
        bot = Random(str(seed))
        count = 0

        def policy(game: Any, seat: int, ask: Any) -> Any:
            nonlocal count
            count += 1
            return bot.pick(ask)

        game = start(Fast(seed), policy)
        game.silent = True
        game.advance()
        return count

    return best_rate(play, seconds)


def fire_odds_milliseconds(shooters: int) -> float:
    """Exact odds of one round's fire: so many planes on the tail of one, from declaring to the end of the round."""
    tail = [{"front": f"{column}6", "facing": 3} for column in "EFG"] + [{"front": f"{c}5", "facing": 3} for c in "EFG"]
    target = {"front": "H6", "facing": 3, "speed": 2}
    phases = ["fire", "apply_damage", "adjust_speed", "roll_for_breakup"]
    teams = [[1], list(range(2, shooters + 2))]
    terms, position = DAWGS.stage({"planes": [target, *tail[:shooters]], "teams": teams, "phases": phases}, {})
    game: Game[Any, Any] = Game(DAWGS.rules, terms, position, Fast(0))
    game.silent = True
    policy = choosing({seat: {"verb": "fire", "target": 1} for seat in range(2, shooters + 2)})
    found = odds(game, policy, lambda air: (air[1].status, air[1].damage))
    assert sum(found.of.values()) == 1
    return best_microseconds(lambda: odds(game, policy, lambda air: (air[1].status, air[1].damage)), 20) / 1000
