"""Rosters and what is wrong with them, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from wardogs.kernel.errors import unknown
from wardogs.kernel.phrases import Phrasebook
from wardogs.systems.dogs.data import BLASTS, WEAPONS, load
from wardogs.systems.dogs.lists import CHARGES, GEAR, PERKS, PURCHASES, TEAMS, TRAITS, TeamList, item_price, perk_price
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.roster_check import Violation, is_sold, may_take
from wardogs.systems.dogs.roster_issue import PLAIN, Soldier, soldiers
from wardogs.systems.dogs.roster_model import Line, Roster, Team, cost, listed, team_bill, team_cost, weapon_price

SHORT = load("gear.toml", "short", dict[str, str])
NAMES: dict[str, str] = {
    **{blast.id: blast.name for blast in BLASTS.values()},
    **{thing.id: thing.name for group in (TEAMS, GEAR, TRAITS, PERKS, PURCHASES) for thing in group.values()},
    **SHORT,
    CHARGES: "quarter pound of C4",
    "handed_back": "handed back",
}
FAULTS = {
    "no_team": "there is no team in it: a force has at least {needs}",
    "over_points": "{cost} points where {limit} are allowed: leave out {over}",
    "mixed_factions": "{factions} do not fight together: keep to one of them, or let the scenario allow it",
    "list_barred": "{team}: {list} is a reconstructed list, and those are barred; there are {there_are}",
    "chart_none": "{team}, {role}: no {weapon}: {list} buys no weapons; he has {printed}",
    "chart_all_except_soviet_block": "{team}, {role}: no {weapon}: {list} may not buy Soviet Block weapons",
    "chart_soviet_block_only": "{team}, {role}: no {weapon}: {list} buys only Soviet Block weapons",
    "no_swap": "{team}, {role}: {weapons} cannot be handed back: {list} keeps its weapons",
    "no_rifle": "{team}, {role}: {weapon} hangs under a rifle ({rifles} will do): he needs {needs} and has {has}",
    "item_barred": "{team}, {role}: {item} is reconstructed, and such things are barred",
    "leaders_only": "{team}, {role}: {item} is for the {leader} only",
    "engineers_only": "{team}, {role}: {item} is for a {perk}: give him that perk, or the charge to a man who has it",
    "not_sold": "{team}, {role}: no {item}: {list} may buy {sold}",
    "not_sold_vest": "{team}, {role}: no {item}: only Al Qaeda may buy it; {list} may buy {sold}",
    "block": "{team}, {role}: no {item}: it is of the wrong block; {list} may buy {sold}",
    "wrong_calibre": "{team}, {role}: nobody in the team fires {calibre}; they fire {fired}",
    "perk_not_sold": "{team}, {role}: no {perk}: {list} may learn {sold}",
    "perk_barred": "{team}, {role}: {perk} is reconstructed, and such perks are barred",
    "perk_twice": "{team}, {role}: {perk} {n} times: once is all a man can have",
    "not_for_leaders": "{team}, {role}: {perk} is not for a leader: give it to another",
    "perks_exclude": "{team}, {role}: {perk} and {other} do not go together: keep one",
    "too_many": "{team}: {n} men are {perk}: a team may have {most}",
    "vest_without_jihad": "{team}, {role}: a vest needs {perk}",
    "wrong_vests": "{team}: vests for {n}; one Jihad man in {one_in} of Al Qaeda wears one, here {due}: name so many, or nobody",
    "unarmed": "{team}, {role}: has no weapon",
    "no_refund": "{team}, {role}: {weapons} handed back for less: {lost} points are lost",
    "one_is_enough": "{team}, {role}: {item} more than once is of no use",
    "no_rounds": "{team}, {role}: {weapon} has nothing to fire: buy {fires}",
}
BOOK = Phrasebook({"refusals": FAULTS, "values": NAMES}, {})
SPARE = ("ammo", "grenades", "rockets", "devices")


def sentence(fault: Violation) -> str:
    """A violation or a note as one line that says how to mend it."""
    return BOOK.refusal(fault)


def named(id_: str) -> str:
    return NAMES.get(id_, id_)


# Bills ----------------------------------------------------------------------------------------------------------------


def bill_text(roster: Roster) -> str:
    """What each team costs, line by line."""
    lines = [line for team in roster.teams for line in _team_bill(team)]
    return "\n".join([*lines, f"{cost(roster):>5}  in all, of {roster.points}"])


def _team_bill(team: Team) -> Iterator[str]:
    for line in team_bill(team):
        yield f"{line.points:>5}  {_bill_line(team, line)}"
    yield f"{team_cost(team):>5}  = {team.name or listed(team).name}\n"


def _bill_line(team: Team, line: Line) -> str:
    many = f"{line.n} x " if line.n > 1 else ""
    who = f"{listed(team).role(line.role).title}: " if line.role else ""
    back = f" {', '.join(map(named, line.back))}" if line.back else ""
    return f"{who}{many}{named(line.what)}{back} [{line.rule}]"


def bill(roster: Roster) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {"list": team.list, "name": team.name, "cost": team_cost(team), "lines": msgspec.to_builtins(team_bill(team))}
        for team in roster.teams
    ]


# Catalogues -----------------------------------------------------------------------------------------------------------


def catalogue(list_: str = "") -> str:
    """The lists and their prices; or one list with all that it may buy."""
    if not list_:
        return "\n".join(f"{own.id:18} {own.points:>4}  {own.name} ({own.faction})" for own in TEAMS.values())
    if list_ not in TEAMS:
        raise unknown("list", list_, TEAMS)
    return "\n".join(_list_rows(TEAMS[list_]))


def _list_rows(own: TeamList) -> Iterator[str]:
    yield f"{own.id}: {own.name} ({own.faction}), {own.points} points"
    for role in own.roles:
        printed = " or ".join(", ".join(map(named, weapons)) for weapons in role.printed if weapons)
        yield f"  {role.role:10} {role.title}: {printed or 'buys his weapons'}"
    sold = {item.id: item_price(own, item) for item in PURCHASES.values() if is_sold(own, item)}
    learned = {perk.id: price for perk in PERKS.values() if (price := perk_price(own, perk)) is not None}
    chart = {id_: weapon_price(own, id_) for id_ in WEAPONS if may_take(own, id_)}
    for word, prices in (("item", sold), ("perk", learned), ("weapon", chart)):
        yield from (f"  {word:7} {id_:22} {price:>3}  {named(id_)}" for id_, price in prices.items())


# Sheets ---------------------------------------------------------------------------------------------------------------


def force(roster: Roster, options: Options = PLAIN) -> list[dict[str, Any]]:
    """Every team with its soldiers, for programs."""
    return [{"list": team.list, "name": team.name, "soldiers": soldiers(team, options)} for team in roster.teams]


def sheet(roster: Roster, options: Options = PLAIN) -> str:
    """Every soldier as he steps onto the table."""
    return "\n\n".join("\n".join(_team_sheet(team, options)) for team in roster.teams)


def _team_sheet(team: Team, options: Options) -> Iterator[str]:
    called = f' "{team.name}"' if team.name else ""
    yield f"{listed(team).name}{called}, {team_cost(team)} points"
    for soldier in soldiers(team, options):
        yield from _soldier_sheet(soldier)


def _soldier_sheet(man: Soldier) -> Iterator[str]:
    abilities = " ".join(f"{name.upper()} {getattr(man, name)}" for name in ("wp", "wk", "cq", "st", "ft", "ml", "hp"))
    yield f"  {man.title}: {abilities} CC {man.cc}/{man.cc_mode}, worth {man.worth:g}"
    spare = {thing: n for group in SPARE for thing, n in getattr(man, group).items()}
    rows = (
        ("weapons", [f"{named(weapon.id)} ({weapon.loaded} of {WEAPONS[weapon.id].magazine} loaded)" for weapon in man.weapons]),
        ("spare", [f"{n} rounds {thing}" if thing in man.ammo else f"{n} x {named(thing)}" for thing, n in spare.items()]),
        ("armor", [f"{location.replace('_', ' ')} {rating}" for location, rating in man.ar.items()]),
        ("gear", [named(thing) for thing in man.gear if not GEAR[thing].ar]),
        ("knows", [named(thing) for thing in (*man.perks, *man.traits)]),
        ("vest", [f"{man.vest} x {named(CHARGES)}"] if man.vest else []),
    )
    yield from (f"    {word:8} {', '.join(things)}" for word, things in rows if things)
