"""Morale: near misses, Shell Shock, the team's own check; who breaks, who rallies."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Ask, Flag, Offer
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.data import MORALE_MODS, load
from wardogs.systems.dogs.seeing import in_cover_from, sees_now
from wardogs.systems.dogs.state import Fight, Id, Model, Stance, Team, Term, other, total
from wardogs.systems.dogs.steps import later


class Khat(Struct, frozen=True, forbid_unknown_fields=True):
    high_at: int
    source: Source


KHAT = load("morale.toml", "khat", Khat)

# ---- near misses -------------------------------------------------------------------------------------------------


def near_miss(g: Fight, who: Id, by: Id) -> None:
    """DOW-DMG-10, DOW-MOR-14, -16: a check, or duck; the broken duck unasked."""
    man = g.state[who]
    if not checks(man):
        return
    if man.broken:
        g.then(duck, who, by)
        return
    if g.terms.options.near_miss == "choice" and not is_fearless_of_all(g, man):
        ask = Ask("near_miss", (Offer("near_miss", "DOW-DMG-10", {"duck": Flag()}),), {"verb": "near_miss", "duck": False})
        if g.ask("DOW-DMG-10", man.side, ask)["duck"]:
            g.then(duck, who, by)
            return
    g.then(morale_check, who, "near_miss", by, ())


def checks(man: Model) -> bool:
    """DOW-MOR-15, DOW-TAK-08: the unconscious and the captured check nothing."""
    return man.alive and man.conscious and not man.captured and not man.bound


def duck(g: Fight, who: Id, by: Id) -> None:
    """DOW-DMG-10: prone at once, Op-Fire lost; to cover with the first AP to come, unless he lies in cover already."""
    man = g.state[who]
    g.edit(who, stance="prone", opfire=False, ducking=by if must_go(g, man, by) else "")
    g.report("DOW-DMG-10", "ducks", who=who, by=by)
    if man.carrying and man.stance == "standing":
        later(g, "drop_load", who)
    if man.climbing:
        later(g, "fall_off", who)


def must_go(g: Fight, man: Model, by: Id) -> bool:
    """DOW-DMG-10: is there a shooter whom he must go to cover from? The immobilized just stay prone."""
    if not by or man.immobilized or man.vehicle:
        return False
    shooter = g.state[by]
    return shooter.alive and shooter.on_table and not in_cover_from(g, replace(man, stance="prone"), shooter)


# ---- one man's check -----------------------------------------------------------------------------------------------


def shell_shock(g: Fight, who: Id, cause: str, leader_seen: bool) -> None:
    """DOW-MOR-05: at once, or at the end of the turn by the house rules."""
    if g.terms.options.shellshock_timing == "end_of_turn":
        g.change(shocked=(*g.state.shocked, (who, cause, leader_seen)))
    else:
        g.then(shock, who, leader_seen)


def shock(g: Fight, who: Id, leader_seen: bool) -> None:
    """DOW-MOR-05, -15, -16: not if he is out or broken already."""
    man = g.state[who]
    if checks(man) and not man.broken and man.on_table:
        g.then(morale_check, who, "shell_shock", "", tuple(shock_terms(g, man, leader_seen)))


def shock_terms(g: Fight, man: Model, leader_seen: bool) -> Iterator[Term]:
    """DOW-MOR-10, -11: a leader seen killed; a whole team lost in one turn."""
    if leader_seen:
        yield Term("DOW-MOR-10", MORALE_MODS.leader_killed_seen)
    if lost_his_team(g, man):
        yield Term("DOW-MOR-11", MORALE_MODS.whole_team_lost)


def lost_his_team(g: Fight, man: Model) -> bool:
    """DOW-MOR-11: all others killed or incapacitated within the turn."""
    team = g.state.team(man.team)
    others = [id_ for id_ in team.members if id_ != man.id] if team else []
    return bool(others) and all(id_ in g.state.lost for id_ in others)


def is_fearless_of_all(g: Fight, man: Model) -> bool:
    """DOW-MOR-13, DOW-TRT-04, -16: Jihad, and those high on khat, check nothing."""
    return "jihad" in g.terms.who[man.id].perks or is_high(g, man)


def is_high(g: Fight, man: Model) -> bool:
    """DOW-TRT-04: his team is, or by the house rules he himself."""
    team = g.state.team(man.team)
    return man.high or (team is not None and team.khat_high)


def morale_check(g: Fight, who: Id, cause: str, by: Id, mods: tuple[tuple[str, int], ...]) -> None:
    """DOW-MOR-03, DOW-TRT-02: D10 at most ML and its modifiers; the disciplined ignore their first."""
    man = g.state[who]
    if is_fearless_of_all(g, man):
        g.report("DOW-MOR-13", "unmoved", who=who, cause=cause)
        g.then(passed, who, cause)
        return
    if man.disciplined_left and keeps_calm(g, man):
        g.then(spend_discipline, who, cause)
        return
    need = morale_need(g, who, mods)
    held = g.roll("DOW-MOR-03", D10, at_most(D10, need), who=who, need=need, cause=cause, terms=mods)
    g.then(checked, who, cause, by, mods, held)


def morale_need(g: Fight, who: Id, mods: tuple[tuple[str, int], ...]) -> int:
    return g.terms.who[who].ml + sum(value for _, value in mods)


def keeps_calm(g: Fight, man: Model) -> bool:
    """DOW-TRT-02: automatic for Rangers and Marines, a choice for Green Berets."""
    if "disciplined_optional" not in g.terms.who[man.id].traits:
        return True
    ask = Ask("disciplined", (Offer("disciplined", "DOW-TRT-02", {"ignore": Flag()}),), {"verb": "disciplined", "ignore": True})
    return bool(g.ask("DOW-TRT-02", man.side, ask)["ignore"])


def spend_discipline(g: Fight, who: Id, cause: str) -> None:
    """DOW-TRT-02: ignored counts as passed, no roll."""
    g.edit(who, disciplined_left=False)
    g.report("DOW-TRT-02", "keeps_discipline", who=who, cause=cause)
    g.then(passed, who, cause)


def checked(g: Fight, who: Id, cause: str, by: Id, mods: tuple[tuple[str, int], ...], held: bool) -> None:
    """DOW-TRT-13, DOW-MOR-16: Hard Corps may roll the second failure of the game again; failed rallies count."""
    man = g.state[who]
    if g.state[who].disciplined_left:
        g.edit(who, disciplined_left=False)  # a Green Beret who rolled his first check has had it
    if held:
        g.then(passed, who, cause)
    elif man.hardcorps_left and man.morale_fails == 1:
        g.then(hard_corps, who, cause, by, mods)
    else:
        g.then(failed, who, cause, by)


def hard_corps(g: Fight, who: Id, cause: str, by: Id, mods: tuple[tuple[str, int], ...]) -> None:
    """DOW-TRT-13: the owner rolls again or accepts; the second roll stands."""
    ask = Ask("hard_corps", (Offer("hard_corps", "DOW-TRT-13", {"reroll": Flag()}),), {"verb": "hard_corps", "reroll": True})
    if not g.ask("DOW-TRT-13", g.state[who].side, ask)["reroll"]:
        g.then(failed, who, cause, by)
        return
    need = morale_need(g, who, mods)
    g.then(after_hard_corps, who, cause, by, g.roll("DOW-TRT-13", D10, at_most(D10, need), who=who, need=need, cause=cause))


def after_hard_corps(g: Fight, who: Id, cause: str, by: Id, held: bool) -> None:
    g.edit(who, hardcorps_left=False)
    if held:
        g.edit(who, morale_fails=g.state[who].morale_fails + 1)  # it was his second failure all the same
        g.then(passed, who, cause)
    else:
        g.then(failed, who, cause, by)


def passed(g: Fight, who: Id, cause: str) -> None:
    """DOW-MOR-07, DOW-COM-05: he rallies, or he goes on alone; all other checks just leave him be."""
    if cause == "rally":
        g.then(rallied, who)
    elif cause == "courage":
        later(g, "takes_heart", who)


def failed(g: Fight, who: Id, cause: str, by: Id) -> None:
    """DOW-DMG-10, DOW-MOR-06, -07: a near miss makes him duck, a rally leaves him broken; all else breaks him."""
    man = g.state[who]
    g.edit(who, morale_fails=man.morale_fails + 1)
    if cause == "near_miss" and g.terms.options.near_miss != "rout":
        g.then(duck, who, by)
    elif cause == "rally":
        g.edit(who, rally_failed=True)
        g.report("DOW-MOR-07", "not_rallied", who=who)
    elif cause == "courage":
        later(g, "loses_heart", who)
    else:
        g.then(break_man, who, cause)


def break_man(g: Fight, who: Id, cause: str) -> None:
    """DOW-MOR-06, DOW-OPF-08, DOW-TAK-03, -07: broken; he runs if he is active, else in his next activation, and alone."""
    man = g.state[who]
    if man.broken or not checks(man):
        return
    g.edit(who, broken=True, rally_failed=False, opfire=False, ducking="", returning=False, leading="")
    g.report("DOW-MOR-06", "breaks", who=who, cause=cause)
    for held in g.state.models:
        if held.held_by == who:
            g.edit(held.id, held_by="")


# ---- rallying --------------------------------------------------------------------------------------------------------


def rally(g: Fight, who: Id) -> None:
    """DOW-MOR-07, -16: a broken man checks on his plain ML when he is activated; and nobody ducks for ever."""
    man = g.state[who]
    if man.ducking:
        later(g, "duty_over", who)
    if man.broken and checks(man) and man.on_table:
        g.then(morale_check, who, "rally", "", ())


def rallied(g: Fight, who: Id) -> None:
    """DOW-MOR-07: he pulls himself together."""
    g.edit(who, broken=False, rally_failed=False)
    g.report("DOW-MOR-07", "rallies", who=who)


# ---- khat ------------------------------------------------------------------------------------------------------------


def khat(g: Fight, team_id: str) -> None:
    """DOW-TRT-04: the militia's roll at the start of a turn: one for the team, or one for each man by the house rules."""
    team = g.state.team(team_id)
    assert team is not None
    chewers = [man for man in mates(g, team) if man.alive and "khat" in g.terms.who[man.id].traits]
    if g.terms.options.khat == "this_turn":
        sober(g, team, chewers)
    if g.terms.options.khat_per_model:
        for man in chewers:
            g.then(khat_of_one, man.id)
    elif chewers and (g.terms.options.khat == "this_turn" or not team.khat_high):
        g.then(khat_of_team, team_id)


def sober(g: Fight, team: Team, chewers: list[Model]) -> None:
    g.edit(("teams", team.id), khat_high=False)
    for man in chewers:
        g.edit(man.id, high=False)


def khat_of_team(g: Fight, team_id: str) -> None:
    """DOW-TRT-04: high at five or less; models already broken rally at once."""
    team = g.state.team(team_id)
    assert team is not None
    if g.roll("DOW-TRT-04", D10, at_most(D10, KHAT.high_at), team=team_id, side=team.side, need=KHAT.high_at):
        g.edit(("teams", team_id), khat_high=True)
        g.report("DOW-TRT-04", "khat_high", team=team_id)
        for man in mates(g, team):
            rally_at_once(g, man)


def khat_of_one(g: Fight, who: Id) -> None:
    """DOW-TRT-04, khat_per_model: the same for one man."""
    man = g.state[who]
    if not man.high and g.roll("DOW-TRT-04", D10, at_most(D10, KHAT.high_at), who=who, need=KHAT.high_at):
        g.edit(who, high=True)
        g.report("DOW-TRT-04", "man_high", who=who)
        rally_at_once(g, man)


def rally_at_once(g: Fight, man: Model) -> None:
    if man.broken and checks(man):
        g.then(rallied, man.id)


# ---- the team's check ------------------------------------------------------------------------------------------------


def team_morale(g: Fight) -> None:
    """DOW-SEQ-02: shocks that were kept for the end of the turn; then the teams, those of the side of the first slot first."""
    kept = g.state.shocked
    g.change(phase="rally", shocked=())
    for who, _, leader_seen in kept:
        g.then(shock, who, leader_seen)
    first = g.state.first_side or 1
    for seat in (first, other(first)):
        for team in g.state.teams:
            if team.side == seat:
                g.then(team_check, team.id)


def losses(g: Fight, team: Team) -> int:
    """DOW-MOR-01, -02: members killed or incapacitated."""
    return sum(not man.alive or man.incapacitated for man in mates(g, team))


def team_check(g: Fight, team_id: str) -> None:
    """DOW-MOR-01, -04: at half its strength or less, if it has lost somebody since its last check."""
    team = g.state.team(team_id)
    assert team is not None
    gone = losses(g, team)
    fresh = team.lost_this_turn > 0 or gone > team.checked_at_loss or g.terms.options.team_check_every_turn
    g.edit(("teams", team_id), checked_at_loss=min(team.checked_at_loss, gone))
    if fresh and gone >= MORALE_MODS.break_point * len(team.members) and subject(g, team):
        g.edit(("teams", team_id), checked_at_loss=gone)
        g.then(test_team, team_id)


def subject(g: Fight, team: Team) -> list[Model]:
    """DOW-MOR-04, -12, -13, -15, -16: who would break; not the fearless, the broken, the unconscious."""
    return [man for man in mates(g, team) if checks(man) and man.on_table and not man.broken and not heedless(g, man)]


def heedless(g: Fight, man: Model) -> bool:
    """DOW-MOR-12, -13: no Team checks, no witness checks."""
    return "fearless" in g.terms.who[man.id].traits or is_fearless_of_all(g, man)


def test_team(g: Fight, team_id: str) -> None:
    """DOW-MOR-04, DOW-TRT-02: one D10 on the highest ML of those still able; the disciplined ignore their first."""
    team = g.state.team(team_id)
    assert team is not None
    if team.disciplined_left and team_keeps_calm(g, team):
        g.then(spend_team_discipline, team_id)
        return
    there = subject(g, team)
    able = [man for man in mates(g, team) if man.able and not man.incapacitated] or there
    terms = tuple(team_terms(g, team, there))
    need = max(g.terms.who[man.id].ml for man in able) + total(terms)
    held = g.roll("DOW-MOR-04", D10, at_most(D10, need), team=team_id, side=team.side, need=need, terms=terms)
    g.then(team_tested, team_id, held)


def team_terms(g: Fight, team: Team, there: list[Model]) -> Iterator[Term]:
    """DOW-MOR-10, -11: a member saw the leader killed; one man is left of a team lost in one turn."""
    if team.saw_leader_killed:
        yield Term("DOW-MOR-10", MORALE_MODS.leader_killed_seen)
    if len(there) == 1 and lost_his_team(g, there[0]):
        yield Term("DOW-MOR-11", MORALE_MODS.whole_team_lost)


def team_keeps_calm(g: Fight, team: Team) -> bool:
    """DOW-TRT-02: a choice for Green Berets."""
    if not any("disciplined_optional" in g.terms.who[id_].traits for id_ in team.members):
        return True
    ask = Ask("disciplined", (Offer("disciplined", "DOW-TRT-02", {"ignore": Flag()}),), {"verb": "disciplined", "ignore": True})
    return bool(g.ask("DOW-TRT-02", team.side, ask)["ignore"])


def spend_team_discipline(g: Fight, team_id: str) -> None:
    """DOW-TRT-02: the team ignores its first Team check."""
    g.edit(("teams", team_id), disciplined_left=False)
    g.report("DOW-TRT-02", "team_keeps_discipline", team=team_id)


def team_tested(g: Fight, team_id: str, held: bool) -> None:
    """DOW-MOR-04: failing breaks every member who is subject to it."""
    team = g.state.team(team_id)
    assert team is not None
    g.edit(("teams", team_id), disciplined_left=False)
    g.report("DOW-MOR-04", "team_holds" if held else "team_breaks", team=team_id)
    for man in () if held else subject(g, team):
        g.then(break_man, man.id, "team")


# ---- those who see it ------------------------------------------------------------------------------------------------


def witnesses(g: Fight, dead: Id, stance: Stance) -> None:
    """DOW-MOR-05, -10, -12: team mates who see a man killed; the fearless look on."""
    man = replace(g.state[dead], stance=stance)
    team = g.state.team(man.team)
    if team is None:
        return
    leader = team.leader == dead
    saw = [mate for mate in mates(g, team) if mate.id != dead and sees_death(g, mate, man)]
    if saw and leader:
        g.edit(("teams", team.id), saw_leader_killed=True)
    for mate in saw:
        if "fearless" not in g.terms.who[mate.id].traits:
            g.then(shell_shock, mate.id, "witness", leader)


def sees_death(g: Fight, mate: Model, man: Model) -> bool:
    return checks(mate) and mate.on_table and sees_now(g, mate, man)


def mates(g: Fight, team: Team) -> list[Model]:
    return [g.state[id_] for id_ in team.members]


PARAGRAPHS = (
    near_miss, duck, shell_shock, shock, morale_check, spend_discipline, checked, hard_corps, after_hard_corps, passed, failed,
    break_man, rally, rallied, khat, khat_of_team, khat_of_one, team_morale, team_check, test_team,
    spend_team_discipline, team_tested, witnesses,
)  # fmt: skip
