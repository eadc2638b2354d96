"""The ground under a model's feet: surfaces to stand on, their height and what it costs to cross them.

The table itself is one surface: its height and its movement class are kept on a fine raster, an eighth of an inch. Floors,
roofs, bridges are further surfaces above it, each flat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise, product
from math import ceil, floor, hypot, inf
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import shapely

from wardogs.table.compiled import ints
from wardogs.table.faces import Panel, floor_of, holes_in, levels_standing
from wardogs.table.kinds import Kind, MoveClass, find
from wardogs.table.mapfile import with_ids
from wardogs.table.model import Area, Hill, Map, Pit, Shaped, Slope, Thing
from wardogs.table.shapes import corners_of, edges, outline, ring_of
from wardogs.table.terrain import Same
from wardogs.table.units import THOU, Inches, Place, Point, Thou, inches, thou

STEP = 500  # thous: the lattice of places, half an inch
FINE = 125  # thous: the raster of the ground
FLUSH = 100  # thous: what lies no higher above a floor lies on it
TALLEST = 3.0  # inches: of a thing that one may stand on
Box: TypeAlias = tuple[float, float, float, float]  # left, lower, right, upper, in inches
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

    @property
    def frame(self) -> tuple[int, int, int, int]:
        """Its piece of the lattice."""
        return self.left, self.lower, self.columns, self.rows

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Around all that it may hold, in thous."""
        left, lower = (self.left - 1) * STEP, (self.lower - 1) * STEP
        return left, lower, left + (self.columns + 1) * STEP, lower + (self.rows + 1) * STEP

    def frames(self, x: Inches, y: Inches, reach: Inches = 0.0) -> bool:
        """Could it hold a point, or lie within reach of it, to go by its piece of the lattice?"""
        column, row, more = x * THOU / STEP - self.left, y * THOU / STEP - self.lower, reach * THOU / STEP
        return -1 - more <= column <= self.columns + more and -1 - more <= row <= self.rows + more


class Raster:
    """Height and movement class of one surface, an eighth of an inch a cell."""

    def __init__(self, columns: int, rows: int, z: Thou = 0) -> None:
        self.columns, self.rows = columns, rows
        self.classes = np.zeros((rows, columns), dtype=np.int64)
        self.heights = np.full((rows, columns), z, dtype=np.int64)

    def dig(self, shape: Any, z: Thou) -> None:
        rows, columns, inside = self._under(shape)
        window = self.heights[rows, columns]
        window[inside] = np.minimum(window[inside], z)

    def raise_to(self, shape: Any, z: Thou) -> None:
        rows, columns, inside = self._under(shape)
        window = self.heights[rows, columns]
        window[inside] = np.maximum(window[inside], z)

    def tilt(self, slope: Slope) -> None:
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

    def cover(self, shape: Any, move: MoveClass) -> None:
        rows, columns, inside = self._under(shape)
        window = self.classes[rows, columns]
        window[inside] = np.maximum(window[inside], CLASSES.index(move))

    def lay(self, piece: Area | Thing, kind: Kind) -> None:
        """Something solid raises the ground, anything else changes its class."""
        shape = shapely.Polygon(corners_of(piece)) if isinstance(piece, Thing) else polygon(piece)
        if isinstance(piece, Thing) and kind.move == "blocked":
            height = kind.height if piece.height is None else piece.height
            self.raise_to(shape, thou(piece.base + height))
        else:
            self.cover(shape, kind.move)

    def is_bare(self, z: Thou) -> bool:
        return bool((self.heights == z).all()) and not self.classes.any()

    def _under(self, shape: Any) -> tuple[slice, slice, Any]:
        """The part of the raster around a shape, and which of its cells have their middle inside."""
        left, lower, right, upper = (thou(side) / FINE for side in shape.bounds)
        rows = slice(min(self.rows, max(0, floor(lower))), min(self.rows, max(0, ceil(upper))))
        columns = slice(min(self.columns, max(0, floor(left))), min(self.columns, max(0, ceil(right))))
        xs, ys = self._middles(rows, columns)
        return rows, columns, shapely.contains_xy(shape, xs, ys)

    def _middles(self, rows: slice, columns: slice) -> tuple[Any, Any]:
        xs = (np.arange(columns.start, columns.stop) + 0.5) * inches(FINE)
        ys = (np.arange(rows.start, rows.stop) + 0.5) * inches(FINE)
        return np.meshgrid(xs, ys)

    def at(self, point: Point) -> tuple[Thou, MoveClass]:
        row, column = self._cell(point)
        return self.heights.item(row, column), CLASSES[self.classes.item(row, column)]

    def height_at(self, point: Point) -> Thou:
        return self.heights.item(self._cell(point))

    def _cell(self, point: Point) -> tuple[int, int]:
        row, column = thou(point[1]) // FINE, thou(point[0]) // FINE
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return row, column
        return min(max(row, 0), self.rows - 1), min(max(column, 0), self.columns - 1)


class Outline(NamedTuple):
    """A shape as it is asked whether it has a point: most are a box with boxes cut out, which need no geometry."""

    box: Box
    holes: tuple[Box, ...] | None  # None: it is no such box
    shape: Any

    @staticmethod
    def of(shape: Any) -> Outline:
        rings = [shape.exterior, *shape.interiors] if shape.geom_type == "Polygon" and not shape.is_empty else []
        plain = bool(rings) and all(is_box(ring) for ring in rings)
        return Outline(shape.bounds, tuple(ring.bounds for ring in rings[1:]) if plain else None, shape)

    def holds(self, x: Inches, y: Inches) -> bool:
        """Is a point on it, its rim included?"""
        left, lower, right, upper = self.box
        if not (left <= x <= right and lower <= y <= upper):
            return False
        if self.holes is None:
            return bool(shapely.intersects_xy(self.shape, x, y))
        return not any(left < x < right and lower < y < upper for left, lower, right, upper in self.holes)


def is_box(ring: Any) -> bool:
    """Is it an upright rectangle, corner by corner?"""
    corners = [(x, y) for x, y, *_ in ring.coords]
    (left, lower, right, upper), sides = ring.bounds, list(pairwise(corners))
    wanted = {(left, lower), (left, upper), (right, upper), (right, lower)}
    return len(sides) == 4 and set(corners) == wanted and all((ax == bx) != (ay == by) for (ax, ay), (bx, by) in sides)


class Deck(NamedTuple):
    """A floor, roof or slab."""

    number: int
    z: Inches
    flat: bool  # nothing stands on it
    outline: Outline


class Ground:
    """The surfaces of a map and their rasters: that of the table itself, and of each floor on which something lies."""

    def __init__(self, table: Map) -> None:
        self.map = table
        self.under: dict[tuple[Place, Inches], int | None] = {}  # the floors that were asked for lately
        self.columns, self.rows = (ceil(thou(side) / FINE) for side in table.size)
        self.table = Raster(self.columns, self.rows)
        self._lay()
        self.rasters = [self.table]
        self._bare_floors: dict[Thou, int] = {}  # the rasters of floors on which nothing lies, by height
        self.raster_of = [0] + [self._floor_raster(surface) for surface in self.surfaces[1:]]

    def _lay(self) -> None:
        """Heights first, from the pits to the hills, then what lies on the ground, then the classes."""
        table, kinds, raster = self.map, self.map.catalogue, self.table
        for pit in table.pits:
            raster.dig(polygon(pit), -thou(pit.depth))
        for hill in sorted(table.hills, key=lambda hill: hill.height):
            raster.raise_to(polygon(hill), thou(hill.height))
        for slope in table.slopes:
            raster.tilt(slope)
        self.bare = raster.heights.copy()
        grounds: list[Hill | Pit] = [*table.hills, *table.pits]
        for ground in grounds:
            raster.cover(polygon(ground), find(kinds, ground.kind).move)
        for piece in self._lying():
            if thou(piece.base) <= self._bare_at(centre(piece)) + FLUSH:
                raster.lay(piece, find(kinds, piece.kind))
        for building in table.buildings:
            if levels_standing(building) == 0:
                raster.cover(polygon(building), find(kinds, "rubble").move)

    def _lying(self) -> list[Area | Thing]:
        return [*self.map.areas, *self.map.things]

    def _bare_at(self, point: Point) -> Thou:
        row = min(max(thou(point[1]) // FINE, 0), self.rows - 1)
        column = min(max(thou(point[0]) // FINE, 0), self.columns - 1)
        return int(self.bare[row, column])

    def _floor_raster(self, surface: Surface) -> int:
        """The number of a floor's raster; floors of one height on which nothing lies share theirs."""
        kinds, house = self.map.catalogue, next((b for b in self.map.buildings if b.id == surface.piece), None)
        level = [piece for piece in self._lying() if piece.base > 0 and abs(thou(piece.base) - surface.z) <= FLUSH]
        lying = [piece for piece in level if surface.shape.covers(shapely.Point(centre(piece)))]
        ruin = house is not None and levels_standing(house) < house.levels and surface.level == levels_standing(house)
        if not lying and not ruin and surface.z in self._bare_floors:
            return self._bare_floors[surface.z]
        raster = Raster(self.columns, self.rows, surface.z)
        for piece in lying:
            raster.lay(piece, find(kinds, piece.kind))
        if ruin:
            raster.cover(surface.shape, find(kinds, "rubble").move)
        self.rasters.append(raster)
        if (not lying and not ruin) or raster.is_bare(surface.z):
            self._bare_floors.setdefault(surface.z, len(self.rasters) - 1)
        return len(self.rasters) - 1

    @cached_property
    def flat(self) -> list[bool]:
        """Of each surface: does nothing stand on it?"""
        return [bool((self.raster(number).heights == surface.z).all()) for number, surface in enumerate(self.surfaces)]

    @cached_property
    def inside(self) -> tuple[Any, ...]:
        """Of each surface: which places of its lattice it really has."""
        return tuple(ints(_inside(surface)) for surface in self.surfaces)

    def raster(self, number: int) -> Raster:
        return self.rasters[self.raster_of[number]]

    def height_at(self, point: Point) -> Inches:
        """Of the ground, hills and pits included, and what solid things lie on it."""
        return inches(self.table.height_at(point))

    @cached_property
    def decks(self) -> tuple[Deck, ...]:
        """All surfaces but the table itself."""
        above = list(enumerate(self.surfaces))[1:]
        return tuple(Deck(number, inches(one.z), self.flat[number], Outline.of(one.shape)) for number, one in above)

    @cached_property
    def storeys(self) -> dict[tuple[Inches, bool], list[Deck]]:
        """The same by their heights, and whether they are flat."""
        found: dict[tuple[Inches, bool], list[Deck]] = {}
        for deck in self.decks:
            found.setdefault((deck.z, deck.flat), []).append(deck)
        return found

    def deck_height(self, deck: Deck, point: Point) -> Inches:
        """Of a floor, and of what solid things lie on it."""
        return deck.z if deck.flat else inches(self.raster(deck.number).height_at(point))

    def heights_at(self, point: Point) -> list[Inches]:
        """Of the ground, and of all floors, roofs and slabs over it, in their order."""
        x, y = point
        return [self.height_at(point), *(self.deck_height(deck, point) for deck in self.decks if deck.outline.holds(x, y))]

    def class_at(self, point: Point) -> MoveClass:
        return self.table.at(point)[1]

    @cached_property
    def surfaces(self) -> tuple[Surface, ...]:
        """The table first, then floors and roofs, then slabs."""
        width, height = self.map.size
        table = Surface("table", 0, 0, 0, thou(width) // STEP + 1, thou(height) // STEP + 1, shapely.box(0, 0, width, height))
        return (table, *self._floors(), *self._slabs())

    def _floors(self) -> Iterator[Surface]:
        """Floors and roofs; also the ground floor of a building that stands higher than the ground under it."""
        for building in self.map.buildings:
            shape, stands = polygon(building), levels_standing(building)
            middle = shape.representative_point()
            raised = thou(building.base) > self._bare_at((middle.x, middle.y)) + FLUSH
            for level in range(0 if raised and stands else 1, stands + 1):
                if level == building.levels and not building.roof:
                    continue
                fallen = level == stands < building.levels
                gaps = [] if fallen else holes_in(building, level)
                holes = [shapely.box(x - s / 2, y - s / 2, x + s / 2, y + s / 2) for (x, y), s in gaps]
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
        """All rasters, one after the other."""
        return ints(np.concatenate([raster.classes.ravel() for raster in self.rasters]))

    @cached_property
    def flat_heights(self) -> Any:
        return ints(np.concatenate([raster.heights.ravel() for raster in self.rasters]))

    def plane(self, number: int) -> int:
        """Where a surface's raster begins in the flat ones."""
        return self.raster_of[number] * self.rows * self.columns


@lru_cache(maxsize=8)
def ground_of(same: Same) -> Ground:
    """The ground of a map, one for all who walk, run or crawl over it."""
    return Ground(with_ids(same.map))


def _inside(surface: Surface) -> Any:
    xs = (np.arange(surface.columns) + surface.left) * inches(STEP)
    ys = (np.arange(surface.rows) + surface.lower) * inches(STEP)
    grid_x, grid_y = np.meshgrid(xs, ys)
    return shapely.intersects_xy(surface.shape, grid_x, grid_y).astype(np.int64)


def centre(piece: Area | Thing) -> Point:
    if isinstance(piece, Thing):
        return piece.at
    middle = polygon(piece).representative_point()
    return middle.x, middle.y


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


class Spot(NamedTuple):
    """A place off the lattice, in thous."""

    x: int
    y: int
    surface: int


class Spots:
    """Places off the lattice by the pieces of the table they are in or next to."""

    def __init__(self, spots: Sequence[Spot], reach: Inches) -> None:
        self.spots, self.reach, self.wide = spots, reach, thou(reach)
        self._cells: dict[tuple[int, int, int], list[int]] = {}
        for k, (x, y, surface) in enumerate(spots):
            for column, row in product((-1, 0, 1), repeat=2):
                self._cells.setdefault((x // self.wide + column, y // self.wide + row, surface), []).append(k)

    def near(self, number: int, point: Point) -> list[int]:
        """Those on a surface within reach of a point, in their order."""
        cell = (thou(point[0]) // self.wide, thou(point[1]) // self.wide, number)
        return [k for k in self._cells.get(cell, ()) if self._gap(k, point) <= self.reach]

    def _gap(self, k: int, point: Point) -> Inches:
        return hypot(inches(self.spots[k].x) - point[0], inches(self.spots[k].y) - point[1])


def floors_under(ground: Ground, place: Place, tolerance: Inches = 0.3) -> int | None:
    """The number of the surface on which a place lies: the nearest in height."""
    known, key = ground.under, (place, tolerance)
    if key not in known:
        if len(known) >= MOST_PLACES:
            known.clear()
        known[key] = _floor_under(ground, place, tolerance)
    return known[key]


MOST_PLACES = 4_096  # of one ground that are kept: men stand still, and are asked about again and again


def _floor_under(ground: Ground, place: Place, tolerance: Inches) -> int | None:
    x, y, z = place
    if not (0 <= x <= ground.map.size[0] and 0 <= y <= ground.map.size[1]):
        return None
    best, found = abs(ground.height_at((x, y)) - z), 0
    if best > max(tolerance, 0.51):
        best, found = inf, -1
    for (height, flat), decks in ground.storeys.items():
        if abs(height - z) > (tolerance if flat else TALLEST):
            continue
        for deck in decks:
            if deck.outline.holds(x, y):
                off = abs(ground.deck_height(deck, (x, y)) - z)
                if off <= tolerance and (off, deck.number) < (best, found):
                    best, found = off, deck.number
    return found if found >= 0 else None
