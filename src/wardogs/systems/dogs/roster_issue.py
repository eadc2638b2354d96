"""What steps onto the table: each soldier with his abilities, armor, weapons, ammunition and kit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from wardogs.systems.dogs.arms import C4Table
from wardogs.systems.dogs.data import BLASTS, CLOUDS, WEAPONS
from wardogs.systems.dogs.lists import (
    BOUGHT_BY_CHART,
    BUILDING,
    CHARGES,
    CHART_PURCHASES,
    ELITE_INNATES,
    GEAR,
    GUNNERS,
    OWN,
    PERKS,
    PURCHASES,
    ROUNDS,
    SFG_HELMET,
    TEAMS,
    VESTS,
    CCMode,
    Goggles,
    Role,
    TeamList,
    worn,
)
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.roster_model import Team, carried, items, listed, man_bill, perks, swap

ABILITIES = ("wp", "wk", "cq", "st", "ft", "ml", "cc", "hp")


class Carried(Struct, frozen=True):
    """A weapon with what is in it at the start."""

    id: str
    loaded: int


class Soldier(Struct, frozen=True, kw_only=True):
    """One man as he steps onto the table. Counts are of what is spare; what is loaded is in the weapons."""

    role: str
    title: str
    list: str
    wp: int
    wk: int
    cq: int
    st: int
    ft: int
    ml: int
    cc: int
    hp: int
    cc_mode: CCMode
    ar: dict[str, int]
    perks: tuple[str, ...]
    traits: tuple[str, ...]
    weapons: tuple[Carried, ...]
    ammo: dict[str, int]
    grenades: dict[str, int]
    rockets: dict[str, int]
    devices: dict[str, int]
    gear: tuple[str, ...]
    vest: int  # quarters of C4 under a deadman trigger
    familiar: tuple[str, ...]
    worth: float
    nvg: Goggles | None
    c4_table: C4Table
    hand_signals: bool
    special_rules: tuple[str, ...]


PLAIN = Options()


def soldiers(team: Team, options: Options = PLAIN) -> tuple[Soldier, ...]:
    """The four of a team, leader first (DOW-GEN-06)."""
    return tuple(_soldier(team, role, options) for role in listed(team).roles)


def _soldier(team: Team, role: Role, options: Options) -> Soldier:
    own, learned = listed(team), perks(team, role)
    stores = _stores(team, role)
    weapons, ammo = loaded(arms(team, role), _ammunition(team, role), stores)
    gear = tuple(dict.fromkeys((*own.items, *(thing for thing in stores if thing in GEAR))))
    return Soldier(
        role=role.role,
        title=role.title,
        list=own.id,
        **_abilities(own, learned),
        cc_mode=own.stats.cc_mode,
        ar=_armor(own, gear, options),
        perks=tuple(dict.fromkeys(learned)),
        traits=_traits(own, options),
        weapons=weapons,
        ammo={calibre: rounds for calibre, rounds in ammo.items() if rounds},
        grenades=_kinds(stores, "hand", "m203"),
        rockets=_kinds(stores, "rpg"),
        devices=_kinds(stores, "placed"),
        gear=gear,
        vest=VESTS.quarters if role.role in vest_wearers(team) else 0,
        familiar=_familiar(team),
        worth=own.points / BUILDING.team_size + sum(line.points for line in man_bill(team, role)),  # DOW-GEN-07
        nvg=own.nvg,
        c4_table=own.c4_table,
        hand_signals=own.hand_signals,
        special_rules=own.special_rules,
    )


# Abilities ------------------------------------------------------------------------------------------------------------


def _abilities(own: TeamList, learned: tuple[str, ...]) -> dict[str, int]:
    """DOW-ABL-01, DOW-TRT-06 to -10, -14, -15, -17: the list's scores with his perks, never above the best."""
    mods: Counter[str] = Counter()
    for perk in dict.fromkeys(learned):
        mods.update(PERKS[perk].mod)
    return {
        name: min(BUILDING.best_ability, max(BUILDING.least_ability, getattr(own.stats, name) + mods[name])) for name in ABILITIES
    }


def _armor(own: TeamList, gear: tuple[str, ...], options: Options) -> dict[str, int]:
    """DOW-ABL-12, DOW-EQP-01 to -05: by location; the switches settle the Green Beret helmet and the abdomen."""
    ar = worn(gear)
    if own.id in SFG_HELMET.lists:
        ar["head"] = options.sfg_helmet
    if options.vest_covers_abdomen and "stomach" in ar:
        ar["abdomen"] = ar["stomach"]
    return ar


def _traits(own: TeamList, options: Options) -> tuple[str, ...]:
    """DOW-TRT-01 to -05, -20."""
    return own.innate + (ELITE_INNATES.traits if options.elite_innates and own.id in ELITE_INNATES.lists else ())


def vest_wearers(team: Team) -> tuple[str, ...]:
    """DOW-EXP-14: every second Jihad man of an Al Qaeda team; the owner picks which, else the first ones."""
    faithful = [role.role for role in listed(team).roles if VESTS.perk in perks(team, role)]
    due = vests_due(team)
    chosen = [role for role in team.vest if role in faithful]
    return tuple([*dict.fromkeys(chosen + faithful)][:due])


def vests_due(team: Team) -> int:
    own = listed(team)
    if "jihad_vests" not in own.special_rules:
        return 0
    return sum(VESTS.perk in perks(team, role) for role in own.roles) // VESTS.one_in


@cache
def _on_chart(own_id: str) -> frozenset[str]:
    """Every weapon and blast that a list may buy from the Weapons Chart."""
    own = TEAMS[own_id]
    blasts = {id_ for id_, blast in BLASTS.items() if blast.throw in BOUGHT_BY_CHART and own.may_buy(blast)}
    return frozenset({id_ for id_, weapon in WEAPONS.items() if own.may_buy(weapon)} | blasts)


def _familiar(team: Team) -> tuple[str, ...]:
    """DOW-ABL-07: what the list issues or may buy, grenades of its own block, and anything bought for the team."""
    own = listed(team)
    printed = {id_ for role in own.roles for weapons in role.printed for id_ in weapons}
    sold = {thing for item in own.special for thing in PURCHASES[item].gives if thing not in GEAR}
    bought = {id_ for role in own.roles for id_ in arms(team, role)}
    bought |= {thing for role in own.roles for buy in items(team, role) for thing in PURCHASES[buy.item].gives}
    blocks = {WEAPONS[id_].soviet_block for id_ in printed} | {BLASTS[id_].soviet_block for id_ in own.issued if id_ in BLASTS}
    thrown = {blast.id for blast in BLASTS.values() if blast.throw == "hand" and blast.soviet_block in (blocks or {True, False})}
    known = printed | own.issued | sold | bought | thrown | _on_chart(own.id) | CLOUDS.keys()
    return tuple(sorted(known & (WEAPONS.keys() | BLASTS.keys() | CLOUDS.keys() | {CHARGES})))


# Ammunition and kit ---------------------------------------------------------------------------------------------------


def arms(team: Team, role: Role) -> tuple[str, ...]:
    """His weapons, those included that came as an item."""
    gifts = [
        (thing, n * buy.n) for buy in items(team, role) for thing, n in PURCHASES[buy.item].gives.items() if thing in WEAPONS
    ]
    return (*carried(team, role), *(thing for thing, n in gifts for _ in range(n)))


def _stores(team: Team, role: Role) -> Counter[str]:
    """Beyond weapons and their rounds: as issued (DOW-BLD-08), as bought (DOW-EQP-16), as his perks bring (DOW-TRT-11, -12)."""
    own = listed(team)
    stores: Counter[str] = Counter(own.grenades)
    stores.update({thing: n for thing, n in own.extra(role.role).items() if thing in BLASTS})
    for buy in items(team, role):
        stores.update({thing: n * buy.n for thing, n in PURCHASES[buy.item].gives.items()})
    for weapon in swap(team, role).taken:
        stores.update(CHART_PURCHASES[weapon].gives if weapon in CHART_PURCHASES else ())
    for perk in dict.fromkeys(perks(team, role)):
        stores.update(PERKS[perk].items)
    return Counter({thing: n for thing, n in stores.items() if thing not in WEAPONS})


def _kinds(stores: Counter[str], *throws: str) -> dict[str, int]:
    """The stores that are thrown, fired or laid in one of these ways."""
    return {thing: n for thing, n in stores.items() if n and _throw(thing) in throws}


def _throw(thing: str) -> str:
    if thing in BLASTS:
        return BLASTS[thing].throw
    return "hand" if thing in CLOUDS else "placed" if thing == CHARGES else ""


def firearms(weapons: tuple[str, ...]) -> list[str]:
    """The calibres of those that fire rounds, in order."""
    return [WEAPONS[id_].calibre for id_ in weapons if not WEAPONS[id_].fires]


def gunners_calibre(team: Team) -> str:
    """What the machine gun eats; nothing if there is none."""
    return next(
        (calibre for role in listed(team).roles if role.role == "gunner" for calibre in firearms(carried(team, role))), ""
    )


def _ammunition(team: Team, role: Role) -> Counter[str]:
    """DOW-BLD-07, -09: rounds by calibre: the issue, what rides with the assistant, what was bought."""
    own, weapons = listed(team), carried(team, role)
    ammo: Counter[str] = Counter()
    for calibre, n in own.ammo.items():
        for each in firearms(weapons) if calibre == OWN else _issue(team, role, calibre):
            ammo[each] += n
    for thing, n in own.extra(role.role).items():
        if thing not in BLASTS and (calibre := _extra_calibre(team, role, thing)):
            ammo[calibre] += n
    for buy in items(team, role):
        if rounds := PURCHASES[buy.item].gives.get(ROUNDS):
            ammo[bought_calibre(team, role, buy.calibre)] += rounds * buy.n
    return ammo


def _issue(team: Team, role: Role, calibre: str) -> Iterator[str]:
    """The same count in the calibre of his first firearm, and of each that was bought; else as printed."""
    mine = firearms(carried(team, role))
    wanted = [*mine[:1], *firearms(swap(team, role).taken)] or [calibre]
    yield from dict.fromkeys(wanted)


def _extra_calibre(team: Team, role: Role, thing: str) -> str:
    """The assistant carries for the gunner, whatever calibre is printed."""
    if role.role == "assistant" or thing == GUNNERS:
        return gunners_calibre(team) or ("" if thing == GUNNERS else thing)
    return thing


def bought_calibre(team: Team, role: Role, named: str) -> str:
    """As named, else for his own first firearm, else for the machine gun."""
    return named or next(iter(firearms(carried(team, role))), "") or gunners_calibre(team)


def loaded(weapons: tuple[str, ...], ammo: Counter[str], stores: Counter[str]) -> tuple[tuple[Carried, ...], Counter[str]]:
    """DOW-BLD-07: loaded as far as the issue goes; the loaded rounds are part of it. What is left is spare."""
    found = []
    for id_ in weapons:
        weapon = WEAPONS[id_]
        pot, kind = (stores, weapon.fires) if weapon.fires else (ammo, weapon.calibre)
        rounds = min(weapon.magazine, pot[kind])
        pot[kind] -= rounds
        found.append(Carried(id_, rounds))
    return tuple(found), ammo
