"""The gallery: spectators, who see the game some time after it was played, so that nobody can tell a player what is there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wardogs.kernel.record import Entry
from wardogs.kernel.replay import rebuild
from wardogs.server.messages import News, written
from wardogs.server.patch import edits
from wardogs.server.telling import SPECTATOR

if TYPE_CHECKING:
    from wardogs.server.room import Listener, Room


class Gallery:
    def __init__(self, room: Room, n: int, view: Any) -> None:
        self.room, self.n, self.view = room, n, view  # what is shown now
        self.latest = view
        self.listeners: set[Listener] = set()

    @classmethod
    async def opened(cls, room: Room) -> Gallery:
        """At the entry that is old enough; what came after it is shown in its time. The caller holds the room's lock."""
        delay, head = room.settings.delay, room.match.record.next - 1
        n = await asyncio.to_thread(room.store.entry_before, room.id, time.time() - delay)
        if n == head:
            return cls(room, n, room.teller.view(SPECTATOR))
        record = await asyncio.to_thread(room.store.record, room.id)
        old = rebuild(room.match.system, record, max(n, 1))
        gallery = cls(room, max(n, 1), old.system.view(old.game, None))
        gallery.publish(record.entries[gallery.n + 1 :])
        return gallery

    def publish(self, new: Sequence[Entry]) -> None:
        """Put into words now, shown later."""
        teller = self.room.teller
        view = teller.view(SPECTATOR)
        message = written(
            News(
                new[-1].n, teller.happened(new, SPECTATOR), edits(self.latest, view), self.room.match.game.waiting,
                outcome=teller.outcome(),
            )
        )  # fmt: skip
        self.latest = view
        asyncio.get_running_loop().call_later(self.room.settings.delay, self._show, new[-1].n, view, message)

    def _show(self, n: int, view: Any, message: bytes) -> None:
        self.n, self.view = n, view
        for listener in list(self.listeners):
            listener.tell(message)
