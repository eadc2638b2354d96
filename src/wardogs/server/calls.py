"""What a referee is asked, and what he answers: plain data, that goes to another process as well.

A deed changes a game; the other calls look at it, take it up, or begin one.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from wardogs.kernel.match import Match
from wardogs.kernel.offers import Question, Refusal, Refused, Seat
from wardogs.kernel.system import Wanted
from wardogs.server.lines import Line
from wardogs.server.looking import AnyLook
from wardogs.server.telling import Audience, may_throw

# ---- what may be done in a game --------------------------------------------------------------------------------------


class Deed(Struct, frozen=True):
    """Something that changes a game."""

    def done(self, match: Match) -> tuple[Seat, ...]:
        """Do it; the seats that must still agree, if it is not done before they have."""
        raise NotImplementedError


class Answer(Deed, frozen=True, tag="answer"):
    seat: Seat
    choice: Any
    by: Seat | None = None  # an umpire, who decides for this seat

    def done(self, match: Match) -> tuple[Seat, ...]:
        match.answer(self.seat, self.choice, self.by)
        return ()


class Lapse(Deed, frozen=True, tag="lapse"):
    """These seats have said nothing: what their question names as the default stands for an answer."""

    seats: tuple[Seat, ...]

    def done(self, match: Match) -> tuple[Seat, ...]:
        question = match.game.question
        for seat in self.seats:
            if isinstance(question, Question) and match.game.question is question:
                match.answer(seat, question.asks[seat].default)
        return ()


class Face(Deed, frozen=True, tag="face"):
    """What a real die shows; who may not know of it cannot say so, and learns nothing by trying."""

    face: Any
    by: Audience
    bots: tuple[Seat, ...] = ()

    def done(self, match: Match) -> tuple[Seat, ...]:
        if not may_throw(match.game.question, self.by, self.bots):
            raise Refused(Refusal("", "no_throw_due"))
        match.enter(self.face)
        return ()


class TakeBack(Deed, frozen=True, tag="undo"):
    """What is older than memory is run again from the record. Not behind a resignation: a bot that plays on for somebody cannot
    agree that he comes back."""

    seat: Seat
    agreed: tuple[Seat, ...]

    def done(self, match: Match) -> tuple[Seat, ...]:
        try:
            if any(entry.kind == "settled" for entry in match.would_go(self.seat)):
                raise Refused(Refusal("", "resigned_since"))
            return match.undo(self.seat, self.agreed)
        except Refused as refused:
            if refused.refusal.fact == "nothing_to_undo" and match.base > 1:
                raise Forgotten from None
            raise


class CallDraw(Deed, frozen=True, tag="draw"):
    agreed: tuple[Seat, ...]

    def done(self, match: Match) -> tuple[Seat, ...]:
        return match.draw(self.agreed)


class GiveUp(Deed, frozen=True, tag="resign"):
    seat: Seat

    def done(self, match: Match) -> tuple[Seat, ...]:
        match.resign(self.seat)
        return ()


class Overrule(Deed, frozen=True, tag="rule"):
    """Where more was told than is held in memory, the rules are run from the record first."""

    by: Seat
    because: str
    changes: list[tuple[Any, str, Any]]

    def done(self, match: Match) -> tuple[Seat, ...]:
        if not match.recalls and not match.over:
            raise Forgotten
        match.rule(self.by, self.because, self.changes)
        return ()


class GoBack(Deed, frozen=True, tag="rewind"):
    by: Seat
    to: int
    because: str

    def done(self, match: Match) -> tuple[Seat, ...]:
        if 0 < self.to < match.base and not match.over:
            raise Forgotten
        match.rewind(self.by, self.to, self.because)
        return ()


AnyDeed: TypeAlias = Answer | Lapse | Face | TakeBack | CallDraw | GiveUp | Overrule | GoBack


class Forgotten(Exception):
    """This needs more of the past than is held in memory: the whole record must be read first."""


# ---- what a referee is asked, and what he answers --------------------------------------------------------------------


class Take(Struct, frozen=True, tag="take"):
    """A game, as the database has it; whoever has heard less is told what came since."""

    game: str
    system: str
    header: bytes
    last: bytes
    position: bytes
    seed: bytes
    missed: list[bytes] = []
    listening: list[Audience] = []
    head: int = -1  # the last entry that was told
    bots: tuple[Seat, ...] = ()  # the seats that bots play


class Whole(Struct, frozen=True, tag="whole"):
    """The whole record, so that everything can be taken back; `head` is the last entry that was told."""

    lines: list[bytes]
    head: int
    listening: list[Audience]


class Do(Struct, frozen=True, tag="do"):
    deed: AnyDeed
    listening: list[Audience]
    bots: tuple[Seat, ...] = ()


class See(Struct, frozen=True, tag="see"):
    """What somebody in this place sees now, and what the entries that he missed say to him; `stays`: he will hear all news."""

    audience: Audience
    missed: list[bytes] = []
    stays: bool = False
    bots: tuple[Seat, ...] = ()


class Past(Struct, frozen=True, tag="past"):
    """What a spectator saw after entry n, and the news since then."""

    audience: Audience
    lines: list[bytes]
    n: int


class Look(Struct, frozen=True, tag="look"):
    """Something that a seat asks about its question."""

    seat: Seat
    own: bool
    said: AnyLook


class Saved(Struct, frozen=True, tag="saved"):
    """Where the game stands, for a bot."""


class Begin(Struct, frozen=True, tag="begin"):
    """A new game: what a host asks for, checked by the rulebook. It is nobody's until somebody sits down to it."""

    system: str
    wanted: Wanted
    players: dict[Seat, str]  # who fills a seat: a person unless said otherwise, or the name of a bot
    seed: bytes
    entropy: str
    umpire: Seat | None
    rosters: dict[Seat, Any] = {}  # forces of their own, by seat


Request: TypeAlias = Take | Whole | Do | See | Past | Look | Saved | Begin


class Standing(Struct, frozen=True, array_like=True, gc=False):
    """Where a game stands, as far as a worker must know it."""

    next: int  # the number of the next entry
    waiting: tuple[Seat, ...]
    question: int  # counts the questions that were put
    asked: bool  # somebody is asked something, and no die is waited for
    answered: tuple[Seat, ...]
    gone: tuple[Seat, ...]
    outcome: bytes | None = None

    @property
    def over(self) -> bool:
        return self.outcome is not None


class Message(Struct, frozen=True, array_like=True, gc=False):
    """News for one audience; spectators, who hear them later, also get all that they see then."""

    audience: Audience
    body: bytes
    view: bytes = b""


class Result(Struct, frozen=True, array_like=True, gc=False):
    """What has come of a deed, or of taking a game up: entries to write, and news to tell when they are written."""

    standing: Standing
    entries: list[Line] = []
    position: bytes = b""
    news: list[Message] = []
    missing: tuple[Seat, ...] = ()
    undone: list[Seat] = []  # whose choices were taken back


class Seen(Struct, frozen=True, array_like=True, gc=False):
    """All in JSON; for who draws, boards instead of views."""

    view: bytes
    views: dict[Seat, bytes] | None
    entries: bytes | None
    question: bytes | None
    throw: bytes | None
    briefing: str


class Glimpse(Struct, frozen=True, array_like=True, gc=False):
    """The past: what was seen then, and the news that have come since."""

    view: bytes
    waiting: tuple[Seat, ...]
    since: Message | None
