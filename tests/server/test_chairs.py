"""Who plays a seat: bots for people who are away, people again, and friends with a new link."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over, sit_down
from wardogs.server.chairs import may_renew, renewed_key
from wardogs.server.errors import NoSuchLink, NotYours
from wardogs.server.telling import SPECTATOR, Audience


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


def test_ones_own_seat_goes_to_a_bot_and_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            changes: list[str] = []
            hall.on_change.append(lambda room: changes.extend(row.player for row in room.bots_due()))
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            assert (await plugs[1].ask("take_over", seat=1, player="drill"))["type"] == "done"
            assert (hall.store.seats(made.game)[0].player, changes) == ("drill", ["drill"])
            table = await plugs[2].until(lambda message: message["type"] == "table" and message["chairs"][0]["player"] == "drill")
            assert table
            assert (await plugs[1].ask("take_over", seat=1, player="person"))["type"] == "done"
            assert hall.rooms[made.game].bots_due() == []

    run(play())


def test_anothers_seat_is_taken_over_only_after_he_has_been_away(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            room = hall.rooms[made.game]
            assert (await plugs[1].ask("take_over", seat=2, player="drill"))["fact"] == "notyours"
            plugs[2].inbox.put_nowait({"type": "websocket.disconnect"})
            await plugs[2].task
            assert "if he stays away" in (await plugs[1].ask("take_over", seat=2, player="drill"))["text"]
            room.patience = 0.0
            assert (await plugs[1].ask("take_over", seat=2, player="drill"))["type"] == "done"
            assert room.row(2).player == "drill"
            for player in ("person", "random"):
                assert (await plugs[1].ask("take_over", seat=2, player=player))["fact"] == "notyours"
            back = Plug(hall)
            await back.sit(made.game, made.keys[2])
            assert (await back.ask("take_over", seat=2, player="person"))["type"] == "done"

    run(play())


def test_the_umpire_always_may(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, umpire=True)
            plugs = await sit_down(hall, made)
            for player in ("random", "person"):
                assert (await plugs[0].ask("take_over", seat=2, player=player))["type"] == "done"
            assert "nobody plays seat 0" in (await plugs[0].ask("take_over", seat=0, player="drill"))["text"]
            assert "nobody plays seat 7" in (await plugs[0].ask("take_over", seat=7, player="drill"))["text"]
            assert "unknown player" in (await plugs[0].ask("take_over", seat=2, player="shark"))["text"]

    run(play())


def test_the_host_says_how_long_a_seat_may_be_empty(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            assert (await hall.room(made.game)).patience == hall.config.absent

    run(play())


# ---- a friend --------------------------------------------------------------------------------------------------------


def test_a_new_link_replaces_the_old_one(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall, hall_over(tmp_path / "w.db") as other:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            elsewhere = Plug(other)
            await elsewhere.sit(made.game, made.keys[2])
            key = await renewed_key(hall.store, hall.rooms[made.game], 2, made.keys[2])
            shown_out = await plugs[2].until(lambda message: message["type"] == "closed")
            assert (shown_out["code"], shown_out["reason"]) == (4404, str(NoSuchLink()))
            await other.rooms[made.game].hear(1)
            assert (await elsewhere.until(lambda message: message["type"] == "closed"))["code"] == 4404
            old, unknown, friend = Plug(hall), Plug(hall), Plug(hall)
            assert await old.sit(made.game, made.keys[2]) == await unknown.sit(made.game, "x" * 32)
            assert (await friend.sit(made.game, key))["seat"] == 2
            assert (await plugs[1].ask("ping"))["type"] == "done"

    run(play())


def test_who_was_shown_out_may_do_nothing_more(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            room = hall.rooms[made.game]
            n = room.standing.next
            await renewed_key(hall.store, room, 2, made.keys[2])
            plugs[2].raw('{"do":"resign"}')
            plugs[2].raw('{"do":"say","text":"still here"}')
            await asyncio.sleep(0.1)
            assert room.standing.next == n
            assert hall.store.beside(made.game).talk == ()

    run(play())


@pytest.mark.parametrize(
    ("who", "may"), [(Audience("player", 2), True), (Audience("umpire", 0), True), (Audience("player", 1), False)]
)
def test_who_makes_a_new_link(who: Audience, may: bool) -> None:
    if may:
        may_renew(who, 2)
        return
    for one in (who, SPECTATOR):
        with pytest.raises(NotYours):
            may_renew(one, 2)
