"""A room: one game at this worker. What is done in it is first on the disk, then told.

The referee runs the rules and says what is to be written and told. Nobody hears of an entry before it is written, and an
entry that cannot be written has not happened: the referee then takes the game up again from the database, as he does when
another worker was first.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import takewhile
from typing import Any, TypeVar

import msgspec
from msgspec import Raw
from sqlalchemy.exc import SQLAlchemyError

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Choice, Refusal, Refused, Seat
from wardogs.kernel.phrases import Phrasebook
from wardogs.kernel.record import Entry, Header
from wardogs.server.calls import AnyDeed, Do, Forgotten, Message, Request, Result, See, Seen, Standing, Take, Whole
from wardogs.server.clocks import charged
from wardogs.server.errors import Broken, Late, ServerError, Unavailable
from wardogs.server.gallery import Gallery, Shown
from wardogs.server.lines import Line as Written
from wardogs.server.listeners import Listener, Staying
from wardogs.server.messages import Line, Proposal, Sat, Sit, Table, raw, written
from wardogs.server.referee import PERSON, STAND_IN
from wardogs.server.referees import AtHome, Bench
from wardogs.server.seating import chairs, heard_by, throw_anew
from wardogs.server.store import Appended, Beside, Kept, Proposed, SeatRow, Store
from wardogs.server.telling import Audience

LINGER = 30.0  # seconds after a visit for which a seat counts as taken: who plays by requests looks in again and again
AGAIN = 0.5  # seconds before a database that cannot be read is asked again

log = logging.getLogger("wardogs.room")
T = TypeVar("T")

_words: dict[tuple[str, str], dict[str, dict[str, str]]] = {}


def header_of(kept: Kept) -> Header:
    """All games that are told in the same words share them."""
    header = kept.header.header
    assert header is not None
    words = _words.setdefault((header.system, header.rules_version), header.words)
    return msgspec.structs.replace(header, words=words) if header.words == words else header


def _is_silent(entry: Entry) -> bool:
    """An answer, or one taken back, of which nothing has come yet: others are still asked."""
    return entry.kind in ("choice", "undo") and not entry.faces and not any(report.rule for report in entry.reports)


async def nobody_advises(room: Room, seat: Seat) -> Choice:
    raise ServerError("nobody gives advice here")


class Room:
    standing: Standing

    def __init__(self, store: Store, kept: Kept, bench: Bench | None = None) -> None:
        self.store, self.id, self.system = store, kept.id, kept.system
        self.referee = (bench or AtHome()).referee()
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.galleries: dict[Audience, Gallery] = {}  # one for views, one for boards, as they are wanted
        self.stamp = self._looked = 0  # of what is known here of the table; of when all beside the game was read
        self._written = 0  # of our last entry
        self.heard = kept.heard  # the last line of talk
        self.head = -1  # the last entry that is on the disk and told
        self.used = time.monotonic()
        self.patience = 60.0  # seconds that a seat may be empty before others may hand it to a bot
        self._left: dict[Seat | None, float] = {}  # when its last listener went
        self._visited: dict[Seat, float] = {}  # when somebody last looked in who does not stay
        self._opened = self.used
        self._rows: tuple[SeatRow, ...] = ()  # the seats, as they were last read or written
        self._resigned: tuple[Seat, ...] = ()  # of whom it was told
        self.elsewhere: frozenset[Seat] = frozenset()  # seats in which somebody sits at another worker
        self._refreshing: asyncio.Task[None] | None = None
        self.after: Callable[[Room], None] = lambda _: None  # what the hall does when something has happened
        self.seating: Callable[[Room], None] = lambda _: None  # and when somebody has come or gone
        self.advise: Callable[[Room, Seat], Awaitable[Choice]] = nobody_advises
        self.header = header_of(kept)
        self.book = Phrasebook(self.header.words, self.header.names)

    @classmethod
    async def opened(cls, store: Store, kept: Kept, bench: Bench | None = None) -> Room:
        room = cls(store, kept, bench)
        await room._take(kept, [])
        return room

    async def _take(self, kept: Kept, missed: Sequence[Written]) -> Result:
        """As the database has it; what was missed here is told when all is taken in."""
        take = Take(
            kept.id, kept.system, kept.first, kept.lines[-1], kept.position, kept.seed, [line.body for line in missed],
            self.listening if missed else [], self.head,
            tuple(row.seat for row in kept.seats if row.player != PERSON),
        )  # fmt: skip
        result = await self.ask(take, Result)
        self.settings, self.watch_keys, self.since, self.luck = kept.settings, kept.watch_keys, kept.moved, kept.luck
        self.head = kept.head
        if kept.stamp >= self._looked:  # else something newer is known of who sits here
            self._looked, self.stamp = kept.stamp, max(self.stamp, kept.stamp)
            self._proposed, self.elsewhere = kept.proposals, kept.elsewhere
            self._seat(kept.seats)
        self._begin(result.standing)
        if result.standing.answered:
            self._remember(kept)
        return result

    def _begin(self, standing: Standing) -> None:
        self.standing = standing
        self.question = object()  # the one that is put now: another for each
        self._put = standing.next  # since when
        self._last = dict[Seat, int]()  # the last entry of each seat since then
        self.stale = False

    def _remember(self, kept: Kept) -> None:
        """Some have answered the question that stands: which entries are theirs, so that none counts twice."""
        since = [*takewhile(_is_silent, reversed(kept.lately))]
        self._put -= len(since)
        self._last = {entry.seat: entry.n for entry in reversed(since) if entry.seat is not None}

    # ---- what is done here -------------------------------------------------------------------------------------

    async def ask(self, said: Request, answer: type[T]) -> T:
        """The referee. If he fails, or nobody waits for what he says, the game is taken up again before anything else."""
        try:
            return await self.referee.ask(said, answer)
        except (Broken, Unavailable):
            self.stale = True
            raise
        except (Refused, ServerError, WardogsError, Forgotten):
            raise
        except BaseException:
            self.stale = True
            raise

    @property
    def listening(self) -> list[Audience]:
        return [*{listener.audience for listener in self.listeners}, *self.galleries]

    @property
    def onlookers(self) -> list[Listener]:
        """All in the galleries."""
        return [listener for gallery in self.galleries.values() for listener in gallery.listeners]

    async def act(self, deed: AnyDeed | Callable[[], AnyDeed | None], at: int | None = None, by: Seat | None = None) -> Result:
        """Do it, write it, tell it. `at` is the number that the doer expects it to have; a deed may be made out at the last
        moment. What needs more of the past than is held in memory is tried again when all of it is."""
        async with self.lock:
            await self.catch_up()
            try:
                return await self._act(deed, at, by)
            except Forgotten:
                await self._whole()
            try:
                return await self._act(deed, at, by)
            except Forgotten:
                raise Refused(Refusal("", "nothing_to_undo")) from None

    async def _act(self, deed: AnyDeed | Callable[[], AnyDeed | None], at: int | None, by: Seat | None) -> Result:
        before = self.standing
        if at is not None and not self._in_time(at, by):
            raise Refused(Refusal("", "game_over")) if before.over else Late(before.next, at)
        made = deed() if callable(deed) else deed
        if made is None:
            return Result(before)
        result = await self.ask(Do(made, self.listening, self.bots), Result)
        if result.entries:
            await self._commit(result, before)
        return result

    def _in_time(self, at: int, by: Seat | None) -> bool:
        """Next in the record; or, where several are asked at once, an answer to the question that still stands. Never twice."""
        after = self.standing.next
        return at == after or (by is not None and self._put <= at < after and self._last.get(by, 0) < at)

    async def _commit(self, result: Result, before: Standing) -> None:
        standing, new, now = result.standing, result.entries, time.time()
        waiting = ",".join(map(str, standing.waiting))
        times = charged(self, before.waiting, result, now) if self.settings.clock is not None else ()
        resigned = () if standing.over else tuple(sorted({*standing.gone} - {*before.gone}))
        try:
            stamp = await self.store.append(Appended(self.id, new, result.position, waiting, standing.over, times, resigned))
        except asyncio.CancelledError:  # who asked has gone while it was being written: look whether it was
            self.stale = True
            raise
        except Exception as error:
            self.stale = True
            log.error("not written", extra={"game": self.id, "error": type(error).__name__})
            raise Unavailable from None
        if not stamp:
            self.stale = True
            await self.catch_up()
            raise Late(self.standing.next)
        self._written = stamp
        if stamp == self.stamp + 1:  # else others have changed something too, and the next look finds it
            self.stamp = stamp
        self.since = now
        if times:
            left = dict(times)
            self.seats = tuple(row._replace(time_left=left.get(row.seat, row.time_left)) for row in self.seats)
            self.tell_table()
        self._stand(result)
        self._publish(result)

    def _stand(self, result: Result) -> None:
        self._rows = self.seats  # for who had resigned a bot plays on, also when the umpire brings him back: so it is written
        self._last |= {line.seat: line.n for line in result.entries if line.seat is not None}
        if result.standing.question != self.standing.question:
            self.question, self._put = object(), result.standing.next
        self.standing, self.head = result.standing, result.entries[-1].n

    async def catch_up(self) -> None:
        """Take the game up again from the database, and tell what others have done meanwhile."""
        if not self.stale:
            return
        seen = self.head + 1
        try:
            kept = await asyncio.to_thread(self.store.kept, self.id)
            assert kept is not None
            missed = [line for line in await asyncio.to_thread(self.store.since, self.id, seen) if line.n <= kept.head]
        except SQLAlchemyError as error:
            log.error("cannot be read", extra={"game": self.id, "error": type(error).__name__})
            raise Unavailable from None
        result = await self._take(kept, missed)
        if missed:
            self._last |= {line.seat: line.n for line in missed if line.seat is not None}
        self._publish(result)

    async def _whole(self) -> None:
        """Let the referee run the rules from the beginning, so that everything can be taken back; the caller holds the lock."""
        lines = await asyncio.to_thread(self.store.lines, self.id)
        try:
            result = await self.ask(Whole(lines, self.head, self.listening), Result)
        except Refused:  # another worker has ended the game
            self.stale = True
            raise
        self._begin(result.standing)
        if result.entries:  # another worker's
            self.head = result.entries[-1].n
            self._publish(result)

    def close(self) -> None:
        """Nobody uses it now; who still holds it takes the game up again."""
        self.stale = True
        self.referee.close()

    def behind(self, stamp: int, head: int) -> bool:
        return stamp > self.stamp or head > self.head

    async def hear(self, head: int) -> None:
        """Another worker has changed something: take it in and tell it."""
        async with self.lock:
            self.stale = self.stale or head > self.head
            await self.catch_up()
        await self.refresh()

    # ---- who hears of it ---------------------------------------------------------------------------------------

    def _publish(self, result: Result) -> None:
        """Tell everybody what the referee has for him; and who has resigned, or is back by the umpire's leave."""
        for message in result.news:
            self._tell(message, result.standing, result.entries[-1].n)
        if result.standing.gone != self._resigned:
            self._resigned = result.standing.gone
            self.tell_table()
            self._throw_anew()
        self.after(self)

    def _tell(self, message: Message, standing: Standing, n: int) -> None:
        if message.audience.looks_on:
            if (gallery := self.galleries.get(message.audience)) is not None:
                gallery.publish(Shown(n, message.view, standing.waiting, standing.outcome), message.body)
            return
        for listener in [one for one in self.listeners if one.audience == message.audience]:
            listener.tell(message.body)

    @property
    def busy(self) -> bool:
        """Somebody is here, something is being done, or a bot is thinking."""
        return bool(self.listeners or self.onlookers or self.lock.locked() or self.bots_due())

    async def join(self, listener: Listener) -> None:
        """From now on the listener hears all news; the caller holds the lock and tells it what stands now."""
        if listener.audience.looks_on:
            (await self.gallery(listener.audience)).listeners.add(listener)
        else:
            self.listeners.add(listener)
            self.seating(self)

    async def gallery(self, audience: Audience) -> Gallery:
        """Opened for the first who comes; the caller holds the lock."""
        if audience not in self.galleries:
            self.galleries[audience] = await Gallery.opened(self, audience)
        return self.galleries[audience]

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        if not isinstance(listener, Staying) and listener.audience.seat is not None:
            self._visited[listener.audience.seat] = time.monotonic()
        for gallery in self.galleries.values():
            gallery.listeners.discard(listener)
        if not self.in_seat(listener.audience.seat):
            self._left[listener.audience.seat] = time.monotonic()
            self.seating(self)
        self.used = time.monotonic()

    def tell_line(self, line: Line) -> None:
        """To all players and the umpire; a whisper only to whom it is meant for. Spectators hear no talk: it may hold secrets."""
        message = written(line)
        for listener in list(self.listeners):
            if not line.to or listener.audience.seat in line.to:
                listener.tell(message)

    async def refresh(self) -> None:
        """Look again who sits here, what is proposed and what was said, and tell it.

        What was written stands, whether or not it can be read just now: then somebody looks again, until it can.
        """
        try:
            self.look(await self.beside())
        except SQLAlchemyError as error:
            log.warning("cannot look at the table now", extra={"game": self.id, "error": type(error).__name__})
            asyncio.get_running_loop().call_later(AGAIN, self._refresh_later)

    def _refresh_later(self) -> None:
        self._refreshing = asyncio.ensure_future(self.refresh())

    async def beside(self, after: int | None = None) -> Beside:
        """What lies beside the game: no older than what has been told of it here."""
        while (found := await asyncio.to_thread(self.store.beside, self.id, after)).heard < self.heard:
            await asyncio.sleep(0)
        return found

    async def level(self, after: int) -> Beside:
        """Level with the database, the game too: what lies beside it, the entries after a number; the caller holds the lock."""
        while True:
            await self.catch_up()
            beside = await self.beside(after)
            self.look(beside)
            if not self.stale:
                return beside

    def look(self, beside: Beside) -> None:
        """Take in what lies beside the game, unless something newer is known; every line of talk is told once, in order."""
        self.stale = self.stale or beside.head > self.head
        for said in beside.talk:
            if said.id > self.heard:
                self.heard = said.id
                self.tell_line(said.line)
        if beside.stamp >= self._looked:
            now = time.time()
            before, bots = (chairs(self, now=now), self.proposals), self.bots
            times = {row.seat: row.time_left for row in self.seats} if beside.stamp < self._written else {}  # ours are newer
            self._looked, self.stamp = beside.stamp, max(self.stamp, beside.stamp)
            self._seat(tuple(row._replace(time_left=times.get(row.seat, row.time_left)) for row in beside.seats))
            self._proposed = beside.proposals
            self._left |= dict.fromkeys(self.elsewhere - beside.elsewhere, time.monotonic())
            self.elsewhere = beside.elsewhere
            if before != (chairs(self, now=now), self.proposals):
                self.tell_table()
            if bots != self.bots:
                self._throw_anew()

    def _throw_anew(self) -> None:
        self._throwing = asyncio.ensure_future(throw_anew(self))

    def tell_table(self) -> None:
        message = written(Table(chairs(self), self.proposals))
        for listener in list(self.listeners):
            listener.tell(message)

    # ---- who sits here -----------------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[SeatRow, ...]:
        """Who sits where. For who has resigned a bot plays on, also where an older look at the table does not say so."""
        gone = () if self.standing.over else self.standing.gone
        if not gone:
            return self._rows
        return tuple(row._replace(player=STAND_IN) if row.seat in gone and row.player == PERSON else row for row in self._rows)

    @seats.setter
    def seats(self, rows: tuple[SeatRow, ...]) -> None:
        self._rows = rows

    def _seat(self, rows: tuple[SeatRow, ...]) -> None:
        """Who sits here now. Who came by a link that opens his place no longer is shown out."""
        self.seats = rows
        opens = {(row.seat, key) for row in rows for key in (row.key, row.person_key)}
        gone = [one for one in self.listeners if isinstance(one, Staying) and (one.audience.seat, one.secret) not in opens]
        if not all(row.watchable for row in rows if row.role == "player"):
            gone += [one for one in self.onlookers if isinstance(one, Staying)]
        for listener in gone:
            self.leave(listener)
            listener.show_out()

    @property
    def here(self) -> frozenset[Seat]:
        """The seats in which somebody sits at this worker, or has just looked in and will again."""
        sitting = {one.audience.seat for one in self.listeners if one.audience.seat is not None}
        lately = time.monotonic() - LINGER
        return frozenset(sitting.union(seat for seat, at in self._visited.items() if at > lately))

    def in_seat(self, seat: Seat | None) -> int:
        """How often a seat is open at this worker."""
        return sum(one.audience.seat == seat for one in self.listeners)

    def attend(self, elsewhere: frozenset[Seat]) -> None:
        """Who sits at other workers now."""
        if elsewhere != self.elsewhere:
            self._left |= dict.fromkeys(self.elsewhere - elsewhere, time.monotonic())
            self.elsewhere = elsewhere
            self.tell_table()

    def absent(self, seat: Seat) -> float:
        """Seconds for which nobody has been in this seat."""
        if seat in self.here | self.elsewhere:
            return 0.0
        return time.monotonic() - self._left.get(seat, self._opened)

    def row(self, seat: Seat) -> SeatRow | None:
        return next((row for row in self.seats if row.seat == seat), None)

    @property
    def proposed(self) -> list[Proposed]:
        """What is proposed, and no entry has overtaken it."""
        return [one for one in self._proposed if one.n == self.standing.next - 1]

    @property
    def proposals(self) -> list[Proposal]:
        """The same, for people."""
        people = [row.seat for row in self.seats if row.player == PERSON and row.role == "player"]
        return [
            Proposal(one.kind, one.seat, list(one.agreed), [seat for seat in people if seat not in one.agreed])
            for one in self.proposed
        ]

    async def shown_to(self, audience: Audience) -> Shown:
        """What somebody in this place may know by now, without his view; the caller holds the lock."""
        if audience.looks_on:
            return (await self.gallery(audience)).shown
        return Shown(self.standing.next - 1, b"", self.standing.waiting, self.standing.outcome)

    async def seen_by(self, audience: Audience, beside: Beside, stays: bool = False) -> tuple[Shown, Seen]:
        """The same with his view, his question and what he missed; `stays`: he hears all news from now on."""
        shown = await self.shown_to(audience)
        missed = [line.body for line in beside.missed if line.n <= shown.n]
        seen = await self.ask(See(audience, missed, stays and not audience.looks_on, self.bots), Seen)
        return (shown, msgspec.structs.replace(seen, view=shown.view)) if audience.looks_on else (shown, seen)

    async def sat(self, said: Sit, audience: Audience, beside: Beside, stays: bool = False) -> bytes:
        """All that somebody needs who sits down now, or comes back; the caller holds the lock."""
        shown, seen = await self.seen_by(audience, beside, stays)
        row = self.row(audience.seat) if audience.seat is not None else None
        heard = [] if row is None else await heard_by(self, row.seat, beside)
        header = self.header
        views = None if seen.views is None else {seat: Raw(one) for seat, one in seen.views.items()}
        view, board = (None, raw(seen.view) if views is None else None) if audience.draws else (Raw(seen.view), None)
        return written(
            Sat(
                said.id, self.id, header.system, str(header.setup.scenario.get("name", "")), audience.role, shown.n,
                view, shown.waiting, chairs(self, audience), audience.seat, seen.briefing, raw(seen.entries) or [],
                raw(seen.question), raw(seen.throw), self._draft(row), heard,
                [] if audience.looks_on else self.proposals, raw(shown.outcome),
                beside.notes if audience.role == "umpire" else None, views, board, header.names,
            )
        )  # fmt: skip

    def _draft(self, row: SeatRow | None) -> Any:
        """What this seat has begun to answer to the question that stands."""
        if row is None or not row.draft:
            return None
        n, choice = msgspec.json.decode(row.draft)
        return choice if self._in_time(n, row.seat) else None

    @property
    def bots(self) -> tuple[Seat, ...]:
        return tuple(row.seat for row in self.seats if row.player != PERSON)

    def bots_due(self) -> list[SeatRow]:
        """The bots that owe an answer."""
        if not self.standing.asked:
            return []
        return [row for row in self.seats if row.player != PERSON and row.seat in self.standing.waiting]
