"""Is a roster legal? Everything that is wrong with it, each with its rule and the figures that would mend it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from wardogs.kernel.offers import Refusal
from wardogs.systems.dogs.data import BLASTS, WEAPONS
from wardogs.systems.dogs.lists import (
    BOUGHT_BY_CHART,
    CHART_PURCHASES,
    FACTIONS,
    GEAR,
    PERKS,
    PURCHASES,
    ROUNDS,
    TEAMS,
    UNDERSLUNG,
    VESTS,
    Perk,
    Purchase,
    Role,
    TeamList,
    perk_price,
)
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.roster_issue import PLAIN, arms, bought_calibre, firearms, soldiers, vests_due
from wardogs.systems.dogs.roster_model import Buy, Roster, Team, carried, cost, items, listed, perks, swap

ENGINEER, FREE_CHARGES = "combat_engineer", "c4_without_engineer"


class Violation(Refusal, frozen=True):
    """The rule that a roster breaks, and the figures that say what would make it legal."""


def violations(roster: Roster, limit: int | None = None, options: Options = PLAIN, *, mixed: bool = False) -> list[Violation]:
    """Everything that is against the rules; `limit` stands for the roster's own points, `mixed` allows several factions."""
    found = list(_force_faults(roster, roster.points if limit is None else limit, mixed))
    for number, team in enumerate(roster.teams, 1):
        found += team_faults(team, options, number)
    return found


def _force_faults(roster: Roster, limit: int, mixed: bool) -> Iterator[Violation]:
    if not roster.teams:
        yield Violation("DOW-GEN-06", "no_team", {"needs": 1})
    if (total := cost(roster)) > limit:
        yield Violation("DOW-GEN-07", "over_points", {"cost": total, "limit": limit, "over": total - limit})
    factions = {listed(team).faction for team in roster.teams}
    if len(factions) > 1 and not mixed:
        yield Violation("DOW-BLD-01", "mixed_factions", {"factions": [name for name in FACTIONS if name in factions]})


def team_faults(team: Team, options: Options = PLAIN, number: int = 1) -> list[Violation]:
    """What is wrong with one team."""
    found = [*_list_faults(team, options), *_medic_faults(team), *_vest_faults(team)]
    for role in listed(team).roles:
        for fault in _man_faults(team, role, options):
            found.append(Violation(fault.rule, fault.fact, {"role": role.title, **fault.data}))
    called = team.name or listed(team).name
    return [Violation(fault.rule, fault.fact, {"team": f"team {number} ({called})", **fault.data}) for fault in found]


def _man_faults(team: Team, role: Role, options: Options) -> Iterator[Violation]:
    yield from _weapon_faults(team, role)
    yield from _underslung_faults(team, role)
    for buy in items(team, role):
        yield from _item_faults(team, role, buy, options)
    yield from _perk_faults(team, role, options)


def _list_faults(team: Team, options: Options) -> Iterator[Violation]:
    if listed(team).source == "reconstructed" and not options.reconstructed_options:
        documented = [own.id for own in TEAMS.values() if own.source == "document"]
        yield Violation("DOW-GEN-15", "list_barred", {"list": team.list, "there_are": documented})


# Weapons --------------------------------------------------------------------------------------------------------------


def _weapon_faults(team: Team, role: Role) -> Iterator[Violation]:
    """DOW-BLD-03 to -05: only what the list may take from the chart, and handed back only by who may buy."""
    own, found = listed(team), swap(team, role)
    barred = [weapon for weapon in dict.fromkeys(found.taken) if not may_take(own, weapon)]
    for weapon in barred:
        yield Violation("DOW-BLD-03", f"chart_{own.buy_from_chart}", {"weapon": weapon, "list": own.name, **_printed(role)})
    if found.back and own.buy_from_chart == "none" and not barred:
        yield Violation("DOW-BLD-05", "no_swap", {"weapons": list(found.back), "list": own.name})


def _printed(role: Role) -> dict[str, Any]:
    return {"printed": [" and ".join(weapons) for weapons in role.printed if weapons]}


def may_take(own: TeamList, weapon: str) -> bool:
    """From its part of the Weapons Chart, or because its special line sells it (DOW-EQP-16)."""
    purchase = CHART_PURCHASES.get(weapon)
    return own.may_buy(WEAPONS[weapon]) or (purchase is not None and purchase.id in own.special)


def _underslung_faults(team: Team, role: Role) -> Iterator[Violation]:
    has = Counter(carried(team, role))
    rifles = sum(has[rifle] for rifle in UNDERSLUNG.rifles)
    if has[UNDERSLUNG.launcher] > rifles:
        data = {
            "weapon": UNDERSLUNG.launcher,
            "rifles": list(UNDERSLUNG.rifles),
            "has": rifles,
            "needs": has[UNDERSLUNG.launcher],
        }
        yield Violation("DOW-RNG-15", "no_rifle", data)


# Items ----------------------------------------------------------------------------------------------------------------


def _item_faults(team: Team, role: Role, buy: Buy, options: Options) -> Iterator[Violation]:
    own, item = listed(team), PURCHASES[buy.item]
    if not is_sold(own, item):
        yield _not_sold(own, item)
    elif item.source == "reconstructed" and not options.reconstructed_options and not _on_chart(own, item):
        yield Violation("DOW-GEN-15", "item_barred", {"item": item.id})
    if any(GEAR[thing].leaders_only for thing in item.gives if thing in GEAR) and role.role != "leader":
        yield Violation("DOW-BLD-10", "leaders_only", {"item": item.id, "leader": listed(team).role("leader").title})
    if item.engineers_only and not _may_blow(own, item, perks(team, role)):
        rule = "DOW-EXP-02" if item.id == "shaped_charge" else "DOW-EXP-05"
        yield Violation(rule, "engineers_only", {"item": item.id, "perk": ENGINEER})
    if ROUNDS in item.gives:
        yield from _calibre_faults(team, role, buy)


def is_sold(own: TeamList, item: Purchase) -> bool:
    """DOW-BLD-02, -03, -09: on its special line, on its part of the chart, or more of its issue."""
    if item.id in own.special or _on_chart(own, item):
        return True
    kinds = item.gives.keys() & BLASTS.keys()
    return item.sold == "issue" and not own.only_special and kinds <= own.issued


def _on_chart(own: TeamList, item: Purchase) -> bool:
    """Weapons, grenades and rockets of the Weapons Chart, if the block allows."""
    things = [WEAPONS.get(thing) or BLASTS.get(thing) for thing in item.gives]
    thrown = [BLASTS[thing].throw for thing in item.gives if thing in BLASTS]
    return all(thing and own.may_buy(thing) for thing in things) and all(throw in BOUGHT_BY_CHART for throw in thrown)


def _not_sold(own: TeamList, item: Purchase) -> Violation:
    data = {"item": item.id, "list": own.name, "sold": [one.id for one in PURCHASES.values() if is_sold(own, one)]}
    if item.id == "kevlar_vest":
        return Violation("DOW-EQP-05", "not_sold_vest", data)
    blocked = own.buy_from_chart != "none" and any(thing in BLASTS and not own.may_buy(BLASTS[thing]) for thing in item.gives)
    return Violation("DOW-BLD-03", "block", data) if blocked else Violation("DOW-BLD-02", "not_sold", data)


def _may_blow(own: TeamList, item: Purchase, learned: tuple[str, ...]) -> bool:
    """DOW-EXP-02, -05: engineers; C4 also those whose list says so."""
    return ENGINEER in learned or (item.id == "c4_lb" and FREE_CHARGES in own.special_rules)


def _calibre_faults(team: Team, role: Role, buy: Buy) -> Iterator[Violation]:
    """DOW-BLD-09: rounds that somebody of the team can fire."""
    fired = list(dict.fromkeys(calibre for other in listed(team).roles for calibre in firearms(arms(team, other))))
    if bought_calibre(team, role, buy.calibre) not in fired:
        yield Violation("DOW-BLD-09", "wrong_calibre", {"calibre": buy.calibre or "such rounds", "fired": fired or ["none"]})


# Perks ----------------------------------------------------------------------------------------------------------------


def _perk_faults(team: Team, role: Role, options: Options) -> Iterator[Violation]:
    own, learned = listed(team), Counter(perks(team, role))
    for id_, n in learned.items():
        perk = PERKS[id_]
        if perk_price(own, perk) is None:
            sold = [one.id for one in PERKS.values() if perk_price(own, one) is not None]
            yield Violation("DOW-BLD-02", "perk_not_sold", {"perk": id_, "list": own.name, "sold": sold or ["nothing"]})
        elif _is_barred(own, perk) and not options.reconstructed_options:
            yield Violation("DOW-GEN-15", "perk_barred", {"perk": id_})
        if n > 1:
            yield Violation("DOW-BLD-06", "perk_twice", {"perk": id_, "n": n})
        if perk.not_leader and role.role == "leader":
            yield Violation("DOW-AID-06", "not_for_leaders", {"perk": id_})
        for other in perk.excludes:
            if other in learned:
                yield Violation("DOW-CQC-13", "perks_exclude", {"perk": id_, "other": other})


def _is_barred(own: TeamList, perk: Perk) -> bool:
    """DOW-GEN-15: a perk that only the reconstruction supplies."""
    return perk.source == "reconstructed" or (perk.id not in own.perks)


def _medic_faults(team: Team) -> Iterator[Violation]:
    """DOW-AID-06: and any other perk of which a team has only so many."""
    men = Counter(perk for role in listed(team).roles for perk in set(perks(team, role)))
    for id_, n in men.items():
        most = PERKS[id_].max_per_team
        if most is not None and n > most:
            yield Violation("DOW-AID-06", "too_many", {"perk": id_, "n": n, "most": most})


def _vest_faults(team: Team) -> Iterator[Violation]:
    """DOW-EXP-14: every second Jihad man of an Al Qaeda team; who, the owner picks, or he leaves it to us."""
    own, due = listed(team), vests_due(team)
    for name in team.vest:
        if VESTS.perk not in perks(team, own.role(name)):
            yield Violation("DOW-EXP-14", "vest_without_jihad", {"role": own.role(name).title, "perk": VESTS.perk})
    if team.vest and len(set(team.vest)) != due:
        yield Violation("DOW-EXP-14", "wrong_vests", {"n": len(set(team.vest)), "due": due, "one_in": VESTS.one_in})


# Notes ----------------------------------------------------------------------------------------------------------------


def notes(roster: Roster) -> list[Violation]:
    """What is legal and perhaps not meant."""
    return [
        Violation(note.rule, note.fact, {"team": f"team {n} ({team.name or listed(team).name})", "role": role.title, **note.data})
        for n, team in enumerate(roster.teams, 1)
        for role in listed(team).roles
        for note in _man_notes(team, role)
    ]


def _man_notes(team: Team, role: Role) -> Iterator[Violation]:
    found = swap(team, role)
    if not arms(team, role):
        yield Violation("DOW-BLD-04", "unarmed")
    if found.credit > found.price:
        yield Violation("DOW-BLD-05", "no_refund", {"weapons": list(found.back), "lost": found.credit - found.price})
    bought = Counter(thing for buy in items(team, role) for thing in PURCHASES[buy.item].gives for _ in range(buy.n))
    issued = (*listed(team).items, *(thing for perk in set(perks(team, role)) for thing in PERKS[perk].items))
    for thing, n in bought.items():
        if thing in GEAR and n + issued.count(thing) > 1:
            yield Violation("DOW-BLD-02", "one_is_enough", {"item": thing})
    man = next(one for one in soldiers(team) if one.role == role.role)
    for weapon in man.weapons:
        if not weapon.loaded:
            yield Violation("DOW-BLD-07", "no_rounds", {"weapon": weapon.id, "fires": WEAPONS[weapon.id].fires or ROUNDS})
