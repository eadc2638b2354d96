"""Change orientation: all planes turn at once, about their front hexes."""

from __future__ import annotations

from msgspec.structs import replace

from wardogs.systems.dawgs.data import CARDS
from wardogs.systems.dawgs.specials import effect, turn_of
from wardogs.systems.dawgs.state import Flight, Plane


def change_orientation(g: Flight) -> None:
    """DAW-RND-03: all turn before any moves; specials that act now do."""
    turned = tuple([turn(plane) if plane.placed is not None and plane.flying else plane for plane in g.state.planes])
    if not g.silent:
        for before, after in zip(g.state.planes, turned, strict=True):
            _tell(g, before, after)
    g.change(planes=turned)


def turn(plane: Plane) -> Plane:
    """DAW-ORI-01 to -07: by the number in the card's direction, at any speed; only the facing changes."""
    pair = plane.placed
    assert pair is not None
    card = CARDS.get(pair.other)
    if card is not None:
        if not card.sign:  # DAW-CRD-06: No Change ignores the number
            return plane
        return replace(plane, facing=(plane.facing + card.sign * pair.number) % 12)
    return special_turn(plane)


def special_turn(plane: Plane) -> Plane:
    """DAW-SPC-11 to -14: Roll Over, Chase Your Tail and Off the Leash act now; the other specials fly straight."""
    if roll := effect(plane, "P2.1", "rotate"):
        plane = replace(plane, facing=(plane.facing + turn_of(roll, plane)) % 12)
    if change := effect(plane, "P2.1", "speed"):
        plane = replace(plane, speed=min(change.max, max(change.min, plane.speed + change.delta)))
    return plane


def _tell(g: Flight, before: Plane, after: Plane) -> None:
    if after.facing != before.facing:
        g.report("DAW-ORI-01", "turned", who=after.seat, facing=after.facing, before=before.facing)
    if after.speed != before.speed:
        g.report("DAW-SPC-23", "special_speed", who=after.seat, speed=after.speed, before=before.speed)
