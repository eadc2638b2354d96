"""One database: a SQLite file, or PostgreSQL by URL. Opened here, brought up to date here, and copied here."""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, delete, event, insert, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError

from wardogs.kernel.errors import WardogsError
from wardogs.server.tables import metadata, workers

MIGRATIONS = Path(__file__).parent / "migrations"
ALIVE = {  # a PostgreSQL whose machine has vanished without a word is missed after some seconds, not after hours
    "connect_timeout": 15,
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}


def default_url() -> str:
    """A file in the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return f"sqlite:///{Path(base) / 'wardogs' / 'wardogs.db'}"


def read_url(text: str) -> URL:
    """`sqlite:///file`, `postgresql://user@host/name`, or the name of a file."""
    text = re.sub("^postgres://", "postgresql://", text)  # as many hosts write it
    if "://" not in text:
        text = f"sqlite:///{text}"
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise WardogsError(f"--database {blanked(text):.80}: write a file name, or postgresql://user@host/name") from None
    if url.get_backend_name() == "postgresql":
        if text.partition("?")[0].count("@") > 1:  # what stands between them may be the end of a password
            raise WardogsError(f"--database {blanked(text):.80}: in a name or password write @ as %40 and / as %2F")
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "sqlite":
        other = url.get_backend_name()
        raise WardogsError(f"--database {blanked(text):.80}: Wardogs keeps its games in SQLite or PostgreSQL, not in {other}")
    if url.drivername != "sqlite" or url.host or "?" in text:
        raise WardogsError(f"--database {blanked(text):.80}: write only the name of the file, without a driver, a host or a ?")
    if not url.database or url.database == ":memory:":
        raise WardogsError("--database: name a file: games that are only in memory would be lost")
    return url


def blanked(url: str) -> str:
    """Without its password, also where it cannot be understood."""
    url = re.sub(r"://([^:/@]*):.*@", r"://\1:***@", url)
    return re.sub(r"(password=)[^&]*", r"\1***", url)


def open_engine(text: str) -> Engine:
    """The database as it is, without looking at what is in it."""
    url = read_url(text)
    if url.get_backend_name() == "postgresql":
        return create_engine(url, pool_pre_ping=True, pool_size=8, connect_args=alive(url))
    _made_private(Path(str(url.database)), new_folder=text == default_url())
    engine = create_engine(url, connect_args={"timeout": 30, "check_same_thread": False})
    event.listen(engine, "connect", _safe)
    event.listen(engine, "begin", _begin)
    return engine


def alive(url: URL) -> dict[str, Any]:
    """How every connection to PostgreSQL looks after itself, but for what its URL says."""
    return {name: value for name, value in ALIVE.items() if name not in url.query}


def _made_private(path: Path, new_folder: bool) -> None:
    """A new file that only its owner can read: it holds hidden cards and seeds. Folders are made only where nobody named them."""
    if path.is_dir():
        raise WardogsError(f"{path}: is a folder; name a file in it, like {path / 'wardogs.db'}")
    try:
        if new_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        if not path.parent.is_dir():
            raise WardogsError(f"{path}: there is no folder {path.parent}; make it first, or name another file") from None
        raise WardogsError(f"{path}: cannot be written: {error.strerror}") from None


def _safe(connection: sqlite3.Connection, _: object) -> None:
    """What has been committed is on the disk, and readers do not wait for writers."""
    connection.isolation_level = None  # transactions begin and end where we say so
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """A writer takes its place in the queue at once, so that what it has read is still so when it writes."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


def is_sqlite(engine: Engine) -> bool:
    return engine.dialect.name == "sqlite"


def ready(engine: Engine) -> Engine:
    """Brought up to date, read and tried. A database of a newer Wardogs is left alone."""
    known = revisions()
    try:
        now = revision(engine)
        if now is not None and now not in known:
            raise WardogsError(
                f"{shown(engine)}: was made by a newer Wardogs (revision {now}); use that one, or another database"
            )
        theirs = set(inspect(engine).get_table_names()) & set(metadata.tables) if now is None else set()
        if theirs and revision(engine) is None:  # another server has not made them just now
            raise WardogsError(f"{shown(engine)}: is another program's, with its own {min(theirs)}; name another database")
        if now != known[-1]:
            _upgrade(engine)
    except (DatabaseError, NoSuchModuleError) as error:
        raise WardogsError(f"{shown(engine)}: cannot be opened: {_first_line(error)}") from None
    _proved(engine)
    return engine


def _proved(engine: Engine) -> None:
    """It may open well and yet be broken behind its first page, or belong to somebody else."""
    try:
        read_every_table(engine)
    except (DatabaseError, sqlite3.Error) as error:
        said = f"cannot be read: {_first_line(error)}; go back to a back-up, or name another database"
        raise WardogsError(f"{shown(engine)}: {said}") from None
    try:
        with engine.connect().execution_options(writes=True) as connection:
            try_to_write(connection)
            connection.rollback()
    except DatabaseError as error:
        said = f"cannot be written: {_first_line(error)}; see that this user may write it, or name another database"
        raise WardogsError(f"{shown(engine)}: {said}") from None


def read_every_table(engine: Engine) -> None:
    """As somebody who has never looked: who has, remembers pages of a file that may be gone since."""
    asked = [f'SELECT * FROM "{table.name}" LIMIT 1' for table in metadata.sorted_tables]
    if is_sqlite(engine):
        file = f"file://{quote(os.path.abspath(str(engine.url.database)))}?mode=rw"
        with closing(sqlite3.connect(file, timeout=5, uri=True)) as anew:
            for statement in asked:
                anew.execute(statement).fetchone()
        return
    with engine.connect() as connection:
        for statement in asked:
            connection.exec_driver_sql(statement).first()


def try_to_write(connection: Connection) -> None:
    """A row that nobody sees, of a name that nobody else has: no other transaction waits for it."""
    name = secrets.token_hex(16)
    connection.execute(insert(workers).values(id=name, seen=0.0))
    connection.execute(delete(workers).where(workers.c.id == name))


def revisions() -> list[str]:
    """Of the tables, the newest last: the files are named by them."""
    return sorted(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def revision(engine: Engine) -> str | None:
    """Which one the database has; None: it is empty."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return None if found is None else str(found)


def _upgrade(engine: Engine) -> None:
    """Alembic is read only when there is something to do: a server that comes back after a crash is in a hurry."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["engine"] = engine
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise WardogsError(f"{shown(engine)}: cannot be brought up to date: {_first_line(error)}") from None


def shown(engine: Engine) -> str:
    """How a database is named in messages: never with its password."""
    if is_sqlite(engine):
        return str(engine.url.database)
    return blanked(engine.url.set(drivername="postgresql").render_as_string(hide_password=True))


def _first_line(error: Exception) -> str:
    said = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
    return said.splitlines()[0]


def backup(engine: Engine, to: Path) -> None:
    """A whole copy of a SQLite database while games go on."""
    if not is_sqlite(engine):
        raise WardogsError("a PostgreSQL database is copied with its own tool: pg_dump --format=custom --file FILE URL")
    if to.exists():
        raise WardogsError(f"{to}: is there already and is not written over; choose another name")
    if not to.parent.is_dir():
        raise WardogsError(f"{to}: there is no folder {to.parent}; make it first, or name another file")
    partial = to.with_name(to.name + ".part")
    partial.unlink(missing_ok=True)
    _made_private(partial, new_folder=False)
    try:
        with engine.connect() as connection:
            source: Any = connection.connection.driver_connection
            # a read holds one moment for the whole copy: else every write by another process would begin it anew
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar()
            with sqlite3.connect(partial) as copy:
                source.backup(copy, pages=1000)
            copy.close()
        partial.rename(to)
    except DatabaseError as error:
        partial.unlink(missing_ok=True)
        raise WardogsError(f"{shown(engine)}: cannot be opened: {_first_line(error)}") from None
    except (OSError, sqlite3.Error) as error:
        partial.unlink(missing_ok=True)
        raise WardogsError(f"{to}: cannot be written: {error}") from None
