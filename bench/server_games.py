"""Games made ready in a database before the server starts: of each system, standing anywhere between beginning and end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

from bench.server_clients import Sitting
from wardogs.bots import make_bot
from wardogs.kernel.fate import seed_from
from wardogs.kernel.match import Match
from wardogs.kernel.record import Entry
from wardogs.kernel.system import Wanted
from wardogs.server.database import open_engine, ready
from wardogs.server.games import Made, keep
from wardogs.server.lines import Begun, encode, packed
from wardogs.server.rulebooks import rulebook
from wardogs.server.store import Settings, Store

WANTED = {"dawgs": Wanted(), "dogs": Wanted({"theme": "village", "points": 250, "seed": 10})}
PLAYED = {"dawgs": 40, "dogs": 96}  # whole games, of which the games made ready are copies
TOGETHER = 200


def make_ready(system: str, database: Path, number: int) -> list[Sitting]:
    """So many games. Of what was played before they keep only the first and the last entry: nobody here looks back."""
    engine = ready(open_engine(str(database)))
    store = Store(engine)
    try:
        return asyncio.run(_made(system, store, number))
    finally:
        store.close()


async def _made(system: str, store: Store, number: int) -> list[Sitting]:
    played = PLAYED[system]
    made: list[Sitting] = []
    for k in range(played):
        made += await _copies(system, store, k, number * (k + 1) // played - number * k // played)
    random.Random(1).shuffle(made)
    return made


async def _copies(system: str, store: Store, seed: int, number: int) -> list[Sitting]:
    """One game, copied into the database evenly along its way, with what is chosen next."""
    moments = list(_play(system, seed))
    script = _script(moments[-1][0])
    made: list[Sitting] = []
    for k in range(0, number, TOGETHER):
        some = [moments[len(moments) * at // number] for at in range(k, min(number, k + TOGETHER))]
        kept = await asyncio.gather(*(_keep(store, match, last, seed) for match, last in some))
        made += [Sitting(one.game, one.keys, last.n, script) for one, (_, last) in zip(kept, some, strict=True)]
    return made


def _script(match: Match) -> dict[int, tuple[int, dict[str, Any]]]:
    """What was chosen, entry by entry."""
    chosen = [entry for entry in match.record.entries if entry.kind == "choice"]
    return {entry.n: (entry.seat, entry.choice) for entry in chosen if entry.seat is not None and entry.choice is not None}


async def _keep(store: Store, match: Match, last: Entry, seed: int) -> Made:
    lines = [encode(Entry(0, "header", header=match.header)), encode(last)]
    position = packed(match.system.save(match.game.position))
    return await keep(store, Begun(lines, position, match.game.waiting, match.over, seed_from(seed)), Settings())


def _play(system: str, seed: int) -> Iterator[tuple[Match, Entry]]:
    """A game that drilled players play, as it stands at each of its questions."""
    book = rulebook(system)
    setup = book.plan(WANTED[system])
    match = Match.start(book, setup, dict.fromkeys(setup.seats, "person"), seed_from(seed))
    bots = {seat: make_bot("drill", seed, seat) for seat in setup.seats}
    while not match.over:
        moment = copy(match)
        moment.game = copy(match.game)
        yield moment, match.record.entries[-1]
        seat = match.game.waiting[0]
        match.answer(seat, bots[seat].choose(match.seen(seat)))
