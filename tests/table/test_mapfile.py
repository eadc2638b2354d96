"""Maps on disk: what is read, what is refused and how, and that writing loses nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path
from time import process_time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wardogs.kernel.errors import WardogsError
from wardogs.table.kinds import Kind
from wardogs.table.mapfile import dump_map, load_map, parse_map, read_map, save_map, schema, with_ids
from wardogs.table.model import GROUPS, Area, Building, Ladder, Map, Opening, RoomName, Stairs, Thing, Wall, Zone

TOWN = """
name = "Town"
size = [36, 24]
[[building]]
id = "B1"
rect = [4, 4, 14, 10]
levels = 2
openings = [
  { side = "S", at = 8 },
  { kind = "window", at = [14, 7], level = 1, material = "glass" },
  { kind = "window", at = [4, 7] },
]
walls = [{ line = [9, 4, 9, 10], material = "partition", openings = [{ at = [9, 7], kind = "gap" }] }]
stairs = [{ at = [5, 5] }]
[[wall]]
line = [20, 5, 30, 5]
[[wall]]
id = "wall-1"
line = [20, 9, 30, 9]
"""


def refused(text: str) -> str:
    with pytest.raises(WardogsError) as error:
        parse_map(text, "a.toml")
    return str(error.value)


# Reading --------------------------------------------------------------------------------------------------------------


def test_pieces_without_an_id_get_one() -> None:
    town = parse_map(TOWN, "town.toml")
    house = town.buildings[0]
    assert [opening.id for opening in house.openings] == ["B1-door-1", "B1-window-1", "B1-window-2"]
    assert (house.walls[0].id, house.walls[0].openings[0].id, house.stairs[0].id) == (
        "B1-wall-1",
        "B1-wall-1-gap-1",
        "B1-stairs-1",
    )
    assert [wall.id for wall in town.walls] == ["wall-2", "wall-1"]


def test_an_id_tells_the_place_in_the_list() -> None:
    walls = tuple(Wall(line=(1, 1, 2, 2), id=id_) for id_ in ("", "north", "", "wall-4", ""))
    assert [wall.id for wall in with_ids(Map(walls=walls)).walls] == ["wall-1", "north", "wall-3", "wall-4", "wall-5"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[building]]\nrect = [1, 2, 3]", "building 1, rect: must have 4 figures, not 3"),
        ('[[wall]]\nline = [1, "a"]', "wall 1, line, figure 2: must be a figure in inches, not a word"),
        ("[[hill]]\nrect = [1, 2, 3, 4]", "hill 1: height is missing: write height = ..."),
        ("[building]\nrect = [1, 2, 3, 4]", "building: write [[building]] with two brackets, once for each"),
        ("[[buildings]]\nrect = [1, 2, 3, 4]", 'unknown field "buildings": did you mean building?'),
        ("zzz = 1", 'unknown field "zzz": there are name, about, size'),
        ('[kinds.dust]\n[kinds.fog]\nsight = "x"', 'kinds.fog, sight: "x" is none of open, glass, thin, smoke, solid'),
        ('[kinds.fog]\nsigt = "open"', 'kinds.fog: unknown field "sigt": did you mean sight?'),
        ("kinds = 3", "kinds: must be a table, not a number"),
        ("[[area]]\n[[area]]\nid='a'", "area 1: kind is missing"),
        ("[[building]]\n[[building]]\nid='B2'\nopenings=[{ at=1 }, { at=1 }, { at=1, widht=3 }]",
         'building 2 (B2), opening 3: unknown field "widht": did you mean width?'),
        ('[[building]]\nopenings = [{ at = "x" }]', "building 1, opening 1, at: must be a figure or [x, y], not a word"),
        ('[[building]]\nopenings = [{ at = 1, side = "X" }]', 'building 1, opening 1, side: "X" is none of N, E, S, W'),
        ("[[building]]\nwalls = [{ line = [1], levle = 1 }]", 'building 1, wall 1: unknown field "levle": did you mean level?'),
        ("[[building]]\nlevels = 1.5", "building 1, levels: must be a whole number"),
        ("[[building]]\nroof = 3", "building 1, roof: must be true or false, not a number"),
        ('[[area]]\nkind = "woods"\npolygon = [[1, 2], [3, "x"]]', "area 1, polygon, corner 2, figure 2: must be"),
        ("[[hill]]\nheight = 1" + "0" * 400, "hill 1, height: is far too large"),
        ("wall = [3]", "wall 1: must be a table, not a number"),
        ("name = 2020-01-01", "name: must be a word in quotes, not a date"),
        ("name = 'x'\nsize = [1,, 2]", "line 2, column 11: "),
        ("name = ", "end of document: "),
        ("a = " + "[" * 5000, "nested too deep"),
        ("a = " + "1" * 5000, "thousands of digits"),
        ("[[wall]]\nline = [1, 1, 5, 5, 5, 1, 1, 5]", "wall 1: line crosses or touches itself: legs 1 and 3 meet at (3, 3)"),
    ],
)  # fmt: skip
def test_wrong_text_is_refused_with_its_place(text: str, says: str) -> None:
    message = refused(text)
    assert message.startswith("a.toml: ")
    assert says in message
    assert "\n" not in message


def test_far_too_many_figures_are_refused_before_they_are_parsed() -> None:
    started = process_time()
    assert "far more than 200,000 panels" in refused("[[wall]]\nline = [" + "1," * 3_000_000 + "]")
    assert process_time() - started < 1


def test_a_map_of_a_hundred_thousand_panels_works(tmp_path: Path) -> None:
    path, started = tmp_path / "large.toml", process_time()
    rows = (", ".join(f"{k % 100 * 0.4:g}, {row / 25 + k % 2 * 0.02:g}" for k in range(101 - 1)) for row in range(1000))
    path.write_text("".join(f"[[wall]]\nline = [{row}]\n" for row in rows))
    assert sum(len(wall.line) // 2 - 1 for wall in load_map(path).walls) == 99_000
    assert process_time() - started < 30


# Files ----------------------------------------------------------------------------------------------------------------


def unread(path: Path) -> str:
    with pytest.raises(WardogsError) as error:
        load_map(path)
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(f"{path}: ")
    return str(error.value).removeprefix(f"{path}: ")


def test_files_that_are_no_map(tmp_path: Path) -> None:
    def written(name: str, data: bytes) -> Path:
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    folder = tmp_path / "folder.toml"
    folder.mkdir()
    assert unread(folder) == "is a folder; name a map in it"
    assert unread(tmp_path / "none.toml") == "cannot be read: No such file or directory"
    assert unread(tmp_path / "none.dd2vtt") == "cannot be read: No such file or directory"
    assert unread(written("a.png", b"")).startswith("a map ends in .toml or")
    assert unread(written("a.toml", b"\x89PNG\0\0")) == "is a binary file, not a map in TOML"
    assert unread(written("b.toml", b"name = 'x'\nabout = '\xff'")) == "line 2: byte 0xff is not UTF-8; save the file as UTF-8"
    assert load_map(written("c.toml", b"\xef\xbb\xbfname = 'x'\r\n")).name == "x"


@pytest.mark.parametrize(("name", "most"), [("a.toml", 32), ("a.dd2vtt", 64), ("a.UVTT", 64)])
def test_a_file_of_200_mb_is_refused_by_its_size(tmp_path: Path, name: str, most: int) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(200_000_000)
    started = process_time()
    assert unread(tmp_path / name) == f"200 MB: a map may have {most} MB; leave detail out or split it"
    assert process_time() - started < 1


def test_a_device_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    assert unread(tmp_path / "zero.toml") == "is not a plain file"


def test_a_vtt_map_is_read_and_checked(tmp_path: Path) -> None:
    from wardogs.table.vtt import write_vtt

    town = parse_map(TOWN, "town.toml")
    (tmp_path / "town.dd2vtt").write_bytes(write_vtt(town))
    assert load_map(tmp_path / "town.dd2vtt").buildings == town.buildings


# Writing --------------------------------------------------------------------------------------------------------------

GOLDEN = """\
name = "Yard"
size = [48, 36.5]

[kinds]
fog = { sight = "smoke", move = "open", height = 2 }

[[building]]
id = "B1"
rect = [4, 4, 14, 10]
levels = 2
openings = [
  { id = "B1-door-1", at = 8, side = "S" },
  { id = "B1-window-1", kind = "window", at = [14, 7] },
]
walls = [
  { id = "B1-wall-1", line = [9, 4, 9, 10] },
]
roof = false

[[area]]
id = "the \\"fog\\""
circle = [30, 20.125, 2]
kind = "fog"
"""


def test_it_reads_as_a_person_would_have_written_it() -> None:
    assert dump_map(parse_map(GOLDEN, "yard.toml")) == GOLDEN


def test_a_long_line_is_broken() -> None:
    line = tuple(part for k in range(60) for part in (k / 8 + 1, 1.5 + k % 2))
    text = dump_map(Map(walls=(Wall(id="w", line=line),)))
    assert max(map(len, text.splitlines())) <= 120
    assert parse_map(text, "a.toml").walls[0].line == line


inch = st.integers(1000, 46_000).map(lambda thous: thous / 1000)
point = st.tuples(inch, inch)
word = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
plain = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | word
loose = st.recursive(
    plain.filter(lambda one: one is not None),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(word, inner, max_size=3),
)
kinds = st.builds(Kind, sight=st.sampled_from(["open", "thin", "solid"]), height=inch.map(lambda z: z / 2), says=word)
walls = st.builds(
    lambda at, long, name, shut: Wall(
        line=(*at, at[0] + long, at[1]), name=name, height=2.5,
        openings=(Opening(at=(round(at[0] + long / 2, 4), at[1]), width=long / 2, state="open" if shut else None),),
    ),
    point, st.floats(0.5, 1.5), word, st.booleans(),
)  # fmt: skip
areas = st.builds(lambda at, r, name: Area(kind="smoke", circle=(*at, r), name=name), point, st.floats(0.01, 3), word)
things = st.builds(lambda at, facing: Thing(kind="vehicle", at=at, facing=facing), point, st.floats(0, 360))
houses = st.builds(
    lambda name, levels: Building(
        polygon=((1, 1), (9, 1), (9, 9.5), (1, 8)), levels=levels, name=name, stairs=(Stairs(at=(2, 2), to=(3, 3)),),
        ladders=(Ladder(at=(0.5, 2), top=2),), rooms=(RoomName(at=(5, 5), name=name),), walls=(Wall(line=(1, 4, 9, 4)),),
    ),
    word, st.integers(1, 4),
)  # fmt: skip
maps = st.builds(
    Map, name=word, about=word, kinds=st.dictionaries(word, kinds, max_size=3), vtt=st.dictionaries(word, loose, max_size=3),
    buildings=st.lists(houses, max_size=1).map(tuple), walls=st.lists(walls, max_size=3).map(tuple),
    areas=st.lists(areas, max_size=3).map(tuple), things=st.lists(things, max_size=3).map(tuple),
    zones=st.lists(st.just(Zone(rect=(0, 0, 48, 6), side="blue")), max_size=2).map(tuple),
)  # fmt: skip


@given(maps)
def test_writing_loses_nothing(table: Map) -> None:
    full = with_ids(table)
    assert parse_map(dump_map(full), "a.toml") == full
    assert parse_map(dump_map(table), "a.toml") == full


def test_saving_never_writes_over_a_file_unless_forced(tmp_path: Path) -> None:
    path, town = tmp_path / "town.toml", parse_map(TOWN, "town.toml")
    save_map(town, path)
    assert load_map(path) == town
    with pytest.raises(WardogsError, match="is there already and is not written over"):
        save_map(Map(), path)
    assert load_map(path) == town
    save_map(Map(), path, force=True)
    assert load_map(path) == Map()
    assert [file.name for file in tmp_path.iterdir()] == ["town.toml"]


def test_what_cannot_be_saved_is_told(tmp_path: Path) -> None:
    with pytest.raises(WardogsError, match="cannot be written: No such file"):
        save_map(Map(), tmp_path / "none" / "a.toml")
    with pytest.raises(WardogsError, match="is a folder"):
        save_map(Map(), tmp_path, force=True)
    with pytest.raises(WardogsError, match="would have 33 MB: a map may have 32 MB"):
        save_map(Map(about="x" * 33_000_000), tmp_path / "a.toml")
    assert list(tmp_path.iterdir()) == []


def test_a_map_with_faults_can_be_read_but_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text("[[wall]]\nline = [1, 1]")
    assert read_map(path).walls[0].id == "wall-1"
    assert unread(path) == "wall 1: line needs 2 points or more: x, y, x, y"


def test_the_schema_knows_every_group_and_the_golden_map() -> None:
    found = schema()
    properties = found["$defs"]["Map"]["properties"]
    assert len(properties) == len(msgspec.structs.fields(Map)) >= len(GROUPS)
    assert set(tomllib.loads(GOLDEN)) <= set(properties)
    assert found["$defs"]["RoomName"]["title"] == "Room name"
