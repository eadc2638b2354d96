"""The random player: any offer, and of it any choice, is equally likely; but it never gives up."""

from __future__ import annotations

import random

from wardogs.kernel.game import Game
from wardogs.kernel.offers import Ask, Choice, Seat
from wardogs.kernel.system import Seen


class Random:
    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed).random

    def choose(self, seen: Seen) -> Choice:
        assert seen.ask is not None
        return self.pick(seen.ask)

    def pick(self, ask: Ask) -> Choice:
        """First one of the offers, then one of its choices by its number: none is listed, however many there are."""
        return ask.drawn(self.random)

    def policy(self, game: Game[object, object], seat: Seat, ask: Ask) -> Choice:  # type: ignore[type-var]
        """The same player for the fast driver, which needs no view."""
        return self.pick(ask)
