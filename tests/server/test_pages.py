"""The client's files: what is there, packed, kept as long as it may be; and nothing that is not the client's."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.outside import asked
from wardogs.server.config import Config
from wardogs.server.packing import unpacks
from wardogs.server.pages import Pages

SCRIPT = b"let dogs = 1; " * 400
INDEX = b"<!doctype html><title>Wardogs</title>"
Story = Callable[[httpx.AsyncClient], Awaitable[None]]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A client, as it is built; a secret lies beside it."""
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(INDEX)
    (folder / "favicon.svg").write_bytes(b"<svg/>")
    (folder / "app.webmanifest").write_bytes(b"{}")
    (folder / "assets" / "main-Abc123.js").write_bytes(SCRIPT)
    (folder / "assets" / "main-Abc123.css").write_bytes(b"p{}")
    (folder / "assets" / "face-1.woff2").write_bytes(bytes(5000))
    (folder / "assets" / "main-Abc123.js.map").write_bytes(b"{}")
    (folder / "assets" / "notes.sh").write_bytes(b"echo")
    (folder / ".hidden.js").write_bytes(b"1")
    (tmp_path / "secret.json").write_bytes(b'{"seed": 7}')
    (folder / "assets" / "way-out.json").symlink_to(tmp_path / "secret.json")
    return folder


def ask(folder: Path, story: Story, **config: Any) -> None:
    async def told() -> None:
        async with asked(Config(str(folder.parent / "w.db"), **config)) as client:
            client.app.pages = Pages(folder)  # type: ignore[attr-defined]
            await story(client)

    asyncio.run(told())


@pytest.mark.parametrize(
    ("path", "kind", "keep"),
    [
        ("/", "text/html; charset=utf-8", "no-cache"),
        ("/index.html", "text/html; charset=utf-8", "no-cache"),
        ("/favicon.svg", "image/svg+xml", "no-cache"),
        ("/app.webmanifest", "application/manifest+json", "no-cache"),
        ("/assets/main-Abc123.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/assets/main-Abc123.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/assets/main-Abc123.js.map", "application/json", "public, max-age=31536000, immutable"),
        ("/assets/face-1.woff2", "font/woff2", "public, max-age=31536000, immutable"),
    ],
)
def test_every_file_says_what_it_is_and_how_long_to_keep_it(built: Path, path: str, kind: str, keep: str) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        answer = await client.get(path)
        assert answer.status_code == 200
        assert (answer.headers["content-type"], answer.headers["cache-control"]) == (kind, keep)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.content == (built / (path[1:] or "index.html")).read_bytes()

    ask(built, story)


def test_pages_run_only_what_this_server_sends(built: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        policy = dict(part.split(" ", 1) for part in (await client.get("/")).headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert policy["img-src"] == "'self' data: blob:"
        assert "unsafe" not in str(policy)

    ask(built, story)


def test_who_can_unpack_gets_it_packed(built: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        where = "/assets/main-Abc123.js"
        packed = await client.get(where, headers={"accept-encoding": "br, gzip"})
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) < len(SCRIPT) / 10
        assert packed.content == SCRIPT
        plain = await client.get(where, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == SCRIPT
        assert plain.headers["vary"] == "accept-encoding"
        font = await client.get("/assets/face-1.woff2", headers={"accept-encoding": "gzip"})
        assert "content-encoding" not in font.headers

    ask(built, story)


def test_what_lies_packed_beside_a_file_is_sent_as_it_is(built: Path) -> None:
    (built / "assets" / "main-Abc123.js.gz").write_bytes(better := gzip.compress(SCRIPT, 9, mtime=5))

    async def story(client: httpx.AsyncClient) -> None:
        answer = await client.get("/assets/main-Abc123.js", headers={"accept-encoding": "gzip"})
        assert answer.headers["content-length"] == str(len(better))
        assert answer.content == SCRIPT
        assert (await client.get("/assets/main-Abc123.js.gz")).status_code == 404

    ask(built, story)


def test_head_tells_the_same_and_sends_nothing(built: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        whole, head = await client.get("/favicon.svg"), await client.head("/favicon.svg")
        assert head.content == b""
        assert dict(head.headers) == dict(whole.headers)

    ask(built, story)


def test_who_has_it_already_is_not_sent_it_again(built: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        tag = (await client.get("/")).headers["etag"]
        again = await client.get("/", headers={"if-none-match": f'"other", {tag}'})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        (built / "index.html").write_bytes(INDEX + b"<p>new")
        fresh = await client.get("/", headers={"if-none-match": tag})
        assert (fresh.status_code, fresh.content) == (200, INDEX + b"<p>new")

    ask(built, story)


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/assets/",
        "/assets",
        "/assets/notes.sh",
        "/.hidden.js",
        "/../secret.json",
        "/assets/../../secret.json",
        "/assets/..%2f..%2fsecret.json",
        "/%2e%2e/secret.json",
        "/..%5csecret.json",
        "//secret.json",
        "/assets//main-Abc123.js",
        "/assets/way-out.json",
        "/index.html/",
        "/index.html%00.js",
        "/assets/" + "x" * 5000 + ".js",
        "/table/1/2",
    ],
)
def test_nothing_else_is_there(built: Path, path: str) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        said: list[Any] = []
        scope = {"type": "http", "method": "GET", "path": httpx.URL(f"http://x{path}").path, "headers": []}
        raw = {**scope, "path": path.replace("%2f", "/").replace("%2e", ".").replace("%5c", "\\").replace("%00", "\0")}
        for one in (scope, raw):
            await client.app.pages(one, None, lambda event: _noted(said, event))  # type: ignore[attr-defined]
        assert [event["status"] for event in said if "status" in event] == [404, 404]
        assert b"seed" not in b"".join(event.get("body", b"") for event in said)

    ask(built, story)


async def _noted(said: list[Any], event: Any) -> None:
    said.append(event)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_pages_are_only_read(built: Path, method: str) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        answer = await client.request(method, "/")
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")

    ask(built, story)


def test_where_no_client_is_built_the_page_says_how(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        answer = await client.get("/")
        assert answer.status_code == 200
        assert "make client" in answer.text
        assert (await client.get("/index.html")).status_code == 404

    ask(tmp_path / "nothing", story)


@pytest.mark.parametrize(
    ("said", "can"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("identity, gzip; q=0.0", False),
        ("gzipped", False),
    ],
)
def test_who_can_unpack(said: str, can: bool) -> None:
    assert unpacks(said) is can
