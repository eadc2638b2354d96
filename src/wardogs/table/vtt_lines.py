"""What a flat virtual tabletop sees of a piece of terrain: lines that block sight, outlines of objects, and portals in the gaps.

Only the ground floor counts. A line is broken at each opening, as the other programs do: a door is a portal in its gap, shut or
open; a window is an open portal (shut if boards fill it), since one looks through it; a gap is only a gap. Walls lower than
TALL, and areas and things that hide what is behind them, are objects. What never hides anything (wire, bars, glass, a road) is
left out, and so are hills, pits and slabs, which a flat table does not know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from itertools import groupby
from typing import TypeAlias

from wardogs.table.faces import leaf, levels_standing, state_of, wall_height
from wardogs.table.kinds import Catalogue, find
from wardogs.table.model import Area, Building, Opening, Piece, Thing, Wall
from wardogs.table.openings import Leg, Placed, along, legs_of_ring, legs_of_wall, place_openings
from wardogs.table.shapes import corners_of, outline
from wardogs.table.units import Point, thou

Line: TypeAlias = tuple[Point, ...]  # inches; a closed one ends where it begins

SIGHT, OBJECTS = "line_of_sight", "objects_line_of_sight"
TALL = 1.0  # inches: a lower wall hides nobody on a flat table
DIGITS = 9  # of an inch


@dataclass(slots=True)
class Doorway:
    """A portal: its opening and the two ends of its stretch of wall."""

    opening: Opening
    ends: tuple[Point, Point]
    closed: bool


@dataclass(slots=True)
class Lines:
    """All that a flat tabletop shows of one piece, by the key of the file it belongs to."""

    sight: list[Line] = field(default_factory=list)
    objects: list[Line] = field(default_factory=list)
    doorways: list[Doorway] = field(default_factory=list)

    def add(self, layer: str, lines: Iterable[Line]) -> None:
        (self.objects if layer == OBJECTS else self.sight).extend(lines)


@dataclass(slots=True, frozen=True)
class Drawing:
    """How a map is drawn: its kinds, the walls of which a file said their layer, the openings that break no line."""

    kinds: Catalogue
    layers: dict[str, str]
    unbroken: Collection[str]


@singledispatch
def lines_of(piece: Piece, drawing: Drawing) -> Lines:
    """Pieces without a case of their own are not drawn."""
    return Lines()


@lines_of.register
def _(piece: Area, drawing: Drawing) -> Lines:
    return _object(outline(piece)) if find(drawing.kinds, piece.kind).sight == "solid" else Lines()


@lines_of.register
def _(piece: Thing, drawing: Drawing) -> Lines:
    return _object(corners_of(piece)) if find(drawing.kinds, piece.kind).sight == "solid" else Lines()


@lines_of.register
def _(piece: Wall, drawing: Drawing) -> Lines:
    """A wall that stands by itself."""
    lines = Lines()
    if find(drawing.kinds, piece.material).sight not in ("open", "glass"):
        _draw(lines, layer_of(piece, drawing), legs_of_wall(piece), piece.openings, drawing)
    return lines


@lines_of.register
def _(piece: Building, drawing: Drawing) -> Lines:
    """The outer walls and the inner ones of the ground floor; of a ruin the outline of its rubble."""
    if levels_standing(piece) < 1:
        return _object(outline(piece))
    lines = Lines()
    ground = [opening for opening in piece.openings if opening.level in (None, 0)]
    _draw(lines, SIGHT, legs_of_ring(outline(piece)), ground, drawing)
    for wall in piece.walls:
        if wall.level == 0 and find(drawing.kinds, wall.material).sight not in ("open", "glass"):
            _draw(lines, SIGHT, legs_of_wall(wall), wall.openings, drawing)
    return lines


def layer_of(wall: Wall, drawing: Drawing) -> str:
    """The layer its file gave the wall, else by its height."""
    return drawing.layers.get(wall.id) or (SIGHT if wall_height(wall, drawing.kinds) >= TALL else OBJECTS)


def _object(corners: Sequence[Point]) -> Lines:
    return Lines(objects=[_tidy((*corners, *corners[:1]))])


def _draw(lines: Lines, layer: str, legs: Sequence[Leg], openings: Sequence[Opening], drawing: Drawing) -> None:
    """One row of walls with its openings."""
    found = [(spot, opening) for spot, opening in zip(place_openings(openings, legs), openings, strict=True) if spot]
    cuts = [spot for spot, opening in found if opening.id not in drawing.unbroken]
    lines.add(layer, broken(legs, sorted(cuts)))
    for spot, opening in found:
        if opening.kind != "gap" or leaf(opening):
            ends = _end(legs[spot.leg], spot.start), _end(legs[spot.leg], spot.end)
            lines.doorways.append(Doorway(opening, ends, is_closed(opening, drawing.kinds)))


def is_closed(opening: Opening, kinds: Catalogue) -> bool:
    """A door that stands shut, or a window that one cannot look through."""
    if opening.kind == "door":
        return state_of(opening) not in ("open", "gone")
    filling = leaf(opening)
    return filling is not None and find(kinds, filling).sight not in ("open", "glass")


def broken(legs: Sequence[Leg], cuts: Sequence[Placed]) -> list[Line]:
    """The line along the legs without the stretches that are cut out; a ring that is cut begins after its first cut."""
    runs: list[list[Point]] = [[legs[0][0]]]
    by_leg = {k: list(group) for k, group in groupby(cuts, key=lambda cut: cut.leg)}
    for k, leg in enumerate(legs):
        for cut in by_leg.get(k, ()):
            runs[-1].append(_end(leg, cut.start))
            runs.append([_end(leg, cut.end)])
        runs[-1].append(leg[1])
    if len(runs) > 1 and legs[0][0] == legs[-1][1]:
        runs[0] = runs.pop() + runs[0]
    return [line for line in map(_tidy, runs) if len(line) > 1]


def _end(leg: Leg, far: float) -> Point:
    x, y = along(leg, far)
    return round(x, DIGITS), round(y, DIGITS)


def _tidy(points: Sequence[Point]) -> Line:
    """Without points that repeat the one before, to the thou."""
    thous = [(thou(x), thou(y)) for x, y in points]
    return tuple((round(x, DIGITS), round(y, DIGITS)) for k, (x, y) in enumerate(points) if k == 0 or thous[k] != thous[k - 1])
