"""Who is at the table is known at every worker: when he comes, when he goes, and when his worker dies."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, insert, select

from tests.server.conftest import Database
from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over
from tests.server.test_news import Pair, apart, at_two_workers, worker
from wardogs.server import presence, room, store
from wardogs.server import tables as t
from wardogs.server.api_common import Entered
from wardogs.server.api_visits import Visit
from wardogs.server.hall import Hall
from wardogs.server.telling import Audience


def there(seat: int, yes: bool) -> Any:
    """A message that says whether somebody is in a seat."""

    def told(message: dict[str, Any]) -> bool:
        chairs = message["chairs"] if message["type"] in ("table", "sat") else []
        return any(chair["seat"] == seat and chair["present"] == yes for chair in chairs)

    return told


def everyone(hall: Hall) -> list[tuple[str, int]]:
    with hall.store.engine.connect() as connection:
        return sorted((game, seat) for game, seat in connection.execute(select(t.present.c.game, t.present.c.seat)))


def test_who_comes_and_goes_at_one_worker_is_seen_at_the_other(database: Database) -> None:
    async def play(pair: Pair) -> None:
        first, second = pair.plugs[1], pair.plugs[2]
        await first.until(there(2, True))
        late = Plug(pair.halls[1])
        assert there(1, True)(await late.sit(pair.made.game, pair.made.keys[2]))
        await second.leave()
        assert pair.halls[0].rooms[pair.made.game].absent(2) == 0.0  # still open in another place
        await late.leave()
        await first.until(there(2, False))
        room = pair.halls[0].rooms[pair.made.game]
        assert room.elsewhere == frozenset()
        assert 0.0 < room.absent(2) < 5.0

    at_two_workers(database.url, play)


def test_nobody_takes_the_seat_of_one_who_sits_at_another_worker(database: Database) -> None:
    async def play(pair: Pair) -> None:
        first, second = pair.plugs[1], pair.plugs[2]
        await first.until(there(2, True))
        room = pair.halls[0].rooms[pair.made.game]
        room.patience = 0.2
        await asyncio.sleep(0.3)
        assert "while he is away" in (await first.ask("take_over", seat=2, player="random"))["text"]
        await second.leave()
        await first.until(there(2, False))
        await asyncio.sleep(0.3)
        assert (await first.ask("take_over", seat=2, player="random"))["type"] == "done"

    at_two_workers(database.url, play)


def test_a_worker_taken_for_dead_writes_its_people_down_anew(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "BEAT", 0.2)

    async def play(pair: Pair) -> None:
        await pair.plugs[1].until(there(2, True))
        slow = pair.halls[1].store
        await slow.writer.write(lambda connection: presence.buried(connection, [slow.worker]))
        while (pair.made.game, 2) in everyone(pair.halls[0]):  # a beat may have come first
            await slow.writer.write(lambda connection: presence.buried(connection, [slow.worker]))
        while (pair.made.game, 2) not in everyone(pair.halls[0]):
            await asyncio.sleep(0.01)

    at_two_workers(database.url, play)


def test_the_people_of_a_dead_worker_are_gone(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "BEAT", 0.05)
    for module in (presence, store):
        monkeypatch.setattr(module, "DEAD", 1.5)

    async def play() -> None:
        async with worker(database.url) as hall:
            made = await a_game(hall)
            plug = Plug(hall)
            await plug.sit(made.game, made.keys[1])

            def haunt(connection: Connection) -> None:
                connection.execute(insert(t.workers), [{"id": "ghost", "seen": store.now_there(connection)}])
                connection.execute(insert(t.present), [{"game": made.game, "seat": 2, "worker": "ghost"}])

            await hall.store.writer.write(haunt)
            await plug.until(there(2, True))
            await plug.until(there(2, False))
            for _ in range(100):  # its rows go soon after
                if everyone(hall) == [(made.game, 1)]:
                    return
                await asyncio.sleep(0.05)
            raise AssertionError(everyone(hall))

    asyncio.run(play())


def test_a_worker_that_stops_takes_its_people_with_it(database: Database) -> None:
    async def play() -> None:
        async with apart(database.url) as pair:
            halls = pair.halls
            await pair.plugs[1].until(there(2, True))
            while everyone(halls[0]) != [(pair.made.game, seat) for seat in (0, 1, 2)]:
                await asyncio.sleep(0.01)
        async with worker(database.url) as hall:
            assert everyone(hall) == []

    asyncio.run(play())


def test_who_plays_by_requests_is_there_between_his_visits(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "BEAT", 0.05)
    monkeypatch.setattr(room, "LINGER", 1.5)

    async def play() -> None:
        async with worker(database.url) as first, worker(database.url) as second:
            made = await a_game(first)
            visited = await first.room(made.game)
            at_table = Entered(visited, Audience("player", 1), made.keys[1])
            plug = Plug(second)
            await plug.sit(made.game, made.keys[2])
            stamps = visited.store.stamps([made.game])
            for _ in range(3):
                await Visit(at_table, first.config.limits).state(None, 0)
            await plug.until(there(1, True))
            for _ in range(5):
                await Visit(at_table, first.config.limits).state(None, 0)
                await asyncio.sleep(0.1)
                assert second.rooms[made.game].absent(1) == 0.0
            assert visited.store.stamps([made.game]) == stamps  # nobody who plays is disturbed
            await plug.until(there(1, False))
            assert sum(there(1, False)(msgspec.json.decode(message)) for message in plug.heard[2:]) == 1

    asyncio.run(play())


def test_a_room_that_is_opened_late_knows_who_sits_elsewhere(database: Database) -> None:
    async def play() -> None:
        async with worker(database.url) as first, worker(database.url) as second:
            made = await a_game(first)
            await Plug(first).sit(made.game, made.keys[1])
            while everyone(second) != [(made.game, 1)]:
                await asyncio.sleep(0.01)
            late = await second.room(made.game)
            assert late.elsewhere == {1}
            assert late.absent(1) == 0.0

    asyncio.run(play())


def test_one_worker_alone_writes_nothing_down(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall, presence.Presence(hall):
            made = await a_game(hall)
            await Plug(hall).sit(made.game, made.keys[1])
            assert everyone(hall) == []

    asyncio.run(play())
