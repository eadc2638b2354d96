"""Who is at a table, wherever he sits: people of one game may be at different workers.

Each worker writes down who sits at its tables, and again and again that it is alive. A worker that has given no sign of
life for a while is dead, and its people are gone with it; if it was only slow, it writes them all down anew.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from wardogs.kernel.offers import Seat
from wardogs.server import tables as t
from wardogs.server.hall import Hall
from wardogs.server.room import Room
from wardogs.server.store import DEAD, touched

BEAT = 2.0  # seconds between two signs of life
NOBODY: frozenset[Seat] = frozenset()

log = logging.getLogger("wardogs.presence")


class Presence:
    """What this worker tells the others of who sits here. One that is alone has nobody to tell."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.store, self.worker = hall, hall.store, hall.store.worker
        self.told: dict[str, frozenset[Seat]] = {}
        self.moved: set[str] = set()  # games where somebody has come or gone
        self.woken = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Presence:
        if self.worker:
            self.hall.on_seating.append(self._seated)
            self.tasks = [asyncio.ensure_future(self._beat()), asyncio.ensure_future(self._tell())]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self.worker:
            try:
                await self.store.writer.write(lambda connection: buried(connection, [self.worker]))
            except SQLAlchemyError as error:
                log.info("no goodbye", extra={"error": type(error).__name__})

    # ---- who has come and gone -------------------------------------------------------------------------------------

    def _seated(self, room: Room) -> None:
        self.moved.add(room.id)
        self.woken.set()

    async def _tell(self) -> None:
        """All who came and went meanwhile, in one go: after a crash everybody does."""
        while True:
            await self.woken.wait()
            self.woken.clear()
            here = {game: self._here(game) for game in self.moved}
            here = {game: seats for game, seats in here.items() if self.told.get(game, NOBODY) != seats}
            self.moved = set()
            try:
                await self.store.writer.write(partial(self._write, here=here))
            except SQLAlchemyError as error:
                log.warning("not told who is here", extra={"error": type(error).__name__})
                self.moved |= set(here)
                self.woken.set()
                await asyncio.sleep(BEAT)
            else:
                self.told = {game: seats for game, seats in {**self.told, **here}.items() if seats}

    def _here(self, game: str) -> frozenset[Seat]:
        room = self.hall.rooms.get(game)
        return NOBODY if room is None else room.here

    def _write(self, connection: Connection, here: dict[str, frozenset[Seat]]) -> None:
        column = t.present.c
        for game, seats in sorted(here.items()):
            touched(connection, game)
            connection.execute(delete(t.present).where(column.game == game, column.worker == self.worker))
            if seats:
                rows = [{"game": game, "seat": seat, "worker": self.worker} for seat in sorted(seats)]
                connection.execute(insert(t.present), rows)

    # ---- who is alive ----------------------------------------------------------------------------------------------

    async def _beat(self) -> None:
        while True:
            try:
                known, orphaned = await self.store.writer.write(self._alive)
                for room in [self.hall.rooms[game] for game in orphaned if game in self.hall.rooms]:
                    await room.refresh()
            except SQLAlchemyError as error:
                log.warning("no sign of life given", extra={"error": type(error).__name__})
            else:
                if not known:
                    self.told = {}
                    self.moved |= {room.id for room in self.hall.rooms.values() if room.here}
                    self.woken.set()
            await asyncio.sleep(BEAT)

    def _alive(self, connection: Connection) -> tuple[bool, list[str]]:
        """Was this worker known to be? And the games of those that are dead, who are buried on the way."""
        column, now = t.workers.c, time.time()
        dead = connection.execute(select(column.id).where(column.seen < now - DEAD, column.id != self.worker)).scalars().all()
        orphaned = buried(connection, list(dead)) if dead else []
        known = connection.execute(update(t.workers).where(column.id == self.worker).values(seen=now)).rowcount > 0
        if not known:
            connection.execute(insert(t.workers), [{"id": self.worker, "seen": now}])
        return known, orphaned


def buried(connection: Connection, workers: list[str]) -> list[str]:
    """They are no more, and nobody sits with them: the games where somebody did."""
    column = t.present.c
    games = sorted(connection.execute(select(column.game).where(column.worker.in_(workers)).distinct()).scalars())
    for game in games:
        touched(connection, game)
    connection.execute(delete(t.present).where(column.worker.in_(workers)))
    connection.execute(delete(t.workers).where(t.workers.c.id.in_(workers)))
    return games
