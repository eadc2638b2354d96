"""A worker looks for garbage seldom: whatever is closed must be gone by itself, or it would pile up."""

from __future__ import annotations

import asyncio
import gc
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import uvicorn
from sqlalchemy.exc import OperationalError
from websockets.asyncio.client import ClientConnection, connect
from websockets.server import ServerProtocol

from wardogs.kernel.game import Game
from wardogs.kernel.match import Match
from wardogs.server import hall as halls
from wardogs.server.app import App
from wardogs.server.config import Config
from wardogs.server.deeds import DEEDS
from wardogs.server.gallery import Gallery
from wardogs.server.referees import Here
from wardogs.server.room import Room
from wardogs.server.serving import bound, wired
from wardogs.server.sockets import Socket
from wardogs.server.wire import Door, Wire

SOCKETS = 12
OF_SOCKETS = (Door, Wire, Socket, ServerProtocol)
OF_TABLES = (Room, Gallery, Here, Match, Game)

# Whatever may be said at a table, done or refused; some end the game, and come last.
REQUESTS: tuple[dict[str, Any], ...] = (
    {"do": "hint"}, {"do": "question"}, {"do": "why"}, {"do": "why", "choice": {"verb": "dance"}}, {"do": "eye", "who": 1},
    {"do": "odds", "choice": {"verb": "dance"}}, {"do": "offers", "doer": 1}, {"do": "offers", "doer": [9]},
    {"do": "spots", "choice": {"verb": "dance"}, "field": "at"}, {"do": "draft", "n": 2, "choice": {"verb": "pass"}},
    {"do": "choose", "n": 2, "choice": {"verb": "dance"}}, {"do": "choose", "n": 77, "choice": {}},
    {"do": "enter", "n": 2, "face": 3}, {"do": "say", "text": "well"}, {"do": "say", "text": "psst", "to": [77]},
    {"do": "note", "text": "hm"}, {"do": "watchable", "yes": True}, {"do": "take_over", "seat": 2, "player": "hal"},
    {"do": "undo"}, {"do": "rule", "because": "so", "changes": [[1, "speed", 2]]},
    {"do": "rule", "because": "so", "changes": [[9, "x", 1]]}, {"do": "rewind", "to": 1, "because": "so"},
    {"do": "rewind", "to": 99, "because": "so"}, {"do": "ping"}, {"do": "sit", "game": "g", "key": "k"}, {"do": "jump"},
    {"do": "draw"}, {"do": "agree", "kind": "undo"}, {"do": "agree", "kind": "draw", "yes": False}, {"do": "resign"},
    {"do": "resign"}, {"do": "hint"}, {"do": "undo"},
)  # fmt: skip


@pytest.fixture(autouse=True)
def unlooked() -> Iterator[None]:
    """Nobody looks for garbage meanwhile."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def alive(kinds: tuple[type, ...]) -> Counter[str]:
    return Counter(type(one).__name__ for one in gc.get_objects() if type(one) in kinds)


async def gone(kinds: tuple[type, ...], before: Counter[str] | None = None) -> None:
    """The server hears a moment later that somebody has hung up."""
    until = time.monotonic() + 5
    while alive(kinds) - (before or Counter()) and time.monotonic() < until:
        await asyncio.sleep(0.02)
    assert alive(kinds) - (before or Counter()) == Counter()


async def closed(app: App, before: Counter[str]) -> None:
    """Nobody is left, and then no table."""
    await gone(OF_SOCKETS)
    await app.hall.store.writer.write(lambda _: None)  # he has the last things that he wrote before him until the next
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(halls, "IDLE", 0.0)
        app.hall.sweep()
    await gone(OF_TABLES, before)


@asynccontextmanager
async def serving(app: App, config: Config) -> AsyncIterator[httpx.AsyncClient]:
    port = bound(config)
    server = uvicorn.Server(wired(app, config))
    task = asyncio.ensure_future(server.serve(sockets=[port]))
    try:
        base = f"http://127.0.0.1:{port.getsockname()[1]}"
        async with httpx.AsyncClient(base_url=base, headers={"connection": "close"}, timeout=30) as client:
            yield client
    finally:
        server.should_exit = True
        await task
        port.close()


def served(folder: Path, play: Callable[[App, httpx.AsyncClient], Coroutine[Any, Any, None]]) -> None:
    config = Config(str(folder / "w.db"), port=0)

    async def whole() -> None:
        app = App(config)
        async with serving(app, config) as client:
            await play(app, client)

    with asyncio.Runner(loop_factory=wired(App(config), config).get_loop_factory()) as runner:
        runner.run(whole())


async def made(client: httpx.AsyncClient, **wanted: Any) -> dict[str, Any]:
    game: dict[str, Any] = (await client.post("/api/games", json=wanted)).raise_for_status().json()
    return game


@asynccontextmanager
async def sitting(client: httpx.AsyncClient, game: str, key: str) -> AsyncIterator[ClientConnection]:
    async with connect(f"ws://{client.base_url.netloc.decode()}/api/live") as line:
        assert (await told(line, {"do": "sit", "game": game, "key": key}))["type"] == "sat"
        yield line


async def told(line: ClientConnection, said: dict[str, Any]) -> dict[str, Any]:
    await line.send(msgspec.json.encode({**said, "id": "mine"}).decode())
    while True:
        answer: dict[str, Any] = msgspec.json.decode(await line.recv())
        if answer.get("id") == "mine" or answer["type"] == "wrong":
            return answer


def test_a_closed_socket_leaves_nothing_behind(tmp_path: Path) -> None:
    async def play(app: App, client: httpx.AsyncClient) -> None:
        game = await made(client, system="dawgs")
        for _ in range(SOCKETS):
            async with sitting(client, game["game"], game["keys"]["1"]):
                pass
        await gone(OF_SOCKETS)

    served(tmp_path, play)


@pytest.mark.parametrize("system", ["dawgs", "dogs"])
def test_nothing_that_was_asked_keeps_a_closed_table(tmp_path: Path, system: str) -> None:
    """Done or refused, by players, the umpire and a spectator: neither sockets nor the table are left."""
    assert {said["do"] for said in REQUESTS} >= {kind.__struct_config__.tag for kind in DEEDS}
    before = alive(OF_TABLES)

    async def play(app: App, client: httpx.AsyncClient) -> None:
        game = await made(client, system=system, umpire=True, delay=0)
        keys = [*game["keys"].values(), game["watch"]]
        async with sitting(client, game["game"], keys[1]) as one, sitting(client, game["game"], keys[2]) as two:
            for line in (one, two):
                await told(line, {"do": "watchable", "yes": True})
            for key in keys:
                async with sitting(client, game["game"], key) as line:
                    for said in REQUESTS:
                        await told(line, said)
        await closed(app, before)

    served(tmp_path, play)


def test_what_cannot_be_written_keeps_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = alive(OF_TABLES)

    async def play(app: App, client: httpx.AsyncClient) -> None:
        game = await made(client, system="dawgs")

        def full(*_: Any) -> None:
            raise OperationalError("", {}, Exception("the disk is full"))

        async with sitting(client, game["game"], game["keys"]["1"]) as line:
            monkeypatch.setattr(app.hall.store.writer, "_commit", full)
            monkeypatch.setattr("wardogs.server.writer.TRIES", 1)
            for said in ({"do": "say", "text": "well"}, {"do": "choose", "n": 2, "choice": {"verb": "concede"}}):
                assert (await told(line, said))["type"] == "refused"
            monkeypatch.undo()
        await closed(app, before)

    served(tmp_path, play)
