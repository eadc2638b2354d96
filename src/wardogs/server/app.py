"""The application: the live sockets and the requests over one hall of games."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from wardogs import __version__
from wardogs.server.api import router
from wardogs.server.config import Config
from wardogs.server.database import open_engine, ready
from wardogs.server.hall import Hall
from wardogs.server.sockets import socket
from wardogs.server.store import Store

LIVE = "/api/live"


class Live:
    """Sockets go straight to the hall; everything else to the requests."""

    def __init__(self, app: Any, owner: FastAPI) -> None:
        self.app, self.owner = app, owner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            if scope["path"] == LIVE:
                await socket(self.owner.state.hall, scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 4404})
            return
        await self.app(scope, receive, send)


def make_app(config: Config) -> Any:
    """One worker's application over a database."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        store = Store(ready(open_engine(config.database)))
        app.state.hall = Hall(store, config)
        try:
            yield
        finally:
            store.close()

    app = FastAPI(
        title="Wardogs", version=__version__, lifespan=life, openapi_url="/api/openapi.json", docs_url=None, redoc_url=None
    )
    app.include_router(router)
    return Live(app, app)
