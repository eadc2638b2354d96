"""What the server reads from its database and writes into it. Reads are calls; what is written goes through the writer."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy import BindParameter, Connection, Engine, Float, Select, bindparam, cast, func, insert, or_, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import Executable

from wardogs.kernel.offers import Seat
from wardogs.kernel.record import Entry, Record
from wardogs.server import tables as t
from wardogs.server.lines import Line as Written
from wardogs.server.lines import entry_of, line_of
from wardogs.server.messages import Line
from wardogs.server.referee import PERSON, STAND_IN
from wardogs.server.writer import Writer

TALK = 100  # lines that somebody who sits down is told
LATELY = 32  # entries before the last that a room looks at when it opens
CHANGED = "changed"  # the games that the commit under way changes
CHANNEL = "wardogs"
DEAD = 10.0  # seconds after which a worker that gives no sign of life is none
A_NOTICE = 200  # games: PostgreSQL takes no more than 8000 bytes


class Settings(Struct, frozen=True, omit_defaults=True):
    """What the host of a game has decided beside its rules."""

    delay: float = 60.0  # seconds by which spectators see the game late
    clock: float | None = None  # seconds on the clock of each seat; None: nobody is in a hurry
    increment: float = 0.0  # seconds added for each answer
    webhook: str = ""  # told of every turn


class SeatRow(NamedTuple):
    seat: Seat
    role: str
    key: str
    player: str
    name: str
    person: str | None
    watchable: bool
    told: int
    time_left: float | None
    draft: str
    person_key: str | None = None  # hash of the sign-in link of whoever sits there


class Kept(NamedTuple):
    """A game as the database holds it: its header, its last entry, and where it stands."""

    id: str
    system: str
    head: int
    position: bytes
    seed: bytes
    luck: bytes
    stamp: int
    settings: Settings
    header: Entry
    last: Entry
    seats: tuple[SeatRow, ...]
    watch_keys: frozenset[str]
    proposals: tuple[Proposed, ...]
    heard: int  # the last line of talk
    moved: float  # when the last entry came
    elsewhere: frozenset[Seat] = frozenset()  # seats in which somebody sits at another worker
    lines: tuple[bytes, ...] = ()  # the last entries, as they are written
    first: bytes = b""  # the header, too

    @property
    def lately(self) -> list[Entry]:
        return [entry_of(line) for line in self.lines]


class Said(NamedTuple):
    """A line of talk as the database holds it."""

    seat: Seat
    to: str
    text: str
    id: int = 0

    @property
    def line(self) -> Line:
        return Line(self.seat, numbers(self.to), self.text)


class Proposed(NamedTuple):
    """What a seat wants that others must agree to."""

    kind: str
    seat: Seat
    n: int
    agreed: tuple[Seat, ...]


class Beside(NamedTuple):
    """What lies beside the game: who sits there, what was said and proposed, the umpire's notes, and entries missed."""

    seats: tuple[SeatRow, ...]
    proposals: tuple[Proposed, ...]
    talk: tuple[Said, ...]
    notes: str
    missed: tuple[Written, ...]
    stamp: int = 0
    elsewhere: frozenset[Seat] = frozenset()  # seats in which somebody sits at another worker
    head: int = 0  # the last entry

    @property
    def heard(self) -> int:
        """The last line of talk."""
        return self.talk[-1].id if self.talk else 0

    @property
    def is_all_talk(self) -> bool:
        return len(self.talk) < TALK

    def heard_by(self, seat: Seat) -> list[Line]:
        """What somebody in this seat may have heard, of the last lines."""
        return [said.line for said in self.talk if not said.line.to or seat in said.line.to]


class Appended(NamedTuple):
    """Entries to write at the end of a game, and where it stands then."""

    game: str
    entries: Sequence[Written]
    position: bytes
    waiting: str
    over: bool
    times: tuple[tuple[Seat, float], ...] = ()  # what is left on the clocks that ran
    resigned: tuple[Seat, ...] = ()  # where people sat; the others fight on


class _Quick:
    """A statement compiled once and run on the bare driver: the hot path."""

    def __init__(self, engine: Engine, statement: Executable) -> None:
        compiled: Any = statement.compile(engine)  # type: ignore[attr-defined]
        self.sql, self.names, self.given = compiled.string, compiled.positiontup, compiled.params
        self.dialect, self.error = engine.dialect, engine.dialect.loaded_dbapi.Error

    def run(self, cursor: Any, values: dict[str, Any]) -> Any:
        every = {**self.given, **values}
        try:
            return cursor.execute(self.sql, [every[name] for name in self.names] if self.names else every)
        except self.error as error:
            raise self._told(error, cursor) from error

    def _told(self, error: Any, cursor: Any) -> BaseException:
        """As all else that the database says reaches us; without the values, which may be secret."""
        lost = self.dialect.is_disconnect(error, cursor.connection, cursor)
        told: BaseException = DBAPIError.instance(
            self.sql, None, error, self.error, connection_invalidated=lost, dialect=self.dialect
        )
        return told

    def rows(self, connection: Connection, **values: Any) -> list[Any]:
        cursor = self.run(connection.connection.cursor(), values)
        try:
            found: list[Any] = cursor.fetchall()
        except self.error as error:  # SQLite reads only now
            raise self._told(error, cursor) from error
        return found

    def one(self, connection: Connection, **values: Any) -> Any:
        """The first field of the first row, if there is one."""
        found = self.rows(connection, **values)
        return found[0][0] if found else None


class _Reads:
    """All that is asked when somebody sits down. After a crash everybody does so at once."""

    def __init__(self, engine: Engine) -> None:
        game: BindParameter[str] = bindparam("game")
        entry, talk = t.entries.c, t.talk.c
        kept = [t.games.c[name] for name in ("id", "system", "head", "position", "seed", "luck", "stamp", "settings", "moved")]
        seats = select(*(t.seats.c[name] for name in SeatRow._fields[:-1]), t.people.c.key)
        seats = seats.select_from(t.seats.outerjoin(t.people, t.seats.c.person == t.people.c.id))
        said = select(talk.seat, talk.to, talk.text, talk.id).where(talk.game == game)
        proposed = [t.proposals.c[name] for name in Proposed._fields]
        self.game = _Quick(engine, select(*kept).where(t.games.c.id == game))
        self.stamp = _Quick(engine, select(t.games.c.stamp, t.games.c.head).where(t.games.c.id == game))
        self.entry = _Quick(engine, select(entry.body).where(entry.game == game, entry.n == bindparam("n")))
        self.since = _Quick(engine, select(entry.body).where(entry.game == game, entry.n >= bindparam("n")).order_by(entry.n))
        between = (entry.n >= bindparam("first"), entry.n <= bindparam("n"))
        self.lately = _Quick(engine, select(entry.body).where(entry.game == game, *between).order_by(entry.n))
        self.seats = _Quick(engine, seats.where(t.seats.c.game == game).order_by(t.seats.c.seat))
        self.watchers = _Quick(engine, select(t.watchers.c.key).where(t.watchers.c.game == game))
        self.proposals = _Quick(engine, select(*proposed).where(t.proposals.c.game == game))
        self.heard = _Quick(engine, select(func.max(talk.id)).where(talk.game == game))
        self.talk = _Quick(engine, said.order_by(talk.id.desc()).limit(TALK))
        may_hear = (talk.id <= bindparam("last"), or_(talk.to == "", ("," + talk.to + ",").like(bindparam("seat"))))
        self.heard_by = _Quick(engine, said.where(*may_hear).order_by(talk.id.desc()).limit(TALK))
        self.notes = _Quick(engine, select(t.notes.c.text).where(t.notes.c.game == game))
        elsewhere = _elsewhere(engine, bindparam("worker"), bindparam("now"))
        self.others = _Quick(engine, elsewhere.where(t.present.c.game == game))

    def sitting(self, connection: Connection, game: str) -> tuple[SeatRow, ...]:
        rows = (SeatRow(*row) for row in self.seats.rows(connection, game=game))
        return tuple(row._replace(watchable=bool(row.watchable)) for row in rows)

    def sitting_elsewhere(self, connection: Connection, game: str, worker: str) -> frozenset[Seat]:
        """The seats in which somebody sits at another worker; one that is alone need not ask."""
        rows = self.others.rows(connection, game=game, worker=worker, now=time.time()) if worker else []
        return frozenset(seat for _, seat in rows)

    def proposed(self, connection: Connection, game: str) -> tuple[Proposed, ...]:
        rows = self.proposals.rows(connection, game=game)
        return tuple(Proposed(kind, seat, n, tuple(numbers(agreed))) for kind, seat, n, agreed in rows)


class Store:
    def __init__(self, engine: Engine, worker: str = "") -> None:
        self.engine, self.worker = engine, worker  # its name among those that share the database; none if it is alone
        self.writer = Writer(engine, _announce)
        self._read = _Reads(engine)
        games = t.games.c
        self._move = _Quick(
            engine,
            update(t.games)
            .where(games.id == bindparam("game"), games.head == bindparam("before"))
            .values(
                head=bindparam("new_head"), position=bindparam("new_position"), waiting=bindparam("new_waiting"),
                over=bindparam("new_over"), moved=bindparam("now"), stamp=games.stamp + 1,
            )
            .returning(games.stamp),
        )  # fmt: skip
        self._add = _Quick(
            engine,
            insert(t.entries).values(game=bindparam("game"), n=bindparam("n"), at=bindparam("at"), body=bindparam("body")),
        )

    def close(self) -> None:
        self.writer.close()
        self.engine.dispose()

    # ---- a game's entries --------------------------------------------------------------------------------------

    async def append(self, new: Appended) -> int:
        """The game's stamp when they are written; 0 if somebody else has written there first, and nothing was."""
        tries = count()
        return await self.writer.write(lambda connection: self._append(connection, new, next(tries) > 0))

    def _append(self, connection: Connection, new: Appended, again: bool) -> int:
        """The head decides the race: only who finds it where he left it may move it."""
        cursor, now = connection.connection.cursor(), time.time()
        first, last = new.entries[0], new.entries[-1]
        moved = self._move.run(
            cursor,
            {
                "game": new.game, "before": first.n - 1, "new_head": last.n, "new_position": new.position,
                "new_waiting": new.waiting, "new_over": new.over, "now": now,
            },
        ).fetchone()  # fmt: skip
        if moved is None:
            return _ours(connection, new.game, last) if again else 0
        for entry in new.entries:
            self._add.run(cursor, {"game": new.game, "n": entry.n, "at": now, "body": entry.body})
        for seat, left in new.times:
            connection.execute(update(t.seats).where(t.seats.c.game == new.game, t.seats.c.seat == seat).values(time_left=left))
        if new.resigned:
            his = (t.seats.c.game == new.game, t.seats.c.seat.in_(new.resigned), t.seats.c.player == PERSON)
            connection.execute(update(t.seats).where(*his).values(player=STAND_IN))
        _remember(connection, new.game)
        return int(moved[0])

    def kept(self, game: str) -> Kept | None:
        read = self._read
        with self.engine.connect() as connection:
            rows = read.game.rows(connection, game=game)
            if not rows:
                return None
            id_, system, head, position, seed, luck, stamp, settings, moved = rows[0]
            first = bytes(read.entry.one(connection, game=game, n=0))
            lines = tuple(bytes(body) for (body,) in read.lately.rows(connection, game=game, n=head, first=head - LATELY))
            return Kept(
                id_, system, head, bytes(position), bytes(seed), bytes(luck), stamp,
                msgspec.json.decode(settings, type=Settings), entry_of(first), entry_of(lines[-1]),
                read.sitting(connection, game), frozenset(key for (key,) in read.watchers.rows(connection, game=game)),
                read.proposed(connection, game), read.heard.one(connection, game=game) or 0, moved,
                read.sitting_elsewhere(connection, game, self.worker), lines, first,
            )  # fmt: skip

    def doors(self, game: str) -> tuple[tuple[SeatRow, ...], frozenset[str]]:
        """All links to a game; of one that is not there, none."""
        with self.engine.connect() as connection:
            watchers = frozenset(key for (key,) in self._read.watchers.rows(connection, game=game))
            return self._read.sitting(connection, game), watchers

    def record(self, game: str, to: int | None = None) -> Record:
        """The whole record, or up to an entry."""
        return Record([entry_of(line) for line in self.lines(game, 0, to)])

    def lines(self, game: str, first: int = 0, to: int | None = None) -> list[bytes]:
        column = t.entries.c
        where = [column.game == game, column.n >= first, *([column.n <= to] if to is not None else [])]
        with self.engine.connect() as connection:
            return [bytes(body) for body in connection.execute(select(column.body).where(*where).order_by(column.n)).scalars()]

    def since(self, game: str, n: int) -> list[Written]:
        with self.engine.connect() as connection:
            return [line_of(bytes(body)) for (body,) in self._read.since.rows(connection, game=game, n=n)]

    def entry_before(self, game: str, moment: float) -> int:
        """The last entry that was written by then: what a spectator may know."""
        column = t.entries.c
        asked = select(column.n).where(column.game == game, column.at <= moment).order_by(column.n.desc()).limit(1)
        with self.engine.connect() as connection:
            found = connection.execute(asked).scalar()
            return 0 if found is None else int(found)

    def stamps(self, games: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Of each game its stamp and its head: has somebody else moved it?"""
        column = t.games.c
        with self.engine.connect() as connection:
            rows = connection.execute(select(column.id, column.stamp, column.head).where(column.id.in_(list(games))))
            return {row.id: (row.stamp, row.head) for row in rows}

    def beside(self, game: str, after: int | None = None) -> Beside:
        """All but the game itself; with the entries after a number, if one is given."""
        read = self._read
        with self.engine.connect() as connection:
            stamp, head = (*read.stamp.rows(connection, game=game), (0, 0))[0]  # first: what follows may be newer, never older
            said = tuple(Said(*row) for row in reversed(read.talk.rows(connection, game=game)))
            notes = read.notes.one(connection, game=game) or ""
            seats, proposals = read.sitting(connection, game), read.proposed(connection, game)
            new = [] if after is None else read.since.rows(connection, game=game, n=after + 1)
            elsewhere = read.sitting_elsewhere(connection, game, self.worker)
        missed = tuple(line_of(bytes(body)) for (body,) in new)
        return Beside(seats, proposals, said, notes, missed, stamp, elsewhere, head)

    def heard_by(self, game: str, seat: Seat, last: int) -> list[Line]:
        """The last lines that somebody in this seat may hear, up to one."""
        with self.engine.connect() as connection:
            rows = self._read.heard_by.rows(connection, game=game, last=last, seat=f"%,{seat},%")
        return [Said(*row).line for row in reversed(rows)]

    # ---- seats and people --------------------------------------------------------------------------------------

    def elsewhere(self, games: Sequence[str]) -> dict[str, frozenset[Seat]]:
        """Of some games the seats in which somebody sits at another worker."""
        found: dict[str, frozenset[Seat]] = {}
        asked = _elsewhere(self.engine, self.worker, time.time()).where(t.present.c.game.in_(games))
        with self.engine.connect() as connection:
            for game, seat in connection.execute(asked):
                found[game] = found.get(game, frozenset()) | {seat}
        return found

    def seats(self, game: str) -> tuple[SeatRow, ...]:
        with self.engine.connect() as connection:
            return self._read.sitting(connection, game)


def _elsewhere(engine: Engine, worker: Any, now: Any) -> Select[Any]:
    """Game and seat of all who sit at another worker that is alive."""
    alive = t.present.join(t.workers, t.present.c.worker == t.workers.c.id)
    then = THERE if engine.dialect.name == "postgresql" else now
    return select(t.present.c.game, t.present.c.seat).select_from(alive).where(
        t.present.c.worker != worker, t.workers.c.seen > then - DEAD
    )  # fmt: skip


THERE = cast(func.extract("epoch", func.clock_timestamp()), Float)


def now_there(connection: Connection) -> float:
    """By the database's clock where several machines may share it: their own go differently."""
    return float(connection.execute(select(THERE)).scalar_one()) if connection.dialect.name == "postgresql" else time.time()


def numbers(text: str) -> list[Seat]:
    """Seats as the tables keep them: "1,2"."""
    return [int(part) for part in text.split(",") if part]


def _ours(connection: Connection, game: str, last: Written) -> int:
    """The stamp, if what stands there is ours after all: from a commit that broke off before we heard of it."""
    column = t.entries.c
    written = connection.execute(select(column.body).where(column.game == game, column.n == last.n)).scalar()
    if written is None or bytes(written) != last.body:
        return 0
    return int(connection.execute(select(t.games.c.stamp).where(t.games.c.id == game)).scalar_one())


def touched(connection: Connection, game: str) -> None:
    """Something beside the entries changes: let the other workers look. Called first, it puts all who write there in order."""
    connection.execute(update(t.games).where(t.games.c.id == game).values(stamp=t.games.c.stamp + 1))
    _remember(connection, game)


def _remember(connection: Connection, game: str) -> None:
    connection.info.setdefault(CHANGED, set()).add(game)


def _announce(connection: Connection) -> None:
    """PostgreSQL tells the other workers, with the commit, which games have changed; a SQLite file they watch themselves."""
    games = sorted(connection.info.pop(CHANGED, ()))
    if connection.dialect.name == "postgresql":
        for k in range(0, len(games), A_NOTICE):
            connection.exec_driver_sql("SELECT pg_notify(%s, %s)", (CHANNEL, " ".join(games[k : k + A_NOTICE])))
