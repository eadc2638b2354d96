"""Roll for breakup: the faster a damaged plane flies, the sooner it falls apart."""

from __future__ import annotations

from functools import cache

from wardogs.kernel.dice import D6, reading
from wardogs.kernel.offers import Seat
from wardogs.systems.dawgs.data import BREAKUP, TRACK
from wardogs.systems.dawgs.losing import lose_together
from wardogs.systems.dawgs.specials import effect
from wardogs.systems.dawgs.state import Flight, Plane


def must_roll(plane: Plane) -> bool:
    """DAW-BRK-01, -07: the speed counter on the damage token or to its right, hit this round or not."""
    return plane.status == "flying" and plane.damage is not None and plane.speed >= plane.damage


def roll_for_breakup(g: Flight) -> None:
    """DAW-BRK-05: all rolls in seat order, then all removals."""
    g.change(phase="breakup")
    rolling = [plane.seat for plane in g.state.planes if must_roll(plane)]
    for seat in rolling:
        g.then(breakup_roll, seat)
    if rolling:
        g.then(break_up)


def breakup_roll(g: Flight, seat: Seat) -> None:
    """DAW-BRK-02, -03: a die and its bonus against the VULN at the damage token."""
    plane = g.state[seat]
    assert plane.damage is not None
    need, bonus = TRACK[plane.damage].vuln, breakup_bonus(plane, plane.damage)
    breaks = breakup_reading(need - bonus, g.terms.options.breakup_match == "exact")
    if g.roll("DAW-BRK-02", D6, breaks, who=seat, need=need, bonus=bonus):
        g.edit(seat, breaking=True)


def breakup_bonus(plane: Plane, damage: int) -> int:
    """DAW-BRK-02, DAW-SPC-21: one for each space that the speed is past the token, less what good bones hold."""
    bones = effect(plane, "P5", "breakup_mod")
    return BREAKUP.per_space * (plane.speed - damage) + (bones.delta if bones else 0)


@cache
def breakup_reading(need: int, exact: bool) -> tuple[bool, ...]:
    """DAW-BRK-03, -06: at least the number; a house rule wants it exactly."""
    return reading(D6, lambda face: face == need if exact else face >= need)


def break_up(g: Flight) -> None:
    """DAW-BRK-04: the player has lost; the plane is off the map, its team flies on."""
    lose_together(g, [plane.seat for plane in g.state.planes if plane.breaking], "broken_up", "DAW-BRK-04")
