"""Dice, and readings: what each face means to the rule that rolls it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeVar

M = TypeVar("M")


class Die(NamedTuple):
    """A fair die of any size; `faces` is what may show."""

    name: str
    faces: tuple[int, ...]


@cache
def die(sides: int) -> Die:
    return Die(f"d{sides}", tuple(range(1, sides + 1)))


D6, D10, D100 = die(6), die(10), die(100)


def reading(of: Die, means: Callable[[int], M]) -> tuple[M, ...]:
    """The meaning of every face, in the order of the faces."""
    return tuple(means(face) for face in of.faces)


@cache
def as_is(of: Die) -> tuple[int, ...]:
    return of.faces


@cache
def at_least(of: Die, need: int, always: int | None = None, never: int | None = None) -> tuple[bool, ...]:
    return reading(of, lambda face: face == always or (face >= need and face != never))


@cache
def at_most(of: Die, need: int, always: int | None = None, never: int | None = None) -> tuple[bool, ...]:
    return reading(of, lambda face: face == always or (face <= need and face != never))
