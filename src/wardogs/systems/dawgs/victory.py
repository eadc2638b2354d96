"""Check for victory: the book's end, the scenario's ends, and points."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from wardogs.systems.dawgs.scenario import Condition, PointName, Scenario
from wardogs.systems.dawgs.state import Air, Flight, Plane, Result, Terms

ENDED_BY = {"win": "DAW-VIC-02", "no_winner": "DAW-VIC-03", "unfinished": "DAW-VIC-08"}
LOST = ("crashed", "broken_up", "destroyed", "conceded")


def end_if_decided(g: Flight, completed: bool = False) -> bool:
    """DAW-VIC-04, -09, -10: the scenario's conditions in their order, then the book's own end."""
    if g.state.result is not None:
        return True
    result = scenario_end(g, "P6", completed) or last_side(g)
    if result is not None:
        end(g, result)
    return result is not None


def end_if_exited(g: Flight) -> None:
    """DAW-OFF-11: a scenario exit ends the game after the ground check, before any fire."""
    result = scenario_end(g, "P2.4", completed=False)
    if result is not None:
        end(g, result)


def end(g: Flight, result: Result) -> None:
    """The game is over; where the scenario says so, points have the last word."""
    totals = score(g.terms, g.state, result)
    if g.terms.scenario.victory.points_decide:
        result = decided_by_points(g.terms, g.state, result, totals)
    result = replace(result, points=tuple(totals.items()))
    g.change(result=result, phase="over")
    winner = None if result.side is None else g.terms.scenario.side_name(result.side)
    g.report(ENDED_BY[result.kind], "ended", result=result.kind, winner=winner, reason=result.reason)
    g.stop()


def last_side(g: Flight) -> Result | None:
    """DAW-VIC-01 to -03, -06, -07: one side with planes in the sky wins, its lost members with it; none left, nobody."""
    sides = g.state.sides_in_the_sky
    if len(sides) > 1:
        return None
    conceded = g.state.phase == "place"
    if not sides:
        return Result("no_winner", None, "conceded" if conceded else "nobody_left")
    return Result("win", sides[0], "conceded" if conceded else "last_side")


def cut_off(g: Flight) -> Result | None:
    """DAW-VIC-08: the round limit, if nothing else has ended the game."""
    limit = g.terms.options.round_limit
    return Result("unfinished", None, "round_limit") if limit and g.state.round >= limit else None


# ---- the scenario's own terms --------------------------------------------------------------------------------------


def scenario_end(g: Flight, at: str, completed: bool) -> Result | None:
    for condition in g.terms.scenario.victory.condition:
        if condition.at == at and holds(g.state, condition, completed):
            side = _side_named(g.terms.scenario, condition.winner)
            return Result("no_winner" if side is None else "win", side, _reason(condition))
    return None


def holds(air: Air, condition: Condition, completed: bool) -> bool:
    """All that the condition names must hold; a round counts only when it is completed."""
    return (
        (condition.exited is None or air[condition.exited].status == "exited")
        and all(air[seat].status in LOST for seat in condition.lost)
        and (not condition.round or (completed and air.round >= condition.round))
    )


def _reason(condition: Condition) -> str:
    return "exited" if condition.exited else "lost" if condition.lost else "round"


def _side_named(scenario: Scenario, name: str) -> int | None:
    return next((n for n in scenario.sides if scenario.side_name(n) == name), None)


# ---- points ----------------------------------------------------------------------------------------------------------


def score(terms: Terms, air: Air, result: Result) -> dict[str, int]:
    """The scenario's points for each side, beside the result or, where it says so, deciding it."""
    scenario = terms.scenario
    if not scenario.victory.points:
        return {}
    totals = dict.fromkeys(scenario.sides, 0)
    for name, worth in scenario.victory.points.items():
        for side in scenario.sides:
            totals[side] += worth * POINTS[name](terms, air, result, side)
    return {scenario.side_name(side): total for side, total in totals.items()}


def _own(air: Air, side: int) -> list[Plane]:
    return [plane for plane in air.planes if plane.side == side]


def _won(terms: Terms, air: Air, result: Result, side: int) -> int:
    return result.kind == "win" and result.side == side


def _nobody_won(terms: Terms, air: Air, result: Result, side: int) -> int:
    return result.kind == "no_winner"


def _unfinished(terms: Terms, air: Air, result: Result, side: int) -> int:
    return result.kind == "unfinished" and side in air.sides_in_the_sky


def _courier_out(terms: Terms, air: Air, result: Result, side: int) -> int:
    return sum(air[way.seat].status == "exited" and air[way.seat].side == side for way in terms.scenario.exit)


def _courier_stopped(terms: Terms, air: Air, result: Result, side: int) -> int:
    stopped = [
        air[way.seat].side
        for way in terms.scenario.exit
        if air[way.seat].status in LOST or (air[way.seat].in_the_sky and result.reason == "round")
    ]
    return sum(courier != side for courier in stopped)


def _enemies_down(terms: Terms, air: Air, result: Result, side: int) -> int:
    return sum(plane.side != side and plane.status in LOST for plane in air.planes)


def _last_plane(terms: Terms, air: Air, result: Result, side: int) -> int:
    left = [plane.side for plane in air.planes if plane.in_the_sky]
    return left == [side]


def _breakups(terms: Terms, air: Air, result: Result, side: int) -> int:
    return sum(
        plane.status == "broken_up" and plane.side != side and any(air[by].side == side for by in plane.hit_by)
        for plane in air.planes
    )


def _crashes(terms: Terms, air: Air, result: Result, side: int) -> int:
    return sum(plane.status == "crashed" for plane in _own(air, side))


def _flying_at_limit(terms: Terms, air: Air, result: Result, side: int) -> int:
    limit = terms.options.round_limit
    completed = limit and air.round >= limit and result.reason != "conceded"
    return sum(plane.in_the_sky for plane in _own(air, side)) if completed else 0


POINTS: dict[PointName, Callable[[Terms, Air, Result, int], int]] = {
    "win": _won,
    "no_winner": _nobody_won,
    "unfinished_each": _unfinished,
    "courier_out": _courier_out,
    "courier_stopped": _courier_stopped,
    "enemy_plane_down": _enemies_down,
    "last_plane": _last_plane,
    "broken_up_enemy_last_hit_by_me": _breakups,
    "own_crash": _crashes,
    "flying_at_limit": _flying_at_limit,
}


def decided_by_points(terms: Terms, air: Air, result: Result, totals: dict[str, int]) -> Result:
    """Most points win; a tie goes to the last plane if it is among the tied, otherwise to nobody."""
    names = {terms.scenario.side_name(side): side for side in terms.scenario.sides}
    best = [names[name] for name, total in totals.items() if total == max(totals.values())]
    if len(best) > 1:
        best = [side for side in best if air.sides_in_the_sky == [side]]
    return Result("win" if best else "no_winner", best[0] if best else None, result.reason)
