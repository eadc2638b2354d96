"""Rules of thumb, as scores on choices that are worth a thought: about shares of a man put out of the fight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import hypot

from wardogs.kernel.fate import Fast
from wardogs.kernel.offers import Choice, Offer, Spot
from wardogs.kernel.system import Seen
from wardogs.systems.dogs.bot_aim import attack_worth, worth
from wardogs.systems.dogs.bot_moves import candidates, goal, place_values
from wardogs.systems.dogs.data import HAND_THROW, WEAPONS
from wardogs.systems.dogs.measure import bearing, gap, plan_gap
from wardogs.systems.dogs.shooting import attack_of
from wardogs.systems.dogs.state import Fight, Model
from wardogs.systems.dogs.verbs import doer
from wardogs.systems.dogs.ways import Gait

Advice = list[tuple[Choice, float]]


def scores(seen: Seen) -> list[float]:
    """For questions whose offers are short: what silence means scores one."""
    assert seen.ask is not None
    return [float(choice == seen.ask.default) for choice in seen.ask.playable]


def advice(seen: Seen) -> Advice:
    """The choices worth a thought at this question, each with its score."""
    assert seen.ask is not None
    game: Fight = seen.imagined(Fast(0))
    adviser = ADVISERS.get(seen.ask.topic)
    found = sorted(adviser(game, seen), key=lambda pair: -pair[1])[:BEST] if adviser else []
    return [(choice, SCALE * score) for choice, score in found] or [(seen.ask.default, 1.0)]


BEST, SCALE = 4, 8.0  # only the best few are mixed, and a tenth of a man is a clear reason


def _offers(seen: Seen) -> Sequence[Offer]:
    assert seen.ask is not None
    return seen.ask.offers


# ---- slots -----------------------------------------------------------------------------------------------------------


def _slot(g: Fight, seen: Seen) -> Iterator[tuple[Choice, float]]:
    """The man with the best shot or in the worst place first; a whole team while nobody is in sight."""
    for offer in _offers(seen):
        if offer.verb == "activate":
            for id_ in offer.fields["model"].among:  # type: ignore[union-attr]
                yield {"verb": "activate", "model": id_}, _urgency(g, g.state[id_])
        elif offer.verb not in ("activate_team", "skip"):
            yield offer.pick(0 if offer.size == 1 else offer.size // 2), 3.0
        elif offer.verb == "skip":
            yield {"verb": "skip"}, 0.1


def _urgency(g: Fight, man: Model) -> float:
    value = 0.2 if man.ima or man.bleeding else 0.0
    enemies = [enemy for enemy in g.state.enemies(man) if not enemy.captured]
    near = min((gap(man, enemy) for enemy in enemies), default=48.0)
    value += max(0.0, 1 - near / 30)
    return value - (0.3 if man.opfire else 0.0)


# ---- acts ------------------------------------------------------------------------------------------------------------

FIXED = {
    "demand": 5.0, "bind": 1.5, "bandage": 1.2, "medic_aid": 1.3, "wake_help": 0.1, "take_cover": 1.0,
    "return": 1.0, "blow": 0.9, "knock_out": 0.1, "board": 2.0, "exit": -1.0, "free_prisoner": 0.8, "lead": 1.5,
    "break_free": 1.0, "set_shaped_charge": 0.3, "trigger": 0.1, "blow_fuse": 0.3, "cross": 0.05,
    "swap": 0.02, "pick_up_wounded": 0.3,
}  # fmt: skip
END = 0.04


def _act(g: Fight, seen: Seen) -> Iterator[tuple[Choice, float]]:
    yield {"verb": "end_slot"}, END
    assert seen.ask is not None
    for verb in (*SCORERS, *FIXED):
        for offer in seen.ask.like({"verb": verb}):
            if (scorer := SCORERS.get(verb)) is not None:
                yield from scorer(g, offer)
                continue
            for k in range(min(offer.size, 4)):
                choice = offer.pick(k)
                yield choice, FIXED[verb] + _for_whom(g, choice)


def _for_whom(g: Fight, choice: Choice) -> float:
    """Bandages for those who need them most; nobody bandages the nearly dead."""
    if choice["verb"] == "bandage":
        helper, patient = g.state[choice["model"]], g.state[choice.get("patient") or choice["model"]]
        if patient.id == helper.id:
            return 0.5 if patient.ima else 0.0
        return -1.0 if patient.hp <= -7 or patient.side != helper.side else 0.0
    return 0.0


def _fire(g: Fight, offer: Offer) -> Iterator[tuple[Choice, float]]:
    """What it is worth for its AP, against what a whole activation may be worth."""
    needs = offer.cost["ap"]
    for k in range(min(offer.size, 6)):
        choice = offer.pick(k)
        if choice.get("spotter"):
            continue
        value = attack_worth(g, attack_of(choice))
        yield choice, value * (1.0 + 1.2 / needs) - 0.02


def _moves(g: Fight, offer: Offer) -> Iterator[tuple[Choice, float]]:
    """To a better place, if it is much better than this one; what is left of his AP counts a little."""
    man = g.state[doer(offer)]
    gait: Gait = offer.verb  # type: ignore[assignment]
    if gait != best_gait(g, man):
        return
    spot = offer.fields["to"]
    assert isinstance(spot, Spot)
    found = candidates(g, man, gait, man.ap)
    if not found:
        return
    stance = "prone"
    values = place_values(g, man, [man.at, *(place for place, _ in found)], stance)
    for (place, _), value in sorted(zip(found, values[1:], strict=True), key=lambda pair: -pair[1])[:3]:
        gain = value - values[0] - 0.03
        to = list(place)
        if gain > 0 and spot.admits(to):
            face = _face(g, man, place)
            yield {"verb": gait, "model": man.id, "to": to, "face": face}, gain


def best_gait(g: Fight, man: Model) -> Gait:
    """Far from the enemy he runs; near him he walks; once prone he crawls unless there is AP to spare."""
    if man.stance == "prone":
        return "crawl"
    if man.moved != "none":
        return man.moved
    near = min((plan_gap(man, enemy) for enemy in g.state.enemies(man) if not enemy.incapacitated), default=48.0)
    return "run" if near > RUN_FROM and man.ap >= 6 and not man.slow and not man.ima else "walk"


RUN_FROM = 24.0  # inches to the nearest enemy from which on a man may run


def _face(g: Fight, man: Model, place: tuple[float, float, float]) -> int:
    """Towards the nearest enemy, or to where he is going."""
    enemies = [enemy for enemy in g.state.enemies(man) if not enemy.incapacitated]
    near = min(enemies, key=lambda enemy: hypot(enemy.at[0] - place[0], enemy.at[1] - place[1]), default=None)
    aim = near.at[:2] if near else goal(g, man) or (24.0, 24.0)
    return int(15 * round(bearing(place, aim) / 15)) % 360


def _prone(g: Fight, offer: Offer) -> Iterator[tuple[Choice, float]]:
    """Never end an activation standing in the open; but only when he has nowhere left to go."""
    man = g.state[doer(offer)]
    if man.ap <= 3 or man.moved != "none":
        yield offer.pick(0), 0.08


def _watch(g: Fight, offer: Offer) -> Iterator[tuple[Choice, float]]:
    man = g.state[doer(offer)]
    yield {"verb": "watch", "model": man.id, "face": _face(g, man, man.at), "order": "ask"}, 0.07


def _reload(g: Fight, offer: Offer) -> Iterator[tuple[Choice, float]]:
    """When the magazine runs low, not before."""
    for k in range(min(offer.size, 3)):
        choice = offer.pick(k)
        held = g.state[choice["model"]].weapon(choice["weapon"])
        full = WEAPONS[choice["weapon"]].magazine
        yield choice, 0.35 if held is not None and held.loaded <= full // 5 else -0.5


def _throw(g: Fight, offer: Offer) -> Iterator[tuple[Choice, float]]:
    """Into groups, not near one's own."""
    if "target" not in offer.fields:
        return
    for k in range(min(offer.size, 8)):
        choice = offer.pick(k)
        at = g.state[choice["target"]].at if choice.get("target") else choice.get("mark")
        if at is None:
            continue
        thrower = g.state[choice["model"]]
        if hypot(at[0] - thrower.at[0], at[1] - thrower.at[1]) > (HAND_THROW.reach if offer.verb == "throw" else 60.0):
            continue
        value = 0.0
        for man in g.state.models:
            far = hypot(man.at[0] - at[0], man.at[1] - at[1])
            if man.alive and man.on_table and far <= 4:
                value += (0.35 if far <= 1.5 else 0.15) * worth(g, man) * (1 if man.side != thrower.side else -3)
        yield choice, value - 0.05


def _charge(g: Fight, offer: Offer) -> Iterator[tuple[Choice, float]]:
    """Only where one is the better fighter; never a man who may wear a vest."""
    for k in range(min(offer.size, 4)):
        choice = offer.pick(k)
        man, enemy = g.state[choice["model"]], g.state[choice["target"]]
        mine, his = g.terms.who[man.id], g.terms.who[enemy.id]
        if "jihad" in his.perks or enemy.incapacitated:
            continue
        edge = mine.st - his.st if choice["verb"] == "tackle" else mine.cq - his.cq
        yield choice, 0.15 + 0.1 * edge


SCORERS: dict[str, Callable[[Fight, Offer], Iterator[tuple[Choice, float]]]] = {
    "fire": _fire, "walk": _moves, "run": _moves, "crawl": _moves, "prone": _prone, "watch": _watch, "throw": _throw,
    "launch": _throw, "reload": _reload, "charge": _charge, "tackle": _charge,
}  # fmt: skip


# ---- windows ---------------------------------------------------------------------------------------------------------


HOLD, HOPELESS = 0.16, 0.06  # what a better target later is worth; below that nobody will come of this act


def _op_fire(g: Fight, seen: Seen) -> Iterator[tuple[Choice, float]]:
    """At the first good target, not at one who lies down; a bird in the hand."""
    best = 0.0
    for offer in _offers(seen):
        if offer.verb == "op_fire":
            for k in range(min(offer.size, 6)):
                choice = offer.pick(k)
                value = attack_worth(g, attack_of(choice, True))
                best = max(best, value)
                yield choice, value
        elif offer.verb == "hold":
            yield {"verb": "hold"}, HOLD
        elif offer.verb == "hold_on" and best < HOPELESS:
            yield {"verb": "hold_on"}, HOLD + 0.1


def _again(g: Fight, seen: Seen) -> Iterator[tuple[Choice, float]]:
    yield {"verb": "stop"}, 0.0
    for offer in _offers(seen):
        if offer.verb == "op_fire":
            for k in range(min(offer.size, 6)):
                choice = offer.pick(k)
                yield choice, attack_worth(g, attack_of(choice, True))


APART = 3.5  # inches between two men: out of one burst


def _deploy(g: Fight, seen: Seen) -> Iterator[tuple[Choice, float]]:
    """Some places of the zone: near each other, out of sight of the far side, facing it."""
    for offer in _offers(seen):
        spot = offer.fields.get("at") or offer.fields.get("to")
        if not isinstance(spot, Spot) or not offer.size:
            continue
        size = spot.size
        middle = (g.terms.map.size[0] / 2, g.terms.map.size[1] / 2)
        for k in range(0, size, max(1, size // 12)):
            at = spot.pick(k)
            choice = {**offer.pick(0), next(name for name, domain in offer.fields.items() if domain is spot): at}
            if "face" in choice:
                choice["face"] = int(15 * round(bearing((at[0], at[1]), middle) / 15)) % 360
            mates = [man for man in g.state.models if man.on_table and man.side == seen.seat]
            far = min((hypot(man.at[0] - at[0], man.at[1] - at[1]) for man in mates), default=APART)
            yield choice, -0.03 * abs(far - APART) - 0.01 * hypot(at[0] - middle[0], at[1] - middle[1])


ADVISERS: dict[str, Callable[[Fight, Seen], Iterator[tuple[Choice, float]]]] = {
    "slot": _slot, "act": _act, "op_fire": _op_fire, "op_fire_again": _again, "deploy": _deploy,
}  # fmt: skip
