"""A village: a staggered crossroads with a market, houses that face the road with yards behind them, fields around."""

from __future__ import annotations

from collections.abc import Iterator

from wardogs.table.generator import features as lay
from wardogs.table.generator.boxes import BACK, BESIDE, Box, Quarters, sized
from wardogs.table.generator.features import Feature
from wardogs.table.generator.houses import Lot, Style, build
from wardogs.table.generator.plan import Plan
from wardogs.table.model import Side

ABOUT = "A village at a crossroads: market, church and farmhouses with their yards among fields."
HOUSE = Style("stone", pane="glass", rooms=3)
COTTAGE = Style("wood_wall", pane="glass", rooms=2)
CHURCH = Style("stone", "stone", storey=4.0, pane="glass", spacing=12, door=6, rooms=2)
NAMES = ("the mill", "the inn", "the smithy", "the bakery", "the school", "the post office", "the doctor's house", "the old farm",
         "the dairy", "the mayor's house", "the saddler's", "the vicarage", "the cooper's", "the tannery")  # fmt: skip
ROAD = 12  # quarters


def lay_out(plan: Plan) -> None:
    roads = crossroads(plan)
    market(plan, roads)
    church(plan)
    for road in roads:
        for box, faces in frontage(plan, road, (5, 8), (4.5, 6.5), (2, 3.5)):
            homestead(plan, box, faces)
    around: list[Feature] = [
        lay.crops, lay.copse, lay.few(3, "orchard", lay.orchard), lay.few(4, "bushes", lay.thicket), lay.crops,
        lay.few(1, "hedge", lay.hedge), lay.copse, lay.few(1, "hill", lay.knoll), lay.few(1, "pond", lay.pond),
        lay.few(2, "wall", lay.low_wall), lay.few(1, "ditch", lay.ditch), lay.few(1, "ruin", lay.ruin),
        lay.few(2, "crates", lay.crates), lay.few(1, "wreck", lay.wreck),
    ]  # fmt: skip
    lay.scatter(plan, around, (36, 44))


def crossroads(plan: Plan) -> list[Box]:
    """One road across the table, and two that meet it at different places."""
    y = plan.deep // 2 + plan.inches(-4, 2)
    south = plan.wide * plan.rng.randint(30, 60) // 100
    north = min(max(south + plan.rng.choice((-1, 1)) * plan.inches(3, 10), plan.wide // 5), plan.wide * 7 // 10)
    roads = [Box(0, y, plan.wide, y + ROAD), Box(south, 0, south + ROAD, y), Box(north, y + ROAD, north + ROAD, plan.deep)]
    for road, name in zip(roads, ("the high street", "the south road", "the north road"), strict=True):
        plan.road(road, name=name)
    return roads


def market(plan: Plan, roads: list[Box]) -> None:
    """Stalls in rows beside the crossing, around a well."""
    high, _, north = roads
    wide, deep = plan.inches(11, 13), plan.inches(8, 9.5)
    left = north.left - wide if north.left > plan.wide // 2 else north.right
    square = sized(left, high.upper, wide, deep)
    middle = square.middle
    plan.area("rock", sized(middle[0] - 3, middle[1] - 3, 6, 6), "round", id="well", name="the well", height=0.6)
    for y in range(square.lower + 3, square.upper - 7, 11):
        for x in range(square.left + 3, square.right - 10, 15):
            stall = sized(x, y, 10, 5)
            if plan.has_room(stall) and plan.chance(85):
                plan.area("stalls", stall)
    plan.claim(square)


def church(plan: Plan) -> None:
    """The largest house, somewhere beside a road."""
    wide, deep = plan.inches(6, 7, 2), plan.inches(10, 12, 2)
    for road in plan.roads:
        for faces in sides_of(road):
            size = (wide, deep) if faces in "NS" else (deep, wide)
            for box in plan.spots(*size, strip(plan, road, faces, size)):
                doors: list[Side] = [faces, BESIDE[faces][0]]
                plan.building(box, build(plan.rng, Lot(box, doors, 1), CHURCH, "church", "the church"))
                return


def sides_of(road: Box) -> tuple[Side, Side]:
    """Which ways houses on the two sides of a road face: towards it."""
    return ("E", "W") if road.deep > road.wide else ("S", "N")


def strip(plan: Plan, road: Box, faces: Side, size: tuple[Quarters, Quarters]) -> Box:
    """The ground beside a road where a house of that size stands one or two inches back from it."""
    deep = (size[0] if faces in "EW" else size[1]) + 4
    ground, room = road.beyond(BACK[faces], 2, deep), plan.between
    return inside(ground, room)


def frontage(
    plan: Plan, road: Box, length: tuple[float, float], depth: tuple[float, float], gap: tuple[float, float]
) -> Iterator[tuple[Box, Side]]:
    """Plots one after the other along both sides of a road, and which way they face."""
    for faces in sides_of(road):
        along = "y" if faces in "EW" else "x"
        room = plan.between
        at, end = (max(road.lower, room.lower), min(road.upper, room.upper)) if along == "y" else (room.left, room.right)
        while at < end:
            long, deep = plan.inches(*length, 2), plan.inches(*depth, 2)
            row = Box(road.left, at, road.right, at + long) if along == "y" else Box(at, road.lower, at + long, road.upper)
            box = row.beyond(BACK[faces], plan.inches(0.5, 1.5), deep)
            if at + long <= end and box == inside(box, room) and plan.has_room(box):
                yield box, faces
                at += long + plan.inches(*gap)
            else:
                at += 3


def inside(box: Box, room: Box) -> Box:
    """What of a box is in the room."""
    return Box(max(box.left, room.left), max(box.lower, room.lower), min(box.right, room.right), min(box.upper, room.upper))


def homestead(plan: Plan, box: Box, faces: Side) -> None:
    """A house; behind it a yard, if there is room for one."""
    behind = BACK[faces]
    yard = box.beyond(behind, 0, plan.inches(4, 6))
    has_yard = plan.has_room(yard.grown(1)) and plan.chance(75)
    style, levels = (HOUSE, plan.rng.choice((1, 2, 2))) if plan.chance(65) else (COTTAGE, 1)
    doors: list[Side] = [faces, behind] if has_yard or plan.chance(40) else [faces]
    plan.building(box, build(plan.rng, Lot(box, doors, levels), style, plan.id("house"), plan.name(NAMES)))
    if has_yard:
        fence_in(plan, yard, faces)


def fence_in(plan: Plan, yard: Box, faces: Side) -> None:
    """Three sides of a yard, the fourth is the house; a gap in the rear, and something that grows."""
    near, far = yard.edge(faces), yard.edge(BACK[faces])
    gap = lay.half_way(*far)
    gap = (gap[0] + gap[0] % 2, gap[1]) if faces in "NS" else (gap[0], gap[1] + gap[1] % 2)
    material, height = plan.rng.choice((("stone", 0.7), ("wood_fence", None), ("hedge", None), ("stone", 1.0)))
    plan.wall((near[0], far[0], far[1], near[1]), material, [(gap, 8)], height=height)
    plot = yard.grown(-3)
    kind = plan.rng.choice(("orchard", "crops", "grass", "bushes", ""))
    if kind and plot.wide > 6 and plot.deep > 6:
        plan.area(kind, plot, "clipped" if kind == "bushes" else "rect", id=plan.id("garden"))
    plan.claim(yard)
