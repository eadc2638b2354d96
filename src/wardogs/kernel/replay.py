"""Playing a record again by the rules: to look at it, to go on with it, or to verify every face and report."""

from __future__ import annotations

import msgspec

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Fate, Opened, Scripted, ScriptError, Sealed, Typed, commitment
from wardogs.kernel.game import Misfit
from wardogs.kernel.match import Match, Sink
from wardogs.kernel.offers import Refused
from wardogs.kernel.record import Entry, Record
from wardogs.kernel.report import Report
from wardogs.kernel.system import System, frozen


class OtherRules(WardogsError):
    """The record was made by another version of the rules: it can be read, and taken up only from its last position."""


class Discrepancy(WardogsError):
    """The rules, or the seed, do not give what the record says."""


def rebuild(system: System, record: Record, to: int | None = None, fate: Scripted | None = None) -> Match:
    """The match as it stood after entry `to`, by running the rules; every entry must come out as it was written."""
    header = record.header
    if header.rules_version != system.register.version:
        raise OtherRules(
            f"the record has rules version {header.rules_version}, this Wardogs has {system.register.version}: "
            "it can be read back in words, not played on or verified"
        )
    script = fate or Scripted()
    match = Match(system, header, Typed() if header.dice == "typed" else script)
    match.closes = False
    for entry in record.entries[1 : None if to is None else to + 1]:
        repeat(match, entry, script)
        _compare(match, entry, [] if header.dice == "typed" else script.left)
    return match


def repeat(match: Match, entry: Entry, script: Scripted) -> None:
    """Do again what an entry says, with the faces that it drew."""
    script.faces, script.at = [(rule, frozen(face)) for rule, _, face in entry.faces], 0
    if isinstance(script, Opened):
        script.sealed.open_entry(entry.n)
    try:
        _do_again(match, entry)
    except (Refused, ScriptError, Misfit) as error:
        said = match.record.phrasebook.refusal(error.refusal) if isinstance(error, Refused) else str(error)
        raise Discrepancy(f"entry {entry.n} does not follow from the rules: {said}") from error


def _do_again(match: Match, entry: Entry) -> None:
    match entry:
        case Entry(kind="begin", n=1):
            match.begin()
        case Entry(kind="choice", seat=int(seat), choice=dict(choice)):
            match.answer(seat, choice, entry.by)
        case Entry(kind="face"):
            match.enter(entry.face)
        case Entry(kind="ruling", by=int(by)):
            match.rule(by, entry.because, entry.changes)
        case Entry(kind="undo", by=int(by), undone=(first, *_)):
            match.rewind(by, max((n for n in match.standing if n < first), default=0), entry.because)
        case Entry(kind="undo", seat=int(seat)):
            if missing := match.undo(seat, entry.consent):
                raise Discrepancy(f"entry {entry.n}: an undo without the consent of seats {', '.join(map(str, missing))}")
        case Entry(kind="settled", seat=int(seat)):
            match.resign(seat)
        case Entry(kind="settled"):
            if missing := match.draw(entry.consent):
                raise Discrepancy(f"entry {entry.n}: a draw without the consent of seats {', '.join(map(str, missing))}")
        case Entry(kind="end") if not match.over and not match.game.agenda:
            match.close(entry.seed)
        case _:
            raise Discrepancy(f"entry {entry.n} is out of place")


def _compare(match: Match, entry: Entry, left: list[object]) -> None:
    """Does the rules' own entry say the same as the record's?"""
    made = match.record.entries[entry.n]
    if made.hash == entry.hash:
        return
    if left:
        raise Discrepancy(f"entry {entry.n} holds more faces than the rules throw: {left}")
    for mine, theirs in zip(made.reports, entry.reports, strict=False):
        if msgspec.json.encode(mine) != msgspec.json.encode(theirs):
            raise Discrepancy(f"entry {entry.n}, {theirs.rule}: the record says {_said(theirs)}, the rules {_said(mine)}")
    raise Discrepancy(f"entry {entry.n} is not what the rules make of it")


def _said(report: Report) -> str:
    return f"{report.fact} {report.data}"


def resume(system: System, record: Record, fate: Fate, sink: Sink) -> Match:
    """Go on with a game that is not over, with the dice that its header committed to."""
    if record.finished:
        raise WardogsError("the game is over")
    if isinstance(fate, Sealed) and commitment(fate.seed) != record.header.commitment:
        raise WardogsError("the seed is not the one that the header committed to")
    match = rebuild(system, record)
    match.fate = match.game.fate = fate
    match.sink, match.closes = sink, True
    match.close(fate.seed.hex() if isinstance(fate, Sealed) else "")
    return match


def verify(system: System, record: Record) -> int:
    """Run the rules again and recompute every sealed face; returns how many faces the seal vouches for."""
    opened = _opened(record) if record.finished and record.header.dice == "sealed" else None
    rebuild(system, record, fate=opened)
    return opened.checked if opened else 0


def _opened(record: Record) -> Opened:
    end = record.entries[-1]
    try:
        seed = bytes.fromhex(end.seed)
    except ValueError:
        seed = b""
    if not seed or commitment(seed) != record.header.commitment:
        raise Discrepancy(f"entry {end.n}: the seed it opens is not the one that the header committed to")
    fork = record.header.fork
    return Opened(seed, record.header.entropy, fork.entry if fork else 0)
