"""A match: a game that keeps its record. Choices, typed faces, rulings, undo and giving up all go through here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec
from msgspec.json import encode
from msgspec.structs import replace

from wardogs.kernel.fate import Fate, Sealed, Typed, commitment
from wardogs.kernel.game import Game, Misfit, Position
from wardogs.kernel.offers import Choice, Question, Refusal, Refused, Seat
from wardogs.kernel.record import FORMAT, Dice, Entry, Header, Outcome, Record, Setup, chained
from wardogs.kernel.report import Report
from wardogs.kernel.system import Seen, System


class Sink(Protocol):
    def write(self, entry: Entry, position: Position[Any]) -> None:
        """Keep an entry, and where the game stands after it; when this returns, both are safe."""


class Match:
    """One game, its record, and every position it has stood at (they are shared frozen records, so they cost nothing)."""

    def __init__(self, system: System, header: Header, fate: Fate, sink: Sink | None = None, fresh: bool = True) -> None:
        self.system, self.fate, self.sink = system, fate, sink
        self.record = Record([])
        self.positions: list[Position[Any]] = []
        self.standing: list[int] = []  # the entries in force: those that nothing took back or replaced
        self.base = 0  # nothing before and with this entry can be taken back
        self.closes = True  # write the last entry as soon as the game is over
        self.terms = system.terms(header.setup)
        self.game: Game[Any, Any] = Game(system.rules, self.terms, system.begin(self.terms), fate)
        if fresh:
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
        match = cls(system, record.header, fate, fresh=False)
        match.record = record
        match.stand_at(position)
        match.positions = [position] * len(record.entries)
        match.standing, match.base = [], record.next - 1
        match.sink = sink
        match.close(match._seed())
        return match

    # ---- what goes in ------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self._act(self.game.advance, Entry(0, "begin"))

    def answer(self, seat: Seat, choice: Choice, by: Seat | None = None) -> None:
        """A seat's choice; an umpire may decide for a seat (`by`)."""
        if by is not None:
            self._must_be_umpire(by)
        replaced = self._standing_choice(seat) if seat in self.game.answers else None
        self._act(lambda: self.game.answer(seat, choice), Entry(0, "choice", seat=seat, by=by, choice=choice))
        self.standing = [n for n in self.standing if n != replaced]

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
            undone = self._undone(seat, entry)
            self._act(lambda: self._take_back(seat, undone), Entry(0, "undo", seat=seat, undone=undone, consent=agreed))
        return missing

    def rewind(self, by: Seat, to: int, because: str) -> None:
        """An umpire takes the game back to where it stood after an entry."""
        self._must_be_umpire(by)
        undone = tuple(n for n in self.standing if n > to)
        if to < 1 or not undone or (to != self.base and to not in self.standing):
            raise Refused(Refusal("", "cannot_go_back", {"to": to}))
        self._act(lambda: self._go_back(by, to, because), Entry(0, "undo", by=by, undone=undone, because=because))

    def resign(self, seat: Seat) -> None:
        """A seat gives up, whoever is asked; where that leaves one side, the game is over."""
        self._must_be_open()
        if seat not in self.header.setup.seats:
            raise Refused(Refusal("", "not_at_the_table", {"seat": seat}))
        if seat in self.game.gone:
            raise Refused(Refusal("", "gave_up", {"seat": seat}))
        gone = tuple(sorted({*self.game.gone, seat}))
        self._settle(gone, gone, Entry(0, "settled", seat=seat), Report("", "resigned", {"who": seat}))

    def draw(self, consent: Iterable[Seat]) -> tuple[Seat, ...]:
        """Nobody wins, if all agree; returns the seats that must still consent (none: it is done)."""
        self._must_be_open()
        agreed = tuple(sorted(set(consent).intersection(self.header.setup.seats)))
        missing = tuple(seat for seat in self.header.setup.seats if seat not in (*agreed, *self.game.gone))
        if not missing:
            all_seats, entry = self.header.setup.seats, Entry(0, "settled", consent=agreed)
            self._settle(all_seats, self.game.gone, entry, Report("", "agreed_draw"))
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
        self._must_be_open()
        n = self._standing_choice(seat)
        if n is None:
            raise Refused(Refusal("", "nothing_to_undo"))
        return n

    def _standing_choice(self, seat: Seat) -> int | None:
        for n in reversed(self.standing):
            entry = self.record.entries[self.record.place(n)]
            if entry.kind == "choice" and entry.seat == seat and n > self.base:
                return n
        return None

    def would_go(self, seat: Seat) -> list[Entry]:
        """What would be taken back with the seat's last choice."""
        return [self.record.entries[self.record.place(n)] for n in self._undone(seat, self.last_choice(seat))]

    def must_consent(self, seat: Seat, entry: int) -> tuple[Seat, ...]:
        """Free while nothing was rolled or revealed since, else all other seats must agree; and always whose deeds go too."""
        if seat in self.game.answers:
            return ()
        since = self.record.entries[self.record.place(self._asked_at(entry)) + 1 :]
        deeds = [e for e in since if e.n in self.standing and (e.kind != "undo" or e.by is not None)]
        must = {who for e in deeds for who in (e.by, e.seat) if who is not None}
        if any(e.faces or e.face is not None or _reveals(e.reports, seat) for e in since):
            must |= set(self.header.setup.seats)
        return tuple(sorted(must - {seat}))

    def _asked_at(self, entry: int) -> int:
        """The entry after which the question of a choice was put, before anyone had answered it."""
        held = [self.base, *(n for n in self.standing if self.base < n < entry)]
        put = [n for n in held if not self.positions[self.record.place(n)].answers]
        if not put:  # before what is held in memory
            raise Refused(Refusal("", "nothing_to_undo"))
        return max(put)

    def _undone(self, seat: Seat, entry: int) -> tuple[int, ...]:
        """While others still think, only this seat's answer goes; a question that all have answered is put to all again."""
        if seat in self.game.answers:
            return (entry,)
        asked = self._asked_at(entry)
        return tuple(n for n in self.standing if n > asked)

    def _take_back(self, seat: Seat, undone: tuple[int, ...]) -> None:
        self.standing = [n for n in self.standing if n not in undone]
        if seat in self.game.answers:
            self.game.withdraw(seat)
            return
        self.stand_at(self.positions[self.record.place(self._asked_at(undone[0]))])
        self.game.reports.append(Report("", "took_back", {"who": seat}))

    def _go_back(self, by: Seat, to: int, because: str) -> None:
        self.standing = [n for n in self.standing if n <= to]
        self.stand_at(self.positions[self.record.place(to)])
        self.game.reports.append(Report("", "rewound", {"by": by, "to": to, "because": because}))

    def forget(self, keep: int) -> None:
        """Hold only the last entries and positions: nothing before them can be taken back without running the rules again."""
        if len(self.record.entries) <= 2 * keep or self.positions[-keep].answers:
            return
        self.record.forget(keep)
        del self.positions[:-keep]
        self.base = max(self.base, self.record.entries[0].n)
        self.standing = [n for n in self.standing if n >= self.base]

    def stand_at(self, position: Position[Any]) -> None:
        """Go to a position and put its question."""
        self.game = Game(self.system.rules, self.terms, position, self.fate)
        self.game.advance()

    # ---- giving up ---------------------------------------------------------------------------------------------

    def _settle(self, without: tuple[Seat, ...], gone: tuple[Seat, ...], entry: Entry, report: Report) -> None:
        """The system says whether anybody is left to play against without these seats."""
        state = self.game.position.state
        outcome = self.system.settle(self.terms, state, without)

        def settle() -> None:
            if outcome is not None:
                self.stand_at(Position(state, (), gone=gone))
            self.game.gone = gone
            self.game.reports.append(report)

        self._act(settle, replace(entry, outcome=outcome))

    # ---- rulings -----------------------------------------------------------------------------------------------

    def _must_be_open(self) -> None:
        if self.over:
            raise Refused(Refusal("", "game_over"))

    def _must_be_umpire(self, by: Seat) -> None:
        self._must_be_open()
        if by != self.header.umpire:
            raise Refused(Refusal("", "not_umpire", {"seat": by}))

    def _overrule(self, by: Seat, because: str, changes: tuple[tuple[Any, str, Any], ...]) -> None:
        position = self.game.position
        state = position.state
        try:
            for who, field, value in changes:
                state = _edited(state, who, field, value)
            state = msgspec.convert(msgspec.to_builtins(state), self.system.rules.state)
            self.stand_at(replace(position, state=state, told=0))
            self._must_be_shown()
        except (Misfit, msgspec.ValidationError, TypeError, LookupError, AttributeError) as error:
            raise Refused(Refusal("", "cannot_be_ruled", {"why": str(error)})) from error
        news = self._unheard(self.game.reports, position.told)
        ruling = Report("", "ruling", {"by": by, "because": because})
        detail = Report("", "ruled", {"by": by, "changes": [list(change) for change in changes]}, (by,))
        self.game.reports = [ruling, detail, *news]

    def _must_be_shown(self) -> None:
        """At a table that nobody can look at nobody could put the ruling right."""
        try:
            for seat in (*self.header.setup.seats, None):
                self.system.board(self.terms, self.system.view(self.game, seat))
        except Exception as error:
            raise Refused(Refusal("", "cannot_be_ruled", {"why": "nobody could look at such a table"})) from error

    def _unheard(self, reports: list[Report], told: int) -> list[Report]:
        """What the paragraph now reports that it had not reported, word for word, before the ruling."""
        out = self._told()
        before = out[len(out) - told :] if told else []
        same = 0
        while same < min(len(before), len(reports)) and encode(before[same]) == encode(reports[same]):
            same += 1
        return reports[same:]

    def _told(self) -> list[Report]:
        """What the rules have reported, as far back as it is held here."""
        stand = [entry for entry in self.record.entries if entry.n <= self.base or entry.n in self.standing]
        return [report for entry in stand for report in entry.reports if report.rule]

    @property
    def recalls(self) -> bool:
        """Is all that the running paragraph has reported still held here? A ruling needs it, to repeat nothing."""
        return len(self._told()) >= self.game.position.told

    # ---- the record --------------------------------------------------------------------------------------------

    def _act(self, act: Callable[[], None], entry: Entry) -> None:
        """Do it and write it down; if it cannot be done, or not be written, nothing has changed."""
        before, spare, standing = self.game, self.game.spare(), self.standing
        if isinstance(self.fate, Sealed):
            self.fate.open_entry(self.record.next)
        try:
            act()
            self._enter(entry)
        except BaseException:
            tried, self.game, self.standing = self.game, spare, standing
            self.game.reports, self.game.drawn = [], []
            before.question = tried.question = None
            raise
        if before is not self.game:
            before.question = None  # a game and what it asks hold on to each other
        if self.closes:
            self.close(self._seed())

    def close(self, seed: str) -> None:
        """The last entry, once the game is over: how it ended, and the seed that was sealed."""
        if not self.game.agenda and self.game.question is None and not self.over:
            outcome = self.record.outcome or self.system.outcome(self.terms, self.game.state)
            self._enter(Entry(0, "end", outcome=outcome, seed=seed))

    def _enter(self, entry: Entry) -> None:
        n = self.record.next
        new = replace(entry, n=n, faces=tuple(self.game.drawn), reports=tuple(self.game.reports))
        written = chained(new, self.record.hash if n else "")
        position = self.game.position
        if self.sink is not None:
            self.sink.write(written, position)
        self.record.entries.append(written)
        self.game.reports, self.game.drawn = [], []
        self.positions.append(position)
        self.standing = [*self.standing, n]

    def _seed(self) -> str:
        """The seed to open at the end."""
        return self.fate.seed.hex() if isinstance(self.fate, Sealed) else ""


def _edited(state: Any, who: Any, field: str, value: Any) -> Any:
    try:
        return state.edited(who, {field: value})
    except (TypeError, LookupError, AttributeError):
        why = f"there is no piece {who!r:.40} with a {field:.40}"
        raise Refused(Refusal("", "cannot_be_ruled", {"why": why})) from None


def _reveals(reports: Iterable[Report], seat: Seat) -> bool:
    """Did the rules tell anything to anyone else?"""
    return any(report.rule and (report.to is None or set(report.to) != {seat}) for report in reports)
