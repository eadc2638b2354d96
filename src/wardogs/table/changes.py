"""What happens to terrain in play. Each change makes a new map that shares all other pieces with the old one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple, TypeVar, get_args

from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.table.faces import levels_standing, span
from wardogs.table.model import GROUPS, Area, Building, Map, Opening, Piece, State, Thing, Wall, pieces
from wardogs.table.openings import Leg, Placed, along, distance, how_far, legs_of_ring, legs_of_wall, length, place_opening
from wardogs.table.shapes import outline
from wardogs.table.units import Inches, Point, inches, thou
from wardogs.table.words import place as said

SomePiece = TypeVar("SomePiece", bound=Piece)
Walled = TypeVar("Walled", Building, Wall)


# Doors and windows ----------------------------------------------------------------------------------------------------


def set_opening(table: Map, opening_id: str, state: State, level: int | None = None) -> Map:
    """Open, shut, lock or smash a door or window; with a level only there, if it goes through all levels of its building."""
    if state not in get_args(State):
        raise unknown("state of an opening", state, get_args(State))
    _check_opening(table, opening_id, state, level)

    def change(openings: Sequence[Opening], levels: int) -> Iterator[Opening]:
        for one in openings:
            parts = [one] if level is None else by_level(one, levels)
            if not any(_is_called(part, opening_id, level) for part in parts):
                yield one
                continue
            yield from (replace(part, state=state) if _is_called(part, opening_id, level) else part for part in parts)

    return _with_openings(table, change)


def _check_opening(table: Map, opening_id: str, state: State, level: int | None) -> None:
    called = [opening for opening in all_openings(table) if _is_called(opening, opening_id, None)]
    if not called:
        raise unknown("opening", opening_id, sorted({opening.id for opening in all_openings(table) if opening.id}))
    if not any(_is_called(opening, opening_id, level) for opening in called):
        raise WardogsError(f"opening {opening_id} is on level {called[0].level}, not on level {level}: leave the level out")
    if called[0].kind == "gap" and state in ("shut", "locked", "barred"):
        raise WardogsError(f"opening {opening_id} is a gap, which cannot be {state}: barricade it")


def all_openings(table: Map) -> Iterator[Opening]:
    """Those of buildings, of their inner walls and of walls that stand free."""
    for building in table.buildings:
        yield from building.openings
        yield from (opening for wall in building.walls for opening in wall.openings)
    yield from (opening for wall in table.walls for opening in wall.openings)


def by_level(opening: Opening, levels: int) -> list[Opening]:
    """An opening that goes through all levels as one for each: mill-window-1@0, mill-window-1@1."""
    if opening.level is not None or levels < 2:
        return [opening]
    return [replace(opening, id=opening.id and f"{opening.id}@{level}", level=level) for level in range(levels)]


def _is_called(opening: Opening, id_: str, level: int | None) -> bool:
    """By its id, or by the one it had before its levels were told apart."""
    here = level is None or opening.level in (None, level)
    return bool(id_) and here and opening.id in (id_, f"{id_}@{opening.level}")


def _with_openings(table: Map, change: Callable[[Sequence[Opening], int], Iterable[Opening]]) -> Map:
    buildings = [_reopened(building, change, building.levels) for building in table.buildings]
    for k, building in enumerate(buildings):
        walls = [_reopened(wall, change, 1) for wall in building.walls]
        buildings[k] = _replaced(building, walls=_shared(building.walls, walls))
    walls = [_reopened(wall, change, 1) for wall in table.walls]
    return _replaced(table, buildings=_shared(table.buildings, buildings), walls=_shared(table.walls, walls))


def _reopened(piece: Walled, change: Callable[[Sequence[Opening], int], Iterable[Opening]], levels: int) -> Walled:
    return _replaced(piece, openings=_shared(piece.openings, list(change(piece.openings, levels))))


Record = TypeVar("Record", Map, Building, Wall)


def _replaced(record: Record, **fields: Any) -> Record:
    """The same record if none of the fields is another."""
    return record if all(getattr(record, name) is value for name, value in fields.items()) else replace(record, **fields)


def _shared(old: tuple[SomePiece, ...], new: Sequence[SomePiece]) -> tuple[SomePiece, ...]:
    """The old pieces themselves if all are the same."""
    return old if len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True)) else tuple(new)


# Walls ----------------------------------------------------------------------------------------------------------------


class Hole(NamedTuple):
    """Where a wall is to be breached."""

    at: Point
    width: Inches
    height: Inches | None


def breach(table: Map, piece_id: str, at: Point, width: Inches, level: int = 0, height: Inches | None = None) -> Map:
    """A gap in the wall nearest to the point: of a building on a level, of one of its inner walls, or of a free wall.

    It stays within its straight stretch of wall, and takes up the doors and windows that it overlaps.
    """
    if width <= 0:
        raise WardogsError(f"breach of {piece_id} at {said(at)}: its width is {width}: give more than 0")
    hole, taken = Hole(at, width, height), {opening.id for opening in all_openings(table)}
    for building in table.buildings:
        if building.id == piece_id:
            return _swap(table, "buildings", building, _breached_building(building, hole, level, taken))
        for wall in building.walls:
            if wall.id == piece_id:
                _check_stands(building, wall.level)
                walls = _swapped(building.walls, wall, _breached_wall(wall, hole, taken))
                return _swap(table, "buildings", building, replace(building, walls=walls))
    for wall in table.walls:
        if wall.id == piece_id:
            return _swap(table, "walls", wall, _breached_wall(wall, hole, taken))
    raise _no_wall(table, piece_id)


def _no_wall(table: Map, piece_id: str) -> WardogsError:
    inner = [wall for building in table.buildings for wall in building.walls]
    walls = [piece.id for piece in (*table.buildings, *inner, *table.walls) if piece.id]
    if any(piece.id == piece_id for piece in pieces(table)):
        return WardogsError(f"{piece_id} has no wall to breach: there are {', '.join(walls) or 'none'}")
    return unknown("wall", piece_id, walls)


def _breached_building(building: Building, hole: Hole, level: int, taken: set[str]) -> Building:
    _check_stands(building, level)
    openings = [part for opening in building.openings for part in _split_if_hit(building, opening, hole, level)]
    here = [opening for opening in openings if opening.level in (None, level)]
    elsewhere = [opening for opening in openings if opening.level not in (None, level)]
    kept = _breached(here, legs_of_ring(outline(building)), hole, _fresh(f"{building.id}-gap", taken), level)
    return replace(building, openings=(*elsewhere, *kept))


def _check_stands(building: Building, level: int) -> None:
    stands = levels_standing(building)
    if not 0 <= level < stands:
        raise WardogsError(f"{building.id} has no wall on level {level}: {stands} of its levels stand, the lowest is 0")


def _split_if_hit(building: Building, opening: Opening, hole: Hole, level: int) -> list[Opening]:
    """A window that goes through all levels is swallowed on one of them only."""
    legs = legs_of_ring(outline(building))
    spot = place_opening(opening, legs)
    hit = spot is not None and opening.level is None and _overlap(spot, _stretch(hole, legs))
    return by_level(opening, building.levels) if hit else [opening]


def _breached_wall(wall: Wall, hole: Hole, taken: set[str]) -> Wall:
    return replace(wall, openings=tuple(_breached(wall.openings, legs_of_wall(wall), hole, _fresh(f"{wall.id}-gap", taken))))


def _breached(openings: Sequence[Opening], legs: Sequence[Leg], hole: Hole, id_: str, level: int | None = None) -> list[Opening]:
    """The openings of a row of walls with the gap among them, without those that it swallows."""
    stretch = _stretch(hole, legs)
    spots = [(opening, place_opening(opening, legs)) for opening in openings]
    lost = [(opening, spot) for opening, spot in spots if spot is not None and _overlap(spot, stretch)]
    start, end = min([stretch.start, *(spot.start for _, spot in lost)]), max([stretch.end, *(spot.end for _, spot in lost)])
    gap = Opening(
        id=id_, kind="gap", at=along(legs[stretch.leg], (start + end) / 2), width=end - start, level=level,
        head=_head(hole, [opening for opening, _ in lost]),
    )  # fmt: skip
    gone = [opening for opening, _ in lost]
    return [*(opening for opening in openings if not any(opening is one for one in gone)), gap]


def _head(hole: Hole, lost: Sequence[Opening]) -> Inches | None:
    """As high as the hole, or as the highest that it swallows; none: up to the top of the wall."""
    heads = [hole.height, *(span(opening)[1] for opening in lost)]
    known = [head for head in heads if head is not None]
    return max(known) if len(known) == len(heads) else None


def _stretch(hole: Hole, legs: Sequence[Leg]) -> Placed:
    """The hole on the nearest leg, moved and narrowed to lie within it."""
    nearest = min(range(len(legs)), key=lambda k: distance(hole.at, legs[k]))
    room = length(legs[nearest])
    width = min(hole.width, room)
    middle = min(max(how_far(hole.at, legs[nearest]), width / 2), room - width / 2)
    return Placed(nearest, middle - width / 2, middle + width / 2)


def _overlap(a: Placed, b: Placed) -> bool:
    """By more than a thou: openings may stand side by side."""
    return a.leg == b.leg and thou(min(a.end, b.end)) - thou(max(a.start, b.start)) > 1


# Buildings ------------------------------------------------------------------------------------------------------------


def collapse(table: Map, building_id: str, level: int) -> Map:
    """All from this level up falls; what has fallen stays so."""
    building = _find("building", table.buildings, building_id)
    if level < 0:
        raise WardogsError(f"{building_id} cannot collapse to level {level}: its lowest is 0")
    return _swap(table, "buildings", building, replace(building, standing=min(levels_standing(building), level)))


def burn(table: Map, building_id: str, on: bool = True) -> Map:
    """Set a building on fire, or put it out."""
    building = _find("building", table.buildings, building_id)
    return _swap(table, "buildings", building, replace(building, burning=on))


# Areas and things -----------------------------------------------------------------------------------------------------


def add_area(table: Map, area: Area) -> Map:
    """Smoke, fire, rubble; one without an id gets one."""
    return replace(table, areas=(*table.areas, _named(table, area, "area")))


def add_thing(table: Map, thing: Thing) -> Map:
    return replace(table, things=(*table.things, _named(table, thing, "thing")))


def move_area(table: Map, area_id: str, by: Point) -> Map:
    """Smoke drifts: the area lies elsewhere, by so many inches east and north."""
    area = _find("area", table.areas, area_id)
    return _swap(table, "areas", area, _moved(area, by))


def remove(table: Map, piece_id: str) -> Map:
    """Take a piece off the table: smoke that is gone, a wreck that is towed away."""
    found = _find("piece", pieces(table), piece_id)
    group = next(group for group in GROUPS if any(piece is found for piece in getattr(table, group)))
    return replace(table, **{group: tuple(piece for piece in getattr(table, group) if piece is not found)})


def _moved(area: Area, by: Point) -> Area:
    dx, dy = by
    if area.circle:
        x, y, radius = area.circle
        return replace(area, circle=(_thous(x + dx), _thous(y + dy), radius))
    if area.rect:
        left, lower, right, upper = area.rect
        return replace(area, rect=(_thous(left + dx), _thous(lower + dy), _thous(right + dx), _thous(upper + dy)))
    return replace(area, polygon=tuple((_thous(x + dx), _thous(y + dy)) for x, y in area.polygon or ()))


def _thous(figure: Inches) -> Inches:
    """On the grid, so that drifting to and fro comes back."""
    return inches(thou(figure))


# Finding and replacing ------------------------------------------------------------------------------------------------


def _find(word: str, group: Iterable[SomePiece], id_: str) -> SomePiece:
    known = {piece.id: piece for piece in group if piece.id}
    if id_ not in known:
        raise unknown(word, id_, known)
    return known[id_]


def _swap(table: Map, group: str, old: Piece, new: Piece) -> Map:
    return replace(table, **{group: _swapped(getattr(table, group), old, new)})


def _swapped(group: tuple[SomePiece, ...], old: Piece, new: SomePiece) -> tuple[SomePiece, ...]:
    return tuple(new if piece is old else piece for piece in group)


def _named(table: Map, piece: SomePiece, word: str) -> SomePiece:
    taken = {one.id for one in pieces(table)}
    if piece.id and piece.id in taken:
        raise WardogsError(f"{table.name}: has a piece {piece.id} already: give the new {word} another id")
    return piece if piece.id else replace(piece, id=_fresh(word, taken))


def _fresh(stem: str, taken: set[str]) -> str:
    return next(id_ for n in count(1) if (id_ := f"{stem}-{n}") not in taken)
