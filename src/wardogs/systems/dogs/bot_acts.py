"""What each act of a man is worth to a bot; the verbs that are not here it never thinks of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

from wardogs.kernel.offers import Choice, Offer, OneOf, Spot
from wardogs.systems.dogs.bot_aim import (
    NEAR_VEST,
    attack_worth,
    blast_worth,
    blocks,
    is_better_dead,
    is_late,
    is_wanted,
    is_zealot,
    worth,
)
from wardogs.systems.dogs.bot_goals import CLEAR_OF, PAST_HELP, cargo, distance, goal, is_home_bound, is_shut_out, to_fetch
from wardogs.systems.dogs.bot_moves import beside, candidates, foes, is_exposed, place_values
from wardogs.systems.dogs.charges import may_use_c4
from wardogs.systems.dogs.data import BLASTS, HAND_THROW, WEAPONS
from wardogs.systems.dogs.explosives import C4_STORE, FUSED, VEST
from wardogs.systems.dogs.flights import flight_of
from wardogs.systems.dogs.launching import aim_of, launch_terms, shot_of
from wardogs.systems.dogs.masonry import door_called, holds, house_now
from wardogs.systems.dogs.measure import bearing, gap, gap_to, in_melee
from wardogs.systems.dogs.melee import means_named
from wardogs.systems.dogs.shooting import attack_of
from wardogs.systems.dogs.state import Device, Fight, Id, Model, total
from wardogs.systems.dogs.throwing import throw_terms
from wardogs.systems.dogs.ways import Gait, Lazily
from wardogs.table.units import Place

Scored: TypeAlias = Iterator[tuple[Choice, float]]
Scorer: TypeAlias = Callable[[Fight, Model, Iterable[Offer]], Scored]

FEW = 6  # choices of one offer that are looked at


def few(offers: Iterable[Offer]) -> Iterator[Choice]:
    """The first of each; nothing is worked out before somebody asks for the first."""
    return (offer.pick(k) for offer in offers for k in range(min(offer.size, FEW)))


# ---- fire ------------------------------------------------------------------------------------------------------------


def fire(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """What it is worth for its AP, against what a whole activation may be worth; never with a spotter."""
    for offer in offers:
        for choice in few([offer]) if "spotter" not in offer.fields else ():
            yield choice, attack_worth(g, attack_of(choice)) * (1.0 + 1.2 / offer.cost["ap"]) - 0.02


def throw(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Only with somebody to throw at."""
    return burst(g, man, offers if any(gap(man, foe) <= HAND_THROW.reach for foe in foes(g, man)[:1]) else ())


def burst(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Into groups, not near one's own."""
    for choice in few(offer for offer in offers if "target" in offer.fields):
        kind = choice.get("kind") or WEAPONS[choice["weapon"]].fires
        if kind in BLASTS:
            worth_it = blast_worth(g, man.side, g.state[choice["target"]].at, kind)
            yield choice, (need(g, man, choice) / 10 * worth_it if worth_it > 0 else worth_it) - 0.05


def need(g: Fight, man: Model, choice: Choice) -> int:
    """What a grenade needs to come down on its mark."""
    if choice["verb"] == "launch":
        shot = shot_of(choice)
        aim = aim_of(g, shot)
        return 0 if aim is None else total(launch_terms(g, shot, aim))
    target = g.state[choice["target"]]
    far = gap(man, target)
    return total(throw_terms(g, man, target.at, far, flight_of(g, man, target.at))) if far <= HAND_THROW.reach else 0


def reload(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """When the magazine runs low, not before."""
    low = [held.id for held in man.weapons if held.loaded <= WEAPONS[held.id].magazine // 5]
    return ((choice, 0.35) for choice in few(offers) if choice["weapon"] in low)


# ---- moves -----------------------------------------------------------------------------------------------------------


def moves(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """To a better place, if it is much better than this one."""
    gait = best_gait(g, man) if man.ap >= LEAST else ""
    for offer in offers if gait else ():
        spot = offer.fields["to"]
        if offer.verb == gait and isinstance(spot, Spot) and isinstance(spot.ground, Lazily):
            near = [place for place in beside(g, man) if spot.admits(list(place))]
            for gain, place in gains(g, man, near or candidates(g, man, spot.ground.ground.reach), TOUCH if near else -EFFORT):
                if spot.admits(list(place)):
                    yield {"verb": gait, "model": man.id, "to": list(place), "face": face(g, man, place)}, gain
                    return


def gains(g: Fight, man: Model, places: list[Place], more: float) -> list[tuple[float, Place]]:
    """By how much places are better than where he is, the best first."""
    here, *there = place_values(g, man, [man.at, *places])
    better = sorted(((value - here + more, place) for value, place in zip(there, places, strict=True)), reverse=True)
    return [pair for pair in better if pair[0] > 0]


LEAST = 3  # AP: for less nobody sets out
EFFORT, TOUCH = 0.03, 0.5  # for setting out at all; for coming up to a man whom he must fetch


def best_gait(g: Fight, man: Model) -> Gait | Literal[""]:
    """Unseen he runs, seen he walks; once prone he crawls, or stands up first; and he goes on as he began."""
    if man.stance == "prone":
        return "" if should_stand(g, man) else "crawl"
    if man.moved != "none":
        return man.moved
    held_up = man.slow or man.ima or man.leading or man.run_streak or (man.carrying and not man.may_run_loaded)
    return "walk" if held_up or man.ap < 6 or is_exposed(g, man) else "run"


def face(g: Fight, man: Model, place: Place) -> int:
    """Towards the nearest enemy, or to where he is going."""
    near = foes(g, man)
    aim = near[0].at if near else goal(g, man) or man.at
    return int(15 * round(bearing(place, aim) / 15)) % 360


def prone(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Nobody ends his activation on his feet where he can be seen."""
    tired = (man.ap < LEAST or man.moved != "none") and not is_home_bound(g, man) and not in_melee(g, man)
    return ((choice, 0.08) for choice in few(offers) if tired and is_exposed(g, man))


def stand(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """To go somewhere."""
    return ((choice, 0.12) for choice in few(offers) if should_stand(g, man))


def should_stand(g: Fight, man: Model) -> bool:
    """With enough AP left, nobody who sees it, and far to go, or a charge of his own beside him."""
    if man.ap < 6 or is_exposed(g, man):
        return False
    aim = goal(g, man)
    far = aim is not None and distance(g, man, aim)(man.at) > NEARBY
    return far or any(gap_to(man, device.at) < CLEAR_OF for device in own_charges(g, man))


NEARBY = 5.0


def watch(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Towards the enemy, if there is nothing better to do."""
    return (({**offer.pick(0), "face": face(g, man, man.at)}, 0.07) for offer in offers)


# ---- ways in ---------------------------------------------------------------------------------------------------------


def breach(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Doors and charges, when what he wants is behind them."""
    choices = list(few(offers)) if not own_charges(g, man) else []
    aim = goal(g, man) if choices else None
    if aim is None or not is_shut_out(g, man, aim):
        return
    for choice in choices:
        piece = choice.get("on") or choice["door"]
        door = door_called(g, piece)
        house = house_now(g, door.piece if door else piece)
        if house is not None and (holds(house, aim) or holds(house, man.at)) and choice.get("quarters", 1) == 1:
            yield choice, BREACH[choice["verb"]]


BREACH = {"open_door": 1.4, "force_door": 1.3, "set_shaped_charge": 1.2, "set_c4": 1.1}  # before most shots: the others wait


def pass_on(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Charges of a sapper who cannot get there any more, to one who knows how to use them; a weapon to one who has none."""
    sapper = bool(cargo(g, man)) and may_use_c4(g, man)
    for offer in offers if sapper or not man.weapons else ():
        kinds = offer.fields["item"]
        among = kinds.among if isinstance(kinds, OneOf) else ()
        if sapper and C4_STORE in among and (offer.verb == "pick_up" or man.immobilized):
            yield {**offer.pick(0), "item": C4_STORE}, 1.0
        elif not man.weapons and offer.verb == "pick_up":
            yield from (({**offer.pick(0), "item": kind}, 0.9) for kind in among if kind in WEAPONS)


def own_charges(g: Fight, man: Model) -> list[Device]:
    return [device for device in g.state.devices if device.owner == man.side and device.kind in FUSED]


def blow_up(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Once one's own are out of the way."""
    charges = own_charges(g, man)
    mates = [mate for mate in g.state.of(man.side) if can_get_clear(mate) or not is_late(g)]
    if charges and not any(gap_to(mate, device.at) < CLEAR_OF - 0.5 for device in charges for mate in mates):
        yield from (({**offer.pick(0), "charges": [device.id for device in charges]}, 2.0) for offer in offers)


def can_get_clear(man: Model) -> bool:
    """For the others nobody can wait in the last turns."""
    return man.conscious and not man.captured and not man.immobilized


def trigger(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """A vest, where it takes more than one with him."""
    near = [other for other in g.state.models if other.living and gap_to(other, man.at) <= NEAR_VEST] if man.vest else []
    if near:
        takes = 0.8 * sum(worth(g, other) * (1 if other.side != man.side else -1) for other in near)
        yield from (({**offer.pick(0), "device": VEST}, takes) for offer in offers)


# ---- hands on --------------------------------------------------------------------------------------------------------


def demand(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Of those who must, and of the man they came for."""
    for choice in few(offers):
        enemy = g.state[choice["target"]]
        if is_wanted(g, enemy) or (enemy.broken and not blocks(g, enemy)):
            yield choice, 5.0


def rush(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """At the man they came for; at others only with nothing left to fire."""
    empty, wanted = not any(held.loaded for held in man.weapons), to_seize(g, man)
    for choice in few(offers) if empty or wanted else ():
        if choice["target"] in wanted:
            yield choice, SEIZE[choice["verb"]] + (NOW if is_late(g) else 0.0)
        elif empty:
            yield choice, 0.2


def strike(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """The man they came for is knocked out, while there is time; others are struck down, unless they may wear a vest."""
    wanted = [id_ for id_ in to_seize(g, man) if not is_better_dead(g, g.state[id_])]
    for choice in few(offers):
        if (choice["verb"] == "knock_out") == (choice["target"] in wanted) and not is_zealot(g, g.state[choice["target"]]):
            means = means_named(man, choice["weapon"])
            yield choice, SEIZE[choice["verb"]] + (0.1 * (means.bonus + means.dpr) / means.ap if means else 0.0)


SEIZE = {"tackle": 0.8, "charge": 0.6, "knock_out": 1.2, "blow": 0.9}
NOW = 0.6  # more for rushing at him in the last turns: rather all at him than a shot at a guard


def to_seize(g: Fight, man: Model) -> list[Id]:
    """Enemies whom his side wants alive, still on their guard, and near enough."""
    there = (load for load in to_fetch(g, man) if load.side != man.side and load.conscious)
    return [
        load.id for load in there if not is_shut_out(g, man, load.at) and distance(g, man, load.at)(man.at) <= STRIDE * man.ap
    ]


STRIDE = 2.0  # inches for each AP: a run, and his reach


def bind(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Whoever may be bound; but not one who lies in the way."""
    return (
        (choice, 1.7)
        for choice in few(offers)
        if is_wanted(g, g.state[choice["target"]]) or not blocks(g, g.state[choice["target"]])
    )


def take_along(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Those who must be brought home, or lie in the way; who can walk is led, not carried."""
    mine = cargo(g, man)
    for choice in few(offers) if mine else ():
        load = g.state[choice.get("load") or choice["target"]]
        if (load.id in mine or blocks(g, load)) and (choice["verb"] == "lead" or load.immobilized or not load.conscious):
            yield choice, 1.6


def leave(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Over the edge, with whom they came for."""
    return ((choice, 5.0) for choice in (few(offers) if is_home_bound(g, man) else ()))


def bandage(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """Himself first; nobody bandages the nearly dead or the enemy, unless he is the man they came for."""
    for choice in few(offers):
        patient = g.state[choice.get("patient") or man.id]
        if (patient.side == man.side or (is_wanted(g, patient) and patient.captured)) and patient.hp > PAST_HELP:
            yield choice, 1.7 if man.ima and patient.id == man.id else 1.2


def wake(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """A friend, for want of anything better."""
    return ((choice, 0.1) for choice in few(offers) if g.state[choice["patient"]].side == man.side)


def back(g: Fight, man: Model, offers: Iterable[Offer]) -> Scored:
    """To his leader, if it gets him a step nearer."""
    return ((choice, 1.0) for choice in few(offer for offer in offers if offer.cost.get("ap", 0) > 0))


def plain(value: float) -> Scorer:
    """Always worth the same."""
    return lambda g, man, offers: ((choice, value) for choice in few(offers))


SCORERS: dict[str, Scorer] = {
    "fire": fire, "throw": throw, "launch": burst, "reload": reload, "walk": moves, "run": moves, "crawl": moves, "prone": prone,
    "stand": stand, "watch": watch, "open_door": breach, "force_door": breach, "set_shaped_charge": breach, "set_c4": breach,
    "pick_up": pass_on, "hand_over": pass_on, "blow_fuse": blow_up, "trigger": trigger, "demand": demand, "tackle": rush,
    "charge": rush, "knock_out": strike, "blow": strike, "bind": bind, "lead": take_along, "pick_up_wounded": take_along,
    "exit": leave, "bandage": bandage, "medic_aid": plain(1.3), "wake_help": wake, "take_cover": plain(1.0), "return": back,
    "board": plain(2.0), "free_prisoner": plain(0.8),
}  # fmt: skip
