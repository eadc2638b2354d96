"""The servers that are measured: each in processes of its own, its processor time and memory read from /proc.

python -m bench.server_hosts DATABASE PORT [PHASES]   serves Wardogs without limits; PHASES: a file for where time went
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.server_wire import HOST

ROOT = Path(__file__).parent.parent
BOARDGAME = Path(__file__).parent / "boardgame"
NODE = ROOT / ".venv-bench" / "node"  # where boardgame.io is installed
STARTING = 60.0  # seconds
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class PeerMissing(RuntimeError):
    """A peer is not installed here and cannot be."""


# ---- processes -----------------------------------------------------------------------------------------------------


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def family(pid: int) -> Iterator[int]:
    """A process and all that come from it."""
    parents = {int(path.name): stat[1] for path in Path("/proc").glob("[0-9]*") if (stat := _stat(int(path.name)))}
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if int(parent) == one]
    return iter(found)


class Host:
    """A server in a process of its own."""

    def __init__(self, command: list[str], port: int, environment: dict[str, str] | None = None, cwd: Path = ROOT) -> None:
        self.port = port
        self.process = subprocess.Popen(command, cwd=cwd, env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL)
        self._wait()

    @property
    def pids(self) -> list[int]:
        return list(family(self.process.pid))

    @property
    def worker(self) -> int:
        """The process that serves: the first that comes from the one we started, or that one itself."""
        return (*self.pids, self.process.pid)[1]

    def _wait(self) -> None:
        end = time.monotonic() + STARTING
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.process.args!r} ended with {self.process.returncode}")
            with socket.socket() as trial:
                trial.settimeout(1)
                if trial.connect_ex((HOST, self.port)) == 0:
                    time.sleep(0.5)
                    return
            time.sleep(0.1)
        self.stop()
        raise RuntimeError(f"nothing answers on port {self.port}")

    def seconds(self) -> float:
        """Processor time so far, of all its processes and threads."""
        return sum(int(stat[11]) + int(stat[12]) for pid in self.pids if (stat := _stat(pid))) / TICKS

    def resident(self) -> int:
        """Bytes in memory that are its own: pages shared between its processes count once."""
        return sum(self.residents())

    def residents(self) -> list[int]:
        """The same of each process, the eldest first: of ours the parent, the worker, his referees."""
        return [_own(pid) for pid in self.pids]

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                for pid in reversed(list(family(self.process.pid))):
                    os.kill(pid, signal.SIGKILL)
                self.process.wait()


def _own(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        stat = _stat(pid)
        return int(stat[21]) * PAGE if stat else 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


# ---- the peers and ourselves ---------------------------------------------------------------------------------------


def boardgame_folder() -> Path:
    """boardgame.io, installed once into a folder of the benchmark's own."""
    if not shutil.which("npm") or not shutil.which("node"):
        raise PeerMissing("boardgame.io needs node and npm")
    NODE.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "server.js"):
        shutil.copy(BOARDGAME / name, NODE / name)
    if not (NODE / "node_modules" / "boardgame.io").exists():
        print(f"Installing boardgame.io into {NODE}, once ...", file=sys.stderr)
        told = subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"],
            cwd=NODE, capture_output=True, text=True,
        )  # fmt: skip
        if told.returncode:
            raise PeerMissing(f"npm cannot install boardgame.io: {told.stderr.strip()[-300:]}")
    return NODE


def boardgame(port: int) -> Host:
    return Host(["node", "server.js", str(port)], port, {"NODE_ENV": "production"}, boardgame_folder())


def echo(port: int, database: Path) -> Host:
    return Host([sys.executable, "-m", "bench.server_echo", str(database), str(port)], port)


def wardogs(port: int, database: Path, phases: Path | None = None) -> Host:
    command = [sys.executable, "-m", "bench.server_hosts", str(database), str(port)]
    return Host([*command, *([str(phases)] if phases else [])], port)


def unlimited(database: str, port: int, phases: str = "") -> None:
    """Wardogs with one worker and every limit of number and rate lifted."""
    from bench.server_phases import watch
    from wardogs.server import hall
    from wardogs.server.config import Config, Limits
    from wardogs.server.serving import serve

    lifted = {name: 10**9 for name in Limits.__struct_fields__ if "bytes" not in name}
    if idle := os.environ.get("WARDOGS_BENCH_IDLE"):
        hall.IDLE = float(idle)
        hall.OPEN = 10**9
    if phases:
        watch(Path(phases))
    serve(Config(database, port=port, limits=Limits(**lifted)))


if __name__ == "__main__":
    unlimited(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
