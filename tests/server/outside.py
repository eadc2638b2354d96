"""The server from outside: as a program that is started and stopped, and as an application that is asked."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx

from wardogs.server.app import App
from wardogs.server.config import Config

SOMEBODY = ("203.0.113.7", 4000)  # not of this machine


@asynccontextmanager
async def asked(config: Config, client: tuple[str, int] = SOMEBODY) -> AsyncIterator[httpx.AsyncClient]:
    """The whole application, doors and all, without a network."""
    app = App(config)
    async with app.life():
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=client)
        async with httpx.AsyncClient(transport=transport, base_url="http://games.test") as asking:
            asking.app = app  # type: ignore[attr-defined]
            yield asking


async def knock(app: Any, path: str = "/api/live", client: tuple[str, int] = SOMEBODY, **headers: str) -> dict[str, Any]:
    """The first answer to a socket that wants to open."""
    events: list[dict[str, Any]] = [{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1000}]
    said: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return events.pop(0) if len(events) > 1 else events[0]

    async def send(event: dict[str, Any]) -> None:
        said.append(event)

    named = {"host": "games.test", **headers}
    scope = {
        "type": "websocket", "path": path, "client": client, "scheme": "ws", "extensions": {"websocket.http.response": {}},
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in named.items()],
    }  # fmt: skip
    await asyncio.wait_for(app(scope, receive, send), 10)
    return said[0]


class Served:
    """`wardogs serve`, running."""

    def __init__(self, process: subprocess.Popen[str], log: Path, line: str) -> None:
        self.process, self.log, self.line = process, log, line
        found = re.search(r"http://[\w.:]+", line)
        assert found is not None, line
        self.url = found.group()
        self.live = self.url.replace("http", "ws") + "/api/live"

    def lines(self) -> list[dict[str, Any]]:
        """What it has logged so far."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def errors(self) -> list[dict[str, Any]]:
        return [line for line in self.lines() if line["level"] in ("error", "critical")]

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)


PATIENT = """
import sys
from wardogs.cli.serve import tell
from wardogs.server import serving
from wardogs.server.config import Config, Limits
limits = Limits(messages=1e6, burst=1_000_000, sockets_of_a_seat=1000)
serving.serve(Config(sys.argv[1], port=0, limits=limits), tell)
"""


@contextmanager
def served(folder: Path, *args: str, patient: bool = False, database: str = "") -> Iterator[Served]:
    """`wardogs serve` over a new database; a patient one hears as many messages as anybody likes to send."""
    log, database = folder / "server.log", database or str(folder / "games.db")
    command = [sys.executable, "-m", "wardogs", "serve", "--port", "0", "--database", database, *args]
    if patient:
        command = [sys.executable, "-c", PATIENT, database]
    with log.open("w") as err:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, text=True, start_new_session=True)
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, log.read_text()
            yield Served(process, log, line)
        finally:
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
