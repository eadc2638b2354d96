"""Figures of the data by name, for cases and look-ups: `weapons.m16a2.dpr`, `wound.chest.0.hp`, `c4.army.2.kill`.

Every value of a file can be had as it is written, the members of a list by id or counted from 0: `data.closing.strength.base`,
`scenarios.crossroads.turns`. Figures of a force name it in TOML: `cost { list = "usmc", all = ["nvg"] }`.
`refused` before any of these is the message with which it is refused: `refused cost { list = "usmcs" }`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.system import Wanted
from wardogs.systems.dogs import data, lists
from wardogs.systems.dogs.campaign import price_of_perk
from wardogs.systems.dogs.odds_tables import ODDS_TABLES, attack_rows
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.recruits import random_roster
from wardogs.systems.dogs.roster import (
    Roster,
    bill_text,
    catalogue,
    chat,
    cost,
    notes,
    read_chat,
    roster_dict,
    roster_from,
    sentence,
    sheet,
    soldiers,
    tidy,
    violations,
)
from wardogs.systems.dogs.scenario import checked, plan
from wardogs.systems.dogs.scenario_model import FOLDER as SCENARIO_FOLDER
from wardogs.systems.dogs.skirmish import skirmish

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
    "c4": data.C4,
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
    word, _, given = name.partition(" ")
    if word in FORCES:
        return _computed(name, FORCES[word], [given])
    first, *rest = name.split(".")
    if first in COMPUTED:
        figure, n = COMPUTED[first]
        return _look_up(name, _computed(name, figure, rest[:n]), rest[n:])
    if first not in TABLES:
        raise unknown("fact", name, [*TABLES, *COMPUTED, *FORCES])
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
    """What stands below a name: fields of a record, entries of a table, members of a list by id, else counted from 0."""
    if isinstance(found, msgspec.Struct):
        return msgspec.structs.asdict(found)
    if isinstance(found, list | tuple):
        if found and all(isinstance(member, dict) and "id" in member for member in found):
            return {member["id"]: member for member in found}
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
    """The modifier of the band of a weapon, or of a chart of throws."""
    found: int | None = (data.WEAPONS.get(weapon) or CHARTS[weapon]).at_range(_inches(distance))
    return found


def ring(blast: str, distance: str) -> data.Ring | None:
    """The ring at a distance."""
    return data.BLASTS[blast].ring_at(_inches(distance))


def wound_of(location: str, figure: str) -> data.Wound:
    """What D10 - DPR does to a location."""
    return data.WOUNDS[location][data.wound_column(int(figure))]


def how_many(table: str) -> int:
    """How many entries a table has."""
    return len(_parts(TABLES[table]))


# Files ----------------------------------------------------------------------------------------------------------------


@cache
def _file(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise KeyError(path.stem)
    return tomllib.loads(path.read_text(encoding="utf-8"))


def data_file(name: str) -> dict[str, Any]:
    """A file of the data as it is written."""
    return _file(data.FOLDER / f"{name}.toml")


def scenario_file(name: str) -> Any:
    """A shipped scenario as it is written."""
    raw = _file(SCENARIO_FOLDER / f"{name}.toml")
    return raw.get("scenario", raw)


# Forces ---------------------------------------------------------------------------------------------------------------

ANY_POINTS = 1_000_000


def _toml(said: str) -> Any:
    return tomllib.loads(f"said = {said}")["said"]


def _force(said: str) -> Roster:
    """A roster, a list of teams or one team, in TOML; teams alone may cost what they like."""
    raw = _toml(said)
    if isinstance(raw, dict) and "teams" in raw:
        return roster_from(raw)
    return roster_from({"points": ANY_POINTS, "teams": raw if isinstance(raw, list) else [raw]})


def force_cost(said: str) -> int:
    """DOW-GEN-07."""
    return cost(_force(said))


def force_worth(said: str) -> list[float]:
    """DOW-GEN-07: what each man is worth, team by team."""
    return [soldier.worth for team in _force(said).teams for soldier in soldiers(team)]


def force_bill(said: str) -> list[str]:
    """What it costs, line by line."""
    return [line.strip() for line in bill_text(_force(said)).split("\n")]


def force_faults(said: str) -> list[str]:
    """Every rule that it breaks, in words."""
    return [sentence(fault) for fault in violations(_force(said))]


def force_notes(said: str) -> list[str]:
    """What is legal and perhaps not meant."""
    return [sentence(note) for note in notes(_force(said))]


def force_chat(said: str) -> list[str]:
    """As a message, which must read back as the same force."""
    force = _force(said)
    text = chat(force)
    if read_chat(text) != tidy(force):
        raise ValueError("it does not read back as it was written")
    return text.split("\n")


def by_chance(said: str) -> list[str]:
    """`chance 500 7 taliban`: the force that a seed draws, as a message."""
    points, seed, *who = said.split(" ", 2)
    return chat(random_roster(int(points), int(seed), who[0] if who else None)).split("\n")


def _as_written(plain: Any) -> Any:
    """With lists, as a file has them."""
    return msgspec.json.decode(msgspec.json.encode(plain))


def force_sheet(said: str) -> list[str]:
    """Every man as he steps onto the table."""
    return sheet(_force(said)).split("\n")


def from_chat(said: str) -> Any:
    """`read Dogs of War: 250 of 500 points | Street gang | ...`: the roster of a message, its lines kept apart by bars."""
    return _as_written(roster_dict(read_chat(said.replace("|", "\n"))))


def list_of(said: str) -> list[str]:
    """`catalogue gang`: what a list may buy; without a name all lists."""
    return catalogue(said).split("\n")


def free_battle(said: str) -> Any:
    """`skirmish { seed = 3 }`: the scenario that a seed lays out."""
    return _as_written(skirmish(_toml(said)))


def zones(said: str) -> Any:
    """`zones { turns = 8 }`: the zones to be seen on a bare table of two gangs with these keys; "none" leaves a key out."""
    sides = [
        {"id": id_, "name": id_.upper(), "edge": edge, "team": [{"name": f"gang {id_}", "roster": {"list": "gang"}}]}
        for id_, edge in (("a", "S"), ("b", "N"))
    ]
    raw = {"id": "case", "name": "case", "map": {}, "side": sides, **_toml(said)}
    raw = {key: value for key, value in raw.items() if value != "none"}
    wanted = Wanted(raw, raw.pop("seats", None), raw.pop("teams", None), (raw.pop("options", {}),))
    return _as_written(checked(plan(wanted).scenario).map.zones)


def record(said: str) -> bool:
    """`record weapons m4 { magazine = 20 }`: an entry of the data with other figures, if it may have them: true."""
    table, id_, changes = said.split(" ", 2)
    old = TABLES[table][id_]
    new = data.convert(f"{table}, {id_}", {**msgspec.to_builtins(old), **_toml(changes)}, type(old))
    if isinstance(new, lists.TeamList | lists.Purchase | lists.Perk | lists.Gear) and (wrong := lists.wrong(new)):
        raise WardogsError(f"{table}, {id_}: {wrong}")
    return True


def attack_odds(said: str) -> list[str]:
    """`attack { range = "12" }`: the odds table of a ranged attack, row by row; `attack ?` is the table as it is offered."""
    table = ODDS_TABLES["attack"]
    if said == "?":
        about = [f"{name}: {means}" for name, means in table.takes.items()]
        return [table.title, table.rule, ", ".join(table.columns), *about, *(" ".join(map(str, row)) for row in table.rows())]
    return [" ".join(map(str, row)) for row in attack_rows(_toml(said))]


def entries(said: str) -> list[str]:
    """`entries vehicles [{ id = "jeep", ... }, ...]`: the ids of such a list, if it reads."""
    table, rows = said.split(" ", 1)
    return list(data.entries(table, _toml(rows), type(next(iter(TABLES[table].values())))))


def refused(said: str) -> str:
    """The words in which a fact is refused."""
    try:
        fact(said)
    except WardogsError as error:
        return str(error)
    raise ValueError("it is not refused")


FORCES: dict[str, Callable[[str], Any]] = {
    "cost": force_cost,
    "worth": force_worth,
    "bill": force_bill,
    "faults": force_faults,
    "notes": force_notes,
    "chat": force_chat,
    "chance": by_chance,
    "sheet": force_sheet,
    "read": from_chat,
    "catalogue": list_of,
    "skirmish": free_battle,
    "zones": zones,
    "record": record,
    "entries": entries,
    "attack": attack_odds,
    "refused": refused,
}

COMPUTED: dict[str, tuple[Callable[..., Any], int]] = {
    "c4": (c4, 2),
    "band": (band, 2),
    "at_range": (at_range, 2),
    "ring": (ring, 2),
    "wound_of": (wound_of, 2),
    "how_many": (how_many, 1),
    "price_of_perk": (price_of_perk, 2),
    "data": (data_file, 1),
    "scenarios": (scenario_file, 1),
}
