"""People: sign-in links without passwords, seats taken with them, my games and turns."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.conftest import Database
from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over
from tests.server.test_api import made, one_turn, play, with_key
from wardogs.server import people
from wardogs.server.config import Limits
from wardogs.server.referees import Here


async def signed_up(client: httpx.AsyncClient, name: str = "Ada") -> str:
    answer = await client.post("/api/people", json={"name": name})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["key"])


async def take(client: httpx.AsyncClient, me: str, game: dict[str, Any], seat: str = "1") -> httpx.Response:
    return await client.post(f"/api/games/{game['game']}/seat", json={"key": game["keys"][seat]}, headers=with_key(me))


def test_a_name_and_a_link(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        key = await signed_up(client)
        me = with_key(key)
        assert (await client.get("/api/me", headers=me)).json()["name"] == "Ada"
        changed = await client.patch("/api/me", json={"name": "Ada L.", "webhook": "https://example.org/hook"}, headers=me)
        assert (changed.json()["name"], changed.json()["webhook"]) == ("Ada L.", "https://example.org/hook")
        joined = ("Ada\u200d", "a\u200bb", "\ufeffa", "a\u00adb")
        unseen = ("\u3164", *joined, "a\u202eb", "a\u2066b", "\U000e0041x", "a\x85b", "a\u2028b")
        for name in ("", " ", "a\nb", "x" * 61, *unseen):
            assert (await client.post("/api/people", json={"name": name})).status_code == 422
        for name in ("Zoë", "김", "O'Neill-García III", "\U0001f469\u200d\U0001f680"):
            assert (await client.post("/api/people", json={"name": name})).status_code == 201
        inner = await client.patch("/api/me", json={"webhook": "http://10.0.0.1/"}, headers=me)
        assert inner.status_code == 422
        assert key.encode() not in (tmp_path / "games.db").read_bytes() + (tmp_path / "games.db-wal").read_bytes()

    play(tmp_path, story)


def test_a_seat_opens_with_the_sign_in_link(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game, key = await made(client), await signed_up(client)
        url = f"/api/games/{game['game']}"
        before = await client.get(url, headers=with_key(key))
        assert before.status_code == 404
        taken = await take(client, key, game)
        assert taken.json() == {"game": game["game"], "seat": 1, "name": "Ada"}
        facts = (await client.get(url, headers=with_key(key))).json()
        assert (facts["seat"], facts["chairs"][0]["name"]) == (1, "Ada")
        second = await take(client, key, game, "2")
        assert second.status_code == 409
        assert "seat 1" in second.json()["error"]
        await client.patch("/api/me", json={"name": "Bea"}, headers=with_key(key))
        assert (await client.get(url, headers=with_key(key))).json()["chairs"][0]["name"] == "Bea"
        assert (await client.delete(f"{url}/seat", headers=with_key(key))).status_code == 204
        after = await client.get(url, headers=with_key(key))
        assert (after.status_code, after.content) == (404, before.content)
        assert (await client.delete(f"{url}/seat", headers=with_key(key))).status_code == 404
        assert (await client.get(url, headers=with_key(game["keys"]["1"]))).status_code == 200

    play(tmp_path, story)


def test_only_the_seats_own_link_gives_the_seat(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game, other, ada, bea = await made(client), await made(client), await signed_up(client), await signed_up(client, "Bea")
        await take(client, ada, game)
        url = f"/api/games/{game['game']}/seat"
        for wrong in (ada, game["watch"], other["keys"]["1"], "nothing"):
            answer = await client.post(url, json={"key": wrong}, headers=with_key(bea))
            assert answer.status_code == 404, wrong
        assert (await client.post(url, json={"key": game["keys"]["1"]}, headers=with_key("nobody"))).status_code == 401

    play(tmp_path, story)


def test_an_old_link_is_void_at_once(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game, old = await made(client), await signed_up(client)
        await take(client, old, game)
        url = f"/api/games/{game['game']}"
        assert (await client.get(url, headers=with_key(old))).status_code == 200
        new = (await client.post("/api/me/key", headers=with_key(old))).json()["key"]
        gone = await client.get("/api/me", headers=with_key(old))
        unknown = await client.get("/api/me", headers=with_key("never was"))
        assert (gone.status_code, gone.content) == (unknown.status_code, unknown.content) == (401, gone.content)
        assert (await client.get(url, headers=with_key(old))).status_code == 404
        assert (await client.get(url, headers=with_key(new))).status_code == 200

    play(tmp_path, story)


def test_the_feed_opens_by_header_and_by_address(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        async def feed(key: str | None = None, header: str | None = None) -> httpx.Response:
            params = {} if key is None else {"key": key}
            return await client.get("/api/me/turns.atom", params=params, headers={} if header is None else with_key(header))

        old = await signed_up(client)
        me = (await client.post("/api/me/key", headers=with_key(old))).json()["key"]
        assert [(await one).status_code for one in (feed(me), feed(header=me), feed(me, "wrong"))] == [200] * 3
        unknown = await client.get("/api/me", headers=with_key("never was"))
        for wrong in (feed(), feed(""), feed("wrong"), feed("x" * 500), feed(old), feed(header="wrong"), feed(header=old)):
            answer = await wrong
            assert (answer.status_code, answer.content) == (401, unknown.content)
            assert answer.headers.get("www-authenticate") == unknown.headers.get("www-authenticate")

    play(tmp_path, story)


def test_my_games_and_turns(database: Database) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        me, games = await signed_up(client), [await made(client) for _ in range(5)]
        for game in games:
            await take(client, me, game)
        await one_turn(client, games[2])
        seen: list[str] = []
        before = None
        for _ in range(3):
            params = {"most": 2, **({"before": before} if before else {})}
            page = (await client.get("/api/me/games", params=params, headers=with_key(me))).json()
            seen += [game["game"] for game in page["games"]]
            before = page["next"]
        assert before is None
        assert seen == [games[k]["game"] for k in (2, 4, 3, 1, 0)]
        assert page["games"][0]["people"][0] == {"seat": 1, "player": "person", "name": "Ada"}
        assert page["games"][0]["my_turn"]
        turns = (await client.get("/api/me/turns", headers=with_key(me))).json()["turns"]
        assert [turn["game"] for turn in turns] == seen
        feed = await client.get("/api/me/turns.atom", params={"key": me})
        assert feed.headers["content-type"].startswith("application/atom+xml")
        assert feed.text.count("<entry>") == 5
        for wrong in ("x", "1.0", "1.0~'", "nan~1 "):
            assert (await client.get("/api/me/games", params={"before": wrong}, headers=with_key(me))).status_code == 422

    play(database.url, story)


def test_nobody_sits_everywhere(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        me = await signed_up(client)
        assert (await take(client, me, await made(client))).status_code == 200
        full = await take(client, me, await made(client))
        assert full.status_code == 429
        assert full.json()["error"] == "you are in 1 running games already: end or leave one first"

    play(tmp_path, story, limits=Limits(open_games=1))


def test_a_link_made_void_while_the_game_is_being_opened_opens_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            ada, old = await people.join(hall.store, "Ada")
            await people.take_seat(hall, ada, made.game, made.keys[1])
            hall.rooms.clear()
            ask, may_go = Here.ask, asyncio.Event()

            async def slowly(*said: Any) -> Any:
                await may_go.wait()
                return await ask(*said)

            monkeypatch.setattr(Here, "ask", slowly)
            opening = asyncio.ensure_future(hall.room(made.game))
            while not hall.opening:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)  # its seats are read
            before = hall.store.seats(made.game)
            renewing = asyncio.ensure_future(people.renew(hall, ada))
            while hall.store.seats(made.game) == before:  # until it is written
                await asyncio.sleep(0.01)
            may_go.set()
            await opening
            assert (await Plug(hall).sit(made.game, old))["type"] == "wrong"
            assert (await Plug(hall).sit(made.game, await renewing))["type"] == "sat"

    asyncio.run(story())
