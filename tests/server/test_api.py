"""Games by request: made, looked at, played; and every error in one shape."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.outside import asked
from wardogs.server.config import Config
from wardogs.systems import KEYS

HERE = ("127.0.0.1", 4000)
Story = Callable[[httpx.AsyncClient], Awaitable[None]]


def with_key(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def play(where: Path | str, story: Story, **config: Any) -> None:
    """Over a database by its URL, or over a new one in a folder."""
    url = where if isinstance(where, str) else str(where / "games.db")

    async def told() -> None:
        async with asked(Config(url, **config), HERE) as client:
            await story(client)

    asyncio.run(told())


async def made(client: httpx.AsyncClient, **wanted: Any) -> dict[str, Any]:
    answer = await client.post("/api/games", json={"system": "dawgs", **wanted})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def first_choice(question: dict[str, Any]) -> dict[str, Any]:
    return dict(question["default"])


async def one_turn(client: httpx.AsyncClient, game: dict[str, Any]) -> bool:
    """Every seat that is asked answers with what is suggested; False when the game is over."""
    for seat, key in game["keys"].items():
        state = (await client.get(f"/api/games/{game['game']}/state", headers=with_key(key))).json()
        if state.get("outcome"):
            return False
        if int(seat) in state["waiting"]:
            choice = {"n": state["n"] + 1, "choice": first_choice(state["question"])}
            answer = await client.post(f"/api/games/{game['game']}/choices", json=choice, headers=with_key(key))
            assert answer.status_code == 200, answer.text
    return True


def test_what_can_be_played(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        found = (await client.get("/api/systems")).json()
        assert [system["key"] for system in found["systems"]] == list(KEYS)
        assert "drill" in found["bots"]
        dawgs = found["systems"][0]
        assert {"key": "dawn_patrol", "name": "Dawn Patrol"}.items() <= dawgs["scenarios"][0].items()
        assert {"name": "use_specials", "takes": "true or false", "default": True, "rule": "DAW-SET-03"} in dawgs["options"]

    play(tmp_path, story)


def test_a_game_is_made_and_played(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await made(client, umpire=True, scenario="dawn_patrol")
        url, one = f"/api/games/{game['game']}", with_key(game["keys"]["1"])
        facts = (await client.get(url, headers=one)).json()
        assert (facts["system"], facts["title"], facts["over"], facts["seat"]) == ("dawgs", "Dawn Patrol", False, 1)
        assert len(facts["commitment"]) == 64
        assert [chair["role"] for chair in facts["chairs"]].count("umpire") == 1
        game["keys"].pop("0")
        for _ in range(3):
            assert await one_turn(client, game)
        news = (await client.get(f"{url}/news", params={"after": 1}, headers=one)).json()
        assert news["n"] > 1
        assert [entry["n"] for entry in news["entries"]] == list(range(2, news["n"] + 1))
        assert news["edits"][0][0] == []
        state = (await client.get(f"{url}/state", headers=one)).json()
        assert state["view"] == news["edits"][0][1]

    play(tmp_path, story)


def test_who_waits_hears_of_it(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await made(client)
        url, one = f"/api/games/{game['game']}", with_key(game["keys"]["1"])
        n = (await client.get(url, headers=one)).json()["n"]
        waiting = asyncio.ensure_future(client.get(f"{url}/news", params={"after": n, "wait": 20}, headers=one))
        await asyncio.sleep(0.2)
        assert not waiting.done()
        await one_turn(client, game)
        news = (await asyncio.wait_for(waiting, 10)).json()
        assert news["n"] > n
        n = (await client.get(url, headers=one)).json()["n"]
        nothing = (await client.get(f"{url}/news", params={"after": n, "wait": 0.05}, headers=one)).json()
        assert (nothing["entries"], nothing["edits"]) == ([], [])

    play(tmp_path, story)


def test_wrong_links_are_all_answered_alike(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game, other = await made(client), await made(client)
        key = game["keys"]["1"]
        asked_for = [
            (game["game"], with_key("wrong")), (game["game"], {}), (game["game"], with_key(other["keys"]["1"])),
            (game["game"], {"Authorization": "Basic xyz"}), (game["game"], with_key(game["watch"])),
            ("0123456789abcdef", with_key(key)), ("nonsense%00", with_key(key)), ("x" * 300, with_key(key)),
        ]  # fmt: skip
        for path in ("", "/state", "/news?after=0", "/record", "/replay", "/verify"):
            answers = [await client.get(f"/api/games/{one}{path}", headers=headers) for one, headers in asked_for]
            assert {(answer.status_code, answer.content) for answer in answers} == {
                (404, b'{"error":"no such game, or no such link to it: ask who invited you for a new one"}')
            }
            assert len({tuple(sorted(answer.headers.items())) for answer in answers}) == 1
        posted = [await client.post(f"/api/games/{one}/do", json={"do": "undo"}, headers=headers) for one, headers in asked_for]
        assert {answer.content for answer in posted} == {answers[0].content}

    play(tmp_path, story)


def test_the_rules_say_why_not(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await made(client)
        url, one = f"/api/games/{game['game']}", with_key(game["keys"]["1"])
        n = (await client.get(url, headers=one)).json()["n"]
        refused = await client.post(f"{url}/choices", json={"n": n + 1, "choice": {"verb": "fly_home"}}, headers=one)
        assert refused.status_code == 409
        said = refused.json()
        assert said["fact"] == "no_such_verb"
        assert "fly_home" in said["error"]
        late = await client.post(f"{url}/choices", json={"n": n, "choice": {"verb": "fly_home"}}, headers=one)
        assert late.status_code == 409
        assert (late.json()["fact"], late.json()["data"]) == ("late", {"next": n + 1})
        theirs = await client.post(f"{url}/do", json={"do": "note", "text": "hm"}, headers=one)
        assert (theirs.status_code, theirs.json()) == (403, {"error": "only the umpire may do this"})

    play(tmp_path, story)


def test_all_deeds_of_the_socket_by_request(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await made(client, umpire=True)
        url, one = f"/api/games/{game['game']}/do", with_key(game["keys"]["1"])
        state = (await client.get(f"/api/games/{game['game']}/state", headers=one)).json()
        choice = first_choice(state["question"])
        for deed in (
            {"do": "odds", "choice": choice}, {"do": "why"}, {"do": "say", "text": "hello"}, {"do": "watchable", "yes": True},
            {"do": "draft", "n": state["n"] + 1, "choice": choice}, {"do": "ping", "id": 7},
            {"do": "choose", "n": state["n"] + 1, "choice": choice}, {"do": "undo"},
        ):  # fmt: skip
            answer = await client.post(url, json=deed, headers=one)
            assert answer.status_code == 200, (deed, answer.text)
            assert answer.json()["type"] == "done"
        noted = await client.post(url, json={"do": "note", "text": "hm"}, headers=with_key(game["keys"]["0"]))
        assert noted.status_code == 200
        state = (await client.get(f"/api/games/{game['game']}/state", headers=with_key(game["keys"]["0"]))).json()
        assert state["notes"] == "hm"
        assert set(state["views"]) == {"1", "2"}
        assert state["talk"][0]["text"] == "hello"

    play(tmp_path, story)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"content": b"{"}, "body: not JSON"),
    ({"content": b'{"system": NaN}'}, "body: not JSON"),
    ({"content": b'{"system": "\\ud800"}'}, "body: not JSON"),
    ({"content": b'{"system": "dawgs", "scenario": "\\u0000"}'}, "body: not JSON"),
    ({"content": b"[" * 100_000}, "body: not JSON"),
    ({"content": b"x", "headers": {"Content-Type": "text/plain"}}, "body: should be a JSON object, sent with Content-Type"),
    ({"json": {}}, "body.system: field required"),
    ({"json": {"system": "chess"}}, "unknown system chess: there are dawgs, dogs"),
    ({"json": {"system": "dawgs", "colour": 1}}, "body.colour: there is no such field"),
    ({"json": {"system": "dawgs", "scenario": "dawn_patrul"}}, "unknown scenario dawn_patrul: did you mean dawn_patrol?"),
    ({"json": {"system": "dawgs", "options": {"round_limit": -1}}}, "option round_limit=-1: it takes a whole number"),
    ({"json": {"system": "dawgs", "players": {"9": "drill"}}}, "unknown seat 9"),
    ({"json": {"system": "dawgs", "players": {"2": "hal"}}}, "unknown player hal"),
    ({"json": {"system": "dawgs", "delay": 1e9}}, "body.delay: should be less than or equal to 86400"),
    ({"json": {"system": "dawgs", "webhook": "ftp://x"}}, "webhook: should be an address like https://example.org/hook"),
    ({"json": {"system": "dawgs", "webhook": "http://127.0.0.1/x"}}, "webhook: should be an address in the open net"),
]


@pytest.mark.parametrize("system", ["dawgs", "dogs"])
def test_strange_scenarios_are_refused_in_words(tmp_path: Path, system: str) -> None:
    strange: list[Any] = [
        {"name": 3},
        {"side": 1},
        {"name": "x", "side": [{}]},
        {"map": []},
        {"id": "x", "name": "x", "side": [[]]},
    ]

    async def story(client: httpx.AsyncClient) -> None:
        for scenario in strange:
            answer = await client.post("/api/games", json={"system": system, "scenario": scenario})
            assert answer.status_code == 422, answer.text
            assert list(answer.json()) == ["error"]

    play(tmp_path, story)


def test_errors_are_one_clear_line(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        for request, said in WRONG:
            headers = {"Content-Type": "application/json", **request.pop("headers", {})}
            answer = await client.post("/api/games", headers=headers, **request)
            assert answer.status_code == 422, answer.text
            assert list(answer.json()) == ["error"]
            assert answer.json()["error"].startswith(said)
            assert "\n" not in answer.json()["error"]
        game = await made(client)
        url, one = f"/api/games/{game['game']}", with_key(game["keys"]["1"])
        for raw, said in ((b"", "body: "), (b'{"do":"sit"}', "body: "), (b'{"do":"choose","n":"x"}', "body: ")):
            answer = await client.post(f"{url}/do", content=raw, headers=one)
            assert (answer.status_code, answer.json()["error"][: len(said)]) == (422, said)
        answer = await client.get(f"{url}/news", headers=one)
        assert (answer.status_code, answer.json()) == (422, {"error": "query.after: field required"})
        answer = await client.get("/api/nowhere")
        assert (answer.status_code, answer.json()) == (404, {"error": "nothing is here: see /api/openapi.json"})
        answer = await client.delete("/api/games")
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")

    play(tmp_path, story)


def test_the_document_names_every_answer(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        document = (await client.get("/api/openapi.json")).json()
        operations = [(path, op) for path, found in document["paths"].items() if path.startswith("/api") for op in found.values()]
        names = [op["operationId"] for _, op in operations]
        assert len(set(names)) == len(names)
        for path, op in operations:
            assert op["description"], path
            assert {"422", "429", "503"} <= set(op["responses"]), path
            assert not path.startswith("/api/games/") or "404" in op["responses"], path
        deeds = document["paths"]["/api/games/{game}/do"]["post"]["requestBody"]["content"]["application/json"]
        for name, example in deeds["examples"].items():
            assert example["value"]["do"] == name
            assert deeds["schema"]["discriminator"]["mapping"][name].rpartition("/")[2] in document["components"]["schemas"]

    play(tmp_path, story)


def test_a_client_can_open_every_rule_and_say_every_choice(tmp_path: Path) -> None:
    async def look(client: httpx.AsyncClient) -> None:
        for known in (await client.get("/api/systems")).json()["systems"]:
            book = (await client.get(f"/api/systems/{known['key']}")).json()
            ids = {rule["id"] for rule in book["rules"]}
            assert len(ids) > 100
            assert {option["rule"] for option in known["options"]} - {""} <= ids
            varied = {name for rule in book["rules"] for name in rule["options"]}
            assert varied == {option["name"] for option in known["options"] if option["rule"]}
            assert {"reports", "refusals", "choices", "questions"} <= book["words"].keys()
        answer = await client.get("/api/systems/dwags")
        assert (answer.status_code, answer.json()["error"].count("dawgs")) == (404, 2)

    play(tmp_path, look)


@pytest.mark.parametrize("at", [["a", "b", "c"], [[1], [2], [3]], [None] * 3, [1e300, 2, 3], {}])
def test_a_place_that_is_none_is_refused_by_the_rules(tmp_path: Path, at: Any) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await made(client, system="dogs", scenario="crossroads")
        url = f"/api/games/{game['game']}"
        while True:
            facts = (await client.get(url, headers=with_key(game["keys"]["1"]))).json()
            key = with_key(game["keys"][str(facts["waiting"][0])])
            question = (await client.get(f"{url}/state", headers=key)).json()["question"]
            if question["topic"] == "deploy":
                break
            await client.post(f"{url}/choices", json={"n": facts["n"] + 1, "choice": question["default"]}, headers=key)
        choice = {**question["default"], "at": at}
        refused = await client.post(f"{url}/choices", json={"n": facts["n"] + 1, "choice": choice}, headers=key)
        assert refused.status_code == 409, refused.text
        assert refused.json()["rule"] or refused.json()["fact"], refused.text

    play(tmp_path, story)


def test_a_table_with_too_much_on_it_is_not_laid(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        houses = [{"id": f"h{k}", "rect": [k % 40, k // 40, 0.5, 0.5], "levels": 15} for k in range(900)]
        answer = await client.post("/api/games", json={"system": "dogs", "scenario": {"name": "Sprawl", "building": houses}})
        assert 400 <= answer.status_code < 500
        assert "13,501 pieces and storeys" in answer.json()["error"]

    play(tmp_path, story)
