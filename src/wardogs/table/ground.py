"""The ground under a model's feet: surfaces to stand on, their height and what it costs to cross them.

The table itself is one surface: its height and its movement class are kept on a fine raster, an eighth of an inch. Floors,
roofs, bridges are further surfaces above it, each flat.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
import shapely

from wardogs.table.compiled import ints
from wardogs.table.faces import Panel, floor_of, holes_in, levels_standing
from wardogs.table.kinds import MoveClass, find
from wardogs.table.model import Area, Hill, Map, Pit, Shaped, Slope, Thing
from wardogs.table.shapes import corners_of, edges, outline, ring_of
from wardogs.table.units import Inches, Place, Point, Thou, inches, thou

STEP = 500  # thous: the lattice of places, half an inch
FINE = 125  # thous: the raster of the ground
CLASSES: tuple[MoveClass, ...] = ("open", "slow", "rough", "deep", "blocked")  # the later one wins where two overlap


class Surface(NamedTuple):
    """A flat or, if it is the ground, hilly place to stand on, with its own piece of the lattice."""

    name: str
    z: Thou
    left: int  # in steps of the lattice
    lower: int
    columns: int
    rows: int
    shape: Any  # a shapely polygon in inches
    level: int = 0
    piece: str = ""

    @property
    def size(self) -> int:
        return self.columns * self.rows


class Ground:
    """The surfaces of a map and the raster of the table itself."""

    def __init__(self, table: Map) -> None:
        self.map = table
        self.columns, self.rows = (ceil(thou(side) / FINE) for side in table.size)
        self.classes = np.zeros((self.rows, self.columns), dtype=np.int64)
        self.heights = np.zeros((self.rows, self.columns), dtype=np.int64)
        self._lay()

    def _lay(self) -> None:
        """Heights first, from the pits to the hills, then the classes."""
        table, kinds = self.map, self.map.catalogue
        for pit in table.pits:
            self._dig(pit, -thou(pit.depth))
        for hill in sorted(table.hills, key=lambda hill: hill.height):
            self._heap(hill, thou(hill.height))
        for slope in table.slopes:
            self._tilt(slope)
        for thing in table.things:
            kind = find(kinds, thing.kind)
            if kind.move == "blocked":
                self._raise(shapely.Polygon(corners_of(thing)), thou(thing.base + (thing.height or kind.height)))
            else:
                self._class(shapely.Polygon(corners_of(thing)), kind.move)
        laid: list[Area | Hill | Pit] = [*table.areas, *table.hills, *table.pits]
        for piece in laid:
            self._class(polygon(piece), find(kinds, piece.kind).move)
        for building in table.buildings:
            if levels_standing(building) == 0:
                self._class(polygon(building), find(kinds, "rubble").move)

    def _dig(self, piece: Pit, z: Thou) -> None:
        rows, columns, inside = self._under(polygon(piece))
        window = self.heights[rows, columns]
        window[inside] = np.minimum(window[inside], z)

    def _heap(self, piece: Hill, z: Thou) -> None:
        self._raise(polygon(piece), z)

    def _raise(self, shape: Any, z: Thou) -> None:
        rows, columns, inside = self._under(shape)
        window = self.heights[rows, columns]
        window[inside] = np.maximum(window[inside], z)

    def _tilt(self, slope: Slope) -> None:
        left, lower, right, upper = slope.rect
        rows, columns, inside = self._under(shapely.box(*slope.rect))
        xs, ys = self._middles(rows, columns)
        share = {
            "E": (xs - left) / (right - left), "W": (right - xs) / (right - left),
            "N": (ys - lower) / (upper - lower), "S": (upper - ys) / (upper - lower),
        }[slope.up]  # fmt: skip
        z = np.rint(thou(slope.base) + share * (thou(slope.height) - thou(slope.base))).astype(np.int64)
        window = self.heights[rows, columns]
        window[inside] = np.maximum(window, z)[inside]

    def _class(self, shape: Any, move: MoveClass) -> None:
        rows, columns, inside = self._under(shape)
        window = self.classes[rows, columns]
        window[inside] = np.maximum(window[inside], CLASSES.index(move))

    def _under(self, shape: Any) -> tuple[slice, slice, Any]:
        """The part of the raster around a shape, and which of its cells have their middle inside."""
        left, lower, right, upper = (thou(side) / FINE for side in shape.bounds)
        rows = slice(max(0, floor(lower)), min(self.rows, max(0, ceil(upper))))
        columns = slice(max(0, floor(left)), min(self.columns, max(0, ceil(right))))
        xs, ys = self._middles(rows, columns)
        return rows, columns, shapely.contains_xy(shape, xs, ys)

    def _middles(self, rows: slice, columns: slice) -> tuple[Any, Any]:
        xs = (np.arange(columns.start, columns.stop) + 0.5) * inches(FINE)
        ys = (np.arange(rows.start, rows.stop) + 0.5) * inches(FINE)
        return np.meshgrid(xs, ys)

    def height_at(self, point: Point) -> Inches:
        """Of the ground, hills and pits included."""
        row = min(max(thou(point[1]) // FINE, 0), self.rows - 1)
        column = min(max(thou(point[0]) // FINE, 0), self.columns - 1)
        return inches(int(self.heights[row, column]))

    def class_at(self, point: Point) -> MoveClass:
        row = min(max(thou(point[1]) // FINE, 0), self.rows - 1)
        column = min(max(thou(point[0]) // FINE, 0), self.columns - 1)
        return CLASSES[int(self.classes[row, column])]

    @cached_property
    def surfaces(self) -> tuple[Surface, ...]:
        """The table first, then floors and roofs, then slabs."""
        width, height = self.map.size
        table = Surface("table", 0, 0, 0, thou(width) // STEP + 1, thou(height) // STEP + 1, shapely.box(0, 0, width, height))
        return (table, *self._floors(), *self._slabs())

    def _floors(self) -> Iterator[Surface]:
        for building in self.map.buildings:
            shape = polygon(building)
            for level in range(1, levels_standing(building) + 1):
                if level == building.levels and not building.roof:
                    continue
                holes = [shapely.box(x - s / 2, y - s / 2, x + s / 2, y + s / 2) for (x, y), s in holes_in(building, level)]
                name = f"{building.name or building.id}, {'roof' if level == building.levels else f'level {level}'}"
                z = thou(floor_of(building, level))
                yield surface(name, z, shape.difference(shapely.union_all(holes)), level, building.id)

    def _slabs(self) -> Iterator[Surface]:
        for slab in self.map.slabs:
            yield surface(slab.name or slab.id, thou(slab.z), polygon(slab), 0, slab.id)

    @cached_property
    def ledges(self) -> tuple[Panel, ...]:
        """The sides of solid things, which a base may not overlap."""
        kinds, found = self.map.catalogue, list[Panel]()
        solid: list[Thing | Area | Hill] = [*self.map.things, *self.map.areas, *self.map.hills]
        for piece in solid:
            kind = find(kinds, piece.kind)
            if kind.move == "blocked" and kind.sight != "smoke":
                top = piece.height if piece.height is not None else kind.height
                found += list(_sides(piece, top))
        return tuple(found)

    @cached_property
    def flat_classes(self) -> Any:
        return ints(self.classes)

    @cached_property
    def flat_heights(self) -> Any:
        return ints(self.heights)


def surface(name: str, z: Thou, shape: Any, level: int, piece: str) -> Surface:
    left, lower, right, upper = (thou(side) for side in shape.bounds)
    first, last = -(-left // STEP), right // STEP
    bottom, top = -(-lower // STEP), upper // STEP
    return Surface(name, z, first, bottom, max(0, last - first + 1), max(0, top - bottom + 1), shape, level, piece)


def polygon(piece: Shaped) -> Any:
    return shapely.Polygon(outline(piece))


def _sides(piece: Thing | Area | Hill, top: Inches) -> Iterator[Panel]:
    ring = ring_of(corners_of(piece) if isinstance(piece, Thing) else outline(piece))
    high = thou(top if isinstance(piece, Hill) else piece.base + top)
    for a, b in edges(ring):
        yield Panel(a, b, thou(piece.base), high, piece.kind, piece.name or piece.id, piece.id)


def floors_under(ground: Ground, place: Place, tolerance: Inches = 0.3) -> int | None:
    """The number of the surface on which a place lies."""
    x, y, z = place
    for number in range(len(ground.surfaces) - 1, 0, -1):
        surface = ground.surfaces[number]
        if abs(inches(surface.z) - z) <= tolerance and surface.shape.covers(shapely.Point(x, y)):
            return number
    return 0 if abs(ground.height_at((x, y)) - z) <= max(tolerance, 0.51) else None


