"""What hosts get wrong is told in one line, and a server that cannot keep games says so."""

from __future__ import annotations

import asyncio
import logging
import random
import sqlite3
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tests.cli.calling import call
from tests.server.conftest import Database
from tests.server.outside import asked, served
from tests.server.test_api import made, play, with_key
from wardogs.kernel.errors import WardogsError
from wardogs.server import notices
from wardogs.server.api_games import EXAMPLES
from wardogs.server.app import App
from wardogs.server.config import Config
from wardogs.server.database import blanked, open_engine, read_every_table, read_url, ready, shown
from wardogs.server.serving import wired

PAGE = 4096


def refused(*args: str) -> str:
    """What `wardogs serve` says to this, in one line."""
    code, out, err = call("serve", "--port", "0", *args)
    assert code == 2, err
    assert err.count("\n") == 1, err
    assert "Traceback" not in err + out
    return err


# ---- flags ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--rate", "inf"], "rate"),
        (["--rate", "nan"], "rate"),
        (["--rate", "1e308"], "rate"),
        (["--games-an-hour", "1" + "0" * 400], "games-an-hour"),
        (["--public-url", "https://[::bad"], "https://games.example.org"),
        (["--public-url", "https://x:abc"], "https://games.example.org"),
        (["--public-url", "https://x:99999"], "https://games.example.org"),
        (["--public-url", "https://x#frag"], "https://games.example.org"),
        (["--public-url", "https://x?"], "https://games.example.org"),
        (["--public-url", "https://x y"], "https://games.example.org"),
        (["--public-url", "https://user:secret@x"], "https://games.example.org"),
    ],
)
def test_a_wrong_flag(args: list[str], says: str, tmp_path: Path) -> None:
    err = refused("--database", str(tmp_path / "w.db"), *args)
    assert says in err
    assert "secret" not in err


@pytest.mark.parametrize(
    ("database", "says"),
    [
        ("sqlite+aiosqlite:///x.db", "write only the name of the file"),
        ("sqlite+pysqlcipher:///x", "write only the name of the file"),
        ("sqlite://host/x", "write only the name of the file"),
        ("q?foo=1", "write only the name of the file"),
        ("q?", "write only the name of the file"),
        ("", "name a file"),
        ("postgresql://a:se@cr/secret@127.0.0.1/x", "write @ as %40"),
        ("postgres://a:secret@127.0.0.1:abc/x", "a:***@127.0.0.1:abc/x"),
        ("postgresql://a:secret@127.0.0.1:abc/x", "a:***@127.0.0.1:abc/x"),
        ("postgresql://a:secret@secret@127.0.0.1:abc/x", "a:***@127.0.0.1:abc/x"),
        ("mysql://u:secret@h/x", "u:***@h/x"),
        (f"mysql://u:{'secret' * 20}@h/x", "u:***@h/x"),
        ("mysql://h/x?password=secret", "password=***"),
    ],
)
def test_a_wrong_database_keeps_its_password(
    database: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    err = refused("--database", database)
    assert says in err
    assert "secret" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_password_is_blank_wherever_a_url_has_it() -> None:
    assert blanked("postgresql://wardogs@localhost/wardogs") == "postgresql://wardogs@localhost/wardogs"
    engine = open_engine("postgresql://127.0.0.1:1/none?user=a&password=secret")
    assert "secret" not in shown(engine)
    assert read_url("postgresql://a:secret@h/x").password == "secret"
    assert read_url("postgresql://a:se%40cret@h/d%40b").password == "se@cret"


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE games (title)")
    assert "is another program's, with its own games" in refused("--database", str(tmp_path / "other.db"))
    assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("games",)]
    other.close()


def test_a_copy_goes_into_a_folder_that_is_there(tmp_path: Path) -> None:
    ready(open_engine(str(tmp_path / "w.db"))).dispose()
    code, _, err = call("backup", str(tmp_path / "none" / "x.db"), "--database", str(tmp_path / "w.db"))
    assert (code, err.count("\n"), f"{tmp_path}/none/x.db: there is no folder" in err) == (2, 1, True)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert f"is a folder; name a file in it, like {tmp_path}/wardogs.db" in refused("--database", str(tmp_path))


# ---- databases that cannot be used ---------------------------------------------------------------------------------


def kept(path: Path) -> Path:
    """A database, all of it in its one file."""
    ready(open_engine(str(path))).dispose()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path


def overwritten(path: Path, after: int = 0) -> None:
    with path.open("r+b") as file:
        file.seek(after * PAGE)
        file.write(random.Random(1).randbytes(path.stat().st_size - after * PAGE))


def locked_away(path: Path) -> None:
    """A version of the file that this SQLite may read, but not write."""
    with path.open("r+b") as file:
        file.seek(18)
        file.write(b"\x03")


def without_tables(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if not table.startswith(("sqlite_", "alembic")):
                connection.execute(f"DROP TABLE {table}")
    connection.close()


def test_a_broken_database_is_refused_at_the_start(tmp_path: Path) -> None:
    path = kept(tmp_path / "torn.db")
    overwritten(path, after=3)
    assert "torn.db: cannot be read: database disk image is malformed; go back to a back-up" in refused("--database", str(path))
    path = kept(tmp_path / "empty.db")
    without_tables(path)
    assert "empty.db: cannot be read: no such table" in refused("--database", str(path))


def test_a_database_that_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    path = kept(tmp_path / "w.db")
    locked_away(path)
    assert "attempt to write a readonly database" in refused("--database", str(path))


def test_missing_tables_are_missed_in_any_database(database: Database) -> None:
    engine = ready(open_engine(database.url))
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE talk")
    with pytest.raises(WardogsError, match=r"cannot be read: .*talk.*; go back to a back-up") as error:
        ready(engine)
    assert "\n" not in str(error.value)
    engine.dispose()


# ---- ready? --------------------------------------------------------------------------------------------------------


def test_ready_in_any_database(database: Database) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        assert (await client.get("/ready")).status_code == 200
        engine = client.app.hall.store.engine  # type: ignore[attr-defined]
        with engine.begin() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM workers WHERE seen = 0").scalar() == 0
            connection.exec_driver_sql("DROP TABLE talk")
        answer = await client.get("/ready")
        assert (answer.status_code, answer.json()) == (503, {"error": "the database does not answer"})

    play(database.url, story)


def test_not_ready_when_the_file_is_gone_or_overwritten(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        assert (await client.get("/ready")).status_code == 200
        path = tmp_path / "games.db"
        path.rename(tmp_path / "elsewhere.db")
        assert (await client.get("/ready")).status_code == 503
        (tmp_path / "elsewhere.db").rename(path)
        assert (await client.get("/ready")).status_code == 200
        kept(path)
        overwritten(path)
        assert (await client.get("/ready")).status_code == 503
        assert (await client.get("/health")).status_code == 200

    play(tmp_path, story)


def test_not_ready_when_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        writer = client.app.hall.store.writer  # type: ignore[attr-defined]

        def full(*_: object) -> Any:
            raise OperationalError("COMMIT", {}, sqlite3.OperationalError("database or disk is full"))

        monkeypatch.setattr(writer, "_commit", full)
        monkeypatch.setattr("wardogs.server.writer.TRIES", 1)
        assert (await client.get("/ready")).status_code == 503
        monkeypatch.undo()
        assert (await client.get("/ready")).status_code == 200

    play(tmp_path, story)


def test_a_busy_writer_is_not_asked_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wardogs.server.operation.PATIENCE", 0.2)

    async def story(client: httpx.AsyncClient) -> None:
        writer = client.app.hall.store.writer  # type: ignore[attr-defined]
        assert (await client.get("/ready")).status_code == 200
        other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        began, tried = time.monotonic(), []
        write = writer.write
        monkeypatch.setattr(writer, "write", lambda do: tried.append(do.__name__) or write(do))
        answers = [await client.get("/ready") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [503] * 4
        assert time.monotonic() - began < 2
        assert tried.count("try_to_write") == 1
        other.execute("ROLLBACK")
        other.close()
        for _ in range(50):
            if (await client.get("/ready")).status_code == 200:
                break
        else:
            raise AssertionError("never ready again")

    play(tmp_path, story)


def test_head_is_get_without_a_body(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for path in ("/health", "/ready"):
            answer = httpx.head(f"{server.url}{path}", timeout=10)
            assert (answer.status_code, answer.content) == (200, b"")
        wrong = httpx.get(
            f"{server.url}/api/elsewhere",
            headers={
                "connection": "upgrade",
                "upgrade": "websocket",
                "sec-websocket-version": "13",
                "sec-websocket-key": "d2FyZG9ncyB3YXJkb2dzIQ==",
            },
        )
        assert (wrong.status_code, wrong.json()) == (404, {"error": "no socket is here: open it at /api/live"})


# ---- a proxy on this machine ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("proxy", "believed"), [("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True), ("203.0.113.7", False)]
)
def test_a_proxy_on_the_same_machine_is_believed(proxy: str, believed: bool, tmp_path: Path) -> None:
    config = Config(str(tmp_path / "w.db"), host="::1", proxied=True)
    settings = wired(App(config), config)
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["client"][0])

    asking = {"type": "http", "scheme": "http", "client": (proxy, 1), "headers": [(b"x-forwarded-for", b"198.51.100.9")]}
    door: Any = ProxyHeadersMiddleware(app, settings.forwarded_allow_ips)
    asyncio.run(door(asking, None, None))
    assert seen == ["198.51.100.9" if believed else proxy]


# ---- what the document shows ---------------------------------------------------------------------------------------


def test_the_example_of_a_ruling_can_be_ruled(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await made(client, system="dogs", scenario="crossroads", umpire=True)
        umpire = with_key(game["keys"]["0"])
        ruled = await client.post(f"/api/games/{game['game']}/do", json=EXAMPLES["rule"], headers=umpire)
        assert ruled.status_code == 200, ruled.text

    play(tmp_path, story)


def test_a_ruling_after_which_nobody_could_look_at_the_table_is_refused(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await made(client, umpire=True)
        url, umpire = f"/api/games/{game['game']}", with_key(game["keys"]["0"])
        for piece, field, figure in ((1, "facing", 100), (1, "speed", 99)):
            said = {"do": "rule", "because": "so", "changes": [[piece, field, figure]]}
            ruled = await client.post(f"{url}/do", json=said, headers=umpire)
            assert (ruled.status_code, ruled.json()["fact"]) == (409, "cannot_be_ruled"), ruled.text
        assert (await client.get(f"{url}/state", params={"draw": True}, headers=umpire)).json()["n"] == 1

    play(tmp_path, story)


# ---- notices when the database fails -------------------------------------------------------------------------------


def test_a_sweep_that_fails_is_one_line_and_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    turns, tries = notices.turns, []

    def at_first_not(*args: Any) -> Any:
        tries.append(args)
        if len(tries) == 1:
            raise OperationalError("SELECT", {}, sqlite3.OperationalError("disk I/O error"))
        return turns(*args)

    monkeypatch.setattr(notices, "turns", at_first_not)
    monkeypatch.setattr(notices.Notices, "look", 0.05)

    async def wait() -> None:
        async with asked(Config(str(tmp_path / "w.db"))):
            for _ in range(100):
                await asyncio.sleep(0.02)
                if len(tries) > 1:
                    return

    with caplog.at_level(logging.WARNING):
        asyncio.run(wait())
    assert len(tries) == 2
    assert [record.name for record in caplog.records] == ["wardogs.notices"]
    assert "never retrieved" not in caplog.text


def test_a_file_named_with_two_slashes_is_sound(tmp_path: Path) -> None:
    engine = ready(open_engine(f"/{tmp_path}/w.db"))
    read_every_table(engine)
    engine.dispose()
