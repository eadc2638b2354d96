"""Special ability cards: which of their effects work now. What each does is data (specials.toml)."""

from __future__ import annotations

from wardogs.systems.dawgs.data import SPECIALS, Effect
from wardogs.systems.dawgs.state import Plane

_BY_PLACE: dict[str, dict[tuple[str, str], tuple[Effect, ...]]] = {
    card.id: {
        (effect.at, effect.op): tuple(e for e in card.effects if (e.at, e.op) == (effect.at, effect.op))
        for effect in card.effects
    }
    for card in SPECIALS.values()
}


def effect(plane: Plane, at: str, op: str) -> Effect | None:
    """DAW-SPC-06, -23: what works now comes from the special revealed this round or lying in play, never from the hand."""
    card = plane.special if plane.special_in_play else plane.played
    if card is None:
        return None
    for found in _BY_PLACE[card].get((at, op), ()):
        if not found.when or _holds(found.when, plane):
            return found
    return None


def _holds(when: str, plane: Plane) -> bool:
    """DAW-SPC-02: N is the number card placed with the special."""
    if when == "hits_taken=0":
        return plane.hits_taken == 0
    return plane.placed is not None and when == f"N={plane.placed.number}"


def turn_of(found: Effect, plane: Plane) -> int:
    """How far an effect turns the plane, clockwise counted positive (DAW-SPC-02, -03)."""
    assert plane.placed is not None
    steps = {"N": plane.placed.number, "N+1": plane.placed.number + 1}.get(found.steps) or int(found.steps)
    return -steps if found.sign == "placed" and plane.placed.direction == "ccw" else steps


def may_not_fire(plane: Plane) -> bool:
    """DAW-SPC-17, -18: Play Dead and Lick Your Wounds bar the guns this round."""
    return effect(plane, "P2.0", "no_fire_this_round") is not None
