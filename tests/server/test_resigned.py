"""Who has resigned: a bot plays on for him whatever happens at the same moment, and he is not brought back behind his back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over, sit_down
from tests.server.test_faults import choose, held, until
from wardogs.kernel.record import read_record
from wardogs.server import records
from wardogs.server.games import Made, keep
from wardogs.server.hall import Hall
from wardogs.server.room import Room
from wardogs.server.store import Settings
from wardogs.server.thinking import waiting_for_bots


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


async def three(hall: Hall) -> tuple[Made, dict[int, Plug], Room]:
    """A game of three, in which only the third still owes an answer."""
    made = await a_game(hall, seats=3)
    plugs = await sit_down(hall, made)
    for seat in (1, 2):
        await choose(plugs[seat], *plugs.values())
    return made, plugs, hall.rooms[made.game]


def played_by_a_bot(hall: Hall, room: Room) -> bool:
    """Here, and after a restart."""
    return [(row.seat, row.player) for row in room.bots_due()] == [(3, "drill")] and waiting_for_bots(hall.store) == [room.id]


def test_an_older_look_at_the_table_does_not_bring_him_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            _, plugs, room = await three(hall)
            read, end = threading.Event(), threading.Event()
            monkeypatch.setattr(hall.store, "beside", held(hall.store.beside, read, end))
            look = asyncio.ensure_future(room.refresh())
            await until(read.is_set)
            assert (await plugs[3].ask("resign"))["type"] == "done"
            end.set()
            await look
            assert played_by_a_bot(hall, room)

    run(play())


@pytest.mark.parametrize("first", ["resign", "take_over"])
def test_who_takes_his_seat_back_and_resigns_at_once_has_resigned(tmp_path: Path, first: str) -> None:
    """At two devices; whichever is on the disk first."""

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made, plugs, room = await three(hall)
            other = Plug(hall)
            await other.sit(made.game, made.keys[3])
            await plugs[3].ask("take_over", seat=3, player="drill")
            deeds = {"resign": ("resign", {}), "take_over": ("take_over", {"seat": 3, "player": "person"})}
            later = next(name for name in deeds if name != first)
            told = await asyncio.gather(*(
                plug.ask(deeds[name][0], **deeds[name][1]) for plug, name in ((plugs[3], first), (other, later))
            ))  # fmt: skip
            assert "done" in {one["type"] for one in told}
            await until(lambda: room.standing.gone == (3,))
            assert played_by_a_bot(hall, room)

    run(play())


@pytest.mark.parametrize("first", ["resign", "take_over"])
def test_neither_does_he_at_two_workers(tmp_path: Path, first: str) -> None:
    """None has heard of the other."""

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as here, hall_over(tmp_path / "w.db") as there:
            made, plugs, room = await three(here)
            await plugs[3].ask("take_over", seat=3, player="drill")
            other = Plug(there)
            await other.sit(made.game, made.keys[3])
            if first == "resign":
                assert (await plugs[3].ask("resign"))["type"] == "done"
                assert "does not come back" in (await other.ask("take_over", seat=3, player="person"))["text"]
            else:
                assert (await other.ask("take_over", seat=3, player="person"))["type"] == "done"
                assert (await plugs[3].ask("resign"))["type"] == "done"
            assert played_by_a_bot(here, room)
            await there.rooms[made.game].hear(room.head)
            assert played_by_a_bot(there, there.rooms[made.game])

    run(play())


def test_whom_the_umpire_brings_back_takes_his_seat_back_himself(tmp_path: Path) -> None:
    """Until then the bot plays on, as the database has it."""

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3, umpire=True)
            plugs = await sit_down(hall, made)
            room = hall.rooms[made.game]
            await plugs[3].ask("resign")
            assert (await plugs[0].ask("rewind", to=1, because="he was talked round"))["type"] == "done"
            assert (room.standing.gone, [row.seat for row in room.bots_due()]) == ((), [3])
            assert hall.store.seats(made.game)[3].player == "drill"
            assert (await plugs[3].ask("take_over", seat=3, player="person"))["type"] == "done"
            assert (room.bots_due(), hall.store.seats(made.game)[3].player) == ([], "person")

    run(play())


def test_of_two_who_resign_one_after_the_other_the_first_was_played_by_a_bot(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            await plugs[3].ask("resign")
            await plugs[2].ask("resign")
            room = hall.rooms[made.game]
            here, there = ([row.player for row in rows] for rows in (room.seats, hall.store.seats(made.game)))
            assert room.standing.over
            assert here == there == ["person", "person", "drill"]

    run(play())


def test_players_take_nothing_back_behind_a_resignation(tmp_path: Path) -> None:
    """His stand-in, who never minds, cannot agree to it for him. What came after it can be taken back."""

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            for seat in (1, 2, 3):
                await choose(plugs[seat], *plugs.values())
            await plugs[3].ask("resign")
            refused = await plugs[1].ask("undo")
            assert (refused["fact"], hall.rooms[made.game].standing.gone) == ("resigned_since", (3,))
            await plugs[1].reach(refused.get("n", plugs[1].n))
            await choose(plugs[1])
            assert (await plugs[1].ask("undo"))["data"] == {"needs": []}

    run(play())


def test_nobody_plays_on_in_a_finished_record(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            await plugs[1].ask("resign")
            raw = b"".join(line + b"\n" for line in hall.store.lines(made.game))
            (tmp_path / "over.wardogs").write_bytes(raw)
            assert read_record(tmp_path / "over.wardogs").finished
            copy = await keep(hall.store, records.check(raw), Settings())
            assert [row.player for row in hall.store.seats(copy.game)] == ["person", "person"]

    run(play())


def test_who_has_agreed_to_a_draw_has_not_resigned(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            await plugs[2].ask("resign")
            await plugs[1].ask("draw")
            assert (await plugs[3].ask("agree", kind="draw"))["type"] == "done"
            sat = await Plug(hall).sit(made.game, made.keys[1])
            assert sat["outcome"]["reason"] == "agreed_draw"
            assert [chair["resigned"] for chair in sat["chairs"]] == [False, True, False]

    run(play())


def test_who_has_resigned_gets_no_advice(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            _, plugs, _ = await three(hall)
            await plugs[3].ask("resign")
            assert "you have resigned" in (await plugs[3].ask("hint"))["text"]

    run(play())
