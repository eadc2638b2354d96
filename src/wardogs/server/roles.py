"""Who may do what at a table, and what one seat proposes to the others."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert

from wardogs.kernel.offers import Seat
from wardogs.server import tables as t
from wardogs.server.errors import NotYours
from wardogs.server.room import Room
from wardogs.server.store import touched
from wardogs.server.telling import Audience


def player(audience: Audience) -> Seat:
    """Only who sits at the table may do this."""
    if audience.role == "spectator" or audience.seat is None:
        raise NotYours("spectators only look on")
    if audience.role == "umpire":
        raise NotYours("the umpire has no side of his own: he rules, rewinds, and chooses for a seat that he names")
    return audience.seat


def playing(room: Room, audience: Audience) -> Seat:
    """Only who sits at the table and has not resigned."""
    seat = player(audience)
    if seat in room.standing.gone and not room.standing.over:
        raise NotYours("you have resigned: look on, or talk")
    return seat


def umpire(audience: Audience) -> Seat:
    if audience.role != "umpire" or audience.seat is None:
        raise NotYours("only the umpire may do this")
    return audience.seat


def seated(audience: Audience) -> Seat:
    """A player or the umpire."""
    return umpire(audience) if audience.role == "umpire" else player(audience)


def meant(audience: Audience, named: Seat | None) -> Seat:
    """The seat that something is asked about: one's own, or whichever an umpire names."""
    if named is None or named == audience.seat:
        return player(audience)
    umpire(audience)
    return named


def bots(room: Room) -> set[Seat]:
    return set(room.bots)


async def propose(room: Room, kind: str, seat: Seat) -> None:
    n = room.standing.next - 1
    row = {"game": room.id, "kind": kind, "seat": seat, "n": n, "agreed": str(seat)}

    def write(connection: Connection) -> None:
        touched(connection, room.id)
        connection.execute(delete(t.proposals).where(t.proposals.c.game == room.id, t.proposals.c.kind == kind))
        connection.execute(insert(t.proposals), [row])

    await room.store.writer.write(write)
    await room.refresh()
