"""Jumps: over gaps between roofs, over pits and ditches."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, dist
from typing import Any, NamedTuple

import shapely

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Choice, Offer, Refusal, Spot
from wardogs.systems.dogs.climbing import Places, hits_the_ground, landed, leave_first, put, wanted, why_not_hands
from wardogs.systems.dogs.data import COSTS
from wardogs.systems.dogs.faces import (
    CLIMBING,
    OFF,
    RADIUS,
    Face,
    crest_between,
    exact,
    floors,
    graph_now,
    is_free,
    is_step,
    near_faces,
    shifted,
)
from wardogs.systems.dogs.measure import CLOSE, within
from wardogs.systems.dogs.memory import kept_with
from wardogs.systems.dogs.moving import why_not_move
from wardogs.systems.dogs.seeing import sees_now
from wardogs.systems.dogs.state import Fight, Id, Model, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, short_of_ap, unpacked
from wardogs.systems.dogs.ways import factor
from wardogs.table.graph import Graph
from wardogs.table.ground import polygon
from wardogs.table.units import Inches, Place, Point, inches


class Jump(NamedTuple):
    """Over a gap: from its brink to where he lands; in the middle he would fall."""

    far: Place
    gap: Inches
    middle: Place

    @property
    def running(self) -> bool:
        """DOW-MOV-13, -14: more than an inch takes a run-up."""
        return not within(self.gap, COSTS.jump_1_gap)


def jumps(g: Fight, man: Model) -> list[Jump]:
    """Every gap that he could jump from where he stands: at the brink, or a run-up away from it in a straight line."""
    return [jump for jump in _jumps(graph_now(g), man.at) if is_free(g, man, jump.far)]


@kept_with
def _jumps(graph: Graph, at: Place) -> tuple[Jump, ...]:
    """The same as if nobody else were there."""
    found = dict[Place, Jump]()
    solid = footing_of(graph, at[2], is_step(graph.ground.height_at(at[:2]), at[2]))
    for face, meets, across in near_faces(graph, at, COSTS.jump_2.run_up_inches + CLIMBING.run_up_slack):
        close = within(dist(meets, at[:2]), RADIUS + CLIMBING.reach)
        brink = meets if close else after_a_run(face, at)
        jump = over_gap(graph, at, brink, across, solid) if brink else None
        if jump is not None and jump.running != close:
            found.setdefault(jump.far, jump)
    return tuple(found.values())


def after_a_run(face: Face, at: Place) -> Point | None:
    """DOW-MOV-14: where a man who runs straight at a brink from three inches back meets it; None if he misses it."""
    (ax, ay), (bx, by), far, back = face.a, face.b, face.length, COSTS.jump_2.run_up_inches
    along = ((at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)) / far
    brink = ax + along * (bx - ax) / far, ay + along * (by - ay) / far
    off = dist(brink, at[:2])
    return brink if 0 <= along <= far and within(back, off) and within(off, back + CLIMBING.run_up_slack) else None


@kept_with
def footing_of(graph: Graph, height: Inches, on_ground: bool) -> Any:
    """All ground about as high as where he stands."""
    shapes = [surface.shape for surface in graph.surfaces[1:] if is_step(inches(surface.z), height)]
    if on_ground:
        holes = [polygon(pit) for pit in graph.map.pits]
        shapes.append(shapely.box(0, 0, *graph.map.size).difference(shapely.union_all(holes)))
    solid = shapely.union_all(shapes)
    shapely.prepare(solid)
    return solid


def over_gap(graph: Graph, at: Place, brink: Point, across: Point, solid: Any) -> Jump | None:
    """The gap right behind a brink, if it is narrow enough and there is room behind it."""
    if solid.covers(shapely.LineString([brink, shifted(brink, across, CLIMBING.beside)])):
        return None
    end = shifted(brink, across, COSTS.jump_2.max_gap + 1.0)
    parts = shapely.get_parts(shapely.LineString([brink, end]).difference(solid))
    gap = next((float(part.length) for part in parts if part.distance(shapely.Point(brink)) < CLIMBING.beside), 0.0)
    if not CLIMBING.beside < gap <= COSTS.jump_2.max_gap + CLIMBING.beside / 10:
        return None
    start, spot, between = shifted(brink, across, -OFF), shifted(brink, across, gap + OFF), shifted(brink, across, gap / 2)
    level = next((z for z in floors(graph, spot) if is_step(z, at[2])), None)
    if level is None or not graph.stands((*spot, level)):
        return None
    if not is_step(crest_between(graph, start, spot, at[2]), at[2]):
        return None
    return Jump((*spot, level), exact(gap), (*between, min([at[2], *floors(graph, between)])))


def jump_price(g: Fight, man: Model, jump: Jump) -> int:
    """DOW-MOV-13, -14, -25: as the text reckons it, or as the column does."""
    if not jump.running:
        return factor(man) * COSTS.jump_1
    if g.terms.options.jump_cost == "column":
        return factor(man) * COSTS.jump_column_per_inch * ceil(jump.gap - CLOSE)
    return factor(man) * COSTS.jump_2.total


def jump_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_leap(g, man) is not None or not man.ap:
        return
    for jump in jumps(g, man):
        needs = jump_price(g, man, jump)
        if needs <= man.ap and (not jump.running or first_refusal(why_not_move(g, man, "run")) is None):
            yield Offer("jump", jump_rule(jump), one(man.id, to=Spot.on("jump", Places((jump.far,)))), ap(needs))


def jump_rule(jump: Jump) -> str:
    return "DOW-MOV-14" if jump.running else "DOW-MOV-13"


def why_not_leap(g: Fight, man: Model) -> Refusal | None:
    """DOW-MOV-16: not with a man on his back."""
    if man.carrying:
        return Refusal("DOW-MOV-16", "loaded")
    if man.climbing:
        return Refusal("DOW-MOV-11", "on_the_face")
    return first_refusal(why_not_hands(g, man))


def why_not_jump(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    if (refusal := why_not_leap(g, man)) is not None:
        return refusal
    place = wanted(choice)
    for jump in jumps(g, man):
        if place in (None, jump.far):
            runs = first_refusal(why_not_move(g, man, "run")) if jump.running else None
            return runs or short_of_ap(man, jump_price(g, man, jump), jump_rule(jump))
    back, most = COSTS.jump_2.run_up_inches, COSTS.jump_2.max_gap
    return Refusal("DOW-MOV-14", "no_gap_to_jump", {"run_up": back, "most": most})


def jump_cost(g: Fight, man: Model, choice: Choice) -> int:
    place = wanted(choice)
    return jump_price(g, man, next(jump for jump in jumps(g, man) if jump.far == place))


def leap(g: Fight, args: Packed) -> None:
    """DOW-MOV-13, -14: he runs up, if it is wide, and jumps."""
    choice = unpacked(args)
    man, place = g.state[choice["model"]], wanted(choice)
    if not can_jump(g, man, place):
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    assert place is not None
    leave_first(g, man, (place,))
    g.then(takes_off, man.id, place)


def can_jump(g: Fight, man: Model, place: Place | None) -> bool:
    fit = man.able and man.stance == "standing" and not man.immobilized
    return fit and any(jump.far == place for jump in jumps(g, man))


def takes_off(g: Fight, who: Id, place: Place) -> None:
    """DOW-MOV-15: with a test, if the players want one: D10 at most ST, or into the gap."""
    man = g.state[who]
    if not can_jump(g, man, place):
        return
    jump = next(jump for jump in jumps(g, man) if jump.far == place)
    need = g.terms.who[who].st
    held = not g.terms.options.jump_test or g.roll("DOW-MOV-15", D10, at_most(D10, need), who=who, need=need)
    g.then(comes_down, who, tuple(jump), held)


def comes_down(g: Fight, who: Id, args: tuple[Any, ...], held: bool) -> None:
    """DOW-MOV-14, -15, -23: on the other side, or down in the gap; the run-up counts as running."""
    jump, man = Jump(*args), g.state[who]
    if jump.running:
        saw = tuple(enemy.id for enemy in g.state.enemies(man) if sees_now(g, man, enemy)) if man.moved != "run" else man.saw
        g.edit(who, saw=saw, ran=True, moved="run", seen_moving="run")
    before = man.at
    deep = exact(before[2] - jump.middle[2])
    if held:
        put(g, g.state[who], jump.far)
        g.report(jump_rule(jump), "jumps_gap", who=who, gap=jump.gap, at=jump.far)
    elif deep > CLIMBING.step:
        put(g, g.state[who], jump.middle)
        g.report("DOW-MOV-15", "jumps_short", who=who, gap=jump.gap, deep=deep)
        g.then(hits_the_ground, who, deep)
    if held:
        g.then(landed, who, before)
    later(g, "window", other(man.side), "move", who)


VERBS = (Verb("jump", "DOW-MOV-13", jump_offers, leap, why_not_jump, jump_cost),)
PARAGRAPHS = (leap, takes_off, comes_down)
