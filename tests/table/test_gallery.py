"""The gallery: scenes made by hand, whose answers were worked out before the program was asked."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.table import exact
from tools.gallery import PICTURES, SCENES, View, disagreements, picture, read, scenes, seen_by
from wardogs.kernel.errors import WardogsError
from wardogs.scene.svg import svg
from wardogs.table.units import spot

GALLERY = scenes()
VIEWS = [view for views in GALLERY.values() for view in views]
each_view = pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)

SIMPLE = """
title = "A wall"
about = "A wall."
eye = [2, 5, 1.1]
[map]
size = [14, 10]
wall = [{ id = "wall", line = [8, 2, 8, 8], height = 2 }]
[target]
at = [10, 5, 0]
[expect]
rest = "hidden: the stone wall (hard)"
visible = "0/56"
base = "0/8"
[[also]]
title = "gone"
about = "A low one."
change = [{ id = "wall", height = 0.01 }]
expect = { rest = "clear", visible = "56/56", base = "8/8" }
"""


def judged(text: str) -> list[str]:
    return [line for view in read("simple", text) for line in disagreements(view)]


def test_there_are_enough_scenes() -> None:
    assert len(GALLERY) >= 40
    assert len({view.title for view in VIEWS}) == len(VIEWS)


@each_view
def test_the_program_agrees_with_pencil_and_paper(view: View) -> None:
    assert disagreements(view) == []


@pytest.mark.parametrize("view", [view for view in VIEWS if not view.skip], ids=lambda view: view.name)
def test_the_exact_judge_agrees(view: View) -> None:
    seen = seen_by(view)
    spots = [tuple(int(part) for part in seen.points[k : k + 3]) for k in range(0, len(seen.points), 3)]
    masks = [exact.trace(seen.terrain, spot(view.eye), (x, y, z))[0] for x, y, z in spots]
    assert [int(mask) for mask in seen.masks] == masks


@each_view
def test_each_has_its_picture(view: View) -> None:
    found = re.search("<title[^>]*>(.*?)</title>", (PICTURES / f"{view.name}.svg").read_text(encoding="utf-8"))
    assert found
    assert unescape(found[1]) == view.title


def test_the_page_shows_them_all() -> None:
    page = (PICTURES / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((.*)\.svg\)", page) == [view.name for view in VIEWS]
    assert [view.name for view in VIEWS if view.about not in page] == []
    assert {path.stem for path in PICTURES.glob("*.svg")} == {view.name for view in VIEWS}


@pytest.mark.parametrize("view", VIEWS[::8], ids=lambda view: view.name)
def test_the_pictures_are_up_to_date(view: View) -> None:
    assert (PICTURES / f"{view.name}.svg").read_text(encoding="utf-8") == svg(picture(view))


def test_the_arithmetic_is_in_the_file() -> None:
    bare = [path.stem for path in SCENES.glob("*.toml") if not path.read_text(encoding="utf-8").startswith("# ")]
    assert bare == []


# Wrong sheets ---------------------------------------------------------------------------------------------------------


def test_a_simple_scene_is_right() -> None:
    assert judged(SIMPLE) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"0/56"', '"1/56"'),
        ('"8/8"', '"7/8"'),
        ("(hard)", "(soft)"),
        ("the stone wall", "the low wall"),
        ("hidden: ", "covered: "),
        ('visible = "0/56"\n', ""),
        ('rest = "hidden: the stone wall (hard)"\n', 'head = "hidden: the stone wall (hard)"\n'),
        ('rest = "clear"', 'rest = "clear", head = { clear = 3 }'),
        ('rest = "clear"', 'rest = "clear", in_the_way = { A = { head = 4 } }'),
    ],
)
def test_a_wrong_answer_is_noticed(right: str, wrong: str) -> None:
    assert right in SIMPLE
    assert judged(SIMPLE.replace(right, wrong, 1)) != []


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ('rest = "clear"', 'rest = "clear", heda = "clear"', "did you mean head"),
        ('rest = "clear"', 'rest = "clear", head = { claer = 4 }', "claer"),
        ('rest = "clear"', 'rest = "claer"', "claer"),
        ("eye = ", "eyes = ", "eyes"),
        ("at = [10, 5, 0]", "at = [10, 5, 0]\nstanse = 'prone'", "did you mean stance"),
        ("eye = [2, 5, 1.1]\n", "", "write eye"),
        ("height = 2 ", "heigth = 2 ", "heigth"),
        ('"wall", line', '"fence", line', "no piece is called wall"),
        ("height = 2 ", "height = -2 ", "map: "),
        ("[map]", "[map", "simple: "),
    ],
)
def test_a_misspelt_sheet_fails_loudly(right: str, wrong: str, says: str) -> None:
    assert right in SIMPLE
    with pytest.raises(WardogsError, match=re.escape(says)):
        judged(SIMPLE.replace(right, wrong, 1))
