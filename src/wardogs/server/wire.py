"""The websocket protocol as uvicorn speaks it, with one thing mended, and with short ways in and out for what is said at a
table: nearly all of it is one short text in one piece, and half the work was to find that out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets import frames
from websockets.exceptions import InvalidState
from websockets.protocol import OPEN
from websockets.streams import StreamReader

TEXT, MASKED, LONGER = 0x81, 0x80, 126  # the first byte of a whole text; in the second: masked, and two bytes of length follow
masked: Callable[[bytes, bytes], bytes] = vars(frames)["apply_mask"]

WRITE = "wardogs.write"  # among the extensions of a connection: a function that sends text at once
UNHEARD = 8  # texts that may wait for us before we read no further: to stop and go on takes as long as to read one
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
        if (text := self.whole_text(data)) is not None:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
            if not self.read_paused and self.queue.qsize() >= UNHEARD:
                self.read_paused = True
                self.transport.pause_reading()
            return
        try:
            super().data_received(data)
        except InvalidState:
            self.transport.close()

    def whole_text(self, data: bytes) -> str | None:
        """One text and nothing else; whatever is not surely so goes to the parser, and is judged there."""
        if len(data) < 6 or data[0] != TEXT or self.conn.state is not OPEN or self.close_sent:
            return None
        size, at = data[1] - MASKED, 2
        if size == LONGER:
            size, at = int.from_bytes(data[2:4], "big"), 4
            if size < LONGER:
                return None
        if not 0 <= size == len(data) - at - 4 <= self.config.ws_max_size or not self.is_between_messages():
            return None
        try:
            return masked(data[at + 4 :], data[at : at + 4]).decode()
        except UnicodeDecodeError:
            return None

    def is_between_messages(self) -> bool:
        """Does the parser wait for the first byte of a message, not for more of one?"""
        waiting: Any = self.conn.parser
        while (inner := waiting.gi_yieldfrom) is not None:
            waiting = inner
        return waiting.gi_code is StreamReader.at_eof.__code__ and self.conn.current_size is None

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
        conn, size = self.conn, len(message)
        if self.close_sent or self.transport.is_closing() or self.transport.get_write_buffer_size() > UNREAD:
            return False
        if conn.state is not OPEN:
            return False
        if size < LONGER:
            head = bytes((TEXT, size))
        else:
            head = b"\x81\x7e" + size.to_bytes(2, "big") if size < 1 << 16 else b"\x81\x7f" + size.to_bytes(8, "big")
        conn.writes += (head, message)
        if not self.posting:
            self.posting = True
            self.loop.call_soon(self.post)
        return True

    def post(self) -> None:
        """All that was told since the last time, in one piece: who has chosen hears the news and that it was his."""
        self.posting = False
        if parts := self.conn.data_to_send():
            self.transport.write(b"".join(parts))
