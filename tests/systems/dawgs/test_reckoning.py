"""What a choice would bring in the air: the exact odds, every term, and where a plane comes to lie."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game
from wardogs.kernel.system import Seen
from wardogs.scene.board import Reckoned
from wardogs.systems.dawgs import SYSTEM
from wardogs.systems.dawgs.bot import shot_odds
from wardogs.systems.dawgs.firing import shot_reading

FIRER, TARGET = {"front": "F6", "facing": 3}, {"front": "H6", "facing": 3, "speed": 1}
PHASES = ["fire", "apply_damage", "adjust_speed", "roll_for_breakup", "check_for_victory"]
FIRE: dict[str, Any] = {"verb": "fire", "target": 2}


def seen(*planes: dict[str, Any], options: dict[str, Any] | None = None, **setup: Any) -> Seen:
    terms, position = SYSTEM.stage({"planes": list(planes), **setup}, options or {})
    game: Any = Game(SYSTEM.rules, terms, position, Fast(0))
    question = game.advance()
    return SYSTEM.seen(game, 1, question.asks[1] if question else None)


@pytest.mark.parametrize("speed", range(4))
@pytest.mark.parametrize("special", [{}, {"special": "wagging_tail", "special_in_play": True, "facing": 9}])
def test_a_shot_has_the_odds_of_the_rules_and_terms_that_add_up(speed: int, special: dict[str, Any]) -> None:
    asked = seen({**FIRER, **special}, {**TARGET, "speed": speed, "damage": 3}, phases=PHASES)
    found: Reckoned = SYSTEM.reckon(asked, FIRE)
    exact = shot_odds(asked, FIRE)
    hits = {one.what: Fraction(one.exactly) for one in found.chances if "hit" in one.what}
    assert list(hits.values()) == list(exact.hits.values())
    assert sum(hits.values()) == 1
    need = sum(term.value for term in found.terms)
    game: Any = asked.imagined(Fast(0))
    means = shot_reading(game, game.state[1], game.state[2], False)
    assert (found.total, means.count(0)) == (f"needs {need}", min(6, need - 1))
    assert {term.rule for term in found.terms} == {"DAW-PLN-04", *(["DAW-SPC-20"] if special else [])}


def test_a_token_helps() -> None:
    asked = seen({**FIRER, "cf_on": 2}, TARGET, phases=PHASES, options={"opt_continuous_fire": True})
    found: Reckoned = SYSTEM.reckon(asked, FIRE)
    assert [(term.what, term.value) for term in found.terms] == [("vulnerability at speed 1", 4), ("continuous fire token", -1)]
    assert found.total == "needs 3"


def test_a_shot_is_drawn_from_plane_to_plane() -> None:
    found: Reckoned = SYSTEM.reckon(seen(FIRER, TARGET, phases=PHASES), FIRE)
    at = [SYSTEM.board(asked.terms, asked.view).tokens[k].at for asked in [seen(FIRER, TARGET, phases=PHASES)] for k in (0, 1)]
    assert all(f"{100 * x:g},{-100 * y:g}" in found.marks[0] for x, y in at)


def test_a_pair_of_cards_shows_where_the_plane_comes_to_lie() -> None:
    asked = seen({"front": "F6", "facing": 3, "speed": 2, "damage": 2}, {"front": "K7", "facing": 9})
    cards = {"verb": "place_cards", "number": 1, "other": "NC"}
    found: Reckoned = SYSTEM.reckon(asked, cards)
    assert found.text == "→ H6  speed 2, breaks up 2/3"
    assert [(one.what, one.exactly) for one in found.chances] == [("breaks up", "2/3")]
    x, y = asked.terms.space.board.centre(asked.terms.space.grid.parse("H6"))
    assert f"{100 * x:g},{round(-100 * y, 1):g}" in found.marks[0]
    assert found.marks[0].count("<polygon") == 1


@pytest.mark.parametrize("choice", [{"verb": "hold_fire"}, {"verb": "fire"}, {"verb": "place_cards"}])
def test_what_is_not_chosen_yet_is_not_reckoned(choice: dict[str, Any]) -> None:
    assert SYSTEM.reckon(seen(FIRER, TARGET, phases=PHASES), choice) == Reckoned()
