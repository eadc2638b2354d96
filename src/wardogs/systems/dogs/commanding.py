"""Command: who is in reach of his leader, who may be told of a target, and the courage to go on alone."""

from __future__ import annotations

from msgspec.structs import replace

from wardogs.kernel.dice import D10, at_most
from wardogs.systems.dogs.data import SIGHTING
from wardogs.systems.dogs.measure import CLOSE, gap, in_arc, within
from wardogs.systems.dogs.memory import remembered
from wardogs.systems.dogs.seeing import eyes_on, sees
from wardogs.systems.dogs.state import Fight, Id, Model, Team
from wardogs.systems.dogs.steps import later
from wardogs.table.units import Place

RADIO = "earpiece_radio"


@remembered
def linked(g: Fight, a: Model, b: Model) -> bool:
    """DOW-COM-03, DOW-COM-04, DOW-COM-07, DOW-COM-11: may one tell the other what he sees?"""
    if a.side != b.side or not a.free or not b.free:
        return False
    if RADIO in a.gear and RADIO in b.gear:
        return True
    if {"motorola_handheld"} <= set(a.gear) & set(b.gear) and is_leader(g, a) and is_leader(g, b):
        return True
    if not a.team or not b.team:
        return within(gap(a, b), SIGHTING.told_within)
    if a.team != b.team:
        return False
    signals = g.terms.who[a.id].hand_signals and in_arc(b, a.at) and sees(g, a, b) and sees(g, b, a)
    return signals or (in_command(g, a) and in_command(g, b))


def is_leader(g: Fight, man: Model) -> bool:
    team = g.state.team(man.team)
    return team is not None and leader_of(g, team) == man.id


def can_lead(man: Model) -> bool:
    """DOW-COM-09: alive, awake, nobody's prisoner, and here."""
    return man.alive and man.on_table and man.conscious and not man.captured and not man.bound


def leader_of(g: Fight, team: Team) -> Id:
    """DOW-COM-09: one who wakes or is freed leads again at once; else whom the start of the turn found."""
    return team.born_leader if can_lead(g.state[team.born_leader]) else team.leader


@remembered
def in_command(g: Fight, man: Model) -> bool:
    """DOW-COM-01, DOW-COM-02, DOW-COM-03, DOW-COM-04: within CC inches of his leader and in sight, or by radio or signals."""
    team = g.state.team(man.team)
    if team is None or leader_of(g, team) == man.id:
        return True
    leader = g.state[leader_of(g, team)]
    if not can_lead(leader) or (RADIO in man.gear and RADIO in leader.gear):
        return True
    if g.terms.options.cohesion == "chain":
        return _chained(g, man, leader)
    return _commands(g, leader, man)


def _commands(g: Fight, leader: Model, man: Model) -> bool:
    near, either = within(gap(leader, man), g.terms.who[leader.id].cc), g.terms.options.cc_los == "or"
    signals = g.terms.who[man.id].hand_signals and in_arc(man, leader.at)
    if either and near:
        return True
    return (either or near or signals) and sees(g, leader, man) and sees(g, man, leader)


def _chained(g: Fight, man: Model, leader: Model) -> bool:
    """DOW-COM-01 with cohesion = chain: any member in command passes it on, as far as the leader's CC."""
    team = g.state.team(man.team)
    waiting = [g.state[id_] for id_ in team.members if id_ != leader.id] if team else []
    waiting, reached = [mate for mate in waiting if mate.on_table and mate.alive], [leader]
    while reached:
        link = reached.pop()
        found = [mate for mate in waiting if _commands(g, link, mate)]
        if any(mate.id == man.id for mate in found):
            return True
        waiting = [mate for mate in waiting if mate not in found]
        reached += [mate for mate in found if mate.free]
    return False


def knows_of(g: Fight, man: Model, target: Model) -> bool:
    """DOW-COM-07, -08: he sees it himself, whichever way he faces, or somebody who does can tell him."""
    return sees(g, man, target) or told_of(g, man, target)


def told_of(g: Fight, man: Model, target: Model) -> bool:
    """DOW-COM-07: a friend who sees him can say so; a runner's own eyes do not count (DOW-MOV-05)."""
    return any(friend.id != man.id and linked(g, friend, man) for friend in eyes_on(g, man.side, target))


# ---- the leader ------------------------------------------------------------------------------------------------------


def new_leaders(g: Fight) -> None:
    """DOW-COM-09: where a leader is lost, the member with the highest CC, then in list order, leads from this turn on."""
    for team in g.state.teams:
        fit = [id_ for id_ in team.members if can_lead(g.state[id_])]
        if not fit or leader_of(g, team) in fit:
            if (leader := leader_of(g, team)) != team.leader:
                takes_over(g, team, leader)
            continue
        takes_over(g, team, max(fit, key=lambda id_: g.terms.who[id_].cc))


def takes_over(g: Fight, team: Team, leader: Id) -> None:
    """DOW-COM-09: a new leader is no longer on his way back."""
    g.edit(("teams", team.id), leader=leader)
    g.edit(leader, returning=False, courage_ok=False, cancelled=False)
    g.report("DOW-COM-09", "takes_command", who=leader, team=team.id)


# ---- courage ---------------------------------------------------------------------------------------------------------


def courage(g: Fight, who: Id, before: Place) -> None:
    """DOW-COM-05, DOW-COM-10, DOW-COM-11: an inch that ends outside and no nearer to the leader takes courage, once."""
    man = g.state[who]
    if not man.able or man.vehicle:
        return
    if in_command(g, man):
        g.then(inside_again, who)
    elif not man.courage_ok and not man.returning and not nearer(g, man, before):
        g.then(courage_test, who)


def nearer(g: Fight, man: Model, before: Place) -> bool:
    team = g.state.team(man.team)
    assert team is not None, "men without a team are always in command"
    leader = g.state[leader_of(g, team)]
    return gap(leader, man) < gap(leader, replace(man, at=before)) - CLOSE


def inside_again(g: Fight, who: Id) -> None:
    """DOW-COM-05, -06: back in reach: the next excursion is a new one, and he is his own man again."""
    man = g.state[who]
    if man.returning:
        g.report("DOW-COM-06", "back_in_command", who=who)
    if man.returning or man.courage_ok:
        g.edit(who, courage_ok=False, returning=False)


def courage_test(g: Fight, who: Id) -> None:
    """DOW-COM-05, -06: D10 at most ML to go on; by the house rules it is a morale check like any other."""
    if g.terms.options.courage_is_morale:
        later(g, "morale_check", who, "courage", "", ())
        return
    need = g.terms.who[who].ml
    if g.roll("DOW-COM-05", D10, at_most(D10, need), who=who, need=need):
        g.then(takes_heart, who)
    else:
        g.then(loses_heart, who)


def takes_heart(g: Fight, who: Id) -> None:
    g.edit(who, courage_ok=True)
    g.report("DOW-COM-05", "goes_on_alone", who=who)


def loses_heart(g: Fight, who: Id) -> None:
    """DOW-COM-06: the rest of his path is cancelled; all his AP take him back until he is inside again."""
    g.edit(who, returning=True, cancelled=True)
    g.report("DOW-COM-06", "turns_back", who=who)


PARAGRAPHS = (new_leaders, courage, inside_again, courage_test, takes_heart, loses_heart)
