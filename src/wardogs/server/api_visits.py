"""Visits: what a seat sees and does without a socket. The same messages, and the same deeds, as over one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from msgspec import Raw, Struct
from sqlalchemy.exc import SQLAlchemyError

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Refused, Seat
from wardogs.server import deeds
from wardogs.server import messages as m
from wardogs.server.api_common import Entered
from wardogs.server.config import Limits
from wardogs.server.errors import Broken, ServerError, TooMuch
from wardogs.server.messages import raw, written
from wardogs.server.patch import Edit
from wardogs.server.room import Room
from wardogs.server.store import Beside
from wardogs.server.telling import Audience

log = logging.getLogger("wardogs.visits")


class RefusedHere(ServerError):
    """The rules forbid it: by which rule, and why."""

    status = 409

    def __init__(self, room: Room, refused: Refused) -> None:
        why = refused.refusal
        super().__init__(room.book.refusal(why))
        self.more = {"rule": why.rule, "fact": why.fact, "data": why.data}


async def do(table: Entered, said: Struct) -> bytes:
    """A deed, and its answer."""
    room = table.room
    await up_to_date(room)
    table.check()
    try:
        return written(await deeds.do(room, table.who, said))
    except Refused as refused:
        raise RefusedHere(room, refused) from None
    except (ServerError, WardogsError, SQLAlchemyError):
        raise
    except Exception as error:
        log.error("a deed failed", extra={"game": room.id, "deed": type(said).__name__, "error": type(error).__name__})
        raise Broken from None
    finally:
        if isinstance(said, (*deeds.LOOKS, m.Hint)):  # what was done is done, but what he only asks for is his no longer
            table.check()


async def up_to_date(room: Room) -> None:
    """Who asks once, and at any worker, is told what stands in the database."""
    stamps = await asyncio.to_thread(room.store.stamps, [room.id])
    for stamp, head in stamps.values():
        if room.stale or room.behind(stamp, head):
            await room.hear(head)


class Visitor:
    """Listens until something is told."""

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.told = asyncio.Event()

    def tell(self, message: bytes) -> None:
        self.told.set()


class Visit:
    """Somebody looks in at a table, and may wait there until something happens."""

    def __init__(self, table: Entered, limits: Limits, draw: bool = False) -> None:
        self.table, self.room, self.limits = table, table.room, limits
        self.who = table.who._replace(draws=draw)

    async def state(self, after: int | None, wait: float) -> bytes:
        """All that somebody needs who sits down now."""
        said = m.Sit(game=self.room.id, key="", after=after)
        return await self._look(after, wait, lambda beside: self.room.sat(said, self.who, beside))

    async def news(self, after: int, wait: float) -> bytes:
        """What has happened since; the one edit sets the whole view, or board."""
        return await self._look(after, wait, lambda beside: self._news(after, beside))

    async def _news(self, after: int, beside: Beside) -> bytes:
        shown, seen = await self.room.seen_by(self.who, beside)
        fresh = shown.n > after
        edits: list[Edit] = [((), Raw(seen.view))] if fresh and seen.views is None else []
        views: dict[Seat, list[Edit]] | None = None
        if fresh and seen.views is not None:
            views = {seat: [((), Raw(one))] for seat, one in seen.views.items()}
        return written(
            m.News(
                shown.n, raw(seen.entries) or [], edits, shown.waiting, raw(seen.question), raw(seen.throw), raw(shown.outcome),
                views,
            )
        )  # fmt: skip

    async def _look(self, after: int | None, wait: float, told: Callable[[Beside], Awaitable[bytes]]) -> bytes:
        room, visitor = self.room, Visitor(self.who)
        await up_to_date(room)
        if wait:
            self._crowded()
        async with room.lock:
            await room.catch_up()
            shown = await room.shown_to(self.who)
            await room.join(visitor)
        try:
            if wait and after == shown.n and shown.outcome is None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(visitor.told.wait(), wait)
            async with room.lock:
                beside = await room.level(-1 if after is None else after)
                self.table.check()
                return await told(beside)
        finally:
            room.leave(visitor)

    def _crowded(self) -> None:
        room, limits = self.room, self.limits
        if self.who.looks_on:
            there, most = len(room.onlookers), limits.spectators
        else:
            there, most = room.in_seat(self.who.seat), limits.sockets_of_a_seat
        if there >= most:
            raise TooMuch(f"open in {most} places already: close one of them first")
