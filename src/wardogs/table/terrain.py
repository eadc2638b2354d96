"""A map made ready for questions: its faces in flat arrays with an index, made once and kept for the maps asked last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from math import ceil
from typing import Any

import msgspec
import numpy as np

from wardogs.kernel.errors import WardogsError
from wardogs.table.compiled import Floats, Ints, floats, ints
from wardogs.table.faces import Panel, Solid, faces_of
from wardogs.table.index import cell_lists
from wardogs.table.kinds import COVERS, Kind, find
from wardogs.table.model import Map
from wardogs.table.rays import BOOK, CELL, MOST_RAYS
from wardogs.table.units import THOU, Inches, Place, Point, thou

MOST_KINDS = 60  # they are bits of a whole number
FULL = 12_000_000  # a ray is hidden when its haze is above this: see_through inches of one kind give just this much
TOO_MUCH = FULL + 1e-6  # weights are rounded: a sum of just FULL may come out a hair above; the next true one is 8e-4 above


class Same:
    """A map as a key: the same object, not an equal one, so that looking it up costs nothing."""

    __slots__ = ("map",)

    def __init__(self, table: Map) -> None:
        self.map = table

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.map is self.map

    def __hash__(self) -> int:
        return id(self.map)


_KNOWN: dict[bytes, Map] = {}
MOST_KNOWN = 512


def known(table: Map) -> Map:
    """The first map that was just like this one, so that what is known of its terrain serves both."""
    key = msgspec.json.encode(table)
    if len(_KNOWN) > MOST_KNOWN:
        _KNOWN.clear()
    return _KNOWN.setdefault(key, table)


class Terrain:
    """The faces of a map. Ask `Terrain.of(map)`: the same map gives the same terrain."""

    def __init__(self, table: Map) -> None:
        self.map = table
        found = faces_of(table)
        self.panels: tuple[Panel, ...] = tuple(panel for faces in found for panel in faces.panels)
        self.solids: tuple[Solid, ...] = tuple(solid for faces in found for solid in faces.solids)
        names = dict.fromkeys([*(panel.kind for panel in self.panels), *(solid.kind for solid in self.solids)])
        self.kinds: tuple[str, ...] = tuple(names)
        if len(self.kinds) > MOST_KINDS:
            raise WardogsError(f"{table.name}: {len(self.kinds)} kinds of terrain: a map may use {MOST_KINDS}; use fewer")

    @classmethod
    def of(cls, table: Map) -> Terrain:
        """Kept by the identity of the map, which is frozen: a changed map is another map."""
        return _terrain(Same(table))

    def kind(self, name: str) -> Kind:
        return find(self.map.catalogue, name)

    def panels_about(self, a: Place | Point, b: Place | Point, far: Inches = 0.001) -> list[Panel]:
        """Those whose box in plan comes so near to the box of a line; in their order."""
        west, south, east, north = self._boxes
        meets = (west <= THOU * (max(a[0], b[0]) + far)) & (east >= THOU * (min(a[0], b[0]) - far))
        meets &= (south <= THOU * (max(a[1], b[1]) + far)) & (north >= THOU * (min(a[1], b[1]) - far))
        return [self.panels[k] for k in np.flatnonzero(meets)]

    @cached_property
    def _boxes(self) -> tuple[Any, Any, Any, Any]:
        ax, ay, bx, by = np.array([(*panel.a, *panel.b) for panel in self.panels], dtype=float).reshape(-1, 4).T
        return np.minimum(ax, bx), np.minimum(ay, by), np.maximum(ax, bx), np.maximum(ay, by)

    @cached_property
    def classes(self) -> tuple[Kind, ...]:
        """The kinds in the order of their bits."""
        catalogue = self.map.catalogue
        return tuple(find(catalogue, name) for name in self.kinds)

    @cached_property
    def hiding(self) -> int:
        """The bits of all kinds that hide."""
        return sum(1 << bit for bit, kind in enumerate(self.classes) if kind.sight == "solid")

    @cached_property
    def cover_bits(self) -> tuple[int, ...]:
        """For each class of cover, from the lightest, the bits of the kinds that give it."""
        return tuple(sum(1 << bit for bit, kind in enumerate(self.classes) if kind.cover == cover) for cover in COVERS)

    @cached_property
    def arrays(self) -> tuple[Ints, Floats]:
        """What the kernel reads: whole numbers and floats; see rays.opened for their layout."""
        width, height = self.map.size
        grid = [max(1, ceil(thou(side) / CELL)) for side in (width, height)] + [len(self.panels), len(self.solids)]
        boxes = floats([part for p in self.panels for part in (*p.a, *p.b)] + [part for s in self.solids for part in s.box])
        slopes = ints([1] * len(self.panels) + [0] * len(self.solids))
        parts, cuts, planes = solid_parts(self.solids)
        bit, catalogue = {name: 1 << place for place, name in enumerate(self.kinds)}, self.map.catalogue
        bits = [bit[p.kind] for p in self.panels] + [bit[s.kind] for s in self.solids]
        panel = [part for p in self.panels for part in (*p.a, *p.b, p.bottom, p.top)]
        solid = [part for s in self.solids for part in solid_row(s, find(catalogue, s.kind))]
        cells = cell_lists(boxes, slopes, ints(grid))
        whole = [grid, cells, parts, cuts, bits, [0] * (1 + len(bits)), [0] * MOST_RAYS]
        ends = list(accumulate([BOOK, *(len(part) for part in whole[:-1])]))[1:]
        stores = list(accumulate([len(panel), len(solid), len(planes)]))
        book = ints(np.concatenate([np.asarray(part, dtype=np.int64) for part in ([*ends, *stores], *whole)]))
        return book, floats([*panel, *solid, *planes, *([0.0] * (6 * MOST_RAYS))])


@lru_cache(maxsize=64)
def _terrain(same: Same) -> Terrain:
    return Terrain(same.map)


def solid_row(solid: Solid, kind: Kind) -> list[float]:
    """A solid as the kernel reads it: box, heights, least depth, its weights in the two hazes, cylinder."""
    weight = FULL / max(1, thou(kind.see_through)) if kind.see_through else 0.0
    leaves, smoke = (weight, 0.0) if kind.sight == "thin" else (0.0, weight if kind.sight == "smoke" else 0.0)
    least, disc = max(1, thou(kind.min_depth)), solid.disc or (0, 0, 0)
    return [*solid.box, solid.bottom, solid.top, least, leaves, smoke, *disc]


def solid_parts(solids: Sequence[Solid]) -> tuple[list[int], list[int], list[Any]]:
    """First and last part of each solid, first plane of each part, and the planes, one after the other."""
    counts = list(accumulate((len(solid.parts) for solid in solids), initial=0))
    parts = [end for pair in pairwise(counts) for end in pair]
    cuts = list(accumulate((len(part) for solid in solids for part in solid.parts), initial=0))
    planes = [figure for solid in solids for part in solid.parts for plane in part for figure in plane]
    return parts or [0], cuts, planes or [0.0]
