"""What bursts, reckoned: launched rounds and thrown grenades, on the mark or astray."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from wardogs.kernel.odds import choosing, odds_of_places
from wardogs.scene.board import Chance, Reckoned
from wardogs.scene.model import Mark
from wardogs.systems.dogs.attack_odds import down_and_killed, staged, wounds_by_hits
from wardogs.systems.dogs.blasts import Caught, Charge, caught_in, charge_of, round_for
from wardogs.systems.dogs.data import BLASTS, CLOUDS, DIFFICULT_THROW, HAND_THROW
from wardogs.systems.dogs.flights import flight_of
from wardogs.systems.dogs.launching import Shot, aim_of, launch_terms, shot_of
from wardogs.systems.dogs.marks import place_in
from wardogs.systems.dogs.measure import gap, gap_to, within
from wardogs.systems.dogs.modifiers import Attack, need
from wardogs.systems.dogs.reckoned_shots import range_mod, shot_stretches
from wardogs.systems.dogs.seeing import sees
from wardogs.systems.dogs.sight_marks import drawn, line_to, rings, sight_lines
from wardogs.systems.dogs.state import Fight, Id, Model, Term
from wardogs.systems.dogs.throwing import radius_of, throw_terms
from wardogs.systems.dogs.weighing import Asked, chance, flat, percent, stretches, wanted
from wardogs.table.units import Inches, Place

HIT = "on the mark"


def on_the_mark(g: Fight, who: Id, terms: tuple[Term, ...], naturals: bool = True) -> Fraction:
    """DOW-HIT-01, DOW-TRT-01: the roll, and a second one if he may."""
    plain = tuple(tuple(term) for term in terms)
    game = staged(g, "try_to_hit", ("DOW-HIT-01", who, plain, naturals, AFTER, ()))
    found = odds_of_places(
        game, choosing({}), lambda _, agenda: agenda[0].args[0], lambda _, agenda: agenda[0].paragraph == AFTER
    )
    return found.of.get(True, Fraction(0))


AFTER = "launched"


def summed(asked: Asked, terms: tuple[Term, ...], found: list[Chance], reaches: bool, marks: list[Mark]) -> Reckoned:
    if asked.measured:
        total = wanted(need(terms) if reaches else None)
    else:
        total = f"{need(terms)} before the range"
    text = ", ".join(f"{one.what} {percent(Fraction(one.exactly))}" for one in found)
    return Reckoned(text, tuple(found), asked.told(terms), total, drawn(asked.g, marks))


# ---- launched --------------------------------------------------------------------------------------------------------


def launched(asked: Asked) -> Reckoned:
    """DOW-RNG-06, DOW-BLS-08, -12: the chance that it bursts where it should; measured, who would be caught there."""
    g, shot = asked.g, shot_of(asked.choice, asked.choice["verb"] == "op_launch")
    aim = aim_of(g, shot)
    if aim is None:
        return Reckoned()
    terms, reaches = launch_terms(g, shot, aim), shot.arm.at_range(aim.far) is not None
    marks = [*_lines(g, asked.man, shot, aim.place), *blast_rings(aim.place, shot.blast)]
    if not asked.measured:
        terms = flat(terms)
        return summed(asked, terms, list(launch_bands(g, shot, terms)), True, marks)
    found = [chance(HIT, on_the_mark(g, shot.by, terms) if reaches else Fraction(0))]
    bursts = reaches and within(shot.arm.min_range, gap_to(asked.man, aim.place))
    found += caught(g, charge_of(g, shot.blast, aim.place, shot.by)) if bursts else []
    return summed(asked, terms, found, reaches, marks)


def _lines(g: Fight, man: Model, shot: Shot, place: Place) -> Iterator[Mark]:
    if shot.target and sees(g, man, g.state[shot.target], True):
        yield from sight_lines(g, man, g.state[shot.target])
    else:
        yield line_to(man, place)


def launch_bands(g: Fight, shot: Shot, terms: tuple[Term, ...]) -> Iterator[Chance]:
    man = g.state[shot.by]
    if shot.target:
        at, attack = g.state[shot.target], Attack(shot.by, shot.weapon, shot.mode, shot.target)
        pairs = [(one.where, range_mod(g, attack, man, at, one)) for one in shot_stretches(g, shot.weapon, man, at)]
    else:
        pairs = [(one.where, shot.arm.at_range(one.far)) for one in stretches(g, shot.arm.bands)]
    for where, mod in pairs:
        if mod is not None:
            yield chance(f"{where}: {HIT}", on_the_mark(g, shot.by, (*terms, Term("DOW-RNG-09", mod))))


def blast_rings(at: Place, kind: str) -> Iterator[Mark]:
    """The kill zone, if there is one, and each ring; of a cloud its rim."""
    if kind in CLOUDS:
        yield from rings(at, [CLOUDS[kind].radius])
    else:
        radii = {float(ring.radius) for ring in BLASTS[kind].rings} | {float(BLASTS[kind].kill)}
        yield from rings(at, sorted(radii - {0.0}))


def caught(g: Fight, charge: Charge) -> Iterator[Chance]:
    """DOW-BLS-02 to -06: what a burst on the mark does to each, friend or foe; nerves and ears are left out."""
    for one in caught_in(g, charge):
        down, killed = caught_odds(g, charge, one)
        yield chance(f"if {HIT}, {one.who}: down", down)
        yield chance(f"if {HIT}, {one.who}: killed", killed)


def caught_odds(g: Fight, charge: Charge, one: Caught) -> tuple[Fraction, Fraction]:
    if one.dead:
        return Fraction(1), Fraction(1)
    shot = round_for(charge, g.state[one.who], one.dpr)
    return down_and_killed(wounds_by_hits(g, one.who, shot, one.rolls)[-1])


# ---- thrown ----------------------------------------------------------------------------------------------------------


def thrown(asked: Asked) -> Reckoned:
    """DOW-GRN-05, -12: into a vehicle beside him without a roll; else proficiency, range and difficulty."""
    g, choice, kind = asked.g, asked.choice, asked.choice["kind"]
    if "vehicle" in choice:
        at = g.state.vehicle(choice["vehicle"]).at
        return Reckoned("drops inside", (chance(HIT, Fraction(1)),), marks=drawn(g, blast_rings(at, kind)))
    mark = g.state[choice["target"]].at if choice.get("target") else place_in(choice.get("mark"))
    if mark is None:
        return Reckoned()
    far = _far(g, asked.man, choice.get("target", ""), mark)
    reaches = HAND_THROW.at_range(far) is not None
    marks = [line_to(asked.man, mark), *blast_rings(mark, kind)]
    flight = flight_of(g, asked.man, mark)
    terms = throw_terms(g, asked.man, mark, far, flight)
    if not asked.measured:
        return summed(asked, flat(terms), list(throw_bands(g, asked.man, mark)), True, marks)
    found = [chance(HIT, on_the_mark(g, asked.man.id, terms, _naturals(g)) if reaches else Fraction(0))]
    if reaches and kind in BLASTS and radius_of(kind):
        found += caught(g, charge_of(g, kind, mark, asked.man.id))
    return summed(asked, terms, found, reaches, marks)


def _far(g: Fight, man: Model, target: Id, mark: Place) -> Inches:
    return gap(man, g.state[target]) if target else gap_to(man, mark)


def _naturals(g: Fight) -> bool:
    return g.terms.options.naturals_for_grenades


def throw_bands(g: Fight, man: Model, mark: Place) -> Iterator[Chance]:
    """By range, and by the inches that make a throw difficult; an opening is taken to be as far as the mark."""
    flight = flight_of(g, man, mark)
    cuts = [float(end) for end, _ in DIFFICULT_THROW.bands] if flight.difficult else []
    for where, far in stretches(g, HAND_THROW.bands, cuts):
        there = flight._replace(through=flight.through._replace(far=far)) if flight.through else flight
        terms = throw_terms(g, man, mark, far, there)
        yield chance(f"{where}: {HIT}", on_the_mark(g, man.id, terms, _naturals(g)))
