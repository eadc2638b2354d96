"""How Dogs of War is told: a file of sentences for each chapter, together one phrasebook. A record carries it with it."""

from __future__ import annotations

import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent / "words"


def gathered(folder: Path = FOLDER) -> dict[str, dict[str, str]]:
    """All files as one; where two say the same thing, the first in the alphabet is heard."""
    book: dict[str, dict[str, str]] = {}
    for path in sorted(folder.glob("*.toml")):
        for table, entries in tomllib.loads(path.read_text(encoding="utf-8")).items():
            known = book.setdefault(table, {})
            for key, sentence in entries.items():
                known.setdefault(key, sentence)
    return book


WORDS = gathered()
