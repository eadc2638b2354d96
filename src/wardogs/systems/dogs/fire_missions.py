"""Mortars and artillery: a leader calls, and at his side's next slot the shells are there."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from wardogs.kernel.dice import D10
from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal, Seat, Spot
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.blasts import burst
from wardogs.systems.dogs.commanding import is_leader
from wardogs.systems.dogs.data import BLASTS, COSTS, load
from wardogs.systems.dogs.deviation import deviate, hit_reading
from wardogs.systems.dogs.flights import on_a_surface, sees_spot
from wardogs.systems.dogs.marks import Marks, is_legal, only_unknown, place_in
from wardogs.systems.dogs.measure import bearing
from wardogs.systems.dogs.modifiers import need
from wardogs.systems.dogs.state import Fight, Id, Mission, Model, Term, count, counted, other
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, unpacked
from wardogs.table.units import Place


class Figures(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    to_hit: int
    dice: int
    lattice: float
    radios: tuple[str, ...]
    gps: str
    source: Source


MISSION = load("throwing.toml", "fire_mission", Figures)
SHELLS = tuple(blast.id for blast in BLASTS.values() if blast.throw == "call")

# ---- the call ----------------------------------------------------------------------------------------------------------


def why_no_call(g: Fight, man: Model, shell: str) -> Iterator[Refusal]:
    """DOW-IND-01, -02: calls are left; he leads, has a radio and the AP."""
    calls = g.state.side(man.side).calls
    if not any(count(calls, one) for one in SHELLS) or (shell and not count(calls, shell)):
        yield Refusal("DOW-IND-01", "no_calls", {"shell": shell})
    if not is_leader(g, man):
        yield Refusal("DOW-IND-02", "not_leader", {"who": man.id})
    if not set(MISSION.radios) & set(man.gear):
        yield Refusal("DOW-IND-02", "no_radio", {"who": man.id})
    if man.ap < COSTS.call_fire:
        yield Refusal("DOW-IND-02", "needs_ap", {"needs": COSTS.call_fire, "has": man.ap})


def why_not_there(g: Fight, man: Model, shell: str, mark: Place) -> Iterator[Refusal]:
    """DOW-IND-02, DOW-COM-08: he sees the aim point."""
    if not on_a_surface(g, mark) or not sees_spot(g, man, mark):
        yield Refusal("DOW-IND-02", "mark_unseen", {"mark": list(mark)})
    elif g.terms.options.strict_unknown and (unknown := only_unknown(g, man, mark, BLASTS[shell].blast_number)):
        yield Refusal("DOW-COM-08", "nobody_told_him", {"target": unknown[0].id})


def why_not_call(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    shell = choice.get("shell", "")
    if (refusal := first_refusal(why_no_call(g, man, shell))) is not None:
        return refusal
    mark = place_in(choice.get("mark"))
    return None if mark is None or shell not in SHELLS else first_refusal(why_not_there(g, man, shell, mark))


def call_offers(g: Fight, man: Model) -> Iterator[Offer]:
    for shell in SHELLS:
        if is_legal(why_no_call(g, man, shell)):
            spot = Spot.on("call_fire", _marks(g, man, shell))
            yield Offer("call_fire", "DOW-IND-02", one(man.id, shell=OneOf((shell,)), mark=spot), ap(COSTS.call_fire))


def _marks(g: Fight, man: Model, shell: str) -> Marks:
    def why(twin: Fight, mark: Place) -> Refusal | None:
        return first_refusal(why_not_there(twin, man, shell, mark))

    return Marks(g, man, sum(g.terms.map.size), MISSION.lattice, why)


def call_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.call_fire


def call_fire(g: Fight, args: Packed) -> None:
    """DOW-IND-01, -02: one call less; the shells are on their way."""
    choice = unpacked(args)
    man, mark = g.state[choice["model"]], place_in(choice["mark"])
    if not man.able or mark is None:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    g.edit(("sides", man.side), calls=counted(g.state.side(man.side).calls, choice["shell"], -1))
    g.change(missions=(*g.state.missions, Mission(choice["shell"], mark, man.id, man.side)))
    g.report("DOW-IND-02", "calls_fire", who=man.id, shell=choice["shell"], mark=mark)


# ---- the shells --------------------------------------------------------------------------------------------------------


def missions(g: Fight, seat: Seat | None = None) -> None:
    """DOW-IND-02: at the boundary before a slot, the missions of the side whose slot it will be."""
    side = next_to_act(g, seat)
    due = tuple(mission for mission in g.state.missions if mission.side == side)
    if due:
        g.change(missions=tuple(mission for mission in g.state.missions if mission.side != side))
        for mission in due:
            g.then(shell_falls, mission.shell, mission.at, mission.caller)


def next_to_act(g: Fight, seat: Seat | None) -> Seat | None:
    """Whose slot comes: a side with nobody left to activate is passed over; after the last slot nobody's."""
    from wardogs.systems.dogs.play import slot_extras, waiting

    if seat is None:
        last = g.state.slot_side or 1
        fresh = not any(man.activated for man in g.state.models)
        seat = last if fresh else other(last)
    return next((side for side in (seat, other(seat)) if waiting(g, side) or slot_extras(g, side)), None)


def shell_falls(g: Fight, shell: str, mark: Place, caller: Id) -> None:
    """DOW-IND-03: the caller's WP, two less."""
    g.report("DOW-IND-02", "shells_come", shell=shell, mark=mark, who=caller)
    terms = (Term("DOW-IND-03", g.terms.who[caller].wp), Term("DOW-IND-03", MISSION.to_hit))
    hit = g.roll("DOW-IND-03", D10, hit_reading(terms, True), who=caller, need=need(terms), terms=terms)
    g.then(shell_bursts, hit, shell, mark, caller)


def shell_bursts(g: Fight, hit: bool, shell: str, mark: Place, caller: Id) -> None:
    """DOW-IND-03, -04: on the mark; or astray by two dice, halved with GPS."""
    man = g.state[caller]
    if hit:
        g.then(burst, shell, mark, caller)
        return
    line = bearing(man.at, mark) if man.at[:2] != mark[:2] else man.facing
    g.then(deviate, mark, line, MISSION.dice, MISSION.gps in man.gear, "", "shell_astray", (shell, caller))


def shell_astray(g: Fight, where: Place | None, shell: str, caller: Id) -> None:
    if where is None:
        g.report("DOW-GRN-11", "off_the_table", who=caller, kind=shell)
    else:
        g.then(burst, shell, where, caller)


VERBS = (Verb("call_fire", "DOW-IND-02", call_offers, call_fire, why_not_call, call_cost),)
PARAGRAPHS = (call_fire, missions, shell_falls, shell_bursts, shell_astray)
