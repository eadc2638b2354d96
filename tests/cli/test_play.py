"""A game in the terminal, played by a script of what people would type."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.cli.calling import call
from wardogs.systems import load_system


def play(monkeypatch: pytest.MonkeyPatch, lines: list[str], *args: str) -> tuple[int, str, str]:
    """Type these lines; then the keyboard is gone (end of input)."""
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    monkeypatch.setenv("COLUMNS", "200")
    return call("play", "--terminal", *args)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return tmp_path / "game.wardogs"


def test_a_newcomer_sees_the_board_the_choices_and_what_they_do(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    code, out, err = play(monkeypatch, ["help", "dance", "99", "why", "log", "board", "rule DAW-MOV-04", "7", "q"],
                          "--seed", "1", "--record", str(game))  # fmt: skip
    assert code == 0
    assert "Dawgs of War: Dawn Patrol" in out
    assert "The dice are sealed" in out
    assert "No Change 1" in out
    assert "speed 1" in out
    assert "Type one number from the list, or help." in out
    assert "There is no 99" in out
    assert "falls" in out or "moves down" in out
    assert "Angus Howles plays" in out
    assert f"play --resume {game}" in err


def test_a_whole_game_to_its_end(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    code, out, _ = play(monkeypatch, ["1"] * 400, "--seed", "5", "--record", str(game), "--options", "round_limit=30")
    assert code == 0
    assert " after " in out
    assert "the seed" in out
    assert call("replay", str(game), "--verify")[0] == 0


def test_conceding_is_asked_twice(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    _, out, _ = play(monkeypatch, ["concede", "no", "concede", "yes"], "--seed", "1", "--record", str(game))
    assert "Kennel Red wins" in out


def test_undo_takes_a_round_back_with_the_bots_consent(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    _, out, _ = play(monkeypatch, ["undo", "1", "undo", "1", "q"], "--seed", "1", "--record", str(game))
    assert "nothing to take back" in out
    assert "Taken back." in out
    assert '"kind":"undo"' in game.read_text()


def test_what_was_undone_is_told_as_undone(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    _, out, _ = play(monkeypatch, ["1", "undo", "7", "log all", "q"], "--seed", "1", "--record", str(game))
    log = out.split("> ")[-2]
    assert "takes the last choice back" in log
    assert log.count("Round 2") == 1
    assert "Angus Howles plays Clockwise 1" not in log


def test_no_game_is_written_over(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    game.write_text("my notes")
    code, _, err = play(monkeypatch, ["q"], "--record", str(game))
    assert code == 2
    assert "is not written over" in err
    assert game.read_text() == "my notes"


def test_the_key_is_private_also_in_a_copy(monkeypatch: pytest.MonkeyPatch, game: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.wardogs"
    play(monkeypatch, ["1", f"save {copy}", f"save {copy}", "q"], "--seed", "1", "--record", str(game))
    for path in (game, copy):
        assert Path(f"{path}.key").stat().st_mode & 0o077 == 0


def test_odd_things_typed_are_answered(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    lines = ["²", "1 2", "HELP", "rule xyzzy", "rule special", "log 0", "q now"]
    code, out, _ = play(monkeypatch, lines, "--seed", "1", "--record", str(game))
    assert code == 0
    assert out.count("Type one number from the list") == 2
    assert "No rule has 'xyzzy'" in out
    assert " more: " in out


def test_resume_goes_on_where_it_was_left(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    play(monkeypatch, ["1", "q"], "--seed", "1", "--record", str(game))
    before = game.read_text()
    code, out, _ = play(monkeypatch, ["1"] * 400, "--resume", str(game))
    assert code == 0
    assert " after " in out
    assert game.read_text().startswith(before)
    assert call("replay", str(game), "--verify")[0] == 0
    code, _, err = play(monkeypatch, [], "--resume", str(game))
    assert code == 2
    assert "is over" in err


def test_resume_with_another_games_seed_is_refused(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    play(monkeypatch, ["1", "q"], "--seed", "1", "--record", str(game))
    key = Path(f"{game}.key")
    raw = json.loads(key.read_text())
    for seed in ("ab" * 32, "", "not hex"):
        key.write_text(json.dumps({**raw, "seed": seed}))
        code, _, err = play(monkeypatch, ["1", "q"], "--resume", str(game))
        assert code == 2
        assert "seed" in err or "key" in err


def test_a_game_of_other_rules_is_taken_up_from_its_last_position(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    play(monkeypatch, ["1", "q"], "--seed", "1", "--record", str(game))
    system = load_system("dawgs")
    newer = dataclasses.replace(system, register=msgspec.structs.replace(system.register, version="2"))
    monkeypatch.setattr("wardogs.cli.wanted.system_named", lambda key: newer)
    code, out, err = play(monkeypatch, ["1", "q"], "--resume", str(game))
    assert code == 0
    assert "taken up from its last position" in err
    assert "--- Round 3 ---" in out


def test_bots_do_not_play_by_what_the_header_shows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The same sealed dice, or typed ones, and yet the bot's cards differ from game to game."""
    monkeypatch.setattr(sys.modules["wardogs.cli.play"], "_seed", lambda dice, seed: bytes(32))
    cards = set()
    for n in range(12):
        path = tmp_path / f"{n}.wardogs"
        play(monkeypatch, ["1", "q"], "--record", str(path))
        cards.add(next(line for line in path.read_text().splitlines() if '"seat":2,"choice"' in line))
    assert len(cards) > 1


def test_resume_without_its_key_is_refused(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    play(monkeypatch, ["1", "q"], "--seed", "1", "--record", str(game))
    Path(f"{game}.key").unlink()
    code, _, err = play(monkeypatch, [], "--resume", str(game))
    assert code == 2
    assert "key file" in err


def test_save_makes_a_copy_to_go_on_from(monkeypatch: pytest.MonkeyPatch, game: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.wardogs"
    _, out, _ = play(monkeypatch, ["1", f"save {copy}", "save", "save /no/such/place", "q"], "--seed", "1", "--record", str(game))
    assert f"Saved to {copy}" in out
    assert "cannot be written" in out
    assert play(monkeypatch, ["q"], "--resume", str(copy))[0] == 0


def test_real_dice_are_typed_and_asked_again_if_not_on_the_die(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    lines = ["roll_over", "snap_shot", "0", "7", "six", "3", "5", "1", "q"]
    code, out, _ = play(monkeypatch, lines, "--dice", "typed", "--record", str(game))
    assert code == 0
    assert out.count("is not on the d6") == 3
    assert "rolls 3 for height" in out
    assert play(monkeypatch, ["q"], "--resume", str(game))[0] == 0


def test_two_people_at_one_keyboard_do_not_see_each_other(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    lines = ["", "1", "", "1", "q"]
    _, out, _ = play(monkeypatch, lines, "--seats", "1=person,2=person", "--seed", "1", "--record", str(game))
    assert "General Pit Matheson, it is your turn" in out


def test_undo_between_people_needs_the_others_consent(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    lines = ["", "1", "", "1", "", "undo", "no", "undo", "yes", "q"]
    _, out, _ = play(monkeypatch, lines, "--seats", "1=person,2=person", "--seed", "1", "--record", str(game))
    assert "does not agree" in out
    assert "Taken back." in out


def wait_for(path: Path, text: str) -> None:
    for _ in range(200):
        if path.exists() and text in path.read_text():
            return
        time.sleep(0.05)
    raise AssertionError(f"{text} never came")


@pytest.fixture
def running(game: Path) -> Iterator[subprocess.Popen[str]]:
    call_ = [sys.executable, "-m", "wardogs", "play", "--terminal", "--seed", "1", "--record", str(game)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(call_, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env={**os.environ})
    yield process
    process.kill()


def test_ctrl_c_leaves_a_game_to_resume(running: subprocess.Popen[str], game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wait_for(game, '"kind":"choice"')
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=20)
    assert running.returncode == 0
    assert "--resume" in err
    assert "Traceback" not in err
    assert play(monkeypatch, ["1", "q"], "--resume", str(game))[0] == 0


def test_a_kill_loses_nothing_acknowledged(running: subprocess.Popen[str], game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert running.stdin is not None
    running.stdin.write("1\n")
    running.stdin.flush()
    wait_for(game, '"seat":1,"choice"')
    running.kill()
    running.communicate()
    assert play(monkeypatch, ["1", "q"], "--resume", str(game))[0] == 0
