"""Ways to move: what each class of ground, each wall, climb and door costs a model that walks, runs or crawls."""

from __future__ import annotations

from msgspec import Struct

from wardogs.table.compiled import Floats, floats
from wardogs.table.ground import CLASSES
from wardogs.table.units import Inches, thou

Cost = float  # in what the mode counts: inches of open ground, or action points
NEVER = -1.0


class Mode(Struct, frozen=True, kw_only=True, omit_defaults=True, cache_hash=True):
    """How a round base moves. A rate is per inch; None is: not at all."""

    name: str = "walk"
    radius: Inches = 0.5
    height: Inches = 1.2  # of the mover: it passes under what hangs higher
    open: Cost = 1.0
    slow: Cost | None = 2.0
    rough: Cost | None = 2.0
    deep: Cost | None = None
    step: Inches = 0.3  # a rise that costs nothing extra
    low: Inches = 0.6  # what is no higher is stepped over ...
    low_fee: Cost | None = 2.0  # ... for so much
    climb: Cost | None = 2.0  # per inch of height
    highest: Inches = 2.4
    drop: Inches = 0.0  # a step down of no more is free
    door: Cost | None = 1.0  # to open a shut one
    glass: bool = True  # goes through panes
    ladder: Cost | None = 2.0  # per inch of height
    stairs: Cost | None = 3.0  # one flight
    jump: Inches = 0.0  # the widest gap
    jump_fee: Cost = 0.0  # beside the way itself

    @property
    def figures(self) -> Floats:
        """As the kernel reads it, in thousandths; see walking.py."""
        climbs = self.climb is not None
        rates = [NEVER if (rate := self.rate(kind)) is None else rate for kind in CLASSES]
        return floats([
            thou(self.radius), thou(self.height), thou(self.step), thou(self.low), thousandths(self.low_fee),
            self.climb or 0.0, thou(self.highest) if climbs else 0.0, thou(self.drop), *rates,
        ])  # fmt: skip

    def rate(self, kind: str) -> Cost | None:
        return None if kind == "blocked" else getattr(self, kind)


def thousandths(cost: Cost | None) -> float:
    return NEVER if cost is None else 1000.0 * cost


WALK = Mode()
RUN = Mode(
    name="run", open=0.6, slow=None, rough=1.0, low_fee=None, climb=None, door=None, ladder=None, stairs=1.8, jump=2, jump_fee=4
)  # fmt: skip
CRAWL = Mode(
    name="crawl", height=0.3, open=2, slow=4, rough=4, low_fee=None, climb=None, ladder=None, stairs=6, glass=False
)  # fmt: skip
MODES = {mode.name: mode for mode in (WALK, RUN, CRAWL)}
