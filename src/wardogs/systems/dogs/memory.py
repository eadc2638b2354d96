"""Remembering what was worked out for a state: states are frozen, so the same question has the same answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

F = TypeVar("F", bound=Callable[..., Any])
KEPT = 2_000  # states of which something is known; when there are more, the older half goes

Answers: TypeAlias = dict[tuple[Callable[..., Any], tuple[Any, ...]], Any]  # by what was asked about a state


def remembered(function: F) -> F:
    """For functions of a game and plain arguments that only read its state and its terms."""

    @wraps(function)
    def asked(g: Any, *args: Any) -> Any:
        known, what = _known_of(g), (function, args)
        found = known.get(what, UNKNOWN)
        if found is UNKNOWN:
            found = known[what] = function(g, *args)
        return found

    return asked  # type: ignore[return-value]


_known: dict[int, tuple[Any, Any, Answers]] = {}  # by the number of a state, which is nobody else's while it is kept


def _known_of(g: Any) -> Answers:
    """What is known of this very state: to find another just like it, whole states would have to be hashed and compared."""
    terms, state = g.terms, g.state
    found = _known.get(id(state))
    if found is not None and found[0] is state and found[1] is terms:
        return found[2]
    _make_room(_known)
    answers: Answers = {}
    _known[id(state)] = (state, terms, answers)
    return answers


def _make_room(known: dict[Any, Any]) -> None:
    if len(known) >= KEPT:
        for old in list(known)[: KEPT // 2]:
            del known[old]


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
