"""Is a piece of terrain sound by itself, and does it lie on the table?"""

from __future__ import annotations

from functools import singledispatch
from typing import NamedTuple

import shapely

from wardogs.table.faces import WALL_HEIGHT
from wardogs.table.judge_openings import Side, levels_said, opening_faults
from wardogs.table.judging import (
    Faults,
    Ground,
    each,
    height_faults,
    known_faults,
    level_faults,
    outside_faults,
    rise_faults,
    spot_faults,
    top_faults,
)
from wardogs.table.model import Area, Building, Hill, Ladder, Piece, Pit, RoomName, Shaped, Slab, Slope, Stairs, Thing, Wall, Zone
from wardogs.table.openings import legs_of_ring, legs_of_wall, line_points
from wardogs.table.outlines import extent, line_faults, outline_faults, polygon_of
from wardogs.table.shapes import corners_of, outline
from wardogs.table.units import HIGHEST, Inches, Point, inches, thou
from wardogs.table.words import length, place, short

LOWEST_STOREY = 0.5
OVERHANG = 30.0  # inches that smoke may hang over the edge


@singledispatch
def judge(piece: Piece, ground: Ground) -> Faults:
    """What is wrong with a piece by itself."""
    yield from ()


@judge.register
def _(piece: Area, ground: Ground) -> Faults:
    kind = ground.kinds.get(piece.kind)
    hangs = kind is not None and (kind.sight == "smoke" or piece.kind == "gas")
    yield from _shape_faults(piece, ground, OVERHANG if hangs else 0.0)
    yield from known_faults("kind", piece.kind, ground.kinds)
    yield from rise_faults(piece.height, piece.base, kind.height if kind else 0.0)
    if kind and kind.sight in ("thin", "smoke") and not kind.height and piece.height is None:
        yield f"{piece.kind} has no height of its own: write height = 2 or so"


@judge.register
def _(piece: Hill, ground: Ground) -> Faults:
    yield from _shape_faults(piece, ground)
    yield from known_faults("kind", piece.kind, ground.kinds)
    yield from level_faults("base", piece.base)
    yield from list(height_faults("height", piece.height)) or top_faults(piece.height, piece.base)


@judge.register
def _(piece: Slope, ground: Ground) -> Faults:
    yield from _shape_faults(Shaped(rect=piece.rect), ground)
    yield from known_faults("kind", piece.kind, ground.kinds)
    yield from level_faults("base", piece.base)
    yield from list(height_faults("height", piece.height)) or top_faults(piece.height, piece.base)


@judge.register
def _(piece: Pit, ground: Ground) -> Faults:
    yield from _shape_faults(piece, ground)
    yield from known_faults("kind", piece.kind, ground.kinds)
    yield from height_faults("depth", piece.depth)


@judge.register
def _(piece: Slab, ground: Ground) -> Faults:
    yield from _shape_faults(piece, ground)
    yield from known_faults("material", piece.material, ground.kinds)
    yield from level_faults("z", piece.z)
    yield from height_faults("thickness", piece.thickness)


@judge.register
def _(piece: Zone, ground: Ground) -> Faults:
    yield from _shape_faults(piece, ground)


@judge.register
def _(piece: Thing, ground: Ground) -> Faults:
    yield from known_faults("kind", piece.kind, ground.kinds)
    kind = ground.kinds.get(piece.kind)
    yield from rise_faults(piece.height, piece.base, kind.height if kind else 0.0)
    if kind and not kind.height and piece.height is None:
        yield f"{piece.kind} has no height of its own: write height = 1 or so"
    if thou(min(piece.size)) <= 0:
        yield f"size is {place(piece.size)}: write two figures above 0, along its facing and across it"
    else:
        xs, ys = zip(*corners_of(piece), strict=True)
        yield from outside_faults((min(xs), min(ys), max(xs), max(ys)), ground)


@judge.register
def _(piece: Ladder, ground: Ground) -> Faults:
    yield from spot_faults(piece.at, ground)
    yield from level_faults("base", piece.base)
    yield from level_faults("top", piece.top)
    yield from top_faults(piece.top, piece.base, "top")
    if thou(piece.size) <= 0:
        yield f"size is {short(piece.size)}: write more than 0"


@judge.register
def _(piece: Wall, ground: Ground) -> Faults:
    yield from _wall_faults(piece, ground, WALL_HEIGHT)
    if piece.level:
        yield f"level is {piece.level}: only walls inside a building stand on a level; here write base"


@judge.register
def _(piece: Building, ground: Ground) -> Faults:
    first = [*_shape_faults(piece, ground), *_storey_faults(piece)]
    yield from first
    yield from known_faults("material", piece.material, ground.kinds)
    if not first:
        legs = legs_of_ring(outline(piece))
        yield from opening_faults(piece.openings, Side(legs, piece.storey, range(piece.levels), bool(piece.rect)), ground.kinds)
        yield from _inside_faults(piece, ground)


def _shape_faults(piece: Shaped, ground: Ground, loose: Inches = 0.0) -> Faults:
    yield from list(outline_faults(piece)) or outside_faults(extent(piece), ground, loose)


def _wall_faults(wall: Wall, ground: Ground, storey: Inches) -> Faults:
    yield from known_faults("material", wall.material, ground.kinds)
    kind = ground.kinds.get(wall.material)
    usual = (kind.height if kind else 0.0) or storey
    heights = list(rise_faults(wall.height, wall.base, usual))
    yield from heights
    if first := list(line_faults(wall.line)):
        yield from first
        return
    xs, ys = zip(*line_points(wall.line), strict=True)
    yield from outside_faults((min(xs), min(ys), max(xs), max(ys)), ground)
    if wall.openings and not heights:
        height = usual if wall.height is None else wall.height
        yield from opening_faults(
            wall.openings, Side(legs_of_wall(wall), height, range(wall.level, wall.level + 1), False), ground.kinds
        )


# Buildings ------------------------------------------------------------------------------------------------------------


def top_of(piece: Building) -> Inches:
    return piece.base + piece.levels * piece.storey


def _storey_faults(piece: Building) -> Faults:
    if piece.levels < 1:
        yield f"levels is {piece.levels}: write 1 or more"
    if not LOWEST_STOREY <= piece.storey <= HIGHEST:
        yield f"storey is {short(piece.storey)}: write {LOWEST_STOREY:g} to {HIGHEST:g} inches, floor to floor"
    if not 0 <= piece.parapet <= HIGHEST:
        yield f"parapet is {short(piece.parapet)}: write 0 (none) or its height above the roof"
    yield from level_faults("base", piece.base)
    if top_of(piece) + max(piece.parapet, 0) > HIGHEST:
        yield f"its top is {short(top_of(piece) + piece.parapet)} inches up: the highest is {HIGHEST:g}; write fewer levels"
    if piece.standing is not None and not 0 <= piece.standing <= piece.levels:
        yield f"standing is {piece.standing}: write 0 to {piece.levels}, the levels that still stand"


class House(NamedTuple):
    """What the parts of a building are measured against; the hull, in thous, is a hair wider than the walls."""

    piece: Building
    hull: shapely.Polygon
    ground: Ground


def _inside_faults(piece: Building, ground: Ground) -> Faults:
    """Its inner walls, stairs, ladders and names of rooms."""
    house = House(piece, polygon_of(piece).buffer(2), ground)
    shapely.prepare(house.hull)
    found = (
        each("wall", piece.walls, lambda wall: _inner_wall_faults(wall, house)),
        each("stairs", piece.stairs, lambda stairs: _stairs_faults(stairs, house)),
        each("ladder", piece.ladders, lambda ladder: _ladder_faults(ladder, house)),
        each("room", piece.rooms, lambda room: _room_faults(room, house)),
    )
    yield from (f", {fault}" for faults in found for fault in faults)


def _inner_wall_faults(wall: Wall, house: House) -> Faults:
    storey = house.piece.storey
    yield from _wall_faults(wall, house.ground, storey)
    yield from _level_on(house.piece, wall.level)
    if wall.base:
        yield f"base is {short(wall.base)}: a wall inside a building stands on its level; leave base out"
    if wall.height is not None and thou(wall.height) > thou(storey):
        yield f"height {short(wall.height)} is more than the storey's {short(storey)}: leave height out"
    if not list(line_faults(wall.line)) and not house.hull.covers(_line(wall)):
        yield f"the wall from {place(wall.line[:2])} leaves its building: keep its line inside"


def _stairs_faults(stairs: Stairs, house: House) -> Faults:
    yield from _indoors("at", stairs.at, house)
    if stairs.to:
        yield from _indoors("to", stairs.to, house)
    yield from _level_on(house.piece, stairs.level)
    if stairs.level + 1 == house.piece.levels and not house.piece.roof:
        yield "leads to a roof, but roof = false: leave it out"
    if thou(stairs.size) <= 0:
        yield f"size is {short(stairs.size)}: write more than 0"


def _ladder_faults(ladder: Ladder, house: House) -> Faults:
    yield from _indoors("a hatch at", ladder.at, house) if ladder.hatch else _beside(house.piece, ladder)
    yield from judge(ladder, house.ground)


def _room_faults(room: RoomName, house: House) -> Faults:
    yield from _indoors("at", room.at, house)
    yield from _level_on(house.piece, room.level)


def _indoors(word: str, at: Point, house: House) -> Faults:
    if not house.hull.covers(shapely.Point(thou(at[0]), thou(at[1]))):
        yield f"{word} {place(at)} is outside its building: move it in"


def _line(wall: Wall) -> shapely.LineString:
    return shapely.LineString([(thou(x), thou(y)) for x, y in line_points(wall.line)])


def _beside(piece: Building, ladder: Ladder) -> Faults:
    far = inches(polygon_of(piece).distance(shapely.Point(thou(ladder.at[0]), thou(ladder.at[1]))))
    if far > ladder.size:
        yield f"at {place(ladder.at)} is {length(far)} away from its building: put it by the wall or inside"


def _level_on(piece: Building, level: int) -> Faults:
    if not 0 <= level < piece.levels:
        yield f"level is {level}: its building has {levels_said(range(piece.levels))}"
