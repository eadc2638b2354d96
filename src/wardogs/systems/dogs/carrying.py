"""Carrying the wounded and prisoners: taking them up, the load check, putting them down."""

from __future__ import annotations

from collections.abc import Iterator

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.data import COSTS
from wardogs.systems.dogs.falling import let_go, put_down_load
from wardogs.systems.dogs.healing import named, patients
from wardogs.systems.dogs.measure import in_contact
from wardogs.systems.dogs.moving import nothing, why_not_free
from wardogs.systems.dogs.shooting import hands_for
from wardogs.systems.dogs.state import Fight, Id, Model
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, short_of_ap, unpacked

# ---- whom ------------------------------------------------------------------------------------------------------------


def may_be_carried(g: Fight, man: Model, load: Model) -> bool:
    """DOW-CAR-01: own men who are down: unconscious, immobilized or slow; enemies who are unconscious or tied up."""
    if load.side != man.side:
        return not load.conscious or load.bound
    if g.terms.options.carry_team_only and (not man.team or load.team != man.team):
        return False
    return not load.conscious or load.immobilized or load.slow


def why_no_load(g: Fight, man: Model, load: Model | None) -> Refusal | None:
    if load is None or load.id == man.id or not load.living or not in_contact(g, man, load):
        return Refusal("DOW-CAR-02", "not_within_reach", {"who": load.id if load else ""})
    if not may_be_carried(g, man, load) or load.carrying or load.vehicle:
        return Refusal("DOW-CAR-01", "not_to_be_carried", {"who": load.id})
    return None


def why_not_pick_up_wounded(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-CAR-01, -02, DOW-DMG-09: five AP, base contact, two arms; on his feet, for going prone is putting down."""
    if man.carrying:
        return Refusal("DOW-CAR-08", "hands_full", {"load": man.carrying})
    if man.useless:
        return Refusal("DOW-CAR-02", "arm_useless", {"hands": 2})
    if (refusal := hands_for(man, 2)) is not None:
        return refusal
    if man.stance == "prone" or man.climbing or man.vehicle:
        return Refusal("DOW-CAR-02", "not_on_his_feet")
    if (refusal := why_no_load(g, man, named(g, choice, "load"))) is not None:
        return refusal
    return short_of_ap(man, COSTS.pick_up_wounded, "DOW-CAR-02")


# ---- up and down -----------------------------------------------------------------------------------------------------


def pick_up_wounded_offers(g: Fight, man: Model) -> Iterator[Offer]:
    loads = tuple(load.id for load in patients(g, man) if why_not_pick_up_wounded(g, man, {"load": load.id}) is None)
    if loads:
        yield Offer("pick_up_wounded", "DOW-CAR-02", one(man.id, load=OneOf(loads)), ap(COSTS.pick_up_wounded))


def pick_up_wounded(g: Fight, args: Packed) -> None:
    """DOW-CAR-02, -03, -05: on his shoulders; this turn he only walks, and he never jumps."""
    choice = unpacked(args)
    man, load = g.state[choice["model"]], g.state[choice["load"]]
    if not man.able or man.stance == "prone" or why_no_load(g, man, load) is not None:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    let_go(g, load)
    pain = {"pain_used": tuple(sorted({*man.pain_used, *man.painful}))}
    g.edit(man.id, carrying=load.id, may_run_loaded=False, **pain)
    g.edit(load.id, carried_by=man.id, at=man.at, stance="prone", opfire=False, ducking="", held_by="")
    g.report("DOW-CAR-02", "takes_up", who=man.id, load=load.id)


def pick_up_wounded_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.pick_up_wounded


def put_down_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_put_down(g, man, {}) is None:
        yield Offer("put_down", "DOW-CAR-08", one(man.id))


def why_not_put_down(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-CAR-08, DOW-APT-07: free."""
    if not man.carrying:
        return Refusal("DOW-CAR-08", "carries_nobody")
    return why_not_free(man, "put_down")


def put_down(g: Fight, args: Packed) -> None:
    """DOW-CAR-08."""
    drop_load(g, unpacked(args)["model"])


def drop_load(g: Fight, who: Id) -> None:
    """DOW-CAR-08: the load lies in base contact with him."""
    if g.state[who].carrying:
        put_down_load(g, g.state[who])


def no_longer_a_load(g: Fight, who: Id) -> None:
    """DOW-CAR-01: a man who wakes and is not otherwise down is set on the ground."""
    load = g.state[who]
    if load.carried_by and not may_be_carried(g, g.state[load.carried_by], load):
        put_down_load(g, g.state[load.carried_by])


def load_check(g: Fight, who: Id) -> None:
    """DOW-CAR-03: D10 at most ST, and he may run with his load this turn; else he walks."""
    man = g.state[who]
    if not man.carrying or not man.free:
        return
    need = g.terms.who[who].st
    runs = g.roll("DOW-CAR-03", D10, at_most(D10, need), who=who, need=need)
    g.edit(who, may_run_loaded=runs)


VERBS = (
    Verb("pick_up_wounded", "DOW-CAR-02", pick_up_wounded_offers, pick_up_wounded, why_not_pick_up_wounded, pick_up_wounded_cost),
    Verb("put_down", "DOW-CAR-08", put_down_offers, put_down, why_not_put_down, nothing, watched=False),
)
PARAGRAPHS = (pick_up_wounded, put_down, drop_load, no_longer_a_load, load_check)
