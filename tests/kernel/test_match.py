"""A match: choices, typed faces, rulings and undo, each written down, each refused with nothing changed."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.kernel.tiny import (
    AGAIN,
    ENTROPY,
    HOLD,
    NO,
    SEED,
    TINY,
    UMPIRE,
    YES,
    Terms,
    Tin,
    begun,
    facts,
    fire,
    place,
    play_on,
    played,
    scene,
    written,
)
from wardogs.kernel.fate import Sealed, Throw, commitment, sealed_index
from wardogs.kernel.game import Game
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Refused
from wardogs.kernel.record import Entry, Record, read_record
from wardogs.kernel.replay import rebuild, verify

A, B, C = {"id": "a"}, {"id": "b"}, {"id": "c"}
CARDS = scene([["plan"]], A, B, C, hands={1: ["A", "B"], 2: ["C", "D"], 3: ["E", "F"]})
AMBUSH = scene([["walk", "a", [1, 2]], ["watch", 1]], A, B | {"watching": True}, C | {"watching": True})
MISSED = scene([["shoot", "a", "b"], ["wounds"]], A | {"expert": True, "wp": 0}, B)  # hits on a 1 only


def standing(match: Match) -> tuple[Any, ...]:
    """All that a refusal must leave as it was."""
    game = match.game
    return (
        game.position,
        game.waiting,
        len(match.record.entries),
        match.record.hash,
        list(match.standing),
        len(match.positions),
    )


def refused(match: Match, act: Any) -> str:
    before = standing(match)
    with pytest.raises(Refused) as error:
        act()
    assert standing(match) == before
    return error.value.refusal.fact


def answer_all(match: Match, choices: dict[int, Any]) -> None:
    for seat, choice in choices.items():
        match.answer(seat, choice)


# ---- what is written down --------------------------------------------------------------------------------------------


def test_a_match_begins_with_its_header_and_what_happens_by_itself() -> None:
    match = begun()
    header, begin = match.record.entries
    assert (header.kind, begin.kind, len(begin.faces), facts(begin.reports)) == ("header", "begin", 6, ["drew"] * 6)
    assert header.header.commitment == commitment(SEED)
    assert header.header.umpire == UMPIRE
    assert SEED.hex() not in str(match.record.entries)


def test_every_choice_is_an_entry_with_its_faces_and_reports() -> None:
    match = begun(AMBUSH)
    match.answer(2, fire("a"))
    match.answer(3, HOLD)
    entry = match.record.entries[-1]
    assert (entry.kind, entry.seat, entry.by, entry.choice) == ("choice", 3, None, HOLD)
    assert entry.faces[0][:2] == ("TIN-HIT-01", "d10")
    assert entry.reports[0].data["face"] == entry.faces[0][2]


def test_the_last_entry_opens_the_seed_and_says_how_it_ended() -> None:
    match = played()
    end = match.record.entries[-1]
    assert (end.kind, end.seed) == ("end", SEED.hex())
    assert match.outcome == TINY.outcome(match.terms, match.game.state)
    assert [entry.kind for entry in match.record.entries].count("end") == 1


def test_the_same_seed_and_choices_give_the_same_hash() -> None:
    assert played().record.hash == played().record.hash
    assert played().record.hash != played(seed=bytes(32)).record.hash


def test_choices_and_rolls_are_counted() -> None:
    match = played()
    assert match.choices == sum(entry.kind == "choice" for entry in match.record.entries) > 6
    assert match.rolls == sum(len(entry.faces) for entry in match.record.entries) > 6


def test_each_seat_sees_its_own_question() -> None:
    match = begun(CARDS)
    assert match.seen(2).ask.choices[0] == place("C")
    assert match.seen(UMPIRE).ask is None
    assert match.seen(None).ask is None
    assert match.seen(None).view.hands == {}


@pytest.mark.parametrize(("seat", "choice"), [(1, place("C")), (1, None), (9, place("A")), (7, place("A"))])
def test_a_refused_choice_writes_nothing(seat: int, choice: Any) -> None:
    match = begun(CARDS)
    match.answer(2, place("C"))
    refused(match, lambda: match.answer(seat, choice))


def test_nothing_goes_in_when_the_game_is_over() -> None:
    match = played()
    assert refused(match, lambda: match.answer(1, NO)) == "not_asked"
    assert refused(match, lambda: match.enter(1)) == "no_throw_due"
    assert refused(match, lambda: match.undo(1)) == "game_over"


def test_no_ruling_after_the_end() -> None:
    """The seed is open and the result is told; a ruling now would reopen a finished record, and nothing would verify it."""
    match = played()
    assert refused(match, lambda: match.rule(UMPIRE, "too late", [("a", "hp", 5)])) == "game_over"


def test_typed_dice_are_entries_of_their_own() -> None:
    match = begun(MISSED, seed=None)
    assert isinstance(match.game.question, Throw)
    assert match.seen(1).ask is None
    refused(match, lambda: match.enter(11))
    match.enter(9)
    assert (match.record.entries[-1].kind, match.record.entries[-1].face) == ("face", 9)
    assert facts(match.record.entries[-1].reports) == ["rolled"]
    match.answer(1, YES)
    match.enter(2)
    assert match.over
    assert (match.header.dice, match.header.commitment, match.record.entries[-1].seed) == ("typed", "", "")


class Full:
    """A disk that is full now and then."""

    def __init__(self, fails: Iterable[int]) -> None:
        self.fails, self.tries, self.entries = set(fails), 0, []

    def write(self, entry: Entry, position: object) -> None:
        self.tries += 1
        if self.tries in self.fails:
            raise OSError("no space left on device")
        self.entries.append(entry)


def test_what_cannot_be_written_has_not_happened() -> None:
    """`_act`: if it cannot be done, nothing has changed. Otherwise the file would lack an entry for ever."""
    disk = Full({4})
    match = begun(CARDS, sink=disk)
    match.answer(1, place("A"))
    before = standing(match)
    with pytest.raises(OSError, match="no space"):
        match.answer(2, place("C"))
    assert standing(match) == before
    match.answer(2, place("D"))
    play_on(match)
    assert [entry.n for entry in disk.entries] == list(range(len(match.record.entries)))
    assert verify(TINY, Record(disk.entries)) > 0


def test_a_crash_in_the_rules_leaves_the_question_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun(CARDS)
    match.answer(1, place("A"))
    match.answer(2, place("C"))
    before = standing(match)

    def reveal(g: Game[Tin, Terms]) -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(TINY.rules.paragraphs, "reveal", reveal)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        match.answer(3, place("E"))
    assert standing(match) == before
    monkeypatch.undo()
    match.answer(3, place("E"))
    assert verify(TINY, play_on(match).record) > 0


# ---- undo ------------------------------------------------------------------------------------------------------------


def test_undo_is_free_while_nothing_was_rolled_or_shown() -> None:
    match = begun()
    match.answer(1, YES)
    assert (match.undo(1), match.game.waiting) == ((), (1,))
    assert not match.game.state["a"].watching
    undo = match.record.entries[-1]
    assert (undo.kind, undo.seat, undo.undone, undo.consent) == ("undo", 1, (2,), ())


def test_undo_needs_all_others_when_something_was_shown() -> None:
    match = begun(CARDS)
    answer_all(match, {1: place("A"), 2: place("C"), 3: place("F")})
    before = standing(match)
    assert match.undo(1) == (2, 3)
    assert match.undo(1, [3]) == (2,)
    assert match.undo(1, [1, UMPIRE]) == (2, 3)
    assert standing(match) == before
    assert match.undo(1, [3, 2, 2]) == ()
    assert match.record.entries[-1].consent == (2, 3)
    assert 1 in match.game.waiting
    assert match.game.state[1].hand == ("A", "B")


def test_undo_needs_consent_when_a_die_was_thrown() -> None:
    match = begun(AMBUSH, nested=False)
    match.answer(2, fire("a"))
    assert match.record.entries[-1].faces
    assert match.undo(2) == (1, 3)


def test_undo_needs_consent_when_a_real_die_was_typed() -> None:
    match = begun(scene([["watch", 1], ["shoot", "a", "b"]], A | {"expert": True, "wp": 0}, B), seed=None)
    match.answer(1, YES)
    assert match.must_consent(1, 2) == ()
    match.enter(9)
    assert match.undo(1) == (2, 3)


def test_what_a_seat_alone_was_told_needs_no_consent() -> None:
    match = begun(scene([["watch", 1], ["plan"]], A, B, hands={1: ["A", "B"]}))
    match.answer(1, YES)
    assert match.must_consent(1, 2) == ()


def test_undo_withdraws_a_pending_secret_answer_and_leaves_the_others() -> None:
    match = begun(CARDS)
    match.answer(1, place("A"))
    match.answer(2, place("C"))
    assert match.undo(1) == ()
    assert (match.game.answers, match.game.waiting) == ({2: place("C")}, (1, 3))
    match.answer(3, place("E"))
    match.answer(1, place("B"))
    shown = [r.data["card"] for r in match.record.entries[-1].reports if r.fact == "revealed"]
    assert shown[:3] == ["E", "C", "B"]


def test_undo_of_a_replaced_secret_answer_leaves_the_others() -> None:
    """The answer that was replaced is no choice that still stands: a second undo must not take seat 2's card along."""
    match = begun(CARDS)
    match.answer(1, place("A"))
    match.answer(1, place("B"))
    match.answer(2, place("C"))
    assert match.undo(1) == ()
    with suppress(Refused):
        match.undo(1)
    assert match.game.answers.get(2) == place("C")


def test_a_withdrawn_answer_does_not_come_back() -> None:
    """Seat 1 took A back and laid B. When seat 2 then takes its card back, A must not lie on the table again."""
    match = begun(CARDS)
    match.answer(1, place("A"))
    match.answer(2, place("C"))
    match.undo(1)
    match.answer(1, place("B"))
    match.answer(3, place("E"))
    assert match.undo(2, [1, 3]) == ()
    assert match.game.answers.get(1) != place("A")


def test_undo_goes_back_one_choice_at_a_time() -> None:
    match = begun()
    answer_all(match, {1: YES, 2: YES})
    assert match.undo(2) == ()
    assert match.game.waiting == (2,)
    assert refused(match, lambda: match.undo(2)) == "nothing_to_undo"
    assert match.undo(1) == ()
    assert match.game.waiting == (1,)
    assert refused(match, lambda: match.undo(1)) == "nothing_to_undo"


def test_a_seat_that_has_not_chosen_has_nothing_to_undo() -> None:
    match = begun()
    match.answer(1, YES)
    assert refused(match, lambda: match.undo(3)) == "nothing_to_undo"


def test_dice_after_an_undo_belong_to_another_entry() -> None:
    """The same choice again throws other dice, and each face is the one that its own entry seals."""
    match = begun(AMBUSH, nested=False)
    thrown = []
    for _ in range(6):
        match.answer(2, fire("a"))
        entry = match.record.entries[-1]
        faces = [face for _, kind, face in entry.faces if kind == "d10"]
        assert faces[0] == 1 + sealed_index(SEED, f"{ENTROPY}/{entry.n}/1", 10)
        thrown.append(faces[0])
        assert match.undo(2, [1, 3]) == ()
    assert len(set(thrown)) > 2


def test_undo_does_not_report_twice_what_was_told_before_the_choice() -> None:
    match = begun(scene([["shoot", "a", "b"], ["walk", "a", [1]], ["watch", 1]], A | {"expert": True, "wp": 0}, B), seed=None)
    match.enter(9)
    match.answer(1, NO)
    match.undo(1, [2, 3])
    assert facts(match.record.entries[-1].reports) == ["took_back"]
    assert match.game.waiting == (1,)
    match.answer(1, YES)
    assert match.record.entries[-1].reports == ()
    match.enter(8)
    assert [r.data.get("face") for r in match.record.entries[-1].reports if r.fact == "rolled"] == [8]


def test_undo_is_replayed() -> None:
    match = begun()
    match.answer(1, YES)
    match.undo(1)
    answer_all(match, {1: NO, 2: YES, 3: YES})
    seat = match.game.waiting[0]
    match.answer(seat, match.seen(seat).ask.default)
    match.undo(seat)
    play_on(match, 3)
    for chosen in (3, 2, 1):
        others = [other for other in (1, 2, 3) if other != chosen]
        assert match.undo(chosen, others) == ()
    play_on(match)
    assert match.over
    assert verify(TINY, match.record) > 6
    assert rebuild(TINY, match.record).game.state == match.game.state


# ---- the umpire ------------------------------------------------------------------------------------------------------


def test_the_umpire_decides_for_a_seat() -> None:
    match = begun(AMBUSH)
    match.answer(2, HOLD, by=UMPIRE)
    entry = match.record.entries[-1]
    assert (entry.kind, entry.seat, entry.by) == ("choice", 2, UMPIRE)
    assert match.game.waiting == (3,)


def test_nobody_else_decides_for_a_seat() -> None:
    match = begun(AMBUSH)
    assert refused(match, lambda: match.answer(2, HOLD, by=1)) == "not_umpire"
    assert refused(match, lambda: match.answer(2, HOLD, by=2)) == "not_umpire"


def test_the_umpire_too_decides_within_the_offers() -> None:
    match = begun(AMBUSH)
    assert refused(match, lambda: match.answer(2, fire("c"), by=UMPIRE)) == "not_the_mover"


def test_without_an_umpire_nobody_is_one() -> None:
    match = Match.start(TINY, begun().header.setup, {}, SEED)
    assert refused(match, lambda: match.rule(UMPIRE, "so be it", [("a", "hp", 1)])) == "not_umpire"
    assert refused(match, lambda: match.answer(1, NO, by=UMPIRE)) == "not_umpire"


def test_a_ruling_changes_the_table_and_puts_the_question_again() -> None:
    match = begun(AMBUSH)
    match.rule(UMPIRE, "a slipped", [("a", "x", 5), ("b", "hp", 2)])
    state = match.game.state
    assert (state["a"].x, state["b"].hp, match.game.waiting) == (5, 2, (2,))
    entry = match.record.entries[-1]
    assert (entry.kind, entry.by, entry.because) == ("ruling", UMPIRE, "a slipped")
    assert [said for _, _, said in match.record.sentences(None)][-1] == "The umpire rules: a slipped."


def test_a_ruling_may_make_the_question_another() -> None:
    match = begun(AMBUSH)
    match.rule(UMPIRE, "b was not watching", [("b", "watching", False)])
    assert match.game.waiting == (3,)


def test_a_ruling_is_replayed() -> None:
    match = begun()
    match.rule(UMPIRE, "c is an old hand", [("c", "wp", 9), ("c", "hp", 7), (1, "hand", ("A", "B"))])
    play_on(match)
    assert verify(TINY, match.record) > 6


def test_a_ruling_is_replayed_from_disk(tmp_path: Path) -> None:
    match = begun()
    match.rule(UMPIRE, "other cards", [(1, "hand", ("A", "B"))])
    play_on(match)
    assert verify(TINY, read_record(written(tmp_path / "game.wardogs", match.record))) > 6


@pytest.mark.parametrize(
    "change",
    [
        ("a", "wings", 2),
        ("a", "hp", "five"),
        ("a", "hp", None),
        ("a", "hp", 2.5),
        ("zoe", "hp", 1),
        (7, "hand", ["A"]),
        (1, "hand", "A"),
    ],
)
def test_a_ruling_that_does_not_fit_the_table_changes_nothing(change: tuple[Any, str, Any]) -> None:
    match = begun(AMBUSH)
    match.answer(2, HOLD)
    assert refused(match, lambda: match.rule(UMPIRE, "why not", [("a", "x", 9), change])) == "cannot_be_ruled"
    match.answer(3, HOLD)


def test_a_ruling_is_refused_when_what_was_rolled_no_longer_fits() -> None:
    """The shot has been thrown and missed; with the shooter dead there would have been no shot."""
    match = begun(MISSED)
    assert match.game.waiting == (1,)
    assert refused(match, lambda: match.rule(UMPIRE, "he was dead", [("a", "hp", 0)])) == "cannot_be_ruled"
    match.answer(1, NO)
    assert match.over


def test_a_ruling_by_anyone_else_is_refused() -> None:
    match = begun(AMBUSH)
    for seat in (1, 2, 3, 0):
        assert refused(match, lambda seat=seat: match.rule(seat, "I win", [("a", "hp", 0)])) == "not_umpire"


def test_a_ruling_keeps_pending_answers_that_are_still_legal() -> None:
    match = begun(CARDS)
    match.answer(1, place("A"))
    match.rule(UMPIRE, "a limps", [("a", "wp", 3)])
    assert (match.game.answers, match.game.waiting) == ({1: place("A")}, (2, 3))


def test_a_pending_answer_that_a_ruling_makes_illegal_is_not_played() -> None:
    """Seat 1 has laid A; the umpire takes A from its hand. Either the ruling is refused or seat 1 is asked anew."""
    match = begun(CARDS)
    match.answer(1, place("A"))
    try:
        match.rule(UMPIRE, "A was marked", [(1, "hand", ("B",))])
    except Refused:
        return
    assert 1 in match.game.waiting
    assert 1 not in match.game.answers


def test_a_pending_answer_of_a_seat_that_a_ruling_no_longer_asks_does_not_block_the_game() -> None:
    match = begun(CARDS)
    match.answer(1, place("A"))
    try:
        match.rule(UMPIRE, "no more cards for Red", [(1, "hand", ())])
    except Refused:
        return
    assert match.game.waiting == (2, 3)
    match.answer(2, place("C"))
    match.answer(3, place("E"))
    assert "TIN-CRD-03" in {report.rule for report in match.record.entries[-1].reports}


def test_a_ruling_that_takes_away_the_only_seat_still_thinking_lets_the_game_go_on() -> None:
    match = begun(CARDS)
    match.answer(2, place("C"))
    match.answer(3, place("E"))
    try:
        match.rule(UMPIRE, "no more cards for Red", [(1, "hand", ())])
    except Refused:
        return
    assert "TIN-CRD-03" in {report.rule for report in match.record.entries[-1].reports}
    assert verify(TINY, play_on(match).record) > 0


def test_a_card_that_was_drawn_stays_that_card_when_a_ruling_changes_the_pile() -> None:
    """Input keeps a face by its place in the pile; another pile has another card there."""
    match = begun(scene([["deal"]], A, B, C), seed=None)
    match.enter("L")
    try:
        match.rule(UMPIRE, "A was missing from the deck", [("table", "pile", tuple("BCDEFGHIJKLA"))])
    except Refused:
        return
    match.enter("C")
    for card in "DEFG":
        match.enter(card)
    assert match.game.state[1].hand[0] == "L"


def boast(g: Game[Tin, Terms], who: str) -> None:
    """Tells before it asks, if there is something to tell."""
    if g.state[who].wp > 5:
        g.report("TIN-TOY-01", "boasted", who=who, of=(1, 2))
    if g.ask("TIN-TOY-01", g.state[who].side, AGAIN)["yes"]:
        g.report("TIN-TOY-02", "fired", who=who)


def test_no_report_is_lost_after_a_ruling_in_the_middle_of_a_paragraph(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a paragraph told before its question was told of another table: the count of what is out no longer fits."""
    monkeypatch.setitem(TINY.rules.paragraphs, "boast", boast)  # type: ignore[arg-type]
    match = begun(scene([["boast", "a"]], A, B))
    assert facts(match.record.entries[-1].reports) == ["boasted"]
    match.rule(UMPIRE, "he is no expert", [("a", "wp", 3)])
    match.answer(1, YES)
    told = [report for entry in match.record.entries for report in entry.reports]
    assert "fired" in facts(told)


def test_what_was_told_before_a_ruling_is_not_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not after the second ruling either, when the first one stands between."""
    monkeypatch.setitem(TINY.rules.paragraphs, "boast", boast)  # type: ignore[arg-type]
    match = begun(scene([["boast", "a"]], A, B))
    for hp in (4, 3):
        match.rule(UMPIRE, "he is hurt", [("a", "hp", hp)])
    match.answer(1, YES)
    told = [report for entry in match.record.entries for report in entry.reports]
    assert [fact for fact in facts(told) if fact != "ruled"] == ["boasted", "ruling", "ruling", "fired"]


def test_a_ruling_in_a_restored_match_is_written_as_in_the_whole_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A record from disk has lists where a played one has tuples; the entry must not depend on that."""
    monkeypatch.setitem(TINY.rules.paragraphs, "boast", boast)  # type: ignore[arg-type]
    whole = begun(scene([["boast", "a"]], A, B))
    record = read_record(written(tmp_path / "game.wardogs", whole.record))
    match = Match.restored(TINY, record, whole.positions[-1], Sealed(SEED, ENTROPY))
    for one in (whole, match):
        one.rule(UMPIRE, "he is hurt", [("a", "hp", 4)])
    assert match.record.hash == whole.record.hash


def test_a_players_undo_does_not_wipe_out_a_ruling_without_the_umpire() -> None:
    """The answers of all are put again; what the umpire ruled between them must stand, or the umpire must agree."""
    match = begun(CARDS)
    match.answer(1, place("A"))
    match.rule(UMPIRE, "a limps", [("a", "wp", 3)])
    match.answer(2, place("C"))
    match.answer(3, place("E"))
    missing = match.undo(2, [1, 3])
    assert missing == (UMPIRE,) or match.game.state["a"].wp == 3


def test_the_changes_of_a_ruling_are_for_the_umpire_alone() -> None:
    match = begun(CARDS)
    match.rule(UMPIRE, "a limps", [("a", "wp", 3)])
    assert "wp" in str([report for _, report, _ in match.record.sentences(UMPIRE)])
    for seat in (1, 2, None):
        assert "wp" not in str([report for _, report, _ in match.record.sentences(seat)])


def test_what_the_umpire_decided_for_a_seat_is_not_undone_without_the_umpire() -> None:
    match = begun()
    match.answer(1, YES, by=UMPIRE)
    assert UMPIRE in match.undo(1)


# ---- taken up again --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [SEED, None])
def test_a_match_restored_from_its_last_position_ends_with_the_same_hash(seed: bytes | None) -> None:
    whole = played(seed=seed)
    for cut in range(2, len(whole.record.entries) - 1, 5):
        record = Record(list(whole.record.entries[:cut]))
        position = TINY.load(TINY.save(whole.positions[cut - 1]))
        match = Match.restored(TINY, record, position, whole.fate if seed is None else Sealed(SEED, ENTROPY))
        assert match.game.question is not None
        assert play_on(match).record.hash == whole.record.hash


def test_a_match_restored_after_its_last_choice_writes_the_end() -> None:
    whole = played()
    disk = Full(())
    record = Record(list(whole.record.entries[:-1]))
    match = Match.restored(TINY, record, whole.positions[-2], Sealed(SEED, ENTROPY), disk)
    assert match.over
    assert [entry.hash for entry in disk.entries] == [whole.record.hash]


def test_only_what_follows_a_restored_position_can_be_undone() -> None:
    whole = begun()
    whole.answer(1, YES)
    match = Match.restored(TINY, Record(list(whole.record.entries)), whole.positions[-1], Sealed(SEED, ENTROPY))
    assert refused(match, lambda: match.undo(1)) == "nothing_to_undo"
    match.answer(2, YES)
    assert match.undo(2) == ()
    assert match.game.waiting == (2,)


def test_a_secret_answer_from_before_may_be_replaced_in_a_restored_match() -> None:
    whole = begun(CARDS)
    whole.answer(1, place("A"))
    match = Match.restored(TINY, Record(list(whole.record.entries)), whole.positions[-1], Sealed(SEED, ENTROPY))
    match.answer(1, place("B"))
    assert match.game.answers == {1: place("B")}
    match.answer(2, place("C"))
    assert match.undo(2) == ()
    assert (match.game.answers, match.game.waiting) == ({1: place("B")}, (2, 3))


def test_a_restored_match_writes_on_where_the_record_ends() -> None:
    whole = begun()
    disk = Full(())
    match = Match.restored(TINY, Record(list(whole.record.entries)), whole.positions[-1], Sealed(SEED, ENTROPY), disk)
    match.answer(1, YES)
    assert [entry.n for entry in disk.entries] == [2]
