"""Where dice and cards come from: one port, five fillings.

Sealed (fair play), Scripted (cases, replays), Typed (real dice at a real table), Enumerated (exact odds), Fast (bulk).
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.offers import Seat, place_in


class Throw(NamedTuple):
    """A die or card that fate owes: for which rule, from what, and what each face means."""

    rule: str
    kind: str
    faces: tuple[Any, ...]
    means: tuple[Any, ...]
    about: dict[str, Any]
    to: tuple[Seat, ...] | None = None  # who may know of it; None: everybody
    out_of: tuple[Any, ...] = ()  # cards among which it is, as far as those may know: which are left may be a secret

    @property
    def shown(self) -> tuple[Any, ...]:
        """The faces to choose from, for who says which it was."""
        return self.out_of or self.faces

    def is_for(self, seat: Seat | None) -> bool:
        return self.to is None or seat in self.to


class Fate(Protocol):
    def index(self, rule: str, kind: str, faces: Sequence[Any], means: Sequence[Any]) -> int | None:
        """Which face shows, by its place among the faces; None if a person must say."""


class Fast:
    """Plain pseudo-random dice for bulk work."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed).random

    def index(self, rule: str, kind: str, faces: Sequence[Any], means: Sequence[Any]) -> int:
        return int(self.random() * len(faces))


class Typed:
    """Real dice: every throw becomes a question to the people at the table."""

    def index(self, rule: str, kind: str, faces: Sequence[Any], means: Sequence[Any]) -> None:
        return None


class ScriptError(WardogsError):
    """The script and the rules disagree about a throw."""


class Scripted:
    """Faces as a case or a record names them; a face may say for which rule it was thrown."""

    def __init__(self, faces: Iterable[Any] = ()) -> None:
        self.faces = list(faces)
        self.at = 0

    def index(self, rule: str, kind: str, faces: Sequence[Any], means: Sequence[Any]) -> int:
        if self.at == len(self.faces):
            raise ScriptError(f"too few faces: {rule} throws a {kind} and the script has run out")
        face = self.faces[self.at]
        self.at += 1
        if isinstance(face, tuple):
            wanted, face = face
            if wanted != rule:
                raise ScriptError(f"face {self.at} was thrown for {wanted}, the rules now throw for {rule}")
        place = place_in(faces, face)
        if place is None:
            raise ScriptError(f"face {self.at} is {face!r}, which is not on the {kind} of {rule}")
        return place

    @property
    def left(self) -> list[Any]:
        return self.faces[self.at :]


class Opened(Scripted):
    """The faces of a finished record, each checked against the seed that its last entry opens.

    Those up to the entry where a game was forked came from another seed: they stand as written.
    """

    def __init__(self, seed: bytes, entropy: str, after: int = 0) -> None:
        super().__init__()
        self.sealed = Sealed(seed, entropy)
        self.after = after
        self.checked = 0

    def index(self, rule: str, kind: str, faces: Sequence[Any], means: Sequence[Any]) -> int:
        index = super().index(rule, kind, faces, means)
        if self.sealed.entry <= self.after:
            return index
        if faces[self.sealed.index(rule, kind, faces, means)] != faces[index]:
            raise ScriptError(f"face {self.at} ({kind} {faces[index]}, {rule}) is not what the seed gives")
        self.checked += 1
        return index


class Sealed:
    """HMAC of a sealed seed, the players' own entropy and the number of the record's entry.

    The commitment is published before the first throw and the seed at the end, so anyone can check every face,
    and nobody could know one before it was thrown: each depends on an entry that did not exist yet.
    """

    def __init__(self, seed: bytes, entropy: str = "") -> None:
        self.seed, self.entropy = seed, entropy
        self.entry, self.thrown = 0, 0

    def open_entry(self, number: int) -> None:
        self.entry, self.thrown = number, 0

    def index(self, rule: str, kind: str, faces: Sequence[Any], means: Sequence[Any]) -> int:
        self.thrown += 1
        return sealed_index(self.seed, f"{self.entropy}/{self.entry}/{self.thrown}", len(faces))


def sealed_index(seed: bytes, what: str, sides: int) -> int:
    """A fair index below `sides`: the first HMAC word that does not favour the low faces."""
    limit = (1 << 64) // sides * sides
    again = 0
    while True:
        digest = hmac.digest(seed, f"{what}/{again}".encode(), "sha256")
        word = int.from_bytes(digest[:8], "big")
        if word < limit:
            return word % sides
        again += 1


def commitment(seed: bytes) -> str:
    """What is published before the first throw."""
    return hashlib.sha256(b"wardogs sealed seed\n" + seed).hexdigest()


def seed_from(word: int | str) -> bytes:
    """A sealed seed from a number or word, for games that are to be played again exactly."""
    return hashlib.sha256(f"wardogs seed {word}".encode()).digest()
