"""For processes that play game after game: when to look for garbage."""

from __future__ import annotations

import gc

BETWEEN = (50_000, 5, 1_000_000)  # things made between two looks at the newest, the newer and all


def look_seldom() -> None:
    """Frozen records make no circles, and all that is known by now stays: to look through it again and again takes half a second.

    Who calls this looks himself (`gc.collect()`) when nobody waits.
    """
    gc.freeze()
    gc.set_threshold(*BETWEEN)
