"""What goes wrong outside the rules: files, flags and calls. Every message is one line that says how to mend it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class WardogsError(Exception):
    """The call or the file is wrong: exit 2, one clear line, no traceback."""


def unknown(what: str, given: object, known: Iterable[object]) -> WardogsError:
    """An unknown name, with the nearest known one and all there are; where there are very many, the nearest few."""
    names = [str(name) for name in known]
    near = get_close_matches(str(given), names, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    some = ", ".join(names) or "none"
    if len(names) > MANY:
        some = f"{len(names)}, among them {', '.join(get_close_matches(str(given), names, NEAREST, 0.0))}"
    return WardogsError(f"unknown {what} {given!s:.60}: {hint}there are {some}")


MANY, NEAREST = 40, 5  # names that are all told; of more, so many
