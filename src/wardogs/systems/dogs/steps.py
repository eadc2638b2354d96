"""Naming a paragraph of another chapter: chapters lead into each other, and files cannot import in a ring."""

from __future__ import annotations

from typing import Any

from wardogs.kernel.game import Step
from wardogs.systems.dogs.state import Fight


def watch_again(g: Fight) -> None:
    """DOW-OPF-11: a side that held its Op-Fire for an act or a slot is asked again."""
    for side in g.state.sides:
        if side.holds:
            g.edit(("sides", side.seat), holds=False)


def later(g: Fight, paragraph: str, *args: Any) -> None:
    g.then_all([Step(paragraph, args)])
