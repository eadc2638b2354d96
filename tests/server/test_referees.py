"""Referees in processes of their own: they say what one in the worker would say, and nothing is lost when one dies."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
import socket
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.harness import PATIENT, Crowd, Served, free_port, lost
from tests.server.plug import Plug
from tests.server.postgres import is_alive, stat
from tests.server.tables import a_game, hall_over, sit_down
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Question, Refusal, Refused
from wardogs.server import pulse
from wardogs.server.calls import Answer, Do, GiveUp, Lapse, Look, Saved, Take
from wardogs.server.config import Config
from wardogs.server.errors import Broken
from wardogs.server.hall import Hall
from wardogs.server.messages import Put
from wardogs.server.referee import Referee
from wardogs.server.referees import SHARE, Answered, Asked, Beside, Desk, Frames, Process, decided, failure, framed, preside
from wardogs.systems import KEYS


@asynccontextmanager
async def hall_beside(database: Path, processes: int = 2) -> AsyncIterator[Hall]:
    """A hall whose referees work in processes of their own."""
    spawn, started, ends = multiprocessing.get_context("forkserver"), [], []
    for _ in range(processes):
        mine, yours = socket.socketpair()
        child = spawn.Process(target=preside, args=(yours,), daemon=True)
        child.start()
        yours.close()
        ends.append(mine)
        started.append(child)
    pids = [child.pid or 0 for child in started]
    async with Beside([Process(pid, end) for pid, end in zip(pids, ends, strict=True)]) as bench, hall_over(database) as hall:
        hall.bench = bench
        yield hall
    for child in started:
        child.join(10)


async def a_long_story(hall: Hall, system: str) -> list[list[Any]]:
    """All that everybody hears of a game with umpire and gallery, in which much is asked, taken back and ruled."""
    made, rng = await a_game(hall, system, umpire=True), random.Random(5)
    plugs = await sit_down(hall, made)
    watcher = Plug(hall)
    for seat in (one for one in plugs if one):
        await plugs[seat].ask("watchable", yes=True)
    assert (await watcher.sit(made.game, made.watch, draw=True))["type"] == "sat"
    room = await hall.room(made.game)
    for k in range(24):
        if room.standing.over:
            break
        seat = rng.choice(room.standing.waiting)
        for plug in (*plugs.values(), watcher):
            await plug.reach(room.standing.next - 1)
        await look_round(plugs[seat], plugs[0], seat, rng)
        asked = plugs[seat].question
        await plugs[seat].ask("choose", n=plugs[seat].n + 1, choice=asked["default"])
        if k % 7 == 3:
            await plugs[seat].ask("undo")
    await plugs[0].ask("rule", because="so it is", changes=[["nobody", "nothing", 0]])
    await plugs[0].ask("rewind", to=2, because="again")
    again = Plug(hall)
    await again.sit(made.game, made.keys[1], after=3, draw=True)
    for plug in (*plugs.values(), watcher):
        await plug.reach(room.standing.next - 1)
    every = [*plugs.values(), watcher, again]
    said = [[msgspec.json.decode(raw.replace(made.game.encode(), b"GAME")) for raw in plug.heard] for plug in every]
    for plug in every:
        await plug.leave()
    return said


async def look_round(plug: Plug, umpire: Plug, seat: int, rng: random.Random) -> None:
    asked = plug.question
    doers = asked.get("doers", [])
    offers = asked["offers"]
    if doers:
        told = await plug.ask("offers", doer=rng.choice(doers))
        offers = told["data"]
    spotted = [(offer, name) for offer in offers for name, field in offer.get("fields", {}).items() if field["type"] == "spot"]
    for offer, name in spotted[:2]:
        fixed = {key: field["among"][0] for key, field in offer["fields"].items() if field["type"] == "one" and field["among"]}
        await plug.ask("spots", choice={"verb": offer["verb"], **fixed}, field=name, most=5)
    await plug.ask("odds", choice=asked["default"])
    await plug.ask("eye", who=rng.choice([1, "nobody", *doers]))
    await plug.ask("why", choice={"verb": "dance"})
    await plug.ask("why")
    await plug.ask("choose", n=plug.n + 1, choice={"verb": "dance", "with": [1, 2.5, None]})
    await plug.ask("choose", n=plug.n + 7, choice=asked["default"])
    await umpire.ask("question", seat=seat)


@pytest.mark.parametrize("system", KEYS)
def test_wherever_a_referee_works_he_says_the_same(tmp_path: Path, system: str) -> None:
    async def here() -> list[list[Any]]:
        async with hall_over(tmp_path / "here.db") as hall:
            return await a_long_story(hall, system)

    async def there() -> list[list[Any]]:
        async with hall_beside(tmp_path / "there.db") as hall:
            return await a_long_story(hall, system)

    one, other = asyncio.run(here()), asyncio.run(there())
    assert [len(said) for said in one] == [len(said) for said in other]
    assert one == other
    kinds = {message["type"] for said in one for message in said}
    assert kinds >= {"sat", "news", "done", "refused"}


def test_what_cannot_be_sent_to_a_referee_is_refused_and_the_game_goes_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_beside(tmp_path / "w.db", 1) as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            deep: Any = 1
            for _ in range(200):
                deep = [deep]
            for value in (2**70, -(2**70), 1e308, deep, "\ud7ff", {"1": {}}):
                for do in ("choose", "odds", "why"):
                    more = {"n": plugs[1].n + 1} if do == "choose" else {}
                    answer = await plugs[1].ask(do, choice={"verb": "place_cards", "number": value, "other": value}, **more)
                    assert answer["type"] in ("wrong", "refused", "done"), answer
                    assert do != "choose" or answer["type"] != "done"
            answer = await plugs[1].ask("choose", n=plugs[1].n + 1, choice=plugs[1].question["default"])
            assert answer["type"] == "done"

    asyncio.run(play())


def test_who_looks_goes_first_but_holds_nobody_up() -> None:
    mine, yours = socket.socketpair()
    look, deed = Look(1, True, Put()), Do(Answer(1, {"verb": "x"}), [])
    for number, said in enumerate([deed, deed, look, look, Saved(), None]):
        mine.sendall(framed(Asked(number, number, said)))
    desk, served = Desk(yours), []
    assert desk.hear()
    while (asked := desk.next()) is not None:
        served.append(asked.number)
        assert not (desk.looks or desk.deeds) or desk.hear()  # nothing new has come, and nobody waits for it
    assert served == [2, 0, 3, 1, 4, 5]
    mine.close()
    assert not desk.hear()
    yours.close()


@pytest.mark.parametrize("waiting", [0, 4, 5, 20])
def test_answers_go_together_by_a_quarter_of_those_who_wait(monkeypatch: pytest.MonkeyPatch, waiting: int) -> None:
    monkeypatch.setattr("wardogs.server.referees.HELD", 60.0)
    mine, yours = socket.socketpair()
    mine.setblocking(False)
    desk = Desk(yours)
    desk.deeds.extend(Asked(number, number, None) for number in range(waiting))
    ready, expected = 0, max(1, -(-waiting // SHARE))
    while not ready or desk.said:
        desk.tell(b"x")
        ready += 1
    assert (ready, mine.recv(100)) == (expected, b"x" * expected)
    monkeypatch.setattr("wardogs.server.referees.HELD", -1.0)  # too long
    desk.tell(b"y")
    assert mine.recv(100) == b"y"
    mine.close()
    yours.close()


def test_messages_come_whole_however_the_stream_is_cut() -> None:
    sent = [framed(Asked(number, 1, None)) for number in range(50)]
    stream, frames = b"".join(sent), Frames()
    heard = [body for k in range(0, len(stream), 3) for body in frames.feed(stream[k : k + 3])]
    assert heard == [one[4:] for one in sent]


def children(pid: int) -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*") if (found := stat(int(path.name))) and int(found[1]) == pid]


async def a_family(parent: int) -> list[int]:
    """The worker and his referees, as soon as they are there."""
    for _ in range(200):
        for worker in children(parent):
            if len(born := children(worker)) >= 2:
                return [worker, *born]
        await asyncio.sleep(0.05)
    raise AssertionError("no worker comes")


async def gone(pids: list[int]) -> None:
    for _ in range(100):
        if not any(map(is_alive, pids)):
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"still there: {[pid for pid in pids if is_alive(pid)]}")


@pytest.mark.parametrize("whom", ["referee", "worker"])
def test_nothing_is_lost_or_left_behind_when_a_referee_or_his_worker_is_killed(tmp_path: Path, whom: str) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    served = Served(Config(url, port=free_port(), limits=PATIENT))

    async def go() -> None:
        served.start()
        await served.answers()
        async with Crowd(served.base, [{"system": "dawgs"}] * 6, think=0.02) as crowd:
            await crowd.all_go_on()
            assert served.process is not None
            for _ in range(3):
                family = await a_family(served.process.pid)
                os.kill(family[0 if whom == "worker" else 1], signal.SIGKILL)
                await gone(family)
                await crowd.all_go_on()
            family = [served.process.pid, *(pid for one in children(served.process.pid) for pid in (one, *children(one)))]
        assert served.stop() == 0
        await gone(family)
        assert await asyncio.to_thread(lost, url, crowd.players, tmp_path) == []

    try:
        asyncio.run(go())
    finally:
        if served.process is not None and served.process.poll() is None:
            served.kill()


def test_a_referee_who_does_not_answer_for_a_minute_is_replaced_with_his_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[tuple[int, int]] = []

    async def play() -> None:
        async with hall_beside(tmp_path / "w.db", 1) as hall:
            process = hall.bench.processes[0]  # type: ignore[attr-defined]
            os.kill(process.pid, signal.SIGSTOP)
            waiting = asyncio.ensure_future(hall.bench.ask(Saved(), bytes))
            await asyncio.sleep(0.2)
            monkeypatch.setattr(pulse, "HANGS", 0.1)
            monkeypatch.setattr(pulse.os, "kill", lambda *said: killed.append(said))
            beating = asyncio.ensure_future(pulse.pulse(hall))
            await asyncio.sleep(0.05)
            monkeypatch.undo()
            beating.cancel()
            os.kill(process.pid, signal.SIGCONT)
            await asyncio.gather(waiting, return_exceptions=True)
            assert hall.bench.busy_for() == 0.0

    asyncio.run(play())
    assert killed == [(os.getpid(), signal.SIGKILL)]


def test_a_refusal_whose_figures_no_machine_holds_kills_nobody(tmp_path: Path) -> None:
    """So many rounds that what they would cost is beyond 64 bits."""

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made, rng = await a_game(hall, "dogs"), random.Random(3)
            room = await hall.room(made.game)
            while not (huge := too_dear(room.referee.match)):  # type: ignore[attr-defined]
                await room.act(Lapse((rng.choice(room.standing.waiting),)))
        async with hall_beside(tmp_path / "w.db", 1) as hall:
            plugs = await sit_down(hall, made)
            for seat, choice in huge:
                answer = await plugs[seat].ask("choose", n=plugs[seat].n + 1, choice=choice)
                assert answer["type"] == "refused", answer
                assert (await plugs[seat].ask("why", choice=choice))["type"] == "done"
            seat = plugs[1].waiting[0]
            assert (await plugs[seat].ask("choose", n=plugs[seat].n + 1, choice=plugs[seat].question["default"]))[
                "type"
            ] == "done"

    asyncio.run(play())


def too_dear(match: Match) -> list[tuple[int, dict[str, Any]]]:
    """Choices whose refusals have figures beyond 64 bits."""
    question = match.game.question
    assert isinstance(question, Question)
    found = []
    for seat, ask in question.asks.items():
        for offer in ask.open_offers:
            for name in {"aimed", "scope"} & offer.fields.keys() if offer.size else ():
                choice = {**offer.pick(0), name: 2**63}
                try:
                    msgspec.msgpack.encode(question.refusal(seat, choice))
                except OverflowError:
                    found.append((seat, choice))
    return found[:3]


def test_an_answer_that_cannot_be_sent_is_only_told_to_who_asked() -> None:
    class Odd(Referee):
        def answer(self, said: Any) -> Any:
            raise Refused(Refusal("X-1", "odd", {"what": object()}))

    told = decided(Asked(7, 1, Saved()), {1: Odd()})
    assert isinstance(failure(msgspec.msgpack.decode(told[4:], type=Answered)), Broken)


def test_a_closed_table_leaves_nothing_behind(tmp_path: Path) -> None:
    async def play() -> Take:
        async with hall_over(tmp_path / "w.db") as hall:
            kept = hall.store.kept((await a_game(hall)).game)
            assert kept is not None
            return Take(kept.id, kept.system, kept.first, kept.lines[-1], kept.position, kept.seed)

    take, tables = asyncio.run(play()), dict[int, Referee]()
    decided(Asked(1, 5, take), tables)
    there = weakref.ref(tables[5])
    decided(Asked(2, 5, None), tables)
    assert (tables, there()) == ({}, None)
    decided(Asked(3, 0, Saved()), tables)
    assert tables == {}


def test_an_undo_of_a_game_that_ends_elsewhere_just_then_says_why(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall, hall_over(tmp_path / "w.db") as other:
            made = await a_game(hall)
            room, twin = await hall.room(made.game), await other.room(made.game)
            for _ in range(2):
                await room.act(Lapse((room.standing.waiting[0],)))
            hall.rooms.clear()  # nothing that could be taken back is held in memory now
            plug, real, loop = Plug(hall), hall.store.lines, asyncio.get_running_loop()
            await plug.sit(made.game, made.keys[1])
            await twin.hear(room.head)

            def lines(*asked: Any) -> list[bytes]:
                asyncio.run_coroutine_threadsafe(twin.act(GiveUp(2)), loop).result(5)
                return real(*asked)

            hall.store.lines = lines  # type: ignore[method-assign]
            answer = await plug.ask("undo")
            assert (answer["type"], answer["fact"]) == ("refused", "game_over"), answer
            assert plug.closed is None
            await plug.ask("ping")

    asyncio.run(play())


def test_nests_without_end_are_not_understood(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            for deep in (150, 500, 900, 3000):
                choice = f'{{"verb": "place_cards", "number": {"[" * deep}{"]" * deep}}}'
                plugs[1].raw(f'{{"do": "choose", "id": "mine", "n": 2, "choice": {choice}}}')
                assert (await plugs[1].until(lambda message: message["type"] != "table"))["type"] == "wrong"
            assert (await plugs[1].ask("ping"))["type"] == "done"

    asyncio.run(play())
