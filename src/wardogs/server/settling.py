"""Ends that people make: resignation, a draw by consent; and the umpire's way back."""

from __future__ import annotations

from wardogs.kernel.offers import Seat
from wardogs.server import messages as m
from wardogs.server.calls import CallDraw, GiveUp, GoBack
from wardogs.server.errors import ServerError
from wardogs.server.roles import bots, player, playing, propose, umpire
from wardogs.server.room import Room
from wardogs.server.telling import Audience


async def resign(room: Room, who: Audience, said: m.Resign) -> m.Done:
    """At any time; if more than one side is left, a bot plays on in this seat."""
    return m.Done(said.id, (await room.act(GiveUp(player(who)))).standing.next - 1)


async def draw(room: Room, who: Audience, said: m.Draw) -> m.Done:
    """All who have not resigned are asked; a bot always plays on."""
    seat = playing(room, who)
    if bots(room) - set(room.standing.gone) - {seat} and not room.standing.over:
        raise ServerError("a bot agrees to no draw: play on, or resign")
    missing = await try_draw(room, seat, {seat})
    if missing:
        await propose(room, "draw", seat)
    return m.Done(said.id, data={"needs": list(missing)})


async def try_draw(room: Room, seat: Seat, agreed: set[Seat], at: int | None = None) -> tuple[Seat, ...]:
    """The seats that must still agree; none: it is done. What a bot is said to agree to counts only for its holder's own seat."""
    people = agreed - (bots(room) - {seat})
    return (await room.act(CallDraw(tuple(sorted(people))), at)).missing


async def rewind(room: Room, who: Audience, said: m.Rewind) -> m.Done:
    """Back to where the game stood after an entry."""
    result = await room.act(GoBack(umpire(who), said.to, said.because))
    return m.Done(said.id, result.standing.next - 1)
