"""A database that fails once, or vanishes without a word: whoever needed it asks again, and nobody waits for ever."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy.engine import make_url

from tests.server.postgres import Postgres
from tests.server.tables import a_game, hall_over, sit_down
from tests.server.test_faults import away, choose, head, until
from wardogs.server.clocks import Clocks
from wardogs.server.config import Config
from wardogs.server.database import ALIVE, alive, open_engine, ready
from wardogs.server.errors import NoSuchLink
from wardogs.server.hall import Hall
from wardogs.server.news import News
from wardogs.server.store import Settings, Store
from wardogs.server.thinking import Thinking
from wardogs.server.waking import wake


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for pause in ("news.SELDOM", "news.AGAIN", "waking.AGAIN"):
        monkeypatch.setattr(f"wardogs.server.{pause}", 0.05)


def failing_once(real: Callable[..., Any]) -> Callable[..., Any]:
    answers = iter([away])
    return lambda *args: next(answers, real)(*args)


# ---- a machine that vanishes -----------------------------------------------------------------------------------------


@asynccontextmanager
async def by_network(postgres: Postgres, url: str) -> AsyncIterator[str]:
    """The same database, reached through a port."""

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, here = await asyncio.open_unix_connection(postgres.folder / ".s.PGSQL.5432")
        await asyncio.gather(pipe(reader, here), pipe(there, writer))

    async with await asyncio.start_server(carry, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        yield f"postgresql://wardogs@127.0.0.1:{port}/{make_url(url).database}?sslmode=disable"


def in_force(connection: Any) -> dict[str, int]:
    """What the system does for a connection."""
    with socket.socket(fileno=os.dup(connection.fileno())) as line:
        tcp = {
            "keepalives_idle": socket.TCP_KEEPIDLE,
            "keepalives_interval": socket.TCP_KEEPINTVL,
            "keepalives_count": socket.TCP_KEEPCNT,
            "tcp_user_timeout": socket.TCP_USER_TIMEOUT,
        }
        found = {name: line.getsockopt(socket.IPPROTO_TCP, option) for name, option in tcp.items()}
        return {"keepalives": line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE), **found}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems name these options differently")
def test_every_connection_to_postgresql_finds_out_that_the_other_end_has_vanished(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, made, connect = postgres.fresh(), list[Any](), psycopg.AsyncConnection.connect

    async def kept(*args: Any, **words: Any) -> Any:
        made.append(await connect(*args, **words))
        return made[-1]

    async def play() -> None:
        monkeypatch.setattr(psycopg.AsyncConnection, "connect", kept)
        async with by_network(postgres, url) as address:
            store = await asyncio.to_thread(lambda: Store(ready(open_engine(address))))
            async with News(Hall(store, Config(address))):
                await until(lambda: bool(made))
                assert in_force(made[0]) == wanted
            with await asyncio.to_thread(store.engine.connect) as connection:
                assert in_force(connection.connection.driver_connection) == wanted
            await asyncio.to_thread(store.close)

    wanted = {name: value for name, value in ALIVE.items() if name != "connect_timeout"}
    asyncio.run(play())
    postgres.drop(url)


def test_what_the_url_says_of_a_connection_holds() -> None:
    assert alive(make_url("postgresql://wardogs@far/games")) == ALIVE
    assert set(ALIVE) - set(alive(make_url("postgresql://wardogs@far/games?connect_timeout=60"))) == {"connect_timeout"}


# ---- news ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["kept", "since", "stamps"])
def test_news_that_could_not_be_read_once_are_told_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as here, hall_over(tmp_path / "w.db") as there, News(there):
            made = await a_game(here)
            mine, yours = await sit_down(here, made), await sit_down(there, made)
            await asyncio.sleep(0.3)  # until all that is known is old
            monkeypatch.setattr(there.store, where, failing_once(getattr(there.store, where)))
            await choose(mine[1], yours[2])

    asyncio.run(play())


def test_a_game_that_can_never_be_opened_is_not_looked_at_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            news = News(hall)
            await news._hear("nowhere")
            assert not news.games

    asyncio.run(play())


# ---- after a restart -------------------------------------------------------------------------------------------------


async def asleep(database: Path, games: int = 1) -> list[str]:
    """Games with a clock that wait for a bot, as a server leaves them that ends."""
    async with hall_over(database) as hall:
        slow = Settings(delay=0.0, clock=1000.0)
        return sorted([(await a_game(hall, players={2: "random"}, settings=slow)).game for _ in range(games)])


WAKING = [(Thinking, "thinking.waiting_for_bots"), (Clocks, "clocks.running")]


@pytest.mark.parametrize(("waking", "query"), WAKING)
@pytest.mark.parametrize("fails", ["the query", "the game"])
def test_a_read_that_fails_once_leaves_no_game_asleep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waking: Any, query: str, fails: str
) -> None:
    async def play() -> None:
        games = await asleep(tmp_path / "w.db", 2)
        async with hall_over(tmp_path / "w.db") as hall:
            if fails == "the query":
                module, name = query.split(".")
                real = getattr(sys.modules[f"wardogs.server.{module}"], name)
                monkeypatch.setattr(f"wardogs.server.{query}", failing_once(real))
            else:
                monkeypatch.setattr(hall.store, "kept", failing_once(hall.store.kept))
            monkeypatch.setattr(waking, "hear", lambda *_: None)  # it is enough that the rooms are opened
            async with waking(hall):
                await until(lambda: sorted(hall.rooms) == games)

    asyncio.run(play())


def test_a_bot_plays_on_after_a_restart_during_which_the_database_was_away(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, players={1: "random", 2: "random"})
        async with hall_over(tmp_path / "w.db") as hall:
            hall.store.kept = failing_once(hall.store.kept)  # type: ignore[method-assign]
            async with Thinking(hall):
                await until(lambda: head(hall, made.game) > 2)

    asyncio.run(play())


def test_a_game_that_cannot_be_read_keeps_no_other_asleep_and_no_server_from_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        first, *others = await asleep(tmp_path / "w.db", 3)
        async with hall_over(tmp_path / "w.db") as hall:
            real = hall.store.kept
            monkeypatch.setattr(hall.store, "kept", lambda game: away() if game == first else real(game))
            monkeypatch.setattr(Thinking, "hear", lambda *_: None)
            async with asyncio.timeout(20), Thinking(hall) as thinking:
                await until(lambda: sorted(hall.rooms) == others)
                assert thinking.waking is not None
                assert not thinking.waking.done()
            assert thinking.waking.cancelled()

    asyncio.run(play())


def test_a_server_ends_while_it_waits_for_its_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall, asyncio.timeout(20), Thinking(hall), Clocks(hall):
            await asyncio.sleep(0.2)

    for _, query in WAKING:
        monkeypatch.setattr(f"wardogs.server.{query}", away)
    asyncio.run(play())


def test_a_game_that_is_gone_is_woken_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            asked: list[str] = []
            monkeypatch.setattr(hall, "room", lambda game: gone(asked, game))
            await asyncio.wait_for(wake(hall, lambda _: ["nowhere"]), 20)
            assert asked == ["nowhere"]

    async def gone(asked: list[str], game: str) -> None:
        asked.append(game)
        raise NoSuchLink

    asyncio.run(play())
