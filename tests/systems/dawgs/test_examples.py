"""Every worked example of the register is a case."""

from __future__ import annotations

import tomllib
from pathlib import Path

from wardogs.kernel.cases import find_cases, read_cases

TESTS = Path(__file__).parents[2]


def test_every_worked_example_is_a_case() -> None:
    wanted = tomllib.loads((TESTS / "data" / "dawgs_examples.toml").read_text())["labels"]
    cased = {one.example for path in find_cases([TESTS / "cases" / "dawgs"]) for one in read_cases(path)}
    shown = {label.strip() for example in cased for label in example.split(",")}
    assert sorted(set(wanted) - shown) == []
