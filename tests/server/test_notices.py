"""Notices: "your turn", once for each question, to who is not there, through restarts."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from sqlalchemy import select, update

from tests.server.conftest import Database
from tests.server.test_api import first_choice, made, play, with_key
from tests.server.test_people import signed_up, take
from wardogs.server import tables as t
from wardogs.server.config import Config
from wardogs.server.database import open_engine
from wardogs.server.errors import Unavailable
from wardogs.server.notices import BadWebhook, Notices, checked_webhook, is_inner, reached
from wardogs.server.room import Room


class Receiver:
    """A webhook on this machine."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.answers: list[int] = []
        self.quick = threading.Event()  # until then nothing is answered
        self.quick.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.heard.append(msgspec.json.decode(body))
                receiver.quick.wait(5)
                self.send_response(receiver.answers.pop(0) if receiver.answers else 204)
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Quiet."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?x=1"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    async def has(self, count: int) -> list[dict[str, Any]]:
        """So many, and no more a little later."""
        for _ in range(200):
            if len(self.heard) >= count:
                break
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.2)
        assert len(self.heard) == count, self.heard
        return self.heard


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setattr(Notices, "grace", 0.0)
    monkeypatch.setattr(Notices, "tries", (0.0, 0.01, 0.01))
    monkeypatch.setattr(Notices, "orphan", 0.1)
    one = Receiver()
    yield one
    one.server.shutdown()
    one.server.server_close()


async def answer(client: httpx.AsyncClient, game: dict[str, Any], seat: str) -> None:
    url, key = f"/api/games/{game['game']}", with_key(game["keys"][seat])
    state = (await client.get(f"{url}/state", headers=key)).json()
    choice = {"n": state["n"] + 1, "choice": first_choice(state["question"])}
    assert (await client.post(f"{url}/choices", json=choice, headers=key)).status_code == 200


async def seated(client: httpx.AsyncClient, receiver: Receiver) -> dict[str, Any]:
    """A game in which seat 1 wants to be told."""
    game, me = await made(client), await signed_up(client)
    await client.patch("/api/me", json={"webhook": receiver.url}, headers=with_key(me))
    await take(client, me, game)
    return game


def test_told_once_for_each_question(tmp_path: Path, receiver: Receiver) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await seated(client, receiver)
        await answer(client, game, "2")  # both are asked at once: seat 1 still owes an answer
        (told,) = await receiver.has(1)
        assert told["content"].startswith("Ada, it is your turn in Free-for-all (Dawgs of War)")
        assert told["content"].endswith(f"https://games.test/#/table/{game['game']}")
        assert told["allowed_mentions"] == {"parse": []}
        await client.get(f"/api/games/{game['game']}", headers=with_key(game["keys"]["2"]))
        await receiver.has(1)
        await answer(client, game, "1")
        state = (await client.get(f"/api/games/{game['game']}", headers=with_key(game["keys"]["1"]))).json()
        if 1 in state["waiting"]:
            await receiver.has(2)

    play(tmp_path, story, inner_webhooks=True, public_url="https://games.test")


def test_what_is_asked_while_a_slow_webhook_is_told_is_told_too(tmp_path: Path, receiver: Receiver) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await seated(client, receiver)
        receiver.quick.clear()
        await answer(client, game, "2")
        await receiver.has(1)
        await answer(client, game, "1")
        url, key = f"/api/games/{game['game']}", with_key(game["keys"]["1"])
        while 1 not in (state := (await client.get(url, headers=key)).json())["waiting"]:
            await answer(client, game, str(state["waiting"][0]))
        await receiver.has(1)
        receiver.quick.set()
        assert receiver.heard[0] != (await receiver.has(2))[1]

    play(tmp_path, story, inner_webhooks=True)


def test_a_restart_neither_repeats_nor_forgets(database: Database, receiver: Receiver) -> None:
    games: list[dict[str, Any]] = []

    async def first(client: httpx.AsyncClient) -> None:
        games.append(await seated(client, receiver))
        await answer(client, games[0], "2")
        await receiver.has(1)

    async def again(client: httpx.AsyncClient) -> None:
        await receiver.has(1)

    async def missed(client: httpx.AsyncClient) -> None:
        await receiver.has(2)

    play(database.url, first, inner_webhooks=True)
    play(database.url, again, inner_webhooks=True)
    engine = open_engine(database.url)
    for told in (0, -2):  # never told; and a notice that went down with its worker
        with engine.begin() as connection:
            connection.execute(update(t.seats).where(t.seats.c.seat == 1).values(told=told))
        receiver.heard[1:] = []
        play(database.url, missed, inner_webhooks=True)
        with engine.connect() as connection:
            assert connection.execute(select(t.seats.c.told).where(t.seats.c.seat == 1)).scalar_one() > 0
    engine.dispose()


def test_who_is_at_the_table_is_not_told(tmp_path: Path, receiver: Receiver) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game, me = await made(client), await signed_up(client)
        await take(client, me, game)
        url, one = f"/api/games/{game['game']}", with_key(game["keys"]["1"])
        n = (await client.get(url, headers=one)).json()["n"]
        looking = asyncio.ensure_future(client.get(f"{url}/state", params={"after": n, "wait": 1}, headers=one))
        await asyncio.sleep(0.1)
        await client.patch("/api/me", json={"webhook": receiver.url}, headers=with_key(me))
        notices = next(h.__self__ for h in client.app.hall.on_change if isinstance(getattr(h, "__self__", None), Notices))  # type: ignore[attr-defined]
        notices.soon(game["game"], 1, 0.0)
        await receiver.has(0)
        assert (game["game"], 1) in notices.present
        await looking

    play(tmp_path, story, inner_webhooks=True)


def test_a_webhook_in_trouble_is_tried_again_and_never_followed(tmp_path: Path, receiver: Receiver) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        receiver.answers = [503, 429, 204]
        await answer(client, await seated(client, receiver), "2")
        await receiver.has(3)
        receiver.answers = [302]
        await answer(client, await seated(client, receiver), "2")
        await receiver.has(4)

    play(tmp_path, story, inner_webhooks=True)


def test_a_games_own_webhook(tmp_path: Path, receiver: Receiver) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        await made(client, webhook=receiver.url)  # nobody has opened it yet
        told = await receiver.has(2)
        assert sorted(one["content"][:23] for one in told) == ["Seat 1: it is your turn", "Seat 2: it is your turn"]

    play(tmp_path, story, inner_webhooks=True)


def test_a_game_is_made_although_it_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        async def fails(*_: object) -> None:
            raise Unavailable

        monkeypatch.setattr(Room, "opened", fails)
        assert (await made(client, webhook="https://example.org/hook"))["keys"]

    play(tmp_path, story)


INNER = [
    "127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "0.0.0.0",
    "::1",
    "::ffff:127.0.0.1",
    "fe80::1%eth0",
    "fd00::1",
    "2002:7f00:1::",
    "224.0.0.1",
    "::ffff:224.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::10.1.2.3",
    "64:ff9b:1::8.8.8.8",
    "::127.0.0.1",
    "::10.1.2.3",
    "::ffff:0:127.0.0.1",
    "fec0::1",
]


def test_nothing_is_sent_into_the_hosts_own_network(receiver: Receiver) -> None:
    assert all(is_inner(address) for address in INNER)
    outer = ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8")
    assert not any(is_inner(address) for address in outer)
    with pytest.raises(BadWebhook, match="own network"):
        reached(receiver.url.replace("127.0.0.1", "localhost"), b"{}", inner=False)
    assert receiver.heard == []
    config = Config("x")
    for url in (
        "http://localhost/x",
        "http://LOCALHOST./x",
        "http://[::1]/",
        "http://127.0.0.1:80/",
        "http://db.internal/",
        "http://db/",
    ):
        with pytest.raises(BadWebhook):
            checked_webhook(url, config)
    for url in ("ftp://a.org", "http://", "a.org", "http://a.org:0/", "http://a.org:x/", "http://u:p@a.org/", "http://a.org/ x"):
        with pytest.raises(BadWebhook, match="like https"):
            checked_webhook(url, config)
    assert checked_webhook("https://discord.com/api/webhooks/1/abc", config)
