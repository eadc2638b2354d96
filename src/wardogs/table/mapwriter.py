"""A map as TOML text that a person would have written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from functools import cache
from textwrap import wrap
from typing import Any

import msgspec
from msgspec import Struct

from wardogs.kernel.errors import WardogsError
from wardogs.table.model import GROUPS, Map
from wardogs.table.words import WORDS

WIDTH = 120  # letters in a line
BARE = re.compile(r"[A-Za-z0-9_-]+")


def dump_map(table: Map) -> str:
    """One block for each piece; what is as usual is left out."""
    blocks = ["\n".join(_head(table))]
    blocks += [f"[[{WORDS[group]}]]\n{_block(piece)}" for group in GROUPS for piece in getattr(table, group)]
    blocks += ["[vtt]\n" + "\n".join(_pairs(table.vtt))] if table.vtt else []
    return "\n\n".join(blocks) + "\n"


def _head(table: Map) -> Iterator[str]:
    yield f"name = {value(table.name)}"
    if table.about:
        yield f"about = {value(table.about)}"
    yield f"size = {value(table.size)}"
    if table.kinds:
        yield "\n[kinds]"
        yield from (f"{key(name)} = {value(kind)}" for name, kind in table.kinds.items())


def _block(piece: Struct) -> str:
    return "\n".join(_line(word, part) for word, part in _fields(piece))


def _line(word: str, part: Any) -> str:
    """A field on one line; a list of parts with one part to a line, a long row of figures on several."""
    text = f"{word} = {value(part)}"
    if isinstance(part, tuple) and part and isinstance(part[0], Struct):
        return "\n".join([f"{word} = [", *(f"  {value(one)}," for one in part), "]"])
    if isinstance(part, tuple) and len(text) > WIDTH:
        rows = wrap(value(part)[1:-1], WIDTH - 2, break_long_words=False, break_on_hyphens=False)
        return "\n".join([f"{word} = [", *(f"  {row}" for row in rows), "]"])
    return text


def _fields(piece: Struct) -> Iterator[tuple[str, Any]]:
    """The fields that differ from their default."""
    for word, usual in _usual(type(piece)):
        part = getattr(piece, word)
        if part is not None and part != usual:
            yield word, part


@cache
def _usual(struct: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """Its fields with their defaults."""
    return tuple((info.encode_name, info.default) for info in msgspec.structs.fields(struct))


def _pairs(table: Mapping[str, Any]) -> list[str]:
    """TOML has no null: what is none is left out."""
    return [f"{key(str(name))} = {value(part)}" for name, part in table.items() if part is not None]


def key(name: str) -> str:
    return name if BARE.fullmatch(name) else value(name)


def value(part: Any) -> str:
    match part:
        case bool():
            return "true" if part else "false"
        case str():
            return json.dumps(part, ensure_ascii=False).replace("\x7f", "\\u007f")
        case float():
            return figure(part)
        case int():
            return str(part)
        case datetime() | date() | time():
            return part.isoformat()
        case Struct():
            return _braced(f"{word} = {value(one)}" for word, one in _fields(part))
        case Mapping():
            return _braced(_pairs(part))
        case Sequence():
            return f"[{', '.join(value(one) for one in part if one is not None)}]"
    raise WardogsError(f"a map file cannot hold {type(part).__name__}: {part!s:.60}")


def _braced(pairs: Iterator[str] | list[str]) -> str:
    inside = ", ".join(pairs)
    return f"{{ {inside} }}" if inside else "{}"


def figure(number: float) -> str:
    """As short as it can be written without loss."""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
