"""Over low walls and through windows, and off the table."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal, Spot
from wardogs.systems.dogs.climbing import Places, landed, leave_first, put, wanted, why_not_hands
from wardogs.systems.dogs.data import BODY, COSTS
from wardogs.systems.dogs.faces import (
    CLIMBING,
    OFF,
    RADIUS,
    Face,
    faces_about,
    floors,
    graph_now,
    is_free,
    lies_between,
    near_faces,
    reaches,
    shifted,
)
from wardogs.systems.dogs.falling import let_go
from wardogs.systems.dogs.figures import MOVES
from wardogs.systems.dogs.fleeing import may_leave, to_edge
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.measure import CLOSE, within
from wardogs.systems.dogs.memory import kept_with
from wardogs.systems.dogs.state import Fight, Id, Model, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, short_of_ap, unpacked
from wardogs.systems.dogs.ways import factor
from wardogs.table.graph import Graph
from wardogs.table.units import Inches, Place, Point

PANES = ("shut window", "locked window")


class Crossing(NamedTuple):
    """Where he comes down, and which panes break."""

    far: Place
    panes: tuple[str, ...]


# ---- low walls and sills (DOW-MOV-22, -26) ---------------------------------------------------------------------------


def crossings(g: Fight, man: Model) -> list[Crossing]:
    """Over everything low enough within reach, to the first room behind it."""
    return [crossing for crossing in _crossings(graph_now(g), man.at) if is_free(g, man, crossing.far)]


@kept_with
def _crossings(graph: Graph, at: Place) -> tuple[Crossing, ...]:
    """The same as if nobody else were there."""
    found = dict[Place, Crossing]()
    for face, meets, across in near_faces(graph, at, CLIMBING.reach):
        if is_low(face, at[2]) and is_wide_enough(graph, face) and reaches(graph, at, (*shifted(meets, across, -OFF), at[2])):
            for crossing in _behind(graph, at, meets, across):
                found.setdefault(crossing.far, crossing)
    return tuple(found.values())


def is_low(face: Face, z: Inches) -> bool:
    """DOW-MOV-22: no higher than a low wall above the floor he stands on."""
    high = face.top - z
    return not face.fills and face.bottom <= z + CLIMBING.step and high > CLIMBING.beside and within(high, MOVES.low_wall)


def is_wide_enough(graph: Graph, face: Face) -> bool:
    """DOW-MOV-26: an opening lets him through if it is as wide as his base; what has nothing above it is no opening."""
    about = (one for one in faces_about(graph, face.a, face.b) if not one.fills)
    above = any(one.a == face.a and one.b == face.b and one.bottom > face.top for one in about)
    return not above or within(BODY.base, face.length)


def _behind(graph: Graph, at: Place, meets: Point, across: Point) -> Iterator[Crossing]:
    """The first place behind it, whatever its thickness, with nothing higher in between but panes."""
    near = shifted(meets, across, -OFF)
    for k in range(int((CLIMBING.thick_low - OFF) / CLIMBING.stair) + 1):
        spot = shifted(meets, across, OFF + k * CLIMBING.stair)
        for level in floors(graph, spot):
            far = (*spot, level)
            if within(abs(level - at[2]), MOVES.low_wall) and graph.stands(far):
                tall = list(in_the_way(graph, near, spot, at[2]))
                if all(face.fills in PANES for face in tall):
                    yield Crossing(far, tuple(dict.fromkeys(face.opening for face in tall)))
                return


def in_the_way(graph: Graph, a: Point, b: Point, z: Inches) -> Iterator[Face]:
    """What stands higher than a low wall between two points, and lower than his head."""
    for face in faces_about(graph, a, b):
        tall = not within(face.top - z, MOVES.low_wall) and not within(z + BODY.height, face.bottom)
        if tall and lies_between(face, a, b):
            yield face


def cross_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_at_all(g, man) is None and (places := tuple(crossing.far for crossing in crossings(g, man))):
        yield Offer("cross", "DOW-MOV-22", one(man.id, to=Spot.on("cross", Places(places))), ap(cross_cost(g, man, {})))


def why_not_at_all(g: Fight, man: Model) -> Refusal | None:
    if man.climbing:
        return Refusal("DOW-MOV-11", "on_the_face")
    return first_refusal(why_not_hands(g, man)) or short_of_ap(man, cross_cost(g, man, {}), "DOW-MOV-22")


def why_not_cross(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-MOV-22, -26: nothing here, too high, too narrow, or barred."""
    if (refusal := why_not_at_all(g, man)) is not None:
        return refusal
    graph, z = graph_now(g), man.at[2]
    near = [face for face, _, _ in near_faces(graph, man.at, CLIMBING.reach) if face.bottom <= z + BODY.height]
    if any(face.fills and face.fills not in PANES and face.fills.endswith("window") for face in near):
        return Refusal("DOW-MOV-26", "barred")
    if any(is_low(face, z) and not is_wide_enough(graph, face) for face in near):
        return Refusal("DOW-MOV-26", "too_narrow", {"needs": BODY.base})
    if any(face.top - z > MOVES.low_wall for face in near):
        return Refusal("DOW-MOV-22", "too_high_to_cross", {"most": MOVES.low_wall})
    return Refusal("DOW-MOV-22", "nothing_to_cross")


def cross_cost(g: Fight, man: Model, choice: Choice) -> int:
    return factor(man) * COSTS.cross_low_wall


def cross(g: Fight, args: Packed) -> None:
    """DOW-MOV-22, -26: over it, to the other side; glass breaks."""
    choice = unpacked(args)
    man, place = g.state[choice["model"]], wanted(choice)
    if place is None or not can_cross(g, man, place):
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    leave_first(g, man, (place,))
    g.then(over_it, man.id, place)


def can_cross(g: Fight, man: Model, place: Place) -> bool:
    fit = man.able and man.stance == "standing" and not man.immobilized
    return fit and any(crossing.far == place for crossing in crossings(g, man))


def over_it(g: Fight, who: Id, place: Place) -> None:
    man = g.state[who]
    if not can_cross(g, man, place):
        return
    crossing = next(crossing for crossing in crossings(g, man) if crossing.far == place)
    for pane in crossing.panes:
        g.change(changes=(*g.state.changes, ("opening", pane, "gone", level_of(g, pane, place))))
        g.report("DOW-MOV-26", "glass_breaks", who=who)
    put(g, man, place)
    g.report("DOW-MOV-22", "crosses", who=who, at=place)
    g.then(landed, who, man.at)
    later(g, "window", other(man.side), "move", who)


def level_of(g: Fight, opening: str, place: Place) -> int | None:
    """The level on which one of several windows above each other broke."""
    for house in table_now(g).buildings:
        if any(one.id == opening and one.level is None for one in house.openings) and house.levels > 1:
            return round((place[2] - house.base) / house.storey)
    return None


# ---- off the table (DOW-MOV-24) --------------------------------------------------------------------------------------


def exits(g: Fight, man: Model) -> tuple[str, ...]:
    """His side's own edge, and the one over which the scenario wants somebody led out, if he stands by it."""
    own, hvt = g.state.side(man.side).edge, g.terms.scenario.hvt
    ways = [own] if own else []
    if hvt is not None and g.terms.scenario.seat_of(hvt.by) == man.side:
        ways.append(hvt.exit)
    return tuple(side for side in dict.fromkeys(ways) if within(to_edge(g, man.at, side) - RADIUS, CLIMBING.reach))


def exit_offers(g: Fight, man: Model) -> Iterator[Offer]:
    for side in exits(g, man):
        if why_not_leave(g, man, side) is None:
            fields = one(man.id, edge=OneOf((side,)))
            alone = not (man.leading or man.carrying)
            yield Offer("exit", "DOW-MOV-24", fields, ap(exit_cost(g, man, {"edge": side})), minor=alone)


def why_not_leave(g: Fight, man: Model, side: str) -> Refusal | None:
    if man.immobilized:
        return Refusal("DOW-HLT-04", "immobilized")
    if man.vehicle:
        return Refusal("DOW-VEH-06", "aboard")
    if man.climbing:
        return Refusal("DOW-MOV-11", "on_the_face")
    if not may_leave(g, man):
        return Refusal("DOW-MOV-24", "may_not_leave", {"who": man.id})
    return short_of_ap(man, exit_cost(g, man, {"edge": side}), "DOW-MOV-24")


def why_not_exit(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    side = choice.get("edge")
    if side not in exits(g, man):
        return Refusal("DOW-MOV-24", "not_his_edge", {"own": g.state.side(man.side).edge})
    return why_not_leave(g, man, side)


def exit_cost(g: Fight, man: Model, choice: Choice) -> int:
    """The inches to the edge, at least one, as a walk or a crawl."""
    rate = COSTS.crawl_per_inch if man.stance == "prone" else COSTS.walk_per_inch
    return factor(man) * rate * max(1, ceil(to_edge(g, man.at, choice["edge"]) - RADIUS - CLOSE))


def exit_table(g: Fight, args: Packed) -> None:
    """DOW-MOV-24: over the edge, with whom he carries or leads."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    if not man.able or man.immobilized:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    x, y, z = man.at
    leave_first(g, man, ((-x, -y, z),))  # off the table all contacts break, wherever that is
    g.then(over_the_edge, man.id)


def over_the_edge(g: Fight, who: Id) -> None:
    man = g.state[who]
    if man.able and not man.immobilized:
        g.then(leave_table, who, "exited")


def leave_table(g: Fight, who: Id, how: str) -> None:
    """DOW-MOV-24, DOW-MOR-06: gone, safely or for good; those he carries or leads go with him."""
    man = g.state[who]
    for load in (man.carrying, man.leading):
        if load:
            g.edit(load, away=how, ap=0, opfire=False)
    g.edit(who, away=how, ap=0, opfire=False, ducking="", returning=False)
    let_go_all(g, man)
    g.report("DOW-MOV-24", "fled" if how == "fled" else "left_table", who=who, takes=man.carrying or man.leading)
    later(g, "check_at_once")


def let_go_all(g: Fight, man: Model) -> None:
    """Whom he held or beat is rid of him; his load stays his."""
    g.edit(man.id, carrying="", leading="")
    let_go(g, g.state[man.id])
    g.edit(man.id, carrying=man.carrying, leading=man.leading)


VERBS = (
    Verb("cross", "DOW-MOV-22", cross_offers, cross, why_not_cross, cross_cost),
    Verb("exit", "DOW-MOV-24", exit_offers, exit_table, why_not_exit, exit_cost),
)
PARAGRAPHS = (cross, over_it, exit_table, over_the_edge, leave_table)
