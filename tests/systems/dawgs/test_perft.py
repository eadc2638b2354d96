"""Counted trees: every choice of every seat followed for a round, from tiny set-ups; the counts prove the rules whole."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from wardogs.kernel.fate import Scripted
from wardogs.kernel.game import Game
from wardogs.kernel.offers import Question
from wardogs.systems import load_system

DAWGS = load_system("dawgs")


def leaves(game: Game[Any, Any], depth: int) -> list[Any]:
    """The tables that a number of card questions can lead to when nobody fires."""
    game.advance()
    if depth == 0 or not isinstance(game.question, Question):
        return [game.position.state]
    asks = game.question.asks
    found = []
    for answers in product(*(ask.playable for ask in asks.values())):
        twin = game.copy(Scripted())
        for seat, choice in zip(asks, answers, strict=True):
            twin.answer(seat, choice)
        while isinstance(twin.question, Question) and next(iter(twin.question.asks.values())).topic == "fire":
            for seat in twin.waiting:
                twin.answer(seat, {"verb": "hold_fire"})
        found += leaves(twin, depth - 1)
    return found


def count(planes: list[dict[str, Any]], depth: int) -> tuple[int, int]:
    terms, position = DAWGS.stage({"planes": planes}, {})
    ends = leaves(Game(DAWGS.rules, terms, position, Scripted()), depth)
    return len(ends), len(set(ends))


MIDDLE = [{"front": "E6", "facing": 3, "speed": 1}, {"front": "L6", "facing": 9, "speed": 1}]


@pytest.mark.parametrize(
    ("planes", "depth", "paths", "tables"),
    [
        (MIDDLE, 1, 9 * 9, 7 * 7),
        ([{**MIDDLE[0], "special": "chase_your_tail"}, MIDDLE[1]], 1, 15 * 9, 13 * 7),
        ([{**MIDDLE[0], "special": "play_dead"}, MIDDLE[1]], 1, 12 * 9, 8 * 7),
    ],
)
def test_one_round(planes: list[dict[str, Any]], depth: int, paths: int, tables: int) -> None:
    """Nine pairs are seven manoeuvres; Chase Your Tail adds six, told apart because a played special is public."""
    assert count(planes, depth) == (paths, tables)
