"""Universal VTT: nothing that the format holds is lost on the way in and out, and nothing of ours on the way out and in."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from math import hypot, isclose
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError
from wardogs.table.check import faults
from wardogs.table.generate import THEMES, generate
from wardogs.table.kinds import Kind
from wardogs.table.model import Area, Building, Hill, Map, Opening, Pit, RoomName, Stairs, Thing, Wall, Zone
from wardogs.table.vtt import parse_vtt, read_vtt, write_vtt

FILES = sorted((Path(__file__).parents[1] / "data" / "vtt").glob("*.*vtt"))

FARM = Map(
    name="farm",
    size=(24.0, 18.5),
    kinds={"straw": Kind(sight="thin", cover="soft", move="slow", height=0.5, see_through=2.0)},
    buildings=(
        Building(id="barn", rect=(2.0, 3.0, 10.0, 9.0), levels=2,
                 openings=(Opening(id="barn-door", at=5.0, side="S", state="locked"), Opening(kind="window", at=6.0, side="E"),
                           Opening(kind="window", at=7.25, side="N", material="glass", level=1)),
                 walls=(Wall(line=(2.0, 6.0, 10.0, 6.0), material="partition", openings=(Opening(at=(7.0, 6.0), width=1.2),)),),
                 stairs=(Stairs(at=(3.0, 7.0)),), rooms=(RoomName(name="the stable", at=(3.0, 4.0)),)),
        Building(id="silo", polygon=((14.0, 11.0), (15.0, 10.0), (17.0, 10.0), (18.0, 12.0), (16.0, 14.0)),
                 openings=(Opening(at=(14.5, 10.5), level=0),)),
        Building(id="well", circle=(11.0, 12.0, 0.5), roof=False, standing=0),
    ),
    walls=(
        Wall(id="yard", line=(12.0, 1.0, 20.0, 1.0, 20.0, 6.0), openings=(Opening(kind="gap", at=(15.0, 1.0), width=2.0),)),
        Wall(id="hedge", line=(1.0, 11.0, 9.3, 11.7), material="hedge"),
        Wall(id="wire", line=(1.0, 15.0, 9.3, 15.0), material="wire"),
    ),
    areas=(
        Area(id="copse", kind="woods", circle=(20.0, 15.0, 2.0)),
        Area(id="boulder", kind="rock", rect=(11.0, 15.0, 12.0, 16.5)),
    ),
    hills=(Hill(id="knoll", rect=(0.0, 0.0, 1.5, 18.5), height=1.0),),
    pits=(Pit(rect=(21.0, 1.0, 23.0, 2.0), depth=0.5),),
    things=(Thing(id="cart", kind="vehicle", at=(13.0, 4.0), size=(2.0, 1.0), facing=30.0),),
    zones=(Zone(name="start", rect=(0.0, 0.0, 24.0, 1.0), side="attacker"),),
)  # fmt: skip


def said(table: Map, pixels: int | None = None) -> dict[str, Any]:
    data = json.loads(write_vtt(table, pixels))
    assert isinstance(data, dict)
    return data


def edited(table: Map, edit: Callable[[dict[str, Any]], object]) -> Map:
    """The map after another program has changed its file."""
    data = said(table)
    edit(data)
    return parse_vtt(json.dumps(data).encode(), "edited.uvtt")


def assert_same(one: Any, other: Any, where: str = "") -> None:
    """The same JSON, figures up to a millionth."""
    if isinstance(one, dict):
        assert sorted(one) == sorted(other), where
        for key in one:
            assert_same(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), where
        for k, (a, b) in enumerate(zip(one, other, strict=True)):
            assert_same(a, b, f"{where}[{k}]")
    elif isinstance(one, float | int) and not isinstance(one, bool):
        assert isclose(one, other, abs_tol=1e-6), where
    else:
        assert one == other, where


# The ten shapes -------------------------------------------------------------------------------------------------------


def test_there_are_ten_shapes() -> None:
    assert len(FILES) == 10


@pytest.mark.parametrize("scale", [1.0, 0.7, 5 / 3])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_in_and_out_loses_nothing(path: Path, scale: float) -> None:
    table = read_vtt(path, inches_per_square=scale)
    out = said(table)
    del out["wardogs"]
    assert_same(json.loads(path.read_bytes()), out)
    assert faults(table) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_imported_maps_come_back_equal(path: Path) -> None:
    table = read_vtt(path, 1.5, 2.5)
    assert parse_vtt(write_vtt(table), "again.uvtt") == table


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_low_walls_stay_lines_of_sight(path: Path) -> None:
    out = said(read_vtt(path, wall_height=0.5))
    assert_same(json.loads(path.read_bytes())["line_of_sight"], out["line_of_sight"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_keeping_is_plain_enough_for_toml(path: Path) -> None:
    assert "null" not in json.dumps(read_vtt(path).vtt).replace('"null"', "")


def test_where_things_come_to_lie() -> None:
    """The origin is taken off and y turned over."""
    table = read_vtt(next(path for path in FILES if path.stem == "offset-origin"), inches_per_square=2.0)
    assert table.size == (32.0, 24.0)
    assert table.name == "offset-origin"
    assert table.walls[0] == Wall(id="wall-1", line=(4.0, 20.0, 12.0, 20.0), height=2.0)
    crate, doorway = table.walls[2:]
    assert (crate.id, crate.material, crate.height, crate.line[:2]) == ("object-1", "crates", 1.0, (8.0, 15.0))
    assert doorway.line == (12.0, 20.0, 14.5, 20.0)
    assert doorway.openings == (Opening(id="door-1", at=(13.25, 20.0), width=2.5, state="shut"),)


def test_a_portal_on_a_wall_is_a_door_in_it() -> None:
    table = read_vtt(next(path for path in FILES if path.stem == "closed-rooms"))
    assert [len(wall.openings) for wall in table.walls] == [1, 1, 1]
    assert table.walls[1].openings == (Opening(id="door-2", at=(14.0, 14.0), width=1.0, state="open"),)


# Our maps -------------------------------------------------------------------------------------------------------------


def test_the_farm_is_sound() -> None:
    assert faults(FARM) == []


SEVENTY = {"format": 0.3, "resolution": {"pixels_per_grid": 70}}


@pytest.mark.parametrize("vtt", [{}, {"inches_per_square": 1.5}, {"file": SEVENTY}])
def test_our_maps_come_back_equal(vtt: dict[str, Any]) -> None:
    farm = replace(FARM, vtt=vtt)
    assert parse_vtt(write_vtt(farm), "farm.uvtt", inches_per_square=3.0) == farm


@pytest.mark.parametrize("theme", THEMES)
def test_generated_maps_come_back_equal(theme: str) -> None:
    table = generate(theme, 3)
    assert parse_vtt(write_vtt(table), "table.uvtt") == table


def test_what_a_flat_table_sees() -> None:
    data = said(FARM)
    ends = [(line[0]["x"], line[0]["y"], line[-1]["x"], line[-1]["y"]) for line in data["line_of_sight"]]
    assert (5.5, 15.5, 10, 13) in ends  # the barn, from its door to its window
    assert (12, 17.5, 14, 17.5) in ends  # the yard's wall, up to the gap
    assert (2, 12.5, 6.4, 12.5) in ends  # the partition
    assert len(ends) == 7
    assert len(data["objects_line_of_sight"]) == 4  # the ruined well, hedge, boulder, cart; neither wire nor wood
    closed = [(portal["position"]["x"], portal["position"]["y"], portal["closed"]) for portal in data["portals"]]
    assert closed == [(5, 15.5, True), (10, 12.5, False), (7, 12.5, True), (14.5, 8, True)]


def test_a_door_stands_in_its_gap() -> None:
    data = said(FARM)
    corners = {(p["x"], p["y"]) for line in data["line_of_sight"] for p in line}
    for portal in data["portals"]:
        assert {(end["x"], end["y"]) for end in portal["bounds"]} <= corners
        (a, b), at = portal["bounds"], portal["position"]
        assert isclose(hypot(a["x"] - at["x"], a["y"] - at["y"]), hypot(b["x"] - at["x"], b["y"] - at["y"]), abs_tol=1e-6)


def test_pixels_per_grid() -> None:
    assert said(FARM)["resolution"]["pixels_per_grid"] == 100
    assert said(FARM, 140)["resolution"]["pixels_per_grid"] == 140
    assert parse_vtt(write_vtt(FARM, 140), "x").vtt["file"]["resolution"]["pixels_per_grid"] == 140
    with pytest.raises(WardogsError, match="at least 1"):
        write_vtt(FARM, 0)


def test_the_same_bytes_every_time() -> None:
    assert write_vtt(FARM) == write_vtt(msgspec.convert(msgspec.to_builtins(FARM), Map))
    assert list(said(FARM))[:3] == ["format", "resolution", "line_of_sight"]


# Maps that another program has changed --------------------------------------------------------------------------------


def test_lights_from_elsewhere_are_kept() -> None:
    lamp = {"position": {"x": 1, "y": 2}, "range": 3}
    lit = edited(FARM, lambda data: data["lights"].append(lamp))
    assert replace(lit, vtt={}) == FARM
    assert said(lit)["lights"] == [lamp]


def test_a_moved_wall_wins_and_the_rest_stays() -> None:
    def move(data: dict[str, Any]) -> None:
        yard = next(line for line in data["line_of_sight"] if line[0] == {"x": 12, "y": 17.5})
        yard[0]["x"] = 11

    moved = edited(FARM, move)
    assert moved.buildings == FARM.buildings
    assert (moved.areas, moved.hills, moved.things) == (FARM.areas, FARM.hills, FARM.things)
    assert [wall.id for wall in moved.walls] == ["hedge", "wire", "wall-1", "wall-2"]
    assert moved.walls[2].line == (11.0, 1.0, 14.0, 1.0)
    assert faults(moved) == []


def test_a_new_wall_and_door_come_in() -> None:
    def build(data: dict[str, Any]) -> None:
        data["line_of_sight"].append([{"x": 13, "y": 9}, {"x": 18, "y": 9}])
        data["portals"].append({"bounds": [{"x": 14, "y": 9}, {"x": 15, "y": 9}], "closed": False})

    built = edited(FARM, build)
    assert replace(built, walls=FARM.walls, vtt={}) == FARM
    door = Opening(id="door-1", at=(14.5, 9.5), state="open")
    assert built.walls[3:] == (Wall(id="wall-1", line=(13.0, 9.5, 18.0, 9.5), height=2.0, openings=(door,)),)
    assert parse_vtt(write_vtt(built), "again") == built


def test_a_door_that_was_opened_elsewhere_is_open() -> None:
    opened = edited(FARM, lambda data: data["portals"][0].update(closed=False))
    barn, *others = FARM.buildings
    barn = replace(barn, openings=(replace(barn.openings[0], state="open"), *barn.openings[1:]))
    assert opened == replace(FARM, buildings=(barn, *others))


def test_a_house_whose_door_is_gone_falls_into_walls() -> None:
    bricked = edited(FARM, lambda data: data["portals"].pop(0))
    assert [piece.id for piece in bricked.buildings] == ["silo", "well"]
    assert len(bricked.walls) == len(FARM.walls) + 4 + 2  # four lines and the two portals that are left


def test_another_size_leaves_ours_aside() -> None:
    cropped = edited(FARM, lambda data: data["resolution"]["map_size"].update(y=30))
    assert (cropped.size, cropped.name, cropped.buildings, cropped.areas) == ((24.0, 30.0), "edited", (), ())


def test_a_door_moved_on_our_table_moves_its_portal() -> None:
    table = read_vtt(next(path for path in FILES if path.stem == "closed-rooms"))
    door = replace(table.walls[0].openings[0], at=(4.0, 18.0), state="open")
    moved = replace(table, walls=(replace(table.walls[0], openings=(door,)), *table.walls[1:]))
    first = said(moved)["portals"][0]
    assert (first["position"], first["closed"]) == ({"x": 4, "y": 2}, False)
    assert parse_vtt(write_vtt(moved), "again") == moved


# Any file -------------------------------------------------------------------------------------------------------------

figures = st.integers(0, 20_000_000).map(lambda n: n / 1_000_000)
spots = st.builds(lambda x, y: {"x": x, "y": y}, figures, figures)
coarse = st.builds(lambda x, y: {"x": x / 4, "y": y / 4}, st.integers(0, 80), st.integers(0, 80))
lines = st.lists(coarse | spots, min_size=2, max_size=6).filter(
    lambda line: all(hypot(a["x"] - b["x"], a["y"] - b["y"]) > 0.01 for a, b in pairwise(line))
)
doors = st.builds(
    lambda at, size, tall, closed: {
        "position": at, "bounds": [at, {"x": at["x"] + size * (not tall), "y": at["y"] + size * tall}], "rotation": 0.5,
        "closed": closed, "freestanding": tall,
    }, coarse, st.sampled_from([0.5, 1, 1.5]), st.booleans(), st.booleans())  # fmt: skip
files = st.builds(
    lambda sight, objects, portals, origin, pixels: {
        "format": 0.3, "resolution": {"map_origin": origin, "map_size": {"x": 22, "y": 23.25}, "pixels_per_grid": pixels},
        "line_of_sight": sight, "objects_line_of_sight": objects, "portals": portals, "image": "",
    },
    st.lists(lines, max_size=4), st.lists(lines, max_size=3), st.lists(doors, max_size=3), spots, st.integers(1, 300)
)  # fmt: skip


@given(files, st.sampled_from([1.0, 1.5, 0.3]))
def test_any_file_in_and_out(data: dict[str, Any], scale: float) -> None:
    table = parse_vtt(json.dumps(data).encode(), "any.uvtt", scale)
    out = said(table)
    del out["wardogs"]
    assert_same(data, out)
    assert parse_vtt(write_vtt(table), "again.uvtt") == table


# Wrong input ----------------------------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {"format": 0.3, "resolution": {"map_size": {"x": 20, "y": 10}, "pixels_per_grid": 70}, "image": ""}


def bad(**keys: Any) -> bytes:
    return json.dumps({**GOOD, **keys}).encode()


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "no JSON"),
        (b"[map]", "no JSON"),
        (b"\x89PNG\r\n", "no JSON"),
        (b'{"a": "\xff"}', "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b'{"resolution": {"map_size": {"x": NaN, "y": 1}}}', "no JSON"),
        (b"[]", "Expected `object`, got `array`"),
        (b'{"walls": []}', "missing required field `resolution`"),
        (b'{"a": 1e999}', "out of range"),
        (bad(resolution=5), "at `resolution`"),
        (bad(resolution={"map_size": {"x": "20", "y": 10}, "pixels_per_grid": 70}), "`str` - at `resolution.map_size.x`"),
        (bad(resolution={"map_size": {"x": 20, "y": 10}, "pixels_per_grid": 0}), "at `resolution.pixels_per_grid`"),
        (bad(resolution={"map_size": {"x": 20, "y": 0}, "pixels_per_grid": 70}), "20 x 0 squares: both must be over 0"),
        (bad(line_of_sight={"x": 1}), "at `line_of_sight`"),
        (bad(line_of_sight=[[[1, 2], [3, 4]]]), "at `line_of_sight[0][0]`"),
        (bad(line_of_sight=[[{"x": 1, "y": 1}, {"x": 2, "y": 1}], [{"x": 1, "y": 1}]]), "line_of_sight[1]: too few points"),
        (bad(line_of_sight=[[]]), "line_of_sight[0]: too few points"),
        (bad(objects_line_of_sight=[[{"x": 1, "y": 1}] * 3]), "objects_line_of_sight[0]: all points are the same"),
        (bad(line_of_sight=[[{"x": 1, "y": 1}, {"x": 1e300, "y": 1}]]), "line_of_sight[0][1] lies at 1e+300, 1"),
        (bad(portals=[{"position": {"x": 1, "y": 1}}]), "missing required field `bounds` - at `portals[0]`"),
        (bad(portals=[{"bounds": [{"x": 1, "y": 1}]}]), "length >= 2 - at `portals[0].bounds`"),
        (bad(portals=[{"bounds": [{"x": 1, "y": 1}] * 2}]), "portals[0].bounds: all points are the same"),
        (bad(portals=[{"bounds": [{"x": 1, "y": 1}] * 2, "closed": "yes"}]), "at `portals[0].closed`"),
        (bad(lights=[3]), "at `lights[0]`"),
        (bad(image=None), "at `image`"),
        (bad(wardogs=1), "got `int`: without its key wardogs"),
        (bad(wardogs={"map": {"size": [20, 10], "wall": [{"line": "x"}]}}), "at `wardogs.map.wall[0].line`"),
        (bad(wardogs={"map": {"size": [20, 10]}, "vtt": {"portals": 5}}), "at `vtt.portals`"),
        (bad(wardogs={"map": {"size": [20, 10], "wall": [{"line": [1, 1, 2, 2], "material": "stoen"}]}}), "did you mean stone"),
    ],
)  # fmt: skip
def test_wrong_files_are_one_clear_line(raw: bytes, says: str) -> None:
    with pytest.raises(WardogsError) as error:
        parse_vtt(raw, "maps/inn.uvtt")
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 1000


def test_a_map_too_large_says_what_would_fit() -> None:
    with pytest.raises(WardogsError, match=r"map.uvtt: 20 x 10 squares are 140 x 70 inches.*--inches-per-square 6 would fit"):
        parse_vtt(bad(), "map.uvtt", inches_per_square=7)
    with pytest.raises(WardogsError, match=r"--inches-per-square 0\.37 would fit"):
        parse_vtt(bad(resolution={"map_size": {"x": 320, "y": 10}, "pixels_per_grid": 70}), "map.uvtt")


@pytest.mark.parametrize(("scale", "height"), [(0.0, 2.0), (-1.0, 2.0), (float("nan"), 2.0), (1.0, 0.0), (1.0, 99.0)])
def test_wrong_scales(scale: float, height: float) -> None:
    with pytest.raises(WardogsError, match="must be over 0"):
        parse_vtt(bad(), "map.uvtt", scale, height)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.uvtt"):
        with pytest.raises(WardogsError, match="cannot be read"):
            read_vtt(path)


def test_a_byte_order_mark_is_passed_over() -> None:
    assert parse_vtt(b"\xef\xbb\xbf" + bad(), "map.uvtt").size == (20.0, 10.0)


def test_a_wrong_keeping_is_named() -> None:
    with pytest.raises(WardogsError, match=r"map farm: .*at `vtt.layers`"):
        write_vtt(replace(FARM, vtt={"layers": 3}))
    with pytest.raises(WardogsError, match=r"map farm: vtt\.file.resolution.map_origin"):
        write_vtt(replace(FARM, vtt={"file": {"resolution": 3}}))


def test_files_too_large_are_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    huge = tmp_path / "huge.uvtt"
    with huge.open("wb") as file:
        file.truncate(300 << 20)
    with pytest.raises(WardogsError, match=r"huge\.uvtt: the file has over 256 MB"):
        read_vtt(huge)
    monkeypatch.setattr("wardogs.table.vtt_file.MOST_POINTS", 1)
    with pytest.raises(WardogsError, match="line_of_sight has over 1 points"):
        parse_vtt(bad(line_of_sight=[[{"x": 1, "y": 1}, {"x": 2, "y": 1}]]), "map.uvtt")
