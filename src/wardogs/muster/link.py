"""A roster as one short line that survives a link, a chat or a text message.

    wd1.dogs.g-vyyy8qyVBITyxJVcKipbQ4vigxLz21qBhZc66RiSUw2GoB.efd3bb7e

Four parts with dots between them: `wd` and the version of this form; the system; the roster as JSON, packed (raw deflate that
begins with the words of DICTIONARY) and written in the letters A-Z a-z 0-9 - and _; eight hex digits of the SHA-256 of all before
them. So a damaged line is refused before it is unpacked. A version is never changed: a new form gets a new number.
"""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from typing import Any

import msgspec

from wardogs.kernel.errors import WardogsError

VERSION = 1
LARGEST = 100_000  # bytes of JSON: far more than any force
DICTIONARY = (
    b'"rifleman":["assistant":["leader":["scout":["gunner":["all":["vest":["weapons":{"'
    b'"}],"calibre":"},{"role":"gunner","item":"},{"role":"rifleman","item":"},{"role":"leader","item":"},{"role":"assistant","perk":"'
    b'"},{"role":"scout","perk":"","n":2},"buy":[{"role":"]},{"list":"{"name":"","points":500,"teams":[{"list":"","gunner":"'
)
SHAPE = re.compile(r"wd(\d{1,4})\.([a-z]+)\.([A-Za-z0-9_-]+)\.([0-9a-f]{8})")
BEGIN = re.compile(r"wd(\d{1,4})\.")


def is_link(text: str) -> bool:
    """Does it look like one? It may still be damaged."""
    return bool(BEGIN.match(_last_part(text)))


def pack(system: str, roster: dict[str, Any]) -> str:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=DICTIONARY)
    packed = squeeze.compress(msgspec.json.encode(roster)) + squeeze.flush()
    body = f"wd{VERSION}.{system}.{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"
    return f"{body}.{_check(body)}"


def unpack(text: str) -> tuple[str, dict[str, Any]]:
    """The system and the roster as plain data; a whole address that ends in the line will do."""
    line = _last_part(text)
    if (begin := BEGIN.match(line)) and int(begin[1]) != VERSION:
        raise WardogsError(
            f"of form wd{int(begin[1])}, and this program reads wd{VERSION}: update it, or ask for the roster as TOML"
        )
    match = SHAPE.fullmatch(line)
    if not match or match[4] != _check(line.rpartition(".")[0]):
        raise WardogsError("damaged: a letter was lost or changed on the way; copy it again, whole")
    return match[2], _unpacked(match[3])


def _unpacked(letters: str) -> dict[str, Any]:
    try:
        squeeze = zlib.decompressobj(-15, zdict=DICTIONARY)
        plain = squeeze.decompress(base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4)), LARGEST)
        if not squeeze.eof:
            raise WardogsError("holds more than a roster can: ask for it as TOML")
        return msgspec.json.decode(plain, type=dict[str, Any])
    except (ValueError, zlib.error, msgspec.DecodeError, RecursionError):
        raise WardogsError("holds no roster: ask for a new link") from None


def _check(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:8]


def _last_part(text: str) -> str:
    return re.split(r"[/#?=&]", text.strip())[-1]
