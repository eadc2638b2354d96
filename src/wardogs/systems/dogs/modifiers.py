"""What changes a To Hit number: the range, and the ranged modifiers table, term by term."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import NamedTuple

from wardogs.systems.dogs.darkness import ignores_darkness
from wardogs.systems.dogs.data import CLOUDS, SIGHTING, TO_HIT, WEAPONS
from wardogs.systems.dogs.measure import gap, plan_gap, within
from wardogs.systems.dogs.rotors import rotor_terms
from wardogs.systems.dogs.seeing import smoke_between
from wardogs.systems.dogs.state import Fight, Id, Model, Term


class Attack(NamedTuple):
    """A ranged attack as it is declared (DOW-RNG-06)."""

    by: Id
    weapon: str
    mode: str
    target: Id
    aimed: bool = False
    scope: bool = False
    spotter: Id = ""
    watch: bool = False  # on Op-Fire


def to_hit_terms(g: Fight, attack: Attack, at: Model) -> tuple[Term, ...]:
    """DOW-MOD-17, DOW-OPF-10: weapon proficiency, range, and everything that applies to this one man."""
    by = g.state[attack.by]
    found = [Term("DOW-MOD-17", g.terms.who[by.id].wp)]
    in_range = WEAPONS[attack.weapon].at_range(gap(by, at))
    found += [Term("DOW-RNG-09", in_range)] if in_range else []
    found += aim_terms(attack)
    found += firer_terms(g, by)
    found += target_terms(g, by, at)
    found += sight_terms(g, by, at)
    found += [Term(rule, value) for rule, value in rotor_terms(g, by)]
    return tuple(found)


def aim_terms(attack: Attack) -> Iterator[Term]:
    if attack.aimed:
        yield Term("DOW-MOD-01", TO_HIT.aimed)
    if attack.scope:
        yield Term("DOW-MOD-02", TO_HIT.scope)
    if attack.spotter:
        yield Term("DOW-MOD-03", TO_HIT.spotter)
    if attack.mode == "BU":
        yield Term("DOW-MOD-05", TO_HIT.burst)
    if attack.mode == "FA":
        yield Term("DOW-MOD-06", TO_HIT.full_auto)


def firer_terms(g: Fight, by: Model) -> Iterator[Term]:
    """DOW-MOD-04, -07, -08, DOW-MOV-19: how he fires; and CS in his eyes (DOW-EQP-15)."""
    if by.stance == "prone":
        yield Term("DOW-MOD-04", TO_HIT.prone_firer)
    if by.moved == "run" and not by.halted:
        yield Term("DOW-MOD-08", TO_HIT.ran)
    elif by.moved == "walk" and not by.halted:
        yield Term("DOW-MOD-07", TO_HIT.walked)
    if in_gas(g, by):
        yield Term("DOW-EQP-15", CLOUDS["cs_grenade"].inside_to_hit or 0)


def in_gas(g: Fight, man: Model) -> bool:
    """DOW-EQP-11, -15: in CS without a mask on."""
    clouds = [cloud for cloud in g.state.clouds if cloud.kind == "cs_grenade"]
    return not man.mask_on and any(within(hypot(man.at[0] - c.at[0], man.at[1] - c.at[1]), c.radius) for c in clouds)


def target_terms(g: Fight, by: Model, at: Model) -> Iterator[Term]:
    """DOW-MOD-09, -10, -11: a target that moves, or lies down; the latter excludes the former (DOW-MOV-07)."""
    if at.stance == "prone":
        if not prone_is_no_help(by, at):
            yield Term("DOW-MOD-11", TO_HIT.target_prone)
    elif at.seen_moving == "run":
        yield Term("DOW-MOD-09", TO_HIT.target_running)
    elif at.seen_moving == "walk":
        yield Term("DOW-MOD-10", TO_HIT.target_walking)


def prone_is_no_help(by: Model, at: Model) -> bool:
    """DOW-MOD-11: too near, or seen from above: higher by at least half the way between them."""
    above = by.at[2] - at.at[2]
    return within(gap(by, at), SIGHTING.prone_lost_within) or (above > 0 and within(plan_gap(by, at) / 2, above))


def sight_terms(g: Fight, by: Model, at: Model) -> Iterator[Term]:
    """DOW-MOD-12 to -15: smoke and night."""
    if smoke_between(g, by, at):
        yield Term("DOW-MOD-12", TO_HIT.smoke)
    if g.terms.night:
        term = night_term(g, by, within(gap(by, at), SIGHTING.darkness))
        if term.value:
            yield term


def night_term(g: Fight, by: Model, near: bool) -> Term:
    """DOW-MOD-13, -14, -15: the dark, or goggles with or without a laser, whichever is better; nothing in a Pave Hawk."""
    if ignores_darkness(g, by):
        return Term("DOW-AIR-04", 0)
    bare = Term("DOW-MOD-13", TO_HIT.night_within_10 if near else TO_HIT.night_over_10)
    if "nvg" not in by.gear:
        return bare
    figures, laser = g.terms.who[by.id].nvg, "laser" in by.gear
    goggles = TO_HIT.nvg_table if g.terms.options.nvg_figures == "table" or figures is None else figures.goggles
    lit = goggles + TO_HIT.laser if g.terms.options.nvg_figures == "table" or figures is None else figures.with_laser
    with_them = Term("DOW-MOD-15", lit) if laser else Term("DOW-MOD-14", goggles)
    return max(with_them, bare, key=lambda term: term.value)


def need(terms: tuple[Term, ...]) -> int:
    return sum(term.value for term in terms)


def in_corridor(by: Model, along: Model, man: Model, half_width: float) -> bool:
    """DOW-HIT-03: his base centre is no farther from the line of fire than half its width, and ahead of the firer."""
    dx, dy = along.at[0] - by.at[0], along.at[1] - by.at[1]
    x, y = man.at[0] - by.at[0], man.at[1] - by.at[1]
    far = hypot(dx, dy)
    return far > 0 and x * dx + y * dy > 0 and within(abs(x * dy - y * dx) / far, half_width)
