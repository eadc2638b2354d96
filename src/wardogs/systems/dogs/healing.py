"""Health and shock: bleeding, the survivability test, waking; dressings and what a medic can do."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.data import COSTS, SURVIVABILITY, load
from wardogs.systems.dogs.falling import collapse_of_a_man
from wardogs.systems.dogs.measure import in_contact
from wardogs.systems.dogs.state import Fight, Id, Model
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, short_of_ap, unpacked


class Aid(Struct, frozen=True, forbid_unknown_fields=True):
    """What a helper takes off the roll to wake, and what a medic gives back."""

    helper: int
    medic_hp: int
    source: Source


AID = load("aid.toml", "aid", Aid)
MEDIC = "combat_medic"

# ---- bleeding and shock ----------------------------------------------------------------------------------------------


def survive(g: Fight, who: Id) -> None:
    """DOW-HLT-07, -10: at the start of a turn, who lies at 0 HP or less; all who bleed, if the house rules say so."""
    man, timing = g.state[who], g.terms.options.bleed_timing
    if timing == "turn_start" or (timing == "split" and man.hp <= 0):
        lose_blood(g, man)


def bleed(g: Fight, who: Id) -> None:
    """DOW-HLT-05, -07: at the end of his activation, who bleeds and is above 0 HP; all, if the house rules say so."""
    man, timing = g.state[who], g.terms.options.bleed_timing
    if man.bled < g.state.turn and (timing == "activation_end" or (timing == "split" and man.hp > 0)):
        lose_blood(g, man)


def lose_blood(g: Fight, man: Model) -> None:
    """DOW-HLT-06, -08: the test at the HP he has, then one is lost; above 0 HP it cannot fail, and nobody rolls."""
    if not is_losing_blood(g, man):
        return
    need = SURVIVABILITY.base + man.hp - g.terms.options.survivability_strict
    if man.hp <= 0 and not g.roll("DOW-HLT-06", D10, at_most(D10, need), who=man.id, need=need, hp=man.hp):
        g.report("DOW-HLT-06", "dies_of_shock", who=man.id)
        g.then(collapse_of_a_man, man.id, True, False, "", False)
        return
    g.edit(man.id, hp=man.hp - 1, bled=g.state.turn)
    g.report("DOW-HLT-05", "bleeds", who=man.id, hp=man.hp - 1)
    g.then(collapse_of_a_man, man.id, False, False, "", False)


def is_losing_blood(g: Fight, man: Model) -> bool:
    """DOW-HLT-05, -10, -16: a bleeding wound; or 0 HP and less, not stabilized, from the turn after he fell to it."""
    if not man.alive or not man.on_table:
        return False
    if man.hp > 0:
        return man.bleeding or (g.terms.options.ima_bleeds and man.ima)
    return not man.stabilized and not g.terms.options.quick_casualties and man.out_since < g.state.turn


# ---- waking ----------------------------------------------------------------------------------------------------------


def wake_up(g: Fight, who: Id) -> None:
    """DOW-HLT-12, DOW-SEQ-13: one free check a turn, not in the turn in which he went down."""
    man = g.state[who]
    if why_not_wakened(g, man) is None and man.out_since < g.state.turn and man.wake_tried < g.state.turn:
        g.edit(who, wake_tried=g.state.turn)
        g.then(wake_check, who, man.helped)


def why_not_wakened(g: Fight, man: Model) -> Refusal | None:
    """DOW-HLT-15, -16: nobody wakes at 0 HP or less, nor by the quick rules for casualties."""
    if not man.alive or man.conscious or not man.on_table:
        return Refusal("DOW-HLT-12", "awake_already", {"who": man.id})
    if g.terms.options.quick_casualties:
        return Refusal("DOW-HLT-16", "out_for_good", {"who": man.id})
    return Refusal("DOW-HLT-15", "too_far_gone", {"who": man.id, "hp": man.hp}) if man.hp <= 0 else None


def wake_check(g: Fight, who: Id, helped: bool) -> None:
    """DOW-HLT-12, -13: D10 at most his HP; a helper takes two off the number rolled."""
    man = g.state[who]
    need = man.hp + AID.helper * helped
    woken = g.roll("DOW-HLT-12", D10, at_most(D10, need), who=who, need=need, helped=helped)
    g.edit(who, helped=False)
    if woken:
        g.then(awake, who)


def awake(g: Fight, who: Id) -> None:
    """DOW-SEQ-13, DOW-CAR-01: he lies there, awake; whom one may no longer carry is put down."""
    man = g.state[who]
    g.edit(who, conscious=True, helped=False, out_since=0)
    g.report("DOW-HLT-12", "wakes", who=who)
    if man.carried_by:
        later(g, "no_longer_a_load", who)


# ---- who may help ----------------------------------------------------------------------------------------------------


def patients(g: Fight, man: Model) -> Iterator[Model]:
    """Everybody within his reach, friend or enemy."""
    return (other for other in g.state.models if other.alive and other.on_table and in_contact(g, man, other))


def named(g: Fight, choice: Choice, field: str = "patient") -> Model | None:
    return next((man for man in g.state.models if man.id == choice.get(field)), None)


def why_no_helper(g: Fight, man: Model, patient: Model, rule: str) -> Refusal | None:
    """DOW-HLT-03, DOW-AID-01, -02: a good arm and base contact; who needs a dressing himself helps nobody else."""
    if len(man.useless) == 2:
        return Refusal("DOW-AID-01", "no_good_arm", {"who": man.id})
    if man.ima and patient.id != man.id:
        return Refusal("DOW-HLT-03", "must_bandage")
    if man.climbing:
        return Refusal("DOW-MOV-11", "on_the_face")
    touches = patient.id == man.id or in_contact(g, man, patient)
    return None if touches and patient.alive and patient.on_table else Refusal(rule, "not_within_reach", {"who": patient.id})


def still_there(g: Fight, man: Model, patient: Model) -> bool:
    """DOW-APT-06: an act that something has made impossible is lost."""
    if man.able and patient.alive and (man.id == patient.id or (in_contact(g, man, patient) and not man.ima)):
        return True
    g.report("DOW-APT-06", "act_lost", who=man.id)
    return False


def patient_offers(g: Fight, man: Model, verb: Verb, among: Iterator[Model]) -> Iterator[Offer]:
    able = tuple(one.id for one in among if verb.why_not(g, man, {"patient": one.id}) is None)
    if able:
        yield Offer(verb.name, verb.rule, one(man.id, patient=OneOf(able)), ap(verb.cost(g, man, {})))


# ---- dressings -------------------------------------------------------------------------------------------------------


def needs_dressing(man: Model) -> bool:
    """DOW-AID-03: something bleeds, cries for attention, or ebbs away."""
    return man.ima or man.bleeding or (man.hp <= 0 and not man.stabilized)


def why_not_bandage(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-AID-01, -02: himself or another, five AP, at least one good arm."""
    patient = named(g, choice) or man
    rule = "DOW-AID-01" if patient.id == man.id else "DOW-AID-02"
    if (refusal := why_no_helper(g, man, patient, rule)) is not None:
        return refusal
    if not needs_dressing(patient):
        return Refusal("DOW-AID-03", "nothing_to_dress", {"who": patient.id})
    return short_of_ap(man, COSTS.bandage, "DOW-ACT-05")


def bandage_offers(g: Fight, man: Model) -> Iterator[Offer]:
    yield from patient_offers(g, man, BANDAGE, (other for other in (man, *patients(g, man)) if needs_dressing(other)))


def bandage(g: Fight, args: Packed) -> None:
    """DOW-ACT-05, DOW-AID-01, -02."""
    choice = unpacked(args)
    man, patient = g.state[choice["model"]], g.state[choice["patient"]]
    if still_there(g, man, patient):
        g.then(dress, patient.id, man.id)


def dress(g: Fight, who: Id, by: Id) -> None:
    """DOW-AID-03: one dressing for all wounds, or one for each by the house rules; he bleeds no more and is stable."""
    man = g.state[who]
    left = max(0, man.undressed - 1) if g.terms.options.bandage_per_wound else 0
    if left:
        g.edit(who, undressed=left)
        g.report("DOW-AID-03", "one_wound_dressed", who=who, by=by, left=left)
        return
    g.edit(who, undressed=0, ima=False, bleeding=False, stabilized=True)
    g.report("DOW-AID-02" if who != by else "DOW-AID-01", "dressed", who=who, by=by)


def bandage_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.bandage


# ---- the medic -------------------------------------------------------------------------------------------------------


def why_not_medic_aid(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-AID-04, -06: a Combat Medic, base contact, five AP, and something to do."""
    if MEDIC not in g.terms.who[man.id].perks:
        return Refusal("DOW-AID-06", "no_medic", {"who": man.id})
    patient = named(g, choice)
    if patient is None or patient.id == man.id:
        return Refusal("DOW-AID-04", "not_within_reach", {"who": choice.get("patient", "")})
    if (refusal := why_no_helper(g, man, patient, "DOW-AID-04")) is not None:
        return refusal
    if not has_work(g, patient):
        return Refusal("DOW-AID-04", "nothing_to_treat", {"who": patient.id})
    return short_of_ap(man, COSTS.medic_aid, "DOW-AID-04")


def has_work(g: Fight, patient: Model) -> bool:
    """DOW-AID-04: a wound that no medic has seen, something to stop, or somebody to wake."""
    return patient.untreated > 0 or needs_dressing(patient) or why_not_wakened(g, patient) is None


def medic_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if MEDIC in g.terms.who[man.id].perks:
        yield from patient_offers(g, man, MEDIC_AID, (other for other in patients(g, man) if has_work(g, other)))


def medic_aid(g: Fight, args: Packed) -> None:
    """DOW-AID-04, -05, DOW-HLT-14, -15: stops the blood, one HP for one wound, wakes; limbs stay as they are."""
    choice = unpacked(args)
    man, patient = g.state[choice["model"]], g.state[choice["patient"]]
    if not still_there(g, man, patient):
        return
    most = g.terms.who[patient.id].hp
    hp = max(patient.hp, min(most, patient.hp + AID.medic_hp)) if patient.untreated else patient.hp
    g.edit(
        patient.id, hp=hp, untreated=max(0, patient.untreated - 1), undressed=0, ima=False, bleeding=False, stabilized=True
    )  # fmt: skip
    g.report("DOW-AID-04", "treated", who=patient.id, by=man.id, hp=hp)
    if why_not_wakened(g, g.state[patient.id]) is None:
        g.then(awake, patient.id)


def medic_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.medic_aid


# ---- waking another --------------------------------------------------------------------------------------------------


def why_not_wake_help(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-HLT-13, -15: base contact, three AP, somebody who can wake; two helpers are no better than one."""
    patient = named(g, choice)
    if patient is None or patient.id == man.id:
        return Refusal("DOW-HLT-13", "not_within_reach", {"who": choice.get("patient", "")})
    if (refusal := why_no_helper(g, man, patient, "DOW-HLT-13")) is not None:
        return refusal
    if (refusal := why_not_wakened(g, patient)) is not None:
        return refusal
    if patient.helped:
        return Refusal("DOW-HLT-13", "helped_already", {"who": patient.id})
    if g.terms.options.wake_now and patient.out_since == g.state.turn:
        return Refusal("DOW-HLT-12", "too_soon", {"who": patient.id})
    return short_of_ap(man, COSTS.wake_help, "DOW-HLT-13")


def wake_offers(g: Fight, man: Model) -> Iterator[Offer]:
    yield from patient_offers(g, man, WAKE_HELP, (other for other in patients(g, man) if not other.conscious))


def wake_help(g: Fight, args: Packed) -> None:
    """DOW-HLT-13: for his next check; or a check at once by the house rules."""
    choice = unpacked(args)
    man, patient = g.state[choice["model"]], g.state[choice["patient"]]
    if not still_there(g, man, patient) or why_not_wakened(g, patient) is not None:
        return
    g.report("DOW-HLT-13", "helps_to_wake", who=man.id, patient=patient.id)
    if g.terms.options.wake_now:
        g.then(wake_check, patient.id, True)
    else:
        g.edit(patient.id, helped=True)


def wake_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.wake_help


BANDAGE = Verb("bandage", "DOW-ACT-05", bandage_offers, bandage, why_not_bandage, bandage_cost)
MEDIC_AID = Verb("medic_aid", "DOW-AID-04", medic_offers, medic_aid, why_not_medic_aid, medic_cost)
WAKE_HELP = Verb("wake_help", "DOW-HLT-13", wake_offers, wake_help, why_not_wake_help, wake_cost)
VERBS = (BANDAGE, MEDIC_AID, WAKE_HELP)
PARAGRAPHS = (survive, bleed, wake_up, wake_check, awake, bandage, dress, medic_aid, wake_help)
