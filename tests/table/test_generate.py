"""Generated tables are sound, dense, open to walk, and always the same for a seed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import combinations
from typing import Any, TypeAlias

import msgspec
import numpy as np
import pytest
import shapely

from wardogs.kernel.errors import WardogsError
from wardogs.table.check import faults
from wardogs.table.generate import THEMES, covered, generate
from wardogs.table.generator.walk import is_open
from wardogs.table.model import Area, Building, Hill, Map, Opening, Wall, pieces
from wardogs.table.openings import line_points
from wardogs.table.shapes import corners_of, outline

Cell: TypeAlias = tuple[int, int]  # half inches

SEEDS = [range(first, first + 10) for first in range(0, 50, 10)]
SIDES = {"S": 1, "N": 3, "W": 0, "E": 2}  # which figure of a rect each side is at
LANE = 1.5
SMALL = 1e-9


@cache
def made(theme: str, seed: int) -> Map:
    return generate(theme, seed)


# Walking: a fill of half-inch steps that no wall crosses --------------------------------------------------------------


def holes(openings: tuple[Opening, ...], rect: tuple[float, float, float, float] | None) -> Iterator[shapely.Polygon]:
    for one in openings:
        if one.kind == "window" or one.level not in (None, 0):
            continue
        at = one.at
        if not isinstance(at, tuple):
            assert rect
            assert one.side
            fixed = rect[SIDES[one.side]]
            at = (at, fixed) if one.side in "NS" else (fixed, at)
        yield shapely.Point(at).buffer(one.width / 2 - 0.01)


def barriers(table: Map) -> shapely.Geometry:
    """All that stops a walker, doors and gaps cut out."""
    kinds, found = table.catalogue, []
    for house in table.buildings:
        found.append(shapely.Polygon(outline(house)).exterior.difference(shapely.union_all([*holes(house.openings, house.rect)])))
    for wall in [*table.walls, *(wall for house in table.buildings for wall in house.walls if not wall.level)]:
        if kinds[wall.material].move == "blocked":
            found.append(shapely.LineString(line_points(wall.line)).difference(shapely.union_all([*holes(wall.openings, None)])))
    found += [shapely.Polygon(outline(area)) for area in table.areas if kinds[area.kind].move in ("blocked", "deep")]
    found += [shapely.Polygon(corners_of(thing)) for thing in table.things if kinds[thing.kind].move == "blocked"]
    return shapely.union_all(found)


@cache
def steps(wide: int, deep: int) -> tuple[list[tuple[Cell, Cell]], Any]:
    """From every half inch to the next ones east and north, a hair off the lines on which walls stand."""
    cells = [(x, y) for x in range(wide) for y in range(deep)]
    found = [((x, y), to) for x, y in cells for to in ((x + 1, y), (x, y + 1)) if to[0] < wide and to[1] < deep]
    return found, shapely.linestrings(np.array(found) / 2 + 0.01)


def reached(table: Map) -> set[Cell]:
    """What can be walked to from the south edge."""
    found, lines = steps(*(int(side * 2) for side in table.size))
    stopped = np.zeros(len(found), dtype=bool)
    stopped[shapely.STRtree(lines).query(shapely.get_parts(barriers(table)), predicate="intersects")[1]] = True
    ways: dict[Cell, list[Cell]] = {}
    for k in np.flatnonzero(~stopped):
        one, other = found[k]
        ways.setdefault(one, []).append(other)
        ways.setdefault(other, []).append(one)
    start = next((x, 0) for x in range(100) if len(ways.get((x, 0), ())) > 2)
    seen, front = {start}, [start]
    while front:
        new = [to for to in ways.get(front.pop(), ()) if to not in seen]
        seen.update(new)
        front += new
    return seen


@pytest.mark.parametrize("seeds", SEEDS, ids=lambda seeds: f"from {seeds[0]}")
@pytest.mark.parametrize("theme", THEMES)
def test_sound_dense_and_open(theme: str, seeds: range) -> None:
    for seed in seeds:
        table = made(theme, seed)
        assert faults(table) == [], seed
        assert covered(table) >= 0.3, seed
        walked = reached(table)
        assert any(y == 2 * table.size[1] - 1 for _, y in walked), seed
        for house in table.buildings:
            assert house.rect
            left, lower, right, upper = house.rect
            assert any(left < x / 2 < right and lower < y / 2 < upper for x, y in walked), (seed, house.id)


def test_the_fill_can_fail() -> None:
    wall = Wall(line=(0.0, 24.0, 48.0, 24.0))
    door = Opening(at=(20.0, 24.0))
    assert max(y for _, y in reached(Map(walls=(wall,)))) < 48
    assert max(y for _, y in reached(Map(walls=(msgspec.structs.replace(wall, openings=(door,)),)))) == 95


# What a good table has ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES)
def test_pieces_keep_their_distance(theme: str) -> None:
    """Solid pieces touch, as terraces do, or leave a lane."""
    for seed in range(10):
        table = made(theme, seed)
        kinds = table.catalogue
        indoors = [shapely.Polygon(outline(house)) for house in table.buildings]
        solid = [*indoors, *(shapely.Polygon(outline(area)) for area in table.areas if kinds[area.kind].move == "blocked")]
        for thing in table.things:
            shape = shapely.Polygon(corners_of(thing))
            if kinds[thing.kind].move == "blocked" and not thing.base and not any(house.contains(shape) for house in indoors):
                solid.append(shape)
        for one, other in combinations(solid, 2):
            far = one.distance(other)
            assert far < SMALL or far >= LANE - SMALL, (seed, one.bounds, other.bounds)
            assert one.intersection(other).area < SMALL, (seed, one.bounds, other.bounds)


@pytest.mark.parametrize("theme", THEMES)
def test_areas_do_not_overlap_each_other_or_houses(theme: str) -> None:
    for seed in range(10):
        table = made(theme, seed)
        shapes = [shapely.Polygon(outline(area)) for area in table.areas]
        shapes += [shapely.Polygon(outline(piece)) for piece in (*table.buildings, *table.pits)]
        assert sum(shape.area for shape in shapes) - shapely.union_all(shapes).area < 0.5, seed


@pytest.mark.parametrize("theme", THEMES)
def test_a_table_is_laid_on_quarter_inches(theme: str) -> None:
    for seed in range(10):
        table = made(theme, seed)
        figures = [figure for wall in table.walls for figure in wall.line]
        figures += [figure for piece in (*table.buildings, *table.areas) for figure in piece.rect or ()]
        points = [point for piece in (*table.areas, *table.hills, *table.pits) for point in piece.polygon or ()]
        figures += [figure for point in points for figure in point]
        assert all(figure * 4 == int(figure * 4) for figure in figures)


@pytest.mark.parametrize("theme", THEMES)
def test_houses_can_be_entered_and_climbed(theme: str) -> None:
    for seed in range(10):
        for house in made(theme, seed).buildings:
            doors = [one for one in house.openings if one.kind == "door"]
            assert doors, house.id
            inner = [one for wall in house.walls for one in wall.openings]
            for door in (*doors, *inner):
                at = door.at if isinstance(door.at, tuple) else (door.at,)
                assert door.width >= 1
                assert any(figure * 2 == int(figure * 2) for figure in at), (seed, house.id, door)
            assert [flight.level for flight in house.stairs][: house.levels - 1] == list(range(house.levels - 1)), house.id


@pytest.mark.parametrize("theme", THEMES)
def test_the_edges_have_no_buildings(theme: str) -> None:
    for seed in range(10):
        table = made(theme, seed)
        south, north = table.zones
        assert (south.rect, north.rect) == ((0.0, 0.0, 48.0, 6.0), (0.0, 42.0, 48.0, 48.0))
        assert all(house.rect and house.rect[1] >= 6 and house.rect[3] <= 42 for house in table.buildings)


@pytest.mark.parametrize("theme", THEMES)
def test_pieces_have_readable_ids(theme: str) -> None:
    for seed in range(10):
        table = made(theme, seed)
        houses = table.buildings
        inner = [wall for house in houses for wall in house.walls]
        named = [*pieces(table), *inner, *(one for owner in (*houses, *inner, *table.walls) for one in owner.openings)]
        assert all(piece.id and piece.id == piece.id.lower() and " " not in piece.id for piece in named)
        assert 25 <= len(pieces(table)) <= 80
        assert table.name == f"{theme}-{seed}"


def test_themes_have_their_marks() -> None:
    assert THEMES == ("village", "compound", "wood", "industrial", "street")
    for seed in range(10):
        kinds = {theme: {area.kind for area in made(theme, seed).areas} for theme in THEMES}
        assert "stalls" in kinds["village"]
        assert "shallows" in kinds["wood"]
        assert "rails" in kinds["industrial"]
        assert {house.material for house in made("compound", seed).buildings} == {"mud"}
        assert max(house.levels for house in made("street", seed).buildings) >= 2
        assert sum(thing.kind == "container" for thing in made("industrial", seed).things) >= 5


@pytest.mark.parametrize("size", [(30.0, 30.0), (36.0, 60.0), (72.0, 48.0), (48.25, 40.5)])
@pytest.mark.parametrize("theme", THEMES)
def test_other_sizes(theme: str, size: tuple[float, float]) -> None:
    table = generate(theme, 7, size)
    assert table.size == size
    assert faults(table) == []
    assert covered(table) >= 0.3


# The same on every machine --------------------------------------------------------------------------------------------

DIGESTS = {
    "village": "57dddd9f58ea",
    "compound": "12e3236ff3ab",
    "wood": "7908f9da5aaa",
    "industrial": "4a5c85bb0245",
    "street": "90d83eece2e2",
}


@pytest.mark.parametrize("theme", THEMES)
def test_a_seed_is_a_table(theme: str) -> None:
    """If a layout is changed on purpose, write the new digests here."""
    table = generate(theme, 1)
    assert table == made(theme, 1)
    assert table != made(theme, 2)
    assert sha256(msgspec.json.encode(table, order="deterministic")).hexdigest()[:12] == DIGESTS[theme]


# Its measures ---------------------------------------------------------------------------------------------------------


def test_covered() -> None:
    house = Building(rect=(0.0, 0.0, 24.0, 24.0))
    assert covered(Map()) == 0
    assert covered(Map(buildings=(house,))) == pytest.approx(0.25)
    assert covered(Map(buildings=(house,), hills=(Hill(rect=(12.0, 0.0, 36.0, 24.0), height=1.0),))) == pytest.approx(0.375)
    assert covered(Map(areas=(Area(kind="road", rect=(0.0, 0.0, 24.0, 24.0)),))) == 0
    assert covered(Map(walls=(Wall(line=(0.0, 24.0, 48.0, 24.0)),))) == pytest.approx(0.5 / 48)


def test_what_nobody_can_walk_to_is_found() -> None:
    ring = (10.0, 10.0, 20.0, 10.0, 20.0, 20.0, 10.0, 20.0, 10.0, 10.0)
    assert is_open(Map(), 6.0)
    assert not is_open(Map(walls=(Wall(line=ring),)), 6.0)
    assert is_open(Map(walls=(Wall(line=ring, openings=(Opening(kind="gap", at=(15.0, 10.0)),)),)), 6.0)
    assert is_open(Map(walls=(Wall(line=ring, material="hedge"),)), 6.0)
    assert not is_open(Map(walls=(Wall(line=(0.0, 24.0, 48.0, 24.0)),)), 6.0)
    assert not is_open(Map(buildings=(Building(rect=(10.0, 10.0, 16.0, 16.0)),)), 6.0)
    small = Building(rect=(10.0, 10.0, 10.75, 16.0), openings=(Opening(at=13.0, side="E"),))
    assert not is_open(Map(buildings=(small,)), 6.0)
    shut_off = Area(kind="water", rect=(0.0, 20.0, 48.0, 22.0))
    assert not is_open(Map(areas=(shut_off,)), 6.0)


def test_wrong_calls() -> None:
    with pytest.raises(WardogsError, match=r"unknown theme vilage: did you mean village\?"):
        generate("vilage", 1)
    for size in ((29.0, 48.0), (48.0, 121.0), (float("nan"), 48.0)):
        with pytest.raises(WardogsError, match="both sides must be 30 to 120"):
            generate("wood", 1, size)
