"""wardogs map sight and wardogs map reach: ask a table what is seen from where, and what a way costs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wardogs.cli.map import Json, MapFile, draw
from wardogs.cli.output import emit, say
from wardogs.kernel.errors import WardogsError, unknown

if TYPE_CHECKING:
    from wardogs.table.bodies import Model
    from wardogs.table.model import Map
    from wardogs.table.reach import Field
    from wardogs.table.reach import Path as Way
    from wardogs.table.sight import Seen
    from wardogs.table.units import Place

Start = Annotated[str, typer.Option("--from", metavar="X,Y[,Z]", help="Where one stands; Z: on a floor.", show_default=False)]
Svg = Annotated[Path | None, typer.Option(help="Draw the answer into this file.", show_default=False)]


def sight(
    file: MapFile,
    start: Start,
    at: Annotated[str, typer.Option("--at", metavar="X,Y[,Z]", help="Where the target stands.", show_default=False)],
    stance: Annotated[str, typer.Option(help="The target's: standing, kneeling or prone.")] = "standing",
    own: Annotated[str, typer.Option("--own-stance", help="The looker's.")] = "standing",
    facing: Annotated[float, typer.Option(help="Where the target faces: degrees, 0 east, 90 north.")] = 0.0,
    vehicle: Annotated[str, typer.Option(metavar="LxWxH", help="The target is a vehicle of this size.", show_default=False)] = "",
    svg: Svg = None,
    json: Json = False,
) -> None:
    """What can be seen of a figure or a vehicle, part by part, and what is in the way. Exit 1 if nothing of it is seen.

    \b
    Examples:
      wardogs map sight town.toml --from 5,10 --at 15,10
      wardogs map sight town.toml --from 5,10,2 --at 15,10 --stance prone --svg rays.svg
      wardogs map sight town.toml --from 5,10 --at 20,12 --vehicle 3x1.4x1 --facing 45
    """
    from wardogs.table.bodies import Body, eye_of
    from wardogs.table.lookout import sight_scene
    from wardogs.table.mapfile import load_map
    from wardogs.table.sight import look
    from wardogs.table.terrain import Terrain

    table = load_map(file)
    eye = eye_of(Body(at=_place(table, start, "--from"), stance=own))
    target = _target(_place(table, at, "--at"), stance, facing, vehicle)
    seen = look(Terrain.of(table), eye, target)
    if svg is not None:
        draw(sight_scene(table, eye, target), svg)
    _tell_sight(seen, json)
    raise typer.Exit(0 if seen.any else 1)


def _target(place: Place, stance: str, facing: float, vehicle: str) -> Model:
    from wardogs.table.bodies import Body, Hull, figure

    if not vehicle:
        figure(stance)
        return Body(id="the figure", at=place, stance=stance, facing=facing)
    try:
        long, wide, high = (float(part) for part in vehicle.lower().split("x"))
    except ValueError:
        raise WardogsError(f"--vehicle {vehicle}: write length, width and height in inches, as 3x1.4x1") from None
    if not all(0 < side <= 30 for side in (long, wide, high)):
        raise WardogsError(f"--vehicle {vehicle}: each side must be more than 0 and at most 30 inches")
    return Hull(id="the vehicle", at=place, facing=facing, size=(long, wide), height=high)


def _tell_sight(seen: Seen, json: bool) -> None:
    if json:
        parts = {name: seen.part(name)._asdict() for name, _, _ in seen.parts}
        emit({"visible": seen.visible(), "clear": seen.clear(), "eye": seen.eye, "parts": parts, "why": seen.explain()})
        return
    for line in seen.explain():
        say(line)
    say(f"{seen.visible():.0%} of it can be seen, {seen.clear():.0%} with nothing in the way")


def reach(
    file: MapFile,
    start: Start,
    to: Annotated[str, typer.Option("--to", metavar="X,Y[,Z]", help="Where to go.", show_default=False)] = "",
    mode: Annotated[str, typer.Option(help="walk, run or crawl.")] = "walk",
    limit: Annotated[float, typer.Option(min=0.0, help="The most it may cost.")] = 100.0,
    svg: Svg = None,
    json: Json = False,
) -> None:
    """What it costs to get somewhere, and the way; without --to, what can be reached. Exit 1 if it cannot.

    The modes here count as Dogs of War does: an inch walked in the open is 1.

    \b
    Examples:
      wardogs map reach town.toml --from 24,2 --to 30,14
      wardogs map reach town.toml --from 24,2 --limit 8 --svg reach.svg
      wardogs map reach town.toml --from 24,2 --to 30,14,2 --mode run
    """
    from wardogs.table.lookout import field_scene
    from wardogs.table.mapfile import load_map
    from wardogs.table.modes import MODES
    from wardogs.table.reach import reach as spread

    if mode not in MODES:
        raise unknown("mode", mode, MODES)
    table = load_map(file)
    field = spread(table, _place(table, start, "--from"), MODES[mode], limit)
    end = _place(table, to, "--to") if to else None
    if svg is not None:
        draw(field_scene(field, end), svg)
    found = _tell_way(field.path(end), end, json) if end else _tell_places(field, json)
    raise typer.Exit(0 if found else 1)


def _tell_way(path: Way | None, end: Place, json: bool) -> bool:
    if json:
        emit({"cost": path.cost if path else None, "length": path.length if path else None, "path": path.places if path else []})
    elif path is None:
        say(f"{_told(end)} is out of reach")
    else:
        say(f"{path.cost:.2f} to {_told(end)}, {path.length:.2f} inches: " + " to ".join(_told(place) for place in path.places))
    return path is not None


def _tell_places(field: Field, json: bool) -> bool:
    costs = field.costs()
    if json:
        emit({"places": len(costs), "costs": [[*place, cost] for place, cost in costs]})
    else:
        far = f"; the farthest, {_told(costs[-1][0])}, for {costs[-1][1]:.2f}" if costs else ""
        say(f"{len(costs)} places within reach, half an inch apart{far}")
    return bool(costs)


def _told(place: Place) -> str:
    x, y, z = place
    return f"({x:g}, {y:g})" if z == 0 else f"({x:g}, {y:g}, {z:g} up)"


def _place(table: Map, text: str, flag: str) -> Place:
    """X,Y on the ground, or X,Y,Z."""
    from wardogs.table.ground import Ground
    from wardogs.table.units import HIGHEST

    try:
        parts = [float(part) for part in text.split(",")]
    except ValueError:
        parts = []
    if len(parts) not in (2, 3) or not all(abs(part) < 1e6 for part in parts):
        raise WardogsError(f"{flag} {text}: write X,Y or X,Y,Z in inches, as 12.5,8")
    x, y = parts[:2]
    if not (0 <= x <= table.size[0] and 0 <= y <= table.size[1]):
        raise WardogsError(f"{flag} {text}: off the table, which is {table.size[0]:g} x {table.size[1]:g} inches")
    z = parts[2] if len(parts) == 3 else Ground(table).height_at((x, y))
    if abs(z) > HIGHEST:
        raise WardogsError(f"{flag} {text}: too high: at most {HIGHEST:g} inches")
    return x, y, z
