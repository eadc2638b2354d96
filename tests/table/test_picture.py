"""Pictures of the table: every piece is drawn, told, readable without colour, and the same every time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wardogs.kernel.errors import WardogsError
from wardogs.scene.model import Area, Disc, Gauge, Line, Mark, Piece, Point, Scene, Text, Window
from wardogs.scene.svg import svg
from wardogs.scene.terrain import LETTERS, STROKES, TERRAIN, TILES
from wardogs.scene.zoom import every
from wardogs.table import model
from wardogs.table.draw.ground import look_of
from wardogs.table.draw.section import section, way
from wardogs.table.draw.strokes import cloud, comb, heart, within
from wardogs.table.draw.tally import behind
from wardogs.table.kinds import shipped
from wardogs.table.model import Building, Hill, Map, Opening, Pit, Slope, Stairs, Thing, Wall
from wardogs.table.picture import Ray, body_mark, contact_sheet, plan, rays_scene, reach_scene, vehicle_mark, words

SAMPLE = msgspec.toml.decode((Path(__file__).parent / "sample_map.toml").read_bytes(), type=Map)
SVG = "{http://www.w3.org/2000/svg}"

EYE = (4.0, 4.0, 1.5)
LOW_WALL = Map(size=(24, 24), walls=(Wall(line=(8, 0, 8, 24), height=0.6),))
RAYS = [
    Ray((12.0, 4.0, 1.5), "clear", None, "head"),
    Ray((12.0, 4.2, 1.0), "covered", None, "body", "the low stone wall"),
    Ray((12.0, 4.0, 0.1), "hidden", (8.0, 4.0, 0.5), "legs", "the low stone wall"),
    Ray((12.0, 3.8, 0.1), "hidden", (8.0, 4.0, 0.5), "legs", "the low stone wall"),
]
COSTS = [((x + 0.5, y + 0.5), abs(x - 10.0) + abs(y - 10.0)) for x in range(24) for y in range(24)]
PATH = [(10.0, 10.0), (13.0, 14.0), (13.0, 15.0)]

SCENES = {
    "ground": lambda: plan(SAMPLE),
    "level 1": lambda: plan(SAMPLE, 1),
    "roofs": lambda: plan(SAMPLE, 2),
    "bare": lambda: plan(Map()),
    "rays": lambda: rays_scene(LOW_WALL, EYE, RAYS, "Rex at Fido"),
    "rays on the sample": lambda: rays_scene(SAMPLE, (24, 25, 3), [Ray((7, 14.5, 3), "clear")], "far"),
    "no rays": lambda: rays_scene(LOW_WALL, EYE, [], "Nothing"),
    "reach": lambda: reach_scene(LOW_WALL, (10, 10), COSTS, 1.0, PATH, 8, "Run"),
    "no reach": lambda: reach_scene(LOW_WALL, (10, 10), [], 1.0, [], 8, "Stuck"),
}  # fmt: skip


def marks(scene: Scene) -> list[Mark]:
    return list(every(scene.marks))


def looks(found: Iterable[Mark], kind: type) -> list[str]:
    return [mark.look for mark in found if isinstance(mark, kind) and isinstance(mark, Area | Line | Text | Disc)]


def texts(scene: Scene) -> list[str]:
    return [mark.says for mark in marks(scene) if isinstance(mark, Text)]


def points(mark: Mark) -> list[Point]:
    match mark:
        case Area() | Line():
            return list(mark.points)
        case Window():
            return [mark.at, (mark.at[0] + mark.size[0], mark.at[1] + mark.size[1])]
        case Disc() | Text() | Piece() | Gauge():
            return [mark.at]


def plan_of(scene: Scene) -> tuple[Mark, ...]:
    """The marks of the largest window."""
    return max((mark for mark in scene.marks if isinstance(mark, Window)), key=lambda mark: mark.size[0] * mark.size[1]).marks


def drawn(**pieces: object) -> tuple[Mark, ...]:
    return plan_of(plan(Map(size=(24, 24), **pieces)))  # type: ignore[arg-type]


# Every scene ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENES)
def test_well_formed_and_the_same_every_time(name: str) -> None:
    said = svg(SCENES[name]())
    assert said == svg(SCENES[name]())
    root = ElementTree.fromstring(said)
    own = {f"url(#{pattern.attrib['id']})" for pattern in root.iter(f"{SVG}pattern")}
    assert set(re.findall(r"url\([^)]*\)", said)) <= own
    assert not {"nan", "inf"} & set(re.findall(r"[a-z]+", " ".join(e.attrib.get("points", "") for e in root.iter())))


@pytest.mark.parametrize("name", SCENES)
def test_all_is_on_the_sheet(name: str) -> None:
    scene = SCENES[name]()
    for mark in scene.marks:
        for x, y in points(mark):
            assert -0.01 <= x <= scene.width + 0.01, mark
            assert -0.01 <= y <= scene.height + 0.01, mark


@pytest.mark.parametrize("name", SCENES)
def test_every_look_is_known(name: str) -> None:
    found = marks(SCENES[name]())
    assert set(looks(found, Area)) <= set(TERRAIN)
    assert set(looks(found, Line)) <= set(STROKES)
    assert set(looks(found, Text)) <= set(LETTERS)


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_plain_data(name: str) -> None:
    scene = SCENES[name]()
    assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene


# Kinds and covers without colour --------------------------------------------------------------------------------------


GROWTH = ("woods", "bushes", "crops", "orchard", "hedge", "grass")
GROUND = ("rubble", "water", "shallows", "swamp", "road", "rough", "rock", "ditch", "wreckage", "crates", "container")


@pytest.mark.parametrize("kind", [*GROWTH, *GROUND, "smoke", "gas", "fire"])
def test_each_kind_of_ground_has_its_own_pattern(kind: str) -> None:
    look = look_of(kind, shipped()[kind])
    assert look == kind
    assert TERRAIN[look].fill == f"url(#wardogs-{kind})"
    tile, ground = TILES[kind][4], TILES[kind][3]
    assert tile, "a tint alone is no pattern"
    assert [name for name, other in TILES.items() if (other[4], other[3]) == (tile, ground)] == [kind]


@pytest.mark.parametrize("kind", sorted(shipped()))
def test_every_shipped_kind_can_be_an_area(kind: str) -> None:
    area = model.Area(kind=kind, rect=(2, 2, 8, 8))
    assert set(looks(drawn(areas=(area,)), Area)) & set(TERRAIN) - {"tabletop"}


def test_walls_differ_by_height_and_by_cover() -> None:
    strokes = {look: stroke for look, stroke in STROKES.items() if look.startswith("wall_") and not look.endswith("_none")}
    assert len({(stroke.width, stroke.dash, stroke.core) for stroke in strokes.values()}) == len(strokes) == 12
    widths = [STROKES[f"wall_{height}_hard"].width for height in ("low", "chest", "high")]
    assert widths == sorted(set(widths))
    assert [STROKES[f"wall_high_{cover}"].dash == "" for cover in ("soft", "medium", "hard")] == [False, False, True]
    assert STROKES["wall_high_prepared"].core > 0


@pytest.mark.parametrize(
    ("height", "material", "look"),
    [(0.6, "stone", "wall_low_hard"), (0.7, "stone", "wall_chest_hard"), (1.2, "wood_fence", "wall_chest_soft"),
     (1.3, "sandbags", "wall_high_prepared"), (None, "sandbags", "wall_low_prepared"), (None, "stone", "wall_high_hard")],
)  # fmt: skip
def test_a_wall_is_drawn_by_its_height_and_cover(height: float | None, material: str, look: str) -> None:
    assert look in looks(drawn(walls=(Wall(line=(2, 2, 8, 2), height=height, material=material),)), Line)


# Openings and levels --------------------------------------------------------------------------------------------------


def wall_lines(found: Iterable[Mark]) -> list[Line]:
    return [mark for mark in found if isinstance(mark, Line) and mark.look.startswith("wall_")]


def house(*openings: Opening, **changes: object) -> Building:
    return msgspec.structs.replace(Building(id="house", rect=(4, 4, 12, 10), openings=openings), **changes)


def test_a_wall_stops_at_its_openings() -> None:
    door = Opening(at=8, side="S", width=2)
    lines = wall_lines(drawn(buildings=(house(door),)))
    assert len(lines) == 1
    assert {lines[0].points[0], lines[0].points[-1]} == {(9, 4), (7, 4)}


@pytest.mark.parametrize(("state", "swings", "leaves"), [("open", 1, 0), ("shut", 0, 1), ("locked", 0, 1), ("gone", 0, 0)])
def test_a_door_shows_its_state(state: model.State, swings: int, leaves: int) -> None:
    found = drawn(buildings=(house(Opening(at=8, side="S", state=state)),))
    assert (looks(found, Line).count("swing"), looks(found, Area).count("leaf")) == (swings, leaves)


def test_an_open_door_swings_in() -> None:
    found = drawn(buildings=(house(Opening(at=8, side="S", state="open")),))
    (sweep,) = [mark for mark in found if isinstance(mark, Line) and mark.look == "swing"]
    assert all(y >= 4 - 1e-9 for _, y in sweep.points)
    assert max(y for _, y in sweep.points) == pytest.approx(5)


def test_a_level_shows_its_own_walls_and_openings() -> None:
    upper = Wall(line=(8, 4, 8, 10), level=1, material="partition")
    tall = house(Opening(at=8, side="S", level=0, state="open"), levels=2, walls=(upper,), stairs=(Stairs(at=(5, 9)),))
    table = Map(size=(24, 24), buildings=(tall,))
    ground, first, roof = (plan_of(plan(table, level)) for level in (0, 1, 2))
    assert ["wall_high_soft" in looks(found, Line) for found in (ground, first, roof)] == [False, True, False]
    assert ["swing" in looks(found, Line) for found in (ground, first, roof)] == [True, False, False]
    assert ["steps" in looks(found, Area) for found in (ground, first, roof)] == [True, False, False]
    assert looks(roof, Area).count("roof") == 2, "faded below, and again above"
    assert plan(table) == plan(table, 0)


def test_above_the_ground_floor_the_rest_is_faded() -> None:
    assert "veil" not in looks(marks(plan(SAMPLE)), Area)
    found = looks(plan_of(plan(SAMPLE, 1)), Area)
    assert found.index("woods") < found.index("veil") < found.index("floor")


@pytest.mark.parametrize("level", [-1, 3])
def test_a_level_that_is_not_there(level: int) -> None:
    with pytest.raises(WardogsError, match=f"^Mill at the ford has no level {level}: choose from 0 .* to 2"):
        plan(SAMPLE, level)


# Ground ---------------------------------------------------------------------------------------------------------------


def test_heights_are_written() -> None:
    pieces = {"hills": (Hill(rect=(1, 1, 9, 9), height=1.5),), "pits": (Pit(rect=(12, 2, 14, 8), depth=0.75),)}
    slopes = (Slope(rect=(9, 3, 12, 6), up="W", height=1.25, base=0.25),)
    said = {mark.says for mark in drawn(slopes=slopes, **pieces) if isinstance(mark, Text)}
    assert {"1.5", "-0.75", "1.25", "0.25"} <= said


def test_hachures_point_down() -> None:
    """Out of a hill, into a pit."""
    for piece, inwards in ((Hill(rect=(4, 4, 10, 10), height=1), False), (Pit(rect=(4, 4, 10, 10), depth=1), True)):
        group = "pits" if inwards else "hills"
        (line,) = [mark for mark in drawn(**{group: (piece,)}) if isinstance(mark, Line) and mark.look in ("contour", "rim")]
        tips = [(x, y) for x, y in line.points if min(abs(x - 4), abs(x - 10), abs(y - 4), abs(y - 10)) > 1e-6]
        assert tips
        assert all((4 < x < 10 and 4 < y < 10) is inwards for x, y in tips)


def test_trees_stand_in_their_wood() -> None:
    wood = model.Area(kind="woods", polygon=((2, 2), (12, 2), (12, 12), (7, 6)))
    trees = [mark for mark in drawn(areas=(wood,)) if isinstance(mark, Disc) and mark.look == "tree"]
    assert len(trees) > 5
    assert all(within(wood.polygon or (), tree.at) for tree in trees)


def test_smoke_is_drawn_as_large_as_it_is() -> None:
    puff = model.Area(kind="smoke", circle=(10, 10, 3))
    (cloud_drawn,) = [mark for mark in drawn(areas=(puff,)) if isinstance(mark, Area) and mark.look == "smoke"]
    assert {round(dist(at, (10, 10)), 6) for at in cloud_drawn.points} == {3}


@pytest.mark.parametrize("kind", ["steel", "brick", "concrete"])
def test_a_block_of_building_material_looks_solid(kind: str) -> None:
    assert "block" in looks(drawn(areas=(model.Area(kind=kind, circle=(10, 10, 3), height=3),)), Area)


@pytest.mark.parametrize("level", [0, 1])
def test_fire_burns_under_the_walls(level: int) -> None:
    found = plan_of(plan(Map(size=(24, 24), buildings=(house(burning=True),)), level))
    after = found[max(n for n, mark in enumerate(found) if isinstance(mark, Area) and mark.look == "fire") :]
    assert {"wall_high_hard", "ground_line"} & set(looks(after, Line))


def test_a_thing_faces_somewhere() -> None:
    found = drawn(things=(Thing(kind="vehicle", at=(10, 10), size=(4, 2), facing=90),))
    (tick,) = [mark for mark in found if isinstance(mark, Line) and mark.look == "arrow"]
    assert tick.points[0] == pytest.approx((10, 12))
    assert tick.points[1][1] > 12


@given(st.lists(st.tuples(st.floats(0, 40), st.floats(0, 40)), min_size=3, max_size=8), st.floats(0.2, 3))
@settings(max_examples=60, deadline=None)
def test_outlines_of_any_shape_can_be_drawn(corners: list[Point], step: float) -> None:
    for drawn_line in (cloud(corners, step), comb((*corners, corners[0]), step, 0.3), (heart(corners),)):
        assert drawn_line
        assert all(-5 <= x <= 45 and -5 <= y <= 45 for x, y in drawn_line)


# Legend, labels, words ------------------------------------------------------------------------------------------------


def test_the_legend_lists_what_occurs_and_nothing_else() -> None:
    wood, kerb = model.Area(kind="woods", rect=(10, 10, 16, 16)), Wall(line=(2, 2, 8, 2), height=0.5)
    said = texts(plan(Map(size=(24, 24), walls=(kerb,), areas=(wood,))))
    assert {"wood", "low: up to 0.6", "hard cover", "WALLS BY HEIGHT"} <= set(said)
    assert not {"soft cover", "high: over 1.2", "OPENINGS", "WAYS AND PLACES", "zone", "hill"} & set(said)
    assert {"door, locked", "window, barred", "prepared cover", "wire", "stairs", "zone"} <= set(texts(plan(SAMPLE)))


def test_names_do_not_lie_on_each_other() -> None:
    twins = tuple(Thing(kind="crates", name=f"crate {n}", at=(12, 12)) for n in range(3))
    at = [mark.at for mark in drawn(things=twins) if isinstance(mark, Text) and mark.says.startswith("crate")]
    assert len(set(at)) == 3


def test_every_piece_has_a_sentence() -> None:
    said = words(SAMPLE)
    assert len(said) == 1 + len(model.pieces(SAMPLE))
    for piece, sentence in zip(model.pieces(SAMPLE), said[1:], strict=True):
        assert piece.name in sentence
        assert sentence.endswith(".")
    assert plan(SAMPLE).words == said


@pytest.mark.parametrize(
    "sentence",
    [
        "Wall 2 (park): stone, 1.1 high, from (4, 20) to (4, 26) to (10, 26); door: at (4, 23) (gone); gap: at (7, 26).",
        "Building 3 (the bunker): bunker wall, 1 level of 2, from (38, 8) to (43, 12); parapet 0.4 high; "
        "door: east at 10 (barred); window: west at 10; roof at 2.",
        "Building 4 (the ruin): brick, 2 levels of 2, from (32, 26) to (37, 31); fallen in, 0 left standing; on fire.",
        "Slope 1: rises from 0 to 1 towards the west, from (15, 12) to (20, 16).",
        "Thing 1 (lorry): vehicle, 3.4 by 1.6, 1 high, at (24, 21), facing 20 degrees.",
        "Zone 2 (hold): around (12, 32.5), radius 6.",
        "Area 4 (Gallows Wood): wood, 4 high, from (1, 38) to (12, 48), 6 corners.",
    ],
)
def test_words(sentence: str) -> None:
    assert sentence in words(SAMPLE)


# Models ---------------------------------------------------------------------------------------------------------------


def test_models_are_told_apart_without_colour() -> None:
    (standing,), (prone, bar) = body_mark((2, 2), 0.5, 90, "7", "red"), body_mark((2, 2), 0.5, None, "7", "red", prone=True)
    assert isinstance(standing, Disc)
    assert isinstance(prone, Disc)
    assert (standing.label, standing.angle, prone.angle) == ("7", 90, None)
    assert standing.look != prone.look
    assert isinstance(bar, Line)


def test_a_vehicle_is_true_to_size() -> None:
    hull, nose, seat = vehicle_mark((10, 10), (4, 2), 0, "3", "blue")
    assert isinstance(hull, Area)
    assert isinstance(nose, Line)
    assert isinstance(seat, Disc)
    assert {*hull.points} == {(12, 9), (12, 11), (8, 11), (8, 9)}
    assert max(nose.points) == (12, 10)


# Rays -----------------------------------------------------------------------------------------------------------------


def test_a_cut_shows_walls_with_sills_and_heads() -> None:
    hut = Building(rect=(6, 2, 10, 8), openings=(Opening(kind="window", side="W", at=4, material="glass"),), roof=False)
    table = Map(size=(24, 24), buildings=(hut,))
    cuts = [cut for cut in section(table, way((4, 4), (12, 4), 1)) if cut.thin]
    spans = sorted((round(cut.points[0][0], 3), cut.points[0][1], cut.points[1][1], cut.filling) for cut in cuts)
    assert spans == [(2, 0, 0.6, False), (2, 0.6, 1.6, True), (2, 1.6, 2, False), (6, 0, 2, False)]


def test_a_cut_shows_hills_slopes_and_discs() -> None:
    table = Map(
        size=(24, 24), hills=(Hill(rect=(6, 0, 8, 9), height=1),), slopes=(Slope(rect=(8, 0, 12, 9), up="W", height=1),),
        areas=(model.Area(kind="smoke", circle=(16, 4, 2)),),
    )  # fmt: skip
    cuts = {cut.says: {(round(x, 2), round(z, 2)) for x, z in cut.points} for cut in section(table, way((4, 4), (20, 4), 1))}
    assert cuts["the hill"] == {(2, 0), (4, 0), (4, 1), (2, 1)}
    assert cuts["the slope"] == {(4, 0), (8, 0), (4, 1)}
    assert cuts["the smoke"] == {(10, 0), (14, 0), (14, 3), (10, 3)}


def test_rays_differ_by_line_and_by_dot() -> None:
    scene = SCENES["rays"]()
    found = marks(scene)
    assert {"ray_clear", "ray_covered", "ray_hidden", "ray_beyond", "cross"} <= set(looks(found, Line))
    assert len({(STROKES[f"ray_{state}"].dash, STROKES[f"ray_{state}"].ink) for state in ("clear", "covered", "hidden")}) == 3
    assert {"open_dot", "full_dot"} <= set(looks(found, Disc))
    above, below = [mark for mark in scene.marks if isinstance(mark, Window)]
    assert above.view[2] - above.view[0] >= 8
    assert above.view[3] - above.view[1] >= 8
    assert "the low stone wall" in {mark.says for mark in below.marks if isinstance(mark, Text)}


def windows(scene: Scene) -> tuple[Window, Window]:
    above, below = [mark for mark in scene.marks if isinstance(mark, Window)]
    return above, below


def crosses(window: Window) -> list[Point]:
    """The middles of the crosses: each is two strokes."""
    strokes = [mark for mark in window.marks if isinstance(mark, Line) and mark.look == "cross"]
    return [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in (mark.points for mark in strokes[::2])]


@pytest.mark.parametrize("by", [0, 1])
def test_crosses_stand_before_the_wall(by: int) -> None:
    """And those of rays that are stopped at one place are one."""
    (cross,) = crosses(windows(SCENES["rays"]())[by])
    wall = 8.0 - (4.0 if by else 0.0)
    assert wall - 0.2 < cross[0] < wall - 0.05


def test_what_is_behind_fits_in_two_lines() -> None:
    assert behind(["the low wall"]) == ["low wall"]
    many = behind([f"the wall of the house of number {n}" for n in range(9)])
    assert len(many) == 2
    assert many[1].endswith("\u2026")


def test_rays_in_numbers_and_words() -> None:
    scene = SCENES["rays"]()
    assert scene.words == (
        "The eye is at (4, 4), 1.5 high.",
        "head: 1 clear.",
        "body: 1 covered; the low stone wall.",
        "legs: 2 hidden; the low stone wall.",
    )
    assert {"head", "body", "legs", "all", "WHAT IS SEEN OF IT"} <= set(texts(scene))


# Reach ----------------------------------------------------------------------------------------------------------------


def test_bands_cover_just_what_can_be_reached() -> None:
    scene = SCENES["reach"]()
    bands = [mark for mark in plan_of(scene) if isinstance(mark, Area) and mark.look.startswith("band_")]
    sizes = [(max(x for x, _ in band.points) - min(x for x, _ in band.points)) for band in bands]
    assert sum(sizes) == len([cost for _, cost in COSTS if cost <= 8])
    assert {band.look for band in bands} == {"band_0", "band_1", "band_2", "band_3"}
    shades = [float(TERRAIN[f"band_{n}"].opacity) for n in range(6)]
    assert shades == sorted(set(shades))


def test_the_path_has_its_length() -> None:
    scene = SCENES["reach"]()
    assert "6 inches" in texts(scene)
    assert scene.words[1] == "The path is 6 inches long: (10, 10) to (13, 14) to (13, 15)."
    assert {"2", "4", "6", "8", "0 to 2", "6 to 8"} <= set(texts(scene))


# Many maps ------------------------------------------------------------------------------------------------------------


def test_a_contact_sheet() -> None:
    said = contact_sheet([("one", SAMPLE), ("two", LOW_WALL), ("three", SAMPLE), ("four & more", Map(size=(30, 60)))], 3)
    root = ElementTree.fromstring(said)
    assert len(list(root.iter(f"{SVG}svg"))) == 1 + 4
    assert {"one", "two", "three", "four & more"} <= {text.text for text in root.iter(f"{SVG}text")}
    assert "GROUND" not in said
    _, _, width, height = (float(part) for part in root.attrib["viewBox"].split())
    for small in list(root.iter(f"{SVG}svg"))[1:]:
        assert -40 <= float(small.attrib["x"]) <= width
        assert float(small.attrib["width"]) / float(small.attrib["height"]) in (pytest.approx(1), pytest.approx(0.5))
    assert height < width
