"""Texts that take the short way in and out are those that the parser would take; all others go to it."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import apply_mask

from wardogs.server.app import App
from wardogs.server.config import Config
from wardogs.server.serving import bound, wired
from wardogs.server.wire import Wire

PING = b'{"do":"ping","id":"one"}'


def frame(payload: bytes, first: int = 0x81, mask: bytes = b"abcd") -> bytes:
    size = struct.pack("!B", 128 | len(payload)) if len(payload) < 126 else struct.pack("!BH", 128 | 126, len(payload))
    return bytes([first]) + size + mask + apply_mask(payload, mask)


@asynccontextmanager
async def line(folder: Path) -> AsyncIterator[ClientConnection]:
    config = Config(str(folder / "w.db"), port=0)
    port = bound(config)
    server = uvicorn.Server(wired(App(config), config))
    serving = asyncio.ensure_future(server.serve(sockets=[port]))
    try:
        async with connect(f"ws://127.0.0.1:{port.getsockname()[1]}/api/live") as one:
            yield one
    finally:
        server.should_exit = True
        await serving
        port.close()


def spoken(folder: Path, talk: Callable[[ClientConnection], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with line(folder) as one:
            await talk(one)

    config = Config(str(folder / "w.db"), port=0)
    with asyncio.Runner(loop_factory=wired(App(config), config).get_loop_factory()) as runner:
        runner.run(whole())


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that take the short way."""
    taken: list[str] = []
    whole_text = Wire.whole_text

    def heard(self: Wire, data: bytes) -> str | None:
        if (text := whole_text(self, data)) is not None:
            taken.append(text)
        return text

    monkeypatch.setattr(Wire, "whole_text", heard)
    return taken


async def answered(one: ClientConnection) -> Any:
    return msgspec.json.decode(await asyncio.wait_for(one.recv(), 10))


async def said(one: ClientConnection, *parts: bytes) -> None:
    """Each part on its own."""
    for part in parts:
        one.transport.write(part)
        await asyncio.sleep(0.1)


def test_a_text_in_one_piece_takes_the_short_way(tmp_path: Path, short: list[str]) -> None:
    async def talk(one: ClientConnection) -> None:
        for payload in (PING, b'{"do":"ping","id":"' + b"x" * 200 + b'"}', '{"do":"ping","id":"ö"}'.encode()):
            await said(one, frame(payload))
            assert "sit down first" in (await answered(one))["text"]
            assert short[-1] == payload.decode()

    spoken(tmp_path, talk)


def test_two_texts_that_come_together_are_both_heard(tmp_path: Path, short: list[str]) -> None:
    async def talk(one: ClientConnection) -> None:
        await said(one, frame(PING) + frame(PING.replace(b"one", b"two")))
        assert [(await answered(one))["id"] for _ in range(2)] == ["one", "two"]
        assert short == []

    spoken(tmp_path, talk)


def test_the_rest_of_a_text_is_no_text_though_it_looks_like_one(tmp_path: Path, short: list[str]) -> None:
    """The mask begins as a text does, and says just the length that follows."""

    async def talk(one: ClientConnection) -> None:
        whole = frame(PING, mask=bytes([0x81, 128 | (len(PING) - 2), 1, 2]))
        await said(one, whole[:2], whole[2:])
        assert (await answered(one))["id"] == "one"
        assert short == []
        await said(one, frame(PING))
        assert (await answered(one))["id"] == "one"
        assert short == [PING.decode()]

    spoken(tmp_path, talk)


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ((frame(b'{"do":', first=0x01), frame(PING)), 1002),  # amid a text in pieces another one begins
        ((frame(b"\xff\xfe"),), 1007),
        ((b"\x81\x04ping",), 1002),  # not masked
        ((frame(PING, first=0xC1),), 1002),  # a bit that means nothing here
    ],
)
def test_what_the_parser_refuses_is_refused(tmp_path: Path, short: list[str], parts: tuple[bytes, ...], code: int) -> None:
    async def talk(one: ClientConnection) -> None:
        await said(one, *parts)
        with pytest.raises(ConnectionClosed) as closed:
            await answered(one)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code
        assert short == []

    spoken(tmp_path, talk)


def test_a_text_in_pieces_is_heard(tmp_path: Path, short: list[str]) -> None:
    async def talk(one: ClientConnection) -> None:
        await said(one, frame(PING[:9], first=0x01), frame(PING[9:], first=0x80))
        assert (await answered(one))["id"] == "one"
        assert short == []

    spoken(tmp_path, talk)


@pytest.mark.parametrize("size", [1, 125, 126, 65_535, 65_536, 200_000])
def test_a_text_of_any_length_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    async def talk(one: ClientConnection) -> None:
        monkeypatch.setattr("wardogs.server.sockets.written", lambda _: b"x" * size)
        await said(one, frame(PING))
        assert await asyncio.wait_for(one.recv(), 10) == "x" * size

    spoken(tmp_path, talk)
