"""What can be played: who sits where in each scenario, and how its table looks."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest

from tests.server.test_api import made, play
from wardogs.server import api_systems
from wardogs.server.picturing import picture
from wardogs.systems import KEYS, load_system


def test_scenarios_tell_their_seats(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        found = {system["key"]: system for system in (await client.get("/api/systems")).json()["systems"]}
        assert (found["dogs"]["muster"], found["dawgs"]["muster"]) == (True, False)
        crossroads = found["dogs"]["scenarios"][0]
        assert crossroads["seats"] == [{"seat": 1, "side": "Rangers"}, {"seat": 2, "side": "Taliban"}]
        assert (crossroads["fewest"], crossroads["most"], crossroads["usual"]) == (2, 2, 2)
        dawgs = {scenario["key"]: scenario for scenario in found["dawgs"]["scenarios"]}
        assert (dawgs["courier"]["fewest"], dawgs["courier"]["most"]) == (4, 4)
        assert (dawgs["ffa"]["fewest"], dawgs["ffa"]["most"], len(dawgs["ffa"]["seats"]), dawgs["ffa"]["usual"]) == (2, 8, 8, 2)
        assert found["dogs"]["plain"]["key"] == ""

    play(tmp_path, story)


def test_every_number_of_seats_that_is_told_can_be_played(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        for system in (await client.get("/api/systems")).json()["systems"]:
            for scenario in [*system["scenarios"], system["plain"]]:
                for seats in {scenario["fewest"], scenario["most"]}:
                    game = await made(client, system=system["key"], scenario=scenario["key"] or None, seats=seats)
                    assert len(game["keys"]) == seats

    play(tmp_path, story)


def test_a_picture_is_drawn_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_systems, "_drawn", {})

    async def story(client: httpx.AsyncClient) -> None:
        where = "/api/systems/dawgs/scenarios/courier/picture.svg"
        first = await client.get(where, headers={"accept-encoding": "gzip"})
        assert (first.status_code, first.headers["content-type"]) == (200, "image/svg+xml")
        assert first.headers["content-encoding"] == "gzip"
        assert "max-age" in first.headers["cache-control"]
        assert "default-src 'none'" in first.headers["content-security-policy"]
        assert first.text == picture("dawgs", "courier")
        again = await client.get(where, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        api_systems._drawn["dawgs", "courier"] = b"<svg/>"
        assert (await client.get(where)).text == "<svg/>"
        for path in ("/api/systems/dawgs/scenarios/nowhere/picture.svg", "/api/systems/chess/scenarios/courier/picture.svg"):
            lost = await client.get(path)
            assert (lost.status_code, "unknown" in lost.json()["error"]) == (404, True)

    play(tmp_path, story)


@pytest.mark.parametrize(("key", "scenario"), [(key, scenario) for key in KEYS for scenario in load_system(key).scenarios])
def test_every_scenario_has_a_picture(key: str, scenario: str) -> None:
    drawn = ElementTree.fromstring(picture(key, scenario))
    assert drawn.tag.endswith("svg")
