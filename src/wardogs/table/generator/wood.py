"""A wood: paths that wind through it, a stream with a crossing, clearings with rocks and logs, a forester's hut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from wardogs.table.generator import features as lay
from wardogs.table.generator.boxes import SIDES, Box, Quarters, Spot, sized, turned, winding
from wardogs.table.generator.houses import Lot, Style, build
from wardogs.table.generator.plan import Plan
from wardogs.table.kinds import Kind
from wardogs.table.model import Side

ABOUT = "Deep wood with winding paths, a stream and its ford, rocky clearings and a forester's hut."
HUT = Style("wood_wall", pane="glass", rooms=2)
LOG = Kind(cover="medium", move="rough", height=0.5, says="log")
NAMES = ("the forester's hut", "the sawmill", "the hunting lodge", "the charcoal burner's")
PATH, STREAM = 4, 5  # quarters, half of the breadth


def lay_out(plan: Plan) -> None:
    plan.kinds["log"] = LOG
    path = wind(plan, plan.wide * plan.rng.randint(35, 65) // 100, plan.deep, plan.wide)
    plan.outline("road", winding(path, PATH), id="path-1", name="the path")
    stream(plan, path)
    side_path(plan, path)
    huts(plan)
    deep_wood, grove = lay.some("woods", (9, 15, 8, 14)), lay.some("woods", (5, 9, 5, 8))
    for feature in (deep_wood, deep_wood, lay.knoll, deep_wood, deep_wood, lay.rocks, deep_wood, log):
        feature(plan)
    around = [
        deep_wood, grove, lay.few(3, "log", log), grove, lay.few(4, "bushes", lay.thicket), lay.few(3, "rock", lay.rocks),
        deep_wood, grove, lay.few(1, "ruin", lay.ruin), lay.few(1, "swamp", lay.swamp), lay.few(1, "ditch", lay.ditch),
        lay.few(1, "crater", lay.crater), lay.few(1, "grass", lay.grass),
    ]  # fmt: skip
    lay.scatter(plan, around, (43, 54))


def wind(plan: Plan, at: Quarters, length: Quarters, breadth: Quarters) -> list[Spot]:
    """Points of a way that runs from edge to edge and strays to both sides: (across, along)."""
    points, along = [(at, 0)], 0
    while along < length:
        along = min(along + plan.inches(5, 8), length)
        if length - along < 12:
            along = length
        at = min(max(at + plan.inches(-4, 4), breadth // 8), breadth * 7 // 8)
        points.append((at, along))
    return points


def across_at(way: Sequence[Spot], along: Quarters) -> Quarters:
    """Where a way is, so far along."""
    for (x, y), (to_x, to_y) in pairwise(way):
        if y <= along <= to_y:
            return x + (to_x - x) * (along - y) // (to_y - y)
    return way[-1][0]


def stream(plan: Plan, path: Sequence[Spot]) -> None:
    """Shallow water from west to east; the path crosses it on planks."""
    y = plan.deep * plan.rng.randint(38, 62) // 100
    course = wind(plan, y, plan.wide, plan.deep)
    x = across_at(path, across_at(course, across_at(path, y)))
    ford = across_at(course, x)
    west = [point for point in course if point[1] < x - 12] + [(ford, x - 8)]
    east = [(ford, x + 8)] + [point for point in course if point[1] > x + 12]
    for bank in (west, east):
        if len(bank) > 1:
            plan.outline("shallows", turned(winding(bank, STREAM)), id=plan.id("stream"), name="the stream")


def side_path(plan: Plan, path: Sequence[Spot]) -> None:
    """A track that leaves the path for the nearer or the farther edge."""
    y = plan.deep * plan.rng.choice((22, 25, 75, 78)) // 100
    x = across_at(path, y)
    box = Box(0, y - 3, x - PATH - 2, y + 3) if plan.chance(50) else Box(x + PATH + 2, y - 3, plan.wide, y + 3)
    if plan.has_room(box, 0):
        plan.road(box, name="the forest track", id="path-2")


def huts(plan: Plan) -> None:
    """One or two, each in its clearing."""
    for _ in range(plan.rng.choice((1, 2, 2))):
        wide, deep = plan.inches(5, 7, 2), plan.inches(4, 5.5, 2)
        yard = plan.spot(wide + 12, deep + 12, plan.between, 0)
        if yard is None:
            continue
        box = sized(yard.left + 6, yard.lower + 6, wide, deep)
        doors: list[Side] = plan.rng.sample(SIDES, 2)
        plan.building(box, build(plan.rng, Lot(box, doors, 1), HUT, plan.id("hut"), plan.name(NAMES)))
        back = box.beyond(next(side for side in SIDES if side not in doors), 0, 3)
        pile = Box(back.left, back.lower, min(back.left + 6, back.right), min(back.lower + 6, back.upper))
        plan.thing("crates", pile, "woodpile", name="the woodpile", height=0.75)
        plan.claim(yard)


def log(plan: Plan) -> bool:
    """A fallen trunk."""
    long = plan.inches(3, 5)
    box = plan.spot(*((long, 3) if plan.chance(50) else (3, long)), None, 1)
    if box is None:
        return False
    plan.thing("log", box)
    return True
