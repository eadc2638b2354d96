"""The hall: the games that this worker has open, and the doors to them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Choice, Seat
from wardogs.server.config import Config
from wardogs.server.errors import NoSuchLink, ServerError, Unavailable
from wardogs.server.places import place_of
from wardogs.server.referees import AtHome, Bench
from wardogs.server.room import Room, nobody_advises
from wardogs.server.store import Kept, Store
from wardogs.server.telling import Audience
from wardogs.systems import KEYS

IDLE = 300.0  # seconds after which a room without listeners is closed
OPEN = 2000  # rooms
SWEEP = 5.0  # seconds between two looks for rooms to close
AT_THE_DOOR = 16  # games read at once: after a crash all are, and the first shall go on while the last still wait

log = logging.getLogger("wardogs.hall")


class Unfit(ServerError):
    """A game that these rules cannot take up."""

    def __init__(self) -> None:
        super().__init__("this game does not fit the rules of this Wardogs; its record can still be read")


class Hall:
    def __init__(self, store: Store, config: Config, bench: Bench | None = None) -> None:
        self.store, self.config, self.bench = store, config, bench or AtHome()
        self.rooms: dict[str, Room] = {}
        self.opening: dict[str, asyncio.Task[Room]] = {}
        self.door = asyncio.Semaphore(AT_THE_DOOR)
        self.swept = 0.0
        self.on_change: list[Callable[[Room], None]] = []  # bots, notices, clocks
        self.on_seating: list[Callable[[Room], None]] = []  # somebody has come or gone
        self.advise: Callable[[Room, Seat], Awaitable[Choice]] = nobody_advises  # what a bot would choose in a seat's place

    async def room(self, game: str, kept: Kept | None = None) -> Room:
        """A game, from memory or from the database, if it has not just been read there. Two who ask at once get the same."""
        if game in self.rooms:
            room = self.rooms[game]
            room.used = time.monotonic()
            return room
        if game not in self.opening:
            self.opening[game] = asyncio.ensure_future(self._open(game, kept))
            self.opening[game].add_done_callback(lambda _: self.opening.pop(game, None))
        return await asyncio.shield(self.opening[game])

    async def _open(self, game: str, kept: Kept | None) -> Room:
        if kept is None:
            async with self.door:
                kept = await asyncio.to_thread(self.store.kept, game)
        if kept is None:
            raise NoSuchLink
        if kept.system not in KEYS or not kept.position:  # a record of other rules, to look at
            raise Unfit
        try:
            room = await Room.opened(self.store, kept, self.bench)
        except Unavailable:
            raise
        except WardogsError:
            log.info("of other rules", extra={"game": game})
            raise Unfit from None
        except Exception as error:  # whatever new rules make of an old game, only its own people may learn of it
            log.error("cannot be taken up", extra={"game": game, "error": type(error).__name__})
            raise Unfit from None
        room.after, room.seating, room.patience = self._changed, self._seated, self.config.absent
        room.advise = self.advise
        self.rooms[game] = room
        self._changed(room)
        if time.monotonic() > self.swept + SWEEP:
            self.sweep()
        return room

    async def refresh(self, game: str) -> None:
        """What lies beside a game has changed: if it is open, or about to be, let it look."""
        if game in self.rooms or game in self.opening:
            with suppress(ServerError, SQLAlchemyError):  # one that cannot be opened
                await (await self.room(game)).refresh()

    def _changed(self, room: Room) -> None:
        for hear in self.on_change:
            hear(room)

    def _seated(self, room: Room) -> None:
        for hear in self.on_seating:
            hear(room)

    def sweep(self) -> None:
        """Close rooms that nobody uses; the games stay in the database."""
        now = self.swept = time.monotonic()
        idle = [room for room in self.rooms.values() if not room.busy]
        idle.sort(key=lambda room: room.used)
        for room in idle:
            unused = now - room.used
            if unused > IDLE or (unused > SWEEP and len(self.rooms) > OPEN):  # else somebody is about to sit down there
                self.rooms.pop(room.id).close()

    async def enter(self, game: str, key: str) -> tuple[Room, Audience]:
        """Who holds this link to this game? Every link that opens nothing is answered alike, after one look at the database:
        neither words nor time tell whether there is such a game, nor whether it is open here."""
        room = self.rooms.get(game)
        if room is not None:
            with suppress(NoSuchLink):
                return await self.room(game), place_of(key, room.seats, room.watch_keys)
        async with self.door:
            kept = await asyncio.to_thread(self._knock, game, key)
        room = await self.room(game, kept)
        with suppress(NoSuchLink):
            return room, place_of(key, room.seats, room.watch_keys)
        room.look(await room.beside())  # the link is newer than what is known here
        return room, place_of(key, room.seats, room.watch_keys)

    def _knock(self, game: str, key: str) -> Kept | None:
        """As the database has it; who may come in gets the game at once, if nobody has it yet."""
        place_of(key, *self.store.doors(game))
        return None if game in self.rooms or game in self.opening else self.store.kept(game)
