"""What would follow from a choice, in a few words, before it is made: exact odds, by range band until the range is known."""

from __future__ import annotations

from wardogs.kernel.offers import Choice
from wardogs.kernel.system import Seen
from wardogs.systems.dogs.reckoning import reckon


def preview(seen: Seen, choice: Choice) -> str:
    return reckon(seen, choice).text
