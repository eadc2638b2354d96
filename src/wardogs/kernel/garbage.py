"""For processes that play game after game: when to look for garbage."""

from __future__ import annotations

import gc

BETWEEN = (20_000, 2, 1_000_000)  # things made between two looks at the newest; looks between two at the newer, and at all


def look_seldom() -> None:
    """Frozen records make no circles, and all that is known by now stays: to look through it again and again takes half a second.

    The newest are looked at when there are more than a busy server has in hand at a time, the newer before they are many: each
    look takes some milliseconds. Who calls this looks at all (`gc.collect()`) when nobody waits.
    """
    gc.freeze()
    gc.set_threshold(*BETWEEN)
