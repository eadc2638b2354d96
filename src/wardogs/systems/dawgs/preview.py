"""What would follow from a choice, in a few words, before it is made."""

from __future__ import annotations

from fractions import Fraction

from wardogs.kernel.fate import Fast
from wardogs.kernel.offers import Choice
from wardogs.kernel.system import Seen
from wardogs.systems.dawgs.bot import breakup_chance, shot_odds
from wardogs.systems.dawgs.foresight import foresee
from wardogs.systems.dawgs.scene import ARROWS
from wardogs.systems.dawgs.state import Flight, pair_of


def preview(seen: Seen, choice: Choice) -> str:
    if choice["verb"] == "place_cards":
        return _pair(seen, choice)
    if choice["verb"] in ("fire", "snap_fire"):
        return _shot(seen, choice)
    return ""


def _pair(seen: Seen, choice: Choice) -> str:
    """Where the pair takes the plane, at which speed it will be, and what it risks."""
    game: Flight = seen.imagined(Fast(0))
    space = game.terms.space
    ahead = foresee(space, game.state[seen.seat or 1], pair_of(choice))
    plane = ahead.plane
    if ahead.end == "ground":
        return f"{ARROWS[plane.facing]} CRASH"
    where = f"{ARROWS[plane.facing]} {space.grid.label(plane.front)}"
    if ahead.end in ("left", "right"):
        return f"{where}  leaves the map by the {ahead.end}"
    risk = breakup_chance(game, ahead)
    return (
        f"{where}  speed {ahead.speed_after}"
        + (", at the top" if ahead.end == "top" else "")
        + (f", breaks up {Fraction(risk).limit_denominator(6)}" if risk else "")
    )


def _shot(seen: Seen, choice: Choice) -> str:
    """The exact odds of the shot, from the rules that will resolve it."""
    found = shot_odds(seen, choice)
    said = [f"{'no hit' if n == 0 else 'one hit' if n == 1 else 'two hits'} {chance}" for n, chance in found.hits.items()]
    return ", ".join(said) + (f"; brings it down this round {found.down}" if found.down else "")
