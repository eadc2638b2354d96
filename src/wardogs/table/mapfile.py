"""Maps on disk: TOML that people write, or Universal VTT; read with clear errors, written whole or not at all."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError
from wardogs.table.check import MOST_PANELS, checked, named
from wardogs.table.mapwriter import dump_map
from wardogs.table.misread import in_words
from wardogs.table.model import GROUPS, Map, Opening, Piece
from wardogs.table.units import Inches
from wardogs.table.words import PARTS, WORDS

__all__ = ["dump_map", "import_vtt", "load_map", "parse_map", "read_map", "save_map", "schema", "with_ids", "write_whole"]

SomePiece = TypeVar("SomePiece", bound=Piece)

MB = 1_000_000
LARGEST, LARGEST_VTT = 32 * MB, 64 * MB  # a VTT file has a picture in it
MOST_FIGURES = 2_000_000  # and keys: more than a map of MOST_PANELS needs; counted first, for parsing them takes long
VTT = (".dd2vtt", ".uvtt", ".df2vtt")


# Reading --------------------------------------------------------------------------------------------------------------


def load_map(path: Path) -> Map:
    """A map that is sound, with an id for every piece."""
    return checked(read_map(path), str(path))


def read_map(path: Path) -> Map:
    """A map as its file says, sound or not."""
    if path.suffix.lower() in VTT:
        return import_vtt(path)
    if path.suffix.lower() != ".toml":
        raise WardogsError(f"{path}: a map ends in .toml or, for Universal VTT, in {', '.join(VTT)}")
    _check_file(path, LARGEST)
    return _parse(_text(path), str(path))


def import_vtt(path: Path, inches_per_square: Inches = 1.0, wall_height: Inches = 2.0) -> Map:
    """A map of another program, sound or not."""
    from wardogs.table.vtt import read_vtt

    _check_file(path, LARGEST_VTT)
    return with_ids(read_vtt(path, inches_per_square, wall_height))


def parse_map(text: str, where: str) -> Map:
    """A map that is sound from TOML; `where` names the file in messages."""
    return checked(_parse(text, where), where)


def _check_file(path: Path, most: int) -> None:
    """A device or a pipe has no size and no end: only plain files are read."""
    try:
        if path.is_dir():
            raise WardogsError(f"{path}: is a folder; name a map in it")
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        raise WardogsError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if not path.is_file():
        raise WardogsError(f"{path}: is not a plain file")
    if size > most:
        raise WardogsError(f"{path}: {round(size / MB)} MB: a map may have {most // MB} MB; leave detail out or split it")


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise WardogsError(f"{path}: cannot be read: {error.strerror}") from None
    if b"\0" in raw:
        raise WardogsError(f"{path}: is a binary file, not a map in TOML")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise WardogsError(f"{path}: line {line}: byte 0x{raw[error.start]:02x} is not UTF-8; save the file as UTF-8") from None


def _parse(text: str, where: str) -> Map:
    if text.count(",") + text.count("=") > MOST_FIGURES:
        raise WardogsError(f"{where}: far more than {MOST_PANELS:,} panels of wall: split the map or leave detail out")
    raw = _toml(text, where)
    try:
        return with_ids(msgspec.convert(raw, Map))
    except msgspec.ValidationError as error:
        raise WardogsError(f"{where}: {in_words(error, raw)}") from None


def _toml(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said, _, spot = str(error).rstrip(")").partition(" (at ")
        raise WardogsError(f"{where}: {spot or 'the text'}: {said}") from None
    except RecursionError:
        raise WardogsError(f"{where}: brackets are nested too deep for a map") from None
    except ValueError:
        raise WardogsError(f"{where}: a number of thousands of digits is in it: write inches") from None


# Ids ------------------------------------------------------------------------------------------------------------------


def with_ids(table: Map) -> Map:
    """The same map with an id for every piece: wall-3, B1-door-1; a piece that has one keeps it."""
    taken = {piece.id for _, piece in named(table)}
    changed = {group: tuple(_with_ids(getattr(table, group), WORDS[group], taken)) for group in GROUPS}
    return replace(table, **changed)


def _with_ids(group: tuple[SomePiece, ...], word: str, taken: set[str]) -> Iterator[SomePiece]:
    """A number is at least the place in the list, so that wall-3 is the third wall unless that is taken."""
    last: dict[str, int] = {}
    for n, piece in enumerate(group, 1):
        stem, least = (f"{word}{piece.kind}", 1) if isinstance(piece, Opening) else (word, n)
        id_ = piece.id
        while not id_ or (not piece.id and id_ in taken):
            last[stem] = max(last.get(stem, 0) + 1, least)
            id_ = f"{stem}-{last[stem]}"
        taken.add(id_)
        parts = {
            field: tuple(_with_ids(getattr(piece, field), f"{id_}-{'' if field == 'openings' else noun}", taken))
            for field, noun in PARTS.items()
            if getattr(piece, field, ())
        }
        yield replace(piece, id=id_, **parts) if parts or not piece.id else piece


# Writing --------------------------------------------------------------------------------------------------------------


def save_map(table: Map, path: Path, force: bool = False) -> None:
    """Written whole or not at all; a file that is there is kept unless forced."""
    data = dump_map(table).encode("utf-8", "replace")
    if len(data) > LARGEST:
        raise WardogsError(
            f"{path}: would have {round(len(data) / MB)} MB: a map may have {LARGEST // MB} MB; leave its picture out"
        )
    write_whole(path, data, force)


def write_whole(path: Path, data: bytes, force: bool = False) -> None:
    """To a file beside it first, which then takes its place."""
    if path.is_dir():
        raise WardogsError(f"{path}: is a folder; name a file in it")
    if path.exists() and not force:
        raise WardogsError(f"{path}: is there already and is not written over; choose another name or say --force")
    partial = path.with_name(f".{path.name[:100]}.{os.getpid()}.part")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    except OSError as error:
        raise WardogsError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        partial.unlink(missing_ok=True)


# The schema -----------------------------------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """The JSON schema of a map, for editors that help while one writes."""
    found = msgspec.json.schema(Map)
    for name, part in found["$defs"].items():
        part["title"] = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize()
        if "description" in part:
            part["description"] = " ".join(part["description"].split())
    found["$defs"]["Map"]["description"] = "A table of terrain in inches, y up (north)."
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A Wardogs map", **found}
