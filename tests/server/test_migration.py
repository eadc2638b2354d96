"""A new Wardogs opens an old database: the tables are brought up to date, running games go on, old records play back."""

from __future__ import annotations

import asyncio
import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over, sit_down
from tests.server.test_live import choice_of, play_out
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.replay import OtherRules, verify
from wardogs.kernel.system import System
from wardogs.server import database
from wardogs.server.games import Made
from wardogs.server.rulebooks import rulebook

LATER = '''"""A column that a later Wardogs adds."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{head}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("mood", sa.String(20), nullable=False, server_default="calm"))


def downgrade() -> None:
    op.drop_column("games", "mood")
'''


def later_wardogs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> System:
    """One with a further migration, and with rules of another version."""
    newer = tmp_path / "migrations"
    shutil.copytree(database.MIGRATIONS, newer, ignore=shutil.ignore_patterns("__pycache__"))
    (newer / "versions" / "9999_later.py").write_text(LATER.format(head=database.revisions()[-1]))
    monkeypatch.setattr(database, "MIGRATIONS", newer)
    old = rulebook("dawgs")
    new = replace(old, register=msgspec.structs.replace(old.register, version="later"))
    monkeypatch.setattr("wardogs.server.referee.rulebook", lambda key: new)
    return new


async def two_games(path: Path) -> tuple[Made, Made]:
    """One over, one in the middle, with a draft and some talk."""
    async with hall_over(path) as hall:
        over, running = await a_game(hall), await a_game(hall)
        await play_out(hall, over.game, await sit_down(hall, over))
        plugs = await sit_down(hall, running)
        await play_out(hall, running.game, plugs, most=3)
        await plugs[1].ask("say", text="back in a year")
        return over, running


def test_a_later_wardogs_goes_on_where_this_one_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "w.db"
    over, running = asyncio.run(two_games(path))
    new = later_wardogs(tmp_path, monkeypatch)

    async def go_on() -> None:
        async with hall_over(path) as hall:
            with hall.store.engine.connect() as connection:
                assert set(connection.execute(sa.text("SELECT mood FROM games")).scalars()) == {"calm"}
            plugs = await sit_down(hall, running)
            assert (await Plug(hall).sit(running.game, running.keys[2]))["talk"][0]["text"] == "back in a year"
            await play_out(hall, running.game, plugs)
            assert hall.rooms[running.game].standing.over
            for game in (over.game, running.game):
                record = hall.store.record(game)
                assert record.finished
                assert len(list(record.sentences())) > 5  # in words, from the record alone
                with pytest.raises(OtherRules):
                    verify(new, record)

    asyncio.run(go_on())


def test_a_database_of_a_newer_wardogs_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "w.db"
    with monkeypatch.context() as later:
        later_wardogs(tmp_path, later)
        asyncio.run(opened(path))
    with pytest.raises(WardogsError, match=r"was made by a newer Wardogs \(revision 9999\)"):
        asyncio.run(opened(path))


async def opened(path: Path) -> None:
    async with hall_over(path):
        pass


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://x/y", "SQLite or PostgreSQL, not in mysql"),
        ("sqlite://", "only in memory would be lost"),
        ("http://:x:y", "write a file name, or postgresql"),
        ("oops://x", "SQLite or PostgreSQL, not in oops"),
        ("postgresql://nobody@127.0.0.1:1/none", "cannot be opened: connection"),
    ],
)
def test_a_wrong_database_gets_one_clear_line(url: str, said: str) -> None:
    with pytest.raises(WardogsError, match=said) as error:
        database.ready(database.open_engine(url))
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_database_gets_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database " * 100)
    with pytest.raises(WardogsError, match=r"notes\.txt: cannot be opened: file is not a database"):
        database.ready(database.open_engine(str(tmp_path / "notes.txt")))


def test_a_backup_is_whole_while_games_go_on(tmp_path: Path) -> None:
    async def play() -> Any:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs, rng = await sit_down(hall, made), random.Random(1)
            n = hall.rooms[made.game].standing.next
            await plugs[1].ask("choose", n=n, choice=choice_of(hall, made.game, 1, rng))
            database.backup(hall.store.engine, tmp_path / "copy.db")
            await play_out(hall, made.game, plugs)
            with pytest.raises(WardogsError, match="is there already"):
                database.backup(hall.store.engine, tmp_path / "copy.db")
        async with hall_over(tmp_path / "copy.db") as hall:
            plugs = await sit_down(hall, made)
            assert hall.rooms[made.game].standing.next == n + 1
            await play_out(hall, made.game, plugs)

    asyncio.run(play())
