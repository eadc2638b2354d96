"""Which place a secret link opens at a table."""

from __future__ import annotations

from collections.abc import Collection

from wardogs.server.errors import NoSuchLink
from wardogs.server.keys import hashed
from wardogs.server.store import SeatRow
from wardogs.server.telling import SPECTATOR, Audience


def place_of(key: str, seats: Collection[SeatRow], watch_keys: Collection[str]) -> Audience:
    """A seat by its own link or by its holder's sign-in, the gallery if all players agree; every other link is answered alike."""
    secret = hashed(key)
    for row in seats:
        if secret in (row.key, row.person_key):
            return Audience("umpire" if row.role == "umpire" else "player", row.seat)
    if secret in watch_keys and all(row.watchable for row in seats if row.role == "player"):
        return SPECTATOR
    raise NoSuchLink
