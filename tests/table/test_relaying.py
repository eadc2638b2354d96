"""A lattice laid from the one before a change is the lattice that would have been laid anew, figure for figure."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from wardogs.kernel.errors import WardogsError
from wardogs.systems.dogs.ways import MODES
from wardogs.table.changes import add_area, all_openings, breach, collapse, remove, set_opening
from wardogs.table.generate import generate
from wardogs.table.graph import Graph
from wardogs.table.model import Area, Map
from wardogs.table.relaying import relaying


def figures(graph: Graph) -> list[bytes]:
    return [np.asarray(part).tobytes() for part in (*graph.links, graph.xs, graph.ys, graph.flat_ways, graph.numbers)]


def changed(table: Map, rng: random.Random) -> Iterator[Map]:
    """The table as play may change it: doors, holes, smoke, rubble, one upon the other."""
    doors = [opening for opening in all_openings(table) if opening.kind == "door"]
    for door in rng.sample(doors, min(2, len(doors))):
        table = set_opening(table, door.id, rng.choice(["open", "shut"]))
        yield table
    house = rng.choice(table.buildings)
    west, south, east, _ = house.rect
    try:
        table = breach(table, house.id, ((west + east) / 2, south), 1.5)
        yield table
    except WardogsError:  # a door is there already
        pass
    table = add_area(table, Area(id="mud", kind="mud" if rng.random() < 0.5 else "rubble", rect=(3, 3, 6, 5)))
    yield table
    yield remove(table, "mud")
    yield collapse(table, house.id, 0)


@pytest.mark.parametrize("theme", ["village", "compound", "street"])
def test_relaid_is_as_laid_anew(theme: str) -> None:
    rng = random.Random(theme)
    table = generate(theme, 3, (30, 30))
    mode = MODES[rng.choice(list(MODES))]
    befores = [Graph(table, mode)]
    relaid = 0
    for after in changed(table, rng):
        graph = Graph(after, mode, befores)
        relaid += relaying(befores, graph.ground, graph.walls) is not None
        assert figures(graph) == figures(Graph(after, mode))
        befores = [graph, *befores][:4]
    assert relaid >= 2
