"""Entries of a record as the server handles them: lines that are written and told, and need not be understood."""

from __future__ import annotations

import threading
import zlib

import msgspec
from msgspec import Struct
from zstandard import ZstdCompressor, ZstdDecompressor

from wardogs.kernel.match import Match
from wardogs.kernel.offers import Seat
from wardogs.kernel.record import Entry

encode = msgspec.json.Encoder().encode
entry_of = msgspec.json.Decoder(Entry).decode


class _Seen(Struct):
    n: int
    kind: str
    seat: Seat | None = None


_glance = msgspec.json.Decoder(_Seen).decode


class Line(Struct, frozen=True, array_like=True, gc=False):
    """An entry, and what one must know of it without reading it."""

    n: int
    kind: str
    seat: Seat | None
    body: bytes


def lined(entry: Entry) -> Line:
    return Line(entry.n, entry.kind, entry.seat, encode(entry))


def line_of(body: bytes) -> Line:
    seen = _glance(body)
    return Line(seen.n, seen.kind, seen.seat, body)


class Begun(Struct, frozen=True):
    """A game that may be kept: its lines, where it stands (nothing, if these rules cannot tell) and who is asked."""

    lines: list[bytes]
    position: bytes
    waiting: tuple[Seat, ...]
    over: bool
    seed: bytes = b""
    gone: tuple[Seat, ...] = ()  # who has resigned


def begun(match: Match, seed: bytes = b"") -> Begun:
    lines = [encode(entry) for entry in match.record.entries]
    return Begun(lines, packed(match.system.save(match.game.position)), match.game.waiting, match.over, seed, match.game.gone)


# ---- positions -------------------------------------------------------------------------------------------------------

PACKED = b"\x28\xb5\x2f\xfd"  # what is packed begins so; nothing that a system saves does
PACKED_BEFORE = b"\x78\x01"  # by zlib, in older databases; in still older ones nothing is packed


class _Packer(threading.local):
    """One for each thread: to make one takes longer than to use it."""

    def __init__(self) -> None:
        self.pack, self.unpack = ZstdCompressor(level=1).compress, ZstdDecompressor().decompress


_packer = _Packer()


def packed(position: bytes) -> bytes:
    """Written with every choice, so it counts: names of fields and all, it shrinks to a seventh in no time."""
    return _packer.pack(position)


def unpacked(position: bytes) -> bytes:
    if position.startswith(PACKED):
        return _packer.unpack(position)
    return zlib.decompress(position) if position.startswith(PACKED_BEFORE) else position
