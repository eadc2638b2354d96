"""Resignation, draw by consent, and the umpire's way back, at a live table."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over, sit_down
from wardogs.kernel.replay import verify
from wardogs.server import records
from wardogs.server.games import keep
from wardogs.server.hall import Hall
from wardogs.server.referee import KEEP
from wardogs.server.rulebooks import rulebook
from wardogs.server.store import Settings
from wardogs.server.thinking import waiting_for_bots

VILLAGE = {"theme": "village", "points": 100, "seed": 1, "turns": 1}


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


def verified(hall: Hall, game: str) -> Any:
    """The whole record as the database has it, played again; returns how it ended."""
    record = hall.store.record(game)
    verify(rulebook(record.header.system), record)
    assert record.finished
    return record.outcome


async def choose(hall: Hall, game: str, plugs: dict[int, Plug], times: int) -> None:
    """The defaults, so many times."""
    for _ in range(times):
        match = hall.rooms[game].referee.match
        seat = match.game.waiting[0]
        answer = await plugs[seat].ask("choose", n=match.record.next, choice=match.game.question.asks[seat].default)
        assert answer["type"] == "done", answer


# ---- resignation -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "scenario"), [("dawgs", None), ("dogs", VILLAGE)])
def test_of_two_the_one_who_does_not_resign_wins(tmp_path: Path, system: str, scenario: Any) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, system, scenario=scenario)
            plugs = await sit_down(hall, made)
            await choose(hall, made.game, plugs, 3)
            done = await plugs[2].ask("resign")
            assert done["type"] == "done"
            await plugs[1].reach(done["n"])
            outcome = verified(hall, made.game)
            assert (outcome.reason, outcome.winner) == ("resigned", hall.rooms[made.game].referee.match.header.names[1])
            assert plugs[1].outcome["reason"] == "resigned"
            assert (await plugs[1].ask("resign"))["fact"] == "game_over"

    run(play())


def test_where_others_fight_on_a_bot_takes_the_seat(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            room = hall.rooms[made.game]
            assert (await plugs[3].ask("resign"))["type"] == "done"
            assert (room.standing.over, room.row(3).player, room.referee.match.game.gone) == (False, "drill", (3,))
            assert [row.seat for row in room.bots_due()] == [3]
            assert (plugs[3].question, (await plugs[3].ask("question")).get("data")) == (None, None)
            await plugs[1].until(lambda message: message["type"] == "table" and message["chairs"][2]["resigned"])
            refused = await plugs[3].ask("take_over", seat=3, player="person")
            assert "does not come back" in refused["text"]
            assert (await plugs[3].ask("resign"))["fact"] == "gave_up"
            await plugs[1].ask("resign")
            assert verified(hall, made.game).winner == room.referee.match.header.names[2]

    run(play())


def test_an_umpire_who_goes_back_brings_back_who_resigned(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3, umpire=True)
            plugs = await sit_down(hall, made)
            await plugs[3].ask("resign")
            assert (await plugs[0].ask("question", seat=3))["data"]["topic"] == "place_cards"  # he may still choose for the seat
            assert (await plugs[0].ask("rewind", to=1, because="in a temper"))["type"] == "done"
            await plugs[3].until(lambda message: message["type"] == "table" and not message["chairs"][2]["resigned"])
            assert plugs[3].question["topic"] == "place_cards"

    run(play())


def test_who_has_resigned_is_known_after_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            await plugs[3].ask("resign")
        async with hall_over(tmp_path / "w.db") as hall:
            plugs = await sit_down(hall, made)
            assert hall.rooms[made.game].referee.match.game.gone == (3,)
            assert (plugs[3].question, plugs[3].chairs[2]["resigned"]) == (None, True)
            await plugs[2].ask("resign")
            assert verified(hall, made.game).reason == "resigned"

    run(play())


def test_in_a_game_forked_after_a_resignation_the_bot_plays_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            gone = (await plugs[3].ask("resign"))["n"]
            raw = b"".join(line + b"\n" for line in hall.store.lines(made.game))
            forked = await keep(hall.store, records.fork(raw, records.Forked(gone)), Settings())
            assert [(row.player, row.watchable) for row in hall.store.seats(forked.game)] == [
                ("person", False), ("person", False), ("drill", False),
            ]  # fmt: skip
            assert waiting_for_bots(hall.store) == sorted([made.game, forked.game])

    run(play())


def test_neither_umpire_nor_spectator_resigns(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, umpire=True)
            plugs = await sit_down(hall, made)
            assert (await plugs[0].ask("resign"))["fact"] == "notyours"
            assert (await plugs[0].ask("draw"))["fact"] == "notyours"
            for seat in (1, 2):
                await plugs[seat].ask("watchable", yes=True)
            onlooker = Plug(hall)
            await onlooker.sit(made.game, made.watch)
            assert (await onlooker.ask("resign"))["fact"] == "notyours"

    run(play())


# ---- draw ------------------------------------------------------------------------------------------------------------


def test_a_draw_is_made_when_all_have_agreed(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            assert (await plugs[1].ask("draw"))["data"] == {"needs": [2, 3]}
            table = await plugs[2].until(lambda message: message["type"] == "table" and message["proposals"])
            assert table["proposals"][0]["kind"] == "draw"
            await plugs[2].ask("agree", kind="draw")
            assert not hall.rooms[made.game].standing.over
            await plugs[3].ask("agree", kind="draw")
            outcome = verified(hall, made.game)
            assert (outcome.winner, outcome.reason) == (None, "agreed_draw")

    run(play())


def test_one_who_does_not_agree_ends_the_proposal(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            await plugs[1].ask("draw")
            await plugs[2].ask("agree", kind="draw", yes=False)
            assert "nobody proposes" in (await plugs[2].ask("agree", kind="draw"))["text"]
            assert not hall.rooms[made.game].standing.over

    run(play())


def test_a_bot_agrees_to_no_draw(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3, players={3: "drill"})
            plugs = await sit_down(hall, made)
            assert "a bot agrees to no draw" in (await plugs[1].ask("draw"))["text"]

    run(play())


def test_a_bot_that_comes_later_agrees_to_none_either(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            await plugs[1].ask("draw")
            await plugs[3].ask("take_over", seat=3, player="drill")
            await plugs[2].ask("agree", kind="draw")
            assert not hall.rooms[made.game].standing.over

    run(play())


def test_who_has_resigned_is_not_asked_for_a_draw(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            await plugs[3].ask("resign")
            assert (await plugs[1].ask("draw"))["data"] == {"needs": [2]}
            await plugs[2].ask("agree", kind="draw")
            assert verified(hall, made.game).reason == "agreed_draw"
            assert (await plugs[1].ask("draw"))["fact"] == "game_over"

    run(play())


# ---- the way back ----------------------------------------------------------------------------------------------------


def test_the_umpire_takes_the_game_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, umpire=True, options={"round_limit": 4})
            plugs = await sit_down(hall, made)
            await choose(hall, made.game, plugs, 3)
            done = await plugs[0].ask("rewind", to=2, because="seat 2 was away")
            assert done["type"] == "done"
            for plug in plugs.values():
                await plug.reach(done["n"])
            assert plugs[2].waiting == [2]
            assert (await plugs[1].ask("rewind", to=1, because="please"))["fact"] == "notyours"
            assert (await plugs[0].ask("rewind", to=3, because="gone"))["fact"] == "cannot_go_back"
            while not hall.rooms[made.game].standing.over:
                await choose(hall, made.game, plugs, 1)
            verified(hall, made.game)

    run(play())


@pytest.mark.parametrize("restart", [False, True])
def test_the_way_back_is_longer_than_memory(tmp_path: Path, restart: bool) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, umpire=True, options={"round_limit": 100})
            plugs = await sit_down(hall, made)
            await choose(hall, made.game, plugs, 7 if restart else 2 * KEEP + 6)
        async with hall_over(tmp_path / "w.db") as hall:
            plugs = await sit_down(hall, made)
            room = hall.rooms[made.game]
            assert room.referee.match.base > 3
            assert (await plugs[0].ask("rewind", to=3, because="from the start"))["type"] == "done"
            assert (await plugs[0].ask("rewind", to=0, because="before it"))["fact"] == "cannot_go_back"
            await plugs[1].ask("resign")
            verified(hall, made.game)

    run(play())


def test_an_undo_of_what_was_half_answered_before_a_restart_verifies(tmp_path: Path) -> None:
    """Seat 1 had answered before the room was opened again: its answer goes too, and the record says so."""

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=2)
            await choose(hall, made.game, await sit_down(hall, made), 3)
        async with hall_over(tmp_path / "w.db") as hall:
            plugs = await sit_down(hall, made)
            await choose(hall, made.game, plugs, 1)
            await plugs[2].ask("undo")
            await plugs[1].ask("agree", kind="undo")
            assert hall.rooms[made.game].referee.match.record.entries[-1].undone == (4, 5)
            await plugs[1].ask("resign")
            verified(hall, made.game)

    run(play())
