"""Giving up: resignation at any time, a draw by consent of all, and the umpire's way back; written, replayed, verified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kernel.test_match import AMBUSH, CARDS, refused
from tests.kernel.tiny import (
    ENTROPY,
    HOLD,
    NO,
    SEED,
    TINY,
    UMPIRE,
    YES,
    begun,
    facts,
    fire,
    forged,
    place,
    play_on,
    played,
    written,
)
from wardogs.kernel.fate import Sealed
from wardogs.kernel.match import Match
from wardogs.kernel.record import Entry, Outcome, Record, read_record
from wardogs.kernel.replay import Discrepancy, rebuild, resume, verify


class Shelf:
    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def write(self, entry: Entry, position: object) -> None:
        self.entries.append(entry)


def verified(match: Match, tmp_path: Path) -> int:
    """From the disk and back."""
    return verify(TINY, read_record(written(tmp_path / "game.wardogs", match.record)))


def taken_up(match: Match) -> Match:
    """The match as another process would take it up: its last position, from bytes."""
    position = TINY.load(TINY.save(match.positions[-1]))
    return Match.restored(TINY, Record(list(match.record.entries)), position, Sealed(SEED, ENTROPY))


# ---- resignation -----------------------------------------------------------------------------------------------------


def test_who_resigns_leaves_the_game_to_the_others() -> None:
    match = begun(CARDS)
    match.resign(2)
    entry = match.record.entries[-1]
    assert (entry.kind, entry.seat, entry.outcome, facts(entry.reports)) == ("settled", 2, None, ["resigned"])
    assert (match.over, match.game.waiting, match.game.gone) == (False, (1, 2, 3), (2,))


def test_the_last_side_that_has_not_resigned_wins(tmp_path: Path) -> None:
    match = begun(CARDS)
    match.resign(2)
    match.resign(1)
    assert [entry.kind for entry in match.record.entries[-3:]] == ["settled", "settled", "end"]
    assert match.outcome == Outcome("Green", "resigned", 1)
    assert match.record.entries[-1].seed == SEED.hex()
    assert (match.game.waiting, match.game.question) == ((), None)
    assert verified(match, tmp_path) == match.rolls


def test_one_may_resign_while_another_is_asked_and_dice_are_due() -> None:
    match = begun(AMBUSH, seed=None)
    match.resign(1)
    match.answer(2, fire("a"))
    match.answer(3, HOLD)
    assert match.game.waiting == ()
    match.resign(3)
    assert match.outcome == Outcome("Blue", "resigned", 1)


def test_a_seat_whose_men_are_gone_does_not_keep_the_game_open() -> None:
    match = begun(CARDS)
    match.rule(UMPIRE, "c is out", [("c", "hp", 0)])
    match.resign(1)
    assert match.outcome == Outcome("Blue", "resigned", 1)


def test_a_game_that_a_seat_has_left_is_played_on_and_verified(tmp_path: Path) -> None:
    match = begun()
    match.answer(1, YES)
    match.resign(3)
    play_on(match)
    assert match.over
    assert match.outcome.reason in ("rounds", "last_side")
    assert verified(match, tmp_path) == match.rolls


@pytest.mark.parametrize(("seat", "fact"), [(2, "gave_up"), (7, "not_at_the_table"), (UMPIRE, "not_at_the_table")])
def test_who_may_not_resign(seat: int, fact: str) -> None:
    match = begun(CARDS)
    match.resign(2)
    assert refused(match, lambda: match.resign(seat)) == fact


def test_nobody_resigns_or_draws_or_goes_back_after_the_end() -> None:
    match = played()
    assert refused(match, lambda: match.resign(1)) == "game_over"
    assert refused(match, lambda: match.draw([1, 2, 3])) == "game_over"
    assert refused(match, lambda: match.rewind(UMPIRE, 2, "again")) == "game_over"


def test_nothing_is_taken_back_after_a_resignation_that_ends_it() -> None:
    match = begun(CARDS)
    match.answer(1, place("A"))
    match.resign(2)
    match.resign(3)
    assert refused(match, lambda: match.undo(1)) == "game_over"
    assert refused(match, lambda: match.answer(1, place("B"))) == "not_asked"


def test_who_has_resigned_is_known_when_the_match_is_taken_up_again() -> None:
    match = begun(CARDS)
    match.resign(2)
    again = taken_up(match)
    assert again.game.gone == (2,)
    for one in (match, again):
        one.resign(3)
    assert again.record.hash == match.record.hash


def test_a_match_cut_off_between_resignation_and_end_writes_the_end() -> None:
    match = begun(CARDS)
    match.resign(2)
    match.resign(3)
    cut = Record(list(match.record.entries[:-1]))
    shelf = Shelf()
    assert resume(TINY, cut, Sealed(SEED, ENTROPY), shelf).record.hash == match.record.hash
    assert Match.restored(TINY, cut, match.positions[-2], Sealed(SEED, ENTROPY)).record.hash == match.record.hash
    assert [entry.hash for entry in shelf.entries] == [match.record.hash]


def test_a_resignation_is_not_undone_without_who_resigned() -> None:
    match = begun(CARDS)
    match.answer(1, place("A"))
    match.resign(3)
    match.answer(2, place("C"))
    match.answer(3, place("E"))
    assert 3 in match.undo(1, [2])
    assert match.undo(1, [2, 3]) == ()
    assert match.game.gone == ()


# ---- draw ------------------------------------------------------------------------------------------------------------


def test_a_draw_needs_all_seats(tmp_path: Path) -> None:
    match = begun(CARDS)
    entries = len(match.record.entries)
    assert match.draw([1]) == (2, 3)
    assert len(match.record.entries) == entries
    assert match.draw([3, 1, 2]) == ()
    settled, end = match.record.entries[-2:]
    assert (settled.kind, settled.consent, facts(settled.reports)) == ("settled", (1, 2, 3), ["agreed_draw"])
    assert end.outcome == match.outcome == Outcome(None, "agreed_draw", 1)
    assert verified(match, tmp_path) == match.rolls


def test_who_has_resigned_is_not_asked_for_a_draw(tmp_path: Path) -> None:
    match = begun(CARDS)
    match.resign(2)
    assert match.draw([1, UMPIRE]) == (3,)
    assert match.draw([1, 3]) == ()
    assert match.outcome == Outcome(None, "agreed_draw", 1)
    verified(match, tmp_path)


def test_a_forged_draw_is_found_out() -> None:
    match = begun(CARDS)
    match.draw([1, 2, 3])
    with pytest.raises(Discrepancy, match="without the consent of seats 3"):
        verify(TINY, forged(match.record, match.record.next - 2, consent=(1, 2)))


@pytest.mark.parametrize("winner", ["Red", None])
def test_a_forged_end_of_a_resigned_game_is_found_out(winner: Any) -> None:
    match = begun(CARDS)
    match.resign(1)
    match.resign(2)
    for n in (match.record.next - 2, match.record.next - 1):
        with pytest.raises(Discrepancy):
            verify(TINY, forged(match.record, n, outcome=Outcome(winner, "resigned", 1)))


# ---- the umpire's way back -------------------------------------------------------------------------------------------


def test_the_umpire_takes_the_game_back(tmp_path: Path) -> None:
    match = begun()
    for seat, choice in ((1, YES), (2, YES), (3, NO)):
        match.answer(seat, choice)
    there = match.positions[2]
    match.rewind(UMPIRE, 2, "seat 2 was not at the table")
    entry = match.record.entries[-1]
    assert (entry.kind, entry.by, entry.undone, facts(entry.reports)) == ("undo", UMPIRE, (3, 4), ["rewound"])
    assert (match.game.position, match.game.waiting) == (there, (2,))
    play_on(match)
    assert verified(match, tmp_path) == match.rolls


def test_the_way_back_leads_also_into_a_question_that_some_have_answered(tmp_path: Path) -> None:
    match = begun(CARDS)
    for seat, card in ((1, "A"), (2, "C"), (3, "E")):
        match.answer(seat, place(card))
    match.rewind(UMPIRE, 3, "3 mistook a card")
    assert (match.game.answers, match.game.waiting) == ({1: place("A"), 2: place("C")}, (3,))
    verified(play_on(match), tmp_path)


def test_a_resignation_is_taken_back_by_the_umpire() -> None:
    match = begun(CARDS)
    match.resign(2)
    match.rewind(UMPIRE, 1, "it was a slip")
    assert match.game.gone == ()
    match.resign(2)


@pytest.mark.parametrize("to", [0, -1, 3, 99])
def test_there_is_no_way_to_what_does_not_stand(to: int) -> None:
    """Before the beginning, to what was taken back, to where the game stands, into the future."""
    match = begun()
    match.answer(1, YES)
    match.answer(2, YES)
    match.rewind(UMPIRE, 2, "again")
    match.answer(2, NO)
    assert refused(match, lambda: match.rewind(UMPIRE, to, "no")) == "cannot_go_back"
    assert refused(match, lambda: match.rewind(UMPIRE, match.record.next - 1, "no")) == "cannot_go_back"


def test_only_the_umpire_takes_the_game_back() -> None:
    match = begun()
    match.answer(1, YES)
    assert refused(match, lambda: match.rewind(1, 1, "please")) == "not_umpire"


def test_a_players_undo_does_not_wipe_out_the_way_back_without_the_umpire() -> None:
    match = begun()
    match.answer(1, YES)
    match.answer(2, YES)
    match.rewind(UMPIRE, 2, "again")
    assert match.undo(1) == (UMPIRE,)


def test_a_forged_way_back_is_found_out() -> None:
    match = begun()
    for seat in (1, 2, 3):
        match.answer(seat, YES)
    match.rewind(UMPIRE, 2, "again")
    for changes in ({"undone": (4,)}, {"undone": ()}, {"by": 1}, {"because": "other"}):
        with pytest.raises(Discrepancy):
            rebuild(TINY, forged(match.record, 5, **changes))


# ---- taken up in the middle of a question ----------------------------------------------------------------------------


def test_a_match_taken_up_amid_a_question_goes_back_as_the_whole_one_does() -> None:
    whole = begun(CARDS)
    whole.answer(1, place("A"))
    again = taken_up(whole)
    for match in (whole, again):
        match.answer(2, place("C"))
        match.rewind(UMPIRE, 2, "2 mistook a card")
    assert again.game.answers == whole.game.answers == {1: place("A")}
    assert again.record.hash == whole.record.hash


def test_what_was_asked_before_the_match_was_taken_up_is_not_half_undone() -> None:
    """Seat 1 answered before: without its entry the question cannot be put to all again, so nothing is."""
    whole = begun(CARDS)
    whole.answer(1, place("A"))
    again = taken_up(whole)
    again.answer(2, place("C"))
    again.answer(3, place("E"))
    assert refused(again, lambda: again.undo(3, [1, 2])) == "nothing_to_undo"
    entire = rebuild(TINY, again.record)
    assert entire.undo(3, [1, 2]) == ()
