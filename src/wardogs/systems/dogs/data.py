"""The data of the rulebook, loaded once into typed records. Gaps, overlaps and unknown keys are refused."""

from __future__ import annotations

import tomllib
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

import msgspec
from msgspec import Struct, field

from wardogs.kernel.errors import WardogsError
from wardogs.systems.dogs.arms import (
    Ability,
    Bands,
    Blast,
    C4Table,
    CloseQuarters,
    Cloud,
    Demolition,
    Melee,
    Mode,
    Ring,
    Source,
    Weapon,
    Zones,
    rising,
)

# The types of arms.py are part of the data: they are handed on.
__all__ = ["Blast", "C4Table", "CloseQuarters", "Cloud", "Demolition", "Melee", "Mode", "Ring", "Weapon", "Zones"]

FOLDER = Path(__file__).parent / "data"
D = TypeVar("D")
Location = Literal["head", "chest", "stomach", "abdomen", "right_leg", "left_leg", "right_arm", "left_arm"]


class Named(Protocol):
    @property
    def id(self) -> str: ...


N = TypeVar("N", bound=Named)


class Pool(Struct, frozen=True, forbid_unknown_fields=True):
    """Action points to spend: in a turn, on Op-Fire, at an opportunity, out of breath."""

    ap: int
    opfire_cost: int
    opfire_ap: int
    aoo_ap: int
    breathless_ap: int
    source: Source


class Run(Struct, frozen=True, forbid_unknown_fields=True):
    ap: int
    inches: int


class RubbleRun(Struct, frozen=True, forbid_unknown_fields=True):
    ap: int
    inches: int
    check: Ability


class RunningJump(Struct, frozen=True, forbid_unknown_fields=True):
    run_up: int
    jump: int
    total: int
    run_up_inches: int
    max_gap: int


class Tested(Struct, frozen=True, forbid_unknown_fields=True):
    ap: int
    check: Ability


class Drive(Struct, frozen=True, forbid_unknown_fields=True):
    ap: int
    open: int
    rough: int


class TurnVehicle(Struct, frozen=True, forbid_unknown_fields=True):
    ap: int
    degrees: int


class Costs(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-GEN-10: what each act costs, those of the book and those agreed."""

    walk_per_inch: int
    run: Run
    crawl_per_inch: int
    prone: int
    stand: int
    walk_rubble_per_inch: int
    run_rubble: RubbleRun
    climb_per_inch: int
    climb_limit_heights: float
    jump_1: int
    jump_1_gap: int
    jump_2: RunningJump
    jump_column_per_inch: int
    pick_up: int
    drop: int
    throw_grenade: int
    facing: int
    trigger: int
    bandage: int
    medic_aid: int
    wake_help: int
    learn_weapon: int
    pick_up_wounded: int
    carry_walk_per_inch: int
    carry_run: Run
    fix_bayonet: int
    bind: int
    unarmed_attack: int
    aimed: int
    scope: int
    spotter: int
    c4_per_quarter: int
    shaped_charge: int
    hand_over: int
    swap_weapon: int
    open_door: int
    force_door: Tested
    break_free: int
    free_prisoner: int
    unfix_bayonet: int
    place_mine: int
    lift_mine: Tested
    emplace_claymore: int
    mask: int
    goggles: int
    mount: int
    dismount: int
    drive: Drive
    turn_vehicle: TurnVehicle
    call_fire: int
    rappel: int
    fast_rope: int
    cross_low_wall: int
    demand_surrender: int


class Cover(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-COV-04: what may stop a round, and what it does to the weapon's score."""

    id: str
    mod: int
    source: Source
    klass: Literal["soft", "hard"] = field(name="class")


class Sight(Struct, frozen=True, forbid_unknown_fields=True):
    """Covers with gaps, and covers that do not hide; the rest is solid to the eye."""

    thin: tuple[str, ...]
    see_through: tuple[str, ...]
    source: Source


class Ground(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """AP per inch walked (none: impassable), how it is run over, what cover it gives."""

    run: Literal["open", "rubble", "no"]
    source: Source
    walk: int | None = None
    cover: str | None = None
    height: float = 0.0
    min_depth: float = 0.0


class Structure(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-STR-01: structure points per level."""

    sp_per_level: int
    cover: str
    source: Source


class StructureDamage(Struct, frozen=True, forbid_unknown_fields=True):
    """Structure points lost, by column; at `level_destroyed_at` or less the level falls at once."""

    by_column: tuple[int, int, int, int]
    level_destroyed_at: int
    source: Source


class StructureFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """A building as a target, and as a heap."""

    to_hit_per_level: int
    collapse_divisor: int
    source: Source


class ToHit(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The ranged modifiers, and the natural results."""

    aimed: int
    scope: int
    spotter: int
    prone_firer: int
    burst: int
    full_auto: int
    walked: int
    ran: int
    target_running: int
    target_walking: int
    target_prone: int
    smoke: int
    night_over_10: int
    night_within_10: int
    nvg_table: int
    laser: int
    per_building_level: int
    natural_hit: int
    natural_miss: int
    source: Source


class FullAuto(Struct, frozen=True, forbid_unknown_fields=True):
    corridor_width: float
    source: Source


class Deviation(Struct, frozen=True, forbid_unknown_fields=True):
    """The wheel, and the distance below which the D6 is halved."""

    sectors: int
    degrees: int
    half_if_nearer_than: int
    source: Source


class Wound(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-DMG-02 to -08: one field of the wound chart; `hp` are health points lost."""

    killed: bool = False
    hp: int = 0
    ima: bool = False
    bleeding: bool = False
    immobilized: bool = False
    slow: bool = False
    arm_useless: bool = False
    arm_pain: bool = False
    unconscious: bool = False
    shell_shock: bool = False
    near_miss: bool = False


class WoundRow(Struct, frozen=True, forbid_unknown_fields=True):
    c0: Wound
    c1: Wound
    c2: Wound
    c3: Wound
    source: Source


class WoundColumns(Struct, frozen=True, forbid_unknown_fields=True):
    begin: tuple[int, int, int]
    source: Source

    def __post_init__(self) -> None:
        rising("columns", self.begin)


class CloseQuartersMods(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    charge: int
    charge_bayonet: int
    charge_min_run: int
    high_ground: int
    high_ground_inches: int
    prone: int
    charged_in_cover: int
    trained: int
    deadly_hands: int
    opponent_shot: int
    base: int
    source: Source


class MoraleMods(Struct, frozen=True, forbid_unknown_fields=True):
    leader_killed_seen: int
    whole_team_lost: int
    break_point: float
    surrender_range: int
    source: Source


class Survivability(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of the test, and the health points at which nobody lives."""

    base: int
    dead_at: int
    source: Source


class Vehicle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Length, width and height; structure points; who and what it carries; how it flies, if it does."""

    id: str
    size: tuple[float, float, float]
    sp: int
    soft_skin: bool
    seats: int
    source: Source
    points: int | None = None
    cover: str = "vehicle_body"
    mounts: tuple[str, ...] = ()
    speed_per_turn: int = 0
    altitude: int = 0
    night: bool = False
    based_on: str | None = None


class BodyFigures(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-GEN-12, DOW-LOS-02: a man on his base."""

    base: float
    height: float
    arc: float
    contact: float
    contact_rise: float
    source: Source


class Sighting(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-LOS-04, -08, -09, -15, DOW-RNG-05: when somebody is a target."""

    half: float
    vehicle: float
    darkness: float
    over_models: float
    priority: float
    spotter_within: float
    prone_lost_within: float
    told_within: float
    source: Source


@cache
def _file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WardogsError(f"{path}: {error}") from None


def convert(place: str, raw: Any, kind: type[D]) -> D:
    """A typed record, or a refusal that names its place."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise WardogsError(f"{place}: {error}") from None


def table(file: str, name: str, folder: Path = FOLDER) -> Any:
    try:
        return _file(folder / file)[name]
    except KeyError:
        raise WardogsError(f"{folder / file}: there is no [{name}]") from None


def load(file: str, name: str, kind: type[D], folder: Path = FOLDER) -> D:
    """One table of a data file as a typed record."""
    return convert(f"{folder / file}, [{name}]", table(file, name, folder), kind)


def load_list(file: str, name: str, kind: type[N], folder: Path = FOLDER) -> dict[str, N]:
    """The entries of a list of tables by id."""
    return entries(f"{folder / file}, {name}", table(file, name, folder), kind)


def entries(where: str, rows: Iterable[dict[str, Any]], kind: type[N]) -> dict[str, N]:
    """By id; an entry `based_on` another takes over what it does not say itself."""
    raw: dict[str, dict[str, Any]] = {}
    found: dict[str, N] = {}
    for number, entry in enumerate(rows, 1):
        id_ = entry.get("id", f"number {number}")
        place = f"{where} {id_}"
        if id_ in found:
            raise WardogsError(f"{place}: there are two")
        if (base := entry.get("based_on", "")) and base not in raw:
            raise WardogsError(f"{place}: based on {base}, which is not above it")
        raw[id_] = {**raw.get(base, {}), **entry}
        found[id_] = convert(place, raw[id_], kind)
    return found


def load_tables(file: str, name: str, kind: type[D], folder: Path = FOLDER) -> dict[str, D]:
    """The tables [name.x] by x."""
    return {key: convert(f"{folder / file}, [{name}.{key}]", raw, kind) for key, raw in table(file, name, folder).items()}


def load_costs(file: str, *names: str, folder: Path = FOLDER) -> Costs:
    """Several tables of costs as one; each says its source."""
    merged: dict[str, Any] = {}
    for name in names:
        costs = {key: cost for key, cost in table(file, name, folder).items() if key != "source"}
        if twice := merged.keys() & costs.keys():
            raise WardogsError(f"{folder / file}, [{name}]: priced twice: {', '.join(sorted(twice))}")
        merged |= costs
    return convert(f"{folder / file}, [{'] and ['.join(names)}]", merged, Costs)


def load_locations(file: str, folder: Path = FOLDER) -> tuple[Location, ...]:
    """DOW-LOC-01: where each face of the D10 hits."""
    raw = {key: value for key, value in table(file, "location", folder).items() if key != "source"}
    place = f"{folder / file}, [location]"
    if list(raw) != [str(face) for face in range(1, 11)]:
        raise WardogsError(f"{place}: the faces are {', '.join(raw)}, not 1 to 10")
    return convert(place, list(raw.values()), tuple[Location, ...])


def _wounds(rows: dict[str, WoundRow]) -> dict[str, tuple[Wound, Wound, Wound, Wound]]:
    return {location: (row.c0, row.c1, row.c2, row.c3) for location, row in rows.items()}


POOL = load("actions.toml", "pool", Pool)
COSTS = load_costs("actions.toml", "cost", "cost_extra")
COVERS = load_list("cover.toml", "cover", Cover)
SIGHT = load("cover.toml", "sight", Sight)
GROUNDS = load_tables("cover.toml", "ground", Ground)
STRUCTURES = load_tables("cover.toml", "structure", Structure)
STRUCTURE_DAMAGE = load("cover.toml", "structure_damage", StructureDamage)
STRUCTURE_FIGURES = load("cover.toml", "structure_misc", StructureFigures)
WEAPONS = load_list("weapons.toml", "weapon", Weapon)
BLASTS = load_list("blasts.toml", "blast", Blast)
CLOUDS = load_list("blasts.toml", "cloud", Cloud)
C4 = load("blasts.toml", "c4", Demolition)
MELEE = load_list("melee.toml", "melee", Melee)
TO_HIT = load("charts.toml", "to_hit", ToHit)
FULL_AUTO = load("charts.toml", "fa", FullAuto)
HAND_THROW = load("charts.toml", "hand_throw", Bands)
DIFFICULT_THROW = load("charts.toml", "difficult_throw", Bands)
DEVIATION = load("charts.toml", "deviation", Deviation)
LOCATIONS = load_locations("charts.toml")
WOUNDS = _wounds(load_tables("charts.toml", "wound", WoundRow))
WOUND_COLUMNS = load("charts.toml", "wound_columns", WoundColumns)
CQ_MODS = load("charts.toml", "cq_mods", CloseQuartersMods)
MORALE_MODS = load("charts.toml", "morale_mods", MoraleMods)
SURVIVABILITY = load("charts.toml", "survivability", Survivability)
VEHICLES = load_list("vehicles.toml", "vehicle", Vehicle)


def wound_column(figure: int) -> int:
    """DOW-DMG-01: the column of the wound chart for D10 - DPR."""
    return bisect_right(WOUND_COLUMNS.begin, figure)


def _known(what: str, wanted: Iterable[str], there: Iterable[str]) -> None:
    if missing := set(wanted) - set(there):
        raise WardogsError(f"{FOLDER}: {what}: there is no {', '.join(sorted(missing))}")


def check_data() -> None:
    """Refuse data that names what is not there."""
    _known("wound chart", LOCATIONS, WOUNDS)
    _known("hit locations", WOUNDS, LOCATIONS)
    _known("launchers", (weapon.fires for weapon in WEAPONS.values() if weapon.fires), BLASTS)
    _known("ground", (ground.cover for ground in GROUNDS.values() if ground.cover), COVERS)
    _known("structures", (structure.cover for structure in STRUCTURES.values()), COVERS)
    _known("sight", (*SIGHT.thin, *SIGHT.see_through), COVERS)
    _known("vehicles", (vehicle.cover for vehicle in VEHICLES.values()), COVERS)
    _known("mounts", (mount for vehicle in VEHICLES.values() for mount in vehicle.mounts), WEAPONS)


check_data()
BODY = load("charts.toml", "body", BodyFigures)
SIGHTING = load("charts.toml", "sighting", Sighting)
