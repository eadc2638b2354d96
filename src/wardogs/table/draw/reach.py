"""How far one gets: bands of cost on the plan, the darker the farther, and the path with its length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple, TypeAlias

from wardogs.scene.model import Area, Line, Mark, Point, Scene, Text, Window
from wardogs.table.draw.bodies import dot
from wardogs.table.draw.labels import figure
from wardogs.table.draw.page import GUTTER, fitting, framed, scale_bar
from wardogs.table.draw.plan import named_plan
from wardogs.table.draw.strokes import Pen, far
from wardogs.table.model import Map

Square: TypeAlias = tuple[int, int]  # column, row

BANDS = 6
STEPS = (0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 12.0)
COLUMN = 3.4  # inches of paper
MARGIN, LEAST = 2.0, 12.0  # inches of the table around what can be reached; and at least


class Grid(NamedTuple):
    """Squares of the table whose cost is known, each in its band."""

    cell: float
    corner: Point  # of the square 0, 0
    bands: Mapping[Square, int]

    def at(self, column: float, row: float) -> Point:
        return self.corner[0] + column * self.cell, self.corner[1] + row * self.cell


def reach_scene(
    table: Map, start: Point, costs: Sequence[tuple[Point, float]], cell: float, path: Sequence[Point], limit: float, title: str
) -> Scene:  # fmt: skip
    """The part of the table that can be reached, shaded by cost."""
    reached = [(at, cost) for at, cost in costs if cost <= limit]
    view = _view(table, [start, *path, *(at for at, _ in reached)])
    scale = fitting((view[2] - view[0], view[3] - view[1]), 12.0)
    pen, grid = Pen(scale, table.catalogue), gridded(reached, cell, band_step(limit))
    marks: list[Mark] = [*named_plan(table, 0, pen, view), *shades(grid), *contours(grid)]
    marks += [*figures(grid, band_step(limit), limit), *path_marks(start, path, pen)]
    high, right = (view[3] - view[1]) * scale + 0.8, GUTTER + (view[2] - view[0]) * scale + 0.45
    height = max(high, 4.6)
    page = framed((GUTTER, height - high + 0.45), view, scale, marks)
    page += [*key((right, height - 0.5), limit, path), *scale_bar((right, height - 4.0), scale)]
    return Scene(title, right + COLUMN, height, tuple(page), tuple(reach_words(start, reached, cell, path, limit)), paper="plan")


def reach_words(
    start: Point, reached: Sequence[tuple[Point, float]], cell: float, path: Sequence[Point], limit: float
) -> Iterator[str]:  # fmt: skip
    ground = f"{figure(len(reached) * cell * cell)} square inches of ground"
    yield f"From ({figure(start[0])}, {figure(start[1])}) a move of {figure(limit)} reaches {ground}."
    if len(path) > 1:
        stops = " to ".join(f"({figure(x)}, {figure(y)})" for x, y in path)
        yield f"The path is {figure(length(path))} inches long: {stops}."


def length(path: Sequence[Point]) -> float:
    return sum(far(a, b) for a, b in pairwise(path))


def _view(table: Map, places: Sequence[Point]) -> tuple[float, float, float, float]:
    (left, right), (lower, upper) = (_span([place[axis] for place in places], table.size[axis]) for axis in (0, 1))
    return left, lower, right, upper


def _span(values: Sequence[float], table: float) -> tuple[float, float]:
    """With a margin, at least so long, and on the table."""
    low, high = min(values) - MARGIN, max(values) + MARGIN
    more = max(LEAST - (high - low), 0) / 2
    low, high = max(low - more, 0.0), min(high + more, table)
    return float(int(low)), min(float(-int(-high // 1)), table)


def band_step(limit: float) -> float:
    """A plain figure that makes few bands."""
    return next((step for step in STEPS if step * BANDS >= limit), limit / BANDS)


def gridded(reached: Sequence[tuple[Point, float]], cell: float, step: float) -> Grid:
    """The places as squares; a place that is given twice keeps its lower cost."""
    if not reached:
        return Grid(cell, (0.0, 0.0), {})
    left, lower = min(at[0] for at, _ in reached), min(at[1] for at, _ in reached)
    cheapest: dict[Square, float] = {}
    for (x, y), cost in reached:
        square = round((x - left) / cell), round((y - lower) / cell)
        cheapest[square] = min(cost, cheapest.get(square, cost))
    bands = {square: min(int(max(cost - 1e-9, 0.0) / step), BANDS - 1) for square, cost in cheapest.items()}
    return Grid(cell, (left - cell / 2, lower - cell / 2), bands)


def shades(grid: Grid) -> Iterator[Mark]:
    """Squares side by side in one band are one area."""
    squares = sorted(grid.bands, key=lambda square: (square[1], square[0]))
    # Along a row, column minus rank is the same for neighbours.
    ranked = [(row, grid.bands[column, row], column - n, column) for n, (column, row) in enumerate(squares)]
    for (row, band, _), run in groupby(ranked, key=lambda each: each[:3]):
        columns = [column for *_, column in run]
        a, b = columns[0], columns[-1] + 1
        yield Area((grid.at(a, row), grid.at(b, row), grid.at(b, row + 1), grid.at(a, row + 1)), f"band_{band}")


def contours(grid: Grid) -> Iterator[Mark]:
    """Lines between squares of different bands, straight runs as one."""
    upright = {(c, r) for c, r in _fringe(grid) if grid.bands.get((c, r)) != grid.bands.get((c - 1, r))}
    level = {(r, c) for c, r in _fringe(grid) if grid.bands.get((c, r)) != grid.bands.get((c, r - 1))}
    for column, since, until in _runs(upright):
        yield Line((grid.at(column, since), grid.at(column, until)), "isoline")
    for row, since, until in _runs(level):
        yield Line((grid.at(since, row), grid.at(until, row)), "isoline")


def _fringe(grid: Grid) -> set[Square]:
    """The squares and their neighbours to the right and above."""
    return {(c + dc, r + dr) for c, r in grid.bands for dc, dr in ((0, 0), (1, 0), (0, 1))}


def _runs(sides: Iterable[Square]) -> Iterator[tuple[int, int, int]]:
    for (line, _), run in groupby(enumerate(sorted(sides)), key=lambda each: (each[1][0], each[1][1] - each[0])):
        places = [place for _, (_, place) in run]
        yield line, places[0], places[-1] + 1


def figures(grid: Grid, step: float, limit: float) -> Iterator[Mark]:
    """The cost at which each band ends, at its farthest squares on the four sides."""
    for band in range(BANDS):
        own = [square for square, other in grid.bands.items() if other == band]
        turned = [(row, column) for column, row in own]
        ends = {min(own), max(own), min(turned)[::-1], max(turned)[::-1]} if own else set()
        for column, row in sorted(ends):
            yield Text(grid.at(column + 0.5, row + 0.5), figure(min((band + 1) * step, limit)), "height")


def path_marks(start: Point, path: Sequence[Point], pen: Pen) -> list[Mark]:
    marks: list[Mark] = []
    if len(path) > 1:
        marks += [Line(tuple(path), "path"), *(mark for stop in path[1:-1] for mark in dot(stop, pen.paper(0.045), "clear"))]
        marks += [*dot(path[-1], pen.paper(0.09), "hidden")]
        x, y = path[-1]
        marks.append(Text((x, y + pen.paper(0.24)), f"{figure(length(path))} inches", "name"))
    return [*marks, *dot(start, pen.paper(0.11), "clear"), *dot(start, pen.paper(0.04), "hidden")]


def key(corner: Point, limit: float, path: Sequence[Point]) -> list[Mark]:
    """The bands, from near to far."""
    (x, y), step = corner, band_step(limit)
    marks: list[Mark] = [Text((x, y + 0.05), "COST IN INCHES OF MOVEMENT", "heading", anchor="start")]
    for band in range(-int(-limit // step)):
        y -= 0.36
        sheet = ((-1.0, -1.0), (2.0, -1.0), (2.0, 2.0), (-1.0, 2.0))
        box = ((x, y - 0.13), (x + 0.7, y - 0.13), (x + 0.7, y + 0.13), (x, y + 0.13))
        shade = (Area(sheet, "tabletop"), Area(sheet, f"band_{band}"))
        marks += [Window((x, y - 0.13), (0.7, 0.26), (0.0, 0.0, 0.7, 0.26), shade), Area(box, "key_box")]
        says = f"{figure(band * step)} to {figure(min((band + 1) * step, limit))}"
        marks.append(Text((x + 0.85, y), says, "entry", anchor="start"))
    if len(path) > 1:
        marks += [Line(((x, y - 0.4), (x + 0.7, y - 0.4)), "path"), *dot((x + 0.7, y - 0.4), 0.09, "hidden")]
        marks.append(Text((x + 0.9, y - 0.4), f"path, {figure(length(path))} inches", "entry", anchor="start"))
    return marks
