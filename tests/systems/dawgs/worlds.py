"""Other worlds: positions that differ from a real one only in what a seat may not know."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from wardogs.kernel.game import Position
from wardogs.systems.dawgs.state import Air, Terms


def other_world(terms: Terms, position: Position[Any], seat: int | None, rng: random.Random) -> Position[Any]:
    """Hidden specials and the pile shuffled among themselves, as far as this seat cannot see them."""
    air: Air = position.state
    open_to_mates = terms.options.team_cards_open and seat is not None

    def hidden(plane: Any) -> bool:
        mate = open_to_mates and air[seat].side == plane.side
        return plane.special is not None and not plane.special_public and plane.seat != seat and not mate

    unknown = [plane.seat for plane in air.planes if hidden(plane)]
    cards = [*(air[other].special for other in unknown), *air.pile]
    rng.shuffle(cards)
    for other in unknown:
        air = air.edited(other, {"special": cards.pop()})
    return replace(position, state=replace(air, pile=tuple(cards)))
