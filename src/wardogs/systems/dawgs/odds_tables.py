"""The tables of exact odds, computed by running the paragraphs they are about."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game, Position, Rules, Step
from wardogs.kernel.odds import choosing, odds
from wardogs.kernel.system import OddsTable
from wardogs.systems.dawgs.data import FIRE, TRACK
from wardogs.systems.dawgs.play import PARAGRAPHS
from wardogs.systems.dawgs.staging import stage
from wardogs.systems.dawgs.state import Air

RULES = Rules("dawgs", {paragraph.__name__: paragraph for paragraph in PARAGRAPHS}, frozenset(), Air)
FIRER, TARGET = 1, 2
MODS: dict[str, dict[str, Any]] = {
    "-1 rear gun": {"special": "wagging_tail", "special_in_play": True, "facing": 9},
    "+0": {},
    "+1 continuous fire": {},
    "Double Bark": {"played": "double_bark"},
}


def of_rules(setup: dict[str, Any], step: Step, read: Callable[[Air], Any]) -> dict[Any, Fraction]:
    """The exact odds of one paragraph on a small set-up."""
    terms, position = stage(setup, {"opt_continuous_fire": True})
    game = Game(RULES, terms, Position(position.state, (step,)), Fast(0))
    game.silent = True
    return odds(game, choosing({}), read).of


def shot_odds(speed: int, mod: str) -> tuple[Fraction, ...]:
    """DAW-FIR-08, -09: the chances of no, one and two hits on a plane at this speed."""
    firer = {"front": "F6", "facing": 3, **MODS[mod]}
    target = {"front": "G6", "facing": 3, "speed": speed}
    found = of_rules(
        {"planes": [firer, target]},
        Step("shot", (FIRER, TARGET, mod.startswith("+1"))),
        lambda air: air[TARGET].pending_hits,
    )
    return tuple(found.get(hits, Fraction(0)) for hits in range(FIRE.most_hits + 1))


def breakup_odds(damage: int, speed: int) -> Fraction | None:
    """DAW-BRK-01 to -03: the chance that a plane breaks up this round; None if it need not roll."""
    plane = {"front": "F6", "facing": 3, "damage": damage, "speed": speed}
    found = of_rules({"planes": [plane, {"front": "H6"}]}, Step("roll_for_breakup"), _rolls_and_breaks)
    return found.get("broken_up", Fraction(0)) if speed >= damage else None


def _rolls_and_breaks(air: Air) -> str:
    return air[FIRER].status


def _fire_rows() -> list[tuple[Any, ...]]:
    return [
        (space.speed, space.vuln, mod, *shot_odds(space.speed, mod), str(_mean(shot_odds(space.speed, mod))))
        for space in TRACK
        for mod in MODS
    ]


def _mean(chances: tuple[Fraction, ...]) -> Fraction:
    return sum((hits * chance for hits, chance in enumerate(chances)), Fraction(0))


def _breakup_rows() -> list[tuple[Any, ...]]:
    return [
        (f"on {space.speed}", space.vuln, *(breakup_odds(space.speed, at.speed) for at in TRACK)) for space in reversed(TRACK)
    ]


ODDS_TABLES = {
    "fire": OddsTable(
        "A shot, by the target's speed",
        "DAW-FIR-08",
        ("speed", "VULN", "modifier", "no hit", "one hit", "two hits", "mean"),
        _fire_rows,
    ),
    "breakup": OddsTable(
        "Breaking up, by the damage token and the speed after adjusting",
        "DAW-BRK-02",
        ("token", "VULN", "speed 0", "speed 1", "speed 2", "speed 3"),
        _breakup_rows,
    ),
}
