"""The picture and the text board: all that a seat may know, nothing that it may not."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game
from wardogs.kernel.offers import Seat
from wardogs.kernel.system import Wanted
from wardogs.scene.model import Area, Disc, Line, Mark, Piece, Scene, Text
from wardogs.scene.svg import svg
from wardogs.scene.zoom import every
from wardogs.systems.dogs import SYSTEM
from wardogs.systems.dogs.board_text import WIDEST, level_of, tags
from wardogs.systems.dogs.state import Battle, Terms
from wardogs.systems.dogs.tokens import COLOURS

HOUSE = {"id": "H", "rect": [20, 20, 30, 30], "levels": 2, "material": "stone", "stairs": [{"at": [29, 29], "level": 0}]}
SETUP: dict[str, Any] = {
    "map": {"size": [48, 48], "building": [HOUSE], "area": [{"id": "r", "kind": "rubble", "rect": [2, 2, 8, 8]}]},
    "models": (
        {"id": "leader", "side": 1, "role": "leader", "team": "Rangers", "at": [10, 10], "facing": 90, "state": {"ap": 7}},
        {"id": "watcher", "side": 1, "role": "gunner", "team": "Rangers", "at": [14, 10], "state": {"opfire": True}},
        {"id": "sniper", "side": 1, "role": "scout", "team": "Rangers", "at": [25, 25, 2], "state": {"stance": "prone"}},
        {"id": "goner", "side": 2, "list": "taliban", "role": "leader", "team": "T", "at": [30, 40], "state": {"alive": False}},
        {"id": "sleeper", "side": 2, "list": "taliban", "role": "scout", "team": "T", "at": [33, 40],
         "state": {"conscious": False, "stance": "prone", "hp": 0, "bleeding": True}},
        {"id": "bomber", "side": 2, "list": "taliban", "role": "gunner", "team": "T", "at": [36, 40], "state": {"vest": 4}},
    ),
    "slot": 1, "active": ("leader",), "turn": 3, "phase": "activations",
    "devices": ({"id": 1, "kind": "claymore", "owner": 1, "at": [12, 14, 0], "known": [1], "facing": 0},),
    "clouds": ({"kind": "smoke_grenade", "at": [40, 10, 0], "radius": 3, "turns_left": 2},),
    "items": ({"id": 2, "kind": "chair", "at": [5, 40, 0]},),
    "sides": ({"seat": 1, "vp": 5},),
}  # fmt: skip


def staged(options: dict[str, Any] | None = None, **more: Any) -> Game[Battle, Terms]:
    terms, position = SYSTEM.stage({**SETUP, **more}, options or {})
    return Game(SYSTEM.rules, terms, position, Fast(0))


def scene(seat: Seat | None = 1, **more: Any) -> Scene:
    game = staged(**more)
    drawn: Scene = SYSTEM.scene(game.terms, SYSTEM.view(game, seat))
    return drawn


def marks(drawn: Scene) -> list[Mark]:
    return list(every(drawn.marks))


def named(drawn: Scene, who: str) -> list[Mark]:
    """The marks whose tooltip is about a man."""
    return [mark for mark in marks(drawn) if isinstance(mark, Disc | Piece) and f" {who} (" in mark.name]


def says(drawn: Scene) -> list[str]:
    return [mark.says for mark in marks(drawn) if isinstance(mark, Text)]


def test_the_title_tells_turn_slot_and_points() -> None:
    title = scene().title
    for part in ("turn 3", "activations", "side 1 to act", "side 1 5 VP", "side 2 0 VP"):
        assert part in title


def test_the_end_is_in_the_title() -> None:
    game = staged()
    battle = replace(game.state, result=type_of_result(1))
    sight = replace(SYSTEM.view(game, 1), battle=battle)
    assert "victory for side 1" in SYSTEM.scene(game.terms, sight).title


def type_of_result(side: Seat) -> Any:
    from wardogs.systems.dogs.state import Result

    return Result(side, "turn_limit")


def test_a_tooltip_says_who_he_is_and_how_he_is() -> None:
    name = next(mark.name for mark in named(scene(), "leader") if isinstance(mark, Disc))
    for part in ("A1 leader", "side 1", "M16A2 (30 loaded", "5 of 5 HP", "7 AP", "facing 90"):
        assert part in name
    sleeper = next(mark.name for mark in named(scene(), "sleeper") if isinstance(mark, Piece))
    assert "unconscious" in sleeper
    assert "bleeding" in sleeper
    assert "0 of 5 HP" in sleeper


def test_sides_differ_in_colour_and_in_grey() -> None:
    """A dark rim about white on one side, a plain light token on the other."""
    ours, theirs = named(scene(), "leader"), named(scene(), "bomber")
    looks = [[mark.look for mark in group if isinstance(mark, Disc)] for group in (ours, theirs)]
    assert "open_dot" in looks[0]
    assert "open_dot" not in looks[1]
    assert COLOURS[1] != COLOURS[2]


def test_marks_of_stance_and_state() -> None:
    drawn = scene()
    assert any(isinstance(mark, Piece) for mark in named(drawn, "sniper")), "prone: a lozenge"
    assert any(isinstance(mark, Area) and mark.look == "cone" and mark.colour for mark in marks(drawn)), "the arc of a watcher"
    assert sum(isinstance(mark, Line) and mark.look == "cross" for mark in marks(drawn)) >= 2, "the dead are crossed out"
    assert "-5zz+" in says(drawn), "unconscious and bleeding"
    assert "7 AP" in says(drawn)
    assert "L1" in says(drawn)
    assert any(isinstance(mark, Area) and mark.look == "smoke" for mark in marks(drawn))
    assert "chair" in says(drawn)


def test_no_arc_without_a_watcher() -> None:
    quiet = tuple({**model, "state": {**model.get("state", {}), "opfire": False}} for model in SETUP["models"])
    assert not any(isinstance(mark, Area) and mark.look == "cone" for mark in marks(scene(models=quiet)))


def test_levels_are_those_of_the_house() -> None:
    table = staged().terms.map
    assert [level_of(table, place) for place in ((25.0, 25.0, 0.0), (25.0, 25.0, 2.0), (25.0, 25.0, 4.0))] == [0, 1, 2]
    assert level_of(table, (5.0, 5.0, 2.0)) == 0, "a hill is no storey"


@pytest.mark.parametrize("seat", [2, None])
def test_nobody_sees_a_device_he_does_not_know_of(seat: Seat | None) -> None:
    """DOW-EXP-15."""
    assert "Claymore" in says(scene(1))
    assert "Claymore at" in scene(1).text
    other = scene(seat)
    assert "Claymore" not in svg(other).replace("Claymores", "")
    assert "Claymore" not in other.text
    assert "@" not in "".join(line for line in other.text.splitlines() if "|" in line)


def test_a_hidden_vest_stays_hidden() -> None:
    """DOW-EXP-14."""
    assert "deadman vest" in scene(2).text
    assert "vest" not in scene(1).text
    assert "deadman" not in svg(scene(1))


def test_the_board_fits_a_terminal_and_names_everybody() -> None:
    text = scene().text
    assert max(map(len, text.splitlines())) <= WIDEST
    for model in SETUP["models"]:
        assert model["id"] in text
    assert any("sniper" in line and "25.0, 25.0 L1" in line and "prone" in line for line in text.splitlines())
    rows = [line for line in text.splitlines() if line[4:5] == "|"]
    assert len(rows) == 24
    assert all(len(row) == len(rows[0]) for row in rows)
    assert "A1" in rows[24 - 1 - 5], "10 inches up: the sixth row from below"
    assert "xx" in rows[24 - 1 - 20], "the dead"


def test_two_in_a_square() -> None:
    near = tuple({**model, "at": [30 + k * 0.5, 40.5]} for k, model in enumerate(SETUP["models"][3:]))
    assert "B+" in scene(models=(*SETUP["models"][:3], *near)).text


def test_every_man_has_a_tag_of_his_own() -> None:
    for name in SYSTEM.scenarios:
        terms = SYSTEM.terms(SYSTEM.plan(Wanted(name)))
        given = tags(SYSTEM.begin(terms).state)
        assert len(set(given.values())) == len(given)


@pytest.mark.parametrize("name", list(SYSTEM.scenarios))
def test_every_scenario_can_be_drawn(name: str) -> None:
    terms = SYSTEM.terms(SYSTEM.plan(Wanted(name)))
    game = Game(SYSTEM.rules, terms, SYSTEM.begin(terms), Fast(0))
    drawn = SYSTEM.scene(terms, SYSTEM.view(game, 1))
    ElementTree.fromstring(svg(drawn))
    assert len(drawn.words) >= len(game.state.models)
    assert max(map(len, drawn.text.splitlines())) <= WIDEST
    assert "_" not in drawn.text + " ".join(drawn.words)


def test_what_fell_down_is_drawn_fallen() -> None:
    game = staged()
    sight = SYSTEM.view(game, 1)
    fallen = replace(sight, battle=replace(sight.battle, changes=(("collapse", "H", 0),)))
    standing, ruins = (SYSTEM.scene(game.terms, each) for each in (sight, fallen))
    walls = [sum("#" in line for line in drawn.text.splitlines() if line[4:5] == "|") for drawn in (standing, ruins)]
    assert walls[0] > 0 == walls[1]
