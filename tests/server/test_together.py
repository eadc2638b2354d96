"""Two people at real sockets play whole games through the API; a bot, an umpire and a spectator are at the table with them."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.server.outside import Served, served
from tests.server.plug import Client
from wardogs.kernel.record import parse_record
from wardogs.kernel.replay import verify
from wardogs.server.rulebooks import rulebook

DAWGS = {"system": "dawgs", "seats": 3, "players": {"3": "drill"}, "options": {"round_limit": 8}}
DOGS = {"system": "dogs", "scenario": {"theme": "village", "points": 100, "seed": 1, "turns": 2}}
PATIENCE = 30.0


class Person(Client):
    """Somebody at a socket, who chooses at random from what he is offered."""

    def __init__(self, line: ClientConnection, seat: int | None = None) -> None:
        super().__init__()
        self.line, self.seat, self.rng, self.choices = line, seat, random.Random(seat), 0

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = msgspec.json.decode(await asyncio.wait_for(self.line.recv(), PATIENCE))
        self.take_in(message)
        return message

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        await self.line.send(msgspec.json.encode({"do": do, "id": "mine", **fields}).decode())
        while (message := await self.hear()).get("id") != "mine":
            pass
        return message

    async def watch(self) -> None:
        while self.outcome is None:
            await self.hear()

    async def play(self, away_at: int = 0) -> None:
        """To the end; once a bot may stand in for him."""
        while self.outcome is None:
            if self.question is None or self.seat not in self.waiting:
                await self.hear()
            elif away_at and self.choices >= away_at:
                away_at = 0
                await self.rest()
            else:
                await self.choose()

    async def choose(self) -> None:
        n, choice = self.n + 1, await self.choice(self.question)
        answer = await self.ask("choose", n=n, choice=choice)
        assert answer["type"] == "done" or answer["fact"] == "late", answer
        self.choices += answer["type"] == "done"
        while self.n < n and self.outcome is None:
            await self.hear()

    async def choice(self, question: dict[str, Any]) -> dict[str, Any]:
        offers = list(question["offers"])
        if question.get("doers") and self.rng.random() < 0.8:
            answer = await self.ask("offers", doer=self.rng.choice(question["doers"]))
            offers = answer["data"] or offers if answer["type"] == "done" else []
        offers = [offer for offer in offers if not offer.get("gives_up")]
        if not offers:
            return dict(question["default"])
        offer = self.rng.choice(offers)
        found: dict[str, Any] = {"verb": offer["verb"]}
        for name, domain in offer.get("fields", {}).items():
            if (value := await self.value(found, name, domain)) is None:
                return dict(question["default"])
            found[name] = value
        return found

    async def value(self, so_far: dict[str, Any], name: str, domain: dict[str, Any]) -> Any:
        if domain["type"] == "spot":
            answer = await self.ask("spots", choice=so_far, field=name, most=5)
            points = answer["data"]["points"] if answer["type"] == "done" else []
            return self.rng.choice(points) if points else None
        if domain["type"] == "one":
            return self.rng.choice(domain["among"])
        if domain["type"] == "several":
            return self.rng.sample(domain["among"], domain["least"])
        return self.rng.random() < 0.5 if domain["type"] == "flag" else domain["low"]

    async def rest(self) -> None:
        """A bot plays his seat for a while, then he is back."""
        n = self.n
        assert (await self.ask("take_over", seat=self.seat, player="drill"))["type"] == "done"
        while self.n < n + 6 and self.outcome is None:
            await self.hear()
        assert (await self.ask("take_over", seat=self.seat, player="person"))["type"] in ("done", "refused")


async def arrived(stack: AsyncExitStack, server: Served, game: str, key: str, seat: int | None = None) -> Person:
    person = Person(await stack.enter_async_context(connect(server.live, max_size=None)), seat)
    assert (await person.ask("sit", game=game, key=key))["type"] == "sat"
    return person


@pytest.mark.parametrize(("wanted", "away_at"), [(DAWGS, 0), (DOGS, 12)], ids=["dawgs", "dogs"])
def test_people_a_bot_an_umpire_and_a_spectator_play_a_whole_game(tmp_path: Path, wanted: dict[str, Any], away_at: int) -> None:
    async def play(server: Served) -> None:
        made = httpx.post(f"{server.url}/api/games", json={**wanted, "umpire": True, "delay": 0}, timeout=PATIENCE).json()
        game, keys = made["game"], made["keys"]
        async with AsyncExitStack() as stack:
            ann, ben = [await arrived(stack, server, game, keys[str(seat)], seat) for seat in (1, 2)]
            umpire = await arrived(stack, server, game, keys["0"])
            for person in (ann, ben):
                assert (await person.ask("watchable", yes=True))["type"] == "done"
            spectator = await arrived(stack, server, game, made["watch"])
            assert (await umpire.ask("note", text="Ann is late"))["type"] == "done"
            await asyncio.gather(ann.play(), ben.play(away_at), umpire.watch(), spectator.watch())
        assert ann.outcome == ben.outcome == umpire.outcome == spectator.outcome
        assert (umpire.view["1"], umpire.view["2"]) == (ann.view, ben.view)
        assert min(ann.choices, ben.choices) > 0
        checked(server, wanted["system"], game, keys["1"], ann.choices, ben.choices)

    with served(tmp_path, patient=True) as server:
        asyncio.run(play(server))
        assert server.errors() == []


def checked(server: Served, system: str, game: str, key: str, *choices: int) -> None:
    """The record holds what the people chose and what the bot did, and plays back."""
    held = {"authorization": f"Bearer {key}"}
    record = parse_record(httpx.get(f"{server.url}/api/games/{game}/record", headers=held, timeout=PATIENCE).content, "it")
    assert verify(rulebook(system), record) > 0
    assert sum(entry.kind == "choice" for entry in record.entries) > sum(choices), "the bot has done nothing"
    assert httpx.get(f"{server.url}/api/games/{game}/verify", headers=held, timeout=PATIENCE).json()["verified"] is True
