"""The random player: every legal choice is equally likely, but it never gives up."""

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
        """Uniform over what the offers admit, however many that are: none is listed, one is picked by its number."""
        index = int(self.random() * ask.playable_size)
        return ask.nth_playable(index)

    def policy(self, game: Game[object, object], seat: Seat, ask: Ask) -> Choice:  # type: ignore[type-var]
        """The same player for the fast driver, which needs no view."""
        return self.pick(ask)
