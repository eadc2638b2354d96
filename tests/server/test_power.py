"""The power is cut: what was written and not synced is gone, and still everything that was promised is there.

The server, or PostgreSQL, runs over a disk that forgets (power.c): after kill -9 the test goes on with only what was synced.
That this finds out who promises too early is shown with databases told to do so.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.harness import PATIENT, SERVE, Crowd, Served, free_port, lost
from tests.server.postgres import Postgres
from wardogs.server.config import Config

CUTS = int(os.environ.get("WARDOGS_CUTS", "1"))
DAWGS = [{"system": "dawgs"}] * 8

HASTY = """
from wardogs.server import database
careful = database._safe
def hasty(connection, record):
    careful(connection, record)
    connection.execute("PRAGMA synchronous={}")
database._safe = hasty
"""


@pytest.fixture(scope="session")
def forgetful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that makes a disk forget."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler: the power cut cannot be simulated")
    library = tmp_path_factory.mktemp("power") / "power.so"
    source = Path(__file__).with_name("power.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
    return library


def preloaded(library: Path, folder: Path, synced: Path) -> dict[str, str]:
    return {"LD_PRELOAD": str(library), "WARDOGS_POWER_FROM": str(folder.resolve()), "WARDOGS_POWER_TO": str(synced)}


class Disk:
    """A folder for a SQLite file, and beside it what of it was synced."""

    def __init__(self, folder: Path, library: Path) -> None:
        self.folder, self.library, self.cuts = folder, library, 0
        self.now = folder / "0"
        self.now.mkdir()

    @property
    def url(self) -> str:
        return f"sqlite:///{self.now / 'games.db'}"

    def environment(self) -> dict[str, str]:
        """For a program that is started now: what lies there is taken for synced."""
        self.synced = self.folder / f"{self.cuts}-synced"
        shutil.copytree(self.now, self.synced)
        return preloaded(self.library, self.now, self.synced)

    def cut(self) -> None:
        """From now on the folder is what was synced."""
        self.cuts += 1
        self.now = self.folder / str(self.cuts)
        shutil.copytree(self.synced, self.now)


def played(served: Served, seconds: float = 1.0) -> Crowd:
    """People who played for a while until the power was cut."""

    async def go() -> Crowd:
        served.start()
        await served.answers()
        async with Crowd(served.base, DAWGS, think=0.01) as crowd:
            await crowd.all_go_on()
            await asyncio.sleep(seconds)
            served.kill()
        return crowd

    return asyncio.run(go())


def test_sqlite_keeps_what_was_promised_through_a_power_cut(forgetful: Path, tmp_path: Path) -> None:
    disk = Disk(tmp_path, forgetful)
    port = free_port()

    async def go() -> int:
        async with Crowd(f"127.0.0.1:{port}", DAWGS, think=0.01) as crowd:
            for _ in range(CUTS + 1):
                served = Served(Config(disk.url, port=port, workers=2, limits=PATIENT), environment=disk.environment())
                served.start()
                try:
                    await crowd.all_go_on()
                finally:
                    served.kill()
                disk.cut()
                assert await asyncio.to_thread(lost, disk.url, crowd.players, tmp_path) == []
        return crowd.promised

    assert asyncio.run(go()) > 0


@pytest.mark.parametrize("hasty", ["NORMAL", "OFF"])
def test_a_sqlite_that_promises_too_early_is_found_out(forgetful: Path, tmp_path: Path, hasty: str) -> None:
    """Soon, but not always at once: a cut right behind a checkpoint takes nothing."""
    disk = Disk(tmp_path, forgetful)
    assert any(lost_to_haste(disk, hasty) for _ in range(5))


def lost_to_haste(disk: Disk, hasty: str) -> list[str]:
    config = Config(disk.url, port=free_port(), limits=PATIENT)
    crowd = played(Served(config, HASTY.format(hasty) + SERVE, disk.environment()))
    assert lost(disk.url, crowd.players, disk.folder) == []  # a kill alone does no harm
    disk.cut()
    return lost(disk.url, crowd.players, disk.folder)


# ---- PostgreSQL ----------------------------------------------------------------------------------------------------


class Cluster:
    """A PostgreSQL whose data lie on a disk that forgets."""

    def __init__(self, library: Path, **settings: str) -> None:
        self.server = Postgres({"recovery_init_sync_method": "syncfs", **settings})  # else it copies every file when it starts
        self.library = self.server.folder / "power.so"
        shutil.copy(library, self.library)
        self.library.chmod(0o644)
        self.cuts = 0
        self.server.start()
        self.url = self.server.fresh()
        self.server.stop()
        self._over_forgetful_disk()

    def _over_forgetful_disk(self) -> None:
        self.synced = self.server.folder / f"{self.cuts}-synced"
        self._copied(self.server.data, self.synced)
        self.server.environment = preloaded(self.library, self.server.data, self.synced)
        self.server.start()

    def _copied(self, source: Path, to: Path) -> None:
        shutil.copytree(source, to, symlinks=True)
        for path in (to, *to.rglob("*")):
            self.server.give(path)

    def cut(self) -> None:
        """All of it dies; it comes back with what was synced."""
        self.server.kill()
        self.cuts += 1
        self.server.data = self.server.folder / f"data-{self.cuts}"
        self._copied(self.synced, self.server.data)
        (self.server.data / "postmaster.pid").unlink(missing_ok=True)
        self._over_forgetful_disk()


@pytest.fixture
def clusters(forgetful: Path) -> Iterator[list[Cluster]]:
    made: list[Cluster] = []
    yield made
    for cluster in made:
        cluster.server.remove()


def test_postgresql_keeps_what_was_promised_through_a_power_cut(forgetful: Path, tmp_path: Path, clusters: list[Cluster]) -> None:
    clusters.append(cluster := Cluster(forgetful))
    served = Served(Config(cluster.url, port=free_port(), workers=2, limits=PATIENT))

    async def go() -> None:
        async with Crowd(served.base, DAWGS, think=0.01) as crowd:
            for _ in range(CUTS + 1):
                served.start()
                try:
                    await crowd.all_go_on()
                finally:
                    served.kill()
                await asyncio.to_thread(cluster.cut)
                assert await asyncio.to_thread(lost, cluster.url, crowd.players, tmp_path) == []

    asyncio.run(go())


def test_a_postgresql_that_promises_too_early_is_found_out(forgetful: Path, tmp_path: Path, clusters: list[Cluster]) -> None:
    clusters.append(cluster := Cluster(forgetful, fsync="off"))
    crowd = played(Served(Config(cluster.url, port=free_port(), limits=PATIENT)))
    assert lost(cluster.url, crowd.players, tmp_path) == []
    cluster.cut()
    assert lost(cluster.url, crowd.players, tmp_path) != []
