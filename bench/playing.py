"""Whole games between bots, many at a time: who won, how long a game and a decision took."""

import os
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from multiprocessing import get_context
from time import process_time
from typing import Any, NamedTuple, TypeVar

from wardogs.bots import make_bot
from wardogs.bots.random import Random
from wardogs.kernel.fate import Fast
from wardogs.kernel.garbage import look_seldom
from wardogs.kernel.system import Setup, System, Wanted
from wardogs.systems import load_system

T = TypeVar("T")
JOBS = int(os.environ.get("JOBS", "2"))


class Played(NamedTuple):
    """How one game went. Times are of the processor: other work on the machine counts less."""

    side: int | None
    reason: str
    seconds: float
    worst: float  # seconds of the longest decision
    decisions: int


def play(system: System, setup: Setup, names: tuple[str, ...], seed: int, most: int = 100_000) -> Played:
    """One game to its end; raises if it asks more questions than any game should."""
    bots = {seat: make_bot(name, seed, seat) for seat, name in enumerate(names, 1)}
    worst, decisions = 0.0, 0

    def policy(game: Any, seat: int, ask: Any) -> Any:
        nonlocal worst, decisions
        decisions += 1
        if decisions > most:
            raise RuntimeError(f"more than {most} decisions: the game does not end")
        bot, start = bots[seat], process_time()
        choice = bot.pick(ask) if isinstance(bot, Random) else bot.choose(system.seen(game, seat, ask))
        worst = max(worst, process_time() - start)
        return choice

    start = process_time()
    game = system.opening(setup)(Fast(seed), policy)
    game.silent = True
    game.advance()
    result = game.state.result
    return Played(result.side, result.reason, process_time() - start, worst, decisions)


@lru_cache
def table_of(key: str, wanted: str | None, even: tuple[tuple[str, Any], ...], options: tuple[tuple[str, Any], ...]) -> Setup:
    """A set-up by name or by its figures, planned once in each process."""
    return load_system(key).plan(Wanted(wanted or dict(even) or None, options=(dict(options),)))


def spread(do: Callable[[int], T], numbers: range, title: str) -> Iterator[T]:
    """The results of many numbers, worked out by several processes, with a line of progress.

    The first is worked out once before, so that nothing is compiled while a clock runs.
    """
    do(numbers[0])
    with get_context("fork").Pool(JOBS, look_seldom) as pool:
        for n, result in enumerate(pool.imap(do, numbers, chunksize=1), 1):
            if sys.stderr.isatty():
                print(f"\r{title}: {n}/{len(numbers)} ", end="", file=sys.stderr, flush=True)
            yield result
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
