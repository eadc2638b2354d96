"""Every answer is strict with browsers, and only our own pages open sockets."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.server.outside import asked, knock
from wardogs.server.config import Config
from wardogs.server.headers import origin

STRICT = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
}


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/health"), ("GET", "/api/openapi.json"), ("GET", "/nowhere"), ("GET", "/api/nowhere"), ("POST", "/api/games")],
)
def test_every_answer_is_strict(tmp_path: Path, method: str, path: str) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as client:
            headers = (await client.request(method, path)).headers
            assert {name: headers.get(name) for name in STRICT} == STRICT
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            if path.startswith("/api"):
                assert headers["cache-control"] == "no-store"
            assert "strict-transport-security" not in headers

    asyncio.run(play())


def test_a_failure_is_strict_and_says_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"), public_url="https://games.test")) as client:
            desk = await client.app.desk()  # type: ignore[attr-defined]

            @desk.get("/api/fails")  # type: ignore[untyped-decorator]
            async def fails() -> None:
                raise RuntimeError("the mine lies at 12, 7")

            answer = await client.get("/api/fails")
            assert answer.status_code == 500
            assert "mine" not in answer.text
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["strict-transport-security"].startswith("max-age=")

    asyncio.run(play())


@pytest.mark.parametrize(
    ("said", "opens"),
    [
        (None, True),  # a program
        ("http://games.test", True),
        ("https://games.test", True),  # a proxy speaks https for us
        ("http://GAMES.test:80", True),
        ("https://play.example.org", True),  # the public address
        ("http://play.example.org", False),
        ("http://games.test:8080", False),
        ("http://games.test.evil.org", False),
        ("http://evil.org", False),
        ("null", False),
        ("", False),
        ("http://[games.test", False),
        ("http://games.test:99999", False),
    ],
)
def test_sockets_are_opened_by_our_own_pages(tmp_path: Path, said: str | None, opens: bool) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"), public_url="https://play.example.org")) as client:
            answer = await knock(client.app, **({} if said is None else {"origin": said}))  # type: ignore[attr-defined]
            if opens:
                assert answer["type"] == "websocket.accept"
            else:
                assert answer["type"] == "websocket.http.response.start"
                assert answer["status"] == 403

    asyncio.run(play())


def test_a_socket_at_a_wrong_path_is_told_the_right_one(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as client:
            for path in ("/", "/live", "/api/live/", "/api/games"):
                answer = await knock(client.app, path)  # type: ignore[attr-defined]
                assert (answer["type"], answer["status"]) == ("websocket.http.response.start", 404)

    asyncio.run(play())


def test_an_origin_is_scheme_host_and_port() -> None:
    assert origin("https://games.test/") == ("https", "games.test", 443)
    assert origin("http://[::1]:8765") == ("http", "::1", 8765)
    assert origin("ftp://games.test") is None
