"""A table is laid before anybody serves, and its links open its seats."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.server.plug import Plug
from tests.server.tables import hall_over
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.system import Wanted
from wardogs.server.games import NewGame
from wardogs.server.inviting import lay_table, seated

AT = "http://127.0.0.1:8765"


def test_a_person_meets_bots_unless_said_otherwise() -> None:
    four = Wanted(seats=4)
    assert seated(NewGame("dawgs", four)) == {1: "person", 2: "drill", 3: "drill", 4: "drill"}
    assert seated(NewGame("dawgs", four, {1: "random"})) == {1: "random", 2: "person", 3: "drill", 4: "drill"}
    assert seated(NewGame("dawgs", four, {3: "person"})) == {1: "drill", 2: "drill", 3: "person", 4: "drill"}


def test_the_link_opens_the_seat(tmp_path: Path) -> None:
    laid = lay_table(str(tmp_path / "w.db"), AT + "/", NewGame("dogs"))
    where, game, key = laid.link.rsplit("/", 2)
    assert (where, game, laid.link) == (AT + "/#/table", laid.game, laid.links[1])

    async def sit() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            plug = Plug(hall)
            sat = await plug.sit(game, key)
            assert (sat["type"], sat["seat"], sat["role"]) == ("sat", 1, "player")
            assert [chair["player"] for chair in sat["chairs"]] == ["person", "drill"]
            await plug.leave()

    asyncio.run(sit())


def test_where_only_bots_play_the_link_is_the_spectators(tmp_path: Path) -> None:
    laid = lay_table(str(tmp_path / "w.db"), AT, NewGame("dawgs", players={1: "drill", 2: "random"}))
    assert laid.link == laid.watch


def test_what_cannot_be_set_up_says_why(tmp_path: Path) -> None:
    with pytest.raises(WardogsError, match="unknown scenario nowhere"):
        lay_table(str(tmp_path / "w.db"), AT, NewGame("dogs", Wanted("nowhere")))
