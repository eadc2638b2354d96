"""How much is enough: rates and sizes."""

from __future__ import annotations

import time
from collections.abc import Callable


class Bucket:
    """So many a second over time, and so many at once."""

    def __init__(self, rate: float, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.most, self.clock = rate, most, clock
        self.left, self.at = float(most), clock()

    def take(self) -> bool:
        now = self.clock()
        self.left = min(self.most, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True
