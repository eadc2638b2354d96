"""Where on its wall an opening lies."""

from __future__ import annotations

import pytest

from wardogs.table.model import Opening, Side, Wall
from wardogs.table.openings import Placed, along, legs_of_ring, legs_of_wall, length, place_opening, place_openings

HOUSE = legs_of_ring(((1.0, 2.0), (11.0, 2.0), (11.0, 8.0), (1.0, 8.0)))  # S, E, N, W


@pytest.mark.parametrize(
    ("side", "at", "placed"),
    [("S", 5, (0, 3.5, 4.5)), ("E", 3, (1, 0.5, 1.5)), ("N", 3, (2, 7.5, 8.5)), ("W", 3, (3, 4.5, 5.5))],
)
def test_a_side_and_a_figure_along_it(side: Side, at: float, placed: tuple[int, float, float]) -> None:
    assert place_opening(Opening(side=side, at=at), HOUSE) == pytest.approx(placed)


def test_a_point_finds_its_wall_within_a_twentieth_of_an_inch() -> None:
    assert place_opening(Opening(at=(11.04, 4.0)), HOUSE) == pytest.approx((1, 1.5, 2.5))
    assert place_opening(Opening(at=(11.06, 4.0)), HOUSE) is None


def test_it_may_stick_out_by_a_thou_and_is_trimmed() -> None:
    assert place_opening(Opening(at=(1.5, 2.0), width=1.002), HOUSE) == Placed(0, 0.0, pytest.approx(1.001))
    assert place_opening(Opening(at=(1.5, 2.0), width=1.003), HOUSE) is None


def test_near_a_corner_it_takes_the_wall_that_has_room() -> None:
    fence = legs_of_wall(Wall(line=(0, 0, 0.3, 0, 0.3, 5)))
    assert place_opening(Opening(at=(0.27, 0.5)), fence) == pytest.approx((1, 0.0, 1.0))
    assert place_opening(Opening(at=(0.29, 0.03), width=0.1), fence) is None


def test_a_bare_figure_needs_a_side_and_a_rectangle() -> None:
    assert place_opening(Opening(at=5.0), HOUSE) is None
    assert place_opening(Opening(at=5.0, side="S"), HOUSE[:3]) is None


def test_many_are_placed_as_one_by_one() -> None:
    legs = legs_of_wall(Wall(line=tuple(part for k in range(60) for part in (k / 2, float(k % 2)))))
    openings = [Opening(at=along(leg, length(leg) / 2), width=0.4 + k / 50) for k, leg in enumerate(legs)]
    found = place_openings(openings, legs)
    assert found == [place_opening(opening, legs) for opening in openings]
    assert None in found
    assert found[3] is not None
