"""The browser client can be built by anybody: whole or not at all, from a lock that fits every machine."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tools import client
from wardogs.systems import KEYS, load_system

LOCK = client.CLIENT / "package-lock.json"
OURS = ("src", "tests", "public", "index.html")
COMING = ("sangin", "skank", "cqb", "SAN-", "SKA-", "CQB-")


def packages() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    return {name: package for name, package in found.items() if name}


def test_the_lock_names_no_registry() -> None:
    assert [name for name, package in packages().items() if "resolved" in package] == []


def test_the_lock_holds_what_other_machines_need() -> None:
    """npm ci refuses a lock that leaves them out, and npm install leaves out what the registry has not got yet."""
    named = {other for package in packages().values() for other in package.get("optionalDependencies", {})}
    assert named - {name.rpartition("node_modules/")[2] for name in packages()} == set()
    assert [name for name, package in packages().items() if not package.get("integrity")] == []


@pytest.mark.parametrize(
    ("told", "good"), [("v18.20.4", False), ("v20.18.0", False), ("v20.19.0", True), ("v24.1.0", True), ("?", False)]
)
def test_an_old_node_is_left_alone(told: str, good: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("node", "npm"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho '{told}'\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert client.of_machine() == (client.Node([str(tmp_path / "npm")], str(tmp_path)) if good else None)


def test_without_any_node_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "found", lambda: None)
    with pytest.raises(SystemExit, match=r"needs Node 20\.19 or newer, or: pip install"):
        client.npm("ci")


@pytest.mark.parametrize("ends", [None, SystemExit("failed"), KeyboardInterrupt()])
def test_a_build_is_put_in_place_whole_or_not_at_all(
    ends: BaseException | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = tmp_path / "client"
    to.mkdir()
    (to / "index.html").write_text("old")

    def npm(*args: str, **environment: str) -> None:
        new = Path(environment["WARDOGS_CLIENT"])
        new.mkdir()
        (new / "index.html").write_text("new")
        if ends is not None:
            raise ends

    monkeypatch.setattr(client, "npm", npm)
    monkeypatch.setattr(client, "fetch", lambda: None)
    if ends is None:
        client.build(to)
        assert os.listdir(tmp_path) == ["client"]
    else:
        with pytest.raises(type(ends)):
            client.build(to)
    assert (to / "index.html").read_text() == ("new" if ends is None else "old")


# ---- it knows shapes of offers, not games ------------------------------------------------------------------------------


def sources() -> list[Path]:
    found = [client.CLIENT / name for name in OURS]
    files = [file for path in found for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()]
    assert len(files) > 60
    return files


def names() -> list[str]:
    """What a client that knew a game would say: keys, titles, rule ids, and the verbs and sides of scenarios as words of code."""
    systems = [load_system(key) for key in KEYS]
    prefixes = {id_.split("-")[0] + "-" for system in systems for id_ in system.register.rules}
    scenarios = {key for system in systems for key in system.scenarios if "_" in key}
    verbs = {verb for system in systems for verb in system.words["choices"] if "_" in verb}
    return sorted({*KEYS, *(system.title for system in systems), *prefixes, *scenarios, *verbs, *COMING})


@pytest.mark.parametrize("name", names())
def test_no_game_is_named_in_the_client(name: str) -> None:
    word = re.compile(rf"(?<![A-Za-z_]){re.escape(name)}" + ("" if name.endswith("-") else r"(?![A-Za-z_])"), re.IGNORECASE)
    said = {str(file.relative_to(client.CLIENT)): word.findall(file.read_text(encoding="utf-8")) for file in sources()}
    assert {file: found for file, found in said.items() if found} == {}
