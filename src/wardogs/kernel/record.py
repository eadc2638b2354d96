"""The record: the truth of a game, append-only, each entry chained to the one before by its hash.

A save file, a replay and a bug report are records: one line of JSON per entry. It plays back from its own reports, so no
change of the rules can make an old record unreadable.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Choice, Seat
from wardogs.kernel.phrases import Phrasebook
from wardogs.kernel.report import Report, heard

FORMAT = 1
Dice: TypeAlias = Literal["sealed", "typed"]


class Setup(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a game begins from: the whole scenario and every option, as data, so that nothing else is needed."""

    scenario: dict[str, Any]
    options: dict[str, Any]
    seats: tuple[Seat, ...]


class Fork(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Where a game left another: the last entry that both share, and its hash in the other's record."""

    entry: int
    hash: str


class Header(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    wardogs: int
    system: str
    rules_version: str
    setup: Setup
    names: dict[Seat, str]
    players: dict[Seat, str]
    dice: Dice
    words: dict[str, dict[str, str]]
    commitment: str = ""
    entropy: str = ""
    umpire: Seat | None = None
    fork: Fork | None = None


class Outcome(Struct, frozen=True, gc=False, omit_defaults=True):
    """How a game ended: the winner's name (None: nobody), why, and any score."""

    winner: str | None
    reason: str
    turns: int
    points: dict[str, int] = {}


class Entry(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """One thing from outside (a choice, a ruling, an undo, ...) with the faces it drew and what it made happen."""

    n: int
    kind: Literal["header", "begin", "choice", "face", "ruling", "undo", "settled", "end"]
    header: Header | None = None
    seat: Seat | None = None
    by: Seat | None = None
    choice: Choice | None = None
    face: Any = None
    undone: tuple[int, ...] = ()
    consent: tuple[Seat, ...] = ()
    changes: tuple[tuple[Any, str, Any], ...] = ()
    because: str = ""
    outcome: Outcome | None = None
    seed: str = ""
    faces: tuple[tuple[str, str, Any], ...] = ()
    reports: tuple[Report, ...] = ()
    hash: str = ""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Entry).decode


def chained(entry: Entry, before: str) -> Entry:
    """The entry with its hash, which covers all that came before."""
    body = _encode(replace(entry, hash=""))
    return replace(entry, hash=hashlib.sha256(before.encode() + body).hexdigest())


class Record:
    """The entries of one game; or its last entries, with the header beside them."""

    def __init__(self, entries: list[Entry], header: Header | None = None) -> None:
        self.entries = entries
        self._header = header

    @property
    def header(self) -> Header:
        header = self._header or self.entries[0].header
        assert header is not None
        return header

    @property
    def next(self) -> int:
        """The number of the entry that comes next."""
        return self.entries[-1].n + 1 if self.entries else 0

    def place(self, n: int) -> int:
        """Where entry n stands among those that are held."""
        return n - self.entries[0].n

    def forget(self, keep: int) -> None:
        """Hold no more than the last entries."""
        self._header = self.header
        del self.entries[:-keep]

    @property
    def hash(self) -> str:
        return self.entries[-1].hash

    @property
    def finished(self) -> bool:
        return self.entries[-1].kind == "end"

    @property
    def outcome(self) -> Outcome | None:
        return self.entries[-1].outcome

    @property
    def phrasebook(self) -> Phrasebook:
        return Phrasebook(self.header.words, self.header.names)

    def sentences(self, seat: Seat | None = None, to: int | None = None) -> Iterator[tuple[int, Report, str]]:
        """The game in words, from the record alone, as far as this seat may know (None: a spectator)."""
        book, entries = self.phrasebook, self.entries[: None if to is None else to + 1]
        undone = {n for entry in entries for n in entry.undone}
        for entry in entries:
            for report in heard(entry.reports, seat) if entry.n not in undone else ():
                yield entry.n, report, book.report(report)


class RecordFile:
    """A record on disk: what has been appended is there, whatever happens next."""

    def __init__(self, path: Path, fresh: bool = True) -> None:
        try:
            self.file = path.open("xb" if fresh else "ab", buffering=0)
        except FileExistsError:
            raise WardogsError(f"{path}: is there already and is not written over; choose another name") from None
        except OSError as error:
            raise WardogsError(f"{path}: cannot be written: {error.strerror}") from None

    def write(self, entry: Entry, position: object = None) -> None:
        """All of the entry, or nothing of it."""
        line, before = _encode(entry) + b"\n", self.file.seek(0, os.SEEK_END)
        try:
            if self.file.write(line) != len(line):
                raise OSError(errno.ENOSPC, "no space left")
            os.fsync(self.file.fileno())
        except OSError:
            self.file.truncate(before)
            raise

    def close(self) -> None:
        self.file.close()


def read_record(path: Path) -> Record:
    """A record from disk, its chain checked; the first entry that does not fit is named."""
    try:
        return parse_record(path.read_bytes(), str(path))
    except OSError as error:
        raise WardogsError(f"{path}: cannot be read: {error.strerror}") from None


def parse_record(raw: bytes, name: str) -> Record:
    """A record from its lines, its chain checked; the first entry that does not fit is named."""
    *whole, rest = raw.split(b"\n")
    record = Record([])
    for n, line in enumerate(whole):
        if line.endswith(b"\r"):
            raise WardogsError(f"{name}: another program has given it lines that end in CR LF; take the file as it was exported")
        record.entries.append(_read_entry(name, n, line, record))
    if rest and record.entries:
        raise WardogsError(f"{name}: entry {len(whole)} is cut short; without that line the rest can be used")
    if rest:
        _read_entry(name, 0, rest, record)
        raise WardogsError(f"{name}: entry 0 is cut short: nothing of the game is left")
    if not record.entries:
        raise WardogsError(f"{name}: not a Wardogs record: it is empty")
    return record


def _read_entry(name: str, n: int, line: bytes, record: Record) -> Entry:
    try:
        if n == 0:
            _check_format(name, line)
        entry = _decode(line)
    except msgspec.ValidationError as error:
        raise WardogsError(f"{name}: entry {n} has been changed: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        what = "has been changed: it is not JSON" if n else "is not JSON: this is not a Wardogs record"
        raise WardogsError(f"{name}: entry {n} {what}") from None
    before = record.hash if record.entries else ""
    if entry.n != n or _encode(entry) != line or chained(entry, before).hash != entry.hash:
        raise WardogsError(f"{name}: entry {n} has been changed: its hash does not fit what it says")
    if (n == 0) != (entry.kind == "header"):
        raise WardogsError(f"{name}: entry {n} is out of place")
    return entry


def _check_format(name: str, line: bytes) -> None:
    raw = msgspec.json.decode(line)
    if not isinstance(raw, dict) or raw.get("kind") != "header":
        raise WardogsError(f"{name}: not a Wardogs record: its first line is not a header")
    version = raw["header"].get("wardogs") if isinstance(raw.get("header"), dict) else None
    if version != FORMAT:
        raise WardogsError(f"{name}: a record of format {version}; this Wardogs reads format {FORMAT}")
