"""wardogs map: check, show, import, export and generate tables; lookout.py adds sight and reach."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace

from wardogs.cli.output import emit, note, say
from wardogs.kernel.errors import WardogsError
from wardogs.scene.model import Scene
from wardogs.table.model import GROUPS, Map
from wardogs.table.units import LONGEST

map_app = typer.Typer(rich_markup_mode=None, invoke_without_command=True)

MapFile = Annotated[Path, typer.Argument(help="A map: .toml, or Universal VTT (.dd2vtt, .uvtt, .df2vtt).", show_default=False)]
Out = Annotated[Path, typer.Option("--out", "-o", help="Where to write it.", show_default=False)]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]
Level = Annotated[int, typer.Option(help="The level to draw: 0 is the ground, the one above the last a roof.")]
Svg = Annotated[Path | None, typer.Option(help="Draw the plan into this file.", show_default=False)]


@map_app.callback()
def maps(context: typer.Context) -> None:
    """Tables of terrain: check, show, import, export, generate."""
    if context.invoked_subcommand is None:
        say(context.get_help())


@map_app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Maps, .toml or Universal VTT.", show_default=False)], json: Json = False
) -> None:
    """Check maps: exit 0 if all are good, 1 with every fault listed, 2 if one cannot be read.

    \b
    Examples:
      wardogs map check town.toml
      wardogs map check maps/*.toml --json
    """
    told = [_checked(path) for path in files]
    if json:
        emit([result for result, _ in told])
    else:
        for result, _ in told:
            _tell(result)
    raise typer.Exit(max(code for _, code in told))


def _checked(path: Path) -> tuple[dict[str, Any], int]:
    """What to say about a file, and the exit code."""
    from wardogs.table.check import faults
    from wardogs.table.mapfile import read_map

    try:
        table = read_map(path)
    except WardogsError as error:
        return {"file": str(path), "good": False, "unreadable": str(error)}, 2
    if found := faults(table):
        return {"file": str(path), "good": False, "faults": found}, 1
    return {"file": str(path), "good": True, "size": table.size, "pieces": _counts(table), "panels": _panels(table)}, 0


def _tell(result: dict[str, Any]) -> None:
    file = result["file"]
    if result["good"]:
        say(f"{file}: good: {_summary(result['size'], result['pieces'], result['panels'])}")
    elif "unreadable" in result:
        note(f"wardogs: {result['unreadable']}")
    else:
        for fault in result["faults"]:
            say(f"{file}: {fault}")
        say(f"{file}: {_count(len(result['faults']), 'faults')}")


def _counts(table: Map) -> dict[str, int]:
    return {group: len(getattr(table, group)) for group in GROUPS if getattr(table, group)}


def _panels(table: Map) -> int:
    from wardogs.table.faces import faces_of

    return sum(len(faces.panels) for faces in faces_of(table))


def _summary(size: tuple[float, float], counts: dict[str, int], panels: int) -> str:
    parts = [f"{size[0]:g} x {size[1]:g} inches", *(_count(count, group) for group, count in counts.items())]
    return ", ".join([*parts, _count(panels, "panels")])


def _count(count: int, words: str) -> str:
    return f"{count} {words.removesuffix('s') if count == 1 else words}"


@map_app.command()
def schema() -> None:
    """The JSON schema of a map file, for editors that help while one writes.

    \b
    Examples:
      wardogs map schema > map.schema.json
    """
    from wardogs.table import mapfile

    emit(mapfile.schema())


@map_app.command()
def show(file: MapFile, svg: Svg = None, level: Level = 0, json: Json = False) -> None:
    """Tell what is on a table, or draw its plan.

    \b
    Examples:
      wardogs map show town.toml
      wardogs map show town.toml --svg town.svg
      wardogs map show town.toml --level 1 --svg upstairs.svg
    """
    from wardogs.table.mapfile import load_map
    from wardogs.table.picture import plan

    table = load_map(file)
    _check_level(file, table, level)
    scene = plan(table, level)
    if svg is not None:
        draw(scene, svg)
    if json:
        emit({"svg": str(svg), "level": level} if svg else scene)
    elif svg is None:
        say("\n".join([f"{file}: {_summary(table.size, _counts(table), _panels(table))}", *scene.words]))


def _check_level(file: Path, table: Map, level: int) -> None:
    most = max((building.levels for building in table.buildings), default=0)
    if not 0 <= level <= most:
        raise WardogsError(f"{file}: has levels 0 to {most}, not {level}")


def draw(scene: Scene, svg: Path) -> None:
    from wardogs.scene.svg import svg as render
    from wardogs.table.mapfile import write_whole

    write_whole(svg, render(scene).encode(), force=True)
    note(f"{svg}: {scene.title}")


@map_app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A Universal VTT file: .dd2vtt, .uvtt, .df2vtt.", show_default=False)],
    out: Out,
    inches_per_square: Annotated[float, typer.Option(help="Inches of our table to a square of the grid.")] = 1.0,
    wall_height: Annotated[float, typer.Option(help="The height of walls, which the format does not tell.")] = 2.0,
    picture: Annotated[bool, typer.Option("--picture/--no-picture", help="Keep the picture in the file.")] = True,
    force: Force = False,
) -> None:
    """Turn a Universal VTT map into TOML; exit 1 if it needs mending before it can be played.

    \b
    Examples:
      wardogs map import tavern.dd2vtt -o tavern.toml
      wardogs map import tavern.dd2vtt -o tavern.toml --inches-per-square 1.5 --wall-height 2.5 --no-picture
    """
    from wardogs.table.check import faults
    from wardogs.table.mapfile import VTT, import_vtt, save_map

    _check_suffix(file, VTT)
    _check_suffix(out, (".toml",))
    table = import_vtt(file, inches_per_square, wall_height)
    save_map(table if picture else _without_picture(table), out, force)
    say(f"{out}: {_summary(table.size, _counts(table), _panels(table))}")
    if found := faults(table):
        note(f"{out}: {found[0]} ({_count(len(found), 'faults')}; wardogs map check {out} lists them)")
        raise typer.Exit(1)


def _without_picture(table: Map) -> Map:
    file = {key: value for key, value in table.vtt.get("file", {}).items() if key != "image"}
    return replace(table, vtt={**table.vtt, "file": file}) if "file" in table.vtt else table


def _check_suffix(path: Path, known: tuple[str, ...]) -> None:
    if path.suffix.lower() not in known:
        raise WardogsError(f"{path}: the name must end in {' or '.join(known)}")


@map_app.command()
def export(
    file: MapFile,
    out: Out,
    pixels: Annotated[int | None, typer.Option(help="Pixels to a square.", show_default="as imported, or 100")] = None,
    force: Force = False,
) -> None:
    """Turn a map into a Universal VTT file; ours reads it back without loss.

    \b
    Examples:
      wardogs map export town.toml -o town.dd2vtt
      wardogs map export town.toml -o town.uvtt --pixels 70
    """
    from wardogs.table.mapfile import VTT, load_map, write_whole
    from wardogs.table.vtt import write_vtt

    _check_suffix(out, VTT)
    table = load_map(file)
    write_whole(out, write_vtt(table, pixels), force)
    say(f"{out}: {_summary(table.size, _counts(table), _panels(table))}")


@map_app.command()
def generate(
    theme: Annotated[str, typer.Argument(help="What kind of table, such as village.", show_default=False)],
    seed: Annotated[int, typer.Option(help="The same seed gives the same table.")] = 1,
    size: Annotated[str, typer.Option(help="Width x depth in inches.")] = "48x48",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write it here.", show_default="the screen")] = None,
    svg: Svg = None,
    force: Force = False,
) -> None:
    """Make up a dense table by theme and seed.

    \b
    Examples:
      wardogs map generate village
      wardogs map generate compound --seed 7 --size 36x36 -o compound.toml --svg compound.svg
    """
    from wardogs.table.generate import generate as generated
    from wardogs.table.mapfile import dump_map, save_map

    table = generated(theme, seed, _size(size))
    if out is not None:
        _check_suffix(out, (".toml",))
        save_map(table, out, force)
        note(f"{out}: {_summary(table.size, _counts(table), _panels(table))}")
    if svg is not None:
        from wardogs.table.picture import plan

        draw(plan(table), svg)
    if out is None and svg is None:
        say(dump_map(table).rstrip())


def _size(text: str) -> tuple[float, float]:
    try:
        width, depth = (float(part) for part in text.lower().split("x"))
    except ValueError:
        raise WardogsError(f"--size {text:.40}: write width x depth in inches, for example 48x36") from None
    if not (1 <= width <= LONGEST and 1 <= depth <= LONGEST):
        raise WardogsError(f"--size {text:.40}: a side has 1 to {LONGEST:g} inches")
    return width, depth
