"""Adjust speed: pitch, then thin air, then levelling off."""

from __future__ import annotations

from msgspec.structs import replace

from wardogs.systems.dawgs.airspace import Airspace
from wardogs.systems.dawgs.data import FACINGS, SPEED, TOP_SPEED
from wardogs.systems.dawgs.specials import effect
from wardogs.systems.dawgs.state import Flight, Plane


def adjust_speed(g: Flight) -> None:
    """DAW-SPD-01, -09: every plane on the board, by the angle it has now; then wounds are licked."""
    new = []
    for plane in g.state.planes:
        after = plane
        if plane.status == "flying":
            speed = adjusted(g.terms.space, plane)
            after = licked(replace(plane, speed=speed) if speed != plane.speed else plane)
            if not g.silent:
                _tell(g, plane, after)
        new.append(after)
    g.change(planes=tuple(new), phase="adjust")


def adjusted(space: Airspace, plane: Plane) -> int:
    """DAW-SPD-07: in the order of the book, or levelling off before thin air."""
    speed = by_angle(plane)
    if space.options.speed_order == "level_first":
        return in_thin_air(space, plane, levelled(plane, speed))
    return levelled(plane, in_thin_air(space, plane, speed))


def by_angle(plane: Plane) -> int:
    """DAW-SPD-02 to -04, -08: two positions down gains one, two up loses one, never beyond the track."""
    if effect(plane, "P4", "skip_angle_change"):  # DAW-SPC-14
        return plane.speed
    return min(TOP_SPEED, max(0, plane.speed + FACINGS[plane.facing].speed_change))


def in_thin_air(space: Airspace, plane: Plane, speed: int) -> int:
    """DAW-SPD-05, DAW-SPC-22: any part in the top rows loses one, once; a cold nose does not mind."""
    thin = space.in_thin_air(plane.front, plane.facing) and not effect(plane, "P4", "ignore_low_atmosphere")
    return max(0, speed + SPEED.thin_air) if thin else speed


def levelled(plane: Plane, speed: int) -> int:
    """DAW-SPD-06: at 0 and level or nose down, speed becomes 1."""
    return SPEED.level_off_to if speed == 0 and FACINGS[plane.facing].levels_off else speed


def licked(plane: Plane) -> Plane:
    """DAW-SPC-18, DAW-DMG-06: unhurt this round, the token moves one space right; it never leaves the track."""
    lick = effect(plane, "P4.end", "damage_token")
    if lick and plane.damage is not None and plane.damage < lick.max:
        return replace(plane, damage=plane.damage + lick.delta)
    return plane


def _tell(g: Flight, before: Plane, after: Plane) -> None:
    if after.speed != before.speed:
        g.report("DAW-SPD-07", "speed", who=after.seat, speed=after.speed, before=before.speed)
    if after.damage != before.damage:
        g.report("DAW-SPC-18", "repaired", who=after.seat, damage=after.damage)
