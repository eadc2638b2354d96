"""Running into contact: the charge and the tackle; who is overpowered, and how he breaks free."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import dist
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Ask, Choice, Flag, Offer, OneOf, Refusal
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.closing import named
from wardogs.systems.dogs.data import BODY, COSTS, CQ_MODS, load
from wardogs.systems.dogs.falling import put_down_load
from wardogs.systems.dogs.measure import ahead, bearing, in_contact, in_melee, plan_gap, within
from wardogs.systems.dogs.memory import remembered
from wardogs.systems.dogs.moving import begin_march, why_not_move
from wardogs.systems.dogs.state import Fight, Id, Model, Term, total
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, short_of_ap, unpacked
from wardogs.systems.dogs.ways import Gait, Path, cost, factor, field, height_at, height_on, length, path_to
from wardogs.table.reach import Field
from wardogs.table.units import Inches, Place, Point, thou


class Strength(Struct, frozen=True, forbid_unknown_fields=True):
    base: int
    source: Source


class Rush(Struct, frozen=True, forbid_unknown_fields=True):
    """How a run into contact ends: this near, on the best of so many sides."""

    gap: float
    directions: int
    source: Source


STRENGTH = load("closing.toml", "strength", Strength)
RUSH = load("closing.toml", "rush", Rush)
ALL_OVER = 100  # AP: more than any run takes, to say how far too far it is

# ---- the way into contact --------------------------------------------------------------------------------------------


def places_beside(g: Fight, target: Model, towards: Place) -> Iterator[Place]:
    """Places in base contact with somebody, the side towards a place first."""
    return (height_at(g, (*point, target.at[2])) for point in points_beside(target, towards))


def points_beside(target: Model, towards: Place) -> Iterator[Point]:
    """The same in plan."""
    start = bearing(target.at, towards) if target.at[:2] != towards[:2] else target.facing
    for k in range(RUSH.directions):
        x, y = ahead(target.at, start + k * 360 / RUSH.directions, BODY.base + RUSH.gap)
        yield round(x, 3), round(y, 3)


def way_into_contact(g: Fight, man: Model, target: Model, reach: Field) -> Path | None:
    """DOW-CQC-03: the shortest way to a place in base contact."""
    points = list(points_beside(target, man.at))
    if (straight := _way_to(g, man, target, reach, points[0])) is not None and len(straight) == STRAIGHT:
        return straight
    best: Path | None = None
    for tried, point in enumerate(_likeliest_first(man, target, points, reach)):
        if best is not None and tried >= ENOUGH:
            break
        if best is not None and dist(point, man.at[:2]) >= length(best):
            continue
        if (path := _way_to(g, man, target, reach, point)) is not None:
            best = path if best is None else min(best, path, key=length)
    return best


def _way_to(g: Fight, man: Model, target: Model, reach: Field, point: Point) -> Path | None:
    """To a point beside somebody, if he touches him there."""
    place = height_on(reach.graph.ground, (*point, target.at[2]))
    return path_to(reach, place) if in_contact(g, replace(man, at=place), target) else None


STRAIGHT = 2  # corners of a path that goes nowhere else
ENOUGH = 4  # of the likeliest places are looked at closely


def _likeliest_first(man: Model, target: Model, points: list[Point], reach: Field) -> list[Point]:
    """By what the lattice says that they cost, those with no node near last: exact ways are dear to work out."""
    rate, guesses = thou(reach.graph.mode.open), reach.guesses(points, BODY.base)
    straight = [dist(point, man.at[:2]) * rate for point in points]
    order = sorted(range(len(points)), key=lambda k: max(straight[k], guesses[k]))
    return [points[k] for k in order]


def run_in_reach(man: Model) -> Inches:
    """DOW-MOV-03: the farthest that he can run with his AP, if nothing is in his way."""
    return COSTS.run.inches * (man.ap // (COSTS.run.ap * factor(man)))


# ---- charge and tackle -----------------------------------------------------------------------------------------------

RULES = {"charge": "DOW-CQC-07", "tackle": "DOW-TAK-01"}


def why_not_at(g: Fight, man: Model, target: Model, verb: str) -> Iterator[Refusal]:
    """DOW-TAK-01, -08, DOW-CQC-07: whom he may run at."""
    if target.side == man.side or not target.alive or not target.on_table or target.vehicle:
        yield Refusal("DOW-CQC-03", "no_enemy", {"target": target.id})
        return
    if target.captured:
        yield Refusal("DOW-TAK-08", "captive", {"target": target.id})
    if verb == "tackle" and (target.stance == "prone" or not target.conscious or target.bound):
        yield Refusal("DOW-TAK-01", "lies_down", {"target": target.id})
    if in_contact(g, man, target):
        yield Refusal(RULES[verb], "in_contact_already", {"target": target.id})


def why_not_rush(man: Model) -> Iterator[Refusal]:
    """DOW-MOV-03, DOW-CAR-08: a run, with his hands free."""
    if man.carrying:
        yield Refusal("DOW-CAR-08", "hands_full", {"load": man.carrying})


def why_not_so(man: Model, inches: Inches, needs: int, verb: str) -> Refusal | None:
    """DOW-CQC-07, DOW-MOV-03: a way long enough for a charge, and the AP for it."""
    if verb == "charge" and not within(CQ_MODS.charge_min_run, inches):
        return Refusal("DOW-CQC-07", "run_too_short", {"needs": CQ_MODS.charge_min_run, "inches": round(inches, 2)})
    return short_of_ap(man, needs, "DOW-MOV-03")


def why_not_run_at(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """The first reason against a charge or a tackle as chosen."""
    if (refusal := first_refusal(why_not_move(g, man, "run")) or first_refusal(why_not_rush(man))) is not None:
        return refusal
    target = named(g, choice.get("target"))
    if target is None:
        return None
    if (refusal := first_refusal(why_not_at(g, man, target, choice["verb"]))) is not None:
        return refusal
    path = path_at(g, man, target, ALL_OVER)
    if path is None:
        return Refusal("DOW-MOV-03", "no_way")
    return why_not_so(man, length(path), cost(g, man, "run", path), choice["verb"])


def run_offers(g: Fight, man: Model, verb: str) -> Iterator[Offer]:
    """One offer for all targets that cost the same."""
    if man.ap < COSTS.run.ap or first_refusal(why_not_move(g, man, "run")) or first_refusal(why_not_rush(man)):
        return
    ways = (way for way in ways_in(g, man) if first_refusal(why_not_at(g, man, g.state[way.to], verb)) is None)
    fit = [(way.ap, way.to) for way in ways if why_not_so(man, way.inches, way.ap, verb) is None]
    for needs, group in groupby(sorted(fit), key=lambda pair: pair[0]):
        targets = tuple(id_ for _, id_ in group)
        yield Offer(verb, RULES[verb], one(man.id, target=OneOf(targets)), ap(needs))


class Way(NamedTuple):
    """Into contact with somebody: how far, and for how many AP."""

    to: Id
    inches: Inches
    ap: int


@remembered
def ways_in(g: Fight, man: Model) -> tuple[Way, ...]:
    """The enemies he can run into."""
    near = [foe for foe in g.state.enemies(man) if within(plan_gap(man, foe), run_in_reach(man) + RUSH.gap)]
    near = [foe for foe in near if first_refusal(why_not_at(g, man, foe, "charge")) is None]
    reach = field(g, man, "run", float(man.ap)) if near else None
    found = ((foe.id, way_into_contact(g, man, foe, reach)) for foe in near if reach is not None)
    return tuple(Way(id_, length(path), cost(g, man, "run", path)) for id_, path in found if path is not None)


def path_at(g: Fight, man: Model, target: Model, points: int) -> Path | None:
    return way_into_contact(g, man, target, field(g, man, "run", float(points)))


def run_cost(g: Fight, man: Model, choice: Choice) -> int:
    return next(way.ap for way in ways_in(g, man) if way.to == choice["target"])


def rush(g: Fight, args: Packed) -> None:
    """DOW-TAK-01, DOW-CQC-07: declared as a charge or a tackle; he turns to his target and runs."""
    choice = unpacked(args)
    man, target, verb = g.state[choice["model"]], g.state[choice["target"]], choice["verb"]
    path = path_at(g, man, target, man.ap_before)
    if path is None or not man.able:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    charged = {"charged": target.id, "charge_from": man.at} if verb == "charge" else {"charged": "", "charge_from": None}
    facing = round(bearing(man.at, target.at), 1)
    g.edit(man.id, facing=facing, charge_run=0.0, tackling=target.id if verb == "tackle" else "", **charged)
    g.report(RULES[verb], "runs_at", who=man.id, at=target.id, verb=verb)
    begin_march(g, g.state[man.id], "run", path, man.ap_before - man.ap, round(bearing(path[-1], target.at), 1))


# ---- the end of a move -----------------------------------------------------------------------------------------------


def came_to(g: Fight, who: Id, gait: Gait, done: Inches, start: Place) -> None:
    """DOW-CQC-07, DOW-TAK-01: what a run into contact was for; every other move ends a charge."""
    man = g.state[who]
    tackled, arrived = man.tackling, man.free and man.stance == "standing" and not man.broken
    if man.charged:
        home = arrived and not man.charge_run and in_contact(g, man, g.state[man.charged]) and g.state[man.charged].alive
        charge = {"charge_run": round(done, 3)} if home else {"charged": "", "charge_run": 0.0, "charge_from": None}
        g.edit(who, **charge)
        if home:
            g.report("DOW-CQC-07", "charged_home", who=who, at=man.charged, inches=round(done, 1))
    if man.tackling:
        g.edit(who, tackling="")
    if man.distracted and not in_melee(g, man):
        g.edit(who, distracted=False)
    if man.leading:
        later(g, "keep_beside", who, True)
    if tackled and arrived and in_contact(g, man, g.state[tackled]) and not first_refusal(_why_no_tackle(g.state[tackled])):
        g.then(tackle_check, who, tackled)


def _why_no_tackle(target: Model) -> Iterator[Refusal]:
    if not target.alive or not target.conscious or target.stance == "prone":
        yield Refusal("DOW-TAK-01", "lies_down", {"target": target.id})


# ---- tackling --------------------------------------------------------------------------------------------------------


def strength_terms(g: Fight, who: Id, against: Id) -> tuple[Term, ...]:
    """DOW-TAK-02, -06: 5 and his own strength less the other's."""
    own, theirs = g.terms.who[who].st, g.terms.who[against].st
    return (Term("DOW-TAK-02", STRENGTH.base), Term("DOW-ABL-09", own), Term("DOW-ABL-09", -theirs))


def tackle_check(g: Fight, who: Id, target: Id) -> None:
    """DOW-TAK-02: strength against strength."""
    terms = strength_terms(g, who, target)
    down = g.roll("DOW-TAK-02", D10, at_most(D10, total(terms)), who=who, at=target, need=total(terms), terms=terms)
    g.then(overpowered if down else tackle_failed, who, target)


def overpowered(g: Fight, who: Id, target: Id) -> None:
    """DOW-TAK-03: prone, and out of all he was doing while the other stays with him; DOW-OPF-08: his Op-Fire is lost."""
    man = g.state[target]
    let_all_go(g, man)
    g.edit(target, held_by=who, stance="prone", opfire=False, leading="", tackling="")
    g.report("DOW-TAK-03", "overpowered", who=target, by=who)


def tackle_failed(g: Fight, who: Id, target: Id) -> None:
    """DOW-TAK-04: he stands in base contact, and no charge comes of it."""
    g.report("DOW-TAK-04", "tackle_failed", who=who, at=target)


def let_all_go(g: Fight, man: Model) -> None:
    """DOW-TAK-03, DOW-CAR-08: whom he held is free, whom he carried lies beside him."""
    for other in g.state.models:
        if other.held_by == man.id:
            g.edit(other.id, held_by="")
    if man.carrying:
        put_down_load(g, man)


# ---- breaking free ---------------------------------------------------------------------------------------------------


def break_free(g: Fight, who: Id) -> None:
    """DOW-TAK-06, DOW-SEQ-14: at the start of his activation an overpowered man, broken or not, may try, once, for 3 AP."""
    man = g.state[who]
    if not man.held_by or not man.conscious or man.captured or man.ap < COSTS.break_free:
        return
    offers = (Offer("break_free", "DOW-TAK-06", {"try": Flag()}, ap(COSTS.break_free)),)
    if g.ask("DOW-TAK-06", man.side, Ask("break_free", offers, {"verb": "break_free", "try": True}))["try"]:
        g.then(struggle, who, man.held_by)


def struggle(g: Fight, who: Id, holder: Id) -> None:
    """DOW-TAK-06: strength against strength; failing ends his activation."""
    terms = strength_terms(g, who, holder)
    free = g.roll("DOW-TAK-06", D10, at_most(D10, total(terms)), who=who, at=holder, need=total(terms), terms=terms)
    if free:
        g.edit(who, held_by="", ap=g.state[who].ap - COSTS.break_free)
        g.report("DOW-TAK-06", "breaks_free", who=who, of=holder)
    else:
        g.edit(who, ap=0)


def charge_offers(g: Fight, man: Model) -> Iterator[Offer]:
    return run_offers(g, man, "charge")


def tackle_offers(g: Fight, man: Model) -> Iterator[Offer]:
    return run_offers(g, man, "tackle")


VERBS = (
    Verb("charge", "DOW-CQC-07", charge_offers, rush, why_not_run_at, run_cost, watched=False),
    Verb("tackle", "DOW-TAK-01", tackle_offers, rush, why_not_run_at, run_cost, watched=False),
)
PARAGRAPHS = (rush, came_to, tackle_check, overpowered, tackle_failed, break_free, struggle)
