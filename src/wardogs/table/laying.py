"""Shortcuts in laying a lattice, which change nothing in it: most of a table is open ground where each place is like the next."""

from __future__ import annotations

from typing import Any

import numpy as np

from wardogs.table.compiled import blank_ints, floats, ints
from wardogs.table.ground import CLASSES, FINE, STEP, Ground, Raster
from wardogs.table.modes import Mode
from wardogs.table.spreading import worth_trying
from wardogs.table.units import thou
from wardogs.table.walking import LONGEST_STEP, NEVER, UNKNOWN, WAYS, walled_places


class Laying:
    """What is looked up once for all surfaces of a ground."""

    def __init__(self, ground: Ground, mode: Mode, panels: Any, count: int) -> None:
        self.ground, self.panels, self.count = ground, panels, count
        self.reach = float(thou(mode.radius) + LONGEST_STEP * STEP)
        self.tall = thou(mode.height)
        self.even_ways = floats([UNKNOWN] * (WAYS * len(CLASSES)))
        self._edges: dict[int, Any] = {}

    def even(self, number: int) -> Any:
        """Where all ground that the legs from a place could touch is of one class and height."""
        surface, edges = self.ground.surfaces[number], self._edges_of(number)
        rows, columns = edges.shape[0] - 1, edges.shape[1] - 1
        across = (np.arange(surface.columns) + surface.left) * (STEP // FINE)
        along = (np.arange(surface.rows) + surface.lower) * (STEP // FINE)
        far = LONGEST_STEP * STEP // FINE
        west, east = np.clip(across - far, 0, columns - 1), np.clip(across + far, 0, columns - 1) + 1
        south, north = np.clip(along - far, 0, rows - 1), np.clip(along + far, 0, rows - 1) + 1
        inside = edges[np.ix_(north, east)] - edges[np.ix_(south, east)] - edges[np.ix_(north, west)] + edges[np.ix_(south, west)]
        return ints((inside == 0).astype(np.int64))

    def _edges_of(self, number: int) -> Any:
        """How many cells to the south-west of a cell's corner differ from the next one to the east or north."""
        raster = self.ground.raster_of[number]
        if raster not in self._edges:
            self._edges[raster] = _summed(self.ground.rasters[raster])
        return self._edges[raster]

    def walled(self, number: int) -> Any:
        """Where a panel may stand in the way of a leg."""
        surface, heights = self.ground.surfaces[number], self.ground.raster(number).heights
        found, frame = blank_ints(surface.size), (surface.left, surface.lower, surface.columns, surface.rows, float(STEP))
        floors = (float(heights.min()), float(heights.max() + self.tall))
        walled_places(*frame, *floors, self.reach, self.panels, self.count, found)
        return found


def _summed(raster: Raster) -> Any:
    differs = np.zeros((raster.rows, raster.columns), dtype=bool)
    for layer in (raster.classes, raster.heights):
        differs[:, :-1] |= layer[:, :-1] != layer[:, 1:]
        differs[:-1, :] |= layer[:-1, :] != layer[1:, :]
    found = np.zeros((raster.rows + 1, raster.columns + 1), dtype=np.int64)
    found[1:, 1:] = differs.cumsum(axis=0, dtype=np.int64).cumsum(axis=1)
    return found


# What is worth trying -------------------------------------------------------------------------------------------------


def bits_of(starts: Any, ends: Any, prices: Any, plain: Any, numbers: Any) -> tuple[Any, Any]:
    """What is worth trying after each way, with nobody and with others about; see spreading.py."""
    size, begins = len(starts) - 1, np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    known, room = (ints(starts), ints(ends), ints(prices)), (blank_ints(size), blank_ints(size))
    copies, like = _alike(starts, ends, prices, plain, numbers)
    alone = np.ones(size, dtype=bool)
    alone[copies] = False
    bits = blank_ints(len(ends))
    worth_trying(ints(np.flatnonzero(alone)), *known, ints(plain | True), *room, bits)
    bits = np.asarray(bits, dtype=np.int64)
    bits[starts[copies][:, None] + np.arange(WAYS)] = bits[starts[like][:, None] + np.arange(WAYS)]
    odd = np.zeros(size, dtype=bool)
    odd[begins[~plain]] = True
    odd[begins[odd[ends]]] = True
    about = ints(bits.copy())
    worth_trying(ints(np.flatnonzero(odd)), *known, ints(plain), *room, about)
    return bits, np.asarray(about, dtype=np.int64)


def _alike(starts: Any, ends: Any, prices: Any, plain: Any, numbers: Any) -> tuple[Any, Any]:
    """Places on open ground, like all places around them; and for each the first of these on its surface."""
    whole = np.flatnonzero(np.diff(starts) == WAYS)
    ways = starts[whole][:, None] + np.arange(WAYS)
    level = plain[ways].all(axis=1)
    whole, ways = whole[level], ways[level]
    rows = prices[ways]
    if not len(whole):
        return whole, whole
    usual = (rows == rows[rows.sum(axis=1).argmin()]).all(axis=1)
    is_usual = np.zeros(len(starts) - 1, dtype=bool)
    is_usual[whole[usual]] = True
    found = whole[usual][is_usual[ends[ways[usual]]].all(axis=1)]
    _, first, which = np.unique(numbers[found], return_index=True, return_inverse=True)
    like = found[first][which]
    return found[found != like], like[found != like]


# Climbs ---------------------------------------------------------------------------------------------------------------


def cheapest(ways: Any) -> Any:
    """Each pair of places once, at its lowest cost; the dearest pairs first."""
    ways = ways[np.argsort(-ways[:, 2], kind="stable")]
    pairs = ways[:, 0] * (ways[:, :2].max() + 1) + ways[:, 1]
    _, first = np.unique(pairs, return_index=True)
    _, last = np.unique(pairs[::-1], return_index=True)
    order = np.argsort(first)
    found = ways[first[order]]
    found[:, 2] = ways[len(ways) - 1 - last[order], 2]
    return found


class Prices:
    """What a way from one place to another costs, for many pairs at once; NEVER where there is none."""

    def __init__(self, ways: Any) -> None:
        self.size = int(ways[:, :2].max()) + 2
        keys = ways[:, 0] * self.size + ways[:, 1]
        order = np.argsort(keys)
        self.keys, self.costs = keys[order], ways[order, 2]

    def of(self, a: Any, b: Any) -> Any:
        wanted = np.where((a >= 0) & (b >= 0) & (a < self.size) & (b < self.size), a * self.size + b, -1)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[at] == wanted, self.costs[at], NEVER)
