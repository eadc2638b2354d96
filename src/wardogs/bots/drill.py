"""The drilled player: a system's own scores, and a mix over the best of them so that it cannot be read."""

from __future__ import annotations

import math
import random

from wardogs.kernel.offers import Choice
from wardogs.kernel.system import Seen

TEMPERATURE = 0.15  # how much worse a choice may score and still be taken now and then


class Drill:
    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed).random

    def choose(self, seen: Seen) -> Choice:
        scored = seen.scored()
        weights = mix([score for _, score in scored])
        left = self.random() * sum(weights)
        for (choice, _), weight in zip(scored, weights, strict=True):
            left -= weight
            if left < 0:
                return choice
        return scored[weights.index(max(weights))][0]


def mix(scores: list[float]) -> list[float]:
    """Weights that fall off with the distance from the best score."""
    best = max(scores)
    return [math.exp((score - best) / TEMPERATURE) for score in scores]
