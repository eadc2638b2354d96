"""Rehearsal: every step of a game is played twice from the same inputs, and must come out the same.

    game = Rehearsed(system.rules, terms, system.begin(terms), Fast(1), bot.policy, system=system)
    game.advance()

plays a game as `Game` does, with or without a policy, and raises an AssertionError that names the paragraph when

- its second run differs in the state, the agenda, the reports, the question, or in what it rolls and asks: it uses a
  clock, global random, or anything else that does not come through its game;
- it changes in place what it was given (the state, its arguments, kept answers), so that winding back would not help;
- it uses the global random generator at all, even where both runs happen to agree;
- an answer, from a policy too, is one that no offer admits, or silence would mean a choice that is not legal;
- with `system`: the position before the step, saved and loaded, is not the same or does not play the same.

Only what runs inside a paragraph is rehearsed. The policy is called once, in the first run, and may think as it likes.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import msgspec

from wardogs.kernel.fate import Fate, Throw, Typed
from wardogs.kernel.game import Game, Input, Policy, Position, Rules, Step, Unanswered
from wardogs.kernel.offers import Ask, Choice, Question, Seat
from wardogs.kernel.report import Report
from wardogs.kernel.system import System

_encode = msgspec.json.Encoder().encode


class Rehearsed(Game[Any, Any]):
    """A game that plays each of its steps twice. A copy of it is a plain game."""

    def __init__(
        self,
        rules: Rules,
        terms: Any,
        position: Position[Any],
        fate: Fate,
        policy: Policy | None = None,
        system: System | None = None,
    ) -> None:
        super().__init__(rules, terms, position, fate, policy)
        self.system = system
        self.rehearsed = 0  # steps: a test may ask that there were some
        self._kept: tuple[Input, ...] = ()
        self._kept_as: list[bytes] = []

    def ask_all(self, rule: str, asks: Mapping[Seat, Ask], unasked: Any = None) -> Mapping[Seat, Choice]:
        for seat, ask in asks.items():
            self._must(ask.refusal(ask.default) is None, f"silence of seat {seat} on {rule} means {ask.default}: not legal")
        answers = super().ask_all(rule, asks, unasked)
        for seat, choice in answers.items():
            self._must(asks[seat].refusal(choice) is None, f"seat {seat} answers {rule} with {choice}: not legal")
        return answers

    def step(self) -> None:
        before = Position(self.state, self.agenda, self.inputs, {}, self.told)
        as_it_was = _encode(before)
        told = len(self.reports)
        self._kept, self._kept_as = self.inputs, [_encode(kept) for kept in self.inputs]
        try:
            super().step()
        except Unanswered:
            self._rehearse(before, as_it_was, told)
            raise
        self._rehearse(before, as_it_was, told)

    def _keep(self, new: Input) -> None:
        super()._keep(new)
        self._kept = self.inputs
        self._kept_as.append(_encode(new))

    def _rehearse(self, before: Position[Any], as_it_was: bytes, told: int) -> None:
        """Again, without policy and fate: whatever the step learnt the first time is all that it may learn now."""
        twin: Game[Any, Any] = Game(self.rules, self.terms, self._start(before), Typed())
        luck = random.getstate()
        try:
            twin.step()
        except Unanswered:
            pass
        except Exception as error:
            raise AssertionError(f"{self._place(before)}: its second run fails: {error}") from error
        self._must(random.getstate() == luck, "uses the global random generator", before)
        self._same(before, "question", _asked(self.question), _asked(twin.question))
        self._same(before, "state", self.state, twin.state)
        self._same(before, "agenda", self.agenda, twin.agenda)
        self._same(before, "reports", _told(self.reports[told:]), _told(twin.reports))
        self._must(_encode(before) == as_it_was, "changes in place what it was given", before)
        self._must([_encode(kept) for kept in self._kept] == self._kept_as, "changes in place the answers it was given", before)
        self.rehearsed += 1

    def _start(self, before: Position[Any]) -> Position[Any]:
        start = msgspec.structs.replace(before, inputs=self._kept)
        if self.system is None:
            return start
        loaded = self.system.load(self.system.save(start))
        self._same(before, "position, saved and loaded,", start, loaded)
        return loaded

    def _same(self, before: Position[Any], what: str, first: Any, second: Any) -> None:
        self._must(first == second, f"its {what} differs when it runs again: first {first}, then {second}", before)

    def _must(self, so: bool, otherwise: str, before: Position[Any] | None = None) -> None:
        if not so:
            raise AssertionError(f"{self._place(before)}: {otherwise}")

    def _place(self, before: Position[Any] | None) -> str:
        step: Step = (before.agenda if before else self.agenda)[0]
        return f"paragraph {step.paragraph}{step.args}"


def _asked(question: Question | Throw | None) -> Any:
    """A question as data, without the functions that an Ask may carry."""
    if not isinstance(question, Question):
        return question
    return question.rule, {
        seat: (ask.topic, ask.offers, ask.default, ask.barred() if ask.barred else ()) for seat, ask in question.asks.items()
    }


def _told(reports: list[Report]) -> bytes:
    """Reports as a record would keep them: a loaded game may have lists where a played one has tuples."""
    return _encode(reports)
