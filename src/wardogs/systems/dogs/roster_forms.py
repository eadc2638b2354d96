"""All that a roster may name, as plain data with prices: for programs that let people put one together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wardogs.systems.dogs.data import WEAPONS
from wardogs.systems.dogs.lists import (
    BUILDING,
    CALIBRES,
    GEAR,
    PERKS,
    PURCHASES,
    ROUNDS,
    TEAMS,
    Perk,
    Purchase,
    Role,
    TeamList,
    item_price,
    perk_price,
)
from wardogs.systems.dogs.roster_check import ENGINEER, is_sold, may_take
from wardogs.systems.dogs.roster_model import weapon_price
from wardogs.systems.dogs.roster_words import named

LEADER = "leader"


def forms() -> dict[str, Any]:
    """The lists, each with its men and all that it may buy; what does not go together, the check says."""
    return {"points": BUILDING.typical_points, "lists": [_list(own) for own in TEAMS.values()]}


def _list(own: TeamList) -> dict[str, Any]:
    return {
        "id": own.id,
        "name": own.name,
        "group": own.faction,
        "points": own.points,
        "reconstructed": own.source == "reconstructed",
        "men": [_man(role) for role in own.roles],
        "wares": [*_weapons(own), *_items(own), *_perks(own)],
    }


def _man(role: Role) -> dict[str, Any]:
    """The sets of weapons that his list prints for him; the first is the usual one."""
    sets = [[{"id": id_, "name": named(id_)} for id_ in printed] for printed in role.printed if printed]
    return {"role": role.role, "title": role.title, "sets": sets}


def _ware(kind: str, id_: str, points: int, rule: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "id": id_, "name": named(id_), "points": points, "rule": rule, **more}


def _weapons(own: TeamList) -> Iterator[dict[str, Any]]:
    """DOW-BLD-03, -04."""
    rule = "DOW-BLD-03" if own.weapons_included else "DOW-BLD-04"
    yield from (_ware("weapon", id_, weapon_price(own, id_), rule) for id_ in WEAPONS if may_take(own, id_))


def _items(own: TeamList) -> Iterator[dict[str, Any]]:
    """DOW-BLD-02, -09."""
    for item in PURCHASES.values():
        if is_sold(own, item):
            yield _ware("item", item.id, item_price(own, item), item.rule, **_limits_of_item(item))


def _limits_of_item(item: Purchase) -> dict[str, Any]:
    leads = any(GEAR[thing].leaders_only for thing in item.gives if thing in GEAR)
    return {
        **({"roles": [LEADER]} if leads else {}),
        **({"needs": ENGINEER} if item.engineers_only else {}),
        **({"calibres": list(CALIBRES)} if ROUNDS in item.gives else {}),
    }


def _perks(own: TeamList) -> Iterator[dict[str, Any]]:
    """DOW-BLD-06."""
    for perk in PERKS.values():
        if (price := perk_price(own, perk)) is not None:
            yield _ware("perk", perk.id, price, "DOW-BLD-06", once=True, about=perk.effect, **_limits_of_perk(own, perk))


def _limits_of_perk(own: TeamList, perk: Perk) -> dict[str, Any]:
    return {
        **({"roles": [role.role for role in own.roles if role.role != LEADER]} if perk.not_leader else {}),
        **({"most_in_team": perk.max_per_team} if perk.max_per_team is not None else {}),
        **({"not_with": list(perk.excludes)} if perk.excludes else {}),
    }
