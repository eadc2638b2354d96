"""Reach, over two thousand random tables each: a metric, which terrain only lengthens; and ways that can be walked."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise
from math import hypot
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from tests.table.tables import MAKERS, table
from wardogs.table.bodies import Body
from wardogs.table.compiled import FAST
from wardogs.table.graph import Graph
from wardogs.table.model import Area, Map, Opening, Wall
from wardogs.table.modes import WALK
from wardogs.table.reach import Field
from wardogs.table.units import Place
from wardogs.table.walking import is_barred

TABLES, SHARES = (2000 if FAST else 200), 20  # plain Python lays a lattice a hundred times slower
FAR = 300.0
share = pytest.mark.parametrize("share", range(SHARES))
BUILT = tuple(maker for maker in MAKERS if maker[0] in ("walls", "areas", "things", "hills", "pits", "buildings"))


def seeds(share: int) -> range:
    return range(share * TABLES // SHARES, (share + 1) * TABLES // SHARES)


def small_table(seed: int) -> Map:
    """Half the size, so that two thousand lattices are soon laid."""
    made = table(seed, BUILT)
    return replace(made, size=(min(made.size[0], 6.0), min(made.size[1], 6.0)))


def places(graph: Graph, rng: Random, count: int) -> list[Place]:
    """Places of the lattice where a base has room and from which some way leads."""
    starts = np.asarray(graph.links[0]).astype(np.int64)
    free = [graph.place(int(node)) for node in np.flatnonzero(np.diff(starts)[: graph.firsts[-1]] > 0)]
    width, height = graph.map.size
    within = [place for place in free if 0 <= place[0] <= width and 0 <= place[1] <= height and graph.stands(place)]
    return [within[rng.randrange(len(within))] for _ in range(count)] if within else []


def field(graph: Graph, start: Place) -> Field:
    return Field(graph, start, FAR, ())


def costs(found: Field) -> np.ndarray:
    return np.asarray(found.dist).astype(np.int64)


@share
def test_a_detour_is_never_cheaper(share: int) -> None:
    for seed in seeds(share):
        graph = Graph(small_table(seed), WALK)
        if not (two := places(graph, Random(seed), 2)):
            continue
        a, c = (field(graph, place) for place in two)
        to_c = min((int(a.dist[node]) for node in graph.near(c.surface, c.start[:2])), default=0)
        assert (costs(a) <= to_c + costs(c)).all(), (seed, two)


@share
def test_more_terrain_makes_nothing_cheaper(share: int) -> None:
    """Walls and areas; a crate or a hill beside a wall may well help over it."""
    for seed in seeds(share):
        before, rng = small_table(seed), Random(seed)
        x, y = rng.randint(0, 10) / 2, rng.randint(0, 10) / 2
        wall = Wall(id="new", line=(x, y, x + rng.choice((0.0, 1.5)), y + 1.0), height=rng.choice((0.5, 1.0, 2.0, 3.0)))
        area = Area(id="new", kind=rng.choice(("rubble", "woods", "water", "bushes")), rect=(x, y, x + 1.5, y + 1.0))
        more = replace(before, walls=(*before.walls, wall)) if seed % 2 else replace(before, areas=(*before.areas, area))
        old, new = Graph(before, WALK), Graph(more, WALK)
        for start in places(new, rng, 1):
            lattice = old.firsts[-1]
            assert (costs(field(new, start))[:lattice] >= costs(field(old, start))[:lattice]).all(), (seed, start)


@share
def test_an_open_door_makes_nothing_dearer(share: int) -> None:
    """Without buildings: a flight of stairs in a doorway comes out beside it while it is shut."""
    for seed in seeds(share)[::2]:
        rng = Random(seed)
        door = Opening(id="new", at=(3.0, rng.randint(4, 20) / 4), width=rng.choice((1.0, 1.25)), state="shut")
        wall = Wall(id="across", line=(3, 0, 3, 6), height=3, openings=(door,))
        made = replace(small_table(seed), size=(6.0, 6.0), buildings=())
        shut = Graph(replace(made, walls=(*made.walls, wall)), WALK)
        opened = replace(wall, openings=(replace(door, state="open"),))
        wide = Graph(replace(made, walls=(*made.walls, opened)), WALK)
        for start in places(shut, rng, 1):
            lattice = shut.firsts[-1]
            assert (costs(field(wide, start))[:lattice] <= costs(field(shut, start))[:lattice]).all(), (seed, start)


def test_the_buckets_find_what_a_plain_queue_finds() -> None:
    for seed in range(TABLES // 10):
        graph = Graph(small_table(seed), WALK)
        for start in places(graph, Random(seed), 1):
            found = field(graph, start)
            assert costs(found).tolist() == plain(graph, found), seed


def test_with_others_about_too() -> None:
    for seed in range(TABLES // 10):
        graph, rng = Graph(small_table(seed), WALK), Random(seed)
        if spots := places(graph, rng, 4):
            found = Field(graph, spots[0], FAR, [Body(at=spot, radius=rng.choice((0.25, 0.5, 0.6))) for spot in spots[1:]])
            assert costs(found).tolist() == plain(graph, found), seed


def plain(graph: Graph, found: Field) -> list[int]:
    """Dijkstra as in the book, from where the other began."""
    starts, to, cost = graph.links
    seeds = [int(figure) for figure in found._seeds()]
    best, queue = [found.beyond] * graph.size, sorted(zip(seeds[1::2], seeds[::2], strict=True))
    while queue:
        far, node = heappop(queue)
        if far >= best[node]:
            continue
        best[node] = far
        for k in range(int(starts[node]), int(starts[node + 1])):
            if far + int(cost[k]) < best[to[k]] and not barred(graph, found, node, int(to[k])):
                heappush(queue, (far + int(cost[k]), int(to[k])))
    return best


def barred(graph: Graph, found: Field, a: int, b: int) -> bool:
    ends = [(float(graph.xs[node]), float(graph.ys[node])) for node in (a, b)]
    leg = is_barred(*ends[0], *ends[1], int(graph.numbers[a]), found._flat)
    return leg or is_barred(*ends[1], *ends[1], int(graph.numbers[b]), found._flat)


@share
def test_a_path_is_walked_leg_by_leg_for_its_cost(share: int) -> None:
    """On tables without floors or links a tight path is its legs, no dearer than the lattice, no shorter than the crow flies."""
    makers = tuple(maker for maker in BUILT if maker[0] in ("walls", "areas"))
    for seed in seeds(share)[::4]:
        graph, rng = Graph(replace(table(seed, makers), size=(6.0, 6.0)), replace(WALK, climb=None)), Random(seed)
        for start, to in zip(places(graph, rng, 2), places(graph, rng, 2), strict=True):
            found = field(graph, start)
            if not found.stands(to):
                continue
            path = found.path(to)
            along = found.lattice_cost(graph.near(0, to[:2])[0])
            assert (path is None) == (along is None)
            if path is None or along is None:
                continue
            assert path.cost <= along + 0.002, (seed, start, to)
            assert path.cost >= hypot(to[0] - start[0], to[1] - start[1]) - 0.002
            legs = [graph.leg(0, a[:2], b[:2]) for a, b in pairwise(path.places)]
            assert min(legs, default=0) >= 0, (seed, start, to)
            assert sum(legs) == pytest.approx(1000 * path.cost, abs=2 + len(legs)), (seed, start, to)


@share
def test_no_path_comes_too_near_to_another_model(share: int) -> None:
    for seed in seeds(share)[::8]:
        rng = Random(seed)
        others = [Body(id=str(k), at=(rng.randint(0, 48) / 4, rng.randint(0, 48) / 4, 0.0)) for k in range(8)]
        graph = Graph(Map(size=(12.0, 12.0)), WALK)
        found = Field(graph, (6.0, 6.0, 0.0), FAR, [man for man in others if hypot(man.at[0] - 6, man.at[1] - 6) >= 1.0])
        for place, _ in found.costs()[:: rng.randint(7, 31)]:
            path = found.path(place)
            assert path is not None
            for a, b in pairwise(path.places):
                assert all(distance(man.at, a, b) > 0.997 for man in others if hypot(man.at[0] - 6, man.at[1] - 6) >= 1.0), seed


def distance(point: Place, a: Place, b: Place) -> float:
    x, y = b[0] - a[0], b[1] - a[1]
    share = max(0.0, min(1.0, ((point[0] - a[0]) * x + (point[1] - a[1]) * y) / (x * x + y * y or 1.0)))
    return hypot(a[0] + share * x - point[0], a[1] + share * y - point[1])
