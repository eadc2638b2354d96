"""Two workers are given the next choice of one game at the same moment: exactly one is accepted, the other is told.

WARDOGS_RACES says how often (1,000 for the full proof).
"""

from __future__ import annotations

import asyncio
import multiprocessing as mp
import os
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

from tests.server.conftest import Database
from tests.server.tables import a_game, hall_over
from wardogs.kernel.record import read_record
from wardogs.server.calls import Answer
from wardogs.server.errors import Late
from wardogs.server.hall import Hall

RACES = int(os.environ.get("WARDOGS_RACES", "100"))
GAMES = 10
DEADLINE = 60.0


def runner(url: str, games: list[str], barrier: Barrier, told: Connection) -> None:
    """One worker of two, in a process of its own."""

    async def go() -> list[str]:
        async with hall_over(url) as hall:
            return [await one_race(hall, games[k % len(games)], barrier) for k in range(RACES)]

    told.send(asyncio.run(go()))


async def one_race(hall: Hall, game: str, barrier: Barrier) -> str:
    room = await hall.room(game)
    seat = room.standing.waiting[0]
    choice = room.referee.match.game.question.asks[seat].default  # type: ignore[union-attr]
    n = room.standing.next
    barrier.wait(DEADLINE)
    try:
        accepted = (await room.act(Answer(seat, choice), n)).standing.next - 1
    except Late as late:
        result = f"late {n} {late.next > n}"
    else:
        result = f"accepted {n} {accepted >= n}"
    barrier.wait(DEADLINE)  # the slower one has caught up too
    return result


def test_of_two_at_the_same_moment_one_is_accepted_and_the_other_told(database: Database, tmp_path: Path) -> None:
    async def begin() -> list[str]:
        async with hall_over(database.url) as hall:
            return [(await a_game(hall, options={})).game for _ in range(GAMES)]

    games = asyncio.run(begin())
    spawn = mp.get_context("spawn")
    barrier, pipes = spawn.Barrier(2), [spawn.Pipe(duplex=False) for _ in range(2)]
    workers = [spawn.Process(target=runner, args=(database.url, games, barrier, pipe[1])) for pipe in pipes]
    for worker in workers:
        worker.start()
    first, second = (pipe[0].recv() if pipe[0].poll(DEADLINE + RACES) else [] for pipe in pipes)
    for worker in workers:
        worker.join(DEADLINE)
    assert len(first) == len(second) == RACES
    for one, other in zip(first, second, strict=True):
        assert sorted(result.split()[0] for result in (one, other)) == ["accepted", "late"]
        assert one.split()[1:] == other.split()[1:]
        assert one.endswith("True")
    asyncio.run(check(database, games, tmp_path))


async def check(database: Database, games: list[str], folder: Path) -> None:
    """Each race is one entry of its game, and the records hold together."""
    async with hall_over(database.url) as hall:
        entries = 0
        for game in games:
            path = folder / game
            path.write_bytes(b"".join(line + b"\n" for line in hall.store.lines(game)))
            entries += sum(entry.kind == "choice" for entry in read_record(path).entries)
        assert entries == RACES
