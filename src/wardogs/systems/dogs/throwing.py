"""Thrown grenades: who may throw what where, how hard it is, and where it comes down."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import ceil
from typing import Any

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal, Spot
from wardogs.systems.dogs.blasts import burst
from wardogs.systems.dogs.clouds import spread
from wardogs.systems.dogs.data import BLASTS, BODY, CLOUDS, COSTS, DEVIATION, DIFFICULT_THROW, HAND_THROW
from wardogs.systems.dogs.deviation import deviate, try_to_hit
from wardogs.systems.dogs.flights import FLIGHT, SKY, Flight, flight_of, landed, told
from wardogs.systems.dogs.marks import Marks, is_legal, is_spoilt, place_in, under_feet, why_not_ground, why_not_named
from wardogs.systems.dogs.measure import CLOSE, ahead, bearing, facing_to, gap, gap_to, in_melee, off, plan_gap, within
from wardogs.systems.dogs.modifiers import firer_terms, sight_terms
from wardogs.systems.dogs.seeing import body, hull
from wardogs.systems.dogs.shooting import hands_for, is_familiar, why_not_shoot_now
from wardogs.systems.dogs.state import Fight, Id, Model, Term, Vehicle, counted
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, short_of_ap, unpacked
from wardogs.table.templates import gap as hull_gap
from wardogs.table.units import Inches, Place

KINDS = (*(blast.id for blast in BLASTS.values() if blast.throw == "hand"), *CLOUDS)
DUDS = "grenade_duds_50"
FULL_MODS = ("DOW-MOD-07", "DOW-MOD-08", "DOW-MOD-12", "DOW-MOD-13", "DOW-MOD-14", "DOW-MOD-15")


def radius_of(kind: str) -> int:
    return CLOUDS[kind].radius if kind in CLOUDS else BLASTS[kind].blast_number


# ---- may he throw? -----------------------------------------------------------------------------------------------------


def why_no_grenade(g: Fight, man: Model, kind: str, points: int) -> Iterator[Refusal]:
    """DOW-GRN-01, -02, DOW-ABL-07, DOW-RNG-12: he has one, knows it, has a hand for it and the AP."""
    yield from why_not_shoot_now(g, man)
    if kind not in KINDS or not man.has(kind):
        yield Refusal("DOW-GRN-02", "has_none", {"kind": kind})
        return
    if not is_familiar(g, man, kind):
        yield Refusal("DOW-ABL-07", "not_familiar", {"weapon": kind})
    if (refusal := hands_for(man, 1)) is not None:
        yield refusal
    if points < COSTS.throw_grenade:
        yield Refusal("DOW-GRN-01", "needs_ap", {"needs": COSTS.throw_grenade, "has": points})


def why_not_at_man(g: Fight, man: Model, target: Model, watch: bool) -> Iterator[Refusal]:
    """DOW-GRN-03, -04, DOW-RNG-07: a man, in sight or told of; beyond reach it falls short, but no watcher tries that."""
    yield from why_not_named(g, man, target, watch)
    if watch and not within(gap(man, target), HAND_THROW.reach):
        yield Refusal("DOW-GRN-04", "out_of_reach", {"reach": HAND_THROW.reach})
    if within(gap(man, target), HAND_THROW.reach) and not flight_of(g, man, target.at).reaches:
        yield Refusal("DOW-GRN-06", "no_way_in", {"mark": list(target.at)})


def why_not_at_mark(g: Fight, man: Model, kind: str, mark: Place, watch: bool) -> Iterator[Refusal]:
    """DOW-GRN-03, -04, -06: a spot within reach; sight is not needed, but into a closed room nothing flies."""
    if not within(gap_to(man, mark), HAND_THROW.reach):
        yield Refusal("DOW-GRN-04", "out_of_reach", {"reach": HAND_THROW.reach})
        return
    yield from why_not_ground(g, man, mark, radius_of(kind), watch)
    if not flight_of(g, man, mark).reaches:
        yield Refusal("DOW-GRN-06", "no_way_in", {"mark": list(mark)})


def why_not_vehicle(g: Fight, man: Model, vehicle: Vehicle | None) -> Iterator[Refusal]:
    """DOW-GRN-12: into a vehicle only in base contact."""
    if vehicle is None or not vehicle.there or vehicle.altitude or man.vehicle == vehicle.id:
        yield Refusal("DOW-GRN-12", "no_vehicle_there")
    elif not within(hull_gap(body(man), hull(vehicle)), BODY.contact):
        yield Refusal("DOW-GRN-12", "not_in_contact", {"target": vehicle.id})


def why_not_at(g: Fight, man: Model, choice: Choice, watch: bool) -> Iterator[Refusal]:
    kind = choice.get("kind", "")
    if "vehicle" in choice:
        yield from why_not_vehicle(g, man, _vehicle(g, choice["vehicle"]))
    elif "target" in choice and any(model.id == choice["target"] for model in g.state.models):
        yield from why_not_at_man(g, man, g.state[choice["target"]], watch)
    elif (mark := place_in(choice.get("mark"))) is not None:
        yield from why_not_at_mark(g, man, kind, mark, watch)


def _vehicle(g: Fight, id_: str) -> Vehicle | None:
    return next((vehicle for vehicle in g.state.vehicles if vehicle.id == id_), None)


def why_not_throw(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """The rule against a throw that is not offered."""
    kind = choice.get("kind")
    if kind is None:
        if not any(man.has(kind) for kind in KINDS):
            return Refusal("DOW-GRN-02", "has_none", {"kind": "grenade"})
        return short_of_ap(man, COSTS.throw_grenade, "DOW-GRN-01")
    return first_refusal(why_no_grenade(g, man, kind, man.ap)) or first_refusal(why_not_at(g, man, choice, False))


# ---- offers ------------------------------------------------------------------------------------------------------------


def throw_offers(g: Fight, man: Model) -> Iterator[Offer]:
    yield from offers_to_throw(g, man, "throw", man.ap, False)


def offers_to_throw(g: Fight, man: Model, verb: str, points: int, watch: bool) -> Iterator[Offer]:
    """DOW-GRN-03, DOW-OPF-03: each kind he has, at men, at spots, into vehicles."""
    if watch and not any(plan_gap(man, enemy) <= HAND_THROW.reach for enemy in g.state.enemies(man)):
        return
    kinds = [kind for kind in KINDS if man.has(kind) and is_legal(why_no_grenade(g, man, kind, points))]
    men = _men_to_hit(g, man, watch) if kinds else ()
    for kind in kinds:
        if men:
            yield _offer(man, kind, verb, target=OneOf(men))
        yield from _at_marks(g, man, kind, verb, watch)
        if not watch:
            yield from _into_vehicles(g, man, kind, verb)


def _offer(man: Model, kind: str, verb: str, **field: Any) -> Offer:
    return Offer(verb, "DOW-GRN-01", one(man.id, kind=OneOf((kind,)), **field), ap(COSTS.throw_grenade))


def _men_to_hit(g: Fight, man: Model, watch: bool) -> tuple[Id, ...]:
    near = (enemy for enemy in g.state.enemies(man) if not watch or within(gap(man, enemy), HAND_THROW.reach))
    return tuple(enemy.id for enemy in near if is_legal(why_not_at_man(g, man, enemy, watch)))


def _at_marks(g: Fight, man: Model, kind: str, verb: str, watch: bool) -> Iterator[Offer]:
    """A watcher's marks are where an enemy stands, or near him."""

    def why(twin: Fight, mark: Place) -> Refusal | None:
        return first_refusal(why_not_at_mark(twin, man, kind, mark, watch))

    if not watch:
        yield _offer(man, kind, verb, mark=Spot.on("throw", Marks(g, man, HAND_THROW.reach, FLIGHT.lattice, why)))
    elif near := under_feet(g, man, why):
        yield _offer(man, kind, verb, mark=Spot.on("throw", near))


def _into_vehicles(g: Fight, man: Model, kind: str, verb: str) -> Iterator[Offer]:
    found = tuple(vehicle.id for vehicle in g.state.vehicles if is_legal(why_not_vehicle(g, man, vehicle)))
    if found:
        yield _offer(man, kind, verb, vehicle=OneOf(found))


def throw_cost(g: Fight, man: Model, choice: Choice) -> int:
    """DOW-ACT-03, DOW-GRN-01."""
    return COSTS.throw_grenade


# ---- how hard it is ----------------------------------------------------------------------------------------------------


def throw_terms(g: Fight, man: Model, mark: Place, far: Inches, flight: Flight) -> tuple[Term, ...]:
    """DOW-GRN-05: proficiency, range, difficulty; and all the rest by the house rules."""
    found = [Term("DOW-GRN-05", g.terms.who[man.id].wp)]
    if reach := HAND_THROW.at_range(far):
        found.append(Term("DOW-GRN-04", reach))
    if hard := difficulty(g, flight, far):
        found.append(Term("DOW-GRN-06", hard))
    if g.terms.options.grenade_full_mods:
        there = Model("", man.side, at=mark)
        found += [term for term in (*firer_terms(g, man), *sight_terms(g, man, there)) if term.rule in FULL_MODS]
    return tuple(found)


def difficulty(g: Fight, flight: Flight, far: Inches) -> int:
    """DOW-GRN-06, -07: by the whole inches to the mark or to the opening; none beside an opening."""
    if not flight.difficult or flight.sure:
        return 0
    if flight.through is not None:
        far = flight.through.far
        if g.terms.options.opening_difficult_from == OVER_FIVE and within(far, OVER_FIVE):
            return 0
    return DIFFICULT_THROW.at_range(ceil(far - CLOSE)) or 0


OVER_FIVE = 5  # the other value of the switch opening_difficult_from


# ---- throwing ----------------------------------------------------------------------------------------------------------


def throw(g: Fight, args: Packed) -> None:
    """DOW-GRN-01, -02, DOW-APT-06: if he still can; the grenade leaves his hand."""
    choice = unpacked(args)
    man, kind = g.state[choice["model"]], choice["kind"]
    if not can_still(g, man, choice):
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    if "vehicle" in choice:
        spend(g, man, kind, _vehicle_at(g, choice["vehicle"]))
        g.report("DOW-GRN-12", "drops_inside", who=man.id, kind=kind, vehicle=choice["vehicle"])
        g.then(lands, _vehicle_at(g, choice["vehicle"]), man.id, kind, choice["vehicle"])
        return
    target = choice.get("target", "")
    mark = g.state[target].at if target else place_in(choice["mark"])
    assert mark is not None
    spend(g, man, kind, mark)
    g.report("DOW-GRN-03", "throws", who=man.id, kind=kind, at=target, mark=mark)
    g.then(in_the_air, man.id, kind, target, mark)


def can_still(g: Fight, man: Model, choice: Choice) -> bool:
    reasons = chain(why_no_grenade(g, man, choice["kind"], COSTS.throw_grenade), why_not_at(g, man, choice, False))
    return man.able and not is_spoilt(reasons)


def _vehicle_at(g: Fight, id_: str) -> Place:
    return g.state.vehicle(id_).at


def spend(g: Fight, man: Model, kind: str, mark: Place) -> None:
    """One less; he turns to his mark if he must."""
    fields: dict[str, object] = {"stores": counted(man.stores, kind, -1)}
    if off(man.facing, bearing(man.at, mark)) > BODY.arc / 2 and man.at[:2] != mark[:2]:
        fields["facing"] = facing_to(man.at, mark)
    sound = [arm for arm in ("right", "left") if arm not in man.useless and arm not in man.painful]
    if not sound:
        fields["pain_used"] = man.painful
    if in_melee(g, man):
        fields["distracted"] = True
    g.edit(man.id, **fields)


def in_the_air(g: Fight, who: Id, kind: str, target: Id, mark: Place) -> None:
    """DOW-GRN-04 to -07, -10, -11, DOW-RNG-07: the roll; what is out of reach falls short and goes astray."""
    man = g.state[who]
    far = gap(man, g.state[target]) if target else gap_to(man, mark)
    line = bearing(man.at, mark) if man.at[:2] != mark[:2] else man.facing
    if HAND_THROW.at_range(far) is None:
        short = landed(g, (*ahead(man.at, line, HAND_THROW.reach + BODY.base / 2), SKY))
        g.report("DOW-RNG-07", "falls_short", who=who, range=round(far, 1), reach=HAND_THROW.reach)
        g.then(deviate, short, line, 1, False, "walls", "lands", (who, kind, ""))
        return
    flight = flight_of(g, man, mark)
    if not flight.reaches:
        g.report("DOW-APT-06", "act_lost", who=who)
        return
    halved = far < DEVIATION.half_if_nearer_than - CLOSE
    start, stops = astray_from(flight, mark)
    terms = throw_terms(g, man, mark, far, flight)
    after = (who, kind, mark, line, halved, start, stops)
    g.then(try_to_hit, "DOW-GRN-05", who, terms, g.terms.options.naturals_for_grenades, "thrown", after)


def astray_from(flight: Flight, mark: Place) -> tuple[Place, str]:
    """DOW-GRN-07, -11: a miss at an opening goes astray from its outer face; of one who stands beside it, only inside."""
    if flight.through is None or not flight.room:
        return mark, "walls"
    return (mark, flight.room) if flight.sure else (flight.through.outer, "opening")


def thrown(g: Fight, hit: bool, who: Id, kind: str, mark: Place, line: float, halved: bool, start: Place, stops: str) -> None:
    """DOW-GRN-08, -09: exactly on the mark, or astray."""
    if hit:
        g.then(lands, mark, who, kind, "")
    else:
        g.then(deviate, start, line, 1, halved, stops, "lands", (who, kind, ""))


def lands(g: Fight, where: Place | None, who: Id, kind: str, inside: str) -> None:
    """DOW-GRN-11, -13, -14: off the table it is gone; else it bursts at once, if it is no dud."""
    if where is None:
        g.report("DOW-GRN-11", "off_the_table", who=who, kind=kind)
        return
    if kind in CLOUDS:
        g.then(spread, kind, where, who)
        return
    if is_dud(g, who, kind):
        g.report("DOW-GRN-14", "dud", who=who, kind=kind, at=told(where))
        return
    g.then(burst, kind, where, who, inside)


def is_dud(g: Fight, who: Id, kind: str) -> bool:
    """DOW-GRN-14: half of the civilians' Soviet grenades."""
    sound = BLASTS[kind].dud_tn_civilians
    if sound is None or DUDS not in g.terms.who[who].traits:
        return False
    return not g.roll("DOW-GRN-14", D10, at_most(D10, sound), who=who, need=sound, kind=kind)


# ---- on Op-Fire --------------------------------------------------------------------------------------------------------


def watcher_throw(g: Fight, args: Packed) -> None:
    """DOW-OPF-03: the same, out of his six AP."""
    g.then(throw, args)


VERBS = (Verb("throw", "DOW-GRN-01", throw_offers, throw, why_not_throw, throw_cost),)
PARAGRAPHS = (throw, in_the_air, thrown, lands, watcher_throw)
