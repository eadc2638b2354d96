"""The line between a browser and the server: it can be cut, and mended."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from urllib.parse import urlsplit

CHUNK = 65_536


class Line:
    """Passes everything on, both ways. While it is cut, nothing comes through and nobody gets in."""

    def __init__(self, url: str) -> None:
        self.to = urlsplit(url)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.open, self.is_cut, self.lock = set[socket.socket](), False, Lock()
        Thread(target=self._accept, daemon=True).start()

    def over(self, link: str) -> str:
        """The same link, by this line."""
        return link.replace(f"{self.to.scheme}://{self.to.netloc}", self.url)

    def cut(self) -> None:
        with self.lock:
            self.is_cut = True
            for end in self.open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        with self.lock:
            self.is_cut = False

    def close(self) -> None:
        self.cut()
        self.listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.listening.accept()
                with self.lock:
                    if self.is_cut:
                        near.close()
                        continue
                    far = socket.create_connection((self.to.hostname, self.to.port))
                    self.open |= {near, far}
                for ends in ((near, far), (far, near)):
                    Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, here: socket.socket, there: socket.socket) -> None:
        with suppress(OSError):
            while said := here.recv(CHUNK):
                there.sendall(said)
        for end in (here, there):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        with self.lock:
            self.open -= {here, there}


@contextmanager
def line_to(url: str) -> Iterator[Line]:
    line = Line(url)
    try:
        yield line
    finally:
        line.close()
