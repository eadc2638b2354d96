"""Buildings, walls and doors as a man finds them: what he stands in, what he can reach, what is left of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import ceil, hypot
from typing import NamedTuple

import shapely
import shapely.ops
from msgspec import Struct

from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.data import BODY, STRUCTURE_FIGURES, STRUCTURES, load
from wardogs.systems.dogs.ground import table_now, terrain_now
from wardogs.systems.dogs.measure import CLOSE, within
from wardogs.systems.dogs.seeing import hull
from wardogs.systems.dogs.state import Fight, Model, Structure
from wardogs.table.changes import by_level
from wardogs.table.contact import hull_shape
from wardogs.table.faces import Panel, floor_of, levels_standing, state_of
from wardogs.table.ground import Outline
from wardogs.table.model import Building, Map, Opening, Wall
from wardogs.table.openings import Leg, along, legs_of_ring, legs_of_wall, place_opening
from wardogs.table.shapes import outline
from wardogs.table.terrain import Same, Terrain
from wardogs.table.units import Inches, Place, Point, inches

STONE = "stone"


class Figures(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Figures of explosives and buildings that stand in the rules' texts."""

    lay_at: float
    lay_least: float
    lay_most: float
    touch: float
    off_the_wall: float
    burst_height: float
    lift_within: float
    disarm_vest: int
    cone: int
    breach: float
    engineer: str
    free_charges: str
    source: Source


class Doors(Struct, frozen=True, forbid_unknown_fields=True):
    strong: tuple[str, ...]
    source: Source


FIGURES = load("explosives.toml", "figures", Figures)
STRONG = load("explosives.toml", "doors", Doors).strong
MATERIALS = load("explosives.toml", "materials", dict[str, str])

# ---- buildings -------------------------------------------------------------------------------------------------------


def house_now(g: Fight, id_: str) -> Building | None:
    return next((house for house in table_now(g).buildings if house.id == id_), None)


def kind_of(house: Building) -> str:
    """DOW-SET-04: wood, stone, concrete or steel, by its material; agreed before play, for the map says it."""
    return MATERIALS.get(house.material, STONE)


def points_per_level(house: Building) -> int:
    """DOW-STR-01."""
    return STRUCTURES[kind_of(house)].sp_per_level


def structure_of(g: Fight, house: Building) -> Structure:
    """What is left of a building; one that was never hit has all its points."""
    found = next((one for one in g.state.structures if one.building == house.id), None)
    return found or Structure(house.id, (points_per_level(house),) * levels_standing(house))


def collapse_dpr(house: Building, level: int) -> int:
    """DOW-STR-07: half of the points that fall, counted at full strength, rounded up."""
    fallen = (levels_standing(house) - level) * points_per_level(house)
    return ceil(fallen / STRUCTURE_FIGURES.collapse_divisor)


def holds(house: Building, at: Place | Point) -> bool:
    """Does a point lie on its footprint?"""
    return _footprint(house).holds(at[0], at[1])


@lru_cache(maxsize=256)
def _footprint(house: Building) -> Outline:
    return Outline.of(shapely.Polygon(outline(house)))


class Footprint(NamedTuple):
    """A building and the ground that it stands on."""

    house: Building
    stands: int  # so many of its levels
    outline: Outline


def footprints(g: Fight) -> tuple[Footprint, ...]:
    return _footprints(Same(table_now(g)))


@lru_cache(maxsize=64)
def _footprints(same: Same) -> tuple[Footprint, ...]:
    return tuple(Footprint(house, levels_standing(house), _footprint(house)) for house in same.map.buildings)


def level_of(house: Building, z: Inches) -> int:
    """The level at a height, whether it stands or not."""
    return int((z - house.base + BODY.contact) // house.storey)


def inside_of(g: Fight, at: Place) -> tuple[Building, int] | None:
    """DOW-STR-03: the building, and the level that still stands, within which a place lies; a roof is outside."""
    for house, stands, ground in footprints(g):
        if ground.holds(at[0], at[1]) and 0 <= (level := level_of(house, at[2])) < stands:
            return house, level
    return None


# ---- walls -----------------------------------------------------------------------------------------------------------


class Face(NamedTuple):
    """A wall within reach: whose it is, on which level, and its nearest point."""

    piece: str
    level: int
    at: Point
    door: str = ""


def walls_in_reach(g: Fight, man: Model) -> list[Face]:
    """DOW-EXP-02: the walls that he touches, the nearest point of each; a shut door is one by itself."""
    found: dict[tuple[str, str], tuple[Inches, Face]] = {}
    for panel in terrain_now(g).panels_about(man.at, man.at, BODY.base + FIGURES.touch):
        if not panel.piece or not _beside(man, panel):
            continue
        at = nearest_on(man.at, _leg(panel))
        far = hypot(at[0] - man.at[0], at[1] - man.at[1]) - BODY.base / 2
        key = panel.piece, panel.opening if panel.fills.endswith("door") else ""
        if within(far, FIGURES.touch) and (key not in found or far < found[key][0] - CLOSE):
            found[key] = far, Face(panel.piece, piece_level(g, panel.piece, man.at[2]), at, key[1])
    return [face for _, face in sorted(found.values()) if not blocked(g, man.at, face.at)]


def piece_level(g: Fight, piece: str, z: Inches) -> int:
    house = house_now(g, piece)
    return 0 if house is None else max(0, min(level_of(house, z), levels_standing(house) - 1))


def has_wall(g: Fight, piece: str, level: int) -> bool:
    """Is there a wall of that name to be breached? Of a building, on a level that stands."""
    house = house_now(g, piece)
    if house is not None:
        return level < levels_standing(house)
    table = table_now(g)
    inner = (wall for one in table.buildings for wall in one.walls if wall.level < levels_standing(one))
    return any(wall.id == piece for wall in (*table.walls, *inner))


def called(g: Fight, piece: str) -> str:
    """How a sentence names a building or wall."""
    house, table = house_now(g, piece), table_now(g)
    if house is not None:
        return house.name or "the building"
    walls = (*table.walls, *(wall for one in table.buildings for wall in one.walls))
    return next((wall.name for wall in walls if wall.id == piece and wall.name), "the wall")


def vehicles_in_reach(g: Fight, man: Model) -> dict[str, Point]:
    """DOW-VEH-07: the vehicles on the ground whose hull he touches, and where on it."""
    found: dict[str, Point] = {}
    for vehicle in g.state.vehicles:
        if vehicle.there and not vehicle.altitude and abs(vehicle.at[2] - man.at[2]) <= BODY.contact_rise:
            shape, at = hull_shape(hull(vehicle)), shapely.Point(man.at[:2])
            if within(float(shape.distance(at)) - BODY.base / 2, FIGURES.touch):
                point = shapely.ops.nearest_points(shape, at)[0]
                found[vehicle.id] = point.x, point.y
    return found


def _beside(man: Model, panel: Panel) -> bool:
    """Is it a wall at his height?"""
    return inches(panel.bottom) < man.at[2] + BODY.height and inches(panel.top) > man.at[2] + BODY.contact


def _leg(panel: Panel) -> Leg:
    return (inches(panel.a[0]), inches(panel.a[1])), (inches(panel.b[0]), inches(panel.b[1]))


def nearest_on(at: Place | Point, leg: Leg) -> Point:
    (x, y), (to_x, to_y) = leg
    square = (to_x - x) ** 2 + (to_y - y) ** 2
    share = 0.0 if square == 0 else ((at[0] - x) * (to_x - x) + (at[1] - y) * (to_y - y)) / square
    share = min(1.0, max(0.0, share))
    return x + share * (to_x - x), y + share * (to_y - y)


def blocked(g: Fight, at: Place, to: Point) -> bool:
    """Does a wall stand between a man and the place that he wants to touch? The wall that he touches does not count."""
    return _is_blocked(terrain_now(g), at, to)


def _is_blocked(terrain: Terrain, at: Place, to: Point) -> bool:
    far = hypot(to[0] - at[0], to[1] - at[1])
    if far <= FIGURES.off_the_wall:
        return False
    share = 1 - FIGURES.off_the_wall / far
    short = at[0] + share * (to[0] - at[0]), at[1] + share * (to[1] - at[1])
    low, high = at[2] + BODY.contact, at[2] + BODY.height
    return any(
        inches(panel.bottom) < high and inches(panel.top) > low and _crosses(at, short, _leg(panel))
        for panel in terrain.panels_about(at, short)
    )


def _crosses(a: Place | Point, b: Point, leg: Leg) -> bool:
    c, d = leg
    return _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0


def _turn(a: Place | Point, b: Place | Point, c: Place | Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# ---- doors -----------------------------------------------------------------------------------------------------------


class Door(NamedTuple):
    """One door on one level."""

    id: str
    level: int | None  # None: it is its wall's only one
    state: str
    strong: bool
    leg: Leg
    z: Inches
    piece: str  # the wall it is in
    house: str = ""  # the building, if it is an outer wall: a door to the outside has an inside
    name: str = "the door"

    @property
    def called(self) -> str:
        """As the map calls it, on whatever level."""
        return self.id.partition("@")[0]

    @property
    def storey(self) -> int:
        return self.level or 0


def doors(g: Fight) -> tuple[Door, ...]:
    return doors_on(Same(table_now(g)))


@lru_cache(maxsize=64)
def doors_on(same: Same) -> tuple[Door, ...]:
    return tuple(_all_doors(same.map))


def _all_doors(table: Map) -> Iterator[Door]:
    for house in table.buildings:
        stands = levels_standing(house)
        for opening in house.openings:
            for one in by_level(opening, house.levels):
                level = one.level or 0
                if level < stands:
                    yield from _door(one, opening.id, legs_of_ring(outline(house)), floor_of(house, level), house.id, house.id)
        for wall in house.walls:
            if wall.level < stands:
                yield from _wall_doors(wall, floor_of(house, wall.level))
    for wall in table.walls:
        yield from _wall_doors(wall, wall.base)


def _wall_doors(wall: Wall, z: Inches) -> Iterator[Door]:
    for opening in wall.openings:
        yield from _door(opening, opening.id, legs_of_wall(wall), z, wall.id)


def _door(opening: Opening, id_: str, legs: list[Leg], z: Inches, piece: str, house: str = "") -> Iterator[Door]:
    spot = place_opening(opening, legs) if opening.kind == "door" and id_ else None
    if spot is not None:
        leg = along(legs[spot.leg], spot.start), along(legs[spot.leg], spot.end)
        yield Door(
            opening.id,
            opening.level,
            state_of(opening),
            opening.material in STRONG,
            leg,
            z,
            piece,
            house,
            opening.name or "the door",
        )


def door_gap(man: Model, door: Door) -> Inches:
    """From the edge of his base to the door."""
    return _gap(man.at, door)


def _gap(at: Place, door: Door) -> Inches:
    x, y = nearest_on(at, door.leg)
    return max(0.0, hypot(x - at[0], y - at[1]) - BODY.base / 2)


def _handle(at: Place, door: Door) -> Point:
    """Where he takes hold of it: its nearest point, but not the very corner, which another wall may share."""
    (x, y), ((ax, ay), (bx, by)) = nearest_on(at, door.leg), door.leg
    dx, dy = (ax + bx) / 2 - x, (ay + by) / 2 - y
    share = min(1.0, 2 * FIGURES.off_the_wall / (hypot(dx, dy) or 1.0))
    return x + share * dx, y + share * dy


def _could_touch(at: Place, door: Door) -> bool:
    """Could a base here be as near to it, to go by the box around it?"""
    (x, y, _), ((ax, ay), (bx, by)), far = at, door.leg, BODY.base + FIGURES.touch
    return min(ax, bx) - far <= x <= max(ax, bx) + far and min(ay, by) - far <= y <= max(ay, by) + far


def doors_in_reach(g: Fight, man: Model) -> list[Door]:
    """DOW-MOV-21: contact with a door is a base within half an inch of it, on its floor, with no wall between."""
    return list(_doors_in_reach(Same(table_now(g)), man.at))


@lru_cache(maxsize=1024)
def _doors_in_reach(same: Same, at: Place) -> tuple[Door, ...]:
    return tuple(
        door for door in doors_on(same)
        if _could_touch(at, door) and within(_gap(at, door), FIGURES.touch) and abs(door.z - at[2]) <= BODY.contact_rise
        and not _is_blocked(Terrain.of(same.map), at, _handle(at, door))
    )  # fmt: skip


def door_called(g: Fight, id_: str) -> Door | None:
    return next((door for door in doors(g) if door.id == id_), None)
