"""Distances, bearings and base contact.

DOW-GEN-04: all lengths in inches, one inch being two yards. DOW-GEN-16: 0 degrees is north, angles grow clockwise.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, degrees, hypot, radians, sin

from wardogs.systems.dogs.data import BODY
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.state import Fight, Model
from wardogs.table.faces import Panel
from wardogs.table.terrain import Same, Terrain
from wardogs.table.units import Inches, Place, Point, inches

CLOSE = 1e-6  # lengths are sums of floats; equal is inside (DOW-GEN-12)


def plan_gap(a: Model, b: Model) -> Inches:
    """Between the nearest edges of two bases, seen from above."""
    return max(0.0, hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]) - BODY.base)


def gap(a: Model, b: Model) -> Inches:
    """DOW-GEN-12, DOW-RNG-08: base to base, nearest edges, a straight line in three dimensions."""
    return hypot(plan_gap(a, b), a.at[2] - b.at[2])


def gap_to(model: Model, place: Place) -> Inches:
    """From a point, such as a burst, to the nearest edge of a base."""
    plan = max(0.0, hypot(model.at[0] - place[0], model.at[1] - place[1]) - BODY.base / 2)
    return hypot(plan, model.at[2] - place[2])


def within(length: Inches, limit: Inches) -> bool:
    """DOW-GEN-12: equal to a limit is inside it."""
    return length <= limit + CLOSE


def bearing(a: Place | Point, b: Place | Point) -> float:
    """DOW-GEN-16: from one point to another, degrees clockwise from north."""
    return degrees(atan2(b[0] - a[0], b[1] - a[1])) % 360


def facing_to(a: Place | Point, b: Place | Point) -> float:
    """Where somebody looks who turns to a point: to a whole degree."""
    return float(round(bearing(a, b)) % 360)


def ahead(at: Place | Point, facing: float, far: Inches) -> Point:
    """The point so far away in a direction."""
    return at[0] + far * sin(radians(facing)), at[1] + far * cos(radians(facing))


def off(facing: float, towards: float) -> float:
    """The angle between two directions, 0 to 180."""
    return abs((towards - facing + 180) % 360 - 180)


def in_arc(model: Model, place: Place) -> bool:
    """DOW-LOS-02: ninety degrees to either side of his facing, limits included."""
    return off(model.facing, bearing(model.at, place)) <= BODY.arc / 2 + CLOSE


def in_contact(g: Fight, a: Model, b: Model) -> bool:
    """DOW-GEN-12: bases that touch, no great step between them, and no wall."""
    return a.id != b.id and touches(g, a, b.at)


def touches(g: Fight, a: Model, at: Place) -> bool:
    """The same for a base, or a thing that is handled as one, at a place."""
    if abs(a.at[0] - at[0]) > NEAR or abs(a.at[1] - at[1]) > NEAR:
        return False
    return _touch(Same(table_now(g)), a.at, at)


NEAR = BODY.base + BODY.contact + CLOSE


@lru_cache(maxsize=50_000)
def _touch(same: Same, a: Place, b: Place) -> bool:
    plan = max(0.0, hypot(a[0] - b[0], a[1] - b[1]) - BODY.base)
    if not within(plan, BODY.contact) or abs(a[2] - b[2]) > BODY.contact_rise:
        return False
    return not any(_between(a, b, panel) for panel in Terrain.of(same.map).panels_about(a, b))


def _between(a: Place, b: Place, panel: Panel) -> bool:
    floor = max(a[2], b[2])
    if inches(panel.top) <= floor + BODY.contact or inches(panel.bottom) >= floor + BODY.height:
        return False
    ends = [(inches(x), inches(y)) for x, y in (panel.a, panel.b)]
    return _cross(a, b, ends[0]) * _cross(a, b, ends[1]) < 0 and (_cross(ends[0], ends[1], a) * _cross(ends[0], ends[1], b) < 0)


def _cross(a: Place | Point, b: Place | Point, c: Place | Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def opponents(g: Fight, model: Model) -> list[Model]:
    """The living enemies in contact with him, down or not."""
    x, y, _ = model.at
    near = [enemy for enemy in g.state.enemies(model) if abs(enemy.at[0] - x) <= NEAR and abs(enemy.at[1] - y) <= NEAR]
    return [enemy for enemy in near if in_contact(g, model, enemy)]


def in_melee(g: Fight, model: Model) -> list[Model]:
    """DOW-CQC-16: the enemies in contact who could fight: conscious, unbound, not overpowered, not captured."""
    return [enemy for enemy in opponents(g, model) if enemy.free]
