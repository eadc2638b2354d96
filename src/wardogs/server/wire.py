"""The websocket protocol as uvicorn speaks it, with one thing mended, and with a short way out for what is told at a table."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

WRITE = "wardogs.write"  # among the extensions of a connection: a function that sends text at once
UNREAD = 4 * 1024 * 1024  # bytes that may wait for a slow reader


class Door(HttpToolsProtocol):
    """How a connection begins. Once it is a websocket, nothing is left to parse: parser and protocol let go of each other."""

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]


class Wire(WebSocketsSansIOProtocol):
    """Somebody who says goodbye right behind text that is no UTF-8 is only shown out: uvicorn 0.54 would fail over the answer."""

    posting = False  # what was told will leave as soon as the loop comes round

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        except InvalidState:
            self.transport.close()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: Any = self.scope.setdefault("extensions", {})
            extensions[WRITE] = self.write_now

    def connection_lost(self, exc: Exception | None) -> None:
        """What it knows of itself holds on to it, and so does its parser: let go, or only a look for garbage would."""
        super().connection_lost(exc)
        self.conn.parser.close()
        if hasattr(self, "scope"):
            self.scope.get("extensions", {}).pop(WRITE, None)

    def write_now(self, message: bytes) -> bool:
        """Send text without waiting; False if the other side is gone or does not read."""
        if self.close_sent or self.transport.is_closing() or self.transport.get_write_buffer_size() > UNREAD:
            return False
        try:
            self.conn.send_text(message)
        except InvalidState:
            return False
        if not self.posting:
            self.posting = True
            self.loop.call_soon(self.post)
        return True

    def post(self) -> None:
        """All that was told since the last time, in one piece: who has chosen hears the news and that it was his."""
        self.posting = False
        if parts := self.conn.data_to_send():
            self.transport.write(b"".join(parts))
