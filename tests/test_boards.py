"""Boards: what a browser draws of a view is all there, agrees with the table, gives nothing away, and changes by little."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import replace

from tests.kernel.tiny import TINY, setup_of
from tests.server.plug import applied
from tests.systems.dogs.test_scene import staged
from tests.test_contract import other_game, random_choice, random_setup
from wardogs.kernel.fate import seed_from
from wardogs.kernel.game import Game
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Ask, OneOf, Seat, Several
from wardogs.kernel.system import System, Wanted
from wardogs.scene.board import Board, Token
from wardogs.scene.paint import PAINTS
from wardogs.server.patch import edits
from wardogs.systems import KEYS, load_system
from wardogs.systems.dawgs.data import FACINGS
from wardogs.systems.dogs.board import floors
from wardogs.systems.dogs.state import Battle
from wardogs.table.changes import set_opening
from wardogs.table.terrain import Same

DOGS, DAWGS = load_system("dogs"), load_system("dawgs")
GAMES = {"dawgs": 12, "dogs": 3}
MOST_ASKED = 150  # questions of a game
NOWHERE = {("device", 0), ("on", "ground")}  # one's own vest, and where one stands


def board_of(system: System, game: Game[Any, Any], seat: Seat | None) -> Board:
    board: Board = system.board(game.terms, system.view(game, seat))
    return board


def as_sent(thing: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(thing))


def tokens(board: Board) -> dict[str | int, Token]:
    return {token.id: token for token in board.tokens}


def facts(board: Board, who: str | int) -> dict[str, str]:
    return dict(tokens(board)[who].facts)


def played(system: System, number: int) -> Iterator[tuple[Match, random.Random]]:
    """The questions of a game, each before it is answered."""
    rng = random.Random(number)
    match = Match.start(system, random_setup(system, rng), {}, seed_from(number))
    for _ in range(MOST_ASKED):
        if match.over:
            return
        yield match, rng
        seat = rng.choice(match.game.waiting)
        match.answer(seat, random_choice(match.game.question.asks[seat], rng))


# ---- at every question of random games -------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_offers_name_what_is_on_the_board(key: str) -> None:
    system, named = load_system(key), 0
    for number in range(GAMES[key]):
        for match, _ in played(system, number):
            for seat, ask in match.game.question.asks.items():
                board = board_of(system, match.game, seat)
                known = {*tokens(board), *(place.id for place in board.places)}
                for field, value in values(ask):
                    if field in board.picks and (field, value) not in NOWHERE:
                        assert value in known, (field, value)
                        named += 1
                    elif isinstance(value, str):
                        assert value not in known, (field, value)
    assert named > 10


def values(ask: Ask) -> set[tuple[str, Any]]:
    found = set()
    for offer in ask.offers:
        for name, domain in offer.fields.items():
            if isinstance(domain, OneOf | Several):
                found |= {(name, value) for value in domain.among if isinstance(value, str | int) and not isinstance(value, bool)}
    return found


@pytest.mark.parametrize("key", KEYS)
def test_a_browser_that_applies_the_edits_has_the_board(key: str) -> None:
    system = load_system(key)
    for number in range(GAMES[key]):
        old: dict[Seat | None, Board] = {}
        shown: dict[Seat | None, Any] = {}
        for match, _ in played(system, number):
            for seat in (*match.header.setup.seats[:2], None):
                new = board_of(system, match.game, seat)
                shown[seat] = applied(shown[seat], as_sent(edits(old[seat], new))) if seat in old else as_sent(new)
                old[seat] = new
                assert msgspec.convert(shown[seat], Board) == new


@pytest.mark.parametrize("key", KEYS)
def test_two_worlds_that_a_seat_cannot_tell_apart_have_one_board(key: str) -> None:
    system = load_system(key)
    for number in range(GAMES[key]):
        for match, rng in played(system, number):
            seat = rng.choice([*match.game.question.asks, None])
            other = other_game(system, match.game, seat, rng)
            here, there = (msgspec.json.encode(board_of(system, game, seat)) for game in (match.game, other))
            assert here == there


@pytest.mark.parametrize("number", range(GAMES["dogs"]))
def test_men_are_where_they_are(number: int) -> None:
    for match, _ in played(DOGS, number):
        board, battle = board_of(DOGS, match.game, 1), match.game.state
        found = tokens(board)
        assert len(found) == len(board.tokens)
        for man in battle.models:
            token = found[man.id]
            there = not (man.away or man.vehicle or man.carried_by)
            assert token.where
            assert token.at == (man.at[:2] if there else None)
            assert token.angle is None or abs((90 - man.facing - token.angle + 180) % 360 - 180) < 0.06
            assert token.bars[0].now == max(man.hp, 0)
            assert token.lost == (not man.alive or man.away == "fled")
            assert (token.shape == "fallen") == (not man.alive)
            assert [bar.name for bar in token.bars] == (["HP", "AP"] if man.id in battle.active else ["HP"])
            assert token.level < len(board.floors)


@pytest.mark.parametrize("number", range(GAMES["dawgs"]))
def test_planes_are_where_they_are(number: int) -> None:
    for match, _ in played(DAWGS, number):
        board, air = board_of(DAWGS, match.game, None), match.game.state
        for plane in air.planes:
            token = tokens(board)[plane.seat]
            flies = plane.flying and air.phase != "setup"
            assert (token.at is not None) == flies
            assert token.lost == (not plane.in_the_sky)
            if flies:
                assert token.at == pytest.approx(match.terms.space.board.centre(plane.front), abs=0.001)
                assert token.angle == FACINGS[plane.facing].angle_deg
                assert [bar.now for bar in token.bars] == [plane.speed, 0 if plane.damage is None else 4 - plane.damage]
        assert len(board.marks) == sum(token.at is not None for token in board.tokens)


@pytest.mark.parametrize("key", KEYS)
def test_all_that_is_drawn_is_svg_with_its_patterns(key: str) -> None:
    system = load_system(key)
    for match, _ in played(system, 2):
        board = board_of(system, match.game, 1)
        drawn = "".join([*(floor.svg for floor in board.floors), *board.marks])
        ElementTree.fromstring(f"<svg>{board.patterns}{drawn}</svg>")
        assert set(re.findall(r"url\(#([^)]+)\)", drawn)) <= set(re.findall(r'id="([^"]+)"', board.patterns))
        assert {score.colour for score in board.scores} <= {*PAINTS, ""}
        assert {token.colour for token in board.tokens} <= {*PAINTS, ""}


# ---- little changes --------------------------------------------------------------------------------------------------


def changed(game: Game[Battle, Any], who: Any, **fields: Any) -> tuple[Board, Board]:
    """The board of seat 1 before and after somebody changes."""
    before = board_of(DOGS, game, 1)
    view = DOGS.view(game, 1)
    after: Board = DOGS.board(game.terms, replace(view, battle=view.battle.edited(who, fields)))
    return before, after


def test_a_man_who_moves_is_a_handful_of_edits() -> None:
    before, after = changed(staged(), "leader", at=(10.0, 12.0, 0.0), ap=5)
    assert {path[:3] for path, _ in edits(before, after)} == {("tokens", 0, "at"), ("tokens", 0, "where"), ("tokens", 0, "bars")}
    assert len(edits(before, after)) == 3
    assert all(old is new for old, new in list(zip(before.tokens, after.tokens, strict=True))[1:])
    assert before.floors is after.floors
    assert all(old is new for old, new in zip(before.scores, after.scores, strict=True))


def test_a_choice_changes_little() -> None:
    match = Match.start(DOGS, DOGS.plan(Wanted("crossroads")), {}, seed_from(1))
    rng, counts, old = random.Random(1), list[int](), board_of(DOGS, match.game, 1)
    for _ in range(MOST_ASKED):
        seat = rng.choice(match.game.waiting)
        match.answer(seat, match.game.question.asks[seat].drawn(rng.random))
        new = board_of(DOGS, match.game, 1)
        counts.append(len(edits(old, new)))
        old = new
    counts.sort()
    assert counts[len(counts) // 2] <= 8
    assert counts[-1] <= 120  # a new turn, when many stand up or lose their AP at once


def test_names_stay_in_their_places_when_a_door_opens() -> None:
    table = DOGS.terms(DOGS.plan(Wanted("crossroads"))).map
    house = next(house for house in table.buildings if any(opening.kind == "door" for opening in house.openings))
    door = next(opening.id for opening in house.openings if opening.kind == "door")
    opened = set_opening(table, door, "open", 0)
    before, after = (floors(Same(now), Same(table), ()) for now in (table, opened))
    assert before[0].svg != after[0].svg
    assert [re.findall(r"<text.*?</text>", floor.svg) for floor in before] == [
        re.findall(r"<text.*?</text>", floor.svg) for floor in after
    ]


# ---- what a sheet says -----------------------------------------------------------------------------------------------


def test_a_sheet_says_it_all() -> None:
    board = board_of(DOGS, staged(), 1)
    leader, sniper = tokens(board)["leader"], tokens(board)["sniper"]
    assert (leader.where, leader.group, leader.label, leader.active) == ("at 10, 10", "Rangers", "A1", True)
    assert [(bar.name, bar.now, bar.most) for bar in leader.bars] == [("HP", 5, 5), ("AP", 7, 10)]
    assert facts(board, "leader")["facing"] == "east, 90°"
    assert facts(board, "leader")["state"] == "leads his team"
    assert (sniper.where, sniper.level, sniper.shape) == ("in H, one floor up, at 25, 25", 1, "lying")
    assert [sign.sign for sign in tokens(board)["sleeper"].signs] == ["zz", "+"]
    assert tokens(board)["goner"].shape == "fallen"


def test_who_is_not_on_the_table_says_where_he_is() -> None:
    def where(**fields: Any) -> tuple[Any, str]:
        token = tokens(changed(staged(), "leader", **fields)[1])["leader"]
        return token.at, token.where

    assert where(away="reserve") == (None, "in reserve")
    assert where(away="fled") == (None, "fled")
    assert where(carried_by="sniper") == (None, "carried by sniper")


def test_the_roof_has_a_floor_of_its_own() -> None:
    board = board_of(DOGS, staged(), 1)
    assert [floor.name for floor in board.floors] == ["ground", "1", "roofs"]
    roof = tokens(changed(staged(), "sniper", at=(25.0, 25.0, 4.0))[1])["sniper"]
    assert (roof.level, roof.where) == (2, "on the roof of H, at 25, 25")


def test_an_order_is_for_ones_own_side() -> None:
    game = staged()
    assert facts(board_of(DOGS, game, 1), "watcher")["order"] == "ask me each time"
    assert "order" not in facts(board_of(DOGS, game, 2), "watcher")


def test_a_device_is_for_those_who_know_of_it() -> None:
    game = staged()
    mine, theirs = (board_of(DOGS, game, seat) for seat in (1, 2))
    assert (tokens(mine)[1].name, tokens(mine)[1].angle) == ("Claymore", 90.0)
    for board in (theirs, board_of(DOGS, game, None)):
        assert 1 not in tokens(board)
        assert b"laymore" not in msgspec.json.encode(board)


def test_what_lies_about_is_named_as_one_picks_it_up() -> None:
    chair = tokens(board_of(DOGS, staged(), 1))["#2"]
    assert (chair.name, chair.at, chair.shape) == ("chair", (5.0, 40.0), "thing")


def test_smoke_and_arcs_lie_between_plan_and_tokens() -> None:
    board = board_of(DOGS, staged(), 1)
    assert any("wardogs-smoke" in mark for mark in board.marks)
    assert len(board.marks) == 2


def test_a_hidden_special_stays_hidden() -> None:
    match = Match.start(DAWGS, DAWGS.plan(Wanted("dawn_patrol")), {}, seed_from(4))
    while match.game.state.phase == "setup":
        seat = match.game.waiting[0]
        match.answer(seat, match.game.question.asks[seat].default)
    assert facts(board_of(DAWGS, match.game, 2), 1)["special"] == "hidden"
    assert facts(board_of(DAWGS, match.game, 1), 1)["special"].endswith(")")
    assert not board_of(DAWGS, match.game, 1).compass


def test_tin_soldiers_have_a_board() -> None:
    match = Match.start(TINY, setup_of(), {}, seed_from(1))
    board = board_of(TINY, match.game, 1)
    assert [token.id for token in board.tokens] == ["a", "b", "c"]
    assert msgspec.convert(as_sent(board), Board) == board
