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
import time
from types import FrameType

import uvicorn

from wardogs.kernel.errors import WardogsError
from wardogs.server.config import Config
from wardogs.server.database import open_engine, ready
from wardogs.server.rulebooks import rulebook
from wardogs.systems import KEYS

log = logging.getLogger("wardogs.serve")


def bound(config: Config) -> socket.socket:
    """The port, held by the parent: no connection is lost while a worker is replaced."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    port = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    port.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        port.bind((config.host, config.port))
    except OSError as error:
        raise WardogsError(
            f"{config.host}:{config.port} cannot be served on: {error.strerror}; choose another with --port"
        ) from None
    port.set_inheritable(True)
    return port


def serve(config: Config) -> None:
    """Until somebody says stop."""
    port = bound(config)
    engine = ready(open_engine(config.database))
    engine.dispose()
    for key in KEYS:
        rulebook(key)
    Parent(config, port).run()


def work(config: Config, port: socket.socket) -> None:
    """One worker."""
    from wardogs.server.app import make_app

    settings = uvicorn.Config(
        make_app(config), log_config=None, access_log=False, ws="websockets-sansio", ws_max_size=config.limits.message_bytes,
        ws_per_message_deflate=False, ws_ping_interval=20, ws_ping_timeout=20, timeout_graceful_shutdown=5,
        proxy_headers=config.proxied, forwarded_allow_ips="127.0.0.1" if config.proxied else "", server_header=False,
    )  # fmt: skip
    with asyncio.Runner(loop_factory=settings.get_loop_factory()) as runner:
        runner.run(uvicorn.Server(settings).serve(sockets=[port]))


class Parent:
    """Keeps so many workers alive."""

    def __init__(self, config: Config, port: socket.socket) -> None:
        self.config, self.port = config, port
        self.workers: dict[int, float] = {}  # when each was born
        self.stopping = False

    def run(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        for _ in range(self.config.workers):
            self._fork()
        while self.workers:
            try:
                pid, status = os.waitpid(-1, 0)
            except InterruptedError:
                continue
            born = self.workers.pop(pid, None)
            if born is None or self.stopping:
                continue
            log.error("a worker ended", extra={"worker": pid, "status": status})
            if time.monotonic() - born < 1.0:
                time.sleep(0.5)  # one that cannot even start is not forked in a frenzy
            self._fork()

    def _fork(self) -> None:
        pid = os.fork()
        if pid:
            self.workers[pid] = time.monotonic()
            return
        code = 1
        try:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
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
