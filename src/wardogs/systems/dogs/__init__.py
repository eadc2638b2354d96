"""Dogs of War: fire teams, ten action points a man, Op-Fire at any inch, wounds by location."""

from __future__ import annotations

from pathlib import Path

from wardogs.kernel.game import Rules
from wardogs.kernel.guide import read_guide
from wardogs.kernel.offers import Seat
from wardogs.kernel.record import Outcome, Setup
from wardogs.kernel.register import read_register
from wardogs.kernel.system import System
from wardogs.systems.dogs.board import board
from wardogs.systems.dogs.bot import advice, scores
from wardogs.systems.dogs.chapters import paragraphs
from wardogs.systems.dogs.eye import eye_of
from wardogs.systems.dogs.facts import fact
from wardogs.systems.dogs.odds_tables import ODDS_TABLES
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.preview import preview
from wardogs.systems.dogs.reckoning import reckon
from wardogs.systems.dogs.scenario import SCENARIOS, checked, plan
from wardogs.systems.dogs.scene import draw
from wardogs.systems.dogs.staging import begin, look, stage, terms_of
from wardogs.systems.dogs.state import Battle, Terms
from wardogs.systems.dogs.victory import outcome_points
from wardogs.systems.dogs.view import imagine, view
from wardogs.systems.dogs.words import WORDS

FOLDER = Path(__file__).parent
REGISTER = read_register(FOLDER / "rules.toml")


def names(setup: Setup) -> dict[Seat, str]:
    return {seat: side.name for seat, side in enumerate(checked(setup.scenario).sides, 1)}


def briefing(terms: Terms, seat: Seat) -> str:
    """Who one is, what it is about, how long it lasts."""
    scenario = terms.scenario
    side = scenario.side(seat)
    teams = ", ".join(team.name for team in side.teams)
    return f"You lead {side.name} ({teams}). {scenario.about} {scenario.turns} turns."


def outcome(terms: Terms, battle: Battle) -> Outcome | None:
    """DOW-GEN-08, -17: who won, why, after how many turns, with which points."""
    result = battle.result
    if result is None:
        return None
    points = {terms.scenario.side(side.seat).name: side.vp for side in battle.sides}
    winner = None if result.side is None else terms.scenario.side(result.side).name
    return Outcome(winner, result.reason, battle.turn, points)


def settle(terms: Terms, battle: Battle, gone: tuple[Seat, ...]) -> Outcome | None:
    """Of two sides the one that has not given up wins; if both have, it is a draw. The points are those of the moment."""
    left = [terms.scenario.side(side.seat).name for side in battle.sides if side.seat not in gone]
    points = {terms.scenario.side(seat).name: vp for seat, vp in outcome_points(battle, terms).items()}
    if len(left) > 1:
        return None
    return Outcome(left[0], "resigned", battle.turn, points) if left else Outcome(None, "agreed_draw", battle.turn, points)


SYSTEM = System(
    key="dogs",
    title="Dogs of War",
    blurb="fire teams man to man: action points, opportunity fire, wounds by hit location",
    seats=(2, 2),
    folder=FOLDER,
    rules=Rules("dogs", paragraphs(), REGISTER.ids, Battle),
    register=REGISTER,
    options=Options,
    words=WORDS,
    scenarios=SCENARIOS,
    plan=plan,
    terms=terms_of,
    begin=begin,
    names=names,
    briefing=briefing,
    outcome=outcome,
    settle=settle,
    view=view,
    imagine=imagine,
    scores=scores,
    advice=advice,
    preview=preview,
    reckon=reckon,
    eye=eye_of,
    scene=draw,
    board=board,
    odds_tables=ODDS_TABLES,
    stage=stage,
    look=look,
    fact=fact,
    guide=read_guide(FOLDER / "guide.toml"),
)
