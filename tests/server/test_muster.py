"""Rosters by request: hired from the catalogue, costed and checked, passed on as a line, and led into a game."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.test_api import made, play, with_key
from wardogs.kernel.errors import WardogsError
from wardogs.muster import musterer
from wardogs.server import api_muster
from wardogs.systems.dogs.lists import TEAMS

TEAM = {"list": "us_rangers", "gunner": "m249"}
GUARDS = {"list": "us_rangers", "name": "guards", "gunner": "m249"}
RANGERS: dict[str, Any] = {"name": "North gate", "points": 500, "teams": [GUARDS, TEAM]}


async def told(client: httpx.AsyncClient, what: str, **body: Any) -> dict[str, Any]:
    answer = await client.post(f"/api/muster/dogs/{what}", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_roster_is_costed_checked_and_told(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        by = musterer("dogs")
        roster = by.read(RANGERS)
        found = await told(client, "check", roster=RANGERS)
        assert (found["legal"], found["cost"], found["points"], found["roster"]) == (True, by.cost(roster), 500, RANGERS)
        assert sum(team["cost"] for team in found["bill"]) == found["cost"]
        assert sum(line["points"] for team in found["bill"] for line in team["lines"]) == found["cost"]
        assert found["sheet"] == by.sheet(roster, by.options())
        over = await told(client, "check", roster=RANGERS, points=300)
        assert not over["legal"]
        assert [(flaw["rule"], flaw["fact"]) for flaw in over["violations"]] == [("DOW-GEN-07", "over_points")]
        assert over["violations"][0]["text"].startswith(f"{found['cost']} points where 300 are allowed")
        mixed = {"teams": [{"list": "us_rangers"}, {"list": "taliban"}]}
        assert [flaw["rule"] for flaw in (await told(client, "check", roster=mixed))["violations"]] == ["DOW-BLD-01"]
        assert (await told(client, "check", roster=mixed, mixed=True))["legal"]

    play(tmp_path, story)


def test_rosters_that_take_long_keep_nobody_from_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is read at a time, and so many wait: the threads that read the database stay free."""
    held = threading.Event()

    async def story(client: httpx.AsyncClient) -> None:
        monkeypatch.setattr(api_muster, "told", lambda *_: held.wait(30))
        asked = [client.post("/api/muster/dogs/check", json={"roster": RANGERS}) for _ in range(api_muster.WAITING + 3)]
        waiting = [asyncio.ensure_future(one) for one in asked]
        try:
            game = await made(client, system="dawgs")
            look = client.get(f"/api/games/{game['game']}/state", headers=with_key(game["keys"]["1"]))
            answer = await asyncio.wait_for(look, 20)
            assert answer.status_code == 200
            done = [one.result().status_code for one in waiting if one.done()]
            assert done == [503] * 3
        finally:
            held.set()
            await asyncio.gather(*waiting, return_exceptions=True)

    play(tmp_path, story)


def test_a_roster_beyond_all_measure_is_not_costed(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        for team in ({**TEAM, "buy": [{"role": "leader", "item": "c4_lb"}] * 2000}, {**TEAM, "vest": ["leader"] * 5000}):
            answer = await client.post("/api/muster/dogs/check", json={"roster": {"teams": [team]}})
            assert (answer.status_code, "more than any force" in answer.text) == (422, True), answer.text

    play(tmp_path, story)


def test_a_shared_roster_is_opened_from_a_line_or_a_message(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        found = await told(client, "check", roster=RANGERS)
        for text in (found["link"], f"https://games.test/#/muster/{found['link']}", found["text"]):
            opened = await told(client, "share", text=text)
            assert (opened["roster"], opened["link"]) == (RANGERS, found["link"])
        for text, said in (("", "empty"), (found["link"][:-1] + "x", "damaged"), ("hello", "TOML")):
            answer = await client.post("/api/muster/dogs/share", json={"text": text})
            assert (answer.status_code, said in answer.json()["error"]) == (422, True)

    play(tmp_path, story)


def test_a_force_by_chance_is_legal_and_the_same_again(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        one = await told(client, "random", points=300, seed=4, of="us_rangers")
        assert one["legal"]
        assert {team["list"] for team in one["roster"]["teams"]} == {"us_rangers"}
        assert one == await told(client, "random", points=300, seed=4, of="us_rangers")
        assert one != await told(client, "random", points=300, seed=5, of="us_rangers")
        answer = await client.post("/api/muster/dogs/random", json={"of": "elves"})
        assert (answer.status_code, "unknown list or faction elves" in answer.json()["error"]) == (422, True)

    play(tmp_path, story)


def test_whoever_has_no_rosters_says_so(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        for system in ("dawgs", "chess"):
            answer = await client.get(f"/api/muster/{system}/catalogue")
            assert (answer.status_code, "system with rosters" in answer.json()["error"]) == (404, True)
        for roster in ({"teams": 3}, {"teams": [{"list": "elves"}]}, {"army": []}, {"teams": [{"list": "us_rangers"}] * 121}):
            answer = await client.post("/api/muster/dogs/check", json={"roster": roster})
            assert answer.status_code == 422, roster

    play(tmp_path, story)


def test_all_that_the_catalogue_sells_can_be_bought_for_its_price(tmp_path: Path) -> None:
    """Each ware alone for a man who may have it: never refused as not sold, and the bill shows its price."""

    async def story(client: httpx.AsyncClient) -> None:
        catalogue = (await client.get("/api/muster/dogs/catalogue")).json()
        assert [one["id"] for one in catalogue["lists"]] == list(TEAMS)
        by = musterer("dogs")
        for own in catalogue["lists"]:
            assert by.cost(by.read({"teams": [{"list": own["id"]}]})) == own["points"]
            for ware in own["wares"]:
                role = (ware.get("roles") or [own["men"][-1]["role"]])[0]
                field = "perk" if ware["kind"] == "perk" else "item"
                buys = [{"role": role, field: ware["id"]}]
                if ware["needs"]:
                    buys.append({"role": role, "perk": ware["needs"]})
                roster = by.read({"points": 10_000, "teams": [{"list": own["id"], "buy": buys}]})
                lines = [line for line in by.bill(roster)[0]["lines"] if line["what"] == ware["id"]]
                assert [(line["points"], line["role"]) for line in lines] == [(ware["points"], role)], (own["id"], ware)
                wrong = {fault.fact for fault in by.violations(roster, None, by.options())}
                assert not wrong - {"no_rifle", "wrong_calibre", "perk_not_sold"}, (own["id"], ware, wrong)

    play(tmp_path, story)


# ---- into a game ---------------------------------------------------------------------------------------------------


def test_mustered_forces_fight(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        chance = (await told(client, "random", points=500, seed=9, of="taliban"))["roster"]
        for scenario in (None, "crossroads"):
            game = await made(client, system="dogs", scenario=scenario, rosters={"1": RANGERS, "2": chance})
            state = await client.get(f"/api/games/{game['game']}/state?draw=true", headers=with_key(game["keys"]["1"]))
            assert state.json()["names"] == {"1": "North gate", "2": chance["name"]}
            tokens = [token for token in state.json()["board"]["tokens"] if token["shape"] == "man"]
            assert sum(token["side"] == 1 for token in tokens) == 8
            assert any("guards" in token["group"] for token in tokens)
        game = await made(client, system="dogs", rosters={"1": RANGERS})
        state = await client.get(f"/api/games/{game['game']}/state", headers=with_key(game["keys"]["1"]))
        assert state.json()["names"]["1"] == "North gate"

    play(tmp_path, story)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"system": "dogs", "rosters": {"3": RANGERS}}, "unknown seat 3"),
        ({"system": "dogs", "rosters": {"1": {"teams": []}}}, "no team"),
        ({"system": "dogs", "rosters": {"1": {"teams": [{"list": "elves"}]}}}, "unknown list elves"),
        ({"system": "dogs", "rosters": {"1": {"teams": [{"list": "us_rangers"}] * 3}}}, "500 are allowed"),
        ({"system": "dogs", "scenario": "bird_down", "rosters": {"2": RANGERS}}, "cannot be exchanged"),
        ({"system": "dawgs", "rosters": {"1": RANGERS}}, "unknown system with rosters dawgs"),
    ],
)
def test_what_cannot_be_fielded_says_why(tmp_path: Path, wanted: dict[str, Any], said: str) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        answer = await client.post("/api/games", json=wanted)
        assert answer.status_code == 422
        assert said in answer.json()["error"]

    play(tmp_path, story)


def test_two_forces_of_one_name_are_told_apart() -> None:
    by = musterer("dogs")
    sides = [{"id": "a", "name": "A", "team": []}, {"id": "b", "name": "B", "team": []}]
    both = by.fielded({"name": "x", "side": sides}, {1: by.read(RANGERS), 2: by.read(RANGERS)})
    assert [side["name"] for side in both["side"]] == ["North gate (1)", "North gate (2)"]
    assert sides[0]["name"] == "A"
    with pytest.raises(WardogsError, match="no team"):
        by.fielded({"name": "x", "side": sides}, {1: by.read({})})
