"""Games for the tests of the server: a database in a folder, a hall over it, and people at the tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.server.plug import Plug
from wardogs.kernel.system import Wanted
from wardogs.server.config import Config, Limits
from wardogs.server.database import open_engine, ready
from wardogs.server.games import Made, NewGame, create
from wardogs.server.hall import Hall
from wardogs.server.store import Settings, Store

PATIENT = Limits(messages=1e6, burst=1_000_000)


@asynccontextmanager
async def hall_over(database: str | Path, limits: Limits = PATIENT) -> AsyncIterator[Hall]:
    store = Store(ready(open_engine(str(database))))
    try:
        yield Hall(store, Config(str(database), limits=limits))
    finally:
        await asyncio.to_thread(store.close)


async def a_game(hall: Hall, system: str = "dawgs", **fields: Any) -> Made:
    options = fields.pop("options", {"round_limit": 6} if system == "dawgs" else {})
    wanted = Wanted(fields.pop("scenario", None), fields.pop("seats", None), fields.pop("teams", None), (options,))
    settings = fields.pop("settings", Settings(delay=0.0))
    fields.setdefault("seed", None if fields.get("typed_dice") else bytes(range(32)))
    return await create(hall.store, NewGame(system, wanted, settings=settings, **fields))


async def sit_down(hall: Hall, made: Made) -> dict[int, Plug]:
    """A plug in every seat, the umpire's too."""
    plugs = {seat: Plug(hall) for seat in made.keys}
    for seat, plug in plugs.items():
        assert (await plug.sit(made.game, made.keys[seat]))["type"] == "sat"
    return plugs
