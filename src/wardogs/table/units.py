"""Lengths. People write inches; the table counts in thous, thousandths of an inch, as whole numbers.

Whole numbers have no rounding: which side of a line a point lies on, and whether a ray clears the top of a wall, is decided
exactly. The limits keep every product of the sight kernel below 2**53, where float64 is exact too.
"""

from __future__ import annotations

from typing import TypeAlias

Inches: TypeAlias = float
Thou: TypeAlias = int
Point: TypeAlias = tuple[float, float]  # inches, x to the right, y up (north)
Place: TypeAlias = tuple[float, float, float]  # inches, z upwards
Spot: TypeAlias = tuple[int, int, int]  # thous

THOU = 1000
LONGEST = 120.0  # inches: a table side
HIGHEST = 30.0  # inches above or below the table


def thou(inches: Inches) -> Thou:
    """To the nearest thou; a half goes to the even neighbour, as Python rounds."""
    return round(inches * THOU)


def inches(thous: float) -> Inches:
    return thous / THOU


def spot(place: Place) -> Spot:
    x, y, z = place
    return thou(x), thou(y), thou(z)
