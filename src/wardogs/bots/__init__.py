"""Players that are programs. Nothing here knows one system's rules; bots see views only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from wardogs.bots.drill import Drill
from wardogs.bots.random import Random
from wardogs.kernel.errors import unknown
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Choice, Seat
from wardogs.kernel.system import Seen


class Bot(Protocol):
    def choose(self, seen: Seen) -> Choice: ...


BOTS: dict[str, type[Random] | type[Drill]] = {"random": Random, "drill": Drill}


def make_bot(name: str, seed: object, seat: Seat) -> Bot:
    """A bot with luck of its own: the same seed and seat play the same."""
    if name not in BOTS:
        raise unknown("bot", name, BOTS)
    return BOTS[name](f"{seed}/{seat}/{name}")


def answer_for(match: Match, bots: Mapping[Seat, Bot]) -> None:
    """Let every bot that is asked give its answer."""
    for seat in match.game.waiting:
        if seat in bots:
            match.answer(seat, bots[seat].choose(match.seen(seat)))


def play_out(match: Match, bots: Mapping[Seat, Bot]) -> None:
    """Bots in every seat, to the end."""
    while not match.over:
        answer_for(match, bots)
