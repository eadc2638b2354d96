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


_states: dict[tuple[int, Any], tuple[Any, Answers]] = {}
_met: dict[int, tuple[Any, Any, Answers]] = {}  # the very states that were asked about: most questions are about one of them


def _known_of(g: Any) -> Answers:
    """What is known of a state, or of one just like it: to hash and compare whole states takes longer than many an answer."""
    terms, state = g.terms, g.state
    met = _met.get(id(state))
    if met is not None and met[0] is state and met[1] is terms:
        return met[2]
    known = _look_up(terms, state)
    _make_room(_met)
    _met[id(state)] = (state, terms, known)
    return known


def _look_up(terms: Any, state: Any) -> Answers:
    key = (id(terms), state)
    found = _states.get(key)
    if found is None or found[0] is not terms:
        _make_room(_states)
        found = _states[key] = (terms, {})
    return found[1]


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
