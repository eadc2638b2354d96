"""Buildings: rooms by inner walls, a door to each, doors and windows to the outside, stairs, flat roofs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from msgspec.structs import replace

from wardogs.table.generator.boxes import QUARTER, SIDES, Box, Quarters, Spot, inch
from wardogs.table.model import Building, Opening, Side, Stairs, Wall

Part = TypeVar("Part", Opening, Wall, Stairs)

DOOR = 4  # quarters: an inch
ROOM = 10  # quarters: the least breadth of a room
HALF = 2  # quarters: doors and stairs lie on half inches


@dataclass(frozen=True)
class Style:
    """How the buildings of a place are built."""

    material: str = "brick"
    inner: str = "partition"
    storey: float = 2.0
    parapet: float = 0.0
    to_roof: bool = False  # stairs lead on to the roof
    pane: str = ""
    spacing: Quarters = 9  # from window to window
    door: Quarters = DOOR
    rooms: int = 3


@dataclass(frozen=True)
class Lot:
    """Where a building stands, on which sides it has doors, and which sides have no windows."""

    box: Box
    doors: Sequence[Side]
    levels: int = 1
    blind: Sequence[Side] = ()


def build(rng: Random, lot: Lot, style: Style, id: str, name: str = "") -> Building:
    box, levels = lot.box, lot.levels
    lines = inner_lines(rng, box, style.rooms)
    outer = [(side, _door_at(rng, box, side, lines, style.door)) for side in lot.doors]
    walls = [wall for level in range(levels) for wall in inner_walls(rng, lines, style.inner, level)]
    placed = [_on_side(box, side, at) for side, at in outer]
    flights = levels if style.to_roof else levels - 1
    openings = [Opening(at=at / QUARTER, side=side, width=style.door / QUARTER, level=0) for side, at in outer]
    return with_ids(Building(
        id=id, name=name, rect=box.rect, levels=levels, storey=style.storey, material=style.material, parapet=style.parapet,
        openings=(*openings, *windows(lot, style, outer, lines)), walls=tuple(walls), stairs=tuple(stairs(box, placed, flights)),
    ))  # fmt: skip


def with_ids(house: Building) -> Building:
    """Every door, window, inner wall and flight by its house's id and a number: what changes in play has to be named."""
    count: Counter[str] = Counter()

    def named(part: Part, noun: str) -> Part:
        count[noun] += 1
        return replace(part, id=f"{house.id}-{noun}-{count[noun]}")

    openings = tuple(named(one, one.kind) for one in house.openings)
    walls = tuple(replace(wall, openings=tuple(named(one, "inner-door") for one in wall.openings)) for wall in house.walls)
    return replace(
        house, openings=openings, walls=tuple(named(wall, "wall") for wall in walls),
        stairs=tuple(named(flight, "stairs") for flight in house.stairs),
    )  # fmt: skip


# Rooms ----------------------------------------------------------------------------------------------------------------


def inner_lines(rng: Random, box: Box, rooms: int) -> list[tuple[Spot, Spot]]:
    """Walls that cut the box into rooms: always the largest room, across its longer side."""
    parts, lines = [box], []
    while len(parts) < rooms:
        largest = max(parts, key=lambda part: (max(part.wide, part.deep), part))
        along, start, end = _longer(largest)
        cuts = [at for at in range(start + ROOM, end - ROOM + 1) if at % HALF == 0]
        if not cuts:
            break
        at = cuts[len(cuts) // 4 + rng.randrange(max(len(cuts) // 2, 1))]
        parts.remove(largest)
        left, lower, right, upper = largest
        if along == "x":
            parts += [Box(left, lower, at, upper), Box(at, lower, right, upper)]
            lines.append(((at, lower), (at, upper)))
        else:
            parts += [Box(left, lower, right, at), Box(left, at, right, upper)]
            lines.append(((left, at), (right, at)))
    return lines


def _longer(box: Box) -> tuple[str, Quarters, Quarters]:
    return ("x", box.left, box.right) if box.wide >= box.deep else ("y", box.lower, box.upper)


def inner_walls(rng: Random, lines: Sequence[tuple[Spot, Spot]], material: str, level: int) -> Iterator[Wall]:
    """Each with a door that no other wall meets."""
    for start, end in lines:
        upright = start[0] == end[0]
        low, high = (start[1], end[1]) if upright else (start[0], end[0])
        met = [spot for line in lines if line != (start, end) for spot in line if _lies_on(spot, start, end)]
        at = _free_half(rng, low, high, [spot[1] if upright else spot[0] for spot in met], DOOR)
        door = (start[0], at) if upright else (at, start[1])
        openings = (Opening(at=inch(door), width=DOOR / QUARTER, state="open" if rng.randrange(3) == 0 else None),)
        yield Wall(line=(*inch(start), *inch(end)), material=material, level=level, openings=openings)


def _lies_on(spot: Spot, start: Spot, end: Spot) -> bool:
    return start[0] <= spot[0] <= end[0] and start[1] <= spot[1] <= end[1]


def _free_half(rng: Random, low: Quarters, high: Quarters, joins: Sequence[Quarters], width: Quarters) -> Quarters:
    """A half inch for the middle of a door, clear of the corners and of where other walls meet this one."""
    clear = width // 2 + 2
    spots = [at for at in range(low + clear, high - clear + 1) if at % HALF == 0]
    free = [at for at in spots if all(abs(at - join) >= clear for join in joins)]
    return rng.choice(free or spots or [(low + high) // 4 * 2])


# Openings -------------------------------------------------------------------------------------------------------------


def _span(box: Box, side: Side) -> tuple[Quarters, Quarters]:
    return (box.left, box.right) if side in "NS" else (box.lower, box.upper)


def _joins(box: Box, side: Side, lines: Sequence[tuple[Spot, Spot]]) -> list[Quarters]:
    """Where inner walls meet a side."""
    start, end = box.edge(side)
    return [spot[0] if side in "NS" else spot[1] for line in lines for spot in line if _lies_on(spot, start, end)]


def _door_at(rng: Random, box: Box, side: Side, lines: Sequence[tuple[Spot, Spot]], width: Quarters) -> Quarters:
    return _free_half(rng, *_span(box, side), _joins(box, side, lines), width)


def _on_side(box: Box, side: Side, at: Quarters) -> Spot:
    (x, y), _ = box.edge(side)
    return (at, y) if side in "NS" else (x, at)


def windows(
    lot: Lot, style: Style, doors: Sequence[tuple[Side, Quarters]], lines: Sequence[tuple[Spot, Spot]]
) -> Iterator[Opening]:
    """Evenly along each side; above a door only from the first floor up."""
    for side in (side for side in SIDES if side not in lot.blind):
        low, high = _span(lot.box, side)
        count = (high - low - 4) // style.spacing
        for k in range(count):
            at = low + (high - low) * (2 * k + 1) // (2 * count)
            if any(abs(at - join) < 4 for join in _joins(lot.box, side, lines)):
                continue
            over_door = any(on == side and abs(at - door) < style.door // 2 + 3 for on, door in doors)
            for level in range(1, lot.levels) if over_door else (None,):
                yield Opening(kind="window", at=at / QUARTER, side=side, material=style.pane, level=level)


def stairs(box: Box, doors: Sequence[Spot], flights: int) -> Iterator[Stairs]:
    """Flights in the corners farthest from the doors, each in another corner than the one below; they come out inwards."""
    low_x, high_x = box.left + 3 + (box.left + 3) % HALF, box.right - 3 - (box.right - 3) % HALF
    low_y, high_y = box.lower + 3 + (box.lower + 3) % HALF, box.upper - 3 - (box.upper - 3) % HALF
    corners = [(x, y) for x in (low_x, high_x) for y in (low_y, high_y)]
    corners.sort(key=lambda spot: (-min(abs(spot[0] - x) + abs(spot[1] - y) for x, y in doors), spot))
    for level in range(flights):
        x, y = corners[level % 2]
        inwards = (4 if x == low_x else -4, 0) if box.wide >= box.deep else (0, 4 if y == low_y else -4)
        yield Stairs(at=inch((x, y)), to=inch((x + inwards[0], y + inwards[1])), level=level)
