"""Templates: who is under them, limits included; who is screened; scatter and flight."""

from __future__ import annotations

from math import cos, hypot, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wardogs.kernel.errors import WardogsError
from wardogs.table.bodies import Body, Hull
from wardogs.table.model import Area, Building, Map, Opening, Thing, Wall
from wardogs.table.templates import (
    Caught,
    Circle,
    Clipped,
    Cone,
    Corridor,
    Sector,
    bearing,
    caught,
    clipped,
    distance_to,
    flight_stop,
    gap,
    height_there,
    in_arc,
    scatter,
    scatter_angle,
    under,
)  # fmt: skip
from wardogs.table.terrain import Terrain
from wardogs.table.units import Place

ORIGIN: Place = (0.0, 0.0, 0.0)
SHOTGUN = Cone(ORIGIN, 0.0, 12.0, 3.0, (4.0, 8.0, 12.0))
CLAYMORE = Sector(ORIGIN, 90.0, 60.0, 0.0, 10.0, (5.0, 10.0))


def man(x: float, y: float, z: float = 0.0, id_: str = "man", radius: float = 0.5) -> Body:
    return Body(id=id_, at=(x, y, z), radius=radius)


def car(x: float, y: float, facing: float = 0.0, z: float = 0.0) -> Hull:
    return Hull(id="car", at=(x, y, z), facing=facing, size=(4.0, 2.0))


# Circles


def test_a_circle_counts_what_is_just_on_its_limit() -> None:
    blast = Circle(ORIGIN, (1.0, 5.0))
    assert under(blast, man(3, 4))
    assert not under(blast, man(3, 4.002))
    assert under(blast, man(3.3, 4.4), "base")
    assert not under(blast, man(3.3, 4.402), "base")


@given(st.integers(0, 359), st.sampled_from([3.0, 10.0, 16.0]))
def test_a_limit_holds_in_every_direction(turn: int, radius: float) -> None:
    x, y = radius * cos(radians(turn)), radius * sin(radians(turn))
    assert under(Circle(ORIGIN, (radius,)), man(x, y))
    assert not under(Circle(ORIGIN, (radius - 0.001,)), man(x, y))


def test_frag_rings_by_base_edge() -> None:
    """DOW EX-08: bases at 0.9, 1.8, 2.9 and 3.1 inches from the burst."""
    frag = Circle(ORIGIN, (1.0, 2.0, 3.0))
    men = [man(far + 0.5, 0, id_=str(far)) for far in (3.1, 2.9, 1.8, 0.9)]
    assert caught(frag, men, to="edge") == [
        Caught("0.9", 0.9, 0, False), Caught("1.8", 1.8, 1, False), Caught("2.9", 2.9, 2, False),
    ]  # fmt: skip


def test_a_limit_belongs_to_the_inner_ring() -> None:
    assert [c.ring for c in caught(Circle(ORIGIN, (1.0, 2.0)), [man(1, 0), man(1.001, 0), man(2, 0)])] == [0, 1, 1]


def test_space_counts_the_height_between_the_surfaces() -> None:
    blast = Circle(ORIGIN, (5.0,))
    assert caught(blast, [man(3, 0, 4)], measure="space")[0].distance == 5.0
    assert caught(blast, [man(3, 0, 4.01)], measure="space") == []
    assert len(caught(blast, [man(3, 0, 4.01)])) == 1


def test_a_vehicle_is_caught_by_the_nearest_point_of_its_hull() -> None:
    blast = Circle(ORIGIN, (3.0,))
    assert caught(blast, [car(5, 0)], to="edge") == [Caught("car", 3.0, 0, False)]
    assert caught(blast, [car(5, 0)]) == []
    assert caught(blast, [car(5, 0, 90)], to="edge") == []
    assert caught(blast, [car(1, 0)], to="edge")[0].distance == 0.0


# Cones, sectors, corridors


def test_the_shotgun_cone() -> None:
    assert under(SHOTGUN, man(12, 1.5))
    assert not under(SHOTGUN, man(12.01, 0))
    assert under(SHOTGUN, man(8, 1))
    assert not under(SHOTGUN, man(8, 1.01))
    assert under(SHOTGUN, man(8, 1.5), "base")
    assert not under(SHOTGUN, man(-0.1, 0))
    assert under(SHOTGUN, man(-0.5, 0), "base")
    assert [(c.distance, c.ring) for c in caught(SHOTGUN, [man(9, 0), man(4, 0), man(8, 0)])] == [(4, 0), (8, 1), (9, 2)]
    assert under(SHOTGUN, car(9, 2), "base")
    assert not under(SHOTGUN, car(9, 2.5), "base")


def test_the_claymore_sector() -> None:
    edge = (10 * sin(radians(30)), 10 * cos(radians(30)))
    assert under(CLAYMORE, man(*edge))
    assert under(CLAYMORE, man(-edge[0], edge[1]))
    assert not under(CLAYMORE, man(edge[0] + 0.01, edge[1]))
    assert not under(CLAYMORE, man(0, 10.01))
    assert under(CLAYMORE, man(0, 10.5), "base")
    assert not under(CLAYMORE, man(0, 10.51), "base")
    assert under(CLAYMORE, man(0.5, 0.0), "base")
    assert not under(CLAYMORE, man(0, -0.6), "base")
    assert [(c.distance, c.ring) for c in caught(CLAYMORE, [man(0, 8), man(0, 5)])] == [(5, 0), (8, 1)]


def test_a_sector_with_a_least_range() -> None:
    ring = Sector(ORIGIN, 0.0, 90.0, 3.0, 10.0)
    assert under(ring, man(3, 0))
    assert not under(ring, man(2.9, 0))
    assert under(ring, man(2.5, 0), "base")
    assert not under(ring, man(2.4, 0), "base")


def test_vehicles_in_sectors() -> None:
    assert under(CLAYMORE, car(0, 11), "base")
    assert not under(CLAYMORE, car(0, 11.1), "base")
    assert under(CLAYMORE, car(7, 8.8), "base"), "its left rear corner"
    assert not under(CLAYMORE, car(7.2, 8.8), "base")
    assert not under(CLAYMORE, car(0, -1.1), "base")
    assert not under(Sector(ORIGIN, 90.0, 60.0, 4.0, 10.0), car(0, 1.5), "base")
    assert under(Sector(ORIGIN, 0.0, 270.0, 0.0, 5.0), car(-1, 3), "base")
    assert not under(Sector(ORIGIN, 0.0, 270.0, 0.0, 5.0), car(-4, 0), "base")
    assert under(CLAYMORE, Hull(at=(0, 5, 0), size=(100, 100)), "base")


def test_the_corridor_of_automatic_fire() -> None:
    """DOW WX-54: a centre 1.5 or 1.6 inches off the line; only ahead of the firer; to the end of the range."""
    fire = Corridor(ORIGIN, (3.0, 4.0, 0.0), 3.0, 20.0)
    off = [(6 - 0.8 * side, 8 + 0.6 * side) for side in (1.5, -1.5, 1.6)]
    assert [under(fire, man(*at)) for at in off] == [True, True, False]
    assert under(fire, man(12, 16))
    assert not under(fire, man(12.06, 16.08))
    assert not under(fire, man(-0.3, -0.4))
    assert caught(fire, [man(6, 8), man(3, 4)])[0].distance == 5.0


def test_corridor_distances_are_along_the_line() -> None:
    fire = Corridor((0, 0, 1.0), (10, 0, 3.0), 3.0, 20.0)
    assert distance_to(fire, man(8, 1)) == 8.0
    assert distance_to(fire, man(8, 1), to="edge") == 7.5
    assert distance_to(fire, car(8, 1), to="edge") == 6.0
    assert distance_to(fire, man(3, 1, 5), "space") == 5.0
    assert height_there(fire, 15) == 4.0


def test_arcs_include_their_limits() -> None:
    assert in_arc((2, 2), 0, 90, (3, 3))
    assert in_arc((2, 2, 0), 0, 90, (3, 1, 5))
    assert not in_arc((2, 2), 0, 90, (3, 3.01))
    assert in_arc((0, 0), 90, 180, (5, 0))
    assert not in_arc((0, 0), 90, 180, (5, -0.01))
    assert in_arc((0, 0), 350, 40, (1, 0.15))
    assert in_arc((0, 0), 10, 360, (-1, 0))


@given(st.integers(0, 359), st.integers(1, 179))
def test_arcs_turn_with_their_facing(facing: int, half: int) -> None:
    for side in (-1, 1):
        for turn, inside in ((half, True), (half - 0.1, True), (half + 0.1, False)):
            away = radians(facing + side * turn)
            assert in_arc((1, 2), facing, 2 * half, (1 + 9 * cos(away), 2 + 9 * sin(away))) is inside


def test_bad_templates_say_how_to_mend_them() -> None:
    for bad in (
        lambda: Circle(ORIGIN, ()), lambda: Circle(ORIGIN, (3.0, 1.0)), lambda: Cone(ORIGIN, 0, 0, 3),
        lambda: Sector(ORIGIN, 0, 400), lambda: Sector(ORIGIN, 0, 60, 5, 3), lambda: Corridor(ORIGIN, (0, 0, 1), 3, 9),
    ):  # fmt: skip
        with pytest.raises(WardogsError, match=r"\(0, 0, 0\)"):
            bad()


# Screens


WALLED = Terrain.of(Map(walls=(Wall(id="W", line=(22, 15, 22, 25)),), areas=(Area(kind="smoke", rect=(10, 22, 14, 26)),)))


def test_a_wall_screens_from_the_burst() -> None:
    blast = Circle((20, 20, 0), (8.0,))
    found = caught(blast, [man(23, 20, id_="behind"), man(17, 20, id_="open")], terrain=WALLED, lift=0.2)
    assert found == [Caught("behind", 3.0, 0, True), Caught("open", 3.0, 0, False)]


def test_a_burst_above_the_wall_sees_over_it() -> None:
    blast = Circle((20, 20, 0), (8.0,))
    assert caught(blast, [man(26, 20)], terrain=WALLED, lift=4.0)[0].screened is False


def test_a_floor_screens_the_level_above() -> None:
    house = Terrain.of(Map(buildings=(Building(id="B", rect=(10, 10, 20, 20), levels=2),)))
    below, above = man(15, 16, 0, "below"), man(15, 16, 2, "above")
    found = caught(Circle((15, 15, 0), (3.0,)), [above, below], terrain=house, lift=0.2)
    assert {c.model: c.screened for c in found} == {"below": False, "above": True}


# Gaps and bearings


def test_gaps_from_edge_to_edge() -> None:
    assert gap(man(0, 0), man(3, 4)) == 4.0
    assert gap(man(0, 0), man(0.5, 0)) == 0.0
    assert gap(man(0, 0), man(4, 0, 4)) == 5.0
    assert gap(man(0, 0), man(4, 0, 4), "plan") == 3.0
    assert gap(man(0, 0), car(5, 0)) == 2.5
    assert gap(car(0, 0), car(7, 5)) == pytest.approx(hypot(3, 3), abs=0.001)
    assert gap(car(0, 0), car(1, 1)) == 0.0
    assert gap(car(0, 0), car(5, 0, 90)) == 2.0


def test_bearings() -> None:
    assert bearing(man(1, 1), man(1, 5)) == 90.0
    assert bearing((0, 0), (-1, 0, 3)) == 180.0
    assert bearing(man(0, 0), car(1, -1)) == 315.0


# Scatter and flight


def test_the_deviation_wheel_runs_clockwise_from_straight_on() -> None:
    mark, thrower = (10.0, 10.0, 0.0), (10.0, 2.0, 0.0)
    assert scatter(mark, thrower, 1, 10, 3) == (10.0, 13.0, 0.0)
    assert scatter(mark, thrower, 6, 10, 3) == (10.0, 7.0, 0.0)
    assert scatter(mark, thrower, 4, 12, 3) == (13.0, 10.0, 0.0), "three o'clock is to the right"
    assert scatter(mark, 180.0, 4, 12, 3) == (10.0, 13.0, 0.0)
    assert scatter_angle(mark, 90.0, 30, 2) == (11.0, 11.732, 0.0)


@given(st.integers(1, 10), st.floats(0, 20), st.floats(0, 359))
def test_scatter_goes_as_far_as_it_says(sector: int, distance: float, facing: float) -> None:
    x, y, _ = scatter(ORIGIN, facing, sector, 10, distance)
    assert hypot(x, y) == pytest.approx(distance, abs=0.001)


def test_scatter_refuses_what_it_cannot_do() -> None:
    with pytest.raises(WardogsError, match="sectors 1 to 10"):
        scatter(ORIGIN, 0.0, 11, 10, 3)
    with pytest.raises(WardogsError, match="facing"):
        scatter(ORIGIN, (0.0, 0.0), 1, 10, 3)


def test_clipped_to_the_table() -> None:
    size = (48.0, 36.0)
    assert clipped((10, 10, 0), (48, 36, 0), size) == Clipped((48, 36, 0), False)
    assert clipped((40, 10, 0), (56, 18, 1), size) == Clipped((48.0, 14.0, 0.5), True)
    assert clipped((4, 4, 0), (-4, -12, 0), size) == Clipped((2.0, 0.0, 0.0), True)
    assert clipped((50, 4, 0), (52, 4, 0), size) == Clipped((48.0, 4.0, 0.0), True)


STREET = Terrain.of(
    Map(
        buildings=(Building(id="B", rect=(20, 10, 28, 18), openings=(Opening(id="W", kind="window", side="W", at=14),)),),
        walls=(Wall(id="low", line=(10, 5, 10, 20), height=0.6), Wall(id="wire", line=(4, 5, 4, 20), material="wire")),
        things=(Thing(id="box", kind="container", at=(40, 14), size=(4, 4)),),
        areas=(Area(id="rock", kind="rock", circle=(40, 30, 2)),),
    )
)


def test_a_flight_stops_a_thou_before_the_wall() -> None:
    assert flight_stop(STREET, (12, 12, 1), (24, 12, 1)) == (19.999, 12.0, 1.0)
    assert flight_stop(STREET, (12, 14, 1), (24, 14, 1)) == (24, 14, 1), "through the window"
    assert flight_stop(STREET, (12, 14, 0.5), (24, 14, 0.5)) == (19.999, 14.0, 0.5), "below the sill"
    assert flight_stop(STREET, (24, 14, 1), (34, 14, 1)) == (27.999, 14.0, 1.0), "from inside"


def test_a_flight_minds_heights_and_kinds() -> None:
    assert flight_stop(STREET, (8, 12, 0.7), (12, 12, 0.7)) == (12, 12, 0.7)
    assert flight_stop(STREET, (8, 12, 0.6), (12, 12, 0.6)) == (9.999, 12.0, 0.6), "its top belongs to the wall"
    assert flight_stop(STREET, (2, 12, 0.2), (6, 12, 0.2)) == (6, 12, 0.2), "wire lets it pass"
    assert flight_stop(STREET, (8, 12, 0.2), (12, 12, 0.2), through=("stone",)) == (12, 12, 0.2)
    assert flight_stop(STREET, (35, 14, 0.5), (45, 14, 0.5)) == (37.999, 14.0, 0.5)
    assert flight_stop(STREET, (35, 14, 2), (45, 14, 2)) == (45, 14, 2)
    assert flight_stop(STREET, (40, 35, 0.5), (40, 25, 0.5)) == (40.0, 32.001, 0.5)
    assert flight_stop(STREET, (40, 33, 3), (40, 29, 0)) == (40.0, 31.001, 1.501), "down on the top of the rock"
    assert flight_stop(STREET, (40, 31, 3), (40, 31, 0)) == (40.0, 31.0, 1.501), "straight down"
    assert flight_stop(STREET, (10, 1, 0.2), (10, 9, 0.2)) == (10.0, 4.999, 0.2), "along the line of the wall"
    assert flight_stop(STREET, (10, 12, 0.2), (12, 12, 0.2)) == (10, 12, 0.2), "it starts on the wall"


@given(st.integers(0, 7999), st.integers(0, 7999), st.integers(2, 17))
def test_a_stopped_flight_stays_on_its_side(up: int, to: int, end: int) -> None:
    start = (12.0, 10 + up / 1000, 0.3)
    x, y, z = flight_stop(STREET, start, (20.0 + end, 10 + to / 1000, 0.3))
    assert x < 20.0
    assert flight_stop(STREET, start, (x, y, z)) == (x, y, z)
