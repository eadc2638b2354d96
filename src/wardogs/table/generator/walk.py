"""Can one walk everywhere? Half-inch steps of a one-inch base, on the ground, through doors and gaps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from wardogs.table.generator.boxes import QUARTER
from wardogs.table.model import Map, Opening
from wardogs.table.openings import Leg, legs_of_ring, legs_of_wall, place_openings
from wardogs.table.shapes import corners_of, outline
from wardogs.table.vtt_lines import broken

Reached: TypeAlias = NDArray[np.bool_]

STEP = 0.5
BASE = 0.5  # the radius
NEARLY = 1e-6


def is_open(table: Map, deploy: float) -> bool:
    """From the south edge one gets to the north edge, into every building and to every free spot."""
    free = standing_room(table)
    reached = flood(free)
    return bool((free == reached).all()) and bool(reached[:, -int(deploy / STEP) :].any()) and _all_entered(table, reached)


def standing_room(table: Map) -> Reached:
    """Where a base may stand: index 0 is half an inch from the edge."""
    wide, deep = (int(side / STEP) - 1 for side in table.size)
    across, up = np.meshgrid(np.arange(1, wide + 1) * STEP, np.arange(1, deep + 1) * STEP, indexing="ij")
    solid = [*blocking_lines(table), *blocking_shapes(table)]
    if not solid:
        return np.ones((wide, deep), dtype=np.bool_)
    points = shapely.points(across.ravel(), up.ravel())
    hits, _ = shapely.STRtree(solid).query(points, predicate="dwithin", distance=BASE - NEARLY)
    free = np.ones(wide * deep, dtype=np.bool_)
    free[hits] = False
    return free.reshape(wide, deep)


def blocking_lines(table: Map) -> Iterator[shapely.LineString]:
    """Walls without their doors and gaps; hedges and wire can be crossed."""
    kinds = table.catalogue
    for house in table.buildings:
        yield from _cut(legs_of_ring(outline(house)), [one for one in house.openings if one.level in (None, 0)])
    for wall in (*table.walls, *(wall for house in table.buildings for wall in house.walls if wall.level == 0)):
        if kinds[wall.material].move == "blocked":
            yield from _cut(legs_of_wall(wall), wall.openings)


def _cut(legs: list[Leg], openings: list[Opening] | tuple[Opening, ...]) -> Iterator[shapely.LineString]:
    cuts = sorted(spot for spot in place_openings([one for one in openings if one.kind != "window"], legs) if spot)
    for line in broken(legs, cuts):
        yield from (shapely.LineString(leg) for leg in pairwise(line))


def blocking_shapes(table: Map) -> Iterator[shapely.Polygon]:
    kinds = table.catalogue
    for area in table.areas:
        if kinds[area.kind].move in ("blocked", "deep"):
            yield shapely.Polygon(outline(area))
    for thing in table.things:
        if kinds[thing.kind].move == "blocked":
            yield shapely.Polygon(corners_of(thing))


def flood(free: Reached) -> Reached:
    """All spots that can be reached from the first free one in the south."""
    reached = np.zeros_like(free)
    front = [(int(x), int(y)) for y, x in np.argwhere(free.T)[:1]]
    for start in front:
        reached[start] = True
    while front:
        x, y = front.pop()
        for to in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if 0 <= to[0] < free.shape[0] and 0 <= to[1] < free.shape[1] and free[to] and not reached[to]:
                reached[to] = True
                front.append(to)
    return reached


def _all_entered(table: Map, reached: Reached) -> bool:
    for house in table.buildings:
        left, lower, right, upper = (int(side * QUARTER) for side in shapely.Polygon(outline(house)).bounds)
        if not reached[left // 2 : right // 2 - 1, lower // 2 : upper // 2 - 1].any():
            return False
    return True
