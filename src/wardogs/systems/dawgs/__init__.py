"""Dawgs of War: two to eight planes in a dogfight on hexes, with secret simultaneous cards."""

from __future__ import annotations

from pathlib import Path

from wardogs.kernel.game import Rules
from wardogs.kernel.guide import read_guide
from wardogs.kernel.offers import Seat
from wardogs.kernel.record import Outcome, Setup
from wardogs.kernel.register import read_register
from wardogs.kernel.system import System
from wardogs.systems.dawgs.board import board, ends_with
from wardogs.systems.dawgs.bot import scores
from wardogs.systems.dawgs.data import PILOTS, SEATS
from wardogs.systems.dawgs.facts import fact
from wardogs.systems.dawgs.odds_tables import ODDS_TABLES
from wardogs.systems.dawgs.options import Options
from wardogs.systems.dawgs.play import PARAGRAPHS
from wardogs.systems.dawgs.preview import preview
from wardogs.systems.dawgs.reckoning import reckon
from wardogs.systems.dawgs.scenario import SCENARIOS, open_sky, plan
from wardogs.systems.dawgs.scene import draw
from wardogs.systems.dawgs.staging import begin, look, stage, terms_of
from wardogs.systems.dawgs.state import Air, Terms
from wardogs.systems.dawgs.view import imagine, view
from wardogs.systems.dawgs.words import WORDS

FOLDER = Path(__file__).parent
REGISTER = read_register(FOLDER / "rules.toml")


def names(setup: Setup) -> dict[Seat, str]:
    return {seat: PILOTS[seat].pilot for seat in setup.seats}


def briefing(terms: Terms, seat: Seat) -> str:
    """Who one is, with whom, and what ends the game."""
    scenario = terms.scenario
    mates = [PILOTS[mate].pilot for mate in scenario.members(scenario.side_of(seat)) if mate != seat]
    role = next(plan.role for plan in scenario.seats if plan.seat == seat)
    ways = [f"leave by the {way.edge} edge" for way in scenario.exit if way.seat == seat]
    about = f"You are {PILOTS[seat].pilot}, plane {seat}"
    about += f", the {role}" if role else ""
    about += f", of {scenario.side_name(scenario.side_of(seat))}" if scenario.mode == "teams" else ""
    about += f", with {' and '.join(mates)}" if mates else ""
    return f"{about}. {'Your task: ' + ', '.join(ways) + '. ' if ways else ''}The game ends with: {ends_with(terms)}."


def outcome(terms: Terms, air: Air) -> Outcome | None:
    """DAW-VIC-02, -03, -08: who won, why, after how many rounds, with which points."""
    result = air.result
    if result is None:
        return None
    winner = None if result.side is None else terms.scenario.side_name(result.side)
    return Outcome(winner, result.reason, air.round, dict(result.points))


def settle(terms: Terms, air: Air, gone: tuple[Seat, ...]) -> Outcome | None:
    """Who is still in the sky and has not given up? One side wins, with none it is a draw, with more the game goes on."""
    left = sorted({plane.side for plane in air.planes if plane.in_the_sky and plane.seat not in gone})
    if len(left) > 1:
        return None
    if left:
        return Outcome(terms.scenario.side_name(left[0]), "resigned", air.round)
    return Outcome(None, "agreed_draw", air.round)


SYSTEM = System(
    key="dawgs",
    title="Dawgs of War",
    blurb="a dogfight on hexes, seen from the side; secret cards, speed, gravity",
    seats=(SEATS.least, SEATS.most),
    folder=FOLDER,
    rules=Rules("dawgs", {paragraph.__name__: paragraph for paragraph in PARAGRAPHS}, REGISTER.ids, Air),
    register=REGISTER,
    options=Options,
    words=WORDS,
    scenarios={**SCENARIOS, "ffa": open_sky(SEATS.most, None), "teams": open_sky(4, ((1, 3), (2, 4)))},
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
    preview=preview,
    reckon=reckon,
    scene=draw,
    board=board,
    odds_tables=ODDS_TABLES,
    stage=stage,
    look=look,
    fact=fact,
    guide=read_guide(FOLDER / "guide.toml"),
)
