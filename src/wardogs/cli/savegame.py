"""Games on disk: the record, and beside it a key file with the sealed seed and the last position.

While a game is on, both stay with the host: the record holds what the seats have chosen, the key the seed of the dice.
"""

from __future__ import annotations

import os
import shutil
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from wardogs.cli.output import note
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Fate, Sealed, Typed
from wardogs.kernel.game import Misfit, Position
from wardogs.kernel.match import Match
from wardogs.kernel.record import Entry, Record, RecordFile
from wardogs.kernel.replay import Discrepancy, OtherRules, resume
from wardogs.kernel.system import System


class Key(Struct, frozen=True):
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]
    entry: int
    position: str

    @property
    def opened(self) -> bytes | None:
        return bytes.fromhex(self.seed) or None


def key_of(path: Path) -> Path:
    return path.with_name(path.name + ".key")


def new_path(system: str) -> Path:
    """A fresh file among the user's games."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(base) / "wardogs" / "games"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path.cwd()
    name = f"{system}-{datetime.now():%Y%m%d-%H%M%S}"
    paths = (folder / f"{name}{again}.wardogs" for again in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(path for path in paths if not path.exists())


class Keeper:
    """Writes every entry as it happens, and the position it led to."""

    def __init__(self, path: Path, system: System, seed: bytes | None, fresh: bool = True) -> None:
        self.path, self.system, self.seed = path, system, seed
        self.file = RecordFile(path, fresh)

    def write(self, entry: Entry, position: Position[Any]) -> None:
        """The key first: the record alone says what has happened, so it has the last word."""
        seed = "" if self.seed is None else self.seed.hex()
        write_private(key_of(self.path), msgspec.json.encode(Key(seed, entry.n, self.system.save(position).decode())))
        self.file.write(entry)


def write_private(path: Path, text: bytes) -> None:
    """Replaced whole, so that a crash leaves the old file or the new one; readable by its owner only."""
    partial = path.with_suffix(".part")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)
    partial.replace(path)


def copy_game(path: Path, to: Path) -> None:
    if to.exists():
        raise WardogsError(f"{to}: is there already and is not written over; choose another name")
    try:
        shutil.copyfile(path, to)
        write_private(key_of(to), key_of(path).read_bytes())
    except OSError as error:
        raise WardogsError(f"{to}: cannot be written: {error.strerror}") from None


def resume_game(system: System, path: Path, record: Record) -> Match:
    """Go on where a game was left: by its record, or, if the rules have changed since, from its last position."""
    if record.finished:
        raise WardogsError(f"{path}: this game is over; read it with: wardogs replay {path}")
    key = _read_key(path)
    seed = key.opened
    if (seed is None) != (record.header.dice == "typed"):
        raise WardogsError(f"{key_of(path)}: is not the key of this game")
    fate: Fate = Typed() if seed is None else Sealed(seed, record.header.entropy)
    keeper = Keeper(path, system, seed, fresh=False)
    try:
        return resume(system, record, fate, keeper)
    except (OtherRules, Discrepancy) as error:
        note(f"{path}: taken up from its last position: {error}")
        return _from_position(system, path, record, key, fate, keeper)
    except WardogsError as error:
        raise WardogsError(f"{path}: {error}") from None


def _from_position(system: System, path: Path, record: Record, key: Key, fate: Fate, keeper: Keeper) -> Match:
    try:
        if key.entry != len(record.entries) - 1:
            raise WardogsError(f"its key file stands at entry {key.entry}, the record at {len(record.entries) - 1}")
        return Match.restored(system, record, system.load(key.position.encode()), fate, keeper)
    except (WardogsError, Misfit, msgspec.DecodeError) as error:
        raise WardogsError(f"{path}: does not fit the rules of this Wardogs: {error}") from None


def _read_key(path: Path) -> Key:
    try:
        return msgspec.json.decode(key_of(path).read_bytes(), type=Key)
    except FileNotFoundError:
        raise WardogsError(f"{path}: cannot go on without its key file {key_of(path).name} beside it") from None
    except (OSError, msgspec.DecodeError) as error:
        raise WardogsError(f"{key_of(path)}: not a key file: {error}") from None
