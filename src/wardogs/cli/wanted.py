"""What the flags of play and bout mean: system, scenario, seats, teams, options."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.offers import Seat
from wardogs.kernel.options import parse_pairs, read_options
from wardogs.kernel.record import Setup
from wardogs.kernel.system import System, Wanted

PERSON = "person"

Scenario = Annotated[
    str | None,
    typer.Option(help="A scenario by name, or a .toml file; see wardogs systems SYSTEM.", show_default=False),
]
Seats = Annotated[
    str,
    typer.Option(help="How many seats, or who fills them: 4, or 1=person,2=drill,3=random.", show_default=False),
]
Teams = Annotated[str, typer.Option(help="Who flies with whom: 1,3/2,4.", show_default=False)]
Options = Annotated[list[str], typer.Option(help="House rules as name=value; may be given again.", show_default=False)]
OptionsFile = Annotated[Path | None, typer.Option(help="House rules from a TOML file.", show_default=False)]


def system_named(key: str) -> System:
    """Imported only when a rulebook is really needed, so that records can be read without any."""
    from wardogs.systems import load_system

    return load_system(key)


def plan(
    system: System, scenario: str | None, seats: str, teams: str, options: list[str], file: Path | None
) -> tuple[Setup, dict[Seat, str]]:
    """The set-up that the flags ask for, and who was named for which seat."""
    wish, players = wished(system, scenario, seats, teams, options, file)
    setup = system.plan(wish)
    for seat in players:
        if seat not in setup.seats:
            raise unknown("seat", seat, setup.seats)
    return setup, players


def wished(
    system: System, scenario: str | None, seats: str, teams: str, options: list[str], file: Path | None
) -> tuple[Wanted, dict[Seat, str]]:
    """What the flags ask for, before any rulebook has looked at it."""
    players, count = parse_seats(seats)
    sides = parse_teams(teams)
    if sides and not count:
        count = sum(len(side) for side in sides)
    layers: list[dict[str, Any]] = [read_options(file)] if file else []
    first, raw = next(iter(system.scenarios.items()))
    if not scenario and not teams and count in (None, _seats_of(raw)):
        scenario = first  # no wishes to the contrary: a quick start
    return Wanted(_scenario(scenario), count, sides, (*layers, parse_pairs(options))), players


def _seats_of(raw: dict[str, Any]) -> int:
    """How many sit down to a scenario: its sides name them, or there is one to a side."""
    return sum(len(side.get("seats", (0,))) for side in raw["side"])


def _scenario(scenario: str | None) -> str | dict[str, Any] | None:
    if scenario is None or not scenario.endswith(".toml"):
        return scenario
    try:
        raw = tomllib.loads(Path(scenario).read_text(encoding="utf-8"))["scenario"]
    except FileNotFoundError:
        raise WardogsError(f"no such file: {scenario}") from None
    except KeyError:
        raise WardogsError(f"{scenario}: not a scenario: it has no [scenario] table") from None
    except OSError as error:
        raise WardogsError(f"{scenario}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WardogsError(f"{scenario}: not a scenario: {error}") from None
    if not isinstance(raw, dict):
        raise WardogsError(f"{scenario}: not a scenario: [scenario] must be a table")
    return raw


def parse_seats(text: str) -> tuple[dict[Seat, str], int | None]:
    """`4` is a number of seats; `1=drill,b=random` says who sits where."""
    if text.strip().isdigit():
        return {}, int(text)
    if not text:
        return {}, None
    if "=" not in text:
        raise WardogsError(f"--seats {text}: write how many, or who sits where, for example 4 or 1=person,2=drill")
    players = {_seat(name): player for name, player in parse_pairs([text]).items()}
    whole = sorted(players) == list(range(1, max(players) + 1)) and len(players) > 1
    return players, max(players) if whole else None


def _seat(name: str) -> Seat:
    if name.isdigit():
        return int(name)
    if len(name) == 1 and name.isalpha():
        return ord(name.lower()) - ord("a") + 1
    raise WardogsError(f"seat {name}: write a number or a letter, for example 1=drill or a=drill")


def parse_teams(text: str) -> tuple[tuple[Seat, ...], ...] | None:
    if not text:
        return None
    teams = tuple(tuple(_seat(part.strip()) for part in team.split(",") if part) for team in text.split("/"))
    seats = sorted(seat for team in teams for seat in team)
    if seats != list(range(1, len(seats) + 1)) or not all(teams):
        raise WardogsError(f"teams {text}: name every seat from 1 on exactly once, for example 1,3/2,4")
    return teams
