"""Damage: hits are collected, then all tokens move together."""

from __future__ import annotations

from wardogs.systems.dawgs.data import TRACK_RULES
from wardogs.systems.dawgs.losing import lose_together
from wardogs.systems.dawgs.state import Flight
from wardogs.systems.dawgs.victory import end_if_decided


def hurt(damage: int | None, hits: int) -> tuple[int | None, bool]:
    """DAW-DMG-01 to -03: the first hit puts the token on the far right, each further one moves it left.

    The flag says that a hit found the token on the last space already (DAW-DMG-04).
    """
    over = False
    for _ in range(hits):
        if damage is None:
            damage = TRACK_RULES.damage_first_space
        elif damage > 0:
            damage += TRACK_RULES.damage_step
        else:
            over = True
    return damage, over


def apply_damage(g: Flight) -> None:
    """DAW-DMG-05, -06, -07, DAW-FIR-11: all hits count now, together; they change nothing but the token."""
    destroyed = []
    for plane in g.state.planes:
        if plane.pending_hits and plane.in_the_sky:
            damage, over = hurt(plane.damage, plane.pending_hits)
            hit_by = plane.hitters or plane.hit_by
            taken = plane.hits_taken + plane.pending_hits
            g.edit(plane.seat, damage=damage, hits_taken=taken, pending_hits=0, hit_by=hit_by)
            g.report("DAW-DMG-07", "damaged", who=plane.seat, hits=plane.pending_hits, damage=damage)
            if over and g.terms.options.overflow_hits == "destroyed":
                destroyed.append(plane.seat)
    if destroyed:
        lose_together(g, destroyed, "destroyed", "DAW-DMG-04")
        if g.terms.options.check_victory == "immediate":  # DAW-VIC-04
            end_if_decided(g)
