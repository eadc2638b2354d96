"""The application: the live sockets and the requests over one hall of games."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from wardogs import __version__
from wardogs.server import operation
from wardogs.server.api import router, tell_errors
from wardogs.server.clerk import Clerk
from wardogs.server.clocks import Clocks
from wardogs.server.config import Config
from wardogs.server.database import open_engine, ready
from wardogs.server.hall import Hall
from wardogs.server.headers import Strict
from wardogs.server.limits import Guard
from wardogs.server.news import News
from wardogs.server.notices import Notices
from wardogs.server.openapi import document
from wardogs.server.sockets import socket
from wardogs.server.store import Store
from wardogs.server.thinking import Thinking

LIVE = "/api/live"

log = logging.getLogger("wardogs.app")


class Live:
    """Sockets go straight to the hall; everything else to the requests. Before both stands the door."""

    def __init__(self, app: Any, owner: FastAPI, config: Config) -> None:
        self.app, self.owner = app, owner
        self.door = Strict(Guard(self.inside, config), config)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.door(scope, receive, send)

    async def inside(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            if scope["path"] == LIVE:
                await socket(self.owner.state.hall, scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 4404})
            return
        try:
            await self.app(scope, receive, send)
        except Exception as error:  # already answered; what it says may hold a secret, so only its kind is told
            if scope["type"] != "http":
                raise
            log.error("a request failed", extra={"path": scope["path"].partition("/games/")[0], "error": type(error).__name__})


def make_app(config: Config) -> Any:
    """One worker's application over a database."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        store = Store(ready(open_engine(config.database)))
        app.state.hall = hall = Hall(store, config)
        app.state.clerk = clerk = Clerk()
        pulse = asyncio.ensure_future(operation.pulse(hall))
        try:
            async with News(hall), Thinking(hall), Clocks(hall), Notices(hall):
                yield
        finally:
            pulse.cancel()
            await clerk.close()
            store.close()

    app = FastAPI(
        title="Wardogs", version=__version__, lifespan=life, openapi_url="/api/openapi.json", docs_url=None, redoc_url=None
    )
    tell_errors(app)
    app.include_router(router)
    app.include_router(operation.router)
    app.openapi = lambda: document(app)  # type: ignore[method-assign]
    return Live(app, app, config)
