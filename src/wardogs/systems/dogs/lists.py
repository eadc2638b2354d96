"""Who may be hired and what may be bought: team lists, gear, traits, perks and purchases as typed records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from wardogs.kernel.errors import WardogsError
from wardogs.systems.dogs.arms import Blast, C4Table, Source, Weapon
from wardogs.systems.dogs.data import BLASTS, C4, CLOUDS, FOLDER, MELEE, WEAPONS, load, load_list

Chart = Literal["none", "all", "all_except_soviet_block", "soviet_block_only"]
CCMode = Literal["LOS", "radio"]
OWN, GUNNERS = "own_weapon", "gunner_weapon"  # ammunition of whatever he, or the gunner, carries
CHARGES, ROUNDS = "c4_quarters", "rounds"  # what a purchase gives besides weapons, blasts, clouds and gear
BOUGHT_BY_CHART = ("hand", "m203", "rpg")  # grenades and rockets; mines and charges are for those whose special line has them


class Building(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-GEN-06, -07, DOW-ABL-01: the figures of forces and soldiers."""

    rule: str
    team_size: int
    typical_points: int
    best_ability: int
    least_ability: int
    source: Source


class Underslung(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-RNG-15: a launcher hangs under a rifle."""

    rule: str
    launcher: str
    rifles: tuple[str, ...]
    source: Source


class Vests(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-EXP-14: one in so many men of a perk wears so many quarters of C4."""

    rule: str
    perk: str
    one_in: int
    quarters: int
    source: Source


class Variant(Struct, frozen=True, forbid_unknown_fields=True):
    """The lists that a switch changes, and the traits it gives them."""

    rule: str
    lists: tuple[str, ...]
    source: Source
    traits: tuple[str, ...] = ()


class Role(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the four of a team; with a choice, the first set is the usual one."""

    role: str
    title: str
    weapons: tuple[str, ...] = ()
    weapons_choice: tuple[tuple[str, ...], ...] = ()

    @property
    def printed(self) -> tuple[tuple[str, ...], ...]:
        """The sets of weapons that the list prints for him."""
        return self.weapons_choice or (self.weapons,)


class Stats(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-ABL-01 to -14."""

    wp: int
    wk: int
    cq: int
    st: int
    ft: int
    hp: int
    ml: int
    cc: int
    cc_mode: CCMode


class Goggles(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-EQP-09, -10: the night modifier with goggles, and with goggles and laser."""

    goggles: int
    with_laser: int


class TeamList(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-TEA-01 to -12: a team as its list prints it, and what it may buy (DOW-BLD-02 to -04)."""

    id: str
    name: str
    faction: str
    points: int
    weapons_included: bool
    buy_from_chart: Chart
    roles: tuple[Role, ...]
    items: tuple[str, ...]
    stats: Stats
    ar: dict[str, int]
    perks: dict[str, int]
    source: Source
    only_special: bool = False
    grenades: dict[str, int] = {}
    ammo: dict[str, int] = {}
    leader_extra: dict[str, int] = {}
    assistant_extra: dict[str, int] = {}
    hand_signals: bool = False
    innate: tuple[str, ...] = ()
    special_rules: tuple[str, ...] = ()
    special: dict[str, int] = {}
    nvg: Goggles | None = None
    c4_table: C4Table = "army"  # DOW-EXP-07; a vest is of army C4
    based_on: str | None = None

    def role(self, name: str) -> Role:
        return next(role for role in self.roles if role.role == name)

    def extra(self, role: str) -> dict[str, int]:
        """DOW-BLD-07, -08: what rides with the leader or the assistant beyond the common issue."""
        return {"leader": self.leader_extra, "assistant": self.assistant_extra}.get(role, {})

    def may_buy(self, arm: Weapon | Blast) -> bool:
        """DOW-BLD-03, -04: is it on the list's part of the Weapons Chart?"""
        match self.buy_from_chart:
            case "all":
                return True
            case "all_except_soviet_block":
                return not arm.soviet_block
            case "soviet_block_only":
                return arm.soviet_block
            case _:
                return False

    @property
    def issued(self) -> frozenset[str]:
        """Every kind of grenade that somebody of the team is issued."""
        return frozenset({*self.grenades, *self.leader_extra, *self.assistant_extra} & (BLASTS.keys() | CLOUDS.keys()))


class Purchase(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What an item puts on the model (DOW-EQP-05, -06, -08 to -10, -16 to -18, DOW-EXP-01, -02, -05, -12, DOW-BLD-09)."""

    id: str
    name: str
    gives: dict[str, int]
    sold: Literal["special", "issue"]
    rule: str
    source: Source
    points: int | None = None
    weapon: str | None = None
    engineers_only: bool = False


class Gear(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-EQP-01 to -12, -18."""

    id: str
    name: str
    source: Source
    ar: dict[str, int] = {}
    points: int | None = None
    leaders_only: bool = False
    effect: str = ""
    length: int = 0
    melee: str | None = None


class Trait(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-TRT-01 to -05: what a list is born with."""

    id: str
    name: str
    source: Source
    effect: str = ""
    tn: int | None = None


class Perk(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-TRT-06 to -19: what one soldier may learn; `teams` may buy it though their list does not print it."""

    id: str
    name: str
    source: Source
    mod: dict[str, int] = {}
    items: dict[str, int] = {}
    effect: str = ""
    points: int | None = None
    max_per_team: int | None = None
    not_leader: bool = False
    cq_value: int = 0
    excludes: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()


BUILDING = load("teams.toml", "building", Building)
UNDERSLUNG = load("teams.toml", "underslung", Underslung)
VESTS = load("teams.toml", "vests", Vests)
ELITE_INNATES = load("teams.toml", "elite_innates", Variant)
SFG_HELMET = load("teams.toml", "sfg_helmet", Variant)
TEAMS = load_list("teams.toml", "team", TeamList)
PURCHASES = load_list("gear.toml", "purchase", Purchase)
GEAR = load_list("gear.toml", "gear", Gear)
TRAITS = load_list("gear.toml", "trait", Trait)
PERKS = load_list("gear.toml", "perk", Perk)

FACTIONS = tuple(dict.fromkeys(team.faction for team in TEAMS.values()))
CHART_PURCHASES = {purchase.weapon: purchase for purchase in PURCHASES.values() if purchase.weapon}
CALIBRES = tuple(dict.fromkeys(weapon.calibre for weapon in WEAPONS.values() if not weapon.fires))


def worn(items: tuple[str, ...]) -> dict[str, int]:
    """DOW-EQP-01 to -05: the armor rating of each location; of two layers the better counts."""
    ar: dict[str, int] = {}
    for item in items:
        for location, rating in GEAR[item].ar.items():
            ar[location] = max(ar.get(location, 0), rating)
    return ar


def perk_price(team: TeamList, perk: Perk) -> int | None:
    """DOW-BLD-02: as the list prints it, else as the perk is sold to that list; none if it is not."""
    if perk.id in team.perks:
        return team.perks[perk.id]
    return perk.points if team.id in perk.teams else None


def chart_price(id_: str) -> int | None:
    """DOW-BLD-03, -09: what one of it costs on the charts."""
    arm = WEAPONS.get(id_) or BLASTS.get(id_) or CLOUDS.get(id_) or GEAR.get(id_)
    return arm.points if arm else None


def item_price(team: TeamList, item: Purchase) -> int:
    """The list's own price, else the common one."""
    if item.id in team.special:
        return team.special[item.id]
    if item.points is not None:
        return item.points
    return chart_price(item.weapon or next(iter(item.gives))) or 0


def wrong(entry: TeamList | Purchase | Perk | Gear) -> str:
    """What an entry says that cannot be, or nothing."""
    given = {*WEAPONS, *BLASTS, *CLOUDS, *GEAR, CHARGES, ROUNDS}
    match entry:
        case TeamList():
            return _missing(_named_by(entry)) or _wrong_team(entry)
        case Purchase():
            short = entry.gives.get(CHARGES, C4.quarters_per_lb) != C4.quarters_per_lb
            return _missing([("gives", entry.gives, given)]) or (f"a pound has {C4.quarters_per_lb} quarters" if short else "")
        case Perk():
            return _missing([("items", entry.items, given), ("teams", entry.teams, TEAMS), ("excludes", entry.excludes, PERKS)])
        case _:
            return _missing([("melee", [entry.melee] if entry.melee else [], MELEE)])


def _missing(kinds: Iterable[tuple[str, Iterable[str], Iterable[str]]]) -> str:
    for what, names, known in kinds:
        if missing := sorted(set(names) - set(known)):
            return f"{what}: there is no {', '.join(missing)}"
    return ""


def _named_by(team: TeamList) -> Iterator[tuple[str, Iterable[str], Iterable[str]]]:
    """What a list names, and what there is of that kind."""
    yield "items", team.items, GEAR
    yield "weapons", (id_ for role in team.roles for printed in role.printed for id_ in printed), WEAPONS
    yield "grenades", team.grenades, {**BLASTS, **CLOUDS}
    yield "ammo", team.ammo, (OWN, *CALIBRES)
    yield "extras", {**team.leader_extra, **team.assistant_extra}, (OWN, GUNNERS, *CALIBRES, *BLASTS)
    yield "innate", team.innate, TRAITS
    yield "special", team.special, PURCHASES
    yield "perks", team.perks, PERKS


def _wrong_team(team: TeamList) -> str:
    if len({role.role for role in team.roles}) != BUILDING.team_size:
        return f"a team has {BUILDING.team_size} different roles (DOW-GEN-06)"
    return f"ar is {team.ar}, its items make it {worn(team.items)}" if team.ar != worn(team.items) else ""


def check_lists() -> None:
    """Refuse lists that name what is not there."""
    entries: list[TeamList | Purchase | Perk | Gear] = [*TEAMS.values(), *PURCHASES.values(), *PERKS.values(), *GEAR.values()]
    for entry in entries:
        if said := wrong(entry):
            raise WardogsError(f"{FOLDER}, {entry.id}: {said}")


check_lists()
