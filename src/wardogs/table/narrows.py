"""Where a lattice of places could miss a way: narrow openings, and gaps between the ends of walls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from wardogs.table.faces import Panel, floor_of, levels_standing, span
from wardogs.table.model import Map, Opening
from wardogs.table.openings import Leg, along, legs_of_ring, legs_of_wall, place_opening
from wardogs.table.shapes import Corner, outline
from wardogs.table.units import Inches

NARROW = 3.0  # inches: openings up to this width get places of their own on either side


def pinched(panels: Sequence[Panel], least: int, most: int) -> Iterator[tuple[Corner, tuple[Corner, Corner], int]]:
    """Ends of walls that stand so near to another wall: the middle between, the stretch from the one to the other, the floor."""
    if not panels:
        return
    ends = np.array([end for p in panels for end in (p.a, p.b)], dtype=float)
    lines = shapely.linestrings([(p.a, p.b) for p in panels])
    number, other = shapely.STRtree(lines).query(shapely.points(ends), predicate="dwithin", distance=most)
    near = shapely.get_coordinates(shapely.shortest_line(shapely.points(ends[number]), lines[other]))[1::2]
    far = np.hypot(*(near - ends[number]).T)
    for k in np.flatnonzero(far >= least):
        one, two = panels[number[k] // 2], panels[other[k]]
        apart = one.piece != two.piece or not one.piece
        if apart and two.bottom < one.top and one.bottom < two.top:
            end, there = (one.a, one.b)[number[k] % 2], (round(near[k][0]), round(near[k][1]))
            yield ((end[0] + there[0]) // 2, (end[1] + there[1]) // 2), (end, there), one.bottom


def narrow_openings(table: Map) -> Iterator[tuple[Leg, Opening, Inches]]:
    """Every door, window and gap that a lattice could miss: the leg of wall, the opening, the floor."""
    for wall in table.walls:
        yield from _narrow(legs_of_wall(wall), wall.openings, wall.base)
    for building in table.buildings:
        for level in range(levels_standing(building)):
            floor = floor_of(building, level)
            openings = [opening for opening in building.openings if opening.level in (None, level)]
            yield from _narrow(legs_of_ring(outline(building)), openings, floor)
            for wall in building.walls:
                if wall.level == level:
                    yield from _narrow(legs_of_wall(wall), wall.openings, floor)


def _narrow(legs: Sequence[Leg], openings: Sequence[Opening], floor: Inches) -> Iterator[tuple[Leg, Opening, Inches]]:
    for opening in openings:
        placed = place_opening(opening, legs)
        if placed is not None and opening.width <= NARROW and span(opening)[0] <= 1.0:
            whole = legs[placed.leg]
            yield whole, Opening(kind=opening.kind, at=along(whole, (placed.start + placed.end) / 2), width=opening.width), floor
