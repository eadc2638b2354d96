"""The plan of a table: all its pieces from above, in inches of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from wardogs.kernel.errors import WardogsError
from wardogs.scene.model import Area, Line, Mark
from wardogs.table.draw.buildings import ladder_marks, level_marks
from wardogs.table.draw.ground import (
    area_marks,
    hill_marks,
    in_the_air,
    is_flat,
    pit_marks,
    slab_marks,
    slope_marks,
    thing_marks,
    zone_marks,
)
from wardogs.table.draw.labels import Box, labels, stood_labels, written
from wardogs.table.draw.strokes import Pen
from wardogs.table.draw.walls import wall_marks
from wardogs.table.faces import levels_standing
from wardogs.table.model import Building, Map, Piece, pieces
from wardogs.table.units import Point

Some = TypeVar("Some", bound=Piece)
MOST_DRAWN = 5_000


def drawable(table: Map) -> None:
    """A picture of more pieces than this would take minutes and show nothing."""
    if (count := len(pieces(table))) > MOST_DRAWN:
        raise WardogsError(f"{table.name}: {count:,} pieces: a picture shows at most {MOST_DRAWN:,}; ask without one")


def plan_marks(table: Map, level: int, pen: Pen) -> list[Mark]:
    """Everything from the ground up, without names; above the ground floor what lies below is faded."""
    drawable(table)
    marks: list[Mark] = [Area(sheet(table), "tabletop"), *grid(table), *ground_marks(table, pen)]
    if level:
        lower = [mark for building in table.buildings for mark in level_marks(building, levels_standing(building), pen)]
        marks += [*lower, *stood_marks(table, pen), Area(sheet(table), "veil")]
    marks += [mark for building in stood(table, level) for mark in level_marks(building, level, pen)]
    return [*marks, *([] if level else stood_marks(table, pen)), *above_marks(table, pen)]


def named_plan(table: Map, level: int, pen: Pen, view: Box) -> list[Mark]:
    """The plan with the names and heights of what is in view."""
    marks, levels = plan_marks(table, level, pen), [level] * len(table.buildings)
    wanted = [*labels(table, levels, pen), *([] if level else stood_labels(table, pen))]
    return [*marks, *written(wanted, marks, view, pen)]


def storeys_plan(table: Map, levels: Sequence[int], pen: Pen, view: Box, clear_of: Sequence[Box]) -> list[Mark]:
    """Each building at a level of its own, nothing faded; no word lies where it must stay clear."""
    drawable(table)
    marks = storeys_marks(table, levels, pen)
    return [*marks, *written([*labels(table, levels, pen), *stood_labels(table, pen)], marks, view, pen, clear_of)]


def storeys_marks(table: Map, levels: Sequence[int], pen: Pen) -> list[Mark]:
    """Buildings that are shown at their ground floor lie under the walls of the table, the others above them."""
    low, high = list[Mark](), list[Mark]()
    for building, level in zip(table.buildings, levels, strict=True):
        (high if level else low).extend(level_marks(building, level, pen))
    marks: list[Mark] = [Area(sheet(table), "tabletop"), *grid(table), *ground_marks(table, pen)]
    return [*marks, *low, *stood_marks(table, pen), *high, *above_marks(table, pen)]


def sheet(table: Map) -> tuple[Point, ...]:
    wide, high = table.size
    return (0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)


def stood(table: Map, level: int) -> list[Building]:
    """The buildings that have this level, or whose roof it is."""
    return [building for building in table.buildings if not level or levels_standing(building) >= level]


def grid(table: Map, step: int = 6) -> Iterator[Mark]:
    wide, high = table.size
    for x in range(step, int(wide - 0.01) + 1, step):
        yield Line(((float(x), 0.0), (float(x), high)), "grid")
    for y in range(step, int(high - 0.01) + 1, step):
        yield Line(((0.0, float(y)), (wide, float(y))), "grid")


def ground_marks(table: Map, pen: Pen) -> list[Mark]:
    """Flat ground first, hills from the lowest, then what stands on them."""
    flat = [area for area in table.areas if is_flat(area, pen)]
    grown = [area for area in table.areas if not is_flat(area, pen) and not in_the_air(area, pen)]
    return [
        *each(flat, area_marks, pen),
        *each(sorted(table.hills, key=lambda hill: hill.height), hill_marks, pen),
        *each(table.slopes, slope_marks, pen),
        *each(table.pits, pit_marks, pen),
        *each(grown, area_marks, pen),
    ]


def stood_marks(table: Map, pen: Pen) -> list[Mark]:
    """Things and walls that stand on the ground."""
    return [*each(table.things, thing_marks, pen), *each(table.walls, wall_marks, pen)]


def above_marks(table: Map, pen: Pen) -> list[Mark]:
    """What hangs over the rest, and the zones."""
    over = [area for area in table.areas if in_the_air(area, pen) and not is_flat(area, pen)]
    hung = [*each(table.slabs, slab_marks, pen), *each(table.ladders, ladder_marks, pen), *each(over, area_marks, pen)]
    return [*hung, *each(table.zones, zone_marks, pen)]


def each(group: Iterable[Some], draw: Callable[[Some, Pen], list[Mark]], pen: Pen) -> list[Mark]:
    return [mark for piece in group for mark in draw(piece, pen)]
