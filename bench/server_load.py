"""python -m bench.server_load: the Wardogs server beside boardgame.io's and beside a bare durable echo, in one run.

All share the cores of the machine, the load too. They sit at their tables at the same time and are measured in short turns, round
after round: machines are noisy, so look at the ratios over all rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import platform
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
import uvloop
from msgspec import Struct

from bench import server_clients as clients
from bench import server_hosts as hosts
from bench.server_clients import Load, Sitting, Table
from bench.server_phases import Phases

PORT = 8801
WARM = 2.0  # seconds before anything is counted: all begin at the same moment, and that wave takes some rounds to spread
FRESH = 3  # rounds after which all sit down anew: for games that have ended, and old matches of boardgame.io grow slow in memory
IDLE_ROOMS = 2000
ENOUGH = 12  # turns of a soak, to speak of a slope
FIRST = 50  # games that are opened before memory is counted
SPARE = {"dawgs": 320, "dogs": 32}  # games that end in a second at full speed, at most: others are ready to begin
WANTED = {"dawgs": 0.7, "dogs": 0.3}  # of boardgame.io's moves a second
SLOWER = 3.0  # times boardgame.io's p99
PACED_P99 = 20.0  # milliseconds, at one choice a second in each game
PEERS = ("boardgame.io", "echo")
NAMES = (*PEERS, "dawgs", "dogs")


class Figures(Struct):
    """What one turn of one server came to. Latency is from when a choice was due to when it was accepted."""

    rate: float  # accepted choices a second
    p50: float  # milliseconds
    p99: float
    requests: float  # a second
    late: int  # choices that came after another seat's and were sent again
    ended: int  # games
    games: int  # at once
    least: int  # when there were fewest
    server: float  # share of its core
    generator: float
    cpu: float  # microseconds of the server's processor for one choice
    sits: float  # seats a second that sat down, some at a time, before it began
    troubles: dict[str, int] = {}
    took: list[float] = []  # seconds, of each choice, sorted
    taken: float = 1.0  # seconds, of the turn


class Contender:
    """One server, kept running over all rounds, and the games that are played against it."""

    def __init__(self, name: str, folder: Path, options: argparse.Namespace, phases: Path | None = None) -> None:
        self.name, self.phases = name, phases
        self.sittings: list[Sitting] = []
        port = PORT + NAMES.index(name) + (10 if phases else 0)
        self.database = folder / f"{name}{'-phases' if phases else ''}.db"
        self.load: Load | None = None  # as long as its people sit at the tables
        self.spare = 0
        self.refill(options.games, options.seconds)
        if name in SPARE:
            self.host = hosts.wardogs(port, self.database, phases)
        else:
            self.host = hosts.boardgame(port) if name == "boardgame.io" else hosts.echo(port, self.database)

    def refill(self, games: int, seconds: float) -> None:
        """Games enough for so many seconds, put into the database beside the server."""
        self.spare = int(SPARE.get(self.name, 0) * (seconds + WARM))
        missing = games + self.spare - len(self.sittings)
        if self.name in SPARE and missing > 0:
            from bench.server_games import make_ready

            self.sittings += make_ready(self.name, self.database, missing)

    def tables(self, load: Load, number: int) -> list[Table]:
        if self.name == "boardgame.io":
            return clients.boardgame_tables(load, self.host.port, number)
        if self.name == "echo":
            return clients.echo_tables(load, self.host.port, number)
        return clients.wardogs_tables(load, self.host.port, self.sittings[: number + self.spare])

    def finished(self, load: Load) -> None:
        """Games that are over are not played again; the others go on next time."""
        over = {id(seat.sitting) for t in load.tables if t.over for seat in t.seats if isinstance(seat, clients.WardogsSeat)}
        self.sittings = [sitting for sitting in self.sittings if id(sitting) not in over]


async def sit_down(one: Contender, games: int, pace: float | None = None) -> Load:
    """All people of one server at their tables, ready to begin."""
    one.load = load = Load(games, pace, seed=len(one.sittings) + 1)
    await load.seat(one.tables(load, games))
    load.paused = True
    load.begin()
    return load


def stand_up(one: Contender) -> None:
    if one.load is not None:
        one.load.close()
        one.finished(one.load)
    one.load = None


async def measured(one: Contender, load: Load, seconds: float) -> tuple[Figures, dict[str, Any] | None]:
    """Some seconds against one server, while the others rest."""
    gc.collect()
    gc.disable()
    load.resume()
    await asyncio.sleep(WARM + (1 / load.pace if load.pace else 0.0))
    phases = Phases(one.host.worker, one.phases) if one.phases else None
    start, ours, theirs = time.perf_counter(), time.process_time(), one.host.seconds()
    load.count()
    await asyncio.sleep(seconds)
    load.counting = False
    taken, ours, theirs = time.perf_counter() - start, time.process_time() - ours, one.host.seconds() - theirs
    where = phases.of_each(len(load.latencies)) if phases else None
    gc.enable()
    if load.pace is None:
        await load.pause()
    return _figures(load, taken, ours, theirs), where


async def turn(one: Contender, games: int, seconds: float, pace: float | None = None) -> tuple[Figures, dict[str, Any] | None]:
    """From sitting down to standing up."""
    found = await measured(one, await sit_down(one, games, pace), seconds)
    stand_up(one)
    await asyncio.sleep(0.5)
    return found


async def alternate(contenders: list[Contender], options: argparse.Namespace, tell: Callable[[str, Figures], None]) -> None:
    """Round after round, each a short while; all stay seated for some rounds. In a first round, which does not count,
    compilers compile and lattices are laid."""
    for number in range(-1, options.rounds):
        for one in contenders if number % FRESH == 0 else ():
            stand_up(one)
            await asyncio.to_thread(one.refill, options.games, FRESH * (options.seconds + WARM))
        for one in contenders:
            load = one.load or await sit_down(one, options.games)
            figures = (await measured(one, load, options.seconds))[0]
            if number >= 0:
                tell(one.name, figures)
    for one in contenders:
        stand_up(one)
    await asyncio.sleep(0.5)


def _figures(load: Load, taken: float, ours: float, theirs: float) -> Figures:
    took = sorted(load.latencies) or [float("nan")]
    done = len(load.latencies) or 1
    return Figures(
        len(load.latencies) / taken, at(took, 0.5), at(took, 0.99), load.requests / taken, load.late, load.ended, load.games,
        load.least, theirs / taken, ours / taken, 1e6 * theirs / done, load.sits, dict(load.troubles.most_common(5)), took, taken,
    )  # fmt: skip


def at(took: list[float], share: float) -> float:
    """Milliseconds within which so many were through."""
    return 1e3 * took[min(len(took) - 1, int(share * len(took)))]


# ---- memory --------------------------------------------------------------------------------------------------------


async def memory(one: Contender, rooms: int) -> dict[str, float]:
    """Bytes in memory for one game that stands idle: with both seats at the table, with nobody there, and after it is closed."""
    resident = one.host.resident
    empty = resident()
    await _visit(one, one.sittings[:FIRST])  # what the first games need for all
    first, sittings = resident(), one.sittings[FIRST : rooms + FIRST]
    load = Load(0, None)
    await load.seat(clients.wardogs_tables(load, one.host.port, sittings))
    seated = resident()
    load.close()
    await asyncio.sleep(2.0)
    left = resident()
    await asyncio.sleep(float(os.environ["WARDOGS_BENCH_IDLE"]))
    await _visit(
        one, one.sittings[rooms + FIRST : rooms + FIRST + 1]
    )  # the next door that opens sweeps the rooms that nobody uses
    closed = resident()
    number = max(1, len(sittings))
    return {
        "server_mb": empty / 1e6, "first_games_mb": (first - empty) / 1e6, "rooms": number,
        "with_two_sockets_kb": (seated - first) / number / 1e3, "idle_kb": (left - first) / number / 1e3,
        "closed_kb": (closed - first) / number / 1e3,
    }  # fmt: skip


async def _visit(one: Contender, sittings: list[Sitting]) -> None:
    load = Load(0, None)
    await load.seat(clients.wardogs_tables(load, one.host.port, sittings))
    load.close()
    await asyncio.sleep(1.0)


def soak(one: Contender, games: int, seconds: float) -> dict[str, Any]:
    """Play on and on: does the memory grow? The slope is of the second half, when all is warm."""
    points: list[tuple[float, list[float]]] = []
    start, choices = time.monotonic(), 0.0
    while (now := time.monotonic() - start) < seconds:
        one.refill(games, 4.0)
        figures, _ = run(turn(one, games, 4.0))
        choices += figures.rate * 4.0
        points.append((now, [size / 1e6 for size in one.host.residents()]))
    late = points[len(points) // 2 :] if len(points) >= ENOUGH else []
    hourly = 3600 * slope([(at, sum(sizes)) for at, sizes in late])
    return {"seconds": [at for at, _ in points], "mb": [sizes for _, sizes in points], "mb_per_hour": hourly, "choices": choices}


def slope(points: list[tuple[float, float]]) -> float:
    n = len(points)
    if n < 2:
        return float("nan")
    x, y = sum(p[0] for p in points) / n, sum(p[1] for p in points) / n
    return sum((p[0] - x) * (p[1] - y) for p in points) / sum((p[0] - x) ** 2 for p in points)


# ---- the whole run -------------------------------------------------------------------------------------------------


class Result(Struct):
    machine: str
    games: int
    rounds: dict[str, list[Figures]]
    paced: dict[str, Figures] = {}
    phases: dict[str, Any] = {}
    memory: dict[str, dict[str, float]] = {}
    soak: dict[str, Any] = {}


def over_all(rounds: list[Figures]) -> Figures:
    """All rounds as one long one."""
    taken, last = sum(one.taken for one in rounds), rounds[-1]
    took = sorted(latency for one in rounds for latency in one.took)

    def mean(name: str) -> float:
        return sum(getattr(one, name) * one.taken for one in rounds) / taken

    return Figures(
        mean("rate"), at(took, 0.5), at(took, 0.99), mean("requests"), sum(one.late for one in rounds),
        sum(one.ended for one in rounds), last.games, min(one.least for one in rounds), mean("server"), mean("generator"),
        1e6 * mean("server") / mean("rate"), last.sits, last.troubles, [], taken,
    )  # fmt: skip


class Run:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder
        self.result = Result(f"{platform.machine()}, Python {platform.python_version()}", options.games, {})
        self.hosts: list[Contender] = []

    def start(self, name: str, phases: Path | None = None) -> Contender:
        self.hosts.append(Contender(name, self.folder, self.options, phases))
        return self.hosts[-1]

    def stop(self) -> None:
        for one in self.hosts:
            one.host.stop()
        self.hosts = []

    def all(self) -> Result:
        names, options = options_names(self.options), self.options
        contenders = [self.start(name) for name in names]
        for one in contenders if options.idle else ():
            if one.name in SPARE:
                one.refill(options.idle + FIRST + 1, 0.0)
                self.result.memory[one.name] = run(memory(one, options.idle))
        for one in contenders:
            one.refill(options.games, options.seconds + WARM)
        run(alternate(contenders, options, self.heard))
        for one in contenders if options.pace else ():
            one.refill(options.games, 5 * options.seconds)
            self.result.paced[one.name] = run(turn(one, options.games, 5 * options.seconds, options.pace))[0]
        for one in contenders if options.soak else ():
            if one.name in SPARE:
                self.result.soak[one.name] = soak(one, options.games, options.soak)
        self.stop()
        for name in names if options.profile else ():
            if name in SPARE:
                self.result.phases[name] = self.profiled(name)
        return self.result

    def heard(self, name: str, figures: Figures) -> None:
        self.result.rounds.setdefault(name, []).append(figures)
        if not self.options.json:
            print(row(name, figures), flush=True)

    def profiled(self, name: str) -> dict[str, Any]:
        """Once more with the clocks in: slower, but it says where the time goes."""
        one = self.start(name, self.folder / f"{name}.phases")
        where: dict[str, Any] | None = run(turn(one, self.options.games, self.options.seconds))[1]
        self.stop()
        assert where is not None
        return where


def options_names(options: argparse.Namespace) -> list[str]:
    return [name for name in NAMES if name in options.only]


def run(doing: Any) -> Any:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(doing)


# ---- what is printed -----------------------------------------------------------------------------------------------

HEAD = (
    f"{'':14}{'choices/s':>11}{'p50 ms':>9}{'p99 ms':>9}{'asked/s':>9}{'late':>7}{'ended':>7}{'at once':>8}"
    f"{'server':>8}{'load':>7}{'us cpu':>9}{'sits/s':>8}"
)


def row(name: str, f: Figures) -> str:
    line = (
        f"{name:14}{f.rate:11,.0f}{f.p50:9.1f}{f.p99:9.1f}{f.requests:9,.0f}{f.late:7,}{f.ended:7,}{f.least:8,}{f.server:8.0%}"
        f"{f.generator:7.0%}{f.cpu:9,.0f}{f.sits:8,.0f}"
    )
    return (
        line
        + ("  the load is the bottleneck" if f.generator > 0.9 > f.server else "")
        + "".join(f"\n{'':14}{number} x {text}" for text, number in f.troubles.items())
    )


def show(result: Result) -> None:
    print(f"\nover all {max(map(len, result.rounds.values()))} rounds, {result.games} games at once\n{HEAD}")
    for name, rounds in result.rounds.items():
        print(row(name, over_all(rounds)))
    if "boardgame.io" in result.rounds:
        show_ratios(result, over_all(result.rounds["boardgame.io"]))
    for name, paced in result.paced.items():
        aim = f"aim under {PACED_P99:g}" if name in SPARE else ""
        print(f"{name} at its own pace: {paced.rate:,.0f} choices/s, p50 {paced.p50:.1f} ms, p99 {paced.p99:.1f} ms  {aim}")
    for name, told in result.memory.items():
        print(
            f"{name}: server {told['server_mb']:.0f} MB, the first games {told['first_games_mb']:.1f} MB, then for each of "
            f"{told['rooms']:,.0f}: {told['with_two_sockets_kb']:.1f} kB with two sockets, {told['idle_kb']:.1f} kB when they "
            f"have left, {told['closed_kb']:.1f} kB when it is closed"
        )
    for name, told in result.soak.items():
        show_soak(name, told)
    for name, told in result.phases.items():
        show_phases(name, told)


def show_ratios(result: Result, peer: Figures) -> None:
    for name in SPARE:
        if name not in result.rounds:
            continue
        ours, pairs = over_all(result.rounds[name]), zip(result.rounds[name], result.rounds["boardgame.io"], strict=True)
        each = [our.rate / their.rate for our, their in pairs]
        by_rounds = f"median of rounds {median(each):.2f}, from {min(each):.2f} to {max(each):.2f}"
        print(f"{name} / boardgame.io: choices/s {ours.rate / peer.rate:.2f}, aim {WANTED[name]} ({by_rounds})")
        print(f"{name} / boardgame.io: by processor time {peer.cpu / ours.cpu:.2f}")
        print(f"{name} / boardgame.io: p99 {ours.p99 / peer.p99:.2f} x, aim under {SLOWER:g}")


def show_soak(name: str, told: dict[str, Any]) -> None:
    """The slope, and the megabytes of each process when it began, at each quarter and at the end."""
    taken, sizes = told["seconds"][-1], told["mb"]
    hourly = f"{told['mb_per_hour']:+.1f} MB an hour over its second half"
    print(f"{name}, soak: {told['choices']:,.0f} choices in {taken:.0f} s, {hourly}")
    moments = [sizes[(len(sizes) - 1) * quarter // 4] for quarter in range(5)]
    for process, of_each in enumerate(zip_longest(*moments, fillvalue=0.0)):
        kind = ("parent", "worker", "referee")[min(process, 2)]
        print(f"  {kind:12}" + "".join(f"{size:9.1f}" for size in of_each) + " MB")


def show_phases(name: str, told: dict[str, Any]) -> None:
    print(f"{name}: of the {told['whole']:,.0f} us of a choice (clocks included; {told['kernel']:,.0f} in the operating system)")
    for phase, figure in sorted(told["phases"].items(), key=lambda pair: -pair[1]):
        times = f"{told['calls'].get(phase, 0):.2f} calls" if phase in told["calls"] else ""
        print(f"  {phase:12}{figure:9,.0f} us {figure / told['whole']:6.0%}   {times}")
    if told["missing"]:
        print(f"  not found, and so part of the rest: {', '.join(told['missing'])}")


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.server_load", description=__doc__)
    parser.add_argument("--games", type=int, default=500, help="at once")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each turn")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument(
        "--pace", type=float, default=1.0, help="choices a second in each game, in the run at its own pace; 0: none"
    )
    parser.add_argument("--idle", type=int, default=IDLE_ROOMS, help="rooms to open for the memory of an idle game; 0: none")
    parser.add_argument("--soak", type=float, default=0.0, metavar="SECONDS", help="play on and watch the memory")
    parser.add_argument("--profile", action=argparse.BooleanOptionalAction, default=True, help="where the time of a choice goes")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def main() -> None:
    options = asked()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.environ.setdefault("WARDOGS_BENCH_IDLE", "5")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell has started us in the background
    signal.signal(signal.SIGTERM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    if not options.json:
        print(HEAD)
    with tempfile.TemporaryDirectory(prefix="wardogs-load-") as folder:
        whole = Run(options, Path(folder))
        try:
            result = whole.all()
        except KeyboardInterrupt:
            sys.exit(130)
        except hosts.PeerMissing as missing:
            sys.exit(f"{missing}; leave it out with --only echo dawgs dogs")
        finally:
            whole.stop()
    if options.json:
        for figures in (one for rounds in result.rounds.values() for one in rounds):
            figures.took = []
        print(msgspec.json.encode(result).decode())
    else:
        show(result)


if __name__ == "__main__":
    main()
