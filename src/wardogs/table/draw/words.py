"""A map in words, for whoever cannot see it: a sentence for each piece."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch

from wardogs.table.draw.labels import figure
from wardogs.table.draw.strokes import bounds
from wardogs.table.faces import floor_of, levels_standing, state_of, wall_height
from wardogs.table.kinds import Catalogue, find
from wardogs.table.model import (
    GROUPS,
    Area,
    Building,
    Hill,
    Ladder,
    Map,
    Opening,
    Piece,
    Pit,
    Shaped,
    Slab,
    Slope,
    Thing,
    Wall,
    Zone,
)
from wardogs.table.openings import line_points
from wardogs.table.shapes import outline
from wardogs.table.units import Point

SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}


def words(table: Map) -> tuple[str, ...]:
    """The table itself, then a sentence for each piece in the order of the map."""
    wide, high = table.size
    about = f" {table.about.rstrip('.')}." if table.about else ""
    first = f"{table.name}: a table of {figure(wide)} by {figure(high)} inches; x counts from west, y from south.{about}"
    return (first, *(sentence(piece, group[:-1].capitalize(), n, table.catalogue)
                     for group in GROUPS for n, piece in enumerate(getattr(table, group), 1)))  # fmt: skip


def sentence(piece: Piece, group: str, n: int, kinds: Catalogue) -> str:
    name = piece.name or piece.id
    return f"{group} {n}{f' ({name})' if name else ''}: {told(piece, kinds)}."


@singledispatch
def told(piece: Piece, kinds: Catalogue) -> str:
    """What there is to know of a piece."""
    return ""


@told.register
def _(piece: Building, kinds: Catalogue) -> str:
    stands = levels_standing(piece)
    levels = f"{piece.levels} level{'s' * (piece.levels > 1)} of {figure(piece.storey)}"
    parts = [
        f"{says(kinds, piece.material)}, {levels}{', no roof' * (not piece.roof)}, {where(piece)}",
        f"floor at {figure(piece.base)}" if piece.base else "",
        f"parapet {figure(piece.parapet)} high" if piece.parapet else "",
        f"fallen in, {stands} left standing" if stands < piece.levels else "",
        "on fire" if piece.burning else "",
        *_openings(piece.openings),
        *(f"inner wall on level {wall.level}, {_wall(wall, kinds, piece.storey)}" for wall in piece.walls),
        *(f"stairs at {point(way.at)} from level {way.level} to {way.level + 1}" for way in piece.stairs),
        *(f"ladder {told(way, kinds)}" for way in piece.ladders),
        *(f"room on level {room.level}: {room.name or room.id}" for room in piece.rooms),
        f"roof at {figure(floor_of(piece, piece.levels))}" if piece.roof and stands == piece.levels else "",
    ]
    return "; ".join(part for part in parts if part)


@told.register
def _(piece: Wall, kinds: Catalogue) -> str:
    return _wall(piece, kinds)


@told.register
def _(piece: Area, kinds: Catalogue) -> str:
    height = find(kinds, piece.kind).height if piece.height is None else piece.height
    tall = f", {figure(height)} high" if height else ""
    return f"{says(kinds, piece.kind)}{tall}{_raised(piece.base)}, {where(piece)}"


@told.register
def _(piece: Hill, kinds: Catalogue) -> str:
    return f"level ground at {figure(piece.height)}, from {figure(piece.base)} up, {where(piece)}"


@told.register
def _(piece: Slope, kinds: Catalogue) -> str:
    left, lower, right, upper = piece.rect
    rise = f"rises from {figure(piece.base)} to {figure(piece.height)} towards the {SIDES[piece.up]}"
    return f"{rise}, from {point((left, lower))} to {point((right, upper))}"


@told.register
def _(piece: Pit, kinds: Catalogue) -> str:
    return f"{says(kinds, piece.kind)}, {figure(piece.depth)} deep, {where(piece)}"


@told.register
def _(piece: Slab, kinds: Catalogue) -> str:
    return f"{says(kinds, piece.material)}, its upper side at {figure(piece.z)}, {figure(piece.thickness)} thick, {where(piece)}"


@told.register
def _(piece: Thing, kinds: Catalogue) -> str:
    height = find(kinds, piece.kind).height if piece.height is None else piece.height
    size = f"{figure(piece.size[0])} by {figure(piece.size[1])}, {figure(height)} high"
    return f"{says(kinds, piece.kind)}, {size}{_raised(piece.base)}, at {point(piece.at)}, facing {figure(piece.facing)} degrees"


@told.register
def _(piece: Ladder, kinds: Catalogue) -> str:
    through = " through a hatch" if piece.hatch else ""
    return f"at {point(piece.at)} from {figure(piece.base)} up to {figure(piece.top)}{through}"


@told.register
def _(piece: Zone, kinds: Catalogue) -> str:
    return f"{where(piece)}{f', for {piece.side}' if piece.side else ''}"


def says(kinds: Catalogue, name: str) -> str:
    return find(kinds, name).says or name


def point(at: Point) -> str:
    return f"({figure(at[0])}, {figure(at[1])})"


def where(piece: Shaped) -> str:
    if piece.circle:
        x, y, radius = piece.circle
        return f"around {point((x, y))}, radius {figure(radius)}"
    left, lower, right, upper = bounds(outline(piece))
    corners = f", {len(piece.polygon)} corners" if piece.polygon else ""
    return f"from {point((left, lower))} to {point((right, upper))}{corners}"


def _raised(base: float) -> str:
    return f", from {figure(base)} up" if base else ""


def _wall(wall: Wall, kinds: Catalogue, storey: float = 2.0) -> str:
    way = " to ".join(point(at) for at in line_points(wall.line))
    height = figure(wall_height(wall, kinds, storey))
    parts = [f"{says(kinds, wall.material)}, {height} high{_raised(wall.base)}, from {way}", *_openings(wall.openings)]
    return "; ".join(parts)


def _openings(openings: tuple[Opening, ...]) -> Iterator[str]:
    """Doors, windows and gaps, each group in one clause."""
    for kind in ("door", "window", "gap"):
        same = [opening for opening in openings if opening.kind == kind]
        if same:
            yield f"{kind}{'s' * (len(same) > 1)}: {', '.join(_opening(opening) for opening in same)}"


def _opening(opening: Opening) -> str:
    at = point(opening.at) if isinstance(opening.at, tuple) else figure(opening.at)
    side = f"{SIDES[opening.side]} " if opening.side else ""
    level = f" on level {opening.level}" if opening.level is not None else ""
    state = "" if opening.kind != "door" and state_of(opening) == "open" else f" ({state_of(opening)})"
    return f"{side}at {at}{level}{state}"
