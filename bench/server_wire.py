"""A websocket of the load generator's own: a few lines over uvloop, so that one process can play both seats of 500 games.

Frames are masked with zeros, which costs the server as much to take off as any other mask and the generator nothing.
"""

from __future__ import annotations

import asyncio
from typing import Any

HOST = "127.0.0.1"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
NO_MASK = bytes(4)


def frame(payload: bytes, kind: int = TEXT) -> bytes:
    size = len(payload)
    if size < 126:
        return bytes((0x80 | kind, 0x80 | size)) + NO_MASK + payload
    if size < 1 << 16:
        return bytes((0x80 | kind, 0x80 | 126)) + size.to_bytes(2, "big") + NO_MASK + payload
    return bytes((0x80 | kind, 0x80 | 127)) + size.to_bytes(8, "big") + NO_MASK + payload


def frames(data: bytes) -> tuple[list[tuple[int, bytes]], bytes]:
    """The whole frames at the beginning, by kind and payload, and what is left over. Our peers never split a message."""
    found, at, end = [], 0, len(data)
    while end - at >= 2:
        size, head = data[at + 1] & 127, 2
        if size == 126:
            size, head = int.from_bytes(data[at + 2 : at + 4], "big"), 4
        elif size == 127:
            size, head = int.from_bytes(data[at + 2 : at + 10], "big"), 10
        if end < at + head + size or end < at + head:
            break
        found.append((data[at] & 15, data[at + head : at + head + size]))
        at += head + size
    return found, data[at:]


class Wire(asyncio.Protocol):
    """One connection. Who inherits says what it does when it is open and when it hears something."""

    transport: asyncio.Transport
    path = "/"

    def __init__(self, port: int) -> None:
        self.port, self.rest, self.upgraded, self.over = port, b"", False, False

    def opened(self) -> None:
        """The connection stands."""

    def heard(self, payload: bytes) -> None:
        """A message."""

    def lost(self) -> None:
        """The other side has hung up, though we have not."""

    def send(self, payload: bytes) -> None:
        if not self.over:
            self.transport.write(frame(payload))

    def close(self) -> None:
        if not self.over:
            self.over = True
            self.transport.write(frame(b"\x03\xe8", CLOSE))
            self.transport.close()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nOrigin: http://{HOST}:{self.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: d2FyZG9ncyBsb2FkdGVzdA==\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        data = self.rest + data if self.rest else data
        if not self.upgraded:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self.rest = head
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                raise ConnectionError(f"no websocket at {self.path}: {head[:80]!r}")
            self.upgraded = True
            self.opened()
        found, self.rest = frames(data)
        for kind, payload in found:
            if kind == TEXT:
                self.heard(payload)
            elif kind == PING:
                self.transport.write(frame(payload, PONG))
            elif kind == CLOSE:
                self.transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.over:
            self.over = True
            self.lost()
