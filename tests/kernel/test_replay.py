"""Replay: a record played again by the rules, resumed, and verified against liars who know the format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.kernel.tiny import (
    ENTROPY,
    NO,
    REGISTER,
    SEED,
    TINY,
    UMPIRE,
    YES,
    begun,
    chained_anew,
    forged,
    place,
    play_on,
    played,
    scene,
    written,
)
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Sealed, Typed, commitment
from wardogs.kernel.record import Entry, Outcome, Record, read_record
from wardogs.kernel.register import Register
from wardogs.kernel.replay import Discrepancy, rebuild, resume, verify
from wardogs.kernel.report import Report
from wardogs.kernel.system import System

GAME = played()
RECORD = GAME.record
LAST = len(RECORD.entries) - 1
ROLL = next(n for n, e in enumerate(RECORD.entries) if e.kind == "choice" and any(kind == "d10" for _, kind, _ in e.faces))
PLACED = next(n for n, e in enumerate(RECORD.entries) if e.kind == "choice" and e.choice["verb"] == "place")


class Shelf:
    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def write(self, entry: Entry, position: object) -> None:
        self.entries.append(entry)


def lie(tmp_path: Path, record: Record) -> str:
    """What verify says to a forged record whose chain is in order; it has been to the disk and back."""
    read = read_record(written(tmp_path / "game.wardogs", record))
    with pytest.raises(Discrepancy) as error:
        verify(TINY, read)
    assert "\n" not in str(error.value)
    return str(error.value)


# ---- honest records --------------------------------------------------------------------------------------------------


def test_verify_recomputes_every_face(tmp_path: Path) -> None:
    assert verify(TINY, RECORD) == GAME.rolls > 20
    assert verify(TINY, read_record(written(tmp_path / "game.wardogs", RECORD))) == GAME.rolls


def test_verify_of_a_game_with_real_dice_vouches_for_no_face() -> None:
    match = played(seed=None)
    assert match.over
    assert verify(TINY, match.record) == 0


def test_verify_of_a_game_that_is_not_over_runs_the_rules() -> None:
    assert verify(TINY, Record(RECORD.entries[: ROLL + 1])) == 0
    with pytest.raises(Discrepancy, match=f"entry {PLACED}"):
        verify(TINY, forged(Record(RECORD.entries[: PLACED + 2]), PLACED, choice=place("?")))


@pytest.mark.parametrize("to", range(0, LAST - 1, 3))
def test_rebuild_stands_where_the_match_stood(to: int) -> None:
    match = rebuild(TINY, RECORD, to)
    assert match.record.hash == RECORD.entries[to].hash
    if to:
        assert match.game.position == GAME.positions[to]


def test_rebuild_of_the_whole_game_stands_at_its_end() -> None:
    match = rebuild(TINY, RECORD)
    assert (match.game.state, match.outcome) == (GAME.game.state, GAME.outcome)


def test_other_rules_can_read_a_record_but_not_play_it() -> None:
    later = System(**{**vars_of(TINY), "register": Register("2", REGISTER.rules)})
    for act in (verify, rebuild):
        with pytest.raises(WardogsError, match="rules version 1, this Wardogs has 2"):
            act(later, RECORD)
    assert list(RECORD.sentences(1))


def vars_of(system: System) -> dict[str, Any]:
    return {name: getattr(system, name) for name in System.__dataclass_fields__}


# ---- going on --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", range(2, LAST, 4))
def test_resume_goes_on_and_gives_the_same_hash(tmp_path: Path, cut: int) -> None:
    path = written(tmp_path / "game.wardogs", Record(RECORD.entries[:cut]))
    shelf = Shelf()
    match = resume(TINY, read_record(path), Sealed(SEED, ENTROPY), shelf)
    play_on(match)
    assert match.record.hash == RECORD.hash
    assert [entry.n for entry in shelf.entries] == list(range(cut, LAST + 1))


def test_resume_of_a_game_that_crashed_just_before_its_last_entry() -> None:
    """All is played, but the entry that opens the seed was not written yet: it must be made good."""
    shelf = Shelf()
    match = resume(TINY, Record(RECORD.entries[:LAST]), Sealed(SEED, ENTROPY), shelf)
    assert match.over
    assert [(entry.n, entry.seed) for entry in shelf.entries] == [(LAST, SEED.hex())]
    assert match.record.hash == RECORD.hash


def test_resume_of_real_dice() -> None:
    whole = played(seed=None)
    for cut in range(2, len(whole.record.entries) - 1, 9):
        match = resume(TINY, Record(whole.record.entries[:cut]), Typed(), Shelf())
        assert play_on(match).record.hash == whole.record.hash


def test_resume_after_an_undo_and_with_answers_pending() -> None:
    whole = begun()
    for seat in (1, 2, 3):
        whole.answer(seat, NO)
    whole.answer(2, whole.seen(2).ask.playable[1])
    whole.answer(1, whole.seen(1).ask.playable[0])
    whole.undo(2)
    match = resume(TINY, Record(list(whole.record.entries)), Sealed(SEED, ENTROPY), Shelf())
    assert (match.game.answers, match.game.waiting) == (whole.game.answers, (2, 3))
    assert match.undo(1) == ()
    assert whole.undo(1) == ()
    assert play_on(match).record.hash == play_on(whole).record.hash


def test_resume_with_another_seed_is_refused() -> None:
    """Otherwise the game goes on, and at its end nobody can verify a single face."""
    with pytest.raises(WardogsError, match="seed"):
        resume(TINY, Record(RECORD.entries[:6]), Sealed(bytes(32), ENTROPY), Shelf())


def test_resume_of_a_game_that_is_over_is_refused() -> None:
    with pytest.raises(WardogsError, match="over"):
        resume(TINY, RECORD, Sealed(SEED, ENTROPY), Shelf())


# ---- liars -----------------------------------------------------------------------------------------------------------


def with_face(n: int, at: int, face: Any) -> Record:
    """Another face, in the faces and in the report that tells it."""
    entry = RECORD.entries[n]
    rule, kind, old = entry.faces[at]
    faces = (*entry.faces[:at], (rule, kind, face), *entry.faces[at + 1 :])
    told = next(i for i, r in enumerate(entry.reports) if r.rule == rule and old in (r.data.get("face"), r.data.get("card")))
    name = "card" if kind == "card" else "face"
    report = replace(entry.reports[told], data={**entry.reports[told].data, name: face})
    return forged(RECORD, n, faces=faces, reports=(*entry.reports[:told], report, *entry.reports[told + 1 :]))


def test_a_wrong_face(tmp_path: Path) -> None:
    at, (rule, _, face) = next((i, f) for i, f in enumerate(RECORD.entries[ROLL].faces) if f[1] == "d10")
    other = face % 10 + 1
    said = lie(tmp_path, with_face(ROLL, at, other))
    assert f"entry {ROLL} " in said
    assert f"face {at + 1} (d10 {other}, {rule}) is not what the seed gives" in said


def test_a_wrong_card_at_the_very_beginning(tmp_path: Path) -> None:
    """The message must be about the card that was changed, not about what winding back ran into."""
    old = RECORD.entries[1].faces[0][2]
    other = "A" if old != "A" else "B"
    said = lie(tmp_path, with_face(1, 0, other))
    assert f"entry 1 does not follow from the rules: face 1 (card {other}, TIN-CRD-01) is not what the seed gives" in said


def test_an_impossible_face(tmp_path: Path) -> None:
    at = next(i for i, f in enumerate(RECORD.entries[ROLL].faces) if f[1] == "d10")
    assert "not on the d10" in lie(tmp_path, with_face(ROLL, at, 77))


def test_one_face_more_or_less(tmp_path: Path) -> None:
    faces = RECORD.entries[ROLL].faces
    assert f"entry {ROLL} holds more faces" in lie(tmp_path, forged(RECORD, ROLL, faces=(*faces, ("TIN-DMG-01", "d6", 6))))
    assert f"entry {ROLL} " in lie(tmp_path, forged(RECORD, ROLL, faces=faces[:-1]))


def test_a_face_thrown_for_another_rule(tmp_path: Path) -> None:
    faces = RECORD.entries[ROLL].faces
    assert "was thrown for TIN-WLK-01" in lie(tmp_path, forged(RECORD, ROLL, faces=(("TIN-WLK-01", *faces[0][1:]), *faces[1:])))


def test_a_wrong_report_is_named(tmp_path: Path) -> None:
    """It is the last of several, and the first ones hold lists: equal on disk, whatever they are in memory."""
    entry = RECORD.entries[ROLL]
    assert entry.reports[0].data.get("left") is not None or any("left" in r.data for r in entry.reports[:-1])
    wrong = Report("TIN-DMG-02", "wounded", {"who": "z", "lost": 5})
    said = lie(tmp_path, forged(RECORD, ROLL, reports=(*entry.reports[:-1], wrong)))
    assert f"entry {ROLL}, TIN-DMG-02: the record says wounded" in said
    assert "'who': 'z'" in said


def test_reports_left_out_or_added(tmp_path: Path) -> None:
    reports = RECORD.entries[ROLL].reports
    assert f"entry {ROLL}" in lie(tmp_path, forged(RECORD, ROLL, reports=reports[:-1]))
    assert f"entry {ROLL}" in lie(tmp_path, forged(RECORD, ROLL, reports=(*reports, reports[0])))


def test_a_secret_report_made_public(tmp_path: Path) -> None:
    reports = RECORD.entries[1].reports
    assert "entry 1" in lie(tmp_path, forged(RECORD, 1, reports=(replace(reports[0], to=None), *reports[1:])))


def test_a_wrong_choice(tmp_path: Path) -> None:
    said = lie(tmp_path, forged(RECORD, PLACED, choice=place("?")))
    assert f"entry {PLACED} does not follow from the rules: card cannot be ? now" in said


def test_another_legal_choice(tmp_path: Path) -> None:
    seat = RECORD.entries[PLACED].seat
    match = rebuild(TINY, RECORD, PLACED - 1)
    other = next(c for c in match.game.question.asks[seat].playable if c != RECORD.entries[PLACED].choice)
    assert "entry " in lie(tmp_path, forged(RECORD, PLACED, choice=other))


def test_a_choice_of_another_seat(tmp_path: Path) -> None:
    assert "entry 2 does not follow from the rules: seat 2 is not asked now" in lie(tmp_path, forged(RECORD, 2, seat=2))


def test_a_choice_that_somebody_made_for_a_seat(tmp_path: Path) -> None:
    assert "seat 3 is not the umpire" in lie(tmp_path, forged(RECORD, 2, by=3))


def test_a_choice_left_out_or_doubled(tmp_path: Path) -> None:
    entries = RECORD.entries
    assert "entry 2" in lie(tmp_path, chained_anew([*entries[:2], *entries[3:]]))
    assert "entry 3" in lie(tmp_path, chained_anew([*entries[:3], *entries[2:]]))


def test_a_wrong_seed(tmp_path: Path) -> None:
    for seed in (bytes(32).hex(), "", "no hex", SEED.hex()[:-2]):
        assert f"entry {LAST}: the seed it opens" in lie(tmp_path, forged(RECORD, LAST, seed=seed))


def test_a_wrong_seed_with_the_commitment_made_to_fit(tmp_path: Path) -> None:
    header = replace(RECORD.header, commitment=commitment(bytes(32)))
    said = lie(tmp_path, forged(forged(RECORD, LAST, seed=bytes(32).hex()), 0, header=header))
    assert "entry 1 does not follow from the rules" in said
    assert "is not what the seed gives" in said


def test_other_entropy(tmp_path: Path) -> None:
    assert "not what the seed gives" in lie(tmp_path, forged(RECORD, 0, header=replace(RECORD.header, entropy="mine")))


def test_another_setup(tmp_path: Path) -> None:
    setup = replace(RECORD.header.setup, options={"round_limit": 1})
    assert "entry " in lie(tmp_path, forged(RECORD, 0, header=replace(RECORD.header, setup=setup)))


def test_sealed_dice_passed_off_as_typed(tmp_path: Path) -> None:
    assert "entry " in lie(tmp_path, forged(RECORD, 0, header=replace(RECORD.header, dice="typed")))


def test_another_outcome(tmp_path: Path) -> None:
    outcome = Outcome("Green", "last_side", 2)
    assert f"entry {LAST}" in lie(tmp_path, forged(RECORD, LAST, outcome=outcome))


def test_reports_in_the_last_entry(tmp_path: Path) -> None:
    """The last entry is read back in words like all others, so it must say what the rules say."""
    told = Report("TIN-END-01", "ended", {"winner": 3, "reason": "last_side"})
    assert f"entry {LAST}" in lie(tmp_path, forged(RECORD, LAST, reports=(told,)))


def test_entries_after_the_end(tmp_path: Path) -> None:
    end = RECORD.entries[-1]
    told = Entry(0, "choice", seat=1, choice=NO, reports=(Report("TIN-END-01", "ended", {"winner": 1, "reason": "protest"}),))
    assert "entry " in lie(tmp_path, chained_anew([*RECORD.entries, told, end]))


def test_an_end_before_the_end(tmp_path: Path) -> None:
    """Broken off where it suited somebody, and passed off as finished."""
    end = Entry(0, "end", seed=SEED.hex())
    assert f"entry {ROLL}" in lie(tmp_path, chained_anew([*RECORD.entries[:ROLL], end]))


def test_a_second_beginning(tmp_path: Path) -> None:
    begin, end = Entry(0, "begin"), RECORD.entries[-1]
    assert "entry 3 " in lie(tmp_path, chained_anew([*RECORD.entries[:3], begin, *RECORD.entries[3:]]))
    assert f"entry {LAST + 1} " in lie(tmp_path, chained_anew([*RECORD.entries, begin, end]))


def test_an_entry_that_says_nothing(tmp_path: Path) -> None:
    assert "entry 2 is out of place" in lie(tmp_path, forged(RECORD, 2, choice=None))
    assert "entry 2 is out of place" in lie(tmp_path, forged(RECORD, 2, kind="ruling", seat=None, choice=None))


def undone() -> Record:
    match = begun(scene([["plan"]], {"id": "a"}, {"id": "b"}, {"id": "c"}, hands={1: ["A", "B"], 2: ["C"], 3: ["E"]}))
    for seat in (1, 2, 3):
        match.answer(seat, match.seen(seat).ask.default)
    match.undo(1, [2, 3])
    return play_on(match).record


def test_an_undo_without_consent(tmp_path: Path) -> None:
    record = undone()
    n = next(entry.n for entry in record.entries if entry.kind == "undo")
    assert verify(TINY, record) > 0
    said = lie(tmp_path, forged(record, n, consent=()))
    assert f"entry {n}" in said


def test_an_undo_to_another_place(tmp_path: Path) -> None:
    record = undone()
    n = next(entry.n for entry in record.entries if entry.kind == "undo")
    assert f"entry {n}" in lie(tmp_path, forged(record, n, undone=(1,)))
    assert f"entry {n}" in lie(tmp_path, forged(record, n, seat=2, consent=(1, 3)))


def test_a_ruling_by_a_player(tmp_path: Path) -> None:
    match = begun()
    match.answer(1, YES)
    match.rule(UMPIRE, "a is hurt", [("a", "hp", 3)])
    n = match.record.entries[-1].n
    record = play_on(match).record
    assert verify(TINY, record) > 0
    assert f"entry {n} " in lie(tmp_path, forged(record, n, by=1))
    assert f"entry {n}" in lie(tmp_path, forged(record, n, changes=(("a", "hp", 5),)))
    assert f"entry {n}" in lie(tmp_path, forged(record, n, changes=(("a", "wings", 5),)))
