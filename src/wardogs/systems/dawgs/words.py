"""The words of the game, read once."""

from __future__ import annotations

import tomllib
from pathlib import Path

WORDS: dict[str, dict[str, str]] = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
