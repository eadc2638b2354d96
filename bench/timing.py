"""How a speed is measured here: whole games against the clock, and the best of several runs."""

from collections.abc import Callable
from time import perf_counter

RUNS = 5


def best_rate(play: Callable[[int], int], seconds: float) -> float:
    """How many things a second `play(seed)` gets done, when it returns how many it did.

    Other work on the machine only ever slows a run down, so the fastest run is the truest. Every run plays the same
    seeds from the first, after one game to warm up.
    """
    play(1)
    return max(_rate(play, seconds / RUNS) for _ in range(RUNS))


def _rate(play: Callable[[int], int], seconds: float) -> float:
    done, seed, start = 0, 0, perf_counter()
    while (taken := perf_counter() - start) < seconds or not done:
        seed += 1
        done += play(seed)
    return done / taken
