"""Where the time of a choice goes: processor time of the functions that stand for each phase, inner ones taken off outer ones."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import signal
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from types import coroutine
from typing import Any

# phase, module, function; a function that is no longer there is passed over and named in the result
PHASES = (
    ("read", "wardogs.server.sockets", "read_request"),
    ("rules", "wardogs.kernel.match", "Match.answer"),
    ("record", "wardogs.kernel.match", "chained"),
    ("save", "wardogs.kernel.system", "System.save"),
    ("view", "wardogs.server.referee", "shown_to"),
    ("edits", "wardogs.server.referee", "edits"),
    ("offers", "wardogs.server.telling", "Teller.question"),
    ("words", "wardogs.server.telling", "Teller.happened"),
    ("encode", "wardogs.server.referee", "written"),
    ("encode", "wardogs.server.room", "written"),
    ("encode", "wardogs.server.sockets", "written"),
    ("encode", "wardogs.server.telling", "written"),
    ("offers", "wardogs.server.looking", "offers_of"),
    ("to the referee", "wardogs.server.referees", "Process.ask"),
    ("to the referee", "wardogs.server.referees", "Process.data_received"),
    ("from the worker", "wardogs.server.referees", "Desk.hear"),
    ("from the worker", "wardogs.server.referees", "Desk.tell"),
    ("append", "wardogs.server.writer", "Writer._together"),
    ("append", "wardogs.server.writer", "Writer._gather"),
    ("append", "wardogs.server.writer", "_settle"),
    ("frames in", "wardogs.server.wire", "Wire.data_received"),
    ("frames out", "wardogs.server.wire", "Wire.write_now"),
    ("frames out", "wardogs.server.wire", "Wire.post"),
    ("send", "uvicorn.protocols.websockets.websockets_sansio_impl", "WebSocketsSansIOProtocol.send"),
)  # fmt: skip

spent: dict[str, float] = defaultdict(float)
calls: dict[str, int] = defaultdict(int)
_inner = threading.local()


def timed(phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        outer = getattr(_inner, "time", 0.0)
        _inner.time = 0.0
        start = time.thread_time()
        try:
            return function(*args, **kwargs)
        finally:
            taken = time.thread_time() - start
            spent[phase] += taken - _inner.time
            calls[phase] += 1
            _inner.time = outer + taken

    return run


def stepped(phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A coroutine: the time of its steps, without what it waits."""

    @wraps(function)
    async def run(*args: Any, **kwargs: Any) -> Any:
        return await _steps(phase, function(*args, **kwargs))

    return run


@coroutine
def _steps(phase: str, inner: Any) -> Any:
    step, given = inner.send, None
    while True:
        try:
            waits = timed(phase, step)(given)
        except StopIteration as end:
            return end.value
        try:
            step, given = inner.send, (yield waits)
        except BaseException as thrown:
            step, given = inner.throw, thrown


def _collecting(moment: str, _: Any) -> None:
    """Garbage is collected in the middle of something else, whose time it is taken off."""
    if moment == "start":
        _inner.start = time.thread_time()
    else:
        taken = time.thread_time() - _inner.start
        spent["garbage"] += taken
        calls["garbage"] += 1
        _inner.time = getattr(_inner, "time", 0.0) + taken


def wrap(phase: str, module: str, name: str) -> bool:
    try:
        owner: Any = import_module(module)
        *outer, last = name.split(".")
        for part in outer:
            owner = getattr(owner, part)
        function = getattr(owner, last)
    except (ImportError, AttributeError):
        return False
    new = stepped(phase, function) if asyncio.iscoroutinefunction(function) else timed(phase, function)
    setattr(owner, last, new)
    table = getattr(import_module(module), "LOOKS", {})
    for key, deed in table.items():
        if deed is function:
            table[key] = new
    return True


def watch(result: Path) -> None:
    """Count from now on; a worker or referee that gets SIGUSR1 writes down what it has counted so far, in a file of its own."""
    from wardogs.server import serving

    missing = [f"{module}.{name}" for phase, module, name in PHASES if not wrap(phase, module, name)]
    work = serving.work

    def write(*_: Any) -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        whole = used.ru_utime + used.ru_stime
        told = {"whole": whole, "kernel": used.ru_stime, "spent": dict(spent), "calls": dict(calls), "missing": missing}
        partial = result.with_suffix(f".part{os.getpid()}")
        partial.write_text(json.dumps(told))
        partial.rename(result.with_suffix(f".{os.getpid()}"))

    gc.callbacks.append(_collecting)

    def watched(config: Any, port: Any) -> None:
        signal.signal(signal.SIGUSR1, write)
        work(config, port)

    serving.work = watched


class Phases:
    """What a watched server counts between two moments, in all processes that serve."""

    def __init__(self, pid: int, file: Path) -> None:
        self.pid, self.file = pid, file
        self.before = self.read()

    def read(self) -> dict[str, Any]:
        told = [self._read(pid) for pid in self._pids()]
        together: dict[str, Any] = {"whole": 0.0, "kernel": 0.0, "spent": Counter(), "calls": Counter(), "missing": []}
        for one in told:
            together["whole"] += one["whole"]
            together["kernel"] += one["kernel"]
            together["spent"].update(one["spent"])
            together["calls"].update(one["calls"])
            together["missing"] = one["missing"]
        return together

    def _pids(self) -> list[int]:
        """The worker and his referees, which are forks of him; bots are not."""
        ours = Path(f"/proc/{self.pid}/cmdline").read_bytes()
        born = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [self.pid, *(int(one) for one in born if Path(f"/proc/{one}/cmdline").read_bytes() == ours)]

    def _read(self, pid: int) -> dict[str, Any]:
        file = self.file.with_suffix(f".{pid}")
        file.unlink(missing_ok=True)
        os.kill(pid, signal.SIGUSR1)
        end = time.monotonic() + 10
        while not file.exists():
            if time.monotonic() > end:
                raise RuntimeError("the server does not say where its time went")
            time.sleep(0.01)
        told: dict[str, Any] = json.loads(file.read_text())
        return told

    def of_each(self, choices: int) -> dict[str, Any]:
        """Microseconds of the processor for one choice, by phase; `rest` is event loop, tasks and whatever has no name here."""
        before, after = self.before, self.read()
        each = {name: after["spent"][name] - before["spent"].get(name, 0.0) for name in after["spent"]}
        whole = after["whole"] - before["whole"]
        figures = {name: 1e6 * seconds / choices for name, seconds in each.items()}
        figures["rest"] = 1e6 * (whole - sum(each.values())) / choices
        calls = {name: (n - before["calls"].get(name, 0)) / choices for name, n in after["calls"].items()}
        kernel = 1e6 * (after["kernel"] - before["kernel"]) / choices
        return {
            "whole": 1e6 * whole / choices, "kernel": kernel, "phases": figures, "calls": calls, "missing": after["missing"],
        }  # fmt: skip
