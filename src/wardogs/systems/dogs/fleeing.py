"""Flight: where a broken man runs, and the nearest cover for anybody who must go to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import shapely
from msgspec.structs import replace

from wardogs.systems.dogs.data import BODY, COSTS, SIGHTING, VEHICLES
from wardogs.systems.dogs.figures import MOVES
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.measure import CLOSE, gap
from wardogs.systems.dogs.moving import begin_march, least_cost, why_not_move, why_not_stand
from wardogs.systems.dogs.seeing import in_cover_from, looks, sees_now
from wardogs.systems.dogs.state import Fight, Id, Model, Stance, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import first_refusal
from wardogs.systems.dogs.victory import wanted_man
from wardogs.systems.dogs.ways import Gait, Path, cost, factor, field, length, part, path_to
from wardogs.table.reach import Field
from wardogs.table.terrain import Same, Terrain
from wardogs.table.units import Inches, Place, Thou, inches

ANYWHERE = 250.0  # AP: enough to cross any table
SIDES = ("N", "E", "S", "W")

# ---- cover (DOW-COV-08) ----------------------------------------------------------------------------------------------


def watched_by(g: Fight, man: Model) -> list[Model]:
    """The enemies that see him now."""
    return [enemy for enemy in awake(g, man) if sees_now(g, enemy, man)]


def awake(g: Fight, man: Model) -> list[Model]:
    return [enemy for enemy in g.state.enemies(man) if enemy.conscious and not enemy.captured]


def covered(g: Fight, man: Model, threats: Sequence[Model], place: Place, stance: Stance) -> bool:
    """DOW-COV-08: from each of them less than half of him would be clear there."""
    there = replace(man, at=place, stance=stance)
    return all(looks(g, enemy, there).clear < SIGHTING.half for enemy in threats)


def in_cover(g: Fight, man: Model, threats: Sequence[Model], stance: Stance) -> bool:
    """The same where he is."""
    return all(in_cover_from(g, replace(man, stance=stance), enemy) for enemy in threats)


def nearest_cover(g: Fight, man: Model, reach: Field, threats: Sequence[Model], stance: Stance, away: bool) -> Place | None:
    """DOW-COV-08: the nearest by path cost; of equals the farther from the nearest enemy, then the lower x, then y.

    Who flees goes only where the nearest enemy is farther than he is now.
    """
    best: list[tuple[float, float, float, Place]] = []
    found: Thou | None = None
    for price, far, place in candidates(g, man, reach, threats, away):
        if found is not None and price > found:
            break
        if covered(g, man, threats, place, stance):
            found = price
            best.append((-far, place[0], place[1], place))
    return min(best)[3] if best else None


def candidates(g: Fight, man: Model, reach: Field, threats: Sequence[Model], away: bool) -> Iterator[tuple[Thou, Inches, Place]]:
    """Places by their cost, each with how far the nearest enemy is; only where something lies between them and all threats."""
    enemies = awake(g, man)
    now = min((gap(man, enemy) for enemy in enemies), default=0.0)
    for nodes, prices in some_at_a_time(reach):
        far = gaps(reach, nodes, enemies)
        good = far > now + CLOSE if away else np.ones(len(nodes), dtype=bool)
        for enemy in threats:
            good[good] = shaded(g, reach, nodes[good], enemy)
        for node, price, gap_there in zip(nodes[good].tolist(), prices[good].tolist(), far[good].tolist(), strict=True):
            yield price, gap_there, reach.graph.place(node)


def some_at_a_time(reach: Field) -> Iterator[tuple[Any, Any]]:
    """The cheapest first: most find what they look for among those."""
    nodes, prices = reach.rough_nodes
    for k in range(0, len(nodes), SOME):
        yield nodes[k : k + SOME], prices[k : k + SOME]


SOME = 200  # places


def shaded(g: Fight, reach: Field, nodes: Any, enemy: Model) -> Any:
    """Of many places: does anything at all stand near the line to this enemy? A quick look from above, before the true one."""
    ends = np.empty((len(nodes), 2, 2))
    ends[:, 0] = enemy.at[:2]
    ends[:, 1, 0], ends[:, 1, 1] = (inches(1) * np.asarray(part)[nodes] for part in (reach.graph.xs, reach.graph.ys))
    lines = shapely.linestrings(ends)
    found = shapely.intersects(standing(Same(table_now(g))), lines)
    for hull in hulls(g):
        found |= shapely.intersects(hull, lines)
    return found


@lru_cache(maxsize=16)
def standing(same: Same) -> Any:
    """The plan of all that could hide somebody, a base's width wider."""
    terrain = Terrain.of(same.map)
    walls = [shapely.LineString([panel.a, panel.b]) for panel in terrain.panels if panel.a != panel.b]
    shapes = shapely.union_all([*walls, *(shapely.box(*solid.box) for solid in terrain.solids)])
    about = shapely.transform(shapes, lambda points: points * inches(1)).buffer(BODY.base)
    shapely.prepare(about)
    return about


def hulls(g: Fight) -> list[Any]:
    return [
        shapely.Point(vehicle.at[:2]).buffer(max(VEHICLES[vehicle.kind].size)) for vehicle in g.state.vehicles if vehicle.there
    ]


def gaps(reach: Field, nodes: Any, enemies: Sequence[Model]) -> Any:
    """From each of many places to the nearest enemy, base to base."""
    xs, ys = (inches(1) * np.asarray(part)[nodes] for part in (reach.graph.xs, reach.graph.ys))
    zs = np.array([reach.graph.surfaces[int(number)].z for number in np.asarray(reach.graph.numbers)[nodes]]) * inches(1)
    far = np.full(len(nodes), np.inf)
    for enemy in enemies:
        plan = np.maximum(0.0, np.hypot(xs - enemy.at[0], ys - enemy.at[1]) - BODY.base)
        far = np.minimum(far, np.hypot(plan, zs - enemy.at[2]))
    return far


# ---- flight (DOW-MOR-06) ---------------------------------------------------------------------------------------------


def flee(g: Fight, who: Id) -> None:
    """DOW-MOR-06, DOW-SEQ-14: with all his AP to the nearest cover away from the enemy; in cover already he goes to ground."""
    man = g.state[who]
    if not (man.broken and man.free and man.on_table):
        return
    threats = watched_by(g, man)
    if in_cover(g, man, threats, "prone"):
        g.then(lie_low, who)
    elif cannot_flee(man):
        g.then(cower, who)
    elif (gait := gait_of_flight(g, man)) is None:
        g.then(get_up if stands_first(g, man) else cower, who)
    else:
        g.then(run_for_it, who, gait)


def cannot_flee(man: Model) -> bool:
    return man.immobilized or bool(man.vehicle) or man.climbing > 0 or bool(man.carried_by)


def gait_of_flight(g: Fight, man: Model) -> Gait | None:
    """DOW-MOR-06: he runs if he can, standing up first if that takes him farther; else he walks or crawls."""
    if stands_first(g, man):
        return None
    order: tuple[Gait, ...] = ("run", "walk", "crawl")
    return next((gait for gait in order if may_go(g, man, gait)), None)


def may_go(g: Fight, man: Model, gait: Gait) -> bool:
    return first_refusal(why_not_move(g, man, gait)) is None and man.ap >= least_cost(g, man, gait)


def stands_first(g: Fight, man: Model) -> bool:
    """Would he get farther on his feet, for what getting up leaves him?"""
    if why_not_stand(g, man, {}) is not None:
        return False
    up = replace(man, stance="standing", ap=man.ap - COSTS.stand)
    upright = max(range_of(up, gait) if may_go(g, up, gait) else 0.0 for gait in ("run", "walk"))
    return upright > range_of(man, "crawl")


def range_of(man: Model, gait: Gait) -> Inches:
    """How far his AP take him over open ground."""
    points = man.ap // factor(man)
    if gait == "run":
        return float(COSTS.run.inches * (points // COSTS.run.ap))
    return float(points // (COSTS.walk_per_inch if gait == "walk" else COSTS.crawl_per_inch))


def lie_low(g: Fight, who: Id) -> None:
    """DOW-MOR-06: unseen, or in cover from all who see him: he stays, prone, and loses the rest."""
    man = g.state[who]
    if not man.climbing and not man.vehicle:
        g.edit(who, ducking="", stance="prone", seen_moving="none")
        g.report("DOW-MOR-06", "lies_low", who=who)
        if man.carrying:
            later(g, "drop_load", who)
    g.then(sees_to_himself, who)


def cower(g: Fight, who: Id) -> None:
    """DOW-SEQ-14: no way, no legs, too few AP: he does nothing more and loses the rest."""
    g.edit(who, ducking="")
    g.report("DOW-SEQ-14", "cannot_flee", who=who)
    g.then(sees_to_himself, who)


def sees_to_himself(g: Fight, who: Id) -> None:
    """DOW-SEQ-14, DOW-HLT-03: there, or where he can get no nearer, he binds his wound if it must be; the rest is lost."""
    man = g.state[who]
    binds = man.free and man.ima and man.ap >= COSTS.bandage and len(man.useless) < 2 and not man.climbing
    g.edit(who, ap=0, ap_before=man.ap)
    if binds:
        later(g, "window", other(man.side), "declared", who)
        g.then(binds_his_wound, who)


def binds_his_wound(g: Fight, who: Id) -> None:
    """DOW-AID-01, DOW-APT-06."""
    if g.state[who].free and g.state[who].on_table:
        later(g, "dress", who, who)
    else:
        g.report("DOW-APT-06", "act_lost", who=who)


def get_up(g: Fight, who: Id) -> None:
    """DOW-MOV-08, DOW-OPF-05 c: up first, and watchers see it; then away."""
    man = g.state[who]
    g.edit(who, stance="standing", ap=man.ap - COSTS.stand, ap_before=man.ap, ducking="")
    g.report("DOW-MOV-08", "stands_up", who=who)
    later(g, "window", other(man.side), "stood", who)
    g.then(flee, who)


def run_for_it(g: Fight, who: Id, gait: Gait) -> None:
    """DOW-MOR-06: the place and the way there are not his to choose; as far as his AP go."""
    man = g.state[who]
    goal, way, over = way_out(g, man, gait)
    path = affordable(g, man, gait, way)
    if path is None or goal is None:
        g.then(cower, who)
        return
    paid = cost(g, man, gait, path)
    g.edit(who, ap=man.ap - paid, ap_before=man.ap, ducking="")
    g.report("DOW-MOR-06", "flees", who=who, gait=gait, to=goal, edge=over)
    begin_march(g, g.state[who], gait, path, paid, man.facing)
    g.then(flown, who, goal, over)


def way_out(g: Fight, man: Model, gait: Gait) -> tuple[Place | None, Path, bool]:
    """The nearest cover away from the enemy, else the own edge; the way there; and if it is the edge."""
    reach = field(g, man, gait, ANYWHERE)
    place = nearest_cover(g, man, reach, watched_by(g, man), "prone", away=True)
    over = place is None
    place = nearest_edge(g, man, reach) if place is None else place
    path = None if place is None else path_to(reach, place)
    return (place, path, over) if path is not None else (None, (), over)


def affordable(g: Fight, man: Model, gait: Gait, path: Path) -> Path | None:
    """As much of a path as his AP buy: whole inches, or whole runs."""
    far = length(path) if path else 0.0
    if far < MOVES.least:
        return None
    step = COSTS.run.inches if gait == "run" else 1
    ends = [far, *(float(step * k) for k in range(int(far / step), 0, -1))]
    for end in ends:
        some = part(path, 0.0, end)
        if length(some) >= MOVES.least and cost(g, man, gait, some) <= man.ap:  # part of a flight of stairs gets him nowhere
            return some
    return None


def flown(g: Fight, who: Id, goal: Place, over: bool) -> None:
    """DOW-MOR-06, DOW-MOV-24: there he goes to ground, or over the edge for good; wherever he is, his AP are gone."""
    man = g.state[who]
    there = max(abs(a - b) for a, b in zip(man.at, goal, strict=True)) <= MOVES.least
    if not man.free or not man.on_table:
        g.edit(who, ap=0)
    elif there and over and may_leave(g, man):
        later(g, "leave_table", who, "fled")
    else:
        g.then(lie_low if there and not over else sees_to_himself, who)


# ---- the edge --------------------------------------------------------------------------------------------------------


def to_edge(g: Fight, place: Place, side: str) -> Inches:
    """From a place to an edge of the table."""
    wide, deep = g.terms.map.size
    return {"N": deep - place[1], "S": place[1], "E": wide - place[0], "W": place[0]}[side]


def own_edges(g: Fight, man: Model) -> tuple[str, ...]:
    """DOW-MOR-06, DOW-MOV-24: his side's own edge; without one any."""
    edge = g.state.side(man.side).edge
    return (edge,) if edge else SIDES


def nearest_edge(g: Fight, man: Model, reach: Field) -> Place | None:
    """The nearest place by path cost from which his base touches the edge."""
    for node in reach.rough_nodes[0].tolist():
        place = reach.graph.place(node)
        if any(to_edge(g, place, side) <= BODY.base / 2 + CLOSE for side in own_edges(g, man)):
            return place
    return None


def may_leave(g: Fight, man: Model) -> bool:
    """DOW-MOV-24: the man whom the enemy wants may have to stop at the edge, even broken."""
    hvt = g.terms.scenario.hvt
    return hvt is None or hvt.leaves_alone or man.id != wanted_man(g.state, g.terms)


PARAGRAPHS = (flee, lie_low, cower, sees_to_himself, binds_his_wound, get_up, run_for_it, flown)
