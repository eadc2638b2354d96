"""Who is at a table, wherever he sits: people of one game may be at different workers.

Each worker writes down who sits at its tables, and again and again that it is alive; as often it looks who sits with the
others. A worker that has given no sign of life for a while is dead, and its people are gone with it; if it was only slow, it
writes them all down anew. No row of a game is touched by this, so nobody who plays waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from wardogs.kernel.offers import Seat
from wardogs.server import tables as t
from wardogs.server.hall import Hall
from wardogs.server.room import Room
from wardogs.server.store import DEAD, now_there

BEAT = 1.0  # seconds between two signs of life
NOBODY: frozenset[Seat] = frozenset()

log = logging.getLogger("wardogs.presence")


class Presence:
    """What this worker tells the others of who sits here, and hears from them. One that is alone has nobody to tell."""

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

    # ---- who has come and gone here --------------------------------------------------------------------------------

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
            if not here:
                continue
            try:
                await self.store.writer.write(partial(self._write, here=here))
            except Exception as error:
                log.warning("not told who is here", extra={"error": type(error).__name__})
                self.moved |= set(here)  # the next beat tries again
            else:
                self.told = {game: seats for game, seats in {**self.told, **here}.items() if seats}

    def _here(self, game: str) -> frozenset[Seat]:
        room = self.hall.rooms.get(game)
        return NOBODY if room is None else room.here

    def _write(self, connection: Connection, here: dict[str, frozenset[Seat]]) -> None:
        column = t.present.c
        for game, seats in sorted(here.items()):
            connection.execute(delete(t.present).where(column.game == game, column.worker == self.worker))
            if seats:
                rows = [{"game": game, "seat": seat, "worker": self.worker} for seat in sorted(seats)]
                connection.execute(insert(t.present), rows)

    # ---- who is alive, and who sits there --------------------------------------------------------------------------

    async def _beat(self) -> None:
        while True:
            try:
                if not await self.store.writer.write(self._alive):
                    self.told = {}
                    self.moved |= set(self.hall.rooms)
                self.moved |= {game for game, seats in self.told.items() if self._here(game) != seats}
                self.woken.set()
                self._attend(await asyncio.to_thread(self.store.elsewhere, list(self.hall.rooms)))
            except Exception as error:
                log.warning("does not know who is where now", extra={"error": type(error).__name__})
            await asyncio.sleep(BEAT)

    def _attend(self, elsewhere: dict[str, frozenset[Seat]]) -> None:
        for room in list(self.hall.rooms.values()):
            room.attend(elsewhere.get(room.id, NOBODY))

    def _alive(self, connection: Connection) -> bool:
        """Was this worker known to be? The dead are buried on the way."""
        column, now = t.workers.c, now_there(connection)
        dead = connection.execute(select(column.id).where(column.seen < now - DEAD, column.id != self.worker)).scalars().all()
        if dead:
            buried(connection, sorted(dead))
        known = connection.execute(update(t.workers).where(column.id == self.worker).values(seen=now)).rowcount > 0
        if not known:
            connection.execute(insert(t.workers), [{"id": self.worker, "seen": now}])
        return known


def buried(connection: Connection, workers: list[str]) -> None:
    """They are no more, and nobody sits with them. Of several who would bury them one does."""
    for worker in workers:
        if connection.execute(delete(t.workers).where(t.workers.c.id == worker)).rowcount:
            connection.execute(delete(t.present).where(t.present.c.worker == worker))
