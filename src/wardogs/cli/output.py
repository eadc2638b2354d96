"""How the command line speaks: people's text on stdout, progress on stderr, `--json` as one document and nothing else."""

from __future__ import annotations

import sys
from typing import Any

import msgspec


def say(text: str = "") -> None:
    print(text)


def note(text: str) -> None:
    print(text, file=sys.stderr)


def emit(document: Any) -> None:
    """One JSON document; fractions are written as people write them."""
    raw = msgspec.json.encode(document, enc_hook=str)
    print(msgspec.json.format(raw, indent=2).decode())
