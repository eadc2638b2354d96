"""Where a bot wants its men to be: out of sight of guns, in sight of targets, near what the scenario is about."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import hypot
from typing import Any

import numpy as np
import shapely

from wardogs.systems.dogs.bot_aim import firepower, gates, is_late, is_zealot, worth
from wardogs.systems.dogs.bot_goals import CLEAR_OF, cargo, distance, goal, is_sapper, is_shut_out, to_touch, way_out, way_to
from wardogs.systems.dogs.data import BODY, SIGHTING
from wardogs.systems.dogs.explosives import FUSED
from wardogs.systems.dogs.ground import terrain_now
from wardogs.systems.dogs.measure import gap, in_contact
from wardogs.systems.dogs.rotors import plan_gap_to_hull
from wardogs.systems.dogs.seeing import body, dark_between, eye, half_shows, hull, looks
from wardogs.systems.dogs.state import Fight, Model, Vehicle
from wardogs.systems.dogs.tackling import places_beside
from wardogs.table.bodies import Body, figure
from wardogs.table.contact import hull_shape
from wardogs.table.reach import Field
from wardogs.table.units import Place
from wardogs.table.views import views

CANDIDATES, FOES, SIDES = 10, 6, 4  # places he thinks of, enemies he minds, sides from which he comes up to a man
DANGER, CHANCE, GOAL, HURRY, ARRIVED, COMPANY, ALONE, HELD, BLAST = 0.8, 0.5, 0.035, 0.055, 0.2, 0.03, -0.1, 0.3, -1.5
CROWD, VEST = -0.15, 0.6  # for standing in each other's way; for coming near one who may wear a vest
APART, AWAY = 2.0, 6.0  # inches from his mates; how much farther off a nearer place counts
RISK = 2.0  # how much more the way matters when time is short
GATE, FREE = -0.3, 1.3  # for standing in a doorway or at the stairs; within so many inches of their middle
JAM, BEHIND = -0.8, 6.0  # the same with others behind him who must pass; within so many inches


def foes(g: Fight, man: Model) -> list[Model]:
    """The nearest enemies who could still do harm."""
    there = [enemy for enemy in g.state.enemies(man) if not enemy.captured and enemy.conscious]
    return sorted(there, key=lambda enemy: gap(man, enemy))[:FOES]


def is_exposed(g: Fight, man: Model) -> bool:
    """Could one of them fire at him where he is?"""
    return any(
        firepower(g, foe) and not dark_between(g, foe, man) and half_shows(g, looks(g, foe, man)) for foe in foes(g, man)
    )  # fmt: skip


def place_values(g: Fight, man: Model, places: list[Place]) -> list[float]:
    """Danger, chances and the way to go, for each place he might lie at."""
    values = [float(value) for value in _sights(g, man, places, foes(g, man))]
    if (aim := goal(g, man)) is not None:
        far, pace = distance(g, man, aim), _pace(g, man, aim)
        values = [value + _on_the_way(far(place), pace) for value, place in zip(values, places, strict=True)]
    friends = [friend.at for friend in g.state.of(man.side) if friend.id != man.id]
    charges = [device.at for device in g.state.devices if device.owner == man.side and device.kind in FUSED]
    ways, price = gates(g), _gate(g, man)
    values = [
        value + (price if any(_plan(place, at) < FREE for at in ways) else 0.0)
        for value, place in zip(values, places, strict=True)
    ]
    near = [value + _company(g, place, friends, charges) for value, place in zip(values, places, strict=True)]
    return [value + _leash(g, man, place) for value, place in zip(near, places, strict=True)]


def _pace(g: Fight, man: Model, aim: Place) -> float:
    """More for those who must bring somebody home; most in the last turns, and for him for whom all others wait at a wall."""
    presses = is_late(g) or (is_sapper(man) and is_shut_out(g, man, aim))
    return (HURRY if cargo(g, man) else GOAL) * (RISK if presses else 1.0)


def _gate(g: Fight, man: Model) -> float:
    """What it costs to stand in a doorway or at the stairs: much, if others come up behind him."""
    mates = (mate for mate in g.state.of(man.side) if mate.id != man.id and mate.able and not mate.immobilized)
    return JAM if cargo(g, man) and any(_plan(mate.at, man.at) < BEHIND for mate in mates) else GATE


def _on_the_way(far: float, pace: float) -> float:
    return (ARRIVED if far < 1 else 0.0) - pace * far


def _company(g: Fight, place: Place, friends: list[Place], charges: list[Place]) -> float:
    """On the ground that counts, near one's own but not in their way or in one burst with them, and clear of charges."""
    control = g.terms.scenario.victory.control
    value = HELD if control is not None and _plan(place, control.centre) <= control.radius else 0.0
    near = min((_plan(place, friend) for friend in friends), default=8.0)
    value += CROWD if near < APART else COMPANY if 3 <= near < 8 else 0.0
    return value + (BLAST if any(_plan(place, at) < CLEAR_OF for at in charges) else 0.0)


def _leash(g: Fight, man: Model, place: Place) -> float:
    """Beyond his leader's voice a man may lose heart."""
    team = g.state.team(man.team)
    if team is None or team.leader == man.id or man.courage_ok:
        return 0.0
    leader = g.state[team.leader]
    return ALONE if leader.able and _plan(leader.at, place) > g.terms.who[leader.id].cc + BODY.base else 0.0


def _plan(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _sights(g: Fight, man: Model, places: list[Place], enemies: list[Model]) -> Any:
    """What he might do from each place, less what might be done to him."""
    if not enemies:
        return np.zeros(len(places))
    terrain = terrain_now(g)
    here = [Body(id=man.id, at=place, stance="prone", radius=BODY.base / 2) for place in places]
    far = np.array([[_plan(enemy.at, place) for place in places] for enemy in enemies])
    near = far <= SIGHTING.darkness + BODY.base if g.terms.night else far >= 0
    lit = near | np.array([["nvg" in enemy.gear] for enemy in enemies])
    seen = views(terrain, [eye(enemy) for enemy in enemies], here)
    guns = np.array([[firepower(g, enemy)] for enemy in enemies])
    danger = ((np.maximum(seen.visible, seen.base) >= 0.5) * (0.35 + 0.65 * seen.clear) * guns * lit).sum(axis=0)
    danger += ((far < 6) * np.array([[VEST if is_zealot(g, enemy) else 0.0] for enemy in enemies])).sum(axis=0)
    eyes = [(place[0], place[1], place[2] + figure("prone").eye) for place in places]
    back = views(terrain, eyes, [body(enemy) for enemy in enemies])
    prizes = np.array([[worth(g, enemy)] for enemy in enemies])
    shows = ((np.maximum(back.visible, back.base) >= 0.5) * (0.4 + 0.6 * back.clear)).T
    chance = (shows * prizes * (near | ("nvg" in man.gear)) / (1 + far / 12)).max(axis=0)
    return CHANCE * chance - DANGER * danger


def candidates(g: Fight, man: Model, reach: Field) -> list[Place]:
    """Some of the places he can reach, spread over all distances; the one nearest to his goal among them."""
    nodes = reach.rough_nodes[0]
    chosen = [int(node) for node in nodes[: 0 : -max(1, len(nodes) // CANDIDATES)]]
    if chosen and (aim := goal(g, man)) is not None:
        far = np.asarray(way_to(g, man, aim).dist)[nodes]  # the lattice is the same for all gaits
        chosen.append(int(nodes[np.argmin(far)]))
        chosen.append(int(nodes[np.argmin(far + _in_the_way(g, man, reach, nodes))]))
    return [reach.graph.place(node) for node in chosen]


def _in_the_way(g: Fight, man: Model, reach: Field, nodes: Any) -> Any:
    """Places beside his own men count as farther off: nobody should stand before the stairs."""
    xs, ys = np.asarray(reach.graph.xs)[nodes] / 1000, np.asarray(reach.graph.ys)[nodes] / 1000
    mates = [mate.at for mate in g.state.of(man.side) if mate.id != man.id]
    return 1000 * AWAY * sum(np.hypot(xs - at[0], ys - at[1]) < APART for at in mates)


def beside(g: Fight, man: Model) -> list[Place]:
    """Places in contact with one whom he must fetch, or with the helicopter that takes him home, if they may be near enough."""
    near = [load for load in to_touch(g, man) if gap(man, load) <= man.ap and not in_contact(g, man, load) and is_down(load)]
    found = [place for load in near for place in islice(places_beside(g, load, man.at), SIDES)]
    birds = [bird for bird in g.state.vehicles if bird.side == man.side and bird.there and goal(g, man) == way_out(g, man)]
    return found + [place for bird in birds if plan_gap_to_hull(man, bird) <= man.ap for place in around(bird, man.at)]


def around(bird: Vehicle, at: Place) -> Iterator[Place]:
    """Places that touch its hull, those nearest to a place first."""
    ring = hull_shape(hull(bird)).buffer(BODY.base / 2 + BODY.contact / 2).exterior
    first = ring.project(shapely.Point(at[:2]))
    for k in range(SIDES):
        spot = ring.interpolate((first + (k + 1) // 2 * (-1) ** k * BODY.base) % ring.length)
        yield round(spot.x, 3), round(spot.y, 3), bird.at[2]


def is_down(man: Model) -> bool:
    """He can be taken up, bound or led away."""
    return not man.conscious or man.captured or man.immobilized
