"""After a restart: games that go on although nobody looks at them are opened again, whenever the database can be read."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from wardogs.server.errors import Unavailable

if TYPE_CHECKING:
    from wardogs.server.hall import Hall
    from wardogs.server.store import Store

AGAIN = 1.0  # seconds before another try, when the database was away

log = logging.getLogger("wardogs.waking")


async def wake(hall: Hall, which: Callable[[Store], list[str]]) -> None:
    """Open these games. One that cannot be read now is tried again after all others: it keeps none of them asleep."""
    asleep = await _looked_up(hall, which)
    while asleep := [game for game in asleep if not await _settled(hall, game)]:
        log.warning("%s games cannot be woken now", len(asleep))
        await asyncio.sleep(AGAIN)


async def _looked_up(hall: Hall, which: Callable[[Store], list[str]]) -> list[str]:
    while True:
        try:
            return await asyncio.to_thread(which, hall.store)
        except SQLAlchemyError as error:
            log.warning("cannot look for games to wake now", extra={"error": type(error).__name__})
            await asyncio.sleep(AGAIN)


async def _settled(hall: Hall, game: str) -> bool:
    """Is it open, or can it never be?"""
    try:
        await hall.room(game)
    except (Unavailable, SQLAlchemyError):
        return False
    except Exception as error:
        log.warning("a game cannot be woken", extra={"game": game, "error": type(error).__name__})
    return True
