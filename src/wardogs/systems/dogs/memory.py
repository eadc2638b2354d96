"""Remembering what was worked out for a state: states are frozen, so the same question has the same answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

F = TypeVar("F", bound=Callable[..., Any])
KEPT = 600  # answers; when there are more, the older half goes


def remembered(function: F) -> F:
    """For functions of a game and plain arguments that only read its state and its terms."""
    kept: dict[Any, tuple[Any, Any]] = {}

    @wraps(function)
    def asked(g: Any, *args: Any) -> Any:
        key = (id(g.terms), g.state, args)
        found = kept.get(key)
        if found is not None and found[0] is g.terms:
            return found[1]
        answer = function(g, *args)
        if len(kept) >= KEPT:
            for old in list(kept)[: KEPT // 2]:
                del kept[old]
        kept[key] = (g.terms, answer)
        return answer

    return asked  # type: ignore[return-value]


def kept_with(function: F) -> F:
    """For functions of a lattice or terrain and plain arguments: what is known of it goes when it goes."""
    kept: WeakKeyDictionary[Any, dict[Any, Any]] = WeakKeyDictionary()

    @wraps(function)
    def asked(of: Any, *args: Any) -> Any:
        known = kept.get(of)
        if known is None:
            known = kept[of] = {}
        found = known.get(args, UNKNOWN)
        if found is UNKNOWN:
            if len(known) >= MOST:
                known.clear()
            found = known[args] = function(of, *args)
        return found

    return asked  # type: ignore[return-value]


UNKNOWN = object()
MOST = 4_096  # answers about one lattice


def just_asked(function: F) -> F:
    """For questions: one that is put again in the same state of the same game, as its answer is played, is the same one."""
    last: list[tuple[Any, Any, Any, Any]] = []

    @wraps(function)
    def asked(g: Any) -> Any:
        for terms, fate, state, answer in last:
            if state is g.state and terms is g.terms and fate is g.fate:
                return answer
        answer = function(g)
        last[JUST:] = []
        last.insert(0, (g.terms, g.fate, g.state, answer))
        return answer

    return asked  # type: ignore[return-value]


JUST = 7  # questions before the last; each holds on to all that was worked out for it
