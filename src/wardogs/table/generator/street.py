"""A town: two streets that cross, terraces of tall houses along them, courts behind, cars and barricades in the road."""

from __future__ import annotations

from functools import partial

from wardogs.table.generator import features as lay
from wardogs.table.generator.boxes import BACK, BESIDE, SIDES, Box, Quarters, sized
from wardogs.table.generator.features import Feature
from wardogs.table.generator.houses import Lot, Style, build
from wardogs.table.generator.plan import DEPLOY, LANE, Plan
from wardogs.table.generator.village import sides_of
from wardogs.table.model import Building, Side

ABOUT = "A town centre: terraces of two and three storeys along two streets, courts behind them, wrecks and barricades between."
TERRACE = Style("brick", pane="glass", spacing=8, rooms=3)
BLOCK = Style("concrete", parapet=0.5, to_roof=True, pane="glass", spacing=8, rooms=4)
OUTHOUSE = Style("brick", spacing=10, rooms=1)
NAMES = ("the bank", "the hotel", "the pharmacy", "the police station", "the cinema", "the department store", "the café",
         "the garage", "the library", "the town hall", "the barber's", "the butcher's", "the theatre",
         "the post office")  # fmt: skip
MAIN, CROSS = 18, 15  # quarters


def lay_out(plan: Plan) -> None:
    main, cross = streets(plan)
    for road in (main, cross):
        for faces in sides_of(road):
            terrace(plan, road, faces)
    for road in (main, cross):
        traffic(plan, road)
    barricades(plan, main)
    around: list[Feature] = [
        lay.rubble, lay.few(3, "park", park), lay.few(2, "wall", partial(lay.low_wall, material="brick", height=1.0)),
        lay.few(2, "ruin", partial(lay.ruin, material="brick")), lay.few(2, "wreck", lay.wreck),
        lay.few(2, "bushes", lay.thicket),
        lay.few(2, "crates", lay.crates), lay.few(3, "crater", lay.crater), lay.few(1, "sandbags", lay.sandbags),
        lay.few(2, "outhouse", outhouse), lay.few(2, "rough", lay.rough),
    ]  # fmt: skip
    lay.scatter(plan, around, (40, 47))


def streets(plan: Plan) -> tuple[Box, Box]:
    x, y = plan.wide * plan.rng.randint(36, 56) // 100, plan.deep * plan.rng.randint(40, 54) // 100
    main, cross = Box(x, 0, x + MAIN, plan.deep), Box(0, y, plan.wide, y + CROSS)
    plan.road(main, name="the main street")
    plan.road(Box(0, y, x, y + CROSS), name="the cross street")
    plan.road(Box(x + MAIN, y, plan.wide, y + CROSS), name="the cross street")
    return main, cross


def terrace(plan: Plan, road: Box, faces: Side) -> None:
    """Houses wall to wall along one side of a street, with an alley after every second or third."""
    room, along = plan.between, faces in "EW"
    at, end = (room.lower, room.upper) if along else (room.left, room.right)
    row, left = [], plan.rng.randint(2, 3)
    depth = plan.inches(5, 6.5, 2)
    while at < end:
        long = plan.inches(5, 8, 2)
        front = Box(road.left, at, road.right, at + long) if along else Box(at, road.lower, at + long, road.upper)
        box = front.beyond(BACK[faces], 3, depth)
        if at + long > end or not plan.has_room(box) or not plan.is_on(box.grown(2)):
            at, left = at + 3, plan.rng.randint(2, 3)
            continue
        row.append(box)
        left -= 1
        at += long + (0 if left else plan.inches(2, 3))
        left = left or plan.rng.randint(2, 3)
    for box in spaced(row):
        plan.building(box, town_house(plan, box, faces, row))


def spaced(row: list[Box]) -> list[Box]:
    """Without houses that stand so near the one before, yet apart from it, that nobody gets through."""
    kept: list[Box] = []
    for box in row:
        gap = max(box.left - kept[-1].right, box.lower - kept[-1].upper) if kept else 0
        if gap == 0 or gap >= LANE:
            kept.append(box)
    return kept


def town_house(plan: Plan, box: Box, faces: Side, row: list[Box]) -> Building:
    """With a door to the street and mostly one to the court; no windows towards its neighbours."""
    blind = [side for side in BESIDE[faces] if any(box.edge(side) == other.edge(BACK[side]) for other in row)]
    doors: list[Side] = [faces, BACK[faces]] if plan.chance(70) else [faces]
    style, levels = (BLOCK, plan.rng.choice((2, 3, 3))) if plan.chance(30) else (TERRACE, plan.rng.choice((2, 2, 3)))
    return build(plan.rng, Lot(box, doors, levels, blind), style, plan.id("house"), plan.name(NAMES))


def traffic(plan: Plan, road: Box) -> None:
    """Cars at the kerb, some burnt out; a bus now and then."""
    along = road.deep > road.wide
    at, end = plan.inches(2, 6), road.upper if along else road.right
    while at + 18 < end:
        long, wide = plan.rng.choice(((10, 5), (11, 5), (16, 6)))
        near = plan.chance(50)
        kerb = road.left + 3 if near else road.right - wide - 3
        side = road.lower + 3 if near else road.upper - wide - 3
        box = sized(kerb, at, wide, long) if along else sized(at, side, long, wide)
        if plan.is_walkable(box.grown(LANE)):
            burnt = plan.chance(35)
            noun = "bus" if long > 12 else "car"
            plan.thing("wreckage" if burnt else "vehicle", box, noun, name=f"the {'burnt ' if burnt else ''}{noun}",
                       height=1.75 if long > 12 else 1.0)  # fmt: skip
        at += long + plan.inches(4, 9)


def barricades(plan: Plan, road: Box) -> None:
    """Sandbags across half the street."""
    for y in (DEPLOY + plan.inches(2, 6), plan.deep - DEPLOY - plan.inches(2, 6)):
        low, high = (road.left, road.left + 8) if plan.chance(50) else (road.right - 8, road.right)
        if plan.is_walkable(Box(low - LANE // 2, y - LANE, high + LANE // 2, y + LANE)):
            plan.wall(((low, y), (high, y)), "sandbags", noun="barricade", name="the barricade")


def outhouse(plan: Plan) -> bool:
    """A small building in a court."""
    spot = plan.spot(plan.inches(3.5, 5, 2), plan.inches(3.5, 4.5, 2), plan.between)
    if spot is None:
        return False
    doors: list[Side] = plan.rng.sample(SIDES, 1)
    plan.building(spot, build(plan.rng, Lot(spot, doors, 1), OUTHOUSE, plan.id("outhouse")))
    return True


def park(plan: Plan) -> bool:
    """A green with trees, behind a hedge on one side."""
    size: tuple[Quarters, Quarters] = (plan.inches(7, 11), plan.inches(4.5, 6))
    box = plan.spot(*size, None, 2)
    if box is None:
        return False
    plan.area("orchard", box, id=plan.id("green"), name="the green")
    return True
