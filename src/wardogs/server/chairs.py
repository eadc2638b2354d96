"""Who plays a seat: its holder, a bot for him, or a friend with a new link."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, or_, select, update

from wardogs.bots import BOTS
from wardogs.kernel.errors import unknown
from wardogs.kernel.offers import Seat
from wardogs.server import messages as m
from wardogs.server import tables as t
from wardogs.server.errors import NoSuchLink, NotYours, ServerError
from wardogs.server.keys import hashed, new_key
from wardogs.server.lines import entry_of
from wardogs.server.referee import PERSON
from wardogs.server.roles import seated
from wardogs.server.room import Room
from wardogs.server.store import SeatRow, Store, touched
from wardogs.server.telling import Audience


class Resigned(ServerError):
    def __init__(self) -> None:
        super().__init__("who has resigned does not come back")


async def take_over(room: Room, who: Audience, said: m.TakeOver) -> m.Done:
    """From now on somebody else plays this seat."""
    row = room.row(said.seat)
    if row is None or row.role != "player":
        raise ServerError(f"nobody plays seat {said.seat}")
    if said.player not in (PERSON, *BOTS):
        raise unknown("player", said.player, [PERSON, *BOTS])
    _may_hand(room, who, row, said.player)
    if row.player != said.player:
        await hand(room, row.seat, said.player)
    return m.Done(said.id)


def _may_hand(room: Room, who: Audience, row: SeatRow, player: str) -> None:
    """One's own seat always; the umpire any; another's only to a bot, and only after he has been away for a while."""
    own = seated(who) == row.seat
    if room.standing.over:
        raise ServerError("the game is over")
    if player == PERSON and row.seat in room.standing.gone:
        raise Resigned
    if own or who.role == "umpire":
        return
    if player == PERSON or row.player != PERSON:
        raise NotYours("only its holder, or the umpire, decides that")
    if (left := room.patience - room.absent(row.seat)) > 0:
        here = f"in {left:.0f} seconds, if he stays away" if room.absent(row.seat) else "while he is away"
        raise NotYours(f"a seat is taken over only from who is absent: {here}")


async def hand(room: Room, seat: Seat, player: str) -> None:
    """Let a bot, or its holder again, play a seat; a bot that is asked begins to think. He may have resigned meanwhile."""
    known = room.head
    anew: dict[str, Any] = {"player": player}
    if player == PERSON and room.header.players.get(seat) in BOTS:  # he has not said yet that others may watch
        anew["watchable"] = False

    def write(connection: Connection) -> None:
        touched(connection, room.id)
        if player == PERSON and _has_resigned(connection, room.id, seat, known):
            raise Resigned
        connection.execute(update(t.seats).where(t.seats.c.game == room.id, t.seats.c.seat == seat).values(**anew))

    await room.store.writer.write(write)
    await room.refresh()
    room.after(room)


def _has_resigned(connection: Connection, game: str, seat: Seat, after: int) -> bool:
    """In an entry after this one."""
    column = t.entries.c
    new = connection.execute(select(column.body).where(column.game == game, column.n > after)).scalars()
    return any((entry.kind, entry.seat) == ("settled", seat) for entry in map(entry_of, new))


def may_renew(who: Audience, seat: Seat) -> None:
    """A new link is made by who holds the seat, or by the umpire."""
    if seated(who) != seat and who.role != "umpire":
        raise NotYours("only its holder, or the umpire, makes a new link to a seat")


async def renewed_key(store: Store, room: Room, seat: Seat, by: str) -> str:
    """A new link to a seat, for a friend. The old one opens nothing from now on, nor does the sign-in of who sat there.

    `by` is the link of who asks for it: if another was first, it may be void by now.
    """
    if room.row(seat) is None:
        raise ServerError(f"there is no seat {seat}")
    key = new_key()
    anew = {"key": hashed(key), "person": None, "name": "", "draft": "", "watchable": False}
    mine = (t.seats.c.game == room.id, t.seats.c.seat == seat)

    def write(connection: Connection) -> None:
        touched(connection, room.id)
        if connection.execute(select(t.seats.c.key).where(*mine)).scalar() == hashed(key):
            return  # the commit came through, though we have not heard so
        if not _still_opens(connection, room.id, seat, hashed(by)):
            raise NoSuchLink
        connection.execute(update(t.seats).where(*mine).values(**anew))

    await store.writer.write(write)
    await room.refresh()
    return key


def _still_opens(connection: Connection, game: str, seat: Seat, secret: str) -> bool:
    """A link opens this seat, or the umpire's."""
    held = t.seats.outerjoin(t.people, t.seats.c.person == t.people.c.id)
    found = select(t.seats.c.seat).select_from(held).where(
        t.seats.c.game == game, or_(t.seats.c.key == secret, t.people.c.key == secret),
        or_(t.seats.c.seat == seat, t.seats.c.role == "umpire"),
    )  # fmt: skip
    return connection.execute(found).first() is not None
