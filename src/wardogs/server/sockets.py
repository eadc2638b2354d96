"""The live socket of a seat: first it sits down, then it asks and hears. Bare ASGI: a move passes here twice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Refused as RefusedByRules
from wardogs.server import deeds
from wardogs.server import messages as m
from wardogs.server.errors import NoSuchLink, ServerError, Unavailable
from wardogs.server.hall import Hall
from wardogs.server.keys import hashed
from wardogs.server.limits import Bucket
from wardogs.server.messages import read_request, written
from wardogs.server.places import place_of
from wardogs.server.room import Room
from wardogs.server.telling import SPECTATOR, Audience
from wardogs.server.wire import WRITE

UNHEARD = 1000  # messages that may wait for a slow reader
SIT_DOWN = 10.0  # seconds to say who one is

log = logging.getLogger("wardogs.socket")


class Closed(Exception):
    """The other side has hung up, or is shown out."""

    def __init__(self, code: int = 1000, reason: str = "") -> None:
        self.code, self.reason = code, reason


def unseated() -> Closed:
    return Closed(4408, "nobody sat down: send sit first")


class Socket:
    """One connection; also a listener in a room."""

    def __init__(self, hall: Hall, scope: Any, receive: Any, send: Any) -> None:
        self.hall, self.receive, self.send = hall, receive, send
        self.write: Callable[[bytes], bool] = scope.get("extensions", {}).get(WRITE, self._queue)
        self.audience: Audience = SPECTATOR
        self.secret = ""
        self.room: Room | None = None
        self.outbox: asyncio.Queue[bytes | None] = asyncio.Queue(UNHEARD)
        self.limits = hall.config.limits
        self.bucket = Bucket(self.limits.messages, self.limits.burst)
        self.strikes, self.hung_up = 0, False
        self.held: list[bytes] | None = None  # what is told while he sits down comes behind the first message
        self.goodbye = (1013, "too slow: come back and go on")

    # ---- out ---------------------------------------------------------------------------------------------------

    def tell(self, message: bytes) -> None:
        if self.held is not None:
            self.held.append(message)
        elif not self.write(message):
            self._drop()

    def _queue(self, message: bytes) -> bool:
        """For servers that know no shorter way."""
        if self.outbox.full():
            return False
        self.outbox.put_nowait(message)
        return True

    def _drop(self) -> None:
        """He does not read: what he misses he gets when he comes back."""
        if self.room is not None:
            self.room.leave(self)
        while not self.outbox.empty():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)

    def show_out(self) -> None:
        """The link he came by has been replaced."""
        self.goodbye = (4404, str(NoSuchLink()))
        self._drop()
        self.audience = SPECTATOR

    async def post(self) -> None:
        """Send what is told, in order."""
        with suppress(OSError):  # he has hung up
            while (message := await self.outbox.get()) is not None:
                await self.send({"type": "websocket.send", "text": message.decode()})
            await self.hang_up(*self.goodbye)

    async def hang_up(self, code: int, reason: str) -> None:
        """Once: he may be shown out while he is closed for something else."""
        if not self.hung_up:
            self.hung_up = True
            with suppress(RuntimeError):  # the wire has hung up itself, over something that is no message
                await self.send({"type": "websocket.close", "code": code, "reason": reason})

    # ---- in ----------------------------------------------------------------------------------------------------

    async def hear(self) -> bytes:
        event = await self.receive()
        if event["type"] == "websocket.disconnect":
            raise Closed
        text = event.get("text")
        raw: bytes = text.encode("utf-8", "replace") if text is not None else event.get("bytes") or b""
        if len(raw) > self.limits.message_bytes:
            raise Closed(1009, f"a message may have {self.limits.message_bytes} bytes")
        return raw

    async def run(self) -> None:
        post = asyncio.ensure_future(self.post())
        try:
            await self.sit()
            while True:
                await self.serve(await self.hear())
        except Closed as closed:
            if closed.code != 1000:
                await self.hang_up(closed.code, closed.reason)
        finally:
            post.cancel()
            if self.room is not None:
                self.room.leave(self)
                self.room.tell_table()

    async def sit(self) -> None:
        """Who is it? A wrong link gets the answer of an unknown one, and may try again a few times."""
        goodbye = unseated()
        for _ in range(5):
            try:
                raw = await asyncio.wait_for(self.hear(), SIT_DOWN)
            except TimeoutError:
                raise unseated() from None
            said = self.read(raw)
            if said is None:
                continue
            if not isinstance(said, m.Sit):
                self.tell(written(m.Wrong(said.id, 'sit down first: {"do":"sit","game":...,"key":...}')))
                continue
            goodbye = Closed(4404, "no such game, or no such link to it")
            try:
                if await self.seated(said):
                    return
            except SQLAlchemyError as error:
                log.error("cannot be read", extra={"error": type(error).__name__})
                self.tell(written(m.Wrong(said.id, str(Unavailable()))))
        raise goodbye

    async def seated(self, said: m.Sit) -> bool:
        try:
            room, place = await self.hall.enter(said.game, said.key)
            self.audience = place._replace(draws=said.draw)
            async with room.lock:
                await self.take_place(room, said)
        except ServerError as error:
            self.audience = SPECTATOR
            self.tell(written(m.Wrong(said.id, str(error))))
            return False
        room.tell_table()
        return True

    async def take_place(self, room: Room, said: m.Sit) -> None:
        self.crowded(room)
        self.secret = hashed(said.key)
        beside = await room.level(-1 if said.after is None else said.after)
        if place_of(said.key, room.seats, room.watch_keys) != self.audience._replace(draws=False):  # it was good at the door
            raise NoSuchLink
        await room.join(self)
        self.room, self.held = room, []
        try:
            sat = await room.sat(said, self.audience, beside, stays=True)
        except BaseException:
            room.leave(self)
            self.room = None
            raise
        finally:
            held, self.held = self.held or [], None
        for message in (sat, *held):
            self.tell(message)

    def crowded(self, room: Room) -> None:
        """A seat is open in so many places at once, and the gallery has so many places."""
        if self.audience.looks_on:
            there, most = len(room.onlookers), self.limits.spectators
        else:
            there, most = room.in_seat(self.audience.seat), self.limits.sockets_of_a_seat
        if there >= most:
            raise Closed(4429, f"open in {most} places already: close one of them first")

    async def serve(self, raw: bytes) -> None:
        if (said := self.read(raw)) is None:
            self.in_haste(None)
        elif not self.in_haste(said.id):
            self.tell(await self.answered(said))

    def in_haste(self, mark: m.Id) -> bool:
        if self.bucket.take():
            return False
        self.strikes += 1
        if self.strikes > self.limits.strikes:
            raise Closed(4429, "too many messages")
        self.tell(written(m.Wrong(mark, f"too fast: {self.limits.messages:g} messages a second are heard; this one was not")))
        return True

    def read(self, raw: bytes) -> Any:
        try:
            return read_request(raw)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self.tell(written(m.Wrong(m.mark_of(raw), f"not understood: {error}"[:300])))
            return None

    async def answered(self, said: Any) -> bytes:
        assert self.room is not None
        try:
            return written(await deeds.do(self.room, self.audience, said))
        except RefusedByRules as refused:
            why = refused.refusal
            return written(m.Refused(said.id, self.room.book.refusal(why), why.rule, why.fact, why.data))
        except ServerError as error:
            fact = "not_now" if type(error) is ServerError else type(error).__name__.lower()
            return written(m.Refused(said.id, str(error), "", fact, {"next": error.next} if hasattr(error, "next") else {}))
        except WardogsError as error:
            return written(m.Wrong(said.id, str(error)))


async def socket(hall: Hall, scope: Any, receive: Any, send: Any) -> None:
    """A connection from beginning to end. What goes wrong in one ends only that one."""
    await receive()  # websocket.connect
    await send({"type": "websocket.accept"})
    line = Socket(hall, scope, receive, send)
    try:
        await line.run()
    except (asyncio.CancelledError, OSError):
        raise
    except Exception as error:
        log.error("socket failed", extra={"error": type(error).__name__}, exc_info=None)
        await line.hang_up(1011, "something failed here: come back and go on")
