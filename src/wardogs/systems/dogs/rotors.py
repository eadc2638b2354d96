"""Hulls, and what a helicopter does to the aim of men near it; with the figures of vehicles that are in no chart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import shapely
from msgspec import Struct

from wardogs.kernel.offers import Refusal
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.data import BODY, VEHICLES, load
from wardogs.systems.dogs.measure import CLOSE, bearing, off, within
from wardogs.systems.dogs.seeing import hull
from wardogs.systems.dogs.state import Fight, Model, Vehicle
from wardogs.table.shapes import box
from wardogs.table.units import Inches

GOGGLES = "goggles"


class Drop(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-AIR-01 to -03: a jump."""

    from_turn: int
    dpr: int
    ap: int
    source: Source


class Helicopter(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-AIR-07, -08: dust, door guns, and a crash."""

    wash: float
    wash_to_hit: int
    crash_dpr: int
    crash_radius: float
    crash_ground_dpr: int
    door_arc: float
    source: Source


class Ride(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-VEH-03, -04, -06: a vehicle under way and under fire."""

    large: int
    fast_from: int
    body_up_to: int
    mounted_rounds: int
    source: Source


DROP = load("vehicles_misc.toml", "drop", Drop)
HELICOPTER = load("vehicles_misc.toml", "helicopter", Helicopter)
RIDE = load("vehicles_misc.toml", "vehicle", Ride)


def flies(vehicle: Vehicle) -> bool:
    return VEHICLES[vehicle.kind].altitude > 0


def hull_shape(vehicle: Vehicle) -> Any:
    """Its outline on the table."""
    found = hull(vehicle)
    return shapely.Polygon(box((found.at[0], found.at[1]), found.size, found.facing))


def plan_gap_to_hull(man: Model, vehicle: Vehicle) -> Inches:
    """From the edge of his base to the hull, seen from above."""
    far: Inches = hull_shape(vehicle).distance(shapely.Point(man.at[0], man.at[1]))
    return max(0.0, far - BODY.base / 2)


def at_hull(man: Model, vehicle: Vehicle) -> bool:
    """DOW-GEN-12: in base contact with a vehicle on the ground."""
    touches = plan_gap_to_hull(man, vehicle) <= BODY.contact + CLOSE
    return touches and not vehicle.altitude and abs(man.at[2] - vehicle.at[2]) <= BODY.contact_rise


def rotor_terms(g: Fight, by: Model) -> Iterator[tuple[str, int]]:
    """DOW-AIR-07, DOW-EQP-01: dust near a hovering or landed helicopter, unless he wears goggles."""
    if GOGGLES in by.gear or by.nvg_down:
        return
    for vehicle in g.state.vehicles:
        if whirls(vehicle) and by.vehicle != vehicle.id and within(plan_gap_to_hull(by, vehicle), HELICOPTER.wash):
            yield "DOW-AIR-07", HELICOPTER.wash_to_hit
            return


def whirls(vehicle: Vehicle) -> bool:
    return vehicle.there and not vehicle.wrecked and flies(vehicle) and (vehicle.hovering or not vehicle.altitude)


# ---- fire from and at a vehicle ----------------------------------------------------------------------------------------


def ride_reasons(g: Fight, man: Model, weapon: str, target: Model) -> Iterator[Refusal]:
    """DOW-VEH-04, DOW-AIR-08: riders are hit through their vehicle; a door gun fires to its own side."""
    if target.vehicle:
        yield Refusal("DOW-VEH-04", "in_vehicle", {"target": target.id, "vehicle": target.vehicle})
    yield from door_reasons(g, man, weapon, target)


def door_reasons(g: Fight, man: Model, weapon: str, target: Model | Vehicle) -> Iterator[Refusal]:
    """DOW-AIR-08: the side arc of a door gun, whatever it fires at."""
    vehicle = next((one for one in g.state.vehicles if one.id == man.vehicle), None)
    side = door_of(vehicle, man, weapon) if vehicle else None
    if vehicle and side is not None and off(vehicle.facing + side, bearing(man.at, target.at)) > HELICOPTER.door_arc / 2 + CLOSE:
        yield Refusal("DOW-AIR-08", "out_of_door_arc", {"target": target.id})


def door_of(vehicle: Vehicle, man: Model, weapon: str) -> float | None:
    """Which way his door gun points: the first gunner's to the right, the second's to the left."""
    doors = VEHICLES[vehicle.kind].mounts
    seat = vehicle.seats.index(man.id) if man.id in vehicle.seats else -1
    if not flies(vehicle) or not 0 <= seat < len(doors) or doors[seat] != weapon:
        return None
    return 90.0 if seat == 0 else -90.0
