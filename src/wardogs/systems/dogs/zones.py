"""Where a side or a team may deploy."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import shapely
from msgspec import Struct
from msgspec.structs import replace

from wardogs.table.faces import floor_of
from wardogs.table.model import Building, Circle, Map, Rect, Side
from wardogs.table.shapes import outline
from wardogs.table.units import Inches, Place, Point, inches

SLACK: Inches = inches(1)  # rounding: a thou


class Zone(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A rectangle, a circle, a polygon or a building; in a building on any floor, or on one `level`, never on the roof."""

    rect: Rect | None = None
    circle: Circle | None = None
    polygon: tuple[Point, ...] | None = None
    building: str = ""
    level: int | None = None
    floors: tuple[Inches, ...] = ()  # heights to stand at; none: any

    def contains(self, at: Point | Place, radius: Inches = 0.0) -> bool:
        """DOW-SET-07: is the whole base inside?"""
        if self.floors and len(at) > 2 and all(abs(at[2] - floor) > SLACK for floor in self.floors):
            return False
        return self.room(at) >= radius - SLACK

    def room(self, at: Point | Place) -> Inches:
        """How far the border is from a point inside; less than 0 outside."""
        x, y = at[0], at[1]
        if self.circle:
            return self.circle[2] - hypot(x - self.circle[0], y - self.circle[1])
        if self.rect:
            return min(x - self.rect[0], self.rect[2] - x, y - self.rect[1], self.rect[3] - y)
        ring, point = shapely.Polygon(self.polygon), shapely.Point(x, y)
        away = float(ring.exterior.distance(point))
        return away if ring.covers(point) else -away

    @property
    def box(self) -> Rect:
        """The rectangle around it."""
        if self.circle:
            x, y, radius = self.circle
            return x - radius, y - radius, x + radius, y + radius
        if self.rect:
            return self.rect
        left, lower, right, upper = shapely.Polygon(self.polygon).bounds
        return left, lower, right, upper


def strip(edge: Side, size: Point, depth: Inches) -> Zone:
    """DOW-SET-07: along a table edge, so deep."""
    wide, high = size
    rects: dict[Side, Rect] = {
        "N": (0.0, high - depth, wide, high),
        "E": (wide - depth, 0.0, wide, high),
        "S": (0.0, 0.0, wide, depth),
        "W": (0.0, 0.0, depth, high),
    }
    return Zone(rect=rects[edge])


def settled(zone: Zone, table: Map) -> Zone:
    """The same zone with the outline and the floors of its building."""
    if not zone.building:
        return zone
    house = next(house for house in table.buildings if house.id == zone.building)
    levels = range(house.levels) if zone.level is None else (zone.level,)
    floors = tuple(floor_of(house, level) for level in levels)
    ring = None if house.rect or house.circle else tuple(outline(house))
    return replace(zone, rect=house.rect, circle=house.circle, polygon=ring, floors=floors)


def zone_faults(zone: Zone, table: Map) -> Iterator[str]:
    """Why nobody can deploy there."""
    if sum(map(bool, (zone.rect, zone.circle, zone.polygon, zone.building))) != 1:
        yield "write one of rect, circle, polygon and building"
    elif zone.building:
        yield from _house_faults(zone, {house.id: house for house in table.buildings})
    elif zone.polygon and len(zone.polygon) < 3:
        yield f"a polygon of {len(zone.polygon)} corners: write three or more"
    elif zone.level is not None:
        yield "level is for a building: leave it out"
    elif not _on_table(zone, table.size):
        yield f"it must be a part of the table, which is {table.size[0]:g} by {table.size[1]:g} inches"


def _house_faults(zone: Zone, houses: dict[str, Building]) -> Iterator[str]:
    if zone.building not in houses:
        yield f"no building {zone.building} on the map: there are {', '.join(houses) or 'none'}"
    elif zone.level is not None and not 0 <= zone.level < houses[zone.building].levels:
        yield f"{zone.building} has levels 0 to {houses[zone.building].levels - 1}, not {zone.level}"


def _on_table(zone: Zone, size: Point) -> bool:
    left, lower, right, upper = zone.box
    return 0 <= left < right <= size[0] and 0 <= lower < upper <= size[1]
