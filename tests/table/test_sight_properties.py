"""What must be true of sight on every table: tried on 2,000 random ones each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any, TypeAlias

import numpy as np
import pytest
from msgspec.structs import replace

from tests.table import exact
from tests.table.tables import Maker, Marksman, panel_terrain, terrain
from wardogs.table.bodies import Body, Hull, Model
from wardogs.table.compiled import floats
from wardogs.table.faces import Panel
from wardogs.table.model import Map, Opening, Wall
from wardogs.table.sight import crossings, look, look_many, sees, trace
from wardogs.table.terrain import FULL, Terrain
from wardogs.table.units import Place, Spot

Answer: TypeAlias = tuple[int, float, float]  # bits, haze of leaves, haze of smoke

TABLES, SHARES = 2000, 20
NEAR = 0.02  # inches from an edge within which 32-bit floats may err
share = pytest.mark.parametrize("share", range(SHARES))


def seeds(share: int) -> range:
    return range(share * TABLES // SHARES, (share + 1) * TABLES // SHARES)


def place(spot: Spot) -> Place:
    return spot[0] / 1000, spot[1] / 1000, spot[2] / 1000


def beam(over: Terrain, eye: Spot, points: Sequence[Spot]) -> list[Answer]:
    """One query with many rays."""
    return answers(trace(over, [place(eye)], [0, len(points)], floats([part for point in points for part in point])))


def single(over: Terrain, rays: Sequence[tuple[Spot, Spot]]) -> list[Answer]:
    """Each ray a query of its own."""
    points = floats([part for _, point in rays for part in point])
    return answers(trace(over, [place(eye) for eye, _ in rays], range(len(rays) + 1), points))


def answers(traced: tuple[Any, Any]) -> list[Answer]:
    masks, haze = traced
    return [(int(mask), float(haze[2 * k]), float(haze[2 * k + 1])) for k, mask in enumerate(masks)]


def judged(over: Terrain, eye: Spot, point: Spot) -> Answer:
    """By exact arithmetic; the shipped kinds give whole hazes, which floats hold exactly."""
    mask, leaves, smoke = exact.trace(over, eye, point)
    assert leaves.denominator == smoke.denominator == 1
    return mask, float(leaves), float(smoke)


def hidden(over: Terrain, answer: Answer) -> bool:
    mask, *haze = answer
    return bool(mask & over.hiding) or max(haze) > FULL


def kinds(over: Terrain, answer: Answer) -> set[str]:
    return {name for bit, name in enumerate(over.kinds) if answer[0] >> bit & 1}


def test_the_tables_are_nasty() -> None:
    """Some rays cross panels, some solids, some haze, some nothing; else the rest would prove little."""
    traced = [answer for seed in range(100) for answer in single(terrain(seed), Marksman(terrain(seed), seed).rays(10))]
    assert 300 < sum(mask > 0 for mask, _, _ in traced) < 800
    assert sum(leaves > 0 for _, leaves, _ in traced) > 30
    assert sum(smoke > 0 for _, _, smoke in traced) > 10


@share
def test_every_ray_agrees_with_exact_arithmetic(share: int) -> None:
    for seed in seeds(share):
        over, marksman = terrain(seed), Marksman(terrain(seed), seed)
        for (eye, point), found in zip(rays := marksman.rays(8), single(over, rays), strict=True):
            assert found == judged(over, eye, point), (seed, eye, point)


@share
def test_every_ray_of_a_beam_agrees_with_exact_arithmetic(share: int) -> None:
    for seed in seeds(share)[::4]:
        over = terrain(seed)
        eye, points = Marksman(over, seed + TABLES).beam(6)
        for point, found in zip(points, beam(over, eye, points), strict=True):
            assert found == judged(over, eye, point), (seed, eye, point)


@share
def test_who_sees_is_seen(share: int) -> None:
    for seed in seeds(share):
        over, rays = terrain(seed), Marksman(terrain(seed), seed).rays(12)
        back = [(point, eye) for eye, point in rays]
        assert single(over, rays) == single(over, back), seed


@share
def test_a_new_wall_shows_nothing(share: int) -> None:
    for seed in seeds(share):
        before = terrain(seed)
        wall = Maker(Random(seed + TABLES), before.map.size).wall()
        after = Terrain(replace(before.map, walls=(*before.map.walls, wall)))
        rays = Marksman(after, seed).rays(12)
        for then, now in zip(single(before, rays), single(after, rays), strict=True):
            assert kinds(before, then) <= kinds(after, now)
            assert then[1:] == now[1:]
            assert hidden(after, now) or not hidden(before, then)


@share
def test_an_opened_door_hides_nothing(share: int) -> None:
    opened = 0
    for seed in seeds(share):
        shut, ajar = with_door(terrain(seed).map, seed, "shut"), with_door(terrain(seed).map, seed, "open")
        door = next(panel for panel in shut.panels if panel.opening == "the door")
        rays = [*Marksman(shut, seed).rays(8), *through(door, seed)]
        for then, now in zip(single(shut, rays), single(ajar, rays), strict=True):
            assert kinds(ajar, now) <= kinds(shut, then)
            assert then[1:] == now[1:]
            assert hidden(shut, then) or not hidden(ajar, now)
            opened += hidden(shut, then) and not hidden(ajar, now)
    assert opened > 0


def with_door(table: Map, seed: int, state: Any) -> Terrain:
    """The table with one more wall, which has a door of its whole width."""
    rng = Random(seed)
    x, y = (rng.randint(0, round(side)) for side in table.size)
    door = Opening(id="the door", at=(x + 1.0, float(y)), width=rng.choice((1.0, 2.0)), head=1.0, state=state)
    return Terrain(replace(table, walls=(*table.walls, Wall(line=(x, y, x + 2, y), height=1.0, openings=(door,)))))


def through(door: Panel, seed: int) -> list[tuple[Spot, Spot]]:
    """Across its middle and along its edges."""
    rng = Random(seed)
    x, y = (door.a[0] + door.b[0]) // 2, door.a[1]
    middle = [((x + far, y - 500, 600), (x - far, y + 500, 400)) for far in (0, rng.randint(-400, 400))]
    return [*middle, ((door.a[0], y - 700, 1000), (door.a[0], y + 700, 1000)), ((x, y, 500), (x, y + 300, 500))]


@share
def test_a_raised_eye_loses_no_point_behind_a_low_wall(share: int) -> None:
    changed = 0
    for seed in seeds(share):
        rng = Random(seed)
        height, line = rng.choice((0.3, 0.5, 0.6)), tuple(rng.randint(2, 20) / 2 for _ in range(4))
        over = Terrain(Map(size=(12.0, 12.0), walls=(Wall(line=line, height=height),)))
        x, y, _ = Marksman(over, seed).special() if seed % 2 else Marksman(over, seed).anywhere()
        behind = [(px, py, 0) for px, py, _ in (Marksman(over, seed + k).anywhere() for k in range(6))]
        seen = [[sees(over, place((x, y, z)), place(point)) for z in (0, 300, 500, 501, 1100, 3000)] for point in behind]
        assert all(low <= high for row in seen for low, high in pairwise(row)), seed
        changed += sum(row[0] < row[-1] for row in seen)
    assert changed > 0


@share
def test_batches_change_nothing(share: int) -> None:
    for seed in seeds(share):
        over, rng = terrain(seed), Random(seed)
        marksman = Marksman(over, seed)
        looks = [(place(eye), model(rng, place(at))) for eye, at in marksman.rays(3)]
        for (eye, target), seen in zip(looks, look_many(over, looks), strict=True):
            alone = look(over, eye, target)
            assert list(seen.points) == list(alone.points)
            assert list(seen.masks) == list(alone.masks)
            assert list(seen.haze) == list(alone.haze)


def model(rng: Random, at: Place) -> Model:
    facing, stance = rng.choice((0.0, 45.0, 77.0, 180.0)), rng.choice(("standing", "kneeling", "prone"))
    return rng.choice((Body(at=at, facing=facing, stance=stance), Hull(at=at, facing=facing)))


@share
def test_the_index_loses_nothing(share: int) -> None:
    """A ray has the bit of a kind just if a face of that kind, of all there are, is in its way."""
    for seed in seeds(share):
        over, marksman = terrain(seed), Marksman(terrain(seed), seed)
        for eye, points in [marksman.beam(8), marksman.beam(2), *((eye, [point]) for eye, point in marksman.rays(2))]:
            masks = [0] * len(points)
            for face, rays in crossings(over, place(eye), floats([part for point in points for part in point])):
                for ray in rays:
                    masks[ray] |= 1 << over.kinds.index(face.kind)
            assert masks == [mask for mask, _, _ in beam(over, eye, points)], (seed, eye, points)


# Embree ---------------------------------------------------------------------------------------------------------------


@share
def test_embree_agrees_away_from_edges(share: int) -> None:
    pytest.importorskip("embreex")
    compared = 0
    for seed in seeds(share):
        over = panel_terrain(seed)
        rays = far_from_edges(over, Marksman(over, seed).rays(12))
        compared += len(rays)
        assert embree(over, rays) == [mask > 0 for mask, _, _ in single(over, rays)], seed
    assert compared > 200


def embree(over: Terrain, rays: Sequence[tuple[Spot, Spot]]) -> list[bool]:
    """Which rays hit a panel."""
    from embreex.mesh_construction import TriangleMesh  # type: ignore[import-untyped]
    from embreex.rtcore_scene import EmbreeScene  # type: ignore[import-untyped]

    if not rays:
        return []
    scene = EmbreeScene()
    TriangleMesh(scene, inches([half for panel in over.panels for half in triangles(panel)]).astype(np.float32))
    eyes, points = (inches([ray[k] for ray in rays]).astype(np.float32) for k in (0, 1))
    return [hit >= 0 for hit in scene.run(eyes, points - eyes, dists=np.ones(len(rays), np.float32), query="OCCLUDED")]


def inches(spots: Any) -> Any:
    return np.array(spots, dtype=np.float64) / 1000


def rim(panel: Panel) -> list[Spot]:
    return [(*panel.a, panel.bottom), (*panel.b, panel.bottom), (*panel.b, panel.top), (*panel.a, panel.top)]


def triangles(panel: Panel) -> list[list[Spot]]:
    """Cut both ways, so that no ray slips through a cut."""
    a, b, c, d = rim(panel)
    return [[a, b, c], [a, c, d], [a, b, d], [b, c, d]]


def far_from_edges(over: Terrain, rays: Sequence[tuple[Spot, Spot]]) -> list[tuple[Spot, Spot]]:
    """Those farther than NEAR from all edges, with neither end near a face."""
    if not over.panels:
        return list(rays)
    eyes, points = (inches([ray[k] for ray in rays])[:, None] for k in (0, 1))
    first = inches([corner for panel in over.panels for corner in rim(panel)])
    last = inches([corner for panel in over.panels for corner in (*rim(panel)[1:], rim(panel)[0])])
    near = (gaps(eyes, points - eyes, first, last - first) <= NEAR).any(axis=1)
    near |= at_faces(over, eyes) | at_faces(over, points)
    return [ray for ray, is_near in zip(rays, near, strict=True) if not is_near]


def at_faces(over: Terrain, spots: Any) -> Any:
    """Which points lie near the face of a panel."""
    a, b = inches([(*panel.a, 0) for panel in over.panels]), inches([(*panel.b, 0) for panel in over.panels])
    low, high = inches([panel.bottom for panel in over.panels]), inches([panel.top for panel in over.panels])
    up = np.maximum(np.maximum(low - spots[..., 2], spots[..., 2] - high), 0)
    return (np.hypot(gap(a, b - a, spots * (1, 1, 0)), up) <= NEAR).any(axis=1)


def gaps(start: Any, way: Any, other: Any, edge: Any) -> Any:
    """Between stretches, each given by its start and its way: the least from an end to the other, or from line to line."""
    ends = [gap(other, edge, start), gap(other, edge, start + way), gap(start, way, other), gap(start, way, other + edge)]
    normal, between = np.cross(way, edge), other - start
    square = dot(normal, normal)
    safe = np.where(square > 0, square, 1)
    t, s = dot(np.cross(between, edge), normal) / safe, dot(np.cross(between, way), normal) / safe
    crossed = (square > 0) & (t >= 0) & (t <= 1) & (s >= 0) & (s <= 1)
    return np.minimum.reduce([*ends, np.where(crossed, np.abs(dot(between, normal)) / np.sqrt(safe), np.inf)])


def gap(start: Any, way: Any, spot: Any) -> Any:
    """From points to stretches."""
    square = dot(way, way)
    t = np.clip(dot(spot - start, way) / np.where(square > 0, square, 1), 0, 1)
    off = start + t[..., None] * way - spot
    return np.sqrt(dot(off, off))


def dot(a: Any, b: Any) -> Any:
    return (a * b).sum(axis=-1)
