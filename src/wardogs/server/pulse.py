"""What is open in this worker, counted again and again."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import time
from collections import Counter

from wardogs.server.hall import Hall
from wardogs.server.metrics import SYSTEM, metrics

HANGS = 60  # seconds after which a loop that gives no beat hangs, or a referee with one rule; a first look at a table takes some
PULSE = 2.0  # seconds between two looks at what is open
TIDY = 300.0  # seconds after which garbage is looked for among all that is kept, when nothing happens: it takes up to a second
LATEST = 3600.0  # the same, whatever happens

log = logging.getLogger("wardogs.pulse")


class Beats:
    """Of this worker's loop: one that gives none is stuck in the middle of something."""

    given = 0


def look(hall: Hall) -> None:
    """Count what is open in this worker, and what its writer has written since the last look."""
    rooms = list(hall.rooms.values())
    of = Counter(room.system for room in rooms)
    for system in SYSTEM[1]:
        metrics.set(of[system], "rooms", system)
    metrics.set(sum(len(room.listeners) + len(room.onlookers) for room in rooms), "sockets")
    metrics.set(1, "workers")
    writer = hall.store.writer
    seen: dict[str, int] = hall.__dict__.setdefault("_looked", {"commits": 0, "jobs": 0})
    for name, now in (("commits", writer.commits), ("jobs", writer.written)):
        metrics.count(name, by=now - seen[name])
        seen[name] = now


async def pulse(hall: Hall) -> None:
    """So that whichever worker is asked knows nearly what the others have open; and what closed rooms leave behind goes."""
    tidied, written = time.monotonic(), -1
    while True:
        look(hall)
        if hall.bench.busy_for() > HANGS:
            log.critical("a referee hangs", extra={"worker": os.getpid()})
            os.kill(os.getpid(), signal.SIGKILL)
        Beats.given += 1
        calm, written = hall.store.writer.written == written, hall.store.writer.written
        if time.monotonic() - tidied > (TIDY if calm else LATEST):
            gc.collect()
            tidied = time.monotonic()
        await asyncio.sleep(PULSE)
