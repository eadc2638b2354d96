"""Clocks: time runs for who owes an answer, over restarts too; whose time is up is answered for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server.tables import a_game, hall_over
from tests.server.test_thinking import head, until
from wardogs.kernel.replay import verify
from wardogs.server.calls import Lapse, TakeBack
from wardogs.server.clocks import Clocks, left, running
from wardogs.server.hall import Hall
from wardogs.server.room import Room
from wardogs.server.rulebooks import rulebook
from wardogs.server.seating import chairs
from wardogs.server.store import Settings


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


@asynccontextmanager
async def clocked(path: Path) -> AsyncIterator[tuple[Hall, Clocks]]:
    async with hall_over(path) as hall, Clocks(hall) as clocks:
        yield hall, clocks


async def a_room(hall: Hall, clock: float | None, increment: float = 0.0, **fields: Any) -> Room:
    made = await a_game(hall, settings=Settings(clock=clock, increment=increment), **fields)
    return await hall.room(made.game)


async def answer(room: Room, seat: int) -> None:
    await room.act(Lapse((seat,)))


def on_disk(hall: Hall, room: Room) -> dict[int, float | None]:
    return {row.seat: row.time_left for row in hall.store.seats(room.id)}


def test_without_a_clock_nothing_runs(tmp_path: Path) -> None:
    async def play() -> None:
        async with clocked(tmp_path / "w.db") as (hall, clocks):
            room = await a_room(hall, None)
            await answer(room, 1)
            assert (clocks.timers, left(room, time.time()), on_disk(hall, room)) == ({}, {}, {1: None, 2: None})
            assert running(hall.store) == []

    run(play())


def test_nothing_runs_before_the_first_choice(tmp_path: Path) -> None:
    async def play() -> None:
        async with clocked(tmp_path / "w.db") as (hall, clocks):
            room = await a_room(hall, 100.0)
            room.since -= 90
            assert (clocks.timers, left(room, time.time())) == ({}, {})
            await answer(room, 1)
            assert on_disk(hall, room) == {1: 100.0, 2: 100.0}
            assert left(room, time.time())[2] == pytest.approx(100, abs=5)

    run(play())


def test_an_umpire_has_no_clock(tmp_path: Path) -> None:
    async def play() -> None:
        async with clocked(tmp_path / "w.db") as (hall, _):
            room = await a_room(hall, 100.0, umpire=True)
            assert on_disk(hall, room) == {0: None, 1: 100.0, 2: 100.0}

    run(play())


def test_time_runs_only_for_who_owes_an_answer(tmp_path: Path) -> None:
    async def play() -> None:
        async with clocked(tmp_path / "w.db") as (hall, _):
            room = await a_room(hall, 100.0, increment=5.0)
            await answer(room, 1)
            room.since -= 30
            await answer(room, 2)
            kept = on_disk(hall, room)
            assert kept[1] == 105
            assert kept[2] == pytest.approx(75, abs=5)
            room.since -= 10  # both are asked again: what is told is what is left by now
            assert [chair.time_left for chair in chairs(room)] == pytest.approx([kept[1] - 10, kept[2] - 10], abs=2)

    run(play())


def test_an_undo_costs_time_and_earns_none(tmp_path: Path) -> None:
    async def play() -> None:
        async with clocked(tmp_path / "w.db") as (hall, _):
            room = await a_room(hall, 100.0, increment=5.0)
            await answer(room, 1)
            room.since -= 30
            await room.act(TakeBack(1, ()))
            assert on_disk(hall, room) == {1: 100.0, 2: pytest.approx(70, abs=5)}

    run(play())


def test_whose_time_is_up_is_answered_for(tmp_path: Path) -> None:
    async def play() -> None:
        async with clocked(tmp_path / "w.db") as (hall, clocks):
            room = await a_room(hall, 1.0, options={"round_limit": 3})
            default = room.referee.match.game.question.asks[2].default
            await answer(room, 1)
            await until(lambda: head(hall, room.id) > 2)
            entries = hall.store.record(room.id).entries
            assert (entries[3].seat, entries[3].by, entries[3].choice) == (2, None, default)
            assert on_disk(hall, room)[2] == 0
            await until(lambda: hall.store.record(room.id).finished)  # and so on for both, until the end
            verify(rulebook("dawgs"), hall.store.record(room.id))
            await asyncio.sleep(0.1)
            assert clocks.timers == {}

    run(play())


def test_the_increment_is_time_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with clocked(tmp_path / "w.db") as (hall, _):
            room = await a_room(hall, 0.5, increment=50.0)
            await answer(room, 1)
            await until(lambda: head(hall, room.id) > 2)
            assert on_disk(hall, room) == {1: 50.5, 2: 50.0}
            await asyncio.sleep(0.3)
            assert room.standing.waiting == (1, 2)

    run(play())


def test_clocks_go_on_after_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        async with clocked(tmp_path / "w.db") as (hall, _):
            room = await a_room(hall, 2.0)
            await answer(room, 1)
        await asyncio.sleep(0.5)
        async with clocked(tmp_path / "w.db") as (hall, _):
            assert running(hall.store) == [room.id]
            await until(lambda: room.id in hall.rooms)
            again = hall.rooms[room.id]
            assert left(again, time.time()).get(2, 0.0) < 1.6
            await until(lambda: head(hall, room.id) > 2)

    run(play())


def test_two_workers_answer_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with clocked(tmp_path / "w.db") as (hall, _), clocked(tmp_path / "w.db") as (other, _):
            room = await a_room(hall, 0.5, increment=60.0)
            await answer(room, 1)
            twin = await other.room(room.id)
            await twin.hear(head(hall, room.id))  # as news of other workers do; its own clocks may have opened it before
            await until(lambda: head(hall, room.id) == 3 and room.standing.next == twin.standing.next == 4)
            assert [entry.seat for entry in hall.store.record(room.id).entries[2:]] == [1, 2]

    run(play())
