"""A real PostgreSQL for the tests: found on this machine, or taken from the `pgserver` wheel. It runs as an ordinary user."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import pytest

OWNERS = ("postgres", "nobody")  # PostgreSQL refuses to run as root
PORT = 5432  # only a part of its socket's name: it listens on no network
START = 30.0  # seconds


def programs() -> Path | None:
    """The folder with initdb and postgres."""
    on_path = shutil.which("initdb")
    found = [Path(on_path).resolve().parent] if on_path else []
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if (wheel := find_spec("pgserver")) and wheel.origin:
        found.append(Path(wheel.origin).parent / "pginstall" / "bin")
    return next((folder for folder in found if (folder / "postgres").exists() and (folder / "initdb").exists()), None)


def owner() -> pwd.struct_passwd | None:
    """Whom it runs as; None: as we are."""
    if os.geteuid() != 0:
        return None
    for name in OWNERS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    pytest.skip("root may not run PostgreSQL and there is no user postgres or nobody")


class Postgres:
    """One server in a folder of its own, reached by a socket in it. What it acknowledges is on the disk."""

    def __init__(self, settings: Mapping[str, str] | None = None, environment: Mapping[str, str] | None = None) -> None:
        self.settings, self.environment = dict(settings or {}), dict(environment or {})
        self.owner = owner()
        self.folder = Path(tempfile.mkdtemp(prefix="wardogs-pg-"))
        self.data = self.folder / "data"
        self.process: subprocess.Popen[bytes] | None = None
        self._count = itertools.count(1)
        self.give(self.folder)
        self.bin = self._reachable()
        self._run("initdb", "-D", str(self.data), "-A", "trust", "-U", "wardogs", "-E", "UTF8", "--locale=C", "--wal-segsize=1")

    def give(self, path: Path) -> None:
        if self.owner is not None:
            os.chown(path, self.owner.pw_uid, self.owner.pw_gid)

    def _reachable(self) -> Path:
        """Where its owner may run the programs: a wheel inside somebody's home is copied out."""
        found = programs()
        if found is None:
            pytest.skip("no PostgreSQL: install it, or the wheel `pgserver`")
        try:
            subprocess.run([str(found / "postgres"), "--version"], check=True, capture_output=True, **self._as_owner())
        except (OSError, subprocess.CalledProcessError):
            shutil.copytree(found.parent, self.folder / "programs")
            return self.folder / "programs" / "bin"
        return found

    def _as_owner(self) -> dict[str, Any]:
        return {} if self.owner is None else {"user": self.owner.pw_uid, "group": self.owner.pw_gid, "extra_groups": []}

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [str(self.bin / program), *words], capture_output=True, text=True, cwd=self.folder, check=False, **self._as_owner()
        )
        assert done.returncode == 0, done.stderr

    # ---- up and down -------------------------------------------------------------------------------------------

    def start(self) -> Postgres:
        """Up, and answering."""
        settings = {
            "listen_addresses": "", "unix_socket_directories": str(self.folder), "port": str(PORT), "fsync": "on",
            "max_connections": "100", "shared_buffers": "32MB", "log_min_messages": "warning", "jit": "off", **self.settings,
        }  # fmt: skip
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(self.bin / "postgres"), "-D", str(self.data), *words], stdout=log, stderr=log, cwd=self.folder,
                env={**os.environ, **self.environment}, start_new_session=True, **self._as_owner(),
            )  # fmt: skip
        self.wait()
        return self

    def wait(self) -> None:
        end = time.monotonic() + START
        while True:
            try:
                psycopg.connect(self.dsn("postgres"), connect_timeout=5).close()
                return
            except psycopg.OperationalError as error:
                gone = self.process is None or self.process.poll() is not None
                if gone or time.monotonic() > end:
                    raise AssertionError(f"PostgreSQL does not answer: {error}\n{(self.folder / 'log').read_text()}") from None
                time.sleep(0.02)

    def kill(self) -> None:
        """As a crash would: all of its processes at once, nothing tidied up."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        os.killpg(self.process.pid, signal.SIGKILL)
        for child in map(int, children):  # each has a group of its own, and holds the memory that they share
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self.process.wait()
        while any(map(is_alive, map(int, children))):
            time.sleep(0.005)

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=START)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- its databases -----------------------------------------------------------------------------------------

    def dsn(self, name: str) -> str:
        return f"host={self.folder} port={PORT} user=wardogs dbname={name}"

    def url(self, name: str) -> str:
        return f"postgresql://wardogs@/{name}?host={self.folder}&port={PORT}"

    def fresh(self) -> str:
        """A database that nobody has used."""
        name = f"games{next(self._count)}"
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def drop(self, url: str) -> None:
        name = url.split("@/")[1].partition("?")[0]
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def is_alive(pid: int) -> bool:
    """One that only waits to be buried holds nothing any more."""
    found = stat(pid)
    return bool(found) and found[0] != "Z"


def stat(pid: int) -> list[str]:
    """Its state, its parent, its group and so on; nothing if there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
