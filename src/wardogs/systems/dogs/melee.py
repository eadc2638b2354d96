"""What is swung in close quarters, and the number that a blow needs, term by term."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from wardogs.kernel.dice import D10, at_most
from wardogs.systems.dogs.data import CQ_MODS, MELEE, TO_HIT, WEAPONS
from wardogs.systems.dogs.measure import within
from wardogs.systems.dogs.seeing import look_from
from wardogs.systems.dogs.state import Fight, Model, Term, Weapon
from wardogs.table.bodies import figure

# ---- what is swung ---------------------------------------------------------------------------------------------------


class Means(NamedTuple):
    """DOW-CQC-04, -05, -06, DOW-KNO-01: a row of the list, or a firearm as a club."""

    id: str
    bonus: int
    dpr: int
    ap: int
    blunt: bool
    hands: int = 1
    bayonet: bool = False  # fixed
    breaks: bool = False


FIXED, DRAWN, UNARMED = "bayonet_fixed", "bayonet_in_hand", "unarmed"


def in_hand(man: Model) -> Means | None:
    """DOW-CQC-06, -20: what he holds, with its close quarters columns."""
    held = man.weapon(man.in_hand)
    return _thing(man.in_hand) if held is None else _firearm(held)


def _firearm(held: Weapon) -> Means | None:
    """DOW-RNG-14: the butt; or the bayonet on it, which keeps the weapon's bonus."""
    arm = WEAPONS[held.id]
    if arm.cq is None:
        return None
    if held.bayonet:
        fixed = MELEE[FIXED]
        return Means(held.id, arm.cq.bonus, fixed.dpr, fixed.ap, fixed.blunt, arm.hands, bayonet=True)
    return Means(held.id, arm.cq.bonus, arm.cq.dpr, arm.cq.ap, arm.cq.blunt, arm.hands)


def _thing(kind: str) -> Means | None:
    row = MELEE.get(kind)
    if row is None or row.bonus == "weapon":
        return None
    return Means(kind, row.bonus, row.dpr, row.ap, row.blunt, breaks=row.breaks_on_hit)


def means_of(man: Model) -> tuple[Means, ...]:
    """DOW-CQC-22, DOW-EQP-12: what he holds, a knife or bayonet from his belt, an object he carries, his hands."""
    kinds = [kind for kind in (*man.gear, *(kind for kind, _ in man.stores)) if kind in MELEE]
    if spare_bayonet(man):
        kinds.append(DRAWN)
    things = (in_hand(man), *(_thing(kind) for kind in (*kinds, UNARMED)))
    return tuple({means.id: means for means in things if means is not None}.values())


def spare_bayonet(man: Model) -> bool:
    """One that is not on a weapon."""
    return "bayonet" in man.gear


def means_named(man: Model, id_: object) -> Means | None:
    return next((means for means in means_of(man) if means.id == id_), None)


# ---- the target number -----------------------------------------------------------------------------------------------


def cq_terms(g: Fight, by: Model, at: Model, means: Means) -> tuple[Term, ...]:
    """DOW-CQC-01: 5 and the attacker's CQ less the defender's, or by the printed summary the other way round."""
    sign = 1 if g.terms.options.cq_formula == "attacker_minus_defender" else -1
    own = (Term(term.rule, sign * term.value) for term in attack_terms(g, by, at, means))
    theirs = (Term(term.rule, -sign * term.value) for term in defence_terms(g, by, at))
    return (Term("DOW-CQC-01", CQ_MODS.base), *own, *theirs)


def attack_terms(g: Fight, by: Model, at: Model, means: Means) -> Iterator[Term]:
    yield Term("DOW-ABL-08", g.terms.who[by.id].cq)
    if means.bonus:
        yield Term("DOW-CQC-06", means.bonus)
    if charges(by, at):
        yield Term("DOW-CQC-07", CQ_MODS.charge)
        if means.bayonet:
            yield Term("DOW-CQC-08", CQ_MODS.charge_bayonet)
    yield from standing_terms(g, by, at)
    if at.distracted:
        yield Term("DOW-CQC-14", CQ_MODS.opponent_shot)


def defence_terms(g: Fight, by: Model, at: Model) -> Iterator[Term]:
    """DOW-CQC-21: the helpless count nothing at all."""
    if is_helpless(at):
        yield Term("DOW-CQC-21", 0)
        return
    yield Term("DOW-ABL-08", g.terms.who[at.id].cq)
    held = in_hand(at)
    if held is not None and held.bonus:
        yield Term("DOW-CQC-06", held.bonus)
    if charges(by, at) and was_in_cover(g, by, at):
        yield Term("DOW-CQC-11", CQ_MODS.charged_in_cover)
    yield from standing_terms(g, at, by)


def standing_terms(g: Fight, man: Model, foe: Model) -> Iterator[Term]:
    """DOW-CQC-09, -10, -12, -13: higher ground, lying down, and what he was taught."""
    if within(CQ_MODS.high_ground_inches, man.at[2] - foe.at[2]):
        yield Term("DOW-CQC-09", CQ_MODS.high_ground)
    if man.stance == "prone" and foe.stance != "prone":
        yield Term("DOW-CQC-10", CQ_MODS.prone)
    perks = g.terms.who[man.id].perks
    if "deadly_hands" in perks:
        yield Term("DOW-CQC-13", CQ_MODS.deadly_hands)
    elif "trained" in perks:
        yield Term("DOW-CQC-12", CQ_MODS.trained)


def is_helpless(man: Model) -> bool:
    return not man.conscious or man.bound


def charges(by: Model, at: Model) -> bool:
    """DOW-CQC-07: he ran far enough into contact with this enemy, in this activation."""
    return by.charged == at.id and within(CQ_MODS.charge_min_run, by.charge_run)


def was_in_cover(g: Fight, by: Model, at: Model) -> bool:
    """DOW-CQC-11: some part of him was not clear from where the charge began."""
    x, y, z = by.charge_from or by.at
    seen = look_from(g, (x, y, z + figure("standing").eye), at)
    return any(part.klass for part in seen.at.values())


@cache
def _strokes(need: int, naturals: bool) -> tuple[int, ...]:
    hits = at_most(D10, need, TO_HIT.natural_hit, TO_HIT.natural_miss) if naturals else at_most(D10, need)
    return tuple(int(hit) for hit in hits)


def strokes(g: Fight, need: int, knock_out: bool) -> tuple[int, ...]:
    """DOW-CQC-02, DOW-GEN-03, DOW-KNO-02: 0 a miss, 1 a hit; for a knock-out 2 is the natural 1 that it wants."""
    hits = _strokes(need, g.terms.options.naturals_in_cq)
    return (2 * hits[0], *hits[1:]) if knock_out else hits
