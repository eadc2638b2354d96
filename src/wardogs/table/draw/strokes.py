"""Shapes for the pencil: scalloped outlines, ribbons, combs of ticks, and places for trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin
from typing import NamedTuple

from wardogs.scene.model import Area, Line, Mark
from wardogs.table.kinds import Catalogue
from wardogs.table.units import Point

ARC = 5  # corners of a scallop


class Pen(NamedTuple):
    """What a drawing needs to know: how large an inch of the table is on paper, and the kinds of the map."""

    scale: float
    kinds: Catalogue

    def paper(self, inches: float) -> float:
        """Inches of paper as inches of the table."""
        return inches / self.scale


def closed(points: Sequence[Point]) -> tuple[Point, ...]:
    return (*points, points[0])


def far(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])


def between(a: Point, b: Point, share: float) -> Point:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def aside(at: Point, a: Point, b: Point, by: float) -> Point:
    """From a place so far to the left of the way from a to b."""
    size = far(a, b) or 1.0
    return at[0] - by * (b[1] - a[1]) / size, at[1] + by * (b[0] - a[0]) / size


def middle(points: Sequence[Point]) -> Point:
    """The middle of an outline's box."""
    left, lower, right, upper = bounds(points)
    return (left + right) / 2, (lower + upper) / 2


def heart(points: Sequence[Point]) -> Point:
    """A place well inside the outline, near its middle: where its name is written."""
    return _heart(tuple(points))


@lru_cache(maxsize=1024)
def _heart(points: tuple[Point, ...]) -> Point:
    left, lower, right, upper = bounds(points)
    x, y = middle(points)
    reach = max(right - left, upper - lower)
    best, found = 0.0, (x, y)
    for row in range(1, 16):
        for column in range(1, 16):
            at = left + (right - left) * column / 16, lower + (upper - lower) * row / 16
            room = min(gap(at, a, b) for a, b in pairwise(closed(points))) - 0.1 * far(at, (x, y))
            if room > best + 1e-6 * reach and within(points, at):
                best, found = room, at
    return found


def gap(at: Point, a: Point, b: Point) -> float:
    """From a place to the nearest point of a side."""
    size = max(far(a, b), 1e-6)
    share = ((at[0] - a[0]) * (b[0] - a[0]) + (at[1] - a[1]) * (b[1] - a[1])) / size**2
    return far(at, between(a, b, min(max(share, 0.0), 1.0)))


def bounds(points: Sequence[Point]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def square(at: Point, size: float) -> tuple[Point, ...]:
    (x, y), half = at, size / 2
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


def leftward(points: Sequence[Point]) -> tuple[Point, ...]:
    """The outline counter-clockwise, so that its inside lies on the left."""
    turn = sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise(closed(points)))
    return tuple(points) if turn >= 0 else tuple(reversed(points))


def cloud(points: Sequence[Point], bump: float, dip: float = 0.0) -> tuple[Point, ...]:
    """The outline as a row of scallops, bulging outwards; with a dip of a half they bulge out as far as they dip in."""
    stops = list(stepped(closed(leftward(points)), bump))
    return tuple(corner for a, b in pairwise(stops) for corner in _scallop(a, b, dip))


def _scallop(a: Point, b: Point, dip: float) -> Iterator[Point]:
    """Half a round from a to b, a little flattened, to the right of the way."""
    x, y = between(a, b, 0.5)
    radius, start = far(a, b) / 2, atan2(a[1] - b[1], a[0] - b[0])
    for n in range(ARC):
        turn = start + pi * n / ARC
        along, out = cos(turn - start), 0.75 * (sin(turn - start) - dip)
        yield x + radius * (along * cos(start) - out * sin(start)), y + radius * (along * sin(start) + out * cos(start))


def stepped(points: Sequence[Point], step: float) -> Iterator[Point]:
    """Places along a line, about a step apart, evenly on each straight stretch; short stretches are walked over."""
    yield points[0]
    here = points[0]
    for k, there in enumerate(points[1:], 2):
        gap = far(here, there)
        if gap < step * 0.6 and k < len(points):
            continue
        count = max(round(gap / step), 1)
        yield from (between(here, there, n / count) for n in range(1, count + 1))
        here = there


def comb(points: Sequence[Point], step: float, tooth: float) -> tuple[Point, ...]:
    """The line with a tooth to its left at every step; the pencil goes out and back."""
    drawn: list[Point] = [points[0]]
    for a, b in pairwise(list(stepped(points, step))):
        root = between(a, b, 0.5)
        drawn += [root, aside(root, a, b, tooth), root, b]
    return tuple(drawn)


def crossed(points: Sequence[Point], step: float, size: float) -> tuple[Point, ...]:
    """The line with a small cross at every step, as wire is drawn."""
    drawn: list[Point] = [points[0]]
    for a, b in pairwise(list(stepped(points, step))):
        root, share = between(a, b, 0.5), size / (far(a, b) or 1.0)
        ahead, back = between(a, b, 0.5 + share), between(a, b, 0.5 - share)
        arms = [aside(ahead, a, b, size), aside(back, a, b, -size), aside(ahead, a, b, -size), aside(back, a, b, size)]
        drawn += [root] + [point for arm in arms for point in (arm, root)] + [b]
    return tuple(drawn)


def ribbon(points: Sequence[Point], width: float) -> tuple[Point, ...]:
    """The outline of a strip along a line."""
    return (*_beside(points, -width / 2), *reversed(_beside(points, width / 2)))


def _beside(points: Sequence[Point], by: float) -> list[Point]:
    """The line moved to its left, its corners mitred."""
    found = [aside(points[0], points[0], points[1], by)]
    for a, b, c in zip(points, points[1:], points[2:], strict=False):
        one, two = aside((0, 0), a, b, 1), aside((0, 0), b, c, 1)
        room = max(1 + one[0] * two[0] + one[1] * two[1], 0.5)
        found.append((b[0] + by * (one[0] + two[0]) / room, b[1] + by * (one[1] + two[1]) / room))
    return [*found, aside(points[-1], points[-2], points[-1], by)]


def within(points: Sequence[Point], at: Point) -> bool:
    """Is the place inside the outline?"""
    inside, (x, y) = False, at
    for (ax, ay), (bx, by) in pairwise(closed(points)):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def scattered(points: Sequence[Point], step: float, loose: float) -> Iterator[tuple[Point, float]]:
    """Places inside the outline in staggered rows, each moved a little and with a number from 0 to 1 of its own."""
    left, lower, right, upper = bounds(points)
    rows, columns = max(round((upper - lower) / step), 1), max(round((right - left) / step), 1)
    high, wide = (upper - lower) / rows, (right - left) / columns
    for row in range(rows):
        for column in range(columns):
            dice = _scramble(row, column)
            shift = (dice % 97 / 97 - 0.5) * loose * step, (dice // 97 % 89 / 89 - 0.5) * loose * step
            stagger = 0.25 * wide * (1 if row % 2 else -1) if loose else 0.0
            at = left + (column + 0.5) * wide + stagger + shift[0], lower + (row + 0.5) * high + shift[1]
            if within(points, at):
                yield at, dice // 8633 % 83 / 83


def _scramble(row: int, column: int) -> int:
    """The same number for the same place, without order."""
    mixed = (row * 73856093 + column * 19349663 + 12345) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 15)) * 2246822519) & 0xFFFFFFFF
    return mixed ^ (mixed >> 13)


def arrow(a: Point, b: Point, head: float, look: str = "arrow") -> list[Mark]:
    """A line with a filled head."""
    root = between(b, a, head / (far(a, b) or 1.0))
    tip = (b, aside(root, a, b, head * 0.4), aside(root, a, b, -head * 0.4))
    return [Line((a, root), look), Area(tip, "ink")]
