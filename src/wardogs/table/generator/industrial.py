"""An industrial yard: rails with wagons, a road, halls with wide doors, containers in rows, tanks behind a bund."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from wardogs.table.generator import features as lay
from wardogs.table.generator.boxes import QUARTER, SIDES, Box, Quarters, Spot, inch, sized
from wardogs.table.generator.features import Feature
from wardogs.table.generator.houses import Lot, Style, build
from wardogs.table.generator.plan import DEPLOY, LANE, Plan
from wardogs.table.kinds import Kind
from wardogs.table.model import Ladder, Side, Thing

ABOUT = "An industrial yard: halls with wide doors, rows of containers, tanks, and wagons on the rails."
HALL = Style("steel", "partition", storey=3.0, pane="glass", spacing=16, door=10, rooms=2)
OFFICE = Style("concrete", storey=2.0, parapet=0.5, to_roof=True, pane="glass", spacing=8, rooms=4)
SHED = Style("brick", spacing=10, rooms=2)
HALLS = ("the machine hall", "the assembly hall", "the paint shop", "the foundry", "the warehouse", "the engine shed")
OFFICES = ("the office", "the gatehouse", "the laboratory", "the canteen")
RAILS = Kind(sight="open", move="rough", says="rails")
CONTAINER: Spot = (20, 7)  # quarters
STACKED = 1.6


def lay_out(plan: Plan) -> None:
    plan.kinds["rails"] = RAILS
    road, rails = ways(plan)
    wagons(plan, rails, road)
    uses = plan.rng.sample((works, depot, tank_farm, works), 4)
    for n, plot in enumerate(plots(plan, road, rails)):
        uses[n % 4](plan, plot)
    perimeter(plan, road)
    lorries(plan, road, rails)
    around: list[Feature] = [
        lay.few(6, "container", stack), lay.few(6, "rubble", lay.rubble), lay.few(2, "heap", heap),
        lay.few(4, "crates", lay.crates), lay.few(2, "wreck", lay.wreck), lay.few(2, "trench", trench),
        lay.few(4, "rough", lay.rough), lay.few(3, "wall", partial(lay.low_wall, material="concrete")),
        lay.few(3, "bushes", lay.thicket),
    ]  # fmt: skip
    lay.scatter(plan, around, (36, 43))


def ways(plan: Plan) -> tuple[Box, Box]:
    """A road from south to north, and rails from west to east across it."""
    x, y = plan.wide * plan.rng.randint(38, 55) // 100, plan.deep * plan.rng.randint(42, 52) // 100
    road, rails = Box(x, 0, x + 14, plan.deep), Box(0, y, plan.wide, y + 10)
    plan.road(road, name="the works road")
    for part in (Box(0, y, x, y + 10), Box(x + 14, y, plan.wide, y + 10)):
        plan.area("rails", part, id=plan.id("rails"), name="the rails")
    return road, rails


def plots(plan: Plan, road: Box, rails: Box) -> list[Box]:
    """The plots between road, rails and the table's edges: four, or more on a large table."""
    room = plan.between
    sides = [*parts(room.left, road.left - 5), *parts(road.right + 5, room.right)]
    ends = [*parts(room.lower, rails.lower - 5), *parts(rails.upper + 5, room.upper)]
    return [Box(left, low, right, high) for left, right in sides for low, high in ends]


def parts(low: Quarters, high: Quarters) -> list[tuple[Quarters, Quarters]]:
    """A stretch in parts of some twenty inches, with lanes between them."""
    count = max((high - low + 40) // 96, 1)
    return [(low + (high - low) * k // count + (4 if k else 0), low + (high - low) * (k + 1) // count - 4) for k in range(count)]


def wagons(plan: Plan, rails: Box, road: Box) -> None:
    """Goods wagons with room to pass between them; none on the crossing."""
    at = plan.inches(1, 6)
    while at + 22 < plan.wide:
        wagon = sized(at, rails.lower + 2, plan.rng.choice((18, 22)), 6)
        if not wagon.meets(road.grown(LANE)) and plan.chance(55):
            plan.thing("container", wagon, "wagon", name="the wagon")
        at += wagon.wide + LANE + plan.inches(0, 4)


def works(plan: Plan, plot: Box) -> None:
    """A hall at one end of the plot, an office at the other if there is room."""
    wide, deep = plan.inches(10, 13, 2), plan.inches(8, 11, 2)
    if plot.wide < 40:
        return depot(plan, plot)
    if plot.wide < 72:
        wide = plot.wide // 2 * 2
    ends = (Box(plot.left, plot.lower, plot.left + wide, plot.upper), Box(plot.right - wide, plot.lower, plot.right, plot.upper))
    if box := plan.spot(wide, min(deep, plot.deep // 2 * 2), plan.rng.choice(ends)):
        hall(plan, box)
    if spot := plan.spot(plan.inches(4.5, 6, 2), plan.inches(4.5, 6, 2), plot):
        doors: list[Side] = plan.rng.sample(SIDES, 2)
        plan.building(spot, build(plan.rng, Lot(spot, doors, 2), OFFICE, plan.id("office"), plan.name(OFFICES)))
    return None


def hall(plan: Plan, box: Box) -> None:
    """A hall with wide doors, goods on its floor, and a ladder to its roof."""
    doors: list[Side] = plan.rng.sample(SIDES, 3)
    name = plan.id("hall")
    piece = build(plan.rng, Lot(box, doors, 1), HALL, name, plan.name(HALLS))
    foot = _beside(box, next(side for side in SIDES if side not in doors))
    ladder = Ladder(id=f"{name}-ladder", at=inch(foot), top=piece.storey * piece.levels)
    plan.building(box, replace(piece, ladders=(ladder,)))
    goods(plan, box, [wall.line for wall in piece.walls])


def _beside(box: Box, side: Side) -> Spot:
    """A spot outside by the middle of a wall."""
    x, y = lay.half_way(*box.edge(side))
    return {"N": (x, y + 2), "S": (x, y - 2), "E": (x + 2, y), "W": (x - 2, y)}[side]


def goods(plan: Plan, box: Box, walls: list[tuple[float, ...]]) -> None:
    """Crates in the middle of the floor, away from doors and walls."""
    lanes = [Box(*(round(part * QUARTER) for part in line)) for line in walls]
    room = box.grown(-10)
    for _ in range(3):
        if room.wide < 6 or room.deep < 5:
            return
        spot = sized(plan.rng.randint(room.left, room.right - 6), plan.rng.randint(room.lower, room.upper - 5), 6, 5)
        if not any(spot.grown(LANE).meets(lane) for lane in lanes):
            plan.thing("crates", spot)
            lanes.append(spot)


def depot(plan: Plan, plot: Box) -> None:
    """Containers in rows, some with another on top."""
    long, short = CONTAINER
    for y in range(plot.lower, plot.upper - short + 1, short + LANE + plan.inches(0.25, 1)):
        at = plot.left + plan.inches(0, 2)
        while at + long <= plot.right:
            box = sized(at, y, long, short)
            if plan.chance(78) and plan.has_room(box):
                container(plan, box)
            at += long + LANE + plan.inches(0, 2)


def container(plan: Plan, box: Box) -> None:
    plan.thing("container", box)
    if plan.chance(30):
        x, y = (box.left + box.right) / 2 / QUARTER, (box.lower + box.upper) / 2 / QUARTER
        size = max(box.wide, box.deep) / QUARTER, min(box.wide, box.deep) / QUARTER
        facing = 0.0 if box.wide >= box.deep else 90.0
        plan.add("things", Thing(id=plan.id("container"), kind="container", at=(x, y), size=size, facing=facing, base=STACKED))


def stack(plan: Plan) -> bool:
    """One more container, wherever there is room."""
    box = plan.spot(*(CONTAINER if plan.chance(50) else CONTAINER[::-1]))
    if box is None:
        return False
    container(plan, box)
    return True


def tank_farm(plan: Plan, plot: Box) -> None:
    """Round tanks in rows inside a low wall with gaps, and a pump house beside it."""
    size = plan.rng.choice((14, 16, 18))
    pitch = size + LANE + 2
    columns, rows = min((plot.wide - 20) // pitch, 3), min((plot.deep - LANE) // pitch, 2)
    if columns < 1 or rows < 1:
        return depot(plan, plot)
    yard = sized(plot.left // 2 * 2, plot.lower // 2 * 2, columns * pitch + 8, rows * pitch + 8)
    for column in range(columns):
        for row in range(rows):
            tank = sized(yard.left + 8 + column * pitch, yard.lower + 8 + row * pitch, size, size)
            plan.area("steel", tank, "round", id=plan.id("tank"), name="the tank", height=float(plan.rng.choice((3, 4))))
    bund(plan, yard)
    if spot := plan.spot(18, 16, plot):
        doors: list[Side] = plan.rng.sample(SIDES, 2)
        plan.building(spot, build(plan.rng, Lot(spot, doors), SHED, plan.id("shed"), "the pump house"))
    plan.claim(yard)
    return None


def bund(plan: Plan, yard: Box) -> None:
    """A low wall around a yard, with a gap in three sides."""
    x, y = yard.middle
    gaps: list[tuple[Spot, int]] = [((x + x % 2, yard.lower), 8), ((yard.right, y + y % 2), 8), ((x + x % 2, yard.upper), 8)]
    plan.wall((*yard.corners, yard.corners[0]), "concrete", gaps, height=0.6, noun="bund", name="the bund")


def perimeter(plan: Plan, road: Box) -> None:
    """A wire fence towards the edges, with gaps; open where the road passes."""
    for y in (DEPLOY - 2, plan.deep - DEPLOY + 2):
        for low, high in ((2, road.left - 4), (road.right + 4, plan.wide - 2)):
            middle = (low + high) // 2
            line = Box(low, y - 1, high, y + 1)
            if high - low > 24 and plan.is_walkable(line):
                plan.wall(((low, y), (high, y)), "wire", [((middle + middle % 2, y), 12)], noun="fence", height=1.25)


def lorries(plan: Plan, road: Box, rails: Box) -> None:
    for y in range(plan.inches(2, 10), plan.deep - 16, 64):
        box = sized(road.left + 1 if plan.chance(50) else road.right - 7, y, 6, plan.rng.choice((12, 14)))
        if plan.is_walkable(box.grown(LANE)) and not box.meets(rails):
            plan.thing("vehicle", box, "lorry", name="the lorry", height=1.5)


def trench(plan: Plan) -> bool:
    """A cable trench."""
    long = plan.inches(6, 10)
    box = plan.spot(*((long, 6) if plan.chance(50) else (6, long)), None, 3)
    if box is None:
        return False
    plan.pit(box, 0.75, "rect", name="the trench")
    return True


def heap(plan: Plan) -> bool:
    """A heap of coal or slag that one can stand on."""
    box = plan.spot(plan.inches(5, 8), plan.inches(4.5, 6.5), None, 2)
    if box is None:
        return False
    plan.hill(box, 1.0, 2, name="the slag heap")
    return True
