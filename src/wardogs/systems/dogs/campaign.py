"""Campaigns: what a finished battle is worth, who comes back from it, and what points buy."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Seat
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.data import SURVIVABILITY, load
from wardogs.systems.dogs.lists import PERKS, TEAMS, perk_price
from wardogs.systems.dogs.state import Battle, Fight, Id, Model, Terms, other

Return: TypeAlias = Literal["fit", "misses_one", "dead", "captured"]


class Shares(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-CMP-01, -02: shares of a model's worth, and the health points at which he misses a game."""

    killed: float
    captured: float
    down: float
    wounded: float
    miss_at: int
    source: Source


SHARES = load("vehicles_misc.toml", "campaign", Shares)


def share(terms: Terms, man: Model) -> float:
    """DOW-CMP-01, DOW-GEN-14: the fallen count for more than the wounded."""
    if not man.alive:
        return SHARES.killed
    if man.captured:
        return SHARES.captured
    if not man.conscious or man.hp <= 0:
        return SHARES.down
    return SHARES.wounded if man.hp < terms.who[man.id].hp else 0.0


def awards(battle: Battle, terms: Terms) -> dict[Seat, float]:
    """DOW-CMP-01, DOW-GEN-07: for each enemy a share of his worth."""
    found: dict[Seat, float] = {1: 0.0, 2: 0.0}
    for man in battle.models:
        found[other(man.side)] += share(terms, man) * terms.who[man.id].worth
    return found


def last_tests(battle: Battle, terms: Terms, winner: Seat | None) -> dict[Id, int]:
    """DOW-CMP-02, DOW-HLT-06: whom of the winners one last Survivability Test awaits, and what he must roll at most."""
    less = 1 if terms.options.survivability_strict else 0
    return {
        man.id: SURVIVABILITY.base + man.hp - less for man in battle.models if man.side == winner and man.alive and man.hp <= 0
    }  # fmt: skip


def after_battle(battle: Battle, winner: Seat | None) -> dict[Id, Return]:
    """DOW-CMP-02: how everybody comes out of it, once the last tests are made."""
    return {man.id: _return(man, winner) for man in battle.models}


def _return(man: Model, winner: Seat | None) -> Return:
    if not man.alive:
        return "dead"
    if man.captured or (winner is not None and man.side != winner and man.on_table):
        return "captured"
    return "misses_one" if man.hp <= SHARES.miss_at else "fit"


def price_of_perk(list_: str, perk: str) -> int | None:
    """DOW-CMP-03: at list price; None if the list does not sell it."""
    return perk_price(TEAMS[list_], PERKS[perk])


def price_of_replacement(terms: Terms, fallen: Id) -> float:
    """DOW-CMP-03: a man like the one who is gone, at list price (DOW-GEN-07)."""
    return terms.who[fallen].worth


# ---- after the battle ------------------------------------------------------------------------------------------------


def campaign_end(g: Fight, winner: Seat | None) -> None:
    """DOW-CMP-01, -02: what each side is awarded; the winners' last tests; who is there for the next game."""
    for seat, points in awards(g.state, g.terms).items():
        g.report("DOW-CMP-01", "awarded", side=seat, points=points)
    for who, need in last_tests(g.state, g.terms, winner).items():
        g.then(last_test, who, need)
    g.then(roll_call, winner)


def last_test(g: Fight, who: Id, need: int) -> None:
    """DOW-CMP-02: once more D10 for his life."""
    if not g.roll("DOW-CMP-02", D10, at_most(D10, need), who=who, need=need):
        g.edit(who, alive=False, conscious=False)


def roll_call(g: Fight, winner: Seat | None) -> None:
    """DOW-CMP-02, -03: who is there for the next game, and what a man in the place of each who is not would cost."""
    for who, how in after_battle(g.state, winner).items():
        g.report("DOW-CMP-02", "comes_back", who=who, how=how)
    for who, how in after_battle(g.state, winner).items():
        if how in ("dead", "captured"):
            g.report("DOW-CMP-03", "replacement", side=g.state[who].side, who=who, points=price_of_replacement(g.terms, who))


PARAGRAPHS = (campaign_end, last_test, roll_call)
