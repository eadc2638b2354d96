"""Why a scenario cannot be played: one line for each fault, with its place and how to mend it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import TypeAlias

import msgspec
from msgspec import Struct

from wardogs.systems.dogs.data import BLASTS, MELEE, VEHICLES, WEAPONS
from wardogs.systems.dogs.lists import CALIBRES, GEAR, TEAMS, VESTS
from wardogs.systems.dogs.scenario_model import (
    PARA,
    Extra,
    ExtraState,
    Generated,
    ItemPlan,
    Scenario,
    SidePlan,
    TeamPlan,
)
from wardogs.systems.dogs.victory_terms import Control, End, Hvt, Lift, Score, Victory
from wardogs.systems.dogs.zones import Zone, zone_faults
from wardogs.table.model import Map
from wardogs.table.units import Point

Faults: TypeAlias = Iterator[str]

STRUCTS: dict[str, type[Struct]] = {
    "side": SidePlan, "team": TeamPlan, "deploy": Zone, "zone": Zone, "extra": Extra, "state": ExtraState,
    "item": ItemPlan, "generated": Generated, "victory": Victory, "control": Control, "score": Score, "end": End, "hvt": Hvt,
    "lift": Lift,
}  # fmt: skip
TYPES = {
    "int": "a whole number", "float": "a figure", "str": "a word in quotes", "bool": "true or false", "array": "a list",
    "object": "a table",
}  # fmt: skip


# What does not read ---------------------------------------------------------------------------------------------------


def in_words(error: msgspec.ValidationError, struct: type[Struct] = Scenario) -> str:
    """The place and the fault: `side 1, team 2: unknown field "zon": did you mean zone?`"""
    text, _, path = str(error).partition(" - at `$")
    places = list[str]()
    for word, number in re.findall(r"\.(\w+)|\[(\d+)\]", path):
        if number and places:
            places[-1] += f" {int(number) + 1}"
        elif word:
            places.append(word)
            struct = STRUCTS.get(word, struct)
    return ": ".join(part for part in (", ".join(places), _fault(text, struct)) if part)


def _fault(text: str, struct: type[Struct]) -> str:
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", text, re.DOTALL):
        return f"unknown field {found[1]!a:.60}: {_near(found[1], struct.__struct_encode_fields__)}"
    if found := re.fullmatch(r"Object missing required field `(.*)`", text):
        return f"{found[1]} is missing: write {found[1]} = ..."
    if found := re.fullmatch(r"Expected `(\w+)(?: \| null)?`, got `(\w+)`", text):
        return f"must be {TYPES.get(found[1], found[1])}, not {TYPES.get(found[2], found[2])}"
    return f"{text[:1].lower()}{text[1:]}".replace("`", "")


def _near(name: str, known: Iterable[str]) -> str:
    names = list(known)
    near = get_close_matches(name, names, n=1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"


# What does not fit ----------------------------------------------------------------------------------------------------


def faults(scenario: Scenario, table: Map) -> Faults:
    """All that is wrong with a scenario that reads."""
    if len(scenario.sides) != 2:
        yield f"{len(scenario.sides)} sides: Dogs of War has two; write [[scenario.side]] twice"
        return
    yield from _edge_faults(*scenario.sides)
    yield from _twice("side", (side.id for side in scenario.sides))
    yield from _twice("side name", (side.name for side in scenario.sides))
    names = [team.name for side in scenario.sides for team in side.teams] + [extra.name for extra in scenario.extras]
    yield from _twice("team or model", names)
    for side in scenario.sides:
        yield from (f"side {side.id}{fault}" for fault in _side_faults(side, table))
    yield from _placed_faults(scenario, table)
    yield from _hvt_faults(scenario)
    yield from _lift_faults(scenario, table)
    yield from _victory_faults(scenario, table)


def _twice(what: str, names: Iterable[str]) -> Faults:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"there are {count} of the {what} {name!r}: give each its own"
        if not name or not name.isprintable() or len(name) > 80:
            yield f"the {what} {name!a:.60} needs a short, printable name"


def _edge_faults(one: SidePlan, other: SidePlan) -> Faults:
    """DOW-SET-05, -07."""
    if bool(one.edge) != bool(other.edge):
        yield "one side has an edge and the other none: write both, or neither to roll for them (DOW-SET-05)"
    elif one.edge and one.edge == other.edge:
        yield f"both sides have the edge {one.edge}: write opposite edges (DOW-SET-07)"


def _unknown(what: str, names: Iterable[str], known: Iterable[str]) -> Faults:
    there = list(known)
    for name in names:
        if name not in there:
            yield f"unknown {what} {name!a:.60}: {_near(name, there)}"


def _side_faults(side: SidePlan, table: Map) -> Faults:
    if not side.teams:
        yield ": no team: write [[scenario.side.team]] (DOW-GEN-06)"
    if side.deploy:
        yield from (f", deploy: {fault}" for fault in zone_faults(side.deploy, table))
    yield from (f", calls: {fault}" for fault in _unknown("shell", side.calls, BLASTS))
    for team in side.teams:
        yield from (f", team {team.name}: {fault}" for fault in _team_faults(team, table))


def _team_faults(team: TeamPlan, table: Map) -> Faults:
    own = TEAMS[team.roster.list]
    if team.zone:
        yield from (f"zone: {fault}" for fault in zone_faults(team.zone, table))
    yield from _unknown("role", [team.hvt] if team.hvt else [], (role.role for role in own.roles))
    if team.reserve == PARA and PARA not in own.special_rules:
        yield f"{own.name} cannot jump in: leave reserve out (DOW-AIR-01)"
    if bool(team.reserve) != bool(team.from_turn):
        yield "a reserve needs both: write reserve = and from_turn ="
    if team.reserve and team.zone:
        yield "a reserve begins off the table: leave its zone out"


def _placed_faults(scenario: Scenario, table: Map) -> Faults:
    """DOW-SET-03: single models and what lies about."""
    kinds = [*MELEE, *WEAPONS, *GEAR, *BLASTS]
    for item in scenario.items:
        yield from (f"item: {fault}" for fault in (*_unknown("kind", [item.kind], kinds), *_off(item.at, table)))
    for extra in scenario.extras:
        yield from (f"extra {extra.name}: {fault}" for fault in _extra_faults(scenario, extra, table))


def _extra_faults(scenario: Scenario, extra: Extra, table: Map) -> Faults:
    yield from _unknown("side", [extra.side], (side.id for side in scenario.sides))
    yield from _unknown("list", [extra.based_on], TEAMS)
    yield from _unknown("weapon", extra.weapons, WEAPONS)
    yield from _unknown("calibre", extra.ammo, CALIBRES)
    yield from _off(extra.at, table)


def _off(at: Point, table: Map) -> Faults:
    if not (0 <= at[0] <= table.size[0] and 0 <= at[1] <= table.size[1]):
        yield f"({at[0]:g}, {at[1]:g}) is off the table, which is {table.size[0]:g} by {table.size[1]:g} inches"


def _hvt_faults(scenario: Scenario) -> Faults:
    wanted = [(side, team) for side in scenario.sides for team in side.teams if team.hvt]
    if bool(wanted) != (scenario.hvt is not None) or len(wanted) > 1:
        yield f"{len(wanted)} wanted men: write hvt = (a role) for one team, and [scenario.hvt] with it"
    elif scenario.hvt:
        (side, team), rules = wanted[0], scenario.hvt
        yield from (f"hvt, by: {fault}" for fault in _unknown("side", [rules.by], (one.id for one in scenario.sides)))
        if rules.by == side.id:
            yield f"hvt, by: the wanted man is of {side.id} himself: write the other side"
        if not rules.jihad and any(buy.role == team.hvt and buy.perk == VESTS.perk for buy in team.roster.buy):
            yield f"hvt: he has the perk {VESTS.perk}, which jihad = false bars: take it out"


def _lift_faults(scenario: Scenario, table: Map) -> Faults:
    if not (lift := scenario.lift):
        return
    yield from (f"lift: {fault}" for fault in _unknown("side", [lift.side], (side.id for side in scenario.sides)))
    flying = [id_ for id_, vehicle in VEHICLES.items() if vehicle.altitude]
    yield from (f"lift: {fault}" for fault in _unknown("helicopter", [lift.kind], flying))
    yield from (f"lift, zone: {fault}" for fault in zone_faults(Zone(circle=lift.zone), table))
    if not 1 <= lift.from_turn <= lift.last_turn <= scenario.turns:
        yield f"lift: it stands from turn {lift.from_turn} to {lift.last_turn}, the game has {scenario.turns}: mend the turns"


def _victory_faults(scenario: Scenario, table: Map) -> Faults:
    """DOW-GEN-08, -17: what is scored must be there to be scored."""
    terms = scenario.victory
    yield from (f"victory, score: {fault}" for fault in _unknown("side", terms.scores, (side.id for side in scenario.sides)))
    there = {"hvt": scenario.hvt is not None, "crew": any(extra.crew for extra in scenario.extras)}
    for side, score in terms.scores.items():
        for what in sorted(score.speaks_of):
            if not there[what]:
                yield f"victory, score of {side}: it speaks of the {what}, but there is none: leave {what}_..._vp out"
    if terms.control:
        yield from (f"victory, control: {fault}" for fault in _control_faults(terms.control, table))
    for end in terms.ends:
        needs = "lift" if end.when == "helicopter_gone" else "hvt"
        if getattr(scenario, needs) is None:
            yield f"victory, end: {end.when} can never be: the scenario has no {needs}"


def _control_faults(control: Control, table: Map) -> Faults:
    yield from _off(control.centre, table)
    if control.radius <= 0:
        yield f"radius is {control.radius:g}: write more than 0"
