"""How much is enough: rates and sizes, by address. A request beyond them is refused before anything is done for it."""

from __future__ import annotations

import ipaddress
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from math import ceil
from types import MappingProxyType
from typing import Any

import msgspec
from starlette.exceptions import HTTPException

from wardogs.server.config import Config

GAMES, RECORDS = "/api/games", "/api/records"
HOUR = 3600.0
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
FORWARDED = {b"x-forwarded-for", b"forwarded", b"x-real-ip"}

log = logging.getLogger("wardogs.limits")


class Bucket:
    """So many a second over time, and so many at once."""

    def __init__(self, rate: float, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.most, self.clock = rate, most, clock
        self.left, self.at = float(most), clock()

    def take(self) -> bool:
        now = self.clock()
        self.left = min(self.most, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True

    @property
    def wait(self) -> int:
        """Whole seconds until the next one."""
        return max(1, ceil((1 - self.left) / self.rate)) if self.rate > 0 else int(HOUR)


class Buckets:
    """A bucket for each address; who has long been silent is forgotten first."""

    def __init__(self, rate: float, most: int, held: int) -> None:
        self.rate, self.most, self.held = rate, most, held
        self.known: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, address: str) -> Bucket:
        if address not in self.known:
            self.known[address] = Bucket(self.rate, self.most)
            if len(self.known) > self.held:
                self.known.popitem(last=False)
        self.known.move_to_end(address)
        return self.known[address]


def address(scope: Any) -> str:
    """Who asks. One household has a whole network of the newer addresses: it counts as one."""
    host = scope["client"][0] if scope.get("client") else ""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False).network_address) if not found.is_loopback else host
    return host


def nearby(scope: Any) -> bool:
    """Somebody on this very machine; not a proxy that speaks for others."""
    if any(name in FORWARDED for name, _ in scope["headers"]):
        return False
    try:
        return ipaddress.ip_address(address(scope)).is_loopback
    except ValueError:
        return False


def makes_a_game(path: str) -> bool:
    return path in (GAMES, RECORDS) or (path.startswith(GAMES) and path.endswith("/fork"))


class Guard:
    """Refuses what is too much, too large or too often."""

    def __init__(self, app: Any, config: Config) -> None:
        limits = config.limits
        self.app, self.proxied, self.most_bytes = app, config.proxied, limits.body_bytes
        self.requests = Buckets(limits.requests, limits.request_burst, limits.addresses)
        self.games = Buckets(limits.games_an_hour / HOUR, limits.games_an_hour, limits.addresses)
        self.warned = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if not nearby(scope) and (said := self.too_often(scope)):
            await refuse(scope, receive, send, 429, said[0], {"retry-after": str(said[1])})
        elif scope["type"] == "http":
            await self.measured(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def too_often(self, scope: Any) -> tuple[str, int] | None:
        """What to say to somebody in a hurry, and how long he should wait."""
        who = address(scope)
        self.warn(who)
        bucket = self.requests.of(who)
        if not bucket.take():
            return f"too fast: {bucket.rate:g} requests a second are heard from one address", bucket.wait
        if scope["type"] == "http" and scope["method"] == "POST" and makes_a_game(scope["path"].rstrip("/")):
            bucket = self.games.of(who)
            if not bucket.take():
                return f"{bucket.most} games an hour may be made from one address", bucket.wait
        return None

    def warn(self, who: str) -> None:
        """All the world behind one address: somebody has forgotten something."""
        if not self.warned and not self.proxied and who in ("127.0.0.1", "::1"):
            self.warned = True
            log.warning("a proxy stands before this server, and all who come through it share one limit: start with --proxied")

    async def measured(self, scope: Any, receive: Any, send: Any) -> None:
        """A body that says that it is too large is not read; one that does not say so is read so far."""
        said = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if not said.isdigit() or int(said[:20]) > self.most_bytes:
            await refuse(scope, receive, send, 413, f"a request may have {self.most_bytes} bytes")
            return
        read = 0

        async def counted() -> Any:
            nonlocal read
            event = await receive()
            read += len(event.get("body", b""))
            if read > self.most_bytes:
                raise HTTPException(413, f"a request may have {self.most_bytes} bytes")
            return event

        await self.app(scope, counted, send)


async def refuse(scope: Any, receive: Any, send: Any, status: int, text: str, more: Mapping[str, str] = NO_HEADERS) -> None:
    """An answer without asking anybody; a socket is refused before it is one."""
    body = msgspec.json.encode({"error": text})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(name.encode(), value.encode()) for name, value in more.items()]
    kind = "http.response"
    if scope["type"] == "websocket":
        await receive()  # websocket.connect
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 4000 + status})
            return
        kind = "websocket.http.response"
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
