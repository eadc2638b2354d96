"""What a view shows of an act under way."""

from __future__ import annotations

from typing import Any

import pytest

from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game
from wardogs.kernel.system import frozen
from wardogs.systems import load_system

DOGS = load_system("dogs")


@pytest.mark.parametrize(("seat", "order"), [(1, "within 12"), (2, "ask"), (None, "ask")])
def test_the_order_of_a_man_who_goes_on_watch_is_his_sides_affair(seat: int | None, order: str) -> None:
    stage = {
        "models": [{"id": "a", "side": 1, "at": [10, 10]}, {"id": "b", "side": 2, "at": [10, 30]}],
        "agenda": [["watch", [["face", 0], ["model", "a"], ["order", "within 12"], ["verb", "watch"]]]],
    }
    terms, position = DOGS.stage(stage, {})
    game: Game[Any, Any] = Game(DOGS.rules, terms, position, Fast(0))
    assert frozen(["order", order]) in DOGS.view(game, seat).agenda[0].args[0]
