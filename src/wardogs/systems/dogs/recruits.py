"""Forces made up by chance: teams first, weapons by role, then perks and gear that suit the man, up to the points.

Always legal. Within `NEAR` of the points wherever the lists allow; with any list to choose from, everywhere from 100 points on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.fate import Fast
from wardogs.systems.dogs.data import load
from wardogs.systems.dogs.lists import FACTIONS, PURCHASES, TEAMS, TeamList
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.roster_chat import tidy
from wardogs.systems.dogs.roster_check import team_faults
from wardogs.systems.dogs.roster_issue import PLAIN
from wardogs.systems.dogs.roster_model import Buy, Roster, Team, cost, team_cost

T = TypeVar("T")
Chance = Callable[[], float]  # from 0 up to 1

NEAR = 0.95
TRIES = 80
HANDFUL = 80  # points that are left for an exact fit


class Thing(Struct, frozen=True, forbid_unknown_fields=True):
    """An item or a perk, perhaps with another."""

    item: str = ""
    perk: str = ""
    n: int = 1
    with_: Thing | None = field(default=None, name="and")

    def buys(self, role: str) -> tuple[Buy, ...]:
        return (Buy(role, self.item, self.perk, self.n), *(self.with_.buys(role) if self.with_ else ()))


class Recruit(Struct, frozen=True, forbid_unknown_fields=True):
    """What suits the men of some roles, best first; of each group only one is taken."""

    roles: tuple[str, ...]
    packs: tuple[tuple[Thing, ...], ...]
    fill: tuple[tuple[Thing, ...], ...]


class Arming(Struct, frozen=True, forbid_unknown_fields=True):
    """What men of an open-weapon team carry."""

    lists: tuple[str, ...]
    leader: tuple[tuple[str, ...], ...]
    gunner: tuple[tuple[str, ...], ...]
    assistant: tuple[tuple[str, ...], ...]
    scout: tuple[tuple[str, ...], ...] = ()
    rifleman: tuple[tuple[str, ...], ...] = ()


class Pack(NamedTuple):
    """One way to spend points on a man."""

    points: int
    buys: tuple[Buy, ...]


class Group(NamedTuple):
    """Packs of which one may be taken; small ones fill the last gap."""

    rank: int
    small: bool
    packs: tuple[Pack, ...]


RECRUITS = load("gear.toml", "recruit", tuple[Recruit, ...])
ARMING = {list_: arming for arming in load("gear.toml", "arming", tuple[Arming, ...]) for list_ in arming.lists}


def random_roster(points: int, seed: int, who: str | None = None, options: Options = PLAIN) -> Roster:
    """A legal force of one faction, or of one list; the same seed gives the same force (DOW-GEN-06, -07, DOW-BLD-01)."""
    chance = Fast(f"{points} {seed} {who}").random
    open_to = _open_lists(points, who, options)
    best = Roster()
    for n in range(TRIES):
        share = 1 / 2 if n < TRIES / 8 else 1.0
        teams = _spent(_hired(_core(open_to, chance), points, share, chance), points, chance, options)
        force = Roster(_name(teams, seed), points, tuple(teams))
        if cost(force) > cost(best):
            best = force
        if cost(best) >= NEAR * points:
            break
    return tidy(best)


def _name(teams: Sequence[Team], seed: int) -> str:
    return f"{TEAMS[teams[0].list].faction} {seed}"


def _open_lists(points: int, who: str | None, options: Options) -> list[TeamList]:
    """The lists that were asked for and can be paid."""
    if who is not None and who not in TEAMS and who.lower() not in (faction.lower() for faction in FACTIONS):
        raise unknown("list or faction", who, [*TEAMS, *FACTIONS])
    asked = [own for own in TEAMS.values() if who is None or who == own.id or who.lower() == own.faction.lower()]
    asked = [own for own in asked if not team_faults(Team(own.id), options)]
    if not asked:
        raise WardogsError(f"{who} is a reconstructed list, and those are barred (DOW-GEN-15)")
    able = [own for own in asked if _least(own) <= points]
    if not able:
        raise WardogsError(
            f"{points} points buy no team of {who or 'any list'}: the cheapest with its weapons costs {min(map(_least, asked))}"
        )
    return able


def _least(own: TeamList) -> int:
    """What a team of the list costs with the cheapest weapons that its men would carry."""
    return own.points + sum(min(price for price, _ in sets) for sets in _armings(own.id).values())


@lru_cache
def _armings(list_: str) -> dict[str, list[tuple[int, tuple[str, ...]]]]:
    """For an open-weapon team: sets of weapons by role, with their prices."""
    if list_ not in ARMING:
        return {}
    bare = TEAMS[list_].points
    return {
        role.role: [
            (team_cost(Team(list_, weapons={role.role: set_})) - bare, set_) for set_ in getattr(ARMING[list_], role.role)
        ]
        for role in TEAMS[list_].roles
    }


# Teams ----------------------------------------------------------------------------------------------------------------


def _pick(from_: Sequence[T], chance: Chance) -> T:
    return from_[int(chance() * len(from_))]


def _core(lists: list[TeamList], chance: Chance) -> list[TeamList]:
    """One faction, mostly of one list."""
    faction = _pick(sorted({own.faction for own in lists}), chance)
    of_it = [own for own in lists if own.faction == faction]
    return of_it if chance() < 1 / 3 else [_pick(of_it, chance)]


def _hired(lists: list[TeamList], points: int, share: float, chance: Chance) -> list[Team]:
    """As many teams as the points pay; in one force of three fewer, with up to that share of the points for perks and gear."""
    teams: list[Team] = []
    left, lavish = points, chance() < 1 / 3
    while able := [own for own in lists if _least(own) <= left]:
        if lavish and teams and left <= points * share and chance() < 1 / 2:
            break
        team = _armed(_pick(able, chance), left, chance)
        teams.append(team)
        left -= team_cost(team)
    return teams


def _armed(own: TeamList, points: int, chance: Chance) -> Team:
    """A team with the weapons of its roles: as they come, or the cheapest if these are too dear."""
    gunner = own.role("gunner").weapons_choice
    armings = _armings(own.id)
    weapons = {role: _pick(sets, chance)[1] for role, sets in armings.items()}
    team = Team(own.id, gunner=_pick(gunner, chance)[0] if gunner else "", weapons=weapons)
    if team_cost(team) > points:
        return replace(team, weapons={role: min(sets)[1] for role, sets in armings.items()})
    return team


# Purchases ------------------------------------------------------------------------------------------------------------


def _spent(teams: list[Team], points: int, chance: Chance, options: Options) -> list[Team]:
    """The rest of the points on perks and gear: what suits best first, then an exact fit for the last handful."""
    left = points - sum(map(team_cost, teams))
    offers = [(group.rank + 6 * chance(), n, group) for n, team in enumerate(teams) for group in _groups(team.list, options)]
    offers.sort(key=lambda offer: offer[:2])
    bought: list[list[Buy]] = [[] for _ in teams]
    rest = []
    for _, n, group in offers:
        packs = [pack for pack in group.packs if pack.points <= left - HANDFUL]
        if packs and not group.small:
            pack = _pick(packs, chance)
            bought[n] += pack.buys
            left -= pack.points
        else:
            rest.append((n, group))
    for n, pack in _fit(rest, left):
        bought[n] += pack.buys
    return [replace(team, buy=tuple(buys)) for team, buys in zip(teams, bought, strict=True)]


def _fit(rest: list[tuple[int, Group]], left: int) -> list[tuple[int, Pack]]:
    """Of what is left to buy, the packs that come nearest to the points that are left; one of each group."""
    ways: dict[int, list[tuple[int, Pack]]] = {0: []}
    for n, group in sorted(rest, key=lambda one: one[1].small):
        if left in ways:
            break
        for total, way in list(ways.items()):
            for pack in group.packs:
                if total + pack.points <= left:
                    ways.setdefault(total + pack.points, [*way, (n, pack)])
    return ways[max(ways)]


@lru_cache
def _groups(list_: str, options: Options) -> tuple[Group, ...]:
    """What suits the men of a list and is sold to them."""
    return tuple(_all_groups(TEAMS[list_], options))


def _all_groups(own: TeamList, options: Options) -> Iterator[Group]:
    for role in own.roles:
        suits = next(recruit for recruit in RECRUITS if role.role in recruit.roles)
        for small, groups in ((False, suits.packs), (True, suits.fill)):
            for rank, things in enumerate(groups):
                packs = tuple(_packs(own, [thing.buys(role.role) for thing in things], options))
                if packs:
                    yield Group(rank, small, packs)


def _packs(own: TeamList, choices: list[tuple[Buy, ...]], options: Options) -> Iterator[Pack]:
    weapons = {role: min(sets)[1] for role, sets in _armings(own.id).items()}
    bare = Team(own.id, weapons=weapons)
    for buys in choices:
        team = replace(bare, buy=buys)
        if all(_in_style(own, buy) for buy in buys) and not team_faults(team, options):
            yield Pack(team_cost(team) - team_cost(bare), buys)


def _in_style(own: TeamList, buy: Buy) -> bool:
    """From the list's own lines, not just because the chart has it: no rockets for Delta."""
    return bool(buy.perk) or buy.item in own.special or PURCHASES[buy.item].sold == "issue"
