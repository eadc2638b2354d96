"""The Golden Rule: a dispute that the rules do not settle is settled by a die, then play goes on."""

from __future__ import annotations

from msgspec import Struct

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Ask, Flag, Offer, Seat
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.data import load
from wardogs.systems.dogs.state import Fight, other


class RulingRoll(Struct, frozen=True, forbid_unknown_fields=True):
    first_up_to: int
    source: Source


RULING_ROLL = load("rulings.toml", "ruling_roll", RulingRoll)


def ruling_roll(g: Fight, by: Seat, first: str, second: str) -> None:
    """DOW-GEN-09: one seat names two readings; if the other agrees to them, a D10 says which holds.

    House rules are no matter for it: the switches stand in the terms of the game, and nothing writes there.
    """
    agree = Offer("agree", "DOW-GEN-09", {"yes": Flag()})
    g.report("DOW-GEN-09", "ruling_wanted", side=by, first=first, second=second)
    if not g.ask("DOW-GEN-09", other(by), Ask("ruling_roll", (agree,), {"verb": "agree", "yes": False}))["yes"]:
        g.report("DOW-GEN-09", "ruling_declined", side=other(by))
        return
    is_first = g.roll("DOW-GEN-09", D10, at_most(D10, RULING_ROLL.first_up_to))
    g.report("DOW-GEN-09", "ruling", reading=first if is_first else second)


PARAGRAPHS = (ruling_roll,)
