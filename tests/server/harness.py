"""A whole server in processes of its own, people who play at it over real sockets, and a check of what they were promised."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import msgspec
from sqlalchemy.exc import DatabaseError
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.server.postgres import is_alive, stat
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.record import read_record
from wardogs.server.config import Config, Limits
from wardogs.server.database import open_engine
from wardogs.server.store import Kept, Store

SERVE = """
import sys, msgspec
from wardogs.server.config import Config
from wardogs.server.serving import serve
serve(msgspec.json.decode(sys.argv[1], type=Config))
"""
PATIENT = Limits(messages=1e6, burst=1_000_000)
GONE = (OSError, WebSocketException, httpx.HTTPError, TimeoutError)
UP = 60.0  # seconds


def _as_a_host() -> dict[str, str]:
    """Compiled code is kept, as everywhere but where tests run."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Served:
    """A server: its parent, its workers and all that they start are one group of processes."""

    def __init__(self, config: Config, program: str = SERVE, environment: Mapping[str, str] | None = None) -> None:
        self.config, self.program, self.environment = config, program, dict(environment or {})
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def base(self) -> str:
        return f"127.0.0.1:{self.config.port}"

    def start(self) -> None:
        words = [sys.executable, "-c", self.program, msgspec.json.encode(self.config).decode()]
        self.process = subprocess.Popen(words, env={**_as_a_host(), **self.environment}, start_new_session=True)

    async def answers(self) -> None:
        """Wait until it serves."""
        end = time.monotonic() + UP
        while True:
            try:
                async with httpx.AsyncClient() as client:
                    (await client.get(f"http://{self.base}/health", timeout=UP)).raise_for_status()
                return
            except httpx.HTTPError:
                assert self.process is not None
                assert self.process.poll() is None, "the server has ended"
                assert time.monotonic() < end, "the server does not answer"
                await asyncio.sleep(0.01)

    def kill(self) -> None:
        """All at once, nothing tidied up."""
        assert self.process is not None
        group = _of_group(self.process.pid)
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        while any(map(is_alive, group)):
            time.sleep(0.002)

    def kill_worker(self, rng: random.Random) -> None:
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        os.kill(int(rng.choice(children)), signal.SIGKILL)

    def stop(self) -> int:
        """As its host would stop it."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(timeout=20)


def _of_group(group: int) -> list[int]:
    pids = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    return [pid for pid in pids if (found := stat(pid)) and int(found[2]) == group]


class Player:
    """One seat: answers as soon as it is asked, comes back when it is cut off, and notes every choice that it was promised."""

    def __init__(self, table: Table, seat: int, key: str, seed: int) -> None:
        self.table, self.game, self.seat, self.key = table, table.game, seat, key
        self.rng = random.Random(seed)
        self.n, self.last_tried = -1, -1
        self.question: Any = None
        self.sent: tuple[int, Any] | None = None
        self.promised: list[tuple[int, Any]] = []
        self.faults: list[str] = []
        self.over = False
        self.back, self.since = True, 0.0  # just come back, and when

    async def play(self) -> None:
        while not self.over:
            with suppress(*GONE):
                async with await self._sit() as line:
                    while self._waits():
                        self._hear(msgspec.json.decode(await line.recv()))
                        await self._answer(line)
            await asyncio.sleep(self.table.pause * (0.5 + self.rng.random()))

    def _waits(self) -> bool:
        """For the end of the game, and for what was promised last."""
        return not self.over or self.sent is not None

    async def _sit(self) -> ClientConnection:
        """Come in, when the door is not crowded and somebody is there."""
        async with self.table.door:
            await self.table.gate.wait()
            line = await connect(f"ws://{self.table.base}/api/live", max_size=None, compression=None)
            self.sent, self.last_tried, self.back, self.since = None, -1, True, time.monotonic()
            await self._say(line, do="sit", game=self.game, key=self.key, after=self.n, id=0)
            self._hear(msgspec.json.decode(await line.recv()))
            await self._answer(line)
            return line

    async def _say(self, line: ClientConnection, **fields: Any) -> None:
        await line.send(msgspec.json.encode(fields).decode())

    def _hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind in ("sat", "news"):
            heard = [entry["n"] for entry in message.get("entries", [])]
            if heard != list(range(self.n + 1, message["n"] + 1)):
                self.faults.append(f"{self._name}: at entry {self.n} was told {heard} up to {message['n']}")
            self.n, self.over = message["n"], bool(message.get("outcome"))
            self.question = message.get("question") if self.seat in message["waiting"] else None
        elif message.get("id") == 1:
            self._answered(message)
        elif kind == "wrong":
            self.faults.append(f"{self._name}: {message}")

    def _answered(self, message: dict[str, Any]) -> None:
        assert self.sent is not None
        sent, self.sent = self.sent, None
        if message["type"] == "done":
            self.promised.append((message["n"], sent[1]))
            self.table.last = now = time.monotonic()
            if self.since > self.table.since:
                self.table.first = self.table.first or now
        elif message.get("fact") not in ("late", "unavailable"):
            self.faults.append(f"{self._name}: {message}")

    @property
    def _name(self) -> str:
        return f"game {self.game}, seat {self.seat}"

    async def _answer(self, line: ClientConnection) -> None:
        if self.question is None or self.sent is not None or self.last_tried == self.n + 1:
            return
        if self.table.think and not self.back:  # who comes back has thought already
            await asyncio.sleep(self.rng.random() * self.table.think)
        self.sent = (self.n + 1, some_choice(self.question, self.rng))
        self.last_tried, self.back = self.n + 1, False
        await self._say(line, do="choose", n=self.sent[0], choice=self.sent[1], id=1)


def some_choice(question: dict[str, Any], rng: random.Random) -> Any:
    """Mostly what silence would mean, so that games last; else anything that needs no point on the table."""
    simple = [offer for offer in question["offers"] if not offer.get("gives_up") and _simple(offer)]
    if not simple or rng.random() < 0.85:
        return question["default"]
    offer = rng.choice(simple)
    return {"verb": offer["verb"], **{name: _value(domain, rng) for name, domain in offer.get("fields", {}).items()}}


def _simple(offer: dict[str, Any]) -> bool:
    return all(domain["type"] in ("one", "flag") and domain.get("among", True) for domain in offer.get("fields", {}).values())


def _value(domain: dict[str, Any], rng: random.Random) -> Any:
    return rng.choice(domain["among"]) if domain["type"] == "one" else rng.random() < 0.5


class Table:
    """A place where one game after the other is played, for as long as anybody wants."""

    def __init__(self, base: str, wanted: dict[str, Any], seed: int, think: float = 0.0) -> None:
        self.base, self.wanted, self.seed, self.think = base, wanted, seed, think
        self.game = ""
        self.players: list[Player] = []  # of all games so far
        self.last = 0.0  # when a choice was last promised
        self.since = self.first = 0.0  # from when on to look, and when one was first promised to somebody who came after that
        self.pause = 0.01  # before a player who was cut off tries again
        self.door, self.gate = asyncio.Semaphore(1000), asyncio.Event()
        self.gate.set()

    async def run(self) -> None:
        async with httpx.AsyncClient(verify=False) as client:  # reading certificates would take longer than a game
            while True:
                with suppress(*GONE):
                    await self._play(client)
                    continue
                await asyncio.sleep(0.02)

    async def _play(self, client: httpx.AsyncClient) -> None:
        await self.gate.wait()
        answer = await client.post(f"http://{self.base}/api/games", json=self.wanted, timeout=20)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        self.game = made["game"]
        new = [Player(self, int(seat), key, self.seed * 100 + int(seat)) for seat, key in made["keys"].items()]
        self.players += new
        await asyncio.gather(*(player.play() for player in new))


class Crowd:
    """Many tables at once."""

    def __init__(self, base: str, wanted: list[dict[str, Any]], think: float = 0.0) -> None:
        self.tables = [Table(base, one, seed, think) for seed, one in enumerate(wanted)]
        self.gate = asyncio.Event()  # for who wants to hold all back

    async def __aenter__(self) -> Crowd:
        self.tasks = [asyncio.ensure_future(table.run()) for table in self.tables]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self.tasks:
            task.cancel()
        results = await asyncio.gather(*self.tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, asyncio.CancelledError):
                raise result

    @property
    def players(self) -> list[Player]:
        return [player for table in self.tables for player in table.players]

    @property
    def at_play(self) -> list[Player]:
        """Those of the games that are played now."""
        return [player for table in self.tables for player in table.players if player.game == table.game]

    @property
    def promised(self) -> int:
        return sum(len(player.promised) for player in self.players)

    async def all_go_on(self, seconds: float = UP) -> None:
        """Until a choice was accepted at every table, from now on."""
        began = time.monotonic()
        while behind := [table for table in self.tables if table.last <= began]:
            assert time.monotonic() < began + seconds, f"{len(behind)} games do not go on: {behind[0].game}"
            for task in self.tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.01)


def lost(url: str, players: list[Player], folder: Path) -> list[str]:
    """All that is not as it was promised: choices that are missing or changed, records that do not hold together."""
    store = Store(open_engine(url))
    try:
        return [fault for player in players for fault in player.faults] + list(_faults(store, players, folder))
    except DatabaseError as error:
        return [f"the database cannot be read: {error}"]
    finally:
        store.close()


def _settled(store: Store, game: str) -> tuple[Kept | None, list[bytes]]:
    """As it is kept. A commit of who was killed may still be under way in the database: then it is looked at again."""
    for _ in range(20):
        kept, lines = store.kept(game), store.lines(game)
        if kept is None or kept.head == len(lines) - 1:
            break
        time.sleep(0.1)
    return kept, lines


def _faults(store: Store, players: list[Player], folder: Path) -> Iterator[str]:
    games = {player.game: [one for one in players if one.game == player.game] for player in players}
    for game, seats in games.items():
        kept, lines = _settled(store, game)
        path = folder / f"{game}.record"
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        if kept is None:
            yield f"game {game} is gone"
            continue
        try:
            record = read_record(path)
        except WardogsError as error:
            yield str(error)
            continue
        if kept.head != record.next - 1:
            yield f"game {game}: its head is {kept.head}, its last entry {record.next - 1}"
        for player in seats:
            for n, choice in player.promised:
                entry = record.entries[n] if n < record.next else None
                if entry is not None and entry.kind == "end":  # the last choice brings the end with it
                    entry = record.entries[n - 1]
                if entry is None or (entry.kind, entry.seat, entry.choice) != ("choice", player.seat, choice):
                    yield f"game {game}, seat {player.seat}: entry {n} was promised and is not there"
            if [n for n, _ in player.promised] != sorted({n for n, _ in player.promised}):
                yield f"game {game}, seat {player.seat}: promised out of order or twice"
