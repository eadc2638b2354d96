"""A table that somebody has crowded with names is drawn as fast as others: whoever draws it holds up every game beside his."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from wardogs.kernel.match import Match
from wardogs.kernel.system import Wanted
from wardogs.systems.dogs import SYSTEM as DOGS
from wardogs.systems.dogs.board import MOST_NAMES


def crowded(names: int) -> dict[str, Any]:
    """The crossroads, with so many named heaps of rubble; a heap is a square of half an inch."""
    raw: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(DOGS.scenarios["crossroads"]))
    for k in range(names):
        x, y = 0.5 + k % 60 * 0.7, 0.5 + k // 60 * 0.7
        raw["map"]["area"].append({"kind": "rubble", "name": f"heap number {k}", "rect": [x, y, x + 0.5, y + 0.5]})
    return raw


def test_so_many_names_are_written_on_a_floor_and_no_more() -> None:
    setup = DOGS.plan(Wanted(crowded(400)))
    match = Match.start(DOGS, setup, dict.fromkeys(setup.seats, "person"), bytes(32))
    floors = DOGS.board(match.terms, DOGS.view(match.game, 1)).floors
    for floor in floors:
        assert len(re.findall("<text", floor.svg)) <= MOST_NAMES
    assert "the smithy" in floors[0].svg  # houses come first
    assert "heap number 0<" in floors[0].svg
    assert "heap number 399" not in floors[0].svg
