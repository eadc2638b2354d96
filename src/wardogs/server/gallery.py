"""The gallery: spectators, who see the game some time after it was played, so that nobody can tell a player what is there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Seat
from wardogs.kernel.record import Entry
from wardogs.kernel.replay import rebuild
from wardogs.server.errors import ServerError
from wardogs.server.messages import News, written
from wardogs.server.patch import edits
from wardogs.server.telling import SPECTATOR, seen_from

if TYPE_CHECKING:
    from wardogs.server.room import Listener, Room


class Shown(NamedTuple):
    """What a spectator may know by now."""

    n: int
    view: Any
    waiting: tuple[Seat, ...]
    outcome: Any = None


class Gallery:
    def __init__(self, room: Room, shown: Shown) -> None:
        self.room, self.shown = room, shown
        self.latest = shown.view
        self.listeners: set[Listener] = set()

    @classmethod
    async def opened(cls, room: Room) -> Gallery:
        """At the entry that is old enough; what came after it is shown in its time. The caller holds the room's lock."""
        delay, head = room.settings.delay, room.head
        n = min(head, await asyncio.to_thread(room.store.entry_before, room.id, time.time() - delay))
        if n == head:
            return cls(room, Shown(n, room.teller.view(SPECTATOR), room.match.game.waiting, room.teller.outcome()))
        record = await asyncio.to_thread(room.store.record, room.id)
        try:
            old = rebuild(room.match.system, record, max(n, 1))
        except WardogsError:  # other rules: the past cannot be shown, the present will be past soon
            raise ServerError(f"the gallery opens {delay:g} seconds after the last move: come back then") from None
        gallery = cls(room, Shown(max(n, 1), seen_from(old, None), old.game.waiting))
        if later := record.entries[gallery.shown.n + 1 : head + 1]:
            gallery.publish(later)
        return gallery

    def publish(self, new: Sequence[Entry]) -> None:
        """Put into words now, shown later."""
        teller = self.room.teller
        next_ = Shown(new[-1].n, teller.view(SPECTATOR), self.room.match.game.waiting, teller.outcome())
        changes = edits(self.latest, next_.view)
        message = written(News(next_.n, teller.happened(new, SPECTATOR), changes, next_.waiting, outcome=next_.outcome))
        self.latest = next_.view
        asyncio.get_running_loop().call_later(self.room.settings.delay, self._show, next_, message)

    def _show(self, shown: Shown, message: bytes) -> None:
        self.shown = shown
        for listener in list(self.listeners):
            listener.tell(message)
