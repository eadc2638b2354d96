"""The hex board in characters, and the rims of hexes."""

from __future__ import annotations

import pytest

from wardogs.hexes.grid import Grid, Hex
from wardogs.hexes.outline import corners, middle, outline
from wardogs.hexes.text import board_text

SMALL = Grid(4, 5, 4)

GOLDEN = """\
      A   B   C   D
 3    .   .   .   .    3
 2  .   .  1↗^  .   .  2
 1    .  1=   .   .    1
 0 ### ### ### ### ### 0
    A   B   C   D   E"""


def small_position(hex_: Hex) -> str:
    return {"C2": "1↗^", "B1": "1="}.get(SMALL.label(hex_), "." if hex_[1] else "###")


def test_golden_board() -> None:
    assert board_text(SMALL, small_position) == GOLDEN


def test_every_hex_is_asked_for_and_written_once() -> None:
    grid = Grid(12, 16, 15)
    text = board_text(grid, grid.label)
    assert sorted(text.split()) == sorted(
        [
            *map(grid.label, grid.hexes),
            *(str(row) for row in range(12) for _ in "lr"),
            *"ABCDEFGHIJKLMNOP",
            *"ABCDEFGHIJKLMNO",
        ]
    )


def test_neighbours_stand_beside_each_other() -> None:
    """A hex above or below touches two others: its middle stands half a cell to the side of theirs."""
    lines = board_text(SMALL, lambda hex_: SMALL.label(hex_)).splitlines()
    column = {SMALL.label(hex_): lines[SMALL.rows - hex_[1]].index(SMALL.label(hex_)) for hex_ in SMALL.hexes}
    assert column["C2"] - column["B1"] == column["C1"] - column["C2"] == 2
    assert column["C2"] == column["C0"]


def test_long_cells_widen_the_board_evenly() -> None:
    lines = board_text(SMALL, lambda hex_: "12345" if hex_ == (0, 0) else ".").splitlines()
    assert [line.index(".") for line in lines[1:-1]] == [8, 5, 8, 11]
    assert {len(line) for line in lines[1:-1]} == {len(" 0 12345   .     .     .     .   0")}


def test_fits_a_terminal() -> None:
    grid = Grid(12, 16, 15)
    assert max(map(len, board_text(grid, lambda _: "1↗^").splitlines())) <= 80


# ---- rims ------------------------------------------------------------------------------------------------------------


def test_one_hex_is_its_own_outline() -> None:
    (loop,) = outline([(2, 3)])
    assert set(loop) == set(corners((2, 3)))
    assert len(loop) == 6


def test_neighbours_share_two_corners() -> None:
    (loop,) = outline([(0, 0), (1, 0)])
    assert len(loop) == len(set(loop)) == 10


def test_hexes_apart_have_an_outline_each() -> None:
    loops = outline([(0, 0), (2, 0)])
    assert [len(loop) for loop in loops] == [6, 6]
    assert not set(loops[0]) & set(loops[1])


def test_a_ring_has_an_inner_outline_too() -> None:
    ring = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    outer, inner = outline(ring)
    assert (len(outer), set(inner)) == (18, set(corners((0, 0))))


@pytest.mark.parametrize("hexes", [[(0, 0)], [(0, 0), (1, 0)], [(0, 0), (0, 1), (-1, 1), (5, 2)]])
def test_outlines_enclose_the_area_of_their_hexes(hexes: list[Hex]) -> None:
    """Counter-clockwise loops; in the units of corners a hex is a square of 2 by 2 and two triangles: 6."""
    twice = 0
    for loop in outline(hexes):
        twice += sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(loop, loop[1:] + loop[:1], strict=True))
    assert twice == 2 * 6 * len(hexes)


def test_order_does_not_matter() -> None:
    hexes = [(0, 0), (1, 0), (0, 1), (4, 4)]
    assert outline(hexes) == outline(hexes[::-1])


def test_middles() -> None:
    assert [middle(hex_) for hex_ in ((0, 0), (1, 0), (0, 1))] == [(0, 0), (2, 0), (1, 3)]
