"""Bots in processes of their own: they play by themselves, and one that is slow, dead or wrong holds nothing up."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy.exc import OperationalError

from tests.server.tables import a_game
from wardogs.kernel.replay import verify
from wardogs.server import thinking
from wardogs.server.calls import Answer
from wardogs.server.config import Config
from wardogs.server.database import open_engine, ready
from wardogs.server.hall import Hall
from wardogs.server.room import Room
from wardogs.server.rulebooks import rulebook
from wardogs.server.store import Store
from wardogs.server.thinking import Decide, Lay, Thinker, Thinking, Thoughtless, answered, luck, waiting_for_bots

BOTH = {1: "random", 2: "random"}


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


@asynccontextmanager
async def thinking_hall(path: Path, **config: Any) -> AsyncIterator[tuple[Hall, Thinking]]:
    store = Store(ready(open_engine(str(path))))
    hall = Hall(store, Config(str(path), **config))
    try:
        async with Thinking(hall) as thoughts:
            yield hall, thoughts
    finally:
        await asyncio.to_thread(store.close)


async def until(so: Callable[[], bool], seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < end, "it did not come to pass"
        await asyncio.sleep(0.01)


def head(hall: Hall, game: str) -> int:
    """The last entry that is on the disk."""
    return hall.store.stamps([game])[game][1]


def asked(room: Room, seat: int, bot: str = "random", seconds: float = 20.0) -> tuple[Lay, Decide]:
    match = room.referee.match
    position = match.system.save(match.game.position)
    lay = Lay(room.id, match.header.system, match.header.setup)
    return lay, Decide(room.id, position, seat, bot, luck(room, seat), seconds)


# ---- games -----------------------------------------------------------------------------------------------------------


def test_bots_play_a_whole_game_by_themselves(tmp_path: Path) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, thinking):
            made = await a_game(hall, players={1: "random", 2: "drill"}, options={"round_limit": 3})
            room = await hall.room(made.game)
            await until(lambda: hall.store.record(room.id).finished)
            assert verify(rulebook("dawgs"), hall.store.record(made.game)) > 0
            await until(lambda: not thinking.flights)

    run(play())


def test_bots_of_dogs_think_from_the_position_alone(tmp_path: Path) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, _):
            scenario = {"theme": "village", "points": 100, "seed": 1, "turns": 1}
            made = await a_game(hall, "dogs", scenario=scenario, players=BOTH)
            room = await hall.room(made.game)
            await until(lambda: head(hall, room.id) > 7)
            entries = hall.store.record(made.game).entries
            assert all(entry.kind in ("header", "begin", "choice", "end") for entry in entries)

    run(play())


def test_a_bot_waits_for_the_person_who_is_asked(tmp_path: Path) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, thinking):
            made = await a_game(hall, players={2: "drill"})
            room = await hall.room(made.game)
            await until(lambda: room.standing.waiting == (1,))
            n = room.standing.next
            await asyncio.sleep(0.2)
            assert (room.standing.next, thinking.flights) == (n, {})
            ask = room.referee.match.game.question.asks[1]
            await room.act(Answer(1, ask.default), n)
            await until(lambda: head(hall, made.game) > n)

    run(play())


def test_a_bot_that_is_asked_when_the_server_starts_goes_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, _):
            made = await a_game(hall, players=BOTH, options={"round_limit": 2})
            assert waiting_for_bots(hall.store) == [made.game]
        async with thinking_hall(tmp_path / "w.db") as (hall, _):
            await until(lambda: hall.store.record(made.game).finished)
            assert waiting_for_bots(hall.store) == []

    run(play())


def test_two_halls_over_one_game_write_each_decision_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, _), thinking_hall(tmp_path / "w.db") as (other, _):
            made = await a_game(hall, players=BOTH, options={"round_limit": 2})
            for one in (hall, other):
                await one.room(made.game)
            await until(lambda: hall.store.record(made.game).finished)
            record = hall.store.record(made.game)
            verify(rulebook("dawgs"), record)
            choices = [entry for entry in record.entries if entry.kind == "choice"]
            placed = [entry.seat for entry in choices if entry.choice["verb"] == "place_cards"]
            rounds = record.outcome.turns  # one or two: the dice decide, also who fires
            assert sorted(placed) == [1] * rounds + [2] * rounds

    run(play())


# ---- decisions -------------------------------------------------------------------------------------------------------


def test_luck_differs_by_seat_and_entry_and_is_nobodys_guess(tmp_path: Path) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, _):
            made = await a_game(hall)
            room = await hall.room(made.game)
            first = {luck(room, seat) for seat in (1, 2)}
            ask = room.referee.match.game.question.asks[1]
            await room.act(Answer(1, ask.default))
            assert len(first | {luck(room, seat) for seat in (1, 2)}) == 4
            room.luck = bytes(16)
            assert luck(room, 1) not in first

    run(play())


def test_the_same_decision_is_the_same_in_every_process(tmp_path: Path) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, _):
            made = await a_game(hall)
            lay, decide = asked(await hall.room(made.game), 2)
            tables: Any = OrderedDict()
            assert answered(decide, tables).laid is False
            answered(lay, tables)
            here = msgspec.json.encode(answered(decide, tables).choice)
            thinker = Thinker()
            there = await asyncio.to_thread(thinker.ask, lay, decide)
            assert msgspec.json.encode(there) == here
            thinker.laid.clear()
            assert await asyncio.to_thread(thinker.ask, lay, decide) == there
            thinker.stop()

    run(play())


def test_a_set_up_that_a_process_has_forgotten_is_sent_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, _):
            made = await a_game(hall)
            lay, decide = asked(await hall.room(made.game), 2)
            thinker = Thinker()
            thinker.laid.append(made.game)  # so it believes
            assert (await asyncio.to_thread(thinker.ask, lay, decide))["verb"]
            thinker.stop()

    run(play())


def test_of_many_games_only_the_last_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "REMEMBERED", 2)

    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, _):
            lay, decide = asked(await hall.room((await a_game(hall)).game), 2)
            thinker = Thinker()
            for game in "abc":
                await asyncio.to_thread(thinker.ask, replace(lay, game=game), replace(decide, game=game))
            assert list(thinker.laid) == ["b", "c"]
            thinker.stop()

    run(play())


@pytest.mark.parametrize(("what", "why"), [(signal.SIGSTOP, "too slow"), (signal.SIGKILL, "died")])
def test_a_process_that_is_slow_or_dead_is_replaced(tmp_path: Path, what: signal.Signals, why: str) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, _):
            room = await hall.room((await a_game(hall)).game)
            thinker = Thinker()
            await asyncio.to_thread(thinker.ask, *asked(room, 1))
            old = thinker.process
            assert old is not None
            os.kill(old.pid or 0, what)
            with pytest.raises(Thoughtless, match=why):
                await asyncio.to_thread(thinker.ask, *asked(room, 1, seconds=0.5))
            assert not old.is_alive()
            assert (await asyncio.to_thread(thinker.ask, *asked(room, 1)))["verb"]
            thinker.stop()

    run(play())


def test_a_bot_that_fails_answers_with_the_default(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, thinking):
            room = await hall.room((await a_game(hall)).game)
            default = room.referee.match.game.question.asks[2].default
            room.seats = tuple(row._replace(player="dunce" if row.seat == 2 else row.player) for row in room.seats)
            thinking.hear(room)
            await until(lambda: 2 in room.referee.match.game.answers)
            assert room.referee.match.game.answers[2] == default

    with caplog.at_level(logging.INFO):
        run(play())
    said = next(record for record in caplog.records if record.message == "a bot gave no answer")
    assert (said.seat, said.bot, said.why) == (2, "dunce", "WardogsError")


def test_a_worker_that_stops_takes_its_processes_along(tmp_path: Path) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, thinking):
            made = await a_game(hall, players=BOTH, options={"round_limit": 50})
            await hall.room(made.game)
            await until(lambda: head(hall, made.game) > 3)
            process = thinking.thinkers[0].process
            assert process is not None
        assert not any(thinker.process for thinker in thinking.thinkers)
        with pytest.raises(ProcessLookupError):
            await until(lambda: bool(os.kill(process.pid or 0, 0)), 10)

    run(play())


def test_a_bot_whose_game_cannot_be_read_for_a_moment_tries_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wardogs.server.thinking.AGAIN", 0.05)

    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, _):
            made = await a_game(hall, players={2: "random"})
            real, fails = hall.store.kept, [OperationalError("", {}, Exception("away"))]

            def kept(game: str) -> Any:
                if fails:
                    raise fails.pop()
                return real(game)

            room = await hall.room(made.game)
            room.stale = True  # before the bot's task is made out
            hall.store.kept = kept  # type: ignore[method-assign]
            await until(lambda: head(hall, made.game) > 1)
            assert not fails

    run(play())


def test_a_game_that_is_busy_holds_no_other_games_bot_up(tmp_path: Path) -> None:
    async def play() -> None:
        async with thinking_hall(tmp_path / "w.db") as (hall, _):
            busy, other = [await a_game(hall, players={2: "random"}) for _ in range(2)]
            room = await hall.room(busy.game)
            async with room.lock:
                await hall.room(other.game)
                await until(lambda: head(hall, other.game) > 1)
                assert head(hall, busy.game) == 1
            await until(lambda: head(hall, busy.game) > 1)

    run(play())
