"""Reach, by examples: what a way costs, and which way it goes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError
from wardogs.table.bodies import Body, Hull, eye_of
from wardogs.table.model import Area, Building, Hill, Ladder, Map, Opening, Pit, Slab, Slope, Stairs, Thing, Wall
from wardogs.table.modes import CRAWL, RUN, WALK, Mode
from wardogs.table.reach import graph_of, nearest_cover, reach
from wardogs.table.stretches import Stretch, stretches
from wardogs.table.units import Place

SIZE = (16.0, 12.0)


def cost(table: Map, start: Place, to: Place, mode: Mode = WALK, others: tuple[Body | Hull, ...] = ()) -> float | None:
    return reach(table, start, mode, others=others).cost(to)


def walled(*walls: Wall) -> Map:
    return Map(size=SIZE, walls=walls)


def across(height: float, *openings: Opening, material: str = "stone") -> Map:
    """A wall right across the table at x = 8."""
    return walled(Wall(id="w", line=(8, 0, 8, 12), height=height, material=material, openings=openings))


WEST, EAST = (4.0, 6.0, 0.0), (12.0, 6.0, 0.0)


def test_a_straight_way_costs_its_length() -> None:
    assert cost(Map(size=SIZE), WEST, EAST) == 8.0
    assert cost(Map(size=SIZE), (1.0, 1.0, 0.0), (4.0, 5.0, 0.0)) == 5.0
    assert cost(Map(size=SIZE), (1.234, 1.1, 0.0), (11.777, 7.9, 0.0)) == pytest.approx(12.546, abs=0.002)


def test_a_limit_is_inside_it_in_every_direction() -> None:
    for to in ((9.0, 6.0, 0.0), (4.0, 11.0, 0.0), (7.0, 10.0, 0.0), (8.0, 9.0, 0.0)):
        assert reach(Map(size=SIZE), WEST, limit=5.0).cost(to) == 5.0
        assert reach(Map(size=SIZE), WEST, limit=4.999).cost(to) is None
    places = {place for place, _ in reach(Map(size=SIZE), WEST, limit=5.0).costs()}
    assert (7.0, 10.0, 0.0) in places
    assert (7.5, 10.0, 0.0) not in places


@pytest.mark.parametrize(("kind", "inches"), [("rubble", 10.0), ("woods", 10.0), ("grass", 8.0), ("water", None), ("road", 8.0)])
def test_ground_has_its_price(kind: str, inches: float | None) -> None:
    table = Map(size=SIZE, areas=(Area(id="a", kind=kind, rect=(7, 0, 9, 12)),))
    assert cost(table, WEST, EAST) == inches


def test_nobody_stands_in_deep_water() -> None:
    table = Map(size=SIZE, areas=(Area(id="a", kind="water", rect=(7, 0, 9, 12)),))
    assert not graph_of(table).stands((8.0, 6.0, 0.0))
    assert graph_of(table).stands((6.5, 6.0, 0.0))


def test_a_way_goes_round_what_is_dear() -> None:
    table = Map(size=SIZE, areas=(Area(id="a", kind="rubble", rect=(5, 5, 11, 12)),))
    path = reach(table, WEST).path(EAST)
    assert path is not None
    assert 8.8 < path.cost < 9.1  # by the corners at (5, 5) and (11, 5): 8.83
    assert any(y < 5.1 for _, y, _ in path.places)


def test_walls_are_stepped_over_climbed_or_stop() -> None:
    assert cost(across(0.6), WEST, EAST) == 8.0 + 2
    assert cost(across(1.0), WEST, EAST) == 8.0 + 2 * 2 * 1.0
    assert cost(across(2.4), WEST, EAST) == pytest.approx(8.0 + 2 * 2 * 2.4)
    assert cost(across(2.5), WEST, EAST) is None
    assert cost(across(1.0), WEST, EAST, RUN) is None
    assert cost(across(0.6), WEST, EAST, CRAWL) is None


def test_a_base_squeezes_through_no_gap() -> None:
    for gap, fits in ((1.0, True), (0.99, False)):
        table = walled(Wall(line=(8, 0, 8, 5.3), height=3), Wall(line=(8, 5.3 + gap, 8, 12), height=3))
        assert (cost(table, WEST, EAST) is not None) is fits, gap


@pytest.mark.parametrize("at", [6.0, 5.813, 3.31, 9.127])
def test_a_door_as_wide_as_the_base_is_wide_enough(at: float) -> None:
    door = Opening(id="d", kind="door", at=(8, at), width=1.0, state="open")
    found, shut = cost(across(3, door), WEST, EAST), cost(across(3, replace(door, state="shut")), WEST, EAST)
    assert found is not None
    assert shut is not None
    assert shut == pytest.approx(found + 1, abs=0.05)
    assert cost(across(3, replace(door, state="locked")), WEST, EAST) is None
    assert cost(across(3, replace(door, width=0.9)), WEST, EAST) is None


def test_an_alley_off_the_lattice_is_walked() -> None:
    blocks = (Building(id="a", rect=(5, 0, 11, 5.3), levels=2), Building(id="b", rect=(5, 6.3, 11, 12), levels=2))
    assert cost(Map(size=SIZE, buildings=blocks), WEST, EAST) == pytest.approx(8.05, abs=0.1)
    narrow = (blocks[0], replace(blocks[1], rect=(5, 6.2, 11, 12)))
    assert cost(Map(size=SIZE, buildings=narrow), WEST, EAST) is None


def test_a_slanted_wall_has_doors_too() -> None:
    door = Opening(id="d", at=(8.0, 6.0), width=1.0, state="open")
    table = walled(Wall(id="w", line=(5, 0, 11, 12), height=3, openings=(door,)))
    assert cost(table, WEST, EAST) == pytest.approx(8.3, abs=0.4)


def test_windows_are_crossed_like_low_walls_but_not_bars() -> None:
    window = Opening(id="n", kind="window", at=(8, 6), width=1.0)
    assert cost(across(2.5, window), WEST, EAST) == pytest.approx(8.0 + 2, abs=0.01)
    assert cost(across(2.5, replace(window, material="glass")), WEST, EAST) == pytest.approx(8.0 + 2, abs=0.01)
    assert cost(across(2.5, replace(window, state="barred")), WEST, EAST) is None
    assert cost(across(2.5, replace(window, sill=0.8)), WEST, EAST) == pytest.approx(8.0 + 2 * 2 * 0.8, abs=0.01)


HOUSE = Building(
    id="H", rect=(6, 3, 11, 9), levels=2, openings=(Opening(id="d", side="W", at=6, state="open", level=0),),
    stairs=(Stairs(id="s", at=(10, 8)),),
)  # fmt: skip


def test_stairs_join_the_floors_for_three_inches() -> None:
    table = Map(size=SIZE, buildings=(HOUSE,))
    below, above = cost(table, WEST, (10.0, 8.0, 0.0)), cost(table, WEST, (10.0, 6.5, 2.0))
    assert below is not None
    assert above is not None
    assert above == pytest.approx(below + 3 + 1.0, abs=0.15)


def test_nobody_walks_through_a_house() -> None:
    table = Map(size=SIZE, buildings=(HOUSE,))
    path = reach(table, WEST).path((13.0, 6.0, 0.0))
    assert path is not None
    assert path.cost > 9.0
    assert all(not (6 < x < 11 and 3 < y < 9) for x, y, _ in path.places)


def test_a_roof_of_one_storey_is_climbed() -> None:
    hut = Building(id="H", rect=(6, 3, 11, 9))
    table = Map(size=SIZE, buildings=(hut,))
    assert cost(table, WEST, (7.0, 6.0, 2.0)) == pytest.approx(3.0 + 2 * 2.0, abs=0.01)
    assert cost(table, WEST, (7.0, 6.0, 2.0), RUN) is None
    tower = replace(hut, levels=2)
    assert cost(Map(size=SIZE, buildings=(tower,)), WEST, (7.0, 6.0, 4.0)) is None
    parapet = replace(hut, parapet=0.4)
    assert cost(Map(size=SIZE, buildings=(parapet,)), WEST, (7.0, 6.0, 2.0)) == pytest.approx(3.0 + 2 * (2 + 2 * 0.4), abs=0.01)


def test_a_ladder_reaches_any_height() -> None:
    tower = Building(id="H", rect=(6, 3, 11, 9), levels=2)
    table = Map(size=SIZE, buildings=(tower,), ladders=(Ladder(id="l", at=(5.5, 6), top=4),))
    found = cost(table, WEST, (7.0, 6.0, 4.0))
    assert found is not None
    assert found == pytest.approx(1.5 + 8 + 1.0, abs=0.6)


def test_a_running_jump_clears_two_inches() -> None:
    for gap, jumped in ((1.5, True), (2.0, True), (2.5, False)):
        slabs = (Slab(id="a", rect=(1, 3, 6, 9), z=4), Slab(id="b", rect=(6 + gap, 3, 14, 9), z=4))
        assert (cost(Map(size=SIZE, slabs=slabs), (3.0, 6.0, 4.0), (10.0, 6.0, 4.0), RUN) is not None) is jumped, gap
    ditch = Map(size=SIZE, pits=(Pit(id="p", rect=(7, 0, 8, 12), depth=1.0),))
    assert cost(ditch, WEST, EAST, RUN) == pytest.approx(8 * 0.6 + 4, abs=0.01)


def test_hills_slopes_and_ditches() -> None:
    step = Map(size=SIZE, hills=(Hill(id="h", rect=(8, 0, 16, 12), height=1.0),))
    assert cost(step, WEST, (12.0, 6.0, 1.0)) == pytest.approx(8 + 2)
    slope, top = Slope(id="s", rect=(6, 0, 10, 12), up="E", height=1.0), Hill(id="h", rect=(10, 0, 16, 12), height=1.0)
    ramp = Map(size=SIZE, slopes=(slope,), hills=(top,))
    assert cost(ramp, WEST, (12.0, 6.0, 1.0)) == pytest.approx(8.12, abs=0.05)
    ditch = Map(size=SIZE, pits=(Pit(id="p", rect=(7, 0, 9, 12), depth=0.6),))
    assert cost(ditch, WEST, EAST) == pytest.approx(8 + 2 + 2 * 2 * 0.6, abs=0.01)


def test_a_container_is_climbed_or_walked_round() -> None:
    box = Thing(id="c", kind="container", at=(8, 6), size=(2, 5))
    table = Map(size=SIZE, things=(box,))
    assert cost(table, WEST, (8.0, 6.0, 1.6)) == pytest.approx(4 + 3.2, abs=0.01)
    round_it = cost(table, WEST, EAST)
    assert round_it is not None
    assert 9.0 < round_it < 11.0


def test_two_containers_leave_no_crack() -> None:
    row = tuple(Thing(id=f"c{k}", kind="container", at=(8, y), size=(2, 5.7)) for k, y in enumerate((3.0, 9.3)))
    climbed = cost(Map(size=SIZE, things=row), WEST, EAST)
    assert climbed is not None
    assert climbed > 8 + 2 * 3.2 - 0.01


def test_others_are_walked_round_and_fill_doors() -> None:
    man = Body(id="b", at=(8, 6, 0))
    found = cost(Map(size=SIZE), WEST, EAST, others=(man,))
    assert found is not None
    assert 8.2 < found < 8.6
    door = Opening(id="d", at=(8, 6), width=1.2, state="open")
    assert cost(across(3, door), WEST, EAST, others=(man,)) is None
    assert cost(across(3, door), WEST, EAST, others=(Body(id="b", at=(8, 6, 2.5)),)) is not None
    assert not reach(Map(size=SIZE), WEST, others=(man,)).stands((8.9, 6.0, 0.0))
    assert reach(Map(size=SIZE), WEST, others=(man,)).stands((9.0, 6.0, 0.0))


def test_a_vehicle_bars_the_road() -> None:
    walls = (Wall(line=(0, 8, 16, 8), height=3), Wall(line=(0, 4, 16, 4), height=3))
    truck = Hull(id="t", at=(8, 6, 0), facing=90, size=(3.2, 1.4))
    assert cost(walled(*walls), WEST, EAST, others=(truck,)) is None
    assert cost(walled(*walls), WEST, EAST, others=(replace(truck, facing=0, at=(8, 7.2, 0)),)) is not None


def test_the_nearest_cover_is_the_cheapest_place_out_of_sight() -> None:
    table = walled(Wall(id="w", line=(8, 5, 8, 7), height=2))
    enemy, man = eye_of(Body(at=(14, 6, 0))), Body(id="b", at=(10, 6, 0))
    places = nearest_cover(reach(table, man.at), [enemy], man, lambda looks: all(seen.clear() < 0.5 for seen in looks))
    assert places
    assert all(x < 8 for (x, _, _), _ in places)
    assert places[0][1] == pytest.approx(3.9, abs=0.4)
    assert nearest_cover(reach(table, man.at), [enemy], man, lambda looks: False) == []


def test_stretches_are_exact() -> None:
    table = Map(size=SIZE, areas=(Area(id="a", kind="rubble", circle=(8, 6, 2)), Area(id="b", kind="grass", rect=(9, 0, 12, 12))))
    found = stretches(table, [(4, 6), (12, 6), (12, 11)])
    assert [stretch.ground for stretch in found] == ["open", "rough", "open"]
    assert [stretch.length for stretch in found] == pytest.approx([2, 4, 2 + 5], abs=0.01)
    assert stretches(table, [(1, 1), (1, 4)]) == [Stretch("open", 3.0)]


def test_a_changed_map_is_asked_anew() -> None:
    shut = across(3, Opening(id="d", at=(8, 6), width=1.5, state="locked"))
    wide = across(3, Opening(id="d", at=(8, 6), width=1.5, state="open"))
    assert cost(shut, WEST, EAST) is None
    assert cost(wide, WEST, EAST) == pytest.approx(8.0, abs=0.01)
    assert graph_of(shut) is graph_of(shut)
    assert graph_of(shut) is not graph_of(wide)


def test_nothing_to_stand_on() -> None:
    with pytest.raises(WardogsError, match="nothing to stand on"):
        reach(Map(size=SIZE), (4.0, 4.0, 3.0))
    assert reach(Map(size=SIZE), WEST).path((4.0, 4.0, 3.0)) is None
