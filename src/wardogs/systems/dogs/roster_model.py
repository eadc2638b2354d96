"""Rosters as people write them: teams from lists, weapons, purchases; and what they cost, line by line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.systems.dogs.data import WEAPONS
from wardogs.systems.dogs.lists import (
    BUILDING,
    CALIBRES,
    CHART_PURCHASES,
    PERKS,
    PURCHASES,
    ROUNDS,
    TEAMS,
    Role,
    TeamList,
    item_price,
    perk_price,
)

SCENARIO_KEYS = frozenset({"deploy", "deploy_building", "deploy_circle", "reserve", "from_turn", "hvt"})
PLAIN_WORDS = {
    "Expected ": "write ", "Object contains unknown field": "no such key:", "Object missing required field": "needs",
    "`int`": "a whole number", "`array`": "a list", "`object`": "a table", "`str`": "a word in quotes", "got": "not",
}  # fmt: skip
STEP = re.compile(r"\.(\w+)(?:\[(\d+)\])?")
Number = Annotated[int, Meta(ge=1, le=999)]
Points = Annotated[int, Meta(ge=0, le=1_000_000)]
Words = Annotated[str, Meta(max_length=80)]


class Buy(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An item (a purchase or a weapon) or a perk for the man of a role; rounds may name their calibre."""

    role: str
    item: str = ""
    perk: str = ""
    n: Number = 1
    calibre: str = ""


class Team(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A team of a list. `weapons` says what the man of a role carries in place of what his list prints."""

    list: str
    name: Words = ""
    gunner: str = ""
    weapons: dict[str, tuple[str, ...]] = {}
    all: tuple[str, ...] = ()
    buy: tuple[Buy, ...] = ()
    vest: tuple[str, ...] = ()


class Roster(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """DOW-GEN-07: a side's teams, and the points they may cost."""

    name: Words = ""
    points: Points = BUILDING.typical_points
    teams: tuple[Team, ...] = ()


class Line(Struct, frozen=True):
    """One line of a bill; a line without a role is the team's own."""

    what: str
    points: int
    rule: str
    role: str = ""
    n: int = 1
    back: tuple[str, ...] = ()  # weapons handed back: the line is what they are worth in the swap


# Reading --------------------------------------------------------------------------------------------------------------


def roster_from(raw: Mapping[str, Any]) -> Roster:
    """A roster from plain data; what it names must exist, whether it is legal or not."""
    roster: Roster = _converted(raw, Roster)
    _check_name(roster.name, "the roster")
    for number, team in enumerate(roster.teams, 1):
        _check_team(team, f"team {number}")
    return roster


def team_from(raw: Mapping[str, Any]) -> Team:
    """A team from the block of a scenario; what only concerns the scenario is left to it."""
    team: Team = _converted({key: value for key, value in raw.items() if key not in SCENARIO_KEYS}, Team)
    _check_team(team, f"team {team.name or team.list}")
    return team


def roster_dict(roster: Roster) -> dict[str, Any]:
    """As plain data, what is as usual left out."""
    plain: dict[str, Any] = msgspec.to_builtins(roster)
    return plain


def _converted(raw: Mapping[str, Any], kind: type[Any]) -> Any:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        said, _, path = str(error).partition(" - at `$")
        for word, plain in PLAIN_WORDS.items():
            said = said.replace(word, plain)
        place = ", ".join(f"{field.removesuffix('s')} {int(n) + 1}" if n else field for field, n in STEP.findall(path))
        raise WardogsError(f"{place}: {said}" if place else said) from None


def _check_name(name: str, place: str) -> None:
    if not name.isprintable() or name != name.strip():
        raise WardogsError(f"{place}: a name is one line of plain text, without spaces before or after it")


def _check_team(team: Team, place: str) -> None:
    _check_name(team.name, place)
    if team.list not in TEAMS:
        raise WardogsError(f"{place}: {unknown('list', team.list, TEAMS)}")
    roles = [role.role for role in TEAMS[team.list].roles]
    _check_names(f"{place}, weapons", "role", team.weapons, roles)
    _check_names(f"{place}, vest", "role", team.vest, roles)
    _check_names(f"{place}, gunner", "weapon", [team.gunner] if team.gunner else [], WEAPONS)
    for role, weapons in team.weapons.items():
        _check_names(f"{place}, weapons of the {role}", "weapon", weapons, WEAPONS)
    _check_names(f"{place}, all", "item", team.all, PURCHASES)
    for number, buy in enumerate(team.buy, 1):
        _check_buy(buy, roles, f"{place}, buy {number}")


def _check_buy(buy: Buy, roles: Sequence[str], place: str) -> None:
    _check_names(place, "role", [buy.role], roles)
    if bool(buy.item) == bool(buy.perk):
        raise WardogsError(f"{place}: write either item = or perk =")
    if buy.item:
        _check_names(place, "item", [buy.item], [*PURCHASES, *WEAPONS])
    else:
        _check_names(place, "perk", [buy.perk], PERKS)
    if buy.calibre:
        _check_names(place, "calibre", [buy.calibre], CALIBRES)
        if buy.item != ROUNDS:
            raise WardogsError(f"{place}: only {ROUNDS} have a calibre")


def _check_names(place: str, what: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise WardogsError(f"{place}: {unknown(what, name, known)}")


# What each man has ----------------------------------------------------------------------------------------------------


def listed(team: Team) -> TeamList:
    return TEAMS[team.list]


def carried(team: Team, role: Role) -> tuple[str, ...]:
    """His weapons, the first in hand: as written, as chosen or as printed, and those bought besides."""
    bought = [buy.item for buy in team.buy if buy.role == role.role and buy.item in WEAPONS for _ in range(buy.n)]
    return (*_written(team, role), *bought)


def _written(team: Team, role: Role) -> tuple[str, ...]:
    if role.role in team.weapons:
        return team.weapons[role.role]
    if role.role == "gunner" and team.gunner:
        return next((printed for printed in role.printed if printed[:1] == (team.gunner,)), (team.gunner,))
    return role.printed[0]


def items(team: Team, role: Role) -> Iterator[Buy]:
    """What he has beyond weapons and perks."""
    yield from (Buy(role.role, item) for item in team.all)
    yield from (buy for buy in team.buy if buy.role == role.role and buy.item in PURCHASES)


def perks(team: Team, role: Role) -> tuple[str, ...]:
    return tuple(buy.perk for buy in team.buy if buy.role == role.role and buy.perk for _ in range(buy.n))


class Swap(Struct, frozen=True):
    """DOW-BLD-05: what a man takes from the chart, what he hands back, and what that costs."""

    taken: tuple[str, ...]
    back: tuple[str, ...]
    price: int
    credit: int

    @property
    def cost(self) -> int:
        """Never a refund."""
        return max(0, self.price - self.credit)


def swap(team: Team, role: Role) -> Swap:
    """Against the printed set that he still carries whole, else against the one that serves him best."""
    has = Counter(carried(team, role))
    swaps = [_swap(listed(team), has, Counter(printed)) for printed in role.printed]
    return min((one for one in swaps if not one.back), default=min(swaps, key=_cost), key=_cost)


def _cost(one: Swap) -> int:
    return one.cost


def _swap(team: TeamList, has: Counter[str], printed: Counter[str]) -> Swap:
    taken, back = tuple((has - printed).elements()), tuple((printed - has).elements())
    return Swap(taken, back, sum(weapon_price(team, id_) for id_ in taken), sum(WEAPONS[id_].points for id_ in back))


def weapon_price(team: TeamList, weapon: str) -> int:
    """As the list sells it, else as the chart does (DOW-BLD-03, -04)."""
    purchase = CHART_PURCHASES.get(weapon)
    return item_price(team, purchase) if purchase else WEAPONS[weapon].points


# The bill -------------------------------------------------------------------------------------------------------------


def team_cost(team: Team) -> int:
    return sum(line.points for line in team_bill(team))


def cost(force: Roster | Team) -> int:
    """DOW-GEN-07: what a roster, or one team of it, costs."""
    return sum(map(team_cost, force.teams)) if isinstance(force, Roster) else team_cost(force)


def team_bill(team: Team) -> tuple[Line, ...]:
    """DOW-GEN-07: the list's price, then what each man has on top of it."""
    own = listed(team)
    return (Line(own.id, own.points, "DOW-GEN-07"), *(line for role in own.roles for line in man_bill(team, role)))


def man_bill(team: Team, role: Role) -> Iterator[Line]:
    """What was bought for one man."""
    own = listed(team)
    yield from _weapon_lines(team, role)
    for buy in items(team, role):
        purchase = PURCHASES[buy.item]
        yield Line(buy.item, buy.n * item_price(own, purchase), purchase.rule, role.role, buy.n)
    for perk, n in Counter(perks(team, role)).items():
        yield Line(perk, n * (perk_price(own, PERKS[perk]) or PERKS[perk].points or 0), "DOW-BLD-06", role.role, n)


def _weapon_lines(team: Team, role: Role) -> Iterator[Line]:
    own, found = listed(team), swap(team, role)
    rule = "DOW-BLD-03" if own.weapons_included else "DOW-BLD-04"
    for weapon, n in Counter(found.taken).items():
        yield Line(weapon, n * weapon_price(own, weapon), rule, role.role, n)
    if found.back and found.taken:
        yield Line("handed_back", found.cost - found.price, "DOW-BLD-05", role.role, back=found.back)
