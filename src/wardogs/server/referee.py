"""The referee of one game: runs its rules, and puts what happens into words for everybody who listens.

All that goes in and comes out is plain data, since a referee may work in a process of his own while his worker serves its
sockets. He is one entry ahead of what is on the disk at most: what he tells after a deed is told to people when it is written,
and if it cannot be written he takes the game up again as the database has it.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from wardogs.bots import BOTS
from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.fate import Fate, Sealed, Typed
from wardogs.kernel.game import Position
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Question, Refusal, Refused, Seat
from wardogs.kernel.record import Entry, Header, Record
from wardogs.kernel.replay import rebuild, resume
from wardogs.kernel.system import System, Wanted
from wardogs.muster import musterer
from wardogs.server import looking
from wardogs.server.calls import (
    Begin,
    Do,
    Forgotten,
    Glimpse,
    Look,
    Message,
    Past,
    Request,
    Result,
    Saved,
    See,
    Seen,
    Standing,
    Take,
    Whole,
)
from wardogs.server.crowding import uncrowded
from wardogs.server.errors import Broken, ServerError
from wardogs.server.lines import Begun, begun, entry_of, lined, packed, unpacked
from wardogs.server.messages import News, Put, written
from wardogs.server.patch import edits
from wardogs.server.rulebooks import rulebook
from wardogs.server.telling import Audience, Teller, changed, shown_to

PERSON = "person"
STAND_IN = "drill"  # plays on for who has resigned, where others still fight
KEEP = 40  # entries and positions held in memory, for undo without running the rules again

log = logging.getLogger("wardogs.referee")


def _bytes(value: Any) -> bytes | None:
    return None if value is None else written(value)


def begin(said: Begin) -> Begun:
    system = rulebook(said.system)
    uncrowded(said.wanted.scenario)
    setup = system.plan(_with_rosters(system, said) if said.rosters else said.wanted)
    for seat, player in said.players.items():
        if seat not in setup.seats:
            raise unknown("seat", seat, setup.seats)
        if player not in (*BOTS, PERSON):
            raise unknown("player", player, [PERSON, *BOTS])
    players = {seat: said.players.get(seat, PERSON) for seat in setup.seats}
    match = Match.start(system, setup, players, said.seed or None, said.entropy, said.umpire)
    new = begun(match, said.seed)
    let_go(match)
    return new


def let_go(match: Match) -> None:
    """Nobody needs it any more. A game and what it asks hold on to each other, and nobody looks for such garbage here."""
    match.sink = match.game.question = None


def _with_rosters(system: System, said: Begin) -> Wanted:
    by, planned = musterer(system.key), system.plan(said.wanted)
    rosters = {seat: by.read(roster) for seat, roster in said.rosters.items()}
    return replace(said.wanted, scenario=by.fielded(planned.scenario, rosters))


def _loaded(system: System, header: Header, position: bytes) -> Any:
    """Where the game stood; what other rules have left may not fit these, and that is nobody's fault."""
    try:
        return system.load(unpacked(position))
    except Exception:
        if header.rules_version == system.register.version:
            raise
        raise WardogsError("the game was left by other rules, which these cannot take up") from None


# ---- the referee -----------------------------------------------------------------------------------------------------


class Referee:
    match: Match
    teller: Teller

    def __init__(self) -> None:
        self.game = ""
        self.told: dict[Audience, Any] = {}  # the view or board that the next edits are made against
        self.ahead: dict[Audience, Any] = {}  # the same, when what he said last has been told
        self.said = -1  # the entry up to which that went
        self.pending: list[Entry] = []
        self.question: Any = None
        self.questions = 0
        self.bots: tuple[Seat, ...] = ()  # the seats that bots play now

    def _take(self, take: Take) -> None:
        self.game, system = take.game, rulebook(take.system)
        header = entry_of(take.header).header
        assert header is not None
        if header.words == system.words:  # one phrasebook for all games that are told in today's words
            header = replace(header, words=system.words)
        record = Record([entry_of(take.last)], header)
        fate: Fate = Sealed(take.seed, header.entropy) if take.seed else Typed()
        self._play(Match.restored(system, record, _loaded(system, header, take.position), fate, self))

    def _play(self, match: Match) -> None:
        if hasattr(self, "match"):
            let_go(self.match)
        self.match, self.teller = match, Teller(match)

    def write(self, entry: Entry, position: Position[Any]) -> None:
        """The match's sink."""
        self.pending.append(entry)

    def answer(self, said: Request) -> Any:
        """Whatever is asked. Refusals pass; if the rules themselves fail, only this game knows of it."""
        try:
            return ANSWERS[type(said)](self, said)
        except (Refused, ServerError, WardogsError, Forgotten):
            raise
        except Exception as error:
            frames = [f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-4:]]
            log.error("rules failed", extra={"game": self.game, "error": type(error).__name__, "at": frames})
            raise Broken from None

    def _heard(self) -> None:
        """What he said last has been written, and everybody has heard it."""
        self.told |= self.ahead
        self.ahead = {}

    @property
    def standing(self) -> Standing:
        match = self.match
        game = match.game
        if game.question is not self.question:
            self.question, self.questions = game.question, self.questions + 1
        return Standing(
            match.record.next, game.waiting, self.questions, isinstance(game.question, Question), tuple(game.answers), game.gone,
            _bytes(self.teller.outcome()),
        )  # fmt: skip

    def close(self) -> None:
        """He is asked again only after he has taken the game up anew."""
        self.told = {}
        if hasattr(self, "match"):
            let_go(self.match)

    # ---- what he is asked ----------------------------------------------------------------------------------------

    def take(self, said: Take) -> Result:
        """The game again, from the database: what was not told has not happened."""
        if self.said <= said.head:
            self._heard()
        self.ahead = {}
        self.bots = said.bots
        self._take(said)
        return self._caught_up([entry_of(line) for line in said.missed], said.listening)

    def whole(self, said: Whole) -> Result:
        """Run the rules from the beginning; another worker may have been here meanwhile."""
        self._heard()
        record = Record([entry_of(line) for line in said.lines])
        if record.finished:  # by another worker: there is nothing to take back
            raise Refused(Refusal("", "game_over"))
        self._play(resume(self.match.system, record, self.match.fate, self))
        return self._caught_up([entry for entry in record.entries if entry.n > said.head], said.listening)

    def _caught_up(self, missed: list[Entry], listening: Iterable[Audience]) -> Result:
        news = self._news(missed, listening) if missed else []
        return Result(self.standing, [lined(entry) for entry in missed], b"", news)

    def do(self, said: Do) -> Result:
        self._heard()
        self.pending, self.bots = [], said.bots
        missing = said.deed.done(self.match)
        new, self.pending = self.pending, []
        if not new:
            return Result(self.standing, missing=missing)
        position = packed(self.match.system.save(self.match.game.position))
        undone = [entry.seat for entry in self._taken_back(new) if entry.kind == "choice" and entry.seat is not None]
        news = self._news(new, said.listening)
        self.match.forget(KEEP)
        return Result(self.standing, [lined(entry) for entry in new], position, news, missing, undone)

    def _taken_back(self, new: Sequence[Entry]) -> list[Entry]:
        record = self.match.record
        return [record.entries[record.place(n)] for entry in new for n in entry.undone]

    def see(self, said: See) -> Seen:
        self._heard()
        audience, teller, self.bots = said.audience, self.teller, said.bots
        view = self.told[audience] if audience in self.told else shown_to(self.match, audience)
        if said.stays:
            self.told[audience] = view
        views = {seat: written(one) for seat, one in view.items()} if audience.role == "umpire" else None
        missed = teller.happened([entry_of(line) for line in said.missed], audience)
        briefing = ""
        if audience.role == "player" and audience.seat is not None:
            briefing = self.match.system.briefing(self.match.terms, audience.seat)
        return Seen(
            b"null" if views else written(view), views, written(missed) if missed else None, _bytes(teller.question(audience)),
            _bytes(teller.throw(audience, self.bots)), briefing,
        )  # fmt: skip

    def past(self, said: Past) -> Glimpse:
        """The past may be that of other rules: then it cannot be shown."""
        self._heard()
        record = Record([entry_of(line) for line in said.lines])
        old = rebuild(self.match.system, record, said.n)
        self.told[said.audience] = then = shown_to(old, said.audience)
        later = record.entries[said.n + 1 : self.match.record.next]
        since = self._message(later, said.audience) if later else None
        self._heard()
        glimpse = Glimpse(written(then), old.game.waiting, since)
        let_go(old)
        return glimpse

    def look(self, said: Look) -> bytes:
        self._heard()
        if isinstance(said.said, Put):
            own = Audience("player", said.seat)
            return _bytes(self.teller.question(own) if said.own else self.teller.asked(said.seat)) or b"null"
        return written(looking.LOOKS[type(said.said)](self.match, self.teller.book, said.seat, said.own, said.said))

    def saved(self, said: Saved) -> bytes:
        self._heard()
        return self.match.system.save(self.match.game.position)

    # ---- what is told --------------------------------------------------------------------------------------------

    def _news(self, new: Sequence[Entry], listening: Iterable[Audience]) -> list[Message]:
        """Everybody's, each as far as he may know."""
        listening = list(listening)
        self.told = {audience: view for audience, view in self.told.items() if audience in listening}
        self.said = new[-1].n
        news = [self._message(new, audience) for audience in listening]
        self.teller.forget_words()
        return news

    def _message(self, new: Sequence[Entry], audience: Audience) -> Message:
        teller, waiting = self.teller, self.match.game.waiting
        view = shown_to(self.match, audience)
        before, self.ahead[audience] = self.told.get(audience), view
        told, outcome = teller.happened(new, audience), teller.outcome()
        if audience.looks_on:
            news = News(new[-1].n, told, edits(before, view), waiting, outcome=outcome)
            return Message(audience, written(news), written(view))
        both = (teller.question(audience), teller.throw(audience, self.bots), outcome)
        if audience.role == "umpire":
            news = News(new[-1].n, told, [], waiting, *both, changed(before or view, view))
        else:
            news = News(new[-1].n, told, edits(before, view), waiting, *both)
        return Message(audience, written(news))


ANSWERS: dict[type[Any], Callable[[Referee, Any], Any]] = {
    Take: Referee.take,
    Whole: Referee.whole,
    Do: Referee.do,
    See: Referee.see,
    Past: Referee.past,
    Look: Referee.look,
    Saved: Referee.saved,
    Begin: lambda _, said: begin(said),
}
