"""What every answer says to a browser: trust nobody but this server, keep nothing, and tell no other site of a secret link."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from wardogs.server.config import Config
from wardogs.server.limits import refuse
from wardogs.server.metrics import metrics

API = "/api"
OPERATION = {"/health", "/ready", "/metrics"}
PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}

ALWAYS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",  # a link is a secret
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
DATA = {"content-security-policy": "default-src 'none'; frame-ancestors 'none'", "cache-control": "no-store"}
PAGES = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
        "font-src 'self'; media-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}
HTTPS = {"strict-transport-security": "max-age=31536000"}


def is_page(path: str) -> bool:
    """For people's browsers; all else is data for programs."""
    return path != API and not path.startswith(f"{API}/") and path not in OPERATION


def raw(*parts: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for part in parts for name, value in part.items()]


class Strict:
    """Puts the headers on, and opens sockets only to pages of this server."""

    def __init__(self, app: Any, config: Config) -> None:
        secure = HTTPS if config.public_url.startswith("https:") else {}
        self.app = app
        self.home = origin(config.public_url) if config.public_url else None
        self.data, self.pages = raw(ALWAYS, DATA, secure), raw(ALWAYS, PAGES, secure)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            if self.at_home(scope):
                await self.app(scope, receive, send)
            else:
                await refuse(scope, receive, send, 403, "sockets are opened only by pages of this server")
        else:
            await self.app(scope, receive, self.strictly(scope, send))

    def strictly(self, scope: Any, send: Any) -> Any:
        ours = self.pages if is_page(scope["path"]) else self.data

        async def sent(event: Any) -> None:
            if event["type"] == "http.response.start":
                metrics.count("requests", f"{event['status'] // 100}xx")
                named = {name.lower() for name, _ in event.get("headers", ())}
                event["headers"] = [*event.get("headers", ()), *(pair for pair in ours if pair[0] not in named)]
            await send(event)

        return sent

    def at_home(self, scope: Any) -> bool:
        """Programs name no origin; browsers always do, and theirs must be this server's own."""
        given: dict[bytes, bytes] = dict(scope["headers"])
        said = given.get(b"origin")
        if said is None:
            return True
        asking = origin(said.decode("latin-1"))
        if asking is None:
            return False
        host = given.get(b"host", b"").decode("latin-1")
        return asking in (self.home, origin(f"{asking[0]}://{host}"))


def origin(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None if it is none, as "null" is not."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme)
    except ValueError:
        return None
    if not parts.hostname or port is None:
        return None
    return parts.scheme, parts.hostname.lower(), port
