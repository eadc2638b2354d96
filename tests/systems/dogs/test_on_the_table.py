"""Whatever men do, they stand on something, and on the table."""

from __future__ import annotations

from typing import Any

import pytest

from wardogs.bots import make_bot
from wardogs.kernel.fate import Fast
from wardogs.kernel.offers import Ask, Choice, Seat
from wardogs.kernel.system import Wanted
from wardogs.systems.dogs import SYSTEM
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.state import Fight
from wardogs.systems.dogs.ways import MODES
from wardogs.table.ground import floors_under
from wardogs.table.reach import graph_of


def off_the_ground(g: Fight) -> list[Any]:
    """Men on foot who neither climb nor stand on anything."""
    ground = graph_of(table_now(g), MODES["walk"]).ground
    on_foot = [man for man in g.state.models if man.alive and man.on_table and not man.vehicle and not man.climbing]
    return [(man.id, man.at) for man in on_foot if floors_under(ground, man.at) is None]


@pytest.mark.parametrize(("theme", "seed"), [("industrial", 3), ("village", 5), ("compound", 2), ("street", 4)])
def test_men_keep_to_the_table(theme: str, seed: int) -> None:
    setup = SYSTEM.plan(Wanted({"theme": theme, "points": 300, "seed": seed}))
    bots = {1: make_bot("random", 11, 1), 2: make_bot("drill", 11, 2)}

    def choose(g: Fight, seat: Seat, ask: Ask) -> Choice:
        assert not off_the_ground(g)
        return bots[seat].choose(SYSTEM.seen(g, seat, ask))

    game = SYSTEM.opening(setup)(Fast(11), choose)
    game.silent = True
    game.advance()
    assert not game.agenda
