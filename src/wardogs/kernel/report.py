"""One thing that happened, as ids and figures, never as prose."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from wardogs.kernel.offers import Seat


class Report(Struct, frozen=True, gc=False, omit_defaults=True):
    rule: str
    fact: str
    data: dict[str, Any] = {}
    to: tuple[Seat, ...] | None = None  # who may see it; None: everyone

    def seen_by(self, seat: Seat | None) -> bool:
        return self.to is None or seat in self.to


def heard(reports: Iterable[Report], seat: Seat | None) -> list[Report]:
    """What this seat may know of what happened; None is a spectator."""
    return [report for report in reports if report.seen_by(seat)]
