"""Setting a case up, and looking at what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.game import Position, Step
from wardogs.kernel.offers import Seat
from wardogs.kernel.record import Setup
from wardogs.kernel.system import Wanted, frozen
from wardogs.systems.dawgs.aiming import bearing
from wardogs.systems.dawgs.airspace import airspace
from wardogs.systems.dawgs.breakup import must_roll
from wardogs.systems.dawgs.data import TRACK_RULES
from wardogs.systems.dawgs.offers import hand
from wardogs.systems.dawgs.options import Options
from wardogs.systems.dawgs.play import PARAGRAPHS
from wardogs.systems.dawgs.scenario import checked, plan
from wardogs.systems.dawgs.state import Air, Plane, Terms

BY_NAME = {paragraph.__name__: paragraph for paragraph in PARAGRAPHS}


def terms_of(setup: Setup) -> Terms:
    """What stays the same all game, from the header of its record."""
    options = msgspec.convert(setup.options, Options)
    scenario = checked(setup.scenario)
    return Terms(options, scenario, airspace(options.board, options, scenario.board_changes.extra_ground))


def begin(terms: Terms) -> Position[Air]:
    """DAW-SET-05: before the first card is dealt; the speed counter on 1, no damage."""
    speed = TRACK_RULES.start_speed
    planes = tuple(Plane(plan.seat, terms.scenario.side_of(plan.seat), speed=speed) for plan in terms.scenario.seats)
    return Position(Air(planes), (Step("set_up"),))


class Stage(Struct, frozen=True, forbid_unknown_fields=True):
    """The [setup] of a case: a scenario (by name or as a table), seats, planes where they are, the phases to play."""

    scenario: str | dict[str, Any] | None = None
    seats: int | None = None
    teams: tuple[tuple[Seat, ...], ...] | None = None
    planes: tuple[dict[str, Any], ...] = ()
    phases: tuple[str, ...] = ()
    round: int = 1
    phase: str = "place"
    pile: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    args: tuple[Any, ...] = ()


def stage(raw: Mapping[str, Any], switches: Mapping[str, Any]) -> tuple[Terms, Position[Air]]:
    try:
        wanted = msgspec.convert(raw, Stage)
    except msgspec.ValidationError as error:
        raise WardogsError(f"setup: {error}") from None
    seats = wanted.seats or (len(wanted.planes) if wanted.planes and not wanted.scenario else None)
    terms = terms_of(plan(Wanted(wanted.scenario, seats, wanted.teams, (switches,))))
    phases = wanted.phases or (("play_round",) if wanted.planes else ("set_up",))
    for phase in phases:
        if phase not in BY_NAME:
            raise unknown("phase", phase, BY_NAME)
    steps = tuple(Step(phase, frozen(wanted.args) if n == 0 else ()) for n, phase in enumerate(phases))
    air = begin(terms).state
    if wanted.planes:
        planes = tuple(_plane(terms, air[n], raw_plane) for n, raw_plane in enumerate(wanted.planes, 1))
        air = Air(planes, wanted.round, wanted.phase, wanted.pile, wanted.discard)
    return terms, Position(air, steps)


def _plane(terms: Terms, plane: Plane, raw: Mapping[str, Any]) -> Plane:
    fields = {**msgspec.to_builtins(plane), **raw}
    if strange := sorted(set(fields) - set(Plane.__struct_fields__)):
        raise WardogsError(f"setup: plane {plane.seat}: unknown key {strange[0]}")
    try:
        if isinstance(fields["front"], str):
            fields["front"] = terms.space.grid.parse(fields["front"])
        return msgspec.convert(fields, Plane)
    except (msgspec.ValidationError, ValueError) as error:
        raise WardogsError(f"setup: plane {plane.seat}: {error}") from None


# ---- looking ---------------------------------------------------------------------------------------------------------


def look(terms: Terms, air: Any, path: str) -> Any:
    """`seat.field`, or a field of the whole table; works on the state and on a view of it."""
    first, _, rest = path.partition(".")
    if not first.isdigit():
        return _whole(terms, air, path)
    if not 1 <= int(first) <= len(air.planes):
        raise WardogsError(f"no seat {first}")
    plane = air[int(first)]
    if rest in DERIVED:
        return DERIVED[rest](terms, air, plane)
    return _field(plane, rest, path)


def _whole(terms: Terms, air: Any, path: str) -> Any:
    if path in WHOLE:
        return WHOLE[path](terms, air)
    first, _, rest = path.partition(".")
    if first == "points" and air.result is not None:
        return dict(air.result.points).get(rest)
    return _field(air, path, path)


def _field(record: Any, name: str, path: str) -> Any:
    found = record
    for part in name.split("."):
        if isinstance(found, Mapping):
            found = found.get(int(part)) if part.isdigit() else found.get(part)
        elif found is not None and part in found.__struct_fields__:
            found = getattr(found, part)
        else:
            raise WardogsError(f"{path}: there is no {part} to look at")
    return msgspec.to_builtins(found)


def _labels(terms: Terms, hexes: tuple[Any, ...]) -> list[str]:
    return [terms.space.grid.label(hex_) for hex_ in hexes]


def _bears_on(terms: Terms, air: Any, plane: Any) -> list[Seat]:
    game: Any = type("Standing", (), {"terms": terms, "state": air})
    return [other.seat for other in air.planes if other.side != plane.side and other.flying and bearing(game, plane, other)]


DERIVED: dict[str, Callable[[Terms, Any, Any], Any]] = {
    "front": lambda terms, air, plane: terms.space.grid.label(plane.front),
    "footprint": lambda terms, air, plane: _labels(terms, terms.space.footprint(plane.front, plane.facing)),
    "thin_air": lambda terms, air, plane: terms.space.in_thin_air(plane.front, plane.facing),
    "hand": lambda terms, air, plane: hand(plane),
    "must_roll": lambda terms, air, plane: must_roll(plane),
    "bears_on": _bears_on,
    "in_the_sky": lambda terms, air, plane: plane.in_the_sky,
}

WHOLE: dict[str, Callable[[Terms, Any], Any]] = {
    "flying": lambda terms, air: [plane.seat for plane in air.planes if plane.flying],
    "planes_left": lambda terms, air: sum(plane.in_the_sky for plane in air.planes),
    "sides_left": lambda terms, air: air.sides_in_the_sky,
    "spilled": lambda terms, air: any(plane.spilled for plane in air.planes),
    "on_left": lambda terms, air: sum(plane.map_side == "left" for plane in air.planes),
    "pile_count": lambda terms, air: len(air.pile),
}
