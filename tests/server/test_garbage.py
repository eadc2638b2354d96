"""A worker looks for garbage seldom: whatever is closed must be gone by itself, or it would pile up."""

from __future__ import annotations

import asyncio
import gc
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
import uvicorn
from websockets.asyncio.client import connect
from websockets.server import ServerProtocol

from wardogs.server.app import App
from wardogs.server.config import Config
from wardogs.server.serving import bound, wired
from wardogs.server.sockets import Socket
from wardogs.server.wire import Door, Wire

SOCKETS = 12
CLOSED = (Door, Wire, Socket, ServerProtocol)


@pytest.fixture
def unlooked() -> Iterator[None]:
    """Nobody looks for garbage meanwhile."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def alive() -> Counter[str]:
    return Counter(type(one).__name__ for one in gc.get_objects() if type(one) in CLOSED)


async def sit_and_go(base: str, game: str, key: str) -> None:
    async with connect(f"ws://{base}/api/live") as line:
        await line.send(msgspec.json.encode({"do": "sit", "game": game, "key": key}).decode())
        assert msgspec.json.decode(await line.recv())["type"] == "sat"


@pytest.mark.usefixtures("unlooked")
def test_a_closed_socket_leaves_nothing_behind(tmp_path: Path) -> None:
    config = Config(str(tmp_path / "w.db"), port=0)
    port = bound(config)
    base = f"127.0.0.1:{port.getsockname()[1]}"

    async def play() -> None:
        server = uvicorn.Server(wired(App(config), config))
        serving = asyncio.ensure_future(server.serve(sockets=[port]))
        try:
            async with httpx.AsyncClient(base_url=f"http://{base}", timeout=30) as client:
                made = (await client.post("/api/games", json={"system": "dawgs"})).raise_for_status().json()
            for _ in range(SOCKETS):
                await sit_and_go(base, made["game"], made["keys"]["1"])
            until = time.monotonic() + 5
            while alive() and time.monotonic() < until:  # the server hears of it a moment later
                await asyncio.sleep(0.02)
            assert alive() == Counter()
        finally:
            server.should_exit = True
            await serving

    with asyncio.Runner(loop_factory=wired(App(config), config).get_loop_factory()) as runner:
        runner.run(play())
