"""Who draws has at every moment the board that his view makes; who does not, costs no board."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import msgspec
import pytest

from tests.server.plug import Plug, applied, drawn
from tests.server.tables import a_game, hall_over, sit_down
from tests.server.test_api import made as made_by
from tests.server.test_api import play as ask_around
from tests.server.test_api import with_key
from tests.server.test_live import choice_of
from wardogs.scene.board import Board
from wardogs.server import records
from wardogs.server.games import Made
from wardogs.server.hall import Hall
from wardogs.server.rulebooks import rulebook
from wardogs.server.telling import SPECTATOR, Audience, shown_to

SMALL = {"dawgs": None, "dogs": {"theme": "village", "points": 100, "seed": 1, "turns": 1}}


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


class Drawn:
    """A game at which every seat, the umpire and the gallery have one who draws beside one who does not."""

    def __init__(self, hall: Hall, made: Made) -> None:
        self.hall, self.made = hall, made
        self.plain: dict[int, Plug] = {}
        self.drawing: dict[int | None, Plug] = {}

    @classmethod
    async def sat(cls, hall: Hall, system: str) -> Drawn:
        self = cls(hall, await a_game(hall, system, scenario=SMALL[system], umpire=True))
        self.plain = await sit_down(hall, self.made)
        for seat, plug in self.plain.items():
            if seat:
                await plug.ask("watchable", yes=True)
        for place in (*self.made.keys, None):
            await self.come(place)
        return self

    async def come(self, place: int | None, after: int | None = None) -> None:
        plug = self.drawing[place] = Plug(self.hall)
        key = self.made.watch if place is None else self.made.keys[place]
        sat = await plug.sit(self.made.game, key, after, draw=True)
        assert sat["view"] is None
        assert ("views" in sat, "board" in sat) == ((True, False) if place == 0 else (False, True))

    @property
    def room(self) -> Any:
        return self.hall.rooms[self.made.game]

    async def check(self) -> None:
        match = self.room.referee.match
        for seat, plug in self.plain.items():
            await plug.reach(self.room.head)
            if seat:
                assert plug.view == msgspec.json.decode(msgspec.json.encode(shown_to(match, Audience("player", seat))))
        for place, plug in self.drawing.items():
            await plug.reach(self.room.head)
            boards = {str(seat): shown_to(match, Audience("player", seat, True)) for seat in self.made.keys if seat}
            if place == 0:
                assert {seat: drawn(one) for seat, one in plug.view.items()} == boards
            else:
                assert drawn(plug.view) == (boards[str(place)] if place else shown_to(match, SPECTATOR._replace(draws=True)))


@pytest.mark.parametrize("system", ["dawgs", "dogs"])
def test_boards_follow_every_choice_undo_and_rewind(tmp_path: Path, system: str) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            table, rng = await Drawn.sat(hall, system), random.Random(4)
            await table.check()
            done = 0
            while not table.room.standing.over and done < 150:
                standing, kind = table.room.standing, rng.random()
                if kind < 0.1 and standing.next > 6:
                    await table.plain[0].ask("rewind", to=rng.randrange(1, standing.next), because="again")
                elif kind < 0.2:
                    seat = rng.choice(standing.waiting)
                    await table.plain[seat].ask("undo")
                    for other in [other for other in table.plain if other not in (0, seat)]:
                        await table.plain[other].ask("agree", kind="undo")
                elif kind < 0.3:
                    place = rng.choice([*table.drawing])
                    await table.drawing[place].leave()
                    await table.come(place, rng.randrange(-1, standing.next))
                else:
                    seat, done = rng.choice(standing.waiting), done + 1
                    choice = choice_of(hall, table.made.game, seat, rng)
                    answer = await table.plain[seat].ask("choose", n=standing.next, choice=choice)
                    assert answer["type"] == "done", answer
                await table.check()

    run(play())


def test_edits_are_far_smaller_than_boards(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            table, rng = await Drawn.sat(hall, "dogs"), random.Random(4)
            while not (standing := table.room.standing).over:
                seat = rng.choice(standing.waiting)
                choice = choice_of(hall, table.made.game, seat, rng)
                await table.plain[seat].ask("choose", n=standing.next, choice=choice)
            await table.check()
            heard = [raw for raw in table.drawing[1].heard if msgspec.json.decode(raw)["type"] == "news"]
            first = next(raw for raw in table.drawing[1].heard if msgspec.json.decode(raw)["type"] == "sat")
            assert len(heard) > 5
            assert len(first) > 50_000
            assert median(map(len, heard)) < len(first) / 20

    run(play())


def test_where_nobody_draws_no_board_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def board(*_: object) -> Any:
        raise AssertionError("somebody draws")

    blind = replace(rulebook("dawgs"), board=board)
    monkeypatch.setattr("wardogs.server.referee.rulebook", lambda key: blind)

    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            for _ in range(4):
                room = hall.rooms[made.game]
                seat = room.standing.waiting[0]
                choice = choice_of(hall, made.game, seat, random.Random(1))
                assert (await plugs[seat].ask("choose", n=room.standing.next, choice=choice))["type"] == "done"
            assert (await Plug(hall).sit(made.game, made.keys[1], draw=True))["type"] == "wrong"

    run(play())


def test_a_seat_is_open_so_often_however_it_is_shown(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            for number in range(hall.config.limits.sockets_of_a_seat):
                assert (await Plug(hall).sit(made.game, made.keys[1], draw=bool(number % 2)))["type"] == "sat"
            last = Plug(hall)
            assert (await last.sit(made.game, made.keys[1], draw=True))["code"] == 4429

    run(play())


def test_over_requests_too(tmp_path: Path) -> None:
    async def look(client: httpx.AsyncClient) -> None:
        made = await made_by(client, umpire=True)
        where, mine = f"/api/games/{made['game']}", with_key(made["keys"]["1"])
        sat = (await client.get(f"{where}/state?draw=true", headers=mine)).json()
        assert sat["view"] is None
        assert drawn(sat["board"]).tokens
        assert sat["names"] == {str(chair["seat"]): chair["side"] for chair in sat["chairs"] if chair["seat"]}
        news = (await client.get(f"{where}/news?draw=true&after=0", headers=mine)).json()
        assert drawn(applied(None, news["edits"])) == drawn(sat["board"])
        umpire = (await client.get(f"{where}/state?draw=true", headers=with_key(made["keys"]["0"]))).json()
        assert drawn(umpire["views"]["1"]) == drawn(sat["board"])
        assert "board" not in (await client.get(f"{where}/state", headers=mine)).json()

    ask_around(tmp_path, look)


@pytest.mark.parametrize("seat", [None, 1, 0])
def test_a_replay_is_drawn_entry_by_entry(tmp_path: Path, seat: int | None) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, umpire=True)
            plugs, rng = await sit_down(hall, made), random.Random(1)
            while not (room := hall.rooms[made.game]).standing.over:
                who = rng.choice(room.standing.waiting)
                await plugs[who].ask("choose", n=room.standing.next, choice=choice_of(hall, made.game, who, rng))
            raw = b"".join(line + b"\n" for line in hall.store.lines(made.game))
            replayed(raw, seat)

    run(play())


def replayed(raw: bytes, seat: int | None) -> None:
    held: Any = None
    wanted = records.Wanted(seat, draws=True)
    record = records.read(raw)
    steps = records._stepped(record, None)
    for line in records.played_back(raw, wanted):
        held = applied(held, msgspec.json.decode(msgspec.json.encode(line.edits)))
        entry, match = next(steps)
        assert match is not None
        assert entry.n == line.n
        seen = shown_to(match, wanted.audience(record.header))
        boards: list[tuple[Any, Board]] = (
            [(held[str(one)], seen[one]) for one in match.header.setup.seats] if seat == 0 else [(held, seen)]
        )
        for mine, real in boards:
            assert drawn(mine) == real
