"""Buildings as a gunner sees them: which of their walls shows, and which one a round has struck."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import NamedTuple

import shapely

from wardogs.systems.dogs.flights import FLIGHT, flies_over
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.masonry import level_of
from wardogs.systems.dogs.seeing import eye
from wardogs.systems.dogs.state import Fight, Model
from wardogs.table.faces import floor_of, levels_standing
from wardogs.table.model import Building
from wardogs.table.openings import Leg, legs_of_ring
from wardogs.table.shapes import outline
from wardogs.table.sight import sees
from wardogs.table.terrain import Same, Terrain
from wardogs.table.units import Place, Point

ALONG = (0.5, 0.25, 0.75, 0.05, 0.95)  # where along a wall one looks for a place to hit
TOUCH = 0.02  # inches: so near a wall is on it


class Face(NamedTuple):
    at: Place
    level: int


def face_of(g: Fight, man: Model, building: str) -> Face | None:
    """DOW-STR-03, -05: the nearest place of its lowest level that he sees; none if he sees none."""
    return _face(Same(table_now(g)), eye(man), building)


@lru_cache(maxsize=2_000)
def _face(same: Same, eyes: Place, building: str) -> Face | None:
    house = next((house for house in same.map.buildings if house.id == building), None)
    if house is None:
        return None
    terrain = Terrain.of(same.map)
    for level in range(levels_standing(house)):
        found = sorted(_points(same, house, level), key=lambda at: hypot(at[0] - eyes[0], at[1] - eyes[1]))
        for at in found:
            if sees(terrain, eyes, at) and flies_over(terrain, eyes, at):
                return Face(at, level)
    return None


def _points(same: Same, house: Building, level: int) -> list[Place]:
    """Just off its outer walls, at half the height of a storey."""
    z = floor_of(house, level) + house.storey / 2
    return [(x, y, z) for x, y in _off_its_walls(same, house.id)]


@lru_cache(maxsize=256)
def _off_its_walls(same: Same, building: str) -> list[Point]:
    house = next(house for house in same.map.buildings if house.id == building)
    shape = shapely.Polygon(outline(house))
    found = [_beside(leg, share, shape) for leg in legs_of_ring(outline(house)) for share in ALONG]
    return [(round(x, 3), round(y, 3)) for x, y in found]


def _beside(leg: Leg, share: float, shape: shapely.Polygon) -> tuple[float, float]:
    (ax, ay), (bx, by) = leg
    long = hypot(bx - ax, by - ay) or 1.0
    x, y = ax + share * (bx - ax), ay + share * (by - ay)
    dx, dy = FLIGHT.off_the_wall * (by - ay) / long, FLIGHT.off_the_wall * (ax - bx) / long
    return (x - dx, y - dy) if shape.covers(shapely.Point(x + dx, y + dy)) else (x + dx, y + dy)


def house_struck(g: Fight, at: Place) -> tuple[str, int] | None:
    """DOW-STR-05: the building against whose outer wall a round has come, and the level."""
    for house in table_now(g).buildings:
        level = level_of(house, at[2])
        wall = shapely.Polygon(outline(house)).exterior
        if 0 <= level < levels_standing(house) and wall.distance(shapely.Point(at[:2])) <= TOUCH:
            return house.id, level
    return None
