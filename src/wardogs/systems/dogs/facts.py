"""Figures of the data by name, for cases and look-ups: `weapons.m16a2.dpr`, `wound.chest.0.hp`, `c4.army.2.kill`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.systems.dogs import data, lists
from wardogs.systems.dogs.options import Options

CHARTS: dict[str, Any] = {
    "to_hit": data.TO_HIT,
    "full_auto": data.FULL_AUTO,
    "hand_throw": data.HAND_THROW,
    "difficult_throw": data.DIFFICULT_THROW,
    "deviation": data.DEVIATION,
    "locations": data.LOCATIONS,
    "wound_columns": data.WOUND_COLUMNS,
    "cq_mods": data.CQ_MODS,
    "morale_mods": data.MORALE_MODS,
    "survivability": data.SURVIVABILITY,
    "body": data.BODY,
    "sighting": data.SIGHTING,
}

TABLES: dict[str, Any] = {
    "weapons": data.WEAPONS,
    "blasts": data.BLASTS,
    "clouds": data.CLOUDS,
    "melee": data.MELEE,
    "covers": data.COVERS,
    "sight": data.SIGHT,
    "grounds": data.GROUNDS,
    "structures": data.STRUCTURES,
    "structure_damage": data.STRUCTURE_DAMAGE,
    "structure_figures": data.STRUCTURE_FIGURES,
    "pool": data.POOL,
    "costs": data.COSTS,
    "charts": CHARTS,
    "wound": data.WOUNDS,
    "vehicles": data.VEHICLES,
    "teams": lists.TEAMS,
    "purchases": lists.PURCHASES,
    "gear": lists.GEAR,
    "traits": lists.TRAITS,
    "perks": lists.PERKS,
    "building": lists.BUILDING,
    "vests": lists.VESTS,
    "options": Options(),
}


def fact(name: str) -> Any:
    """`table.key.key` from the data, or a computed figure: `c4.army.6.multi`, `at_range.ak47.12`, `ring.m67.2.dpr`..."""
    first, *rest = name.split(".")
    if first in COMPUTED:
        figure, given = COMPUTED[first]
        return _look_up(name, _computed(name, figure, rest[:given]), rest[given:])
    if first not in TABLES:
        raise unknown("fact", name, [*TABLES, *COMPUTED])
    return _look_up(name, TABLES[first], rest)


def _computed(name: str, figure: Callable[..., Any], given: list[str]) -> Any:
    try:
        return figure(*given)
    except (ValueError, TypeError, KeyError) as error:
        raise WardogsError(f"no such fact: {name}: {error}") from None


def _look_up(name: str, found: Any, keys: list[str]) -> Any:
    for key in keys:
        parts = _parts(found)
        if key not in parts:
            raise unknown(f"part of the fact {name}:", key, parts)
        found = parts[key]
    return msgspec.to_builtins(found)


def _parts(found: Any) -> dict[str, Any]:
    """What stands below a name: the fields of a record, the entries of a table, the members of a list counted from 0."""
    if isinstance(found, msgspec.Struct):
        return msgspec.structs.asdict(found)
    if isinstance(found, list | tuple):
        return {str(number): member for number, member in enumerate(found)}
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else {}


def _inches(said: str) -> float:
    """A length in a name has a comma for its point: `2,5`."""
    return float(said.replace(",", "."))


def c4(table: str, quarters: str) -> Any:
    """`c4.army.2.kill`; `c4.chart.2` by the printed chart; `c4.sdpr.2`; `c4.figures.arm`."""
    match table:
        case "army" | "elite":
            return data.C4.zones("army" if table == "army" else "elite", int(quarters))
        case "chart":
            return data.C4.zones("army", int(quarters), chart=True)
        case "sdpr":
            return data.C4.sdpr(int(quarters))
        case "figures":
            return msgspec.structs.asdict(data.C4)[quarters]
        case _:
            raise unknown("table of C4", table, ["army", "elite", "chart", "sdpr", "figures"])


def band(weapon: str, distance: str) -> int | None:
    """The number of the band, 0 for short."""
    return data.WEAPONS[weapon].band(_inches(distance))


def at_range(weapon: str, distance: str) -> int | None:
    """The modifier of the band."""
    return data.WEAPONS[weapon].at_range(_inches(distance))


def ring(blast: str, distance: str) -> data.Ring | None:
    """The ring at a distance."""
    return data.BLASTS[blast].ring_at(_inches(distance))


def wound_of(location: str, figure: str) -> data.Wound:
    """What D10 - DPR does to a location."""
    return data.WOUNDS[location][data.wound_column(int(figure))]


def how_many(table: str) -> int:
    """How many entries a table has."""
    return len(_parts(TABLES[table]))


COMPUTED: dict[str, tuple[Callable[..., Any], int]] = {
    "c4": (c4, 2),
    "band": (band, 2),
    "at_range": (at_range, 2),
    "ring": (ring, 2),
    "wound_of": (wound_of, 2),
    "how_many": (how_many, 1),
}
