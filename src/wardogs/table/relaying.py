"""A table that changes in play: what is taken over from the lattice before, all that lies away from what has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from wardogs.table.compiled import blank_ints, ints
from wardogs.table.ground import FINE, STEP, Ground, Raster
from wardogs.table.spreading import worth_trying
from wardogs.table.units import thou
from wardogs.table.walking import LONGEST_STEP

if TYPE_CHECKING:
    from wardogs.table.graph import Graph

T = TypeVar("T")
Box: TypeAlias = tuple[float, float, float, float]  # west, south, east, north; thous
NEARBY = 4000.0  # thous: farther than anything is looked at from a place off the lattice or a rim, beside the base itself
MOST_BOXES = 40  # with more changes than that it is another table


class Relaying:
    """The lattice before, and where the table is no longer the same."""

    def __init__(self, before: Graph, boxes: Sequence[Box]) -> None:
        self.before, self.boxes = before, boxes
        radius = thou(before.mode.radius)
        self.nearby, self.steps = NEARBY + 4.0 * radius, float(radius + LONGEST_STEP * STEP)

    def once(self, key: Hashable, box: Box, work: Callable[[], T]) -> T:
        """What was worked out for the lattice before, if nothing has changed near by."""
        kept: T | None = None if self.is_near(box) else self.before.kept.get(key)
        return work() if kept is None else kept

    def is_near(self, box: Box) -> bool:
        west, south, east, north = box
        near = self.nearby
        return any(a - near <= east and west <= c + near and b - near <= north and south <= d + near for a, b, c, d in self.boxes)

    def stale(self, number: int) -> Any:
        """The places of a surface whose legs may be others now."""
        surface = self.before.surfaces[number]
        found = np.zeros((surface.rows, surface.columns), dtype=np.int64)
        for west, south, east, north in self.boxes:
            rows = _span(south - self.steps, north + self.steps, surface.lower, surface.rows)
            columns = _span(west - self.steps, east + self.steps, surface.left, surface.columns)
            found[rows, columns] = 1
        return ints(found.ravel())

    def bits(self, starts: Any, ends: Any, prices: Any, plain: Any) -> tuple[Any, Any]:
        """What is worth trying after each way: anew for places where a way, or one after it, is another now."""
        size, counts = len(starts) - 1, np.diff(starts)
        begins = np.repeat(np.arange(size), counts)
        old_starts, old_ends, old_prices = (np.asarray(part, dtype=np.int64) for part in self.before.links)
        old_ways = np.asarray(self.before.flat_ways, dtype=np.int64).reshape(-1, 4)
        as_many = np.diff(old_starts) == counts
        old = np.where(as_many[begins], np.arange(len(ends)) + (old_starts[:-1] - starts[:-1])[begins], 0)
        same = as_many[begins] & (old_ends[old] == ends) & (old_prices[old] == prices) & (self.before.plain[old] == plain)
        anew = ~as_many
        anew[begins[~same]] = True
        anew[begins[anew[ends]]] = True
        odd = np.zeros(size, dtype=bool)
        odd[begins[~plain]] = True
        odd[begins[odd[ends]]] = True
        known, room = (ints(starts), ints(ends), ints(prices)), (blank_ints(size), blank_ints(size))
        alone, about = ints(old_ways[old, 2]), ints(old_ways[old, 3])
        worth_trying(ints(np.flatnonzero(anew)), *known, ints(plain | True), *room, alone)
        worth_trying(ints(np.flatnonzero(anew)), *known, ints(plain), *room, about)
        return alone, about


def _span(low: float, high: float, first: int, count: int) -> slice:
    """Places of the lattice between two lines, and the next on either side."""
    return slice(max(0, int(low // STEP) - first), max(0, min(count, int(high // STEP) + 2 - first)))


def relaying(befores: Sequence[Graph], ground: Ground, walls: Sequence[tuple[float, ...]]) -> Relaying | None:
    """Of some lattices for the same mode the first that is of nearly the same table."""
    for before in befores:
        if _have_same_places(before.ground, ground):
            boxes = [*_boxes(before.walls, walls), *_uneven(before.ground, ground)]
            if len(boxes) <= MOST_BOXES:
                return Relaying(before, boxes)
    return None


def _have_same_places(a: Ground, b: Ground) -> bool:
    same = (a.columns, a.rows, a.map.size) == (b.columns, b.rows, b.map.size) and len(a.surfaces) == len(b.surfaces)
    return same and all(one[1:] == two[1:] for one, two in zip(a.surfaces, b.surfaces, strict=True))


def _boxes(before: Sequence[tuple[float, ...]], after: Sequence[tuple[float, ...]]) -> list[Box]:
    """Around the panels that stand on one of the two tables only, or are crossed otherwise."""
    old, new = Counter(before), Counter(after)
    return [(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)) for ax, ay, bx, by, *_ in (old - new) + (new - old)]


def _uneven(a: Ground, b: Ground) -> list[Box]:
    """Around the cells of each surface that are of another class or height."""
    pairs = set(zip(a.raster_of, b.raster_of, strict=True))
    return [box for one, two in sorted(pairs) for box in _difference(a.rasters[one], b.rasters[two])]


def _difference(a: Raster, b: Raster) -> list[Box]:
    if a is b:
        return []
    differs = (a.classes != b.classes) | (a.heights != b.heights)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return []
    west, south, east, north = columns[0], rows[0], columns[-1] + 1, rows[-1] + 1
    return [(float(west * FINE), float(south * FINE), float(east * FINE), float(north * FINE))]
