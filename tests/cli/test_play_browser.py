"""wardogs play in the browser: what it serves, what it says, and what is kept."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.calling import call
from wardogs.cli import browser
from wardogs.cli.wanted import plan, wished
from wardogs.server.database import open_engine, ready
from wardogs.server.store import Store
from wardogs.systems import load_system


class Playing:
    """`wardogs play`, running in a group of its own, as at a terminal."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process, self.said = process, ""
        assert process.stdout is not None
        while "Play at" not in self.said:
            line = process.stdout.readline()
            assert line, f"it ended: {self.said}"
            self.said += line
        found = re.search(r"Play at (http://127\.0\.0\.1:\d+)/(?:#/table/(\w+)/([\w-]+))?\n", self.said)
        assert found is not None, self.said
        self.at, self.game, self.key = found.groups()

    def ask(self, path: str, key: str | None = None) -> httpx.Response:
        return httpx.get(self.at + path, headers={"authorization": f"Bearer {key or self.key}"}, timeout=30)

    def ctrl_c(self) -> tuple[int, str, str]:
        """As the terminal does it: to every process of the group."""
        os.killpg(self.process.pid, signal.SIGINT)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@contextmanager
def playing(folder: Path, *args: str, **environment: str) -> Iterator[Playing]:
    call_ = [sys.executable, "-m", "wardogs", "play", *args]
    bare = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")}
    env = {**bare, "XDG_DATA_HOME": str(folder), **environment}
    pipe = subprocess.PIPE
    process = subprocess.Popen(call_, stdout=pipe, stderr=pipe, text=True, env=env, start_new_session=True)
    try:
        yield Playing(process)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.fixture(autouse=True)
def built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is checked here does not hang on the client's pages; those that run the whole program need `make client`."""
    page = tmp_path / "index.html"
    page.touch()
    monkeypatch.setattr(browser, "PAGE", page)


def test_a_game_is_ready_and_comes_back(tmp_path: Path) -> None:
    with playing(tmp_path, "dawgs", "--no-browser") as first:
        facts = first.ask(f"/api/games/{first.game}").json()
        assert (facts["system"], facts["seat"]) == ("dawgs", 1)
        assert [chair["player"] for chair in facts["chairs"]] == ["person", "drill"]
        page = first.ask("/")
        assert (page.status_code, page.headers["content-type"].partition(";")[0]) == (200, "text/html")
        code, out, err = first.ctrl_c()
        assert (code, err) == (0, "")
        assert re.search(r"Go on with: \S+ play, then open http://127\.0\.0\.1:8765/#/table/" + f"{first.game}/{first.key}", out)
    with playing(tmp_path, "--no-browser") as second:
        assert second.game is None
        assert second.ask(f"/api/games/{first.game}", first.key).json()["game"] == first.game


def test_the_browser_opens_the_game(tmp_path: Path) -> None:
    opened, script = tmp_path / "opened", tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
    script.chmod(0o755)
    with playing(tmp_path, "dawgs", BROWSER=f"{script} %s") as game:
        for _ in range(200):
            if opened.exists():
                break
            time.sleep(0.05)
        assert opened.read_text().strip() == f"{game.at}/#/table/{game.game}/{game.key}"
        assert "no display" not in game.said


def test_without_a_display_the_link_is_told_and_a_taken_port_is_left_alone(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            other.bind((browser.HERE, browser.PORT))
            other.listen()
        except OSError:
            pass  # somebody else has it, which is as good
        with playing(tmp_path, "dawgs", "--seats", "1=person,2=person") as game:
            assert "There is no display here" in game.said
            assert not game.at.endswith(f":{browser.PORT}")
            others = re.findall(r"Seat 2 is another person's: \S+/(\S+)\n", game.said)
            assert game.ask(f"/api/games/{game.game}", others[0]).json()["seat"] == 2


def laid(folder: Path, *flags: str, seed: bytes | None = b"7" * 32, entropy: str = "") -> Any:
    """The game's first entry, as a wish has it laid."""
    system = load_system("dawgs")
    asked = (None, "", "", list(flags), None)
    setup, _ = plan(system, *asked)
    players = dict.fromkeys(setup.seats, "drill") | {1: "person"}
    database = f"sqlite:///{folder / 'games.db'}"
    game = browser.lay(database, "http://here", browser.Wish("dawgs", wished(system, *asked)[0], players, seed, entropy)).game
    store = Store(ready(open_engine(database)))
    try:
        return store.record(game).header
    finally:
        store.close()


def test_flags_reach_the_game(tmp_path: Path) -> None:
    header = laid(tmp_path, "round_limit=9", entropy="snake eyes")
    assert header.setup.options["round_limit"] == 9
    assert (header.dice, header.entropy) == ("sealed", "snake eyes")
    assert header.commitment == laid(tmp_path).commitment
    assert header.commitment != laid(tmp_path, seed=b"8" * 32).commitment
    assert laid(tmp_path, seed=None).dice == "typed"


def test_without_the_server_one_plays_in_the_terminal_and_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(browser, "find_spec", lambda name: None if name == "fastapi" else object())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", open(os.devnull))  # noqa: SIM115
    code, out, err = call("play", "dawgs", "--seed", "1")
    assert code == 0
    assert "Dawgs of War: Dawn Patrol" in out
    assert err.splitlines()[0] == "fastapi is missing, so you play in the terminal; for the browser: pip install 'wardogs[serve]'"


@pytest.mark.parametrize("flags", [["--scenario", "courier"], ["--seats", "4"], ["--seed", "1"], ["--dice", "typed"]])
def test_flags_without_a_game_are_refused(flags: list[str]) -> None:
    code, _, err = call("play", *flags)
    assert code == 2
    assert "say which" in err
    assert err.count("\n") == 1


def test_a_client_that_is_not_built_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(browser, "PAGE", tmp_path / "nowhere.html")
    code, _, err = call("play", "dawgs")
    assert code == 2
    assert err == "wardogs: the browser client is not built: make client; or play with --terminal\n"
