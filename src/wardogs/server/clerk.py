"""The clerk: a process beside a worker that reads records, runs whole games again and draws, so that no live game waits for it.

It is started when it is first needed, takes one job at a time, and ends with its worker. A job that takes too long ends it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any, Literal

import msgspec
from msgspec import Struct

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Seat
from wardogs.server.errors import ServerError

TIME = 120.0  # seconds for a job
MEMORY = 4 << 30  # bytes
LARGEST = 64 << 20  # bytes of an answer
WAITING = 16  # jobs that may wait
START = "from wardogs.server.clerk import main; main()"

log = logging.getLogger("wardogs.clerk")


class Job(Struct, frozen=True, omit_defaults=True):
    what: Literal["check", "verify", "replay", "fork", "picture"]
    raw: bytes
    seat: Seat | None = None
    first: int = 0
    last: int | None = None
    players: dict[Seat, str] = {}
    entropy: str = ""
    draws: bool = False
    system: str = ""
    scenario: str = ""


class Answer(Struct, frozen=True, omit_defaults=True):
    """A piece of the answer; the last one has none, or says what is wrong."""

    piece: bytes | None = None
    error: str = ""


class Busy(ServerError):
    status = 503

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}: try again later")


class Clerk:
    """The worker's side."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.process: asyncio.subprocess.Process | None = None
        self.waiting = 0

    async def ask(self, job: Job) -> bytes:
        """The whole answer. A job that breaks off in the middle ends the process: the next one finds a new one."""
        if self.waiting >= WAITING:
            raise Busy("too many records are being read")
        self.waiting += 1
        try:
            async with self.lock:
                return await self._ask(job)
        finally:
            self.waiting -= 1

    async def _ask(self, job: Job) -> bytes:
        whole, pieces = False, []
        try:
            async with asyncio.timeout(TIME):
                process = await self._ready()
                assert process.stdin is not None
                process.stdin.write(framed(job))
                await process.stdin.drain()
                while (answer := await _answer(process)).piece is not None:
                    pieces.append(answer.piece)
            whole = True
        except TimeoutError:
            raise Busy(f"the record took longer than {TIME:g} seconds") from None
        except (OSError, asyncio.IncompleteReadError):
            log.error("the clerk ended in the middle of a job", extra={"job": job.what})
            raise Busy("the record could not be read") from None
        finally:
            if not whole:
                await self.close()
        if answer.error:
            raise WardogsError(answer.error)
        return b"".join(pieces)

    async def _ready(self) -> asyncio.subprocess.Process:
        if self.process is None or self.process.returncode is not None:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-c", START, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
        return self.process

    async def close(self) -> None:
        process, self.process = self.process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _answer(process: asyncio.subprocess.Process) -> Answer:
    assert process.stdout is not None
    size = int.from_bytes(await process.stdout.readexactly(4), "big")
    return msgspec.msgpack.decode(await process.stdout.readexactly(size), type=Answer)


def framed(message: Struct) -> bytes:
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(4, "big") + body


# ---- the clerk's side ----------------------------------------------------------------------------------------------


def main() -> None:
    """Take jobs until the worker is gone."""
    _be_modest()
    into, out = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    with suppress(KeyboardInterrupt, BrokenPipeError):
        while size := into.read(4):
            serve(msgspec.msgpack.decode(into.read(int.from_bytes(size, "big")), type=Job), out)


def _be_modest() -> None:
    """Live games come first, and no record may eat the machine."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if hasattr(os, "nice"):
        os.nice(5)


def serve(job: Job, out: IO[bytes]) -> None:
    error, size = "", 0
    try:
        for piece in done(job):
            out.write(framed(Answer(piece)))
            size += len(piece)
            if size > LARGEST:
                raise WardogsError("the record: that is too much at once; ask for fewer entries")
    except WardogsError as wrong:
        error = str(wrong) or "the record cannot be used"
    except BrokenPipeError:
        raise
    except Exception as failure:  # rules that fail on a stranger's record: the record is at fault
        log.info("rules failed on a record: %s", type(failure).__name__)
        error = "the record: the rules fail on it"
    out.write(framed(Answer(error=error)))
    out.flush()


def done(job: Job) -> Iterator[bytes]:
    from wardogs.server import picturing, records

    encode: Any = msgspec.json.encode
    match job.what:
        case "check":
            yield msgspec.msgpack.encode(records.check(job.raw))
        case "verify":
            yield encode(records.verify(job.raw))
        case "replay":
            for one in records.played_back(job.raw, records.Wanted(job.seat, job.first, job.last, job.draws)):
                yield encode(one) + b"\n"
        case "picture":
            yield picturing.picture(job.system, job.scenario).encode()
        case "fork":
            yield msgspec.msgpack.encode(records.fork(job.raw, records.Forked(job.last, job.players, job.entropy)))
