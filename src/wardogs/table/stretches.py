"""What ground a way crosses, stretch by stretch: exact, for games that charge each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import Any, NamedTuple

import shapely

from wardogs.table.ground import CLASSES, polygon
from wardogs.table.kinds import MoveClass, find
from wardogs.table.model import Area, Map
from wardogs.table.terrain import Same
from wardogs.table.units import Inches, Point


class Stretch(NamedTuple):
    """A part of a way over one class of ground."""

    ground: MoveClass
    length: Inches


def stretches(table: Map, path: Sequence[Point]) -> list[Stretch]:
    """A way cut where the class of the ground changes; exact, for games that charge each stretch."""
    around = _box(path)
    shapes = [patch for patch in _grounds(Same(table)) if patch.is_about(around)]
    found: list[Stretch] = []
    for a, b in pairwise(path):
        for ground, length in _cut(shapes, a, b):
            if found and found[-1].ground == ground:
                found[-1] = Stretch(ground, found[-1].length + length)
            else:
                found.append(Stretch(ground, length))
    return found


def is_open(table: Map, path: Sequence[Point]) -> bool:
    """Is a way surely all on open ground? What lies beside its box cannot be on it."""
    around = _box(path)
    return not any(patch.is_about(around) for patch in _grounds(Same(table)))


def _box(path: Sequence[Point]) -> tuple[float, float, float, float]:
    """Around a way, and a thou more."""
    xs, ys = [x for x, _ in path], [y for _, y in path]
    return min(xs) - 0.001, min(ys) - 0.001, max(xs) + 0.001, max(ys) + 0.001


class _Patch(NamedTuple):
    """An area on the ground: its class, its outline (none if it is just a box), and the box around it."""

    kind: MoveClass
    shape: Any
    box: tuple[float, float, float, float]

    def is_about(self, box: tuple[float, float, float, float]) -> bool:
        left, lower, right, upper = self.box
        return left <= box[2] and right >= box[0] and lower <= box[3] and upper >= box[1]

    def cuts(self, a: Point, b: Point, length: Inches) -> list[Inches] | None:
        """How far along a line it begins and ends; None if they do not meet."""
        left, lower, right, upper = self.box
        if max(a[0], b[0]) < left or min(a[0], b[0]) > right or max(a[1], b[1]) < lower or min(a[1], b[1]) > upper:
            return None
        if self.shape is None:
            first, last = _slab(a[0], b[0], left, right), _slab(a[1], b[1], lower, upper)
            ends = max(first[0], last[0]), min(first[1], last[1])
            return [share * length for share in ends] if ends[0] <= ends[1] else None
        line = shapely.LineString([a, b])
        if not self.shape.intersects(line):
            return None
        met = shapely.get_coordinates(line.intersection(self.shape)).tolist()
        return [min(length, hypot(x - a[0], y - a[1])) for x, y in met]

    def holds(self, x: float, y: float) -> bool:
        """Is a point inside, not on its edge?"""
        if self.shape is None:
            left, lower, right, upper = self.box
            return left < x < right and lower < y < upper
        return bool(self.shape.contains(shapely.Point(x, y)))


def _slab(a: float, b: float, low: float, high: float) -> tuple[float, float]:
    """The share of a line that lies between two parallels."""
    if a == b:
        return 0.0, 1.0
    ends = (low - a) / (b - a), (high - a) / (b - a)
    return max(0.0, min(ends)), min(1.0, max(ends))


@lru_cache(maxsize=40)
def _grounds(same: Same) -> tuple[_Patch, ...]:
    """The areas that lie on the ground and make it other than open."""
    found: list[_Patch] = []
    for piece in same.map.areas:
        if _walked(piece) and (kind := find(same.map.catalogue, piece.kind).move) != "open":
            shape = polygon(piece)
            shapely.prepare(shape)
            found.append(_Patch(kind, None if piece.rect is not None else shape, shape.bounds))
    return tuple(found)


def _walked(piece: Area) -> bool:
    return piece.base <= 0.1


def _cut(patches: Sequence[_Patch], a: Point, b: Point) -> Iterator[Stretch]:
    length = hypot(b[0] - a[0], b[1] - a[1])
    if length <= 1e-9:
        return
    met = [(patch, ends) for patch in patches if (ends := patch.cuts(a, b, length)) is not None]
    if not met:
        yield Stretch("open", length)
        return
    for first, last in pairwise(sorted({0.0, length, *(end for _, ends in met for end in ends)})):
        if last - first < 1e-9:
            continue
        share = (first + last) / 2 / length
        x, y = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        classes: list[MoveClass] = [patch.kind for patch, _ in met if patch.holds(x, y)]
        yield Stretch(max(classes, key=CLASSES.index, default="open"), last - first)
