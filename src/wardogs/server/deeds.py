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
from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Ask, Offer, Offers, Question, Refusal, Seat, Spot
from wardogs.kernel.offers import Refused as RefusedByRules
from wardogs.server import chairs, settling
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
        by, seat = umpire(who), said.seat
        n = await room.act(lambda match: match.answer(seat, said.choice, by), said.n, seat)
    else:
        own = playing(room, who)
        n = await room.act(lambda match: match.answer(own, said.choice), said.n, own)
    return m.Done(said.id, n)


async def enter(room: Room, who: Audience, said: m.Enter) -> Answer:
    seated(who)
    return m.Done(said.id, await room.act(lambda match: match.enter(said.face), said.n))


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


def asked(room: Room, who: Audience, said: m.Look) -> Ask:
    question, seat = room.match.game.question, meant(who, said.seat)
    if not isinstance(question, Question) or seat not in question.asks:
        raise ServerError("you are not asked anything now" if seat == who.seat else f"seat {seat} is not asked anything now")
    return question.asks[seat]


async def put(room: Room, who: Audience, said: m.Put) -> Answer:
    return m.Done(said.id, data=room.teller.question(Audience("player", meant(who, said.seat))))


async def odds(room: Room, who: Audience, said: m.Odds) -> Answer:
    """By the rules themselves, on what this seat knows."""
    ask = asked(room, who, said)
    if refusal := ask.refusal(said.choice):
        raise RefusedByRules(refusal)
    return m.Done(said.id, data={"text": room.match.system.preview(room.match.seen(meant(who, said.seat)), said.choice)})


async def why(room: Room, who: Audience, said: m.Why) -> Answer:
    book = room.teller.book
    if said.choice is not None:
        question, seat = room.match.game.question, meant(who, said.seat)
        reason = question.refusal(seat, said.choice) if isinstance(question, Question) else Refusal("", "game_over")
        return m.Done(said.id, data=_reason(book, reason) if reason else None)
    ask = asked(room, who, said)
    shut = ask.barred() if ask.barred else ()
    return m.Done(said.id, data=[{"choice": one.choice, **_reason(book, one.refusal)} for one in shut])


def _reason(book: Any, refusal: Refusal) -> dict[str, Any]:
    return {"rule": refusal.rule, "fact": refusal.fact, "data": refusal.data, "text": book.refusal(refusal)}


async def offers_of(room: Room, who: Audience, said: m.OffersOf) -> Answer:
    """Worked out when somebody looks, and only once."""
    offers = asked(room, who, said).offers
    if not isinstance(offers, Offers) or said.doer not in offers.doers:
        raise ServerError(f"nobody asks for {said.doer!s:.40} now")
    return m.Done(said.id, data=list(offers.of(said.doer)))


async def spots(room: Room, who: Audience, said: m.Spots) -> Answer:
    """Some of the points that an offer takes, spread evenly over all."""
    domain = next((offer.fields[said.field] for offer in asked(room, who, said).like(said.choice) if _fits(offer, said)), None)
    if not isinstance(domain, Spot):
        raise ServerError(f"nothing of this kind is offered that has a point called {said.field:.40}")
    size = domain.size
    shown = range(size) if size <= said.most else [k * size // said.most for k in range(said.most)]
    return m.Done(said.id, data={"size": size, "points": [domain.pick(k) for k in shown]})


def _fits(offer: Offer, said: m.Spots) -> bool:
    """Is it of the kind that is meant? Fields that are not filled in yet say nothing."""
    known = [(name, domain) for name, domain in offer.fields.items() if name in said.choice and name != said.field]
    named = offer.verb == said.choice.get("verb") and isinstance(offer.fields.get(said.field), Spot)
    return named and all(domain.admits(said.choice[name]) for name, domain in known)


# ---- taking back ---------------------------------------------------------------------------------------------------


async def undo(room: Room, who: Audience, said: m.Undo) -> Answer:
    """At once where nobody minds; else the others are asked."""
    seat = playing(room, who)
    missing = await try_undo(room, seat, bots(room))  # bots never mind
    if missing:
        await propose(room, "undo", seat)
    return m.Done(said.id, data={"needs": list(missing)})


async def try_undo(room: Room, seat: Seat, agreed: set[Seat], at: int | None = None) -> tuple[Seat, ...]:
    """The seats that must still agree; none: it is done. What is older than memory is run again from the record."""
    missing: list[Seat] = []

    def deed(match: Match) -> None:
        missing[:] = match.undo(seat, agreed)

    try:
        await room.act(deed, at)
    except RefusedByRules as refused:
        if refused.refusal.fact != "nothing_to_undo" or room.match.base <= 1:
            raise
        async with room.lock:
            await room.catch_up()
            await room.whole()
        await room.act(deed, at)
    return tuple(missing)


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
    """By figures that a table could have. Where more was told than is held in memory, the rules are run from the record first."""
    by = umpire(who)
    if any(abs(figure) > FARTHEST for figure in figures_in(said.changes)):
        raise ServerError(f"a ruling has no figures beyond {FARTHEST:,}")
    async with room.lock:
        await room.catch_up()
        if not room.match.recalls and not room.match.over:
            await room.whole()
    return m.Done(said.id, await room.act(lambda match: match.rule(by, said.because, said.changes)))


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
    m.Put: put,
    m.Odds: odds,
    m.Why: why,
    m.OffersOf: offers_of,
    m.Spots: spots,
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
LOOKS = (m.Put, m.Odds, m.Why, m.OffersOf, m.Spots)


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
