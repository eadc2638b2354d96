"""A match: a game that keeps its record. Choices, typed faces, rulings and undo all go through here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from wardogs.kernel.fate import Fate, Sealed, Typed, commitment
from wardogs.kernel.game import Game, Misfit, Position
from wardogs.kernel.offers import Choice, Question, Refusal, Refused, Seat
from wardogs.kernel.record import FORMAT, Dice, Entry, Header, Outcome, Record, Setup
from wardogs.kernel.report import Report
from wardogs.kernel.system import Seen, System


class Sink(Protocol):
    def write(self, entry: Entry) -> None: ...


class Match:
    """One game, its record, and every position it has stood at (they are shared frozen records, so they cost nothing)."""

    def __init__(self, system: System, header: Header, fate: Fate, sink: Sink | None = None) -> None:
        self.system, self.fate, self.sink = system, fate, sink
        self.record = Record([])
        self.positions: list[Position[Any]] = []
        self.standing: list[int] = []  # the entries in force: those that no undo took back
        self.terms = system.terms(header.setup)
        self.game: Game[Any, Any] = Game(system.rules, self.terms, system.begin(self.terms), fate)
        self._enter(Entry(0, "header", header=header))

    @classmethod
    def start(
        cls,
        system: System,
        setup: Setup,
        players: dict[Seat, str],
        seed: bytes | None,
        entropy: str = "",
        umpire: Seat | None = None,
        sink: Sink | None = None,
    ) -> Match:
        """A new game: with a seed its dice are sealed, without one people type what they roll."""
        dice: Dice = "typed" if seed is None else "sealed"
        header = Header(
            FORMAT, system.key, system.register.version, setup, system.names(setup), players, dice, system.words,
            "" if seed is None else commitment(seed), entropy, umpire,
        )  # fmt: skip
        match = cls(system, header, Typed() if seed is None else Sealed(seed, entropy), sink)
        match.begin()
        return match

    @classmethod
    def restored(cls, system: System, record: Record, position: Position[Any], fate: Fate, sink: Sink | None = None) -> Match:
        """A match taken up at its last position, without running what led there; only what follows can be undone."""
        match = cls(system, record.header, fate)
        match.record = record
        match.stand_at(position)
        match.positions, match.standing = [position] * len(record.entries), []
        match.sink = sink
        return match

    # ---- what goes in ------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self._act(self.game.advance, Entry(0, "begin"))

    def answer(self, seat: Seat, choice: Choice, by: Seat | None = None) -> None:
        """A seat's choice; an umpire may decide for a seat (`by`)."""
        if by is not None:
            self._must_be_umpire(by)
        self._act(lambda: self.game.answer(seat, choice), Entry(0, "choice", seat=seat, by=by, choice=choice))

    def enter(self, face: Any) -> None:
        """A real die or card, typed in."""
        self._act(lambda: self.game.enter(face), Entry(0, "face", face=face))

    def rule(self, by: Seat, because: str, changes: Iterable[tuple[Any, str, Any]]) -> None:
        """An umpire's ruling: fields of pieces set to values, and the question put again."""
        self._must_be_umpire(by)
        ruled = tuple(changes)
        self._act(lambda: self._overrule(by, because, ruled), Entry(0, "ruling", by=by, because=because, changes=ruled))

    def undo(self, seat: Seat, consent: Iterable[Seat] = ()) -> tuple[Seat, ...]:
        """Take a seat's last choice back; returns the seats that must still consent (none: it is done)."""
        agreed = tuple(sorted(set(consent)))
        entry = self.last_choice(seat)
        missing = tuple(other for other in self.must_consent(seat, entry) if other not in agreed)
        if not missing:
            self._act(lambda: self._take_back(seat, entry), Entry(0, "undo", seat=seat, back_to=entry, consent=agreed))
        return missing

    # ---- what comes out ----------------------------------------------------------------------------------------

    @property
    def header(self) -> Header:
        return self.record.header

    @property
    def outcome(self) -> Outcome | None:
        return self.record.outcome

    @property
    def over(self) -> bool:
        return self.record.finished

    @property
    def choices(self) -> int:
        return sum(entry.kind == "choice" for entry in self.record.entries)

    @property
    def rolls(self) -> int:
        return sum(len(entry.faces) for entry in self.record.entries)

    def seen(self, seat: Seat | None) -> Seen:
        question = self.game.question
        ask = question.asks.get(seat) if isinstance(question, Question) and seat is not None else None
        return self.system.seen(self.game, seat, ask)

    # ---- undo --------------------------------------------------------------------------------------------------

    def last_choice(self, seat: Seat) -> int:
        """The entry of the seat's last choice that still stands."""
        if self.over:
            raise Refused(Refusal("", "game_over"))
        for n in reversed(self.standing):
            entry = self.record.entries[n]
            if entry.kind == "choice" and entry.seat == seat:
                return n
        raise Refused(Refusal("", "nothing_to_undo"))

    def must_consent(self, seat: Seat, entry: int) -> tuple[Seat, ...]:
        """Free while nothing was rolled or revealed since; otherwise all other seats must agree."""
        if seat in self.game.answers:
            return ()
        since = self.record.entries[entry:]
        if not any(e.faces or e.face is not None or _reveals(e.reports, seat) for e in since):
            return ()
        return tuple(other for other in self.header.setup.seats if other != seat)

    def _take_back(self, seat: Seat, entry: int) -> None:
        if seat in self.game.answers:
            self.game.withdraw(seat)
            self.standing.remove(entry)
            return
        self.standing = [n for n in self.standing if n < entry]
        self.stand_at(self.positions[entry - 1])

    def stand_at(self, position: Position[Any]) -> None:
        """Go to a position and put its question."""
        self.game = Game(self.system.rules, self.terms, position, self.fate)
        self.game.advance()

    # ---- rulings -----------------------------------------------------------------------------------------------

    def _must_be_umpire(self, by: Seat) -> None:
        if by != self.header.umpire:
            raise Refused(Refusal("", "not_umpire", {"seat": by}))

    def _overrule(self, by: Seat, because: str, changes: tuple[tuple[Any, str, Any], ...]) -> None:
        position = self.game.position
        state = position.state
        try:
            for who, field, value in changes:
                state = state.edited(who, {field: value})
            state = msgspec.convert(msgspec.to_builtins(state), self.system.rules.state)
            self.stand_at(replace(position, state=state))
        except (Misfit, msgspec.ValidationError, TypeError, LookupError, AttributeError) as error:
            raise Refused(Refusal("", "cannot_be_ruled", {"why": str(error)})) from error
        data = {"by": by, "because": because, "changes": [list(change) for change in changes]}
        self.game.reports.insert(0, Report("", "ruling", data))

    # ---- the record --------------------------------------------------------------------------------------------

    def _act(self, act: Callable[[], None], entry: Entry) -> None:
        """Do it and write it down; if it cannot be done, nothing has changed."""
        before, standing = self.game.position, self.standing
        if isinstance(self.fate, Sealed):
            self.fate.open_entry(len(self.record.entries))
        try:
            act()
        except BaseException as error:
            self.standing = standing
            if not isinstance(error, Refused) or entry.kind in ("ruling", "undo"):
                self.stand_at(before)
            raise
        self._enter(entry)
        if not self.game.agenda and self.game.question is None and not self.over:
            self._enter(Entry(0, "end", outcome=self.system.outcome(self.terms, self.game.state), seed=self._seed()))

    def _enter(self, entry: Entry) -> None:
        reports, drawn = tuple(self.game.reports), tuple(self.game.drawn)
        self.game.reports, self.game.drawn = [], []
        n = len(self.record.entries)
        written = self.record.append(replace(entry, n=n, faces=drawn, reports=reports))
        self.positions.append(self.game.position)
        self.standing = [*self.standing, n]
        if self.sink is not None:
            self.sink.write(written)

    def _seed(self) -> str:
        return self.fate.seed.hex() if isinstance(self.fate, Sealed) else ""


def _reveals(reports: Iterable[Report], seat: Seat) -> bool:
    return any(report.to is None or set(report.to) != {seat} for report in reports)
