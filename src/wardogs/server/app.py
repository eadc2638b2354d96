"""The application: the client's pages, the live sockets and the requests over one hall of games.

The sockets come first: after a crash, people who play shall not wait until all that answers requests has been read.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from wardogs.server.clerk import Clerk
from wardogs.server.clocks import Clocks
from wardogs.server.config import Config
from wardogs.server.database import is_sqlite, open_engine, ready
from wardogs.server.hall import Hall
from wardogs.server.headers import Strict, is_page
from wardogs.server.limits import Guard, refuse
from wardogs.server.news import News
from wardogs.server.notices import Notices
from wardogs.server.pages import Pages
from wardogs.server.presence import Presence
from wardogs.server.pulse import pulse
from wardogs.server.referees import Beside
from wardogs.server.sockets import socket
from wardogs.server.store import Store
from wardogs.server.thinking import Thinking

if TYPE_CHECKING:
    from fastapi import FastAPI

LIVE = "/api/live"
DESK = "wardogs.server.desk"
GRACE, PATIENCE = 0.2, 3.0  # seconds that requests wait for people to come back, at least and at most

log = logging.getLogger("wardogs.app")


class App:
    """One worker's application over a database. Sockets go straight to the hall; before all stands the door."""

    def __init__(self, config: Config, referees: Beside | None = None) -> None:
        self.config, self.referees, self.pages = config, referees, Pages()
        self.hall: Hall
        self.clerk: Clerk
        self.requests: FastAPI | None = None
        self.reading, self.born = asyncio.Lock(), time.monotonic()
        self.door = Strict(Guard(self.inside, config), config)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.lifespan(receive, send)
        else:
            await self.door(scope, receive, send)

    async def inside(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and is_page(scope["path"]):
            await self.pages(scope, receive, send)
        elif scope["type"] == "http":
            await self.answer(scope, receive, send)
        elif scope["path"] == LIVE:
            await socket(self.hall, scope, receive, send)
        else:
            await refuse(scope, receive, send, 404, f"no socket is here: open it at {LIVE}")

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await (await self.desk())(scope, receive, send)
        except Exception as error:  # already answered; what it says may hold a secret, so only its kind is told
            log.error("a request failed", extra={"path": scope["path"].partition("/games/")[0], "error": type(error).__name__})

    async def desk(self) -> FastAPI:
        """What answers requests, made for the first; who comes back to his game is let in before."""
        async with self.reading:
            if self.requests is None:
                if DESK not in sys.modules:
                    await self._games_first()
                self.requests = await asyncio.to_thread(self._desk)
        return self.requests

    async def _games_first(self) -> None:
        await asyncio.sleep(GRACE)
        while self.hall.opening and time.monotonic() < self.born + PATIENCE:
            await asyncio.sleep(GRACE)

    def _desk(self) -> FastAPI:
        from wardogs.server.desk import make_desk

        return make_desk(self.hall, self.clerk)

    # ---- its life --------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def life(self) -> AsyncIterator[None]:
        engine = ready(open_engine(self.config.database))
        alone = is_sqlite(engine) and self.config.workers == 1
        store = Store(engine, "" if alone else secrets.token_hex(8))
        self.hall, self.clerk = Hall(store, self.config, self.referees), Clerk()
        beating = asyncio.ensure_future(pulse(self.hall))
        try:
            async with (
                self.referees or nullcontext(), News(self.hall), Presence(self.hall), Thinking(self.hall), Clocks(self.hall),
                Notices(self.hall),
            ):  # fmt: skip
                yield
        finally:
            beating.cancel()
            await self.clerk.close()
            store.close()

    async def lifespan(self, receive: Any, send: Any) -> None:
        """As the server that runs us tells of its beginning and its end."""
        await receive()
        begun = False
        try:
            async with self.life():
                begun = True
                await send({"type": "lifespan.startup.complete"})
                await receive()
        except Exception as error:
            await send({"type": f"lifespan.{'shutdown' if begun else 'startup'}.failed", "message": str(error)})
            raise
        await send({"type": "lifespan.shutdown.complete"})
