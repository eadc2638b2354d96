"""What a man has on him, thing by thing: what goes when it goes, what he has when it comes."""

from __future__ import annotations

from typing import Any

from wardogs.kernel.offers import Refusal
from wardogs.systems.dogs.data import BLASTS, CLOUDS, WEAPONS
from wardogs.systems.dogs.lists import CHARGES, GEAR, UNDERSLUNG
from wardogs.systems.dogs.state import Item, Model, Weapon, count, counted

LAUNCHER = UNDERSLUNG.launcher
CALIBRES = frozenset(weapon.calibre for weapon in WEAPONS.values())
NOWHERE = (0.0, 0.0, 0.0)


def is_store(kind: str) -> bool:
    return kind in BLASTS or kind in CLOUDS or kind == CHARGES


def is_worn(kind: str) -> bool:
    """Armor stays on its man."""
    return kind in GEAR and bool(GEAR[kind].ar)


def host(man: Model) -> str:
    """DOW-RNG-15: the rifle that his launcher hangs from; "" if he has no launcher, or none to hang it from."""
    if man.weapon(LAUNCHER) is None:
        return ""
    return next((held.id for held in man.weapons if held.id in UNDERSLUNG.rifles), "")


def launcher_goes_with(man: Model) -> bool:
    return host(man) != ""


def kinds_of(man: Model) -> tuple[str, ...]:
    """Everything that he could part with, by kind."""
    weapons = [held.id for held in man.weapons if held.id != LAUNCHER or not launcher_goes_with(man)]
    gear = [kind for kind in man.gear if not is_worn(kind)]
    return (*weapons, *(kind for kind, _ in man.ammo), *(kind for kind, _ in man.stores), *gear)


def given(man: Model, kind: str) -> tuple[dict[str, Any], Item]:
    """What changes about a man who gives one thing away, and the thing: a weapon with all that hangs on it, all rounds
    of a calibre, one of everything else."""
    held = man.weapon(kind)
    if held is not None:
        return _weapon_given(man, held)
    if kind in CALIBRES:
        n = count(man.ammo, kind)
        return {"ammo": counted(man.ammo, kind, -n)}, Item(0, kind, NOWHERE, n=n)
    if is_store(kind):
        return {"stores": counted(man.stores, kind, -1)}, Item(0, kind, NOWHERE)
    fields: dict[str, Any] = {"gear": tuple(thing for thing in man.gear if thing != kind)}
    off = {"gas_mask": {"mask_on": False}, "nvg": {"nvg_down": False}}
    return fields | off.get(kind, {}), Item(0, kind, NOWHERE)


def _weapon_given(man: Model, held: Weapon) -> tuple[dict[str, Any], Item]:
    launcher = man.weapon(LAUNCHER) if host(man) == held.id else None
    gone = {held.id, LAUNCHER} if launcher else {held.id}
    weapons = tuple(weapon for weapon in man.weapons if weapon.id not in gone)
    fields = {"weapons": weapons, "in_hand": "" if man.in_hand == held.id else man.in_hand}
    return fields, Item(0, held.id, NOWHERE, held.loaded, bayonet=held.bayonet, under=launcher.loaded if launcher else -1)


def why_not_received(man: Model, item: Item) -> Refusal | None:
    """One weapon of a kind, and one piece of gear, is what a man carries."""
    has = [held.id for held in man.weapons]
    if item.kind in has or (item.under >= 0 and LAUNCHER in has) or item.kind in man.gear:
        return Refusal("DOW-ACT-01", "has_one", {"item": item.kind})
    return None


def received(man: Model, item: Item) -> dict[str, Any]:
    """What changes about a man who gets it; a weapon goes into empty hands."""
    if item.kind in WEAPONS:
        under = (Weapon(LAUNCHER, item.under),) if item.under >= 0 else ()
        weapons = (*man.weapons, Weapon(item.kind, item.loaded, item.bayonet), *under)
        return {"weapons": weapons, "in_hand": man.in_hand or item.kind}
    if item.kind in CALIBRES:
        return {"ammo": counted(man.ammo, item.kind, item.n)}
    if is_store(item.kind):
        return {"stores": counted(man.stores, item.kind, item.n)}
    return {"gear": tuple(sorted((*man.gear, item.kind)))}
