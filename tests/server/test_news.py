"""Two workers over one database: what is done at one is heard at the other."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import psycopg
import pytest

from tests.server.conftest import Database
from tests.server.plug import Plug
from tests.server.postgres import Postgres
from tests.server.tables import PATIENT, a_game
from wardogs.kernel.replay import verify
from wardogs.server.calls import Answer
from wardogs.server.config import Config
from wardogs.server.database import open_engine, ready
from wardogs.server.games import Made
from wardogs.server.hall import Hall
from wardogs.server.news import News
from wardogs.server.presence import Presence
from wardogs.server.rulebooks import rulebook
from wardogs.server.store import Store


@asynccontextmanager
async def worker(url: str) -> AsyncIterator[Hall]:
    store = Store(ready(open_engine(url)), secrets.token_hex(8))
    hall = Hall(store, Config(url, workers=2, limits=PATIENT))
    try:
        async with News(hall), Presence(hall):
            yield hall
    finally:
        await asyncio.to_thread(store.close)


class Pair:
    """A game whose two seats sit at different workers; the umpire at the first."""

    def __init__(self, halls: list[Hall], made: Made) -> None:
        self.halls, self.made = halls, made
        self.plugs = {seat: Plug(halls[seat == 2]) for seat in made.keys}


@asynccontextmanager
async def apart(url: str) -> AsyncIterator[Pair]:
    async with AsyncExitStack() as stack:
        halls = [await stack.enter_async_context(worker(url)) for _ in range(2)]
        pair = Pair(halls, await a_game(halls[0], options={"round_limit": 10}, umpire=True))
        for seat, plug in pair.plugs.items():
            await plug.sit(pair.made.game, pair.made.keys[seat])
        yield pair


def at_two_workers(url: str, play: Callable[[Pair], Awaitable[None]]) -> None:
    async def go() -> None:
        async with apart(url) as pair:
            await play(pair)

    asyncio.run(go())


async def play_on(pair: Pair, choices: int, seed: int = 1) -> None:
    """Each seat answers at its own worker, when it has heard all that happened at the other."""
    rng, n = random.Random(seed), max(plug.n for plug in pair.plugs.values())
    for _ in range(choices):
        for plug in pair.plugs.values():
            await plug.reach(n)
        if pair.plugs[1].outcome:
            return
        seat = rng.choice(pair.plugs[1].waiting)
        plug = pair.plugs[seat]
        question = plug.hall.rooms[pair.made.game].referee.match.game.question
        answer = await plug.ask("choose", n=n + 1, choice=question.asks[seat].default)  # type: ignore[union-attr]
        assert answer["type"] == "done", answer
        n = answer["n"]


def test_a_whole_game_at_two_workers(database: Database) -> None:
    async def play(pair: Pair) -> None:
        await play_on(pair, 10_000)
        assert pair.plugs[1].outcome
        assert pair.plugs[1].outcome == pair.plugs[2].outcome
        assert verify(rulebook("dawgs"), pair.halls[0].store.record(pair.made.game)) > 0

    at_two_workers(database.url, play)


def test_talk_crosses_and_a_whisper_reaches_only_whom_it_is_meant_for(database: Database) -> None:
    async def play(pair: Pair) -> None:
        await pair.plugs[1].ask("say", text="whispered to the umpire", to=[0])
        await pair.plugs[1].ask("say", text="whispered across", to=[2])
        await pair.plugs[2].ask("say", text="aloud")
        for seat, counts in {0: [1, 0, 1], 1: [1, 1, 1], 2: [0, 1, 1]}.items():
            heard = pair.plugs[seat].heard
            while not any(b'"aloud"' in message for message in heard):
                await asyncio.sleep(0.01)
            assert [b"".join(heard).count(text) for text in (b"to the umpire", b"across", b'"aloud"')] == counts

    at_two_workers(database.url, play)


def test_lines_come_once_and_in_order(database: Database) -> None:
    async def play(pair: Pair) -> None:
        for k in range(20):
            pair.plugs[1 + k % 2].raw(f'{{"do":"say","text":"line {k:02}"}}')
        lines: dict[int, list[str]] = {}
        for seat, plug in pair.plugs.items():
            lines[seat] = []
            while len(lines[seat]) < 20:
                lines[seat].append((await plug.until(lambda message: message["type"] == "said"))["text"])
        assert lines[0] == lines[1] == lines[2]
        assert sorted(lines[0]) == [f"line {k:02}" for k in range(20)]

    at_two_workers(database.url, play)


def test_who_sits_where_and_what_is_proposed_crosses(database: Database) -> None:
    async def play(pair: Pair) -> None:
        await pair.plugs[1].ask("watchable", yes=True)
        await pair.plugs[2].until(lambda message: message["type"] == "table" and message["chairs"][1]["watchable"])
        await play_on(pair, 5)
        for plug in pair.plugs.values():
            await plug.reach(max(other.n for other in pair.plugs.values()))
        n = pair.plugs[1].n
        asked = await pair.plugs[1].ask("undo")
        if 2 in asked["data"]["needs"]:
            await pair.plugs[2].until(lambda message: message["type"] == "table" and message["proposals"])
            assert (await pair.plugs[2].ask("agree", kind="undo"))["type"] == "done"
        await pair.plugs[1].reach(n + 1)
        await pair.plugs[2].reach(n + 1)

    at_two_workers(database.url, play)


def test_a_listener_that_was_cut_off_hears_all_when_it_is_back(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wardogs.server.news.AGAIN", 0.05)
    url = postgres.fresh()

    async def play(pair: Pair) -> None:
        await play_on(pair, 3)
        with psycopg.connect(postgres.dsn("postgres"), autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'LISTEN%'")
        await play_on(pair, 3, seed=2)
        for plug in pair.plugs.values():
            await plug.reach(7)

    at_two_workers(url, play)
    postgres.drop(url)


def test_a_room_that_was_opened_late_is_not_behind(database: Database) -> None:
    """A seat sits down at the second worker while the first plays on."""

    async def go() -> None:
        async with worker(database.url) as first, worker(database.url) as second:
            made = await a_game(first, options={})
            here = Plug(first)
            await here.sit(made.game, made.keys[1])
            there = [Plug(second) for _ in range(3)]
            sitting = [asyncio.ensure_future(plug.sit(made.game, made.keys[2])) for plug in there]
            room = await first.room(made.game)
            for _ in range(6):
                seat = room.standing.waiting[0]
                choice = room.referee.match.game.question.asks[seat].default  # type: ignore[union-attr]
                await room.act(Answer(seat, choice))
            await asyncio.gather(*sitting)
            for plug in there:
                await plug.reach(room.standing.next - 1)

    asyncio.run(go())
