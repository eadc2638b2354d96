"""Too much, too large, too often: refused with a reason, and others do not notice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.server.outside import asked, knock
from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over
from wardogs.server.config import Config, Limits
from wardogs.server.limits import Bucket, Buckets, address, nearby

GAME = {"system": "dawgs"}
OTHER = ("198.51.100.9", 4000)


def config(tmp_path: Path, **limits: float) -> Config:
    return Config(str(tmp_path / "w.db"), limits=Limits(**limits))  # type: ignore[arg-type]


def asking_as(client: httpx.AsyncClient, who: tuple[str, int]) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(client.app, client=who)  # type: ignore[attr-defined]
    return httpx.AsyncClient(transport=transport, base_url="http://games.test")


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    bucket = Bucket(2.0, 3, lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    assert bucket.wait == 1
    now[0] = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_old_addresses_are_forgotten() -> None:
    buckets = Buckets(1.0, 1, 2)
    first = buckets.of("a")
    assert buckets.of("b") is not first
    assert buckets.of("a") is first
    buckets.of("c")  # b goes, which was silent longest
    assert set(buckets.known) == {"a", "c"}


@pytest.mark.parametrize(
    ("host", "counts_as"),
    [("203.0.113.7", "203.0.113.7"), ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::"), ("::ffff:203.0.113.7", "203.0.113.7"), ("", "")],
)
def test_a_household_is_one_address(host: str, counts_as: str) -> None:
    assert address({"client": (host, 1)}) == counts_as


def test_who_is_near() -> None:
    here = {"client": ("127.0.0.1", 1), "headers": []}
    assert nearby(here)
    assert nearby({**here, "client": ("::1", 1)})
    assert not nearby({**here, "headers": [(b"x-forwarded-for", b"127.0.0.1")]})
    assert not nearby({**here, "client": ("203.0.113.7", 1)})
    assert not nearby({**here, "client": None})


def test_requests_a_second(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(config(tmp_path, requests=0.5, request_burst=5)) as client:
            answers = [await client.get("/health") for _ in range(7)]
            assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
            assert int(answers[-1].headers["retry-after"]) in (1, 2)
            assert "too fast" in answers[-1].json()["error"]
            assert answers[-1].headers["referrer-policy"] == "no-referrer"
            refused = await knock(client.app)  # type: ignore[attr-defined]
            assert refused["status"] == 429
            async with asking_as(client, OTHER) as other, asking_as(client, ("127.0.0.1", 1)) as host:
                assert (await other.get("/health")).status_code == 200
                assert {(await host.get("/health")).status_code for _ in range(20)} == {200}

    asyncio.run(play())


def test_games_an_hour(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(config(tmp_path, games_an_hour=2)) as client:
            codes = [(await client.post("/api/games", json=GAME)).status_code for _ in range(3)]
            assert codes == [201, 201, 429]
            refused = await client.post("/api/games/", json=GAME)
            assert refused.status_code == 429
            assert int(refused.headers["retry-after"]) > 1000
            assert (await client.get("/health")).status_code == 200
            async with asking_as(client, OTHER) as other:
                assert (await other.post("/api/games", json=GAME)).status_code == 201

    asyncio.run(play())


def test_large_bodies_are_not_read(tmp_path: Path) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b" " * 100

    async def play() -> None:
        async with asked(config(tmp_path, body_bytes=2000)) as client:
            said = await client.post("/api/games", content=b" " * 2001, headers={"content-type": "application/json"})
            unsaid = await client.post("/api/games", content=pieces(), headers={"content-type": "application/json"})
            wrong = await client.post("/api/games", content=b"{}", headers={"content-length": "-1"})
            assert [said.status_code, unsaid.status_code, wrong.status_code] == [413, 413, 413]
            assert "2000 bytes" in said.json()["error"]
            assert (await client.post("/api/games", json=GAME)).status_code == 201

    asyncio.run(play())


def test_places_at_which_a_seat_is_open(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db", Limits(sockets_of_a_seat=2)) as hall:
            made = await a_game(hall)
            plugs = [Plug(hall) for _ in range(4)]
            said = [await plug.sit(made.game, made.keys[1]) for plug in plugs[:3]]
            assert [one["type"] for one in said] == ["sat", "sat", "closed"]
            assert said[2]["code"] == 4429
            assert (await plugs[3].sit(made.game, made.keys[2]))["type"] == "sat"
            await plugs[0].leave()
            again = Plug(hall)
            assert (await again.sit(made.game, made.keys[1]))["type"] == "sat"

    asyncio.run(play())


def test_too_many_messages(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db", Limits(messages=0.1, burst=3, strikes=4)) as hall:
            made = await a_game(hall)
            hasty, calm = Plug(hall), Plug(hall)
            await hasty.sit(made.game, made.keys[1])
            await calm.sit(made.game, made.keys[2])
            said = [await hasty.ask("ping") for _ in range(8)]
            assert [one["type"] for one in said] == ["done"] * 3 + ["wrong"] * 4 + ["closed"]
            assert said[-1]["code"] == 4429
            assert (await calm.ask("ping"))["type"] == "done"

    asyncio.run(play())


def test_a_message_may_be_so_long(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db", Limits(message_bytes=500)) as hall:
            made = await a_game(hall)
            plug = Plug(hall)
            await plug.sit(made.game, made.keys[1])
            assert (await plug.ask("say", text="é" * 300))["code"] == 1009

    asyncio.run(play())
