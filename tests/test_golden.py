"""Golden games: whole records that must verify for ever, or the rules version is raised on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

from wardogs.kernel.record import read_record
from wardogs.kernel.replay import verify
from wardogs.systems import load_system

GAMES = sorted((Path(__file__).parent / "golden").glob("*/*.wardogs"))


def test_there_are_golden_games() -> None:
    assert len(GAMES) >= 5


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_game_verifies_and_reads_the_same(path: Path) -> None:
    record = read_record(path)
    rolls = sum(len(entry.faces) for entry in record.entries)
    assert verify(load_system(record.header.system), record) == rolls > 0
    told = [f"{n:4} {report.rule:11} {said}" for n, report, said in record.sentences()]
    assert told == path.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
