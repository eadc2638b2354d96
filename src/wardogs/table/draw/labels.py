"""What is written on a plan, moved aside where words would lie on words or on walls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from wardogs.scene.model import Area, Line, Mark, Text
from wardogs.scene.parts import LETTER
from wardogs.scene.terrain import LETTERS
from wardogs.table.draw.ground import ends
from wardogs.table.draw.strokes import Pen, aside, between, bounds, far, heart, middle
from wardogs.table.draw.walls import HEDGE
from wardogs.table.faces import floor_of, levels_standing, wall_height
from wardogs.table.kinds import find
from wardogs.table.model import Building, Map, Wall
from wardogs.table.openings import line_points
from wardogs.table.shapes import corners_of, outline
from wardogs.table.units import Point

Box: TypeAlias = tuple[float, float, float, float]

STEPS = (0.0, 0.8, -0.8, 1.5, -1.5, 2.4, -2.4, 3.4, -3.4)  # heights of a letter by which words may move
LONGEST = 48  # letters of a name
MOST_BOXES = 8_000  # pieces of lines that words are kept off: of more, only some are looked at
BOXES = ("vehicle", "crates", "container", "stalls", "furniture", "wreckage", "steps", "hatch_door")


class Label(NamedTuple):
    at: Point
    says: str
    look: str = "place"
    wide: float = 0.0  # of the piece: words may move aside within it


def figure(inches: float) -> str:
    """Inches as short as can be said."""
    return f"{round(inches, 2):g}"


def labels(table: Map, levels: Sequence[int], pen: Pen) -> Iterator[Label]:
    """Names and heights, the most important first; each building is shown at its level."""
    for building, level in zip(table.buildings, levels, strict=True):
        yield from building_labels(building, level, pen)
    yield from ground_labels(table)
    for slab in table.slabs:
        yield Label(middle(outline(slab)), f"{slab.name} {figure(slab.z)}".strip(), "height", _width(outline(slab)))
    yield from zone_labels(table, pen)


def stood_labels(table: Map, pen: Pen) -> Iterator[Label]:
    """Of things and walls on the ground."""
    for thing in table.things:
        yield Label(middle(corners_of(thing)), thing.name or find(pen.kinds, thing.kind).says or thing.kind, "note")
    for wall in table.walls:
        yield Label(_beside(wall, pen), f"{wall.name} {figure(wall_height(wall, pen.kinds))}".strip(), "height")


def zone_labels(table: Map, pen: Pen) -> Iterator[Label]:
    for zone in table.zones:
        left, lower, right, upper = bounds(outline(zone))
        at = ((left + right) / 2, max(upper - pen.paper(0.2), (lower + upper) / 2))
        yield Label(at, (zone.name or zone.id).upper(), "zone_name", right - left)


def _beside(wall: Wall, pen: Pen) -> Point:
    """Next to the middle of the longest stretch of a wall."""
    _, a, b = max((far(a, b), a, b) for a, b in pairwise(line_points(wall.line)))
    return aside(between(a, b, 0.5), a, b, pen.paper(0.17) + (HEDGE if wall.material == "hedge" else 0.0))


def building_labels(building: Building, level: int, pen: Pen) -> Iterator[Label]:
    at, wide, stands = heart(outline(building)), _width(outline(building)), levels_standing(building)
    yield Label(at, building.name or building.id, "name", wide)
    at = (at[0], at[1] - pen.paper(0.22))
    if level >= stands:
        yield Label(at, "fallen in" if stands < building.levels else f"roof {figure(floor_of(building, stands))}", "height", wide)
    elif level or building.base:
        yield Label(at, f"floor {figure(floor_of(building, level))}", "height", wide)
    if not level and stands > 1:
        yield Label(at, f"{stands} levels", "note", wide)
    yield from (Label(room.at, room.name, "note", wide) for room in building.rooms if room.level == level)


def ground_labels(table: Map) -> Iterator[Label]:
    for hill in table.hills:
        points = outline(hill)
        yield Label((middle(points)[0], bounds(points)[3] - 0.6), f"{hill.name} {figure(hill.height)}".strip(), "height")
    for slope in table.slopes:
        low, high = ends(slope)
        yield Label(between(low, high, 0.1), figure(slope.base), "height")
        yield Label(between(low, high, 0.9), figure(slope.height), "height")
        yield Label(middle((low, high)), slope.name, "note")
    for pit in table.pits:
        yield Label(middle(outline(pit)), f"{pit.name} -{figure(pit.depth)}".strip(), "height")
    for area in table.areas:
        yield Label(heart(outline(area)), area.name, "place", _width(outline(area)))


def _width(points: tuple[Point, ...]) -> float:
    left, _, right, _ = bounds(points)
    return right - left


# Placing --------------------------------------------------------------------------------------------------------------


def written(
    wanted: Iterable[Label], drawn: Sequence[Mark], table: Box, pen: Pen, clear_of: Sequence[Box] = ()
) -> list[Mark]:  # fmt: skip
    """The words where they cover least; those with no place on the table, or none off what must stay clear, are left out."""
    taken = [box for mark in drawn if isinstance(mark, Line) and _in_the_way(mark) for box in _boxes(mark, pen)]
    taken += [bounds(mark.points) for mark in drawn if isinstance(mark, Area) and mark.look in BOXES]
    taken += [*clear_of] * 3
    marks: list[Mark] = []
    boxes = np.array(taken[:: 1 + len(taken) // MOST_BOXES], float).reshape(-1, 4)
    for label in map(_short, wanted):
        if label.says and table[0] <= label.at[0] <= table[2] and table[1] <= label.at[1] <= table[3]:
            at, box = _best(label, boxes, table, pen)
            if any(_overlap(box, other) for other in clear_of):
                continue
            boxes = np.concatenate([boxes, [box] * 5])  # to lie on words is worse than to lie on a line
            marks.append(Text(at, label.says, label.look))
    return marks


def _short(label: Label) -> Label:
    """Nobody reads a long name on a plan, and to find room for it takes long."""
    return label if len(label.says) <= LONGEST else label._replace(says=f"{label.says[: LONGEST - 1].rstrip()}…")


def _in_the_way(line: Line) -> bool:
    return line.look.startswith(("wall", "arrow", "pane", "step", "wire"))


def _boxes(line: Line, pen: Pen) -> Iterator[Box]:
    """Small boxes along a line."""
    half, step = pen.paper(0.05), pen.paper(0.15)
    for (ax, ay), (bx, by) in zip(line.points, line.points[1:], strict=False):
        count = min(int(max(abs(bx - ax), abs(by - ay)) / step) + 1, 200)
        for n in range(count + 1):
            x, y = ax + (bx - ax) * n / count, ay + (by - ay) * n / count
            yield x - half, y - half, x + half, y + half


def _best(label: Label, taken: Any, table: Box, pen: Pen) -> tuple[Point, Box]:
    """Of all places the one that covers least; all at once, since a large table has thousands of lines to lie upon."""
    high = pen.paper(LETTERS[label.look].height)
    wide = high * LETTER * len(label.says)
    room = max(label.wide - wide, 0) / 2
    close = (abs(taken[:, 0] - label.at[0]) < 4 * high + 2 * wide) & (abs(taken[:, 1] - label.at[1]) < 8 * high)
    moves = (0.0, -0.6 * room, 0.6 * room) if label.wide else (0.0, -0.6 * wide, 0.6 * wide, -1.1 * wide, 1.1 * wide)
    places = [_kept((label.at[0] + right, label.at[1] + up * high), wide, high, table) for up in STEPS for right in moves]
    covered = _covered(np.array([box for _, box in places]), taken[close])
    costs = [(cover / (wide * high) + 0.012 * n, n) for n, cover in enumerate(covered)]
    return places[min(costs)[1]]


def _covered(boxes: Any, others: Any) -> list[float]:
    """How much of the others each box lies upon, added up in their order."""
    if not len(others):
        return [0.0] * len(boxes)
    low, high = np.maximum(boxes[:, None, :2], others[None, :, :2]), np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    size = np.maximum(high - low, 0.0)
    found: list[float] = (size[..., 0] * size[..., 1]).cumsum(axis=1)[:, -1].tolist()
    return found


def _kept(at: Point, wide: float, high: float, table: Box) -> tuple[Point, Box]:
    """The place moved so that the words stay on the table, and what they cover."""
    x = min(max(at[0], table[0] + wide * 0.6), table[2] - wide * 0.6)
    y = min(max(at[1], table[1] + high * 0.8), table[3] - high * 0.8)
    return (x, y), (x - wide / 2, y - high * 0.55, x + wide / 2, y + high * 0.55)


def _overlap(one: Box, two: Box) -> float:
    wide = min(one[2], two[2]) - max(one[0], two[0])
    high = min(one[3], two[3]) - max(one[1], two[1])
    return wide * high if wide > 0 and high > 0 else 0.0
