"""Secret links: who holds one sits there. Only their hashes are kept, so that a stolen database opens no seat."""

from __future__ import annotations

import hashlib
import secrets

LENGTH = 32  # letters of a key: 192 bits


def new_key() -> str:
    return secrets.token_urlsafe(24)


def new_id() -> str:
    return secrets.token_hex(8)


def hashed(key: str) -> str:
    """Keys are long and random, so a plain hash is enough: there is nothing to guess."""
    return hashlib.sha256(b"wardogs link\n" + key.encode("utf-8", "surrogatepass")).hexdigest()
