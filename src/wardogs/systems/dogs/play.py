"""The sequence of play: a turn from its start to its end."""

from __future__ import annotations

from wardogs.kernel.dice import D10
from wardogs.kernel.offers import Ask, Choice, Offer, OneOf, Seat
from wardogs.systems.dogs.commanding import can_lead, is_leader
from wardogs.systems.dogs.state import Fight, Model, other
from wardogs.systems.dogs.steps import later, watch_again
from wardogs.systems.dogs.verbs import Packed, packed, unpacked

# ---- T1: start of turn -----------------------------------------------------------------------------------------------


def start_turn(g: Fight) -> None:
    """DOW-SEQ-02: a new turn; marks of the last one go."""
    g.change(turn=g.state.turn + 1, phase="start", lost=(), shocked=())
    for man in g.state.models:
        g.edit(man.id, activated=False, uses=(), ran=False, pain_used=(), run_streak=man.run_streak if man.ran else 0)
    for team in g.state.teams:
        g.edit(("teams", team.id), lost_this_turn=0, saw_leader_killed=False)
    g.report("DOW-SEQ-02", "new_turn", turn=g.state.turn)
    later(g, "new_leaders")
    for team in g.state.teams:
        later(g, "khat", team.id)
    for man in g.state.models:
        if man.alive and man.on_table:
            later(g, "survive", man.id)
    later(g, "arrivals")
    later(g, "fuses_due_announced")
    g.then(initiative)


# ---- T2: initiative --------------------------------------------------------------------------------------------------


def commander(g: Fight, seat: Seat) -> Model | None:
    """DOW-SEQ-04: the best conscious, unbroken, uncaptured team leader; else the best man able to fight."""
    steady = [man for man in g.state.of(seat) if not man.broken]
    if g.terms.options.initiative_cc == "commander_only":
        chief = g.state.side(seat).commander
        return next((man for man in steady if man.id == chief and can_lead(man)), None)
    leaders = [man for man in steady if can_lead(man) and is_leader(g, man)]
    fit = leaders or [man for man in steady if not man.incapacitated]
    return max(fit, key=lambda man: g.terms.who[man.id].cc, default=None)


def initiative(g: Fight) -> None:
    """DOW-SEQ-03, DOW-GEN-01: each side one D10, a nought read as ten, less CC; the lowest wins, ties again."""
    totals = {}
    for seat in (1, 2):
        chief = commander(g, seat)
        cc = g.terms.who[chief.id].cc if chief else 0
        totals[seat] = g.roll("DOW-SEQ-03", D10, D10.faces, who=seat, side=True, cc=cc) - cc
    if totals[1] == totals[2]:
        g.report("DOW-SEQ-03", "tie")
        g.then(initiative)
        return
    g.then(choose_first, min(totals, key=lambda seat: totals[seat]))


def choose_first(g: Fight, winner: Seat) -> None:
    """DOW-SEQ-05: the winner goes first, or makes the other do so."""
    offers = (Offer("go", "DOW-SEQ-05", {"first": OneOf((winner, other(winner)))}),)
    choice = g.ask("DOW-SEQ-05", winner, Ask("initiative", offers, {"verb": "go", "first": winner}))
    g.then(begin_slots, choice["first"], winner)


def begin_slots(g: Fight, first: Seat, winner: Seat) -> None:
    g.change(first_side=first, slot_side=first, phase="activations")
    g.report("DOW-SEQ-05", "goes_first", side=first, winner=winner)
    for man in slotless(g, first):
        later(g, "wake_up", man.id)
    g.then(slot, first)


def slotless(g: Fight, first: Seat) -> list[Model]:
    """DOW-SEQ-13: the unconscious whose team has nobody to activate wake, if they do, before the first slot."""
    out = [man for man in g.state.models if man.alive and man.on_table and not man.conscious]
    manned = {(mate.side, mate.team) for seat in (1, 2) for mate in waiting(g, seat) if mate.team}
    return sorted((man for man in out if (man.side, man.team) not in manned), key=lambda man: man.side != first)


# ---- T3: slots -------------------------------------------------------------------------------------------------------


def may_act(man: Model) -> bool:
    """Still to be activated this turn; the unconscious, captured and bound never need a slot."""
    return man.alive and man.on_table and man.conscious and not man.captured and not man.bound and not man.activated


def waiting(g: Fight, seat: Seat) -> list[Model]:
    return [man for man in g.state.of(seat) if may_act(man) and not man.carried_by]


def slot(g: Fight, seat: Seat) -> None:
    """DOW-SEQ-06: at each boundary watchers, fuses and fire missions; then the side whose slot it is."""
    later(g, "boundary")
    later(g, "fuses")
    later(g, "missions", seat)
    later(g, "check_at_once")
    g.then(begin_slot, seat)


def begin_slot(g: Fight, seat: Seat) -> None:
    """DOW-SEQ-06: sides alternate; one with nobody left is skipped; when both are done the turn goes on."""
    if g.state.result is not None:
        return
    mine, theirs = waiting(g, seat), waiting(g, other(seat))
    if not mine and not theirs and not slot_extras(g, seat) and not slot_extras(g, other(seat)):
        g.then(after_slots)
        return
    if not mine and not slot_extras(g, seat):
        g.then(begin_slot, other(seat))
        return
    watch_again(g)
    g.change(slot_side=seat)
    g.then(choose_slot, seat)


def slot_extras(g: Fight, seat: Seat) -> tuple[Offer, ...]:
    """DOW-AIR-01, -04: a reserve drop or a helicopter; never a must."""
    from wardogs.systems.dogs.airborne import reserve_offers

    return tuple(reserve_offers(g, seat))


def choose_slot(g: Fight, seat: Seat) -> None:
    """DOW-SEQ-06, -07: a fire team, that is its members not yet activated, or one of them; or what comes from outside."""
    offers = slot_offers(g, seat)
    default = {"verb": "skip"} if offers[-1].verb == "skip" else offers[0].pick(0)
    choice = g.ask("DOW-SEQ-06", seat, Ask("slot", offers, default)) if len(offers) > 1 or offers[0].size > 1 else default
    g.then(take_slot, seat, packed(choice))


def slot_offers(g: Fight, seat: Seat) -> tuple[Offer, ...]:
    left = waiting(g, seat)
    teams = tuple(dict.fromkeys(man.team for man in left if man.team))
    found = [Offer("activate_team", "DOW-SEQ-06", {"team": OneOf(teams)})] if teams else []
    if left:
        found.append(Offer("activate", "DOW-SEQ-07", {"model": OneOf(tuple(man.id for man in left))}))
    extras = slot_extras(g, seat)
    skip = (Offer("skip", "DOW-SEQ-06"),) if extras and not left else ()
    return (*found, *extras, *skip)


def take_slot(g: Fight, seat: Seat, args: Packed) -> None:
    choice: Choice = unpacked(args)
    if choice["verb"] == "activate_team":
        who = tuple(man.id for man in waiting(g, seat) if man.team == choice["team"])
        later(g, "activate", who)
    elif choice["verb"] == "activate":
        later(g, "activate", (choice["model"],))
    elif choice["verb"] == "skip":
        g.then(no_more_extras, seat)
    else:
        later(g, choice["verb"], seat, args)
    g.then(next_slot, other(seat))


def no_more_extras(g: Fight, seat: Seat) -> None:
    """DOW-SEQ-06: a side with nothing else left may skip; it is not asked again this turn."""
    g.edit(("sides", seat), skipped=g.state.turn)


def next_slot(g: Fight, seat: Seat) -> None:
    if g.state.result is None:
        g.then(slot, seat)


def after_slots(g: Fight) -> None:
    """DOW-SEQ-12, -13: who took no slot bleeds after the last; then the rally phase, that is the checks of the teams."""
    for man in g.state.models:
        if man.alive and man.on_table and not man.activated:
            later(g, "bleed", man.id)
    later(g, "team_morale")
    g.then(end_turn)


# ---- T5: end of turn -------------------------------------------------------------------------------------------------


def end_turn(g: Fight) -> None:
    """DOW-SEQ-02: clouds, captives, scoring, the ends of the game; what the switches of DOW-OPF-07 and DOW-MOV-19 end."""
    g.change(phase="end")
    if g.terms.options.opfire_expiry == "turn_end":
        for man in g.state.models:
            g.edit(man.id, opfire=False)
    if g.terms.options.target_move_memory == "turn_end":
        for man in g.state.models:
            g.edit(man.id, seen_moving="none")
    for name in ("fuses_blow", "clouds_tick", "captives_go", "score_turn", "ends"):
        later(g, name)
    g.then(next_turn)


def next_turn(g: Fight) -> None:
    if g.state.result is None:
        g.then(start_turn)
    else:
        g.stop()


PARAGRAPHS = (
    start_turn, initiative, choose_first, begin_slots, slot, begin_slot, choose_slot, take_slot, no_more_extras, next_slot,
    after_slots, end_turn, next_turn,
)  # fmt: skip
