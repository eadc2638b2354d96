"""Two workers at one game, everybody there at both, and all that can go wrong: is every view the real one, and every entry heard
once and in order?"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, update

from tests.server.plug import Plug, drawn
from tests.server.tables import a_game, hall_over
from tests.server.test_referees import hall_beside
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Refused
from wardogs.server import tables as t
from wardogs.server.calls import Answer, AnyDeed, Face, GoBack, Lapse, Overrule, See, Seen, TakeBack
from wardogs.server.errors import ServerError
from wardogs.server.games import Made
from wardogs.server.hall import Hall
from wardogs.server.messages import Role
from wardogs.server.room import Room
from wardogs.server.store import Appended
from wardogs.server.telling import Audience
from wardogs.systems import KEYS

STEPS = int(os.environ.get("WARDOGS_TORTURE", "60"))


class Guest(Plug):
    """Somebody at the table who notes the number of every entry that he hears of."""

    def __init__(self, hall: Hall, place: int | None, draws: bool) -> None:
        super().__init__(hall)
        self.place, self.entries, self.first = place, list[int](), 0
        role: Role = "spectator" if place is None else "umpire" if place == 0 else "player"
        self.audience = Audience(role, place, draws)

    def take_in(self, message: dict[str, Any]) -> None:
        if message["type"] == "news":
            self.entries += [entry["n"] for entry in message["entries"]]
        super().take_in(message)
        if message["type"] == "sat":
            self.first = self.n


class Torture:
    def __init__(self, halls: list[Hall], made: Made, seed: int) -> None:
        self.halls, self.made, self.rng = halls, made, random.Random(seed)
        self.keys: dict[int | None, str] = {**made.keys, None: made.watch}
        self.guests: list[Guest] = []
        self.trouble = ""  # what befalls the next commit
        for hall in halls:
            self._disturb(hall)

    def _disturb(self, hall: Hall) -> None:
        real = hall.store.append

        async def append(new: Appended) -> int:
            trouble, self.trouble = self.trouble, ""
            if trouble == "disk full":
                raise OSError(trouble)
            stamp = await real(new)
            if trouble == "line dead":  # it is written, and nobody hears so
                raise OSError(trouble)
            if trouble == "talk":
                await hall.rooms[self.made.game].refresh()
            return stamp

        hall.store.append = append  # type: ignore[method-assign]

    async def come(self, hall: Hall, place: int | None) -> None:
        guest = Guest(hall, place, self.rng.random() < 0.5)
        assert (await guest.sit(self.made.game, self.keys[place], draw=guest.audience.draws))["type"] == "sat"
        self.guests.append(guest)

    def deed(self, room: Room) -> AnyDeed:
        seat = self.rng.choice(room.standing.waiting or (1,))
        back = max(1, room.head - self.rng.randrange(1, 50))
        every: list[tuple[AnyDeed, int]] = [
            (Lapse((seat,)), 10), (TakeBack(seat, tuple(self.made.keys)), 3), (GoBack(0, back, "again"), 1),
            (Overrule(0, "so", [("nobody", "hp", 1)]), 1), (Face(3, Audience("player", 1)), 1), (Answer(seat, {"verb": 3}), 1),
        ]  # fmt: skip
        return self.rng.choices([one for one, _ in every], [weight for _, weight in every])[0]

    async def step(self) -> bool:
        """One deed at one of the workers, now and then broken off."""
        room = await self.rng.choice(self.halls).room(self.made.game)
        if room.standing.over:
            return False
        self.trouble = self.rng.choice(["", "", "", "disk full", "line dead", "talk"])
        doing = asyncio.ensure_future(room.act(self.deed(room)))
        if self.rng.random() < 0.2:
            await asyncio.sleep(self.rng.random() * 0.02)
            doing.cancel()
        with suppress(asyncio.CancelledError, ServerError, WardogsError, Refused):
            await doing
        self.trouble = ""
        if self.rng.random() < 0.3:
            guest = self.guests.pop(self.rng.randrange(len(self.guests)))
            await guest.leave()
            await self.come(guest.hall, guest.place)
        return True

    async def check(self, folder: Path) -> None:
        for hall in self.halls:
            await hall.store.writer.write(lambda _: None)  # all that is under way is written
        head = self.halls[0].store.stamps([self.made.game])[self.made.game][1]
        for hall in self.halls:
            room = await hall.room(self.made.game)
            if room.stale or room.head < head:
                await room.hear(head)
        async with hall_over(folder / "w.db") as other:
            fresh = await other.room(self.made.game)
            for guest in self.guests:
                await guest.reach(head)
                seen = shown(await fresh.ask(See(guest.audience), Seen))
                assert plain(guest.view, guest.audience) == plain(seen, guest.audience), (guest.place, head)
                assert guest.entries == list(range(guest.first + 1, guest.n + 1)), guest.place


def shown(seen: Seen) -> Any:
    if seen.views is not None:
        return {str(seat): msgspec.json.decode(one) for seat, one in seen.views.items()}
    return msgspec.json.decode(seen.view)


def plain(held: Any, audience: Audience) -> Any:
    """What a client holds, in a form that can be compared: of a board, fields may be left out that are as usual."""
    if not audience.draws:
        return held
    return {seat: drawn(one) for seat, one in held.items()} if audience.role == "umpire" else drawn(held)


def all_watchable(connection: Connection) -> None:
    connection.execute(update(t.seats).values(watchable=True))


def places(torture: Torture) -> Iterator[tuple[Hall, int | None]]:
    return ((hall, place) for hall in torture.halls for place in torture.keys)


@pytest.mark.parametrize("where", ["here", "beside"])
@pytest.mark.parametrize("system", KEYS)
def test_whatever_goes_wrong_all_see_the_table_as_it_is(tmp_path: Path, system: str, where: str) -> None:
    async def play() -> None:
        async with AsyncExitStack() as stack:
            a_hall = hall_over if where == "here" else hall_beside
            halls = [await stack.enter_async_context(a_hall(tmp_path / "w.db")) for _ in range(2)]
            made = await a_game(halls[0], system, umpire=True)
            await halls[0].store.writer.write(all_watchable)
            torture = Torture(halls, made, random.randrange(10**6))
            for hall, place in places(torture):
                await torture.come(hall, place)
            for _ in range(STEPS):
                if not await torture.step():
                    break
                if torture.rng.random() < 0.6:
                    await torture.check(tmp_path)
            await torture.check(tmp_path)
            for guest in torture.guests:
                await guest.leave()

    asyncio.run(play())
