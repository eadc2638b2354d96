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


SECRETLY = {
    "hand_trigger": [["device", 3], ["model", "a"], ["to", "c"], ["verb", "hand_trigger"]],
    "take_trigger": [["device", 3], ["model", "a"], ["verb", "take_trigger"]],
}


@pytest.mark.parametrize("verb", SECRETLY)
def test_who_hands_a_trigger_on_is_not_seen_at_it(verb: str) -> None:
    stage = {
        "models": [{"id": name, "side": side, "at": [10, y]} for name, side, y in (("a", 1, 10), ("c", 1, 11), ("b", 2, 30))],
        "devices": [{"id": 3, "kind": "claymore", "owner": 1, "at": [40, 40, 0], "known": [1], "holder": "a"}],
        "agenda": [[verb, SECRETLY[verb]]],
    }
    terms, position = DOGS.stage(stage, {})
    game: Game[Any, Any] = Game(DOGS.rules, terms, position, Fast(0))
    assert [len(DOGS.view(game, seat).agenda) for seat in (1, 2, None)] == [1, 0, 0]


def charged(*agenda: tuple[str, list[list[Any]]]) -> Any:
    """What is on the table when these charges have been set, with a man of the other side who sees nothing of it."""
    stage = {
        "models": [
            {"id": "a", "side": 1, "list": "us_rangers", "at": [10, 10], "state": {"stores": [["c4_quarters", 4]]}},
            {"id": "b", "side": 2, "at": [40, 40], "facing": 90},
        ],
        "agenda": [[verb, [["model", "a"], ["on", "ground"], *more, ["verb", verb]]] for verb, more in agenda],
    }
    terms, position = DOGS.stage(stage, {})
    game: Game[Any, Any] = Game(DOGS.rules, terms, position, Fast(0))
    game.advance()
    return game.position.state


def test_the_number_of_the_next_device_tells_no_more_than_the_stores() -> None:
    one = charged(("set_c4", [["quarters", 2]]))
    two = charged(("set_c4", [["quarters", 1]]), ("set_c4", [["quarters", 1]]))
    grown = charged(("set_c4", [["quarters", 1]]), ("add_c4", [["device", 101], ["quarters", 1]]))
    assert [len(battle.devices) for battle in (one, two, grown)] == [1, 2, 1]
    assert len({battle["a"].stores for battle in (one, two, grown)}) == 1
    assert len({battle.next_device(1) for battle in (one, two, grown)}) == 1
