"""Wrong input: one clear line that says what, where and how to mend it; exit 2; nothing changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calling import call
from wardogs.kernel.record import read_record

CASE = """
title = "A case"
system = "dawgs"
rules = ["DAW-BRK-01"]
[setup]
planes = [ { front = "F6", damage = 1, speed = 2 }, { front = "L6" } ]
phases = ["roll_for_breakup"]
[[do]]
fate = [1]
expect = { "1.status" = "flying" }
"""


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["bout", "chess"], "unknown system chess"),
        (["play", "chess"], "unknown system chess"),
        (["rules", "chess"], "unknown system chess"),
        (["odds", "chess"], "unknown system chess"),
        (["systems", "chess"], "unknown system chess"),
        (["bout", "dawgs", "--scenario", "dusk_patrol"], "did you mean dawn_patrol"),
        (["bout", "dawgs", "--scenario", "nowhere.toml"], "nowhere.toml"),
        (["bout", "dawgs", "--options", "conee=hexes"], "did you mean cone"),
        (["bout", "dawgs", "--options", "cone=wide"], "hexes or increments"),
        (["bout", "dawgs", "--options", "cone"], "name=value"),
        (["bout", "dawgs", "--options", "round_limit=-1"], "whole number"),
        (["bout", "dawgs", "--options-file", "nowhere.toml"], "nowhere.toml"),
        (["bout", "dawgs", "--seats", "1=drill,9=random"], "unknown seat 9"),
        (["bout", "dawgs", "--seats", "blue=drill"], "seat blue"),
        (["bout", "dawgs", "--seats", "9"], "2 to 8"),
        (["bout", "dawgs", "--seats", "1"], "2 to 8"),
        (["bout", "dawgs", "--seats", "1=drlil,2=random"], "did you mean drill"),
        (["play", "dawgs", "--seats", "1=person,2=genius"], "unknown bot genius"),
        (["play", "dawgs", "--seats", "1=drill,2=drill"], "no seat is yours"),
        (["bout", "dawgs", "--teams", "1,1/2"], "exactly once"),
        (["bout", "dawgs", "--teams", "1,2"], "two sides"),
        (["bout", "dawgs", "--scenario", "courier", "--seats", "3"], "flown by 4 seats"),
        (["odds", "dawgs", "fir"], "did you mean fire"),
        (["odds", "dawgs", "fire", "speed=9"], "no row"),
        (["odds", "dawgs", "fire", "spede=1"], "did you mean speed"),
        (["rules", "dawgs", "zzz"], "no rule"),
        (["replay", "nowhere.wardogs"], "nowhere.wardogs: cannot be read"),
        (["case", "nowhere.toml"], "nowhere.toml: no such case"),
        (["dance"], "dance"),
        (["bout", "dawgs", "--colour", "red"], "--colour"),
        (["bout", "dawgs", "--record", "/no/such/folder/x"], "cannot be written"),
        (["bout", "dawgs", "--record", __file__], "is not written over"),
        (["bout", "dawgs", "--seats", "x"], "--seats x"),
        (["bout", "dawgs", "--seats", "0"], "2 to 8"),
        (["bout", "dawgs", "--scenario", "courier", "--teams", "1,2/3,4"], "own sides"),
        (["play", "dawgs", "--dice", "typed", "--seed", "5"], "leave --seed"),
        (["play", "--resume", "x.wardogs", "--seats", "6"], "give --resume alone"),
        (["odds", "dawgs", "fire", "speed"], "speed: write it as name=value"),
    ],
)
def test_a_wrong_call(args: list[str], says: str) -> None:
    code, out, err = call(*args)
    assert code == 2
    assert out == ""
    assert says in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def wrong_case(tmp_path: Path, old: str, new: str) -> tuple[int, str, str]:
    path = tmp_path / "wrong.toml"
    assert old in CASE
    path.write_text(CASE.replace(old, new))
    return call("case", str(path))


def test_the_case_itself_is_right(tmp_path: Path) -> None:
    assert wrong_case(tmp_path, "A case", "A case")[0] == 0


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("fate = [1]", "fete = [1]", "fete"),
        ("speed = 2", "sped = 2", "sped"),
        ("phases =", "phasen =", "phasen"),
        ("roll_for_breakup", "roll_for_breakups", "did you mean roll_for_breakup"),
        ("fate = [1]", "fate = [7]", "not on the d6"),
        ("fate = [1]", "fate = [true]", "not on the d6"),
        ("fate = [1]", 'fate = ["heads"]', "not on the d6"),
        ("fate = [1]", "fate = []", "too few faces"),
        ("fate = [1]", "fate = [1, 2]", "too many faces"),
        ("DAW-BRK-01", "DAW-BRK-99", "DAW-BRK-99"),
        ('"dawgs"', '"chess"', "unknown system"),
        ("F6", "Z6", "Z6"),
        ("expect = {", "expected = {", "expected"),
        ('"1.status"', '"1.statu"', "statu"),
        ('"1.status"', '"9.status"', "no seat 9"),
        ("[[do]]", "[[do", "not a case"),
    ],
)
def test_a_wrong_case(tmp_path: Path, old: str, new: str, says: str) -> None:
    code, _, err = wrong_case(tmp_path, old, new)
    assert code == 2
    assert says in err
    assert "wrong.toml" in err
    assert err.count("\n") == 1


def test_a_failing_case_is_an_answer_not_an_error(tmp_path: Path) -> None:
    code, out, _ = wrong_case(tmp_path, '"flying"', '"broken_up"')
    assert code == 1
    assert "FAIL" in out
    assert "0 passed, 1 failed" in out


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.wardogs"
    assert call("bout", "dawgs", "--seed", "3", "--record", str(path))[0] == 0
    return path


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda raw: raw[:-30], "cut short"),
        (lambda raw: b"this is a letter\n", "not a Wardogs record"),
        (lambda raw: b"", "empty"),
        (lambda raw: b'{"some": "json"}\n', "not a Wardogs record"),
        (lambda raw: raw.replace(b'"wardogs":1', b'"wardogs":99', 1), "format 99"),
        (lambda raw: b"\xff\xfe" + raw, "not a Wardogs record"),
    ],
)
def test_a_wrong_record(record: Path, spoil: object, says: str) -> None:
    record.write_bytes(spoil(record.read_bytes()))  # type: ignore[operator]
    for flags in ([], ["--verify"]):
        code, _, err = call("replay", str(record), *flags)
        assert code == 2
        assert says in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("what", [b'"face":', b'"choice":{', b'"fact":"', b'"faces":[[', b'"verb":"', b'"means":'])
def test_one_changed_byte_is_refused_with_its_entry(record: Path, what: bytes) -> None:
    lines = record.read_bytes().split(b"\n")
    n = next(n for n, line in enumerate(lines) if what in line and n > 1)
    at = lines[n].index(what) + len(what)
    spoiled = bytearray(lines[n])
    spoiled[at] = spoiled[at] ^ 1
    lines[n] = bytes(spoiled)
    record.write_bytes(b"\n".join(lines))
    code, _, err = call("replay", str(record))
    assert code == 2
    assert f"entry {n} " in err


def test_a_record_of_other_rules_can_be_read_but_not_verified(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from msgspec.structs import replace

    from wardogs.kernel.record import RecordFile, chained

    old = read_record(record).entries
    header = replace(old[0].header, rules_version="0")
    record.unlink()
    file, before = RecordFile(record), ""
    for entry in old:
        new = chained(replace(entry, header=header if entry.n == 0 else None), before)
        before = new.hash
        file.write(new)
    file.close()
    assert call("replay", str(record))[0] == 0
    code, _, err = call("replay", str(record), "--verify")
    assert code == 2
    assert "rules version 0" in err


def test_replay_refuses_entries_and_seats_that_are_not_there(record: Path) -> None:
    assert "has entries 0 to" in call("replay", str(record), "--to", "9999")[2]
    assert "has seats 1, 2" in call("replay", str(record), "--seat", "5")[2]
