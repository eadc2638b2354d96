"""Outlines on the grid of thous: whole numbers, so that every question of sides and crossings has one exact answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import TypeAlias

from wardogs.table.model import Shaped, Thing
from wardogs.table.units import Point, thou

Corner: TypeAlias = tuple[int, int]  # thous
Ring: TypeAlias = tuple[Corner, ...]  # counter-clockwise, not closed

ROUND = 48  # corners of a circle where only corners will do (pictures, rooms, ground)


def cross(o: Corner, a: Corner, b: Corner) -> int:
    """Twice the area of the triangle: positive if it turns left."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def area2(ring: Sequence[Corner]) -> int:
    """Twice the area, positive if counter-clockwise."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in edges(ring))


def edges(ring: Sequence[Corner]) -> Iterator[tuple[Corner, Corner]]:
    return zip(ring, (*ring[1:], ring[0]), strict=True)


def ring_of(points: Sequence[Point]) -> Ring:
    """The corners in thous, counter-clockwise, without repeats and without corners in the middle of a straight edge."""
    corners = [(thou(x), thou(y)) for x, y in points]
    if area2(corners) < 0:
        corners.reverse()
    kept = [b for a, b in edges(corners) if a != b]
    return tuple(b for a, b, c in zip(kept[-1:] + kept[:-1], kept, kept[1:] + kept[:1], strict=True) if cross(a, b, c))


def outline(piece: Shaped) -> tuple[Point, ...]:
    """The outline in inches; a circle as a polygon of many corners."""
    if piece.rect:
        left, lower, right, upper = piece.rect
        return (left, lower), (right, lower), (right, upper), (left, upper)
    if piece.circle:
        x, y, radius = piece.circle
        return tuple((x + radius * cos(2 * pi * k / ROUND), y + radius * sin(2 * pi * k / ROUND)) for k in range(ROUND))
    return piece.polygon or ()


def corners_of(thing: Thing) -> tuple[Point, ...]:
    """The four corners of a box on the table, counter-clockwise from its right front."""
    return box(thing.at, thing.size, thing.facing)


def box(at: Point, size: Point, facing: float) -> tuple[Point, ...]:
    """An oriented rectangle; `size` is along its facing and across it."""
    (x, y), (long, wide), (ahead, left) = at, size, heading(facing)
    forward, side = (ahead * long / 2, left * long / 2), (-left * wide / 2, ahead * wide / 2)
    signs = ((1, -1), (1, 1), (-1, 1), (-1, -1))
    return tuple((x + f * forward[0] + s * side[0], y + f * forward[1] + s * side[1]) for f, s in signs)


@lru_cache(maxsize=4096)
def heading(facing: float) -> Point:
    """The unit vector of a facing in degrees; rounded, so that it is exact on the axes and the same with every maths library."""
    turned = (facing % 360) * pi / 180
    return round(cos(turned), 12) + 0.0, round(sin(turned), 12) + 0.0


def is_convex(ring: Sequence[Corner]) -> bool:
    return all(cross(a, b, c) > 0 for a, b, c in zip(ring, (*ring[1:], ring[0]), (*ring[2:], *ring[:2]), strict=True))


@lru_cache(maxsize=8192)
def convex_parts(ring: Ring) -> tuple[Ring, ...]:
    """Itself if convex, else the triangles of an ear clipping."""
    if is_convex(ring):
        return (ring,)
    left, parts = list(ring), []
    while len(left) > 3:
        ear = next((k for k in range(len(left)) if _is_ear(left, k)), 0)
        corner = (left[ear - 1], left[ear], left[(ear + 1) % len(left)])
        if cross(*corner) > 0:
            parts.append(corner)
        del left[ear]
    return (*parts, tuple(left)) if cross(*left) > 0 else tuple(parts)


def _is_ear(ring: list[Corner], k: int) -> bool:
    a, b, c = ring[k - 1], ring[k], ring[(k + 1) % len(ring)]
    if cross(a, b, c) <= 0:
        return False
    others = (p for p in ring if p not in (a, b, c))
    return not any(cross(a, b, p) >= 0 and cross(b, c, p) >= 0 and cross(c, a, p) >= 0 for p in others)


def holds(ring: Sequence[Corner], x: int, y: int) -> bool:
    """Is the point in the polygon, its rim included?"""
    inside = False
    for a, b in edges(ring):
        turn = cross(a, b, (x, y))
        if turn == 0 and min(a[0], b[0]) <= x <= max(a[0], b[0]) and min(a[1], b[1]) <= y <= max(a[1], b[1]):
            return True
        if (a[1] > y) != (b[1] > y) and (turn > 0) == (b[1] > a[1]):
            inside = not inside
    return inside
