"""Winning: points for ground, men and prisoners; what ends a game, and who has won it."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from wardogs.kernel.offers import Seat
from wardogs.systems.dogs.data import BODY
from wardogs.systems.dogs.measure import within
from wardogs.systems.dogs.state import Battle, Fight, Id, Model, Result, Terms, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.victory_terms import Control, End, Score

SEATS: tuple[Seat, Seat] = (1, 2)
SAFE = ("exited", "aboard")
TO_COME = ("reserve", "off_edge")
LIFT_GONE = "lift gone"

# ---- who is who ------------------------------------------------------------------------------------------------------


def wanted_man(state: Battle, terms: Terms) -> Id:
    """The man they came for; "" if there is none."""
    for seat, side in enumerate(terms.scenario.sides, 1):
        teams = [team for team in state.teams if team.side == seat]
        for plan, team in zip(side.teams, teams, strict=False):
            if plan.hvt:
                return next(id_ for id_ in team.members if terms.who[id_].role == plan.hvt)
    return ""


def crew(terms: Terms) -> frozenset[Id]:
    """Those of a lost vehicle, who count for more."""
    return frozenset(extra.name for extra in terms.scenario.extras if extra.crew)


def can_fight_on(terms: Terms, man: Model) -> bool:
    """DOW-GEN-08: alive, on the table, not incapacitated, not captured, and not broken for good."""
    given_up = man.broken and man.rally_failed and terms.options.all_broken_loses
    return man.alive and man.on_table and not man.incapacitated and not given_up


# ---- points ----------------------------------------------------------------------------------------------------------


def outcome_points(state: Battle, terms: Terms) -> dict[Seat, int]:
    """DOW-GEN-17: what each side has by now: turns in which it held the ground, and every man at his highest figure."""
    return {seat: held_points(state, terms, seat) + sum(points_for(state, terms, seat)) for seat in SEATS}


def held_points(state: Battle, terms: Terms, seat: Seat) -> int:
    control = terms.scenario.victory.control
    return control.per_turn_vp * state.scored.count(f"held {seat}") if control else 0


def points_for(state: Battle, terms: Terms, seat: Seat) -> Iterator[int]:
    score, hvt, saved = terms.scenario.score(seat), wanted_man(state, terms), crew(terms)
    leaders = {team.born_leader for team in state.teams}
    for man in state.models:
        if man.side == seat:
            yield own_points(score, man, hvt, saved)
        else:
            yield enemy_points(score, man, hvt, saved, man.id in leaders)


def own_points(score: Score, man: Model, hvt: Id, saved: frozenset[Id]) -> int:
    """One's own men: brought home, or still free."""
    if not man.alive or man.captured:
        return 0
    if man.away == "aboard":
        return score.crew_aboard_vp if man.id in saved else score.soldier_aboard_vp
    return score.hvt_free_at_end_vp if man.id == hvt and man.on_table else 0


def enemy_points(score: Score, man: Model, hvt: Id, saved: frozenset[Id], leader: bool) -> int:
    """An enemy counts once, at the highest figure that applies; a leader's bonus comes on top."""
    down = not man.alive or man.captured
    found = [0]
    if not man.alive:
        found += [score.kill_vp, score.leader_killed_vp if leader else 0, score.hvt_killed_vp if man.id == hvt else 0]
    elif man.captured:
        found += [score.captured_vp, score.hvt_captured_on_table_vp if man.id == hvt and man.on_table else 0]
    elif man.incapacitated:
        found.append(score.out_of_action_at_end_vp)
    if man.alive and man.id == hvt and man.away == "exited":
        found.append(score.hvt_off_table_vp)
    if down and man.id in saved:
        found.append(score.crew_killed_or_captured_vp)
    return max(found) + (score.leader_bonus_vp if leader and down else 0)


def count_up(g: Fight) -> None:
    """The tally as it stands now."""
    for seat, points in outcome_points(g.state, g.terms).items():
        g.edit(("sides", seat), vp=points)


# ---- T5 --------------------------------------------------------------------------------------------------------------


def score_turn(g: Fight) -> None:
    """DOW-SEQ-02, T5: a helicopter that is due flies home; then the turn is scored."""
    later(g, "lift_leaves")
    g.then(tally)


def tally(g: Fight) -> None:
    """Ground is held by the side with more able models in it."""
    control = g.terms.scenario.victory.control
    if control is not None:
        mine, theirs = (holders(g, seat, control) for seat in SEATS)
        if mine != theirs:
            holder = 1 if mine > theirs else 2
            g.change(scored=(*g.state.scored, f"held {holder}"))
            g.report("DOW-GEN-08", "holds_ground", side=holder, men=max(mine, theirs), against=min(mine, theirs))
    count_up(g)


def holders(g: Fight, seat: Seat, control: Control) -> int:
    """Able men whose base is at least partly inside (DOW-GEN-12: equal is inside)."""
    x, y = control.centre
    return sum(
        man.able and within(hypot(man.at[0] - x, man.at[1] - y) - BODY.base / 2, control.radius) for man in g.state.of(seat)
    )  # fmt: skip


def ends(g: Fight) -> None:
    """T5, in this order: what the scenario says, DOW-GEN-08, the last turn."""
    if g.state.result is not None:
        return
    if (met := objective(g, ("T5", "once"))) is not None:
        finish(g, "DOW-GEN-08", scored(g, met.when))
    elif (result := fought_out(g)) is not None:
        finish(g, "DOW-GEN-08", result)
    elif g.state.turn >= g.terms.scenario.turns:
        finish(g, "DOW-GEN-17", scored(g, "turn_limit"))


def check_at_once(g: Fight) -> None:
    """DOW-GEN-08: some objectives end a game the moment they are reached."""
    if g.state.result is None and (met := objective(g, ("once",))) is not None:
        finish(g, "DOW-GEN-08", scored(g, met.when))


def objective(g: Fight, at: tuple[str, ...]) -> End | None:
    """The first of the scenario's ends that has come about."""
    return next((end for end in g.terms.scenario.victory.ends if end.at in at and is_met(g, end)), None)


def is_met(g: Fight, end: End) -> bool:
    if end.when == "helicopter_gone":
        return LIFT_GONE in g.state.scored
    hvt = wanted_man(g.state, g.terms)
    if not hvt:
        return False
    man = g.state[hvt]
    return not man.alive if end.when == "hvt_killed" else man.alive and man.away in ("exited", "fled")


def fought_out(g: Fight) -> Result | None:
    """DOW-GEN-08: a side that cannot fight another turn is beaten; one with men safely away is not, and points decide."""
    spent = [seat for seat in SEATS if not fights_on(g, seat)]
    beaten = [seat for seat in spent if not any(man.alive and man.away in SAFE and not man.captured for man in men(g, seat))]
    if len(beaten) == len(SEATS):
        return Result(None, "both_beaten")
    if beaten:
        return Result(other(beaten[0]), "beaten")
    return scored(g, "safely_away") if spent else None


def fights_on(g: Fight, seat: Seat) -> bool:
    """Somebody able on the table, or somebody still to come."""
    return any(can_fight_on(g.terms, man) or (man.alive and man.away in TO_COME) for man in men(g, seat))


def men(g: Fight, seat: Seat) -> list[Model]:
    return [man for man in g.state.models if man.side == seat]


def scored(g: Fight, reason: str) -> Result:
    """DOW-GEN-17: more VP wins, equal VP is a draw."""
    points = outcome_points(g.state, g.terms)
    if points[1] == points[2]:
        return Result(None, reason)
    return Result(1 if points[1] > points[2] else 2, reason)


def finish(g: Fight, rule: str, result: Result) -> None:
    count_up(g)
    g.change(result=result, phase="over")
    points = [side.vp for side in g.state.sides]
    g.report(rule, "ended", side=result.side, reason=result.reason, turn=g.state.turn, points=points)
    g.stop()


PARAGRAPHS = (score_turn, tally, ends, check_at_once)
