"""From the air: parachutists, the helicopter that comes by a timetable, and getting aboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import shapely

from wardogs.kernel.dice import D6, D10, as_is, at_most
from wardogs.kernel.offers import Choice, Domain, Number, Offer, OneOf, Refusal, Seat, Spot
from wardogs.systems.dogs.climbing import leave_first
from wardogs.systems.dogs.data import COSTS, DEVIATION, VEHICLES
from wardogs.systems.dogs.flights import SKY, landed
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.measure import ahead, gap_to, within
from wardogs.systems.dogs.memory import kept_with
from wardogs.systems.dogs.moving import leave_contacts
from wardogs.systems.dogs.places import Places, free_places, nearest_free, things_of, whole_table
from wardogs.systems.dogs.rotors import DROP, at_hull, flies
from wardogs.systems.dogs.scenario_model import PARA
from wardogs.systems.dogs.state import Fight, Id, Model, Team, Vehicle, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.vehicles import gunner_seats, seats_of
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, short_of_ap, unpacked
from wardogs.systems.dogs.victory import LIFT_GONE
from wardogs.systems.dogs.victory_terms import Lift
from wardogs.systems.dogs.ways import MODES
from wardogs.systems.dogs.wounds import Round, strike
from wardogs.table.graph import Graph
from wardogs.table.ground import floors_under
from wardogs.table.reach import graph_of
from wardogs.table.units import Place, Point, thou

LIFT = "helicopter"
GPS = "gps"

# ---- who may come ----------------------------------------------------------------------------------------------------


def reserve_offers(g: Fight, seat: Seat) -> Iterator[Offer]:
    """DOW-AIR-01, -04, DOW-SEQ-06: from outside, in a slot of one's own; never a must."""
    from wardogs.systems.dogs.helicopters import helicopter_offers

    if g.state.side(seat).skipped == g.state.turn:
        return
    teams = tuple(team.id for team in g.state.teams if team.side == seat and may_jump(g, team))
    if teams:
        fields: dict[str, Domain] = {
            "team": OneOf(teams),
            "at": Spot.on("drop", OpenGround.now(g)),
            "face": Number(0, 345, 15, "degrees"),
        }
        yield Offer("para_drop", "DOW-AIR-01", fields)
    yield from helicopter_offers(g, seat)


def may_jump(g: Fight, team: Team) -> bool:
    due = g.state.turn >= max(team.from_turn, DROP.from_turn)
    return team.reserve == PARA and due and bool(jumpers(g, team))


def jumpers(g: Fight, team: Team) -> tuple[Id, ...]:
    return tuple(id_ for id_ in team.members if g.state[id_].away == "reserve" and g.state[id_].alive)


class OpenGround(NamedTuple):
    """Ground of a question: places in the open, under the sky, whoever stands there."""

    graph: Graph

    @staticmethod
    def now(g: Fight) -> OpenGround:
        return OpenGround(graph_of(table_now(g), MODES["walk"]))

    def admits(self, place: tuple[float, ...]) -> bool:
        if len(place) != 3 or not self.graph.stands((place[0], place[1], place[2])):
            return False
        return self.graph.ground.class_at((place[0], place[1])) == "open" and not _covered(self.graph, (place[0], place[1]))

    @property
    def size(self) -> int:
        return len(open_nodes(self.graph))

    def pick(self, index: int) -> Place:
        return self.graph.place(open_nodes(self.graph)[index])


@kept_with
def open_nodes(graph: Graph) -> tuple[int, ...]:
    """The places of the lattice that lie in the open, for who must pick one."""
    nodes = np.flatnonzero(graph.room[: graph.firsts[1]])
    spots = shapely.points(np.asarray(graph.xs)[nodes] / 1000.0, np.asarray(graph.ys)[nodes] / 1000.0)
    free = np.ones(len(nodes), dtype=bool)
    for shape in _shelters(graph):
        free &= ~shapely.covers(shape, spots)
    found = [int(node) for node in nodes[free]]
    return tuple(node for node in found if graph.ground.class_at(graph.place(node)[:2]) == "open")


def _covered(graph: Graph, at: Point) -> bool:
    return any(shape.covers(shapely.Point(at)) for shape in _shelters(graph))


def _shelters(graph: Graph) -> tuple[Any, ...]:
    """What hides the sky or fills the ground: floors, roofs, wrecks."""
    return (*(surface.shape for surface in graph.ground.surfaces[1:]), *things_of(graph))


# ---- the jump --------------------------------------------------------------------------------------------------------


def para_drop(g: Fight, seat: Seat, args: Packed) -> None:
    """DOW-AIR-01: a team jumps at one aim point; that slot is its activation."""
    choice = unpacked(args)
    team = g.state.team(choice["team"])
    assert team is not None
    who, (x, y, _), face = jumpers(g, team), choice["at"], float(choice["face"])
    halved = any(GPS in g.state[id_].gear for id_ in who)
    for id_ in who:
        g.edit(id_, activated=True, ap=0)
    g.change(interrupted=False)
    g.report("DOW-AIR-01", "jumps", team=team.id, side=seat, x=round(x, 1), y=round(y, 1))
    for id_ in who:
        g.then(jump, id_, (float(x), float(y)), face, halved)
    for id_ in who:
        g.then(seen_landing, id_)
    g.then(on_the_ground, who)


def jump(g: Fight, who: Id, aim: Point, face: float, halved: bool) -> None:
    """DOW-AIR-02: D10 for the sector, 1 is north; D6 inches, half of it with a GPS in the team."""
    sector = g.roll("DOW-AIR-02", D10, as_is(D10), who=who, wheel=True)
    far = g.roll("DOW-AIR-02", D6, as_is(D6), who=who, wheel=False, halved=halved)
    x, y = ahead(aim, (sector - 1) * DEVIATION.degrees, far / 2 if halved else float(far))
    g.then(touch_down, who, (round(x, 3), round(y, 3)), face)


def touch_down(g: Fight, who: Id, point: Point, face: float) -> None:
    """DOW-AIR-02, -03: prone where he comes down; off the table he walks in next turn; in a bad place he may be hurt."""
    wide, high = g.terms.map.size
    if not (0 <= point[0] <= wide and 0 <= point[1] <= high):
        edge = (min(max(point[0], 0.0), wide), min(max(point[1], 0.0), high), 0.0)
        g.edit(who, away="off_edge", at=edge)
        g.report("DOW-AIR-02", "missed_the_table", who=who)
        return
    down = landed(g, (*point, SKY))
    at = clear_of_all(g, down)
    g.edit(who, at=at, facing=face, stance="prone", away="")
    g.report("DOW-AIR-03", "lands", who=who, x=round(at[0], 1), y=round(at[1], 1))
    if at != down:
        g.then(bad_landing, who)
    later(g, "mines_under", who)


def clear_of_all(g: Fight, down: Place) -> Place:
    """Where he comes down, if that is clear; else the shortest way off woods, water, rubble, walls, hulls and men."""
    places = free_places(g, whole_table(g))
    graph = places.graph
    if places.why_not(down) is None and _class(places, down) == "open":
        return down
    xs, ys = np.asarray(graph.xs)[places.nodes], np.asarray(graph.ys)[places.nodes]
    for k in np.argsort(np.hypot(xs - thou(down[0]), ys - thou(down[1])), kind="stable"):
        at = places.pick(int(k))
        if _class(places, at) == "open" and abs(landed(g, (at[0], at[1], SKY))[2] - at[2]) < 1e-3:
            return at
    return down


def _class(places: Places, at: Place) -> str:
    ground = places.graph.ground
    number = floors_under(ground, at)
    return "blocked" if number is None else ground.raster(number).at(at[:2])[1]


def bad_landing(g: Fight, who: Id) -> None:
    """DOW-AIR-02: D10 at most ST, or one damage roll."""
    need = g.terms.who[who].st
    if not g.roll("DOW-AIR-02", D10, at_most(D10, need), who=who, need=need):
        g.report("DOW-AIR-02", "bad_landing", who=who)
        g.then(strike, who, Round("", None, DROP.dpr, None, cause="fall"))


def seen_landing(g: Fight, who: Id) -> None:
    """DOW-AIR-03, DOW-OPF-05 c: watchers see who has landed."""
    man = g.state[who]
    if man.on_table:
        later(g, "window", other(man.side), "landed", who)


def on_the_ground(g: Fight, who: tuple[Id, ...]) -> None:
    """DOW-AIR-03: the rest of the slot with five AP each."""
    here = tuple(id_ for id_ in who if g.state[id_].on_table and g.state[id_].alive)
    for id_ in here:
        g.edit(id_, ap=DROP.ap if g.state[id_].conscious else 0)
    g.change(active=here)
    later(g, "act")


# ---- T1: arrivals ----------------------------------------------------------------------------------------------------


def arrivals(g: Fight) -> None:
    """DOW-SEQ-02, T1: who missed the table walks in; a helicopter comes when it is due."""
    for vehicle in g.state.vehicles:
        g.edit(("vehicles", vehicle.id), activated=False, spent=vehicle.spent if vehicle.activated else 0)
    for man in g.state.models:
        if man.away == "off_edge" and man.alive:
            g.then(walk_in, man.id)
    g.then(lift_lands)


def walk_in(g: Fight, who: Id) -> None:
    """DOW-AIR-02: at the nearest edge, the turn after."""
    at = clear_of_all(g, nearest_free(g, g.state[who].at))
    g.edit(who, away="", at=at, stance="standing")
    g.report("DOW-AIR-02", "walks_in", who=who, x=round(at[0], 1), y=round(at[1], 1))
    later(g, "window", other(g.state[who].side), "appeared", who)


def lift_lands(g: Fight) -> None:
    """From its turn on it stands on its place, as soon as no able enemy is near."""
    lift = g.terms.scenario.lift
    if lift is None or not lift_is_due(g, lift):
        return
    seat = g.terms.scenario.seat_of(lift.side)
    x, y, _ = lift.zone
    at: Place = (x, y, 0.0)
    near = [enemy.id for enemy in g.state.of(other(seat)) if enemy.able and within(gap_to(enemy, at), lift.clear_inches)]
    if near:
        g.report("DOW-AIR-06", "lift_waved_off", side=seat, who=near)
        return
    bird = Vehicle(LIFT, lift.kind, seat, at, lift.facing, VEHICLES[lift.kind].sp)
    g.change(vehicles=(*g.state.vehicles, bird))
    g.report("DOW-AIR-06", "lift_lands", side=seat, x=x, y=y)
    g.then(step_clear, LIFT)
    later(g, "mines_under_hull", LIFT)


def lift_is_due(g: Fight, lift: Lift) -> bool:
    here = any(vehicle.id == LIFT for vehicle in g.state.vehicles)
    return lift.from_turn <= g.state.turn <= lift.last_turn and not here


def step_clear(g: Fight, vehicle_id: str) -> None:
    """DOW-AIR-05: models under the hull step the shortest way clear."""
    vehicle = g.state.vehicle(vehicle_id)
    for man in g.state.models:
        if man.living and not man.vehicle and abs(man.at[2] - vehicle.at[2]) < VEHICLES[vehicle.kind].size[2]:
            at = nearest_free(g, man.at, man.id) if at_hull(man, vehicle) else man.at
            if at != man.at:
                move_with_load(g, g.state[man.id], at)
                g.report("DOW-AIR-05", "steps_clear", who=man.id)


def move_with_load(g: Fight, man: Model, at: Place) -> None:
    for id_ in (man.id, man.carrying):
        if id_:
            g.edit(id_, at=at)


# ---- T5: it leaves ---------------------------------------------------------------------------------------------------


def lift_leaves(g: Fight) -> None:
    """At its last turn's end, or when every living man of its side on the table is aboard."""
    lift = g.terms.scenario.lift
    bird = next((vehicle for vehicle in g.state.vehicles if vehicle.id == LIFT), None)
    if lift is None or bird is None or not bird.there or bird.wrecked:
        return
    aboard = [man for man in g.state.models if man.vehicle == LIFT]
    left = any(g.state.of(g.terms.scenario.seat_of(lift.side)))
    full = lift.leaves_when_all_aboard and aboard and not left
    if full or g.state.turn >= lift.last_turn:
        take_off(g, bird)
        g.change(scored=(*g.state.scored, LIFT_GONE))


def take_off(g: Fight, bird: Vehicle) -> None:
    """DOW-AIR-06, DOW-VEH-07: safe, off table; a charge on it goes with it."""
    for man in g.state.models:
        if man.vehicle == bird.id:
            g.edit(man.id, away="aboard", vehicle="")
    g.edit(("vehicles", bird.id), there=False, seats=())
    g.report("DOW-AIR-06", "takes_off", side=bird.side)
    for device in g.state.devices:
        if device.host == bird.id:
            g.report("DOW-VEH-07", "charge_flies_off", device.known, device=device.id)
    g.change(devices=tuple(device for device in g.state.devices if device.host != bird.id))


# ---- boarding --------------------------------------------------------------------------------------------------------


def board_offers(g: Fight, man: Model) -> Iterator[Offer]:
    birds = tuple(bird.id for bird in g.state.vehicles if flies(bird) and why_not_aboard(g, man, bird) is None)
    if birds and man.ap >= COSTS.mount:
        yield Offer("board", "DOW-AIR-06", one(man.id, vehicle=OneOf(birds)), ap(COSTS.mount))


def why_not_board(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    bird = next((one for one in g.state.vehicles if one.id == choice.get("vehicle")), None)
    if bird is None:
        return Refusal("DOW-AIR-06", "no_helicopter")
    return why_not_aboard(g, man, bird) or short_of_ap(man, COSTS.mount, "DOW-AIR-06")


def why_not_aboard(g: Fight, man: Model, bird: Vehicle) -> Refusal | None:
    """DOW-AIR-06: in contact with one's own helicopter on the ground; who cannot walk is carried aboard."""
    if not bird.there or bird.wrecked or bird.side != man.side or bird.altitude:
        return Refusal("DOW-AIR-06", "no_helicopter")
    if man.vehicle or not at_hull(man, bird):
        return Refusal("DOW-AIR-06", "not_at_vehicle", {"vehicle": bird.id})
    if man.immobilized:
        return Refusal("DOW-AIR-06", "must_be_carried", {"who": man.id})
    if len(free_seats(bird)) < len(party(man)):
        return Refusal("DOW-AIR-06", "full", {"vehicle": bird.id})
    return None


def free_seats(bird: Vehicle) -> list[int]:
    """Where passengers may sit: not at the door guns."""
    return [k for k, id_ in enumerate(seats_of(bird)) if not id_ and k not in gunner_seats(bird)]


def party(man: Model) -> tuple[Id, ...]:
    """He, whom he carries, and the prisoner he leads."""
    return tuple(id_ for id_ in (man.id, man.carrying, man.leading) if id_)


def board_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.mount


def board(g: Fight, args: Packed) -> None:
    """DOW-AIR-06: in he goes, and whom he carries at no cost."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    bird = g.state.vehicle(choice["vehicle"])
    if not man.able or why_not_aboard(g, man, bird) is not None:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    leave_first(g, man, (bird.at,))
    g.then(climbs_in, man.id, bird.id)


def climbs_in(g: Fight, boarder: Id, bird_id: str) -> None:
    """DOW-CQC-16: those whom he leaves may have struck first."""
    man, bird = g.state[boarder], g.state.vehicle(bird_id)
    if not man.able or why_not_aboard(g, man, bird) is not None:
        return
    who = party(man)
    away = "aboard" if bird.id == LIFT else ""
    for id_ in who:
        g.edit(id_, **ABOARD, vehicle=bird.id, away=away, at=bird.at)
    taken = dict(zip(free_seats(bird), who, strict=False))
    g.edit(("vehicles", bird.id), seats=tuple(taken.get(k, id_) for k, id_ in enumerate(seats_of(bird))))
    leave_contacts(g, g.state[man.id])
    g.report("DOW-AIR-06", "boards", who=man.id, load=man.carrying, prisoner=man.leading)


ABOARD = {"carrying": "", "carried_by": "", "leading": "", "may_run_loaded": False, "opfire": False, "ducking": "", "edge": ()}


VERBS = (Verb("board", "DOW-AIR-06", board_offers, board, why_not_board, board_cost),)
PARAGRAPHS = (
    para_drop, jump, touch_down, bad_landing, seen_landing, on_the_ground, arrivals, walk_in, lift_lands, step_clear, lift_leaves,
    board, climbs_in,
)  # fmt: skip
