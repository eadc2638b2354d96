"""A cut through the table along a line: how far along, how high. Walls stand black, growth and earth are hatched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot, sqrt
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from wardogs.scene.model import Area, Line, Mark, Point, Text
from wardogs.table.draw.ground import look_of
from wardogs.table.draw.strokes import Pen, closed
from wardogs.table.faces import Panel, Plane, Solid, faces_of
from wardogs.table.kinds import find
from wardogs.table.model import Map, Pit
from wardogs.table.shapes import outline
from wardogs.table.units import THOU, Inches, inches

Box: TypeAlias = tuple[Inches, Inches, Inches, Inches]  # from, lowest, to, highest
FILLINGS = ("door", "glass", "bars")
EARTH = ("earth", "rock", "ditch")
GRAZED = 0.01  # inches


class Way(NamedTuple):
    """A straight line across the table, and the part of it that is drawn: inches from its start."""

    start: Point
    ahead: Point  # unit vector
    since: Inches
    until: Inches

    def along(self, at: Point) -> Inches:
        return (at[0] - self.start[0]) * self.ahead[0] + (at[1] - self.start[1]) * self.ahead[1]

    def left(self, at: Point) -> Inches:
        return (at[1] - self.start[1]) * self.ahead[0] - (at[0] - self.start[0]) * self.ahead[1]

    def at(self, far: Inches) -> Point:
        return self.start[0] + far * self.ahead[0], self.start[1] + far * self.ahead[1]


def way(a: Point, b: Point, margin: Inches) -> Way:
    """From a to b, and a little beyond both."""
    size = hypot(b[0] - a[0], b[1] - a[1])
    ahead = ((b[0] - a[0]) / size, (b[1] - a[1]) / size) if size > 1e-9 else (1.0, 0.0)
    return Way(a, ahead, -margin, size + margin)


class Cut(NamedTuple):
    """A shape in the section: points are how far, how high."""

    points: tuple[Point, ...]
    kind: str
    says: str
    thin: bool = False  # a wall that is crossed
    filling: bool = False  # a door or a pane


def section(table: Map, line: Way) -> list[Cut]:
    """What the line cuts: solids first, then walls."""
    cuts: list[Cut] = []
    for piece in faces_of(table):
        cuts += [cut for solid in piece.solids for cut in solid_cuts(solid, line)]
    for piece in faces_of(table):
        cuts += [cut for panel in piece.panels for cut in panel_cut(panel, line)]
    return cuts


def panel_cut(panel: Panel, line: Way) -> Iterator[Cut]:
    """Where the line crosses the wall; a wall that it runs along is not drawn."""
    a, b = (inches(panel.a[0]), inches(panel.a[1])), (inches(panel.b[0]), inches(panel.b[1]))
    side_a, side_b = line.left(a), line.left(b)
    if side_a * side_b > 0 or side_a == side_b:
        return
    share = side_a / (side_a - side_b)
    far = line.along((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
    if line.since < far < line.until and panel.kind not in EARTH:
        ends = (far, inches(panel.bottom)), (far, inches(panel.top))
        yield Cut(ends, panel.kind, panel.says, True, bool(panel.opening) or panel.kind in FILLINGS)


def solid_cuts(solid: Solid, line: Way) -> Iterator[Cut]:
    """The shapes of a solid in the cut; one that the line only grazes has none."""
    yield from (Cut(shape, solid.kind, solid.says) for shape in solid_shapes(solid, line) if _wide(shape) > GRAZED)


def _wide(shape: Sequence[Point]) -> Inches:
    return max((far for far, _ in shape), default=0.0) - min((far for far, _ in shape), default=0.0)


def solid_shapes(solid: Solid, line: Way) -> Iterator[tuple[Point, ...]]:
    low, high = inches(solid.bottom), inches(solid.top)
    sheet: tuple[Point, ...] = ((line.since, low), (line.until, low), (line.until, high), (line.since, high))
    if solid.disc:
        x, y, radius = (inches(part) for part in solid.disc)
        across = line.left((x, y))
        if abs(across) < radius:
            reach, far = sqrt(radius**2 - across**2), line.along((x, y))
            yield trimmed(trimmed(sheet, 1, 0, reach - far), -1, 0, far + reach)
        return
    for part in solid.parts:
        shape = sheet
        for plane in part:
            shape = trimmed(shape, *_slice(plane, line))
        yield shape


def _slice(plane: Plane, line: Way) -> tuple[float, float, float]:
    """A plane of the table as a line of the section."""
    a, b, c, d = plane
    x, y = line.start
    return (a * line.ahead[0] + b * line.ahead[1]) * THOU, float(c * THOU), (a * x + b * y) * THOU + d


def trimmed(shape: tuple[Point, ...], a: float, b: float, d: float) -> tuple[Point, ...]:
    """The part of a convex shape where a*x + b*y + d >= 0."""
    kept: list[Point] = []
    for p, q in pairwise(closed(shape)) if shape else ():
        at_p, at_q = a * p[0] + b * p[1] + d, a * q[0] + b * q[1] + d
        if at_p >= 0:
            kept.append(p)
        if at_p * at_q < 0:
            share = at_p / (at_p - at_q)
            kept.append((p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])))
    return tuple(kept)


def hollows(pits: Sequence[Pit], line: Way) -> list[tuple[Inches, Inches, Inches]]:
    """From where to where the ground lies lower, and how deep; where pits overlap, the deepest counts."""
    found = []
    for pit in pits:
        rims = sorted(crossings(outline(pit), line))
        found += [(a, b, pit.depth) for a, b in zip(rims[::2], rims[1::2], strict=False)]
    stops = sorted({min(max(end, line.since), line.until) for a, b, _ in found for end in (a, b)})
    depths = [(a, b, max((deep for x, y, deep in found if x <= a and b <= y), default=0.0)) for a, b in pairwise(stops)]
    return [(a, b, deep) for a, b, deep in depths if deep]


def crossings(points: Sequence[Point], line: Way) -> Iterator[Inches]:
    """How far along the line each side of an outline is crossed."""
    for a, b in pairwise(closed(points)):
        one, two = line.left(a), line.left(b)
        if (one > 0) != (two > 0):
            share = one / (one - two)
            yield line.along((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))


# Drawing --------------------------------------------------------------------------------------------------------------


def ground_profile(table: Map, line: Way, floor: Inches) -> list[Mark]:
    """The table's surface, with its ditches, and earth below."""
    surface: list[Point] = [(line.since, 0.0)]
    for start, end, deep in hollows(table.pits, line):
        surface += [(start, 0.0), (start, -deep), (end, -deep), (end, 0.0)]
    surface.append((line.until, 0.0))
    return [Area((*surface, (line.until, floor), (line.since, floor)), "cut_earth"), Line(tuple(surface), "ground_line")]


def cut_marks(cuts: Sequence[Cut], pen: Pen) -> list[Mark]:
    marks: list[Mark] = []
    for cut in cuts:
        marks += wall_cut(cut, pen) if cut.thin else [Area(cut.points, solid_look(cut, pen))]
    return marks


def aside_marks(cuts: Sequence[Cut], pen: Pen) -> list[Mark]:
    """In outline: what stands beside the cut."""
    return [replace(mark, look="aside") for mark in cut_marks(cuts, pen) if isinstance(mark, Area)]


def solid_look(cut: Cut, pen: Pen) -> str:
    """Floors and roofs are cut black, earth is hatched, growth has the pattern of the plan."""
    if cut.kind in EARTH:
        return "cut_earth"
    heights = [z for _, z in cut.points]
    if max(heights) - min(heights) <= 0.21 and find(pen.kinds, cut.kind).height == 0:
        return "cut"
    return look_of(cut.kind, find(pen.kinds, cut.kind))


def wall_cut(cut: Cut, pen: Pen) -> list[Mark]:
    """An upright; hard and prepared ones are black, the softer ones are hatched, panes are open."""
    (far, low), (_, high) = cut.points
    cover, half = find(pen.kinds, cut.kind).cover, pen.paper(0.02 if cut.filling else 0.04)
    look = "leaf" if cut.filling or cover == "none" else "cut" if cover in ("hard", "prepared") else "block"
    return [Area(((far - half, low), (far + half, low), (far + half, high), (far - half, high)), look)]


def names(cuts: Sequence[Cut], pen: Pen, view: Box) -> list[Mark]:
    """Each piece's name above the first place where it is cut, in rows so that none lies on another."""
    marks: list[Mark] = []
    rows: list[Inches] = [-99.0] * 4
    tops: dict[str, Point] = {}
    for cut in cuts:
        if cut.filling:
            continue
        top = max(cut.points, key=lambda point: point[1])
        middle = (min(x for x, _ in cut.points) + max(x for x, _ in cut.points)) / 2
        if cut.says not in tops or tops[cut.says][1] < top[1] - 1e-9:
            tops[cut.says] = (middle, top[1])
    for says, (far, high) in sorted(tops.items(), key=lambda item: item[1]):
        half = pen.paper(0.13 * 0.27 * len(says))
        middle = max(min(far, view[2] - half - pen.paper(0.05)), view[0] + half + pen.paper(0.05))
        row = next((k for k, end in enumerate(rows) if end < middle - half), 0)
        rows[row] = middle + half + pen.paper(0.08)
        level = view[3] - pen.paper(0.12 + 0.19 * row)
        marks += [Line(((far, high), (far, level - pen.paper(0.09))), "faint"), Text((middle, level), says, "note")]
    return marks
