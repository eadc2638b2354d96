"""What has changed between two views, so that a move costs a line and not the whole table.

An edit is a path and the value that now stands there. Views are frozen records that share what has not changed, so most
of the work is to see that two things are the very same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress, count
from operator import is_not
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple

Path: TypeAlias = tuple[str | int, ...]
Edit: TypeAlias = tuple[Path, Any]

PLAIN = frozenset((int, float, str, bool, type(None)))


def edits(old: Any, new: Any) -> list[Edit]:
    """All that turns the old view into the new one, in order."""
    found: list[Edit] = []
    if old is not new:
        _compare(old, new, (), found)
    return found


def _compare(old: Any, new: Any, path: Path, found: list[Edit]) -> None:
    kind = type(new)
    if type(old) is not kind:
        found.append((path, new))
        return
    fields = _fields(kind)  # type: ignore[arg-type, unused-ignore]
    if fields:
        before, after = astuple(old), astuple(new)
        for at in _others(before, after):
            was, now = before[at], after[at]
            if type(now) in PLAIN:
                if was != now or type(was) is not type(now):
                    found.append(((*path, fields[at]), now))
            else:
                _compare(was, now, (*path, fields[at]), found)
    elif fields is None and len(old) == len(new) and not _is_plain(new):
        for at in _others(old, new):
            _compare(old[at], new[at], (*path, at), found)
    elif kind is dict and old.keys() == new.keys():
        for name, after in new.items():
            if (before := old[name]) is not after:
                _compare(before, after, (*path, name), found)
    elif old != new:
        found.append((path, new))


def _others(old: Sequence[Any], new: Sequence[Any]) -> Iterator[int]:
    """Where there is not the very same."""
    return compress(count(), map(is_not, old, new))


def _is_plain(row: Any) -> bool:
    """A row of figures or words is told whole."""
    return not row or _fields(type(row[0])) == ()  # type: ignore[arg-type, unused-ignore]


@lru_cache(1024)
def _fields(kind: Any) -> tuple[str, ...] | None:
    """Of a record its fields; None for a row of things; nothing for all that is compared whole."""
    if issubclass(kind, Struct):
        return tuple(kind.__struct_fields__)
    return None if issubclass(kind, tuple | list) else ()
