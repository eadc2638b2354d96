"""Vehicles: arcs and their cost, collisions without jumping over anything, routes that arrive."""

from __future__ import annotations

from itertools import pairwise
from math import hypot, pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wardogs.kernel.errors import WardogsError
from wardogs.table.bodies import Body, Hull
from wardogs.table.contact import core_of, hull_shape
from wardogs.table.drive import EDGE, Move, Pivot, Pose, Straight, Turn, collide, contacts, drive, placed, route
from wardogs.table.faces import Panel
from wardogs.table.units import Point

CAR = Hull(id="car", at=(0.0, 0.0, 0.0), size=(4.0, 2.25), height=1.0)


def man(x: float, y: float, id_: str = "man", z: float = 0.0) -> Body:
    return Body(id=id_, at=(x, y, z))


def wall(ax: float, ay: float, bx: float, by: float, top: float = 2.0) -> Panel:
    a, b = (round(1000 * ax), round(1000 * ay)), (round(1000 * bx), round(1000 * by))
    return Panel(a, b, 0, round(1000 * top), "stone", "the wall", "W1")


# Driving


def test_a_quarter_turn_as_the_book_has_it() -> None:
    """SKK W47: a car 2.25 wide turns left 90 degrees at 3 inches."""
    went = drive(CAR, [Turn(90, 3)])
    assert went.end == Pose((4.125, 4.125), 90.0)
    assert went.cost == 4.712
    assert drive(CAR, [Turn(45, 6)]).cost == 4.712
    assert drive(CAR, [Turn(-90, 3)]).end == Pose((4.125, -4.125), 270.0)


def test_straights_and_pivots() -> None:
    assert drive(CAR, [Straight(5), Pivot(90), Straight(-2)]).end == Pose((5.0, -2.0), 90.0)
    assert drive(CAR, [Straight(5), Pivot(90), Straight(-2)]).cost == 7.0
    assert drive(CAR, []).poses == (Pose((0.0, 0.0), 0.0),)


def test_poses_are_close_together() -> None:
    went = drive(CAR, [Straight(3), Turn(120, 3), Pivot(30)])
    shapes = [hull_shape(placed(CAR, pose)).exterior.coords for pose in went.poses]
    pairs = [pair for one, two in pairwise(shapes) for pair in zip(one, two, strict=True)]
    steps = [hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairs]
    assert max(steps) <= 0.1 + 0.001
    assert went.poses[-1] == went.end


def test_a_radius_below_0_is_refused() -> None:
    with pytest.raises(WardogsError, match="radius"):
        drive(CAR, [Turn(90, -1)])


# Collisions


def test_into_a_wall() -> None:
    met = collide(CAR, [Straight(20)], [wall(10, -5, 10, 5)])
    assert met is not None
    assert (met.what, met.at, met.side) == ("W1", (pytest.approx(10, abs=0.002), pytest.approx(0, abs=0.002)), "front")
    assert met.along == pytest.approx(8, abs=0.001)
    assert met.pose.at == (pytest.approx(8, abs=0.001), 0.0)


def test_backwards_into_a_man_and_past_one() -> None:
    met = collide(CAR, [Straight(-10)], [man(-5, 0), man(4, 0), man(-7, 1.7)])
    assert met is not None
    assert (met.what, met.side, met.at) == ("man", "rear", (pytest.approx(-4.5, abs=0.001), 0.0))
    assert collide(CAR, [Straight(-10)], [man(4, 0)]) is None
    assert collide(CAR, [Straight(10)], [man(6, 1.626)]) is None
    assert collide(CAR, [Straight(10)], [man(6, 1.62)]) is not None, "by the edge of its base"


def test_all_that_are_run_over_in_order() -> None:
    run_over = contacts(CAR, [Straight(20)], [man(12, 0, "late"), man(6, 0.5, "early"), man(6, 8, "safe")])
    assert [met.what for met in run_over] == ["early", "late"]


def test_a_thin_wall_end_is_not_jumped_over() -> None:
    met = collide(CAR, [Straight(20)], [wall(10, 1.12, 10, 5)])
    assert met is not None
    assert met.at == (pytest.approx(10, abs=0.003), pytest.approx(1.12, abs=0.006))
    assert collide(CAR, [Straight(20)], [wall(10, 1.125, 10, 5)]) is None


def test_the_tail_swings_out() -> None:
    """In a left turn the rear right corner leaves the lane that the hull stood in."""
    kerb = wall(-3, -1.2, 0, -1.2)
    met = collide(CAR, [Turn(90, 3)], [kerb])
    assert met is not None
    assert met.side == "right", "its flank leans on the kerb"
    assert collide(CAR, [Straight(3)], [kerb]) is None


def test_the_side_is_hit_in_a_turn() -> None:
    met = collide(CAR, [Turn(90, 3)], [man(3, 3.6)])
    assert met is not None
    assert met.side == "left"
    assert hull_shape(placed(CAR, met.pose)).distance(core_of(man(3, 3.6)).shape) == pytest.approx(0.5, abs=0.002)


def test_vehicles_meet_front_to_front() -> None:
    other = Hull(id="truck", at=(12.0, 0.0, 0.0), facing=180.0, size=(5.0, 2.0))
    met = collide(CAR, [Straight(20)], [other])
    assert met is not None
    assert (met.what, met.side, met.along) == ("truck", "front", pytest.approx(7.5, abs=0.001))


def test_touching_at_the_start_is_no_contact_unless_it_presses_in() -> None:
    ahead = Hull(id="other", at=(4.0, 0.0, 0.0), size=(4.0, 2.25))
    assert collide(CAR, [Straight(-5)], [ahead]) is None
    met = collide(CAR, [Straight(5)], [ahead])
    assert met is not None
    assert met.along == pytest.approx(0, abs=0.001)
    assert collide(CAR, [Straight(9)], [wall(-5, 1.125, 20, 1.125)]) is None, "along a wall"
    assert collide(CAR, [Pivot(10)], [wall(-5, 1.125, 20, 1.125)]) is not None


def test_a_way_that_ends_touching_is_a_contact() -> None:
    assert collide(CAR, [Straight(8)], [wall(10, -5, 10, 5)]) is not None
    assert collide(CAR, [Straight(7.99)], [wall(10, -5, 10, 5)]) is None


def test_what_lies_below_or_above_is_not_met() -> None:
    up = Hull(id="car", at=(0.0, 0.0, 2.0), size=(4.0, 2.25))
    assert collide(up, [Straight(20)], [wall(10, -5, 10, 5, top=2.0)]) is None
    assert collide(CAR, [Straight(20)], [man(8, 0, z=1.0)]) is None


def test_leaving_the_table_is_reported() -> None:
    start = Hull(id="car", at=(40.0, 20.0, 0.0), size=(4.0, 2.25))
    met = collide(start, [Straight(10)], [], (48.0, 48.0))
    assert met is not None
    assert (met.what, met.side, met.along) == (EDGE, "front", pytest.approx(6, abs=0.001))
    assert collide(start, [Straight(5)], [], (48.0, 48.0)) is None
    outside = Hull(id="car", at=(0.0, 20.0, 0.0), size=(4.0, 2.25))
    assert collide(outside, [Straight(10)], [], (48.0, 48.0)) is None, "it drives on to the table"


moves = st.one_of(
    st.floats(-9, 9).map(Straight),
    st.builds(Turn, st.floats(-170, 170), st.sampled_from([0.0, 3.0, 6.0])),
    st.floats(-170, 170).map(Pivot),
)
spots = st.tuples(st.floats(-9, 9), st.floats(-9, 9))


@settings(max_examples=60, deadline=None)
@given(st.lists(moves, min_size=1, max_size=3), spots, st.sampled_from(["man", "wall", "car"]))
def test_collisions_agree_with_the_sampled_poses(way: list[Move], at: Point, what: str) -> None:
    one = {"man": man(*at), "wall": wall(*at, at[0] + 2, at[1] + 1), "car": Hull(id="other", at=(*at, 0.0), facing=30.0)}[what]
    core = core_of(one)
    if hull_shape(CAR).distance(core.shape) <= core.round + 0.01:
        return
    met = collide(CAR, way, [one])
    if met is None:
        shrunk = [hull_shape(placed(CAR, pose)).buffer(-0.003) for pose in drive(CAR, way).poses]
        assert all(shape.distance(core.shape) > core.round for shape in shrunk)
    else:
        assert hull_shape(placed(CAR, met.pose)).distance(core.shape) == pytest.approx(core.round, abs=0.002)
        assert hull_shape(placed(CAR, met.pose)).distance(core_of(man(*met.at)).shape) < 0.01


# Routes


def test_dead_ahead_is_a_straight() -> None:
    assert route(Pose((1, 1), 90), (1, 7), 3, 2) == ((Straight(6.0),), 6.0)


def test_to_the_left_and_to_the_right() -> None:
    moves, cost = route(Pose((0, 0), 0), (4.125, 10), 3, 2.25)
    assert moves == (Turn(pytest.approx(90), 3), Straight(pytest.approx(5.875)))
    assert cost == round(3 * pi / 2 + 5.875, 3)
    assert route(Pose((0, 0), 0), (4.125, -10), 3, 2.25).moves[0] == Turn(pytest.approx(-90), 3)


def test_a_point_inside_the_circle_needs_the_other_way_round() -> None:
    moves, _ = route(Pose((0, 0), 0), (0, 2), 3, 2.25)
    assert isinstance(moves[0], Turn)
    assert moves[0].angle < -180


def test_turning_in_place() -> None:
    assert route(Pose((0, 0), 0), (0, -5), None, 1) == ((Pivot(-90.0), Straight(5.0)), 5.0)


@given(spots, st.floats(0, 359), spots, st.sampled_from([None, 3.0, 6.0]))
def test_a_route_arrives(start: Point, facing: float, to: Point, radius: float | None) -> None:
    hull = Hull(at=(*start, 0.0), facing=facing, size=(4.0, 2.0))
    way = route(Pose(start, facing), to, radius, 2.0)
    went = drive(hull, way.moves)
    assert went.end.at == (pytest.approx(to[0], abs=0.003), pytest.approx(to[1], abs=0.003))
    assert went.cost == pytest.approx(way.cost, abs=0.002)


@given(spots)
def test_the_cheaper_side_is_taken(to: Point) -> None:
    here, mirrored = route(Pose((0, 0), 0), to, 3, 2), route(Pose((0, 0), 0), (to[0], -to[1]), 3, 2)
    assert here.cost == pytest.approx(mirrored.cost, abs=0.002)
    assert here.cost >= hypot(*to) - 2 * pi * 4
