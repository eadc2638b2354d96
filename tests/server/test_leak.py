"""Nothing leaks: every byte that is sent to anybody is kept, over random games of every system, and searched.

What a seat may not know is looked for in two ways. Secrets that can be named (seeds, links, drafts, whispers, the umpire's
notes) are marked and must not be found. Secrets of the game itself (cards, mines, vests, orders) are exchanged: two
worlds that differ only in them must give byte-identical traffic.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec.structs import replace

from tests.server.plug import Plug
from tests.server.tables import hall_over
from tests.test_contract import WORLDS, random_choice, random_setup, spoiled
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Refused
from wardogs.server import deeds, games, messages
from wardogs.server.calls import See, Seen
from wardogs.server.errors import ServerError
from wardogs.server.hall import Hall
from wardogs.server.lines import begun
from wardogs.server.messages import written
from wardogs.server.room import Room
from wardogs.server.rulebooks import rulebook
from wardogs.server.store import Beside, Settings
from wardogs.server.telling import Audience, shown_to
from wardogs.systems import KEYS

T = TypeVar("T")

GAMES = {"dawgs": int(os.environ.get("WARDOGS_LEAK", "20")), "dogs": int(os.environ.get("WARDOGS_LEAK", "4"))}
BATCHES = 4


class Recorder:
    """One game, a plug in every place, and the secrets that each place must never hear."""

    def __init__(self, hall: Hall, made: games.Made, seed: bytes, rng: random.Random) -> None:
        self.hall, self.made, self.seed, self.rng = hall, made, seed, rng
        self.plugs: dict[int | None, Plug] = {}
        self.secrets: dict[int | None, list[bytes]] = {seat: [] for seat in [*made.keys, None]}
        self.compared = 0

    @property
    def room(self) -> Room:
        return self.hall.rooms[self.made.game]

    async def sit_down(self) -> None:
        for seat, key in self.made.keys.items():
            self.plugs[seat] = Plug(self.hall)
            await self.plugs[seat].sit(self.made.game, key, draw=self.draws())
            if seat:
                await self.plugs[seat].ask("watchable", yes=True)
        self.plugs[None] = Plug(self.hall)
        assert (await self.plugs[None].sit(self.made.game, self.made.watch, draw=self.draws()))["type"] == "sat"
        row = self.room
        everywhere = [self.seed.hex().encode(), msgspec.json.encode(self.seed), row.luck.hex().encode()]
        everywhere += [key.encode() for key in [*self.made.keys.values(), self.made.watch]]
        everywhere += [seat.key.encode() for seat in row.seats]
        for known in self.secrets.values():
            known += everywhere

    def draws(self) -> bool:
        """Some have a browser, some play by views."""
        return self.rng.random() < 0.5

    def hide(self, text: str, *knowing: int | None) -> str:
        """A secret that only some may hear."""
        for seat, known in self.secrets.items():
            if seat not in knowing:
                known.append(text.encode())
        return text

    async def play(self) -> None:
        """To the end, with drafts, whispers, notes, wrong choices and questions beside."""
        while not self.room.standing.over:
            match = self.room.referee.match
            seat = self.rng.choice(match.game.waiting)
            n = match.record.next
            if self.rng.random() < 0.3:
                await self.aside(seat, n)
            self.compare_worlds()
            choice = random_choice(match.game.question.asks[seat], self.rng)
            answer = await self.plugs[seat].ask("choose", n=n, choice=choice)
            assert answer["type"] == "done", answer
        for plug in self.plugs.values():
            await plug.reach(self.room.standing.next - 1)

    async def aside(self, seat: int, n: int) -> None:
        mark, plug = f"secret{self.rng.getrandbits(64)}", self.plugs[seat]
        await plug.ask("draft", n=n, choice={"verb": self.hide(f"draft {mark}", seat)})
        others = [other for other in self.made.keys if other not in (0, seat)]
        friend = self.rng.choice(others)
        await plug.ask("say", text=self.hide(f"whisper {mark}", seat, friend), to=[friend])
        await self.plugs[0].ask("note", text=self.hide(f"note {mark}", 0))
        bad = spoiled(random_choice(self.room.referee.match.game.question.asks[seat], self.rng), self.rng)
        if isinstance(bad, dict):
            await plug.ask("why", choice=bad)
            await plug.ask("choose", n=n - 1, choice=bad)
        await self.comes_back(friend, n - 3)
        await self.comes_back(self.rng.choice(list(self.made.keys)), self.rng.randrange(-1, n))

    async def comes_back(self, seat: int, after: int) -> None:
        fresh = Plug(self.hall)
        await fresh.sit(self.made.game, self.made.keys[seat], after=after, draw=self.draws())
        self.plugs[seat].heard += fresh.heard
        await fresh.leave()

    def search(self, logged: str) -> None:
        for place, plug in self.plugs.items():
            heard = b"\n".join(plug.heard)
            for secret in self.secrets[place]:
                assert secret not in heard, (place, secret)
                assert secret.decode() not in logged

    def told_rightly(self) -> None:
        """Of every entry each place has heard just the reports that it may hear, and no others."""
        record = self.hall.store.record(self.made.game)
        for place, plug in self.plugs.items():
            audience = Audience("spectator" if place is None else "player" if place else "umpire", place)
            for entry in (entry for raw in plug.heard for entry in msgspec.json.decode(raw).get("entries", ())):
                mine = [report for report in record.entries[entry["n"]].reports if audience.hears(report)]
                told = [[report["rule"], report["fact"], report["data"]] for report in entry.get("reports", ())]
                assert msgspec.json.encode(told) == msgspec.json.encode([[one.rule, one.fact, one.data] for one in mine])

    # ---- two worlds --------------------------------------------------------------------------------------------

    def compare_worlds(self) -> None:
        seat = self.rng.choice([*self.room.referee.match.game.question.asks, None])
        audience = Audience("spectator" if seat is None else "player", seat, self.draws())
        other = self.twin(audience)
        if other is None:
            return
        real = self.copy(self.room.referee.match.game.position)
        assert traffic(real, audience) == traffic(other, audience)
        self.compare_news(real, other, audience)

    def copy(self, position: Any) -> Room:
        """The same game in a room of its own, at a position."""
        kept = self.hall.store.kept(self.made.game)
        assert kept is not None
        return now(Room.opened(self.hall.store, kept._replace(position=rulebook(kept.system).save(position))))

    def twin(self, audience: Audience) -> Room | None:
        match = self.room.referee.match
        if match.game.answers:
            return None  # the other world would need other answers: test_contract looks at those
        position = WORLDS[match.system.key].other_world(match.game.terms, match.game.position, audience.seat, self.rng)
        return self.copy(position)

    def compare_news(self, real: Room, other: Room, audience: Audience) -> None:
        """The same deed in both: as far as this place may know the same of it, it must be told the same."""
        asks = real.referee.match.game.question.asks
        seat = self.rng.choice(list(asks))
        choice = random_choice(asks[seat], self.rng)
        for room in (real, other):
            if not audience.looks_on:
                now(room.ask(See(audience, stays=True), Seen))
        try:
            real.referee.match.answer(seat, choice)
            other.referee.match.answer(seat, choice)
        except Refused:
            return  # what is hidden from this place may decide what another may do
        if knows(real.referee.match, audience) == knows(other.referee.match, audience):
            self.compared += 1
            assert told(real, audience) == told(other, audience)


def traffic(room: Room, audience: Audience) -> list[bytes]:
    """All that could be sent to a place now: what it sits down to, and answers to what it may ask."""
    beside = Beside(room.seats, (), (), "", ())
    if audience.looks_on:
        return [written(shown_to(room.referee.match, audience)), written(room.standing.waiting)]
    said = [now(room.sat(messages.Sit(game=room.id, key=""), audience, beside))]
    ask = room.referee.match.game.question.asks.get(audience.seat)
    if ask is not None:
        wanted = [offer.pick(0) for offer in ask.open_offers[:4] if offer.size]
        asked: list[Any] = [messages.Odds(choice=choice) for choice in wanted[:2]]
        asked += [messages.Why(), messages.Why(choice={"verb": "dance"})]
        tokens = shown_to(room.referee.match, audience._replace(draws=True)).tokens
        asked += [messages.ThroughEyes(who=token.id) for token in tokens[::6] if token.at is not None]
        said += [answer_to(room, audience, request) for request in asked]
    return said


def answer_to(room: Room, audience: Audience, request: Any) -> bytes:
    try:
        return written(now(deeds.do(room, audience, request)))
    except Refused as refused:
        return written(refused.refusal)
    except ServerError as error:
        return str(error).encode()


def now(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a referee in this process is asked waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        value: T = done.value
        return value
    raise AssertionError("it waits")


def knows(match: Match, audience: Audience) -> Any:
    heard = [report for report in match.record.entries[-1].reports if audience.hears(report)]
    return (
        msgspec.json.encode(match.system.view(match.game, audience.seat)), msgspec.json.encode(heard), match.game.waiting,
        [entry.kind for entry in match.record.entries[1:]], offered(match, audience),
    )  # fmt: skip


def offered(match: Match, audience: Audience) -> bytes:
    """What a place is offered is itself what it may know."""
    asks = getattr(match.game.question, "asks", {})
    return msgspec.json.encode(tuple(asks[audience.seat].offers)) if audience.seat in asks else b""


def told(room: Room, audience: Audience) -> bytes:
    return room.referee._message(room.referee.match.record.entries[1:], audience).body


async def one_game(hall: Hall, key: str, number: int) -> int:
    rng = random.Random(number)
    system = rulebook(key)
    setup, seed = random_setup(system, rng), rng.randbytes(32)
    match = Match.start(system, setup, dict.fromkeys(setup.seats, "person"), seed, "", games.UMPIRE)
    made = await games.keep(hall.store, begun(match, seed), Settings(delay=0.0))
    recorder = Recorder(hall, made, seed, rng)
    with Logged() as logged:
        await recorder.sit_down()
        await recorder.play()
    recorder.search(logged.text)
    recorder.told_rightly()
    for plug in recorder.plugs.values():
        await plug.leave()
    return recorder.compared


class Logged(logging.Handler):
    """All that is logged meanwhile, with every field."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text += f"{record.getMessage()} {record.__dict__}\n"

    def __enter__(self) -> Logged:
        logging.getLogger("wardogs").addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger("wardogs").removeHandler(self)


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("key", KEYS)
def test_nothing_leaks(tmp_path: Path, key: str, batch: int) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            compared = sum([await one_game(hall, key, number) for number in range(batch, GAMES[key], BATCHES)])
            assert compared > 5

    asyncio.run(play())


def test_the_recorder_would_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a view that shows too much, or a draft told to all, it fails."""

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            await one_game(hall, "dawgs", 3)

    system = rulebook("dawgs")
    blind = replace_view(system)
    monkeypatch.setattr("tests.server.test_leak.rulebook", lambda key: blind)
    monkeypatch.setattr("wardogs.server.referee.rulebook", lambda key: blind)
    with pytest.raises(AssertionError):
        asyncio.run(play())


def replace_view(system: Any) -> Any:
    """A rulebook whose views show every card."""
    from dataclasses import replace as changed

    def view(game: Any, seat: Any) -> Any:
        seen = system.view(game, seat)
        planes = tuple(
            replace(plane, special=real.special) for plane, real in zip(seen.planes, game.position.state.planes, strict=True)
        )
        return replace(seen, planes=planes)

    return changed(system, view=view)
