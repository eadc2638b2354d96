"""A map made ready: once per map, with its faces in order."""

from __future__ import annotations

import gc
from fractions import Fraction

import pytest
from msgspec.structs import replace

from tests.table import exact
from tests.table.tables import L_SHAPE, U_SHAPE, table
from wardogs.kernel.errors import WardogsError
from wardogs.table.faces import faces_of, without_holes
from wardogs.table.kinds import Kind
from wardogs.table.model import Area, Building, Hill, Map, Opening, Slope, Stairs, Thing, Wall
from wardogs.table.shapes import Ring, area2, convex_parts, is_convex, outline, ring_of
from wardogs.table.sight import sees
from wardogs.table.terrain import FULL, MOST_KINDS, Terrain, solid_row

WALL = Map(walls=(Wall(id="w", line=(1, 1, 5, 1)),))


def test_a_map_has_one_terrain() -> None:
    assert Terrain.of(WALL) is Terrain.of(WALL)


def test_a_changed_map_has_another() -> None:
    kept = Terrain.of(WALL)
    changed = replace(WALL, walls=())
    assert Terrain.of(changed) is not kept
    assert (len(Terrain.of(changed).panels), len(kept.panels)) == (0, 1)


def test_a_terrain_goes_with_its_map() -> None:
    """None is kept for a map that has gone, even if a new one gets its place in memory."""
    for seed in range(50):
        made = table(seed)
        assert Terrain.of(made).map is made
        del made
        gc.collect()


def test_a_map_without_pieces() -> None:
    terrain = Terrain(Map())
    assert (terrain.panels, terrain.solids, terrain.kinds, terrain.hiding) == ((), (), (), 0)
    assert sees(terrain, (1.0, 1.0, 1.0), (40.0, 40.0, 0.0))


def many_kinds(count: int) -> Map:
    kinds = {f"k{n}": Kind(says=f"kind {n}") for n in range(count)}
    return Map(name="babel", kinds=kinds, walls=tuple(Wall(line=(1, n / 2, 2, n / 2), material=f"k{n}") for n in range(count)))


def test_sixty_kinds_are_told_apart() -> None:
    terrain = Terrain(many_kinds(MOST_KINDS))
    assert not sees(terrain, (1.5, 29.4, 1.0), (1.5, 29.6, 1.0)), "the last bit hides too"


def test_sixty_one_kinds_are_refused() -> None:
    with pytest.raises(WardogsError, match="babel: 61 kinds of terrain: a map may use 60; use fewer"):
        Terrain(many_kinds(MOST_KINDS + 1))


def test_bits_by_class() -> None:
    terrain = Terrain(Map(walls=(Wall(line=(1, 1, 5, 1)), Wall(line=(1, 2, 5, 2), material="glass"))))
    assert terrain.kinds == ("stone", "glass")
    assert (terrain.hiding, terrain.cover_bits) == (0b01, (0, 0b10, 0, 0b01, 0))


def test_just_as_much_as_one_sees_through_is_full() -> None:
    solid = Terrain(Map(areas=(Area(kind="woods", rect=(0, 0, 4, 4)),))).solids[0]
    row = solid_row(solid, Kind(sight="thin", see_through=4.0, min_depth=0.5))
    assert row[6:9] == [500, FULL / 4000, 0]
    assert solid_row(solid, Kind(sight="smoke", see_through=4.0))[6:9] == [1, 0, FULL / 4000]


def test_a_hair_of_see_through_is_no_crash() -> None:
    kinds = {"fog": Kind(sight="smoke", height=1.0, see_through=0.0004)}
    assert Terrain(Map(kinds=kinds, areas=(Area(kind="fog", rect=(0, 0, 4, 4)),))).arrays


# Faces ----------------------------------------------------------------------------------------------------------------


def test_a_wall_is_cut_by_its_window() -> None:
    window = Opening(id="pane", kind="window", at=(3, 1), material="glass")
    (faces,) = faces_of(Map(walls=(Wall(line=(1, 1, 5, 1), openings=(window,)),)))
    assert [(p.a, p.b, p.bottom, p.top, p.kind) for p in faces.panels] == [
        ((1000, 1000), (2500, 1000), 0, 2000, "stone"),
        ((2500, 1000), (3500, 1000), 0, 600, "stone"),
        ((2500, 1000), (3500, 1000), 1600, 2000, "stone"),
        ((2500, 1000), (3500, 1000), 600, 1600, "glass"),
        ((3500, 1000), (5000, 1000), 0, 2000, "stone"),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(0, 400, 40))
def test_no_panel_is_a_mere_point_or_upside_down(seed: int) -> None:
    for number in range(seed, seed + 40):
        for panel in Terrain(table(number)).panels:
            assert panel.a != panel.b
            assert panel.bottom < panel.top


def test_each_way_up_a_slope() -> None:
    """A level ray, an inch up a slope of two, runs through its higher half."""
    for up, eye, point in (("E", (0, 2), (9, 2)), ("W", (0, 2), (9, 2)), ("N", (2, 0), (2, 9)), ("S", (2, 0), (2, 9))):
        solid = Terrain(Map(slopes=(Slope(rect=(1, 1, 5, 5), up=up, height=2.0),))).solids[0]  # type: ignore[arg-type]
        ends = ((1000 * eye[0], 1000 * eye[1], 1000), (1000 * point[0], 1000 * point[1], 1000))
        assert exact.shared(solid.parts[0], exact.Ray(*ends)) == (
            (Fraction(3, 9), Fraction(5, 9)) if up in "EN" else (Fraction(1, 9), Fraction(3, 9))
        )


def shapes() -> list[Ring]:
    pieces = [piece for seed in range(200) for piece in (*table(seed).areas, *table(seed).hills)]
    rings = [ring_of(outline(piece)) for piece in pieces]
    return [ring_of(L_SHAPE), ring_of(U_SHAPE), *(ring for ring in rings if not is_convex(ring))]


def test_the_parts_of_a_notched_outline_make_up_the_whole() -> None:
    found = shapes()
    assert len(found) > 50
    for ring in found:
        parts = convex_parts(ring)
        assert all(area2(part) > 0 and is_convex(part) for part in parts)
        assert sum(area2(part) for part in parts) == area2(ring)


def test_a_floor_lacks_just_its_hole() -> None:
    ring = ring_of(((0, 0), (4, 0), (4, 4), (0, 4)))
    parts = without_holes(ring, [((2.0, 2.0), 1.0)])
    assert sum(area2(part) for part in parts) == area2(ring) - 2 * 1000 * 1000


def test_one_looks_up_through_the_stairs() -> None:
    house = Building(rect=(0, 0, 4, 4), levels=2, stairs=(Stairs(at=(2, 2)),))
    terrain = Terrain(Map(buildings=(house,)))
    assert sees(terrain, (2.0, 2.0, 1.0), (2.0, 2.0, 3.0))
    assert not sees(terrain, (1.0, 1.0, 1.0), (1.0, 1.0, 3.0))
    assert not sees(terrain, (2.0, 2.0, 3.0), (2.0, 2.0, 5.0)), "the roof has no hole"


def test_a_fallen_house_is_rubble() -> None:
    house = Building(id="mill", rect=(0, 0, 4, 4), levels=2, standing=0)
    terrain = Terrain(Map(buildings=(house,)))
    assert (terrain.panels, [solid.says for solid in terrain.solids]) == ((), ["the rubble of mill"])


def test_pieces_come_in_the_order_of_the_map() -> None:
    made = Map(hills=(Hill(rect=(1, 1, 2, 2), height=1.0),), walls=WALL.walls, things=(Thing(kind="crates", at=(4, 4)),))
    assert Terrain(made).kinds == ("stone", "earth", "crates")
