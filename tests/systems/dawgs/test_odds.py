"""The odds shown are the register's tables, and an independent oracle's."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path

import icepool
import pytest

from tests.cli.calling import call
from wardogs.systems.dawgs.data import TRACK
from wardogs.systems.dawgs.firing import hits_reading

TABLES = tomllib.loads((Path(__file__).parents[2] / "data" / "dawgs_odds.toml").read_text())
MODS = {"-1 rear gun": -1, "+0": 0, "+1 continuous fire": 1}


def shown(table: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(call("odds", "dawgs", table, "--json")[1])[table]
    return found


def of(outcomes: dict[int, int], sides: int) -> list[Fraction]:
    return [Fraction(outcomes.get(hits, 0), sides) for hits in (0, 1, 2)]


def oracle(need: int, dice: int) -> list[Fraction]:
    """icepool's answer to a shot that needs this number on the best of so many dice."""
    best = icepool.d6.highest(dice)
    hits = best.map(lambda face: 0 if face < need else 2 if face >= need + 2 else 1)
    return [hits.probability(n) for n in (0, 1, 2)]


def test_a_shot_at_every_vuln_is_the_registers_and_icepools() -> None:
    by_need = {row["e"]: row for row in TABLES["fire_odds"]}
    rows = shown("fire")
    assert len(rows) == len(TRACK) * 4
    for row in rows:
        figures = [Fraction(str(row[name])) for name in ("no hit", "one hit", "two hits")]
        double = row["modifier"] == "Double Bark"
        need = int(str(row["VULN"])) - MODS.get(str(row["modifier"]), 0)
        expected = by_need[need]["two_dice" if double else "one_die"]
        assert figures == [Fraction(part) for part in expected]
        assert figures == oracle(need, 2 if double else 1)


@pytest.mark.parametrize("need", range(-1, 10))
def test_the_reading_of_a_shot_is_icepools_at_every_number(need: int) -> None:
    means = hits_reading(need, 0, 2)
    assert of({hits: means.count(hits) for hits in means}, 6) == oracle(need, 1)


def test_a_breakup_at_every_damage_and_speed_is_the_registers_and_icepools() -> None:
    for row in shown("breakup"):
        damage = int(str(row["token"]).removeprefix("on "))
        for speed in range(4):
            figure = row[f"speed {speed}"]
            expected = TABLES["breakup_odds"][f"token_{damage}"][speed]
            assert (figure is None) == (expected == "")
            if figure is not None:
                assert Fraction(str(figure)) == Fraction(expected)
                result = icepool.d6 + (speed - damage)
                assert Fraction(str(figure)) == result.probability(">=", TRACK[damage].vuln)
