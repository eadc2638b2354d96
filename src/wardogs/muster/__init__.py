"""Rosters of any system: built by chance, costed, checked, shown, and carried from one form to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from msgspec import Struct

from wardogs.kernel.errors import unknown
from wardogs.kernel.offers import Seat

KEYS = ("dogs",)
NEAR = 0.95  # a force made up by chance costs at least so much of its points, if its lists allow


class Roster(Protocol):
    """What rosters of all systems have; the rest is their own affair."""

    @property
    def name(self) -> str: ...
    @property
    def points(self) -> int: ...


class Fault(Protocol):
    """What is wrong with a roster, or odd: the rule, the fact, the figures."""

    @property
    def rule(self) -> str: ...
    @property
    def fact(self) -> str: ...
    @property
    def data(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Musterer:
    """What a system hands over: how its rosters are read, costed, checked, told and made up."""

    key: str
    title: str
    options: type[Struct]
    read: Callable[[dict[str, Any]], Any]
    to_dict: Callable[[Any], dict[str, Any]]
    tidy: Callable[[Any], Any]
    cost: Callable[[Any], int]
    bill: Callable[[Any], list[dict[str, Any]]]
    bill_text: Callable[[Any], str]
    violations: Callable[..., Sequence[Fault]]  # roster, limit or none, options, mixed=
    notes: Callable[[Any], Sequence[Fault]]
    sentence: Callable[[Any], str]
    text: Callable[[Any], str]
    read_text: Callable[[str], Any]
    sheet: Callable[[Any, Any], str]
    soldiers: Callable[[Any, Any], Any]
    random: Callable[[int, int, str | None, Any], Any]  # points, seed, list or faction, options
    catalogue: Callable[[str], str]
    forms: Callable[[], dict[str, Any]]  # all that a roster may name, with prices, for programs
    fielded: Callable[[dict[str, Any], Mapping[Seat, Any]], dict[str, Any]]  # a scenario with these rosters in place of its own


@cache
def musterer(key: str) -> Musterer:
    """A system's record by its key; only the one asked for is imported."""
    if key not in KEYS:
        raise unknown("system with rosters", key, KEYS)
    names = ("roster", "recruits", "roster_forms", "fielding")
    book, made_up, forms, fielding = (import_module(f"wardogs.systems.{key}.{name}") for name in names)
    return Musterer(
        key=key,
        title=book.TITLE,
        options=import_module(f"wardogs.systems.{key}.options").Options,
        read=book.roster_from,
        to_dict=book.roster_dict,
        tidy=book.tidy,
        cost=book.cost,
        bill=book.bill,
        bill_text=book.bill_text,
        violations=book.violations,
        notes=book.notes,
        sentence=book.sentence,
        text=book.chat,
        read_text=book.read_chat,
        sheet=book.sheet,
        soldiers=book.force,
        random=made_up.random_roster,
        catalogue=book.catalogue,
        forms=forms.forms,
        fielded=fielding.fielded,
    )
