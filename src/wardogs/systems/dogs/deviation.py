"""To Hit rolls for what bursts, and deviation: the wheel, the inches, and the wall that stops it."""

from __future__ import annotations

from wardogs.kernel.dice import D6, D10, as_is, at_most
from wardogs.kernel.offers import Ask, Flag, Offer
from wardogs.systems.dogs.data import DEVIATION, TO_HIT
from wardogs.systems.dogs.flights import SKY, exact, kept_inside, landed, lifted, room_called, stopped, told
from wardogs.systems.dogs.measure import ahead
from wardogs.systems.dogs.modifiers import need
from wardogs.systems.dogs.state import Fight, Id, Term
from wardogs.systems.dogs.steps import later
from wardogs.table.templates import clipped
from wardogs.table.units import Inches, Place

# ---- hitting the mark --------------------------------------------------------------------------------------------------


def try_to_hit(
    g: Fight, rule: str, who: Id, terms: tuple[tuple[str, int], ...], naturals: bool, following: str, args: tuple[object, ...]
) -> None:
    """DOW-GEN-02, -03: one D10; a 1 lands on the mark, a 10 goes astray. Then what follows, told if it hit."""
    hit = g.roll(rule, D10, hit_reading(terms, naturals), who=who, need=need(_terms(terms)), terms=terms)
    if not hit and may_roll_again(g, who):
        g.then(think_again, rule, who, terms, naturals, following, args)
        return
    later(g, following, hit, *args)


def _terms(terms: tuple[tuple[str, int], ...]) -> tuple[Term, ...]:
    return tuple(Term(*term) for term in terms)


def hit_reading(terms: tuple[tuple[str, int], ...], naturals: bool) -> tuple[bool, ...]:
    wanted = need(_terms(terms))
    return at_most(D10, wanted, TO_HIT.natural_hit, TO_HIT.natural_miss) if naturals else at_most(D10, wanted)


def may_roll_again(g: Fight, who: Id) -> bool:
    """DOW-TRT-01: any To Hit roll; firearms only by the house rules."""
    return g.state[who].expert_left and not g.terms.options.expert_firearms_only


def think_again(
    g: Fight, rule: str, who: Id, terms: tuple[tuple[str, int], ...], naturals: bool, following: str, args: tuple[object, ...]
) -> None:
    """DOW-TRT-01: an Expert Rifleman may roll a miss again, once a game."""
    ask = Ask("second_try", (Offer("second_try", "DOW-TRT-01", {"again": Flag()}),), {"verb": "second_try", "again": True})
    if g.ask("DOW-TRT-01", g.state[who].side, ask)["again"]:
        g.then(second_try, who, terms, naturals, following, args)
    else:
        later(g, following, False, *args)


def second_try(
    g: Fight, who: Id, terms: tuple[tuple[str, int], ...], naturals: bool, following: str, args: tuple[object, ...]
) -> None:
    """DOW-TRT-01: the second result stands."""
    g.edit(who, expert_left=False)
    hit = g.roll("DOW-TRT-01", D10, hit_reading(terms, naturals), who=who, need=need(_terms(terms)), terms=terms)
    later(g, following, hit, *args)


# ---- going astray ------------------------------------------------------------------------------------------------------


def deviation_point(at: Place, line: float, sector: int, far: Inches) -> Place:
    """DOW-GRN-09: sector n lies (n - 1) x 36 degrees clockwise from the line; sector 1 is straight on."""
    x, y = ahead(at, line + (sector - 1) * DEVIATION.degrees, far)
    return exact((x, y, at[2]))


def deviate(
    g: Fight, at: Place, line: float, dice: int, halved: bool, stops: str, following: str, args: tuple[object, ...]
) -> None:
    """DOW-GRN-09, -10, DOW-BLS-08, DOW-IND-03: D10 for the sector, D6 inches, halved when short. Then what follows.

    `stops` says what ends its way: "walls"; for a "round", which bursts on them; for one that flies before an "opening"; the
    name of a room that it cannot leave; or "" for what falls from the sky.
    What follows is told where it comes down; None is off the table (DOW-GRN-11).
    """
    sector = g.roll("DOW-GRN-09", D10, as_is(D10), wheel=True)
    far = sum(g.roll("DOW-GRN-10", D6, as_is(D6), halved=halved) for _ in range(dice))
    where = comes_down(g, at, deviation_point(at, line, sector, far / 2 if halved else float(far)), stops)
    g.report("DOW-GRN-09", "astray", sector=sector, far=far / 2 if halved else far, at=told(where))
    later(g, following, where, *args)


def comes_down(g: Fight, start: Place, end: Place, stops: str) -> Place | None:
    """DOW-GRN-07, -11: at the first wall on its way, on the near side; off the table it is gone."""
    if not stops:
        return _on_table(g, start, (end[0], end[1], SKY))
    low, high = (start, end) if stops == "opening" else (lifted(start), lifted(end))
    way = stopped(g, low, high)
    if stops == "round" and way != high:
        return way  # it bursts on the wall
    if (room := room_called(g, stops)) is not None:
        way = kept_inside(room, start, way)
    return _on_table(g, start, way)


def _on_table(g: Fight, start: Place, end: Place) -> Place | None:
    off = clipped((start[0], start[1], end[2]), end, g.terms.map.size).off_table
    return None if off else landed(g, end)


PARAGRAPHS = (try_to_hit, think_again, second_try, deviate)
