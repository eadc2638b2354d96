"""Climbing up and down, by hand, ladder or rope; dropping, falling and rappelling."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from typing import NamedTuple, TypeAlias

from wardogs.kernel.offers import Ask, Choice, Flag, Offer, Refusal, Spot
from wardogs.systems.dogs.data import BODY, COSTS
from wardogs.systems.dogs.faces import CLIMBING, Way, exact, on_ladder, ways_over
from wardogs.systems.dogs.figures import MOVES
from wardogs.systems.dogs.lists import GEAR
from wardogs.systems.dogs.measure import CLOSE, within
from wardogs.systems.dogs.memory import remembered
from wardogs.systems.dogs.moving import leave_contacts, lose_watches, nothing, why_not_free
from wardogs.systems.dogs.state import Fight, Id, Model, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, short_of_ap, unpacked
from wardogs.systems.dogs.ways import factor
from wardogs.systems.dogs.wounds import Round, strike
from wardogs.table.units import Inches, Place


class Rung(NamedTuple):
    """A place on the way, and how high he hangs there above the ground."""

    x: Inches
    y: Inches
    z: Inches
    hangs: Inches


class Places(NamedTuple):
    """A short list of places to choose from."""

    places: tuple[Place, ...]

    def admits(self, place: tuple[float, ...]) -> bool:
        return tuple(place) in self.places

    @property
    def size(self) -> int:
        return len(self.places)

    def pick(self, index: int) -> Place:
        return self.places[index]


# ---- what it takes ---------------------------------------------------------------------------------------------------


def why_not_hands(g: Fight, man: Model) -> Iterator[Refusal]:
    """DOW-HLT-04, DOW-MOV-08: on his feet, on the ground, with nobody in tow."""
    if man.immobilized:
        yield Refusal("DOW-HLT-04", "immobilized")
    if man.vehicle:
        yield Refusal("DOW-VEH-06", "aboard")
    if man.stance == "prone":
        yield Refusal("DOW-MOV-08", "prone")
    if man.halted:
        yield Refusal("DOW-MOV-19", "fired_standing")
    if man.leading:
        yield Refusal("DOW-TAK-07", "prisoner_in_tow")


def why_not_arms(g: Fight, man: Model) -> Iterator[Refusal]:
    yield from why_not_hands(g, man)
    yield from why_no_arms(man)


def why_no_arms(man: Model) -> Iterator[Refusal]:
    """DOW-DMG-09: climbing takes both arms; one in pain does one act a turn."""
    if man.useless:
        yield Refusal("DOW-DMG-09", "arm_useless", {"hands": 2})
    if set(man.painful) & set(man.pain_used):
        yield Refusal("DOW-DMG-09", "arm_hurts", {"hands": 2})


def has_rope(g: Fight, man: Model) -> bool:
    """DOW-MOV-12, DOW-EQP-18: bought, or part of a mountaineer's kit."""
    return "rope" in man.gear or man.has("rope") > 0 or is_mountaineer(g, man)


def is_mountaineer(g: Fight, man: Model) -> bool:
    return "mountaineering" in g.terms.who[man.id].perks


def highest(g: Fight, man: Model) -> Inches:
    """DOW-MOV-11, -12: twice his height by hand; as high as the rope is long."""
    return float(GEAR["rope"].length) if has_rope(g, man) else COSTS.climb_limit_heights * BODY.height


def climbed(g: Fight, man: Model, height: Inches, ladder: bool) -> int:
    """DOW-MOV-11, -12, -25, DOW-TRT-12: two AP an inch; one for a mountaineer on his rope."""
    rate = CLIMBING.mountaineer_per_inch if is_mountaineer(g, man) and not ladder else COSTS.climb_per_inch
    return factor(man) * rate * ceil(height - CLOSE)


def way_cost(g: Fight, man: Model, way: Way) -> int:
    """Up to the crest and down behind it; a drop that is safe is free (DOW-MOV-23)."""
    up = climbed(g, man, way.up, way.ladder) if way.up > CLIMBING.step else 0
    return up + (climbed(g, man, way.down, way.ladder) if within(MOVES.fall, way.down) else 0)


def foot_of(man: Model) -> Inches:
    return exact(man.at[2] - man.climbing)


def is_too_high(g: Fight, man: Model, way: Way) -> bool:
    """DOW-MOV-11: the whole structure counts, from the ground up."""
    return not way.ladder and not within(max(way.crest - foot_of(man), way.down), highest(g, man))


# ---- where he may end ------------------------------------------------------------------------------------------------


@remembered
def climbs(g: Fight, man: Model) -> dict[Place, tuple[int, tuple[Rung, ...]]]:
    """Every end of a climb with its cost and its rungs, whatever AP he has: over it, onto it, and halts part-way."""
    found: dict[Place, tuple[int, tuple[Rung, ...]]] = {}
    for way in ways_over(g, man):
        if not is_too_high(g, man, way):
            for place, needs, rungs in ends_of(g, man, way):
                if needs > 0:
                    found.setdefault(place, (needs, rungs))
    if man.climbing:
        x, y, z = man.at
        rungs = tuple(_falling_rungs((x, y), z, foot_of(man)))
        found.setdefault((x, y, foot_of(man)), (climbed(g, man, man.climbing, on_ladder(g, man)), rungs))
    return found


def ends_of(g: Fight, man: Model, way: Way) -> Iterator[tuple[Place, int, tuple[Rung, ...]]]:
    """DOW-MOV-11: the far side, and every inch of the face on the way."""
    foot = foot_of(man)
    ups = list(_rising_rungs(way, foot)) if way.up > CLIMBING.step else []
    steep = within(MOVES.fall, way.down)
    downs = list(_falling_rungs(way.far[:2], way.crest, way.far[2])) if steep else [Rung(*way.far, 0.0)]
    yield way.far, way_cost(g, man, way), (*ups, *downs)
    for k, rung in enumerate(ups, 1):
        yield rung[:3], climbed(g, man, rung.z - way.near[2], way.ladder), tuple(ups[:k])
    up = climbed(g, man, way.up, way.ladder) if ups else 0
    for k, rung in enumerate(downs[:-1], 1):
        yield rung[:3], up + climbed(g, man, way.crest - rung.z, way.ladder), (*ups, *downs[:k])


def _rising_rungs(way: Way, foot: Inches) -> Iterator[Rung]:
    x, y, z = way.near
    for k in range(1, ceil(way.up - CLOSE) + 1):
        high = exact(min(z + k, way.crest))
        yield Rung(x, y, high, exact(high - foot))


def _falling_rungs(point: tuple[Inches, Inches], top: Inches, bottom: Inches) -> Iterator[Rung]:
    for k in range(1, ceil(top - bottom - CLOSE) + 1):
        low = exact(max(top - k, bottom))
        yield Rung(*point, low, exact(low - bottom))


# ---- climbing (DOW-MOV-11, -12) --------------------------------------------------------------------------------------


def climb_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if first_refusal(why_not_arms(g, man)) is not None or not man.ap:
        return
    by_cost: dict[int, list[Place]] = {}
    for place, (needs, _) in climbs(g, man).items():
        if needs <= man.ap:
            by_cost.setdefault(needs, []).append(place)
    for needs, places in sorted(by_cost.items()):
        yield Offer("climb", "DOW-MOV-11", one(man.id, to=Spot.on("climb", Places(tuple(places)))), ap(needs))


def wanted(choice: Choice) -> Place | None:
    to = choice.get("to")
    return (float(to[0]), float(to[1]), float(to[2])) if isinstance(to, list) and len(to) == 3 else None


def why_not_climb(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    if (refusal := first_refusal(why_not_arms(g, man))) is not None:
        return refusal
    place, found = wanted(choice), climbs(g, man)
    if place in found:
        return short_of_ap(man, found[place][0], "DOW-MOV-11")
    high = [way for way in ways_over(g, man) if is_too_high(g, man, way)]
    if high and (place is None or any(way.far == place for way in high)):
        rule = "DOW-MOV-12" if has_rope(g, man) else "DOW-MOV-11"
        return Refusal(rule, "too_high", {"most": highest(g, man), "height": round(max(way.up for way in high), 1)})
    if found and place is None:
        return short_of_ap(man, min(needs for needs, _ in found.values()), "DOW-MOV-11")
    return Refusal("DOW-MOV-11", "nothing_to_climb")


def climb_cost(g: Fight, man: Model, choice: Choice) -> int:
    place = wanted(choice)
    assert place is not None
    return climbs(g, man)[place][0]


def climb(g: Fight, args: Packed) -> None:
    """DOW-MOV-11: rung by rung, and watchers see each."""
    choice = unpacked(args)
    man, place = g.state[choice["model"]], wanted(choice)
    found = climbs(g, man) if man.able and not man.immobilized and man.stance == "standing" else {}
    if place is None or place not in found:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    g.report("DOW-MOV-11", "climbs", who=man.id, to=place, ap=man.ap_before - man.ap)
    rungs = found[place][1]
    leave_first(g, man, tuple(rung[:3] for rung in rungs))
    g.edit(man.id, pain_used=tuple(sorted({*man.pain_used, *man.painful})))
    g.then(rung_by_rung, man.id, rungs, tuple(price_of(g, man, rung, found) for rung in rungs), 0)


def price_of(g: Fight, man: Model, rung: Rung, found: dict[Place, tuple[int, tuple[Rung, ...]]]) -> int:
    """What it costs him to get to a rung: that of a climb that ends there."""
    return found[rung[:3]][0] if rung[:3] in found else climbed(g, man, abs(rung.z - man.at[2]), on_ladder(g, man))


def leave_first(g: Fight, man: Model, way: tuple[Place, ...]) -> None:
    """DOW-CQC-16: who leaves a melee is struck at, up a wall too."""
    from wardogs.systems.dogs.measure import in_melee

    if in_melee(g, man):
        later(g, "parting", man.id, (man.at, *way))


def rung_by_rung(g: Fight, who: Id, rungs: tuple[tuple[float, float, float, float], ...], prices: Prices, done: int) -> None:
    """DOW-MOV-11, -27: the next inch; who is hit, ducks or breaks gets no farther, and others may stop after an interrupt."""
    man = g.state[who]
    stuck = done > 0 and not man.climbing  # he fell
    left = prices[-1] - prices[done - 1] if done else 0
    if done == len(rungs) or not man.able or man.ima or man.stance == "prone" or man.immobilized or stuck:
        g.then(stays_there, who, left if man.conscious else 0)
        return
    if g.state.interrupted and done > 0:
        offers = (Offer("march", "DOW-MOV-27", {"on": Flag()}),)
        if not g.ask("DOW-MOV-27", man.side, Ask("march", offers, {"verb": "march", "on": True}))["on"]:
            g.then(stays_there, who, left)
            return
    g.then(next_rung, who, rungs, prices, done)


Prices: TypeAlias = tuple[int, ...]  # what it costs to get to each rung


def next_rung(g: Fight, who: Id, rungs: tuple[tuple[float, float, float, float], ...], prices: Prices, done: int) -> None:
    man = g.state[who]
    x, y, z, hangs = rungs[done]
    g.change(interrupted=False)
    put(g, man, (x, y, z), hangs)
    later(g, "window", other(man.side), "move", who)
    g.then(rung_by_rung, who, rungs, prices, done + 1)


def stays_there(g: Fight, who: Id, refund: int) -> None:
    """DOW-MOV-27: who stops on the face has paid for the inches done."""
    g.edit(who, ap=g.state[who].ap + refund)
    g.then(climbed_down, who)


def put(g: Fight, man: Model, place: Place, hangs: Inches = 0.0) -> None:
    """Somewhere else, with whom he carries; he has moved."""
    moved = man.moved if man.moved == "run" else "walk"
    seen = man.seen_moving if man.seen_moving == "run" else "walk"
    g.edit(man.id, at=place, climbing=hangs, moved=moved, seen_moving=seen)
    if man.carrying:
        g.edit(man.carrying, at=place)
    leave_contacts(g, g.state[man.id])
    lose_watches(g, g.state[man.id])


def climbed_down(g: Fight, who: Id) -> None:
    """What the end of a climb brings: mines, courage, those whom he meets."""
    man = g.state[who]
    g.report("DOW-MOV-11", "clings" if man.climbing else "has_climbed", who=who, at=man.at)
    g.then(landed, who, man.at)


def landed(g: Fight, who: Id, before: Place) -> None:
    """Back on his feet somewhere: as after any move."""
    man = g.state[who]
    if man.climbing or not man.free or not man.on_table:
        return
    later(g, "mines_under", who)
    later(g, "courage", who, before)


# ---- dropping and falling (DOW-MOV-23) -------------------------------------------------------------------------------


@remembered
def drops(g: Fight, man: Model) -> dict[Place, Inches]:
    """Where he may let himself fall, and how deep."""
    found: dict[Place, Inches] = {}
    if man.climbing:
        found[man.at[0], man.at[1], foot_of(man)] = man.climbing
    for way in ways_over(g, man):
        deep = way.near[2] - way.far[2]
        at_the_top = within(way.up, CLIMBING.step if man.climbing else MOVES.low_wall)
        if at_the_top and deep > CLIMBING.step and not way.ladder:
            found.setdefault(way.far, exact(deep))
    return found


def drop_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_let_go(g, man) is None and (places := tuple(drops(g, man))):
        yield Offer("drop_down", "DOW-MOV-23", one(man.id, to=Spot.on("drop", Places(places))), ap(0))


def why_not_let_go(g: Fight, man: Model) -> Refusal | None:
    return first_refusal(why_not_hands(g, man)) or why_not_free(man, "drop_down")


def why_not_drop(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    return why_not_let_go(g, man) or Refusal("DOW-MOV-23", "nowhere_to_drop")


def drop_down(g: Fight, args: Packed) -> None:
    """DOW-MOV-23: below an inch and a half it is safe."""
    choice = unpacked(args)
    man, place = g.state[choice["model"]], wanted(choice)
    deep = drops(g, man).get(place) if place else None
    if place is None or deep is None:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    leave_first(g, man, (place,))
    g.then(let_himself_fall, man.id, place, deep)


def let_himself_fall(g: Fight, who: Id, place: Place, deep: Inches) -> None:
    man = g.state[who]
    if not man.able or man.stance == "prone":
        return
    put(g, man, place)
    g.report("DOW-MOV-23", "lets_go", who=who, deep=deep)
    g.then(hits_the_ground, who, deep)
    later(g, "window", other(man.side), "move", who)


def hits_the_ground(g: Fight, who: Id, deep: Inches) -> None:
    """DOW-MOV-23: from an inch and a half on: prone and one damage roll, DPR by the inch, no armor, no cover."""
    man = g.state[who]
    if within(MOVES.fall, deep):
        g.edit(who, stance="prone", climbing=0.0, opfire=False)
        g.report("DOW-MOV-23", "falls", who=who, deep=deep)
        g.then(strike, who, Round("", None, floor(deep + CLOSE), None, cause="fall"))
    g.then(landed, who, man.at)


def fall_off(g: Fight, who: Id) -> None:
    """DOW-MOV-23: a climber who is wounded, or ducks, falls."""
    man = g.state[who]
    if man.climbing and man.on_table:
        foot = (man.at[0], man.at[1], foot_of(man))
        for id_ in (who, man.carrying) if man.carrying else (who,):
            g.edit(id_, at=foot, climbing=0.0)
        leave_contacts(g, g.state[who])
        g.report("DOW-MOV-23", "loses_his_hold", who=who, deep=man.climbing)
        g.then(hits_the_ground, who, man.climbing)


# ---- rappelling (DOW-TRT-12) -----------------------------------------------------------------------------------------


def rappels(g: Fight, man: Model) -> tuple[Place, ...]:
    deep = {way.far: way.near[2] - way.far[2] for way in ways_over(g, man) if within(way.up, MOVES.low_wall) and not way.ladder}
    return tuple(place for place, height in deep.items() if height > CLIMBING.step and within(height, CLIMBING.rappel))


def rappel_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_rope(g, man) is None and (places := rappels(g, man)):
        yield Offer("rappel", "DOW-TRT-12", one(man.id, to=Spot.on("rappel", Places(places))), ap(rappel_cost(g, man, {})))


def why_not_rope(g: Fight, man: Model) -> Refusal | None:
    if not is_mountaineer(g, man):
        return Refusal("DOW-TRT-12", "no_mountaineer", {"who": man.id})
    return first_refusal(why_not_arms(g, man)) or short_of_ap(man, rappel_cost(g, man, {}), "DOW-TRT-12")


def why_not_rappel(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    return why_not_rope(g, man) or Refusal("DOW-TRT-12", "nowhere_to_rappel", {"most": CLIMBING.rappel})


def rappel_cost(g: Fight, man: Model, choice: Choice) -> int:
    return factor(man) * COSTS.rappel


def rappel(g: Fight, args: Packed) -> None:
    """DOW-TRT-12: down the rope, and standing at its end."""
    choice = unpacked(args)
    man, place = g.state[choice["model"]], wanted(choice)
    if place is None or not man.able or man.stance == "prone" or place not in rappels(g, man):
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    leave_first(g, man, (place,))
    g.edit(man.id, pain_used=tuple(sorted({*man.pain_used, *man.painful})))
    g.then(down_the_rope, man.id, place)


def down_the_rope(g: Fight, who: Id, place: Place) -> None:
    man = g.state[who]
    if not man.able or man.stance == "prone":
        return
    put(g, man, place)
    g.report("DOW-TRT-12", "rappels", who=who, at=place)
    g.then(landed, who, man.at)
    later(g, "window", other(man.side), "move", who)


VERBS = (
    Verb("climb", "DOW-MOV-11", climb_offers, climb, why_not_climb, climb_cost),
    Verb("drop_down", "DOW-MOV-23", drop_offers, drop_down, why_not_drop, nothing, watched=False),
    Verb("rappel", "DOW-TRT-12", rappel_offers, rappel, why_not_rappel, rappel_cost),
)
PARAGRAPHS = (
    climb, rung_by_rung, next_rung, stays_there, climbed_down, landed, drop_down, let_himself_fall, hits_the_ground, fall_off,
    rappel, down_the_rope,
)  # fmt: skip
