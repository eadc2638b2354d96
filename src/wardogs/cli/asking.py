"""Choosing in a terminal: short offers listed choice by choice, long ones filled in field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Ask, Choice, Domain, Flag, Number, Offer, Several, Spot

LISTED = 12  # an offer with at most so many choices is listed whole

Read = Callable[[str], str]


class Entry(NamedTuple):
    """One line of the list: a choice, or an offer whose open fields are still to be filled in."""

    offer: Offer
    choice: Choice
    open: tuple[str, ...] = ()


def entries(ask: Ask) -> list[Entry]:
    """What a person picks from, in the order of the offers, seldom wanted things last; few choices are all listed."""
    return sorted(_listed(ask), key=lambda entry: entry.offer.minor)


def _listed(ask: Ask) -> list[Entry]:
    if not any(has_spot(offer) for offer in ask.open_offers) and ask.playable_size <= 64:
        return [Entry(offer, choice) for offer in ask.open_offers for choice in offer.choices()]
    return [entry for offer in ask.open_offers for entry in _entries(offer)]


def has_spot(offer: Offer) -> bool:
    return any(isinstance(domain, Spot) for domain in offer.fields.values())


def _entries(offer: Offer) -> Iterator[Entry]:
    if not has_spot(offer) and offer.size <= LISTED:
        yield from (Entry(offer, choice) for choice in offer.choices())
        return
    fixed: Choice = {"verb": offer.verb}
    for name, domain in offer.fields.items():
        if not isinstance(domain, Spot) and domain.size == 1:
            fixed[name] = domain.pick(0)
    yield Entry(offer, fixed, tuple(name for name in offer.fields if name not in fixed))


def filled(entry: Entry, read: Read) -> Choice | None:
    """The choice once a person has filled in what is open; None if he thinks better of it."""
    choice = dict(entry.choice)
    for name in entry.open:
        domain = entry.offer.fields[name]
        typed = read(f"  {name.replace('_', ' ')} {hint(domain)}? ").strip()
        if not typed and not isinstance(domain, Number | Flag):
            return None
        choice[name] = value_of(domain, typed, name)
    return choice


def hint(domain: Domain) -> str:
    """What may be typed for a field."""
    if isinstance(domain, Spot):
        return "(x y, in inches from the south-west corner; a third figure is the height)"
    if isinstance(domain, Number):
        return "(0 north, 90 east, 180 south, 270 west)" if domain.unit == "degrees" else f"({domain.low} to {domain.high})"
    if isinstance(domain, Flag):
        return "(yes or no)"
    among = [str(value) for value in domain.among]
    return f"({', '.join(among[:12])}{' …' if len(among) > 12 else ''})"


def value_of(domain: Domain, typed: str, name: str) -> Any:
    if isinstance(domain, Spot):
        return _place(typed)
    if isinstance(domain, Number):
        return _number(domain, typed)
    if isinstance(domain, Flag):
        return typed.lower() in ("y", "yes", "true", "1")
    if isinstance(domain, Several):
        return [_one(domain.among, part.strip(), name) for part in typed.split(",") if part.strip()]
    return _one(domain.among, typed, name)


def _place(typed: str) -> list[float]:
    try:
        figures = [float(part) for part in typed.replace(",", " ").split()]
    except ValueError:
        figures = []
    if len(figures) not in (2, 3):
        raise WardogsError(f"{typed:.40}: a place is two figures, x and y in inches, for example 12 30.5")
    return [*figures, 0.0] if len(figures) == 2 else figures


def _number(domain: Number, typed: str) -> int:
    """The nearest that is offered."""
    try:
        wanted = float(typed) if typed else float(domain.low)
    except ValueError:
        raise WardogsError(f"{typed:.40}: a number from {domain.low} to {domain.high}") from None
    if domain.unit == "degrees":
        wanted %= 360
    steps = round((wanted - domain.low) / domain.step)
    return domain.low + domain.step * (steps % domain.size if domain.unit == "degrees" else max(0, min(domain.size - 1, steps)))


def _one(among: tuple[Any, ...], typed: str, name: str) -> Any:
    """By its whole name, or by a part of it that only one has."""
    wanted = typed.lower()
    whole = [value for value in among if str(value).lower() == wanted]
    part = [value for value in among if wanted in str(value).lower()]
    found = whole or part
    if len(found) != 1:
        said = ", ".join(str(value) for value in (found or among)[:12])
        raise WardogsError(f"{name} {typed:.40}: {'which of' if found else 'there are'} {said}")
    return found[0]
