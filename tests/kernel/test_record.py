"""The record: chained, so that no byte of it can be changed unnoticed, and readable without any rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.kernel.tiny import NO, YES, begun, forged, place, played, written
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.record import FORMAT, Entry, Record, RecordFile, chained, read_record

GAME = played()
LINES = [msgspec.json.encode(entry) for entry in GAME.record.entries]
ROLL = next(n for n, entry in enumerate(GAME.record.entries) if entry.faces and entry.kind == "choice")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.wardogs"


def refusal(path: Path, lines: list[bytes], end: bytes = b"\n") -> str:
    path.write_bytes(b"\n".join(lines) + end)
    with pytest.raises(WardogsError) as error:
        read_record(path)
    said = str(error.value)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    return said


def changed(n: int, change: Callable[[dict], object]) -> list[bytes]:
    """The lines, with line n decoded, changed and written as before; its hash stays as it was."""
    raw = json.loads(LINES[n])
    change(raw)
    return [*LINES[:n], json.dumps(raw, separators=(",", ":"), ensure_ascii=False).encode(), *LINES[n + 1 :]]


# ---- as it should be -------------------------------------------------------------------------------------------------


def test_a_record_on_disk_is_read_as_it_was_written(path: Path) -> None:
    read = read_record(written(path, GAME.record))
    assert read.hash == GAME.record.hash
    assert [msgspec.json.encode(entry) for entry in read.entries] == LINES
    assert (read.header, read.finished) == (GAME.header, True)
    assert (read.outcome.winner, read.outcome.reason, read.outcome.turns) == (None, "rounds", 3)


def test_each_entry_is_chained_to_the_one_before() -> None:
    before = ""
    for entry in GAME.record.entries:
        assert chained(entry, before).hash == entry.hash
        assert chained(entry, before + "0").hash != entry.hash
        before = entry.hash
    assert len({entry.hash for entry in GAME.record.entries}) == len(GAME.record.entries)


def test_every_entry_is_on_disk_as_soon_as_it_has_happened(path: Path) -> None:
    match = begun(sink=RecordFile(path))
    for _ in range(3):
        match.answer(match.game.waiting[0], YES)
        assert read_record(path).hash == match.record.hash


def test_a_file_may_be_continued(path: Path) -> None:
    written(path, Record(GAME.record.entries[:4]))
    more = RecordFile(path, fresh=False)
    for entry in GAME.record.entries[4:]:
        more.write(entry)
    more.close()
    assert read_record(path).hash == GAME.record.hash


def test_a_prefix_is_a_record_that_is_not_over(path: Path) -> None:
    read = read_record(written(path, Record(GAME.record.entries[:5])))
    assert (read.finished, read.outcome) == (False, None)


# ---- one thing changed -----------------------------------------------------------------------------------------------


def change_face(raw: dict) -> None:
    raw["faces"][0][2] = raw["faces"][0][2] % 6 + 1


def change_choice(raw: dict) -> None:
    raw["choice"]["card"] = "M"


def change_report(raw: dict) -> None:
    raw["reports"][0]["data"]["who"] = 3


def change_audience(raw: dict) -> None:
    raw["reports"][0]["to"] = [1, 2]


def add_report(raw: dict) -> None:
    raw["reports"].append({"rule": "TIN-END-01", "fact": "ended"})


def change_seat(raw: dict) -> None:
    raw["seat"] += 1


def change_hash(raw: dict) -> None:
    raw["hash"] = "0" * 64


def drop_hash(raw: dict) -> None:
    del raw["hash"]


def change_number(raw: dict) -> None:
    raw["n"] += 1


def strange_kind(raw: dict) -> None:
    raw["kind"] = "miracle"


def strange_key(raw: dict) -> None:
    raw["miracle"] = True


@pytest.mark.parametrize(
    "change",
    [change_face, change_choice, change_report, change_audience, add_report, change_seat, change_hash, drop_hash,
     change_number, strange_kind, strange_key],
)  # fmt: skip
def test_one_change_in_an_entry_is_refused_by_its_number(path: Path, change: Callable[[dict], None]) -> None:
    assert f"entry {ROLL} has been changed" in refusal(path, changed(ROLL, change))


@pytest.mark.parametrize("field", ["names", "players", "system", "rules_version", "commitment", "entropy", "umpire", "words"])
def test_one_change_in_the_header_is_refused(path: Path, field: str) -> None:
    def change(raw: dict) -> None:
        old = raw["header"][field]
        raw["header"][field] = {} if isinstance(old, dict) else old + 1 if isinstance(old, int) else old + "x"

    assert "entry 0 has been changed" in refusal(path, changed(0, change))


def test_the_outcome_and_the_seed_cannot_be_changed(path: Path) -> None:
    last = len(LINES) - 1
    assert f"entry {last}" in refusal(path, changed(last, lambda raw: raw["outcome"].update(winner="Green")))
    assert f"entry {last}" in refusal(path, changed(last, lambda raw: raw.update(seed="00")))


def test_the_order_of_lines_cannot_be_changed(path: Path) -> None:
    swapped = [*LINES[:3], LINES[4], LINES[3], *LINES[5:]]
    assert "entry 3" in refusal(path, swapped)


def test_no_line_can_be_removed_or_doubled(path: Path) -> None:
    assert "entry 3" in refusal(path, [*LINES[:3], *LINES[4:]])
    assert "entry 4" in refusal(path, [*LINES[:4], *LINES[3:]])
    assert "not a Wardogs record" in refusal(path, LINES[1:])


def test_a_second_header_is_out_of_place(path: Path) -> None:
    again = Record(list(GAME.record.entries[:3]))
    again.entries.append(chained(Entry(3, "header", header=GAME.header), again.hash))
    path.write_bytes(b"".join(msgspec.json.encode(entry) + b"\n" for entry in again.entries))
    with pytest.raises(WardogsError, match="entry 3 is out of place"):
        read_record(path)


@settings(derandomize=True, max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_byte_can_be_changed(path: Path, data: st.DataObject) -> None:
    whole = bytearray(b"\n".join(LINES) + b"\n")
    at = data.draw(st.integers(0, len(whole) - 1))
    old = whole[at]
    whole[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != old))
    n = bytes(whole[:at]).count(b"\n")
    said = refusal(path, [bytes(whole)], b"")
    assert f"entry {n} " in said or n == 0


def test_a_line_written_in_another_way_is_refused(path: Path) -> None:
    """Spaces and escapes mean the same, but a hash that covers meanings only would let two files pass for one."""
    spaced = json.dumps(json.loads(LINES[2])).encode()
    assert "entry 2" in refusal(path, [*LINES[:2], spaced, *LINES[3:]])


# ---- not a record ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [1, 20, -1])
def test_a_torn_last_line_is_named_with_the_remedy(path: Path, left: int) -> None:
    said = refusal(path, [*LINES[:6], LINES[6][:left]], b"")
    assert "entry 6 is cut short" in said
    assert "without that line the rest can be used" in said


def test_a_last_line_without_its_end_is_named_with_the_remedy(path: Path) -> None:
    said = refusal(path, LINES[:7], b"")
    assert "entry 6 is cut short; without that line the rest can be used" in said


def test_without_the_torn_line_the_rest_can_be_used(path: Path) -> None:
    path.write_bytes(b"\n".join(LINES[:6]) + b"\n")
    assert read_record(path).hash == GAME.record.entries[5].hash


def test_a_torn_line_in_the_middle_is_named(path: Path) -> None:
    assert "entry 4" in refusal(path, [*LINES[:4], LINES[4][:30], *LINES[5:]])


@pytest.mark.parametrize(
    "content",
    [b"hello\n", b"\n", b"\xff\xfe\n", b"{}\n", b"[]\n", b"3\n", b'{"kind":"header"}\n', b'{"kind":"header","header":3}\n'],
)
def test_what_is_no_record_is_refused_in_one_line(path: Path, content: bytes) -> None:
    assert "record" in refusal(path, [content], b"")


def test_an_empty_file_is_refused(path: Path) -> None:
    assert "it is empty" in refusal(path, [], b"")


def test_a_file_made_to_crash_the_reader_is_refused(path: Path) -> None:
    """Brackets by the thousand; a record is something that strangers send."""
    assert "not JSON" in refusal(path, [b"[" * 100_000])


def test_another_format_is_refused_by_its_number(path: Path) -> None:
    said = refusal(path, changed(0, lambda raw: raw["header"].update(wardogs=FORMAT + 1)))
    assert f"a record of format {FORMAT + 1}; this Wardogs reads format {FORMAT}" in said


def test_a_missing_file_and_a_folder_are_refused(path: Path) -> None:
    for wrong in (path, path.parent):
        with pytest.raises(WardogsError, match="cannot be read"):
            read_record(wrong)


def test_a_place_that_cannot_be_written_is_refused(path: Path) -> None:
    for wrong in (path.parent, path / "below"):
        with pytest.raises(WardogsError, match=r"cannot be written|is not written over"):
            RecordFile(wrong)


# ---- in words --------------------------------------------------------------------------------------------------------


def test_a_record_tells_the_game_without_rules(path: Path) -> None:
    told = [said for _, _, said in read_record(written(path, GAME.record)).sentences(1)]
    assert told[-1] == "Nobody wins (rounds)." or told[-1].endswith("wins (last_side).")
    assert any(said.startswith("Red draws ") for said in told)


def test_sentences_hide_what_a_seat_may_not_know() -> None:
    match = begun()
    for seat in (1, 2, 3):
        match.answer(seat, NO)
    for seat in (1, 2):
        match.answer(seat, place(match.game.state[seat].hand[0]))
    hands = {seat: match.game.state[seat].hand for seat in (1, 2, 3)}
    for seat, name in ((1, "Red"), (2, "Blue"), (3, "Green")):
        told = [said for _, _, said in match.record.sentences(seat)]
        assert told == [f"{name} draws {card}." for card in hands[seat]]
    assert list(match.record.sentences(None)) == []


def test_two_worlds_that_differ_in_secrets_sound_the_same() -> None:
    """The cards of the others and what they lay are different, and seat 3 hears the same words."""
    match = begun()
    other = forged(match.record, 1, reports=tuple(
        report if report.to == (3,) else msgspec.structs.replace(report, data={"who": report.data["who"], "card": "?"})
        for report in match.record.entries[1].reports
    ))  # fmt: skip
    assert list(match.record.sentences(3)) == list(other.sentences(3))
    assert list(match.record.sentences(1)) != list(other.sentences(1))


def test_sentences_up_to_an_entry() -> None:
    whole = list(GAME.record.sentences(1))
    for to in (0, 1, 5, ROLL):
        assert list(GAME.record.sentences(1, to)) == [row for row in whole if row[0] <= to]
    assert list(GAME.record.sentences(1, 0)) == []


def test_a_line_that_cannot_be_written_whole_is_not_written_at_all(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = RecordFile(path)
    for entry in GAME.record.entries[:3]:
        file.write(entry)
    before = path.read_bytes()

    def full(fd: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        file.write(GAME.record.entries[3])
    assert path.read_bytes() == before
    monkeypatch.undo()
    file.write(GAME.record.entries[3])
    assert len(read_record(path).entries) == 4
