"""Exact odds: the rules themselves are the model. Every outcome is followed, equal positions merge.

Weights are whole numbers over one denominator per layer of steps; fractions are made only at the end.
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
            face = Input(rule, means.index(meaning))
            self.todo.append(((*self.game.inputs, face), self.weight * groups[meaning], self.sides, self.dice))
        self.weight *= groups[first]
        return 0


class _Ways(NamedTuple):
    """How one step can go: where it ends with which weight, out of how many, and the dice it takes on average."""

    ends: dict[Place, int]
    out_of: int
    dice: Fraction


def odds(start: Game[S, T], policy: Policy, read: Callable[[S], V], until: Callable[[S, Agenda], bool] | None = None) -> Odds:
    """The exact distribution of `read(state)` when the agenda is done, or at the first step where `until` holds.

    A step that comes back to the very place it began at is a re-roll: its share goes to its other outcomes.
    """
    explorer = start.copy(Enumerated(), policy)
    total: dict[Any, Fraction] = {}
    mean_dice = Fraction(0)
    inputs = start.inputs
    layer: dict[Place, int] = {(start.position.state, start.agenda): 1}
    out_of = 1
    while layer:
        steps: list[tuple[int, _Ways]] = []
        for place, weight in layer.items():
            state, agenda = place
            if not agenda or (until is not None and not inputs and until(state, agenda)):
                value = read(state)
                total[value] = total.get(value, Fraction(0)) + Fraction(weight, out_of)
            else:
                ways = _ways(explorer, place, inputs)
                mean_dice += Fraction(weight, out_of) * ways.dice
                steps.append((weight, ways))
        layer, share = _next_layer(steps)
        out_of *= share
        inputs = ()
    return Odds(total, mean_dice)


def _next_layer(steps: list[tuple[int, _Ways]]) -> tuple[dict[Place, int], int]:
    share = lcm(*(ways.out_of for _, ways in steps))
    layer: dict[Place, int] = {}
    for weight, ways in steps:
        scale = weight * (share // ways.out_of)
        for end, part in ways.ends.items():
            layer[end] = layer.get(end, 0) + scale * part
    return layer, share


def _ways(game: Game[Any, Any], place: Place, inputs: tuple[Input, ...]) -> _Ways:
    """Play one step from a place in every way it can go."""
    fate = game.fate
    assert isinstance(fate, Enumerated)
    fate.game = game
    fate.todo.append((inputs, 1, 1, 0))
    runs: list[tuple[Place, int, int, int]] = []
    while fate.todo:
        game.inputs, fate.weight, fate.sides, fate.dice = fate.todo.pop()
        game.state, game.agenda = place
        game.question = None
        game.step()
        runs.append(((game.state, game.agenda), fate.weight, fate.sides, fate.dice))
    share = lcm(*(sides for _, _, sides, _ in runs))
    ends: dict[Place, int] = {}
    thrown = 0
    for end, weight, sides, dice in runs:
        part = weight * (share // sides)
        ends[end] = ends.get(end, 0) + part
        thrown += part * dice
    out_of = share - (ends.pop(place, 0) if not inputs else 0)
    return _Ways(ends, out_of, Fraction(thrown, out_of))


def choosing(chosen: Mapping[Seat, Choice]) -> Policy:
    """A policy that makes these choices where they are legal, and otherwise does what silence means."""

    def policy(_: Game[Any, Any], seat: Seat, ask: Ask) -> Choice:
        choice = chosen.get(seat)
        return choice if choice is not None and ask.offer_of(choice) else ask.default

    return policy
