"""What may be chosen now: offers with typed fields, and refusals that say why not.

Legality has one home: a choice is legal if an offer admits it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from math import comb
from typing import Any, Protocol, TypeAlias, runtime_checkable

from msgspec import Struct

Seat: TypeAlias = int
Choice: TypeAlias = dict[str, Any]  # {"verb": ..., field: value, ...}, plain data


SHORT = 64  # questions with at most so many choices are listed whole


def place_in(values: Sequence[Any], value: Any) -> int | None:
    """Where a value stands among others; 1, 1.0 and true are three different things."""
    for place, other in enumerate(values):
        if other == value and type(other) is type(value):
            return place
    return None


class Refusal(Struct, frozen=True, omit_defaults=True):
    """The rule that forbids a choice, and the figures that say what would make it legal."""

    rule: str
    fact: str
    data: dict[str, Any] = {}


class Refused(Exception):
    """An illegal choice. Nothing has changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.fact} {refusal.data} ({refusal.rule})")
        self.refusal = refusal


class OneOf(Struct, frozen=True, tag="one"):
    """One of a short list."""

    among: tuple[Any, ...]

    def admits(self, value: Any) -> bool:
        return place_in(self.among, value) is not None

    @property
    def size(self) -> int:
        return len(self.among)

    def pick(self, index: int) -> Any:
        return self.among[index]


class Flag(Struct, frozen=True, tag="flag"):
    """Yes or no."""

    def admits(self, value: Any) -> bool:
        return isinstance(value, bool)

    @property
    def size(self) -> int:
        return 2

    def pick(self, index: int) -> bool:
        return index == 0


class Number(Struct, frozen=True, tag="number"):
    """A whole number in a range; an angle is a number of degrees."""

    low: int
    high: int
    step: int = 1
    unit: str = ""

    def admits(self, value: Any) -> bool:
        return type(value) is int and self.low <= value <= self.high and (value - self.low) % self.step == 0

    @property
    def size(self) -> int:
        return max(0, (self.high - self.low) // self.step + 1)

    def pick(self, index: int) -> int:
        return self.low + index * self.step


class Several(Struct, frozen=True, tag="several"):
    """Some of a list, each at most once: tokens on the table, or cards of a hand."""

    among: tuple[Any, ...]
    least: int
    most: int
    what: str = "tokens"

    def admits(self, value: Any) -> bool:
        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            return False
        left = list(self.among)
        for item in value:
            at = place_in(left, item)
            if at is None:
                return False
            del left[at]
        return True

    @property
    def size(self) -> int:
        return sum(comb(len(self.among), k) for k in range(self.least, self.most + 1))

    def pick(self, index: int) -> Any:
        for k in range(self.least, self.most + 1):
            if index < (n := comb(len(self.among), k)):
                return list(next(islice(combinations(self.among, k), index, None)))
            index -= n
        raise IndexError(index)


class Ground(Protocol):
    """What a spot may be chosen from: a point on it is legal or not; and some of them, numbered, for who must pick."""

    def admits(self, place: tuple[float, ...]) -> bool: ...

    @property
    def size(self) -> int: ...

    def pick(self, index: int) -> tuple[float, ...]: ...


@runtime_checkable
class Priced(Protocol):
    """Ground on which some places cost more than others."""

    def prices(self, places: Iterable[Sequence[float]]) -> dict[str, list[int]]: ...


FARTHEST = 1e6  # inches: no point of any table lies there; and nan is nowhere


class Spot(Struct, frozen=True, tag="spot", dict=True):
    """A point of the table, [x, y, z] in inches. What leaves the table is how its ground is called; the ground itself stays."""

    what: str

    @staticmethod
    def on(what: str, ground: Ground) -> Spot:
        spot = Spot(what)
        spot.__dict__["ground"] = ground
        return spot

    @property
    def ground(self) -> Ground:
        ground: Ground = self.__dict__["ground"]
        return ground

    def admits(self, value: Any) -> bool:
        if not isinstance(value, list) or not all(type(part) in (int, float) and abs(part) < FARTHEST for part in value):
            return False
        return self.ground.admits(tuple(float(part) for part in value))

    @property
    def size(self) -> int:
        return self.ground.size

    def pick(self, index: int) -> Any:
        return list(self.ground.pick(index))

    def prices(self, places: Iterable[Sequence[float]]) -> dict[str, list[int]]:
        """What each of some places would cost, where that depends on the place."""
        ground = self.ground
        return ground.prices(places) if isinstance(ground, Priced) else {}


Domain: TypeAlias = OneOf | Flag | Number | Several | Spot


class Offer(Struct, frozen=True, omit_defaults=True):
    """A family of legal choices: a verb, its fields, what it costs, the rule that allows it."""

    verb: str
    rule: str
    fields: dict[str, Domain] = {}
    cost: dict[str, int] = {}
    gives_up: bool = False  # a concession: people may, bots never do
    minor: bool = False  # seldom wanted: a list for people may leave it out until they ask for more

    @property
    def size(self) -> int:
        size = 1
        for domain in self.fields.values():
            size *= domain.size
        return size

    def pick(self, index: int) -> Choice:
        """The choice with this number, 0 to size - 1."""
        choice: Choice = {"verb": self.verb}
        for name, domain in self.fields.items():
            index, at = divmod(index, domain.size)
            choice[name] = domain.pick(at)
        return choice

    def choices(self) -> Iterator[Choice]:
        return (self.pick(index) for index in range(self.size))

    def admits(self, choice: Mapping[str, Any]) -> bool:
        fields = self.fields
        if choice.get("verb") != self.verb or len(choice) != len(fields) + 1:
            return False
        return all(name in choice and domain.admits(choice[name]) for name, domain in fields.items())

    def refusal(self, choice: Mapping[str, Any]) -> Refusal | None:
        if choice.get("verb") != self.verb:
            return Refusal(self.rule, "no_such_verb", {"verb": choice.get("verb")})
        for name, domain in self.fields.items():
            if name not in choice:
                return Refusal(self.rule, "missing_field", {"field": name})
            if not domain.admits(choice[name]):
                return Refusal(self.rule, "not_offered", {"field": name, "value": choice[name]})
        for name in choice:
            if name != "verb" and name not in self.fields:
                return Refusal(self.rule, "unknown_field", {"field": name})
        return None


class Offers(Sequence[Offer]):
    """Offers that are worked out group by group, when somebody looks. The offers of a group share some fields: its key."""

    def __init__(self, groups: Iterable[tuple[Choice, Callable[[], Iterable[Offer]]]]) -> None:
        self._groups = list(groups)
        self._made: dict[int, tuple[Offer, ...]] = {}
        self._by_verb: dict[str, list[int]] = {}
        for k, (key, _) in enumerate(self._groups):
            self._by_verb.setdefault(key.get("verb", ""), []).append(k)

    def _group(self, k: int) -> tuple[Offer, ...]:
        if k not in self._made:
            self._made[k] = tuple(self._groups[k][1]())
        return self._made[k]

    def like(self, choice: Mapping[str, Any]) -> Iterator[Offer]:
        """Those of the groups that a choice could belong to: their keys do not speak against it."""
        verb = choice.get("verb")
        named = self._by_verb.get(verb, []) if isinstance(verb, str) else []
        for k in (*named, *self._by_verb.get("", ())):
            if all(choice.get(name, value) == value for name, value in self._groups[k][0].items()):
                yield from self._group(k)

    doer = ""  # the field that says for whom one chooses, where a question is put for several at once

    @property
    def doers(self) -> tuple[Any, ...]:
        """For whom one may choose; their offers are worked out one by one."""
        return ()

    def of(self, doer: Any) -> Iterator[Offer]:
        """What may be chosen for one of them; None: for nobody in particular."""
        return iter(self) if doer is None else iter(())

    def some(self, draw: Callable[[], float]) -> tuple[Offer, ...]:
        """A group at random that has something; the others are not worked out."""
        order = list(range(len(self._groups)))
        while order:
            if found := self._group(order.pop(int(draw() * len(order)))):
                return found
        return ()

    def __iter__(self) -> Iterator[Offer]:
        for k in range(len(self._groups)):
            yield from self._group(k)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, index: Any) -> Any:
        return tuple(self)[index]


def is_plain(choice: Any) -> bool:
    """A verb with simple values."""
    return isinstance(choice, dict) and all(isinstance(value, str | int | float) or value is None for value in choice.values())


def has_numbers(value: list[Any]) -> bool:
    """A point of the table, as a spot takes it, or the numbers of several things."""
    return all(type(part) in (int, float) for part in value)


class Barred(Struct, frozen=True):
    """A choice shown greyed out, and why."""

    choice: Choice
    refusal: Refusal


@dataclass(frozen=True)
class Ask:
    """What one seat is asked: its offers, what silence means, and the book's own reasons against the rest."""

    topic: str
    offers: Sequence[Offer]
    default: Choice
    why_not: Callable[[Choice], Refusal | None] | None = None
    barred: Callable[[], tuple[Barred, ...]] | None = None

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """All legal choices, in order. Only for questions whose offers are short."""
        return tuple(choice for offer in self.offers for choice in offer.choices())

    @cached_property
    def playable(self) -> tuple[Choice, ...]:
        """Those a bot may take: all but giving up. Only where the offers are short."""
        return tuple(choice for offer in self.offers if not offer.gives_up for choice in offer.choices())

    @cached_property
    def playable_size(self) -> int:
        return sum(offer.size for offer in self.offers if not offer.gives_up)

    @property
    def open_offers(self) -> list[Offer]:
        """Those a bot may take, and from which there is something to take."""
        return [offer for offer in self.offers if not offer.gives_up]

    def drawn(self, draw: Callable[[], float]) -> Choice:
        """A choice at random, never giving up: first an offer, or a group of them and one of it, then one of its choices."""
        while True:
            offers = self.offers.some(draw) if isinstance(self.offers, Offers) else self.offers
            offer = offers[int(draw() * len(offers))]
            if not offer.gives_up and (size := offer.size):
                return offer.pick(int(draw() * size))

    def nth_playable(self, index: int) -> Choice:
        """The playable choice with this number; where there are many, without listing the others."""
        if self.playable_size <= SHORT:
            return self.playable[index]
        for offer in self.offers:
            if not offer.gives_up:
                if index < offer.size:
                    return offer.pick(index)
                index -= offer.size
        raise IndexError(index)

    def like(self, choice: Mapping[str, Any]) -> Iterable[Offer]:
        """The offers that could admit a choice of this kind; the others are not even worked out."""
        return self.offers.like(choice) if isinstance(self.offers, Offers) else self.offers

    def offer_of(self, choice: Mapping[str, Any]) -> Offer | None:
        for offer in self.like(choice):
            if offer.admits(choice):
                return offer
        return None

    def refusal(self, choice: Any) -> Refusal | None:
        """Why this choice is illegal; None if it is legal."""
        if not isinstance(choice, dict) or not isinstance(choice.get("verb"), str):
            return Refusal(self.offers[0].rule, "not_a_choice")
        if self.offer_of(choice) is not None:
            return None
        if self.why_not is not None and self.has_the_shape(choice) and (reason := self.why_not(choice)) is not None:
            return reason
        same_verb = [offer for offer in self.like(choice) if offer.verb == choice.get("verb")]
        return (same_verb or self.offers)[0].refusal(choice)

    def has_the_shape(self, choice: Choice) -> bool:
        """Simple values, and lists only where an offer of this verb takes several or a spot: the reasons fear no others."""
        several = {
            name
            for offer in self.like(choice)
            if offer.verb == choice.get("verb")
            for name, domain in offer.fields.items()
            if isinstance(domain, Several | Spot)
        }
        offered = any(offer.verb == choice.get("verb") for offer in self.like(choice))
        lists = {
            name: value
            for name, value in choice.items()
            if isinstance(value, list) and (name in several or (not offered and has_numbers(value)))
        }
        rest = {name: value for name, value in choice.items() if name not in lists}
        return is_plain(rest) and all(is_plain(dict(enumerate(value))) for value in lists.values())


@dataclass(frozen=True)
class Question:
    """What the game waits on: one or more seats. No answer shows before all are in."""

    rule: str
    asks: Mapping[Seat, Ask]
    unasked: Callable[[Seat, Choice], Refusal | None] | None = None  # why a seat is not asked

    def refusal(self, seat: Seat, choice: Any) -> Refusal | None:
        if seat in self.asks:
            return self.asks[seat].refusal(choice)
        why = self.unasked(seat, choice) if self.unasked and is_plain(choice) else None
        return why or Refusal("", "not_asked", {"seat": seat})  # by which rule others are asked may be a secret
