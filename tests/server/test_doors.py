"""Who comes in while rooms are closed, links are replaced and others whisper."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.outside import asked
from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over, sit_down
from tests.server.test_api import made, play, with_key
from tests.server.test_faults import held, until
from tests.server.test_records import finished, of_other_rules
from wardogs.server import deeds, people
from wardogs.server import hall as halls
from wardogs.server.chairs import renewed_key
from wardogs.server.config import Config
from wardogs.server.database import backup, open_engine
from wardogs.server.errors import NoSuchLink, Unavailable
from wardogs.server.hall import Hall
from wardogs.server.room import Room
from wardogs.server.store import TALK, Settings


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


async def opens(hall: Hall, game: str, key: str) -> bool:
    return (await Plug(hall).sit(game, key))["type"] == "sat"


# ---- rooms ---------------------------------------------------------------------------------------------------------


def test_a_room_is_not_closed_while_somebody_comes_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All others are busy: it is the only one that could be."""
    monkeypatch.setattr(halls, "OPEN", 2)

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            for _ in range(2):
                await sit_down(hall, await a_game(hall))
            made, hall.swept = await a_game(hall), 0.0
            plugs = await sit_down(hall, made)
            await plugs[1].ask("say", text="hello")
            await plugs[2].until(lambda message: message["type"] == "said")
            assert len(hall.rooms) == 3

    run(play())


def test_an_idle_room_makes_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "OPEN", 1)

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            old, new = await a_game(hall), await a_game(hall)
            (await hall.room(old.game)).used -= halls.SWEEP + 1
            hall.swept = 0.0
            await hall.room(new.game)
            assert [*hall.rooms] == [new.game]

    run(play())


def test_to_look_at_a_record_of_other_rules_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as client:
            new = (await client.post("/api/records", content=of_other_rules(finished()))).raise_for_status().json()
            for key, status in ((new["keys"]["1"], 400), ("wrong", 404)):
                answer = await client.get(f"/api/games/{new['game']}/state", headers=with_key(key))
                assert answer.status_code == status
            assert [line for line in caplog.records if line.levelname == "ERROR"] == []

    run(play())


# ---- links ---------------------------------------------------------------------------------------------------------


def test_a_link_that_is_being_replaced_takes_no_seat(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, umpire=True)
            room = await hall.room(made.game)
            ada, sign_in = await people.join(hall.store, "Ada")
            renewing = asyncio.ensure_future(renewed_key(hall.store, room, 1, made.keys[0]))
            await asyncio.sleep(0)  # its write is on the way
            with pytest.raises(NoSuchLink):
                await people.take_seat(hall, ada, made.game, made.keys[1])
            assert await opens(hall, made.game, await renewing)
            assert not await opens(hall, made.game, sign_in)

    run(play())


def test_of_two_new_links_by_one_old_one_only_the_first_is_given(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            room = await hall.room(made.game)
            tries = [renewed_key(hall.store, room, 1, made.keys[1]) for _ in range(2)]
            first, second = await asyncio.gather(*tries, return_exceptions=True)
            assert isinstance(first, str)
            assert isinstance(second, NoSuchLink)
            assert await opens(hall, made.game, first)

    run(play())


def test_a_link_made_void_at_another_worker_makes_no_new_one(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as one, hall_over(tmp_path / "w.db") as two:
            made = await a_game(one)
            there = await two.room(made.game)
            key = await renewed_key(one.store, await one.room(made.game), 1, made.keys[1])
            with pytest.raises(NoSuchLink):
                await renewed_key(two.store, there, 1, made.keys[1])
            assert await opens(one, made.game, key)

    run(play())


# ---- talk and spectators ---------------------------------------------------------------------------------------------


def test_how_much_others_whisper_changes_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            for said in ("first", "second"):
                await plugs[1].ask("say", text=said)
            await plugs[3].ask("say", text="to you", to=[1])
            for k in range(TALK):
                await plugs[2].ask("say", text=f"between us {k}", to=[3])
            again = await Plug(hall).sit(made.game, made.keys[1])
            assert [line["text"] for line in again["talk"]] == ["first", "second", "to you"]
            other = await Plug(hall).sit(made.game, made.keys[2])
            assert [line["text"] for line in other["talk"]] == [f"between us {k}" for k in range(TALK)]

    run(play())


def test_a_late_spectator_does_not_hear_of_a_resignation_by_who_plays(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3, settings=Settings(delay=3600.0))
            plugs = await sit_down(hall, made)
            for plug in plugs.values():
                await plug.ask("watchable", yes=True)
            before = await Plug(hall).sit(made.game, made.watch)
            for plug in plugs.values():
                await plug.leave()
            plug = Plug(hall)
            await plug.sit(made.game, made.keys[3])
            await plug.ask("resign")
            await plug.leave()
            after = await Plug(hall).sit(made.game, made.watch)
            without = [{name: chair[name] for name in chair if name != "present"} for chair in before["chairs"]]
            assert [{name: chair[name] for name in chair if name != "present"} for chair in after["chairs"]] == without
            assert {name: after[name] for name in after if name != "chairs"} == {
                name: before[name] for name in before if name != "chairs"
            }

    run(play())


def test_who_takes_a_seat_from_a_bot_is_watched_only_if_he_says_so(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, players={2: "drill"})
            plugs = await sit_down(hall, made)
            await plugs[1].ask("watchable", yes=True)
            assert await opens(hall, made.game, made.watch)
            await plugs[2].ask("take_over", seat=2, player="person")
            assert not await opens(hall, made.game, made.watch)
            await plugs[2].ask("watchable", yes=True)
            assert await opens(hall, made.game, made.watch)

    run(play())


def test_a_late_spectator_waits_for_the_end_too(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as client:
            made = (await client.post("/api/games", json={"system": "dawgs", "delay": 3600})).raise_for_status().json()
            do, waits = f"/api/games/{made['game']}/do", f"/api/games/{made['game']}/news?after=1&wait=1"
            for seat in "12":
                await client.post(do, json={"do": "watchable", "yes": True}, headers=with_key(made["keys"][seat]))
            await client.post(do, json={"do": "resign"}, headers=with_key(made["keys"]["1"]))
            began = time.monotonic()
            await client.get(waits, headers=with_key(made["watch"]))
            assert time.monotonic() - began >= 1

    run(play())


# ---- back-up -------------------------------------------------------------------------------------------------------


def test_a_backup_ends_however_much_is_written(tmp_path: Path) -> None:
    file, stop = tmp_path / "busy.db", threading.Event()
    with sqlite3.connect(file) as made:
        made.execute("PRAGMA journal_mode=WAL")
        made.execute("CREATE TABLE t (x BLOB)")
        made.executemany("INSERT INTO t VALUES (zeroblob(1000000))", [()] * 20)
    made.close()

    def write() -> None:
        with sqlite3.connect(file, timeout=30) as busy:
            while not stop.is_set():
                busy.execute("INSERT INTO t VALUES (1)")
                busy.commit()
        busy.close()

    writing = threading.Thread(target=write)
    copying = threading.Thread(target=backup, args=(open_engine(str(file)), tmp_path / "copy.db"), daemon=True)
    writing.start()
    try:
        copying.start()
        copying.join(20)
        assert not copying.is_alive(), "every write begins it anew"
    finally:
        stop.set()
        writing.join()
    assert sqlite3.connect(tmp_path / "copy.db").execute("PRAGMA integrity_check").fetchone() == ("ok",)


# ---- who knocks ------------------------------------------------------------------------------------------------------


def test_a_wrong_link_opens_no_room(tmp_path: Path) -> None:
    """So not even the time tells whether there is such a game."""

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made, other = await a_game(hall), await a_game(hall)
            for key in ("wrong", other.keys[1], made.watch):
                assert not await opens(hall, made.game, key)
            assert hall.rooms == {}
            assert await opens(hall, made.game, made.keys[1])

    run(play())


def test_only_who_has_a_link_hears_that_a_game_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone(*_: Any) -> Any:
        raise Unavailable

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            monkeypatch.setattr(Room, "opened", gone)
            told = [(await Plug(hall).sit(game, "wrong"))["text"] for game in (made.game, "0123456789abcdef")]
            assert told[0] == told[1] == str(NoSuchLink())
            assert (await Plug(hall).sit(made.game, made.keys[1]))["text"] == str(Unavailable())

    run(play())


def test_a_link_made_new_at_another_worker_opens_at_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as here, hall_over(tmp_path / "w.db") as there:
            made = await a_game(here)
            await sit_down(here, made)
            await sit_down(there, made)
            key = await renewed_key(there.store, there.rooms[made.game], 2, made.keys[2])
            assert await opens(here, made.game, key)
            assert not await opens(here, made.game, made.keys[2])

    run(play())


def test_a_link_made_new_while_the_game_is_being_opened_opens_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as here, hall_over(tmp_path / "w.db") as there:
            made = await a_game(here)
            await sit_down(there, made)
            read, end = threading.Event(), threading.Event()
            monkeypatch.setattr(here.store, "kept", held(here.store.kept, read, end))
            opening = asyncio.ensure_future(here.room(made.game))
            await until(read.is_set)
            key = await renewed_key(there.store, there.rooms[made.game], 2, made.keys[2])
            entering = asyncio.ensure_future(opens(here, made.game, key))
            end.set()
            assert await entering
            await opening

    run(play())


@pytest.mark.parametrize("said", [{"do": "hint"}, {"do": "odds", "choice": {"verb": "dance"}}])
def test_advice_is_not_told_to_whose_link_is_void_by_then(
    tmp_path: Path, said: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    async def story(client: httpx.AsyncClient) -> None:
        game, do = await made(client), deeds.do
        thinking, thought = asyncio.Event(), asyncio.Event()

        async def slowly(*args: Any) -> Any:
            thinking.set()
            await thought.wait()
            return await do(*args)

        url, old = f"/api/games/{game['game']}", with_key(game["keys"]["1"])
        with monkeypatch.context() as patch:
            patch.setattr(deeds, "do", slowly)
            asking = asyncio.ensure_future(client.post(f"{url}/do", json=said, headers=old))
            await thinking.wait()
        assert (await client.post(f"{url}/seats/1/key", headers=old)).is_success
        thought.set()
        assert (await asking).status_code == 404

    play(tmp_path, story)
