"""What would follow from a choice, with every figure, before it is made: from a seat's view and the code that will resolve it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wardogs.kernel.fate import Fast
from wardogs.kernel.offers import Choice
from wardogs.kernel.system import Seen
from wardogs.scene.board import Reckoned
from wardogs.systems.dogs.reckoned_bursts import launched, thrown
from wardogs.systems.dogs.reckoned_moves import moved, run_at
from wardogs.systems.dogs.reckoned_shots import fired, fired_at_vehicle, fired_in_contact, scattered
from wardogs.systems.dogs.reckoned_strokes import knocked, struck
from wardogs.systems.dogs.weighing import Asked


class Reckoner(NamedTuple):
    """How a verb is reckoned, and the fields that must be filled in before it can be."""

    reckon: Callable[[Asked], Reckoned]
    needs: frozenset[str]


def _of(reckon: Callable[[Asked], Reckoned], needs: str = "") -> Reckoner:
    return Reckoner(reckon, frozenset({"model", *needs.split()}))


_FIRE, _SCATTER = _of(fired, "weapon mode target"), _of(scattered, "weapon target")
_AT_VEHICLE, _LAUNCH, _THROW = _of(fired_at_vehicle, "weapon mode vehicle"), _of(launched, "weapon"), _of(thrown, "kind")
_MOVE, _RUN_AT = _of(moved, "to"), _of(run_at, "target")

RECKONERS = {
    "fire": _FIRE,
    "op_fire": _FIRE,
    "opportunity_shot": _of(fired_in_contact, "weapon mode target"),
    "scatter_shot": _SCATTER,
    "op_scatter": _SCATTER,
    "fire_at_vehicle": _AT_VEHICLE,
    "op_fire_at_vehicle": _AT_VEHICLE,
    "launch": _LAUNCH,
    "op_launch": _LAUNCH,
    "throw": _THROW,
    "op_throw": _THROW,
    "blow": _of(struck, "weapon target"),
    "opportunity": _of(struck, "weapon target"),
    "knock_out": _of(knocked, "weapon target"),
    "walk": _MOVE,
    "run": _MOVE,
    "crawl": _MOVE,
    "charge": _RUN_AT,
    "tackle": _RUN_AT,
}


def reckon(seen: Seen, choice: Choice) -> Reckoned:
    """DOW-RNG-06: nothing here tells a range that may not be measured yet."""
    found = RECKONERS.get(choice["verb"])
    if found is None or not found.needs <= choice.keys():
        return Reckoned()
    return found.reckon(Asked(seen.imagined(Fast(0)), choice, seen.system.register.rules))
