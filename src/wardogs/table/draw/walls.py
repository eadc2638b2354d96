"""Walls on a plan: the higher the heavier, the softer the more broken; doors and windows as architects draw them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin

from wardogs.scene.model import Area, Disc, Line, Mark
from wardogs.table.draw.strokes import Pen, aside, between, cloud, crossed, far, ribbon
from wardogs.table.faces import LOW, state_of, wall_height
from wardogs.table.kinds import find
from wardogs.table.model import Opening, Wall
from wardogs.table.openings import Leg, along, legs_of_wall, place_openings
from wardogs.table.units import Inches, Point

CHEST = 1.2  # inches: a wall up to here is chest-high
THICK = 0.1  # inches of paper: what fills an opening
HEDGE = 0.5  # inches: how wide a row of hedge is drawn


def weight(height: Inches) -> str:
    return "low" if height <= LOW else "chest" if height <= CHEST else "high"


def wall_marks(wall: Wall, pen: Pen, storey: Inches | None = None) -> list[Mark]:
    height = wall_height(wall, pen.kinds) if storey is None else wall_height(wall, pen.kinds, storey)
    return row_marks(legs_of_wall(wall), wall.openings, wall.material, height, pen)


def row_marks(legs: Sequence[Leg], openings: Sequence[Opening], material: str, height: Inches, pen: Pen) -> list[Mark]:
    """A row of walls with what fills its openings."""
    placed = [(spot, opening) for spot, opening in zip(place_openings(openings, legs), openings, strict=True) if spot]
    cuts = [sorted((spot.start, spot.end) for spot, _ in placed if spot.leg == k) for k in range(len(legs))]
    marks = [mark for run in runs(legs, cuts) for mark in stretch_marks(run, material, height, pen)]
    for spot, opening in placed:
        a, b = along(legs[spot.leg], spot.start), along(legs[spot.leg], spot.end)
        marks += opening_marks(a, b, opening, pen)
    return marks


def runs(legs: Sequence[Leg], cuts: Sequence[Sequence[tuple[Inches, Inches]]]) -> list[list[Point]]:
    """The stretches of standing wall between the openings, each as one line around its corners."""
    found: list[list[Point]] = []
    for leg, gaps in zip(legs, cuts, strict=True):
        here = leg[0]
        for start, end in gaps:
            _lengthen(found, here, along(leg, start))
            here = along(leg, end)
        _lengthen(found, here, leg[1])
    if len(found) > 1 and found[0][0] == found[-1][-1]:
        found[0] = found.pop()[:-1] + found[0]
    return found


def _lengthen(found: list[list[Point]], a: Point, b: Point) -> None:
    if far(a, b) < 1e-6:
        return
    if found and found[-1][-1] == a:
        found[-1].append(b)
    else:
        found.append([a, b])


def stretch_marks(run: Sequence[Point], material: str, height: Inches, pen: Pen) -> list[Mark]:
    """One stretch without openings."""
    if material == "hedge":
        return [Area(cloud(ribbon(run, HEDGE), 0.4), "hedge")]
    if material == "wire":
        return [Line(crossed(run, pen.paper(0.22), pen.paper(0.045)), "wire")]
    if run[0] == run[-1]:
        run = [between(run[0], run[1], 0.5), *run[1:-1], run[0], between(run[0], run[1], 0.5)]  # no notch at the corner
    return [Line(tuple(run), f"wall_{weight(height)}_{find(pen.kinds, material).cover}")]


# Doors and windows ----------------------------------------------------------------------------------------------------


def opening_marks(a: Point, b: Point, opening: Opening, pen: Pen) -> list[Mark]:
    """What lies between the two ends of an opening; the inside of a building is on the left of the way from a to b."""
    if opening.kind == "gap" and state_of(opening) == "open":
        return jambs(a, b, pen)
    if opening.kind == "window":
        return [*jambs(a, b, pen), *window_marks(a, b, opening, pen), *bolts(a, b, opening, pen)]
    if state_of(opening) == "open":
        return [*jambs(a, b, pen), *swung_leaf(a, b)]
    if state_of(opening) == "gone":
        return [*jambs(a, b, pen), Line((a, b), "ray_beyond")]
    return [*jambs(a, b, pen), Area(ribbon((a, b), pen.paper(THICK * 0.55)), "leaf"), *bolts(a, b, opening, pen)]


def jambs(a: Point, b: Point, pen: Pen) -> list[Mark]:
    half = pen.paper(THICK * 0.8)
    return [Line((aside(at, a, b, half), aside(at, a, b, -half)), "pane") for at in (a, b)]


def window_marks(a: Point, b: Point, opening: Opening, pen: Pen) -> list[Mark]:
    """Two lines, and one between them if there is a pane."""
    half = pen.paper(THICK * 0.42)
    offsets = (half, -half, 0.0) if opening.material and state_of(opening) == "shut" else (half, -half)
    frame = Area(ribbon((a, b), 2 * half), "floor")
    return [frame, *(Line((aside(a, a, b, by), aside(b, a, b, by)), "pane") for by in offsets)]


def swung_leaf(a: Point, b: Point) -> list[Mark]:
    """The leaf at right angles to the wall, and the quarter of a circle that it swept."""
    tip, width = aside(a, a, b, far(a, b)), far(a, b)
    ahead, left = ((b[0] - a[0]) / width, (b[1] - a[1]) / width), ((tip[0] - a[0]) / width, (tip[1] - a[1]) / width)
    turns = [pi / 2 * n / 8 for n in range(9)]
    sweep = tuple(
        (a[0] + width * (cos(t) * ahead[0] + sin(t) * left[0]), a[1] + width * (cos(t) * ahead[1] + sin(t) * left[1]))
        for t in turns
    )
    return [Line(sweep, "swing"), Line((a, tip), "arrow")]


def bolts(a: Point, b: Point, opening: Opening, pen: Pen) -> Iterator[Mark]:
    """A lock is a dot, a barricade a cross, bars are strokes."""
    at, size = between(a, b, 0.5), pen.paper(THICK * 0.8)
    match state_of(opening):
        case "locked":
            yield Disc(at, size * 0.55, "full_dot")
        case "barricaded":
            ends = [between(a, b, share) for share in (0.2, 0.8)]
            for one, two in (ends, ends[::-1]):
                yield Line((aside(one, a, b, size), aside(two, a, b, -size)), "arrow")
        case "barred":
            for share in (0.25, 0.5, 0.75):
                root = between(a, b, share)
                yield Line((aside(root, a, b, size), aside(root, a, b, -size)), "arrow")
