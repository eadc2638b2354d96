"""Exact odds: the rules themselves are the model. Every outcome is followed, equal positions merge.

Within a step weights are whole numbers; fractions are made only where steps meet.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple, TypeAlias, TypeVar

from wardogs.kernel.game import Game, Input, Policy, S, Step, T
from wardogs.kernel.offers import Ask, Choice, Seat

V = TypeVar("V", bound=Hashable)
Agenda: TypeAlias = tuple[Step, ...]
Place: TypeAlias = tuple[Any, Agenda]  # a state and what is still to do


class Odds(NamedTuple):
    """The distribution of what was read, and how many dice it takes on average."""

    of: dict[Any, Fraction]
    mean_dice: Fraction


class Enumerated:
    """Takes the first meaning of a throw and leaves the others, with their weights, to be followed later."""

    def __init__(self) -> None:
        self.game: Game[Any, Any] | None = None
        self.weight = self.sides = 1
        self.dice = 0
        self.todo: list[tuple[tuple[Input, ...], int, int, int]] = []

    def index(self, rule: str, kind: str, faces: Sequence[Any], means: Sequence[Any]) -> int:
        assert self.game is not None
        self.sides *= len(means)
        self.dice += 1
        groups: dict[Any, int] = {}
        for meaning in means:
            groups[meaning] = groups.get(meaning, 0) + 1
        first, *others = groups
        for meaning in others:
            face = Input(rule, faces[means.index(meaning)])
            self.todo.append(((*self.game.inputs, face), self.weight * groups[meaning], self.sides, self.dice))
        self.weight *= groups[first]
        return 0


class _Ways(NamedTuple):
    """How one step can go: where it ends with which weight, out of how many, and the dice it takes on average."""

    ends: dict[int, int]
    out_of: int
    dice: Fraction


class _Start(NamedTuple):
    """Where a step begins: perhaps in the middle of a paragraph, with some answers in."""

    place: Place
    inputs: tuple[Input, ...] = ()
    answers: dict[Seat, Choice] = {}  # noqa: RUF012

    @property
    def fresh(self) -> bool:
        return not self.inputs and not self.answers


class _Explorer:
    """Plays steps in every way they can go, and numbers the places they lead to, so that each is hashed but once."""

    def __init__(self, start: Game[Any, Any], policy: Policy) -> None:
        self.fate = Enumerated()
        self.game = self.fate.game = start.copy(self.fate, policy)
        self.places: list[Place] = []
        self.numbers: dict[Place, int] = {}

    def number(self, place: Place) -> int:
        found = self.numbers.setdefault(place, len(self.places))
        if found == len(self.places):
            self.places.append(place)
        return found

    def ways(self, begins: _Start) -> _Ways:
        """Equal ends together; what came back to where it began is spread over the rest."""
        runs = self._runs(begins)
        share = lcm(*(sides for _, _, sides, _ in runs))
        ends: dict[int, int] = {}
        thrown = 0
        for end, weight, sides, dice in runs:
            part = weight * (share // sides)
            ends[end] = ends.get(end, 0) + part
            thrown += part * dice
        out_of = share - (ends.pop(self.number(begins.place), 0) if begins.fresh else 0)
        if out_of == 0:
            raise RuntimeError(f"odds: paragraph {begins.place[1][0].paragraph} re-rolls for ever")
        return _Ways(ends, out_of, Fraction(thrown, out_of))

    def _runs(self, begins: _Start) -> list[tuple[int, int, int, int]]:
        game, fate = self.game, self.fate
        fate.todo.append((begins.inputs, 1, 1, 0))
        runs = []
        while fate.todo:
            game.inputs, fate.weight, fate.sides, fate.dice = fate.todo.pop()
            game.state, game.agenda = begins.place
            game.question, game.answers = None, begins.answers
            game.step()
            runs.append((self.number((game.state, game.agenda)), fate.weight, fate.sides, fate.dice))
        return runs


def odds(start: Game[S, T], policy: Policy, read: Callable[[S], V], until: Callable[[S, Agenda], bool] | None = None) -> Odds:
    """The exact distribution of `read(state)` when the agenda is done, or at the first step where `until` holds.

    A step that comes back to the very place it began at is a re-roll: its share goes to its other outcomes.
    """
    return odds_of_places(start, policy, lambda state, _: read(state), until)


def odds_of_places(
    start: Game[S, T], policy: Policy, read: Callable[[S, Agenda], V], until: Callable[[S, Agenda], bool] | None = None
) -> Odds:
    """The same of where the game stands, with what is still to do."""
    begins = _Start((start.position.state, start.agenda), start.inputs, start.answers)

    def is_end(place: Place) -> bool:
        state, agenda = place
        return not agenda or (until is not None and until(state, agenda))

    if begins.fresh and is_end(begins.place):
        return Odds({read(*begins.place): Fraction(1)}, Fraction(0))
    explorer = _Explorer(start, policy)
    try:
        first = explorer.ways(begins)
        ways, order = _explored(explorer, first, is_end)
        return _summed(explorer, first, ways, order, read)
    finally:
        explorer.fate.game = None  # they hold each other: nobody else would let go of them


def _explored(explorer: _Explorer, first: _Ways, is_end: Callable[[Place], bool]) -> tuple[dict[int, _Ways], list[int]]:
    """Every place that can be reached and how it goes on, in an order in which no place leads to an earlier one."""
    ways: dict[int, _Ways] = {}
    order: list[int] = []
    open_: set[int] = set()
    stack: list[tuple[int, bool]] = [(end, False) for end in first.ends]
    while stack:
        at, done = stack.pop()
        if done:
            open_.discard(at)
            order.append(at)
        elif at in open_:
            paragraph = explorer.places[at][1][0].paragraph
            raise RuntimeError(f"odds: paragraph {paragraph} leads back to itself through others: re-roll in one")
        elif at not in ways:
            place = explorer.places[at]
            ways[at] = _Ways({}, 1, Fraction(0)) if is_end(place) else explorer.ways(_Start(place))
            open_.add(at)
            stack.append((at, True))
            stack += [(end, False) for end in ways[at].ends]
    return ways, order[::-1]


def _summed(explorer: _Explorer, first: _Ways, ways: dict[int, _Ways], order: list[int], read: Callable[..., V]) -> Odds:
    """The weight of every end, in whole numbers over a denominator of its own until the very last."""
    total: dict[Any, Fraction] = {}
    mean_dice = first.dice
    mass = {end: (part, first.out_of) for end, part in first.ends.items()}
    for at in order:
        (weight, of), step = mass.pop(at), ways[at]
        if not step.ends:
            value = read(*explorer.places[at])
            total[value] = total.get(value, Fraction(0)) + Fraction(weight, of)
            continue
        if step.dice:
            mean_dice += Fraction(weight, of) * step.dice
        for end, part in step.ends.items():
            mass[end] = _plus(mass.get(end), weight * part, of * step.out_of)
    return Odds(total, mean_dice)


def _plus(mass: tuple[int, int] | None, weight: int, of: int) -> tuple[int, int]:
    if mass is None:
        return weight, of
    if mass[1] == of:
        return mass[0] + weight, of
    both = lcm(mass[1], of)
    return mass[0] * (both // mass[1]) + weight * (both // of), both


def choosing(chosen: Mapping[Seat, Choice]) -> Policy:
    """A policy that makes these choices where they are legal, and otherwise does what silence means."""

    def policy(_: Game[Any, Any], seat: Seat, ask: Ask) -> Choice:
        choice = chosen.get(seat)
        return choice if choice is not None and ask.offer_of(choice) else ask.default

    return policy
