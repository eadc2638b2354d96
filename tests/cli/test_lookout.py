"""wardogs map sight and reach: answers in words, in JSON and drawn; and wrong calls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calling import call

YARD = """
name = "Yard"
size = [24, 20]
[[building]]
id = "B1"
rect = [14, 6, 22, 14]
levels = 2
openings = [{ kind = "window", side = "W", at = 10, width = 1.5 }, { side = "S", at = 18 }]
stairs = [{ at = [20.5, 12.5] }]
[[wall]]
line = [10, 0, 10, 20]
height = 0.6
[[wall]]
line = [4, 18, 8, 18]
height = 3
"""


@pytest.fixture
def yard(tmp_path: Path) -> str:
    path = tmp_path / "yard.toml"
    path.write_text(YARD)
    return str(path)


def test_sight_tells_part_by_part(yard: str) -> None:
    code, out, err = call("map", "sight", yard, "--from", "5,10", "--at", "11,10", "--facing", "180")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "head: clear"
    assert "right leg: hidden by the low stone wall (hard)" in lines
    assert lines[-1] == "71% of it can be seen, 71% with nothing in the way"


def test_sight_says_no(yard: str) -> None:
    code, out, _ = call("map", "sight", yard, "--from", "6,16", "--at", "6,19")
    assert code == 1
    assert out.endswith("0% of it can be seen, 0% with nothing in the way\n")


def test_sight_of_a_vehicle_in_json(yard: str, tmp_path: Path) -> None:
    picture = tmp_path / "rays.svg"
    call_ = ("map", "sight", yard, "--from", "5,10", "--at", "12,4", "--vehicle", "3x1.4x1", "--json", "--svg", str(picture))
    code, out, _ = call(*call_)
    found = json.loads(out)
    assert code == 0
    assert set(found["parts"]) == {"lower hull", "upper hull"}
    assert found["parts"]["lower hull"]["hidden"] > found["parts"]["upper hull"]["hidden"]
    assert picture.read_text().startswith("<svg")


def test_reach_tells_the_way(yard: str) -> None:
    code, out, err = call("map", "reach", yard, "--from", "8,10", "--to", "12,10")
    assert (code, err, out) == (0, "", "6.00 to (12, 10), 4.00 inches: (8, 10) to (12, 10)\n")


def test_reach_upstairs_in_json(yard: str, tmp_path: Path) -> None:
    picture = tmp_path / "reach.svg"
    code, out, _ = call("map", "reach", yard, "--from", "18,4", "--to", "18,10,2", "--json", "--svg", str(picture))
    found = json.loads(out)
    assert code == 0
    assert 13 < found["cost"] < 18
    assert found["path"][0] == [18, 4, 0]
    assert found["path"][-1] == [18, 10, 2]
    assert picture.exists()


def test_reach_without_an_end_counts_the_places(yard: str) -> None:
    code, out, _ = call("map", "reach", yard, "--from", "4,4", "--limit", "2")
    assert code == 0
    assert out == "49 places within reach, half an inch apart; the farthest, (6, 4), for 2.00\n"


def test_reach_says_no(yard: str) -> None:
    code, out, _ = call("map", "reach", yard, "--from", "4,4", "--to", "12,4", "--limit", "5")
    assert (code, out) == (1, "(12, 4) is out of reach\n")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("sight", "--from", "5,10", "--at", "11"), "--at 11: write X,Y or X,Y,Z in inches, as 12.5,8"),
        (("sight", "--from", "5,nan", "--at", "1,1"), "--from 5,nan: write X,Y or X,Y,Z in inches, as 12.5,8"),
        (("sight", "--from", "25,1", "--at", "1,1"), "--from 25,1: off the table, which is 24 x 20 inches"),
        (("sight", "--from", "5,1,99", "--at", "1,1"), "--from 5,1,99: too high: at most 30 inches"),
        (("sight", "--from", "5,1", "--at", "1,1", "--stance", "pron"), "unknown stance pron: did you mean prone?"),
        (("sight", "--from", "5,1", "--at", "1,1", "--own-stance", "up"), "unknown stance up"),
        (("sight", "--from", "5,1", "--at", "1,1", "--vehicle", "3x0x1"), "each side must be more than 0"),
        (("reach", "--from", "5,1", "--mode", "fly"), "unknown mode fly: there are walk, run, crawl"),
        (("reach", "--from", "5,1,3"), "nothing to stand on at (5, 1, 3)"),
    ],
)
def test_wrong_calls_get_one_clear_line(yard: str, args: tuple[str, ...], says: str) -> None:
    code, out, err = call("map", args[0], yard, *args[1:])
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert says in err
