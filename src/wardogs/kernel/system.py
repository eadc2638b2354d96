"""What a rulebook gives to the rest of Wardogs: one record of data and functions per system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Fate
from wardogs.kernel.game import Game, Policy, Position, Rules
from wardogs.kernel.guide import Guide
from wardogs.kernel.offers import Ask, Choice, Seat
from wardogs.kernel.record import Outcome, Setup
from wardogs.kernel.register import Register


class Wanted(Struct, frozen=True):
    """What a host asks for: a scenario by name (or as data), seats, teams, and switches over the scenario's own."""

    scenario: str | dict[str, Any] | None = None
    seats: int | None = None
    teams: tuple[tuple[Seat, ...], ...] | None = None
    options: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Seen:
    """All that one seat is ever given: what it may know, and what it is asked."""

    system: System
    terms: Any
    seat: Seat | None
    view: Any
    ask: Ask | None
    waiting: tuple[Seat, ...]

    def imagined(self, fate: Fate, policy: Policy | None = None) -> Game[Any, Any]:
        """A game that could be the real one, as far as this seat knows; to think with."""
        game = Game(self.system.rules, self.terms, self.system.imagine(self.terms, self.view), fate, policy)
        game.silent = True
        return game

    def scored(self) -> list[tuple[Choice, float]]:
        """The choices that the system's rules of thumb would think of, each with its score."""
        assert self.ask is not None
        if self.system.advice is not None:
            return self.system.advice(self)
        return list(zip(self.ask.playable, self.system.scores(self), strict=True))


@dataclass(frozen=True)
class OddsTable:
    """A table of exact odds that the system offers: rows of figures, each computed by running the rules.

    One that is `asked` for takes a description, name=value, and has rows for just that.
    """

    title: str
    rule: str
    columns: tuple[str, ...]
    rows: Callable[[], list[tuple[Any, ...]]]
    takes: Mapping[str, str] = field(default_factory=dict)  # what may be described, each with what it means
    asked: Callable[[Mapping[str, str]], list[tuple[Any, ...]]] | None = None


@dataclass(frozen=True)
class System:
    key: str
    title: str
    blurb: str
    seats: tuple[int, int]
    folder: Path
    rules: Rules
    register: Register
    options: type[Struct]
    words: dict[str, dict[str, str]]
    scenarios: Mapping[str, dict[str, Any]]
    plan: Callable[[Wanted], Setup]
    terms: Callable[[Setup], Any]
    begin: Callable[[Any], Position[Any]]
    names: Callable[[Setup], dict[Seat, str]]
    briefing: Callable[[Any, Seat], str]  # terms; what a seat is told before the first turn
    outcome: Callable[[Any, Any], Outcome | None]  # terms, state
    settle: Callable[[Any, Any, tuple[Seat, ...]], Outcome | None]  # terms, state, who gave up; None: it goes on without them
    view: Callable[[Game[Any, Any], Seat | None], Any]
    imagine: Callable[[Any, Any], Position[Any]]  # terms, view
    scores: Callable[[Seen], list[float]]
    preview: Callable[[Seen, Choice], str]  # what would follow, in short
    scene: Callable[[Any, Any], Any]  # terms, view: a picture for paper
    board: Callable[[Any, Any], Any]  # terms, view: what a browser draws (scene.board.Board)
    reckon: Callable[[Seen, Choice], Any]  # what would follow, with every figure (scene.board.Reckoned)
    odds_tables: Mapping[str, OddsTable]
    stage: Callable[[Mapping[str, Any], Mapping[str, Any]], tuple[Any, Position[Any]]]  # a case's set-up and options
    look: Callable[[Any, Any, str], Any]  # terms, state, "who.what"
    fact: Callable[[str], Any]  # a figure of the system's data, by name
    advice: Callable[[Seen], list[tuple[Choice, float]]] | None = None  # where choices are too many: those worth a score
    eye: Callable[[Any, Any, Any], Any] | None = None  # terms, view, who: what a model sees (scene.board.Eye)
    guide: Guide = field(default_factory=Guide)  # what a newcomer is told in his first game

    def game(self, setup: Setup, fate: Fate, policy: Policy | None = None) -> Game[Any, Any]:
        return self.opening(setup)(fate, policy)

    def opening(self, setup: Setup) -> Callable[[Fate, Policy | None], Game[Any, Any]]:
        """Games by the thousand from one set-up: it is read once, and its frozen beginning is shared."""
        terms = self.terms(setup)
        start = self.begin(terms)
        return lambda fate, policy: Game(self.rules, terms, start, fate, policy)

    def seen(self, game: Game[Any, Any], seat: Seat | None, ask: Ask | None) -> Seen:
        return Seen(self, game.terms, seat, self.view(game, seat), ask, game.waiting)

    @cached_property
    def position_type(self) -> Any:
        return Position[self.rules.state]  # type: ignore[name-defined]

    @cached_property
    def _decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.position_type)

    def save(self, position: Position[Any]) -> bytes:
        return _encode(position)

    def load(self, saved: bytes) -> Position[Any]:
        """A position from its bytes; arguments of paragraphs become what their paragraphs take."""
        position: Position[Any] = self._decoder.decode(saved)
        agenda = tuple(self._step(step) for step in position.agenda)
        inputs = tuple(kept._replace(face=frozen(kept.face)) for kept in position.inputs)
        return msgspec.structs.replace(position, agenda=agenda, inputs=inputs)

    def _step(self, step: Any) -> Any:
        if step.paragraph not in self.rules.paragraphs:
            raise WardogsError(f"the saved game is about to run {step.paragraph}, which {self.title} no longer has")
        return step._replace(args=frozen(step.args))


_encode = msgspec.json.Encoder().encode


def frozen(value: Any) -> Any:
    """Plain data as paragraphs take it: tuples instead of the lists that a file has."""
    return tuple(frozen(item) for item in value) if isinstance(value, list | tuple) else value
