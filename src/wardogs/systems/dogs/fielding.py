"""Forces of people's own in place of those that a scenario names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.offers import Seat
from wardogs.systems.dogs.roster_model import Roster, listed

PLAIN_TEAM = {"name", "roster"}  # a team of which the scenario says more is part of its story


def fielded(raw: dict[str, Any], rosters: Mapping[Seat, Roster]) -> dict[str, Any]:
    """DOW-GEN-07, DOW-SET-07: the same battle for the same points; the planner checks the forces as it checks all."""
    sides = list(raw["side"])
    for seat, roster in rosters.items():
        if not 1 <= seat <= len(sides):
            raise unknown("seat", seat, range(1, len(sides) + 1))
        sides[seat - 1] = _side(sides[seat - 1], roster, str(raw["name"]))
    names = [side["name"] for side in sides]
    if len(set(names)) < len(names):
        sides = [{**side, "name": f"{side['name']} ({n})"} for n, side in enumerate(sides, 1)]
    return {**raw, "side": sides}


def _side(side: dict[str, Any], roster: Roster, scenario: str) -> dict[str, Any]:
    if not roster.teams:
        raise WardogsError(f"{side['name']}: the roster has no team")
    if any(team.keys() - PLAIN_TEAM for team in side.get("team", ())):
        raise WardogsError(f"{scenario} says more of the teams of {side['name']} than who they are: they cannot be exchanged")
    name = roster.name or listed(roster.teams[0]).faction
    return {**side, "name": name, "team": [_team(side["id"], n, roster) for n in range(1, len(roster.teams) + 1)]}


def _team(side: str, n: int, roster: Roster) -> dict[str, Any]:
    """Its name tells the side, so that no two are alike."""
    team = roster.teams[n - 1]
    return {"name": f"{side} {n}, {team.name}" if team.name else f"{side} {n}", "roster": msgspec.to_builtins(team)}
