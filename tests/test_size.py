"""Small on purpose: functions of a paragraph's size, files of a chapter's."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median

SRC = Path(__file__).parents[1] / "src"


def sizes() -> dict[str, int]:
    found = {}
    for path in SRC.rglob("*.py"):
        if path.parent.name == "versions":  # a migration is a list of statements
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found[f"{path.relative_to(SRC)}:{node.lineno} {node.name}"] = (node.end_lineno or 0) - node.lineno + 1
    return found


def test_functions_are_short() -> None:
    found = sizes()
    assert median(found.values()) <= 10
    assert {name: size for name, size in found.items() if size > 60} == {}


def test_files_are_short() -> None:
    lines = {str(path.relative_to(SRC)): path.read_text().count("\n") for path in SRC.rglob("*.py")}
    assert {name: size for name, size in lines.items() if size > 500} == {}
