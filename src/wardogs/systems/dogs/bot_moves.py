"""Where a bot wants its men to be: out of sight of guns, in sight of targets, near what the scenario is about."""

from __future__ import annotations

from math import hypot
from typing import Any

import numpy as np

from wardogs.systems.dogs.bot_aim import firepower, worth
from wardogs.systems.dogs.data import BODY
from wardogs.systems.dogs.ground import terrain_now
from wardogs.systems.dogs.seeing import body, eye
from wardogs.systems.dogs.state import Fight, Model
from wardogs.systems.dogs.ways import Gait, field
from wardogs.table.bodies import Body, figure
from wardogs.table.units import Place, Point
from wardogs.table.views import views

CANDIDATES = 14
DANGER, CHANCE, GOAL, COMPANY, HELD = 0.8, 0.5, 0.025, 0.03, 0.3


def goal(g: Fight, man: Model) -> Point | None:
    """What the scenario wants of him; else the nearest enemy still in the fight."""
    scenario = g.terms.scenario
    if man.leading or man.carrying:
        return _way_out(g, man)
    if scenario.victory.control is not None:
        return scenario.victory.control.centre
    lift = scenario.lift
    if lift is not None and man.side == scenario.seat_of(lift.side) and g.state.turn >= lift.from_turn - 1:
        return lift.zone[:2]
    if scenario.hvt is not None and man.side == scenario.seat_of(scenario.hvt.by) and (prize := _prize(g)):
        return prize.at[:2]
    enemies = [enemy for enemy in g.state.enemies(man) if not enemy.incapacitated]
    near = min(enemies, key=lambda enemy: hypot(enemy.at[0] - man.at[0], enemy.at[1] - man.at[1]), default=None)
    return near.at[:2] if near else None


def _prize(g: Fight) -> Model | None:
    for seat, side in enumerate(g.terms.scenario.sides, 1):
        for team in side.teams:
            if team.hvt:
                for man in g.state.models:
                    if man.side == seat and man.team == (team.name or team.roster.name) and g.terms.who[man.id].role == team.hvt:
                        return man if man.alive and man.on_table else None
    return None


def _way_out(g: Fight, man: Model) -> Point | None:
    scenario = g.terms.scenario
    if scenario.lift is not None and man.side == scenario.seat_of(scenario.lift.side):
        return scenario.lift.zone[:2]
    edge = g.state.side(man.side).edge
    wide, high = g.terms.map.size
    return {"S": (man.at[0], 0.5), "N": (man.at[0], high - 0.5), "W": (0.5, man.at[1]), "E": (wide - 0.5, man.at[1])}.get(edge)


def place_values(g: Fight, man: Model, places: list[Place], stance: str) -> list[float]:
    """Danger, chances and the way to go, for each place he might stand at."""
    enemies = [enemy for enemy in g.state.enemies(man) if not enemy.captured and enemy.conscious]
    danger, chance = _sights(g, man, places, stance, enemies)
    aim, control = goal(g, man), g.terms.scenario.victory.control
    friends = [friend for friend in g.state.of(man.side) if friend.id != man.id]
    found = []
    for k, place in enumerate(places):
        value = CHANCE * chance[k] - DANGER * danger[k]
        if aim is not None:
            value -= GOAL * hypot(place[0] - aim[0], place[1] - aim[1])
        if control is not None and hypot(place[0] - control.centre[0], place[1] - control.centre[1]) <= control.radius:
            value += HELD
        near = min((hypot(friend.at[0] - place[0], friend.at[1] - place[1]) for friend in friends), default=99.0)
        value += COMPANY if 3 <= near < 8 else 0.0
        found.append(value)
    return found


def _sights(g: Fight, man: Model, places: list[Place], stance: str, enemies: list[Model]) -> tuple[Any, Any]:
    if not enemies:
        return np.zeros(len(places)), np.zeros(len(places))
    terrain = terrain_now(g)
    here = [Body(id=man.id, at=place, stance=stance, radius=BODY.base / 2) for place in places]
    guns = np.array([firepower(g, enemy) for enemy in enemies])
    seen = views(terrain, [eye(enemy) for enemy in enemies], here)
    danger = ((np.maximum(seen.visible, seen.base) >= 0.5) * (0.35 + 0.65 * seen.clear) * guns[:, None]).sum(axis=0)
    eyes = [(place[0], place[1], place[2] + figure(stance).eye) for place in places]
    back = views(terrain, eyes, [body(enemy) for enemy in enemies])
    prizes = np.array([worth(g, enemy) for enemy in enemies])
    shows = (np.maximum(back.visible, back.base) >= 0.5) * (0.4 + 0.6 * back.clear)
    far = np.array([[hypot(place[0] - enemy.at[0], place[1] - enemy.at[1]) for enemy in enemies] for place in places])
    chance = (shows * prizes[None, :] * (1 / (1 + far / 12))).max(axis=1)
    if g.terms.night and "nvg" not in man.gear:
        chance = chance * (far.min(axis=1) <= 10)
    return danger, chance


def candidates(g: Fight, man: Model, gait: Gait, points: int) -> list[tuple[Place, int]]:
    """Some of the places he can reach for so many AP, spread over all distances; the one nearest to his goal among them."""
    reach = field(g, man, gait, float(points))
    nodes, costs = reach.rough_nodes
    if len(nodes) < 2:
        return []
    step = max(1, len(nodes) // CANDIDATES)
    chosen = list(range(len(nodes) - 1, 0, -step))
    aim = goal(g, man)
    if aim is not None:
        xs, ys = np.asarray(reach.graph.xs)[nodes] / 1000, np.asarray(reach.graph.ys)[nodes] / 1000
        chosen.append(int(np.argmin((xs - aim[0]) ** 2 + (ys - aim[1]) ** 2)))
    found = dict.fromkeys(chosen)
    return [(reach.graph.place(int(nodes[k])), int(costs[k])) for k in found if k > 0]
