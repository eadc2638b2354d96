"""A peer of the server: a bare websocket echo that writes each message to SQLite, full sync, group commit, before it answers.

python -m bench.server_echo DATABASE PORT
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import sys
import threading
from typing import Any

import uvicorn

MOST = 500  # messages in one commit


class Writer:
    """The one thread that writes; who waits is told after the commit."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.jobs: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        self.loop = asyncio.get_running_loop()
        threading.Thread(target=self._run, daemon=True).start()

    async def write(self, message: bytes) -> None:
        done = self.loop.create_future()
        self.jobs.put((message, done))
        await done

    def _run(self) -> None:
        database = sqlite3.connect(self.path, isolation_level=None)
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            database.execute(f"PRAGMA {pragma}")
        database.execute("CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, body BLOB NOT NULL)")
        while True:
            jobs = [self.jobs.get()]
            while len(jobs) < MOST and not self.jobs.empty():
                jobs.append(self.jobs.get_nowait())
            database.execute("BEGIN IMMEDIATE")
            database.executemany("INSERT INTO messages (body) VALUES (?)", [(message,) for message, _ in jobs])
            database.execute("COMMIT")
            self.loop.call_soon_threadsafe(_tell, [done for _, done in jobs])


def _tell(waiting: list[asyncio.Future[None]]) -> None:
    for done in waiting:
        if not done.done():
            done.set_result(None)


class Echo:
    def __init__(self, path: str) -> None:
        self.path = path
        self.writer: Writer | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.writer = self.writer or Writer(self.path)
        await receive()
        await send({"type": "websocket.accept"})
        while (event := await receive())["type"] == "websocket.receive":
            await self.writer.write(event["text"].encode())
            await send({"type": "websocket.send", "text": event["text"]})


if __name__ == "__main__":
    uvicorn.run(
        Echo(sys.argv[1]), host="127.0.0.1", port=int(sys.argv[2]), lifespan="off", log_level="error", access_log=False,
        ws="websockets-sansio", ws_per_message_deflate=False,
    )  # fmt: skip
