"""From kill -9 to the first accepted choice, with many live games: python -m bench.recovery --games 500 --kills 20

Every game is played over two sockets. All processes of the server are killed at once and it is started again (or only a
worker is killed, and its parent replaces it); who was cut off comes back. Two times are measured: until any choice is
accepted, and until one is accepted in each game.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import uvloop

from tests.server.harness import PATIENT, Crowd, Served, free_port, lost
from wardogs.server.config import Config

PAUSE = 0.2  # seconds before a client that was cut off tries again
AT_ONCE = 32  # clients that come back at the same moment: they all share one process here


def line(name: str, times: list[float]) -> None:
    ordered = sorted(times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    print(f"{name:44} median {median(ordered):6.2f} s   p99 {p99:6.2f} s   of {len(ordered)}", flush=True)


def busy(served: Served) -> float:
    """Processor seconds of the server so far."""
    assert served.process is not None
    parent = served.process.pid
    pids = [parent, *map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split())]
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(field[11]) + int(field[12]) for field in fields) / os.sysconf("SC_CLK_TCK")


class Kill(NamedTuple):
    first: float  # seconds until any choice was accepted
    each: list[float]  # until one was, in each game
    work_first: float  # processor seconds of the server until then
    work_all: float


async def one_kill(served: Served, crowd: Crowd, what: str, rng: random.Random) -> Kill:
    await asyncio.sleep(0.5 + rng.random())
    killed = time.monotonic()
    if what == "worker":
        served.kill_worker(rng)
    else:
        served.kill()
    for table in crowd.tables:
        table.since, table.first = killed, 0.0
    if what == "all":
        crowd.gate.clear()
        served.start()
        await listening(served)
        crowd.gate.set()
    while not any(table.first for table in crowd.tables):
        await asyncio.sleep(0.002)
    work = busy(served)
    while not all(table.first for table in crowd.tables):
        assert time.monotonic() < killed + 120, "some games do not go on"
        await asyncio.sleep(0.005)
    times = [table.first - killed for table in crowd.tables]
    return Kill(min(times), times, work, busy(served))


async def listening(served: Served) -> None:
    """Somebody holds the port again; nobody is kept busy with knocking before."""
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", served.config.port)
            writer.close()
            return
        except OSError:
            await asyncio.sleep(0.01)


async def measure(args: argparse.Namespace, folder: Path) -> None:
    config = Config(args.database or f"sqlite:///{folder / 'games.db'}", port=free_port(), workers=args.workers, limits=PATIENT)
    served, rng = Served(config), random.Random(1)
    served.start()
    try:
        await served.answers()
        door = asyncio.Semaphore(AT_ONCE)
        async with Crowd(served.base, [{"system": args.system}] * args.games, think=args.think) as crowd:
            for table in crowd.tables:
                table.pause, table.door, table.gate = PAUSE, door, crowd.gate
            crowd.gate.set()
            await crowd.all_go_on(300)
            found = [await one_kill(served, crowd, args.what, rng) for _ in range(args.kills)]
    finally:
        served.kill()
    print(f"{args.games} live games of {args.system}, {args.kills} kills of {args.what}, {args.workers} workers")
    line("kill to first accepted choice", [kill.first for kill in found])
    line("kill to first accepted choice, of each game", [one for kill in found for one in kill.each])
    if args.what == "all":
        line("processor time of the server until the first", [kill.work_first for kill in found])
        line("processor time of the server until all", [kill.work_all for kill in found])
    faults = lost(config.database, crowd.players, folder)
    print(f"{crowd.promised} choices promised, {len(faults)} faults", *faults[:5], sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--system", default="dawgs")
    parser.add_argument("--what", choices=["all", "worker"], default="all")
    parser.add_argument("--think", type=float, default=2.0, help="seconds that a player thinks at most")
    parser.add_argument("--database", default="", help="a URL; a SQLite file in a new folder if left out")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(measure(args, Path(folder)))


if __name__ == "__main__":
    main()
