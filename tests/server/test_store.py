"""What is written is there; who was first is decided once; none suffers for another. On both kinds of database."""

from __future__ import annotations

import asyncio
import zlib
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, insert, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from tests.server.conftest import Database
from tests.server.postgres import Postgres
from tests.server.tables import a_game, hall_over, sit_down
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Question
from wardogs.kernel.record import Record
from wardogs.server import tables as t
from wardogs.server.calls import Answer, Do, Result
from wardogs.server.errors import Late, Unavailable
from wardogs.server.hall import Hall
from wardogs.server.lines import unpacked
from wardogs.server.room import Room
from wardogs.server.store import Appended


def next_choice(room: Room) -> Any:
    """The default of the first seat that is asked, as a deed."""
    question = room.referee.match.game.question
    assert isinstance(question, Question)
    seat = room.standing.waiting[0]
    choice = question.asks[seat].default
    return Answer(seat, choice)


async def moved(hall: Hall, game: str, times: int) -> Room:
    room = await hall.room(game)
    for _ in range(times):
        await room.act(next_choice(room))
    return room


def whole(record: Record) -> bool:
    return [entry.n for entry in record.entries] == list(range(record.next))


def test_what_is_appended_is_there_after_a_reload(database: Database) -> None:
    async def go() -> None:
        async with hall_over(database.url) as hall:
            made = await a_game(hall, options={})
            room = await moved(hall, made.game, 4)
            head, saved = room.standing.next - 1, room.referee.match.system.save(room.referee.match.game.position)
        async with hall_over(database.url) as hall:
            room = await hall.room(made.game)
            assert room.standing.next - 1 == head
            assert room.referee.match.system.save(room.referee.match.game.position) == saved
            assert whole(hall.store.record(made.game))
            await moved(hall, made.game, 2)
            assert hall.store.record(made.game).next == head + 3

    asyncio.run(go())


def test_only_one_may_write_at_a_number(database: Database) -> None:
    async def go() -> None:
        async with hall_over(database.url) as first, hall_over(database.url) as second:
            made = await a_game(first, options={})
            rooms = [await first.room(made.game), await second.room(made.game)]
            n, deed = rooms[0].standing.next, next_choice(rooms[0])
            results = await asyncio.gather(*(room.act(deed, n) for room in rooms), return_exceptions=True)
            assert sorted(type(result).__name__ for result in results) == ["Late", "Result"]
            late = next(result for result in results if isinstance(result, Late))
            assert late.next == n + 1
            assert rooms[0].referee.match.record.hash == rooms[1].referee.match.record.hash
            assert whole(first.store.record(made.game))

    asyncio.run(go())


def test_the_same_entry_written_again_is_known_as_ours(database: Database) -> None:
    """A commit whose answer was lost: the second try finds what the first has written."""

    async def go() -> None:
        async with hall_over(database.url) as hall:
            made = await a_game(hall, options={})
            room = await hall.room(made.game)
            result = await room.ask(Do(next_choice(room), []), Result)
            new, entries = Appended(made.game, result.entries, result.position, "", False), result.entries
            fails = iter([OperationalError("", {}, Exception("the line went dead"))])

            def unheard(connection: Connection) -> None:
                if error := next(fails, None):
                    connection.commit()
                    raise error

            hall.store.writer.last = unheard
            assert await hall.store.append(new) == 1
            assert hall.store.record(made.game).next == entries[-1].n + 1
            assert await hall.store.append(new) == 0  # the same from somebody else is late

    asyncio.run(go())


def test_a_job_that_fails_spoils_no_other(database: Database) -> None:
    """Twenty games and two bad jobs in the same commits: all games are written, both bad ones are told."""

    def bad(connection: Connection) -> None:
        connection.execute(insert(t.watchers), [{"game": "nowhere", "key": "x"}])

    async def go() -> None:
        async with hall_over(database.url) as hall:
            made = [await a_game(hall, options={}) for _ in range(20)]
            rooms = [await hall.room(one.game) for one in made]
            deeds: list[Any] = [room.act(next_choice(room)) for room in rooms]
            deeds[10:10] = [hall.store.writer.write(bad), hall.store.writer.write(lambda _: 1 / 0)]
            results = await asyncio.gather(*deeds, return_exceptions=True)
            assert isinstance(results[10], IntegrityError)
            assert isinstance(results[11], ZeroDivisionError)
            assert all(isinstance(result, Result) for result in results[:10] + results[12:])
            for one in made:
                assert hall.store.record(one.game).next == 3

    asyncio.run(go())


def test_a_commit_is_shared(database: Database) -> None:
    async def go() -> None:
        async with hall_over(database.url) as hall:
            made = [await a_game(hall, options={}) for _ in range(40)]
            rooms = [await hall.room(one.game) for one in made]
            before = hall.store.writer.commits
            await asyncio.gather(*(room.act(next_choice(room)) for room in rooms))
            assert hall.store.writer.commits - before < 20

    asyncio.run(go())


def test_a_lost_connection_is_found_again(postgres: Postgres) -> None:
    """The database drops all who are connected: choices are accepted again, each once."""
    url = postgres.fresh()

    async def go() -> None:
        async with hall_over(url) as hall:
            made = await a_game(hall, options={})
            for _ in range(3):
                await moved(hall, made.game, 1)
                _drop_all(postgres)
                await moved(hall, made.game, 1)
            record = hall.store.record(made.game)
            assert whole(record)
            assert record.next == 2 + 6

    asyncio.run(go())
    postgres.drop(url)


def _drop_all(postgres: Postgres) -> None:
    with psycopg.connect(postgres.dsn("postgres"), autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'games%'")


def test_while_the_database_is_away_nothing_changes(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wardogs.server.writer.TRIES", 2)
    url = postgres.fresh()

    async def go() -> None:
        async with hall_over(url) as hall:
            made = await a_game(hall, options={})
            plugs = await sit_down(hall, made)
            room = await moved(hall, made.game, 2)
            await plugs[1].reach(room.head)
            heard = len(plugs[1].heard)
            postgres.kill()
            with pytest.raises(Unavailable):
                await room.act(next_choice(room))
            assert len(plugs[1].heard) == heard
            await asyncio.to_thread(postgres.start)
            await moved(hall, made.game, 2)
            assert hall.store.record(made.game).next == 2 + 4
            await plugs[1].reach(5)

    asyncio.run(go())
    postgres.drop(url)


def test_sqlite_syncs_every_commit(tmp_path: Any) -> None:
    async def go() -> None:
        async with hall_over(tmp_path / "games.db") as hall:
            with hall.store.engine.connect() as connection:
                assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
                assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"

    asyncio.run(go())


def test_a_rule_that_raises_in_one_game_disturbs_no_other(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with hall_over(database.url) as hall:
            made = [await a_game(hall, options={}) for _ in range(5)]
            rooms = [await hall.room(one.game) for one in made]
            broken = rooms[2]
            break_rules(monkeypatch, broken.referee.match)
            results = await asyncio.gather(*(moved(hall, one.game, 3) for one in made), return_exceptions=True)
            assert [type(result).__name__ for result in results] == ["Room", "Room", "Broken", "Room", "Room"]
            head = hall.store.record(made[2].game).next
            monkeypatch.undo()
            await moved(hall, made[2].game, 2)  # the game stands where it stood, and goes on when the rule is mended
            assert hall.store.record(made[2].game).next == head + 2

    asyncio.run(go())


def break_rules(monkeypatch: pytest.MonkeyPatch, match: Match) -> None:
    """Every paragraph of this game raises."""

    def fails(*_: Any) -> None:
        raise RuntimeError("a fault in a rule")

    rules = match.game.rules
    monkeypatch.setattr(match.game, "rules", rules._replace(paragraphs=dict.fromkeys(rules.paragraphs, fails)))


def test_a_failed_read_says_so_without_its_values(database: Database) -> None:
    """The quick way past SQLAlchemy still raises what all else is ready for."""

    async def go() -> None:
        async with hall_over(database.url) as hall:
            with hall.store.engine.begin() as connection:
                connection.execute(text("DROP TABLE talk"))
            made = await a_game(hall)
            with pytest.raises(DBAPIError) as failed:
                hall.store.kept(made.game)
            assert made.game not in str(failed.value)

    asyncio.run(go())


def test_positions_are_packed_and_those_of_older_databases_still_read(database: Database) -> None:
    async def go() -> None:
        async with hall_over(database.url) as hall:
            made = await a_game(hall, "dogs")
            room = await moved(hall, made.game, 2)
            saved = room.referee.match.system.save(room.referee.match.game.position)
            kept = hall.store.kept(made.game)
            assert kept is not None
            assert unpacked(kept.position) == saved
            assert len(kept.position) < len(saved) / 3
            for older in (saved, zlib.compress(saved, 1)):
                with hall.store.engine.begin() as connection:
                    connection.execute(update(t.games).values(position=older))
                hall.rooms.clear()
                assert (await hall.room(made.game)).referee.match.game.position == room.referee.match.game.position
            await moved(hall, made.game, 1)

    asyncio.run(go())
