"""Set-ups at random, and other worlds: positions that differ from a real one only in what a seat may not know."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from wardogs.kernel.game import Position
from wardogs.kernel.system import System, Wanted
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


def random_setup(system: System, switches: dict[str, Any], rng: random.Random) -> Any:
    """A scenario, or an open game of any size, of a few rounds."""
    wanted = {**switches, "round_limit": rng.randint(3, 9)}
    if rng.random() < 0.4:
        return system.plan(Wanted(rng.choice(["dawn_patrol", "courier", "last_flying"]), options=(wanted,)))
    seats = rng.randint(*system.seats)
    teams = random_teams(seats, rng) if rng.random() < 0.5 else None
    return system.plan(Wanted(None, seats, teams, (wanted,)))


def random_teams(seats: int, rng: random.Random) -> tuple[tuple[int, ...], ...]:
    count = rng.randint(2, min(4, seats))
    order = list(range(1, seats + 1))
    rng.shuffle(order)
    teams = [[seat] for seat in order[:count]]
    for seat in order[count:]:
        rng.choice(teams).append(seat)
    return tuple(tuple(sorted(team)) for team in teams)
