"""Where on its wall a door, a window or a gap lies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import hypot
from typing import NamedTuple, TypeAlias

from wardogs.table.model import Opening, Wall
from wardogs.table.units import Inches, Point, inches

Leg: TypeAlias = tuple[Point, Point]  # a straight stretch of wall, from corner to corner

NEAR = 0.05  # inches from its wall that the middle of an opening may lie
SLACK = inches(1) + 1e-9  # an opening may stick out of its leg by a thou: rounding
SIDES = "SENW"  # the legs of a rectangle's outline in their order
MANY = 32  # legs from which on an index pays


class Placed(NamedTuple):
    """A stretch of a leg, in inches from the leg's first corner."""

    leg: int
    start: Inches
    end: Inches


def line_points(line: Sequence[Inches]) -> list[Point]:
    """The points of a line that is written as x, y, x, y, ..."""
    return list(zip(line[::2], line[1::2], strict=False))


def legs_of_wall(wall: Wall) -> list[Leg]:
    points = line_points(wall.line)
    return list(pairwise(points))


def legs_of_ring(corners: Sequence[Point]) -> list[Leg]:
    """The walls of a closed outline, the last back to the first corner."""
    return list(zip(corners, (*corners[1:], *corners[:1]), strict=True))


def place_opening(opening: Opening, legs: Sequence[Leg]) -> Placed | None:
    """Its stretch of the nearest leg that has room for it; none if no leg is near or none has room."""
    at = middle(opening, legs)
    if at is None:
        return None
    if opening.side and len(legs) == len(SIDES):
        return _place(opening, at, legs, [SIDES.index(opening.side)])
    return _place(opening, at, legs, range(len(legs)))


def place_openings(openings: Sequence[Opening], legs: Sequence[Leg]) -> list[Placed | None]:
    """The same for many, quick even for a wall of thousands of legs."""
    if len(legs) < MANY:
        return [place_opening(opening, legs) for opening in openings]
    from shapely import STRtree, box, linestrings

    tree = STRtree(linestrings(legs))

    def near(at: Point) -> list[int]:
        return [int(k) for k in tree.query(box(at[0] - NEAR, at[1] - NEAR, at[0] + NEAR, at[1] + NEAR))]

    middles = [middle(opening, legs) for opening in openings]
    return [at and _place(opening, at, legs, near(at)) for opening, at in zip(openings, middles, strict=True)]


def middle(opening: Opening, legs: Sequence[Leg]) -> Point | None:
    """The point on the table that `at` means; none if a bare figure comes without the side of a rectangle."""
    if isinstance(opening.at, tuple):
        return opening.at
    if opening.side is None or len(legs) != len(SIDES):
        return None
    (x, y), _ = legs[SIDES.index(opening.side)]
    return (opening.at, y) if opening.side in "SN" else (x, opening.at)


def distance(at: Point, leg: Leg) -> Inches:
    """From a point to the nearest point of a leg."""
    x, y = along(leg, min(max(how_far(at, leg), 0.0), length(leg)))
    return hypot(at[0] - x, at[1] - y)


def how_far(at: Point, leg: Leg) -> Inches:
    """How far along the leg, from its first corner, the point lies; beyond its ends too."""
    (x, y), (to_x, to_y) = leg
    return ((at[0] - x) * (to_x - x) + (at[1] - y) * (to_y - y)) / (length(leg) or 1.0)


def along(leg: Leg, far: Inches) -> Point:
    """The point so far along the leg."""
    (x, y), (to_x, to_y) = leg
    share = far / (length(leg) or 1.0)
    return x + share * (to_x - x), y + share * (to_y - y)


def length(leg: Leg) -> Inches:
    return hypot(leg[1][0] - leg[0][0], leg[1][1] - leg[0][1])


def _place(opening: Opening, at: Point, legs: Sequence[Leg], which: Iterable[int]) -> Placed | None:
    near = sorted((far, k) for k in which if (far := distance(at, legs[k])) <= NEAR)
    return next(filter(None, (_fit(at, opening.width, k, legs[k]) for _, k in near)), None)


def _fit(at: Point, width: Inches, k: int, leg: Leg) -> Placed | None:
    """The stretch of this leg, trimmed by rounding at its ends; none if the opening sticks out."""
    start, end, room = how_far(at, leg) - width / 2, how_far(at, leg) + width / 2, length(leg)
    if start < -SLACK or end > room + SLACK:
        return None
    return Placed(k, max(start, 0.0), min(end, room))
