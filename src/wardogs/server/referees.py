"""Where referees work: in the worker itself, or in processes beside it, so that its sockets never wait for the rules.

Each game belongs to one process for as long as it is open. The processes are forked before the worker serves anybody. One
that dies or hangs takes its worker with it: another is forked in its place, and all its games go on from the database.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, cycle
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Refusal, Refused
from wardogs.server.calls import Forgotten, Look, Request, See
from wardogs.server.errors import Broken, ServerError, Unavailable
from wardogs.server.messages import written
from wardogs.server.referee import Referee
from wardogs.server.rulebooks import read_all

SETTLED = 8.0  # seconds after which a new process reads all rules, to have them ready: after a crash, games first
TIDY = 200_000  # requests after which garbage is looked for when nobody waits, and in any case after ten times as many
PIECE = 1 << 18  # bytes read at a time
SHARE = 4  # an answer is held back until as many are ready as a quarter of those who wait: each time costs the worker a turn
# of its loop, and a commit
HELD = 0.05  # seconds for which it is held back at most, beside what is decided just then

log = logging.getLogger("wardogs.referees")
T = TypeVar("T")


class AReferee(Protocol):
    """A referee, wherever he works."""

    async def ask(self, said: Request, answer: type[T]) -> T: ...

    def close(self) -> None:
        """The game is closed, or will be taken up anew."""


class Bench(Protocol):
    """Where referees come from."""

    def referee(self) -> AReferee: ...

    async def ask(self, said: Request, answer: type[T]) -> T:
        """Whoever is free: for what belongs to no game."""

    def busy_for(self) -> float:
        """Seconds for which somebody has waited and nobody was answered."""


# ---- in the worker ---------------------------------------------------------------------------------------------------


class Here(Referee):
    """In this very process."""

    async def ask(self, said: Request, answer: type[T]) -> T:
        told: T = self.answer(said)
        return told


class AtHome:
    def referee(self) -> Here:
        return Here()

    async def ask(self, said: Request, answer: type[T]) -> T:
        return await Here().ask(said, answer)

    def busy_for(self) -> float:
        return 0.0


# ---- what goes between a worker and a process ------------------------------------------------------------------------


class Asked(Struct, frozen=True, array_like=True):
    number: int
    table: int
    said: Request | None  # None: this table is closed


class Answered(Struct, frozen=True, array_like=True):
    number: int
    data: msgspec.Raw
    failed: str = ""
    refusal: bytes = b""  # in JSON, which holds any figure


_encode = msgspec.msgpack.Encoder().encode
_asked = msgspec.msgpack.Decoder(Asked).decode
_answered = msgspec.msgpack.Decoder(Answered).decode
_refusal = msgspec.json.Decoder(Refusal).decode
_size = struct.Struct("<I")
_NOTHING = msgspec.Raw(_encode(None))


def framed(message: Struct) -> bytes:
    body = _encode(message)
    return _size.pack(len(body)) + body


class Frames:
    """A stream of bytes, cut into messages."""

    def __init__(self) -> None:
        self.held = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        held = self.held
        held += data
        at = 0
        while len(held) - at >= 4:
            end = at + 4 + _size.unpack_from(held, at)[0]
            if end > len(held):
                break
            yield bytes(held[at + 4 : end])
            at = end
        del held[:at]


def failure(answer: Answered) -> Exception:
    """As it was raised there."""
    kind, _, text = answer.failed.partition(" ")
    if answer.refusal:
        return Refused(_refusal(answer.refusal))
    known: dict[str, Exception] = {"forgotten": Forgotten(), "broken": Broken(), "wrong": WardogsError(text)}
    return known.get(kind, ServerError(text))


def failed(number: int, error: Exception) -> Answered:
    if isinstance(error, Refused):
        try:
            return Answered(number, _NOTHING, "refused", written(error.refusal))
        except Exception as unsayable:
            error = unsayable
    for kind, known in (("forgotten", Forgotten), ("broken", Broken), ("wrong", WardogsError), ("not_now", ServerError)):
        if isinstance(error, known):
            return Answered(number, _NOTHING, f"{kind} {error}")
    log.error("a referee failed", extra={"error": type(error).__name__})
    return Answered(number, _NOTHING, "broken")


NOWHERE = 0  # the table of what belongs to no game


# ---- in a process beside the worker ----------------------------------------------------------------------------------


class Desk:
    """What a process has been asked and has not answered. Who only looks goes first, since he waits for it with the table before
    him, but not twice in a row while somebody else waits: each table asks one thing at a time, so no order is lost."""

    def __init__(self, line: socket.socket) -> None:
        self.line, self.frames = line, Frames()
        self.looks: deque[Asked] = deque()
        self.deeds: deque[Asked] = deque()
        self.looked = False
        self.said, self.ready, self.since = bytearray(), 0, 0.0  # answers that are held back, how many, and since when

    @property
    def waiting(self) -> int:
        return len(self.looks) + len(self.deeds)

    def hear(self) -> bool:
        """Read what has come; where nothing is left to do, wait for it. False: the worker is gone."""
        self.line.setblocking(not self.waiting)
        try:
            data = self.line.recv(PIECE)
        except BlockingIOError:
            return True
        for body in self.frames.feed(data):
            asked = _asked(body)
            (self.looks if isinstance(asked.said, Look | See) else self.deeds).append(asked)
        return bool(data)

    def next(self) -> Asked | None:
        self.looked = bool(self.looks) and not (self.looked and self.deeds)
        queue = self.looks if self.looked else self.deeds
        return queue.popleft() if queue else None

    def tell(self, message: bytes) -> None:
        """At once; but where many wait, some answers go together."""
        now = time.monotonic()
        if not self.said:
            self.since = now
        self.said += message
        self.ready += 1
        if self.ready * SHARE >= self.waiting or now - self.since > HELD:
            self.line.setblocking(True)
            self.line.sendall(self.said)
            self.said.clear()
            self.ready = 0


def preside(line: socket.socket) -> None:
    """The whole life of a process: until its worker is gone."""
    desk, tables, tidied = Desk(line), dict[int, Referee](), 0
    threading.Thread(target=_read_later, name="rules", daemon=True).start()
    for number in count(1):
        if not desk.hear():
            return
        if (asked := desk.next()) is not None:
            desk.tell(decided(asked, tables))
        if number - tidied > (10 * TIDY if desk.waiting else TIDY):
            gc.collect()
            tidied = number


def _read_later() -> None:
    """Nobody waits for this, unless a game needs it now."""
    time.sleep(SETTLED)
    read_all()


def decided(asked: Asked, tables: dict[int, Referee]) -> bytes:
    """The answer, as it is sent; whatever goes wrong is told to who has asked."""
    if asked.said is None:
        if (closed := tables.pop(asked.table, None)) is not None:
            closed.close()
        return framed(Answered(asked.number, _NOTHING))
    referee = tables.get(asked.table)
    if referee is None:
        referee = Referee()
        if asked.table != NOWHERE:
            tables[asked.table] = referee
    try:
        return framed(Answered(asked.number, msgspec.Raw(_encode(referee.answer(asked.said)))))
    except Exception as error:
        return framed(failed(asked.number, error))


def _look_after(worker: int) -> None:
    """One whose worker was killed ends itself, even in the middle of a rule."""
    while os.getppid() == worker:
        time.sleep(1.0)
    os._exit(1)


# ---- beside it -------------------------------------------------------------------------------------------------------


class Process(asyncio.Protocol):
    """One process, as its worker knows it."""

    def __init__(self, pid: int, line: socket.socket) -> None:
        self.pid, self.line = pid, line
        self.numbers = count(1)
        self.waiting: dict[int, tuple[float, asyncio.Future[Answered]]] = {}
        self.frames, self.asked = Frames(), bytearray()
        self.transport: asyncio.WriteTransport | None = None
        self.closing, self.spoke = False, 0.0
        self.loop: asyncio.AbstractEventLoop

    async def open(self) -> None:
        self.loop = asyncio.get_running_loop()
        await self.loop.create_unix_connection(lambda: self, sock=self.line)

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.set_write_buffer_limits(high=1 << 30)  # who asks waits for the answer, not for the line

    def data_received(self, data: bytes) -> None:
        self.spoke = time.monotonic()
        for body in self.frames.feed(data):
            answer = _answered(body)
            _, done = self.waiting.pop(answer.number, (0.0, None))
            if done is not None and not done.done():
                done.set_result(answer)

    def connection_lost(self, error: Exception | None) -> None:
        waiting, self.waiting = self.waiting, {}
        for _, done in waiting.values():
            if not done.done():
                done.set_exception(Unavailable())
        if not self.closing:
            log.critical("a referee has died", extra={"pid": self.pid})
            os.kill(os.getpid(), signal.SIGKILL)

    async def ask(self, table: int, said: Request) -> msgspec.Raw:
        number, done = next(self.numbers), self.loop.create_future()
        try:
            message = framed(Asked(number, table, said))
        except OverflowError:
            raise WardogsError("not understood: a whole number has more than 64 bits") from None
        except RecursionError as error:
            raise WardogsError(f"not understood: {error}"[:300]) from None
        if self.transport is None or self.closing:
            raise Unavailable
        self.waiting[number] = (time.monotonic(), done)
        self._post(message)
        answer: Answered = await done
        if answer.failed:
            raise failure(answer)
        return answer.data

    def forget(self, table: int) -> None:
        if self.transport is not None and not self.closing:
            self._post(framed(Asked(0, table, None)))

    def _post(self, message: bytes) -> None:
        """What is asked in one turn of the loop goes together."""
        if not self.asked:
            self.loop.call_soon(self._post_now)
        self.asked += message

    def _post_now(self) -> None:
        asked, self.asked = self.asked, bytearray()
        if self.transport is not None and not self.closing:
            self.transport.write(asked)

    @property
    def busy_for(self) -> float:
        """Seconds for which somebody has waited and nobody was answered."""
        return time.monotonic() - max(self.spoke, next(iter(self.waiting.values()))[0]) if self.waiting else 0.0

    def close(self) -> None:
        self.closing = True
        if self.transport is not None:
            self.transport.close()
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


class There:
    """A referee in another process."""

    tables = count(1)

    def __init__(self, process: Process) -> None:
        self.process, self.table = process, next(self.tables)

    async def ask(self, said: Request, answer: type[T]) -> T:
        raw = await self.process.ask(self.table, said)
        return msgspec.msgpack.decode(raw, type=answer)

    def close(self) -> None:
        self.process.forget(self.table)
        self.table = next(self.tables)

    def __del__(self) -> None:
        """Wherever garbage is collected: the line is the loop's."""
        with suppress(RuntimeError):  # which has ended
            self.process.loop.call_soon_threadsafe(self.process.forget, self.table)


class Beside:
    """So many processes."""

    def __init__(self, processes: list[Process]) -> None:
        self.processes = processes
        self._next = cycle(processes)

    async def __aenter__(self) -> Beside:
        for process in self.processes:
            await process.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        for process in self.processes:
            process.close()

    def referee(self) -> There:
        return There(next(self._next))

    async def ask(self, said: Request, answer: type[T]) -> T:
        raw = await min(self.processes, key=lambda process: len(process.waiting)).ask(NOWHERE, said)
        return msgspec.msgpack.decode(raw, type=answer)

    def busy_for(self) -> float:
        return max(process.busy_for for process in self.processes)


def born(number: int, shut: socket.socket) -> Beside:
    """Fork them, now that this process has no threads yet and holds nothing; `shut` is the port, which is not theirs."""
    processes: list[Process] = []
    for _ in range(number):
        mine, yours = socket.socketpair()
        pid = os.fork()
        if not pid:
            _live(yours, [mine, shut, *(process.line for process in processes)])
        yours.close()
        processes.append(Process(pid, mine))
    return Beside(processes)


def _live(line: socket.socket, others: list[socket.socket]) -> None:
    code = 1
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)  # the worker says when it is over
        for other in others:
            other.close()
        threading.Thread(target=_look_after, args=(os.getppid(),), name="look after", daemon=True).start()
        gc.freeze()
        gc.disable()  # the rules leave hardly any garbage, and to look for it takes milliseconds in which somebody waits
        preside(line)
        code = 0
    finally:
        os._exit(code)
