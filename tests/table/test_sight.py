"""Sight by example: a man at (8, 6) who faces west, seen from (2, 6)."""

from __future__ import annotations

from math import hypot
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from tests.table.tables import L_SHAPE
from wardogs.kernel.errors import WardogsError
from wardogs.table.bodies import BASE, Body, Hull, Model, eye_of, facing_of, figures, pose, samples
from wardogs.table.compiled import blank, floats
from wardogs.table.kinds import Kind
from wardogs.table.model import Area, Building, Hill, Map, Opening, Slab, Wall
from wardogs.table.sight import Seen, crossings, in_the_way, look, look_many, sees, trace
from wardogs.table.terrain import Terrain
from wardogs.table.units import Inches, Place, Spot, inches, spot, thou

EYE = (2.0, 6.0, 1.1)
MAN = Body(id="man", at=(8.0, 6.0, 0.0), facing=180.0)
TRUCK = Hull(id="truck", at=(9.0, 6.0, 0.0))
LOW_WALL = Map(walls=(Wall(line=(7, 0, 7, 12), height=0.6),))
HALF_WALL = Map(walls=(Wall(line=(7, 0, 7, 6)),))
LIMBS = ["head", "chest", "stomach", "abdomen", "right leg", "left leg", "right arm", "left arm"]


def seen(table: Map, target: Body | Hull = MAN, eye: Place = EYE, skip: Inches = 0.0) -> Seen:
    return look(Terrain.of(table), eye, target, skip)


def spy(table: Map, far: Inches = 8.0, height: Inches = 1.0) -> bool:
    """Can a level look along y = 6, from x = 2, see as far as that?"""
    return sees(Terrain.of(table), (2.0, 6.0, height), (far, 6.0, height))


def area(kind: str, deep: Inches, **more: Any) -> Map:
    """A belt across the look, from x = 3."""
    return Map(areas=(Area(kind=kind, rect=(3, 0, 3 + deep, 12)),), **more)


def window(**more: Any) -> Map:
    return Map(walls=(Wall(line=(7, 0, 7, 12), openings=(Opening(kind="window", at=(7, 6), width=2, **more),)),))


def lines(*groups: tuple[str, list[str]]) -> dict[str, str]:
    return {name: says for says, names in groups for name in names}


def told(look: Seen) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in look.explain())


# In words -------------------------------------------------------------------------------------------------------------


def test_on_an_empty_table_all_is_clear() -> None:
    assert told(seen(Map())) == dict.fromkeys([*LIMBS, "base"], "clear")


def test_a_low_wall_hides_legs_and_base() -> None:
    legs = ["right leg", "left leg", "base"]
    clear = [name for name in LIMBS if name not in legs]
    assert told(seen(LOW_WALL)) == lines(("hidden by the low stone wall (hard)", legs), ("clear", clear))


def test_who_lies_behind_it_is_gone() -> None:
    prone = seen(LOW_WALL, replace(MAN, stance="prone"))
    assert set(told(prone).values()) == {"hidden by the low stone wall (hard)"}
    assert not prone.any


def test_half_a_figure_is_counted() -> None:
    words = told(seen(HALF_WALL))
    assert words["chest"] == "6 of 12 hidden by the stone wall (hard)"
    assert words["left leg"] == "hidden by the stone wall (hard)"
    assert words["right leg"] == "clear"


def test_left_is_the_figures_own_left() -> None:
    """Turned about, it hides the other leg."""
    words = told(seen(HALF_WALL, replace(MAN, facing=0.0)))
    assert (words["left leg"], words["right leg"]) == ("clear", "hidden by the stone wall (hard)")


def test_two_reasons_in_one_line() -> None:
    table = replace(HALF_WALL, areas=(Area(kind="bushes", rect=(4, 0, 5, 12), height=3.0),))
    hidden, covered = "hidden by the bushes and the stone wall (hard)", "behind the bushes (soft)"
    assert told(seen(table))["head"] == f"2 of 4 {covered} and 2 of 4 {hidden}"


def test_things_are_called_by_their_names() -> None:
    table = Map(walls=(Wall(line=(7, 0, 7, 12), height=0.6, name="Ann's fence"),))
    assert told(seen(table))["base"] == "hidden by Ann's fence (hard)"


def test_a_house_is_named_too() -> None:
    barn = Building(id="barn", rect=(4, 4, 7, 8), openings=(Opening(at=6.0, side="W"), Opening(at=6.0, side="E", state="open")))
    table = Map(buildings=(barn,))
    assert told(seen(table))["head"] == "hidden by the shut door (hard)"
    assert told(seen(table, eye=(2.0, 5.0, 1.1)))["head"] == "hidden by the wall of barn (hard)"
    assert told(seen(table, eye=(5.0, 6.0, 1.1)))["head"] == "clear"


def test_what_is_skipped_is_not_blamed() -> None:
    """The wood round the eye was left out, so it is no reason."""
    table = replace(LOW_WALL, areas=(Area(kind="woods", rect=(0, 0, 4, 12)),))
    assert told(seen(table, skip=4.0))["base"] == "hidden by the low stone wall (hard)"


# In figures -----------------------------------------------------------------------------------------------------------


def test_shares() -> None:
    low = seen(LOW_WALL)
    assert (low.visible(), low.clear(), low.behind("soft"), low.behind("hard")) == (40 / 56, 40 / 56, 16 / 56, 16 / 56)
    assert low.behind("prepared") == 0


def test_the_base_is_apart() -> None:
    """It counts only where it is asked for."""
    low = seen(LOW_WALL)
    assert (low.visible([BASE]), low.visible(["head"]), low.visible(["head", BASE])) == (0, 1, 4 / 12)
    assert BASE not in [part.name for part in low.body]
    assert low.part(BASE).hidden == low.part(BASE).samples == 8


def test_a_part_that_it_has_not_is_refused() -> None:
    with pytest.raises(WardogsError, match="wing"):
        seen(Map()).part("wing")


def test_glass_covers_but_does_not_hide() -> None:
    glazed, bare = seen(window(material="glass")), seen(window())
    assert told(glazed)["head"] == "behind the shut window (soft)"
    assert glazed.visible() == bare.visible() == 40 / 56
    assert (glazed.clear(), bare.clear(), glazed.behind("soft")) == (0, 40 / 56, 1)


@pytest.mark.parametrize(("state", "says"), [("open", "clear"), ("barred", "clear"), ("gone", "clear"),
                                             ("barricaded", "hidden by the barricaded window (hard)")])  # fmt: skip
def test_states_of_a_window(state: str, says: str) -> None:
    assert told(seen(window(state=state, material="glass")))["head"] == says


def test_a_vehicle_behind_a_low_wall() -> None:
    hull_down = seen(LOW_WALL, TRUCK)
    assert told(hull_down) == {"lower hull": "hidden by the low stone wall (hard)", "upper hull": "clear"}
    assert hull_down.visible() == 0.5
    assert seen(Map(), TRUCK).visible() == 1


def test_a_vehicle_shows_the_sides_that_face_the_eye() -> None:
    """From ahead one side, from a corner two, from above all four."""
    ends = [seen(Map(), TRUCK, eye).points for eye in (EYE, (2.0, 2.0, 1.0), (9.0, 6.0, 5.0))]
    assert [len({float(x) for x in points[::3]}) for points in ends] == [1, 6, 8]


# In the way -----------------------------------------------------------------------------------------------------------


def test_other_models_in_the_way() -> None:
    near, aside = Body(id="near", at=(5.0, 6.0, 0.0)), Body(id="aside", at=(5.0, 9.0, 0.0))
    others: list[Model] = [near, aside, replace(TRUCK, at=near.at)]
    found = in_the_way(EYE, seen(Map()).points, others)
    assert set(found) == {"near", "truck"}
    assert found["near"] == tuple(range(64))
    assert 0 < len(found["truck"]) < 64, "one sees the head over the hull"


def test_more_models_than_bits() -> None:
    crowd = [Body(id=f"m{k}", at=(5.0, 6.0, 0.0)) for k in range(130)]
    assert len(in_the_way(EYE, seen(Map()).points, crowd)) == 130


def test_a_model_that_is_touched_is_not_in_the_way() -> None:
    points = floats([8000, 6000, 500])
    assert in_the_way((2.0, 6.0, 0.5), points, [Body(id="m", at=(5.0, 6.5, 0.0))]) == {}
    assert in_the_way((2.0, 6.0, 0.5), points, [Body(id="m", at=(5.0, 6.499, 0.0))]) == {"m": (0,)}


# Depth ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "deep"), [("woods", 4), ("bushes", 3), ("orchard", 6), ("smoke", 2), ("fire", 1)])
def test_one_sees_through_just_so_much(kind: str, deep: int) -> None:
    table = area(kind, deep, size=(48.0, 12.0))
    assert spy(table, far=20.0)
    assert not spy(area(kind, deep + 0.001), far=20.0)


@pytest.mark.parametrize("deep", [2.9, 5.8, 11.6, 0.021, 7.0])
def test_so_does_one_through_odd_depths(deep: Inches) -> None:
    mist = {"mist": Kind(sight="smoke", height=3.0, see_through=deep)}
    assert spy(area("mist", deep, kinds=mist), far=20.0)
    assert not spy(area("mist", deep + 0.001, kinds=mist), far=20.0)


@pytest.mark.parametrize("deep", [5.5, 0.9, 1.7, 3.3])
def test_depths_add_up(deep: Inches) -> None:
    """Cut in two anywhere, it is as deep as before."""
    mist = {"mist": Kind(sight="smoke", height=3.0, see_through=deep)}
    for cut in range(1, thou(deep), 7):
        first, last = (Area(kind="mist", rect=rect) for rect in ((3, 0, 3 + cut / 1000, 12), (3 + cut / 1000, 0, 3 + deep, 12)))
        assert spy(Map(areas=(first, last), kinds=mist), far=20.0), cut


def test_leaves_and_smoke_are_counted_apart() -> None:
    wood, smoke = Area(kind="woods", rect=(3, 0, 7, 12)), Area(kind="smoke", rect=(3, 0, 5, 12))
    assert spy(Map(areas=(wood, smoke)))
    assert not spy(Map(areas=(wood, smoke, replace(smoke, rect=(5, 0, 5.001, 12)))))


def test_two_kinds_of_leaves_add_up() -> None:
    """Half of what hides of one and half of what hides of the other."""
    wood, bushes = Area(kind="woods", rect=(3, 0, 5, 12)), Area(kind="bushes", rect=(5, 0, 6.5, 12))
    assert spy(Map(areas=(wood, bushes)), height=0.5)
    assert not spy(Map(areas=(wood, replace(bushes, rect=(5, 0, 6.501, 12)))), height=0.5)


def test_a_wood_that_is_never_too_deep_covers_for_ever() -> None:
    nets = {"nets": Kind(sight="thin", cover="soft", height=3.0)}
    assert spy(area("nets", 20.0, kinds=nets), far=30.0)
    assert seen(area("nets", 4.0, kinds=nets)).behind("soft") == 1


def test_a_depth_that_ends_in_a_half_is_rounded_up_from_both_ends() -> None:
    """Rays of 3, 4, 5: a belt of 4n + 2 thous is 5n + 2.5 deep, whatever the floats make of it."""
    for n in range(1, 300):
        terrain = Terrain(Map(areas=(Area(kind="woods", rect=(3, 0, 3.002 + 0.004 * n, 12)),)))
        for shift in (0, 7, 1001):
            eye, point = (400 + shift, 100, 1000), (8400 + shift, 6100, 1000)
            assert leaves(terrain, eye, point) == leaves(terrain, point, eye) == 3000 * (5 * n + 3)


def leaves(terrain: Terrain, eye: Spot, point: Spot) -> float:
    x, y, z = (inches(part) for part in eye)
    return float(trace(terrain, [(x, y, z)], [0, 1], floats(point))[1][0])


def test_rubble_counts_from_an_inch_on() -> None:
    assert spy(area("rubble", 0.999), height=0.2)
    assert not spy(area("rubble", 1.0), height=0.2)


def test_touching_the_corner_of_a_solid_is_no_depth() -> None:
    table = Map(hills=(Hill(rect=(3, 3, 5, 5), height=1.0),))
    assert sees(Terrain.of(table), (4.0, 6.0, 0.5), (6.0, 4.0, 0.5))
    assert not sees(Terrain.of(table), (3.998, 6.0, 0.5), (5.998, 4.0, 0.5))


def test_touching_the_end_of_a_wall_is_a_stop() -> None:
    terrain = Terrain.of(HALF_WALL)
    assert not sees(terrain, (6.0, 6.0, 1.0), (8.0, 6.0, 1.0))
    assert sees(terrain, (6.0, 6.001, 1.0), (8.0, 6.001, 1.0))
    assert not sees(terrain, (6.0, 5.0, 2.0), (8.0, 5.0, 2.0)), "its top too"
    assert sees(terrain, (6.0, 5.0, 2.001), (8.0, 5.0, 2.001))


def test_two_walls_that_meet_leave_no_crack() -> None:
    table = Map(walls=(Wall(line=(7, 0, 7, 6)), Wall(line=(7, 6, 9, 8))))
    assert not spy(table)


def test_straight_up_the_rim_of_a_round_tower_is_as_straight_up_the_side_of_a_square_one() -> None:
    up = ((5.0, 4.0, 0.0), (5.0, 4.0, 1.0))
    square, tower = Map(hills=(Hill(rect=(3, 3, 5, 5), height=1.0),)), Map(hills=(Hill(circle=(4, 4, 1), height=1.0),))
    assert sees(Terrain.of(tower), *up) == sees(Terrain.of(square), *up)


def test_a_slab_hides_what_is_above_it() -> None:
    terrain = Terrain.of(Map(slabs=(Slab(rect=(3, 3, 9, 9), z=2.0),)))
    assert not sees(terrain, (5.0, 5.0, 1.0), (5.0, 5.0, 3.0))
    assert sees(terrain, (5.0, 5.0, 1.0), (7.0, 5.0, 1.8))


def test_a_slit_of_a_thou_hides_nothing_elsewhere() -> None:
    """Rounded to the grid such a window has no width at all."""
    slit = Wall(line=(0, 3, 6, 3), openings=(Opening(kind="window", at=(3, 3), width=0.001, material="glass"),))
    far_off = floats([4000, 10_000, 700])
    assert crossings(Terrain.of(Map(walls=(slit,))), (2.0, 10.0, 0.5), far_off) == ()


@pytest.mark.xfail(reason="a ray along the cut between two parts of a solid is counted in both", strict=True)
def test_a_wood_with_a_notch_is_as_deep_on_the_diagonal_as_beside_it() -> None:
    terrain = Terrain.of(Map(areas=(Area(kind="woods", polygon=L_SHAPE),)))
    assert sees(terrain, (-1.0, -1.001, 1.0), (3.0, 2.999, 1.0))
    assert sees(terrain, (-1.0, -1.0, 1.0), (3.0, 3.0, 1.0))


# The wood round the eye -----------------------------------------------------------------------------------------------


def test_from_inside_a_wood() -> None:
    assert told(seen(area("woods", 2.0), eye=(3.5, 6.0, 1.1)))["head"] == "behind the wood (soft)"
    assert seen(area("woods", 4.6), eye=(3.5, 6.0, 1.1)).visible() == 0


def test_skip_leaves_out_the_growth_next_to_the_eye() -> None:
    """An inch and a half of wood before the eye: skipped, it neither covers nor hides."""
    table, eye = area("woods", 2.0), (3.5, 6.0, 1.1)
    assert seen(table, eye=eye, skip=1.0).behind("soft") == 1
    assert seen(table, eye=eye, skip=1.6).clear() == 1


def test_skip_shortens_what_is_too_deep() -> None:
    table, eye = area("woods", 4.6), (3.0, 6.0, 1.1)
    assert [seen(table, eye=eye, skip=skip).visible() for skip in (0.0, 0.5, 1.0)] == [0, 0, 1]


def test_skip_is_for_leaves_only() -> None:
    assert seen(area("smoke", 2.5), eye=(3.0, 6.0, 1.1), skip=2.0).visible() == 0
    assert seen(LOW_WALL, skip=6.0).visible() == 40 / 56


@pytest.mark.xfail(reason="what never hides weighs nothing, and the kernel knows leaves by their weight", strict=True)
def test_skip_is_for_leaves_that_never_hide_too() -> None:
    nets = {"nets": Kind(sight="thin", cover="soft", height=3.0)}
    assert seen(area("nets", 2.0, kinds=nets), eye=(3.0, 6.0, 1.1), skip=3.0).clear() == 1


# Figures --------------------------------------------------------------------------------------------------------------


def posed(target: Body, eye: Place) -> Any:
    return look(Terrain.of(Map()), eye, target).points


@pytest.mark.parametrize("stance", figures())
def test_a_figure_stays_over_its_base(stance: str) -> None:
    rng = Random(3)
    for _ in range(300):
        at = (rng.randint(0, 9999) / 1000, rng.randint(0, 9999) / 1000, 0.0)
        eye = rng.choice((at, (at[0] + 0.001, at[1], 1.0), (rng.random() * 9, rng.random() * 9, 1.0)))
        points, (x, y, z) = posed(Body(at=at, facing=rng.random() * 360, stance=stance), eye), spot(at)
        assert max(hypot(px - x, py - y) for px, py in zip(points[::3], points[1::3], strict=True)) <= 500
        assert z < min(points[2::3])
        assert max(points[2::3]) < z + thou(figures()[stance].height)


@pytest.mark.parametrize("stance", figures())
def test_a_figure_has_64_samples_on_whole_thous(stance: str) -> None:
    points = [float(part) for part in posed(Body(at=(3.3, 4.4, 0.0), facing=33.0, stance=stance), EYE)]
    assert len(points) == 3 * 64
    assert points == [round(part) for part in points]


def test_compiled_and_plain_put_figures_in_the_same_places() -> None:
    """`py_func` is the undecorated function; without numba this compares it with itself."""
    rng = Random(5)
    fast: Any = pose
    plain = getattr(fast, "py_func", fast)
    for _ in range(300):
        body = Body(at=(0.0, 0.0, 0.0), facing=rng.choice((0.0, 45.0, 60.0, rng.random() * 360)), stance=rng.choice([*figures()]))
        shape, numbers = samples(body.stance), [float(rng.randint(0, 120_000)) for _ in range(5)]
        one, two = blank(3 * shape.size), blank(3 * shape.size)
        fast(*numbers, *facing_of(body), 500.0, shape.points, shape.size, one, 0)
        plain(*numbers, *facing_of(body), 500.0, shape.points, shape.size, two, 0)
        assert list(one) == list(two)


def test_no_looks_and_no_points() -> None:
    terrain = Terrain.of(LOW_WALL)
    assert look_many(terrain, []) == []
    masks, haze = trace(terrain, [EYE, EYE], [0, 0, 1], floats([8000, 6000, 100]))
    assert (list(masks), list(haze)) == ([1], [0, 0])
    hill = Terrain.of(Map(hills=(Hill(rect=(3, 3, 5, 5), height=1.0),)))
    assert crossings(hill, EYE, floats([])) == ()
    assert in_the_way(EYE, floats([]), [MAN, TRUCK]) == {}


def test_the_looker_is_never_in_his_own_way() -> None:
    looker, other = Body(id="a", at=(2, 6, 0)), Body(at=(5, 6, 0))
    seen = look(Terrain.of(Map(size=(12.0, 12.0))), eye_of(looker), Body(id="t", at=(8, 6, 0)))
    assert set(in_the_way(eye_of(looker), seen.points, [looker, other])) == {"model 1"}
