"""The game: paragraphs as transactions, questions in the middle of them, copies, saves and typed dice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.kernel.tiny import (
    HOLD,
    NO,
    SKIRMISH,
    SURE,
    TINY,
    TOY,
    TOY2,
    UMPIRE,
    YES,
    Box,
    always,
    book,
    by_heart,
    facts,
    fire,
    game,
    place,
    roll_then_ask,
    scene,
    setup_of,
    toy,
)
from wardogs.kernel.dice import D6, D10, as_is
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Fast, Scripted, Throw, Typed
from wardogs.kernel.game import MOST_INPUTS, Game, Input, Misfit, Position, Step
from wardogs.kernel.offers import Ask, Question, Refused
from wardogs.kernel.report import heard

A, B, C = {"id": "a"}, {"id": "b"}, {"id": "c"}
DUEL = scene([["shoot", "a", "b"]], A | {"expert": True}, B)
AMBUSH = scene([["walk", "a", [1, 2]]], A, B | {"watching": True}, C | {"watching": True})
CARDS = scene([["plan"]], A, B, C, hands={1: ["A", "B"], 2: ["C", "D"], 3: ["E"]})


# ---- a question in the middle of a paragraph -------------------------------------------------------------------------


def test_a_question_winds_back_to_where_the_paragraph_began() -> None:
    def doubtful(g: Game[Box, Any]) -> None:
        g.change(n=41)
        g.report(TOY, "counted", n=g.state.n)
        if g.ask(TOY, 1, SURE)["yes"]:
            g.change(n=g.state.n + 1)

    g = toy(doubtful)
    g.advance()
    assert (g.state.n, g.position.state.n, g.agenda) == (0, 0, (Step("doubtful"),))
    g.answer(1, YES)
    assert (g.state.n, g.agenda, g.question) == (42, (), None)


def test_what_a_paragraph_wanted_next_before_its_question_is_not_wanted_twice() -> None:
    def first(g: Game[Box, Any]) -> None:
        g.then(second)
        g.ask(TOY, 1, SURE)
        g.then(second)

    def second(g: Game[Box, Any]) -> None:
        g.change(n=g.state.n + 1)

    g = toy(first, second)
    g.advance()
    g.answer(1, YES)
    assert g.state.n == 2


def test_reports_are_published_once_although_a_paragraph_runs_again() -> None:
    g = game(DUEL, [9, 10])
    assert facts(g.reports) == ["rolled"]
    g.answer(1, YES)
    assert [(r.rule, r.data["face"]) for r in g.reports] == [("TIN-HIT-01", 9), ("TIN-EXP-01", 10)]


def test_reports_are_published_once_although_they_are_fetched_in_between() -> None:
    g = game(DUEL, [9, 10])
    g.reports.clear()  # as a match does after every entry
    g.answer(1, YES)
    assert [r.data["face"] for r in g.reports] == [10]


def test_the_miss_is_on_view_when_the_reroll_is_asked() -> None:
    g = game(DUEL, [9, 3, 6])
    assert isinstance(g.question, Question)
    assert (g.question.rule, g.waiting) == ("TIN-EXP-01", (1,))
    assert [(r.data["face"], r.data["means"]) for r in heard(g.reports, 2)] == [(9, False)]
    g.answer(1, YES)
    assert (g.state["a"].expert, g.state.due) == (False, (("b", 5),))


def test_a_reroll_declined_keeps_the_miss_and_the_reroll() -> None:
    g = game(DUEL, [9])
    g.answer(1, NO)
    assert (g.state["a"].expert, g.state.due, g.agenda) == (True, (), ())


def test_a_die_once_thrown_is_never_thrown_again() -> None:
    fate = Scripted([9, 3, 6, 4])
    g = game(DUEL, fate)
    g.answer(1, YES)
    assert fate.left == [4]
    assert g.drawn == [("TIN-HIT-01", "d10", 9), ("TIN-EXP-01", "d10", 3), ("TIN-DMG-01", "d6", 6)]


def test_unanswered_cannot_be_swallowed_by_except_exception() -> None:
    def careless(g: Game[Box, Any]) -> None:
        try:
            yes = g.ask(TOY, 1, SURE)["yes"]
        except Exception:
            yes = True
        g.change(n=1 if yes else 2)

    g = toy(careless)
    g.advance()
    assert g.waiting == (1,)
    g.answer(1, NO)
    assert g.state.n == 2


def test_nobody_to_ask_means_that_nothing_is_asked() -> None:
    def lonely(g: Game[Box, Any]) -> None:
        assert g.ask_all(TOY, {}) == {}
        g.change(n=1)

    g = toy(lonely)
    g.advance()
    assert (g.state.n, g.question, g.agenda) == (1, None, ())


def test_a_crash_in_a_paragraph_winds_back_too() -> None:
    def crash(g: Game[Box, Any]) -> None:
        g.change(n=1)
        raise ZeroDivisionError

    g = toy(crash)
    with pytest.raises(ZeroDivisionError):
        g.advance()
    assert (g.state, g.agenda) == (Box(), (Step("crash"),))


# ---- interrupts ------------------------------------------------------------------------------------------------------


def test_each_inch_is_watched() -> None:
    g = game(AMBUSH)
    steps = []
    while g.waiting:
        steps.append((g.state["a"].x, g.waiting[0]))
        g.answer(g.waiting[0], HOLD)
    assert steps == [(1, 2), (1, 3), (2, 2), (2, 3)]


def test_interrupts_nest_and_the_innermost_comes_first() -> None:
    """b fires at a; c fires at b first and kills it, so that b's shot never falls."""
    g = game(AMBUSH, [2, 6])
    assert g.waiting == (2,)
    g.answer(2, fire("a"))
    assert g.waiting == (3,)
    assert g.question.asks[3].choices == (fire("b"), HOLD)
    g.answer(3, fire("b"))
    assert (g.state["b"].hp, g.state["a"].hp, g.state["a"].x, g.agenda) == (0, 5, 2, ())
    assert facts(g.reports) == ["walked", "interrupts", "interrupts", "rolled", "rolled", "wounded", "walked"]


def test_an_interrupt_that_is_declined_lets_the_outer_one_go_on() -> None:
    g = game(AMBUSH, [2, 6])
    g.answer(2, fire("a"))
    g.answer(3, HOLD)
    assert (g.state["a"].hp, g.state["a"].x) == (0, 1)


def test_effects_are_collected_then_applied_so_that_two_can_kill_each_other() -> None:
    g = game(scene([["volley"]], A, B), [1, 6, 1, 6])
    assert (g.state["a"].hp, g.state["b"].hp) == (0, 0)


def test_paragraphs_run_in_the_order_named_and_before_all_others() -> None:
    def outer(g: Game[Box, Any]) -> None:
        g.then(note, "first")
        g.then(inner)
        g.then(note, "last")

    def inner(g: Game[Box, Any]) -> None:
        g.then(note, "inside")

    def note(g: Game[Box, Any], word: str) -> None:
        g.change(log=(*g.state.log, word))

    g = toy(outer, inner, note)
    g.advance()
    assert g.state.log == ("first", "inside", "last")


def test_stop_ends_everything_that_was_still_to_come() -> None:
    def outer(g: Game[Box, Any]) -> None:
        g.then(halt)
        g.then(never)

    def halt(g: Game[Box, Any]) -> None:
        g.then(never)
        g.stop()
        g.then(never)
        g.change(n=7)

    def never(g: Game[Box, Any]) -> None:
        raise AssertionError

    g = toy(outer, halt, never)
    g.advance()
    assert (g.state.n, g.agenda, g.question) == (7, (), None)


def test_stop_before_a_question_that_is_then_answered() -> None:
    def halt(g: Game[Box, Any]) -> None:
        if not g.ask(TOY, 1, SURE)["yes"]:
            g.stop()
        g.then(again)

    def again(g: Game[Box, Any]) -> None:
        g.change(n=1)

    g = toy(halt, again)
    g.advance()
    g.answer(1, NO)
    assert (g.state.n, g.agenda) == (0, ())


# ---- secret answers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_simultaneous_answers_are_secret_until_all_are_in(order: tuple[int, ...]) -> None:
    g = game(CARDS, Fast(1), round_limit=1)
    cards = {1: "B", 2: "C", 3: "E"}
    for n, seat in enumerate(order):
        assert (g.reports, g.position.state.sides[0].card) == ([], None)
        assert sorted(g.waiting) == sorted(order[n:])
        g.answer(seat, place(cards[seat]))
    assert [(r.data["who"], r.data["card"]) for r in g.reports if r.fact == "revealed"] == [(3, "E"), (2, "C"), (1, "B")]


def test_the_order_of_answers_leaves_no_trace() -> None:
    ends = []
    for order in ((1, 2, 3), (3, 2, 1)):
        g = game(CARDS, Fast(1), round_limit=1)
        for seat in order:
            g.answer(seat, g.question.asks[seat].default)
        ends.append((g.position, g.reports))
    assert ends[0] == ends[1]


def test_an_answer_may_be_replaced_until_the_last_is_in() -> None:
    g = game(CARDS, Fast(1))
    g.answer(1, place("A"))
    g.answer(2, place("C"))
    g.answer(1, place("B"))
    assert g.waiting == (3,)
    g.answer(3, place("E"))
    assert [r.data["card"] for r in g.reports if r.fact == "revealed"] == ["E", "C", "B"]


def test_a_withdrawn_answer_leaves_the_others() -> None:
    g = game(CARDS)
    g.answer(1, place("A"))
    g.answer(2, place("C"))
    g.withdraw(1)
    assert (g.answers, g.waiting) == ({2: place("C")}, (1, 3))


def test_hidden_draws_are_told_to_their_seat_alone() -> None:
    g = game(SKIRMISH, Fast(3))
    for seat in (1, 2, 3):
        cards = [r.data["card"] for r in heard(g.reports, seat)]
        assert tuple(cards) == g.state[seat].hand
        assert len(cards) == 2
    assert heard(g.reports, None) == []
    assert heard(g.reports, UMPIRE) == []


def test_a_deck_is_drawn_without_replacement() -> None:
    g = game(SKIRMISH, Fast(3))
    hands = [card for side in g.state.sides for card in side.hand]
    assert len(set(hands)) == 6
    assert sorted((*hands, *g.state.pile)) == list("ABCDEFGHIJKL")


def test_a_view_holds_nothing_of_the_others_cards() -> None:
    """Two worlds that differ only in what seat 1 may not know look the same to seat 1, pending answers too."""
    worlds = []
    for hand, card in ((["C", "D"], "C"), (["G", "H"], "H")):
        g = game(scene([["plan"]], A, B, C, hands={1: ["A"], 2: hand, 3: ["E"]}, pile=["K"]))
        g.answer(2, place(card))
        worlds.append(TINY.seen(g, 1, g.question.asks[1]))
    assert worlds[0].view == worlds[1].view
    assert worlds[0].waiting == worlds[1].waiting
    assert TINY.view(g, UMPIRE).hands[2] == ("G", "H")


def test_a_seat_can_imagine_a_game_that_fits_what_it_knows() -> None:
    g = game(CARDS)
    imagined = TINY.seen(g, 3, g.question.asks[3]).imagined(Fast(0))
    imagined.advance()
    assert imagined.state[3].hand == ("E",)
    assert len(imagined.state[1].hand) == 2
    assert imagined.waiting == g.waiting


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "choice", "rule", "fact"),
    [
        (2, fire("c"), "TIN-OPF-02", "not_the_mover"),
        (2, {"verb": "run"}, "TIN-OPF-01", "no_such_verb"),
        (2, "fire", "TIN-OPF-01", "not_a_choice"),
        (2, None, "TIN-OPF-01", "not_a_choice"),
        (2, {"verb": "hold", "at": "a"}, "TIN-OPF-01", "unknown_field"),
        (3, HOLD, "", "not_asked"),  # the rule by which another is asked may be a secret
        (77, HOLD, "", "not_asked"),
    ],
)
def test_a_refused_answer_changes_nothing(seat: int, choice: Any, rule: str, fact: str) -> None:
    g = game(AMBUSH)
    before = (g.position, g.question, list(g.reports), list(g.drawn))
    with pytest.raises(Refused) as error:
        g.answer(seat, choice)
    assert (error.value.refusal.rule, error.value.refusal.fact) == (rule, fact)
    assert (g.position, g.question, g.reports, g.drawn) == before


def test_a_refused_replacement_keeps_the_answer_before() -> None:
    g = game(CARDS)
    g.answer(1, place("A"))
    with pytest.raises(Refused):
        g.answer(1, place("E"))
    assert g.answers == {1: place("A")}


def test_nothing_can_be_answered_when_the_game_is_over() -> None:
    g = game(DUEL, [1, 1])
    assert not g.agenda
    with pytest.raises(Refused, match="not_asked"):
        g.answer(1, YES)
    with pytest.raises(Refused, match="no_throw_due"):
        g.enter(1)


# ---- what a paragraph must not do ------------------------------------------------------------------------------------


def test_an_unknown_rule_in_a_report_raises() -> None:
    def wrong(g: Game[Box, Any]) -> None:
        g.report("TIN-NOT-01", "happened")

    with pytest.raises(KeyError, match="paragraph wrong cites TIN-NOT-01"):
        toy(wrong).advance()


def test_an_unknown_rule_in_a_roll_raises() -> None:
    def wrong(g: Game[Box, Any]) -> None:
        g.roll("TIN-NOT-01", D6, as_is(D6))

    with pytest.raises(KeyError, match="TIN-NOT-01"):
        toy(wrong, fate=Fast(1)).advance()


def test_an_unknown_rule_in_a_question_raises() -> None:
    """Design 3.7: every roll and every question names a rule id. Nothing else would notice a slip here."""

    def wrong(g: Game[Box, Any]) -> None:
        g.ask("TIN-NOT-01", 1, SURE)

    with pytest.raises(KeyError, match="TIN-NOT-01"):
        toy(wrong).advance()


def test_a_reading_of_another_die_is_refused() -> None:
    """A d6 read by the ten meanings of a d10 plays one game and computes the odds of another."""

    def wrong(g: Game[Box, Any]) -> None:
        g.change(n=g.roll(TOY, D6, as_is(D10)))

    with pytest.raises(Exception, match=TOY):
        toy(wrong, fate=Fast(1)).advance()


@pytest.mark.parametrize("policy", [None, always(YES)])
def test_more_than_twelve_inputs_raise(policy: Any) -> None:
    def long(g: Game[Box, Any], asks: int) -> None:
        for _ in range(asks):
            g.ask(TOY, 1, SURE)
        g.change(n=asks)

    def play(asks: int) -> Game[Box, Any]:
        g = toy(long, policy=policy, args=(asks,))
        g.advance()
        while g.waiting:
            g.answer(1, YES)
        return g

    assert play(MOST_INPUTS).state.n == MOST_INPUTS == 12
    with pytest.raises(RuntimeError, match="paragraph long takes more than 12 inputs"):
        play(MOST_INPUTS + 1)


def test_more_than_twelve_dice_raise() -> None:
    def long(g: Game[Box, Any]) -> None:
        for _ in range(13):
            g.roll(TOY, D6, as_is(D6))

    with pytest.raises(RuntimeError, match="split it with then"):
        toy(long, fate=Fast(1)).advance()


# ---- inputs that no longer fit ---------------------------------------------------------------------------------------


def misfit(*inputs: Input) -> str:
    g = Game(book(roll_then_ask), None, Position(Box(), (Step("roll_then_ask"),), inputs), Scripted([1, 1, 1]))
    with pytest.raises(Misfit) as error:
        g.advance()
    assert g.state == Box()
    assert (g.inputs, g.agenda) == (inputs, (Step("roll_then_ask"),))
    return str(error.value)


@pytest.mark.parametrize(
    ("inputs", "rule"),
    [
        ((Input(TOY2, 3),), TOY2),
        ((Input(TOY, 7),), TOY),
        ((Input(TOY, -1),), TOY),
        ((Input(TOY, None, {1: YES}),), TOY),
        ((Input(TOY, 3), Input(TOY2, 3)), TOY2),
        ((Input(TOY, 3), Input(TOY2, None, {2: YES})), TOY2),
        ((Input(TOY, 3), Input(TOY2, None, {1: YES, 2: YES})), TOY2),
        ((Input(TOY, 3), Input(TOY2, None, {1: YES}), Input(TOY, 1)), TOY),
    ],
)
def test_kept_inputs_that_no_longer_fit_name_the_paragraph_and_the_rule(inputs: tuple[Input, ...], rule: str) -> None:
    said = misfit(*inputs)
    assert "paragraph roll_then_ask" in said
    assert rule in said


def test_a_kept_answer_that_is_no_longer_offered_is_a_misfit() -> None:
    """An old save, or a ruling, may have taken away what was chosen; it must not be played all the same."""
    assert TOY2 in misfit(Input(TOY, 3), Input(TOY2, None, {1: {"verb": "surrender"}}))


# ---- save, load, copy ------------------------------------------------------------------------------------------------


def saved_and_loaded(g: Game[Any, Any], fate: Any) -> Game[Any, Any]:
    loaded = Game(g.rules, g.terms, TINY.load(TINY.save(g.position)), fate)
    loaded.advance()
    return loaded


def test_save_and_load_in_the_middle_of_a_paragraph() -> None:
    g = game(DUEL, [9])
    loaded = saved_and_loaded(g, Scripted([3, 6]))
    assert loaded.position == g.position
    assert loaded.waiting == (1,)
    assert (loaded.reports, loaded.drawn) == ([], [])  # the miss is out already
    loaded.answer(1, YES)
    assert [r.data["face"] for r in loaded.reports] == [3, 6]
    assert loaded.state.due == (("b", 5),)


def test_save_and_load_with_some_simultaneous_answers_in() -> None:
    g = game(CARDS)
    g.answer(2, place("D"))
    loaded = saved_and_loaded(g, Fast(1))
    assert (loaded.answers, loaded.waiting) == ({2: place("D")}, (1, 3))
    loaded.answer(3, place("E"))
    loaded.answer(1, place("A"))
    assert [r.data["card"] for r in loaded.reports if r.fact == "revealed"] == ["E", "D", "A"]


def test_save_and_load_with_arguments_that_are_lists_in_json() -> None:
    g = game(AMBUSH)
    assert TINY.load(TINY.save(g.position)).agenda == g.agenda
    assert any(step.args == ("a", (2,)) for step in g.agenda)


def test_a_card_of_two_parts_is_refused_or_survives_a_save() -> None:
    """JSON has lists only: a card that is a tuple must come back as it went, or never be drawn at all."""

    def draw_then_ask(g: Game[Box, Any]) -> None:
        card = g.draw(TOY, (("hearts", 7), ("spades", 1)))
        if g.ask(TOY2, 1, SURE)["yes"]:
            g.change(n=card[1])

    toys = replace(TINY, rules=book(draw_then_ask))
    g = toy(draw_then_ask, fate=Fast(1))
    try:
        g.advance()
    except (TypeError, ValueError):
        return
    loaded = Game(toys.rules, None, toys.load(toys.save(g.position)), Scripted())
    loaded.advance()
    loaded.answer(1, YES)
    assert loaded.state.n in (7, 1)


@pytest.mark.parametrize("seed", range(12))
def test_saving_and_loading_at_every_question_changes_nothing(seed: int) -> None:
    straight = TINY.game(setup_of(), Fast(seed), by_heart)
    straight.advance()
    fate = Fast(seed)
    stopped = TINY.game(setup_of(), fate)
    stopped.advance()
    reports = []
    while stopped.waiting:
        seat = stopped.waiting[0]
        stopped.answer(seat, by_heart(stopped, seat, stopped.question.asks[seat]))
        reports += stopped.reports
        stopped = saved_and_loaded(stopped, fate)
    assert (stopped.state, stopped.agenda) == (straight.state, ())
    assert reports == straight.reports


def test_a_save_of_paragraphs_that_are_gone_says_so() -> None:
    saved = TINY.save(Position(game(DUEL, [9]).state, (Step("duel_to_the_death"),)))
    with pytest.raises(WardogsError, match="duel_to_the_death"):
        TINY.load(saved)


def test_a_copy_disturbs_nothing() -> None:
    fate = Scripted([9, 10])
    g = game(DUEL, fate)
    before = (g.position, g.question, list(g.reports), list(g.drawn), fate.left)
    twin = g.copy(Scripted([3, 6]))
    twin.answer(1, YES)
    assert twin.state.due == (("b", 5),)
    assert (twin.reports, twin.drawn) == ([], [])
    assert (g.position, g.question, g.reports, g.drawn, fate.left) == before
    g.answer(1, YES)
    assert g.state.due == ()


def test_a_copy_with_answers_in_disturbs_nothing() -> None:
    g = game(CARDS)
    g.answer(1, place("A"))
    twin = g.copy(Fast(1))
    twin.answer(2, place("C"))
    twin.withdraw(1)
    assert (g.answers, g.waiting) == ({1: place("A")}, (2, 3))


def test_a_bot_may_search_on_copies_from_inside_its_policy() -> None:
    """Fire or hold: try both to the end on copies. The game itself goes as if nobody had thought."""
    thoughts = []

    def search(g: Game[Any, Any], seat: int, ask: Ask) -> Any:
        for choice in ask.playable:
            twin = g.copy(Fast(5))
            twin.advance()
            assert (twin.waiting, twin.question.asks[seat].topic) == ((seat,), ask.topic)
            twin.policy = by_heart
            twin.answer(seat, choice)
            thoughts.append(not twin.agenda)
        return by_heart(g, seat, ask)

    thinking, plain = (TINY.game(setup_of(AMBUSH), Fast(8), policy) for policy in (search, by_heart))
    thinking.advance()
    plain.advance()
    assert (thinking.position, thinking.reports, thinking.drawn) == (plain.position, plain.reports, plain.drawn)
    assert thoughts
    assert all(thoughts)


def test_a_policy_sees_no_answer_of_the_others() -> None:
    seen = []

    def peek(g: Game[Any, Any], seat: int, ask: Ask) -> Any:
        seen.append((dict(g.answers), g.inputs, TINY.view(g, seat).commitments))
        return ask.default

    game(CARDS, Fast(1), peek, round_limit=1)
    assert seen[:3] == [({}, (), {})] * 3


# ---- real dice -------------------------------------------------------------------------------------------------------


def test_typed_dice__the_question_becomes_a_throw() -> None:
    g = game(DUEL, Typed())
    assert isinstance(g.question, Throw)
    assert (g.question.rule, g.question.kind, g.question.faces) == ("TIN-HIT-01", "d10", tuple(range(1, 11)))
    assert g.question.about == {"who": "a", "at": "b"}
    assert (g.waiting, g.reports) == ((), [])


@pytest.mark.parametrize("face", [0, 11, -1, True, 1.0, "1", None, [1], 3.5])
def test_typed_dice__a_face_that_is_not_on_the_die_is_refused(face: Any) -> None:
    g = game(DUEL, Typed())
    before = (g.position, g.question)
    with pytest.raises(Refused) as error:
        g.enter(face)
    assert (error.value.refusal.rule, error.value.refusal.fact) == ("TIN-HIT-01", "not_on_die")
    assert (g.position, g.question, g.drawn) == (*before, [])


def test_typed_dice__go_on_through_questions_and_dice() -> None:
    g = game(DUEL, Typed())
    g.enter(9)
    assert g.question.rule == "TIN-EXP-01"
    with pytest.raises(Refused, match="no_throw_due"):
        g.enter(3)
    g.answer(1, YES)
    with pytest.raises(Refused, match="not_asked"):
        g.answer(1, YES)
    g.enter(3)
    g.enter(6)
    assert (g.state.due, g.question, g.agenda) == ((("b", 5),), None, ())
    assert [r.data["face"] for r in g.reports] == [9, 3, 6]


def test_typed_cards__a_card_that_was_drawn_is_no_longer_in_the_pile() -> None:
    g = game(SKIRMISH, Typed())
    assert g.question.kind == "card"
    g.enter("L")
    with pytest.raises(Refused, match="not_on_die"):
        g.enter("L")
