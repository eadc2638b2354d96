"""Shots, reckoned: at a man, into contact, with a shotgun, at a vehicle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import hypot, sqrt

from msgspec.structs import replace

from wardogs.kernel.odds import choosing, odds_of_places
from wardogs.scene.board import Chance, Reckoned
from wardogs.systems.dogs.attack_odds import (
    ManOdds,
    Outcome,
    Wounded,
    attack_odds,
    down_and_killed,
    ends_of,
    hits_needing,
    one_hit,
    staged,
    wounds_by_hits,
)
from wardogs.systems.dogs.data import BODY, SIGHTING, TO_HIT, WEAPONS
from wardogs.systems.dogs.measure import gap
from wardogs.systems.dogs.modifiers import Attack, need, target_terms, to_hit_terms
from wardogs.systems.dogs.shooting import attack_of, hit_reading, round_of, shot_reading, shots
from wardogs.systems.dogs.shotguns import attack_of as scatter_of
from wardogs.systems.dogs.shotguns import in_cone, shell
from wardogs.systems.dogs.sight_marks import drawn, line_to, sight_lines
from wardogs.systems.dogs.state import Fight, Id, Model
from wardogs.systems.dogs.vehicle_fire import gap_to_hull, vehicle_terms
from wardogs.systems.dogs.weighing import Asked, Stretch, chance, flat, hits, percent, stretches, wanted
from wardogs.table.units import Inches

UNHURT = 4

# ---- at a man --------------------------------------------------------------------------------------------------------


def fired(asked: Asked) -> Reckoned:
    """DOW-RNG-03, -06: measured if that is allowed, else by bands."""
    attack = attack_of({"aimed": False, "scope": False, **asked.choice}, asked.choice["verb"] == "op_fire")
    return measured(asked, attack) if asked.measured else by_bands(asked, attack)


def fired_in_contact(asked: Asked) -> Reckoned:
    """DOW-CQC-17, DOW-RNG-06: contact is always known."""
    choice = asked.choice
    return measured(asked, Attack(choice["model"], choice["weapon"], choice["mode"], choice["target"]))


def measured(asked: Asked, attack: Attack) -> Reckoned:
    g, found = asked.g, attack_odds(asked.g, attack)
    if not found:
        return Reckoned(text=UNKNOWN if shots(asked.man, attack) > 0 else "")
    return Reckoned(
        text="; ".join(told(man) for man in found),
        chances=tuple(each for man in found for each in chances(man, f"{man.id}: " if len(found) > 1 else "")),
        terms=asked.told(found[0].terms),
        total=total(g, attack, found[0]),
        marks=drawn(g, sight_lines(g, asked.man, g.state[attack.target])),
    )


UNKNOWN = "too many rounds at too many men to reckon beforehand"


def told(man: ManOdds) -> str:
    return f"{man.id}: needs {man.need}, hit {percent(man.hit)}, down {percent(man.down)}, killed {percent(man.killed)}"


def chances(man: ManOdds, whose: str) -> Iterator[Chance]:
    yield chance(f"{whose}hit", man.hit)
    yield chance(f"{whose}down", man.down)
    yield chance(f"{whose}killed", man.killed)


def total(g: Fight, attack: Attack, man: ManOdds) -> str:
    return wanted(man.need if any(hit_reading(g, attack, man.id)) else None)


# ---- by bands --------------------------------------------------------------------------------------------------------


def by_bands(asked: Asked, attack: Attack) -> Reckoned:
    """DOW-RNG-06: the range is measured after declaring, so each band is told; then what one hit does."""
    g, at = asked.g, asked.g.state[attack.target]
    terms = flat(to_hit_terms(g, attack, at))
    return Reckoned(
        text=band_words(g, attack, need(terms)),
        chances=tuple(band_chances(g, attack, need(terms))),
        terms=asked.told(terms),
        total=f"{need(terms)} before the range",
        marks=drawn(g, sight_lines(g, asked.man, at)),
    )


def band_words(g: Fight, attack: Attack, before: int) -> str:
    at, arm = g.state[attack.target], WEAPONS[attack.weapon]
    bands = [f"{where} {hits(before + (arm.at_range(far) or 0))}" for where, far in stretches(g, arm.bands)]
    after = one_hit(g, at.id, round_of(g, attack), Wounded(at.hp, True, at.conscious, UNHURT))
    down = sum((share for end, share in after.items() if not (end.alive and end.conscious and end.hp > 0)), Fraction(0))
    killed = sum((share for end, share in after.items() if not end.alive), Fraction(0))
    lies = f'; {-TO_HIT.target_prone} less while he lies, save within {SIGHTING.prone_lost_within:g}" or from well above'
    told_first = f"{', '.join(bands)}{lies if at.stance == 'prone' else ''}"
    return f"{told_first}; a hit puts him down {percent(down)}, kills {percent(killed)}"


def band_chances(g: Fight, attack: Attack, before: int) -> Iterator[Chance]:
    """Of all rounds together; on full automatic of each, for who else shares them would tell ranges too."""
    by, at = g.state[attack.by], g.state[attack.target]
    dice, whose = (1, "each round: ") if attack.mode == "FA" else (shots(by, attack), "")
    after = wounds_by_hits(g, at.id, round_of(g, attack), dice)
    for stretch in shot_stretches(g, attack.weapon, by, at):
        mod = range_mod(g, attack, by, at, stretch)
        if mod is not None:
            rolled = hits_needing(g, attack, dice, before + mod)
            yield from three(f"{stretch.where}: {whose}", rolled, ends_of(after, rolled))


def three(where: str, rolled: Mapping[int, Fraction], ends: Mapping[Outcome, Fraction]) -> Iterator[Chance]:
    down, killed = down_and_killed(ends)
    yield chance(f"{where}hit", 1 - rolled.get(0, Fraction(0)))
    yield chance(f"{where}down", down)
    yield chance(f"{where}killed", killed)


def shot_stretches(g: Fight, weapon: str, by: Model, at: Model) -> list[Stretch]:
    """The bands, and for a man who lies the ranges up to which that does not help him."""
    above, cuts = by.at[2] - at.at[2], list[Inches]()
    if at.stance == "prone":
        cuts = [SIGHTING.prone_lost_within, *([hypot(2 * above, above)] if above > 0 else [])]
    found = stretches(g, WEAPONS[weapon].bands, cuts)
    return [stretch for stretch in found if stretch.far > abs(above)]


def range_mod(g: Fight, attack: Attack, by: Model, at: Model, stretch: Stretch) -> int | None:
    """DOW-RNG-09, DOW-MOD-11: what the range and what lying down would add at this range; None beyond reach."""
    in_range = WEAPONS[attack.weapon].at_range(stretch.far)
    if in_range is None:
        return None
    plan = sqrt(max(0.0, stretch.far**2 - (by.at[2] - at.at[2]) ** 2)) + BODY.base
    there = replace(at, at=(by.at[0], by.at[1] + plan, at.at[2]))
    lies = [term.value for term in target_terms(g, by, there) if term.rule == "DOW-MOD-11"]
    return in_range + sum(lies)


# ---- with a shotgun --------------------------------------------------------------------------------------------------


def scattered(asked: Asked) -> Reckoned:
    """DOW-HIT-08: each who is in the cone at his own range; before it is measured the target alone, by bands."""
    g, attack = asked.g, scatter_of(asked.choice, asked.choice["verb"] == "op_scatter")
    at = g.state[attack.target]
    terms = to_hit_terms(g, attack, at)
    terms = terms if asked.measured else flat(terms)
    found = tuple(pellet_chances(g, attack) if asked.measured else pellet_bands(g, attack, need(terms)))
    reaches = not asked.measured or any(hit_reading(g, attack, at.id))
    return Reckoned(
        text=", ".join(f"{one.what} {percent(Fraction(one.exactly))}" for one in found),
        chances=found,
        terms=asked.told(terms),
        total=(wanted(need(terms)) if reaches else wanted(None)) if asked.measured else f"{need(terms)} before the range",
        marks=drawn(g, sight_lines(g, asked.man, at)),
    )


def pellet_chances(g: Fight, attack: Attack) -> Iterator[Chance]:
    caught = in_cone(g, attack)
    game = staged(g, "pellets", (tuple((id_, None) for id_ in caught), *attack))
    worked = lambda _, agenda: agenda[0].paragraph == "pellets_hit"  # noqa: E731
    found = odds_of_places(game, choosing({}), lambda _, agenda: tuple(one[0] for one in agenda[0].args[0]), worked)
    for id_ in caught:
        share = sum((part for struck, part in found.of.items() if id_ in struck), Fraction(0))
        band = WEAPONS[attack.weapon].band(gap(g.state[attack.by], g.state[id_]))
        yield from pellets_do(g, attack, id_, f"{id_}: " if len(caught) > 1 else "", (band, share))


def pellet_bands(g: Fight, attack: Attack, before: int) -> Iterator[Chance]:
    by, at = g.state[attack.by], g.state[attack.target]
    for stretch in shot_stretches(g, attack.weapon, by, at):
        mod = range_mod(g, attack, by, at, stretch)
        if mod is not None:
            share = 1 - hits_needing(g, attack, 1, before + mod).get(0, Fraction(0))
            band = WEAPONS[attack.weapon].band(stretch.far)
            yield from pellets_do(g, attack, at.id, f"{stretch.where}: ", (band, share))


def pellets_do(g: Fight, attack: Attack, id_: Id, where: str, at: tuple[int | None, Fraction]) -> Iterator[Chance]:
    """One success, with the hits and the DPR of its band."""
    band, share = at
    count, shot = shell(g, attack, band) if band is not None else (0, None)
    after = wounds_by_hits(g, id_, shot, count) if shot else wounds_by_hits(g, id_, round_of(g, attack), 0)
    yield from three(where, {0: 1 - share}, ends_of(after, {0: 1 - share, count: share} if count else {0: Fraction(1)}))


# ---- at a vehicle ----------------------------------------------------------------------------------------------------


def fired_at_vehicle(asked: Asked) -> Reckoned:
    """DOW-VEH-03, -04: each round by itself; what a hit does is another matter."""
    g, man, weapon, mode = asked.g, asked.man, asked.choice["weapon"], asked.choice["mode"]
    vehicle, arm = g.state.vehicle(asked.choice["vehicle"]), WEAPONS[weapon]
    terms, dice = vehicle_terms(g, man, weapon, mode, vehicle), shots(man, Attack(man.id, weapon, mode, ""))
    if asked.measured:
        reached = need(terms) if arm.at_range(gap_to_hull(man, vehicle)) is not None else None
        found, words = [chance("hit", at_least_one(reached, dice))], wanted(reached)
    else:
        terms = flat(terms)
        at_bands = [(where, need(terms) + (arm.at_range(far) or 0)) for where, far in stretches(g, arm.bands)]
        found = [chance(f"{where}: hit", at_least_one(needs, dice)) for where, needs in at_bands]
        words = f"{need(terms)} before the range"
    text = ", ".join(f"{one.what} {percent(Fraction(one.exactly))}" for one in found)
    return Reckoned(text, tuple(found), asked.told(terms), words, drawn(g, [line_to(man, vehicle.at)]))


def at_least_one(needs: int | None, dice: int) -> Fraction:
    means = shot_reading(needs)
    return 1 - Fraction(means.count(False), len(means)) ** dice
