"""Who sees by night as by day."""

from __future__ import annotations

from wardogs.systems.dogs.data import VEHICLES
from wardogs.systems.dogs.state import Fight, Model


def ignores_darkness(g: Fight, man: Model) -> bool:
    """DOW-AIR-04: the Pave Hawk does, and so do those who look and fire out of it."""
    return any(vehicle.id == man.vehicle and VEHICLES[vehicle.kind].night for vehicle in g.state.vehicles)


def has_night_eyes(g: Fight, man: Model) -> bool:
    """DOW-LOS-09, -10: the dark does not end his sight at ten inches."""
    return "nvg" in man.gear or ignores_darkness(g, man)
