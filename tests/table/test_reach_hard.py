"""Reach, where it is easily got wrong: what two surfaces, walls on walls, floors on hills and crowded starts do to a way."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from wardogs.table.bodies import Body
from wardogs.table.model import Area, Building, Hill, Ladder, Map, Opening, Pit, Slab, Stairs, Thing, Wall
from wardogs.table.modes import CRAWL, RUN, WALK, Mode
from wardogs.table.reach import graph_of, nearest_cover, reach
from wardogs.table.templates import flight_stop
from wardogs.table.terrain import Terrain
from wardogs.table.units import Place

SIZE = (16.0, 12.0)
WEST, EAST = (4.0, 6.0, 0.0), (12.0, 6.0, 0.0)


def cost(table: Map, start: Place, to: Place, mode: Mode = WALK, others: tuple[Body, ...] = ()) -> float | None:
    return reach(table, start, mode, others=others).cost(to)


def test_stairs_above_each_other_join_all_floors_and_the_roof() -> None:
    flights = (Stairs(id="s", at=(10, 8)), Stairs(id="t", at=(10, 8), level=1))
    door = Opening(id="d", side="W", at=6, state="open", level=0)
    table = Map(size=SIZE, buildings=(Building(id="H", rect=(6, 3, 11, 9), levels=2, openings=(door,), stairs=flights),))
    for mode in (WALK, RUN):
        assert cost(table, WEST, (8.0, 6.0, 4.0), mode) is not None


def test_stairs_of_fallen_levels_lead_nowhere() -> None:
    house = Building(id="H", rect=(6, 3, 11, 9), levels=2, standing=1, stairs=(Stairs(id="s", at=(10, 8), level=1),))
    table = Map(size=SIZE, buildings=(house,))
    assert cost(table, WEST, (8.0, 6.0, 4.0)) is None
    assert cost(table, WEST, (8.0, 6.0, 2.0), replace(WALK, climb=None)) is None
    on_rubble = cost(table, (7.0, 6.0, 2.0), (10.0, 6.0, 2.0))
    assert on_rubble == pytest.approx(6.0)


def test_nobody_climbs_through_the_wall_of_the_next_house() -> None:
    low, high = Building(id="A", rect=(4, 3, 8, 9)), Building(id="B", rect=(8, 3, 12, 9), levels=2)
    assert cost(Map(size=SIZE, buildings=(low, high)), (6.0, 6.0, 2.0), (10.0, 6.0, 2.0)) is None
    hill = Map(size=SIZE, hills=(Hill(id="h", rect=(0, 0, 8, 12), height=2),), buildings=(high,))
    assert cost(hill, (4.0, 6.0, 2.0), (10.0, 6.0, 2.0)) is None


@pytest.mark.parametrize(("state", "passes"), [("open", True), ("locked", False), ("barricaded", False)])
def test_a_balcony_is_entered_by_its_door(state: str, passes: bool) -> None:
    door = Opening(id="d", side="E", at=6, level=1, width=1.5, state=state)  # type: ignore[arg-type]
    house = Building(id="H", rect=(4, 3, 8, 9), levels=2, openings=(door,))
    table = Map(size=SIZE, buildings=(house,), slabs=(Slab(id="b", rect=(8, 4, 10, 8), z=2),))
    for mode in (WALK, RUN):
        assert (cost(table, (6.0, 6.0, 2.0), (9.0, 6.0, 2.0), mode) is not None) is passes


def test_walls_on_walls_are_not_climbed_at_the_bottom() -> None:
    walls = (Wall(id="a", line=(8, 0, 8, 12), height=2), Wall(id="b", line=(8, 0, 8, 12), height=2, base=2))
    assert cost(Map(size=SIZE, walls=walls), WEST, EAST) is None
    shell = Building(id="H", rect=(6, 3, 11, 9), levels=2, roof=False)
    assert cost(Map(size=SIZE, buildings=(shell,)), WEST, (8.0, 6.0, 0.0)) is None
    assert cost(Map(size=SIZE, buildings=(replace(shell, levels=1),)), WEST, (8.0, 6.0, 0.0)) == pytest.approx(4 + 8)


def test_all_may_step_from_surface_to_surface() -> None:
    hills = (Hill(id="a", rect=(0, 0, 6, 12), height=2), Hill(id="b", rect=(10, 0, 16, 12), height=2))
    bridge = Map(size=SIZE, hills=hills, slabs=(Slab(id="s", rect=(6, 4, 10, 8), z=2),))
    for mode, inches in ((WALK, 8.0), (RUN, 8 * 0.6), (CRAWL, 16.0)):
        assert cost(bridge, (4.0, 6.0, 2.0), (12.0, 6.0, 2.0), mode) == pytest.approx(inches, abs=0.05), mode.name
    river = Area(id="w", kind="water", rect=(7, 0, 9, 12))
    planks = Map(size=SIZE, areas=(river,), slabs=(Slab(id="s", rect=(6, 4, 10, 8), z=0.1),))
    assert cost(planks, WEST, EAST, RUN) == pytest.approx(8 * 0.6, abs=0.05)


def test_a_man_fills_an_alley_off_the_lattice() -> None:
    walls = (
        Wall(id="a", line=(4, 5.75, 12, 5.75), height=3), Wall(id="b", line=(4, 6.77, 12, 6.77), height=3),
        Wall(id="c", line=(8, 0, 8, 5.75), height=3), Wall(id="d", line=(8, 6.77, 8, 12), height=3),
    )  # fmt: skip
    table = Map(size=SIZE, walls=walls)
    assert cost(table, (2.0, 6.0, 0.0), (14.0, 6.0, 0.0)) == pytest.approx(12.05, abs=0.1)
    assert cost(table, (2.0, 6.0, 0.0), (14.0, 6.0, 0.0), others=(Body(id="m", at=(8, 6.26, 0)),)) is None


def test_what_stands_upstairs_is_in_the_way_upstairs_only() -> None:
    house = Building(id="H", rect=(2, 3, 14, 9), levels=2)
    crates = Thing(id="c", kind="crates", at=(8, 6), size=(2, 6), base=2)
    table = Map(size=SIZE, buildings=(house,), things=(crates,))
    assert cost(table, (4.0, 6.0, 0.0), (12.0, 6.0, 0.0)) == pytest.approx(8.0)
    assert cost(table, (4.0, 6.0, 2.0), (12.0, 6.0, 2.0)) == pytest.approx(8 + 2 * 2 * 1.0, abs=0.05)
    assert cost(table, (4.0, 6.0, 2.0), (12.0, 6.0, 2.0), RUN) is None
    desks = Area(id="f", kind="furniture", rect=(7, 3, 9, 9), base=2)
    office = Map(size=SIZE, buildings=(house,), areas=(desks,))
    assert cost(office, (4.0, 6.0, 0.0), (12.0, 6.0, 0.0)) == pytest.approx(8.0)
    assert cost(office, (4.0, 6.0, 2.0), (12.0, 6.0, 2.0)) == pytest.approx(10.0)


def test_a_crowded_start_can_be_left() -> None:
    wall = Wall(id="w", line=(8, 0, 8, 12), height=3)
    assert cost(Map(size=SIZE, walls=(wall,)), (7.6, 6.0, 0.0), WEST) == pytest.approx(3.6, abs=0.2)
    assert cost(Map(size=SIZE, walls=(wall,)), (7.6, 6.0, 0.0), EAST) is None
    pushed = Body(id="b", at=(4.9, 6, 0))
    assert cost(Map(size=SIZE), WEST, (2.0, 6.0, 0.0), others=(pushed,)) == pytest.approx(2.0, abs=0.2)
    fire = Area(id="f", kind="fire", circle=(4, 6, 0.9))
    assert cost(Map(size=SIZE, areas=(fire,)), WEST, EAST) is not None


@pytest.mark.parametrize("off", [0.0, 0.1, 0.25, 0.4])
def test_a_slanted_wall_is_climbed_wherever_it_stands(off: float) -> None:
    wall = Wall(id="w", line=(2 + off, 0, 14 + off, 12), height=1)
    assert cost(Map(size=SIZE, walls=(wall,)), WEST, EAST) == pytest.approx(8 + 4, abs=0.5)


def test_a_wide_base_climbs_too() -> None:
    table = Map(size=SIZE, walls=(Wall(id="w", line=(8, 0, 8, 12), height=1),))
    assert cost(table, WEST, EAST, replace(WALK, radius=0.75)) == pytest.approx(12, abs=0.2)


@pytest.mark.parametrize("at", [6.0, 5.6, 5.5])
def test_a_ladder_may_lean_on_the_wall_and_pass_a_parapet(at: float) -> None:
    tower = Building(id="H", rect=(6, 3, 11, 9), levels=2, parapet=1.0)
    table = Map(size=SIZE, buildings=(tower,), ladders=(Ladder(id="l", at=(at, 6), top=4),))
    assert cost(table, WEST, (8.0, 6.0, 4.0)) is not None


def test_a_raised_house_has_a_ground_floor() -> None:
    house = Building(id="H", rect=(6, 3, 11, 9), base=2)
    table = Map(size=SIZE, buildings=(house,))
    assert cost(table, (7.0, 6.0, 2.0), (10.0, 6.0, 2.0)) == pytest.approx(3.0)


def test_a_narrow_ditch_is_entered_and_left() -> None:
    table = Map(size=SIZE, pits=(Pit(id="p", rect=(0, 5.6, 16, 6.4), depth=0.6),))
    assert graph_of(table).stands((4.0, 6.0, -0.6))
    assert cost(table, (4.0, 4.0, 0.0), (4.0, 6.0, -0.6)) is not None
    assert cost(table, (4.0, 6.0, -0.6), (4.0, 8.0, 0.0)) is not None


def test_nothing_lies_off_the_table_or_where_there_is_no_room() -> None:
    assert cost(Map(size=SIZE), WEST, (-1.0, 6.0, 0.0)) is None
    assert not graph_of(Map(size=SIZE)).stands((17.0, 6.0, 0.0))
    low = Map(size=SIZE, walls=(Wall(id="w", line=(8, 0, 8, 12), height=0.6),))
    assert cost(low, WEST, (8.0, 6.0, 0.0)) is None


def test_pieces_without_a_name_are_told_apart() -> None:
    wall, inner = Wall(line=(8, 0, 8, 12), height=1), Wall(line=(12, 3, 12, 9), level=0)
    house = Building(rect=(10, 3, 14, 9), walls=(inner,), openings=(Opening(side="W", at=6, state="open"),))
    table = Map(size=SIZE, walls=(wall,), buildings=(house,))
    assert cost(table, WEST, (9.0, 6.0, 0.0)) == pytest.approx(5 + 4)
    assert cost(table, WEST, (13.0, 6.0, 0.0)) is None


def test_who_is_in_cover_stays() -> None:
    table = Map(size=SIZE, walls=(Wall(id="w", line=(8, 3, 8, 9), height=2),))
    man = Body(id="b", at=(9.3, 6.2, 0))
    places = nearest_cover(reach(table, man.at), [(2.0, 6.0, 1.1)], man, lambda looks: all(not seen.any for seen in looks))
    assert places == [(man.at, 0.0)]


def test_nothing_flies_through_a_hill() -> None:
    hill = Terrain.of(Map(size=SIZE, hills=(Hill(id="h", rect=(7, 3, 9, 9), height=3),)))
    x, _, _ = flight_stop(hill, (4.0, 6.0, 1.0), (12.0, 6.0, 1.0))
    assert x == pytest.approx(6.999)


def test_friends_are_passed_but_not_stood_on() -> None:
    friend = Body(id="f", at=(8, 6, 0))
    field = reach(Map(size=SIZE), WEST, passed=(friend,))
    assert field.cost(EAST) == 8.0
    assert field.cost((8.5, 6.0, 0.0)) is None
    assert field.cost((9.0, 6.0, 0.0)) == 5.0
