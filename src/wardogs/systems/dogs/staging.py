"""How a game begins, how a case is set up, and looking at what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.game import Position, Step
from wardogs.kernel.offers import Seat
from wardogs.kernel.options import choose_options
from wardogs.kernel.record import Setup
from wardogs.kernel.system import frozen
from wardogs.systems.dogs.data import POOL
from wardogs.systems.dogs.ground import with_kinds
from wardogs.systems.dogs.lists import TEAMS
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.roster import Soldier, soldiers, team_from
from wardogs.systems.dogs.roster_issue import loaded
from wardogs.systems.dogs.scenario import checked
from wardogs.systems.dogs.scenario_model import Extra, Scenario, TeamPlan
from wardogs.systems.dogs.state import (
    Battle,
    Cloud,
    Counts,
    Device,
    Item,
    Mission,
    Model,
    SideState,
    Structure,
    Team,
    Terms,
    Vehicle,
    Weapon,
)
from wardogs.table.mapfile import with_ids
from wardogs.table.model import Map
from wardogs.table.terrain import known

# ---- a game ----------------------------------------------------------------------------------------------------------


def terms_of(setup: Setup) -> Terms:
    """What stays the same all game, from the header of its record."""
    options = msgspec.convert(setup.options, Options)
    scenario = checked(setup.scenario)
    who = {id_: soldier for id_, soldier, *_ in everybody(scenario, options)}
    return Terms(options, scenario, scenario.map, who)


def everybody(scenario: Scenario, options: Options) -> list[tuple[str, Soldier, Seat, str, TeamPlan | Extra]]:
    """Every man in list order: his id, his profile, his side and team, and the plan he comes from."""
    found: list[tuple[str, Soldier, Seat, str, TeamPlan | Extra]] = []
    for seat, side in enumerate(scenario.sides, 1):
        for team in side.teams:
            for soldier in soldiers(team.roster, options):
                extra = ("fearless",) if team.fearless else ()
                man = replace(soldier, traits=(*soldier.traits, *extra))
                found.append((f"{team.name} {soldier.role}", man, seat, team.name, team))
        for extra_man in scenario.extras:
            if extra_man.side == side.id:
                found.append((extra_man.name, profile_of_extra(extra_man, options), seat, "", extra_man))
    return found


def profile_of_extra(extra: Extra, options: Options) -> Soldier:
    """DOW-COM-11: a man of no team has the figures of a list, and what the scenario gives him."""
    plain = soldiers(team_from({"list": extra.based_on}), options)[1]
    return replace(plain, role="extra", title=extra.name, weapons=(), ammo={}, grenades={}, rockets={}, devices={}, worth=0.0)


def begin(terms: Terms) -> Position[Battle]:
    """Before the first roll: everybody off the table."""
    models, teams = [], []
    for id_, soldier, seat, team, plan in everybody(terms.scenario, terms.options):
        models.append(undeployed(id_, soldier, seat, team, plan))
    for seat, side in enumerate(terms.scenario.sides, 1):
        for plan in side.teams:
            members = tuple(model.id for model in models if model.team == plan.name)
            teams.append(new_team(terms, plan.name, seat, members, plan))
    sides = tuple(
        SideState(seat, edge=side.edge, calls=counts(side.calls), commander=best_leader(terms, teams, seat))
        for seat, side in enumerate(terms.scenario.sides, 1)
    )
    items = tuple(Item(k, item.kind, (*item.at, item.z)) for k, item in enumerate(terms.scenario.items, 1))
    battle = Battle(tuple(models), tuple(teams), (sides[0], sides[1]), items=items, made=len(items))
    return Position(battle, (Step("set_up"),))


def best_leader(terms: Terms, teams: list[Team], seat: Seat) -> str:
    leaders = [team.leader for team in teams if team.side == seat]
    return max(leaders, key=lambda id_: terms.who[id_].cc, default="")


def new_team(terms: Terms, name: str, seat: Seat, members: tuple[str, ...], plan: TeamPlan | None) -> Team:
    calm = any(trait.startswith("disciplined") for id_ in members for trait in terms.who[id_].traits)
    reserve, from_turn = (plan.reserve, plan.from_turn) if plan else ("", 0)
    return Team(
        name, seat, members, members[0], members[0], disciplined_left=calm, reserve=reserve, from_turn=from_turn
    )  # fmt: skip


def undeployed(id_: str, soldier: Soldier, seat: Seat, team: str, plan: TeamPlan | Extra | None) -> Model:
    model = armed(id_, soldier, seat, team)
    if isinstance(plan, Extra):
        return extra_state(model, plan)
    return replace(model, away="reserve", vest=soldier.vest)


def extra_state(model: Model, extra: Extra) -> Model:
    """As the scenario has him lie there."""
    state = extra.state
    weapons, ammo = loaded(extra.weapons, Counter(extra.ammo), Counter())
    return replace(
        model,
        at=(*extra.at, 0.0),
        facing=extra.facing,
        weapons=tuple(Weapon(weapon.id, weapon.loaded) for weapon in weapons),
        in_hand=next(iter(extra.weapons), ""),
        ammo=counts(ammo),
        hp=state.hp if state.hp is not None else model.hp,
        conscious=state.conscious,
        immobilized=state.immobilized,
        stabilized=state.bandaged,
        stance="prone" if state.prone else "standing",
    )


def armed(id_: str, soldier: Soldier, seat: Seat, team: str) -> Model:
    weapons = tuple(Weapon(carried.id, carried.loaded) for carried in soldier.weapons)
    traits, perks = soldier.traits, soldier.perks
    return Model(
        id_,
        seat,
        team,
        hp=soldier.hp,
        weapons=weapons,
        in_hand=next((weapon.id for weapon in weapons if weapon.id != "m203"), ""),
        ammo=counts(soldier.ammo),
        stores=counts({**soldier.grenades, **soldier.rockets, **soldier.devices}),
        gear=tuple(sorted(soldier.gear)),
        disciplined_left="disciplined" in traits or "disciplined_optional" in traits,
        expert_left="expert_rifleman" in traits,
        hardcorps_left="hard_corps" in perks,
    )


def counts(found: Mapping[str, int]) -> Counts:
    return tuple(sorted((kind, n) for kind, n in found.items() if n))


# ---- a case ----------------------------------------------------------------------------------------------------------


class Stage(Struct, frozen=True, forbid_unknown_fields=True):
    """The [setup] of a case: a scenario, or a bare table with what the case needs."""

    scenario: str | dict[str, Any] | None = None
    map: dict[str, Any] | None = None
    light: str = "day"
    turns: int = 10
    models: tuple[dict[str, Any], ...] = ()
    teams: tuple[dict[str, Any], ...] = ()
    sides: tuple[dict[str, Any], ...] = ()
    devices: tuple[dict[str, Any], ...] = ()
    clouds: tuple[dict[str, Any], ...] = ()
    items: tuple[dict[str, Any], ...] = ()
    vehicles: tuple[dict[str, Any], ...] = ()
    structures: tuple[dict[str, Any], ...] = ()
    missions: tuple[dict[str, Any], ...] = ()
    victory: dict[str, Any] = {}
    special: dict[str, Any] = {}  # any further key of a scenario
    slot: int = 1
    first: int = 1
    active: tuple[str, ...] = ()
    turn: int = 1
    phase: str = "activations"
    run: tuple[Any, ...] = ()
    agenda: tuple[tuple[Any, ...], ...] = ()


def stage(raw: Mapping[str, Any], switches: Mapping[str, Any]) -> tuple[Terms, Position[Battle]]:
    wanted = _converted("setup", raw, Stage)
    if wanted.scenario is not None:
        return _staged_scenario(wanted, switches)
    options = choose_options(Options, {}, switches)
    table = _table(msgspec.json.encode(wanted.map or {}))
    who: dict[str, Soldier] = {}
    models: list[Model] = []
    for entry in wanted.models:
        soldier, model = _man(entry, options, wanted.active)
        who[model.id] = soldier
        models.append(model)
    scenario = _bare_scenario(wanted, table)
    terms = Terms(options, scenario, table, who)
    return terms, Position(_bare_battle(wanted, terms, models), _agenda(wanted))


@lru_cache(maxsize=256)
def _table(raw: bytes) -> Map:
    """The same map for the same text: what is known of its terrain is kept by its identity."""
    table: Map = _converted("setup, map", msgspec.json.decode(raw), Map)
    return known(with_kinds(with_ids(table)))


def _agenda(wanted: Stage) -> tuple[Step, ...]:
    if wanted.run:
        return (Step(wanted.run[0], frozen(wanted.run[1:])),)
    if wanted.agenda:
        return tuple(Step(step[0], frozen(step[1:])) for step in wanted.agenda)
    return (Step("act"),) if wanted.active else ()


def _staged_scenario(wanted: Stage, switches: Mapping[str, Any]) -> tuple[Terms, Position[Battle]]:
    from wardogs.kernel.system import Wanted
    from wardogs.systems.dogs.scenario import plan

    terms = terms_of(plan(Wanted(wanted.scenario, options=(switches,))))
    position = begin(terms)
    return terms, replace(position, agenda=_agenda(wanted) or position.agenda)


def _bare_scenario(wanted: Stage, table: Map) -> Scenario:
    sides = [{"id": f"side{seat}", "name": f"side {seat}", "edge": edge} for seat, edge in ((1, "S"), (2, "N"))]
    raw = {"id": "case", "name": "case", "light": wanted.light, "turns": wanted.turns, "side": sides, **wanted.special}
    if wanted.victory:
        raw["victory"] = wanted.victory
    scenario: Scenario = _converted("setup", raw, Scenario)
    return replace(scenario, map=table)


def _man(entry: dict[str, Any], options: Options, active: tuple[str, ...]) -> tuple[Soldier, Model]:
    """{ id, side, list, role, team, at, facing, stance, buys as a roster's, set = profile, state = model }"""
    given = dict(entry)
    id_, list_, role = given.pop("id"), given.pop("list", "us_rangers"), given.pop("role", "scout")
    if list_ not in TEAMS:
        raise unknown("list", list_, TEAMS)
    changes, state = given.pop("set", {}), given.pop("state", {})
    at, seat, team = given.pop("at", (0, 0)), given.pop("side", 1), given.pop("team", "")
    place = (float(at[0]), float(at[1]), float(at[2]) if len(at) > 2 else 0.0)
    direct: dict[str, Any] = {key: given.pop(key) for key in ("facing", "stance") if key in given}
    soldier = _profile(list_, role, given, changes, options, id_)
    model = replace(armed(id_, soldier, seat, team), at=place, vest=soldier.vest)
    if id_ in active:
        model = replace(model, ap=POOL.ap, activated=True)
    return soldier, _changed(model, {**direct, **state}, f"setup, model {id_}")


def _profile(list_: str, role: str, given: dict[str, Any], changes: dict[str, Any], options: Options, id_: str) -> Soldier:
    roles = [one.role for one in TEAMS[list_].roles]
    if role not in roles:
        raise unknown(f"role of {list_}", role, roles)
    team = team_from({"list": list_, **given})
    soldier = soldiers(team, options)[roles.index(role)]
    changed: Soldier = _changed(soldier, changes, f"setup, model {id_}, set")
    return changed


def _changed(record: Any, changes: Mapping[str, Any], place: str) -> Any:
    for key in changes:
        if key not in record.__struct_fields__:
            raise WardogsError(f"{place}: {unknown('field', key, record.__struct_fields__)}")
    plain = {**msgspec.to_builtins(record), **changes}
    return _converted(place, plain, type(record))


def _bare_battle(wanted: Stage, terms: Terms, models: list[Model]) -> Battle:
    names = list(dict.fromkeys(model.team for model in models if model.team))
    teams = []
    for name in names:
        members = tuple(model.id for model in models if model.team == name)
        teams.append(new_team(terms, name, next(m.side for m in models if m.id == members[0]), members, None))
    given = {entry["id"]: entry for entry in wanted.teams}
    teams = [_changed(team, given.get(team.id, {}), f"setup, team {team.id}") for team in teams]
    sides = [SideState(seat, edge=edge, commander=best_leader(terms, teams, seat)) for seat, edge in ((1, "S"), (2, "N"))]
    own = {entry["seat"]: entry for entry in wanted.sides}
    sides = [_changed(side, own.get(side.seat, {}), "setup, sides") for side in sides]
    return Battle(
        tuple(models),
        tuple(teams),
        (sides[0], sides[1]),
        turn=wanted.turn,
        phase=wanted.phase,
        first_side=wanted.first,
        slot_side=wanted.slot,
        active=wanted.active,
        devices=tuple(_converted("setup, devices", entry, Device) for entry in wanted.devices),
        clouds=tuple(_converted("setup, clouds", entry, Cloud) for entry in wanted.clouds),
        items=tuple(_converted("setup, items", entry, Item) for entry in wanted.items),
        vehicles=tuple(_converted("setup, vehicles", entry, Vehicle) for entry in wanted.vehicles),
        structures=tuple(_converted("setup, structures", entry, Structure) for entry in wanted.structures),
        missions=tuple(_converted("setup, missions", entry, Mission) for entry in wanted.missions),
        made=100,
        laid=(50, 50),
    )


def _converted(place: str, raw: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise WardogsError(f"{place}: {error}") from None


# ---- looking ---------------------------------------------------------------------------------------------------------


def look(terms: Terms, battle: Battle, path: str) -> Any:
    """ "a.hp", "a.profile.wp", "team.R.khat_high", "side.1.vp", "device.1.at", "structure.B1.sp", "turn", "result.side"."""
    battle = getattr(battle, "battle", battle)  # a seat's view of it
    first, *rest = path.split(".")
    groups: dict[str, dict[str, Any]] = {
        "team": {team.id: team for team in battle.teams},
        "side": {str(side.seat): side for side in battle.sides},
        "device": {str(device.id): device for device in battle.devices},
        "vehicle": {vehicle.id: vehicle for vehicle in battle.vehicles},
        "structure": {one.building: one for one in battle.structures},
        "item": {str(item.id): item for item in battle.items},
        "cloud": {str(k): cloud for k, cloud in enumerate(battle.clouds, 1)},
    }
    if first in groups and rest:
        found = groups[first].get(rest[0])
        return None if found is None else _read(found, rest[1:], path)
    models = {model.id: model for model in battle.models}
    if first in models:
        if rest[:1] == ["profile"]:
            return _read(terms.who[first], rest[1:], path)
        return _read(models[first], rest, path)
    return _read(battle, [first, *rest], path)


def _read(record: Any, names: list[str], path: str) -> Any:
    for name in names:
        if record is None:
            return None
        if isinstance(record, dict):
            record = record.get(name)
        elif isinstance(record, tuple) and name.isdigit():
            record = record[int(name)] if int(name) < len(record) else None
        elif isinstance(record, tuple) and record and isinstance(record[0], tuple) and len(record[0]) == 2:
            record = dict(record).get(name, 0)
        elif name == "count" and isinstance(record, tuple):
            record = len(record)
        elif hasattr(record, name):
            record = getattr(record, name)
        else:
            raise WardogsError(f"{path}: there is no {name} there")
    return list(record) if isinstance(record, tuple) else record
