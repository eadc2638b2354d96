"""Are outlines and lines sound: closed, in order, not crossing themselves? Judged on the grid of thous."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

import shapely

from wardogs.table.model import Circle, Rect, Shaped
from wardogs.table.openings import line_points
from wardogs.table.shapes import Corner, cross, outline
from wardogs.table.units import Inches, Point, inches, thou
from wardogs.table.words import place, short

Box: TypeAlias = tuple[Inches, Inches, Inches, Inches]  # left, lower, right, upper

SHAPES = ("rect", "circle", "polygon")
MOST_CORNERS = 256  # of a polygon: it is cut into triangles
MOST_POINTS = 5_000  # of a wall


def extent(piece: Shaped) -> Box:
    """The upright rectangle around a piece."""
    if piece.rect:
        return piece.rect
    if piece.circle:
        x, y, radius = piece.circle
        return x - radius, y - radius, x + radius, y + radius
    xs, ys = zip(*outline(piece), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def polygon_of(piece: Shaped) -> shapely.Polygon:
    """Its outline in thous."""
    return shapely.Polygon(_thous(outline(piece)))


def outline_faults(piece: Shaped) -> Iterator[str]:
    given = [word for word in SHAPES if getattr(piece, word) is not None]
    if len(given) != 1:
        has = " and ".join(given) or "no outline"
        yield f"has {has}: write just one of rect = [left, lower, right, upper], circle = [x, y, radius], polygon = [[x, y], ...]"
    elif piece.rect:
        yield from _rect_faults(piece.rect)
    elif piece.circle:
        yield from _circle_faults(piece.circle)
    else:
        yield from _polygon_faults(piece.polygon or ())


def _rect_faults(rect: Rect) -> Iterator[str]:
    left, lower, right, upper = rect
    for low, high, words in ((left, right, ("left", "right")), (lower, upper, ("lower", "upper"))):
        if thou(low) >= thou(high):
            yield f"rect is [left, lower, right, upper], but {words[0]} {short(low)} is not less than {words[1]} {short(high)}"


def _circle_faults(circle: Circle) -> Iterator[str]:
    if thou(circle[2]) <= 0:
        yield f"circle is [x, y, radius], but the radius is {short(circle[2])}: write more than 0"


def _polygon_faults(points: Sequence[Point]) -> Iterator[str]:
    corners = _thous(points)
    if len(corners) < 3:
        yield "polygon is open: it needs 3 corners or more, such as [[1, 1], [5, 1], [3, 4]]"
    elif len(corners) > MOST_CORNERS:
        yield f"polygon has {len(corners)} corners: it may have {MOST_CORNERS}; split it or leave some out"
    elif corners[0] == corners[-1]:
        yield f"polygon's last corner repeats the first, {place(points[0])}: leave it out, a polygon closes by itself"
    elif twin := _repeated(corners):
        yield f"polygon's corners {twin} and {twin + 1} are the same, {place(points[twin])}: leave one out"
    elif not any(cross(corners[0], corners[1], corner) for corner in corners):
        yield f"polygon is open: its corners from {place(points[0])} enclose no area; give it a corner off the line"
    elif not (shape := shapely.Polygon(corners)).is_valid:
        yield f"polygon crosses or touches itself near {_where(shape)}: list its corners in order around it"


def _repeated(corners: Sequence[Corner]) -> int:
    """The number, from 1, of the first corner that is the same as the next; 0 if none is."""
    return next((n for n, (a, b) in enumerate(pairwise(corners), 1) if a == b), 0)


def _where(shape: shapely.Polygon) -> str:
    found = re.search(r"\[(\S+) (\S+)\]", shapely.is_valid_reason(shape))
    x, y = found.groups() if found else shape.exterior.coords[0]
    return place((inches(float(x)), inches(float(y))))


def line_faults(line: Sequence[Inches]) -> Iterator[str]:
    """A wall's line: figures in pairs, no two points alike after each other, no leg across another."""
    points = line_points(line)
    corners = _thous(points)
    if len(line) % 2:
        yield f"line has {len(line)} figures: write them in pairs, x, y, x, y"
    elif len(points) < 2:
        yield "line needs 2 points or more: x, y, x, y"
    elif len(points) > MOST_POINTS:
        yield f"line has {len(points)} points: a wall may have {MOST_POINTS}; split it"
    elif twin := _repeated(corners):
        yield f"line's points {twin} and {twin + 1} are the same, {place(points[twin])}: leave one out"
    elif len(points) > 2 and not shapely.LineString(corners).is_simple:
        yield f"line crosses or touches itself: {_crossing(corners)}; split it into two walls"


def _crossing(corners: Sequence[Corner]) -> str:
    """The first two legs that meet elsewhere than at the corner they share."""
    legs = shapely.linestrings(list(pairwise(corners)))
    tree = shapely.STRtree(legs)
    for n, leg in enumerate(legs):
        for k in sorted(int(k) for k in tree.query(leg, predicate="intersects") if k > n):
            met = leg.intersection(legs[k])
            shared = k == n + 1 and met.equals(shapely.Point(corners[k]))
            closing = n == 0 and k == len(legs) - 1 and met.equals(shapely.Point(corners[0]))
            if not shared and not closing:
                x, y = met.representative_point().coords[0]
                return f"legs {n + 1} and {k + 1} meet at {place((inches(x), inches(y)))}"
    return "its ends"


def _thous(points: Sequence[Point]) -> list[Corner]:
    return [(thou(x), thou(y)) for x, y in points]
