"""Real dice and cards: who may know of one says what it was; the others learn nothing of it, not even by trying."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over, sit_down
from tests.server.test_faults import away
from wardogs.systems.dawgs.data import SPECIALS


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


async def types(plug: Plug, face: Any) -> dict[str, Any]:
    return await plug.ask("enter", n=plug.n + 1, face=face)


def test_a_secret_card_is_told_only_to_who_draws_it(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, typed_dice=True, umpire=True)
            plugs = await sit_down(hall, made)
            first, second = plugs[1], plugs[2]
            assert (first.throw["rule"], first.throw["about"], second.throw) == ("DAW-SET-03", {"who": 1}, None)
            assert plugs[0].throw == first.throw
            assert (await types(second, "snap_shot"))["fact"] == (await types(second, "nonsense"))["fact"] == "no_throw_due"
            chosen = await second.ask("choose", n=second.n + 1, choice={"verb": "pass"})
            why = (await second.ask("why", choice={"verb": "pass"}))["data"]
            assert {(one.get("rule", ""), one["fact"]) for one in (chosen, why)} == {("", "not_asked")}
            card = sorted(SPECIALS)[5]
            assert (await types(first, card))["type"] == "done"
            for other in (plugs[0], second):
                await other.reach(first.n)
            assert (first.throw, second.throw["about"]) == (None, {"who": 2})
            assert set(second.throw["faces"]) == set(SPECIALS)  # the first card is not missed among them
            assert (await types(plugs[0], sorted(SPECIALS)[0]))["type"] == "done"  # the umpire may

    run(play())


def test_an_open_die_is_anybodys_to_read(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, typed_dice=True, options={"use_specials": False})
            plugs = await sit_down(hall, made)
            assert plugs[1].throw == plugs[2].throw
            assert plugs[1].throw["kind"] == "d6"
            assert (await types(plugs[2], 4))["type"] == "done"

    run(play())


def test_for_a_bot_whoever_is_there_draws(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, typed_dice=True, players={2: "drill"})
            plugs = await sit_down(hall, made)
            for card in sorted(SPECIALS)[:2]:
                assert (await types(plugs[1], card))["type"] == "done"

    run(play())


def test_who_is_replaced_by_a_bot_is_drawn_for(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, typed_dice=True)
            plugs = await sit_down(hall, made)
            await types(plugs[1], "snap_shot")
            assert plugs[1].throw is None
            assert (await plugs[2].ask("take_over", seat=2, player="drill"))["type"] == "done"
            again = Plug(hall)
            await again.sit(made.game, made.keys[1])
            assert again.throw["about"] == {"who": 2}
            assert (await types(again, sorted(SPECIALS)[0]))["type"] == "done"

    run(play())


def test_who_sits_there_is_asked_as_soon_as_a_bot_plays_for_the_drawer(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, typed_dice=True)
            plugs = await sit_down(hall, made)
            await types(plugs[1], "snap_shot")
            await plugs[2].ask("take_over", seat=2, player="drill")
            told = await plugs[1].until(lambda message: message.get("throw"))
            assert (told["throw"]["about"], told["n"], told["entries"]) == ({"who": 2}, plugs[1].n, [])
            assert (await types(plugs[1], "roll_over"))["type"] == "done"

    run(play())


def test_who_is_left_is_asked_when_the_drawer_resigns(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, typed_dice=True, seats=3)
            plugs = await sit_down(hall, made)
            await plugs[1].ask("resign")
            told = await plugs[2].until(lambda message: message.get("throw"))
            assert told["throw"]["about"] == {"who": 1}
            assert (await types(plugs[2], "snap_shot"))["type"] == "done"

    run(play())


def test_a_face_that_was_not_written_is_not_told_with_a_new_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The referee is one entry ahead then: what he sees has not happened."""

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, typed_dice=True, seats=3)
            plugs = await sit_down(hall, made)
            with monkeypatch.context() as broken:
                broken.setattr(hall.store.writer, "_commit", away)
                broken.setattr("wardogs.server.writer.TRIES", 1)
                assert (await types(plugs[1], "snap_shot"))["type"] == "refused"
            await plugs[3].ask("take_over", seat=3, player="drill")
            told = await plugs[1].until(lambda message: message["type"] == "news")
            assert (told["n"], told["throw"]["about"], plugs[2].throw) == (1, {"who": 1}, None)
            entered = await types(plugs[1], "roll_over")
            assert entered["type"] == "done", entered
            for seat, plug in plugs.items():
                await plug.reach(plugs[1].n)
                fresh = Plug(hall)
                await fresh.sit(made.game, made.keys[seat])
                assert (plug.view, plug.throw) == (fresh.view, fresh.throw)

    run(play())
