"""Scenarios: who flies where, which switches are set, what ends the game beyond the book."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.offers import Seat
from wardogs.kernel.options import choose_options
from wardogs.kernel.record import Setup
from wardogs.kernel.system import Wanted
from wardogs.systems.dawgs.data import BOARDS, PILOTS, SEATS, SPECIALS, Source
from wardogs.systems.dawgs.options import Options

FOLDER = Path(__file__).parent / "scenarios"


Height: TypeAlias = Annotated[int, Meta(ge=1, le=11)]
PointName: TypeAlias = Literal[
    "win", "no_winner", "unfinished_each", "courier_out", "courier_stopped", "enemy_plane_down", "last_plane",
    "broken_up_enemy_last_hit_by_me", "own_crash", "flying_at_limit",
]  # fmt: skip


class SeatPlan(Struct, frozen=True, forbid_unknown_fields=True):
    seat: Seat
    height: Literal["roll"] | Height = "roll"
    special: str = "dealt"
    role: str = ""


class SidePlan(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    seats: tuple[SeatPlan, ...]
    map_side: Literal["left", "right", "roll", "choose"] = "choose"


class BoardChanges(Struct, frozen=True, forbid_unknown_fields=True):
    extra_ground: tuple[str, ...] = ()


class Exit(Struct, frozen=True, forbid_unknown_fields=True):
    seat: Seat
    edge: Literal["left", "right"]
    effect: Literal["exited"] = "exited"


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """What ends the game: a seat out by its edge, seats lost, a round completed."""

    at: Literal["P2.4", "P6"]
    winner: str
    exited: Seat | None = None
    lost: tuple[Seat, ...] = ()
    round: int = 0


class Victory(Struct, frozen=True, forbid_unknown_fields=True):
    end: str = ""
    points: dict[PointName, int] = {}
    points_decide: bool = False
    condition: tuple[Condition, ...] = ()


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """DAW-VIC-10: a scenario may set switches and the round limit, add ends and award points."""

    id: str
    name: str
    mode: Literal["teams", "ffa"]
    side: tuple[SidePlan, ...]
    blurb: str = ""
    board: str = "reference"
    round_limit: int = 0
    source: Source = "reconstructed"
    switches: dict[str, Any] = {}
    board_changes: BoardChanges = BoardChanges()
    exit: tuple[Exit, ...] = ()
    victory: Victory = Victory()

    @property
    def seats(self) -> list[SeatPlan]:
        return sorted((plan for side in self.side for plan in side.seats), key=lambda plan: plan.seat)

    def side_of(self, seat: Seat) -> int:
        """The number of a seat's side: its team, or in a free-for-all the seat itself (DAW-CMP-02)."""
        if self.mode == "ffa":
            return seat
        return next(n for n, side in enumerate(self.side, 1) if any(plan.seat == seat for plan in side.seats))

    def side_name(self, side: int) -> str:
        return PILOTS[side].pilot if self.mode == "ffa" else self.side[side - 1].name

    def members(self, side: int) -> list[Seat]:
        return [plan.seat for plan in self.seats if self.side_of(plan.seat) == side]

    @property
    def sides(self) -> list[int]:
        return sorted({self.side_of(plan.seat) for plan in self.seats})


def read_scenario(path: Path) -> dict[str, Any]:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WardogsError(f"{path}: not a scenario: {error}") from None
    if not isinstance(raw.get("scenario"), dict):
        raise WardogsError(f"{path}: not a scenario: it has no [scenario] table")
    scenario: dict[str, Any] = raw["scenario"]
    return scenario


def checked(raw: dict[str, Any]) -> Scenario:
    """A scenario from its data, refused with the reason if it cannot be flown (DAW-CMP-01, -02)."""
    try:
        scenario = msgspec.convert(raw, Scenario)
    except msgspec.ValidationError as error:
        raise WardogsError(f"scenario {raw.get('id', '?')}: {error}") from None
    given = [plan.special for plan in scenario.seats if plan.special != "dealt"]
    for special in given:
        if special not in SPECIALS:
            raise unknown("special ability card", special, SPECIALS)
    if fault := next(faults(scenario, given), ""):
        raise WardogsError(f"scenario {scenario.id}: {fault}")
    return scenario


def faults(scenario: Scenario, given: list[str]) -> Iterator[str]:
    """Why a scenario cannot be flown (DAW-CMP-01, -02, DAW-SPC-07, DAW-OFF-11, DAW-VIC-10)."""
    seats = [plan.seat for plan in scenario.seats]
    if twice := sorted({seat for seat in seats if seats.count(seat) > 1}):
        yield f"seat {twice[0]} is named twice"
    if seats != list(range(1, len(seats) + 1)) or not SEATS.least <= len(seats) <= SEATS.most:
        yield f"seats must be 1 to n, n from {SEATS.least} to {SEATS.most}: {seats}"
    if not all(side.seats for side in scenario.side):
        yield "a side without a seat"
    if len(scenario.sides) < 2:
        yield "at least two sides must fly"
    if len(set(given)) < len(given):
        yield "there is one copy of each special ability card (DAW-SPC-07)"
    if scenario.board not in BOARDS:
        yield f"there is no board {scenario.board}"
    yield from _faults_of_ends(scenario, seats)


def _faults_of_ends(scenario: Scenario, seats: list[Seat]) -> Iterator[str]:
    names = ["none", *(scenario.side_name(side) for side in scenario.sides)]
    for condition in scenario.victory.condition:
        named = {*condition.lost, *([condition.exited] if condition.exited else [])}
        if condition.winner not in names:
            yield f"no side is called {condition.winner}: there are {', '.join(names)}"
        if not named <= set(seats) or not (named or condition.round):
            yield f"a condition must name seats that fly, or a round: {sorted(named)}"
    ends = {condition.exited for condition in scenario.victory.condition if condition.at == "P2.4"}
    for way in scenario.exit:
        if way.seat not in seats or way.seat not in ends:
            yield f"seat {way.seat} may leave by the {way.edge}, but no condition at P2.4 says who wins then"


SCENARIOS = {name: read_scenario(FOLDER / f"{name}.toml") for name in ("dawn_patrol", "courier", "last_flying")}


def open_sky(seats: int, teams: tuple[tuple[Seat, ...], ...] | None) -> dict[str, Any]:
    """A plain dogfight: every plane for itself, or the teams asked for, which choose their sides."""
    if teams is None:
        everyone = [{"seat": seat} for seat in range(1, seats + 1)]
        side = [{"name": "each seat alone", "map_side": "roll", "seats": everyone}]
        return {"id": "ffa", "name": "Free-for-all", "mode": "ffa", "side": side}
    side = [{"name": f"Team {n}", "seats": [{"seat": seat} for seat in team]} for n, team in enumerate(teams, 1)]
    return {"id": "teams", "name": "Team fight", "mode": "teams", "side": side}


def _wanted_scenario(wanted: Wanted) -> dict[str, Any]:
    if isinstance(wanted.scenario, dict):
        return wanted.scenario
    if wanted.scenario is not None and wanted.scenario not in ("ffa", "teams"):
        if wanted.scenario not in SCENARIOS:
            raise unknown("scenario", wanted.scenario, [*SCENARIOS, "ffa", "teams"])
        if wanted.teams is not None:
            raise WardogsError(f"{wanted.scenario} has its own sides: leave the teams out, or the scenario")
        return SCENARIOS[wanted.scenario]
    seats = SEATS.least if wanted.seats is None else wanted.seats
    if not SEATS.least <= seats <= SEATS.most:
        raise WardogsError(f"{seats} seats: Dawgs of War is flown by {SEATS.least} to {SEATS.most} (DAW-CMP-01)")
    teams = wanted.teams
    if wanted.scenario == "teams" and teams is None:
        teams = tuple(tuple(range(first, seats + 1, 2)) for first in (1, 2))
    return open_sky(seats, teams)


def plan(wanted: Wanted) -> Setup:
    """DAW-SET-01: the whole set-up: the host's own settings beat the scenario's, which beat the defaults."""
    raw = _wanted_scenario(wanted)
    scenario = checked(raw)
    seats = tuple(plan.seat for plan in scenario.seats)
    if wanted.seats is not None and wanted.seats != len(seats):
        raise WardogsError(f"{scenario.name} is flown by {len(seats)} seats, not {wanted.seats}")
    own = dict(scenario.switches)
    if scenario.round_limit:
        own["round_limit"] = scenario.round_limit
    options = choose_options(Options, own, *wanted.options)
    if options.board not in BOARDS:
        raise unknown("board", options.board, BOARDS)
    return Setup(raw, msgspec.to_builtins(options), seats)
