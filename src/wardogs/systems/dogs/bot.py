"""Rules of thumb, as scores on choices that are worth a thought: about shares of a man put out of the fight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot

from wardogs.kernel.fate import Fast
from wardogs.kernel.offers import Choice, Offer, Spot
from wardogs.kernel.system import Seen
from wardogs.systems.dogs.bot_acts import SCORERS, Scored, blow_up, few
from wardogs.systems.dogs.bot_aim import attack_worth
from wardogs.systems.dogs.bot_goals import goal
from wardogs.systems.dogs.commanding import is_leader
from wardogs.systems.dogs.masonry import holds
from wardogs.systems.dogs.measure import bearing, gap
from wardogs.systems.dogs.shooting import attack_of
from wardogs.systems.dogs.state import Fight, Model

Advice = list[tuple[Choice, float]]


def scores(seen: Seen) -> list[float]:
    """For questions whose offers are short: what silence means scores one."""
    assert seen.ask is not None
    return [float(choice == seen.ask.default) for choice in seen.ask.playable]


def advice(seen: Seen) -> Advice:
    """The choices worth a thought at this question, each with its score."""
    assert seen.ask is not None
    adviser = ADVISERS.get(seen.ask.topic)
    if adviser is None:
        return [(seen.ask.default, 1.0)]
    found = sorted(adviser(seen.imagined(Fast(0)), seen), key=lambda pair: -pair[1])[:BEST]
    return [(choice, SCALE * score) for choice, score in found] or [(seen.ask.default, 1.0)]


BEST, SCALE = 4, 8.0  # only the best few are mixed, and a tenth of a man is a clear reason


def _offers(seen: Seen) -> Sequence[Offer]:
    assert seen.ask is not None
    return seen.ask.offers


# ---- slots -----------------------------------------------------------------------------------------------------------


def _slot(g: Fight, seen: Seen) -> Scored:
    """Leaders, the wounded and those in the thick of it first; what comes from outside as soon as it may."""
    for offer in _offers(seen):
        if offer.verb == "activate":
            for id_ in offer.fields["model"].among:  # type: ignore[union-attr]
                yield {"verb": "activate", "model": id_}, _urgency(g, g.state[id_])
        elif offer.verb == "skip":
            yield {"verb": "skip"}, 0.1
        elif offer.verb != "activate_team":
            yield from _arrivals(g, offer)


def _arrivals(g: Fight, offer: Offer) -> Scored:
    """Some of the places where they may come down: near what they are wanted for."""
    first, spot = offer.pick(0), offer.fields.get("at")
    if isinstance(spot, Spot):
        team = g.state.team(first.get("team", ""))
        aim = (goal(g, g.state[team.leader]) if team is not None else None) or spot.pick(0)
        for k in range(0, spot.size, max(1, spot.size // DROPS)):
            at = spot.pick(k)
            yield {**first, "at": at}, 3.0 - 0.01 * hypot(at[0] - aim[0], at[1] - aim[1])


DROPS = 24


def _urgency(g: Fight, man: Model) -> float:
    near = min((gap(man, enemy) for enemy in g.state.enemies(man) if not enemy.captured), default=30.0)
    value = max(0.0, 1 - near / 30) + (0.2 if is_leader(g, man) or man.bleeding else 0.0)
    return value - (0.3 if man.opfire else 0.0)


# ---- acts ------------------------------------------------------------------------------------------------------------

END = 0.04


def _act(g: Fight, seen: Seen) -> Scored:
    """All that one of the active men may do and is worth a thought; or no more."""
    yield {"verb": "end_slot"}, END
    assert seen.ask is not None
    for id_ in g.state.active:
        for verb, scorer in SCORERS.items():
            yield from scorer(g, g.state[id_], seen.ask.like({"verb": verb, "model": id_}))


# ---- windows ---------------------------------------------------------------------------------------------------------

HOLD, HOPELESS = 0.16, 0.06  # what a better target later is worth; below that nobody will come of this act


def _op_fire(g: Fight, seen: Seen) -> Scored:
    """At the first good target, not at one who lies down; a bird in the hand."""
    best = 0.0
    for offer in _offers(seen):
        if offer.verb == "op_fire":
            for choice in few([offer]):
                value = attack_worth(g, attack_of(choice, True))
                best = max(best, value)
                yield choice, value
        elif offer.verb == "hold":
            yield {"verb": "hold"}, HOLD
        elif offer.verb == "hold_on" and best < HOPELESS:
            yield {"verb": "hold_on"}, HOLD + 0.1


def _again(g: Fight, seen: Seen) -> Scored:
    """What is left of his six AP is lost otherwise."""
    yield {"verb": "stop"}, 0.0
    fires = (offer for offer in _offers(seen) if offer.verb == "op_fire")
    yield from ((choice, attack_worth(g, attack_of(choice, True))) for choice in few(fires))


def _fuse(g: Fight, seen: Seen) -> Scored:
    """A charge is blown as soon as one's own are clear of it."""
    anybody = next(man for man in g.state.models if man.side == seen.seat)
    yield from blow_up(g, anybody, _offers(seen))


# ---- deployment ------------------------------------------------------------------------------------------------------

APART = 3.5  # inches between two men: out of one burst
SPOTS = 12
INDOORS = 0.3  # against a place in a house or on it: it may be shut


def _deploy(g: Fight, seen: Seen) -> Scored:
    """Some places of the zone: near each other and near the middle, facing it, and in the open."""
    offer = _offers(seen)[0]
    spot = offer.fields["at"]
    assert isinstance(spot, Spot)
    middle = (g.terms.map.size[0] / 2, g.terms.map.size[1] / 2)
    mates = [man.at for man in g.state.of(seen.seat)] if seen.seat else []
    for k in range(0, spot.size, max(1, spot.size // SPOTS)):
        at = spot.pick(k)
        far = min((hypot(x - at[0], y - at[1]) for x, y, _ in mates), default=APART)
        face = int(15 * round(bearing((at[0], at[1]), middle) / 15)) % 360
        value = -0.03 * abs(far - APART) - 0.01 * hypot(at[0] - middle[0], at[1] - middle[1])
        value -= INDOORS if any(holds(house, at) for house in g.terms.map.buildings) else 0.0
        yield {**offer.pick(0), "at": at, "face": face}, value


ADVISERS: dict[str, Callable[[Fight, Seen], Scored]] = {
    "slot": _slot, "act": _act, "op_fire": _op_fire, "op_fire_again": _again, "fuse": _fuse, "deploy": _deploy,
}  # fmt: skip
