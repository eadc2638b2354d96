"""Scenarios: read, checked, planned; what holds for the whole game before the first die is rolled."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.options import choose_options
from wardogs.kernel.record import Setup
from wardogs.kernel.system import Wanted
from wardogs.systems.dogs.ground import with_kinds
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.roster import sentence, team_from, violations
from wardogs.systems.dogs.scenario_faults import faults, in_words
from wardogs.systems.dogs.scenario_model import (
    FOLDER,
    STANDARD,
    Edge,
    Extra,
    ExtraState,
    Generated,
    ItemPlan,
    Scenario,
    SidePlan,
    TeamPlan,
)
from wardogs.systems.dogs.skirmish import SKIRMISH, skirmish
from wardogs.systems.dogs.victory_terms import Control, End, Hvt, Lift, Score, Victory
from wardogs.systems.dogs.zones import Zone, settled, strip
from wardogs.table import misread
from wardogs.table.check import faults as map_faults
from wardogs.table.generate import generate
from wardogs.table.mapfile import with_ids
from wardogs.table.model import Map
from wardogs.table.model import Zone as MapZone

# The types of the parts are those of the whole: they are handed on.
__all__ = [
    "SCENARIOS", "STANDARD", "Control", "End", "Extra", "ExtraState", "Generated", "Hvt", "ItemPlan", "Lift", "Scenario",
    "Score", "SidePlan", "TeamPlan", "Victory", "Zone", "checked", "device_zone", "plan", "read_scenario", "zone_of",
]  # fmt: skip

SEATS = (1, 2)
QUOTES = "'\""


# Reading --------------------------------------------------------------------------------------------------------------


def read_scenario(path: Path) -> dict[str, Any]:
    """The plain data of a scenario file."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WardogsError(f"{path}: not a scenario: {error}") from None
    if not isinstance(raw.get("scenario"), dict):
        raise WardogsError(f"{path}: not a scenario: it has no [scenario] table")
    scenario: dict[str, Any] = raw["scenario"]
    return scenario


SCENARIOS = {name: read_scenario(FOLDER / f"{name}.toml") for name in ("crossroads", "night_snatch", "bird_down")}


def checked(raw: dict[str, Any]) -> Scenario:
    """A scenario from its data, refused with the reason if it cannot be played; the same data give the very same scenario."""
    return _checked(msgspec.json.encode(raw))


@lru_cache(maxsize=64)
def _checked(data: bytes) -> Scenario:
    raw: dict[str, Any] = msgspec.json.decode(data)
    try:
        return _laid_out(_read(raw))
    except WardogsError as error:
        line = " ".join(str(error).split())  # a name may have broken it
        raise WardogsError(f"scenario {ascii(raw.get('id', '?'))[:60].strip(QUOTES)}: {line}") from None


def _read(raw: dict[str, Any]) -> Scenario:
    table = _table(raw)
    try:
        scenario = msgspec.convert({**_with_rosters(raw), "map": table}, Scenario)
    except msgspec.ValidationError as error:
        raise WardogsError(in_words(error)) from None
    if fault := next(faults(scenario, table), ""):
        raise WardogsError(fault)
    return scenario


def _table(raw: dict[str, Any]) -> Map:
    """DOW-SET-01: the table of the file, sound and with an id for every piece, or the one of a theme and seed."""
    if ("map" in raw) == ("generated" in raw):
        raise WardogsError("write [scenario.map], or generated = { theme = ..., seed = ... }, one of the two")
    if "generated" in raw:
        return _generated(raw["generated"])
    try:
        table = with_ids(msgspec.convert(raw["map"], Map))
    except msgspec.ValidationError as error:
        raise WardogsError(f"map: {misread.in_words(error, raw['map'])}") from None
    if found := map_faults(table):
        raise WardogsError(f"map: {found[0]}")
    return table


def _generated(raw: Any) -> Map:
    try:
        laid = msgspec.convert(raw, Generated)
    except msgspec.ValidationError as error:
        raise WardogsError(f"generated: {in_words(error, Generated)}") from None
    return _laid(laid)


@lru_cache(maxsize=64)
def _laid(laid: Generated) -> Map:
    return generate(laid.theme, laid.seed, laid.size)


def _with_rosters(raw: dict[str, Any]) -> dict[str, Any]:
    """The same with every team read; what is no team at all is left for the next reader to complain of."""
    if not isinstance(raw.get("side"), list):
        return raw
    return {**raw, "side": [_with_teams(side, n) for n, side in enumerate(raw["side"], 1)]}


def _with_teams(side: Any, number: int) -> Any:
    if not isinstance(side, dict) or not isinstance(side.get("team"), list):
        return side
    return {**side, "team": [_with_team(team, f"side {number}, team {n}") for n, team in enumerate(side["team"], 1)]}


def _with_team(team: Any, where: str) -> Any:
    if not isinstance(team, dict) or not isinstance(team.get("roster"), dict):
        return team
    try:
        return {**team, "roster": team_from(team["roster"])}
    except WardogsError as error:
        raise WardogsError(f"{where}, roster: {error}") from None


# The table ------------------------------------------------------------------------------------------------------------


def _laid_out(scenario: Scenario) -> Scenario:
    """With zones that know their building, and a table of this book's kinds on which the zones can be seen."""
    sides = tuple(_settled(side, scenario.map) for side in scenario.sides)
    whole = replace(scenario, sides=sides)
    table = replace(scenario.map, zones=(*scenario.map.zones, *_shown(whole)))
    return replace(whole, map=with_kinds(with_ids(table)))


def _settled(side: SidePlan, table: Map) -> SidePlan:
    teams = tuple(replace(team, zone=team.zone and settled(team.zone, table)) for team in side.teams)
    return replace(side, teams=teams, deploy=side.deploy and settled(side.deploy, table))


def _shown(scenario: Scenario) -> Iterator[MapZone]:
    """Where the sides deploy, what must be held and where a helicopter lands, for the plan of the table; each once."""
    zones = [(side.id, side.name, zone) for side in scenario.sides for zone in (side.deploy, *(team.zone for team in side.teams))]
    for side, name, zone in dict.fromkeys(zones):
        if zone:
            yield MapZone(name=name, side=side, rect=zone.rect, circle=zone.circle, polygon=zone.polygon)
    if control := scenario.victory.control:
        yield MapZone(name="to be held", circle=(*control.centre, control.radius))
    if lift := scenario.lift:
        yield MapZone(name="landing zone", side=lift.side, circle=lift.zone)


def zone_of(scenario: Scenario, team: TeamPlan, side: SidePlan, edge: Edge = "") -> Zone:
    """DOW-SET-07: a team's own zone, else its side's, else the standard one at its edge (the one rolled for, if it was)."""
    zone = team.zone or side.deploy
    return zone or _strip(scenario, side, edge, STANDARD.deploy_depth)


def device_zone(scenario: Scenario, side: SidePlan, edge: Edge = "") -> Zone:
    """DOW-SET-08: where mines and Claymores may lie hidden at the start."""
    return _strip(scenario, side, edge, STANDARD.device_depth)


def _strip(scenario: Scenario, side: SidePlan, edge: Edge, depth: float) -> Zone:
    at = edge or side.edge
    assert at, "the edge was rolled for before"
    return strip(at, scenario.map.size, depth)


# Planning -------------------------------------------------------------------------------------------------------------


def plan(wanted: Wanted) -> Setup:
    """P1, P2: the whole set-up; the host's own settings beat the scenario's, which beat the defaults."""
    raw = _wanted_scenario(wanted)
    scenario = checked(raw)
    if wanted.seats not in (None, len(SEATS)):
        raise WardogsError(f"{scenario.title} is fought by {len(SEATS)} seats, not {wanted.seats}")
    if wanted.teams is not None:
        raise WardogsError("Dogs of War has two sides of one seat each: leave the teams out")
    options = choose_options(Options, scenario.switches, *wanted.options)
    for side in scenario.sides:
        _check_force(scenario, side, options)
    return Setup(raw, msgspec.to_builtins(options), SEATS)


def _wanted_scenario(wanted: Wanted) -> dict[str, Any]:
    if isinstance(wanted.scenario, dict):
        return wanted.scenario if "side" in wanted.scenario else skirmish(wanted.scenario, wanted.options)
    if wanted.scenario in (None, SKIRMISH):
        return skirmish({}, wanted.options)
    if wanted.scenario not in SCENARIOS:
        raise unknown("scenario", wanted.scenario, [*SCENARIOS, SKIRMISH])
    return SCENARIOS[wanted.scenario]


def _check_force(scenario: Scenario, side: SidePlan, options: Options) -> None:
    """P2, DOW-GEN-07, DOW-BLD-01: a force that its lists or its points do not allow is refused."""
    for found in violations(side.roster, side.points, options, mixed=scenario.mixed_factions):
        raise WardogsError(f"scenario {scenario.id}: side {side.id}: {sentence(found)}")
