"""What the scenario wants of a man, and how far it is to walk there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import hypot
from typing import Any

import numpy as np
import shapely

from wardogs.kernel.offers import Seat
from wardogs.systems.dogs.charges import may_use_c4
from wardogs.systems.dogs.doors import LOCKED
from wardogs.systems.dogs.explosives import C4_STORE
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.masonry import Door, doors, holds
from wardogs.systems.dogs.memory import kept_with
from wardogs.systems.dogs.prisoners import PRISONERS, is_guarded
from wardogs.systems.dogs.seeing import body
from wardogs.systems.dogs.state import Fight, Id, Model
from wardogs.systems.dogs.things import is_fallen
from wardogs.systems.dogs.victory import crew, wanted_man
from wardogs.systems.dogs.ways import MODES
from wardogs.table.bodies import Body
from wardogs.table.graph import Graph
from wardogs.table.ground import floors_under
from wardogs.table.model import Building
from wardogs.table.openings import along, legs_of_ring, place_opening
from wardogs.table.reach import Field, graph_of
from wardogs.table.shapes import outline
from wardogs.table.terrain import Same
from wardogs.table.units import Place, Point

ACROSS = 120.0  # AP: across any table and back

# ---- whom to bring home ----------------------------------------------------------------------------------------------


def cargo(g: Fight, man: Model) -> tuple[Id, ...]:
    """Those whom his side must lead or carry away: the man they came for, the crew that a helicopter waits for."""
    scenario = g.terms.scenario
    if scenario.hvt is not None and man.side == scenario.seat_of(scenario.hvt.by):
        return (wanted_man(g.state, g.terms),)
    if scenario.lift is not None and man.side == scenario.seat_of(scenario.lift.side):
        return tuple(crew(g.terms))
    return ()


def to_fetch(g: Fight, man: Model) -> list[Model]:
    """Those of them who still lie or stand about, and nobody has them."""
    led = {mate.leading for mate in g.state.of(man.side)}
    there = (mate for mate in g.state.models if mate.id in cargo(g, man))
    return [mate for mate in there if mate.living and not mate.vehicle and mate.id not in led]


def is_home_bound(g: Fight, man: Model) -> bool:
    """He has one of them with him."""
    return bool({man.leading, man.carrying} & set(cargo(g, man)))


# ---- where to --------------------------------------------------------------------------------------------------------


def goal(g: Fight, man: Model) -> Place | None:
    """A mate who bleeds; what the scenario wants of him; else the nearest enemy still in the fight. None: to stay where he is."""
    if is_home_bound(g, man):
        return way_out(g, man)
    if (hurt := patient(g, man)) is not None:
        return hurt.at
    control, hvt = g.terms.scenario.victory.control, g.terms.scenario.hvt
    if control is not None:
        return *control.centre, 0.0
    if cargo(g, man):
        return _errand(g, man)
    return None if hvt is not None else _nearest_enemy(g, man)


def _errand(g: Fight, man: Model) -> Place | None:
    """To whom he is the nearest to fetch; all go for an enemy; the others wait where the helicopter comes."""
    for load in to_fetch(g, man):
        if (sapper := _left_behind(g, man, load.at)) is not None:
            return sapper.at
        mates = [mate for mate in g.state.of(man.side) if mate.able and not mate.carrying and not mate.immobilized]
        if load.side != man.side or man is min(mates, key=lambda mate: _plan(mate.at, load.at), default=None):
            return load.at
    return way_out(g, man)


def _left_behind(g: Fight, man: Model, aim: Place) -> Model | None:
    """The sapper who is out of it, or what lies where he was disarmed, if nobody but this man could open a way to an aim."""
    side = [mate for mate in g.state.models if mate.side == man.side]
    lost = [mate for mate in side if (is_fallen(mate) or mate.immobilized) and mate.id != man.id and mate.has(C4_STORE)]
    lost += [Model(f"#{item.id}", man.side, at=item.at, conscious=False) for item in g.state.items if item.kind == C4_STORE]
    others = any(mate.able and not mate.immobilized and is_sapper(mate) for mate in side)
    if not lost or others or not may_use_c4(g, man) or not is_shut_out(g, man, aim):
        return None
    return min(lost, key=lambda mate: _plan(mate.at, man.at))


def to_touch(g: Fight, man: Model) -> Iterator[Model]:
    """All with whom he has something to do that takes hands."""
    for load in to_fetch(g, man):
        yield _left_behind(g, man, load.at) or load
    if (hurt := patient(g, man)) is not None:
        yield hurt


def way_out(g: Fight, man: Model) -> Place:
    """The landing zone, or the middle of his edge."""
    lift, (wide, high) = g.terms.scenario.lift, g.terms.map.size
    if lift is not None:
        return lift.zone[0], lift.zone[1], 0.0
    edges = {"S": (wide / 2, 1.0), "N": (wide / 2, high - 1.0), "W": (1.0, high / 2), "E": (wide - 1.0, high / 2)}
    return *edges[g.state.side(man.side).edge], 0.0


def patient(g: Fight, man: Model) -> Model | None:
    """A mate nearby who bleeds to death if nobody comes, or a captive whom nobody guards, and to whom he is the nearest."""
    for hurt in g.state.of(man.side) if not man.broken else ():
        dying = hurt.bleeding and not hurt.conscious and hurt.hp > PAST_HELP
        if (dying or _is_left_alone(g, hurt)) and _plan(hurt.at, man.at) <= AID:
            mates = (mate for mate in g.state.of(man.side) if mate.able and not is_home_bound(g, mate))
            if man is min(mates, key=lambda mate: _plan(mate.at, hurt.at), default=None):
                return hurt
    return None


def _is_left_alone(g: Fight, mate: Model) -> bool:
    """DOW-TAK-07: a captive who can be cut loose."""
    return mate.captured and not is_guarded(g, mate, PRISONERS.freed_beyond)


AID, PAST_HELP = 12.0, -7  # inches that somebody goes to help; health points that nobody comes back from


def _nearest_enemy(g: Fight, man: Model) -> Place | None:
    """Those on their feet, or others who are much nearer: they may be bound."""
    enemies = [enemy for enemy in g.state.enemies(man) if enemy.living and not enemy.captured]
    near = min(enemies, key=lambda enemy: _plan(enemy.at, man.at) + DOWN * enemy.incapacitated, default=None)
    return near.at if near is not None else None


DOWN = 10.0


def _plan(a: Place, b: Place) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


# ---- how far ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _spread(same: Same, aim: Place, bodies: tuple[Body, ...] = ()) -> Field:
    """Walking, as if only those who lie about were in the way; to the foot of what somebody climbs."""
    graph = graph_of(same.map, MODES["walk"])
    return Field(graph, aim if floors_under(graph.ground, aim) is not None else (*aim[:2], 0.0), ACROSS, bodies)


@lru_cache(maxsize=16)
def _outside(same: Same, aim: Place, home: Place, bodies: tuple[Body, ...], stuck: tuple[Point, ...]) -> Field:
    """The same from a place at the outer wall of its house: on the shortest way from one's own edge through the wall."""
    inside = _spread(same, aim, bodies)
    graph, house = inside.graph, next((house for house in same.map.buildings if holds(house, aim)), None)
    ground = slice(0, graph.firsts[1])
    points = np.column_stack((np.asarray(graph.xs)[ground], np.asarray(graph.ys)[ground])) / 1000
    far = np.asarray(inside.dist)[ground]
    fit = np.flatnonzero((far >= inside.beyond) & graph.room[ground])
    if house is None:
        return _spread(same, graph.place(_least(fit, _away(points[fit], [home[:2]]))))
    wall = shapely.distance(shapely.Polygon(outline(house)).exterior, shapely.points(points))
    fit, behind = fit[wall[fit] <= AT_WALL], np.flatnonzero((far < inside.beyond) & (wall <= AT_WALL))
    lying = [one.at[:2] for one in bodies]
    for blocks, room in ((outline(house), ROOM), (list(_windows(house)), ROOM), (lying, ROOM), (stuck, CLEAR_OF)):
        free = fit[_away(points[fit], blocks) >= room]
        fit = free if len(free) else fit
    through = _away(points[fit], points[behind], far[behind] / 1000)
    return _spread(same, graph.place(_least(fit, _away(points[fit], [home[:2]]) + through)))


def _least(nodes: Any, costs: Any) -> int:
    return int(nodes[np.argmin(costs)]) if len(nodes) else 0


def _windows(house: Building) -> Iterator[Point]:
    """Those of the ground floor: nobody lays a charge under the eyes of those inside."""
    legs = legs_of_ring(outline(house))
    for opening in house.openings:
        spot = place_opening(opening, legs) if opening.kind == "window" and not opening.level else None
        if spot is not None:
            yield along(legs[spot.leg], (spot.start + spot.end) / 2)


def _away(points: Any, others: Any, more: Any = 0.0) -> Any:
    """How far each point is from the nearest of others, or from where the whole way is the shortest."""
    if not len(others):
        return np.full(len(points), ACROSS)
    gaps = np.asarray(points)[:, None, :] - np.asarray(others)[None, :, :]
    return np.min(np.hypot(gaps[..., 0], gaps[..., 1]) + more, axis=1)


AT_WALL = 0.6  # inches from the middle of a base to a wall that it touches
CLEAR_OF = 4.0  # inches from a charge of one's own
ROOM = 2.0  # inches from a corner, or from one who lies there, to the middle of a hole through which men can pass


def steps(reach: Field, place: Place) -> float:
    """How far it is from a place, by the lattice around it."""
    return min((int(reach.dist[node]) for node in _nodes(reach.graph, place)), default=reach.beyond) / 1000


@kept_with
def _nodes(graph: Graph, place: Place) -> list[int]:
    number = floors_under(graph.ground, place)
    return [] if number is None else graph.near(number, place[:2])


def way_to(g: Fight, man: Model, aim: Place) -> Field:
    """All ways to an aim on foot; if there is none for him to a door, or to the wall before it."""
    same, lying = Same(table_now(g)), _lying(g, aim)
    if is_shut_out(g, man, aim):
        return _to_a_door(g, man, aim) or _outside(same, aim, way_out(g, man), lying, tuple(_stuck(g, man.side)))
    around = _spread(same, aim, lying)
    return around if _reaches(around, man.at) else _spread(same, aim)


def _stuck(g: Fight, seat: Seat) -> Iterator[Point]:
    """Where those lie who cannot get clear of a charge."""
    return ((mate.at[0], mate.at[1]) for mate in g.state.of(seat) if mate.immobilized or mate.captured or not mate.conscious)


def _lying(g: Fight, aim: Place) -> tuple[Body, ...]:
    """Those who lie about helpless, and nobody can pass; but not the one at his aim."""
    led = {man.leading for man in g.state.models}
    helpless = (man for man in g.state.models if man.living and (man.captured or not man.conscious) and man.id not in led)
    return tuple(body(man) for man in helpless if man.at != aim)


def _reaches(way: Field, place: Place) -> bool:
    return 1000 * steps(way, place) < way.beyond


def _to_a_door(g: Fight, man: Model, aim: Place) -> Field | None:
    """The ways to the nearest door that he can open, of the house in which the aim is, or he himself."""
    same, found = Same(table_now(g)), list[Field]()
    houses = {house.id for house in same.map.buildings if holds(house, aim) or holds(house, man.at)}
    for door in doors(g):
        if door.house in houses and door.z == man.at[2] and (door.state == "shut" or (door.state in LOCKED and not door.strong)):
            found += [_spread(same, place) for place in _before(door)]
    near = min(found, key=lambda way: steps(way, man.at), default=None)
    return near if near is not None and _reaches(near, man.at) else None


def _before(door: Door) -> Iterator[Place]:
    """The two places before and behind it."""
    (ax, ay), (bx, by) = door.leg
    far = AT_WALL / hypot(bx - ax, by - ay)
    for sign in (far, -far):
        yield round((ax + bx) / 2 + sign * (ay - by), 3), round((ay + by) / 2 + sign * (bx - ax), 3), door.z


def is_shut_out(g: Fight, man: Model, aim: Place) -> bool:
    """Is there no way to it on foot? One who lies in the only way shuts it too, if another can be blown."""
    same = Same(table_now(g))
    if not _reaches(_spread(same, aim), man.at):
        return True
    around = _spread(same, aim, _lying(g, aim))
    return (
        not _reaches(around, man.at)
        and any(mate.able and is_sapper(mate) for mate in g.state.of(man.side))
        and _leads_out(around, man.at)
    )


def _leads_out(way: Field, place: Place) -> bool:
    """Would a hole in the wall help: does the way reach the ground floor of a house in which the place is not?"""
    house = next((house for house in way.graph.map.buildings if holds(house, way.start)), None)
    if house is None or holds(house, place):
        return False
    return bool((np.asarray(way.dist)[: way.graph.firsts[1]] < way.beyond).any())


def distance(g: Fight, man: Model, aim: Place) -> Callable[[Place], float]:
    """How far it is to an aim; those who cannot open a wall leave room before it for those who can."""
    way = way_to(g, man, aim)
    if is_sapper(man) or not is_shut_out(g, man, aim) or _to_a_door(g, man, aim) is not None:
        return lambda place: steps(way, place)
    return lambda place: STAND_OFF + abs(steps(way, place) - STAND_OFF)


def is_sapper(man: Model) -> bool:
    return man.has("shaped_charge") + man.has(C4_STORE) > 0


STAND_OFF = 6.0
