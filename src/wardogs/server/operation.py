"""For who runs a server: is it alive, is it ready, how is it doing?"""

from __future__ import annotations

import asyncio
import logging
import secrets

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from wardogs import __version__
from wardogs.server.database import read_every_table, try_to_write
from wardogs.server.hall import Hall
from wardogs.server.limits import nearby
from wardogs.server.metrics import metrics
from wardogs.server.pulse import look
from wardogs.server.store import Store

PATIENCE = 3.0  # seconds for the database to answer
PROMETHEUS = "text/plain; version=0.0.4"

router = APIRouter(tags=["operation"])
log = logging.getLogger("wardogs.operation")


class Health(BaseModel):
    status: str = "ok"
    version: str = __version__


@router.head("/health", include_in_schema=False)
@router.get("/health")
async def health() -> Health:
    """This worker is alive."""
    return Health()


@router.head("/ready", include_in_schema=False)
@router.get("/ready", responses={503: {"description": "The database does not answer."}})
async def ready(request: Request) -> Health:
    """Games can be read and written."""
    state = request.app.state
    trial: asyncio.Task[bool] | None = getattr(state, "trial", None)
    if trial is None or trial.done():  # one at a time, however many ask: a writer in trouble has enough to do
        trial = state.trial = asyncio.ensure_future(_answers(state.hall.store))
    await asyncio.wait([trial], timeout=PATIENCE)
    if not trial.done() or not trial.result():
        raise HTTPException(503, "the database does not answer")
    return Health()


async def _answers(store: Store) -> bool:
    """Every table is read, and something is written, in one commit with what the games want written."""
    try:
        await asyncio.to_thread(read_every_table, store.engine)
        await store.writer.write(try_to_write)
    except Exception as error:
        log.warning("not ready", extra={"error": type(error).__name__})
        return False
    return True


@router.get("/metrics", include_in_schema=False)
async def figures(request: Request) -> PlainTextResponse:
    """For this machine, or for who knows the token; there is nothing here for others."""
    hall: Hall = request.app.state.hall
    wanted, given = hall.config.metrics_token, request.headers.get("authorization", "")
    if not nearby(request.scope) and not (wanted and secrets.compare_digest(given.encode(), f"Bearer {wanted}".encode())):
        raise HTTPException(404)
    look(hall)
    return PlainTextResponse(metrics.text(), media_type=PROMETHEUS)
