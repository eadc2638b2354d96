"""The forms of a roster: TOML to edit, text for a chat, a line for a link, JSON for programs. Each is read back."""

from __future__ import annotations

import sys
import tomllib
from os.path import isfile
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.muster import KEYS, Musterer, Roster, musterer
from wardogs.muster.link import is_link, pack, unpack
from wardogs.muster.tomltext import dump

Form = Literal["toml", "text", "link", "json"]
FORMS: tuple[str, ...] = get_args(Form)
MOST_DOTS = 50  # in a line of TOML: a key of thousands of parts eats time and memory
LARGEST = 1_000_000


class Force(NamedTuple):
    """A roster with the system that understands it."""

    by: Musterer
    roster: Roster


# Writing --------------------------------------------------------------------------------------------------------------


def write(force: Force, form: str) -> str:
    """The roster in one of the forms, with a new line at its end."""
    plain = force.by.to_dict(force.roster)
    match form:
        case "toml":
            return dump({"system": force.by.key, **plain})
        case "text":
            return force.by.text(force.roster)
        case "link":
            return pack(force.by.key, plain) + "\n"
        case "json":
            return msgspec.json.format(msgspec.json.encode({"system": force.by.key, **plain}), indent=2).decode() + "\n"
    raise unknown("form", form, FORMS)


# Reading --------------------------------------------------------------------------------------------------------------


def read(source: str) -> Force:
    """A roster from a file, from a link, or with - from what is piped in."""
    if is_link(source) and not isfile(source):  # a link may be longer than a file name may
        return parse(source, "link")
    return parse(sys.stdin.read(LARGEST), "input") if source == "-" else parse(_text(Path(source)), source)


def parse(text: str, where: str) -> Force:
    """A roster in any form; `where` names it in messages."""
    try:
        return _parsed(text.removeprefix("\ufeff"))
    except WardogsError as error:
        raise WardogsError(f"{where}: {error}") from None


def _parsed(text: str) -> Force:
    bare = text.strip()
    if not bare:
        raise WardogsError("is empty: a roster begins with system = ")
    if len(bare.split()) == 1 and is_link(bare):
        key, raw = unpack(bare)
        return Force(by := musterer(key), by.read(raw))
    for by in map(musterer, KEYS):
        if bare.lower().startswith(f"{by.title.lower()}:"):
            return Force(by, by.read_text(text))
    return _from_data(_json(bare) if bare.startswith("{") else _toml(text))


def _from_data(raw: dict[str, Any]) -> Force:
    key = raw.pop("system", None)
    if not isinstance(key, str):
        raise WardogsError(f'does not say its game: begin it with system = "{KEYS[0]}"')
    return Force(by := musterer(key), by.read(raw))


def _json(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise WardogsError(f"not JSON: {error}") from None


def _toml(text: str) -> dict[str, Any]:
    if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
        raise WardogsError(f"not a roster: a line with more than {MOST_DOTS} dots")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said, _, spot = str(error).rstrip(")").partition(" (at ")
        raise WardogsError(
            f"{spot or 'the text'}: {said}; a roster is TOML, a text that begins with the game's title, or a link"
        ) from None
    except (RecursionError, ValueError):
        raise WardogsError("not TOML: brackets nested too deep, or a number far too long") from None


def _text(path: Path) -> str:
    try:
        if path.is_dir():
            raise WardogsError(f"{path}: is a folder; name a roster in it")
        if not path.is_file():
            hint = "is not a plain file" if path.exists() else "no such file; name a roster, or give its link"
            raise WardogsError(f"{path!s:.200}: {hint}")
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise WardogsError(f"{path!s:.200}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(raw) > LARGEST:
        raise WardogsError(f"{path}: is far too large for a roster")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise WardogsError(f"{path}: line {line}: byte 0x{raw[error.start]:02x} is not UTF-8; save the file as UTF-8") from None
