"""What one audience is told of a game: its view, its question, the reports it may hear. Everything that leaves the table goes
through here, and is made from views alone."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, NamedTuple, TypeGuard

from msgspec import Raw
from msgspec.structs import replace

from wardogs.kernel.fate import Throw
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Ask, Offers, Question, Seat
from wardogs.kernel.phrases import Phrasebook
from wardogs.kernel.record import Entry
from wardogs.kernel.report import Report
from wardogs.server.messages import Asked, Happened, Role, Thrown, Told, written
from wardogs.server.patch import Edit, edits


class Audience(NamedTuple):
    """A place at a table, or in the gallery; `draws`: is shown boards instead of views."""

    role: Role
    seat: Seat | None
    draws: bool = False

    @property
    def looks_on(self) -> bool:
        """A spectator, who sees all late."""
        return self.role == "spectator"

    def hears(self, report: Report) -> bool:
        """An umpire hears all."""
        return self.role == "umpire" or report.seen_by(self.seat)


SPECTATOR = Audience("spectator", None)


MOST_WORDS = 500  # reports that are held in words


def in_words(book: Phrasebook, report: Report) -> Told:
    """In the record's own words; a stranger's record may have none that fit."""
    try:
        text = book.report(report)
    except Exception:
        text = report.fact.replace("_", " ")
    return Told(report.rule, report.fact, report.data, text)


def seen_from(match: Match, seat: Seat | None) -> Any:
    """The table as a seat sees it. What the rules are about to do is for those who think ahead, and nothing to look at."""
    view = match.system.view(match.game, seat)
    return replace(view, agenda=()) if hasattr(view, "agenda") else view


def drawn_for(match: Match, seat: Seat | None) -> Any:
    """The same as a browser draws it: a board, made from the view alone."""
    return match.system.board(match.terms, seen_from(match, seat))


def shown_to(match: Match, audience: Audience) -> Any:
    """A view, or a board; for the umpire those of every seat."""
    see = drawn_for if audience.draws else seen_from
    if audience.role == "umpire":
        return {seat: see(match, seat) for seat in match.header.setup.seats}
    return see(match, audience.seat)


def may_throw(due: object, audience: Audience, bots: Container[Seat]) -> TypeGuard[Throw]:
    """Who may know of a real die says what it shows; the umpire; and for a bot, which has no hands, whoever is there."""
    if not isinstance(due, Throw) or audience.looks_on:
        return False
    return audience.role == "umpire" or due.is_for(audience.seat) or all(seat in bots for seat in due.to or ())


class Teller:
    """Tells a match. What several hear, and the question of a seat, is put into words once."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.book: Phrasebook = match.record.phrasebook
        self._told: dict[int, tuple[Report, Raw]] = {}  # the report too: a number may be another's when it is gone
        self._asked: dict[Seat, tuple[Question, Raw]] = {}

    def happened(self, entries: Iterable[Entry], audience: Audience) -> list[Happened]:
        return [
            Happened(
                entry.n, entry.kind, entry.seat, entry.by, entry.undone,
                [self._report(report) for report in entry.reports if audience.hears(report)],
            )
            for entry in entries
        ]  # fmt: skip

    def forget_words(self) -> None:
        """Those of the last entries: nobody will hear them again from memory."""
        self._told.clear()

    def _report(self, report: Report) -> Raw:
        known = self._told.get(id(report))
        if known is None or known[0] is not report:
            if len(self._told) >= MOST_WORDS:
                self._told.clear()
            known = self._told[id(report)] = (report, Raw(written(in_words(self.book, report))))
        return known[1]

    def question(self, audience: Audience) -> Raw | None:
        """What this player is asked; who has resigned is played for, and asked nothing."""
        if audience.role != "player" or audience.seat is None or audience.seat in self.match.game.gone:
            return None
        return self.asked(audience.seat)

    def asked(self, seat: Seat) -> Raw | None:
        """The question of a seat, worked out once however many devices look at it."""
        question = self.match.game.question
        if not isinstance(question, Question) or seat not in question.asks:
            return None
        known = self._asked.get(seat)
        if known is None or known[0] is not question:
            known = self._asked[seat] = (question, Raw(written(self._put(question.rule, question.asks[seat]))))
        return known[1]

    def _put(self, rule: str, ask: Ask) -> Asked:
        text, offers = self.book.question(ask.topic), ask.offers
        if isinstance(offers, Offers) and offers.doer:
            return Asked(rule, ask.topic, text, list(offers.of(None)), ask.default, offers.doer, offers.doers)
        return Asked(rule, ask.topic, text, list(offers), ask.default)

    def throw(self, audience: Audience, bots: Container[Seat]) -> Thrown | None:
        """A real die that is waited for, told to who may say what it shows."""
        due = self.match.game.question
        return Thrown(due.rule, due.kind, list(due.shown), due.about) if may_throw(due, audience, bots) else None

    def outcome(self) -> Any:
        return self.match.outcome if self.match.over else None


def changed(old: dict[Seat, Any], new: dict[Seat, Any]) -> dict[Seat, list[Edit]]:
    return {seat: edits(old[seat], new[seat]) for seat in new}
