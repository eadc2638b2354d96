"""What goes wrong only when two things happen in a certain order: found by a hostile reader, and kept from coming back."""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import ssl
import threading
import time
from pathlib import Path
from typing import Any
from xml.dom import minidom

import httpx
import msgspec
import pytest

from tests.server.outside import asked
from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over, sit_down
from tests.server.test_api import with_key
from tests.server.test_faults import a_record, away, choose, hall_of, head, held, until
from wardogs.kernel.fate import seed_from
from wardogs.kernel.match import Match
from wardogs.kernel.replay import rebuild
from wardogs.kernel.system import Wanted
from wardogs.server import hall as halls
from wardogs.server import notices, serving
from wardogs.server.calls import Lapse
from wardogs.server.config import Config
from wardogs.server.games import keep
from wardogs.server.lines import begun
from wardogs.server.notices import Notices, cut
from wardogs.server.pulse import Beats
from wardogs.server.rulebooks import rulebook
from wardogs.server.store import Settings
from wardogs.server.thinking import Thinker, Thinking

JSON = {"Content-Type": "application/json"}


async def signed_in(asking: httpx.AsyncClient, game: str, key: str) -> str:
    """Somebody new takes a seat under his name: his sign-in key."""
    mine: str = (await asking.post("/api/people", json={"name": "Ada"})).json()["key"]
    await asking.post(f"/api/games/{game}/seat", headers=with_key(mine), json={"key": key})
    return mine


def test_who_has_only_looked_in_sits_down_at_the_board_of_now(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            hall = hall_of(asking)
            made = await a_game(hall)
            one = Plug(hall)
            await one.sit(made.game, made.keys[1])
            await asking.get(f"/api/games/{made.game}", headers=with_key(made.keys[2]))
            await choose(one)
            sat = await Plug(hall).sit(made.game, made.keys[2])
            assert (sat["n"], sat["view"]["committed"]) == (2, [1])

    asyncio.run(play())


def test_a_ruling_has_figures_that_a_table_could_have(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, umpire=True)
            plugs = await sit_down(hall, made)
            for value in (10**12, -10_001, [1, {"deep": 2e9}]):
                ruled = await plugs[0].ask("rule", because="more", changes=[[1, "pending_hits", value]])
                assert (ruled["type"], ruled["text"]) == ("refused", "a ruling has no figures beyond 10,000")
            assert head(hall, made.game) == 1
            assert (await plugs[0].ask("rule", because="more", changes=[[1, "pending_hits", 2]]))["type"] == "done"

    asyncio.run(play())


class Killed(Exception):
    """What a worker gets that hangs."""


def test_a_worker_whose_loop_gives_no_beat_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []

    def kill(pid: int, number: int) -> None:
        sent.append(number)
        raise Killed

    def nap(seconds: float) -> None:
        Beats.given += len(naps) < 5  # beats five times, then no more
        naps.append(seconds)

    naps: list[float] = []
    monkeypatch.setattr(serving.os, "kill", kill)
    monkeypatch.setattr(serving.time, "sleep", nap)
    with pytest.raises(Killed):
        serving._look_after(serving.os.getppid())
    assert (sent, len(naps)) == ([signal.SIGKILL], 5 + serving.HANGS)


def in_mid_paragraph(seed: int) -> Match | None:
    """A game at a question before which its paragraph had something to tell."""
    book, rng = rulebook("dogs"), random.Random(seed)
    setup = book.plan(Wanted())
    match = Match.start(book, setup, dict.fromkeys(setup.seats, "person"), seed_from("told"), umpire=0)
    for _ in range(400):
        if match.over or match.game.position.told:
            return None if match.over else match
        seat = match.game.waiting[0]
        match.answer(seat, match.game.question.asks[seat].drawn(rng.random))  # type: ignore[union-attr]
    return None


def test_a_ruling_after_a_restart_repeats_nothing(tmp_path: Path) -> None:
    match = next(found for seed in range(20) if (found := in_mid_paragraph(seed)) is not None)
    man = match.game.state.models[0]

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await keep(hall.store, begun(match, seed_from("told")), Settings())
            for k in range(2):
                umpire = Plug(hall)
                await umpire.sit(made.game, made.keys[0])
                ruled = await umpire.ask("rule", because=f"reason {k}", changes=[[man.id, "hp", man.hp]])
                assert ruled["type"] == "done", ruled
                last = hall.store.record(made.game).entries[ruled["n"]]
                assert [report.fact for report in last.reports] == ["ruling", "ruled"]
                await umpire.leave()
                hall.rooms.clear()  # as after a restart
            rebuild(match.system, hall.store.record(made.game))

    asyncio.run(play())


# ---- notices ---------------------------------------------------------------------------------------------------------


def test_a_webhook_that_answers_letter_by_letter_is_cut_off_under_tls_too() -> None:
    ours, theirs = socket.socketpair()
    line = ssl.create_default_context().wrap_socket(ours, server_hostname="x", do_handshake_on_connect=False)
    cut(line)
    theirs.settimeout(5)
    assert theirs.recv(1) == b""
    cut(line)  # once more does no harm


def test_a_notice_that_could_not_be_marked_silences_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    monkeypatch.setattr(notices, "reached", lambda url, body, inner: (sent.append(body), 200)[1])
    for name in ("grace", "orphan", "look"):
        monkeypatch.setattr(Notices, name, 0.05)

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall, Notices(hall) as telling:
            made = await a_game(hall, settings=Settings(webhook="https://example.org/hook"))
            real, marks = telling._mark, []

            async def once_away(turn: Any, told: int) -> Any:
                marks.append(told)
                return away() if len(marks) == 2 else await real(turn, told)

            monkeypatch.setattr(telling, "_mark", once_away)
            one = Plug(hall)
            await one.sit(made.game, made.keys[1])
            await choose(one)
            await until(lambda: len(sent) > 0 and all(row.told >= 0 for row in hall.store.seats(made.game)) and len(marks) > 3)

    asyncio.run(play())


# ---- clocks and links ------------------------------------------------------------------------------------------------


def test_nobody_gains_time_by_choosing_and_taking_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, settings=Settings(clock=60.0, increment=30.0))
            one = Plug(hall)
            await one.sit(made.game, made.keys[1])
            for _ in range(3):
                await choose(one)
                await one.ask("undo")
                await one.reach(head(hall, made.game))
            assert hall.store.seats(made.game)[0].time_left <= 60.0  # type: ignore[operator]
            await choose(one)
            assert hall.store.seats(made.game)[0].time_left == pytest.approx(90.0, abs=5)

    asyncio.run(play())


@pytest.mark.parametrize("path", ["state?after=1&wait=20", "news?after=1&wait=20"])
def test_a_request_that_waits_by_a_link_that_becomes_void_is_told_nothing(tmp_path: Path, path: str) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            hall = hall_of(asking)
            made = await a_game(hall)
            thief = await signed_in(asking, made.game, made.keys[2])
            one = Plug(hall)
            await one.sit(made.game, made.keys[1])
            waiting = asyncio.ensure_future(asking.get(f"/api/games/{made.game}/{path}", headers=with_key(thief)))
            await until(lambda: len(hall.rooms[made.game].listeners) == 2)
            await asking.post("/api/me/key", headers=with_key(thief))
            await choose(one)
            unknown = await asking.get(f"/api/games/{made.game}/{path}", headers=with_key("x" * 32))
            assert (await waiting).status_code == unknown.status_code == 404
            assert (await waiting).content == unknown.content

    asyncio.run(play())


def test_a_new_link_is_shown_though_the_tables_cannot_be_read_now(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            hall = hall_of(asking)
            made = await a_game(hall)
            old = await signed_in(asking, made.game, made.keys[2])
            two = Plug(hall)
            await two.sit(made.game, old)
            real = hall.store.beside
            hall.store.beside = away  # type: ignore[method-assign]
            renewed = await asking.post("/api/me/key", headers=with_key(old))
            said = await two.ask("say", text="is anybody there?")
            assert (renewed.status_code, said["type"]) == (201, "done")
            hall.store.beside = real  # type: ignore[method-assign]
            assert (await asking.get("/api/me", headers=with_key(renewed.json()["key"]))).status_code == 200
            assert (await two.until(lambda message: message["type"] == "closed"))["code"] == 4404

    asyncio.run(play())


def test_the_holder_of_a_seat_makes_a_new_link_for_a_friend(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            made = await a_game(hall_of(asking), umpire=True)
            at = f"/api/games/{made.game}/seats"
            assert (await asking.post(f"{at}/1/key", headers=with_key(made.keys[2]))).status_code == 403
            key = (await asking.post(f"{at}/2/key", headers=with_key(made.keys[2]))).json()["key"]
            assert (await asking.get(f"/api/games/{made.game}", headers=with_key(made.keys[2]))).status_code == 404
            assert (await asking.get(f"/api/games/{made.game}", headers=with_key(key))).json()["seat"] == 2
            assert (await asking.post(f"{at}/1/key", headers=with_key(made.keys[0]))).status_code == 201
            assert (await asking.post(f"{at}/9/key", headers=with_key(made.keys[0]))).status_code == 400

    asyncio.run(play())


# ---- rooms -----------------------------------------------------------------------------------------------------------


def test_a_bot_that_thinks_keeps_its_room_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(self: Thinker, lay: Any, decide: Any) -> Any:
        time.sleep(0.5)
        return {"verb": "dance"}  # refused: the default is taken

    monkeypatch.setattr(Thinker, "ask", slowly)
    monkeypatch.setattr(halls, "OPEN", 0)

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall, Thinking(hall):
            made = await a_game(hall, players={2: "drill"})
            one = Plug(hall)
            await one.sit(made.game, made.keys[1])
            await choose(one)
            await one.leave()
            hall.sweep()
            one = Plug(hall)
            await one.sit(made.game, made.keys[1])
            await until(lambda: head(hall, made.game) > 2)
            await one.reach(head(hall, made.game))

    asyncio.run(play())


def test_who_sits_down_is_told_what_stands_in_the_database(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            closed = await hall.room(made.game)
            hall.rooms.clear()
            await Plug(hall).sit(made.game, made.keys[1])  # another room of the same game
            await closed.act(Lapse((2,)))
            assert (await Plug(hall).sit(made.game, made.keys[2]))["n"] == 2

    asyncio.run(play())


def test_an_answer_sent_twice_counts_once_over_a_restart_too(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            one = Plug(hall)
            await one.sit(made.game, made.keys[1])
            choice = one.question["default"]
            assert (await one.ask("choose", n=2, choice=choice))["n"] == 2
            assert (await one.ask("choose", n=3, choice=choice))["n"] == 3  # he thinks again
            hall.rooms.clear()
            one, two = Plug(hall), Plug(hall)
            await one.sit(made.game, made.keys[1])
            await two.sit(made.game, made.keys[2])
            for n in (2, 3):
                assert (await one.ask("choose", n=n, choice=choice))["fact"] == "late"
            assert (await two.ask("choose", n=2, choice=choice))["n"] == 4  # it was put to him then, and still stands

    asyncio.run(play())


def test_who_has_resigned_plays_no_more_and_stops_nobody(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            default = plugs[1].question["default"]
            await plugs[1].ask("resign")
            await plugs[2].ask("draw")
            for do, more in (
                ("choose", {"n": 3, "choice": default}), ("agree", {"kind": "draw", "yes": False}),
                ("draw", {}), ("undo", {}),
            ):  # fmt: skip
                assert (await plugs[1].ask(do, **more))["fact"] == "notyours"
            assert [one.kind for one in hall.rooms[made.game].proposals] == ["draw"]

    asyncio.run(play())


def test_what_is_said_while_somebody_sits_down_reaches_him(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            one, two = Plug(hall), Plug(hall)
            await one.sit(made.game, made.keys[1])
            real, first, then = hall.store.beside, threading.Event(), threading.Event()
            hall.store.beside = held(real, first, then)  # type: ignore[method-assign]
            sitting = asyncio.ensure_future(two.sit(made.game, made.keys[2]))
            await asyncio.to_thread(first.wait, 20)
            hall.store.beside = real  # type: ignore[method-assign]
            await one.ask("say", text="hello")
            then.set()
            assert [line["text"] for line in (await sitting)["talk"]] == ["hello"]

    asyncio.run(play())


# ---- strangers' texts ------------------------------------------------------------------------------------------------


def test_a_title_that_no_feed_could_hold_spoils_none(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            scenario = {**next(iter(rulebook("dawgs").scenarios.values())), "name": "a\x01b"}
            wanted = msgspec.json.encode({"system": "dawgs", "scenario": scenario})
            made = (await asking.post("/api/games", content=wanted, headers=JSON)).json()
            mine = await signed_in(asking, made["game"], made["keys"]["1"])
            feed = await asking.get(f"/api/me/turns.atom?key={mine}")
            assert "Your turn: ab" in minidom.parseString(feed.content).toxml()

    asyncio.run(play())


@pytest.mark.parametrize("name", ["Ω go", "x\r\ny: z", "", "a" * 17])
def test_no_record_is_kept_of_a_system_that_no_file_could_be_named_after(tmp_path: Path, name: str) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            kept = await asking.post("/api/records", content=a_record(system=name))
            assert (kept.status_code, kept.json()["error"]) == (422, f"the record: no system is called {name:.40}")

    asyncio.run(play())
