"""What a seat may ask beside its choice: every figure of what would follow, a hint, and what a model sees."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over, sit_down
from tests.server.test_live import choice_of
from tests.server.test_thinking import thinking_hall
from wardogs.bots import make_bot
from wardogs.kernel.fate import seed_from
from wardogs.scene.board import Eye, Reckoned
from wardogs.server.hall import Hall
from wardogs.server.thinking import Thinker, Thoughtless


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


async def deployed(hall: Hall, **fields: Any) -> tuple[dict[int, Plug], Any]:
    """Dogs of War, when somebody may act."""
    made = await a_game(hall, "dogs", **fields)
    plugs, rng = await sit_down(hall, made), random.Random(1)
    match = hall.rooms[made.game].referee.match
    while match.game.question.asks[seat := match.game.waiting[0]].topic != "act":
        await plugs[seat].ask("choose", n=match.record.next, choice=choice_of(hall, made.game, seat, rng))
    return plugs, match


@pytest.mark.parametrize(
    ("system", "scenario"), [("dawgs", None), ("dogs", {"theme": "village", "points": 100, "seed": 1, "turns": 3})]
)
def test_odds_hold_every_figure(tmp_path: Path, system: str, scenario: Any) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, system, scenario=scenario, options={}, seed=seed_from("1"))
            plugs, bots = await sit_down(hall, made), {seat: make_bot("drill", "1", seat) for seat in (1, 2)}
            match, chances = hall.rooms[made.game].referee.match, 0
            while not match.over and chances < 5:
                seat = match.game.waiting[0]
                choice = bots[seat].choose(match.seen(seat))
                told = (await plugs[seat].ask("odds", choice=choice)).get("data", {})
                real: Reckoned = match.system.reckon(match.seen(seat), choice)
                assert msgspec.convert(told, Reckoned) == real
                chances += len(real.chances)
                assert (await plugs[seat].ask("choose", n=match.record.next, choice=choice))["type"] == "done"
            assert chances

    run(play())


# ---- through a model's eye -------------------------------------------------------------------------------------------


def test_a_model_sees_whether_or_not_its_seat_is_asked_and_after_the_end(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            plugs, match = await deployed(hall, umpire=True)
            men = {seat: next(man.id for man in match.game.position.state.models if man.side == seat) for seat in (1, 2)}
            for seat, man in men.items():
                told = await plugs[seat].ask("eye", who=man)
                assert msgspec.convert(told["data"], Eye).id == man
                assert {**(await plugs[0].ask("eye", who=man, seat=seat)), "id": 0} == {**told, "id": 0}
            assert (await plugs[1].ask("eye", who=men[1], seat=2))["fact"] == "notyours"
            assert (await plugs[0].ask("eye", who=men[1]))["fact"] == "notyours"  # whose?
            await plugs[1].ask("resign")
            assert match.over
            assert (await plugs[1].ask("eye", who=men[2]))["type"] in ("done", "refused")
            assert (await plugs[2].ask("eye", who=men[2]))["data"]["id"] == men[2]

    run(play())


def test_there_is_no_eye_where_there_is_nobody_or_no_height(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            dogs, _ = await deployed(hall)
            for who in ("nobody", 7):
                told = await dogs[1].ask("eye", who=who)
                assert (told["type"], told["fact"]) == ("refused", "not_now")
                assert str(who) in told["text"]
            assert (await dogs[1].ask("eye", who=[]))["type"] == "wrong"
            dawgs = await sit_down(hall, await a_game(hall))
            assert "without heights" in (await dawgs[1].ask("eye", who=1))["text"]

    run(play())


def test_spectators_see_through_nobody(tmp_path: Path) -> None:
    """They would see the table as it is now."""

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, players={1: "drill", 2: "drill"})
            plug = Plug(hall)
            assert (await plug.sit(made.game, made.watch, draw=True))["type"] == "sat"
            assert (await plug.ask("eye", who=1))["fact"] == "notyours"
            assert (await plug.ask("hint"))["fact"] == "notyours"

    run(play())


# ---- a hint ----------------------------------------------------------------------------------------------------------


def test_a_hint_is_what_a_drilled_bot_would_choose(tmp_path: Path) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, _):
            made = await a_game(hall, umpire=True)
            plugs = await sit_down(hall, made)
            told = (await plugs[1].ask("hint"))["data"]
            assert told == (await plugs[1].ask("hint"))["data"]
            assert told == (await plugs[0].ask("hint", seat=1))["data"]
            assert told["text"]
            assert (await plugs[0].ask("hint"))["fact"] == "notyours"
            assert (await plugs[2].ask("hint", seat=1))["fact"] == "notyours"
            assert (await plugs[1].ask("choose", n=plugs[1].n + 1, choice=told["choice"]))["type"] == "done"
            late = await plugs[1].ask("hint")  # it has answered
            assert (late["type"], late["fact"]) == ("refused", "not_now")
            for plug in plugs.values():
                await plug.leave()

    run(play())


def test_nobody_waits_for_a_slow_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table goes on meanwhile; a hint for what has passed is none."""
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, thinking):

            async def slow(*_: object) -> Any:
                begun.set()
                await go_on.wait()
                return {"verb": "place_cards", "number": 1, "other": "NC"}

            monkeypatch.setattr(thinking, "_think", slow)
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            asking = asyncio.ensure_future(plugs[1].ask("hint"))
            await begun.wait()
            other = Plug(hall)
            await other.sit(made.game, made.keys[1])
            for plug in (other, plugs[2]):
                n = hall.rooms[made.game].standing.next
                assert (await plug.ask("choose", n=n, choice=plug.question["default"]))["type"] == "done"
            go_on.set()
            assert (await asking)["fact"] == "late"
            for plug in (*plugs.values(), other):
                await plug.leave()

    run(play())


def test_who_asks_again_and_again_makes_nobody_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One hint is thought of for a seat, and all its devices hear it; another seat's comes next."""
    go_on, thought = asyncio.Event(), list[int]()

    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, thinking):

            async def slow(_: object, decide: Any) -> Any:
                thought.append(decide.seat)
                await go_on.wait()
                return {"verb": "place_cards", "number": 1, "other": "NC"}

            monkeypatch.setattr(thinking, "_think", slow)
            made = await a_game(hall)
            plugs, more = await sit_down(hall, made), [Plug(hall) for _ in range(5)]
            for plug in more:
                await plug.sit(made.game, made.keys[1])
            asking = [asyncio.ensure_future(plug.ask("hint")) for plug in (plugs[1], *more, plugs[2])]
            while not thought:
                await asyncio.sleep(0)
            await asyncio.sleep(0.1)
            go_on.set()
            told = await asyncio.gather(*asking)
            assert [one["type"] for one in told] == ["done"] * 7
            assert thought == [1, 2]
            assert not thinking.advices
            for plug in (*plugs.values(), *more):
                await plug.leave()

    run(play())


def test_without_an_idea_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*_: object) -> Any:
        raise Thoughtless("too slow")

    monkeypatch.setattr(Thinker, "ask", silent)

    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, thinking):
            plugs = await sit_down(hall, await a_game(hall))
            assert "no advice in time" in (await plugs[1].ask("hint"))["text"]
            assert len(thinking.idle) == len(thinking.thinkers)
            for plug in plugs.values():
                await plug.leave()

    run(play())
