"""Rehearsal: it lets honest paragraphs pass, and catches each way in which one can go behind its game."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from tests.kernel.rehearsal import Rehearsed
from tests.kernel.tiny import SURE, TINY, TOY, YES, Box, always, book, by_heart, facts, roll_then_ask, scene, setup_of
from wardogs.kernel.dice import D6, as_is
from wardogs.kernel.fate import Fast, Scripted, ScriptError
from wardogs.kernel.game import Game, Position, Step
from wardogs.kernel.offers import Ask, Offer, OneOf

DUEL = scene([["shoot", "a", "b"]], {"id": "a", "expert": True}, {"id": "b"})


def rehearsed(*paragraphs: Any, fate: Any = None, policy: Any = None, args: tuple[Any, ...] = ()) -> Rehearsed:
    return Rehearsed(book(*paragraphs), None, Position(Box(), (Step(paragraphs[0].__name__, args),)), fate or Scripted(), policy)


@pytest.mark.parametrize("seed", range(20))
def test_rehearsal_of_whole_games(seed: int) -> None:
    terms = TINY.terms(setup_of())
    g = Rehearsed(TINY.rules, terms, TINY.begin(terms), Fast(seed), by_heart, TINY)
    g.advance()
    assert not g.agenda
    assert g.rehearsed > 20


def test_rehearsal_of_a_game_that_stops_at_every_question() -> None:
    terms = TINY.terms(setup_of())
    g = Rehearsed(TINY.rules, terms, TINY.begin(terms), Fast(4), system=TINY)
    g.advance()
    while g.waiting:
        g.answer(g.waiting[0], by_heart(g, g.waiting[0], g.question.asks[g.waiting[0]]))
    assert not g.agenda


def sly_random(g: Game[Box, Any]) -> None:
    g.change(n=random.randrange(10**9))


def sly_coin(g: Game[Box, Any]) -> None:
    random.random()  # both runs agree, and still


def sly_clock(g: Game[Box, Any]) -> None:
    g.report(TOY, "happened", at=time.perf_counter_ns())


def sly_agenda(g: Game[Box, Any]) -> None:
    g.then(sly_agenda, time.perf_counter_ns())


def sly_question(g: Game[Box, Any]) -> None:
    g.ask(TOY, 1, Ask("sure", (Offer("say", TOY, {"n": OneOf((time.perf_counter_ns(), 1))}),), {"verb": "say", "n": 1}))


def sly_die(g: Game[Box, Any]) -> None:
    for _ in range(len(SLY)):
        g.roll(TOY, D6, as_is(D6))
    SLY.append(1)


def sly_answer(g: Game[Box, Any]) -> None:
    g.ask(TOY, 1, SURE)["yes"] = False


def sly_argument(g: Game[Box, Any], names: list[str]) -> None:
    names[:] = ["changed"]


SLY: list[int] = []


@pytest.mark.parametrize("sly", [sly_random, sly_coin, sly_clock, sly_agenda, sly_question, sly_die, sly_answer, sly_argument])
def test_rehearsal_catches_what_does_not_come_through_the_game(sly: Any) -> None:
    SLY[:] = [1]
    policy = None if sly is sly_question else lambda g, seat, ask: dict(YES)
    with pytest.raises(AssertionError, match=sly.__name__):
        rehearsed(sly, fate=Fast(1), policy=policy, args=(["as", "it", "was"],) if sly is sly_argument else ()).advance()


def test_rehearsal_catches_an_illegal_answer_of_a_policy() -> None:
    with pytest.raises((AssertionError, ValueError), match=r"not legal|a policy answers"):
        rehearsed(roll_then_ask, fate=Fast(1), policy=always({"verb": "say", "yes": 1})).advance()


def test_rehearsal_catches_a_silence_that_is_not_legal() -> None:
    def ask(g: Game[Box, Any]) -> None:
        g.ask(TOY, 1, Ask("sure", SURE.offers, {"verb": "nothing"}))

    with pytest.raises(AssertionError, match="silence"):
        rehearsed(ask).advance()


def test_rehearsal_catches_arguments_that_do_not_survive_a_save() -> None:
    terms, start = TINY.stage(DUEL, {})
    step = Step("march", (frozenset({1}),))
    with pytest.raises(AssertionError, match=r"saved and loaded"):
        Rehearsed(TINY.rules, terms, Position(start.state, (step,)), Fast(1), system=TINY).advance()


def test_rehearsal_lets_honest_paragraphs_pass_and_scripts_run_out_as_always() -> None:
    g = rehearsed(roll_then_ask, fate=Scripted([4]))
    g.advance()
    g.answer(1, YES)
    assert (g.state.n, facts(g.reports)) == (4, ["rolled"])
    with pytest.raises(ScriptError):
        rehearsed(roll_then_ask).advance()
