"""A client without a network: a socket of the server whose every byte is kept."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from wardogs.scene.board import Board
from wardogs.server.hall import Hall
from wardogs.server.sockets import socket


class Client:
    """What somebody at the table knows, by what he is told."""

    def __init__(self) -> None:
        self.view: Any = None
        self.n = -1
        self.question: Any = None
        self.throw: Any = None
        self.waiting: list[int] = []
        self.outcome: Any = None
        self.chairs: list[Any] = []

    def take_in(self, message: dict[str, Any]) -> None:
        if message["type"] == "sat":
            self.view = message.get("views") or message.get("board") or message["view"]
        self.chairs = message.get("chairs", self.chairs)
        if message["type"] == "news":
            if message.get("views") is not None:
                for seat, edits in message["views"].items():
                    self.view[seat] = applied(self.view[seat], edits)
            else:
                self.view = applied(self.view, message["edits"])
        if message["type"] in ("sat", "news"):
            self.n, self.waiting = message["n"], message["waiting"]
            self.question, self.outcome = message.get("question"), message.get("outcome")
            self.throw = message.get("throw")


class Plug(Client):
    """Somebody at the table. `heard` is every byte that was ever sent to him."""

    def __init__(self, hall: Hall) -> None:
        super().__init__()
        self.hall = hall
        self.inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard: list[bytes] = []
        self.unread: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.closed: dict[str, Any] | None = None
        self.inbox.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.ensure_future(socket(hall, {"type": "websocket"}, self.inbox.get, self._sent))

    async def _sent(self, event: dict[str, Any]) -> None:
        if event["type"] == "websocket.send":
            raw = event["text"].encode() if event.get("text") is not None else event["bytes"]
            self.heard.append(raw)
            self.unread.put_nowait(msgspec.json.decode(raw))
        elif event["type"] == "websocket.close":
            self.closed = event
            self.unread.put_nowait({**event, "type": "closed"})

    def raw(self, text: str | bytes) -> None:
        kind = "text" if isinstance(text, str) else "bytes"
        self.inbox.put_nowait({"type": "websocket.receive", kind: text})

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Send a request and wait for its answer; news that come before it are taken in."""
        self.raw(msgspec.json.encode({"do": do, "id": "mine", **fields}).decode())
        return await self.until(lambda message: message.get("id") == "mine" or message["type"] == "closed")

    async def until(self, found: Any) -> dict[str, Any]:
        while True:
            message = await asyncio.wait_for(self.unread.get(), 20)
            self.take_in(message)
            if found(message):
                return message

    async def sit(self, game: str, key: str, after: int | None = None, draw: bool = False) -> dict[str, Any]:
        more = {} if after is None else {"after": after}
        return await self.ask("sit", game=game, key=key, **more, **({"draw": True} if draw else {}))

    async def reach(self, n: int) -> None:
        """Until all up to entry n has been heard."""
        while self.n < n:
            self.take_in(await asyncio.wait_for(self.unread.get(), 20))

    async def leave(self) -> None:
        self.inbox.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait_for(self.task, 20)


def drawn(board: Any) -> Board:
    """A board from what a client holds: fields that are left out are as usual."""
    return msgspec.convert(board, Board)


def applied(view: Any, edits: list[Any]) -> Any:
    """What a client does with edits."""
    for path, value in edits:
        if not path:
            view = value
            continue
        *way, last = path
        at = view
        for step in way:
            at = at[str(step) if isinstance(at, dict) else step]
        at[str(last) if isinstance(at, dict) else last] = value
    return view
