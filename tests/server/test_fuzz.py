"""Whatever is sent, nothing breaks: no 5xx, no hang, no unhandled exception, and the neighbours play on.

On each kind of database WARDOGS_FUZZ messages over sockets (10000 for a release), WARDOGS_EXAMPLES examples of each request.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import hypothesis
import pytest
import schemathesis
import websockets
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.fuzz import frame
from tests.server.outside import Served, served
from wardogs.server.desk import make_desk

MESSAGES = int(os.environ.get("WARDOGS_FUZZ", "1000"))
EXAMPLES = int(os.environ.get("WARDOGS_EXAMPLES", "5"))
EVERY = 8  # messages after which the server must answer a ping
PATIENCE = 20.0  # seconds: longer is a hang
GOODBYES = {1000, 1007, 1009, 1013, 4404, 4408, 4429}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
TABLES: tuple[dict[str, Any], ...] = (
    {"system": "dawgs", "options": {"round_limit": 30}, "umpire": True, "delay": 0},
    {"system": "dawgs", "options": {"round_limit": 30}, "umpire": True, "dice": "typed"},
    {"system": "dogs", "scenario": {"theme": "village", "points": 100, "seed": 1, "turns": 2}, "umpire": True, "delay": 0},
)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    database = request.getfixturevalue("postgres").fresh() if request.param == "postgresql" else ""
    with served(tmp_path_factory.mktemp(f"fuzz_{request.param}"), patient=True, database=database) as server:
        yield server
        assert server.process.poll() is None
        server.stop()
        assert server.errors() == []


def new_game(server: Served, wanted: dict[str, Any]) -> dict[str, Any]:
    answer = httpx.post(f"{server.url}/api/games", json=wanted, timeout=PATIENCE)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


# ---- requests ------------------------------------------------------------------------------------------------------


class Pool:
    """Real games and people for requests that would else find none; each is used so often, for fuzz ends games."""

    def __init__(self, server: Served) -> None:
        self.server, self.rng, self.left = server, random.Random(5), 0

    def lend(self, case: Any) -> None:
        """Into three requests of four."""
        if self.rng.random() < 0.25:
            return
        if self.left == 0:
            self.renew()
        self.left -= 1
        if case.path_parameters and "game" in case.path_parameters:
            case.path_parameters["game"] = self.made["game"]
        keys = [*self.made["keys"].values(), self.made["watch"]]
        person = "/me" in case.path or self.rng.random() < 0.1
        case.headers["Authorization"] = f"Bearer {self.person if person else self.rng.choice(keys)}"

    def renew(self) -> None:
        self.made, self.left = new_game(self.server, TABLES[0]), 25
        answer = httpx.post(f"{self.server.url}/api/people", json={"name": "Ann"}, timeout=PATIENCE)
        assert answer.status_code == 201, answer.text
        self.person = answer.json()["key"]


@pytest.fixture(scope="module")
def pool(running: Served) -> Pool:
    return Pool(running)


OPERATIONS = {
    found.ok().label: found.ok() for found in schemathesis.openapi.from_dict(make_desk().openapi()).get_all_operations()
}


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("label", OPERATIONS)
def test_requests(label: str, mode: GenerationMode, running: Served, pool: Pool) -> None:
    @hypothesis.seed(7)
    @hypothesis.settings(
        max_examples=EXAMPLES, deadline=None, suppress_health_check=list(hypothesis.HealthCheck), database=None,
        phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink], report_multiple_bugs=False,
    )  # fmt: skip
    @hypothesis.given(OPERATIONS[label].as_strategy(mode))
    def ask(case: schemathesis.Case) -> None:
        pool.lend(case)
        if case.query and "wait" in case.query:
            case.query["wait"] = 0
        case.validate_response(case.call(base_url=running.url, timeout=PATIENCE), checks=CHECKS)

    with suppress(hypothesis.errors.Unsatisfiable):  # what takes nothing cannot be given anything wrong
        ask()


# ---- messages ------------------------------------------------------------------------------------------------------


class Nuisance:
    """Somebody who sends what he likes, in any seat; when he is shown out he comes back."""

    def __init__(self, server: Served, number: int) -> None:
        self.server, self.rng = server, random.Random(number)
        self.n, self.choices = 1, [{"verb": "pass"}]
        self.sent = self.shown_out = 0
        self.rough = False

    async def run(self, messages: int) -> None:
        while self.sent < messages:
            wanted = self.rng.choice(TABLES)
            made = await asyncio.to_thread(new_game, self.server, wanted)
            keys = [*made["keys"].values(), made["watch"], "wrong"]
            for _ in range(6):
                if self.sent < messages:
                    await self.visit(made["game"], self.rng.choice(keys), messages)

    async def visit(self, game: str, key: str, messages: int) -> None:
        self.rough = False
        async with websockets.connect(self.server.live, max_size=None) as socket:
            try:
                if self.rng.random() < 0.9:
                    await socket.send(
                        json.dumps(
                            {"do": "sit", "game": game, "key": key, "after": self.rng.choice([None, 0, 5, -7, 2**31, 2**70])}
                        )
                    )
                for _ in range(min(60, messages - self.sent)):
                    await self.send(socket)
                    if self.sent % EVERY == 0:
                        await self.answered(socket)
                if self.rng.random() < 0.3:
                    socket.transport.abort()
            except websockets.ConnectionClosed as closed:
                self.shown_out += 1
                self.bid_goodbye(closed)

    def bid_goodbye(self, closed: websockets.ConnectionClosed) -> None:
        """The word may be lost on the way when a frame cannot be read, and more of them lie behind it."""
        if closed.rcvd is None and self.rough:
            return
        assert closed.rcvd is not None, "hung up without a word"
        assert closed.rcvd.code in GOODBYES, closed

    async def send(self, socket: Any) -> None:
        kind, body = frame(self.rng, self.n + self.rng.choice([1, 1, 1, 0, 2]), self.choices)
        self.sent += 1
        self.rough |= kind == "pretended" or len(body) > 64 * 1024
        if self.rng.random() < 0.02 and len(body) > 2:
            await socket.send([body[:1], body[1:]])  # in fragments
        elif kind == "pretended":
            await socket.send(body, text=True)
        else:
            await socket.send(body)

    async def answered(self, socket: Any) -> None:
        """What was sent before is answered before this."""
        mark = f"ping {self.sent}"
        await socket.send(json.dumps({"do": "ping", "id": mark}))
        async with asyncio.timeout(PATIENCE):
            while True:
                said = json.loads(await socket.recv())
                if said["type"] in ("sat", "news"):
                    self.n = said["n"]
                    self.choices = plain_choices(said.get("question")) or self.choices
                if said.get("id") == mark:
                    return


def plain_choices(question: Any) -> list[dict[str, Any]]:
    """Some legal choices, where they need no points."""
    rng = random.Random(1)
    found = []
    for offer in (question or {}).get("offers", ())[:40]:
        fields = offer.get("fields", {})
        if all(domain["type"] in ("one", "flag", "number", "several") for domain in fields.values()):
            found.append({"verb": offer["verb"], **{name: any_of(domain, rng) for name, domain in fields.items()}})
    return found


def any_of(domain: dict[str, Any], rng: random.Random) -> Any:
    if domain["type"] == "one":
        return rng.choice(domain["among"])
    if domain["type"] == "number":
        return domain["low"]
    if domain["type"] == "several":
        return rng.sample(domain["among"], domain["least"])
    return rng.random() < 0.5


class Neighbours:
    """Two people who only want to play."""

    def __init__(self, server: Served) -> None:
        self.server, self.accepted, self.over = server, 0, False

    async def run(self) -> None:
        while not self.over:
            made = await asyncio.to_thread(new_game, self.server, {"system": "dawgs", "options": {"round_limit": 8}})
            await asyncio.gather(*(self.play(made["game"], key, int(seat)) for seat, key in made["keys"].items()))

    async def play(self, game: str, key: str, seat: int) -> None:
        rng = random.Random(seat)
        async with websockets.connect(self.server.live, max_size=None) as socket:
            await socket.send(json.dumps({"do": "sit", "game": game, "key": key}))
            while not self.over:
                async with asyncio.timeout(PATIENCE):
                    said = json.loads(await socket.recv())
                assert said["type"] != "wrong", said
                self.accepted += said["type"] == "done"
                if said.get("outcome"):
                    return
                late = said["type"] == "refused" and said.get("fact") == "late"
                if said["type"] in ("sat", "news"):
                    n, question, waiting = said["n"], said.get("question"), seat in said["waiting"]
                elif said["type"] == "refused":
                    assert late, said
                if said["type"] in ("sat", "news") and waiting and question:
                    choices = [one for one in plain_choices(question) if one["verb"] != "concede"]
                    await socket.send(json.dumps({"do": "choose", "n": n + 1, "choice": rng.choice(choices)}))


def test_messages(running: Served) -> None:
    async def play() -> tuple[list[Nuisance], Neighbours]:
        nuisances, neighbours = [Nuisance(running, number) for number in range(4)], Neighbours(running)
        quiet = asyncio.ensure_future(neighbours.run())
        loud = asyncio.gather(*(one.run(MESSAGES // len(nuisances)) for one in nuisances))
        await asyncio.wait([quiet, loud], return_when=asyncio.FIRST_COMPLETED)
        neighbours.over = True
        await loud
        await asyncio.wait_for(quiet, 2 * PATIENCE)
        return nuisances, neighbours

    nuisances, neighbours = asyncio.run(play())
    assert sum(one.sent for one in nuisances) >= MESSAGES // 4 * 4
    assert neighbours.accepted >= MESSAGES // 50
    assert running.errors() == []
    assert httpx.get(f"{running.url}/health").status_code == 200
