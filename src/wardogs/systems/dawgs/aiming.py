"""Fire, first half: who may be fired upon, and why the others may not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wardogs.hexes.grid import minus, within_arc
from wardogs.kernel.offers import Refusal, Seat
from wardogs.systems.dawgs.data import SPECIALS
from wardogs.systems.dawgs.specials import effect, may_not_fire
from wardogs.systems.dawgs.state import Flight, Plane


def bearing(g: Flight, firer: Plane, target: Plane) -> Literal["front", "rear"] | None:
    """DAW-FIR-03 to -05, DAW-SPC-20: does the cone ahead, or the rear gun, bear on any on-map part of the target?"""
    space = g.terms.space
    body = space.covers(target.front, target.facing)
    if space.cone(firer.front, firer.facing) & body:
        return "front"
    gun = effect(firer, "P3.1", "extra_arc")
    if gun and space.cone(firer.front, (firer.facing + gun.turn) % 12, gun.increments) & body:
        return "rear"
    return None


def targets(g: Flight, firer: Plane) -> tuple[Seat, ...]:
    """DAW-FIR-01, -06: the enemy planes on the board that this one may fire upon now, in seat order."""
    if firer.fired or not firer.flying or may_not_fire(firer):
        return ()
    return tuple(
        [
            other.seat
            for other in g.state.planes
            if other.side != firer.side and other.status == "flying" and bearing(g, firer, other)
        ]
    )


def why_not_fire(g: Flight, firer: Plane, at: Seat) -> Iterator[Refusal]:
    """Every reason against a shot, the most telling first."""
    if not firer.flying:
        yield Refusal("DAW-RND-05", "not_flying", {"seat": firer.seat})
    if firer.fired:
        yield Refusal("DAW-FIR-02", "fired_already", {"seat": firer.seat})
    if may_not_fire(firer):
        assert firer.played is not None
        yield Refusal(SPECIALS[firer.played].rule, "may_not_fire", {"card": firer.played})
    if not isinstance(at, int) or not 1 <= at <= len(g.state.planes):
        yield Refusal("DAW-FIR-06", "no_such_plane", {"target": at})
        return
    target = g.state[at]
    if target.side == firer.side:
        yield Refusal("DAW-FIR-06", "own_side", {"target": at})
    elif not target.flying:
        yield Refusal("DAW-FIR-06", "not_on_board", {"target": at, "status": target.status})
    elif not bearing(g, firer, target):
        body = g.terms.space.aimed_at(target.front, target.facing)
        in_arc = any(within_arc(minus(hex_, firer.front), firer.facing) for hex_ in body)
        yield (
            Refusal("DAW-FIR-04", "out_of_reach", {"target": at})
            if in_arc
            else Refusal("DAW-FIR-03", "outside_arc", {"target": at})
        )
