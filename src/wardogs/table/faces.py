"""What a piece of terrain is to a ray: upright panels, and solids that are cut by planes. All in thous.

A panel is closed: a ray that touches its edge is stopped by it, so two walls that meet leave no crack. A solid counts by the
depth that a ray runs inside it: touching a corner is no depth, running along its face is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, singledispatch
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from wardogs.table.kinds import Catalogue, find
from wardogs.table.model import Area, Building, Hill, Ladder, Map, Opening, Piece, Pit, Shaped, Slab, Slope, Stairs, Thing, Wall
from wardogs.table.openings import Leg, Placed, along, legs_of_ring, legs_of_wall, place_opening
from wardogs.table.shapes import Corner, Ring, convex_parts, corners_of, edges, outline, ring_of
from wardogs.table.units import Inches, Point, Thou, thou

Plane: TypeAlias = tuple[int, int, int, int]  # inside where a*x + b*y + c*z + d >= 0

FLOOR = 0.1  # inches: how thick floors and roofs are
SILL, HEAD = 0.6, 1.6  # of windows, above their floor; doors have the same head
LOW = 0.6  # inches: a wall up to here is called low
WALL_HEIGHT = 2.0
RUBBLE = "rubble"


class Panel(NamedTuple):
    a: Corner
    b: Corner
    bottom: Thou
    top: Thou
    kind: str
    says: str  # how a sentence names it
    piece: str = ""
    opening: str = ""  # the door or window that it fills
    fills: str = ""  # and how: "shut door", "barred window"


class Solid(NamedTuple):
    """Convex parts, each inside all of its planes; or an upright cylinder."""

    box: tuple[int, int, int, int]  # left, lower, right, upper
    bottom: Thou
    top: Thou
    kind: str
    says: str
    piece: str = ""
    parts: tuple[tuple[Plane, ...], ...] = ()
    disc: tuple[int, int, int] | None = None  # x, y, radius


class Faces(NamedTuple):
    panels: tuple[Panel, ...] = ()
    solids: tuple[Solid, ...] = ()


def faces_of(table: Map) -> list[Faces]:
    """The faces of every piece, in the map's order; a piece that was compiled before is not compiled again."""
    kinds = tuple(sorted(table.kinds.items()))
    groups: Sequence[Sequence[Piece]] = (
        table.buildings, table.walls, table.areas, table.hills, table.slopes, table.pits, table.slabs, table.things
    )  # fmt: skip
    return [_faces(piece, kinds) for group in groups for piece in group]


@lru_cache(maxsize=8192)
def _faces(piece: Piece, own_kinds: tuple[tuple[str, object], ...]) -> Faces:
    catalogue = Map(kinds=dict(own_kinds)).catalogue  # type: ignore[arg-type]
    return faces(piece, catalogue)


@singledispatch
def faces(piece: Piece, kinds: Catalogue) -> Faces:
    """Pieces without a case of their own are in nobody's way."""
    return Faces()


# Solids ---------------------------------------------------------------------------------------------------------------


@faces.register
def _(piece: Area, kinds: Catalogue) -> Faces:
    kind = find(kinds, piece.kind)
    height = kind.height if piece.height is None else piece.height
    if kind.sight == "open" or height <= 0:
        return Faces()
    return Faces(solids=(solid(piece, piece.kind, piece.base, piece.base + height, called(piece, kinds, piece.kind)),))


@faces.register
def _(piece: Hill, kinds: Catalogue) -> Faces:
    return Faces(solids=(solid(piece, piece.kind, piece.base, piece.height, piece.name or "the hill"),))


@faces.register
def _(piece: Slab, kinds: Catalogue) -> Faces:
    return Faces(solids=(solid(piece, piece.material, piece.z - piece.thickness, piece.z, piece.name or "the slab"),))


@faces.register
def _(piece: Thing, kinds: Catalogue) -> Faces:
    kind = find(kinds, piece.kind)
    height = kind.height if piece.height is None else piece.height
    ring, says = ring_of(corners_of(piece)), called(piece, kinds, piece.kind)
    return Faces(solids=(prism(ring, piece.base, piece.base + height, piece.kind, says, piece.id),))


@faces.register
def _(piece: Slope, kinds: Catalogue) -> Faces:
    """A wedge: a box whose upper side is tilted."""
    left, lower, right, upper = (thou(side) for side in piece.rect)
    base, rise = thou(piece.base), thou(piece.height) - thou(piece.base)
    run = right - left if piece.up in "EW" else upper - lower
    tilted: Plane = {
        "E": (rise, 0, -run, base * run - rise * left),
        "W": (-rise, 0, -run, base * run + rise * right),
        "N": (0, rise, -run, base * run - rise * lower),
        "S": (0, -rise, -run, base * run + rise * upper),
    }[piece.up]
    ring: Ring = ((left, lower), (right, lower), (right, upper), (left, upper))
    part = (*_sides(ring), (0, 0, 1, -base), tilted)
    box = (left, lower, right, upper)
    return Faces(solids=(Solid(box, base, thou(piece.height), piece.kind, piece.name or "the slope", piece.id, (part,)),))


def solid(piece: Shaped, kind: str, bottom: Inches, top: Inches, says: str) -> Solid:
    """A piece with an outline, from one height to another."""
    if piece.circle:
        x, y, r = (thou(part) for part in piece.circle)
        return Solid((x - r, y - r, x + r, y + r), thou(bottom), thou(top), kind, says, piece.id, disc=(x, y, r))
    return prism(ring_of(outline(piece)), bottom, top, kind, says, piece.id)


def prism(ring: Ring, bottom: Inches, top: Inches, kind: str, says: str, piece: str) -> Solid:
    return prisms(convex_parts(ring), bottom, top, kind, says, piece)


def prisms(rings: Sequence[Ring], bottom: Inches, top: Inches, kind: str, says: str, piece: str) -> Solid:
    low, high = thou(bottom), thou(top)
    xs, ys = [x for ring in rings for x, _ in ring], [y for ring in rings for _, y in ring]
    parts = tuple((*_sides(ring), (0, 0, 1, -low), (0, 0, -1, high)) for ring in rings)
    return Solid((min(xs), min(ys), max(xs), max(ys)), low, high, kind, says, piece, parts)


def _sides(ring: Ring) -> Iterator[Plane]:
    for (ax, ay), (bx, by) in edges(ring):
        yield ay - by, bx - ax, 0, (by - ay) * ax - (bx - ax) * ay


# Walls ----------------------------------------------------------------------------------------------------------------


@faces.register
def _(piece: Wall, kinds: Catalogue) -> Faces:
    """A wall that stands by itself."""
    height = wall_height(piece, kinds)
    return Faces(panels=tuple(wall_panels(piece, piece.base, height, wall_says(piece, kinds, height))))


def wall_height(piece: Wall, kinds: Catalogue, storey: Inches = WALL_HEIGHT) -> Inches:
    if piece.height is not None:
        return piece.height
    return find(kinds, piece.material).height or storey


def wall_says(piece: Wall, kinds: Catalogue, height: Inches) -> str:
    if piece.name:
        return piece.name
    kind = find(kinds, piece.material)
    noun = kind.says if kind.height else f"{kind.says} wall"
    return f"the low {noun}" if height <= LOW else f"the {noun}"


def called(piece: Piece, kinds: Catalogue, kind: str) -> str:
    return piece.name or f"the {find(kinds, kind).says or kind}"


def wall_panels(wall: Wall, floor: Inches, height: Inches, says: str) -> Iterator[Panel]:
    yield from panels_along(legs_of_wall(wall), wall.openings, floor, height, wall.material, says, wall.id)


def panels_along(
    legs: Sequence[Leg], openings: Sequence[Opening], floor: Inches, height: Inches, material: str, says: str, piece: str
) -> Iterator[Panel]:  # fmt: skip
    """A row of walls on one floor, cut by its openings."""
    placed = [(spot, opening) for opening in openings if (spot := place_opening(opening, legs)) is not None]
    for k, leg in enumerate(legs):
        stands = Panel(_corner(leg[0]), _corner(leg[1]), thou(floor), thou(floor + height), material, says, piece)
        yield from _cut(stands, leg, floor, sorted((pair for pair in placed if pair[0].leg == k), key=lambda pair: pair[0]))


def _cut(stands: Panel, leg: Leg, floor: Inches, openings: Sequence[tuple[Placed, Opening]]) -> Iterator[Panel]:
    """The wall left and right of each opening, below its sill and above its head, and what fills it."""
    here = stands.a
    for spot, opening in openings:
        start, end = _corner(along(leg, spot.start)), _corner(along(leg, spot.end))
        if start != here:
            yield stands._replace(a=here, b=start)
        if start != end:
            yield from _opened(stands._replace(a=start, b=end), floor, opening)
        here = end
    if here != stands.b:
        yield stands._replace(a=here)


def _opened(stretch: Panel, floor: Inches, opening: Opening) -> Iterator[Panel]:
    sill, head = span(opening)
    low = thou(floor + sill)
    high = stretch.top if head is None else min(thou(floor + head), stretch.top)
    if low > stretch.bottom:
        yield stretch._replace(top=low)
    if high < stretch.top:
        yield stretch._replace(bottom=high)
    if filling := leaf(opening):
        says = opening.name or f"{_STATES.get(state_of(opening), 'the shut')} {opening.kind}"
        fills = f"{state_of(opening)} {opening.kind}"
        yield stretch._replace(bottom=low, top=high, kind=filling, says=says, opening=opening.id, fills=fills)


_STATES = {"barred": "the barred", "locked": "the locked", "barricaded": "the barricaded"}


def span(opening: Opening) -> tuple[Inches, Inches | None]:
    """Sill and head above the floor; a gap has no head: it is as high as its wall."""
    sill = opening.sill if opening.sill is not None else SILL if opening.kind == "window" else 0.0
    return sill, opening.head if opening.head is not None or opening.kind == "gap" else HEAD


def state_of(opening: Opening) -> str:
    """A door starts shut, a window shut if it has a pane, a gap is open."""
    if opening.state:
        return opening.state
    return "shut" if opening.kind == "door" or opening.material else "open"


def leaf(opening: Opening) -> str | None:
    """The kind of what fills the opening now: the leaf of a door, a pane, bars; none if one can see and walk through."""
    state = state_of(opening)
    if state in ("open", "gone"):
        return None
    if opening.kind == "window" and state == "barred":
        return "bars"
    if opening.kind == "window" and state == "barricaded":
        return "wood_wall"
    return opening.material or {"door": "door", "window": "glass", "gap": "wood_wall"}[opening.kind]


def _corner(point: Point) -> Corner:
    return thou(point[0]), thou(point[1])


@faces.register
def _(piece: Pit, kinds: Catalogue) -> Faces:
    """The sides of a hole in the ground."""
    ring, says = ring_of(outline(piece)), piece.name or "the edge of the ditch"
    depth = -thou(piece.depth)
    return Faces(tuple(Panel(a, b, depth, 0, piece.kind, says, piece.id) for a, b in edges(ring)))


# Buildings ------------------------------------------------------------------------------------------------------------


@faces.register
def _(piece: Building, kinds: Catalogue) -> Faces:
    return Faces(tuple(_building_panels(piece, kinds)), tuple(_building_solids(piece, kinds)))


def levels_standing(piece: Building) -> int:
    return piece.levels if piece.standing is None else piece.standing


def floor_of(piece: Building, level: int) -> Inches:
    """The height of a level's floor; that of the level above the last is the roof's."""
    return piece.base + level * piece.storey


def _building_panels(piece: Building, kinds: Catalogue) -> Iterator[Panel]:
    legs, says = legs_of_ring(outline(piece)), f"the wall of {piece.name or piece.id or 'the building'}"
    for level in range(levels_standing(piece)):
        floor = floor_of(piece, level)
        openings = [opening for opening in piece.openings if opening.level in (None, level)]
        yield from panels_along(legs, openings, floor, piece.storey, piece.material, says, piece.id)
        for wall in piece.walls:
            if wall.level == level:
                height = wall_height(wall, kinds, piece.storey)
                yield from wall_panels(wall, floor, height, wall_says(wall, kinds, height))
    if piece.parapet and piece.roof and levels_standing(piece) == piece.levels:
        roof, says = floor_of(piece, piece.levels), f"the parapet of {piece.name or piece.id or 'the building'}"
        yield from panels_along(legs, (), roof, piece.parapet, piece.material, says, piece.id)


def _building_solids(piece: Building, kinds: Catalogue) -> Iterator[Solid]:
    """Floors with holes for the stairs, the roof, and the rubble of what has fallen."""
    stands, ring, name = levels_standing(piece), ring_of(outline(piece)), piece.name or piece.id or "the building"
    fallen = stands < piece.levels
    for level in range(1, stands + 1):
        top = level == piece.levels
        if top and not piece.roof:
            continue
        z = floor_of(piece, level)
        rings = without_holes(ring, [] if fallen and level == stands else holes_in(piece, level))
        says = f"the {'roof' if level == stands else 'floor'} of {name}"
        yield prisms(rings, z - FLOOR, z, piece.material, says, piece.id)
    if fallen:
        z = floor_of(piece, stands)
        yield prism(ring, z, z + find(kinds, RUBBLE).height, RUBBLE, f"the rubble of {name}", piece.id)


def holes_in(piece: Building, level: int) -> list[tuple[Point, Inches]]:
    """Where stairs and hatches come up through this level's floor: their middle and size."""
    z = floor_of(piece, level)
    stairs = [(way.at, way.size) for way in piece.stairs if way.level + 1 == level and not on_roof(piece, way)]
    return stairs + [(way.at, way.size) for way in piece.ladders if way.hatch and way.base < z <= way.top]


def on_roof(piece: Building, way: Stairs | Ladder) -> bool:
    """Stairs to the roof come out under a hood: the roof has no hole."""
    return isinstance(way, Stairs) and way.level + 1 == piece.levels


def without_holes(ring: Ring, holes: Sequence[tuple[Point, Inches]]) -> tuple[Ring, ...]:
    """Convex parts of the ring around square holes."""
    parts = convex_parts(ring)
    for (x, y), size in holes:
        left, lower, right, upper = thou(x - size / 2), thou(y - size / 2), thou(x + size / 2), thou(y + size / 2)
        parts = tuple(rest for part in parts for rest in _around(part, left, lower, right, upper))
    return parts


def _around(part: Ring, left: Thou, lower: Thou, right: Thou, upper: Thou) -> Iterator[Ring]:
    """What of a convex part lies left, right, below and above of a rectangle."""
    beside = _clip(_clip(part, 1, 0, -left), -1, 0, right)
    for rest in (_clip(part, -1, 0, left), _clip(part, 1, 0, -right), _clip(beside, 0, -1, lower), _clip(beside, 0, 1, -upper)):
        if len(rest) > 2 and len(set(rest)) > 2:
            yield rest


def _clip(ring: Ring, a: int, b: int, d: int) -> Ring:
    """The part of a convex ring where a*x + b*y + d >= 0, its new corners to the nearest thou."""
    kept: list[Corner] = []
    for p, q in pairwise((*ring, *ring[:1])):
        at_p, at_q = a * p[0] + b * p[1] + d, a * q[0] + b * q[1] + d
        if at_p >= 0:
            kept.append(p)
        if (at_p > 0 > at_q) or (at_p < 0 < at_q):
            share = at_p / (at_p - at_q)
            kept.append((round(p[0] + share * (q[0] - p[0])), round(p[1] + share * (q[1] - p[1]))))
    return tuple(dict.fromkeys(kept))
