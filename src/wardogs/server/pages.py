"""The browser client's files, out of the folder that it is built into. Bare ASGI: they come before all that answers requests.

A file is read and packed once, and again when another has taken its place. Names under assets/ hold a hash of what is in
them, so browsers keep them for good; all else they ask for anew, and are told if it is what they have.
"""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import wardogs
from wardogs.server.limits import refuse
from wardogs.server.packing import WORTH, squeezed, unpacks

BUILT = Path(wardogs.__file__).parent / "client"
ASSETS = "assets"
LARGEST = 16 << 20  # bytes of a file
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
PACKED_ALREADY = (".jpg", ".mp3", ".ogg", ".png", ".webp", ".woff2")
FOR_GOOD, ANEW = "public, max-age=31536000, immutable", "no-cache"
NOTHING = "nothing is here: people play at /, and what programs may ask is in /api/openapi.json"
UNBUILT = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Wardogs</title>
<h1>Wardogs</h1>
<p>The server runs, but the browser client is not built yet. In the project's folder:</p>
<pre>make client</pre>
<p>Then load this page again. Programs need no client: see <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</html>
"""


class Page(NamedTuple):
    """A file, ready to send."""

    kind: str
    keep: str
    body: bytes
    packed: bytes | None
    tag: str
    stamp: tuple[int, int] = (0, 0)  # of the file: when it was written, and its size


def page(name: str, body: bytes, packed: bytes | None = None, stamp: tuple[int, int] = (0, 0)) -> Page:
    ending = PurePosixPath(name).suffix
    if packed is None and ending not in PACKED_ALREADY and len(body) >= WORTH:
        packed = squeezed(body)
    keep = FOR_GOOD if name.startswith(f"{ASSETS}/") else ANEW
    return Page(TYPES[ending], keep, body, packed, f'W/"{hashlib.sha256(body).hexdigest()[:20]}"', stamp)


class Pages:
    def __init__(self, folder: Path = BUILT) -> None:
        self.folder = folder
        self.known: dict[str, Page] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            await refuse(scope, receive, send, 405, "not like this: send GET, HEAD", {"allow": "GET, HEAD"})
        elif (found := await self.found(scope["path"])) is None:
            await refuse(scope, receive, send, 404, NOTHING)
        else:
            await sent(found, scope, send)

    async def found(self, path: str) -> Page | None:
        """The file at an address; only plain names inside the folder are one."""
        name = path.removeprefix("/") or "index.html"
        parts = name.split("/")
        if not all(parts) or any(part.startswith(".") for part in parts) or not _plain(name):
            return None
        page = await asyncio.to_thread(self._read, name)
        return UNBUILT_PAGE if page is None and path == "/" else page

    def _read(self, name: str) -> Page | None:
        at = self.folder / name
        try:
            found = at.stat()
            stamp = (found.st_mtime_ns, found.st_size)
            if name in self.known and self.known[name].stamp == stamp:
                return self.known[name]
            if not at.resolve().is_relative_to(self.folder.resolve()) or not at.is_file() or found.st_size > LARGEST:
                return None
            beside = at.with_name(f"{at.name}.gz")
            packed = beside.read_bytes() if beside.is_file() else None
            self.known[name] = page(name, at.read_bytes(), packed, stamp)
        except (OSError, ValueError):
            return None
        return self.known[name]


def _plain(name: str) -> bool:
    """Letters that stand for themselves on every machine, and an ending that we know."""
    return name.isascii() and name.isprintable() and not set(name) & set("\\:*?\"<>|%") and PurePosixPath(name).suffix in TYPES


UNBUILT_PAGE = page("index.html", UNBUILT)


async def sent(page: Page, scope: Any, send: Any) -> None:
    given: dict[bytes, bytes] = dict(scope["headers"])
    packs = page.packed is not None and unpacks(given.get(b"accept-encoding", b"").decode("latin-1"))
    body = page.packed if packs and page.packed is not None else page.body
    same = page.tag in [tag.strip() for tag in given.get(b"if-none-match", b"").decode("latin-1").split(",")]
    headers = {
        "content-type": page.kind, "cache-control": page.keep, "etag": page.tag, "vary": "accept-encoding",
        **({"content-encoding": "gzip"} if packs and not same else {}),
        **({} if same else {"content-length": str(len(body))}),
    }  # fmt: skip
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 304 if same else 200, "headers": raw})
    await send({"type": "http.response.body", "body": b"" if same or scope["method"] == "HEAD" else body})
