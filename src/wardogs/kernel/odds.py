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

    ends: dict[Place, int]
    out_of: int
    dice: Fraction


class _Start(NamedTuple):
    """Where it all begins: perhaps in the middle of a paragraph, with some answers in."""

    place: Place
    inputs: tuple[Input, ...]
    answers: dict[Seat, Choice]


def odds(start: Game[S, T], policy: Policy, read: Callable[[S], V], until: Callable[[S, Agenda], bool] | None = None) -> Odds:
    """The exact distribution of `read(state)` when the agenda is done, or at the first step where `until` holds.

    A step that comes back to the very place it began at is a re-roll: its share goes to its other outcomes.
    """
    begins = _Start((start.position.state, start.agenda), start.inputs, start.answers)
    fresh = not begins.inputs and not begins.answers

    def is_end(place: Place) -> bool:
        state, agenda = place
        return not agenda or (until is not None and until(state, agenda))

    if fresh and is_end(begins.place):
        return Odds({read(begins.place[0]): Fraction(1)}, Fraction(0))
    explorer = start.copy(Enumerated(), policy)
    first = _ways(explorer, begins)
    ways, order = _explored(explorer, first, is_end)
    return _summed(first, ways, order, read)


def _explored(explorer: Game[Any, Any], first: _Ways, is_end: Callable[[Place], bool]) -> tuple[dict[Place, _Ways], list[Place]]:
    """Every place that can be reached and how it goes on, in an order in which no place leads to an earlier one."""
    ways: dict[Place, _Ways] = {}
    order: list[Place] = []
    open_: set[Place] = set()
    stack: list[tuple[Place, bool]] = [(place, False) for place in first.ends]
    while stack:
        place, done = stack.pop()
        if done:
            open_.discard(place)
            order.append(place)
        elif place in open_:
            raise RuntimeError(f"odds: paragraph {place[1][0].paragraph} leads back to itself through others: re-roll in one")
        elif place not in ways:
            ways[place] = _Ways({}, 1, Fraction(0)) if is_end(place) else _ways(explorer, _Start(place, (), {}))
            open_.add(place)
            stack.append((place, True))
            stack += [(end, False) for end in ways[place].ends]
    return ways, order[::-1]


def _summed(first: _Ways, ways: dict[Place, _Ways], order: list[Place], read: Callable[[Any], V]) -> Odds:
    """The weight of every end; fractions meet only where paths do."""
    total: dict[Any, Fraction] = {}
    mean_dice = first.dice
    mass = {place: Fraction(part, first.out_of) for place, part in first.ends.items()}
    for place in order:
        weight, step = mass.pop(place), ways[place]
        if not step.ends:
            value = read(place[0])
            total[value] = total.get(value, Fraction(0)) + weight
            continue
        mean_dice += weight * step.dice
        for end, part in step.ends.items():
            mass[end] = mass.get(end, Fraction(0)) + weight * Fraction(part, step.out_of)
    return Odds(total, mean_dice)


def _ways(game: Game[Any, Any], begins: _Start) -> _Ways:
    """Play one step from a place in every way it can go."""
    fate = game.fate
    assert isinstance(fate, Enumerated)
    fate.game = game
    fate.todo.append((begins.inputs, 1, 1, 0))
    runs: list[tuple[Place, int, int, int]] = []
    while fate.todo:
        game.inputs, fate.weight, fate.sides, fate.dice = fate.todo.pop()
        game.state, game.agenda = begins.place
        game.question, game.answers = None, begins.answers
        game.step()
        runs.append(((game.state, game.agenda), fate.weight, fate.sides, fate.dice))
    return _gathered(runs, begins)


def _gathered(runs: list[tuple[Place, int, int, int]], begins: _Start) -> _Ways:
    """Equal ends together; what came back to where it began is spread over the rest."""
    share = lcm(*(sides for _, _, sides, _ in runs))
    ends: dict[Place, int] = {}
    thrown = 0
    for end, weight, sides, dice in runs:
        part = weight * (share // sides)
        ends[end] = ends.get(end, 0) + part
        thrown += part * dice
    out_of = share - (0 if begins.inputs or begins.answers else ends.pop(begins.place, 0))
    if out_of == 0:
        raise RuntimeError(f"odds: paragraph {begins.place[1][0].paragraph} re-rolls for ever")
    return _Ways(ends, out_of, Fraction(thrown, out_of))


def choosing(chosen: Mapping[Seat, Choice]) -> Policy:
    """A policy that makes these choices where they are legal, and otherwise does what silence means."""

    def policy(_: Game[Any, Any], seat: Seat, ask: Ask) -> Choice:
        choice = chosen.get(seat)
        return choice if choice is not None and ask.offer_of(choice) else ask.default

    return policy
