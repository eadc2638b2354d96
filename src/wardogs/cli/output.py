"""How the command line speaks: people's text on stdout, progress on stderr, `--json` as one document and nothing else."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec


def say(text: str = "") -> None:
    print(text)


def note(text: str) -> None:
    print(text, file=sys.stderr)


def sentence(text: str) -> str:
    """As a sentence begins, whoever it begins with."""
    return text[:1].upper() + text[1:]


def called() -> str:
    """The program as the person can call it again."""
    return sys.argv[0] if Path(sys.argv[0]).name == "wardogs" and not shutil.which("wardogs") else "wardogs"


def emit(document: Any) -> None:
    """One JSON document; fractions are written as people write them."""
    raw = msgspec.json.encode(document, enc_hook=str)
    print(msgspec.json.format(raw, indent=2).decode())
