"""Who sits where at a table, and what he has heard there, as it is told to who comes in."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Seat
from wardogs.server.calls import See, Seen
from wardogs.server.clocks import left
from wardogs.server.errors import ServerError
from wardogs.server.messages import Chair, Line, News, raw, written
from wardogs.server.store import Beside
from wardogs.server.telling import Audience

if TYPE_CHECKING:
    from wardogs.server.room import Room


def chairs(room: Room, audience: Audience | None = None, now: float | None = None) -> list[Chair]:
    """As they stand now. Spectators see no clocks, which tell when somebody has moved, and who sat down at first: a bot that
    plays from now on for who has resigned would tell them so too early."""
    here = room.here | room.elsewhere
    names, first, late = room.header.names, room.header.players, audience is not None and audience.looks_on
    running = {seat: max(0.0, seconds) for seat, seconds in left(room, now or time.time()).items()}
    return [
        Chair(
            row.seat, row.role, names.get(row.seat, ""), first.get(row.seat, row.player) if late else row.player, row.name,
            row.seat in here, row.watchable, None if late else running.get(row.seat, row.time_left),
            not late and row.seat in room.standing.gone,
        )
        for row in room.seats
    ]  # fmt: skip


async def heard_by(room: Room, seat: Seat, beside: Beside) -> list[Line]:
    """The last lines that somebody in this seat may hear: how much others whisper does not change it."""
    if beside.is_all_talk:
        return beside.heard_by(seat)
    return await asyncio.to_thread(room.store.heard_by, room.id, seat, beside.heard)


async def throw_anew(room: Room) -> None:
    """Somebody else plays a seat now: where a real die is due, other people may have to say what it shows."""
    async with room.lock:
        with suppress(ServerError, WardogsError):  # whoever comes back is told
            await room.catch_up()  # what could not be written has not happened
            if room.standing.asked or room.standing.over:
                return
            for audience in {listener.audience for listener in room.listeners}:
                seen = await room.ask(See(audience, bots=room.bots), Seen)
                news = written(News(room.head, [], [], room.standing.waiting, None, raw(seen.throw), None))
                for listener in [one for one in room.listeners if one.audience == audience]:
                    listener.tell(news)
    room.tell_table()
