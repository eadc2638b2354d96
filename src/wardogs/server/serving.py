"""wardogs serve: one parent that holds the port and looks after its workers, which serve.

The parent reads all the code once and forks; a worker that dies is replaced at once by another fork, which takes its games
up again from the database.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from errno import EADDRINUSE
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.garbage import look_seldom
from wardogs.server import logs, referees, rulebooks
from wardogs.server.config import Config
from wardogs.server.database import open_engine, ready, shown
from wardogs.server.metrics import metrics
from wardogs.server.pulse import HANGS, Beats

if TYPE_CHECKING:
    from wardogs.server.app import App

STOPS = (signal.SIGTERM, signal.SIGINT)
SETTLED = 3.0  # seconds after which a new worker has time for other things
GLANCE = 0.02  # seconds between two looks at them meanwhile
BACKLOG = 2048  # connections that wait while a worker is replaced


log = logging.getLogger("wardogs.serve")


def bound(config: Config) -> socket.socket:
    """The port, held by the parent: no connection is lost while a worker is replaced."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    port = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    port.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        port.bind((config.host, config.port))
    except OSError as error:
        flag = "--port" if error.errno == EADDRINUSE else "--host or --port"
        raise WardogsError(f"{config.host}:{config.port} cannot be served on: {error.strerror}; choose another {flag}") from None
    port.listen(BACKLOG)
    port.set_inheritable(True)
    return port


def serve(config: Config, started: Callable[[str, str], None] = lambda at, kept: None) -> None:
    """Until somebody says stop. When all is ready, `started` hears where it serves and where the games are kept."""
    logs.start(config.log_level)
    port = bound(config)
    try:
        import_module("wardogs.server.app")  # before any worker is born: it is read once
        engine = ready(open_engine(config.database))
        engine.dispose()
        metrics.resize(config.workers)
        started(address(config, port), shown(engine))
        log.info("serving", extra={"worker": os.getpid()})
        Parent(config, port).run()
        log.info("stopped", extra={"worker": os.getpid()})
    finally:
        port.close()


def address(config: Config, port: socket.socket) -> str:
    """Where people find it."""
    host, number = port.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # all of this machine: others know it by its name
        host = socket.gethostname()
    return config.public_url or f"http://{f'[{host}]' if ':' in host else host}:{number}"


def work(config: Config, port: socket.socket) -> None:
    """One worker."""
    from wardogs.server.app import App

    be_patient()
    bench = referees.born(config.referees, port) if config.referees else None  # before there are threads
    threading.Thread(target=_read_later, name="desk", daemon=True).start()
    threading.Thread(target=_look_after, args=(os.getppid(),), name="look after", daemon=True).start()
    look_seldom()  # the pulse does it
    settings = wired(App(config, bench), config)
    with asyncio.Runner(loop_factory=settings.get_loop_factory()) as runner:
        runner.run(uvicorn.Server(settings).serve(sockets=[port]))


def be_patient() -> None:
    """Who serves many need not be woken in the middle of what another does: the fewer the changes, the more each finds to do."""
    if hasattr(os, "SCHED_BATCH"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def wired(app: App, config: Config) -> uvicorn.Config:
    """How connections are spoken with."""
    from wardogs.server.wire import Door, Wire

    return uvicorn.Config(
        app, log_config=None, access_log=False, http=Door, ws=Wire, ws_max_size=config.limits.message_bytes,
        ws_per_message_deflate=False, ws_ping_interval=20, ws_ping_timeout=20, timeout_graceful_shutdown=5,
        proxy_headers=config.proxied, forwarded_allow_ips="127.0.0.1,::1,::ffff:127.0.0.1" if config.proxied else "",
        server_header=False,
    )  # fmt: skip


def read_all() -> None:
    """The first workers do not wait for this: games come back soon after a crash. Later ones are born with it."""
    import_module("wardogs.server.desk")
    rulebooks.read_all()


def _read_later() -> None:
    """Nobody who plays waits for this. The rules are the referees' to read."""
    time.sleep(SETTLED)
    import_module("wardogs.server.desk")


def _look_after(parent: int) -> None:
    """A worker whose parent was killed stops too, and lets the port go. One that hangs is replaced, and its games go on."""
    silent, last = 0, Beats.given
    while os.getppid() == parent:
        time.sleep(1.0)
        silent, last = (silent + 1, last) if Beats.given == last else (0, Beats.given)
        if silent >= HANGS:
            log.critical("a worker hangs", extra={"worker": os.getpid()})
            os.kill(os.getpid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGTERM)


class Parent:
    """Keeps so many workers alive."""

    def __init__(self, config: Config, port: socket.socket) -> None:
        self.config, self.port = config, port
        self.workers: dict[int, tuple[float, int]] = {}  # when each was born, and its number
        self.stopping = self.has_read = False

    def run(self) -> None:
        for number in STOPS:
            signal.signal(number, self._stop)
        for worker in range(self.config.workers):
            self._fork(worker)
        reads_at = time.monotonic() + SETTLED
        while self.workers:
            try:
                pid, status = self._wait(reads_at)
            except InterruptedError:
                continue
            born, worker = self.workers.pop(pid, (None, 0))
            if born is None or self.stopping:
                continue
            log.error("a worker ended", extra={"worker": pid, "status": status})
            if time.monotonic() - born < 1.0:
                time.sleep(0.5)  # one that cannot even start is not forked in a frenzy
            if not self.stopping:
                self._fork(worker)

    def _wait(self, reads_at: float) -> tuple[int, int]:
        """For a worker to end. The first workers have the machine to themselves, then the parent reads on."""
        while not self.has_read:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid:
                return pid, status
            if time.monotonic() < reads_at:
                time.sleep(GLANCE)
            else:
                read_all()
                self.has_read = True
        return os.waitpid(-1, 0)

    def _fork(self, worker: int) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # a stop that comes now is heard when all know of each other
        pid = os.fork()
        if pid:
            self.workers[pid] = (time.monotonic(), worker)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
            return
        code = 1
        try:
            for number in STOPS:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
            metrics.take(worker)
            work(self.config, self.port)
            code = 0
        except KeyboardInterrupt:
            code = 0
        finally:
            os._exit(code)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True
        for pid in list(self.workers):
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                self.workers.pop(pid, None)
