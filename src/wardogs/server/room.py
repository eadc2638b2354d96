"""A room: one game at this worker. What is done in it is first on the disk, then told.

Nobody hears of an entry before it is written, and an entry that cannot be written has not happened: the room then takes
the game up again from the database, as it does when another worker was first.
"""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, Protocol, runtime_checkable

import msgspec
from msgspec import Raw
from sqlalchemy.exc import SQLAlchemyError

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Fate, Sealed, Typed
from wardogs.kernel.game import Position
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Question, Refusal, Refused, Seat
from wardogs.kernel.record import Entry, Record
from wardogs.kernel.replay import resume
from wardogs.server.clocks import charged
from wardogs.server.errors import Broken, Late, ServerError, Unavailable
from wardogs.server.gallery import Gallery, Shown
from wardogs.server.messages import Chair, Line, News, Proposal, Sat, Sit, Table, written
from wardogs.server.patch import edits
from wardogs.server.rulebooks import rulebook
from wardogs.server.store import Appended, Beside, Kept, Proposed, SeatRow, Store
from wardogs.server.telling import SPECTATOR, Audience, Teller, changed

STAND_IN = "drill"  # plays on for who has resigned, where others still fight
LINGER = 30.0  # seconds after a visit for which a seat counts as taken: who plays by requests looks in again and again
KEEP = 40  # entries and positions held in memory, for undo without running the rules again
AGAIN = 0.5  # seconds before a database that cannot be read is asked again

log = logging.getLogger("wardogs.room")


def _is_silent(entry: Entry) -> bool:
    """An answer, or one taken back, of which nothing has come yet: others are still asked."""
    return entry.kind in ("choice", "undo") and not entry.faces and not any(report.rule for report in entry.reports)


class Listener(Protocol):
    """A socket, or whatever else wants to hear what happens."""

    audience: Audience

    def tell(self, message: bytes) -> None:
        """Never waits: a listener that cannot keep up is dropped."""


@runtime_checkable
class Staying(Protocol):
    """A listener that asks for more than once by the link it came with."""

    audience: Audience
    secret: str  # the hash of that link

    def tell(self, message: bytes) -> None:
        """As any listener."""

    def show_out(self) -> None:
        """The link is no longer good: he hears nothing more, and may do nothing more."""


class Room:
    def __init__(self, store: Store, kept: Kept) -> None:
        self.store, self.id, self.system = store, kept.id, kept.system
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.gallery: Gallery | None = None
        self.stamp = self._looked = 0  # of what is known here of the table; of when all beside the game was read
        self._written = 0  # of our last entry
        self.heard = kept.heard  # the last line of talk
        self.pending: list[Entry] = []
        self.used = time.monotonic()
        self.patience = 60.0  # seconds that a seat may be empty before others may hand it to a bot
        self._left: dict[Seat | None, float] = {}  # when its last listener went
        self._visited: dict[Seat, float] = {}  # when somebody last looked in who does not stay
        self._opened = self.used
        self.seats: tuple[SeatRow, ...] = ()
        self.elsewhere: frozenset[Seat] = frozenset()  # seats in which somebody sits at another worker
        self._refreshing: asyncio.Task[None] | None = None
        self.after: Callable[[Room], None] = lambda _: None  # what the hall does when something has happened
        self.seating: Callable[[Room], None] = lambda _: None  # and when somebody has come or gone
        self._take(kept)

    def _take(self, kept: Kept) -> None:
        """As the database has it."""
        self.settings, self.watch_keys, self.since, self.luck = kept.settings, kept.watch_keys, kept.moved, kept.luck
        self.head = kept.head  # the last entry that is on the disk and told; the match may be ahead while one is written
        if kept.stamp >= self._looked:  # else something newer is known of who sits here
            self._looked, self.stamp = kept.stamp, max(self.stamp, kept.stamp)
            self._proposed, self.elsewhere = kept.proposals, kept.elsewhere
            self._seat(kept.seats)
        system = rulebook(kept.system)
        header = kept.header.header
        assert header is not None
        if header.words == system.words:  # one phrasebook for all games that are told in today's words
            header = msgspec.structs.replace(header, words=system.words)
        record = Record([kept.last], header)
        fate: Fate = Sealed(kept.seed, header.entropy) if kept.seed else Typed()
        self._play(Match.restored(system, record, system.load(kept.position), fate, self))
        if self.match.game.answers:
            self._remember(kept)

    def _remember(self, kept: Kept) -> None:
        """Some have answered the question that stands: which entries are theirs, so that none counts twice."""
        since = [*takewhile(_is_silent, reversed(kept.lately))]
        self._put -= len(since)
        self._last = {entry.seat: entry.n for entry in reversed(since) if entry.seat is not None}

    def _play(self, match: Match) -> None:
        self.match = match
        self._asked = match.game.question
        self._put = match.record.next  # since when the question is put
        self._last = dict[Seat, int]()  # the last entry of each seat since then
        self.teller = Teller(match)
        self.views: dict[Audience, Any] = {}
        self.stale = False

    # ---- what is done here -------------------------------------------------------------------------------------

    def write(self, entry: Entry, position: Position[Any]) -> None:
        """The match's sink: collected here, written together."""
        self.pending.append(entry)

    async def act(self, deed: Callable[[Match], Any], at: int | None = None, by: Seat | None = None) -> int:
        """Do it, write it, tell it; returns the number of the last entry. `at` is the number that the doer expects it to have."""
        async with self.lock:
            await self.catch_up()
            if at is not None and not self._in_time(at, by):
                raise Refused(Refusal("", "game_over")) if self.match.over else Late(self.match.record.next, at)
            owing = self.match.game.waiting if self.settings.clock is not None else ()
            self._do(deed)
            await self._commit(owing)
            return self.match.record.next - 1

    def _in_time(self, at: int, by: Seat | None) -> bool:
        """Next in the record; or, where several are asked at once, an answer to the question that still stands. Never twice."""
        after = self.match.record.next
        return at == after or (by is not None and self._put <= at < after and self._last.get(by, 0) < at)

    def _do(self, deed: Callable[[Match], Any]) -> None:
        """Refusals pass; if the rules themselves fail, nothing has changed, and only this game knows of it."""
        self.pending = []
        try:
            deed(self.match)
        except (Refused, ServerError, WardogsError):
            raise
        except Exception as error:
            frames = [f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-4:]]
            log.error(
                "rules failed", extra={"game": self.id, "n": self.match.record.next, "error": type(error).__name__, "at": frames}
            )
            self.stale = True
            raise Broken from None

    async def _commit(self, owing: tuple[Seat, ...]) -> None:
        if not self.pending:
            return
        new, self.pending = self.pending, []
        game = self.match.game
        waiting = ",".join(map(str, game.waiting))
        position = self.match.system.save(game.position)
        now = time.time()
        times = charged(self, owing, new, now) if self.settings.clock is not None else ()
        try:
            stamp = await self.store.append(Appended(self.id, new, position, waiting, self.match.over, times))
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
            raise Late(self.match.record.next)
        self._written = stamp
        if stamp == self.stamp + 1:  # else others have changed something too, and the next look finds it
            self.stamp = stamp
        self.since, self.head = now, new[-1].n
        if times:
            left = dict(times)
            self.seats = tuple(row._replace(time_left=left.get(row.seat, row.time_left)) for row in self.seats)
            self.tell_table()
        self.publish(new)

    async def catch_up(self) -> None:
        """Take the game up again from the database, and tell what others have done meanwhile."""
        if not self.stale:
            return
        seen = self.head + 1
        try:
            kept = await asyncio.to_thread(self.store.kept, self.id)
            assert kept is not None
            missed = [entry for entry in await asyncio.to_thread(self.store.since, self.id, seen) if entry.n <= kept.head]
        except SQLAlchemyError as error:
            log.error("cannot be read", extra={"game": self.id, "error": type(error).__name__})
            raise Unavailable from None
        views = self.views
        self._take(kept)
        self.views = views
        if missed:
            self.publish(missed)
        else:
            self.after(self)

    def behind(self, stamp: int, head: int) -> bool:
        return stamp > self.stamp or head > self.head

    async def hear(self, head: int) -> None:
        """Another worker has changed something: take it in and tell it."""
        async with self.lock:
            self.stale = self.stale or head > self.head
            await self.catch_up()
        await self.refresh()

    async def whole(self) -> None:
        """Run the rules from the beginning, so that everything can be taken back; the caller holds the lock."""
        record = await asyncio.to_thread(self.store.record, self.id)
        if not record.finished:
            match = resume(self.match.system, record, self.match.fate, self)
            missed = [entry for entry in record.entries if entry.n > self.head]  # another worker's
            views = self.views
            self._play(match)
            self.views, self.head = views, record.next - 1
            if missed:
                self.publish(missed)

    # ---- who hears of it ---------------------------------------------------------------------------------------

    def publish(self, new: Sequence[Entry]) -> None:
        """Tell everybody what has happened, each as far as he may know."""
        self._note(new)
        for audience in {listener.audience for listener in self.listeners}:
            message = self.news(new, audience)
            for listener in [one for one in self.listeners if one.audience == audience]:
                listener.tell(message)
        if self.gallery is not None:
            self.gallery.publish(new)
        self.teller.forget_words()
        self.match.forget(KEEP)
        self.after(self)

    def _note(self, new: Sequence[Entry]) -> None:
        self._last |= {entry.seat: entry.n for entry in new if entry.seat is not None}
        if self.match.game.question is not self._asked:
            self._asked, self._put = self.match.game.question, self.match.record.next

    def news(self, new: Sequence[Entry], audience: Audience) -> bytes:
        teller = self.teller
        view = teller.views() if audience.role == "umpire" else teller.view(audience)
        before, self.views[audience] = self.views.get(audience), view
        told = teller.happened(new, audience)
        both = (teller.question(audience), teller.throw(), teller.outcome())
        waiting = self.match.game.waiting
        if audience.role == "umpire":
            return written(News(new[-1].n, told, [], waiting, *both, changed(before or view, view)))
        return written(News(new[-1].n, told, edits(before, view), waiting, *both))

    def current(self, audience: Audience) -> Any:
        """The view that the next edits will be made against; for who hears no news, the table as it is now."""
        if audience in self.views:
            return self.views[audience]
        return self.teller.views() if audience.role == "umpire" else self.teller.view(audience)

    @property
    def busy(self) -> bool:
        """Somebody is here, something is being done, or a bot is thinking."""
        watched = self.gallery is not None and bool(self.gallery.listeners)
        return bool(self.listeners) or self.lock.locked() or watched or bool(self.bots_due())

    async def join(self, listener: Listener) -> None:
        """From now on the listener hears all news; the caller holds the lock and tells it what stands now."""
        if listener.audience != SPECTATOR:
            self.views[listener.audience] = self.current(listener.audience)
            self.listeners.add(listener)
            self.seating(self)
            return
        if self.gallery is None:
            self.gallery = await Gallery.opened(self)
        self.gallery.listeners.add(listener)

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        if not isinstance(listener, Staying) and listener.audience.seat is not None:
            self._visited[listener.audience.seat] = time.monotonic()
        if self.gallery is not None:
            self.gallery.listeners.discard(listener)
        if not any(other.audience == listener.audience for other in self.listeners):
            self.views.pop(listener.audience, None)
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
            before = self.chairs(), self.proposals
            times = {row.seat: row.time_left for row in self.seats} if beside.stamp < self._written else {}  # ours are newer
            self._looked, self.stamp = beside.stamp, max(self.stamp, beside.stamp)
            self._seat(tuple(row._replace(time_left=times.get(row.seat, row.time_left)) for row in beside.seats))
            self._proposed = beside.proposals
            self._left |= dict.fromkeys(self.elsewhere - beside.elsewhere, time.monotonic())
            self.elsewhere = beside.elsewhere
            if before != (self.chairs(), self.proposals):
                self.tell_table()

    def tell_table(self) -> None:
        message = written(Table(self.chairs(), self.proposals))
        for listener in list(self.listeners):
            listener.tell(message)

    # ---- who sits here -----------------------------------------------------------------------------------------

    def _seat(self, rows: tuple[SeatRow, ...]) -> None:
        """Who sits here now. Who came by a link that opens his place no longer is shown out."""
        self.seats = rows
        opens = {(row.seat, key) for row in rows for key in (row.key, row.person_key)}
        gone = [one for one in self.listeners if isinstance(one, Staying) and (one.audience.seat, one.secret) not in opens]
        if self.gallery is not None and not all(row.watchable for row in rows if row.role == "player"):
            gone += [one for one in self.gallery.listeners if isinstance(one, Staying)]
        for listener in gone:
            self.leave(listener)
            listener.show_out()

    @property
    def here(self) -> frozenset[Seat]:
        """The seats in which somebody sits at this worker, or has just looked in and will again."""
        sitting = {one.audience.seat for one in self.listeners if one.audience.seat is not None}
        lately = time.monotonic() - LINGER
        return frozenset(sitting.union(seat for seat, at in self._visited.items() if at > lately))

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
        return [one for one in self._proposed if one.n == self.match.record.next - 1]

    @property
    def proposals(self) -> list[Proposal]:
        """The same, for people."""
        people = [row.seat for row in self.seats if row.player == "person" and row.role == "player"]
        return [
            Proposal(one.kind, one.seat, list(one.agreed), [seat for seat in people if seat not in one.agreed])
            for one in self.proposed
        ]

    def chairs(self, audience: Audience | None = None) -> list[Chair]:
        """Spectators do not see the clocks, which tell when somebody has moved."""
        here = self.here | self.elsewhere
        names, late = self.match.header.names, audience == SPECTATOR
        return [
            Chair(
                row.seat, row.role, names.get(row.seat, ""), row.player, row.name, row.seat in here, row.watchable,
                None if late else row.time_left,
            )
            for row in self.seats
        ]  # fmt: skip

    async def shown_to(self, audience: Audience) -> Shown:
        """What somebody in this place sees who only looks in; the caller holds the lock."""
        if audience == SPECTATOR and self.gallery is None:
            self.gallery = await Gallery.opened(self)
        return self.shown(audience)

    def shown(self, audience: Audience) -> Shown:
        """What somebody in this place sees now."""
        if audience == SPECTATOR:
            assert self.gallery is not None
            return self.gallery.shown
        return Shown(self.match.record.next - 1, self.current(audience), self.match.game.waiting, self.teller.outcome())

    def sat(self, said: Sit, audience: Audience, beside: Beside) -> bytes:
        """All that somebody needs who sits down now, or comes back."""
        shown, views = self.shown(audience), None
        if audience.role == "umpire":
            views = {seat: Raw(written(one)) for seat, one in shown.view.items()}
        looks_on = audience == SPECTATOR
        row = self.row(audience.seat) if audience.seat is not None else None
        missed = [entry for entry in beside.missed if entry.n <= shown.n]
        header = self.match.header
        return written(
            Sat(
                said.id, self.id, header.system, str(header.setup.scenario.get("name", "")), audience.role, shown.n,
                Raw(b"null") if views else Raw(written(shown.view)), shown.waiting, self.chairs(audience), audience.seat,
                self.match.system.briefing(self.match.terms, row.seat) if row and audience.role == "player" else "",
                self.teller.happened(missed, audience), self.teller.question(audience),
                None if looks_on else self.teller.throw(), self._draft(row), beside.heard_by(audience),
                [] if looks_on else self.proposals, shown.outcome, beside.notes if audience.role == "umpire" else None, views,
            )
        )  # fmt: skip

    def _draft(self, row: SeatRow | None) -> Any:
        """What this seat has begun to answer to the question that stands."""
        if row is None or not row.draft:
            return None
        n, choice = msgspec.json.decode(row.draft)
        return choice if self._in_time(n, row.seat) else None

    def bots_due(self) -> list[SeatRow]:
        """The bots that owe an answer."""
        if not isinstance(self.match.game.question, Question):
            return []
        asked, gone = self.match.game.waiting, self.match.game.gone
        rows = [row._replace(player=STAND_IN) if row.player == "person" and row.seat in gone else row for row in self.seats]
        return [row for row in rows if row.player != "person" and row.seat in asked]
