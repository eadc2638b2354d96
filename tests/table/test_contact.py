"""First contact along a path: exact touches, no contact without pressing in."""

from __future__ import annotations

from math import cos, hypot, radians, sin, sqrt

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from wardogs.table.bodies import Body, Hull
from wardogs.table.contact import Contact, core_of, first_contact, pass_by, path_length, point_along
from wardogs.table.faces import Panel
from wardogs.table.units import Point

Path = list[Point]
EAST: Path = [(0.0, 0.0), (10.0, 0.0)]


def man(x: float, y: float, z: float = 0.0, id_: str = "man") -> Body:
    return Body(id=id_, at=(x, y, z))


def wall(ax: float, ay: float, bx: float, by: float, bottom: float = 0.0, top: float = 2.0) -> Panel:
    a, b = (round(1000 * ax), round(1000 * ay)), (round(1000 * bx), round(1000 * by))
    return Panel(a, b, round(1000 * bottom), round(1000 * top), "stone", "the wall", "W1")


def test_head_on() -> None:
    assert first_contact(EAST, 0.5, [man(6, 0)]) == Contact("man", (5.0, 0.0), 5.0)


def test_off_centre_solves_the_quadratic() -> None:
    met = first_contact(EAST, 0.5, [man(6, 0.6)])
    assert met is not None
    assert met.along == pytest.approx(6 - sqrt(1 - 0.36))


def test_the_nearest_of_several_and_the_second_leg() -> None:
    path = [(0.0, 0.0), (4.0, 0.0), (4.0, 8.0)]
    met = first_contact(path, 0.5, [man(4, 7, id_="far"), man(4, 5, id_="near")])
    assert met == Contact("near", (4.0, 4.0), 8.0)


def test_touching_at_the_start_counts_only_when_pressing_in() -> None:
    assert first_contact(EAST, 0.5, [man(-1, 0)]) is None
    assert first_contact(EAST, 0.5, [man(0, 1)]) is None
    assert first_contact(EAST, 0.5, [man(1, 0)]) == Contact("man", (0.0, 0.0), 0.0)
    assert first_contact(EAST, 0.5, [man(-0.6, 0)]) is None, "out of an overlap"
    assert first_contact(EAST, 0.5, [man(0.6, 0)]) == Contact("man", (0.0, 0.0), 0.0)


def test_grazing_is_no_contact_but_a_thou_more_than_slack_is() -> None:
    assert first_contact(EAST, 0.5, [man(5, 1.0)]) is None
    assert first_contact(EAST, 0.5, [man(5, 0.997)]) is not None


def test_a_path_that_ends_touching_has_made_contact() -> None:
    assert first_contact([(0.0, 0.0), (5.0, 0.0)], 0.5, [man(6, 0)]) == Contact("man", (5.0, 0.0), 5.0)
    assert first_contact([(0.0, 0.0), (4.99, 0.0)], 0.5, [man(6, 0)]) is None


def test_walls_by_their_side_and_by_their_end() -> None:
    assert first_contact(EAST, 0.5, [], [wall(7, -2, 7, 2)]) == Contact("W1", (6.5, 0.0), 6.5)
    assert first_contact(EAST, 0.5, [], [wall(7, 0.3, 7, 2)]) == Contact("W1", (pytest.approx(6.6), 0.0), pytest.approx(6.6))
    slanted = first_contact(EAST, 0.5, [], [wall(4, -3, 10, 3)])
    assert slanted is not None
    assert slanted.along == pytest.approx(7 - 0.5 * sqrt(2))


def test_a_door_as_wide_as_the_base_lets_it_pass() -> None:
    jambs = [wall(5, -3, 5, -0.5), wall(5, 0.5, 5, 3)]
    assert first_contact(EAST, 0.5, [], jambs) is None
    met = first_contact(EAST, 0.52, [], jambs)
    assert met is not None
    assert met.along == pytest.approx(5 - sqrt(0.52**2 - 0.25))


def test_sliding_along_a_wall_is_free() -> None:
    assert first_contact(EAST, 0.5, [], [wall(-1, 0.5, 11, 0.5)]) is None
    assert first_contact(EAST, 0.5, [], [wall(3, 0.5, 11, 0.5)]) is None


def test_vehicles_by_side_and_corner() -> None:
    car = Hull(id="car", at=(6.0, 0.0, 0.0), size=(2.0, 1.0))
    assert first_contact(EAST, 0.5, [car]) == Contact("car", (4.5, 0.0), 4.5)
    above = [(0.0, 0.8), (10.0, 0.8)]
    assert first_contact(above, 0.5, [car]) == Contact("car", (pytest.approx(4.6), 0.8), pytest.approx(4.6))


def test_what_is_on_another_floor_is_not_met() -> None:
    assert first_contact(EAST, 0.5, [man(6, 0, 2.0)], height=1.2) is None
    assert first_contact(EAST, 0.5, [man(6, 0, 2.0)], floor=2.0, height=1.2) is not None
    assert first_contact(EAST, 0.5, [], [wall(7, -2, 7, 2, 1.2, 2)], height=1.2) is None
    assert first_contact(EAST, 0.5, [], [wall(7, -2, 7, 2, 1.1, 2)], height=1.2) is not None


def test_a_door_is_named_by_its_own_id() -> None:
    met = first_contact(EAST, 0.5, [], [wall(7, -2, 7, 2)._replace(opening="D1")])
    assert met is not None
    assert met.what == "D1"


def test_pass_by() -> None:
    assert pass_by(EAST, (6, 3), 5) == 2.0
    assert pass_by(EAST, (6, 5), 5) == 6.0, "a limit is inside"
    assert pass_by(EAST, (6, 5.002), 5) is None
    assert pass_by(EAST, (1, 0), 5) == 0.0
    assert pass_by([(0, 0), (4, 0), (4, 9)], (4, 8), 2) == 10.0
    assert pass_by([(0, 0)], (0, 2), 2) == 0.0
    assert pass_by(EAST, (13, 4), 5) == 10.0


def test_path_length() -> None:
    assert path_length([(0, 0), (3, 4), (3, 5)]) == 6.0
    assert path_length([(1, 1)]) == 0.0


places = st.tuples(st.integers(-8000, 8000), st.integers(-8000, 8000)).map(lambda at: (at[0] / 1000, at[1] / 1000))
angles = st.integers(0, 359).map(lambda degrees: radians(degrees))


@given(places, places, places, angles, st.sampled_from(["man", "wall", "car"]))
def test_agrees_with_small_steps(start: Point, end: Point, at: Point, turn: float, what: str) -> None:
    """Walked in small steps, the base is apart from the obstacle before the contact, and touches it there."""
    far = (at[0] + 3 * cos(turn), at[1] + 3 * sin(turn))
    panels = [wall(*at, *far)] if what == "wall" else []
    models = {"man": [man(*at)], "car": [Hull(id="car", at=(*at, 0.0), facing=40.0)], "wall": []}[what]
    core = core_of([*models, *panels][0])
    reach = 0.5 + core.round

    def gap(share: float) -> float:
        return core.gap(shapely.Point(point_along((start, end), share))) - reach

    met, length = first_contact([start, end], 0.5, models, panels), hypot(end[0] - start[0], end[1] - start[1])
    steps = [k / 60 for k in range(61)]
    if met is None:
        assert all(gap(share) > min(gap(0.0), 0.0) - 0.00101 for share in steps)
    elif met.along:
        assert abs(gap(met.along / length)) < 1e-6 or met.along == length
        assert all(gap(share) > -1e-6 for share in steps if share * length < met.along)
    else:
        assert gap(0.0) < 1e-6
