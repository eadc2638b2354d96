"""The table's kernels on tables of a given size: looks of 64 rays, maps of reach."""

import random
from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np

from wardogs.table import rays
from wardogs.table.bodies import Body, eye_of
from wardogs.table.compiled import blank, blank_ints, floats, ints
from wardogs.table.generate import generate
from wardogs.table.model import Map, Wall, pieces
from wardogs.table.modes import WALK
from wardogs.table.reach import graph_of, reach
from wardogs.table.sight import look
from wardogs.table.terrain import Terrain
from wardogs.table.views import views

RAYS = 64
SEED = 12


def fastest(act: Callable[[], object], seconds: float = 1.0) -> float:
    """Seconds of one call, the best of many: other work on the machine only ever slows a run down."""
    act()
    start = perf_counter()
    act()
    loops = max(1, int(0.02 / max(perf_counter() - start, 1e-9)))
    best, end = 1e9, perf_counter() + seconds
    while perf_counter() < end:
        start = perf_counter()
        for _ in range(loops):
            act()
        best = min(best, (perf_counter() - start) / loops)
    return best


@cache
def village() -> Map:
    """A table of about 60 pieces and 400 panels."""
    return generate("village", SEED)


def walls_only(count: int) -> Map:
    """A 48 x 48 table of so many panels: short walls of several heights."""
    rng = random.Random(count)
    walls = []
    for _ in range(count):
        x, y, (dx, dy) = rng.uniform(1, 45), rng.uniform(1, 45), rng.choice([(2.0, 0.0), (0.0, 2.0), (1.4, 1.4), (1.4, -0.8)])
        walls.append(Wall(line=(x, y, x + dx, y + dy), height=rng.choice([0.6, 1.0, 2.0])))
    return Map(walls=tuple(walls))


def queries(count: int, seed: int = 1) -> tuple[Any, Any]:
    """Eyes (count, 3) and points (count, 64, 3) in thous: figures all over the table."""
    rng = np.random.default_rng(seed)
    eyes = np.empty((count, 3))
    eyes[:, :2], eyes[:, 2] = rng.integers(500, 47500, (count, 2)), 1100
    centres = rng.integers(500, 47500, (count, 1, 2))
    points = np.empty((count, RAYS, 3))
    points[:, :, :2] = centres + rng.integers(-300, 301, (count, RAYS, 2))
    points[:, :, 2] = rng.integers(50, 1200, (count, RAYS))
    return eyes, points


def looker(table: Map, count: int) -> Callable[[], Any]:
    """The bare kernel on so many queries: arrays in, arrays out."""
    eyes, points = queries(count)
    terrain = Terrain.of(table)
    masks, haze = blank_ints(count * RAYS), blank(2 * count * RAYS)
    given = (count, floats(eyes), ints(range(0, (count + 1) * RAYS, RAYS)), floats(points), 0.0)
    known = (*terrain.arrays, masks, haze)
    return lambda: rays.beams(*given, *known)


def look_seconds(table: Map) -> float:
    """One look through the front door: a figure posed, its rays traced, its parts judged."""
    terrain, body = Terrain.of(table), Body(at=(30.0, 20.0, 0.0))
    return fastest(lambda: look(terrain, (12.0, 14.0, 1.1), body).visible())


def views_seconds(table: Map, models: int) -> float:
    """Every model looks at every other, per look."""
    rng = random.Random(models)
    bodies = [Body(id=str(k), at=(rng.uniform(1, 47), rng.uniform(1, 47), 0.0)) for k in range(models)]
    eyes, terrain = [eye_of(body) for body in bodies], Terrain.of(table)
    return fastest(lambda: views(terrain, eyes, bodies)) / models**2


def standing_place(table: Map) -> tuple[float, float, float]:
    graph = graph_of(table, WALK)
    return next(place for x in range(20, 90) if graph.stands(place := (x / 2, 3.0, 0.0)))


def reach_seconds(table: Map, limit: float, models: int = 0) -> float:
    rng, start = random.Random(models), standing_place(table)
    others = [Body(at=(rng.uniform(1, 47), rng.uniform(6, 47), 0.0)) for _ in range(models)]
    return fastest(lambda: reach(table, start, WALK, limit, others))


def summary(table: Map) -> str:
    terrain = Terrain.of(table)
    return f"{len(pieces(table))} pieces, {len(terrain.panels)} panels, {len(terrain.solids)} solids"


def first_answers() -> None:
    """How long the first look and the first way take in a new process."""
    table = village()
    begin = perf_counter()
    terrain = Terrain.of(table)
    look(terrain, (12.0, 14.0, 1.1), Body(at=(30.0, 20.0, 0.0))).visible()
    print(f"  the first look {perf_counter() - begin:.2f} s after the map is read")
    begin = perf_counter()
    reach(table, standing_place(table))
    print(f"  the first map of reach {perf_counter() - begin:.2f} s later")


def plain_figures() -> None:
    """A few figures, meant for a process without numba."""
    table = village()
    print(f"without numba: sight {1e6 * fastest(looker(table, 20), 3.0) / 20:,.0f} us a query", end=", ")
    begin = perf_counter()
    graph_of(table, WALK)
    print(f"the lattice {perf_counter() - begin:.1f} s", end=", ")
    print(f"reach {1e3 * reach_seconds(table, 200.0):,.0f} ms, 8 inches {1e3 * reach_seconds(table, 8.0):,.1f} ms")
