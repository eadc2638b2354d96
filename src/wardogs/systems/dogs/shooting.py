"""Ranged attacks: who may fire at whom, the dice, and whom they hit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from math import hypot
from typing import Any

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Ask, Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.commanding import told_of
from wardogs.systems.dogs.data import BODY, COSTS, FULL_AUTO, SIGHTING, TO_HIT, WEAPONS, Mode
from wardogs.systems.dogs.data import Weapon as Arm
from wardogs.systems.dogs.measure import bearing, facing_to, gap, in_arc, in_contact, in_melee, off, opponents, within
from wardogs.systems.dogs.memory import remembered
from wardogs.systems.dogs.modifiers import Attack, in_corridor, in_gas, need, to_hit_terms
from wardogs.systems.dogs.rotors import ride_reasons
from wardogs.systems.dogs.seeing import eye, looks, melee_of, screened, sees, why_unseen
from wardogs.systems.dogs.state import Fight, Id, Model, count, counted
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, unpacked
from wardogs.systems.dogs.wounds import Round
from wardogs.table.units import Place

# ---- may he fire? ----------------------------------------------------------------------------------------------------


def attack_of(choice: Choice, watch: bool = False) -> Attack:
    return Attack(
        choice["model"], choice["weapon"], choice["mode"], choice["target"], choice["aimed"], choice["scope"],
        choice.get("spotter", ""), watch,
    )  # fmt: skip


def cost_of(g: Fight, attack: Attack) -> int:
    """DOW-RNG-04, DOW-MOD-01, -02: the mode's AP, and two more for each aim option."""
    mode = WEAPONS[attack.weapon].modes[attack.mode]
    spotter = COSTS.spotter if attack.spotter and g.terms.options.spotter_pays == "shooter" else 0
    return mode.ap + COSTS.aimed * attack.aimed + COSTS.scope * attack.scope + spotter


def why_no_weapon(g: Fight, man: Model, weapon: str) -> Iterator[Refusal]:
    """DOW-RNG-02, -11, -12, -15, DOW-ABL-07, DOW-CAR-08: the weapon in his hands, known to him, loaded, and hands for it."""
    held = man.weapon(weapon)
    if held is None or not ready(man, weapon):
        yield Refusal("DOW-RNG-02", "not_in_hand", {"weapon": weapon})
        return
    if not is_familiar(g, man, weapon):
        yield Refusal("DOW-ABL-07", "not_familiar", {"weapon": weapon})
    if held.loaded < 1:
        yield Refusal("DOW-RNG-11", "not_loaded", {"weapon": weapon})
    if (refusal := hands_for(man, WEAPONS[weapon].hands)) is not None:
        yield refusal


def ready(man: Model, weapon: str) -> bool:
    """DOW-RNG-15: in hand, or the launcher under the rifle that is."""
    if man.in_hand == weapon:
        return True
    under = WEAPONS[weapon].fires is not None and WEAPONS[weapon].cq is None
    return under and man.in_hand in ("m16a2", "m4")


def is_familiar(g: Fight, man: Model, weapon: str) -> bool:
    return weapon in g.terms.who[man.id].familiar or weapon in man.learned


def hands_for(man: Model, hands: int) -> Refusal | None:
    """DOW-RNG-12, DOW-DMG-09, DOW-CAR-08: two hands, or one; an arm in pain does one act a turn."""
    if man.carrying and hands == 2:
        return Refusal("DOW-CAR-08", "hands_full", {"load": man.carrying})
    if not man.useless and not man.painful:
        return None
    spent = [arm for arm in ("right", "left") if arm in man.useless]
    if len(spent) > 2 - hands:
        return Refusal("DOW-RNG-12", "arm_useless", {"hands": hands})
    tired = [arm for arm in ("right", "left") if arm in man.useless or (arm in man.painful and arm in man.pain_used)]
    return Refusal("DOW-DMG-09", "arm_hurts", {"hands": hands}) if len(tired) > 2 - hands else None


def why_not_mode(g: Fight, man: Model, attack: Attack) -> Iterator[Refusal]:
    """DOW-APT-03, DOW-MOD-01, -02, DOW-TRT-05: the mode, its limit per turn, and the ways to aim."""
    weapon = WEAPONS[attack.weapon]
    mode = weapon.modes.get(attack.mode)
    if mode is None:
        yield Refusal("DOW-RNG-04", "no_such_mode", {"weapon": attack.weapon, "mode": attack.mode})
        return
    if mode.limit and count(man.uses, f"{attack.weapon}/{attack.mode}") >= mode.limit:
        yield Refusal("DOW-APT-03", "limit_reached", {"mode": attack.mode, "limit": mode.limit})
    if attack.aimed:
        yield from why_not_aimed(g, man, mode)
    if attack.scope and not weapon.scope:
        yield Refusal("DOW-MOD-02", "no_scope", {"weapon": attack.weapon})


def why_not_aimed(g: Fight, man: Model, mode: Mode) -> Iterator[Refusal]:
    if mode.dice > 1 and not g.terms.options.aimed_auto:
        yield Refusal("DOW-MOD-01", "aimed_one_die_only")
    if "no_aimed_shots" in g.terms.who[man.id].traits:
        yield Refusal("DOW-TRT-05", "never_aims")
    if in_gas(g, man):
        yield Refusal("DOW-EQP-15", "gas_in_eyes")


def why_not_shoot_now(g: Fight, man: Model) -> Iterator[Refusal]:
    """Wounds, a rope, a melee: what keeps him from firing at all."""
    if man.ima:
        yield Refusal("DOW-HLT-03", "must_bandage")
    if man.climbing:
        yield Refusal("DOW-MOV-11", "on_the_face")
    foes = in_melee(g, man)
    if foes and not all(foe.id in man.edge for foe in foes):
        yield Refusal("DOW-CQC-18", "no_edge", {"over": [foe.id for foe in foes if foe.id not in man.edge]})


def why_not_target(g: Fight, man: Model, target: Model, attack: Attack) -> Iterator[Refusal]:
    """DOW-LOS, DOW-TAK-08, DOW-MOV-05, DOW-RNG-05: who may be named."""
    yield from why_no_target(g, man, target, attack.aimed, attack.watch)
    if not within(gap(man, target), SIGHTING.priority) and (first := priority_targets(g, man, attack.watch)):
        yield Refusal("DOW-RNG-05", "nearer_first", {"first": [enemy.id for enemy in first]})


def why_no_target(g: Fight, man: Model, target: Model, aimed: bool, watch: bool) -> Iterator[Refusal]:
    """The same, whoever else is near; DOW-CQC-18: one who fires out of a melee fires at those outside it."""
    if target.side == man.side or not target.alive or not target.on_table or target.captured:
        yield Refusal("DOW-TAK-08", "no_target", {"target": target.id})
        return
    if in_contact(g, man, target):
        yield Refusal("DOW-CQC-20", "in_contact", {"target": target.id})
    elif man.edge and target.id in melee_of(g, man):
        yield Refusal("DOW-CQC-18", "same_melee", {"target": target.id})
    if watch and not in_arc(man, target.at):
        yield Refusal("DOW-OPF-06", "out_of_arc", {"target": target.id})
    if man.moved == "run" and target.id not in man.saw and not told_of(g, man, target):
        yield Refusal("DOW-MOV-05", "running_blind", {"target": target.id})
    yield from ride_reasons(g, man, man.in_hand, target)
    yield from why_unseen(g, man, target, aimed)


@remembered
def priority_targets(g: Fight, man: Model, watch: bool) -> list[Model]:
    """DOW-RNG-05: enemies within ten inches whom he could target without aiming; by turning too, unless he is on Op-Fire."""
    return [enemy for enemy in g.state.enemies(man) if _is_priority(g, man, enemy, watch)]


def _is_priority(g: Fight, man: Model, enemy: Model, watch: bool) -> bool:
    if not within(gap(man, enemy), SIGHTING.priority) or not enemy.conscious:
        return False
    if any(friend.conscious and not friend.captured for friend in opponents(g, enemy)):
        return False  # in close quarters, even with one whom he holds down
    return first_refusal(why_no_target(g, man, enemy, False, watch)) is None


def why_not_spotter(g: Fight, man: Model, attack: Attack) -> Iterator[Refusal]:
    """DOW-MOD-03: an active team-mate near by, free to act, who sees the target; he pays; never on Op-Fire."""
    if not attack.spotter:
        return
    try:
        spotter = g.state[attack.spotter]
    except LookupError:
        yield Refusal("DOW-MOD-03", "no_spotter", {"spotter": attack.spotter})
        return
    mate = bool(man.team) and spotter.team == man.team and spotter.id != man.id and spotter.id in g.state.active
    if attack.watch or not mate or not can_spot(spotter) or not within(gap(man, spotter), SIGHTING.spotter_within):
        yield Refusal("DOW-MOD-03", "no_spotter", {"spotter": attack.spotter})
    elif not sees(g, spotter, g.state[attack.target]):
        yield Refusal("DOW-MOD-03", "spotter_sees_nothing", {"spotter": attack.spotter})
    elif g.terms.options.spotter_pays == "spotter" and spotter.ap < COSTS.spotter:
        yield Refusal("DOW-MOD-03", "needs_ap", {"needs": COSTS.spotter, "has": spotter.ap})


def can_spot(man: Model) -> bool:
    """DOW-SEQ-14: a man under compulsion has other things to do."""
    return man.able and not (man.ima or man.ducking or man.returning or man.carried_by)


def why_not_attack(g: Fight, man: Model, attack: Attack, points: int) -> Iterator[Refusal]:
    """Everything that forbids a declared attack, the plainest reason first."""
    yield from why_not_shoot_now(g, man)
    yield from why_no_weapon(g, man, attack.weapon)
    yield from why_not_mode(g, man, attack)
    if attack.mode in WEAPONS[attack.weapon].modes and (needs := cost_of(g, attack)) > points:
        yield Refusal("DOW-APT-02", "needs_ap", {"needs": needs, "has": points})
    yield from why_not_target(g, man, g.state[attack.target], attack)
    yield from why_not_spotter(g, man, attack)


def why_not_fire(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """A choice of the right shape that no offer has: the rule against it."""
    wanted = {"aimed": False, "scope": False, **choice}
    if not is_plain(wanted["weapon"]) or "mode" not in wanted:
        return Refusal("DOW-RNG-04", "fired_otherwise", {"weapon": wanted["weapon"]})
    return first_refusal(why_not_attack(g, man, attack_of(wanted), man.ap))


# ---- offers ----------------------------------------------------------------------------------------------------------


def fire_offers(g: Fight, man: Model) -> Iterator[Offer]:
    yield from attack_offers(g, man, "fire", man.ap, False)


def attack_offers(g: Fight, man: Model, verb: str, points: int, watch: bool) -> Iterator[Offer]:
    """One offer for each weapon, mode and way of aiming, over all targets that it may have."""
    if not man.able or first_refusal(why_not_shoot_now(g, man)):
        return
    for held in man.weapons:
        if is_plain(held.id) and first_refusal(why_no_weapon(g, man, held.id)) is None:
            for mode in WEAPONS[held.id].modes:
                yield from _mode_offers(g, man, Attack(man.id, held.id, mode, "", watch=watch), verb, points)


def is_plain(weapon: str) -> bool:
    """Neither a launcher nor a shotgun: those have acts of their own."""
    return WEAPONS[weapon].fires is None and WEAPONS[weapon].template is None


def _mode_offers(g: Fight, man: Model, attack: Attack, verb: str, points: int) -> Iterator[Offer]:
    scopes = (False, True) if WEAPONS[attack.weapon].scope else (False,)
    for aimed in (False, True):
        for scope in scopes:
            tried = attack._replace(aimed=aimed, scope=scope)
            if first_refusal(why_not_mode(g, man, tried)) or (needs := cost_of(g, tried)) > points:
                continue
            targets = targets_of(g, man, tried.weapon, aimed, tried.watch)
            if targets:
                yield Offer(verb, "DOW-RNG-03", _fields(tried, targets), ap(needs))
                yield from _spotted(g, man, tried, targets, verb, points)


def _fields(attack: Attack, targets: tuple[Id, ...]) -> dict[str, Any]:
    return one(
        attack.by, weapon=OneOf((attack.weapon,)), mode=OneOf((attack.mode,)), target=OneOf(targets),
        aimed=OneOf((attack.aimed,)), scope=OneOf((attack.scope,)),
    )  # fmt: skip


@remembered
def targets_of(g: Fight, man: Model, weapon: str, aimed: bool, watch: bool) -> tuple[Id, ...]:
    """All whom he may name, in whatever mode he fires."""
    attack = Attack(man.id, weapon, "", "", aimed, watch=watch)
    seen = (enemy for enemy in g.state.enemies(man) if sees(g, man, enemy, aimed))
    return tuple(
        enemy.id for enemy in seen if first_refusal(why_not_target(g, man, enemy, attack._replace(target=enemy.id))) is None
    )


def _spotted(g: Fight, man: Model, attack: Attack, targets: tuple[Id, ...], verb: str, points: int) -> Iterator[Offer]:
    needs = cost_of(g, attack._replace(spotter=man.id))
    if attack.watch or needs > points:
        return
    for mate in g.state.active:
        tried = [attack._replace(target=target, spotter=mate) for target in targets]
        seen = tuple(one.target for one in tried if first_refusal(why_not_spotter(g, man, one)) is None)
        if seen:
            yield Offer(verb, "DOW-MOD-03", {**_fields(attack, seen), "spotter": OneOf((mate,))}, ap(needs))


def fire_cost(g: Fight, man: Model, choice: Choice) -> int:
    return cost_of(g, attack_of(choice))


# ---- declaring -------------------------------------------------------------------------------------------------------


def fire(g: Fight, args: Packed) -> None:
    """DOW-RNG-06, -07, DOW-APT-06: declared, and unless an interrupt has spoilt it then measured, whatever it turns out to be."""
    attack = attack_of(unpacked(args))
    by = g.state[attack.by]
    if not by.able or first_refusal(why_impossible(g, by, attack)):
        g.report("DOW-APT-06", "act_lost", who=attack.by)
        return
    if attack.spotter and not can_spot(g.state[attack.spotter]):
        attack = attack._replace(spotter="")
    g.then(declare, *attack)


def why_impossible(g: Fight, by: Model, attack: Attack) -> Iterator[Refusal]:
    """DOW-APT-06: what an interrupt may have done to a shot that was declared."""
    yield from why_not_shoot_now(g, by)
    yield from why_no_weapon(g, by, attack.weapon)
    yield from why_no_target(g, by, g.state[attack.target], attack.aimed, attack.watch)


def declare(g: Fight, *args: object) -> None:
    """DOW-APT-06, DOW-LOS-06: rounds leave the barrel, with a flash that some may see; he turns to his target."""
    attack = Attack(*args)  # type: ignore[arg-type]
    by = g.state[attack.by]
    if not by.able or not g.state[attack.target].on_table:
        g.report("DOW-APT-06", "act_lost", who=attack.by)
        return
    dice = shots(by, attack)
    spend_rounds(g, by, attack, dice, g.state[attack.target].at)
    if attack.spotter and g.terms.options.spotter_pays == "spotter":
        g.edit(attack.spotter, ap=g.state[attack.spotter].ap - COSTS.spotter)
    far = gap(by, g.state[attack.target])
    g.report(
        "DOW-RNG-06", "fires", who=attack.by, at=attack.target, weapon=attack.weapon, mode=attack.mode, dice=dice,
        range=round(far, 1), aimed=attack.aimed, scope=attack.scope, watch=attack.watch,
    )  # fmt: skip
    g.then(aim, dice, *attack)


def shots(by: Model, attack: Attack) -> int:
    """DOW-RNG-10, -11: one die a round; what is loaded, if the mode wants more."""
    held = by.weapon(attack.weapon)
    return min(WEAPONS[attack.weapon].modes[attack.mode].dice, held.loaded if held else 0)


def spend_rounds(g: Fight, by: Model, attack: Attack, dice: int, at: Place) -> None:
    weapons = tuple(
        type(held)(held.id, held.loaded - dice, held.bayonet) if held.id == attack.weapon else held for held in by.weapons
    )
    weapon = WEAPONS[attack.weapon]
    fields: dict[str, object] = {"weapons": weapons, "uses": counted(by.uses, f"{attack.weapon}/{attack.mode}", 1)}
    if off(by.facing, bearing(by.at, at)) > BODY.arc / 2:
        fields["facing"] = facing_to(by.at, at)
    if not weapon.flash_suppressor:
        fields["flash"] = tuple(sorted({*by.flash, *(enemy.id for enemy in g.state.enemies(by) if notices_flash(g, enemy, by))}))
    if weapon.hands == 2 and by.painful:
        fields["pain_used"] = by.painful
    if in_melee(g, by):
        fields["distracted"] = True
    if g.terms.options.move_fire == "interleaved" and by.moved != "none" and not by.pressing:
        fields["halted"] = True
    g.edit(attack.by, **fields)


def notices_flash(g: Fight, enemy: Model, by: Model) -> bool:
    """DOW-LOS-06, DOW-EQP-13: some of the firer is clear to him or behind soft cover only; arc and darkness do not matter."""
    return enemy.conscious and looks(g, enemy, by).reachable


# ---- the dice --------------------------------------------------------------------------------------------------------

Plan = tuple[tuple[Id, int, int, int, int | None], ...]  # each model: dice to roll, hits, misses, the number needed


def aim(g: Fight, dice: int, *args: object) -> None:
    """DOW-HIT-03 to -05, DOW-MOD-17: who is exposed, how the dice are shared, and what each needs."""
    attack = Attack(*args)  # type: ignore[arg-type]
    exposed = exposed_to(g, attack)
    shares = share_dice(g, dice, exposed)
    if attack.mode == "FA" and g.terms.options.fa_allocation == "choice" and len(exposed) > 1:
        shares = chosen_shares(g, attack, dice, exposed)
    g.then(roll_to_hit, tuple((id_, n, 0, 0, sighted(g, attack, id_)) for id_, n in shares), *attack)


def sighted(g: Fight, attack: Attack, at: Id) -> int | None:
    """DOW-MOD-17, DOW-RNG-07: the number to hit this man; None beyond the range."""
    man = g.state[at]
    terms = to_hit_terms(g, attack, man)
    near = WEAPONS[attack.weapon].at_range(gap(g.state[attack.by], man)) is not None
    g.report("DOW-MOD-17", "sighted", who=attack.by, at=at, need=need(terms) if near else None, terms=terms)
    return need(terms) if near else None


def exposed_to(g: Fight, attack: Attack) -> list[Id]:
    """DOW-HIT-03, -04: the target; on full automatic everyone in the corridor, friend or foe, outward from the target."""
    by, target = g.state[attack.by], g.state[attack.target]
    if attack.mode != "FA":
        return [target.id]
    weapon = WEAPONS[attack.weapon]
    others = [man for man in g.state.models if man.living and man.id not in (by.id, target.id)]
    found = [man for man in others if _exposed(g, by, target, man, weapon)]
    found.sort(key=lambda man: (round(hypot(man.at[0] - target.at[0], man.at[1] - target.at[1]), 3), gap(by, man)))
    return [target.id, *(man.id for man in found)]


def _exposed(g: Fight, by: Model, target: Model, man: Model, weapon: Arm) -> bool:
    if not in_corridor(by, target, man, FULL_AUTO.corridor_width / 2) or not within(gap(by, man), weapon.reach):
        return False
    return looks(g, by, man).reachable and screened(g, by, man) is None


def share_dice(g: Fight, dice: int, exposed: list[Id]) -> list[tuple[Id, int]]:
    """DOW-HIT-05: evenly, what is left over from the target outward; or the full number at each."""
    if g.terms.options.fa_allocation == "full_each":
        return [(id_, dice) for id_ in exposed]
    each, over = divmod(dice, len(exposed))
    return [(id_, each + (k < over)) for k, id_ in enumerate(exposed)]


def chosen_shares(g: Fight, attack: Attack, dice: int, exposed: list[Id]) -> list[tuple[Id, int]]:
    """DOW-HIT-05 by the house rules: the attacker shares them, at least one on the target."""
    even = "/".join(str(n) for _, n in share_dice(g, dice, exposed))
    offer = Offer("share_dice", "DOW-HIT-05", {"dice": OneOf(ways_to_share(dice, len(exposed)))})
    ask = Ask("share_dice", (offer,), {"verb": "share_dice", "dice": even})
    chosen = g.ask("DOW-HIT-05", g.state[attack.by].side, ask)["dice"]
    return [(id_, int(n)) for id_, n in zip(exposed, chosen.split("/"), strict=True)]


@cache
def ways_to_share(dice: int, heads: int) -> tuple[str, ...]:
    """Every way to deal dice to so many men, the first of whom gets at least one: a row of dice with bars between them."""
    rows = combinations(range(1, dice + heads - 1), heads - 1)
    dealt = ([b - a - 1 for a, b in pairwise((-1, *bars, dice + heads - 1))] for bars in rows)
    return tuple("/".join(map(str, shares)) for shares in dealt)


def roll_to_hit(g: Fight, plan: Plan, *args: object) -> None:
    """DOW-HIT-01, -02: one D10 a shot, all of an attack together."""
    for k, (id_, dice, hits, misses, needs) in enumerate(plan):
        if dice:
            hit = g.roll("DOW-HIT-02", D10, shot_reading(needs), who=args[0], at=id_, need=needs)
            g.then(roll_to_hit, (*plan[:k], (id_, dice - 1, hits + hit, misses + (not hit), needs), *plan[k + 1 :]), *args)
            return
    g.then(second_thoughts, plan, *args)


@cache
def shot_reading(needs: int | None) -> tuple[bool, ...]:
    """DOW-GEN-02, -03, DOW-RNG-07: 1 hits, 10 misses, whatever the number; beyond the range nothing does."""
    return (False,) * 10 if needs is None else at_most(D10, needs, TO_HIT.natural_hit, TO_HIT.natural_miss)


def hit_reading(g: Fight, attack: Attack, at: Id) -> tuple[bool, ...]:
    """What each face of a shot at this man would mean."""
    if WEAPONS[attack.weapon].at_range(gap(g.state[attack.by], g.state[at])) is None:
        return shot_reading(None)
    return shot_reading(need(to_hit_terms(g, attack, g.state[at])))


def second_thoughts(g: Fight, plan: Plan, *args: object) -> None:
    """DOW-TRT-01: an Expert Rifleman may roll one miss again, once a game, when all dice are shown."""
    attack = Attack(*args)  # type: ignore[arg-type]
    by = g.state[attack.by]
    missed = tuple(id_ for id_, _, _, misses, needs in plan if misses and needs is not None)
    if by.expert_left and missed:
        offers = (Offer("reroll", "DOW-TRT-01", {"at": OneOf(missed)}), Offer("keep", "DOW-TRT-01"))
        answer = g.ask("DOW-TRT-01", by.side, Ask("reroll", offers, {"verb": "reroll", "at": missed[0]}))
        if answer["verb"] == "reroll":
            g.then(roll_again, answer["at"], plan, *attack)
            return
    g.then(work_hits, tuple((id_, hits) for id_, _, hits, _, _ in plan if hits), *attack)


def roll_again(g: Fight, at: Id, plan: Plan, *args: object) -> None:
    """DOW-TRT-01: the second result stands."""
    attack = Attack(*args)  # type: ignore[arg-type]
    g.edit(attack.by, expert_left=False)
    needs = next(needs for id_, _, _, _, needs in plan if id_ == at)
    hit = g.roll("DOW-TRT-01", D10, shot_reading(needs), who=attack.by, at=at, need=needs)
    hits = tuple((id_, hits + (hit and id_ == at)) for id_, _, hits, _, _ in plan)
    g.then(work_hits, tuple((id_, n) for id_, n in hits if n), *attack)


# ---- the hits --------------------------------------------------------------------------------------------------------


def work_hits(g: Fight, hits: tuple[tuple[Id, int], ...], *args: object) -> None:
    """DOW-HIT-06: one at a time to its end, the declared target first; what is left over when a man dies is lost."""
    attack = Attack(*args)  # type: ignore[arg-type]
    while hits and (hits[0][1] < 1 or not g.state[hits[0][0]].alive):
        hits = hits[1:]
    if not hits:
        return
    (id_, n), rest = hits[0], hits[1:]
    later(g, "who_is_hit", id_, round_of(g, attack))
    g.then(work_hits, ((id_, n - 1), *rest), *attack)


def round_of(g: Fight, attack: Attack) -> Round:
    weapon, by = WEAPONS[attack.weapon], g.state[attack.by]
    return Round(by.id, eye(by), weapon.dpr or 0, weapon.arm, weapon.soft or 0, weapon.hard or 0, attack.aimed)


FIRE = Verb("fire", "DOW-RNG-03", fire_offers, fire, why_not_fire, fire_cost)
VERBS = (FIRE,)
PARAGRAPHS = (fire, declare, aim, roll_to_hit, second_thoughts, roll_again, work_hits)
