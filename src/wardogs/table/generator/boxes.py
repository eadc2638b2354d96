"""Boxes and outlines in quarters of an inch: whole numbers, so that a seed gives the same table on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from wardogs.table.model import Rect, Side
from wardogs.table.units import Point

Quarters: TypeAlias = int
Spot: TypeAlias = tuple[Quarters, Quarters]

QUARTER = 4  # to the inch
# Twelve directions around a circle, in thousandths.
ROSE = ((1000, 0), (866, 500), (500, 866), (0, 1000), (-500, 866), (-866, 500),
        (-1000, 0), (-866, -500), (-500, -866), (0, -1000), (500, -866), (866, -500))  # fmt: skip
SIDES: tuple[Side, ...] = ("N", "E", "S", "W")
BACK: dict[Side, Side] = {"N": "S", "S": "N", "E": "W", "W": "E"}
BESIDE: dict[Side, tuple[Side, Side]] = {"N": ("E", "W"), "S": ("W", "E"), "E": ("S", "N"), "W": ("N", "S")}


class Box(NamedTuple):
    left: Quarters
    lower: Quarters
    right: Quarters
    upper: Quarters

    @property
    def wide(self) -> Quarters:
        return self.right - self.left

    @property
    def deep(self) -> Quarters:
        return self.upper - self.lower

    @property
    def middle(self) -> Spot:
        return (self.left + self.right) // 2, (self.lower + self.upper) // 2

    @property
    def rect(self) -> Rect:
        return self.left / QUARTER, self.lower / QUARTER, self.right / QUARTER, self.upper / QUARTER

    @property
    def corners(self) -> tuple[Spot, ...]:
        """Counter-clockwise from the lower left."""
        return (self.left, self.lower), (self.right, self.lower), (self.right, self.upper), (self.left, self.upper)

    def grown(self, by: Quarters) -> Box:
        return Box(self.left - by, self.lower - by, self.right + by, self.upper + by)

    def beyond(self, side: Side, gap: Quarters, size: Quarters) -> Box:
        """A box of the same breadth on one side of this one."""
        left, lower, right, upper = self
        return {
            "N": Box(left, upper + gap, right, upper + gap + size),
            "S": Box(left, lower - gap - size, right, lower - gap),
            "E": Box(right + gap, lower, right + gap + size, upper),
            "W": Box(left - gap - size, lower, left - gap, upper),
        }[side]

    def edge(self, side: Side) -> tuple[Spot, Spot]:
        """The two corners of one side, from the lower or left one."""
        left, lower, right, upper = self
        return {
            "S": ((left, lower), (right, lower)),
            "N": ((left, upper), (right, upper)),
            "W": ((left, lower), (left, upper)),
            "E": ((right, lower), (right, upper)),
        }[side]

    def meets(self, other: Box) -> bool:
        return self.left < other.right and other.left < self.right and self.lower < other.upper and other.lower < self.upper


def sized(left: Quarters, lower: Quarters, wide: Quarters, deep: Quarters) -> Box:
    return Box(left, lower, left + wide, lower + deep)


def inch(spot: Spot) -> Point:
    return spot[0] / QUARTER, spot[1] / QUARTER


def blob(rng: Random, box: Box, least: int = 78) -> tuple[Spot, ...]:
    """An uneven round outline within the box; `least` is its smallest radius in hundredths."""
    points = []
    for x, y in ROSE:
        reach = rng.randint(least, 100)
        across = ((box.left + box.right) * 100_000 + x * box.wide * reach) // 200_000
        points.append((across, ((box.lower + box.upper) * 100_000 + y * box.deep * reach) // 200_000))
    return tuple(dict.fromkeys(points))


def clipped(rng: Random, box: Box) -> tuple[Spot, ...]:
    """A box with its corners cut off: a rubble heap, a field corner."""
    most = max(min(box.wide, box.deep) // 3, 1)
    points: list[Spot] = []
    for k, (x, y) in enumerate(box.corners):
        cut, inwards = rng.randint(1, most), ((1, 1), (-1, 1), (-1, -1), (1, -1))[k]
        beside, above = (x + inwards[0] * cut, y), (x, y + inwards[1] * cut)
        points += [above, beside] if k % 2 == 0 else [beside, above]
    return tuple(points)


def area(points: Sequence[Spot]) -> float:
    """In square inches."""
    turns = zip(points, (*points[1:], points[0]), strict=True)
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in turns)) / 2 / QUARTER**2


def winding(along: Sequence[Spot], half: Quarters) -> tuple[Spot, ...]:
    """A band around a line that runs mainly north."""
    return (*((x - half, y) for x, y in reversed(along)), *((x + half, y) for x, y in along))


def turned(points: Sequence[Spot]) -> tuple[Spot, ...]:
    """The same outline with x and y changed about."""
    return tuple((y, x) for x, y in points)
