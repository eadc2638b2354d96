"""What is offered for one man after another."""

from __future__ import annotations

from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game
from wardogs.systems.dogs import SYSTEM
from wardogs.systems.dogs.acting import act_offers

WATCHES = {"opfire": True, "ap": 4}
MEN = [
    {"id": "a", "side": 1, "list": "us_rangers", "role": "leader", "at": [10, 10], "facing": 0, "state": WATCHES},
    {"id": "b", "side": 1, "list": "us_rangers", "role": "scout", "at": [14, 10], "facing": 0},
    {"id": "c", "side": 2, "list": "taliban", "role": "scout", "at": [10, 40], "facing": 180},
]


def test_an_active_watcher_is_named_once_and_offered_both_his_acts_and_new_orders() -> None:
    terms, position = SYSTEM.stage({"models": MEN, "active": ["a", "b"]}, {})
    game = Game(SYSTEM.rules, terms, position, Fast(0))
    offers = act_offers(game)
    assert offers.doers == ("a", "b")
    verbs = [offer.verb for offer in offers.of("a")]
    assert "prone" in verbs
    assert "order" in verbs
    assert "order" not in [offer.verb for offer in offers.of("b")]
    assert list(offers.of("c")) == []
    assert sorted(offer.verb for offer in offers) == sorted(
        offer.verb for doer in (None, *offers.doers) for offer in offers.of(doer)
    )
