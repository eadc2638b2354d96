"""Rooms: the spaces that the walls of a building enclose, level by level, and the openings between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import shapely

from wardogs.kernel.errors import unknown
from wardogs.table.faces import floor_of, leaf, levels_standing, wall_height
from wardogs.table.kinds import Catalogue
from wardogs.table.model import Building, Opening, Wall
from wardogs.table.openings import Leg, along, legs_of_ring, legs_of_wall, length, line_points, place_opening
from wardogs.table.shapes import outline
from wardogs.table.units import Inches, Place, Point, inches, thou

PARTS = 1.0  # inches: lower inner walls do not part rooms
NEAR = 0.05  # inches that an inner wall may end short of the wall that it leans on
BESIDE = 0.1  # inches to either side of an opening where its two rooms are looked for
THRESHOLD = 0.5
SLIVER = 100  # thous: what is narrower, between walls that all but lie on each other, is no room


class Way(NamedTuple):
    """An opening on the rim of a room."""

    opening: str
    to: str  # the room on the other side; nothing for outdoors
    start: Point
    end: Point
    is_open: bool  # nothing fills it now


class Room(NamedTuple):
    id: str  # B1/0/1: building, level, number from the left
    name: str
    level: int
    floor: Inches
    height: Inches
    polygon: shapely.Polygon  # in inches
    openings: tuple[Way, ...] = ()

    def holds(self, place: Place) -> bool:
        """Is the point in it, its rim included?"""
        return self.is_level(place[2]) and self.off(place) <= 0

    def is_level(self, z: Inches) -> bool:
        return thou(self.floor) <= thou(z) < thou(self.floor + self.height)

    def off(self, place: Sequence[float]) -> int:
        """How far, in plan, a point lies outside; in thous."""
        return thou(self.polygon.distance(shapely.Point(place[:2])))


class Cut(NamedTuple):
    """An opening and the stretch of wall it takes."""

    opening: Opening
    start: Point
    end: Point

    @property
    def sides(self) -> tuple[Point, Point]:
        """A point to the left of its middle and one to the right."""
        (ax, ay), (bx, by) = self.start, self.end
        far, (x, y) = length((self.start, self.end)) or 1.0, ((ax + bx) / 2, (ay + by) / 2)
        dx, dy = BESIDE * (ay - by) / far, BESIDE * (bx - ax) / far
        return (x + dx, y + dy), (x - dx, y - dy)


def rooms(building: Building, kinds: Catalogue) -> tuple[Room, ...]:
    """The rooms of every level that stands."""
    return tuple(room for level in range(levels_standing(building)) for room in _on_level(building, kinds, level))


def room_at(found: Sequence[Room], place: Place, threshold: Inches = THRESHOLD) -> list[Room]:
    """The rooms that a point is in: by an open opening, that on either side; none outdoors."""
    return [room for room in found if room.holds(place) or (room.is_level(place[2]) and _on_threshold(room, place, threshold))]


def neighbours(found: Sequence[Room], room_id: str) -> list[str]:
    """The rooms that some opening joins to this one; outdoors is not among them."""
    room = next((room for room in found if room.id == room_id), None)
    if room is None:
        raise unknown("room", room_id, [room.id for room in found])
    return sorted({way.to for way in room.openings if way.to})


def _on_threshold(room: Room, place: Place, threshold: Inches) -> bool:
    spot = shapely.Point(place[:2])
    lines = [shapely.LineString([way.start, way.end]) for way in room.openings if way.is_open]
    return any(thou(line.distance(spot)) <= thou(threshold) for line in lines)


# Finding them ---------------------------------------------------------------------------------------------------------


def _on_level(building: Building, kinds: Catalogue, level: int) -> list[Room]:
    walls = [wall for wall in building.walls if wall.level == level and _parts(wall, kinds, building)]
    floor, height = floor_of(building, level), building.storey
    found = [
        Room(f"{building.id}/{level}/{n}", _name(building, level, shape), level, floor, height, shape)
        for n, shape in enumerate(_spaces(building, walls), 1)
    ]
    cuts = list(_cuts(building, walls, level))
    return [room._replace(openings=tuple(_ways(room, found, cuts))) for room in found]


def _parts(wall: Wall, kinds: Catalogue, building: Building) -> bool:
    return thou(wall_height(wall, kinds, building.storey)) >= thou(PARTS)


def _spaces(building: Building, walls: Sequence[Wall]) -> list[shapely.Polygon]:
    """The enclosed spaces, from left to right and from the bottom up; counted in thous, told in inches."""
    rim = shapely.Polygon([_thous(point) for point in outline(building)])
    lines = [rim.exterior, *(shapely.LineString([_thous(point) for point in _reaching(wall)]) for wall in walls)]
    faces = shapely.polygonize([shapely.unary_union(lines)]).geoms
    inside = [face for face in faces if not face.buffer(-SLIVER / 2).is_empty and rim.covers(face.representative_point())]
    return [_in_inches(face) for face in sorted(inside, key=lambda face: tuple(round(side) for side in face.bounds))]


def _reaching(wall: Wall) -> list[Point]:
    """The wall's points, its ends moved out a little so that it meets what it leans on; what sticks out encloses nothing."""
    points = line_points(wall.line)
    return [_beyond(points[1], points[0]), *points[1:-1], _beyond(points[-2], points[-1])]


def _beyond(a: Point, b: Point) -> Point:
    return along((a, b), length((a, b)) + NEAR)


def _thous(point: Point) -> Point:
    return thou(point[0]), thou(point[1])


def _in_inches(face: shapely.Polygon) -> shapely.Polygon:
    """On the grid of thous again, where walls were cut between its points."""
    rings = [[(inches(round(x)), inches(round(y))) for x, y in ring.coords] for ring in (face.exterior, *face.interiors)]
    return shapely.Polygon(rings[0], rings[1:])


def _name(building: Building, level: int, shape: shapely.Polygon) -> str:
    return next((name.name for name in building.rooms if name.level == level and shape.covers(shapely.Point(name.at))), "")


def _cuts(building: Building, walls: Sequence[Wall], level: int) -> Iterator[Cut]:
    here = [opening for opening in building.openings if opening.level in (None, level)]
    yield from _cut(here, legs_of_ring(outline(building)))
    for wall in walls:
        yield from _cut(wall.openings, legs_of_wall(wall))


def _cut(openings: Sequence[Opening], legs: Sequence[Leg]) -> Iterator[Cut]:
    for opening in openings:
        if spot := place_opening(opening, legs):
            yield Cut(opening, along(legs[spot.leg], spot.start), along(legs[spot.leg], spot.end))


def _ways(room: Room, found: Sequence[Room], cuts: Sequence[Cut]) -> Iterator[Way]:
    """The openings with this room on just one side of them."""
    for cut in cuts:
        sides = [next((one.id for one in found if one.off(side) <= 0), "") for side in cut.sides]
        if room.id in sides and sides[0] != sides[1]:
            to = sides[1] if sides[0] == room.id else sides[0]
            yield Way(cut.opening.id, to, cut.start, cut.end, leaf(cut.opening) is None)
