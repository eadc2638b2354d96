"""Walls, ledges and brinks near a man: what he could climb, cross or drop from, and where he would stand then."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import dist
from typing import Any, NamedTuple, TypeAlias

import shapely
from msgspec import Struct
from shapely.geometry import Point as Dot

from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.data import BODY, load
from wardogs.systems.dogs.figures import MOVES
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.measure import CLOSE, within
from wardogs.systems.dogs.memory import kept_with
from wardogs.systems.dogs.seeing import hull
from wardogs.systems.dogs.state import Fight, Model
from wardogs.systems.dogs.ways import MODES, is_inside
from wardogs.table.graph import Graph, ladders
from wardogs.table.ground import polygon
from wardogs.table.model import Hill, Ladder, Pit
from wardogs.table.reach import graph_of
from wardogs.table.shapes import box
from wardogs.table.units import Inches, Place, Point, inches


class Climbing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    reach: Inches
    beside: Inches
    step: Inches
    thick: Inches
    thick_low: Inches
    stair: Inches
    head_room: Inches
    mountaineer_per_inch: int
    rappel: Inches
    run_up_slack: Inches
    source: Source


CLIMBING = load("climbing.toml", "climbing", Climbing)
RADIUS = BODY.base / 2
OFF = RADIUS + CLIMBING.beside  # from a face to the middle of a base beside it


class Face(NamedTuple):
    """A stretch of wall, ledge or brink, in inches; a brink has no height of its own."""

    a: Point
    b: Point
    bottom: Inches
    top: Inches
    fills: str = ""  # "shut window", if it is what fills an opening
    opening: str = ""

    @property
    def length(self) -> Inches:
        return dist(self.a, self.b)


class Way(NamedTuple):
    """Over a face: from beside it, over its crest, to where he stands behind it."""

    near: Place
    far: Place
    crest: Inches
    ladder: bool = False

    @property
    def up(self) -> Inches:
        return max(0.0, self.crest - self.near[2])

    @property
    def down(self) -> Inches:
        return max(0.0, self.crest - self.far[2])


def graph_now(g: Fight) -> Graph:
    return graph_of(table_now(g), MODES["walk"])


@kept_with
def faces_on(graph: Graph) -> tuple[Face, ...]:
    """Every wall and ledge, and the brinks of roofs, slabs, hills and pits."""
    solid = [
        Face(_point(p.a), _point(p.b), inches(p.bottom), inches(p.top), p.fills, p.opening) for p in graph.panels if p.a != p.b
    ]
    shapes = [(surface.shape, inches(surface.z)) for surface in graph.surfaces[1:]]
    grounds: list[Hill | Pit] = [*graph.map.hills, *graph.map.pits]
    shapes += [(polygon(piece), piece.height if isinstance(piece, Hill) else 0.0) for piece in grounds]
    return (*solid, *(Face(a, b, z, z) for shape, z in shapes for a, b in _brinks(shape)))


def _point(corner: tuple[int, int]) -> Point:
    return inches(corner[0]), inches(corner[1])


def _brinks(shape: Any) -> Iterator[tuple[Point, Point]]:
    for ring in shapely.get_parts(shape.boundary):
        yield from ((a, b) for a, b in pairwise([(float(x), float(y)) for x, y in ring.coords]) if a != b)


def near_faces(graph: Graph, at: Place, reach: Inches) -> Iterator[tuple[Face, Point, Point]]:
    """The faces so near to a base; each with the point where he would meet it, and the direction across it, away from him."""
    far = reach + RADIUS + CLOSE
    for face in faces_about(graph, (at[0] - far, at[1] - far), (at[0] + far, at[1] + far)):
        meets = _meeting(face, at)
        dx, dy = (face.b[0] - face.a[0]) / face.length, (face.b[1] - face.a[1]) / face.length
        side = dx * (at[1] - face.a[1]) - dy * (at[0] - face.a[0])
        across = (dy, -dx) if side > 0 else (-dy, dx)
        if within(dist(meets, at[:2]), RADIUS + reach):
            yield face, meets, across


def _meeting(face: Face, at: Place) -> Point:
    """The nearest point of a face, far enough from its ends for a base if it is long enough."""
    (ax, ay), (bx, by), far = face.a, face.b, face.length
    along = ((at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)) / far
    along = min(max(along, RADIUS), far - RADIUS) if far >= BODY.base else far / 2
    return ax + along * (bx - ax) / far, ay + along * (by - ay) / far


def is_step(a: Inches, b: Inches) -> bool:
    """Is the rise from one height to another no climb?"""
    return within(abs(a - b), CLIMBING.step)


def exact(figure: Inches) -> Inches:
    """To the thousandth of an inch, as a table is measured."""
    return round(figure, 3)


def shifted(point: Point, across: Point, far: Inches) -> Point:
    return exact(point[0] + across[0] * far), exact(point[1] + across[1] * far)


# ---- where there is room ---------------------------------------------------------------------------------------------


def floors(graph: Graph, point: Point) -> list[Inches]:
    """The heights on which one could stand at a point of the plan, the lowest first; none over the edge of the table."""
    return sorted(set(graph.ground.heights_at(point))) if is_inside(graph.map, point) else []


def is_free(g: Fight, man: Model, place: Place) -> bool:
    """Is nobody else there, and no vehicle?"""
    taken = any(
        other.living and other.id not in (man.id, man.carrying, man.leading) and _overlap(other.at, place)
        for other in g.state.models
    )
    return not taken and not any(_under(g, place))


def _overlap(a: Place, b: Place) -> bool:
    return dist(a[:2], b[:2]) < BODY.base - CLIMBING.beside / 10 and abs(a[2] - b[2]) < BODY.height


def _under(g: Fight, place: Place) -> Iterator[bool]:
    for vehicle in g.state.vehicles:
        if vehicle.there and not vehicle.altitude:
            one = hull(vehicle)
            yield shapely.Polygon(box((one.at[0], one.at[1]), one.size, one.facing)).distance(Dot(place[:2])) < RADIUS


def open_above(graph: Graph, point: Point, low: Inches, high: Inches) -> bool:
    """Does no floor or roof hang over a point between two heights?"""
    return _open_over(floors(graph, point), low, high)


def _open_over(heights: list[Inches], low: Inches, high: Inches) -> bool:
    return not any(low + CLIMBING.step < z < high + CLIMBING.head_room for z in heights)


def crest_between(graph: Graph, a: Point, b: Point, least: Inches) -> Inches:
    """The top of the highest wall or ledge between two points; a brink is where something ends, and nothing to get over."""
    return max([least, *(wall.top for wall in walls_about(graph, a, b) if lies_between(wall, a, b))])


def walls_about(graph: Graph, a: Point, b: Point) -> list[Face]:
    return [face for face in faces_about(graph, a, b) if face.top > face.bottom]


def faces_about(graph: Graph, a: Point, b: Point) -> list[Face]:
    """Those whose box meets the box of a line: all that it could touch."""
    west, east, south, north = _box(a, b)
    faces, cells, boxes = faces_on(graph), _cells(graph), _boxes(graph)
    columns, rows = range(int(west // CELL), int(east // CELL) + 1), range(int(south // CELL), int(north // CELL) + 1)
    near = sorted({k for column in columns for row in rows for k in cells.get((column, row), ())})
    return [faces[k] for k in near if _meet(boxes[k], (west, east, south, north))]


Box: TypeAlias = tuple[Inches, Inches, Inches, Inches]  # west, east, south, north


def _meet(one: Box, other: Box) -> bool:
    return one[0] <= other[1] and one[1] >= other[0] and one[2] <= other[3] and one[3] >= other[2]


@kept_with
def _boxes(graph: Graph) -> list[Box]:
    return [_box(face.a, face.b) for face in faces_on(graph)]


def _box(a: Point, b: Point) -> Box:
    return min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1])


@kept_with
def _cells(graph: Graph) -> dict[tuple[int, int], list[int]]:
    """The numbers of the faces whose box meets each piece of the table."""
    found: dict[tuple[int, int], list[int]] = {}
    for k, (west, east, south, north) in enumerate(_boxes(graph)):
        for column in range(int(west // CELL), int(east // CELL) + 1):
            for row in range(int(south // CELL), int(north // CELL) + 1):
                found.setdefault((column, row), []).append(k)
    return found


CELL = 3.0  # inches: a piece of the table


def lies_between(face: Face, a: Point, b: Point) -> bool:
    """Does a line meet a face? Touching counts."""
    if not _meet(_box(face.a, face.b), _box(a, b)):
        return False
    parted = _turn(a, b, face.a) * _turn(a, b, face.b) > 0
    return not parted and _turn(face.a, face.b, a) * _turn(face.a, face.b, b) <= 0


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# ---- ways over -------------------------------------------------------------------------------------------------------


def ways_over(g: Fight, man: Model) -> list[Way]:
    """All ways from where he stands or clings: over walls, onto ledges and roofs, down from them, up and down ladders."""
    return [way for way in _ways(graph_now(g), man.at, man.climbing) if is_free(g, man, way.far)]


@kept_with
def _ways(graph: Graph, at: Place, hangs: Inches) -> tuple[Way, ...]:
    """The same as if nobody else were there: it hangs on the terrain alone."""
    found = dict[tuple[Place, bool], Way]()
    reach = CLIMBING.beside if hangs else CLIMBING.reach
    for face, meets, across in near_faces(graph, at, reach):
        if not face.fills:
            for way in _over(graph, at, hangs, meets, across):
                found.setdefault((way.far, False), way)
    for ladder in ladders(graph.map):
        for way in _ladder_ways(graph, at, hangs, ladder):
            found.setdefault((way.far, True), way)
    return tuple(found.values())


def _over(graph: Graph, at: Place, hangs: Inches, meets: Point, across: Point) -> Iterator[Way]:
    """The first place behind the face on each level there."""
    near, levels, z = (*shifted(meets, across, -OFF), at[2]), set[Inches](), at[2]
    if not hangs and not reaches(graph, at, near):
        return
    before = floors(graph, near[:2])
    spots = [shifted(meets, across, OFF + k * CLIMBING.stair) for k in range(int((CLIMBING.thick - OFF) / CLIMBING.stair) + 1)]
    walls = walls_about(graph, near[:2], spots[-1])
    for spot in spots:
        behind = floors(graph, spot)
        for level in behind:
            far = (*spot, level)
            if level in levels or not graph.stands(far):
                continue
            crest = max([z, level, *(wall.top for wall in walls if lies_between(wall, near[:2], spot))])
            level_way = is_step(level, z) and is_step(crest, z)
            if level_way or not _is_low_enough(crest, level, z, hangs):
                continue
            if _open_over(before, z, crest) and _open_over(behind, level, crest):
                levels.add(level)
                yield Way(near, far, exact(crest))


def _is_low_enough(crest: Inches, level: Inches, z: Inches, hangs: Inches) -> bool:
    """From one level to another only over a parapet; between two of a height over any wall."""
    return is_step(level, z - hangs) or within(crest, max(level, z) + MOVES.low_wall)


def reaches(graph: Graph, at: Place, near: Place) -> bool:
    """Can he step beside the face from where he is?"""
    low, high = at[2] + CLIMBING.step, at[2] + BODY.height
    walls = (face for face in faces_about(graph, at[:2], near[:2]) if face.top > low and face.bottom < high)
    blocked = any(lies_between(face, at[:2], near[:2]) for face in walls)
    return not blocked and any(is_step(z, at[2]) for z in floors(graph, near[:2]))


# ---- ladders ---------------------------------------------------------------------------------------------------------


def on_ladder(g: Fight, man: Model) -> bool:
    """DOW-MOV-21: does he hang on a ladder, and not on a bare face?"""
    return any(_is_on(man.at, man.climbing, ladder) for ladder in ladders(graph_now(g).map))


def _is_on(at: Place, hangs: Inches, ladder: Ladder) -> bool:
    return bool(hangs) and within(dist(ladder.at, at[:2]), CLIMBING.beside)


def _ladder_ways(graph: Graph, at: Place, hangs: Inches, ladder: Ladder) -> Iterator[Way]:
    """DOW-MOV-11: a ladder takes him up or down any height."""
    off = dist(ladder.at, at[:2])
    on_it, near = _is_on(at, hangs, ladder), within(off, RADIUS + CLIMBING.reach)
    if on_it or (near and is_step(at[2], ladder.base)):
        start = at if on_it else (*ladder.at, ladder.base)
        yield from (Way(start, top, ladder.top, True) for top in _beside(graph, ladder, ladder.top))
    if on_it or (near and is_step(at[2], ladder.top)):
        yield from (Way(at, low, max(at[2], ladder.base), True) for low in _beside(graph, ladder, ladder.base))


def _beside(graph: Graph, ladder: Ladder, z: Inches) -> Iterator[Place]:
    """The first place around a ladder where he can step off."""
    around = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]
    for k in range(int(CLIMBING.thick / CLIMBING.stair) + 1):
        for dx, dy in around:
            spot = shifted(ladder.at, (dx, dy), k * CLIMBING.stair)
            for level in floors(graph, spot):
                if is_step(level, z) and graph.stands((*spot, level)):
                    yield (*spot, level)
                    return
