"""Vehicles: getting in and out, and driving."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any, NamedTuple

import shapely

from wardogs.kernel.offers import Choice, Number, Offer, OneOf, Refusal, Spot
from wardogs.systems.dogs.climbing import leave_first
from wardogs.systems.dogs.data import BODY, COSTS, VEHICLES
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.measure import CLOSE, ahead, off
from wardogs.systems.dogs.moving import leave_contacts
from wardogs.systems.dogs.places import Places, free_places, nearest_free, whole_table
from wardogs.systems.dogs.rotors import RIDE, at_hull, flies, hull_shape
from wardogs.systems.dogs.state import Fight, Id, Model, Vehicle, Weapon, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, short_of_ap, unpacked
from wardogs.table.kinds import find
from wardogs.table.model import Wall
from wardogs.table.shapes import corners_of, outline
from wardogs.table.stretches import stretches
from wardogs.table.units import Inches, Place, Point

DRIVER = 0
STEP = 15  # degrees

# ---- seats -----------------------------------------------------------------------------------------------------------


def seats_of(vehicle: Vehicle) -> tuple[Id, ...]:
    """All its seats; empty ones are ""."""
    size = VEHICLES[vehicle.kind].seats
    return (*vehicle.seats, *("",) * size)[:size]


def gunner_seats(vehicle: Vehicle) -> dict[int, str]:
    """The seats at its mounted weapons: behind the driver's, or the doors of a helicopter, which its own crew flies."""
    first = 0 if flies(vehicle) else 1
    return {first + k: weapon for k, weapon in enumerate(VEHICLES[vehicle.kind].mounts)}


def vehicle_of(g: Fight, id_: object) -> Vehicle | None:
    return next((vehicle for vehicle in g.state.vehicles if vehicle.id == id_), None)


def riders(g: Fight, vehicle: Vehicle) -> list[Model]:
    return [man for man in g.state.models if man.vehicle == vehicle.id]


def drives(g: Fight, man: Model) -> Vehicle | None:
    """The vehicle that he can steer now (DOW-VEH-01)."""
    vehicle = vehicle_of(g, man.vehicle)
    if vehicle is None or vehicle.wrecked or flies(vehicle) or seats_of(vehicle)[DRIVER] != man.id:
        return None
    return vehicle


# ---- in and out ------------------------------------------------------------------------------------------------------


def mount_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if man.ap < COSTS.mount:
        return
    for vehicle in g.state.vehicles:
        seats = tuple(k for k in range(len(seats_of(vehicle))) if why_no_seat(g, man, vehicle, k) is None)
        if seats:
            yield Offer("mount", "DOW-VEH-06", one(man.id, vehicle=OneOf((vehicle.id,)), seat=OneOf(seats)), ap(COSTS.mount))


def why_not_mount(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    vehicle = vehicle_of(g, choice.get("vehicle"))
    if vehicle is None:
        return Refusal("DOW-VEH-06", "no_vehicle")
    seat = choice.get("seat", 0)
    return why_no_seat(g, man, vehicle, seat if type(seat) is int else 0) or short_of_ap(man, COSTS.mount, "DOW-VEH-06")


def why_no_seat(g: Fight, man: Model, vehicle: Vehicle, seat: int) -> Refusal | None:
    """DOW-VEH-06: in contact, into a seat that is free; not among enemies."""
    if not vehicle.there or vehicle.wrecked or flies(vehicle):
        return Refusal("DOW-VEH-06", "no_vehicle")
    if man.vehicle or man.immobilized or man.carrying or not at_hull(man, vehicle):
        return Refusal("DOW-VEH-06", "not_at_vehicle", {"vehicle": vehicle.id})
    if any(g.state[id_].side != man.side for id_ in vehicle.seats if id_):
        return Refusal("DOW-VEH-06", "enemies_aboard", {"vehicle": vehicle.id})
    seats = seats_of(vehicle)
    if not 0 <= seat < len(seats) or seats[seat]:
        return Refusal("DOW-VEH-06", "seat_taken", {"seat": seat})
    return None


def mount(g: Fight, args: Packed) -> None:
    """DOW-VEH-06: he gets in; a gunner has the mounted weapon in hand (DOW-VEH-01)."""
    choice = unpacked(args)
    man, vehicle, seat = g.state[choice["model"]], g.state.vehicle(choice["vehicle"]), choice["seat"]
    if not man.able or why_no_seat(g, man, vehicle, seat) is not None:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    leave_first(g, man, (vehicle.at,))
    g.then(gets_in, man.id, vehicle.id, seat)


def gets_in(g: Fight, who: Id, vehicle_id: str, seat: int) -> None:
    """DOW-CQC-16: those whom he leaves may have struck first."""
    man, vehicle = g.state[who], g.state.vehicle(vehicle_id)
    if not man.able or why_no_seat(g, man, vehicle, seat) is not None:
        return
    take_seat(g, man, vehicle, seat)
    leave_contacts(g, g.state[who])
    g.report("DOW-VEH-06", "mounts", who=who, vehicle=vehicle_id, seat=seat)


def take_seat(g: Fight, man: Model, vehicle: Vehicle, seat: int) -> None:
    seats = [*seats_of(vehicle)]
    seats[seat] = man.id
    g.edit(("vehicles", vehicle.id), seats=tuple(seats))
    at = (vehicle.at[0], vehicle.at[1], vehicle.at[2] + vehicle.altitude)
    g.edit(man.id, vehicle=vehicle.id, at=at, stance="standing", opfire=False, edge=(), leading="")
    if seat in gunner_seats(vehicle):
        weapon = gunner_seats(vehicle)[seat]
        box = Weapon(weapon, rounds_left(vehicle)[list(gunner_seats(vehicle)).index(seat)])
        g.edit(man.id, weapons=(*man.weapons, box), in_hand=weapon)


def rounds_left(vehicle: Vehicle) -> tuple[int, ...]:
    return vehicle.rounds or (RIDE.mounted_rounds,) * len(VEHICLES[vehicle.kind].mounts)


def leave_seat(g: Fight, man: Model, at: Place) -> None:
    """Out of it: the mounted weapon stays."""
    vehicle = g.state.vehicle(man.vehicle)
    seats = seats_of(vehicle)
    seat = seats.index(man.id) if man.id in seats else -1
    fields: dict[str, Any] = {"seats": tuple("" if id_ == man.id else id_ for id_ in seats)}
    if seat in gunner_seats(vehicle) and man.weapons:
        mounted, own = man.weapons[-1], man.weapons[:-1]
        left = list(rounds_left(vehicle))
        left[list(gunner_seats(vehicle)).index(seat)] = mounted.loaded
        fields["rounds"] = tuple(left)
        g.edit(man.id, weapons=own, in_hand=own[0].id if own else "")
    g.edit(("vehicles", vehicle.id), **fields)
    g.edit(man.id, vehicle="", at=at)


class Exits(NamedTuple):
    """Ground of a question: places in contact with a hull."""

    places: Places
    vehicle: Vehicle
    found: tuple[Place, ...]

    @staticmethod
    def of(g: Fight, man: Model, vehicle: Vehicle) -> Exits:
        places = free_places(g, whole_table(g), without=man.id)
        ring = hull_shape(vehicle).buffer(BODY.base / 2 + BODY.contact / 2).exterior
        spots = [ring.interpolate(float(k)) for k in range(int(ring.length))]
        z = vehicle.at[2]
        exits = Exits(places, vehicle, ())
        return exits._replace(found=tuple(p for spot in spots if exits.admits(p := (round(spot.x, 3), round(spot.y, 3), z))))

    def admits(self, place: tuple[float, ...]) -> bool:
        if len(place) != 3 or not self.places.admits(place):
            return False
        stand_in = Model("", 1, at=(place[0], place[1], place[2]))
        return at_hull(stand_in, self.vehicle)

    @property
    def size(self) -> int:
        return len(self.found)

    def pick(self, index: int) -> Place:
        return self.found[index]


def dismount_offers(g: Fight, man: Model) -> Iterator[Offer]:
    vehicle = vehicle_of(g, man.vehicle)
    if vehicle is not None and why_not_dismount(g, man, {}) is None:
        exits = Exits.of(g, man, vehicle)
        if exits.size:
            yield Offer("dismount", "DOW-VEH-06", one(man.id, to=Spot.on("exit", exits)), ap(COSTS.dismount))


def why_not_dismount(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-VEH-06, DOW-AIR-05: from a vehicle on the ground."""
    vehicle = vehicle_of(g, man.vehicle)
    if vehicle is None:
        return Refusal("DOW-VEH-06", "not_aboard")
    if vehicle.altitude:
        return Refusal("DOW-AIR-05", "in_the_air")
    if man.immobilized:
        return Refusal("DOW-HLT-04", "immobilized")
    return short_of_ap(man, COSTS.dismount, "DOW-VEH-06")


def dismount(g: Fight, args: Packed) -> None:
    choice = unpacked(args)
    man = g.state[choice["model"]]
    x, y, z = (float(part) for part in choice["to"])
    if not man.able or not man.vehicle:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    vehicle = man.vehicle
    leave_seat(g, man, nearest_free(g, (x, y, z), man.id))
    g.report("DOW-VEH-06", "dismounts", who=man.id, vehicle=vehicle)
    later(g, "mines_under", man.id)
    later(g, "window", other(man.side), "appeared", man.id)


def mount_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.mount


def dismount_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.dismount


# ---- driving ---------------------------------------------------------------------------------------------------------


def drive_offers(g: Fight, man: Model) -> Iterator[Offer]:
    """DOW-VEH-01: straight ahead, three inches an AP, two on rough ground."""
    vehicle = drives(g, man)
    if vehicle is None:
        return
    most = 0
    while why_not_so_far(g, man, vehicle, most + 1) is None:
        most += 1
    if most:
        yield Offer("drive", "DOW-VEH-01", one(man.id, inches=Number(1, most, 1, "inches")))


def why_not_drive(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    vehicle, far = drives(g, man), choice.get("inches", 1)
    if vehicle is None:
        return Refusal("DOW-VEH-01", "not_driving")
    return why_not_so_far(g, man, vehicle, far) if type(far) is int else None


def why_not_so_far(g: Fight, man: Model, vehicle: Vehicle, far: int) -> Refusal | None:
    end = ahead(vehicle.at, vehicle.facing, far)
    swept = shapely.union_all([hull_shape(vehicle), hull_shape(_at(vehicle, end))]).convex_hull
    if not is_clear(g, vehicle, swept):
        return Refusal("DOW-VEH-01", "way_blocked", {"inches": far})
    return short_of_ap(man, drive_ap(g, vehicle, far), "DOW-VEH-01")


def drive_ap(g: Fight, vehicle: Vehicle, far: Inches) -> int:
    start, end = vehicle.at[:2], ahead(vehicle.at, vehicle.facing, far)
    points = sum(
        part.length / (COSTS.drive.open if part.ground == "open" else COSTS.drive.rough)
        for part in stretches(table_now(g), [start, end])
    )  # fmt: skip
    return COSTS.drive.ap * ceil(points - CLOSE)


def _at(vehicle: Vehicle, at: Point, facing: float | None = None) -> Vehicle:
    where = (round(at[0], 3), round(at[1], 3), vehicle.at[2])
    return Vehicle(vehicle.id, vehicle.kind, vehicle.side, where, vehicle.facing if facing is None else facing, vehicle.sp)


def is_clear(g: Fight, vehicle: Vehicle, shape: Any) -> bool:
    """No wall, building, solid thing, deep water, other hull or living man under this outline, and all of it on the table."""
    wide, high = g.terms.map.size
    if not shapely.box(0, 0, wide, high).covers(shape):
        return False
    if any(shape.intersects(piece) for piece in obstacles(g)):
        return False
    if any(
        shape.intersects(hull_shape(one)) for one in g.state.vehicles if one.there and one.id != vehicle.id and not one.altitude
    ):
        return False
    men = (
        man for man in g.state.models if man.living and man.vehicle != vehicle.id and man.at[2] < VEHICLES[vehicle.kind].size[2]
    )
    return all(shape.distance(shapely.Point(man.at[:2])) >= BODY.base / 2 - CLOSE for man in men)


def obstacles(g: Fight) -> Iterator[Any]:
    table = table_now(g)
    for house in table.buildings:
        yield shapely.Polygon(outline(house))
    for wall in table.walls:
        yield shapely.LineString(_line(wall))
    for thing in table.things:
        yield shapely.Polygon(corners_of(thing))
    for area in table.areas:
        if find(table.catalogue, area.kind).move in ("deep", "blocked"):
            yield shapely.Polygon(outline(area))


def _line(wall: Wall) -> list[Point]:
    return list(zip(wall.line[::2], wall.line[1::2], strict=True))


def drive_cost(g: Fight, man: Model, choice: Choice) -> int:
    vehicle = drives(g, man)
    assert vehicle is not None
    return drive_ap(g, vehicle, choice["inches"])


def drive(g: Fight, args: Packed) -> None:
    choice = unpacked(args)
    man = g.state[choice["model"]]
    vehicle = drives(g, man)
    if vehicle is None or not man.able:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    under_way(g, vehicle, man.ap_before - man.ap)
    g.report("DOW-VEH-01", "drives", who=man.id, vehicle=vehicle.id, inches=choice["inches"])
    g.then(roll_on, man.id, vehicle.id, choice["inches"])


def under_way(g: Fight, vehicle: Vehicle, points: int) -> None:
    """DOW-VEH-03, -06: slow or fast, by the AP that its driver has spent on it; its riders fire accordingly."""
    spent = points + (vehicle.spent if vehicle.activated else 0)
    g.edit(("vehicles", vehicle.id), spent=spent, activated=True)
    for rider in riders(g, vehicle):
        g.edit(rider.id, moved="run" if spent >= RIDE.fast_from else "walk")


def roll_on(g: Fight, driver: Id, vehicle_id: str, left: int) -> None:
    """DOW-OPF-05 a: inch by inch, watched."""
    vehicle, man = g.state.vehicle(vehicle_id), g.state[driver]
    end = ahead(vehicle.at, vehicle.facing, 1.0)
    way = shapely.union_all([hull_shape(vehicle), hull_shape(_at(vehicle, end))]).convex_hull
    if left < 1 or vehicle.wrecked or not man.able or not is_clear(g, vehicle, way):
        return
    place_vehicle(g, vehicle, _at(vehicle, end).at, vehicle.facing)
    later(g, "window", other(man.side), "move", driver)
    g.then(roll_on, driver, vehicle_id, left - 1)


def place_vehicle(g: Fight, vehicle: Vehicle, at: Place, facing: float) -> None:
    g.edit(("vehicles", vehicle.id), at=at, facing=facing)
    for rider in riders(g, vehicle):
        g.edit(rider.id, at=(at[0], at[1], at[2] + g.state.vehicle(vehicle.id).altitude), facing=facing)
    later(g, "mines_under_hull", vehicle.id)


def steer_offers(g: Fight, man: Model) -> Iterator[Offer]:
    """DOW-VEH-01: up to 45 degrees an AP."""
    vehicle = drives(g, man)
    if vehicle is None:
        return
    for points in range(1, man.ap + 1):
        faces = tuple(face for face in range(0, 360, STEP) if _turn_ap(vehicle, face) == points and _fits(g, vehicle, face))
        if faces:
            yield Offer("turn_vehicle", "DOW-VEH-01", one(man.id, face=OneOf(faces)), ap(points))


def _turn_ap(vehicle: Vehicle, face: float) -> int:
    return COSTS.turn_vehicle.ap * ceil(off(vehicle.facing, face) / COSTS.turn_vehicle.degrees - CLOSE)


def _fits(g: Fight, vehicle: Vehicle, face: float) -> bool:
    return is_clear(g, vehicle, hull_shape(_at(vehicle, vehicle.at[:2], float(face))))


def why_not_steer(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    vehicle, face = drives(g, man), choice.get("face", 0)
    if vehicle is None:
        return Refusal("DOW-VEH-01", "not_driving")
    if type(face) is int and not _fits(g, vehicle, face):
        return Refusal("DOW-VEH-01", "way_blocked")
    return short_of_ap(man, _turn_ap(vehicle, face), "DOW-VEH-01") if type(face) is int else None


def steer_cost(g: Fight, man: Model, choice: Choice) -> int:
    vehicle = drives(g, man)
    assert vehicle is not None
    return _turn_ap(vehicle, choice["face"])


def turn_vehicle(g: Fight, args: Packed) -> None:
    choice = unpacked(args)
    man = g.state[choice["model"]]
    vehicle = drives(g, man)
    if vehicle is None or not man.able:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    under_way(g, vehicle, man.ap_before - man.ap)
    place_vehicle(g, g.state.vehicle(vehicle.id), vehicle.at, float(choice["face"]))
    g.report("DOW-VEH-01", "turns_vehicle", who=man.id, vehicle=vehicle.id, face=choice["face"])


VERBS = (
    Verb("mount", "DOW-VEH-06", mount_offers, mount, why_not_mount, mount_cost),
    Verb("dismount", "DOW-VEH-06", dismount_offers, dismount, why_not_dismount, dismount_cost),
    Verb("drive", "DOW-VEH-01", drive_offers, drive, why_not_drive, drive_cost, watched=False),
    Verb("turn_vehicle", "DOW-VEH-01", steer_offers, turn_vehicle, why_not_steer, steer_cost),
)
PARAGRAPHS = (mount, gets_in, dismount, drive, roll_on, turn_vehicle)
