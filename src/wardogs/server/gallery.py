"""The gallery: spectators, who see the game some time after it was played, so that nobody can tell a player what is there."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, NamedTuple

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Seat
from wardogs.server.calls import Glimpse, Past, See, Seen
from wardogs.server.errors import ServerError
from wardogs.server.telling import Audience

if TYPE_CHECKING:
    from wardogs.server.listeners import Listener
    from wardogs.server.room import Room


class Shown(NamedTuple):
    """What somebody may know by now; the view (or board) and the outcome in JSON."""

    n: int
    view: bytes
    waiting: tuple[Seat, ...]
    outcome: bytes | None = None


class Gallery:
    """Those who see views, or those who see boards."""

    def __init__(self, delay: float, shown: Shown) -> None:
        self.delay, self.shown = delay, shown
        self.listeners: set[Listener] = set()

    @classmethod
    async def opened(cls, room: Room, audience: Audience) -> Gallery:
        """At the entry that is old enough; what came after it is shown in its time. The caller holds the room's lock."""
        delay, now = room.settings.delay, room.standing
        n = min(room.head, await asyncio.to_thread(room.store.entry_before, room.id, time.time() - delay))
        if n == room.head:
            seen = await room.ask(See(audience, stays=True, bots=room.bots), Seen)
            return cls(delay, Shown(n, seen.view, now.waiting, now.outcome))
        lines = await asyncio.to_thread(room.store.lines, room.id, 0, room.head)
        try:
            then = await room.ask(Past(audience, lines, max(n, 1)), Glimpse)
        except WardogsError:  # other rules: the past cannot be shown, the present will be past soon
            raise ServerError(f"the gallery opens {delay:g} seconds after the last move: come back then") from None
        gallery = cls(delay, Shown(max(n, 1), then.view, then.waiting))
        if then.since is not None:
            gallery.publish(Shown(room.head, then.since.view, now.waiting, now.outcome), then.since.body)
        return gallery

    def publish(self, next_: Shown, message: bytes) -> None:
        """Put into words now, shown later."""
        asyncio.get_running_loop().call_later(self.delay, self._show, next_, message)

    def _show(self, shown: Shown, message: bytes) -> None:
        self.shown = shown
        for listener in list(self.listeners):
            listener.tell(message)
