"""What would follow from a choice, in a few words, before it is made."""

from __future__ import annotations

from wardogs.kernel.offers import Choice
from wardogs.kernel.system import Seen
from wardogs.systems.dawgs.reckoning import reckon


def preview(seen: Seen, choice: Choice) -> str:
    return reckon(seen, choice).text
