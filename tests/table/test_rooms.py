"""Rooms: found from walls, joined by openings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError
from wardogs.table.changes import breach, collapse, set_opening
from wardogs.table.kinds import shipped
from wardogs.table.model import Building, Map, Opening, RoomName, Wall
from wardogs.table.rooms import Room, neighbours, room_at, rooms

HOUSE = Building(
    id="B1", rect=(0, 0, 10, 8), levels=2,
    openings=(Opening(id="front", side="S", at=2, level=0, state="open"), Opening(id="pane", kind="window", side="E", at=6)),
    walls=(
        Wall(id="long", line=(0, 4, 10, 4), openings=(Opening(id="arch", kind="gap", at=(2, 4)), Opening(id="shut", at=(8, 4)))),
        Wall(id="cross", line=(6, 0, 6, 4), openings=(Opening(id="low", at=(6, 2)),)),
        Wall(id="counter", line=(0, 6, 10, 6), height=0.9),
    ),
    rooms=(RoomName(name="kitchen", at=(8, 2)), RoomName(name="loft", at=(1, 1), level=1)),
)  # fmt: skip


def found(building: Building = HOUSE) -> tuple[Room, ...]:
    return rooms(building, shipped())


def by_id(building: Building = HOUSE) -> dict[str, Room]:
    return {room.id: room for room in found(building)}


def ids(place: tuple[float, float, float], building: Building = HOUSE, **how: float) -> list[str]:
    return [room.id for room in room_at(found(building), place, **how)]


def test_rooms_are_numbered_from_left_to_right_and_from_the_bottom_up() -> None:
    assert [(room.id, room.name, room.floor) for room in found()] == [
        ("B1/0/1", "", 0.0), ("B1/0/2", "", 0.0), ("B1/0/3", "kitchen", 0.0), ("B1/1/1", "loft", 2.0),
    ]  # fmt: skip
    assert [room.polygon.bounds for room in found()] == [(0, 0, 6, 4), (0, 4, 10, 8), (6, 0, 10, 4), (0, 0, 10, 8)]


def test_a_counter_does_not_part_rooms_but_a_wall_of_an_inch_does() -> None:
    taller = replace(HOUSE, walls=(*HOUSE.walls[:2], replace(HOUSE.walls[2], height=1.0)))
    assert len(found(taller)) == len(found()) + 1


def test_openings_know_both_sides() -> None:
    ways = {room.id: {way.opening: way.to for way in room.openings} for room in found()}
    assert ways == {
        "B1/0/1": {"front": "", "arch": "B1/0/2", "low": "B1/0/3"},
        "B1/0/2": {"pane": "", "arch": "B1/0/1", "shut": "B1/0/3"},
        "B1/0/3": {"shut": "B1/0/2", "low": "B1/0/1"},
        "B1/1/1": {"pane": ""},
    }
    assert {way.opening: way.is_open for way in by_id()["B1/0/1"].openings} == {"front": True, "arch": True, "low": False}


def test_neighbours() -> None:
    assert neighbours(found(), "B1/0/1") == ["B1/0/2", "B1/0/3"]
    assert neighbours(found(), "B1/1/1") == []
    with pytest.raises(WardogsError, match="B1/0/9"):
        neighbours(found(), "B1/0/9")


def test_room_at_a_point() -> None:
    assert ids((3, 2, 0)) == ["B1/0/1"]
    assert ids((3, 2, 2)) == ["B1/1/1"]
    assert ids((3, -2, 0)) == []
    assert ids((3, 2, 4)) == []
    assert ids((4, 5, 0)) == ids((4, 7, 0)) == ["B1/0/2"]


def test_a_threshold_is_in_both_rooms() -> None:
    assert ids((2, 3.5, 0)) == ids((2, 4.5, 0)) == ["B1/0/1", "B1/0/2"]
    assert ids((2, 3.49, 0)) == ["B1/0/1"]
    assert ids((2, 3.49, 0), threshold=1.0) == ["B1/0/1", "B1/0/2"]
    assert ids((8, 3.8, 0)) == ["B1/0/3"], "that door is shut"
    assert ids((2, -0.4, 0)) == ["B1/0/1"], "in the front door, from outdoors"
    assert ids((2, -0.6, 0)) == []


def test_a_door_that_opens_joins_and_a_breach_too() -> None:
    table = Map(buildings=(HOUSE,))
    assert ids((8, 3.8, 0), set_opening(table, "shut", "open").buildings[0]) == ["B1/0/2", "B1/0/3"]
    holed = breach(table, "cross", (6, 3), 1).buildings[0]
    assert [room.polygon for room in found(holed)] == [room.polygon for room in found()]
    assert "cross-gap-1" in {way.opening for way in by_id(holed)["B1/0/1"].openings}


def test_only_levels_that_stand_have_rooms() -> None:
    table = Map(buildings=(HOUSE,))
    assert {room.level for room in found(collapse(table, "B1", 1).buildings[0])} == {0}
    assert found(collapse(table, "B1", 0).buildings[0]) == ()


def test_a_wall_that_ends_in_the_room_parts_nothing() -> None:
    stub = replace(HOUSE, levels=1, walls=(Wall(line=(5, 0, 5, 5), openings=(Opening(id="stub", at=(5, 2)),)),))
    assert [[way.opening for way in room.openings] for room in found(stub)] == [["front", "pane"]]


def test_a_room_within_a_room() -> None:
    ring = Wall(line=(4, 3, 6, 3, 6, 5, 4, 5, 4, 3), openings=(Opening(id="c", at=(5, 3)),))
    cell = replace(HOUSE, levels=1, openings=(), walls=(ring,))
    assert [room.polygon.area for room in found(cell)] == [76.0, 4.0]
    assert ids((5, 4, 0), cell) == ["B1/0/2"]
    assert neighbours(found(cell), "B1/0/2") == ["B1/0/1"]


def test_a_wall_along_the_outer_wall_makes_no_room() -> None:
    assert [len(found(replace(HOUSE, levels=1, walls=(Wall(line=(0, y, 10, y)),)))) for y in (0.001, 0.09, 0.2)] == [1, 1, 2]


def test_walls_meet_slanted_and_round_outlines() -> None:
    slanted = Building(id="S", polygon=((0, 0), (9, 1), (7, 8), (1, 6)), walls=(Wall(line=(4.5, 0.5, 4, 7)),))
    assert [room.id for room in found(slanted)] == ["S/0/1", "S/0/2"]
    tower = Building(id="T", circle=(5, 5, 3), walls=(Wall(line=(2, 5, 8, 5)), Wall(line=(5, 2, 5, 8))))
    assert len(found(tower)) == 4


@given(st.integers(1, 4), st.integers(1, 4))
def test_a_grid_of_walls(columns: int, rows: int) -> None:
    """So many columns and rows of rooms, which together fill the house."""
    upright = [Wall(line=(12 * k / columns, 0, 12 * k / columns, 9)) for k in range(1, columns)]
    level = [Wall(line=(0, 9 * k / rows, 12, 9 * k / rows)) for k in range(1, rows)]
    grid = found(Building(id="G", rect=(0, 0, 12, 9), walls=(*upright, *level)))
    assert len(grid) == columns * rows
    assert sum(room.polygon.area for room in grid) == pytest.approx(108)
    corners = [room.polygon.bounds[:2] for room in grid]
    assert corners == sorted(corners)
