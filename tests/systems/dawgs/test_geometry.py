"""Geometry against the register's lists, and against plain trigonometry."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import pytest

from wardogs.systems.dawgs.airspace import Airspace, cone_offsets
from wardogs.systems.dawgs.data import BOARDS, FACINGS
from wardogs.systems.dawgs.options import Options

CONES = tomllib.loads((Path(__file__).parents[2] / "data" / "dawgs_cones.toml").read_text())["cone"]


@pytest.mark.parametrize("facing", range(12))
def test_the_cones_are_the_registers(facing: int) -> None:
    assert {tuple(hex_) for hex_ in CONES[str(facing)]} == set(cone_offsets(facing, 3, False))


@pytest.mark.parametrize("facing", range(12))
@pytest.mark.parametrize("increments", [1, 2, 3])
def test_the_cones_are_what_a_protractor_says(facing: int, increments: int) -> None:
    def place(q: float, r: float) -> tuple[float, float]:
        return q + r / 2, r * math.sqrt(3) / 2

    reach = increments * math.dist((0, 0), place(*FACINGS[facing].increment))
    found = set()
    for q in range(-8, 9):
        for r in range(-8, 9):
            x, y = place(q, r)
            off = (math.degrees(math.atan2(y, x)) - FACINGS[facing].angle_deg + 180) % 360 - 180
            if (q, r) != (0, 0) and abs(off) <= 30 + 1e-9 and math.hypot(x, y) <= reach + 1e-9:
                found.add((q, r))
    assert found == set(cone_offsets(facing, increments, False))


def test_no_plane_lies_in_both_cones_of_a_wagging_tail() -> None:
    """The target fixes the arc (DAW-SPC-20): checked for every facing of firer and target, wherever the target is."""
    space = Airspace(BOARDS["reference"], Options())
    middle = space.grid.parse("H6")
    for facing in range(12):
        ahead, behind = space.cone(middle, facing), space.cone(middle, (facing + 6) % 12, 2)
        assert not ahead & behind
        for hex_ in space.grid.hexes:
            for other in range(12):
                body = space.covers(hex_, other)
                assert not (body & ahead and body & behind)
