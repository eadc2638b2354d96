"""News from the other workers: what they write, a room that is open here must hear of.

A SQLite file is asked many times a second whether anybody has changed it, which costs next to nothing; PostgreSQL tells of
itself, with the commit, which games were changed. A worker that misses a notice loses nothing: the database decides who was
first, and the next look at the game brings all.
"""

from __future__ import annotations

import asyncio
import logging
import time

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from wardogs.server.database import alive, is_sqlite
from wardogs.server.errors import ServerError, Unavailable
from wardogs.server.hall import Hall
from wardogs.server.store import CHANNEL

OFTEN = 0.025  # seconds between looks at a file that others write into
SELDOM = 0.5  # when this worker is alone: only another program could write
REST = 10  # times as long as a look took, before the next
AGAIN = 0.5  # seconds before a database that has gone is asked again

log = logging.getLogger("wardogs.news")


class News:
    """What others have written, told to the rooms that are open here."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.store = hall, hall.store
        self.pause = OFTEN if hall.config.workers > 1 else SELDOM
        self.games: set[str] = set()  # that others have changed
        self.any = False  # which, nobody said
        self.woken = asyncio.Event()
        self.busy: dict[str, asyncio.Task[None]] = {}
        self.more: set[str] = set()  # changed while they were busy
        self.tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> News:
        watch = self._watch if is_sqlite(self.store.engine) else self._listen
        self.tasks = [asyncio.ensure_future(watch()), asyncio.ensure_future(self._tell())]
        return self

    async def __aexit__(self, *_: object) -> None:
        every = [*self.tasks, *self.busy.values()]
        for task in every:
            task.cancel()
        await asyncio.gather(*every, return_exceptions=True)

    # ---- that something has changed ------------------------------------------------------------------------------

    def heard(self, games: set[str] | None) -> None:
        """These have changed; None: some may have."""
        self.games |= games or set()
        self.any = self.any or games is None
        self.woken.set()

    async def _watch(self) -> None:
        """Of a SQLite file: a number that changes when any connection has written but the one that asks: our writer's."""
        known = (-1, -1)
        while True:
            try:
                now = await self.store.writer.write(_version), self.store.writer.connections
            except SQLAlchemyError as error:
                log.warning("cannot look at the file", extra={"error": type(error).__name__})
            else:
                if now != known:
                    known = now
                    self.heard(None)
            await asyncio.sleep(self.pause)

    async def _listen(self) -> None:
        """Of PostgreSQL: the names of the games, from every backend but the one that writes for us."""
        from psycopg import AsyncConnection, Error

        url = self.store.engine.url
        address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        while True:
            try:
                async with await AsyncConnection.connect(address, autocommit=True, **alive(url)) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}".encode())
                    self.heard(None)
                    async for notice in connection.notifies():
                        if notice.pid != self.store.writer.backend:
                            self.heard(set(notice.payload.split()))
            except (Error, OSError) as error:
                log.warning("does not hear the other workers now", extra={"error": type(error).__name__})
            await asyncio.sleep(AGAIN)

    # ---- what has changed ----------------------------------------------------------------------------------------

    async def _tell(self) -> None:
        while True:
            await self.woken.wait()
            self.woken.clear()
            games, self.games = None if self.any else self.games, set()
            self.any = False
            began = time.monotonic()
            try:
                await self.look(games)
            except (SQLAlchemyError, OSError) as error:
                log.warning("cannot look at the games now", extra={"error": type(error).__name__})
                self.heard(games)
                await asyncio.sleep(AGAIN)
            await asyncio.sleep(REST * (time.monotonic() - began) if games is None else 0)

    async def look(self, games: set[str] | None) -> None:
        """Which of the rooms that are open, or opening, are behind?"""
        mine = {*self.hall.rooms, *self.hall.opening}
        asked = mine if games is None else mine & games
        if not asked:
            return
        for game, (stamp, head) in (await asyncio.to_thread(self.store.stamps, asked)).items():
            if game in self.busy:
                self.more.add(game)
            elif self._behind(game, stamp, head):
                self.busy[game] = asyncio.ensure_future(self._hear(game))

    def _behind(self, game: str, stamp: int, head: int) -> bool:
        room = self.hall.rooms.get(game)
        return room.behind(stamp, head) if room is not None else game in self.hall.opening

    async def _hear(self, game: str) -> None:
        """One room; the others do not wait for it. What comes meanwhile, it hears next."""
        try:
            room = await self.hall.room(game)
            now = (await asyncio.to_thread(self.store.stamps, [game])).get(game)
            if now is not None and room.behind(*now):
                await room.hear(now[1])
        except Exception as error:
            await self._not_told(game, error)
        finally:
            self.busy.pop(game, None)
            if game in self.more:
                self.more.discard(game)
                self.heard({game})

    async def _not_told(self, game: str, error: Exception) -> None:
        """Looked at again, unless the game can never be opened."""
        if isinstance(error, ServerError) and not isinstance(error, Unavailable):
            log.debug("a game that cannot be opened has news", extra={"game": game})
            return
        log.error("news not told", extra={"game": game, "error": type(error).__name__})
        self.heard({game})
        await asyncio.sleep(AGAIN)


def _version(connection: Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA data_version").scalar_one())
