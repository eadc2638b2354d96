"""Close quarters: blows and knock-outs, parting from an enemy, firing into a melee, bayonets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import ceil
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.dice import D10, at_most, die, reading
from wardogs.kernel.offers import Ask, Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.commanding import told_of
from wardogs.systems.dogs.data import LOCATIONS, POOL, WEAPONS, load
from wardogs.systems.dogs.falling import collapse_of_a_man
from wardogs.systems.dogs.measure import in_contact, in_melee, opponents
from wardogs.systems.dogs.melee import Means, cq_terms, means_named, means_of, spare_bayonet, strokes
from wardogs.systems.dogs.modifiers import Attack
from wardogs.systems.dogs.seeing import melee_of
from wardogs.systems.dogs.shooting import cost_of, declare, hands_for, why_no_weapon, why_not_mode
from wardogs.systems.dogs.state import Fight, Id, Model, Stance, counted, total
from wardogs.systems.dogs.verbs import COSTS, Packed, Verb, ap, first_refusal, one, short_of_ap, unpacked
from wardogs.systems.dogs.ways import Path, length, point_at
from wardogs.systems.dogs.wounds import Round, pierce, strike


class WhoIsHit(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-HIT-07: a bullet into a melee, or at a man with another on his back."""

    melee: int
    carried: int
    source: Source


WHO_IS_HIT = load("closing.toml", "who_is_hit", WhoIsHit)

# ---- may he strike? --------------------------------------------------------------------------------------------------


def why_no_close_quarters(man: Model) -> Iterator[Refusal]:
    """DOW-HLT-03, DOW-CAR-08: a wound to be bound, a man on his back, a seat in a vehicle."""
    if man.ima:
        yield Refusal("DOW-HLT-03", "must_bandage")
    if man.carrying:
        yield Refusal("DOW-CAR-08", "hands_full", {"load": man.carrying})
    if man.vehicle:
        yield Refusal("DOW-VEH-06", "aboard")


def why_not_struck(g: Fight, man: Model, target: Model, knock_out: bool) -> Iterator[Refusal]:
    """DOW-CQC-03, DOW-TAK-08, DOW-MOV-05, DOW-KNO-01: whom he may strike."""
    if target.side == man.side or not target.alive or not target.on_table:
        yield Refusal("DOW-CQC-03", "no_enemy", {"target": target.id})
        return
    if target.vehicle or not in_contact(g, man, target):
        yield Refusal("DOW-CQC-03", "not_in_contact", {"target": target.id})
    if target.captured and not knock_out:
        yield Refusal("DOW-TAK-08", "captive", {"target": target.id})
    if man.moved == "run" and target.id not in man.saw and not told_of(g, man, target):
        yield Refusal("DOW-MOV-05", "running_blind", {"target": target.id})
    if knock_out and not target.conscious:
        yield Refusal("DOW-KNO-01", "out_already", {"target": target.id})


def why_not_with(man: Model, means: Means | None, knock_out: bool) -> Iterator[Refusal]:
    """DOW-CQC-06, DOW-RNG-12, DOW-KNO-01: the thing, hands for it, and blunt enough."""
    if means is None:
        yield Refusal("DOW-CQC-06", "not_at_hand")
        return
    if knock_out and not means.blunt:
        yield Refusal("DOW-KNO-01", "not_blunt", {"weapon": means.id})
    if (refusal := hands_for(man, means.hands)) is not None:
        yield refusal


def why_not_blow(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """The first reason against a blow, or a knock-out, as chosen."""
    knock_out = choice["verb"] == "knock_out"
    if (refusal := first_refusal(why_no_close_quarters(man))) is not None:
        return refusal
    target = named(g, choice.get("target"))
    if target is None:
        return None
    means = means_named(man, choice.get("weapon"))
    reasons = chain(why_not_struck(g, man, target, knock_out), why_not_with(man, means, knock_out))
    return first_refusal(reasons) or (short_of_ap(man, means.ap) if means else None)


def named(g: Fight, id_: object) -> Model | None:
    return next((model for model in g.state.models if model.id == id_), None)


def blow_offers(g: Fight, man: Model, verb: str = "blow") -> Iterator[Offer]:
    """DOW-CQC-02 to -04, -23, DOW-KNO-04: each thing to strike with, over all whom it may strike."""
    if first_refusal(why_no_close_quarters(man)) is not None or not (near := opponents(g, man)):
        return
    knock_out = verb == "knock_out"
    targets = tuple(foe.id for foe in near if first_refusal(why_not_struck(g, man, foe, knock_out)) is None)
    for means in means_of(man) if targets else ():
        if man.ap >= means.ap and first_refusal(why_not_with(man, means, knock_out)) is None:
            fields = one(man.id, weapon=OneOf((means.id,)), target=OneOf(targets))
            yield Offer(verb, "DOW-KNO-01" if knock_out else "DOW-CQC-02", fields, ap(means.ap))


def knock_out_offers(g: Fight, man: Model) -> Iterator[Offer]:
    return blow_offers(g, man, "knock_out")


def blow_cost(g: Fight, man: Model, choice: Choice) -> int:
    """DOW-CQC-04, DOW-KNO-04: what is swung says."""
    means = means_named(man, choice["weapon"])
    return means.ap if means else COSTS.unarmed_attack


# ---- the blow --------------------------------------------------------------------------------------------------------


def blow(g: Fight, args: Packed) -> None:
    """DOW-CQC-23: each fights for himself; DOW-APT-06: a blow that an interrupt has made impossible is lost."""
    choice = unpacked(args)
    man, target, knock_out = g.state[choice["model"]], g.state[choice["target"]], choice["verb"] == "knock_out"
    reasons = chain(
        why_no_close_quarters(man),
        why_not_struck(g, man, target, knock_out),
        why_not_with(man, means_named(man, choice["weapon"]), knock_out),
    )
    if not man.able or first_refusal(reasons) is not None:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    g.then(swing, man.id, choice["weapon"], target.id, knock_out)


def swing(g: Fight, by: Id, weapon: str, target: Id, knock_out: bool) -> None:
    """DOW-CQC-02: D10 at most the number; the defender does not roll."""
    man, foe = g.state[by], g.state[target]
    means = means_named(man, weapon)
    if means is None:
        return
    terms = cq_terms(g, man, foe, means)
    need = total(terms)
    about: dict[str, Any] = {"who": by, "at": target, "weapon": weapon, "need": need, "terms": terms, "knock_out": knock_out}
    result = g.roll("DOW-CQC-02", D10, strokes(g, need, knock_out), **about)
    g.then(swung, by, weapon, target, knock_out, result)


def swung(g: Fight, by: Id, weapon: str, target: Id, knock_out: bool, result: int) -> None:
    """DOW-CQC-15: a hit wins the edge and takes the other's, a miss loses it; then DOW-CQC-05: what the blow does."""
    man, foe = g.state[by], g.state[target]
    means = means_named(man, weapon)
    assert means is not None, "nothing happens between the roll and the blow"
    g.edit(by, **_after_swing(g, man, foe, means, result > 0))
    edge = tuple(id_ for id_ in foe.edge if id_ != by) if result else foe.edge
    g.edit(target, distracted=False, edge=edge)
    if result and means.breaks:
        g.report("DOW-CQC-22", "breaks_on_him", who=by, weapon=weapon)
    if not result:
        return
    round_ = Round(by, None, means.dpr, 0 if g.terms.options.armor_in_cq else None, cause="blow")
    if knock_out:
        g.then(knocked, by, target, round_, result)
    else:
        g.then(strike, target, round_)


def _after_swing(g: Fight, man: Model, foe: Model, means: Means, hit: bool) -> dict[str, object]:
    """What a swing changes about who swung: edge, charge, aching arms, a broken bottle."""
    others = {id_ for id_ in man.edge if id_ != foe.id}
    fields: dict[str, object] = {"distracted": False, "edge": tuple(sorted(others | {foe.id} if hit else others))}
    if man.charged == foe.id and not g.terms.options.charge_all_attacks:
        fields |= {"charged": "", "charge_run": 0.0, "charge_from": None}
    if means.hands == 2 and man.painful:
        fields["pain_used"] = man.painful
    if hit and means.breaks:
        fields |= {"stores": counted(man.stores, means.id, -1)} if man.has(means.id) else {}
        fields |= {"gear": tuple(kind for kind in man.gear if kind != means.id)}
        fields |= {"in_hand": ""} if man.in_hand == means.id else {}
    return fields


# ---- knock-outs ------------------------------------------------------------------------------------------------------


def is_subdued(man: Model) -> bool:
    """DOW-KNO-03, DOW-TAK-08: overpowered or bound; a captive stands still for it."""
    return bool(man.held_by) or man.bound or man.captured


def knocked(g: Fight, by: Id, target: Id, round_: tuple[object, ...], result: int) -> None:
    """DOW-KNO-02, -03, -06: any hit on the subdued; in a fight a 1 and a 1; all else is an ordinary blow, or nothing."""
    harmless = g.terms.options.ko_nonlethal
    if is_subdued(g.state[target]):
        g.then(out_cold, by, target)
    elif result == 2:
        location = g.roll("DOW-KNO-02", D10, HEAD_OR_NOT if harmless else LOCATIONS, who=target, by=by, location=True)
        if location == LOCATIONS[0]:
            g.then(out_cold, by, target)
        elif not harmless:
            g.report("DOW-LOC-01", "struck", who=target, location=location, by=by)
            g.then(pierce, target, round_, location)
    elif not harmless:
        g.then(strike, target, round_)


HEAD_OR_NOT = reading(D10, lambda face: LOCATIONS[0] if face == 1 else "")


def out_cold(g: Fight, by: Id, target: Id) -> None:
    """DOW-KNO-05, DOW-HLT-11: unconscious, health points untouched."""
    g.report("DOW-KNO-05", "knocked_out", who=target, by=by)
    g.then(collapse_of_a_man, target, False, True, by, True)


# ---- moving out of a melee -------------------------------------------------------------------------------------------


def parting(g: Fight, who: Id, path: Path, met: tuple[Id, ...] = ()) -> None:
    """DOW-CQC-16: before he moves, those he leaves and has no edge over may strike, once on each move."""
    man = g.state[who]
    near = [foe for foe in in_melee(g, man) if foe.id not in met]
    foes = tuple(foe.id for foe in near if is_entitled(g, man, foe) and breaks_contact(g, man, foe, path))
    if foes:
        g.then(opportunity, who, foes, man.stance)


def is_entitled(g: Fight, man: Model, foe: Model) -> bool:
    """DOW-CQC-16, DOW-HLT-03: conscious, unbound, not overpowered, unbroken, no wound to be bound; and not beaten last time."""
    return foe.able and not foe.ima and not foe.vehicle and foe.id not in man.edge and in_contact(g, man, foe)


def breaks_contact(g: Fight, man: Model, foe: Model, path: Path) -> bool:
    """Does he lose touch with this enemy anywhere along his path?"""
    far = length(path)
    steps = max(1, ceil(far / STEP))
    return any(not in_contact(g, replace(man, at=point_at(path, far * k / steps)), foe) for k in range(1, steps + 1))


STEP = 0.1  # inches between two looks at a path


def opportunity(g: Fight, who: Id, foes: tuple[Id, ...], stance: Stance) -> None:
    """DOW-CQC-17: one by one, until he can move no more; three AP for one attack, which are not kept."""
    man = g.state[who]
    if not foes or not man.free or man.immobilized or man.stance != stance or not man.on_table:
        return
    foe = g.state[foes[0]]
    offers = tuple(opportunity_offers(g, man, foe)) if is_entitled(g, man, foe) else ()
    if offers:
        pass_ = Offer("let_pass", "DOW-CQC-17")
        ask = Ask("opportunity", (*offers, pass_), best_blow(g, man, foe, offers))
        choice = g.ask("DOW-CQC-17", foe.side, ask)
        if choice["verb"] == "opportunity":
            g.then(swing, foe.id, choice["weapon"], who, False)
        elif choice["verb"] == "opportunity_shot":
            g.then(declare, *Attack(foe.id, choice["weapon"], choice["mode"], who))
    g.then(opportunity, who, foes[1:], stance)


def opportunity_offers(g: Fight, man: Model, foe: Model) -> Iterator[Offer]:
    at = OneOf((man.id,))
    for means in means_of(foe):
        if means.ap <= POOL.aoo_ap and hands_for(foe, means.hands) is None:
            yield Offer("opportunity", "DOW-CQC-17", one(foe.id, weapon=OneOf((means.id,)), target=at))
    for held in foe.weapons if g.terms.options.aoo_ranged else ():
        if WEAPONS[held.id].fires is None and first_refusal(why_no_weapon(g, foe, held.id)) is None:
            tried = (Attack(foe.id, held.id, mode, man.id) for mode in WEAPONS[held.id].modes)
            fit = [shot for shot in tried if cost_of(g, shot) <= POOL.aoo_ap and not first_refusal(why_not_mode(g, foe, shot))]
            for shot in fit:
                fields = one(foe.id, weapon=OneOf((held.id,)), mode=OneOf((shot.mode,)), target=at)
                yield Offer("opportunity_shot", "DOW-CQC-17", fields)


def best_blow(g: Fight, man: Model, foe: Model, offers: tuple[Offer, ...]) -> Choice:
    """Who says nothing strikes with what hits best, then hurts most."""
    blows = [offer.pick(0) for offer in offers if offer.verb == "opportunity"]

    def worth(choice: Choice) -> tuple[int, int]:
        means = means_named(foe, choice["weapon"])
        assert means is not None, "only what he has is offered"
        return total(cq_terms(g, foe, man, means)), means.dpr

    return max(blows, key=worth)


# ---- who is hit? -----------------------------------------------------------------------------------------------------


def counts(man: Model) -> bool:
    """Those who are down count for neither side."""
    return man.conscious and not man.captured and not man.bound


def who_is_hit(g: Fight, target: Id, round_: tuple[object, ...]) -> None:
    """DOW-HIT-07, DOW-CQC-19: a bullet into a melee may find a friend, each with equal chance."""
    shot, man = Round(*round_), g.state[target]  # type: ignore[arg-type]
    among = melee_of(g, man)
    fighters = [model for model in g.state.models if model.id in among]
    firing_in = shot.by and g.state[shot.by].side != man.side and shot.by not in among
    friends = [fighter.id for fighter in fighters if firing_in and fighter.side != man.side and counts(fighter)]
    if friends:
        enemies = sum(fighter.side == man.side and counts(fighter) for fighter in fighters)
        if not finds_the_enemy(g, shot.by, target, enemies, len(friends)):
            target = friends[0]
            if len(friends) > 1:
                target = g.roll("DOW-CQC-19", die(len(friends)), tuple(friends), who=shot.by, friend=True)
            g.report("DOW-CQC-19", "friend_hit", who=target, by=shot.by)
    g.then(carrier_or_carried, target, round_)


def finds_the_enemy(g: Fight, by: Id, target: Id, enemies: int, friends: int) -> bool:
    """DOW-CQC-19: D10 at most 5 and the enemies less the friends; no roll where it cannot matter."""
    need = WHO_IS_HIT.melee + enemies - friends
    if need <= 0 or need >= D10.faces[-1]:
        return need > 0
    return g.roll("DOW-CQC-19", D10, at_most(D10, need), who=by, at=target, need=need, enemies=enemies, friends=friends)


def carrier_or_carried(g: Fight, target: Id, round_: tuple[object, ...]) -> None:
    """DOW-CAR-06: of two, 1 to 5 is the carried one, 6 to 10 the carrier; neither covers the other."""
    man = g.state[target]
    carrier = man.carried_by or (target if man.carrying else "")
    if carrier and g.state[carried := g.state[carrier].carrying].alive:
        means = reading(D10, lambda face: carried if face <= WHO_IS_HIT.carried else carrier)
        target = g.roll("DOW-CAR-06", D10, means, who=carrier, load=carried)
    g.then(strike, target, round_)


# ---- bayonets --------------------------------------------------------------------------------------------------------


def why_not_fix(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-ACT-09, DOW-CQC-08: on the weapon in his hands, if it takes one, and before base contact."""
    held = man.weapon(man.in_hand)
    if held is None or held.id != choice.get("weapon", man.in_hand):
        return Refusal("DOW-ACT-09", "not_in_hand", {"weapon": choice.get("weapon", "")})
    if not WEAPONS[held.id].bayonet:
        return Refusal("DOW-ACT-09", "takes_no_bayonet", {"weapon": held.id})
    if not spare_bayonet(man):
        return Refusal("DOW-ACT-09", "no_bayonet")
    if near := opponents(g, man):
        return Refusal("DOW-ACT-09", "touches_an_enemy", {"target": near[0].id})
    return _why_not_now(man, COSTS.fix_bayonet)


def why_not_unfix(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    held = man.weapon(man.in_hand)
    if held is None or not held.bayonet or held.id != choice.get("weapon", man.in_hand):
        return Refusal("DOW-ACT-09", "none_fixed", {"weapon": choice.get("weapon", "")})
    return _why_not_now(man, COSTS.unfix_bayonet)


def _why_not_now(man: Model, needs: int) -> Refusal | None:
    if man.ima:
        return Refusal("DOW-HLT-03", "must_bandage")
    return hands_for(man, 2) or short_of_ap(man, needs)


def fix_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_fix(g, man, {}) is None:
        yield Offer("fix_bayonet", "DOW-ACT-09", one(man.id, weapon=OneOf((man.in_hand,))), ap(COSTS.fix_bayonet))


def unfix_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_unfix(g, man, {}) is None:
        yield Offer("unfix_bayonet", "DOW-ACT-09", one(man.id, weapon=OneOf((man.in_hand,))), ap(COSTS.unfix_bayonet))


def fix_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.fix_bayonet


def unfix_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.unfix_bayonet


def set_bayonet(g: Fight, args: Packed) -> None:
    """DOW-ACT-09: on, or off again."""
    choice = unpacked(args)
    man, on = g.state[choice["model"]], choice["verb"] == "fix_bayonet"
    if not man.able or man.ima:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    weapons = tuple(replace(held, bayonet=on) if held.id == choice["weapon"] else held for held in man.weapons)
    gear = [kind for kind in man.gear if kind != "bayonet"] + ([] if on else ["bayonet"])
    g.edit(man.id, weapons=weapons, gear=tuple(sorted(gear)))
    g.report("DOW-ACT-09", "bayonet_fixed" if on else "bayonet_unfixed", who=man.id, weapon=choice["weapon"])


VERBS = (
    Verb("blow", "DOW-CQC-02", blow_offers, blow, why_not_blow, blow_cost),
    Verb("knock_out", "DOW-KNO-01", knock_out_offers, blow, why_not_blow, blow_cost),
    Verb("fix_bayonet", "DOW-ACT-09", fix_offers, set_bayonet, why_not_fix, fix_cost),
    Verb("unfix_bayonet", "DOW-ACT-09", unfix_offers, set_bayonet, why_not_unfix, unfix_cost),
)
PARAGRAPHS = (
    blow, swing, swung, knocked, out_cold, parting, opportunity, who_is_hit, carrier_or_carried, set_bayonet,
)  # fmt: skip
