"""Faults that were once found by looking for them: none of them comes back."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy.exc import OperationalError

from tests.server.outside import asked
from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over, sit_down
from tests.server.test_api import with_key
from tests.server.test_records import lines, rechained
from wardogs.kernel.fate import seed_from
from wardogs.kernel.match import Match
from wardogs.kernel.system import Wanted
from wardogs.server.calls import Take
from wardogs.server.clocks import Clocks
from wardogs.server.config import Config, Limits
from wardogs.server.errors import NoSuchLink
from wardogs.server.games import Made
from wardogs.server.hall import Hall
from wardogs.server.referee import Referee
from wardogs.server.rulebooks import rulebook
from wardogs.server.store import Appended, Settings
from wardogs.server.telling import Audience
from wardogs.server.thinking import Thinker, Thinking


def away(*_: Any) -> Any:
    """What a database does that cannot be reached."""
    raise OperationalError("", {}, Exception("away"))


async def until(so: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not so():
        assert time.monotonic() < end, "it did not come to pass"
        await asyncio.sleep(0.01)


def head(hall: Hall, game: str) -> int:
    """The last entry that is on the disk."""
    return hall.store.stamps([game])[game][1]


def held(real: Callable[..., Any], first: threading.Event, then: threading.Event) -> Callable[..., Any]:
    """A reading that is slow: what it has found is old when it comes."""

    def slow(*args: Any) -> Any:
        found = real(*args)
        first.set()
        assert then.wait(20)
        return found

    return slow


def hall_of(asking: httpx.AsyncClient) -> Hall:
    return asking.app.hall  # type: ignore[attr-defined, no-any-return]


async def choose(plug: Plug, *others: Plug) -> int:
    """The default; all have heard of it when this returns."""
    done = await plug.ask("choose", n=plug.n + 1, choice=plug.question["default"])
    assert done["type"] == "done", done
    for one in (plug, *others):
        await one.reach(done["n"])
    return int(done["n"])


async def watched(hall: Hall, delay: float) -> tuple[Made, dict[int, Plug]]:
    """A game whose players let others look on."""
    made = await a_game(hall, settings=Settings(delay=delay))
    plugs = await sit_down(hall, made)
    for plug in plugs.values():
        await plug.ask("watchable", yes=True)
    return made, plugs


def told(messages: Iterable[dict[str, Any]]) -> dict[int, list[Any]]:
    """The reports of each entry, as somebody heard them."""
    every = [entry for message in messages for entry in message.get("entries", ())]
    return {one["n"]: [[r["rule"], r["fact"], r.get("data", {})] for r in one.get("reports", ())] for one in every}


def to_tell(hall: Hall, game: str, audience: Audience) -> dict[int, list[Any]]:
    """The reports of each entry that this audience may hear, as the record has them."""
    entries = hall.store.record(game).entries
    found = {entry.n: [[r.rule, r.fact, r.data] for r in entry.reports if audience.hears(r)] for entry in entries}
    return {n: msgspec.json.decode(msgspec.json.encode(reports)) for n, reports in found.items()}


def test_each_hears_the_reports_of_an_entry_that_are_meant_for_him_however_many_have_looked(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, umpire=True)
            plugs = await sit_down(hall, made)
            rng = random.Random(3)
            for k in range(6):
                await choose(plugs[1 + k % 2], *plugs.values())
                ruled = await plugs[0].ask("rule", because="weather", changes=[[1, "speed", 1 + k % 3]])
                for plug in plugs.values():
                    await plug.reach(ruled["n"])
            may_hear = {seat: to_tell(hall, made.game, Audience("player" if seat else "umpire", seat)) for seat in plugs}
            for seat in [0, 2, 1, 2] * 10:
                somebody = Plug(hall)
                sat = await somebody.sit(made.game, made.keys[seat], after=rng.randrange(-1, plugs[1].n))
                for n, reports in told([sat]).items():
                    assert reports == may_hear[seat][n]
                await somebody.leave()
            await choose(plugs[2], *plugs.values())
            news = told(map(msgspec.json.decode, plugs[1].heard))
            assert news.items() <= to_tell(hall, made.game, Audience("player", 1)).items()

    asyncio.run(play())


def test_a_game_younger_than_its_delay_can_be_watched(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            made, _ = await watched(hall_of(asking), 60.0)
            for path in ("state", "news?after=0"):
                seen = await asking.get(f"/api/games/{made.game}/{path}", headers=with_key(made.watch))
                assert (seen.status_code, seen.json().get("n")) == (200, 1)
            assert (await Plug(hall_of(asking)).sit(made.game, made.watch))["n"] == 1

    asyncio.run(play())


def test_a_spectator_learns_nothing_of_the_present_from_the_facts_of_a_game(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            made, plugs = await watched(hall_of(asking), 3600.0)
            await choose(plugs[1], plugs[2])
            await plugs[2].ask("resign")
            facts = (await asking.get(f"/api/games/{made.game}", headers=with_key(made.watch))).json()
            assert (facts["n"], facts["waiting"], facts["over"]) == (1, [1, 2], False)
            facts = (await asking.get(f"/api/games/{made.game}", headers=with_key(made.keys[1]))).json()
            assert (facts["n"] > 2, facts["waiting"], facts["over"]) == (True, [], True)

    asyncio.run(play())


def test_who_withdraws_his_leave_is_watched_no_more(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made, plugs = await watched(hall, 0.0)
            onlooker = Plug(hall)
            await onlooker.sit(made.game, made.watch)
            await plugs[1].ask("watchable", yes=False)
            n = await choose(plugs[1], plugs[2])
            end = await onlooker.until(lambda message: message["type"] in ("closed", "news"))
            assert (end["type"], onlooker.n) == ("closed", n - 1)

    asyncio.run(play())


def test_who_came_by_a_sign_in_link_that_is_void_is_shown_out(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            hall = hall_of(asking)
            made = await a_game(hall)
            old = (await asking.post("/api/people", json={"name": "Ada"})).json()["key"]
            await asking.post(f"/api/games/{made.game}/seat", json={"key": made.keys[1]}, headers=with_key(old))
            thief, holder = Plug(hall), Plug(hall)
            await thief.sit(made.game, old)
            await holder.sit(made.game, made.keys[1])
            assert (await asking.post("/api/me/key", headers=with_key(old))).status_code == 201
            assert (await thief.ask("ping"))["type"] == "closed"
            assert holder.closed is None

    asyncio.run(play())


def test_nobody_is_told_of_an_entry_that_is_not_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            hall = hall_of(asking)
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            n = await choose(plugs[1], plugs[2])
            path, mine, choice = f"/api/games/{made.game}", with_key(made.keys[1]), plugs[2].question["default"]
            facts, odds = (await asking.get(path, headers=mine)).json(), await plugs[1].ask("odds", choice=choice)
            begun, end = asyncio.Event(), asyncio.Event()

            async def append(_: Appended) -> int:
                begun.set()
                await end.wait()
                return int(away())

            monkeypatch.setattr(hall.store, "append", append)
            deed = asyncio.ensure_future(plugs[2].ask("choose", n=n + 1, choice=choice))
            await begun.wait()
            look = asyncio.ensure_future(asking.get(path, headers=mine))
            ask = asyncio.ensure_future(plugs[1].ask("odds", choice=choice))
            await asyncio.sleep(0.2)  # they may be answered now, or when it is known how it ended
            end.set()
            assert (await deed)["type"] == "refused"
            assert (await look).json() == facts
            assert await ask == odds

    asyncio.run(play())


def test_undo_that_runs_the_rules_again_leaves_no_gap_in_the_news(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as here, hall_over(tmp_path / "w.db") as there:
            made = await a_game(there)
            plugs = await sit_down(there, made)
            for seat in (1, 2):
                await choose(plugs[seat], *plugs.values())
            late = Plug(here)  # this worker's memory begins now
            await late.sit(made.game, made.keys[1])
            n, before = await choose(plugs[1]), len(late.heard)
            assert (await late.ask("undo"))["data"] == {"needs": []}
            await late.reach(n + 1)
            assert list(told(map(msgspec.json.decode, late.heard[before:]))) == [n, n + 1]

    asyncio.run(play())


def a_record(over: bool = True, **header: Any) -> bytes:
    """A short game, with something else in its header."""
    book = rulebook("dawgs")
    setup = book.plan(Wanted(None, None, None, ({"round_limit": 2},)))
    match = Match.start(book, setup, dict.fromkeys(setup.seats, "person"), seed_from(1) if over else None)
    if over:
        match.resign(1)
    first, *rest = match.record.entries
    return lines(rechained([replace(first, header=replace(match.header, **header)), *rest]))


def test_an_imported_game_of_an_unknown_system_is_known_only_to_its_people(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            made = (await asking.post("/api/records", content=a_record(system="chess"))).json()
            for path in (f"/api/games/{made['game']}", f"/api/games/{made['game']}/state"):
                unknown = await asking.get(path.replace(made["game"], "0" * 16), headers=with_key("wrong"))
                wrong = await asking.get(path, headers=with_key("wrong"))
                assert (wrong.status_code, wrong.text) == (404, unknown.text)
                assert 400 <= (await asking.get(path, headers=with_key(made["keys"]["1"]))).status_code < 500
            plug = Plug(hall_of(asking))
            assert "no such game" in (await plug.sit(made["game"], "wrong"))["text"]

    asyncio.run(play())


def test_a_record_with_words_that_do_not_fit_is_told_in_others_or_refused(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as asking:
            known = rulebook("dawgs").words
            words = {**known, "reports": dict.fromkeys(known["reports"], "{who:last} {who:seats}")}
            running = await asking.post("/api/records", content=a_record(over=False, words=words))
            assert (running.status_code, "words" in running.text) == (422, True)
            made = (await asking.post("/api/records", content=a_record(words=words))).json()
            state = await asking.get(f"/api/games/{made['game']}/state", headers=with_key(made["keys"]["1"]))
            assert state.status_code == 200
            assert all(report["text"] for entry in state.json()["entries"] for report in entry.get("reports", ()))

    asyncio.run(play())


def test_who_imports_or_forks_makes_a_game_too(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"), limits=Limits(games_an_hour=3))) as asking:
            imported = await asking.post("/api/records", content=a_record())
            made = imported.json()
            fork, mine = f"/api/games/{made['game']}/fork", with_key(made["keys"]["1"])
            assert (await asking.post(fork, json={"n": 1}, headers=mine)).status_code == 201
            assert (await asking.post("/api/games", json={"system": "dawgs"})).status_code == 201
            assert (await asking.post("/api/games", json={"system": "dawgs"})).status_code == 429
            assert (await asking.post("/api/records", content=a_record())).status_code == 429
            assert (await asking.post(fork, json={"n": 1}, headers=mine)).status_code == 429

    asyncio.run(play())


def test_a_bot_whose_answer_could_not_be_written_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall, Thinking(hall):
            made = await a_game(hall, players={2: "random"})
            real, failed = hall.store.append, asyncio.Event()

            async def append(new: Appended) -> int:
                if not failed.is_set():
                    failed.set()
                    away()
                return await real(new)

            monkeypatch.setattr(hall.store, "append", append)
            monkeypatch.setattr(Thinker, "ask", lambda *_: {"verb": "place_cards", "number": 1, "other": "NC"})
            await hall.room(made.game)
            await until(lambda: failed.is_set() and head(hall, made.game) == 2)
            assert hall.rooms[made.game].standing.waiting == (1,)

    monkeypatch.setattr("wardogs.server.thinking.AGAIN", 0.05)
    asyncio.run(play())


def test_a_bot_does_not_answer_after_its_holder_has_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began, end = threading.Event(), threading.Event()

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall, Thinking(hall) as bots:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)

            def ask(*_: Any) -> Any:
                began.set()
                assert end.wait(20)
                return plugs[1].question["default"]

            monkeypatch.setattr(Thinker, "ask", ask)
            await plugs[1].ask("take_over", seat=1, player="random")
            await until(began.is_set)
            tasks = list(bots.flights.values())
            await plugs[1].ask("take_over", seat=1, player="person")
            end.set()
            await asyncio.wait(tasks, timeout=10)
            assert head(hall, made.game) == 1

    asyncio.run(play())


@pytest.mark.parametrize("waking", [Thinking, Clocks])
def test_a_game_that_cannot_be_opened_keeps_no_other_asleep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waking: Any) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            slow = Settings(delay=0.0, clock=1000.0)
            first, *others = sorted([(await a_game(hall, players={2: "random"}, settings=slow)).game for _ in range(3)])
            real = Referee._take

            def take(referee: Referee, said: Take) -> None:
                if said.game == first:
                    raise TypeError("a rule that fails at this position")
                real(referee, said)

            monkeypatch.setattr(Referee, "_take", take)
            monkeypatch.setattr("wardogs.server.clocks.running", lambda _: [first, *others])  # in the order of the bots
            monkeypatch.setattr(waking, "hear", lambda *_: None)  # it is enough that the rooms are opened
            async with waking(hall):
                await until(lambda: set(hall.rooms) == set(others))
            with pytest.raises(NoSuchLink):
                await hall.enter(first, "wrong")

    asyncio.run(play())


def test_a_clock_that_rang_while_the_database_was_away_rings_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall, Clocks(hall):
            made = await a_game(hall, settings=Settings(delay=0.0, clock=0.3))
            plugs = await sit_down(hall, made)
            write, read, looked = hall.store.append, hall.store.kept, threading.Event()

            async def append(new: Appended) -> int:
                return await (away() if new.entries[0].n > 2 and not looked.is_set() else write(new))

            def kept(game: str) -> Any:
                if looked.is_set():
                    return read(game)
                looked.set()
                return away()

            monkeypatch.setattr(hall.store, "append", append)
            monkeypatch.setattr(hall.store, "kept", kept)
            await choose(plugs[1])
            await until(lambda: head(hall, made.game) > 2)
            assert looked.is_set()

    monkeypatch.setattr("wardogs.server.clocks.AGAIN", 0.05)
    asyncio.run(play())


def test_talk_gives_no_time_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, settings=Settings(delay=0.0, clock=100.0))
            plugs = await sit_down(hall, made)
            await choose(plugs[1], plugs[2])
            await choose(plugs[2], plugs[1])
            room, read, end = hall.rooms[made.game], threading.Event(), threading.Event()
            room.since -= 30
            with monkeypatch.context() as slow:
                slow.setattr(hall.store, "beside", held(hall.store.beside, read, end))
                talk = asyncio.ensure_future(plugs[2].ask("say", text="hm"))
                await until(read.is_set)
                await choose(plugs[1])
                end.set()
                await talk
            await choose(plugs[2], plugs[1])
            await choose(plugs[1], plugs[2])
            left = {row.seat: row.time_left for row in hall.store.seats(made.game)}
            assert left == {1: pytest.approx(70, abs=5), 2: pytest.approx(70, abs=5)}

    asyncio.run(play())


def test_a_draw_that_an_entry_has_overtaken_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            await plugs[1].ask("draw")
            real, written, end = hall.store.writer.write, asyncio.Event(), asyncio.Event()

            async def write(job: Any) -> Any:
                found = await real(job)
                if not written.is_set():  # the agreement; what comes after it is faster
                    written.set()
                    await end.wait()
                return found

            monkeypatch.setattr(hall.store.writer, "write", write)
            agreement = asyncio.ensure_future(plugs[2].ask("agree", kind="draw"))
            await written.wait()
            n = await choose(plugs[1])
            end.set()
            assert (await agreement).get("fact") == "late"
            assert (head(hall, made.game), hall.rooms[made.game].standing.over) == (n, False)

    asyncio.run(play())


def test_a_draft_stays_while_its_question_stands(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            await plugs[1].ask("draft", n=plugs[1].n + 1, choice={"verb": "half done"})
            await choose(plugs[2], plugs[1])
            assert (await Plug(hall).sit(made.game, made.keys[1])).get("draft") == {"verb": "half done"}
            await choose(plugs[1])
            assert "draft" not in await Plug(hall).sit(made.game, made.keys[1])

    asyncio.run(play())


def test_a_seat_handed_to_a_bot_is_not_taken_back_by_an_older_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            room, read, end = hall.rooms[made.game], threading.Event(), threading.Event()
            room.stale = True  # as after a race that another worker has won
            monkeypatch.setattr(hall.store, "kept", held(hall.store.kept, read, end))
            deed = asyncio.ensure_future(plugs[2].ask("choose", n=plugs[2].n + 1, choice={"verb": "dance"}))
            await until(read.is_set)
            assert (await plugs[1].ask("take_over", seat=1, player="random"))["type"] == "done"
            end.set()
            await deed
            assert [(row.seat, row.player) for row in room.bots_due()] == [(1, "random")]

    asyncio.run(play())


def test_who_has_resigned_is_played_after_a_crash_though_nobody_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3)
            plugs = await sit_down(hall, made)
            writes = hall.store.writer.written
            monkeypatch.setattr(Thinker, "ask", lambda *_: {"verb": "place_cards", "number": 1, "other": "NC"})
            await plugs[1].ask("resign")
            assert hall.store.writer.written == writes + 1  # that he is gone and who plays for him: both, or neither
        async with hall_over(tmp_path / "w.db") as hall, Thinking(hall):
            await until(lambda: head(hall, made.game) > 2)
            assert [entry.seat for entry in hall.store.since(made.game, 2)] == [1, 1]  # he gives up; the bot chooses

    asyncio.run(play())
