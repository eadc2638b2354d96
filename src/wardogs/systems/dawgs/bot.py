"""Rules of thumb, as scores on choices. A score is about hits: one hit given is worth one."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from wardogs.kernel.fate import Fast
from wardogs.kernel.odds import choosing, odds
from wardogs.kernel.offers import Choice
from wardogs.kernel.system import Seen
from wardogs.systems.dawgs.aiming import bearing
from wardogs.systems.dawgs.breakup import breakup_bonus, breakup_reading, must_roll
from wardogs.systems.dawgs.data import TRACK
from wardogs.systems.dawgs.firing import is_marked, shot_reading, tokens_of_phase
from wardogs.systems.dawgs.foresight import STANDARD_PAIRS, Foreseen, foresee, survives_next
from wardogs.systems.dawgs.specials import may_not_fire
from wardogs.systems.dawgs.state import Flight, Plane, pair_of

CRASH, DOOMED, BREAKUP, TAKEN, OUT = -12.0, -8.0, -3.0, -0.8, 10.0
LEAVING, LEAVING_HURT, MARK_IN_PLAY, REPAIR, NEARER, ONWARD = -0.3, -1.5, 0.25, 0.6, -0.03, 0.2


def scores(seen: Seen) -> list[float]:
    """One score per playable choice, in the order of the offers."""
    assert seen.ask is not None
    choices = seen.ask.playable
    if seen.ask.topic == "place_cards":
        return _score_pairs(seen, choices)
    if seen.ask.topic in ("fire", "snap"):
        return _score_shots(seen, choices)
    return [float(choice == seen.ask.default) for choice in choices]


# ---- cards -----------------------------------------------------------------------------------------------------------


class Threat(NamedTuple):
    """Where an enemy may be when the guns speak, with one of its manoeuvres."""

    plane: Plane
    weight: float


def _score_pairs(seen: Seen, choices: tuple[Choice, ...]) -> list[float]:
    game: Flight = seen.imagined(Fast(0))
    me = game.state[seen.seat or 1]
    enemies = [enemy for enemy in game.state.flying if enemy.side != me.side]
    threats = [_threats(game, enemy) for enemy in enemies]
    return [_score_pair(game, me, foresee(game.terms.space, me, pair_of(choice)), threats) for choice in choices]


def _threats(game: Flight, enemy: Plane) -> list[Threat]:
    """Every standard manoeuvre of an enemy, equally likely; those that end in the ground are not flown."""
    seen = [foresee(game.terms.space, enemy, pair) for pair in STANDARD_PAIRS]
    alive = [foreseen.plane for foreseen in seen if foreseen.end in ("air", "top")]
    return [Threat(plane, 1 / len(alive)) for plane in alive]


def _score_pair(game: Flight, me: Plane, mine: Foreseen, threats: list[list[Threat]]) -> float:
    space = game.terms.space
    if mine.end == "ground":
        return CRASH
    if mine.end == _way_out(game, me):
        return OUT
    if mine.end in ("left", "right"):
        return LEAVING_HURT if game.terms.options.opt_damaging else LEAVING
    given = max((_hits(game, mine.plane, each) for each in threats), default=0.0)
    taken = sum(_hits_from(game, each, mine.plane) for each in threats)
    worth = given + TAKEN * taken + BREAKUP * breakup_chance(game, mine) + _card_worth(me, mine.plane)
    if not survives_next(space, mine):
        worth += DOOMED
    return worth + _drive(game, mine.plane, threats)


def _hits(game: Flight, by: Plane, at: list[Threat]) -> float:
    if may_not_fire(by):
        return 0.0
    return sum(threat.weight * expected_hits(game, by, threat.plane) for threat in at)


def _hits_from(game: Flight, by: list[Threat], at: Plane) -> float:
    return sum(threat.weight * expected_hits(game, threat.plane, at) for threat in by)


def expected_hits(game: Flight, by: Plane, at: Plane) -> float:
    """The mean of the very reading that resolves the shot."""
    if bearing(game, by, at) is None:
        return 0.0
    means = shot_reading(game, by, at, marked=False)
    return sum(means) / len(means)


def breakup_chance(game: Flight, mine: Foreseen) -> float:
    """The chance that the airframe gives way this round, by the reading that decides it."""
    plane = replace(mine.plane, speed=mine.speed_after)
    if plane.damage is None or not must_roll(plane):
        return 0.0
    need = TRACK[plane.damage].vuln - breakup_bonus(plane, plane.damage)
    breaks = breakup_reading(need, game.terms.options.breakup_match == "exact")
    return sum(breaks) / len(breaks)


def _card_worth(before: Plane, after: Plane) -> float:
    """A card that stays is worth laying down early; wounds are worth licking when there are some."""
    return MARK_IN_PLAY * (after.special_in_play and not before.special_in_play) + REPAIR * (after.damage != before.damage)


def _way_out(game: Flight, plane: Plane) -> str | None:
    """DAW-OFF-11: the edge by which the scenario lets this plane out."""
    return next((way.edge for way in game.terms.scenario.exit if way.seat == plane.seat), None)


def _drive(game: Flight, plane: Plane, threats: list[list[Threat]]) -> float:
    """Where to go when nothing else matters: a courier to its edge, everyone else to the nearest enemy."""
    edge, column = _way_out(game, plane), game.terms.space.grid.column
    if edge is not None:
        return ONWARD * column(plane.front) * (1 if edge == "right" else -1)
    away = [
        abs(column(threat.plane.front) - column(plane.front)) + abs(threat.plane.front[1] - plane.front[1])
        for each in threats
        for threat in each
    ]
    return NEARER * min(away, default=0)


# ---- shots -----------------------------------------------------------------------------------------------------------


def _score_shots(seen: Seen, choices: tuple[Choice, ...]) -> list[float]:
    """Hold is 0; a shot is worth its hits and, three times, the chance that it brings the target down this round."""
    return [0.0 if choice["verb"] == "hold_fire" else _score_shot(seen, choice) for choice in choices]


def _score_shot(seen: Seen, choice: Choice) -> float:
    odds_ = shot_odds(seen, choice)
    hits = sum(float(chance) * taken for taken, chance in odds_.hits.items())
    plane = seen.view[choice["target"]]
    sure = 0.2 if plane.damage is not None and plane.speed >= plane.damage else 0.0
    return 1 + hits - BREAKUP * float(odds_.down) + sure


class ShotOdds(NamedTuple):
    """The chances of the hits that a shot scores, and of its target being gone by the end of the round."""

    hits: dict[int, Fraction]
    down: Fraction


def shot_odds(seen: Seen, choice: Choice) -> ShotOdds:
    """Exact odds of a shot if nobody else fires after it: its own reading, and the rules run to the end of the round."""
    game: Flight = seen.imagined(Fast(0))
    seat, target = seen.seat or 1, choice["target"]
    marked = is_marked(game, tokens_of_phase(game), seat, target)
    means = shot_reading(game, game.state[seat], game.state[target], marked)
    hits = {n: Fraction(means.count(n), len(means)) for n in sorted(set(means))}
    gone = odds(
        game,
        choosing({seat: choice}),
        lambda air: not air[target].in_the_sky,
        lambda _, agenda: agenda[0].paragraph == "check_for_victory",
    )
    return ShotOdds(hits, gone.of.get(True, Fraction(0)))
