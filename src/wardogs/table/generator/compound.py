"""Walled compounds: mud houses in the corners of high walls, alleys between them, orchards, crops and ditches around."""

from __future__ import annotations

from functools import partial
from typing import Any

from wardogs.table.generator import features as lay
from wardogs.table.generator.boxes import QUARTER, SIDES, Box, Quarters, Spot, inch, sized
from wardogs.table.generator.features import Feature
from wardogs.table.generator.houses import Lot, Style, build
from wardogs.table.generator.plan import LANE, Plan
from wardogs.table.model import Opening, Side

ABOUT = "Walled compounds of mud brick with flat roofs, alleys between them, irrigated fields and orchards around."
HOUSE = Style("mud", "mud", parapet=0.5, to_roof=True, spacing=12, rooms=2)
STORE = Style("mud", "mud", parapet=0.25, spacing=16, rooms=1)
NAMES = ("the elder's house", "the guest house", "the weaver's", "the bakehouse", "the stable", "the grain store", "the potter's",
         "the widow's house", "the clinic", "the old school", "the tailor's", "the camel shed")  # fmt: skip
CORNERS: tuple[tuple[Side, Side], ...] = (("S", "W"), ("S", "E"), ("N", "E"), ("N", "W"))
INWARDS: dict[Side, Side] = {"S": "N", "N": "S", "E": "W", "W": "E"}
GATE = 8  # quarters
TRACK = 12


def lay_out(plan: Plan) -> None:
    for n, cell in enumerate(cells(plan)):
        if n % 3 == 2:
            open_ground(plan, cell)
        else:
            compound(plan, cell)
    around: list[Feature] = [
        lay.crops, lay.few(2, "ditch", lay.ditch), lay.orchard, lay.crops, lay.few(4, "bushes", lay.thicket), lay.copse,
        lay.few(2, "wall", partial(lay.low_wall, material="mud")), lay.few(2, "ruin", partial(lay.ruin, material="mud")),
        lay.few(3, "rock", lay.rocks), lay.few(2, "rough", lay.rough), lay.few(1, "crates", lay.crates),
        lay.few(1, "wreck", lay.wreck),
    ]  # fmt: skip
    lay.scatter(plan, around, (37, 46))


def cells(plan: Plan) -> list[Box]:
    """Plots between alleys, in any order; one alley is the track through the place."""
    columns, rows = max(plan.wide // 64, 2), max(plan.between.deep // 58, 1)
    track = plan.rng.randrange(1, columns)
    across = cuts(plan, plan.between.left, plan.between.right, columns, track)
    x = across[track][0]
    plan.road(Box(x - TRACK - 2, 0, x - 2, plan.deep), name="the track")
    found = []
    for left, right in across:
        found += [Box(left, low, right, high) for low, high in cuts(plan, plan.between.lower, plan.between.upper, rows)]
    return plan.rng.sample(found, len(found))


def cuts(plan: Plan, low: Quarters, high: Quarters, count: int, wide: int = -1) -> list[tuple[Quarters, Quarters]]:
    """Stretches with alleys between them; the alley before the stretch `wide` has room for the track."""
    found, at = [], low
    for k in range(count):
        end = low + (high - low) * (k + 1) // count + (plan.inches(-1, 1) if k + 1 < count else 0)
        start = at if k == 0 else at + (TRACK + 4 if k == wide else plan.inches(2, 3))
        found.append((start, end))
        at = end
    return found


def compound(plan: Plan, cell: Box) -> None:
    """Two or three houses in the corners; walls from house to house, with two gates."""
    low, high = plan.inches(0, 1), plan.inches(0, 1)
    box = Box((cell.left + low) // 2 * 2, (cell.lower + high) // 2 * 2, (cell.right - high) // 2 * 2, (cell.upper - low) // 2 * 2)
    if not plan.has_room(box):
        return open_ground(plan, cell)
    houses = [corner_house(plan, box, corner) for corner in plan.rng.sample(CORNERS, plan.rng.choice((2, 3, 3)))]
    gates: list[Side] = plan.rng.sample(SIDES, 4)
    left = 2
    for side in gates:
        left -= walls_on(plan, box, side, houses, left > 0)
    court(plan, box.grown(-2))
    plan.claim(box)
    return None


def corner_house(plan: Plan, box: Box, corner: tuple[Side, Side]) -> Box:
    """A house whose outer walls are part of the compound's."""
    wide, deep = min(plan.inches(4.5, 6.5, 2), (box.wide - 8) // 4 * 2), min(plan.inches(4, 6, 2), (box.deep - 8) // 4 * 2)
    left = box.left if corner[1] == "W" else box.right - wide
    lower = box.lower if corner[0] == "S" else box.upper - deep
    house = sized(left, lower, wide, deep)
    doors: list[Side] = [INWARDS[side] for side in corner]
    style = STORE if plan.chance(25) else HOUSE
    levels = 2 if style is HOUSE and plan.chance(35) else 1
    doors = doors if plan.chance(30) else [plan.rng.choice(doors)]
    plan.building(house, build(plan.rng, Lot(house, doors, levels), style, plan.id("house"), plan.name(NAMES)))
    return house


def walls_on(plan: Plan, box: Box, side: Side, houses: list[Box], gate: bool) -> int:
    """The wall on one side of a compound, between the houses that stand there; tells how many gates it has got."""
    start, end = box.edge(side)
    flat = side in "NS"
    low, high = (start[0], end[0]) if flat else (start[1], end[1])
    for house in houses:
        if house.edge(side)[0][1 if flat else 0] == start[1 if flat else 0]:
            low, high = _without((low, high), (house.left, house.right) if flat else (house.lower, house.upper))
    if high - low < 4:
        return 0
    ends = ((low, start[1]), (high, start[1])) if flat else ((start[0], low), (start[0], high))
    if not gate or high - low < GATE + 6:
        plan.wall(ends, "mud", height=1.75, noun="compound-wall")
        return 0
    plan.wall(ends, "mud", height=1.75, noun="compound-wall", **_gate(plan, ends))
    return 1


def _without(stretch: tuple[Quarters, Quarters], taken: tuple[Quarters, Quarters]) -> tuple[Quarters, Quarters]:
    """What a house at one end leaves of the stretch."""
    return (taken[1], stretch[1]) if taken[0] == stretch[0] else (stretch[0], taken[0])


def _gate(plan: Plan, ends: tuple[Spot, Spot]) -> dict[str, Any]:
    x, y = lay.half_way(*ends)
    at = (x + x % 2, y) if ends[0][1] == ends[1][1] else (x, y + y % 2)
    if plan.chance(50):
        return {"gaps": [(at, GATE)]}
    return {"doors": (Opening(id=plan.id("gate"), name="the gate", at=inch(at), width=GATE / QUARTER, state="open"),)}


def court(plan: Plan, yard: Box) -> None:
    """A well, trees, what stands about in a courtyard."""
    lay.patch(plan, plan.rng.choice(("orchard", "crops", "grass", "bushes")), (3, 5, 3, 4.5), "rect", yard, 3)
    if plan.chance(60) and (spot := plan.spot(5, 5, yard, LANE)):
        plan.area("rock", spot, "round", id=plan.id("well"), name="the well", height=0.6)
    if plan.chance(60) and (spot := plan.spot(6, 4, yard, LANE)):
        plan.thing("crates", spot)
    if plan.chance(40):
        lay.patch(plan, "woods", (2.5, 3.5, 2.5, 3.5), "blob", yard)


def open_ground(plan: Plan, cell: Box) -> None:
    """Where no compound stands: an orchard or a field behind a low wall with gaps, beside a ditch."""
    plot = cell.grown(-plan.inches(0.5, 1.5))
    if not plan.has_room(plot, 2):
        return
    kind = plan.rng.choice(("orchard", "crops"))
    half = Box(plot.left, plot.lower, plot.right, (plot.lower + plot.upper) // 2 - 4)
    plan.area(kind, half.grown(-2), id=plan.id("field" if kind == "crops" else kind))
    ends = half.edge("N")
    quarter = (3 * ends[0][0] + ends[1][0]) // 4
    plan.wall(ends, "mud", [((quarter + quarter % 2, ends[0][1]), 8)], height=0.75)
    plan.pit(Box(plot.left, half.upper + 8, plot.right, half.upper + 14), 0.5, "rect", id=plan.id("ditch"))
