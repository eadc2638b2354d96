"""Buildings, level by level: floor, walls, stairs and ladders; and the roof from above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, cos, sin

from wardogs.scene.model import Area, Line, Mark
from wardogs.table.draw.strokes import Pen, arrow, aside, between, bounds, closed, far, square
from wardogs.table.draw.walls import row_marks, wall_marks
from wardogs.table.faces import floor_of, levels_standing
from wardogs.table.model import Building, Ladder, Stairs
from wardogs.table.openings import legs_of_ring
from wardogs.table.shapes import outline
from wardogs.table.units import Point

LIP = 0.35  # inches: how far inside its rim a roof's second line runs


def level_marks(building: Building, level: int, pen: Pen) -> list[Mark]:
    """What one sees of a building whose storeys above this level are lifted off."""
    stands, corners = levels_standing(building), outline(building)
    if level >= stands:
        return roof_marks(building, pen)
    openings = [opening for opening in building.openings if opening.level in (None, level)]
    marks: list[Mark] = [Area(corners, "floor"), *burning_marks(building)]
    marks += [mark for way in building.stairs for mark in stairs_marks(way, level, pen)]
    marks += [mark for way in building.ladders if reaches(building, way, level) for mark in ladder_marks(way, pen)]
    for wall in building.walls:
        if wall.level == level:
            marks += wall_marks(wall, pen, building.storey)
    return [*marks, *row_marks(legs_of_ring(corners), openings, building.material, building.storey, pen)]


def reaches(building: Building, way: Ladder, level: int) -> bool:
    return way.base <= floor_of(building, level) <= way.top


def burning_marks(building: Building) -> list[Mark]:
    return [Area(outline(building), "fire")] if building.burning else []


def roof_marks(building: Building, pen: Pen) -> list[Mark]:
    """From above: the roof with its ridge or its parapet; rubble where it fell in; bare floor where there is none."""
    corners = outline(building)
    if levels_standing(building) < building.levels:
        return [Area(corners, "rubble"), *burning_marks(building), Line(closed(corners), "ray_covered")]
    if not building.roof:
        return [Area(corners, "floor"), *burning_marks(building), Line(closed(corners), "ground_line")]
    marks: list[Mark] = [Area(corners, "roof"), *burning_marks(building), Line(closed(corners), "ground_line")]
    marks += [Line(line, "ridge") for line in _roof_lines(building, corners)]
    marks += [mark for way in building.ladders if way.hatch and reaches(building, way, building.levels)
              for mark in ladder_marks(way, pen)]  # fmt: skip
    if building.parapet:
        marks += row_marks(legs_of_ring(corners), (), building.material, building.parapet, pen)
    return marks


def _roof_lines(building: Building, corners: Sequence[Point]) -> Iterator[tuple[Point, ...]]:
    """A flat roof has a second line along its rim; else a rectangle has hips and a ridge."""
    left, lower, right, upper = bounds(corners)
    if building.rect and not building.parapet:
        depth = min(right - left, upper - lower) / 2
        wide = right - left > upper - lower
        one = (left + depth, lower + depth)
        two = (right - depth, upper - depth)
        near = [one, two, two, one] if wide else [one, one, two, two]
        yield from zip(corners, near, strict=True)
        yield one, two
    elif building.rect:
        by = min(LIP, (right - left) / 4, (upper - lower) / 4)
        yield closed(((left + by, lower + by), (right - by, lower + by), (right - by, upper - by), (left + by, upper - by)))


# Ways up --------------------------------------------------------------------------------------------------------------


def stairs_marks(way: Stairs, level: int, pen: Pen) -> list[Mark]:
    """The flight with an arrow upwards on its own level; on the level above, the hole it comes out of."""
    box = square(way.at, way.size)
    if level == way.level + 1:
        foot, head = _climb(way)
        return [Area(box, "hatch_door"), *_treads(way, 3), *arrow(head, foot, pen.paper(0.11))]
    if level != way.level:
        return []
    beyond = [Line((way.at, way.to), "swing")] if way.to else []
    return [Area(box, "steps"), *_treads(way, 5), *beyond, *arrow(*_climb(way), pen.paper(0.12))]


def _climb(way: Stairs) -> tuple[Point, Point]:
    """From the lowest step to the highest, across the flight."""
    ahead = atan2(way.to[1] - way.at[1], way.to[0] - way.at[0]) if way.to and way.to != way.at else atan2(1, 0)
    x, y = way.at
    reach = way.size * 0.45
    return (x - reach * cos(ahead), y - reach * sin(ahead)), (x + reach * cos(ahead), y + reach * sin(ahead))


def _treads(way: Stairs, count: int) -> list[Mark]:
    a, b = _climb(way)
    half = way.size / 2
    roots = [between(a, b, (n + 0.5) / count) for n in range(count)]
    return [Line((aside(root, a, b, half), aside(root, a, b, -half)), "step") for root in roots]


def ladder_marks(way: Ladder, pen: Pen) -> list[Mark]:
    """Two rails and rungs; in its hatch, if it has one."""
    (x, y), half, reach = way.at, pen.paper(0.055), min(max(pen.paper(0.16), 0.35), way.size * 0.5)
    foot, head = (x, y - reach), (x, y + reach)
    rails = [Line((aside(foot, foot, head, by), aside(head, foot, head, by)), "pane") for by in (half, -half)]
    count = max(round(far(foot, head) * pen.scale / 0.06), 3)
    rungs = [between(foot, head, (n + 0.5) / count) for n in range(count)]
    steps = [Line((aside(rung, foot, head, half), aside(rung, foot, head, -half)), "pane") for rung in rungs]
    return [*([Area(square(way.at, way.size), "hatch_door")] if way.hatch else []), *rails, *steps]
