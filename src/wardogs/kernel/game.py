"""A game: an agenda of paragraphs, each played as a transaction.

A paragraph is one rule of the book as one function. It rolls, draws, asks, reports and says what comes next, all through
its game. A question that nobody has answered abandons the run, winds the state back to where the paragraph began and
shows the question; the answer plays it again with the inputs so far. So the exact position of a game is the state at
the start of the paragraph, the agenda and the inputs since: frozen records only, which copy by reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.dice import Die
from wardogs.kernel.fate import Fate, Throw
from wardogs.kernel.offers import Ask, Choice, Question, Refusal, Refused, Seat, place_in
from wardogs.kernel.report import Report

MOST_INPUTS = 12  # a paragraph that takes more is too long: split it with `then`

M = TypeVar("M")


class State(Protocol):
    """What is on the table: a frozen record of frozen records."""

    def edited(self, who: Any, fields: Mapping[str, Any]) -> Any: ...


S = TypeVar("S", bound=State)
T = TypeVar("T")

Paragraph: TypeAlias = Callable[..., None]
Policy: TypeAlias = Callable[["Game[Any, Any]", Seat, Ask], Choice]


class Step(NamedTuple):
    """A paragraph still to run: its name and its arguments, plain data."""

    paragraph: str
    args: tuple[Any, ...] = ()


class Input(NamedTuple):
    """One thing a paragraph learnt: a face or the answers to a question, with the rule that wanted it."""

    rule: str
    face: Any = None
    answers: dict[Seat, Choice] | None = None


class Position(Struct, Generic[S], frozen=True, gc=False):
    """Where a game stands, exactly; also in the middle of a paragraph and with some answers still to come."""

    state: S
    agenda: tuple[Step, ...]
    inputs: tuple[Input, ...] = ()
    answers: dict[Seat, Choice] = {}
    told: int = 0
    gone: tuple[Seat, ...] = ()  # the seats that have given up


class Rules(NamedTuple):
    """What plugs into the kernel: the paragraphs by name, the ids they may cite, the shape of the state."""

    name: str
    paragraphs: Mapping[str, Paragraph]
    ids: frozenset[str]
    state: type[Any]


class Unanswered(BaseException):
    """Leaves a paragraph at a question. Not an Exception: no rule can swallow it by accident."""


class Misfit(Exception):
    """Inputs that do not fit the rules as they are now: an old save, or a ruling that pulls the rug away."""


class Game(Generic[S, T]):
    """One game in progress; also what a paragraph is handed."""

    __slots__ = (
        "_after", "_fresh", "_halted", "_mark", "_skip", "_used", "agenda", "answers", "drawn", "fate", "gone", "inputs",
        "policy", "question", "reports", "rules", "silent", "state", "terms", "told",
    )  # fmt: skip

    def __init__(self, rules: Rules, terms: T, position: Position[S], fate: Fate, policy: Policy | None = None) -> None:
        self.rules, self.terms, self.fate, self.policy = rules, terms, fate, policy
        self.state = self._mark = position.state
        self.agenda, self.inputs, self.answers = position.agenda, position.inputs, position.answers
        self.told = position.told  # reports of the running paragraph that are already out
        self.gone = position.gone
        self.question: Question | Throw | None = None
        self.reports: list[Report] = []
        self.drawn: list[tuple[str, str, Any]] = []
        self.silent = False
        self._after: list[Step] = []
        self._halted = False
        self._skip = self._used = 0
        self._fresh: Input | None = None  # answers that were checked just now, against the very question they are for

    # ---- what a paragraph may do -------------------------------------------------------------------------------

    def roll(self, rule: str, die: Die, means: tuple[M, ...], to: tuple[Seat, ...] | None = None, **about: Any) -> M:
        """Roll a die for a rule; the answer is what its face means."""
        index = self._face(rule, die.name, die.faces, means, about, to)
        if not self.silent:
            self.report(rule, "rolled", to, **about, die=die.name, face=die.faces[index], means=means[index])
        return means[index]

    def draw(
        self, rule: str, pile: tuple[M, ...], to: tuple[Seat, ...] | None = None, out_of: tuple[M, ...] = (), **about: Any
    ) -> M:
        """Draw a card: a uniform pick from those left, so that no order exists that anyone could know.

        Where those left are a secret, `out_of` is what everybody knows them to be among.
        """
        index = self._face(rule, "card", pile, pile, about, to, out_of)
        if not self.silent:
            self.report(rule, "drew", to, **about, card=pile[index])
        return pile[index]

    def ask(self, rule: str, seat: Seat, ask: Ask) -> Choice:
        return self.ask_all(rule, {seat: ask})[seat]

    def ask_all(
        self, rule: str, asks: Mapping[Seat, Ask], unasked: Callable[[Seat, Choice], Refusal | None] | None = None
    ) -> Mapping[Seat, Choice]:
        """Ask several seats at once; the rules see no answer before all are in. Nobody to ask: nothing happens."""
        if not asks:
            return {}
        self._cite(rule)
        if self._used < len(self.inputs):
            return self._recall_answers(rule, asks)
        given = self._standing_answers(asks)
        if self.policy is not None:
            policy = self.policy
            given = {seat: given[seat] if seat in given else policy(self, seat, ask) for seat, ask in asks.items()}
            if not self.silent:
                self._must_be_legal(rule, asks, given)
        elif len(given) < len(asks):
            self.answers, self.question = given, Question(rule, asks, unasked)
            raise Unanswered
        self.answers = {}
        self._keep(Input(rule, None, given))
        return given

    def report(self, rule: str, fact: str, to: tuple[Seat, ...] | None = None, /, **data: Any) -> None:
        """Say what happened, by ids and figures."""
        if self.silent:
            return
        self._cite(rule)
        if self._skip:
            self._skip -= 1
            return
        self.told += 1
        self.reports.append(Report(rule, fact, data, to))

    def edit(self, who: Any, **fields: Any) -> None:
        """Replace one record of the state by a changed copy."""
        self.state = self.state.edited(who, fields)

    def change(self, **fields: Any) -> None:
        """Change the state's own fields."""
        self.state = replace(self.state, **fields)  # type: ignore[type-var]

    def then(self, paragraph: Paragraph, *args: Any) -> None:
        """What comes next. Paragraphs named by one step run in the order in which it names them, before all others."""
        self._after.append(Step(paragraph.__name__, args))

    def then_all(self, steps: Iterable[Step]) -> None:
        """Several steps at once, such as the phases of a round."""
        self._after += steps

    def stop(self) -> None:
        """The game is over: nothing that was still to come will run."""
        self._after = []
        self._halted = True

    # ---- what a driver may do ----------------------------------------------------------------------------------

    def advance(self) -> None:
        """Play until someone must answer or nothing is left to do."""
        if self.question is not None:
            return
        try:
            while self.agenda:
                self.step()
        except Unanswered:
            pass
        finally:
            self.state = self._mark

    def step(self) -> None:
        """Play one paragraph."""
        name, args = self.agenda[0]
        self._mark = self.state
        self._after = []
        self._halted = False
        self._used = 0
        self._skip = self.told
        self.rules.paragraphs[name](self, *args)
        if self._used != len(self.inputs):
            raise Misfit(f"{self._here()}: {self.inputs[self._used].rule} is no longer asked there")
        if self._halted:
            self.agenda = ()
        elif self._after:
            self.agenda = (*self._after, *self.agenda[1:])
        else:
            self.agenda = self.agenda[1:]
        self.inputs = ()
        self.told = 0
        self._mark = self.state

    def answer(self, seat: Seat, choice: Choice) -> None:
        """One seat's answer; when the last is in, play goes on. Until then it may be given anew."""
        question = self.question
        if not isinstance(question, Question):
            raise Refused(Refusal("", "not_asked", {"seat": seat}))
        if refusal := question.refusal(seat, choice):
            raise Refused(refusal)
        self.answers = {**self.answers, seat: choice}
        if len(self.answers) == len(question.asks):
            given = {asked: self.answers[asked] for asked in question.asks}
            self._fresh = Input(question.rule, None, given)
            self._resume(self._fresh)

    def withdraw(self, seat: Seat) -> None:
        """Take an answer back while others are still thinking."""
        self.answers = {other: choice for other, choice in self.answers.items() if other != seat}

    def enter(self, face: Any) -> None:
        """The face of a real die, or a real card, that the game waits for."""
        throw = self.question
        if not isinstance(throw, Throw):
            raise Refused(Refusal("", "no_throw_due"))
        if place_in(throw.faces, face) is None:
            raise Refused(Refusal(throw.rule, "not_on_die", {"face": face, "die": throw.kind}))
        self.drawn.append((throw.rule, throw.kind, face))
        self._resume(Input(throw.rule, face))

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that still owe an answer."""
        if not isinstance(self.question, Question):
            return ()
        return tuple(seat for seat in self.question.asks if seat not in self.answers)

    @property
    def position(self) -> Position[S]:
        return Position(self._mark, self.agenda, self.inputs, self.answers, self.told, self.gone)

    def copy(self, fate: Fate, policy: Policy | None = None) -> Game[S, T]:
        """A game to think with; legal at any time, also from inside a policy. It needs a fate of its own."""
        twin: Game[S, T] = Game.__new__(Game)
        twin.rules, twin.terms, twin.fate, twin.policy = self.rules, self.terms, fate, policy
        twin.state = twin._mark = self._mark
        twin.agenda, twin.inputs, twin.answers, twin.told = self.agenda, self.inputs, self.answers, self.told
        twin.question, twin.silent, twin.gone = self.question, True, self.gone
        twin.reports, twin.drawn, twin._after = [], [], []
        twin._halted, twin._skip, twin._used, twin._fresh = False, 0, 0, None
        return twin

    def spare(self) -> Game[S, T]:
        """The same, to go back to if what is tried now fails."""
        twin = self.copy(self.fate, self.policy)
        twin.silent = self.silent
        return twin

    # ---- the transaction ---------------------------------------------------------------------------------------

    def _resume(self, with_input: Input) -> None:
        self._room()
        self.inputs = (*self.inputs, with_input)
        self.question, self.answers = None, {}
        self.advance()

    def _face(
        self, rule: str, kind: str, faces: tuple[Any, ...], means: tuple[Any, ...], about: dict[str, Any],
        to: tuple[Seat, ...] | None, out_of: tuple[Any, ...] = (),
    ) -> int:  # fmt: skip
        if self._used < len(self.inputs):
            return self._recall_face(rule, kind, faces)
        if len(means) != len(faces):
            raise ValueError(f"{self._here()}: {rule} reads {len(means)} faces on a {kind} of {len(faces)}")
        index = self.fate.index(rule, kind, faces, means)
        if index is None:
            self.question = Throw(rule, kind, faces, means, about, to, out_of)
            raise Unanswered
        if not self.silent:
            self.drawn.append((rule, kind, faces[index]))
        self._keep(Input(rule, faces[index]))
        return index

    def _recall_face(self, rule: str, kind: str, faces: tuple[Any, ...]) -> int:
        kept = self._recall(rule)
        place = place_in(faces, kept.face)
        if place is None:
            raise Misfit(f"{self._here()}: {rule} kept {kept.face!r}, which is not on its {kind} now")
        return place

    def _recall_answers(self, rule: str, asks: Mapping[Seat, Ask]) -> Mapping[Seat, Choice]:
        kept = self._recall(rule)
        answers, fresh, self._fresh = kept.answers, kept is self._fresh, None
        if answers is None or answers.keys() != asks.keys():
            raise Misfit(f"{self._here()}: the answers kept for {rule} are not those of the seats asked now")
        for seat, choice in answers.items():
            if not fresh and asks[seat].offer_of(choice) is None:
                raise Misfit(f"{self._here()}: seat {seat}'s answer kept for {rule} is no longer offered")
        return answers

    def _must_be_legal(self, rule: str, asks: Mapping[Seat, Ask], given: Mapping[Seat, Choice]) -> None:
        for seat, choice in given.items():
            if asks[seat].offer_of(choice) is None:
                why = asks[seat].refusal(choice)
                raise ValueError(f"{self._here()}: a policy answers {rule} for seat {seat} with {choice}: {why}")

    def _standing_answers(self, asks: Mapping[Seat, Ask]) -> dict[Seat, Choice]:
        """The answers given so far that still fit the question."""
        if not self.answers:
            return {}
        return {
            seat: self.answers[seat] for seat, ask in asks.items() if seat in self.answers and ask.offer_of(self.answers[seat])
        }

    def _cite(self, rule: str) -> None:
        if not self.silent and rule not in self.rules.ids:
            raise KeyError(f"{self._here()} cites {rule}, which is not in the register of {self.rules.name}")

    def _recall(self, rule: str) -> Input:
        kept = self.inputs[self._used]
        if kept.rule != rule:
            raise Misfit(f"{self._here()}: the game kept an input for {kept.rule}, the rules now want one for {rule}")
        self._used += 1
        return kept

    def _keep(self, new: Input) -> None:
        self._room()
        self.inputs = (*self.inputs, new)
        self._used += 1

    def _room(self) -> None:
        if len(self.inputs) == MOST_INPUTS:
            raise RuntimeError(f"{self._here()} takes more than {MOST_INPUTS} inputs: split it with then()")

    def _here(self) -> str:
        return f"paragraph {self.agenda[0].paragraph}" if self.agenda else "the end"
