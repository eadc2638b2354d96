"""Every fault of a map is named with its piece and how to mend it."""

from __future__ import annotations

from time import process_time

import msgspec
import pytest

from wardogs.kernel.errors import WardogsError
from wardogs.table.check import MOST_KINDS, MOST_PANELS, checked, faults
from wardogs.table.mapfile import with_ids
from wardogs.table.model import Area, Building, Map, Opening, Piece, Thing, Wall

HOUSE = '[[building]]\nid = "B1"\nrect = [4, 4, 14, 10]\nlevels = 2\n'


def read(text: str) -> Map:
    return with_ids(msgspec.toml.decode(text, type=Map))


def opening(text: str) -> str:
    return f"{HOUSE}openings = [{{ {text} }}]"


def area(text: str) -> str:
    return f'[[area]]\nkind = "woods"\n{text}'


def wall(text: str) -> str:
    return f"[[wall]]\n{text}"


FAULTS = [
    ("size = [0, 48]", "size: the table's width is 0"),
    ("size = [48, 121]", "size: the table's depth is 121: write 1 to 120"),
    ("size = [nan, 48]", "width is nan"),
    # outlines
    (area(""), "area 1: has no outline: write just one of rect"),
    (area("rect = [1, 1, 2, 2]\ncircle = [1, 1, 1]"), "area 1: has rect and circle"),
    (area("rect = [5, 1, 3, 2]"), "left 5 is not less than right 3"),
    (area("rect = [1, 2, 3, 2.0001]"), "lower 2 is not less than upper 2"),
    (area("circle = [5, 5, 0]"), "radius is 0"),
    (area("circle = [5, 5, -1]"), "radius is -1"),
    (area("polygon = [[1, 1], [2, 2]]"), "polygon is open: it needs 3 corners"),
    (area("polygon = [[1, 1], [2, 2], [3, 3]]"), "polygon is open: its corners from (1, 1)"),
    (area("polygon = [[1, 1], [5, 5], [5, 1], [1, 5]]"), "crosses or touches itself near (3, 3)"),
    (area("polygon = [[1, 1], [5, 1], [5, 5], [1, 1]]"), "last corner repeats the first, (1, 1)"),
    (area("polygon = [[1, 1], [5, 1], [5, 1], [5, 5]]"), "corners 2 and 3 are the same, (5, 1)"),
    (area(f"polygon = {[[k % 2 + k / 100, k / 10] for k in range(300)]}"), "polygon has 300 corners"),
    # places
    (area("rect = [1, 1, 49.5, 2]"), "lies 1.5 inches outside the table in the east (the table is 48 x 48)"),
    (area("circle = [1, 5, 2]"), "lies 1 inch outside the table in the west"),
    ('[[area]]\nkind = "smoke"\ncircle = [1, 5, 40]', "39 inches outside"),
    ('[[thing]]\nkind = "vehicle"\nat = [47, 5]\nsize = [2, 3]\nfacing = 90', "thing 1: lies 0.5 inches outside"),
    ("[[zone]]\nrect = [1, 40, 5, 49]", "zone 1: lies 1 inch outside the table in the north"),
    ("[[ladder]]\nat = [5, -2]\ntop = 2", "ladder 1: lies 2 inches outside the table in the south"),
    # heights
    (wall("line = [1, 1, 5, 1]\nheight = -2"), "wall 1: height is -2: write more than 0"),
    (wall("line = [1, 1, 5, 1]\nheight = 0"), "height is 0"),
    (wall("line = [1, 1, 5, 1]\nheight = 31"), "at most 30"),
    (wall("line = [1, 1, 5, 1]\nbase = 29"), "its top is 31 inches up"),
    (wall("line = [1, 1, 5, 1]\nheight = 2\nbase = 29"), "its top is 31 inches up"),
    (area("circle = [5, 5, 1]\nbase = 28"), "its top is 32 inches up"),
    (area("circle = [5, 5, 1]\nbase = -31"), "base is -31: write -30 to 30"),
    ("[[hill]]\ncircle = [5, 5, 1]\nheight = 1\nbase = 1", "hill 1: height 1 is not above its base 1"),
    ('[[slope]]\nrect = [1, 1, 5, 5]\nup = "N"\nheight = 1\nbase = 2', "slope 1: height 1 is not above its base 2"),
    ("[[pit]]\ncircle = [5, 5, 1]\ndepth = -1", "pit 1: depth is -1"),
    ("[[slab]]\ncircle = [5, 5, 1]\nz = 31", "slab 1: z is 31"),
    ("[[slab]]\ncircle = [5, 5, 1]\nz = 3\nthickness = 0", "thickness is 0"),
    ("[[ladder]]\nat = [5, 5]\ntop = 0", "top 0 is not above its base 0"),
    ("[[ladder]]\nat = [5, 5]\ntop = 2\nsize = 0", "size is 0"),
    ('[[thing]]\nkind = "vehicle"\nat = [5, 5]\nsize = [2, 0]', "size is (2, 0)"),
    ('[[thing]]\nkind = "road"\nat = [5, 5]', "road has no height of its own"),
    ('kinds.fog = { sight = "smoke" }\n[[area]]\nkind = "fog"\ncircle = [5, 5, 1]', "fog has no height of its own"),
    ("kinds.fog = { height = -1 }", "kinds.fog: height is -1"),
    ("kinds.fog = { see_through = nan }", "kinds.fog: see_through is nan"),
    # figures that are none
    (wall("line = [1, 1, nan, 1]"), "wall 1: line has a figure that is not finite"),
    (area("circle = [5, 5, inf]"), "circle has a figure"),
    (area("polygon = [[1, 1], [5, 1], [5, 1e300]]"), "polygon has a figure"),
    (opening("at = [4, inf]"), "opening 1 (B1-door-1): at has a figure"),
    ("[[building]]\nrect = [1, 1, 2, 2]\nlevels = 100000000000000", "levels has a figure"),
    # kinds
    ('[[area]]\nkind = "wods"\ncircle = [5, 5, 1]', 'kind "wods" is unknown: did you mean woods?'),
    ('[[area]]\nkind = "zzzz"\ncircle = [5, 5, 1]', "there are brick, stone"),
    (wall('line = [1, 1, 5, 1]\nmaterial = "brik"'), 'material "brik" is unknown: did you mean brick?'),
    (opening('side = "S", at = 8, material = "dor"'), "did you mean door?"),
    # walls
    (wall("line = [1, 2, 3]"), "line has 3 figures: write them in pairs"),
    (wall("line = [1, 2]"), "line needs 2 points"),
    (wall("line = []"), "line needs 2 points"),
    (wall("line = [1, 1, 5, 1, 5, 1.0001, 9, 9]"), "points 2 and 3 are the same, (5, 1)"),
    (wall("line = [1, 1, 5, 5, 5, 1, 1, 5]"), "legs 1 and 3 meet at (3, 3)"),
    (wall("line = [1, 1, 5, 1, 3, 1]"), "legs 1 and 2 meet at"),
    (wall("line = [1, 1, 5, 1, 5, 5, 1, 5, 1, 1, 2, 2]"), "legs 1 and 4 meet at (1, 1)"),
    (wall("line = [1, 1, 5, 1]\nlevel = 1"), "only walls inside a building stand on a level"),
    (wall("line = [-1, 1, 5, 1]"), "lies 1 inch outside"),
    # buildings
    ("[[building]]\nrect = [1, 1, 5, 5]\nlevels = 0", "levels is 0"),
    ("[[building]]\nrect = [1, 1, 5, 5]\nstorey = 0.4", "storey is 0.4"),
    ("[[building]]\nrect = [1, 1, 5, 5]\nlevels = 16", "its top is 32 inches up"),
    ("[[building]]\nrect = [1, 1, 5, 5]\nparapet = -1", "parapet is -1"),
    ("[[building]]\nrect = [1, 1, 5, 5]\nstanding = 2", "standing is 2: write 0 to 1"),
    (HOUSE + "[[building]]\nrect = [10, 9, 16, 16]", "building 2: overlaps building 1 (B1) near (12, 9.5)"),
    (HOUSE + "stairs = [{ at = [2, 5] }]", "building 1 (B1), stairs 1 (B1-stairs-1): at (2, 5) is outside its building"),
    (HOUSE + "stairs = [{ at = [5, 5], to = [5, 3] }]", "to (5, 3) is outside"),
    (HOUSE + "stairs = [{ at = [5, 5], level = 2 }]", "level is 2: its building has levels 0 to 1"),
    (HOUSE + "roof = false\nstairs = [{ at = [5, 5], level = 1 }]", "leads to a roof"),
    (HOUSE + "ladders = [{ at = [1, 5], top = 2 }]", "is 3 inches away from its building"),
    (HOUSE + "ladders = [{ at = [3.5, 5], top = 2, hatch = true }]", "a hatch at (3.5, 5) is outside"),
    (HOUSE + "rooms = [{ at = [3, 5] }]", "room 1 (B1-room-1): at (3, 5) is outside"),
    (HOUSE + "walls = [{ line = [4, 7, 15, 7] }]", "the wall from (4, 7) leaves its building"),
    (HOUSE + "walls = [{ line = [4, 7, 9, 7], level = 2 }]", "level is 2"),
    (HOUSE + "walls = [{ line = [4, 7, 9, 7], height = 2.5 }]", "more than the storey's 2"),
    (HOUSE + "walls = [{ line = [4, 7, 9, 7], base = 1 }]", "leave base out"),
    (HOUSE + "walls = [{ line = [4, 7, 9, 7], level = 1, openings = [{ at = [5, 7], level = 0 }] }]", "its wall has level 1"),
    # openings
    (opening("at = [6, 6]"), "door at (6, 6) lies 2 inches off the wall from (4, 4) to (14, 4): move its middle to (6, 4)"),
    (opening('side = "S", at = 14'), "sticks out of the wall from (4, 4) to (14, 4): move its middle to (13.5, 4)"),
    (opening('side = "E", at = 7, width = 7'), "is 7 wide, but the wall from (14, 4) to (14, 10) is only 6 long"),
    (opening('side = "E", at = 7, width = 0'), "width is 0"),
    (opening("at = 7"), "needs a side"),
    (opening('side = "E", at = 7, level = 2'), "level is 2: its wall has levels 0 to 1"),
    (opening('side = "E", at = 7, sill = 1.6'), "sill 1.6 is not below head 1.6"),
    (opening('side = "E", at = 7, sill = -1'), "sill is -1"),
    (opening('side = "E", at = 7, head = 2.1'), "head 2.1 is above the wall, which is 2 high"),
    (opening('side = "E", at = 7, kind = "gap", state = "shut"'), "a gap has nothing to shut"),
    (opening('side = "E", at = 7 }, { at = [14, 7.9], level = 1'), "(B1-door-2): overlaps opening 1 (B1-door-1) by 0.1 inches"),
    (wall('line = [1, 1, 5, 1]\nopenings = [{ side = "N", at = [3, 1] }]'), 'side "N" is for the walls of a rectangle'),
    (wall("line = [1, 1, 5, 1]\nopenings = [{ at = [3, 1], level = 1 }]"), "its wall has level 0"),
    (wall("line = [1, 1, 5, 1]\nheight = 0.5\nopenings = [{ at = [3, 1], kind = 'window' }]"), "sill 0.6 is not below head 0.5"),
    ("[[building]]\ncircle = [9, 9, 4]\nopenings = [{ at = [13, 9] }]", "is 1 wide, but the wall"),
    # names
    (HOUSE + "[[wall]]\nid = 'B1'\nline = [1, 1, 2, 2]", "wall 1 (B1): has the same id as building 1 (B1)"),
    (HOUSE + "stairs = [{ id = 'B1', at = [5, 5] }]", "building 1 (B1), stairs 1 (B1): has the same id as building 1 (B1)"),
    (wall('id = "a\\nb"\nline = [1, 1, 2, 2]'), "its id is too long or not printable"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), FAULTS)
def test_a_fault_is_one_line_that_names_the_piece(text: str, says: str) -> None:
    found = faults(read(text))
    assert any(says in fault for fault in found), found
    assert all("\n" not in fault for fault in found)


GOOD = [
    "",
    area("rect = [0, 0, 48, 48]"),
    area("polygon = [[0, 0], [0, 9], [4, 4], [9, 0]]"),  # clockwise
    '[[area]]\nkind = "smoke"\ncircle = [1, 1, 5]',
    '[[area]]\nkind = "road"\nrect = [1, 1, 9, 2]',
    wall("line = [0, 0, 48, 0, 48, 48]"),
    wall("line = [1, 1, 5, 1, 5, 5, 1, 5, 1, 1]"),  # a closed yard
    wall("line = [1, 1, 5, 1]\nheight = 1\nopenings = [{ at = [2, 1] }, { at = [3, 1] }, { at = [4.5, 1.04] }]"),
    wall('line = [1, 1, 5, 1]\nmaterial = "hedge"\nopenings = [{ at = [2, 1], kind = "gap" }]'),
    HOUSE + "[[building]]\nrect = [14, 4, 20, 9]",  # wall to wall
    HOUSE + "[[building]]\nrect = [4, 4, 14, 10]\nbase = 4",  # one on top of the other
    opening('side = "E", at = 7, level = 0 }, { side = "E", at = 7, level = 1'),
    HOUSE + "walls = [{ line = [4, 7, 14, 7], level = 1, openings = [{ at = [5, 7], level = 1 }] }]",
    HOUSE + "stairs = [{ at = [5, 5] }, { at = [5, 5], level = 1 }]\nladders = [{ at = [3.5, 5], top = 4 }]",
    '[[thing]]\nkind = "vehicle"\nat = [46, 5]\nsize = [3, 4]\nfacing = 90',
]


@pytest.mark.parametrize("text", GOOD)
def test_what_is_sound_has_no_fault(text: str) -> None:
    assert faults(read(text)) == []


def test_all_faults_are_listed_and_the_first_is_told() -> None:
    table = read(wall("line = [1, 1]\n") + wall("line = [1, 1, 2]\n") + wall("line = [1, 1, 1, 1]\n"))
    assert len(faults(table)) == 3
    with pytest.raises(WardogsError, match=r"^a.toml: wall 1: .* \(and 2 more: wardogs map check a.toml lists them\)$"):
        checked(table, "a.toml")


def test_a_map_uses_no_more_kinds_than_the_kernel_has_bits() -> None:
    kinds = [f"kind{n}" for n in range(MOST_KINDS + 1)]
    own = read("\n".join(f"kinds.{kind} = {{ height = 1 }}" for kind in kinds)).kinds
    table = Map(kinds=own, things=tuple(Thing(kind=kind, at=(5.0, 5.0)) for kind in kinds))
    assert faults(table) == [f"{MOST_KINDS + 1} kinds of terrain are used: a map may use {MOST_KINDS}; use fewer"]
    assert faults(msgspec.structs.replace(table, things=table.things[1:])) == []


def many(count: int) -> Map:
    return Map(walls=tuple(Wall(line=(k % 47, k / count * 48, k % 47 + 1, k / count * 48)) for k in range(count)))


def test_a_hundred_thousand_panels_are_checked_and_more_than_twice_as_many_refused() -> None:
    started = process_time()
    assert faults(many(MOST_PANELS // 2)) == []
    assert faults(many(MOST_PANELS + 1)) == ["200,001 panels of wall: a map may have 200,000; split it or leave detail out"]
    assert process_time() - started < 30


@pytest.mark.parametrize(
    "piece",
    [
        Wall(line=tuple(part for k in range(4000) for part in (k % 40 + 1.0, (k * 7) % 40 + 1.0))),
        Wall(line=(1, 1, 40, 1), openings=tuple(Opening(at=(20.0, 1.0)) for _ in range(10_000))),
        Wall(line=tuple(part for k in range(4000) for part in (1 + k / 100, 1 + k % 2 / 10)),
             openings=tuple(Opening(at=(20.0, 5.0), width=0.01) for _ in range(20_000))),
    ],
)  # fmt: skip
def test_a_tangle_is_no_hang(piece: Wall) -> None:
    started = process_time()
    assert faults(Map(walls=(piece,)))
    assert process_time() - started < 15


def test_a_heap_of_buildings_is_no_hang() -> None:
    started = process_time()
    heap = tuple(Building(rect=(1 + k / 1000, 1, 20, 20)) for k in range(1500))
    assert faults(Map(buildings=heap))
    assert faults(Map(buildings=heap * 2)) == ["3,000 buildings: a map may have 2,000; leave some out"]
    assert process_time() - started < 15


def test_a_piece_that_nobody_judges_has_no_fault() -> None:
    from wardogs.table.judge_pieces import judge
    from wardogs.table.judging import Ground

    assert list(judge(Piece(), Ground(48, 48, {}))) == []
    assert faults(Map(areas=(Area(kind="woods", circle=(5, 5, 1)),))) == []
