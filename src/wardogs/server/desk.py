"""The desk: what answers requests. Reading it takes longer than all that live games need."""

from __future__ import annotations

from fastapi import FastAPI

from wardogs import __version__
from wardogs.server import operation
from wardogs.server.api import router, tell_errors
from wardogs.server.clerk import Clerk
from wardogs.server.hall import Hall
from wardogs.server.openapi import document


def make_desk(hall: Hall | None = None, clerk: Clerk | None = None) -> FastAPI:
    """Over a hall of games; without one it can only say what may be asked."""
    app = FastAPI(title="Wardogs", version=__version__, openapi_url="/api/openapi.json", docs_url=None, redoc_url=None)
    app.state.hall, app.state.clerk = hall, clerk
    tell_errors(app)
    app.include_router(router)
    app.include_router(operation.router)
    app.openapi = lambda: document(app)  # type: ignore[method-assign]
    return app
