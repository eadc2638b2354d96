"""A table of a host's own may be laid by everybody: how much may stand on it, so that laying it takes seconds and not minutes."""

from __future__ import annotations

from typing import Any

from wardogs.kernel.errors import WardogsError

MOST = 2_000  # pieces of terrain, each storey of a house for itself, and whoever else is listed


def uncrowded(scenario: Any) -> None:
    """Refuse one that has more on it."""
    if (found := pieces(scenario)) > MOST:
        raise WardogsError(f"{found:,} pieces and storeys on one table: at most {MOST:,} are played here; leave some out")


def pieces(scenario: Any) -> int:
    found, left = 0, [scenario]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            levels = one.get("levels")
            found += levels if type(levels) is int and levels > 1 else 1
            left += one.values()
        elif isinstance(one, list | tuple):
            left += one
    return found
