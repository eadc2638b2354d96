"""First contact: where a base that moves along a path meets a model or a wall.

A touch is a contact only if the base would press in: one may slide along a wall, pass a door just as wide as the base, and
leave what one touches at the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot, sqrt
from typing import NamedTuple, TypeAlias

import shapely

from wardogs.table.bodies import Hull, Model, height_of
from wardogs.table.faces import Panel
from wardogs.table.shapes import box
from wardogs.table.units import Inches, Place, Point, inches, thou

Obstacle: TypeAlias = Model | Panel
Leg: TypeAlias = tuple[Point, Point]

SLACK = inches(1)  # what lies in by a thou or less is rounding, not pressing


class Contact(NamedTuple):
    what: str  # the id of the model, the door or the piece of terrain
    at: Point  # where the middle of the base then is
    along: Inches  # how far along the path


class Core(NamedTuple):
    """What an obstacle is in plan: all within `round` of a point, a line or a rectangle."""

    what: str
    shape: shapely.Geometry
    round: Inches = 0.0

    @property
    def legs(self) -> list[Leg]:
        """Its sides; a point is a side without length."""
        points = list(shapely.get_coordinates(self.shape).tolist())
        return [((ax, ay), (bx, by)) for (ax, ay), (bx, by) in pairwise(points if len(points) > 1 else points * 2)]

    def gap(self, shape: shapely.Geometry) -> Inches:
        """How far its middle line or rectangle lies from a shape."""
        return float(self.shape.distance(shape))


def path_length(path: Sequence[Point]) -> Inches:
    return sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(path))


def first_contact(
    path: Sequence[Point], radius: Inches, obstacles: Sequence[Model], panels: Sequence[Panel] = (),
    *, floor: Inches = 0.0, height: Inches = 1.0,
) -> Contact | None:  # fmt: skip
    """The first model or wall that a round base presses into on its way; the first named one of those it meets at once."""
    cores = [core_of(one) for one in (*obstacles, *panels) if is_level(one, floor, height)]
    done = 0.0
    for leg in pairwise(path):
        far = path_length(leg)
        met = [(along, core.what) for core in cores if far and (along := _meets(leg, far, core, radius)) is not None]
        if met:
            along, what = min(met, key=lambda pair: pair[0])
            return Contact(what, point_along(leg, along / far), done + along)
        done += far
    return None


def is_level(one: Obstacle, floor: Inches, height: Inches) -> bool:
    """Does it share some height with what stands on the floor? Touching from above or below is not enough."""
    bottom, top = (one.bottom, one.top) if isinstance(one, Panel) else (thou(one.at[2]), thou(one.at[2] + height_of(one)))
    return bottom < thou(floor + height) and top > thou(floor)


def core_of(one: Obstacle) -> Core:
    if isinstance(one, Panel):
        return Core(one.opening or one.piece, shapely.LineString([_inches(one.a), _inches(one.b)]))
    if isinstance(one, Hull):
        return Core(one.id, hull_shape(one))
    return Core(one.id, shapely.Point(one.at[:2]), one.radius)


def hull_shape(hull: Hull) -> shapely.Polygon:
    return shapely.Polygon(box(flat(hull.at), hull.size, hull.facing))


def pass_by(path: Sequence[Point], point: Point, within: Inches) -> Inches | None:
    """How far along a path it first comes within a distance of a point, the limit included; none if it never does."""
    done = 0.0
    if len(path) == 1:
        path = (*path, *path)
    for leg in pairwise(path):
        far = path_length(leg)
        if thou(shapely.Point(point).distance(shapely.LineString(leg))) <= thou(within):
            ahead, beside = _from_leg(leg, far, point)
            return done + min(max(ahead - sqrt(max(within**2 - beside**2, 0.0)), 0.0), far)
        done += far
    return None


def point_along(leg: Leg, share: float) -> Point:
    (ax, ay), (bx, by) = leg
    return ax + share * (bx - ax), ay + share * (by - ay)


def flat(place: Place) -> Point:
    return place[0], place[1]


def _meets(leg: Leg, far: Inches, core: Core, radius: Inches) -> Inches | None:
    """How far along the leg the base first touches what it would press into, were it to go on by two thous."""
    reach = radius + core.round
    start, beyond = leg[0], point_along(leg, 1 + 2 * SLACK / far)
    at_start = core.gap(shapely.Point(start))
    if core.gap(shapely.LineString([start, beyond])) >= min(at_start, reach) - SLACK:
        return None
    if at_start <= reach:
        return 0.0
    touches = [along for side in core.legs for along in _touches(leg, far, side, reach)]
    return min(max(min(touches, default=0.0), 0.0), far)


def _touches(leg: Leg, far: Inches, side: Leg, reach: Inches) -> Iterator[Inches]:
    """How far along the leg's line it comes within reach of a side: of each of its ends, and of what lies between them."""
    for end in side:
        ahead, beside = _from_leg(leg, far, end)
        if abs(beside) <= reach:
            yield ahead - sqrt(reach**2 - beside**2)
    if length := path_length(side):
        (_, off), (_, off_end) = _from_leg(side, length, leg[0]), _from_leg(side, length, leg[1])
        nearing = (abs(off) - reach) / (abs(off) - (off_end if off > 0 else -off_end) or 1.0)
        if 0 <= _from_leg(side, length, point_along(leg, nearing))[0] <= length and nearing >= 0:
            yield nearing * far


def _from_leg(leg: Leg, far: Inches, point: Point) -> tuple[Inches, Inches]:
    """How far ahead along the leg's line a point lies, and how far to the left of it."""
    (ax, ay), (bx, by) = leg
    if not far:
        return 0.0, hypot(point[0] - ax, point[1] - ay)
    (dx, dy), (px, py) = ((bx - ax) / far, (by - ay) / far), (point[0] - ax, point[1] - ay)
    return px * dx + py * dy, dx * py - dy * px


def _inches(corner: tuple[int, int]) -> Point:
    return inches(corner[0]), inches(corner[1])
