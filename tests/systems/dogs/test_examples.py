"""Every worked example of the register is a case."""

from __future__ import annotations

from pathlib import Path

from wardogs.kernel.cases import find_cases, read_cases

CASES = Path(__file__).parents[2] / "cases" / "dogs"
FROM_THE_DOCUMENT, FURTHER = 26, 73


def test_every_worked_example_is_a_case() -> None:
    wanted = {f"EX-{n:02}" for n in range(1, FROM_THE_DOCUMENT + 1)} | {f"WX-{n:02}" for n in range(1, FURTHER + 1)}
    cased = {one.example for path in find_cases([CASES]) for one in read_cases(path)}
    shown = {label.strip() for example in cased for label in example.split(",")}
    assert sorted(wanted - shown) == []
    assert sorted(shown - wanted - {""}) == []
