"""What lies about on any table: woods, fields, rubble, ruins. Each is added where there is room; false if there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from wardogs.table.generator.boxes import SIDES, Box, Quarters, Spot
from wardogs.table.generator.plan import LANE, Form, Plan
from wardogs.table.model import Side

Feature: TypeAlias = Callable[[Plan], bool]
Sizes: TypeAlias = tuple[float, float, float, float]  # inches: width from, to, depth from, to

USUAL = 192 * 192  # square quarters
BESIDE = 1  # quarters: soft pieces come so near to solid ones


def patch(plan: Plan, kind: str, sizes: Sizes, form: Form = "blob", within: Box | None = None, lane: Quarters = BESIDE) -> bool:
    """An area of some kind."""
    if form == "blob" and lane < LANE:
        return plan.slide(kind, (plan.inches(*sizes[:2]), plan.inches(*sizes[2:])), within)
    box = plan.spot(plan.inches(*sizes[:2]), plan.inches(*sizes[2:]), within, lane)
    if box is None:
        return False
    plan.area(kind, box, form)
    return True


def some(kind: str, sizes: Sizes, form: Form = "blob", lane: Quarters = BESIDE) -> Feature:
    return lambda plan: patch(plan, kind, sizes, form, None, lane)


copse = some("woods", (5, 9, 5, 8))
thicket = some("bushes", (2.5, 4.5, 2, 4))
orchard = some("orchard", (5, 8, 4.5, 7), "rect")
rubble = some("rubble", (3, 5, 2.5, 4.5), "clipped")
rough = some("rough", (4, 7, 3, 6))
grass = some("grass", (5, 9, 4, 7))
rocks = some("rock", (1.5, 3, 1.5, 2.5), "blob", LANE)
pond = some("water", (4, 6, 3.5, 5), "blob", LANE)
swamp = some("swamp", (5, 8, 4, 6))


def few(most: int, noun: str, feature: Feature) -> Feature:
    """No more of them than so many to a table of four by four feet."""

    def add(plan: Plan) -> bool:
        limit = max(most * plan.wide * plan.deep // USUAL, 1)
        added = plan.scattered[noun] < limit and feature(plan)
        plan.scattered[noun] += added
        return added

    return add


def crops(plan: Plan) -> bool:
    """A field, with a hedge along one side or two."""
    box = plan.spot(plan.inches(7, 11), plan.inches(5.5, 8), None, 3)
    if box is None:
        return False
    plan.area("crops", box, id=plan.id("field"))
    sides: list[Side] = plan.rng.sample(SIDES, plan.rng.randint(0, 2))
    for side in sides:
        border = box.grown(1)
        if plan.is_on(border.grown(1)):
            plan.wall(border.edge(side), "hedge")
    return True


def knoll(plan: Plan) -> bool:
    """A hill in two easy steps."""
    box = plan.spot(plan.inches(8, 11), plan.inches(7, 10), None, BESIDE)
    if box is None:
        return False
    plan.hill(box, 1.0, 2, name="the hill")
    return True


def ditch(plan: Plan) -> bool:
    long, wide = plan.inches(7, 12), plan.inches(1.25, 1.75)
    box = plan.spot(*((long, wide) if plan.chance(50) else (wide, long)))
    if box is None:
        return False
    plan.pit(box, 0.5, "rect", id=plan.id("ditch"))
    return True


def crater(plan: Plan) -> bool:
    size = plan.inches(2.5, 3.5)
    box = plan.spot(size, size, None, 3)
    if box is None:
        return False
    plan.pit(box, 0.5, "blob", id=plan.id("crater"), name="the crater")
    return True


def wreck(plan: Plan) -> bool:
    return _thing(plan, "wreckage", (plan.inches(2.5, 3.5), plan.inches(1.25, 1.5)), "wreck")


def crates(plan: Plan) -> bool:
    return _thing(plan, "crates", (plan.inches(1.5, 2.5), plan.inches(1, 1.5)), "crates")


def _thing(plan: Plan, kind: str, size: Spot, noun: str) -> bool:
    box = plan.spot(*(size if plan.chance(50) else size[::-1]))
    if box is None:
        return False
    plan.thing(kind, box, noun)
    return True


def low_wall(plan: Plan, material: str = "stone", height: float | None = 0.6) -> bool:
    """A straight wall that one can fire over, or a hedge or fence."""
    long = plan.inches(5, 9)
    box = plan.spot(*((long, 2) if plan.chance(50) else (2, long)))
    if box is None:
        return False
    (x, y), (to_x, to_y) = (box.left, box.lower), (box.right, box.upper)
    line = ((x, y + 1), (to_x, y + 1)) if box.wide > box.deep else ((x + 1, y), (x + 1, to_y))
    plan.wall(line, material, height=height)
    return True


hedge = partial(low_wall, material="hedge", height=None)
sandbags = partial(low_wall, material="sandbags", height=None)


def ruin(plan: Plan, material: str = "stone") -> bool:
    """Three broken walls of a house that was, with rubble on its floor."""
    box = plan.spot(plan.inches(5, 7, 2), plan.inches(4.5, 6, 2))
    if box is None:
        return False
    corners = list(box.corners)
    turn = plan.rng.randrange(4)
    around = (corners * 2)[turn : turn + 4]
    ends = [half_way(around[0], around[1]), around[1], around[2], half_way(around[2], around[3])]
    hole = half_way(around[1], around[2])
    plan.wall(ends, material, [(hole, 6)], height=1.5, name="the ruin")
    plan.area("rubble", box.grown(-3), "clipped")
    return True


def half_way(one: Spot, other: Spot) -> Spot:
    return (one[0] + other[0]) // 2, (one[1] + other[1]) // 2


def scatter(plan: Plan, features: Sequence[Feature], percent: tuple[int, int]) -> None:
    """Until a share of the table between the two is under terrain."""
    plan.fill(features, plan.rng.randint(*percent) / 100)
