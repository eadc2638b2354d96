"""Marks as a browser takes them: pieces of SVG for a drawing that it puts together itself."""

from __future__ import annotations

from collections.abc import Iterable

from wardogs.scene.model import Mark
from wardogs.scene.paint import PATTERNS
from wardogs.scene.svg import joined
from wardogs.scene.terrain import TERRAIN, tiles
from wardogs.scene.zoom import enlarged

ALL_PATTERNS = f"{PATTERNS}\n{tiles(TERRAIN)}"  # whatever is drawn later, its definition is there


def sketch(marks: Iterable[Mark], scale: float = 1.0) -> str:
    """At so many inches of paper to an inch of the table."""
    return "\n".join(joined([enlarged(mark, scale) for mark in marks]))
