"""Notices: "your turn", to a webhook, when somebody is asked who is not at the table.

Once for each question. The seat remembers the entry at which its holder was told: below zero while a notice is under way, so
that a restart neither repeats nor forgets one. Nothing here ever holds up a game.
"""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import logging
import socket
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select, update
from sqlalchemy.exc import SQLAlchemyError

from wardogs.kernel.offers import Seat
from wardogs.server import tables as t
from wardogs.server.config import Config
from wardogs.server.errors import ServerError
from wardogs.server.hall import Hall
from wardogs.server.room import Room
from wardogs.server.store import Settings, Store, numbers
from wardogs.systems import load_system

NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
OLD = ipaddress.IPv6Network("::/8")  # nothing in the open net but what wraps an older address

GRACE = 3.0  # seconds in which somebody may answer, or come back, before he is told
LOOK = 30.0  # seconds between looks at who has left the table
ORPHAN = 60.0  # seconds after which a notice under way has gone down with its worker
PATIENCE = 5.0  # seconds for a webhook to answer
TRIES = (0.0, 2.0, 10.0)  # seconds before each try
AT_ONCE = 8

log = logging.getLogger("wardogs.notices")


class BadWebhook(ServerError):
    status = 422

    def __init__(self, why: str) -> None:
        super().__init__(f"webhook: {why}")


# ---- where to ------------------------------------------------------------------------------------------------------


def checked_webhook(url: str, config: Config) -> str:
    """An address in the open net, as far as one can tell without asking; empty for none."""
    if url:
        parts = _parts(url)
        if not config.inner_webhooks and _inner_name(str(parts.hostname)):
            raise BadWebhook("should be an address in the open net, not one of this machine or its own network")
    return url


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or not url.isascii() or not url.isprintable() or " " in url or "@" in parts.netloc:
        raise BadWebhook("should be an address like https://example.org/hook")
    return parts


def _inner_name(host: str) -> bool:
    try:
        return is_inner(host)
    except ValueError:
        _, dot, top = host.rstrip(".").rpartition(".")
        return not dot or top in ("localhost", "local", "internal")


def is_inner(address: str) -> bool:
    """Not of the open net, also where one kind of address is wrapped in another."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if (same := _same(found)) is not None:
            return is_inner(str(same))
        wrapped = found.sixtofour or (found.teredo and found.teredo[1]) or None
        if found in OLD or found.is_site_local or (wrapped is not None and not wrapped.is_global):
            return True
    return not found.is_global or found.is_multicast


def _same(found: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The older address that this one is only another name of."""
    return ipaddress.IPv4Address(int(found) & 0xFFFF_FFFF) if found in NAT64 else found.ipv4_mapped


def reached(url: str, body: bytes, inner: bool) -> int:
    """Post it; the status. The name is looked up once, and what was checked is what is called. Redirects are not followed."""
    parts = _parts(url)
    host, secure = str(parts.hostname), parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not inner and any(is_inner(address) for address in found):
        raise BadWebhook("leads into this machine's own network")
    line = socket.create_connection((found[0], port), PATIENCE)
    if secure:
        line = ssl.create_default_context().wrap_socket(line, server_hostname=host, do_handshake_on_connect=False)
    end = threading.Timer(2 * PATIENCE, cut, (line,))  # who answers letter by letter is not waited for
    end.start()
    try:
        if isinstance(line, ssl.SSLSocket):
            line.do_handshake()
        calling = http.client.HTTPConnection(host, port, timeout=PATIENCE)
        calling.sock = line
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        calling.request("POST", path, body, {"Content-Type": "application/json", "User-Agent": "Wardogs", "Connection": "close"})
        return calling.getresponse().status
    finally:
        end.cancel()
        line.close()


def cut(line: socket.socket) -> None:
    """Whoever reads from it, or writes, hears at once that it is over; also under TLS, which would wait for a goodbye."""
    with suppress(OSError):  # it is over already
        socket.socket.shutdown(line, socket.SHUT_RDWR)


# ---- who is to be told ---------------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """A seat whose holder is asked, and where to tell him."""

    game: str
    system: str
    title: str
    head: int
    seat: Seat
    name: str
    told: int
    webhook: str


class _Acted(Struct):
    n: int
    seat: Seat | None = None


_acted = msgspec.json.Decoder(_Acted).decode


def turns(store: Store, game: str | None = None, seat: Seat | None = None) -> list[Turn]:
    """The people's seats that owe an answer and have somewhere to be told of it: of one game, or of all."""
    games, seats, people = t.games.c, t.seats.c, t.people.c
    joined = t.games.join(t.seats, seats.game == games.id).outerjoin(t.people, seats.person == people.id)
    where = [games.over.is_(False), games.waiting != "", seats.player == "person", seats.role == "player"]
    if game is not None:
        where += [games.id == game, seats.seat == seat]
    asked = select(
        games.id, games.system, games.title, games.head, games.waiting, games.settings,
        seats.seat, seats.name, seats.told, people.webhook,
    ).select_from(joined).where(*where)  # fmt: skip
    with store.engine.connect() as connection:
        rows = connection.execute(asked).all()
    found = []
    for row in rows:
        webhook = row.webhook or msgspec.json.decode(row.settings, type=Settings).webhook
        if webhook and row.seat in numbers(row.waiting):
            found.append(Turn(row.id, row.system, row.title, row.head, row.seat, row.name, row.told, webhook))
    return found


def under_way(store: Store) -> list[tuple[str, Seat, int]]:
    """The notices that somebody has begun to give: game, seat, and how they are marked."""
    seats = t.seats.c
    with store.engine.connect() as connection:
        rows = connection.execute(select(seats.game, seats.seat, seats.told).where(seats.told < 0))
        return [(row.game, row.seat, row.told) for row in rows]


def is_new(store: Store, turn: Turn) -> bool:
    """Has he done anything since he was told? Else it is still the same question."""
    lines = store.lines(turn.game, abs(turn.told) + 1) if turn.told else []
    return not turn.told or any(_acted(line).seat == turn.seat for line in reversed(lines))


def marked(connection: Connection, turn: Turn, told: int) -> bool:
    """Whoever finds it as he saw it may go on."""
    seats = t.seats.c
    mine = (seats.game == turn.game, seats.seat == turn.seat, seats.told == turn.told)
    return connection.execute(update(t.seats).where(*mine).values(told=told)).rowcount == 1


def address(config: Config, game: str) -> str:
    base = config.public_url.rstrip("/") or f"http://{config.host}:{config.port}"
    return f"{base}/#/table/{game}"


def in_words(turn: Turn, config: Config) -> str:
    title = load_system(turn.system).title
    who = f"{turn.name}, it" if turn.name else f"Seat {turn.seat}: it"
    return f"{who} is your turn in {turn.title or title} ({title}), after entry {turn.head}: {address(config, turn.game)}"


# ---- telling -------------------------------------------------------------------------------------------------------


async def first_told(hall: Hall, game: str) -> None:
    """A new game is opened for who shall be told of its first question: nobody else may look at it for days."""
    with suppress(ServerError, SQLAlchemyError):  # it is made all the same, and its keys are to be told
        await hall.room(game)


class Notices:
    """Listens to the hall, and tells who is asked and not there."""

    grace, tries, orphan, look = GRACE, TRIES, ORPHAN, LOOK

    def __init__(self, hall: Hall) -> None:
        self.hall, self.store, self.config = hall, hall.store, hall.config
        self.tasks: dict[tuple[str, Seat], asyncio.Task[None]] = {}
        self.telling: set[tuple[str, Seat]] = set()  # is being told now
        self.more: set[tuple[str, Seat]] = set()  # and something has happened since
        self.present: set[tuple[str, Seat]] = set()  # asked, and at the table: told if they leave without an answer
        self.places = asyncio.Semaphore(AT_ONCE)
        self.threads = ThreadPoolExecutor(AT_ONCE, "notice")
        self.looking: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Notices:
        self.hall.on_change.append(self.changed)
        self.looking = [asyncio.ensure_future(self._sweep()), asyncio.ensure_future(self._look())]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.hall.on_change.remove(self.changed)
        every = [*self.looking, *self.tasks.values()]
        for task in every:
            task.cancel()
        await asyncio.gather(*every, return_exceptions=True)
        self.threads.shutdown(wait=False, cancel_futures=True)

    def changed(self, room: Room) -> None:
        """After every entry: quick, since every game passes here."""
        waiting = room.standing.waiting
        for row in room.seats:
            if row.seat in waiting and row.player == "person" and (row.person or room.settings.webhook):
                self.soon(room.id, row.seat, self.grace)

    def soon(self, game: str, seat: Seat, after: float, orphaned: int | None = None) -> None:
        mark = (game, seat)
        if mark in self.telling:  # of a question that may be answered by now
            self.more.add(mark)
        elif mark not in self.tasks:
            self.tasks[mark] = asyncio.ensure_future(self._tell(game, seat, after, orphaned))
            self.tasks[mark].add_done_callback(lambda task: self._told(mark, task))

    def _told(self, mark: tuple[str, Seat], task: asyncio.Task[None]) -> None:
        """Look again, if something has happened while it was being told."""
        self.tasks.pop(mark, None)
        self.telling.discard(mark)
        if mark in self.more and not task.cancelled():
            self.more.discard(mark)
            self.soon(*mark, self.grace)

    async def _sweep(self) -> None:
        """What an earlier life has left: turns that nobody was told of."""
        for turn in await self._left():
            if turn.told < 0:
                self.soon(turn.game, turn.seat, self.orphan, turn.told)
            else:
                self.soon(turn.game, turn.seat, self.grace)

    async def _left(self) -> list[Turn]:
        """As soon as the database says so."""
        while True:
            try:
                return await asyncio.to_thread(turns, self.store)
            except SQLAlchemyError as error:
                log.warning("cannot see who is to be told now", extra={"error": type(error).__name__})
                await asyncio.sleep(self.look)

    async def _look(self) -> None:
        """Who has left the table; and notices that went down with their worker, or could not be marked as given."""
        while True:
            await asyncio.sleep(self.look)
            for game, seat in [mark for mark in self.present if not self._is_here(*mark)]:
                self.present.discard((game, seat))
                self.soon(game, seat, self.grace)
            with suppress(SQLAlchemyError):  # the next look finds them
                for game, seat, told in await asyncio.to_thread(under_way, self.store):
                    self.soon(game, seat, self.orphan, told)

    def _is_here(self, game: str, seat: Seat) -> bool:
        room = self.hall.rooms.get(game)
        return room is not None and (seat in room.elsewhere or any(one.audience.seat == seat for one in room.listeners))

    async def _tell(self, game: str, seat: Seat, after: float, orphaned: int | None) -> None:
        try:
            await asyncio.sleep(after)
            async with self.places:
                self.telling.add((game, seat))
                await self._tell_now(game, seat, orphaned)
        except Exception as error:
            log.warning("a notice failed", extra={"game": game, "error": type(error).__name__})

    async def _tell_now(self, game: str, seat: Seat, orphaned: int | None) -> None:
        if self._is_here(game, seat):
            self.present.add((game, seat))
            return
        turn = await self._claimed(game, seat, orphaned)
        if turn is not None:
            await self._send(turn)
            await self._mark(turn, -turn.told)

    async def _claimed(self, game: str, seat: Seat, orphaned: int | None) -> Turn | None:
        """The turn, marked as under way; None if there is nothing to tell, or another worker does."""
        turn = next(iter(await asyncio.to_thread(turns, self.store, game, seat)), None)
        if turn is not None and turn.told == orphaned:
            turn = await self._mark(turn, 0)
        if turn is None or turn.told < 0 or not await asyncio.to_thread(is_new, self.store, turn):
            return None
        return await self._mark(turn, -turn.head)

    async def _mark(self, turn: Turn, told: int) -> Turn | None:
        won = await self.store.writer.write(lambda connection: marked(connection, turn, told))
        return turn._replace(told=told) if won else None

    async def _send(self, turn: Turn) -> None:
        """A few times; then he is left in peace, and the feed has it."""
        body: Any = {"content": in_words(turn, self.config)[:1900], "allowed_mentions": {"parse": []}}
        payload, loop = msgspec.json.encode(body), asyncio.get_running_loop()
        for pause in self.tries:
            await asyncio.sleep(pause)
            try:
                status = await loop.run_in_executor(self.threads, reached, turn.webhook, payload, self.config.inner_webhooks)
            except BadWebhook:
                log.info("a webhook is refused", extra={"game": turn.game})
                return
            except (OSError, http.client.HTTPException, UnicodeError) as error:
                log.info("a webhook does not answer", extra={"game": turn.game, "error": type(error).__name__})
                continue
            if status < 500 and status != 429:
                return
