"""Terrain changes in play: what is seen afterwards, and that all else is the same piece as before."""

from __future__ import annotations

import pytest

from wardogs.kernel.errors import WardogsError
from wardogs.table.bodies import Body
from wardogs.table.changes import (
    add_area,
    add_thing,
    all_openings,
    breach,
    burn,
    collapse,
    move_area,
    remove,
    set_opening,
)
from wardogs.table.check import faults
from wardogs.table.model import GROUPS, Area, Building, Map, Opening, Thing, Wall
from wardogs.table.sight import look, sees
from wardogs.table.terrain import Terrain
from wardogs.table.units import Place

HOUSE = Building(
    id="house", rect=(10, 10, 20, 18), levels=2,
    openings=(Opening(id="door", side="S", at=15, level=0),
              Opening(id="window", kind="window", side="W", at=14, material="door")),
    walls=(Wall(id="inner", line=(10, 15, 20, 15), openings=(Opening(id="inner-door", at=(13, 15)),)),),
)  # fmt: skip
SHED = Building(id="shed", rect=(30, 10, 34, 14))
YARD = Wall(id="yard", line=(24, 20, 34, 20, 34, 30), openings=(Opening(id="gate", at=(28, 20), width=2),))
SMOKE = Area(id="smoke", kind="smoke", rect=(2, 30, 10, 34))
TABLE = Map(buildings=(HOUSE, SHED), walls=(YARD,), areas=(SMOKE, Area(id="wood", kind="woods", circle=(40, 40, 3))))


def seen(table: Map, eye: Place, place: Place) -> bool:
    return sees(Terrain.of(table), eye, place)


def same(old: Map, new: Map, *but: str) -> bool:
    """Are all pieces the same objects, except the ones named?"""
    pairs = [(a, b) for group in GROUPS for a, b in zip(getattr(old, group), getattr(new, group), strict=True) if a.id not in but]
    return all(a is b for a, b in pairs)


# Doors and windows


def test_a_door_opens_and_shuts() -> None:
    eye, inside = (15, 5, 1), (15, 12, 1)
    opened = set_opening(TABLE, "door", "open")
    assert [seen(table, eye, inside) for table in (TABLE, opened, set_opening(opened, "door", "locked"))] == [False, True, False]
    assert same(TABLE, opened, "house")
    assert opened.buildings[0].walls is HOUSE.walls


def test_doors_of_inner_walls_and_of_free_walls() -> None:
    inner, gate = set_opening(TABLE, "inner-door", "open"), set_opening(TABLE, "gate", "gone")
    assert not seen(TABLE, (13, 12, 1), (13, 17, 1))
    assert seen(inner, (13, 12, 1), (13, 17, 1))
    assert inner.buildings[0].openings is HOUSE.openings
    assert seen(gate, (28, 15, 1), (28, 25, 1)) > seen(TABLE, (28, 15, 1), (28, 25, 1))
    assert same(TABLE, gate, "yard")


def test_a_window_on_one_level_only() -> None:
    smashed = set_opening(TABLE, "window", "gone", level=1)
    low, high = ((5, 14, 1), (12, 14, 1)), ((5, 14, 3), (12, 14, 3))
    assert (seen(smashed, *low), seen(smashed, *high)) == (False, True)
    both = set_opening(smashed, "window", "gone")
    assert (seen(both, *low), seen(both, *high)) == (True, True)
    mended = set_opening(both, "window", "shut", level=1)
    assert (seen(mended, *low), seen(mended, *high)) == (True, False)
    assert sorted(opening.id for opening in mended.buildings[0].openings) == ["door", "window@0", "window@1"]
    assert faults(mended) == []


def test_wrong_openings() -> None:
    with pytest.raises(WardogsError, match=r"unknown opening dor: did you mean door\?"):
        set_opening(TABLE, "dor", "open")
    with pytest.raises(WardogsError, match="state"):
        set_opening(TABLE, "door", "ajar")  # type: ignore[arg-type]
    with pytest.raises(WardogsError, match="level 0, not on level 1"):
        set_opening(TABLE, "door", "open", level=1)
    with pytest.raises(WardogsError, match="gap"):
        set_opening(breach(TABLE, "shed", (32, 10), 1), "shed-gap-1", "locked")


# Breaches


def test_one_looks_through_a_breach() -> None:
    holed = breach(TABLE, "shed", (32, 9.5), 1.5)
    assert not seen(TABLE, (32, 5, 1), (32, 12, 1))
    assert seen(holed, (32, 5, 1), (32, 12, 1))
    assert seen(holed, (32, 5, 1.8), (32, 12, 1.8)), "up to the top of the wall"
    assert not seen(holed, (32.8, 5, 1), (32.8, 12, 1))
    assert same(TABLE, holed, "shed")
    assert faults(holed) == []


def test_a_breach_of_some_height_on_an_upper_level() -> None:
    holed = breach(TABLE, "house", (20, 12), 1, level=1, height=1.0)
    assert seen(holed, (25, 12, 2.9), (15, 12, 2.9))
    assert not seen(holed, (25, 12, 3.1), (15, 12, 3.1))
    assert not seen(holed, (25, 12, 1), (15, 12, 1))


def test_a_breach_stays_on_its_stretch_of_wall() -> None:
    corner = breach(TABLE, "shed", (30.1, 10), 2)
    assert corner.buildings[1].openings == (Opening(id="shed-gap-1", kind="gap", at=(31.0, 10.0), width=2.0, level=0),)
    wide = breach(TABLE, "shed", (32, 10), 9)
    assert wide.buildings[1].openings[0].width == 4.0
    assert faults(corner) == faults(wide) == []


def test_a_breach_swallows_the_door_it_overlaps() -> None:
    holed = breach(TABLE, "house", (16, 10), 2)
    gap = holed.buildings[0].openings[-1]
    assert [opening.id for opening in holed.buildings[0].openings] == ["window", "house-gap-1"]
    assert (gap.at, gap.width) == ((15.75, 10.0), 2.5)
    assert faults(holed) == []
    beside = breach(TABLE, "house", (16.5, 10), 2)
    assert [opening.id for opening in beside.buildings[0].openings] == ["door", "window", "house-gap-1"]


def test_a_window_of_all_levels_is_swallowed_on_one() -> None:
    holed = breach(TABLE, "house", (10, 14), 2, level=1)
    assert [(opening.id, opening.level) for opening in holed.buildings[0].openings] == [
        ("door", 0),
        ("window@0", 0),
        ("house-gap-1", 1),
    ]
    assert faults(holed) == []


def test_a_low_hole_is_as_high_as_the_door_it_swallows() -> None:
    assert breach(TABLE, "house", (15, 10), 1, height=0.5).buildings[0].openings[-1].head == 1.6


def test_inner_and_free_walls() -> None:
    inner = breach(TABLE, "inner", (17, 15), 1)
    assert seen(inner, (17, 12, 1), (17, 17, 1))
    assert inner.buildings[0].openings is HOUSE.openings
    yard = breach(breach(TABLE, "yard", (34, 25), 2), "yard", (32, 20), 1)
    assert seen(yard, (32, 15, 1), (32, 25, 1))
    assert [opening.id for opening in yard.walls[0].openings] == ["gate", "yard-gap-1", "yard-gap-2"]


def test_no_wall_to_breach() -> None:
    for piece, level, says in (
        ("smoke", 0, "no wall"),
        ("hose", 0, r"did you mean house\?"),
        ("house", 2, "2 of its levels stand"),
        ("house", -1, "lowest is 0"),
    ):
        with pytest.raises(WardogsError, match=says):
            breach(TABLE, piece, (10, 10), 1, level)
    with pytest.raises(WardogsError, match="width"):
        breach(TABLE, "house", (10, 10), 0)
    with pytest.raises(WardogsError, match="level 0"):
        breach(collapse(TABLE, "house", 0), "inner", (17, 15), 1)


# Buildings


def test_a_level_collapses() -> None:
    over = ((5, 12, 3), (25, 12, 3))
    fallen = collapse(TABLE, "house", 1)
    assert not seen(TABLE, *over)
    assert seen(fallen, *over)
    assert collapse(fallen, "house", 2).buildings[0].standing == 1, "it does not stand up again"
    assert same(TABLE, fallen, "house")
    assert look(Terrain.of(collapse(TABLE, "house", 0)), (5, 12, 1.1), Body(at=(24, 12, 0))).any


def test_a_building_burns() -> None:
    alight = burn(TABLE, "shed")
    assert alight.buildings[1].burning
    assert not burn(alight, "shed", on=False).buildings[1].burning
    assert same(TABLE, alight, "shed")


# Areas and things


def test_smoke_comes_drifts_and_goes() -> None:
    across = ((1, 32, 1), (11, 32, 1))
    drifted, gone = move_area(TABLE, "smoke", (0, -5)), remove(TABLE, "smoke")
    assert [seen(table, *across) for table in (TABLE, drifted, gone)] == [False, True, True]
    assert drifted.areas[0].rect == (2, 25, 10, 29)
    assert move_area(drifted, "smoke", (0, 5)).areas[0] == SMOKE
    assert gone.areas == TABLE.areas[1:]
    assert gone.areas[0] is TABLE.areas[1]
    assert move_area(TABLE, "wood", (1, 2)).areas[1].circle == (41, 42, 3)
    assert same(TABLE, drifted, "smoke")


def test_new_areas_and_things_have_ids_of_their_own() -> None:
    more = add_thing(add_area(TABLE, Area(kind="smoke", polygon=((1, 1), (5, 1), (5, 5)))), Thing(kind="vehicle", at=(40, 5)))
    assert (more.areas[-1].id, more.things[-1].id) == ("area-1", "thing-1")
    assert move_area(more, "area-1", (1, 0)).areas[-1].polygon == ((2, 1), (6, 1), (6, 5))
    assert remove(more, "thing-1").things == ()
    with pytest.raises(WardogsError, match="house already"):
        add_area(TABLE, Area(id="house", kind="smoke", circle=(1, 1, 1)))


@pytest.mark.parametrize("change", [
    lambda: collapse(TABLE, "hut", 0), lambda: burn(TABLE, "hut"), lambda: move_area(TABLE, "hut", (1, 1)),
    lambda: remove(TABLE, "hut"), lambda: collapse(TABLE, "house", -1),
])  # fmt: skip
def test_wrong_ids(change: object) -> None:
    with pytest.raises(WardogsError, match=r"hut|level -1"):
        change()  # type: ignore[operator]


def test_the_old_map_is_as_it_was() -> None:
    before = [opening.state for opening in all_openings(TABLE)]
    set_opening(TABLE, "door", "open")
    breach(TABLE, "house", (15, 10), 3)
    assert [opening.state for opening in all_openings(TABLE)] == before
    assert TABLE.buildings[0] is HOUSE
