"""Rules are pure: no clock, no random, no network anywhere in a rulebook; and they cite only rules that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from wardogs.kernel.register import ids_in_code
from wardogs.systems import KEYS, load_system

FORBIDDEN = {"random", "time", "datetime", "secrets", "os", "sys", "socket", "subprocess", "uuid", "threading", "asyncio"}
SYSTEMS = Path(__file__).parents[1] / "src" / "wardogs" / "systems"


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def test_rulebooks_import_nothing_impure() -> None:
    assert {path.name: bad for path in SYSTEMS.rglob("*.py") if (bad := imports(path) & FORBIDDEN)} == {}


@pytest.mark.parametrize("key", KEYS)
def test_code_cites_only_rules_that_exist(key: str) -> None:
    system = load_system(key)
    assert ids_in_code(system.folder) - system.register.ids == set()
