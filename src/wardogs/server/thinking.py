"""Bots in processes of their own, with a time budget for each decision.

A process is told once how a game was set up, and for each decision where the game stands; it makes the view of the seat and
gives the bot nothing else. One that takes too long, fails or dies is killed and replaced, and the seat answers with what its
question names as the default. Replacements are forked by a server process without threads.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import hmac
import logging
import multiprocessing
import signal
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from types import ModuleType
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from wardogs.bots import make_bot
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Typed
from wardogs.kernel.game import Game
from wardogs.kernel.garbage import look_seldom
from wardogs.kernel.offers import Choice, Question, Refused, Seat
from wardogs.kernel.record import Setup
from wardogs.kernel.system import System
from wardogs.server import tables as t
from wardogs.server.calls import Answer, AnyDeed, Lapse, Saved
from wardogs.server.errors import Late, ServerError, Unavailable
from wardogs.server.hall import Hall
from wardogs.server.metrics import metrics
from wardogs.server.room import Room, nobody_advises
from wardogs.server.rulebooks import rulebook
from wardogs.server.store import Store, numbers
from wardogs.server.waking import wake
from wardogs.systems import KEYS

REMEMBERED = 64  # games whose set-up a process keeps
SETTING_UP = 60.0  # seconds for a process to start and to lay a table
TIDY = 1_000  # decisions between two looks for garbage
AGAIN = 1.0  # seconds before another try, when the database was away
ADVISER, ADVICE = "drill", 3.0  # who advises people, and for how many seconds he may think

log = logging.getLogger("wardogs.thinking")


class Lay(Struct, frozen=True, tag="lay"):
    """A game that decisions will be asked for."""

    game: str
    system: str
    setup: Setup


class Decide(Struct, frozen=True, tag="decide"):
    """One decision: where the game stands, who is asked, and the luck of the bot that answers."""

    game: str
    position: bytes
    seat: Seat
    bot: str
    luck: str
    seconds: float


class Thought(Struct, frozen=True, omit_defaults=True):
    choice: Any = None
    laid: bool = True
    failed: str = ""


_encode = msgspec.msgpack.Encoder().encode
_read = msgspec.msgpack.Decoder(Lay | Decide).decode
_heard = msgspec.msgpack.Decoder(Thought).decode


# ---- in the process --------------------------------------------------------------------------------------------------


def think(connection: Connection) -> None:
    """The whole life of a process: until nobody is at the other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tables: OrderedDict[str, tuple[System, Any]] = OrderedDict()
    look_seldom()
    with suppress(EOFError, OSError):
        for number in count(1):
            connection.send_bytes(_encode(answered(_read(connection.recv_bytes()), tables)))
            if number % TIDY == 0:
                gc.collect()


def answered(said: Lay | Decide, tables: OrderedDict[str, tuple[System, Any]]) -> Thought:
    try:
        if isinstance(said, Lay):
            system = rulebook(said.system)
            tables[said.game] = (system, system.terms(said.setup))
            if len(tables) > REMEMBERED:
                tables.popitem(last=False)
            return Thought()
        if said.game not in tables:
            return Thought(laid=False)
        tables.move_to_end(said.game)
        with _mortal(said.seconds):
            return Thought(decided(said, *tables[said.game]))
    except Exception as error:  # its words may tell what is hidden: only its kind goes out
        return Thought(failed=type(error).__name__)


def decided(said: Decide, system: System, terms: Any) -> Choice:
    """What the bot chooses, from the view of its seat alone."""
    game: Game[Any, Any] = Game(system.rules, terms, system.load(said.position), Typed())
    game.advance()
    question = game.question
    assert isinstance(question, Question)
    return make_bot(said.bot, said.luck, said.seat).choose(system.seen(game, said.seat, question.asks[said.seat]))


@contextmanager
def _mortal(seconds: float) -> Iterator[None]:
    """If the worker has died meanwhile and nobody is left to kill this process, it ends itself."""
    signal.setitimer(signal.ITIMER_REAL, 2 * seconds + 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


# ---- beside it -------------------------------------------------------------------------------------------------------


class Thoughtless(Exception):
    """No answer came. Says only why, in one word."""


@contextmanager
def _no_main() -> Iterator[None]:
    """A new process must not run the program again that started the server."""
    main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C reaches all processes at a terminal: those that are born here leave it to the worker."""
    resource_tracker.ensure_running()  # where it is not yet, the first process would start it, which unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Thinker:
    """One process, started when it is first asked, and again after it was killed. Its calls wait: each runs in a thread."""

    starting = threading.Lock()

    def __init__(self) -> None:
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload([__name__, *(f"wardogs.systems.{key}" for key in KEYS)])
        self.process: ForkServerProcess | None = None
        self.connection: Connection | None = None
        self.laid: deque[str] = deque(maxlen=REMEMBERED)  # the games that it was told of last
        self.closed = False

    def ask(self, lay: Lay, decide: Decide) -> Choice:
        try:
            return self._ask(lay, decide)
        except TimeoutError:
            why = "too slow"
        except (EOFError, OSError):
            why = "died"
        except Thoughtless as error:
            why = str(error)
        self.stop()
        raise Thoughtless(why)

    def _ask(self, lay: Lay, decide: Decide) -> Choice:
        connection = self._started()
        if lay.game not in self.laid:
            self._lay(connection, lay)
        thought = _told(connection, decide, decide.seconds)
        if not thought.laid:
            self._lay(connection, lay)
            thought = _told(connection, decide, decide.seconds)
        choice: Choice = _sound(thought).choice
        return choice

    def _lay(self, connection: Connection, lay: Lay) -> None:
        _sound(_told(connection, lay, SETTING_UP))
        self.laid.append(lay.game)

    def _started(self) -> Connection:
        if self.connection is not None:
            return self.connection
        with Thinker.starting, _no_main():
            if self.closed:
                raise EOFError
            mine, yours = self.context.Pipe()
            process = self.context.Process(target=think, args=(yours,), name="thinker", daemon=True)
            with _uninterrupted():
                process.start()
            yours.close()
            self.process, self.connection = process, mine  # from now on it can be killed
        if self.closed:
            raise EOFError
        return mine

    def kill(self) -> None:
        if (process := self.process) is not None:
            process.kill()

    def stop(self) -> None:
        self.kill()
        if self.connection is not None:
            self.connection.close()
        if self.process is not None:
            self.process.join(5)
        self.process = self.connection = None
        self.laid.clear()


def _told(connection: Connection, said: Lay | Decide, seconds: float) -> Thought:
    connection.send_bytes(_encode(said))
    if not connection.poll(seconds):
        raise TimeoutError
    return _heard(connection.recv_bytes())


def _sound(thought: Thought) -> Thought:
    if thought.failed or not thought.laid:
        raise Thoughtless(thought.failed or "not laid")
    return thought


# ---- in the worker ---------------------------------------------------------------------------------------------------


class Due(NamedTuple):
    """A decision that a bot owes."""

    room: Room
    seat: Seat
    bot: str
    question: object

    @property
    def stands(self) -> bool:
        same = self.room.question is self.question
        return same and any((row.seat, row.player) == (self.seat, self.bot) for row in self.room.bots_due())

    def answer(self, deed: AnyDeed) -> AnyDeed:
        """Others may have answered the same question meanwhile; if anything else has happened, it is too late."""
        if not self.stands:
            raise Late(self.room.standing.next)
        return deed


def luck(room: Room, seat: Seat) -> str:
    """Of one decision: from the game's secret, so that nobody at the table can work it out; the same at every worker."""
    return hmac.new(room.luck, f"{seat}/{room.standing.next}".encode(), hashlib.sha256).hexdigest()


def waiting_for_bots(store: Store) -> list[str]:
    """The games that stand still until a bot has answered."""
    games, seats = t.games.c, t.seats.c
    with store.engine.connect() as connection:
        rows = connection.execute(
            select(games.id, games.waiting, seats.seat)
            .join(t.seats, seats.game == games.id)
            .where(games.over.is_(False), games.waiting != "", seats.player != "person", seats.role == "player")
        )
        return sorted({row.id for row in rows if row.seat in numbers(row.waiting)})


class Thinking:
    """Lets every bot that owes an answer think, so many at a time."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.seconds = hall, hall.config.think
        self.thinkers = [Thinker() for _ in range(max(1, hall.config.thinkers))]
        self.idle = list(self.thinkers)
        self.free = asyncio.Semaphore(len(self.thinkers))
        self.advising = asyncio.Semaphore(1)  # bots who play do not wait for many who want advice
        self.advices: dict[tuple[str, Seat, int], asyncio.Task[Choice]] = {}  # one for a seat, however often it asks
        self.threads = ThreadPoolExecutor(len(self.thinkers), "thinking")
        self.flights: dict[tuple[str, Seat], asyncio.Task[None]] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.waking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Thinking:
        self.hall.on_change.append(self.hear)
        self.hall.advise = self.advise
        self.waking = asyncio.ensure_future(self._wake())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.hall.on_change.remove(self.hear)
        self.hall.advise = nobody_advises
        for thinker in self.thinkers:
            thinker.closed = True
            thinker.kill()
        tasks = [*self.tasks, *([self.waking] if self.waking else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self.threads.shutdown)
        for thinker in self.thinkers:
            thinker.stop()

    async def _wake(self) -> None:
        """After a restart: games in which only a bot is asked would wait for somebody to look at them."""
        await wake(self.hall, waiting_for_bots)

    def hear(self, room: Room) -> None:
        """Something has happened in a room: is a bot asked?"""
        for row in room.bots_due():
            key = (room.id, row.seat)
            if key not in self.flights:
                task = self.flights[key] = asyncio.ensure_future(self._play(Due(room, row.seat, row.player, room.question)))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)

    async def _play(self, due: Due) -> None:
        key = (due.room.id, due.seat)
        again = True
        try:
            choice = await self._choice(due)
            self.flights.pop(key, None)  # so that what follows from the answer finds this seat free
            if choice is not None:
                again = await self._answer(due, choice)
        except (Unavailable, SQLAlchemyError):
            await asyncio.sleep(AGAIN)
        except Exception as error:
            log.error("a bot could not play", extra={"game": due.room.id, "seat": due.seat, "error": type(error).__name__})
            again = False
        finally:
            if self.flights.get(key) is asyncio.current_task():
                self.flights.pop(key)
        if again:
            await self._look_again(due.room.id)

    async def _look_again(self, game: str) -> None:
        """As the database has it, as soon as it can be asked: what could not be written has not happened."""
        while True:
            try:
                room = await self.hall.room(game)
                async with room.lock:
                    await room.catch_up()
                self.hear(room)
                return
            except (Unavailable, SQLAlchemyError):
                await asyncio.sleep(AGAIN)
            except ServerError:
                return

    async def _choice(self, due: Due) -> AnyDeed | None:
        """What the bot chooses, or the default; None: it is no longer asked."""
        room, decide = due.room, await self._task(due)
        async with self.free:
            if decide is None or not due.stands:
                return None
            began = time.perf_counter()
            try:
                return Answer(due.seat, await self._think(room, decide))
            except Thoughtless as error:
                metrics.count("bot_timeouts", room.system)
                extra = {"game": room.id, "n": room.standing.next, "seat": due.seat, "bot": due.bot, "why": str(error)}
                log.warning("a bot gave no answer", extra=extra)
                return Lapse((due.seat,))
            finally:
                metrics.count("bot_decisions", room.system)
                metrics.timed(time.perf_counter() - began, "bot_seconds", room.system)

    async def _think(self, room: Room, decide: Decide) -> Choice:
        """In an idle process; the caller has made sure that there is one."""
        thinker = next((one for one in self.idle if room.id in one.laid), self.idle[0])
        self.idle.remove(thinker)
        lay = Lay(room.id, room.system, room.header.setup)
        try:
            return await asyncio.get_running_loop().run_in_executor(self.threads, thinker.ask, lay, decide)
        finally:
            self.idle.append(thinker)

    async def advise(self, room: Room, seat: Seat) -> Choice:
        """What a drilled bot would choose in this seat's place, knowing no more than it. Who asks again while he thinks hears
        the same: nobody else waits for it twice."""
        key = (room.id, seat, room.standing.next)
        if key not in self.advices:
            self._begin_advice(key, room, seat)
        return await asyncio.shield(self.advices[key])

    def _begin_advice(self, key: tuple[str, Seat, int], room: Room, seat: Seat) -> None:
        """Apart from who waits for it: a failure holds on to all that it passes through, and the task to the failure."""
        task = self.advices[key] = asyncio.ensure_future(self._advice(room, seat))
        self.tasks.add(task)
        task.add_done_callback(lambda done: self._advised(key, done))

    def _advised(self, key: tuple[str, Seat, int], task: asyncio.Task[Choice]) -> None:
        self.advices.pop(key, None)
        self.tasks.discard(task)
        if not task.cancelled():
            task.exception()  # those who asked may have gone: then nobody has taken it

    async def _advice(self, room: Room, seat: Seat) -> Choice:
        async with self.advising:
            async with room.lock:
                await room.catch_up()
                if not room.standing.asked or seat not in room.standing.waiting:
                    raise ServerError("there is nothing to advise: this seat is not asked anything now")
                question, position = room.question, await room.ask(Saved(), bytes)
            decide = Decide(room.id, position, seat, ADVISER, luck(room, seat), min(self.seconds, ADVICE))
            async with self.free:
                try:
                    choice = await self._think(room, decide)
                except Thoughtless:
                    raise ServerError("no advice in time: decide without it, or ask again") from None
        if room.question is not question:
            raise Late(room.standing.next)
        return choice

    async def _task(self, due: Due) -> Decide | None:
        """Where the game stands, as it is on the disk; None: the bot is no longer asked."""
        room = due.room
        async with room.lock:
            await room.catch_up()
            if not due.stands:
                return None
            position = await room.ask(Saved(), bytes)
            return Decide(room.id, position, due.seat, due.bot, luck(room, due.seat), self.seconds)

    async def _answer(self, due: Due, deed: AnyDeed) -> bool:
        """Is there more to do here? Not if even the default is refused: then people must go on."""
        if self.hall.rooms.get(due.room.id) is not due.room:  # closed meanwhile: whoever opens it again asks anew
            return True
        for one in (deed, Lapse((due.seat,))):
            try:
                await due.room.act(lambda one=one: due.answer(one))  # type: ignore[misc]
                return True
            except Late:
                return True
            except (Unavailable, SQLAlchemyError):
                await asyncio.sleep(AGAIN)
                return True
            except (Refused, ServerError, WardogsError) as error:
                extra = {"game": due.room.id, "seat": due.seat, "bot": due.bot, "error": type(error).__name__}
                log.warning("a bot's answer was refused", extra=extra)
        return False
