"""What may be asked for at a table, each in one function: of the room, of who asks, and of what he said.

A deed answers with a message for who asked. What changes the game is told to all by the room.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from typing import Any

import msgspec
from msgspec import Raw, Struct
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Refused as RefusedByRules
from wardogs.kernel.offers import Seat
from wardogs.server import calls, chairs, settling
from wardogs.server import messages as m
from wardogs.server import tables as t
from wardogs.server.errors import Broken, Late, ServerError, Unavailable
from wardogs.server.metrics import metrics
from wardogs.server.roles import bots, meant, player, playing, propose, seated, umpire
from wardogs.server.room import Room
from wardogs.server.store import Proposed, numbers, touched
from wardogs.server.telling import Audience

Answer = Struct | None
LONGEST_DRAFT = 20_000
FARTHEST = 10_000  # no figure on a table is larger, and rules may count up to one

log = logging.getLogger("wardogs.deeds")


# ---- choices -------------------------------------------------------------------------------------------------------


async def choose(room: Room, who: Audience, said: m.Choose) -> Answer:
    if said.seat is not None and said.seat != who.seat:
        deed = calls.Answer(said.seat, said.choice, umpire(who))
    else:
        deed = calls.Answer(playing(room, who), said.choice)
    return m.Done(said.id, (await room.act(deed, said.n, deed.seat)).standing.next - 1)


async def enter(room: Room, who: Audience, said: m.Enter) -> Answer:
    seated(who)
    return m.Done(said.id, (await room.act(calls.Face(said.face, who, room.bots), said.n)).standing.next - 1)


async def draft(room: Room, who: Audience, said: m.Draft) -> Answer:
    """Kept for this seat's other devices; void as soon as the game goes on."""
    seat, text = player(who), msgspec.json.encode([said.n, said.choice]).decode() if said.choice is not None else ""
    if len(text) > LONGEST_DRAFT:
        raise ServerError(f"a draft may have {LONGEST_DRAFT} letters")

    def write(connection: Connection) -> None:
        connection.execute(update(t.seats).where(t.seats.c.game == room.id, t.seats.c.seat == seat).values(draft=text))

    await room.store.writer.write(write)
    room.seats = tuple(row._replace(draft=text) if row.seat == seat else row for row in room.seats)
    return m.Done(said.id)


# ---- what one may ask ----------------------------------------------------------------------------------------------


async def look(room: Room, who: Audience, said: Any) -> Answer:
    """The question of one's own seat, or of the one that an umpire names, and all about it."""
    seat = meant(who, said.seat)
    told = await room.ask(calls.Look(seat, seat == who.seat, said), bytes)
    return m.Done(said.id, data=Raw(told) if told != b"null" else None)


async def hint(room: Room, who: Audience, said: m.Hint) -> Answer:
    """Where bots think; the table does not wait for it."""
    seat = meant(who, said.seat)
    choice = await room.advise(room, playing(room, who) if seat == who.seat else seat)
    return m.Done(said.id, data={"choice": choice, "text": room.book.choice(choice)})


# ---- taking back ---------------------------------------------------------------------------------------------------


async def undo(room: Room, who: Audience, said: m.Undo) -> Answer:
    """At once where nobody minds; else the others are asked."""
    seat = playing(room, who)
    missing = await try_undo(room, seat, bots(room))  # bots never mind
    if missing:
        await propose(room, "undo", seat)
    return m.Done(said.id, data={"needs": list(missing)})


async def try_undo(room: Room, seat: Seat, agreed: set[Seat], at: int | None = None) -> tuple[Seat, ...]:
    """The seats that must still agree; none: it is done."""
    return (await room.act(calls.TakeBack(seat, tuple(sorted(agreed))), at)).missing


async def agree(room: Room, who: Audience, said: m.Agree) -> Answer:
    """When all have agreed it is done; one who does not agree ends it."""
    seat = umpire(who) if who.role == "umpire" else playing(room, who)
    proposal = next((one for one in room.proposed if one.kind == said.kind), None)
    if proposal is None:
        raise ServerError(f"nobody proposes {'to take anything back' if said.kind == 'undo' else 'a draw'} now")
    agreed = await room.store.writer.write(lambda connection: _agreed(connection, room.id, proposal, seat, said.yes))
    if agreed:
        await PROPOSED[said.kind](room, proposal.seat, agreed | bots(room), proposal.n + 1)
    await room.refresh()
    return m.Done(said.id)


def _agreed(connection: Connection, game: str, to: Proposed, seat: Seat, yes: bool) -> set[Seat]:
    """All who agree now; of two at the same moment neither is forgotten. One who does not ends it."""
    touched(connection, game)
    column = t.proposals.c
    mine = (column.game == game, column.kind == to.kind, column.seat == to.seat, column.n == to.n)
    so_far = connection.execute(select(t.proposals.c.agreed).where(*mine)).scalar()
    if not yes or so_far is None:
        connection.execute(delete(t.proposals).where(*mine))
        return set()
    agreed = {*numbers(so_far), seat}
    connection.execute(update(t.proposals).where(*mine).values(agreed=",".join(map(str, sorted(agreed)))))
    return agreed


PROPOSED: dict[str, Callable[[Room, Seat, set[Seat], int | None], Awaitable[Any]]] = {"undo": try_undo, "draw": settling.try_draw}


# ---- the umpire ----------------------------------------------------------------------------------------------------


async def rule(room: Room, who: Audience, said: m.Ruling) -> Answer:
    """By figures that a table could have."""
    by = umpire(who)
    if any(abs(figure) > FARTHEST for figure in figures_in(said.changes)):
        raise ServerError(f"a ruling has no figures beyond {FARTHEST:,}")
    return m.Done(said.id, (await room.act(calls.Overrule(by, said.because, said.changes))).standing.next - 1)


def figures_in(value: Any) -> Iterator[float]:
    if isinstance(value, list | tuple | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from figures_in(part)
    elif isinstance(value, int | float):
        yield value


async def note(room: Room, who: Audience, said: m.Note) -> Answer:
    umpire(who)

    def write(connection: Connection) -> None:
        connection.execute(delete(t.notes).where(t.notes.c.game == room.id))
        connection.execute(insert(t.notes), [{"game": room.id, "text": said.text}])

    await room.store.writer.write(write)
    return m.Done(said.id)


# ---- beside the game -----------------------------------------------------------------------------------------------


async def say(room: Room, who: Audience, said: m.Say) -> Answer:
    seat = seated(who)
    known = {row.seat for row in room.seats}
    if strangers := [other for other in said.to if other not in known]:
        raise ServerError(f"nobody sits at {', '.join(map(str, strangers))}")
    to = ",".join(map(str, sorted({*said.to, seat}))) if said.to else ""
    row = {"game": room.id, "seat": seat, "to": to, "text": said.text, "at": time.time()}

    tries = count()

    def write(connection: Connection) -> None:
        touched(connection, room.id)
        same = select(t.talk.c.id).where(*(t.talk.c[name] == value for name, value in row.items()))
        if not next(tries) or connection.execute(same).first() is None:  # tried again: the first may have come through
            connection.execute(insert(t.talk), [row])

    await room.store.writer.write(write)
    await room.refresh()
    return m.Done(said.id)


async def watchable(room: Room, who: Audience, said: m.Watchable) -> Answer:
    seat = player(who)

    def write(connection: Connection) -> None:
        connection.execute(update(t.seats).where(t.seats.c.game == room.id, t.seats.c.seat == seat).values(watchable=said.yes))
        touched(connection, room.id)

    await room.store.writer.write(write)
    await room.refresh()
    return m.Done(said.id)


async def ping(room: Room, who: Audience, said: m.Ping) -> Answer:
    await asyncio.sleep(0)
    return m.Done(said.id)


DEEDS: dict[type[Any], Callable[[Room, Audience, Any], Awaitable[Answer]]] = {
    m.Choose: choose,
    m.Enter: enter,
    m.Undo: undo,
    m.Agree: agree,
    m.Draft: draft,
    m.Put: look,
    m.Odds: look,
    m.Why: look,
    m.OffersOf: look,
    m.Spots: look,
    m.ThroughEyes: look,
    m.Hint: hint,
    m.Say: say,
    m.Ruling: rule,
    m.Note: note,
    m.Watchable: watchable,
    m.Resign: settling.resign,
    m.Draw: settling.draw,
    m.Rewind: settling.rewind,
    m.TakeOver: chairs.take_over,
    m.Ping: ping,
}


CHOICES = (m.Choose, m.Enter)
LOOKS = (m.Put, m.Odds, m.Why, m.OffersOf, m.Spots, m.ThroughEyes)


async def timed(deed: Callable[[Room, Audience, Any], Awaitable[Answer]], room: Room, who: Audience, said: Any) -> Answer:
    """What became of a choice, and how long it took, for the metrics."""
    began, system, outcome = time.perf_counter(), room.system, "failed"
    try:
        answer = await deed(room, who, said)
        outcome = "accepted"
        return answer
    except Late:
        outcome = "late"
        raise
    except (Broken, Unavailable):
        raise
    except (RefusedByRules, ServerError, WardogsError):
        outcome = "refused"
        raise
    finally:
        metrics.count("choices", system, outcome)
        metrics.timed(time.perf_counter() - began, "choice_seconds", system)


async def do(room: Room, who: Audience, said: Any) -> Answer:
    """Answer a request; what it cannot be answered with is raised."""
    deed = DEEDS.get(type(said))
    if deed is None:
        raise ServerError("you sit already: open another socket to sit elsewhere")
    try:
        if type(said) in LOOKS:
            async with room.lock:  # nobody is told of what is not yet on the disk
                await room.catch_up()
                return await deed(room, who, said)
        return await (deed(room, who, said) if type(said) not in CHOICES else timed(deed, room, who, said))
    except SQLAlchemyError as error:
        log.error("not written", extra={"game": room.id, "kind": type(said).__name__, "error": type(error).__name__})
        raise Unavailable from None
