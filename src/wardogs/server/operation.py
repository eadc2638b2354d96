"""For who runs a server: is it alive, is it ready, how is it doing?"""

from __future__ import annotations

import asyncio
import secrets

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel
from sqlalchemy import Engine, text
from starlette.exceptions import HTTPException

from wardogs import __version__
from wardogs.server.hall import Hall
from wardogs.server.limits import nearby
from wardogs.server.metrics import metrics
from wardogs.server.pulse import look

PATIENCE = 3.0  # seconds for the database to answer
PROMETHEUS = "text/plain; version=0.0.4"

router = APIRouter(tags=["operation"])


class Health(BaseModel):
    status: str = "ok"
    version: str = __version__


@router.get("/health")
async def health() -> Health:
    """This worker is alive."""
    return Health()


@router.get("/ready", responses={503: {"description": "The database does not answer."}})
async def ready(request: Request) -> Health:
    """Games can be read and written."""
    hall: Hall = request.app.state.hall
    try:
        await asyncio.wait_for(asyncio.to_thread(_answers, hall.store.engine), PATIENCE)
    except Exception:
        raise HTTPException(503, "the database does not answer") from None
    return Health()


def _answers(engine: Engine) -> None:
    with engine.connect() as connection:
        connection.execute(text("SELECT 1"))


@router.get("/metrics", include_in_schema=False)
async def figures(request: Request) -> PlainTextResponse:
    """For this machine, or for who knows the token; there is nothing here for others."""
    hall: Hall = request.app.state.hall
    wanted, given = hall.config.metrics_token, request.headers.get("authorization", "")
    if not nearby(request.scope) and not (wanted and secrets.compare_digest(given.encode(), f"Bearer {wanted}".encode())):
        raise HTTPException(404)
    look(hall)
    return PlainTextResponse(metrics.text(), media_type=PROMETHEUS)
