"""Databases for the tests of the server: each test gets its own, of both kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.server.postgres import Postgres


class Database(NamedTuple):
    """One database; `server` is the PostgreSQL that holds it."""

    url: str
    server: Postgres | None = None


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server for all tests of this process, started when the first asks for it."""
    server = Postgres().start()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A new, empty database of each kind."""
    if request.param == "sqlite":
        yield Database(f"sqlite:///{tmp_path / 'games.db'}")
        return
    server: Postgres = request.getfixturevalue("postgres")
    url = server.fresh()
    yield Database(url, server)
    server.drop(url)
