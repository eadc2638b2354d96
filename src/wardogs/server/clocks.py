"""Clocks, for games that have them: time runs for a seat while it owes an answer.

A seat whose time is up is answered for, with what its question names as the default, at once and at every question until
it has time again. Nothing runs before the first choice of a game. What is left is written with every entry, so that a
clock goes on over a restart: from the last entry, by what was left then.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Refused, Seat
from wardogs.server import tables as t
from wardogs.server.calls import Lapse, Result
from wardogs.server.errors import Late, ServerError
from wardogs.server.waking import wake

if TYPE_CHECKING:
    from wardogs.server.hall import Hall
    from wardogs.server.room import Room
    from wardogs.server.store import Store

BEGUN = 2  # the number of the first choice
SOON = 0.02  # seconds: no timer is shorter
AGAIN = 5.0  # seconds before another try, where an answer could not be given

log = logging.getLogger("wardogs.clocks")


def charged(room: Room, owing: Sequence[Seat], result: Result, now: float) -> tuple[tuple[Seat, float], ...]:
    """What is left to each seat after these entries: time has run for who owed an answer; who has given it gets the increment.

    With a choice that is taken back its increment goes too.
    """
    new = result.entries
    spent = max(0.0, now - room.since) if new[0].n > BEGUN else 0.0
    gained = Counter(entry.seat for entry in new if entry.kind == "choice" and entry.seat in owing)
    gained.subtract(result.undone)
    return tuple(
        (row.seat, max(0.0, max(0.0, row.time_left - spent * (row.seat in owing)) + room.settings.increment * gained[row.seat]))
        for row in room.seats
        if row.time_left is not None and (row.seat in owing or gained[row.seat])
    )


def left(room: Room, now: float) -> dict[Seat, float]:
    """What is left at this moment to each seat whose time runs."""
    if room.settings.clock is None or room.standing.next <= BEGUN:
        return {}
    waiting, spent = room.standing.waiting, max(0.0, now - room.since)
    return {row.seat: row.time_left - spent for row in room.seats if row.seat in waiting and row.time_left is not None}


def lapsed(room: Room) -> Lapse | None:
    """The default, for every seat whose time is up."""
    late = tuple(seat for seat, seconds in left(room, time.time()).items() if seconds <= SOON)
    return Lapse(late) if late else None


def running(store: Store) -> list[str]:
    """The games whose clocks may run, also if nobody looks."""
    with store.engine.connect() as connection:
        rows = connection.execute(
            select(t.games.c.id)
            .join(t.seats, t.seats.c.game == t.games.c.id)
            .where(t.games.c.over.is_(False), t.seats.c.time_left.is_not(None))
            .distinct()
        )
        return list(rows.scalars())


class Clocks:
    """A timer for every room whose clocks run."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.timers: dict[str, asyncio.TimerHandle] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Clocks:
        self.hall.on_change.append(self.hear)
        self._begin(self._wake())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.hall.on_change.remove(self.hear)
        for timer in self.timers.values():
            timer.cancel()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _wake(self) -> None:
        """After a restart the clocks go on."""
        await wake(self.hall, running)

    def hear(self, room: Room) -> None:
        """Something has happened in a room: wind its timer anew."""
        if room.settings.clock is None:
            return
        if (timer := self.timers.pop(room.id, None)) is not None:
            timer.cancel()
        if seconds := left(room, time.time()):
            self._wind(room.id, min(seconds.values()))

    def _wind(self, game: str, seconds: float) -> None:
        ring = asyncio.get_running_loop().call_later(max(SOON, seconds), lambda: self._begin(self._ring(game)))
        self.timers[game] = ring

    async def _ring(self, game: str) -> None:
        self.timers.pop(game, None)
        try:
            room = await self.hall.room(game)
            await room.act(lambda: lapsed(room))
        except Late:
            log.debug("somebody was first", extra={"game": game})
        except (ServerError, WardogsError, Refused, SQLAlchemyError) as error:
            log.error("no answer in time", extra={"game": game, "error": type(error).__name__})
            self._wind(game, AGAIN)
            return
        if game not in self.timers:
            self.hear(room)
