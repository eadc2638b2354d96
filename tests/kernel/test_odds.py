"""Exact odds: against brute force, which knows nothing of merging, and against icepool, which knows nothing of us."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import icepool
import pytest

from tests.kernel.tiny import (
    AGAIN,
    HOLD,
    NO,
    SKIRMISH,
    TINY,
    TOY,
    TOY2,
    WOUNDS,
    YES,
    Box,
    always,
    fire,
    game,
    place,
    scene,
    setup_of,
    toy,
    yes_no,
)
from wardogs.kernel.dice import D6, D10, as_is, at_least, die, reading
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Fast, Scripted
from wardogs.kernel.game import Game, Policy
from wardogs.kernel.odds import Odds, choosing, odds

A, B, C = {"id": "a"}, {"id": "b"}, {"id": "c"}
DUEL = scene([["shoot", "a", "b"], ["wounds"]], A, B)
RETRY = scene([["shoot", "a", "b"], ["wounds"]], A | {"expert": True}, B)


class More(Exception):
    """The prefix has run out at a throw with so many faces."""


class Prefix:
    def __init__(self, indices: tuple[int, ...]) -> None:
        self.indices = iter(indices)

    def index(self, rule: str, kind: str, faces: Any, means: Any) -> int:
        for index in self.indices:
            return index
        raise More(len(faces))


def brute(start: Game[Any, Any], policy: Policy, read: Callable[[Any], Any]) -> Odds:
    """Every sequence of faces from the first, one whole game each."""
    total: dict[Any, Fraction] = {}
    mean = Fraction(0)
    todo = [((), Fraction(1))]
    while todo:
        prefix, chance = todo.pop()
        twin = start.copy(Prefix(prefix), policy)
        twin.question = None
        try:
            twin.advance()
        except More as more:
            sides = more.args[0]
            todo += [((*prefix, index), chance / sides) for index in range(sides)]
            continue
        value = read(twin.state)
        total[value] = total.get(value, Fraction(0)) + chance
        mean += chance * len(prefix)
    return Odds(total, mean)


def hp(who: str) -> Callable[[Any], int]:
    return lambda state: state[who].hp


def unplayed(scenario: dict[str, Any], **options: Any) -> Game[Any, Any]:
    return TINY.game(setup_of(scenario, **options), Fast(0))


# ---- against brute force ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "policy"),
    [
        (DUEL, always(NO)),
        (RETRY, always(YES)),
        (RETRY, always(NO)),
        (scene([["volley"]], A, B), always(NO)),
        (scene([["walk", "a", [1]]], A, B | {"watching": True}, C | {"watching": True}), choosing({2: fire("a")})),
        (
            scene([["walk", "a", [1]]], A, B | {"watching": True}, C | {"watching": True}),
            choosing({2: fire("a"), 3: fire("b")}),
        ),
    ],
)
def test_odds_are_those_of_brute_force(scenario: dict[str, Any], policy: Policy) -> None:
    found = odds(unplayed(scenario), policy, lambda t: (t["a"].hp, t["b"].hp))
    assert found == brute(unplayed(scenario), policy, lambda t: (t["a"].hp, t["b"].hp))
    assert sum(found.of.values()) == 1


def test_odds_of_a_draw_without_replacement() -> None:
    def deal(g: Game[Box, Any]) -> None:
        left: tuple[str, ...] = ("ace", "ace", "king", "queen")
        for _ in range(2):
            card = g.draw(TOY, left)
            at = left.index(card)
            left = (*left[:at], *left[at + 1 :])
            g.change(log=(*g.state.log, card))

    found = odds(toy(deal), always(NO), lambda box: box.log.count("ace"))
    assert found.of == {0: Fraction(1, 6), 1: Fraction(2, 3), 2: Fraction(1, 6)}
    assert found == brute(toy(deal), always(NO), lambda box: box.log.count("ace"))


def test_odds_of_hands_are_symmetric() -> None:
    found = odds(unplayed(scene([["deal"]], A, B, pile=list("ABCDEF"))), always(NO), lambda t: max(t[3].hand))
    assert found.of["F"] == Fraction(1, 3)
    assert sum(found.of.values()) == 1
    assert found.mean_dice == 6


# ---- against icepool -------------------------------------------------------------------------------------------------


def as_fractions(pool: icepool.Die[Any]) -> dict[Any, Fraction]:
    return {outcome: Fraction(weight, pool.denominator()) for outcome, weight in pool.items()}


def test_icepool__highest_of_three() -> None:
    def highest(g: Game[Box, Any]) -> None:
        g.change(n=max(g.roll(TOY, D6, as_is(D6)) for _ in range(3)))

    assert odds(toy(highest), always(NO), lambda box: box.n).of == as_fractions(icepool.d6.highest(3))


def test_icepool__ten_dice_over_ten_paragraphs() -> None:
    def count(g: Game[Box, Any], left: int) -> None:
        g.change(n=g.state.n + g.roll(TOY, D6, at_least(D6, 5)))
        if left > 1:
            g.then(count, left - 1)

    assert odds(toy(count, args=(10,)), always(NO), lambda box: box.n).of == as_fractions(10 @ (icepool.d6 >= 5))


def test_icepool__a_shot_with_its_damage() -> None:
    hit = icepool.d10 <= 6
    harm = icepool.Die(WOUNDS)
    expected = as_fractions(icepool.map(lambda hit, lost: 5 - lost if hit else 5, hit, harm))
    assert odds(unplayed(DUEL), always(NO), hp("b")).of == expected


def test_icepool__a_shot_with_a_second_throw() -> None:
    hit = icepool.map(lambda first, second: first or second, icepool.d10 <= 6, icepool.d10 <= 6)
    expected = as_fractions(icepool.map(lambda hit, lost: 5 - lost if hit else 5, hit, icepool.Die(WOUNDS)))
    found = odds(unplayed(RETRY), always(YES), hp("b"))
    assert found.of == expected
    assert found.mean_dice == 1 + Fraction(4, 10) + Fraction(84, 100)


def test_icepool__different_dice_and_unequal_meanings() -> None:
    def both(g: Game[Box, Any]) -> None:
        g.change(n=g.roll(TOY, D10, reading(D10, lambda face: face // 4)) * g.roll(TOY, die(4), as_is(die(4))))

    expected = as_fractions(icepool.map(lambda a, b: a // 4 * b, icepool.d10, icepool.d4))
    assert odds(toy(both), always(NO), lambda box: box.n).of == expected


# ---- merging ---------------------------------------------------------------------------------------------------------


def test_equal_positions_merge() -> None:
    """Thirty coins: 2**30 ways, and yet each pair of count and place is played once, by each meaning."""
    runs = []

    def coin(g: Game[Box, Any], left: int) -> None:
        runs.append(left)
        g.change(n=g.state.n + g.roll(TOY, D6, at_least(D6, 4)))
        if left > 1:
            g.then(coin, left - 1)

    found = odds(toy(coin, args=(30,)), always(NO), lambda box: box.n)
    assert found.of[30] == Fraction(1, 2**30)
    assert found.mean_dice == 30
    assert len(runs) == 2 * sum(range(1, 31))


def test_faces_of_one_meaning_are_followed_once() -> None:
    runs = []

    def check(g: Game[Box, Any]) -> None:
        runs.append(1)
        g.change(n=g.roll(TOY, die(100), at_least(die(100), 51)) + g.roll(TOY2, die(100), at_least(die(100), 1)))

    odds(toy(check), always(NO), lambda box: box.n)
    assert len(runs) == 2


# ---- loops -----------------------------------------------------------------------------------------------------------


def until_five(g: Game[Box, Any]) -> None:
    face = g.roll(TOY, D6, as_is(D6))
    if face < 5:
        g.then(until_five)
    else:
        g.change(n=face)


def test_a_reroll_loop_gives_exact_conditional_odds_and_mean_dice() -> None:
    found = odds(toy(until_five), always(NO), lambda box: box.n)
    assert found == Odds({5: Fraction(1, 2), 6: Fraction(1, 2)}, Fraction(3))
    assert found.of == as_fractions(icepool.d6.reroll([1, 2, 3, 4], depth="inf"))


def test_a_reroll_loop_of_two_dice() -> None:
    def doubles(g: Game[Box, Any]) -> None:
        first, second = g.roll(TOY, D6, as_is(D6)), g.roll(TOY2, D6, as_is(D6))
        if first == second:
            g.then(doubles)
        else:
            g.change(n=first + second)

    found = odds(toy(doubles), always(NO), lambda box: box.n)
    assert found.of[3] == Fraction(2, 30)
    assert found.of[7] == Fraction(6, 30)
    assert found.mean_dice == 2 * Fraction(36, 30)


def test_a_loop_among_other_steps() -> None:
    def outer(g: Game[Box, Any]) -> None:
        g.roll(TOY, D6, as_is(D6))
        g.then(until_five)
        g.then(last)

    def last(g: Game[Box, Any]) -> None:
        g.change(n=g.state.n * 10 + g.roll(TOY, D6, as_is(D6)))

    found = odds(toy(outer, until_five, last), always(NO), lambda box: box.n)
    assert found.of == {tens * 10 + one: Fraction(1, 12) for tens in (5, 6) for one in range(1, 7)}
    assert found.mean_dice == 5


def test_a_loop_that_is_begun_in_its_middle() -> None:
    def careful(g: Game[Box, Any]) -> None:
        face = g.roll(TOY, D6, as_is(D6))
        if g.ask(TOY2, 1, yes_no(f"take {face}", TOY2))["yes"]:
            g.change(n=face)
        else:
            g.then(careful)

    def only_six(g: Game[Box, Any], seat: int, ask: Any) -> Any:
        return YES if ask.topic == "take 6" else NO

    g = toy(careful, fate=Scripted([2]))
    g.advance()
    found = odds(g, only_six, lambda box: box.n)
    assert found == Odds({6: Fraction(1)}, Fraction(6))  # the 2 is thrown already; then six dice on average
    assert odds(g, always(YES), lambda box: box.n) == Odds({2: Fraction(1)}, Fraction(0))


class TooLong(Exception):
    """The enumerator goes on for ever."""


def test_a_loop_through_two_paragraphs_is_exact_or_refused_but_ends() -> None:
    steps = []

    def throw(g: Game[Box, Any]) -> None:
        steps.append(1)
        if len(steps) > 3000:
            raise TooLong
        g.then(judge, g.roll(TOY, D6, at_least(D6, 4)))

    def judge(g: Game[Box, Any], good: bool) -> None:
        if good:
            g.change(n=1)
        else:
            g.then(throw)

    found = Odds({1: Fraction(1)}, Fraction(2))
    with suppress(WardogsError, RuntimeError):
        found = odds(toy(throw, judge), always(NO), lambda box: box.n)
    assert found == Odds({1: Fraction(1)}, Fraction(2))


def test_a_loop_without_a_way_out_is_named() -> None:
    def forever(g: Game[Box, Any]) -> None:
        g.roll(TOY, D6, as_is(D6))
        g.then(forever)

    with pytest.raises((WardogsError, RuntimeError), match="forever"):
        odds(toy(forever), always(NO), lambda box: box.n)


# ---- where it begins and ends ----------------------------------------------------------------------------------------


def test_the_policy_answers_inside() -> None:
    asked = []

    def policy(g: Game[Any, Any], seat: int, ask: Any) -> Any:
        asked.append((seat, ask.topic))
        return YES

    odds(unplayed(RETRY), policy, hp("b"))
    assert set(asked) == {(1, "again")}


def test_starting_in_the_middle_of_a_paragraph() -> None:
    """The first throw has missed: what is left is the second."""
    g = game(RETRY, [9])
    found = odds(g, always(YES), hp("b"))
    assert found.of == {5: Fraction(4, 10), 4: Fraction(2, 10), 3: Fraction(3, 10), 0: Fraction(1, 10)}
    assert found.mean_dice == 1 + Fraction(6, 10)
    assert found == brute(g, always(YES), hp("b"))


def test_odds_disturb_nothing() -> None:
    fate = Scripted([9, 10])
    g = game(RETRY, fate)
    before = (g.position, g.question, list(g.reports), list(g.drawn), fate.left)
    odds(g, always(YES), hp("b"))
    assert (g.position, g.question, g.reports, g.drawn, fate.left) == before
    g.answer(1, YES)
    assert g.state["b"].hp == 5


def test_odds_from_inside_a_policy() -> None:
    """A bot that fires only if that is worth it, by the rules themselves, in the middle of a game."""
    found = []

    def shrewd(g: Game[Any, Any], seat: int, ask: Any) -> Any:
        if ask.topic == "op_fire":
            found.append(odds(g, choosing({seat: ask.playable[0]}), hp("a")).of)
        return ask.default

    g = game(scene([["walk", "a", [1]]], A, B | {"watching": True}), Fast(1), shrewd)
    assert found[0][0] == Fraction(6, 10) / 6
    assert (g.state["a"].hp, g.agenda) == (5, ())


def test_until_stops_at_the_first_step_where_it_holds() -> None:
    g = unplayed(RETRY)
    found = odds(g, always(NO), lambda t: (t["b"].hp, t.due), lambda t, agenda: agenda[0].paragraph == "wounds")
    assert found.of[(5, ())] == Fraction(4, 10)
    assert found.of[(5, (("b", 5),))] == Fraction(1, 10)
    assert sum(found.of.values()) == 1


def test_until_that_holds_at_once_and_never() -> None:
    assert odds(unplayed(DUEL), always(NO), hp("b"), lambda t, agenda: True) == Odds({5: Fraction(1)}, Fraction(0))
    assert odds(unplayed(DUEL), always(NO), hp("b"), lambda t, agenda: False) == odds(unplayed(DUEL), always(NO), hp("b"))


def test_until_does_not_hold_in_the_middle_of_the_paragraph_that_is_running() -> None:
    g = game(RETRY, [9])
    found = odds(g, always(YES), lambda t: t.due, lambda t, agenda: agenda[0].paragraph in ("shoot", "wounds"))
    assert found.of[()] == Fraction(4, 10)


def test_odds_of_a_game_that_is_over() -> None:
    g = game(DUEL, [10])
    assert not g.agenda
    assert odds(g, always(NO), hp("b")) == Odds({5: Fraction(1)}, Fraction(0))


def test_choosing_does_what_silence_means_where_its_choice_is_not_legal() -> None:
    g = game(scene([["walk", "a", [1]]], A, B | {"watching": True}))
    assert odds(g, choosing({2: fire("c")}), hp("a")).of == {5: Fraction(1)}
    assert odds(g, choosing({2: HOLD}), hp("a")) == odds(g, choosing({}), hp("a"))
    assert odds(g, choosing({2: fire("a")}), hp("a")).of[5] == Fraction(4, 10)


def test_answers_that_are_in_already_count() -> None:
    """Seat 1 has laid its card; the odds of what seat 2 may do go on from there, not from what silence would mean."""
    g = game(scene([["plan"]], A, B, C, hands={1: ["A", "L"], 2: ["C"], 3: ["E"]}), round_limit=1)
    g.answer(1, place("L"))
    found = odds(g, choosing({2: place("C")}), lambda t: t[1].card, lambda t, agenda: agenda[0].paragraph == "reveal")
    assert found.of == {"L": Fraction(1)}


def test_an_answer_that_is_in_counts_once() -> None:
    """It answers the question that it was given to, not the next one that would admit it."""

    def both(g: Game[Box, Any]) -> None:
        said = g.ask_all(TOY, {1: AGAIN, 2: AGAIN})
        g.change(n=sum(choice["yes"] for choice in said.values()))
        g.then(one)

    def one(g: Game[Box, Any]) -> None:
        g.change(n=10 * g.state.n + g.ask(TOY, 1, AGAIN)["yes"])

    g = toy(both, one)
    g.advance()
    g.answer(1, YES)
    assert odds(g, always(NO), lambda box: box.n).of == {10: Fraction(1)}


def test_a_whole_opening_sums_to_one() -> None:
    found = odds(
        unplayed({**SKIRMISH, "pile": list("ABCDEF")}),
        choosing({}),
        lambda t: t[1].hand,
        lambda t, agenda: agenda[0].paragraph == "plan",
    )
    assert len(found.of) == 30
    assert set(found.of.values()) == {Fraction(1, 30)}


def test_who_reckons_leaves_no_garbage() -> None:
    """Servers look for it seldom."""
    start = unplayed(DUEL)
    odds(start, always(NO), lambda t: t["a"].hp)
    gc.collect()
    odds(start, always(NO), lambda t: t["a"].hp)
    assert gc.collect() == 0
