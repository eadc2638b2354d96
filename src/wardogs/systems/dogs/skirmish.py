"""The free battle: a table and two forces from a theme and a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.options import choose_options
from wardogs.systems.dogs.lists import TEAMS
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.recruits import random_roster
from wardogs.systems.dogs.roster import Roster
from wardogs.systems.dogs.scenario_faults import in_words
from wardogs.systems.dogs.scenario_model import STANDARD, Light, Turn
from wardogs.table.generate import THEMES
from wardogs.table.units import Point

SKIRMISH = "skirmish"
SIDES = ("first", "second")
ForcePoints: TypeAlias = Annotated[int, Meta(ge=0, le=3_000)]  # more finds no room on a table, and takes minutes to draw


class Skirmish(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a host may say of a free battle; a list or faction that is left empty is drawn by the seed."""

    id: str = SKIRMISH
    name: str = "Skirmish"
    theme: str = STANDARD.theme
    seed: Annotated[int, Meta(ge=0)] = STANDARD.seed
    size: Point = STANDARD.size
    points: ForcePoints = STANDARD.points
    lists: tuple[str, str] = ("", "")
    light: Light = "day"
    turns: Turn = STANDARD.turns
    hidden_devices: bool = True
    switches: dict[str, Any] = {}


def skirmish(raw: dict[str, Any], options: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """A whole scenario as plain data: edges and first deployment are rolled for, zones are the standard ones."""
    wanted = _wanted(raw)
    rules = choose_options(Options, wanted.switches, *options)
    forces = [_force(wanted, n, rules) for n in range(len(SIDES))]
    names = [TEAMS[force.teams[0].list].faction for force in forces]
    if len(set(names)) < len(names):
        names = [f"{name} ({side} side)" for name, side in zip(names, SIDES, strict=True)]
    return {
        "id": wanted.id,
        "name": wanted.name,
        "blurb": f"{names[0]} and {names[1]} meet on a table of the theme {wanted.theme}. Who puts more men down wins.",
        "light": wanted.light,
        "turns": wanted.turns,
        "generated": {"theme": wanted.theme, "seed": wanted.seed, "size": wanted.size},
        "hidden_devices": wanted.hidden_devices,
        "side": [_side(force, names[n], n) for n, force in enumerate(forces)],
        "victory": {"score": {side: msgspec.to_builtins(STANDARD.score) for side in SIDES}},
        "switches": wanted.switches,
    }


def _wanted(raw: dict[str, Any]) -> Skirmish:
    try:
        wanted = msgspec.convert(raw, Skirmish)
    except msgspec.ValidationError as error:
        raise WardogsError(f"scenario {SKIRMISH}: {in_words(error, Skirmish)}") from None
    if wanted.theme not in THEMES:
        raise unknown("theme", wanted.theme, THEMES)
    return wanted


def _force(wanted: Skirmish, side: int, options: Options) -> Roster:
    """The two forces of a seed differ: each has a seed of its own."""
    return random_roster(wanted.points, len(SIDES) * wanted.seed + side, wanted.lists[side] or None, options)


def _side(force: Roster, name: str, side: int) -> dict[str, Any]:
    teams = [
        {"name": f"{SIDES[side]} side, team {n}", "roster": msgspec.to_builtins(team)}
        for n, team in enumerate(force.teams, 1)
    ]  # fmt: skip
    return {"id": SIDES[side], "name": name, "points": force.points, "team": teams}
