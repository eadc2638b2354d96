"""Tables by theme and seed: dense, plausible, and the same on every machine.

Pieces lie on quarter inches, doors on half inches; solid pieces leave lanes of an inch and a half; the two edges where sides
deploy have no buildings. A layout that turns out too bare, or that has a corner nobody can walk to, is thrown away and laid
out anew from the same stream of chance.
"""

from __future__ import annotations

from random import Random

import shapely

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.table.generator import compound, industrial, street, village, wood
from wardogs.table.generator.boxes import QUARTER
from wardogs.table.generator.plan import DEPLOY, Plan
from wardogs.table.generator.walk import is_open
from wardogs.table.model import Map
from wardogs.table.openings import line_points
from wardogs.table.shapes import corners_of, outline
from wardogs.table.units import LONGEST, Inches

LAYOUTS = {"village": village, "compound": compound, "wood": wood, "industrial": industrial, "street": street}
THEMES: tuple[str, ...] = tuple(LAYOUTS)

SMALLEST: Inches = 30.0
LEAST_COVERED = 0.31
WALL: Inches = 0.25  # how far a wall's line is counted as covered ground, to each side
BARE = ("road", "open")  # kinds that are no terrain to speak of
ATTEMPTS = 60


def generate(theme: str, seed: int, size: tuple[float, float] = (48.0, 48.0)) -> Map:
    """The table of a theme and seed."""
    if theme not in LAYOUTS:
        raise unknown("theme", theme, THEMES)
    if not all(SMALLEST <= side <= LONGEST for side in size):
        raise WardogsError(f"a table of {size[0]:g} x {size[1]:g} inches: both sides must be {SMALLEST:g} to {LONGEST:g}")
    wide, deep = (round(side * QUARTER) for side in size)
    layout, rng = LAYOUTS[theme], Random(f"{theme}:{seed}")
    for _ in range(ATTEMPTS):
        plan = Plan(rng, wide, deep)
        layout.lay_out(plan)
        table = plan.table(f"{theme}-{seed}", layout.ABOUT)
        if covered(table) >= LEAST_COVERED and is_open(table, DEPLOY / QUARTER):
            return table
    raise WardogsError(f"{theme} {seed} on {size[0]:g} x {size[1]:g} inches: no good table found; try another seed or size")


def covered(table: Map) -> float:
    """The share of the table under terrain; a road or open ground is none."""
    shaped = [*table.buildings, *(area for area in table.areas if area.kind not in BARE), *table.hills, *table.pits]
    rings = [shapely.Polygon(outline(piece)) for piece in shaped]
    rings += [shapely.box(*slope.rect) for slope in table.slopes]
    rings += [shapely.Polygon(corners_of(thing)) for thing in table.things]
    rings += [shapely.LineString(line_points(wall.line)).buffer(WALL) for wall in table.walls]
    on_table = shapely.box(0, 0, *table.size)
    return float(shapely.union_all(rings).intersection(on_table).area / on_table.area)
