"""What a pair of cards would do to one's own plane: for previews and for bots, by the paragraphs that will do it."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from wardogs.systems.dawgs.airspace import Airspace
from wardogs.systems.dawgs.data import CARDS, NUMBERS, SPECIALS, SPEED
from wardogs.systems.dawgs.offers import flank_ask, needs_flank
from wardogs.systems.dawgs.specials import effect, turn_of
from wardogs.systems.dawgs.speed import adjusted, licked
from wardogs.systems.dawgs.state import Placed, Plane
from wardogs.systems.dawgs.turning import turn


class Foreseen(NamedTuple):
    """The plane at the time of fire (its wounds licked, if nobody hits it), how its move ended, its speed after that."""

    plane: Plane
    end: str
    speed_after: int


STANDARD_PAIRS = tuple(
    Placed(number, card.id) for card in CARDS.values() if card.kind != "number" for number in (NUMBERS if card.sign else (1,))
)


def foresee(space: Airspace, plane: Plane, pair: Placed) -> Foreseen:
    """Turn, fly and look; a plane that leaves the map is shown where it left."""
    card = SPECIALS.get(pair.other)
    stays = card is not None and card.stay_in_play
    played = pair.other if card is not None and not stays else None
    plane = turn(replace(plane, placed=pair, played=played, special_in_play=plane.special_in_play or stays))
    flown = space.fly(plane.front, plane.facing, plane.speed, _first_flank(space, plane))
    plane = replace(plane, front=flown.front)
    if flown.end in ("left", "right"):
        return Foreseen(replace(plane, speed=SPEED.respawn), flown.end, SPEED.respawn)
    if flown.end == "top":
        stop = effect(plane, "P2.3", "top_stop_speed")
        plane = replace(plane, speed=stop.value if stop else SPEED.top_stop)
    if skid := effect(plane, "P2.3.end", "rotate"):
        plane = replace(plane, facing=(plane.facing + turn_of(skid, plane)) % 12)
    if space.touches_ground(plane.front, plane.facing):
        return Foreseen(plane, "ground", plane.speed)
    return Foreseen(licked(plane), flown.end, adjusted(space, plane))


def _first_flank(space: Airspace, plane: Plane) -> int | None:
    """Under `zigzag` a pilot who says nothing takes the clockwise flank."""
    if space.options.vertex_increment != "zigzag" or not needs_flank(plane):
        return None
    flank: int = flank_ask(plane).default["flank"]
    return flank


def survives_next(space: Airspace, foreseen: Foreseen) -> bool:
    """Is there any standard pair that keeps this plane out of the ground in the round after?"""
    later = replace(foreseen.plane, speed=foreseen.speed_after, played=None)
    return any(foresee(space, later, pair).end != "ground" for pair in STANDARD_PAIRS)
