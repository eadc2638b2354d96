"""What has changed between two views, so that a move costs a line and not the whole table.

An edit is a path and the value that now stands there. Views are frozen records that share what has not changed, so most
of the work is to see that two things are the very same.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

Path: TypeAlias = tuple[str | int, ...]
Edit: TypeAlias = tuple[Path, Any]


def edits(old: Any, new: Any) -> list[Edit]:
    """All that turns the old view into the new one, in order."""
    found: list[Edit] = []
    _compare(old, new, (), found)
    return found


def _compare(old: Any, new: Any, path: Path, found: list[Edit]) -> None:
    if old is new:
        return
    kind = type(new)
    if type(old) is not kind:
        found.append((path, new))
    elif issubclass(kind, Struct):
        for name in kind.__struct_fields__:
            before, after = getattr(old, name), getattr(new, name)
            if before is not after:
                _compare(before, after, (*path, name), found)
    elif issubclass(kind, tuple | list) and len(old) == len(new):
        for at, (before, after) in enumerate(zip(old, new, strict=True)):
            if before is not after:
                _compare(before, after, (*path, at), found)
    elif kind is dict and old.keys() == new.keys():
        for name, after in new.items():
            _compare(old[name], after, (*path, name), found)
    elif old != new:
        found.append((path, new))
