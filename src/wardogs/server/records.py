"""Records: read, checked, played again and forked, as pure functions of their lines. They run in the clerk's process, away
from live games, since running a whole game again takes long.

A fork is a record of its own: a new header with the commitment of a new seed, then the entries up to the fork, chained anew.
The header tells where the fork is, so the faces before it stand as written and those after it are checked against the seal.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from wardogs.bots import BOTS
from wardogs.kernel import replay
from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.fate import Scripted, Sealed, Typed, commitment
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Seat
from wardogs.kernel.record import Entry, Fork, Header, Record, chained, parse_record
from wardogs.kernel.replay import OtherRules, rebuild, resume
from wardogs.kernel.system import System
from wardogs.server.crowding import uncrowded
from wardogs.server.errors import NoSuchLink
from wardogs.server.lines import Begun, begun, encode
from wardogs.server.messages import Told
from wardogs.server.patch import Edit, edits
from wardogs.server.places import place_of
from wardogs.server.referee import PERSON
from wardogs.server.rulebooks import rulebook
from wardogs.server.store import Kept, Store
from wardogs.server.telling import Audience, in_words, shown_to
from wardogs.systems import KEYS

MOST_SEATS = 64
SYSTEM_KEY = re.compile(r"[a-z0-9_-]{1,16}")

log = logging.getLogger("wardogs.records")


def holder(store: Store, game: str, key: str) -> tuple[Kept, Audience]:
    """Who holds this link, as the database knows it: also to games that these rules cannot open."""
    kept = store.kept(game)
    if kept is None:
        raise NoSuchLink
    return kept, place_of(key, kept.seats, kept.watch_keys)


# ---- reading -------------------------------------------------------------------------------------------------------


def read(raw: bytes) -> Record:
    record = parse_record(raw if not raw or raw.endswith(b"\n") else raw + b"\n", "the record")
    if b"\\u0000" in raw:
        raise WardogsError("the record: holds the character \\u0000, which cannot be kept")
    header = record.header
    seats = header.setup.seats
    if not SYSTEM_KEY.fullmatch(header.system):
        raise WardogsError(f"the record: no system is called {header.system:.40}")
    if set(header.players) != set(seats) or len(set(seats)) != len(seats) or header.umpire in seats:
        raise WardogsError("the record: its header does not say who sits where")
    if header.fork is not None and not 0 < header.fork.entry < record.next:
        raise WardogsError(f"the record: it says that it was forked at entry {header.fork.entry}, which it does not have")
    if not seats or not all(0 <= seat <= MOST_SEATS for seat in (*seats, header.umpire or 0)):
        raise WardogsError(f"the record: seats are numbered from 0 to {MOST_SEATS}")
    uncrowded(header.setup.scenario)
    return record


def system_of(record: Record) -> System | None:
    """Its rules, if they are the ones that it was played by."""
    header = record.header
    if header.system not in KEYS:
        return None
    system = rulebook(header.system)
    return system if header.rules_version == system.register.version else None


def check(raw: bytes) -> Begun:
    """A record as it is: over, for looking at; or running with typed dice, to go on with."""
    record = read(raw)
    system = system_of(record)
    if record.finished and system is None:
        return Begun([encode(entry) for entry in record.entries], b"", (), True)
    if system is None:
        raise WardogsError(_other_rules(record) + ": it cannot go on here; wait until it is over, and import it to look at")
    if not record.finished and record.header.dice == "sealed":
        raise WardogsError(
            "the record: the game is not over and its seed is still sealed: import it as a fork, which goes on with new dice"
        )
    if record.finished:
        replay.verify(system, record)
        match = rebuild(system, record)
    else:
        if record.header.words != system.words:
            raise WardogsError("the record: it is told in other words than these rules have: import it as a fork")
        _known_players(record.header)
        match = resume(system, record, Typed(), _Nowhere())
    return begun(match)


class _Nowhere:
    def write(self, entry: Entry, position: object) -> None:
        """It is kept when all of it is there."""


def _known_players(header: Header) -> None:
    for seat, player in header.players.items():
        if player not in (*BOTS, PERSON):
            raise WardogsError(f"the record: {player:.40} plays seat {seat} and is not known here: import it as a fork")


def _other_rules(record: Record) -> str:
    header = record.header
    return f"the record was played by version {header.rules_version:.20} of the rules of {header.system:.20}"


# ---- verifying -----------------------------------------------------------------------------------------------------


class Verdict(Struct, frozen=True):
    """Does the record hold what it says?"""

    verified: bool
    entries: int
    faces: int  # that the seal vouches for
    text: str


def verify(raw: bytes) -> Verdict:
    """In words."""
    try:
        record = read(raw)
    except WardogsError as error:
        return Verdict(False, 0, 0, str(error))
    count, system = len(record.entries), system_of(record)
    if system is None:
        return Verdict(False, count, 0, f"{_other_rules(record)}: its chain is whole, but these rules cannot run it again")
    try:
        faces = replay.verify(system, record)
    except (WardogsError, ValueError) as error:
        return Verdict(False, count, 0, str(error))
    return Verdict(True, count, faces, _verified(record, faces))


def _verified(record: Record, faces: int) -> str:
    said = [f"all {len(record.entries)} entries follow from the rules"]
    if record.header.dice == "typed":
        said.append("the dice were real ones, typed in")
    elif record.finished:
        said.append(f"{faces} faces are those of the sealed seed")
    else:
        said.append("the seed is opened when the game is over")
    if fork := record.header.fork:
        said.append(f"entries 1 to {fork.entry} were played in another game and their faces stand as written")
    return "; ".join(said)


# ---- playing back --------------------------------------------------------------------------------------------------


class Replayed(Struct, frozen=True, omit_defaults=True):
    """One entry, as a seat heard and saw it; edits turn the last view into this one (the first sets all of it)."""

    n: int
    kind: str
    seat: Seat | None = None
    by: Seat | None = None
    undone: tuple[int, ...] = ()
    reports: list[Told] = []
    edits: list[Edit] = []
    outcome: Any = None
    words_only: bool = False  # these rules cannot run it: there is no view


class Wanted(NamedTuple):
    """Which entries, and who looks: a seat, the umpire's, or None for the spectators; `draws`: at boards."""

    seat: Seat | None
    first: int = 0
    last: int | None = None
    draws: bool = False

    def audience(self, header: Header) -> Audience:
        if self.seat is None:
            return Audience("spectator", None, self.draws)
        return Audience("umpire" if self.seat == header.umpire else "player", self.seat, self.draws)


def played_back(raw: bytes, wanted: Wanted) -> Iterator[Replayed]:
    """Entry by entry; from the record's own reports alone where the rules are others, or differ."""
    record, unseen = read(raw), object()
    header = record.header
    if wanted.seat is not None and wanted.seat not in (*header.setup.seats, header.umpire):
        raise unknown("seat", wanted.seat, [*header.setup.seats, *([] if header.umpire is None else [header.umpire])])
    before: Any = unseen
    audience = wanted.audience(header)
    for entry, match in _stepped(record, wanted.last):
        if entry.n < wanted.first:
            continue
        view = unseen if match is None else shown_to(match, audience)
        changes: list[Edit] = [] if match is None else [((), view)] if before is unseen else edits(before, view)
        before = view
        reports = [in_words(record.phrasebook, report) for report in entry.reports if audience.hears(report)]
        yield Replayed(
            entry.n, entry.kind, entry.seat, entry.by, entry.undone, reports, changes, entry.outcome, match is None
        )  # fmt: skip


def _stepped(record: Record, last: int | None) -> Iterator[tuple[Entry, Match | None]]:
    """Each entry, with the match as it stands after it."""
    system, script = system_of(record), Scripted()
    match = _begun(system, record, script) if system else None
    yield record.entries[0], match
    for entry in record.entries[1 : None if last is None else last + 1]:
        if match is not None and not _goes_on(match, script, entry):
            match = None
        yield entry, match


def _begun(system: System, record: Record, script: Scripted) -> Match | None:
    try:
        return rebuild(system, Record(record.entries[:1]), fate=script)
    except Exception as error:
        log.info("not played back", extra={"error": type(error).__name__})
        return None


def _goes_on(match: Match, script: Scripted, entry: Entry) -> bool:
    """Run one entry again, as the kernel's rebuild does with all; the words go on where the rules do not."""
    try:
        replay.repeat(match, entry, script)
    except Exception as error:
        log.info("not played back", extra={"n": entry.n, "error": type(error).__name__})
        return False
    return True


# ---- forking -------------------------------------------------------------------------------------------------------


class Forked(NamedTuple):
    """Where to leave the old game, and who plays the new one (those who are not named: as before)."""

    n: int | None = None  # None: its last entry
    players: Mapping[Seat, str] = MappingProxyType({})
    entropy: str = ""


def fork(raw: bytes, wanted: Forked) -> Begun:
    """A new game that begins with the entries of an old one and goes on with dice of its own."""
    record = read(raw)
    system = system_of(record)
    if system is None:
        raise OtherRules(_other_rules(record) + ": it can be looked at, not played on")
    if wanted.n is None and record.finished:
        raise WardogsError("the record: the game is over; import it without fork=true, then fork it from one of its entries")
    n = record.next - 1 if wanted.n is None else wanted.n
    if not 1 <= n < record.next:
        raise WardogsError(f"entry {n}: the game has entries 1 to {record.next - 1}")
    seed = b"" if record.header.dice == "typed" else secrets.token_bytes(32)
    prefix = _rechained(record.entries[1 : n + 1], _header(record, n, wanted, seed))
    if prefix[-1].kind == "end":
        raise WardogsError(f"entry {n}: the game is over there; fork it from an earlier entry")
    fate = Sealed(seed, wanted.entropy) if seed else Typed()
    match = resume(system, Record(prefix), fate, _Nowhere())
    if match.over:
        raise WardogsError(f"entry {n}: the game is over there; fork it from an earlier entry")
    return begun(match, seed)


def _header(record: Record, n: int, wanted: Forked, seed: bytes) -> Header:
    old = record.header
    for seat, player in wanted.players.items():
        if seat not in old.players:
            raise unknown("seat", seat, old.players)
        if player not in (*BOTS, PERSON):
            raise unknown("player", player, [PERSON, *BOTS])
    before = {seat: player if player in BOTS else PERSON for seat, player in old.players.items()}
    return replace(
        old, words=rulebook(old.system).words, players={**before, **wanted.players}, commitment=commitment(seed) if seed else "",
        entropy=wanted.entropy, fork=Fork(n, record.entries[n].hash),
    )  # fmt: skip


def _rechained(entries: list[Entry], header: Header) -> list[Entry]:
    chain = [chained(Entry(0, "header", header=header), "")]
    for entry in entries:
        chain.append(chained(replace(entry, hash=""), chain[-1].hash))
    return chain
