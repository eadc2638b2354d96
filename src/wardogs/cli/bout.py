"""wardogs bout: one whole game between bots."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from wardogs.bots import make_bot, play_out
from wardogs.cli import wanted
from wardogs.cli.output import emit, say, sentence
from wardogs.kernel.fate import seed_from
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Seat
from wardogs.kernel.record import RecordFile, Setup

BOUT_LIMIT = 200  # planes that circle for ever must still come to an end


def bout(
    system: Annotated[str, typer.Argument(help="Which game, for example dawgs.")],
    scenario: wanted.Scenario = None,
    seats: wanted.Seats = "",
    teams: wanted.Teams = "",
    seed: Annotated[str, typer.Option(help="The same seed plays the same game, on any machine.")] = "1",
    options: wanted.Options = [],  # noqa: B006
    options_file: wanted.OptionsFile = None,
    record: Annotated[Path | None, typer.Option(help="Write the record here.", show_default=False)] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """One whole game between bots (drill unless --seats says otherwise), told in words or as --json.

    \b
    Examples:
      wardogs bout dawgs --seed 7
      wardogs bout dawgs --scenario courier --seats 1=drill,2=drill,3=random,4=random
    """
    loaded = wanted.system_named(system)
    setup, named = wanted.plan(loaded, scenario, seats, teams, options, options_file)
    setup = limited(setup)
    players = {seat: named.get(seat, "drill") for seat in setup.seats}
    bots = {seat: make_bot(name, seed, seat) for seat, name in players.items()}
    sink = RecordFile(record) if record else None
    start = time.perf_counter()
    match = Match.start(loaded, setup, players, seed_from(seed), sink=sink)
    play_out(match, bots)
    seconds = time.perf_counter() - start
    if json:
        emit(summary(match, seed, players, seconds))
    else:
        tell(match)


def limited(setup: Setup) -> Setup:
    if setup.options.get("round_limit", 1):
        return setup
    return replace(setup, options={**setup.options, "round_limit": BOUT_LIMIT})


def summary(match: Match, seed: str, players: dict[Seat, str], seconds: float) -> dict[str, object]:
    outcome = match.outcome
    assert outcome is not None
    return {
        "system": match.system.key,
        "scenario": match.header.setup.scenario["id"],
        "rules_version": match.header.rules_version,
        "seed": seed,
        "seats": players,
        "winner": outcome.winner,
        "reason": outcome.reason,
        "turns": outcome.turns,
        "points": outcome.points,
        "choices": match.choices,
        "rolls": match.rolls,
        "seconds": round(seconds, 3),
        "hash": match.record.hash,
    }


def tell(match: Match) -> None:
    for _, report, said in match.record.sentences():
        say(f"{report.rule:11} {sentence(said)}")
    outcome = match.outcome
    if outcome and outcome.points:
        say("Points: " + ", ".join(f"{name} {points}" for name, points in outcome.points.items()))
    say(f"{match.choices} choices, {match.rolls} rolls, hash {match.record.hash[:16]}")
