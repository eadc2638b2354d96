"""UH-60 support: a helicopter that its owner calls in, flies, lands and sends home, where the scenario allows air."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import hypot
from typing import Any

import numpy as np
import shapely

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Choice, Number, Offer, OneOf, Refusal, Seat, Spot
from wardogs.systems.dogs.airborne import clear_of_all, take_off
from wardogs.systems.dogs.climbing import why_no_arms
from wardogs.systems.dogs.data import BODY, COSTS, VEHICLES
from wardogs.systems.dogs.flights import SKY, landed
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.measure import CLOSE
from wardogs.systems.dogs.rotors import hull_shape
from wardogs.systems.dogs.state import Fight, Id, Model, Vehicle, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.vehicles import gunner_seats, leave_seat, obstacles, place_vehicle, riders, take_seat, vehicle_of
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, short_of_ap, unpacked
from wardogs.table.shapes import outline
from wardogs.table.units import Inches, Place, Point

FREE = "_free"
UH60 = "uh60_"
WOODS = ("woods", "orchard")
ROPE_PERK = "mountaineering"
FACES = tuple(range(0, 360, 45))

# ---- where it may go -------------------------------------------------------------------------------------------------


class Airspace:
    """Ground of a question: points over the table within reach, or those where the hull has room to land."""

    def __init__(self, g: Fight, bird: Vehicle, start: Point | None, landing: bool) -> None:
        self.size_of_table, self.bird, self.start, self.landing = g.terms.map.size, bird, start, landing
        self.reach = VEHICLES[bird.kind].speed_per_turn
        self._state = g.copy(g.fate)

    @cached_property
    def blocked(self) -> Any:
        """DOW-AIR-05: models, buildings, walls, hulls and woods."""
        g = self._state
        men = [shapely.Point(man.at[:2]).buffer(BODY.base / 2) for man in g.state.models if man.living and not man.vehicle]
        hulls = [hull_shape(one) for one in g.state.vehicles if one.there and not one.altitude and one.id != self.bird.id]
        woods = [shapely.Polygon(outline(area)) for area in table_now(g).areas if area.kind in WOODS]
        return shapely.union_all([*men, *hulls, *woods, *obstacles(g)])

    @cached_property
    def found(self) -> tuple[Point, ...]:
        wide, high = self.size_of_table
        points = [(float(x), float(y)) for y in range(1, int(high)) for x in range(1, int(wide))]
        near = [point for point in points if self.in_reach(point)]
        if not self.landing or not near:
            return tuple(near)
        hulls = np.array([self.hull_at(point) for point in near])
        free = ~shapely.intersects(self.blocked, hulls) & shapely.covers(shapely.box(0, 0, wide, high), hulls)
        return tuple(point for point, fits in zip(near, free, strict=True) if fits)

    def hull_at(self, point: Point) -> Any:
        return hull_shape(Vehicle("", self.bird.kind, None, (*point, 0.0), self.bird.facing, 1))

    def in_reach(self, point: Point) -> bool:
        """DOW-AIR-04: so many inches a turn from where it is, or from the nearest edge."""
        wide, high = self.size_of_table
        x, y = point
        if not (0 <= x <= wide and 0 <= y <= high):
            return False
        from_edge: Inches = min(x, y, wide - x, high - y)
        far = from_edge if self.start is None else hypot(x - self.start[0], y - self.start[1])
        return far <= self.reach + CLOSE

    def admits(self, place: tuple[float, ...]) -> bool:
        point = (place[0], place[1]) if len(place) == 3 else (-1.0, -1.0)
        if not self.in_reach(point):
            return False
        wide, high = self.size_of_table
        hull = self.hull_at(point)
        return not self.landing or bool(shapely.box(0, 0, wide, high).covers(hull) and not self.blocked.intersects(hull))

    @property
    def size(self) -> int:
        return len(self.found)

    def pick(self, index: int) -> tuple[float, ...]:
        return (*self.found[index], 0.0)


# ---- its slot --------------------------------------------------------------------------------------------------------


def kind_for(g: Fight, seat: Seat) -> str:
    """DOW-AIR-04: the helicopter that comes free with one of a side's lists, if the scenario allows air."""
    if not g.terms.scenario.air:
        return ""
    rules = (rule for man in g.state.models if man.side == seat for rule in g.terms.who[man.id].special_rules)
    return next((rule.removesuffix(FREE) for rule in rules if rule.startswith(UH60)), "")


def name_of(seat: Seat) -> str:
    return f"helicopter {seat}"


def helicopter_offers(g: Fight, seat: Seat) -> Iterator[Offer]:
    """DOW-AIR-04: it comes in once; each later turn it flies, hovers, lands or goes home in a slot of its own."""
    kind = kind_for(g, seat)
    bird = vehicle_of(g, name_of(seat))
    if not kind or (bird is not None and (not bird.there or bird.wrecked or bird.activated)):
        return
    if bird is None:
        new = Vehicle(name_of(seat), kind, seat, (0.0, 0.0, 0.0), 0.0, VEHICLES[kind].sp)
        teams = tuple(team.id for team in g.state.teams if team.side == seat and _waits(g, team.members))
        yield from flights(g, "helicopter_in", new, None, {"riders": OneOf(("", *teams))})
    else:
        yield from flights(g, "helicopter_fly", bird, bird.at[:2], {})
        yield Offer("helicopter_leave", "DOW-AIR-06")


def _waits(g: Fight, members: tuple[Id, ...]) -> bool:
    return any(g.state[id_].away == "reserve" for id_ in members)


def flights(g: Fight, verb: str, bird: Vehicle, start: Point | None, more: dict[str, OneOf]) -> Iterator[Offer]:
    sky = Spot.on("sky", Airspace(g, bird, start, landing=False))
    yield Offer(verb, "DOW-AIR-04", {"to": sky, "face": Number(0, 345, 15, "degrees"), "how": OneOf(("fly", "hover")), **more})
    for face in FACES:
        turned = Vehicle(bird.id, bird.kind, bird.side, bird.at, float(face), bird.sp)
        ground = Spot.on("landing", Airspace(g, turned, start, landing=True))
        yield Offer(verb, "DOW-AIR-05", {"to": ground, "face": OneOf((face,)), "how": OneOf(("land",)), **more})


def helicopter_in(g: Fight, seat: Seat, args: Packed) -> None:
    """DOW-AIR-04: over an edge, with a reserve team aboard if its owner likes; the first of them man the door guns."""
    choice = unpacked(args)
    kind = kind_for(g, seat)
    bird = Vehicle(name_of(seat), kind, seat, (0.0, 0.0, 0.0), 0.0, VEHICLES[kind].sp)
    g.change(vehicles=(*g.state.vehicles, bird))
    settle(g, bird, choice)
    team = g.state.team(choice["riders"])
    for seat_number, id_ in enumerate(team.members if team else ()):
        g.edit(id_, away="")
        take_seat(g, g.state[id_], g.state.vehicle(bird.id), seat_number)
    g.report("DOW-AIR-04", "enters", side=seat, how=choice["how"])
    later(g, "window", other(seat), "appeared", "")


def helicopter_fly(g: Fight, seat: Seat, args: Packed) -> None:
    choice = unpacked(args)
    settle(g, g.state.vehicle(name_of(seat)), choice)
    x, y, _ = g.state.vehicle(name_of(seat)).at
    g.report("DOW-AIR-04", "flies", side=seat, how=choice["how"], x=round(x, 1), y=round(y, 1))
    later(g, "window", other(seat), "move", "")


def settle(g: Fight, bird: Vehicle, choice: Choice) -> None:
    """Where it is now, and how high; its riders fire as who ran (DOW-VEH-06)."""
    x, y, _ = (float(part) for part in choice["to"])
    high = 0.0 if choice["how"] == "land" else float(VEHICLES[bird.kind].altitude)
    at: Place = (x, y, 0.0) if high else landed(g, (x, y, SKY))
    g.edit(("vehicles", bird.id), altitude=high, hovering=choice["how"] == "hover", activated=True)
    place_vehicle(g, bird, at, float(choice["face"]))
    for rider in riders(g, bird):
        g.edit(rider.id, moved="run")


def helicopter_leave(g: Fight, seat: Seat, args: Packed) -> None:
    """DOW-AIR-06: home, and everybody in it is safe."""
    bird = g.state.vehicle(name_of(seat))
    for rider in riders(g, bird):
        if g.state.vehicle(bird.id).seats.index(rider.id) in gunner_seats(bird):
            leave_seat(g, rider, rider.at)
            g.edit(rider.id, vehicle=bird.id)
    take_off(g, g.state.vehicle(bird.id))


# ---- the rope --------------------------------------------------------------------------------------------------------


def rope_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_rope(g, man, {}) is None:
        yield Offer("fast_rope", "DOW-AIR-05", one(man.id), ap(COSTS.fast_rope))


def why_not_rope(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-AIR-05, DOW-DMG-09: from a hovering helicopter, with both arms."""
    bird = vehicle_of(g, man.vehicle)
    if bird is None or not bird.hovering:
        return Refusal("DOW-AIR-05", "not_hovering")
    if man.immobilized:
        return Refusal("DOW-HLT-04", "immobilized")
    return first_refusal(why_no_arms(man)) or short_of_ap(man, COSTS.fast_rope, "DOW-AIR-05")


def rope_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.fast_rope


def fast_rope(g: Fight, args: Packed) -> None:
    """DOW-AIR-05, DOW-TRT-12: down he goes; D10 at most ST, or prone on arrival; mountaineers need no check."""
    who: Id = unpacked(args)["model"]
    man = g.state[who]
    bird = vehicle_of(g, man.vehicle)
    if not man.able or bird is None or not bird.hovering:
        g.report("DOW-APT-06", "act_lost", who=who)
        return
    need = g.terms.who[who].st
    sure = ROPE_PERK in g.terms.who[who].perks
    upright = sure or g.roll("DOW-AIR-05", D10, at_most(D10, need), who=who, need=need)
    x, y, _ = bird.at
    leave_seat(g, man, clear_of_all(g, landed(g, (x, y, SKY))))
    g.edit(who, stance="standing" if upright else "prone", pain_used=tuple(sorted({*man.pain_used, *man.painful})))
    g.report("DOW-AIR-05", "ropes_down", who=who)
    later(g, "mines_under", who)
    later(g, "window", other(man.side), "landed", who)


VERBS = (Verb("fast_rope", "DOW-AIR-05", rope_offers, fast_rope, why_not_rope, rope_cost),)
PARAGRAPHS = (helicopter_in, helicopter_fly, helicopter_leave, fast_rope)
