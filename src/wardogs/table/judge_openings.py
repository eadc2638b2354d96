"""Are doors, windows and gaps sound: on a wall that has room for them, below its top, clear of each other?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import shapely
from msgspec.structs import astuple

from wardogs.table.faces import span
from wardogs.table.judging import Faults, each, known_faults, tame
from wardogs.table.kinds import Catalogue
from wardogs.table.model import Opening
from wardogs.table.openings import NEAR, SIDES, SLACK, Leg, Placed, along, distance, how_far, length, middle, place_openings
from wardogs.table.units import Inches, Point, thou
from wardogs.table.words import called, place, short
from wardogs.table.words import length as inches


class Side(NamedTuple):
    """A row of walls with openings in it."""

    legs: Sequence[Leg]
    height: Inches
    levels: range
    is_rect: bool


def opening_faults(openings: Sequence[Opening], side: Side, kinds: Catalogue) -> Faults:
    """Each by itself, then those that are on no wall, then those that overlap."""
    yield from (f", {fault}" for fault in each("opening", openings, lambda one: _opening_alone(one, side, kinds)))
    sound = [(n, one) for n, one in enumerate(openings, 1) if tame(astuple(one)) and thou(one.width) > 0]
    places = place_openings([one for _, one in sound], side.legs)
    found = [(n, one, spot) for (n, one), spot in zip(sound, places, strict=True)]
    yield from _lost([(n, one, at) for n, one, spot in found if not spot and (at := middle(one, side.legs))], side)
    yield from _crossed([(n, one, spot) for n, one, spot in found if spot], side.levels)


def _lost(openings: Sequence[tuple[int, Opening, Point]], side: Side) -> Faults:
    """Openings on no wall, with the nearest place for each."""
    if not openings:
        return
    tree = shapely.STRtree(shapely.linestrings(side.legs))
    nearest = tree.nearest(shapely.points([at for _, _, at in openings])).tolist()
    for (n, one, at), k in zip(openings, nearest, strict=True):
        leg = side.legs[SIDES.index(one.side) if one.side and side.is_rect else k]
        yield f", {called('opening', n, one.id)}: {_misplaced(one, at, leg)}"


def _opening_alone(one: Opening, side: Side, kinds: Catalogue) -> Faults:
    if thou(one.width) <= 0:
        yield f"width is {short(one.width)}: write more than 0"
    if one.material:
        yield from known_faults("material", one.material, kinds)
    if one.side and not side.is_rect:
        yield f'side "{one.side}" is for the walls of a rectangle: leave it out and write at = [x, y], a point on the wall'
    elif middle(one, side.legs) is None:
        yield f'at = {one.at} needs a side: write side = "N", or at = [x, y]'
    if one.level is not None and one.level not in side.levels:
        yield f"level is {one.level}: its wall has {levels_said(side.levels)}"
    if one.kind == "gap" and (one.material or one.state in ("shut", "locked", "barred")):
        yield "a gap has nothing to shut: leave state and material out, or make it a door"
    yield from _span_faults(one, side.height)


def levels_said(levels: range) -> str:
    return f"level {levels[0]}" if len(levels) == 1 else f"levels {levels[0]} to {levels[-1]}"


def _span_faults(one: Opening, height: Inches) -> Faults:
    """A head that is not told ends with the wall."""
    sill, usual = span(one)
    head = one.head if one.head is not None else min(usual or height, height)
    if sill < 0:
        yield f"sill is {short(sill)}: write 0 or more, above the floor"
    if thou(head) > thou(height):
        yield f"head {short(head)} is above the wall, which is {short(height)} high: write {short(height)} or less"
    elif thou(sill) >= thou(head):
        yield f"sill {short(sill)} is not below head {short(head)} (the wall is {short(height)} high): lower the sill"


def _misplaced(one: Opening, at: Point, leg: Leg) -> str:
    wall, room = f"the wall from {place(leg[0])} to {place(leg[1])}", length(leg)
    if one.width > room + SLACK:
        return f"is {short(one.width)} wide, but {wall} is only {short(room)} long: make it narrower"
    fits = along(leg, min(max(how_far(at, leg), one.width / 2), room - one.width / 2))
    why = f"lies {inches(far)} off" if (far := distance(at, leg)) > NEAR else "sticks out of"
    return f"{one.kind} at {place(at)} {why} {wall}: move its middle to {place(fits)}"


def _crossed(openings: Sequence[tuple[int, Opening, Placed]], levels: range) -> Faults:
    """Openings that overlap another of the same wall and level, each pair once."""
    rows: dict[tuple[int, int], list[tuple[Inches, Inches, str]]] = {}
    for n, one, spot in openings:
        for level in levels if one.level is None else (one.level,):
            rows.setdefault((spot.leg, level), []).append((spot.start, spot.end, called("opening", n, one.id)))
    yield from dict.fromkeys(fault for row in rows.values() for fault in _overlaps(sorted(row)))


def _overlaps(row: Sequence[tuple[Inches, Inches, str]]) -> Faults:
    """Along one wall: each opening against the one before it that reaches farthest."""
    last = row[0]
    for one in row[1:]:
        if (shared := min(one[1], last[1]) - one[0]) > SLACK:
            yield f", {one[2]}: overlaps {last[2]} by {inches(shared)}: move one of them"
        last = max(last, one, key=lambda spot: spot[1])
