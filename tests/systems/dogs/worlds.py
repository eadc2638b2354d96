"""Set-ups at random, and other worlds: positions that differ from a real one only in what a seat may not know."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from wardogs.kernel.game import Position
from wardogs.kernel.system import System, Wanted
from wardogs.systems.dogs.state import Battle, Device, Order, Terms

THEMES = ("village", "compound", "wood", "industrial", "street")


def random_setup(system: System, switches: dict[str, Any], rng: random.Random) -> Any:
    """A scenario cut short, or a small battle of random rosters on a small generated table."""
    if rng.random() < 0.05:
        raw = dict(system.scenarios[rng.choice(["crossroads", "night_snatch"])])
        return system.plan(Wanted({**raw, "turns": 1}, options=(switches,)))
    raw = {
        "theme": rng.choice(THEMES),
        "seed": rng.randrange(2),
        "size": [30, 30],
        "points": rng.choice([100, 100, 150, 250]),
        "turns": rng.choice([1, 1, 1, 2]),
        "light": rng.choice(["day", "day", "night"]),
        "hidden_devices": True,
    }
    return system.plan(Wanted(raw, options=(switches,)))


def other_world(terms: Terms, position: Position[Any], seat: int | None, rng: random.Random) -> Position[Any]:
    """Other vests under the enemy's coats, other orders, other devices that this seat knows nothing of."""
    battle: Battle = position.state
    for man in battle.models:
        if man.side != seat:
            fields: dict[str, Any] = {}
            if not man.opfire:  # a watcher's order decides if he is asked, which everybody at the table sees
                fields["order"] = rng.choice([Order(), Order("never"), Order("within", 6)])
            if terms.options.vests_hidden and man.alive and man.conscious:
                fields["vest"] = rng.choice([0, 1])
            battle = battle.edited(man.id, fields)
    # A charge makes its owner think at every slot boundary, which everybody sees: only what lies still may be otherwise.
    kept = [device for device in battle.devices if seat in device.known or device.kind in ("c4", "shaped_charge")]
    owner = 2 if seat == 1 else 1
    spots = [(rng.uniform(1, 20), rng.uniform(1, 20), 0.0) for _ in range(rng.randrange(3))]
    hidden = [Device(1000 + k, "ap_mine", owner, spot, (owner,)) for k, spot in enumerate(spots)]
    return replace(position, state=replace(battle, devices=(*kept, *hidden)))
