"""A board of pointy-top hexes in straight rows, seen with row 0 at the bottom.

A hex is its axial pair (q, r): r is the row, q counts along it, and (0, 1) is the neighbour up and to the right.
Directions are those of a clock: 0 up, 3 right, 6 down, 9 left; odd ones point at an edge, even ones at a vertex.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

Hex: TypeAlias = tuple[int, int]

EDGES: dict[int, Hex] = {1: (0, 1), 3: (1, 0), 5: (1, -1), 7: (0, -1), 9: (-1, 0), 11: (-1, 1)}
_LABEL = re.compile(r"([A-Z])(\d+)")


def plus(a: Hex, b: Hex) -> Hex:
    return a[0] + b[0], a[1] + b[1]


def minus(a: Hex, b: Hex) -> Hex:
    return a[0] - b[0], a[1] - b[1]


def increment(clock: int) -> Hex:
    """One step in a direction: across an edge to the neighbour, or through a vertex to the next hex on that line."""
    clock %= 12
    if clock % 2:
        return EDGES[clock]
    return plus(EDGES[(clock - 1) % 12], EDGES[(clock + 1) % 12])


def square(offset: Hex) -> int:
    """The squared length of an offset, in hexes."""
    q, r = offset
    return q * q + q * r + r * r


def distance(offset: Hex) -> int:
    """How many hexes away."""
    q, r = offset
    return max(abs(q), abs(r), abs(q + r))


def within_arc(offset: Hex, clock: int) -> bool:
    """Does an offset lie within 30 degrees of a direction, limits included? Exact, in whole numbers."""
    (q, r), (i, j) = offset, increment(clock)
    twice_dot = 2 * q * i + q * j + r * i + 2 * r * j
    return twice_dot > 0 and twice_dot * twice_dot >= 3 * square(offset) * square((i, j))


class Grid(Struct, frozen=True, dict=True):
    """Rows of hexes; odd rows are shifted half a hex to the right."""

    rows: int
    even_width: int
    odd_width: int

    def width(self, row: int) -> int:
        return self.odd_width if row % 2 else self.even_width

    def column(self, hex_: Hex) -> int:
        q, r = hex_
        return q + r // 2

    def at(self, column: int, row: int) -> Hex:
        return column - row // 2, row

    def in_columns(self, hex_: Hex) -> bool:
        return 0 <= self.column(hex_) < self.width(hex_[1])

    def on_map(self, hex_: Hex) -> bool:
        return 0 <= hex_[1] < self.rows and self.in_columns(hex_)

    def label(self, hex_: Hex) -> str:
        """Letter of the column and number of the row; off the map, both as figures."""
        if not self.on_map(hex_):
            return f"({self.column(hex_)},{hex_[1]})"
        return f"{chr(ord('A') + self.column(hex_))}{hex_[1]}"

    def parse(self, label: str) -> Hex:
        found = _LABEL.fullmatch(label)
        hex_ = self.at(ord(found[1]) - ord("A"), int(found[2])) if found else (-1, -1)
        if not self.on_map(hex_):
            raise ValueError(f"{label} is not a hex of this board: A0 to {self.label(self.hexes[-1])}")
        return hex_

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        return tuple(self.at(column, row) for row in range(self.rows) for column in range(self.width(row)))

    @cached_property
    def bits(self) -> dict[Hex, int]:
        """One bit per hex, so that sets of hexes are whole numbers."""
        return {hex_: 1 << n for n, hex_ in enumerate(self.hexes)}

    def mask(self, hexes: tuple[Hex, ...] | list[Hex]) -> int:
        """The on-map part of some hexes as a number."""
        mask = 0
        for hex_ in hexes:
            mask |= self.bits.get(hex_, 0)
        return mask

    def mirrored(self, hex_: Hex) -> Hex:
        """The hex on the other side of the vertical centre line."""
        return self.at(self.width(hex_[1]) - 1 - self.column(hex_), hex_[1])
