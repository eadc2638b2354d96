"""The register: ids in texts and code, what coverage misses, and files that are no register."""

from __future__ import annotations

from pathlib import Path

import pytest

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.register import Coverage, Register, Rule, coverage, ids_in_code, ids_in_text, read_register

GOOD = """
version = "3"

[TIN-WLK-01]
name = "Walk"
text = "An inch at a time."

[TIN-WLK-02]
name = "Run"
text = "Two inches."
ruling = "Uphill too."
variant = "uphill"
"""


def ids(*numbers: str) -> set[str]:
    return {f"TIN-WLK-{number}" for number in numbers}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("TIN-WLK-01", ids("01")),
        ("see TIN-WLK-01.", ids("01")),
        ("(TIN-WLK-01)", ids("01")),
        ("TIN-WLK-01, -05", ids("01", "05")),
        ("TIN-WLK-01 and -06", ids("01", "06")),
        ("TIN-WLK-05 to -08", ids("05", "06", "07", "08")),
        ("TIN-WLK-01, -03 to -05 and -09: walking", ids("01", "03", "04", "05", "09")),
        ("TIN-WLK-08 to -11", ids("08", "09", "10", "11")),
        ("TIN-WLK-098 to -101", ids("098", "099", "100", "101")),
        ("TIN-WLK-01 to -02 to -04", ids("01", "02", "03", "04")),
        ("TIN-WLK-01, TIN-DMG-02", ids("01") | {"TIN-DMG-02"}),
        ("TIN-WLK-01 and TIN-DMG-02, -03", ids("01") | {"TIN-DMG-02", "TIN-DMG-03"}),
        ("TIN-WLK-01, 5 inches", ids("01")),
        ("TIN-WLK-01 - 5", ids("01")),
        ("TIN-AB-01 TIN-ABCD-01", {"TIN-AB-01", "TIN-ABCD-01"}),
        ("tin-wlk-01 TIN-WLK-1 TINY-WLK-01 TIN-WLKED-01 -05", set()),
        ("", set()),
    ],
)
def test_ids_in_text(text: str, found: set[str]) -> None:
    assert ids_in_text(text) == found


def test_ids_in_code_are_those_in_strings(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "one.py").write_text('"""TIN-WLK-01, -02"""\n# TIN-WLK-03\nx = f"{1} TIN-WLK-04"\n', encoding="utf-8")
    (tmp_path / "deep" / "two.py").write_text("g.roll('TIN-WLK-05', D6)\n", encoding="utf-8")
    (tmp_path / "three.txt").write_text("TIN-WLK-06", encoding="utf-8")
    assert ids_in_code(tmp_path) == ids("01", "02", "04", "05")


def test_coverage_reports_what_no_code_names_and_no_case_shows(tmp_path: Path) -> None:
    register = Register("1", {f"TIN-WLK-0{n}": Rule("", "") for n in (1, 2, 3)})
    (tmp_path / "one.py").write_text("'TIN-WLK-01 and -02'", encoding="utf-8")
    found = coverage(register, tmp_path, ["TIN-WLK-02", "TIN-WLK-02", "TIN-DMG-01"])
    assert found == Coverage(3, ["TIN-WLK-03"], ["TIN-WLK-01", "TIN-WLK-03"])
    assert not found.complete
    assert not coverage(register, tmp_path, register.ids).complete
    (tmp_path / "two.py").write_text("'TIN-WLK-03'", encoding="utf-8")
    assert coverage(register, tmp_path, register.ids).complete


def test_a_register_is_read_and_searched(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(GOOD, encoding="utf-8")
    register = read_register(path)
    assert (register.version, register.ids) == ("3", frozenset(ids("01", "02")))
    assert register.search("UPHILL") == ["TIN-WLK-02"]
    assert register.search("inch") == ["TIN-WLK-01", "TIN-WLK-02"]
    assert register.search("wlk-01") == ["TIN-WLK-01"]
    assert register.search("swim") == []


@pytest.mark.parametrize(
    "content",
    [
        GOOD.replace('version = "3"', ""),
        GOOD.replace('name = "Walk"', ""),
        GOOD.replace('name = "Walk"', "name = 5"),
        GOOD + "colour = 'red'\n",
        GOOD + '[TIN-WLK-01]\nname = "Again"\ntext = ""\n',
        'version = "3"\nTIN-WLK-01 = "Walk"\n',
        "version = \n",
    ],
)
def test_a_bad_register_is_refused_in_one_line_that_names_it(tmp_path: Path, content: str) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(WardogsError, match=r"rules\.toml: not a register of rules") as error:
        read_register(path)
    assert "\n" not in str(error.value)


def test_a_register_that_cannot_be_read_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_bytes(b"\xff\xfe")
    for path in (tmp_path / "rules.toml", tmp_path / "gone.toml", tmp_path):
        with pytest.raises(WardogsError, match=path.name):
            read_register(path)


# ---- errors ----------------------------------------------------------------------------------------------------------


def test_an_unknown_name_is_answered_with_the_nearest_and_all() -> None:
    assert str(unknown("phase", "wolk", ["walk", "fire"])) == "unknown phase wolk: did you mean walk? there are walk, fire"
    assert str(unknown("phase", "zzz", ["walk", "fire"])) == "unknown phase zzz: there are walk, fire"
    assert str(unknown("phase", "zzz", [])) == "unknown phase zzz: there are none"


def test_an_unknown_name_of_any_length_stays_one_line() -> None:
    assert len(str(unknown("phase", "z" * 5000, ["walk"]))) < 200
