"""A plain, slow judge of sight in whole numbers and fractions, written from the definitions and not from the kernel.

A ray is the closed stretch from an eye to a point. A panel is the closed upright rectangle over its line: the ray crosses it if
they share a point. A solid is closed too, and counts by the length that ray and solid share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import NamedTuple, TypeAlias

from wardogs.table.faces import Panel, Plane, Solid
from wardogs.table.kinds import Kind
from wardogs.table.terrain import FULL, Terrain
from wardogs.table.units import Spot, thou

Stretch: TypeAlias = tuple[Fraction, Fraction]  # of a ray: 0 is at the eye, 1 at the point

DIGITS = 10**60
MILLION = 10**6


class Ray(NamedTuple):
    eye: Spot
    point: Spot

    @property
    def square(self) -> int:
        """Of its length."""
        return sum((b - a) ** 2 for a, b in zip(self.eye, self.point, strict=True))


def trace(terrain: Terrain, eye: Spot, point: Spot) -> tuple[int, Fraction, Fraction]:
    """The bits of all kinds that the ray crosses, and its two hazes, of leaves and of smoke."""
    ray, mask = Ray(eye, point), 0
    haze = {"thin": Fraction(0), "smoke": Fraction(0)}
    for panel in terrain.panels:
        if crosses(panel, ray):
            mask |= 1 << terrain.kinds.index(panel.kind)
    for solid in terrain.solids:
        kind, inside = terrain.kind(solid.kind), depth(solid, ray)
        if inside >= max(1, thou(kind.min_depth)):
            mask |= 1 << terrain.kinds.index(solid.kind)
            haze[kind.sight] = haze.get(kind.sight, Fraction(0)) + inside * weight(kind)
    return mask, haze["thin"], haze["smoke"]


def weight(kind: Kind) -> Fraction:
    """Of a thou of it: as many as `see_through` make it full, more are too much."""
    return Fraction(FULL, thou(kind.see_through)) if kind.see_through else Fraction(0)


def crosses(panel: Panel, ray: Ray) -> bool:
    return shared(sides_of(panel), ray) is not None


@cache
def sides_of(panel: Panel) -> tuple[Plane, ...]:
    """Inside all of these: in the box around the panel, and on its line."""
    (ax, ay), (bx, by) = panel.a, panel.b
    a, b = ay - by, bx - ax
    line = (a, b, 0, -a * ax - b * ay)
    east, north = (1, 0, 0, -min(ax, bx)), (0, 1, 0, -min(ay, by))
    west, south = (-1, 0, 0, max(ax, bx)), (0, -1, 0, max(ay, by))
    back = (-line[0], -line[1], 0, -line[3])
    return east, west, north, south, (0, 0, 1, -panel.bottom), (0, 0, -1, panel.top), line, back


def shared(planes: Iterable[Plane], ray: Ray) -> Stretch | None:
    """The stretch of the ray on the inner side of all planes, the planes themselves included; it may be one point."""
    first, last = Fraction(0), Fraction(1)
    for plane in planes:
        here, there = height(plane, ray.eye), height(plane, ray.point)
        if here < 0 and there < 0:
            return None
        if here < 0:
            first = max(first, Fraction(here, here - there))
        elif there < 0:
            last = min(last, Fraction(here, here - there))
    return (first, last) if first <= last else None


def height(plane: Plane, spot: Spot) -> int:
    """Above the plane, in some measure: what is inside is not below 0."""
    a, b, c, d = plane
    x, y, z = spot
    return a * x + b * y + c * z + d


def depth(solid: Solid, ray: Ray) -> int:
    """In whole thous."""
    if solid.disc is not None:
        least, most = (rounded(share, ray.square) for share in shares_in_disc(solid, ray))
        assert least == most, "60 digits do not decide it"
        return least
    stretches = (shared(part, ray) for part in solid.parts)
    return rounded(sum((last - first for first, last in filter(None, stretches)), Fraction(0)), ray.square)


def rounded(share: Fraction, square: int) -> int:
    """A share of the root of `square`, to the nearest whole number, a half (less a millionth) upwards."""
    part, whole = share.numerator, share.denominator
    return (isqrt(square * (part * MILLION) ** 2) + (MILLION // 2 + 1) * whole) // (MILLION * whole)


def shares_in_disc(solid: Solid, ray: Ray) -> Iterator[Fraction]:
    """The share of the ray that lies in an upright cylinder, to 60 digits: just below it, and just above."""
    between = shared(((0, 0, 1, -solid.bottom), (0, 0, -1, solid.top)), ray)
    low, high = between or (Fraction(0), Fraction(0))
    for first, last in stretches_in_circle(solid.disc or (0, 0, 0), ray):
        yield max(Fraction(0), min(high, last) - max(low, first))


def stretches_in_circle(disc: tuple[int, int, int], ray: Ray) -> Iterator[Stretch]:
    """Where |eye + t * way - middle|² <= radius²: a square equation a*t² + 2*b*t + c <= 0, solved to 60 digits."""
    (x, y, radius), (ex, ey, _), (px, py, _) = disc, ray.eye, ray.point
    a, b = (px - ex) ** 2 + (py - ey) ** 2, (px - ex) * (ex - x) + (py - ey) * (ey - y)
    c = (ex - x) ** 2 + (ey - y) ** 2 - radius**2
    root = isqrt(max(0, b * b - a * c) * DIGITS**2)
    for near in (root, root + 1):
        if a == 0:
            yield Fraction(0), Fraction(int(c <= 0))
        elif b * b <= a * c:
            yield Fraction(0), Fraction(0)
        else:
            yield Fraction(-b * DIGITS - near, a * DIGITS), Fraction(-b * DIGITS + near, a * DIGITS)
