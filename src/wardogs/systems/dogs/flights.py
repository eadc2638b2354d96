"""How things fly and where they come down: straight, over walls, through openings, onto floors and roofs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import hypot
from typing import NamedTuple

import shapely
from msgspec import Struct

from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.darkness import has_night_eyes
from wardogs.systems.dogs.data import BODY, SIGHTING, load
from wardogs.systems.dogs.ground import table_now, terrain_now
from wardogs.systems.dogs.masonry import footprints, house_now, inside_of, nearest_on
from wardogs.systems.dogs.measure import gap_to, within
from wardogs.systems.dogs.memory import kept_with
from wardogs.systems.dogs.seeing import eye, looks
from wardogs.systems.dogs.state import Fight, Model
from wardogs.systems.dogs.ways import MODES
from wardogs.table.changes import all_openings
from wardogs.table.faces import leaf, span
from wardogs.table.model import Building, Opening
from wardogs.table.reach import graph_of
from wardogs.table.rooms import Room, Way, rooms
from wardogs.table.templates import flight_stop
from wardogs.table.terrain import Same, Terrain
from wardogs.table.units import Inches, Place, Point


class Figures(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    burst_height: float
    beside_opening: float
    off_the_wall: float
    lattice: float
    mark_slack: float
    source: Source


FLIGHT = load("throwing.toml", "flight", Figures)
SKY = 1000.0  # inches: above everything on the table


def exact(place: Place) -> Place:
    """So fine that what lies just on the limit of a ring stays there, whatever the angle."""
    return round(place[0], 7), round(place[1], 7), round(place[2], 7)


def told(place: Place | None) -> Place | None:
    """As a report has it."""
    return None if place is None else (round(place[0], 3), round(place[1], 3), round(place[2], 3))


# ---- straight flight -----------------------------------------------------------------------------------------------


def lifted(place: Place) -> Place:
    """A little above the ground: where a burst is, and where a thing flies that has come down."""
    return place[0], place[1], place[2] + FLIGHT.burst_height


def stopped(g: Fight, start: Place, end: Place) -> Place:
    """The end of a flight, or where the first wall stops it; panes of glass do not."""
    terrain = terrain_now(g)
    return flight_stop(terrain, start, end, _panes(terrain))


def flies(g: Fight, start: Place, end: Place) -> bool:
    return flies_over(terrain_now(g), start, end)


@kept_with
def flies_over(terrain: Terrain, start: Place, end: Place) -> bool:
    """Is nothing in the way of a straight flight?"""
    return flight_stop(terrain, start, end, _panes(terrain)) == end


@kept_with
def _panes(terrain: Terrain) -> frozenset[str]:
    return frozenset(name for name in terrain.kinds if terrain.kind(name).sight == "glass")


def surfaces_at(g: Fight, point: Point) -> list[Inches]:
    """The heights of the ground and of all floors and roofs at a point."""
    return graph_of(table_now(g), MODES["walk"]).ground.heights_at(point)


def landed(g: Fight, place: Place) -> Place:
    """Where a thing comes to lie that falls at a place: the first floor, roof or ground under it."""
    heights = surfaces_at(g, place[:2])
    below = [z for z in heights if z <= place[2] + FLIGHT.mark_slack]
    return exact((place[0], place[1], max(below, default=min(heights))))


def on_a_surface(g: Fight, place: Place) -> bool:
    """Is a mark on the table, and on a floor, a roof or the ground?"""
    wide, high = g.terms.map.size
    if not (0 <= place[0] <= wide and 0 <= place[1] <= high):
        return False
    return any(abs(place[2] - z) <= FLIGHT.mark_slack for z in surfaces_at(g, place[:2]))


# ---- houses ------------------------------------------------------------------------------------------------------------


class Within(NamedTuple):
    """Where a place is: outdoors, on the roof of a building, or in a room on one of its levels."""

    building: str = ""
    roof: bool = False
    level: int = 0
    room: str = ""


def within_what(g: Fight, at: Place) -> Within:
    if (found := inside_of(g, at)) is not None:
        house, level = found
        room = next((room.id for room in rooms_of(g, house) if room.holds(at)), "")
        return Within(house.id, False, level, room)
    for house, stands, ground in footprints(g):
        if stands and at[2] > house.base and ground.holds(at[0], at[1]):
            return Within(house.id, True)
    return Within()


def rooms_of(g: Fight, house: Building) -> tuple[Room, ...]:
    return _rooms(Same(table_now(g)), house.id)


@lru_cache(maxsize=256)
def _rooms(same: Same, building: str) -> tuple[Room, ...]:
    house = next(house for house in same.map.buildings if house.id == building)
    return rooms(house, same.map.catalogue)


def room_called(g: Fight, id_: str) -> Room | None:
    house = house_now(g, id_.partition("/")[0])
    return next((room for room in rooms_of(g, house) if room.id == id_), None) if house else None


class Gap(NamedTuple):
    """An opening that a grenade can go through: a point before it on either side, at half its height, and how far it is."""

    inner: Place
    outer: Place
    far: Inches


def gaps_of(g: Fight, man: Model, room: Room, outdoors: bool = False) -> Iterator[Gap]:
    """The openings of a room, or those of them that lead outdoors, unless something solid fills them."""
    table = table_now(g)
    for way in room.openings:
        opening = _opening_of(g, way, room.level)
        if opening is None or (outdoors and way.to):
            continue
        filling = leaf(opening)
        if filling is None or table.catalogue[filling].sight in ("open", "glass"):
            yield _gap(man, room, way, opening)


def _opening_of(g: Fight, way: Way, level: int) -> Opening | None:
    found = [opening for opening in all_openings(table_now(g)) if opening.id == way.opening]
    return next((opening for opening in found if opening.level in (None, level)), None)


def _gap(man: Model, room: Room, way: Way, opening: Opening) -> Gap:
    (ax, ay), (bx, by) = way.start, way.end
    x, y, wide = (ax + bx) / 2, (ay + by) / 2, hypot(bx - ax, by - ay)
    sill, head = span(opening)
    z = room.floor + (sill + min(head if head is not None else room.height, room.height)) / 2
    dx, dy = FLIGHT.off_the_wall * (ay - by) / wide, FLIGHT.off_the_wall * (bx - ax) / wide
    sides = ((x + dx, y + dy, z), (x - dx, y - dy, z))
    inner, outer = sides if room.off(sides[0]) <= 0 else (sides[1], sides[0])
    at = nearest_on(man.at, (way.start, way.end))
    rise = max(0.0, room.floor + sill - man.at[2] - BODY.height)
    return Gap(inner, outer, hypot(max(0.0, hypot(at[0] - man.at[0], at[1] - man.at[1]) - BODY.base / 2), rise))


# ---- the way of a throw ------------------------------------------------------------------------------------------------


class Flight(NamedTuple):
    """How a throw gets to its mark."""

    reaches: bool
    difficult: bool = False  # DOW-GRN-06
    through: Gap | None = None  # DOW-GRN-07
    room: str = ""  # the room that the mark is in, if it goes in through an opening

    @property
    def sure(self) -> bool:
        """DOW-GRN-07: beside the opening it goes through."""
        return self.through is not None and within(self.through.far, FLIGHT.beside_opening)


def flight_of(g: Fight, man: Model, mark: Place) -> Flight:
    """DOW-GRN-03, -06, -07: straight over open ground; else over what is in the way, or through an opening."""
    here, there = within_what(g, man.at), within_what(g, mark)
    straight = flies(g, eye(man), lifted(mark))
    if here == there:
        return Flight(True, not straight)
    if there.room and not _open_above(g, there):
        return _into(g, man, mark, there.room)
    if here.room and not _open_above(g, here):
        return _out_of(g, man, here.room, straight)
    return Flight(True, True) if there.building else Flight(True, not straight)


def _open_above(g: Fight, at: Within) -> bool:
    house = house_now(g, at.building)
    return house is not None and not house.roof and at.level == house.levels - 1


def _into(g: Fight, man: Model, mark: Place, room_id: str) -> Flight:
    room = room_called(g, room_id)
    found = [] if room is None else list(gaps_of(g, man, room))
    for gap in sorted(found, key=lambda gap: gap.far):
        if _comes_to(g, man, gap.outer, gap.far) and flies(g, gap.inner, lifted(mark)):
            return Flight(True, True, gap, room_id)
    return Flight(False)


def _out_of(g: Fight, man: Model, room_id: str, straight: bool) -> Flight:
    """DOW-GRN-06, -07: through an opening that leads outdoors; beyond an inner door only what lies in a straight line."""
    room = room_called(g, room_id)
    found = [] if room is None else list(gaps_of(g, man, room, outdoors=True))
    for gap in sorted(found, key=lambda gap: gap.far):
        if _comes_to(g, man, gap.inner, gap.far):
            return Flight(True, True, gap)
    return Flight(straight, straight)


def _comes_to(g: Fight, man: Model, side: Place, far: Inches) -> bool:
    """A man beside an opening reaches in; from farther off it must be in the way of a straight throw."""
    return within(far, FLIGHT.beside_opening) or flies(g, eye(man), side)


def kept_inside(room: Room, start: Place, end: Place) -> Place:
    """DOW-GRN-07: what was surely put into a room stays in it."""
    line = shapely.LineString([start[:2], end[:2]])
    if line.length == 0 or room.off(end) <= 0:
        return end
    part = line.intersection(room.polygon)
    far = max(0.0, min(part.length, line.length) - FLIGHT.off_the_wall)
    point = line.interpolate(far)
    return exact((point.x, point.y, end[2]))


def sees_spot(g: Fight, man: Model, spot: Place) -> bool:
    """A point of the ground in the line of sight, whichever way he faces: by night within ten inches, or with goggles."""
    if g.terms.night and not within(gap_to(man, spot), SIGHTING.darkness) and not has_night_eyes(g, man):
        return False
    return looks(g, man, Model("", man.side, at=spot)).base >= SIGHTING.half
