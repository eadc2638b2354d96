"""A look drawn: the right storey, the whole target, nothing under the beam, and crosses where rays are stopped."""

from __future__ import annotations

import pytest

from tests.table.test_picture import LOW_WALL, looks, texts, windows
from wardogs.scene.model import Area, Disc, Text
from wardogs.table.bodies import Body, Hull, eye_of
from wardogs.table.draw.section import hollows, way
from wardogs.table.lookout import drawn_rays, sight_scene
from wardogs.table.model import Area as Ground
from wardogs.table.model import Building, Map, Pit, Thing, Wall
from wardogs.table.sight import look
from wardogs.table.terrain import Terrain
from wardogs.table.units import Place

EYE = (4.0, 4.0, 1.5)


def test_the_target_is_on_the_plan_and_in_the_cut() -> None:
    tank = Hull(id="T", at=(18, 5, 0), size=(6, 3), facing=0)
    above, below = windows(sight_scene(LOW_WALL, EYE, tank))
    (hull,) = [mark for mark in above.marks if isinstance(mark, Area) and mark.look == "hull"]
    assert all(above.view[0] + 1 < x < above.view[2] - 1 and above.view[1] + 1 < y < above.view[3] - 1 for x, y in hull.points)
    (cut,) = [mark for mark in below.marks if isinstance(mark, Area) and mark.look == "hull"]
    assert max(x for x, _ in cut.points) < below.view[2] - 1


def test_the_cut_runs_through_the_middle_of_the_target() -> None:
    """Though the points that are looked at lie on its near side."""
    post = Map(size=(24, 24), things=(Thing(kind="container", at=(8, 4), size=(0.2, 0.2)),))
    along = windows(sight_scene(post, EYE, Hull(at=(16, 4, 0), size=(4, 2), facing=30)))[1]
    assert "the container" in {mark.says for mark in along.marks if isinstance(mark, Text)}
    assert "container" in looks(along.marks, Area)


TALL = Building(name="the mill", rect=(4, 4, 12, 10), levels=2)
MILL = Map(size=(24, 24), buildings=(TALL, Building(id="hut", rect=(16, 4, 20, 10))))


@pytest.mark.parametrize(
    ("eye", "feet", "heading", "look"),
    [
        ((1, 7, 1.1), (8, 7, 0), "PLAN", "floor"),
        ((1, 7, 1.1), (8, 7, 2), "PLAN, LEVEL 1 OF THE MILL", "floor"),
        ((1, 7, 1.1), (8, 7, 4), "PLAN, ROOF OF THE MILL", "roof"),
        ((8, 7, 5.1), (2, 7, 0), "PLAN, ROOF OF THE MILL", "roof"),
        ((8, 7, 5.1), (18, 7, 2), "PLAN, ROOF", "roof"),
        ((1, 7, 3.1), (14, 7, 2), "PLAN, LEVEL 1 OF THE MILL", "floor"),
    ],
)
def test_buildings_are_shown_where_the_beam_passes(eye: Place, feet: Place, heading: str, look: str) -> None:
    scene = sight_scene(MILL, eye, Body(at=feet))
    assert heading in texts(scene)
    mill = [mark.look for mark in windows(scene)[0].marks if isinstance(mark, Area) and mark.points[0] == (4, 4)]
    assert mill == [look]


def test_no_name_lies_under_the_beam() -> None:
    crowd = tuple(Thing(kind="crates", name=f"crate {n}", at=(6 + n, 8)) for n in range(6))
    table = Map(size=(24, 16), things=crowd, walls=(Wall(line=(9, 2, 9, 14), height=0.5),))
    above = windows(sight_scene(table, (3, 8, 1.1), Body(at=(14, 8, 0))))[0]
    named = [mark for mark in above.marks if isinstance(mark, Text) and mark.says != "eye"]
    assert named
    assert all(abs(mark.at[1] - 8) > 0.2 for mark in named)


@pytest.mark.parametrize(
    ("kind", "skip", "far"), [("woods", 0.0, 10.0), ("woods", 2.0, 10.0), ("smoke", 0.0, 8.0), ("smoke", 4.0, 8.0)]
)
def test_haze_stops_a_ray_where_it_becomes_too_much(kind: str, skip: float, far: float) -> None:
    """Two inches before the haze begins: what a game leaves out around the eye, it leaves out of the wood only."""
    table = Map(size=(24, 10), areas=(Ground(kind=kind, rect=(6, 0, 15, 10)),))
    seen = look(Terrain.of(table), (4, 5, 1.1), Body(at=(20, 5, 0)), skip)
    stops = [stop for ray in drawn_rays(seen) if (stop := ray.stop)]
    assert len(stops) == len(seen.masks)
    assert all(far - 0.1 < x <= far for x, _, _ in stops)


def test_two_puffs_hide_together() -> None:
    puffs = tuple(Ground(kind="smoke", circle=(x, 5, 0.6)) for x in (8, 12))
    seen = look(Terrain.of(Map(size=(24, 10), areas=puffs)), (4, 5, 1.1), Body(at=(20, 5, 0)))
    middle = [ray.stop for ray in drawn_rays(seen) if ray.stop and abs(ray.end[1] - 5) < 0.01]
    assert middle
    assert all(12.1 < x < 12.21 for x, _, _ in middle)


def test_a_ditch_stops_rays_at_the_ground() -> None:
    table = Map(size=(24, 10), pits=(Pit(rect=(12, 2, 16, 8), depth=1),))
    seen = look(Terrain.of(table), (2, 5, 1), Body(at=(14, 5, -1), stance="prone"))
    assert {round(ray.stop[2], 9) for ray in drawn_rays(seen) if ray.stop} == {0}
    _, below = windows(sight_scene(table, (2, 5, 1), Body(at=(14, 5, -1))))
    (earth,) = [mark for mark in below.marks if isinstance(mark, Area) and mark.look == "cut_earth"]
    assert {(10, 0), (10, -1), (14, -1), (14, 0)} <= {(round(x, 6), round(z, 6)) for x, z in earth.points}


def test_the_deepest_of_two_ditches_counts() -> None:
    pits = (Pit(rect=(6, 2, 12, 8), depth=1), Pit(rect=(8, 2, 14, 8), depth=2))
    assert hollows(pits, way((2, 5), (20, 5), 0)) == [(4, 6, 1), (6, 10, 2), (10, 12, 2)]


def test_others_are_drawn_and_cover() -> None:
    """The one who looks is drawn too, but is in nobody's way."""
    who, man, far_off = Body(id="me", at=(4, 4, 0)), Body(id="A", at=(8, 4, 0)), Body(id="B", at=(8, 9, 0))
    scene = sight_scene(Map(size=(24, 12)), eye_of(who), Body(at=(12, 4, 0)), others=(man, far_off, who))
    above, below = windows(scene)
    assert {mark.label for mark in above.marks if isinstance(mark, Disc) and mark.look == "body"} == {"", "me", "A", "B"}
    assert {"A"} == {mark.says for mark in below.marks if isinstance(mark, Text)} - {"eye"}
    assert any("figure A" in said for said in scene.words)
    assert not any("me" in said.split() for said in scene.words[1:])


def test_what_the_cut_misses_is_drawn_in_outline() -> None:
    aside = Map(size=(24, 12), things=(Thing(kind="crates", at=(8, 4.3), size=(0.4, 0.4)),))
    assert looks(windows(sight_scene(aside, EYE, Body(at=(12, 4, 0))))[1].marks, Area).count("aside") == 1
