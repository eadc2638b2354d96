"""Naming a paragraph of another chapter: chapters lead into each other, and files cannot import in a ring."""

from __future__ import annotations

from typing import Any

from wardogs.kernel.game import Step
from wardogs.systems.dogs.state import Fight


def later(g: Fight, paragraph: str, *args: Any) -> None:
    g.then_all([Step(paragraph, args)])
