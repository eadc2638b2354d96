"""wardogs map: what it prints, what it writes, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calling import call
from wardogs.table.mapfile import load_map

YARD = """
name = "Yard"
[[building]]
id = "B1"
rect = [4, 4, 14, 10]
levels = 2
openings = [{ side = "S", at = 8 }]
[[wall]]
line = [20, 5, 30, 5]
[[wall]]
line = [20, 9, 30, 9]
"""


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    path = tmp_path / "yard.toml"
    path.write_text(YARD)
    return path


# check ----------------------------------------------------------------------------------------------------------------


def test_a_good_map_is_one_line(yard: Path) -> None:
    code, out, err = call("map", "check", str(yard))
    assert (code, err) == (0, "")
    assert out == f"{yard}: good: 48 x 48 inches, 1 building, 2 walls, 16 panels\n"


def test_every_fault_is_listed(yard: Path) -> None:
    bad = yard.with_name("bad.toml")
    bad.write_text("[[wall]]\nline = [1, 1]\n[[wall]]\nline = [1, 1, 5, 1]\nheight = -1")
    code, out, _ = call("map", "check", str(bad), str(yard))
    assert code == 1
    assert out.splitlines() == [
        f"{bad}: wall 1: line needs 2 points or more: x, y, x, y",
        f"{bad}: wall 2: height is -1: write more than 0 and at most 30 inches",
        f"{bad}: 2 faults",
        f"{yard}: good: 48 x 48 inches, 1 building, 2 walls, 16 panels",
    ]


def test_check_in_json(yard: Path) -> None:
    code, out, _ = call("map", "check", str(yard), str(yard.with_name("none.toml")), "--json")
    good, missing = json.loads(out)
    assert code == 2
    assert good == {"file": str(yard), "good": True, "size": [48, 48], "pieces": {"buildings": 1, "walls": 2}, "panels": 16}
    assert missing["good"] is False
    assert "No such file" in missing["unreadable"]


WRONG = [
    ('[[area]]\nkind = "woods"\npolygon = [[1, 1], [4, 4], [7, 7]]', 1, "area 1: polygon is open"),
    ("[[wall]]\nline = [1, 1, 5, 1]\nheight = -2", 1, "wall 1: height is -2"),
    ("[[wall]]\nline = [1, 1, 5, 1]\nopenings = [{ at = [9, 1] }]", 1,
     "wall 1, opening 1 (wall-1-door-1): door at (9, 1) lies 4 inches off the wall from (1, 1) to (5, 1)"),
    ("[kinds.fog]\nsight = 'foggy'", 2, 'kinds.fog, sight: "foggy" is none of open, glass, thin, smoke, solid'),
    ("[[wall]]\nline = [1, 1, 5, 1]\nmaterial = 'brik'", 1, 'wall 1: material "brik" is unknown: did you mean brick?'),
    ("[[wall]]\nline = [1, 1, 5, 5, 5, 1, 1, 5]", 1, "wall 1: line crosses or touches itself: legs 1 and 3 meet at (3, 3)"),
    ("[[wall]]\nline = [1, 1", 2, "end of document"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "says"), WRONG)
def test_wrong_maps(tmp_path: Path, text: str, code: int, says: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    found, out, err = call("map", "check", str(path))
    assert found == code
    assert f"{path}: {says}" in out + err
    found, out, err = call("map", "show", str(path))
    assert (found, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"wardogs: {path}: {says}")


def test_a_200_mb_file(tmp_path: Path) -> None:
    with (tmp_path / "large.toml").open("wb") as file:
        file.truncate(200_000_000)
    code, _, err = call("map", "check", str(tmp_path / "large.toml"))
    assert code == 2
    assert err == f"wardogs: {tmp_path}/large.toml: 200 MB: a map may have 32 MB; leave detail out or split it\n"


# show and schema ------------------------------------------------------------------------------------------------------


def test_show_tells_and_draws(yard: Path) -> None:
    code, out, _ = call("map", "show", str(yard))
    assert code == 0
    assert "1 building, 2 walls" in out
    svg = yard.with_suffix(".svg")
    assert call("map", "show", str(yard), "--svg", str(svg), "--level", "1")[0] == 0
    assert svg.read_text().startswith("<svg")
    assert json.loads(call("map", "show", str(yard), "--json")[1])["title"] == "Yard"


def test_a_level_that_is_not_there(yard: Path) -> None:
    code, _, err = call("map", "show", str(yard), "--level", "3")
    assert (code, err) == (2, f"wardogs: {yard}: has levels 0 to 2, not 3\n")


def test_the_schema_is_json() -> None:
    code, out, _ = call("map", "schema")
    assert code == 0
    assert json.loads(out)["title"] == "A Wardogs map"


def test_map_alone_lists_its_commands() -> None:
    code, out, _ = call("map")
    assert code == 0
    assert "generate" in out


# import and export ----------------------------------------------------------------------------------------------------


def test_out_and_in_again(yard: Path) -> None:
    vtt, again = yard.with_name("yard.dd2vtt"), yard.with_name("again.toml")
    assert call("map", "export", str(yard), "-o", str(vtt), "--pixels", "70")[0] == 0
    assert json.loads(vtt.read_bytes())["resolution"]["pixels_per_grid"] == 70
    code, out, err = call("map", "import", str(vtt), "-o", str(again))
    assert (code, err) == (0, "")
    assert out.startswith(f"{again}: 48 x 48 inches, 1 building, 2 walls")
    assert load_map(again).buildings == load_map(yard).buildings


def plain_vtt(path: Path, lines: list[list[tuple[float, float]]]) -> Path:
    path.write_text(json.dumps({
        "format": 0.3,
        "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 10, "y": 10}, "pixels_per_grid": 50},
        "line_of_sight": [[{"x": x, "y": y} for x, y in line] for line in lines],
        "portals": [], "lights": [], "image": "iVBORw0KGgo=",
    }))  # fmt: skip
    return path


def test_import_scales_and_may_drop_the_picture(tmp_path: Path) -> None:
    vtt, out = plain_vtt(tmp_path / "a.uvtt", [[(1, 1), (5, 1)]]), tmp_path / "a.toml"
    flags = ["--inches-per-square", "2", "--wall-height", "3", "--no-picture"]
    assert call("map", "import", str(vtt), "-o", str(out), *flags)[0] == 0
    table = load_map(out)
    assert (table.size, table.walls[0].line, table.walls[0].height) == ((20, 20), (2, 18, 10, 18), 3)
    assert "iVBOR" not in out.read_text()
    assert call("map", "import", str(vtt), "-o", str(out), "--force")[0] == 0
    assert "iVBOR" in out.read_text()


def test_an_import_with_faults_is_written_and_told(tmp_path: Path) -> None:
    vtt, out = plain_vtt(tmp_path / "a.uvtt", [[(1, 1), (5, 5), (5, 1), (1, 5)]]), tmp_path / "a.toml"
    code, _, err = call("map", "import", str(vtt), "-o", str(out))
    assert code == 1
    assert "crosses or touches itself" in err
    assert call("map", "check", str(out))[0] == 1


@pytest.mark.parametrize("command", ["import", "export"])
def test_nothing_is_written_over(yard: Path, command: str) -> None:
    source = yard if command == "export" else plain_vtt(yard.with_name("b.uvtt"), [[(1, 1), (5, 1)]])
    there = yard.with_name("there.dd2vtt" if command == "export" else "there.toml")
    there.write_text("mine")
    code, _, err = call("map", command, str(source), "-o", str(there))
    assert code == 2
    assert "is not written over" in err
    assert there.read_text() == "mine"
    assert call("map", command, str(source), "-o", str(there), "--force")[0] == 0


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["export", "YARD", "-o", "a.toml"], "a.toml: the name must end in .dd2vtt or"),
        (["import", "YARD", "-o", "a.toml"], "the name must end in .dd2vtt"),
        (["import", "a.dd2vtt", "-o", "a.dd2vtt"], "the name must end in .toml"),
        (["import", "none.dd2vtt", "-o", "a.toml"], "none.dd2vtt: cannot be read"),
        (["export", "YARD"], "--out"),
        (["export", "YARD", "-o", "none/a.uvtt"], "none/a.uvtt: cannot be written"),
        (["export", "YARD", "-o", "a.uvtt", "--pixels", "0"], "0 pixels"),
        (["generate", "village", "--size", "48"], "for example 48x36"),
        (["generate", "village", "--size", "480x480"], "1 to 120 inches"),
        (["generate", "vilage"], "did you mean village?"),
        (["chek", "YARD"], "chek"),
    ],
)  # fmt: skip
def test_wrong_calls(yard: Path, args: list[str], says: str) -> None:
    code, _, err = call("map", *[str(yard) if part == "YARD" else part for part in args])
    assert code == 2
    assert says in err
    assert err.count("\n") == 1


# generate -------------------------------------------------------------------------------------------------------------


def test_generated_maps_are_the_same_for_a_seed(tmp_path: Path) -> None:
    flags = ["village", "--seed", "7", "--size", "36x30"]
    code, out, _ = call("map", "generate", *flags)
    assert code == 0
    path, svg = tmp_path / "v.toml", tmp_path / "v.svg"
    assert call("map", "generate", *flags, "-o", str(path), "--svg", str(svg))[0] == 0
    assert path.read_text() == out
    assert load_map(path).size == (36, 30)
    assert svg.read_text().startswith("<svg")
    assert call("map", "generate", "village", "--seed", "8", "--size", "36x30")[1] != out
