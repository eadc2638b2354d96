"""From a hit to a wound: location, cover, armor, damage, and what it does to a man."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from wardogs.kernel.dice import D10, at_most, reading
from wardogs.kernel.offers import Ask, Flag, Offer
from wardogs.systems.dogs.data import COVERS, LOCATIONS, TO_HIT, WOUNDS, Wound, wound_column
from wardogs.systems.dogs.falling import collapse_of_a_man, led_no_more
from wardogs.systems.dogs.morale import near_miss, shell_shock
from wardogs.systems.dogs.seeing import Covered, look_from
from wardogs.systems.dogs.state import Fight, Id, Model
from wardogs.systems.dogs.steps import later
from wardogs.table.units import Place

HEAD = LOCATIONS[0]


class Round(NamedTuple):
    """What strikes: where it comes from, what it does, what may stop it. Plain figures, so that it can wait on the agenda."""

    by: Id  # who answers for it; "" is nobody
    source: Place | None  # the eye or burst that cover is judged from; None: no cover
    dpr: int
    arm: int | None  # None: armor does not help
    soft: int = 0
    hard: int = 0
    aimed: bool = False
    cause: str = "shot"  # shot, blast, blow, fall, collapse
    outright: bool = True  # a death by it is seen and shocks (DOW-MOR-05)


def strike(g: Fight, target: Id, round_: tuple[object, ...]) -> None:
    """DOW-LOC-01, -02: where it hits; an aimed round may be shifted by one."""
    shot = Round(*round_)  # type: ignore[arg-type]
    man = g.state[target]
    if not man.alive:
        return
    face = g.roll("DOW-LOC-01", D10, tuple(range(1, 11)), who=target, location=True)
    if shot.aimed and face > 1 and shot.by:
        ask = Ask("aimed_location", (Offer("shift", "DOW-LOC-02", {"down": Flag()}),), {"verb": "shift", "down": _better(face)})
        if g.ask("DOW-LOC-02", g.state[shot.by].side, ask)["down"]:
            face -= 1
    g.report("DOW-LOC-01", "struck", who=target, location=LOCATIONS[face - 1], by=shot.by)
    g.then(pierce, target, round_, LOCATIONS[face - 1])


def _better(face: int) -> bool:
    """A shooter who says nothing turns a chest into a head, and leaves all else as it fell."""
    return LOCATIONS[face - 2] == HEAD != LOCATIONS[face - 1]


def pierce(g: Fight, target: Id, round_: tuple[object, ...], location: str) -> None:
    """DOW-COV-02, -03: behind cover, the shooter rolls to go through it."""
    shot = Round(*round_)  # type: ignore[arg-type]
    behind = cover_at(g, target, shot, location)
    for cover in cover_rolls(g, shot, behind):
        score = cover_score(shot, cover)
        if not g.roll("DOW-COV-03", D10, at_most(D10, score), who=target, by=shot.by, need=score, cover=cover, location=location):
            g.report("DOW-COV-03", "stopped", who=target, cover=cover, location=location)
            return
    g.then(armor_check, target, round_, location)


def cover_at(g: Fight, target: Id, shot: Round, location: str) -> Covered:
    """DOW-COV-01, -06, -07: what a part of him lies behind, seen from where the round comes."""
    if shot.source is None:
        return Covered("")
    by = g.state[shot.by].vehicle if shot.by and shot.cause == "shot" else ""
    return look_from(g, shot.source, g.state[target], by, shot.cause == "blast").at[location]


def cover_rolls(g: Fight, shot: Round, behind: Covered) -> tuple[str, ...]:
    """DOW-COV-05: one roll, against the piece with the lowest score; or one for each, by the house rules."""
    if not behind.klass:
        return ()
    hardest_first = sorted(behind.covers, key=lambda cover: (cover_score(shot, cover), cover))
    return tuple(hardest_first) if g.terms.options.cover_each else tuple(hardest_first[:1])


def cover_score(shot: Round, cover: str) -> int:
    """DOW-COV-03, -04: the weapon's soft or hard score, and what the kind of cover adds."""
    kind = COVERS[cover]
    return (shot.soft if kind.klass == "soft" else shot.hard) + kind.mod


def armor_check(g: Fight, target: Id, round_: tuple[object, ...], location: str) -> None:
    """DOW-ARM-01 to -05: armor over the place that is hit may stop a projectile; a natural 1 always does."""
    shot = Round(*round_)  # type: ignore[arg-type]
    worn = g.terms.who[target].ar.get(location, 0)
    if worn > 0 and shot.arm is not None:
        need = worn + shot.arm
        means = at_most(D10, need, TO_HIT.natural_hit)
        if g.roll("DOW-ARM-01", D10, means, who=target, need=need, location=location):
            g.report("DOW-ARM-01", "saved", who=target, location=location)
            return
    g.then(damage, target, round_, location)


@cache
def damage_reading(dpr: int) -> tuple[int, ...]:
    """DOW-DMG-01: D10 - DPR as a column of the wound chart."""
    return reading(D10, lambda face: wound_column(face - dpr))


def damage(g: Fight, target: Id, round_: tuple[object, ...], location: str) -> None:
    """DOW-DMG-01 to -08: what the wound chart says."""
    shot = Round(*round_)  # type: ignore[arg-type]
    column = g.roll("DOW-DMG-01", D10, damage_reading(shot.dpr), who=target, location=location, dpr=shot.dpr)
    g.then(wound, target, round_, location, column)


def wound(g: Fight, target: Id, round_: tuple[object, ...], location: str, column: int) -> None:
    """DOW-DMG-02 to -11: the effects of one field of the chart; DOW-MOV-23: who is hurt on a face falls off it."""
    shot = Round(*round_)  # type: ignore[arg-type]
    man, effect = g.state[target], chart(g, location, column)
    g.report(WOUND_RULES[location], "wounded", who=target, location=location, column=column, hp=effect.hp, by=shot.by)
    if effect.near_miss:
        g.edit(target, worst=min(man.worst, column))
        g.then(near_miss, target, shot.by)
        return
    g.edit(target, **hurt(man, effect, location, column))
    g.then(collapse_of_a_man, target, effect.killed, effect.unconscious, shot.by, shot.outright)
    if effect.immobilized:
        led_no_more(g, target)
        if man.carrying:
            later(g, "drop_load", target)
    if effect.shell_shock:
        g.then(shell_shock, target, "wound", False)
    if man.climbing:
        later(g, "fall_off", target)


WOUND_RULES = {
    "head": "DOW-DMG-02",
    "chest": "DOW-DMG-03",
    "stomach": "DOW-DMG-04",
    "abdomen": "DOW-DMG-05",
    "right_leg": "DOW-DMG-06",
    "left_leg": "DOW-DMG-06",
    "right_arm": "DOW-DMG-07",
    "left_arm": "DOW-DMG-08",
}


def chart(g: Fight, location: str, column: int) -> Wound:
    """DOW-DMG-07: the right arm as we read it, as the left, or as printed."""
    effect = WOUNDS[location][column]
    if location == "right_arm" and column == 0:
        if g.terms.options.right_arm == "mirror_left":
            return WOUNDS["left_arm"][0]
        if g.terms.options.right_arm == "printed":
            return replace(effect, arm_useless=False)
    return effect


def hurt(man: Model, effect: Wound, location: str, column: int) -> dict[str, object]:
    """What changes about him; DOW-DMG-11: a second wound of the same effect adds only its HP."""
    arm = location.removesuffix("_arm")
    serious = effect.ima or effect.bleeding or (effect.hp > 0 and man.hp - effect.hp <= 0)
    fields: dict[str, object] = {
        "hp": man.hp - effect.hp,
        "untreated": man.untreated + 1,
        "undressed": man.undressed + serious,
        "worst": min(man.worst, column),
    }
    for name in ("ima", "bleeding", "immobilized", "slow"):
        if getattr(effect, name):
            fields[name] = True
    if serious:
        fields["stabilized"] = False
    if effect.immobilized:
        fields |= {"stance": "prone", "opfire": False}
    if effect.arm_useless and arm not in man.useless:
        fields["useless"] = tuple(sorted((*man.useless, arm)))
    if effect.arm_pain and arm not in man.painful:
        fields["painful"] = tuple(sorted((*man.painful, arm)))
    return fields


PARAGRAPHS = (strike, pierce, armor_check, damage, wound)
