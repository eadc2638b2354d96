"""A Universal VTT file as it lies on the disk: its known keys, its frame of squares, and what can be wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct, field

from wardogs.kernel.errors import WardogsError
from wardogs.table.model import Map
from wardogs.table.units import LONGEST, Inches, Point, thou
from wardogs.table.vtt_lines import DIGITS, OBJECTS, SIGHT

Json: TypeAlias = dict[str, Any]

OURS = "wardogs"
SQUARE_DIGITS = 6  # of a grid square, in the files that we write
MOST_POINTS = 500_000


class XY(Struct, frozen=True):
    x: float
    y: float


class Resolution(Struct, frozen=True):
    map_size: XY
    pixels_per_grid: Annotated[float, Meta(gt=0)]
    map_origin: XY = XY(0.0, 0.0)


class Portal(Struct, frozen=True):
    bounds: Annotated[list[XY], Meta(min_length=2, max_length=2)]
    position: XY | None = None
    rotation: float = 0.0
    closed: bool = True
    freestanding: bool = False


class Known(Struct, frozen=True):
    """The part of a file whose shape we rely on."""

    resolution: Resolution
    line_of_sight: list[list[XY]] = field(default_factory=list)
    objects_line_of_sight: list[list[XY]] = field(default_factory=list)
    portals: list[Portal] = field(default_factory=list)
    environment: Json = field(default_factory=dict)
    lights: list[Json] = field(default_factory=list)
    image: str = ""


class Said(Struct, frozen=True):
    """What `Map.vtt` may hold."""

    inches_per_square: Annotated[float, Meta(gt=0)] = 1.0  # the scale
    file: Json | None = None  # all of the file but its lines, portals and map_size
    layers: dict[str, str] = field(default_factory=dict)  # by a wall's id its list of lines, where its height does not tell
    portals: dict[str, Json] = field(default_factory=dict)  # by a door's id the portal as the file had it
    unbroken: list[str] = field(default_factory=list)  # doors whose wall runs on through them
    without: list[str] = field(default_factory=list)  # lists that the file did not have at all

    @classmethod
    def of(cls, table: Map) -> Said:
        try:
            return msgspec.convert(table.vtt, cls)
        except msgspec.ValidationError as error:
            raise WardogsError(f"map {table.name}: {str(error).replace('$', 'vtt')}: mend it or delete it") from None

    def origin(self, name: str) -> Point:
        try:
            spot = msgspec.convert((self.file or {}).get("resolution", {}).get("map_origin", {"x": 0, "y": 0}), XY)
        except (msgspec.ValidationError, AttributeError):
            raise WardogsError(f"map {name}: vtt.file.resolution.map_origin must be like {{ x = 0, y = 0 }}") from None
        return spot.x, spot.y


class Ours(Struct, frozen=True):
    """The extension key: the map without its `vtt`, and that with an empty `file`, which is the file around it."""

    map: Map
    vtt: Json = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Frame:
    """Between the squares of a file and the inches of a table."""

    scale: Inches
    origin: Point
    squares: Point  # the size of the map

    def to_table(self, spot: XY) -> Point:
        x, y = spot.x - self.origin[0], self.squares[1] - (spot.y - self.origin[1])
        return round(x * self.scale, DIGITS) + 0.0, round(y * self.scale, DIGITS) + 0.0

    def to_file(self, point: Point) -> Json:
        x, y = point[0] / self.scale + self.origin[0], self.squares[1] - point[1] / self.scale + self.origin[1]
        return {"x": tidy(x), "y": tidy(y)}


def squares(size: Point, scale: Inches) -> Point:
    return round(size[0] / scale, SQUARE_DIGITS), round(size[1] / scale, SQUARE_DIGITS)


def tidy(number: float) -> float:
    """Rounded for the file, a whole number as such."""
    rounded = round(number, SQUARE_DIGITS)
    return int(rounded) if rounded == int(rounded) else rounded


def hide_nulls(value: Any) -> Any:
    """TOML has no null: it is kept as { null = true }."""
    if isinstance(value, dict):
        return {key: hide_nulls(part) for key, part in value.items()}
    if isinstance(value, list):
        return [hide_nulls(part) for part in value]
    return {"null": True} if value is None else value


def show_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return None if value == {"null": True} else {key: show_nulls(part) for key, part in value.items()}
    return [show_nulls(part) for part in value] if isinstance(value, list) else value


def decode(raw: bytes, where: str) -> tuple[Json, Known]:
    """The file as it is, and the same with known types."""
    try:
        data = msgspec.json.decode(raw.removeprefix(b"\xef\xbb\xbf"))
        return data, msgspec.convert(data, Known)
    except msgspec.ValidationError as error:
        raise WardogsError(f"{where}: no Universal VTT map: {str(error).replace('$.', '')}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WardogsError(f"{where}: no JSON, so no Universal VTT map: {error}") from None


def extension(data: Json, where: str) -> Ours | None:
    """The map that we once put into the file."""
    if OURS not in data:
        return None
    try:
        return msgspec.convert(data[OURS], Ours)
    except msgspec.ValidationError as error:
        says = str(error).replace("$", OURS)
        raise WardogsError(f"{where}: {says}: without its key {OURS} the file comes in as plain walls") from None


def frame_of(known: Known, scale: float, where: str) -> Frame:
    """The frame of the file; raises if its size is none, or if anything in it is out of reach."""
    if not (isfinite(scale) and scale > 0):
        raise WardogsError(f"{scale:g} inches per square: it must be over 0")
    said = known.resolution
    _check_size(said.map_size, scale, where)
    frame = Frame(scale, (said.map_origin.x, said.map_origin.y), (said.map_size.x, said.map_size.y))
    _check_lines(known.line_of_sight, frame, f"{where}: {SIGHT}")
    _check_lines(known.objects_line_of_sight, frame, f"{where}: {OBJECTS}")
    for k, portal in enumerate(known.portals):
        _check_line(portal.bounds, frame, f"{where}: portals[{k}].bounds")
    return frame


def _check_size(size: XY, scale: Inches, where: str) -> None:
    if min(size.x, size.y) <= 0:
        raise WardogsError(f"{where}: resolution.map_size is {size.x:g} x {size.y:g} squares: both must be over 0")
    if max(size.x, size.y) * scale > LONGEST:
        grid, inch = f"{size.x:g} x {size.y:g} squares", f"{size.x * scale:g} x {size.y * scale:g} inches"
        hint = f"--inches-per-square {_round_down(LONGEST / max(size.x, size.y)):g} would fit"
        raise WardogsError(f"{where}: {grid} are {inch}, a table has at most {LONGEST:g}: {hint}")


def _round_down(number: float) -> float:
    """To two digits."""
    step = 10.0 ** (floor(log10(number)) - 1)
    return floor(number / step + 1e-9) * step


def _check_lines(lines: Sequence[Sequence[XY]], frame: Frame, where: str) -> None:
    if sum(map(len, lines)) > MOST_POINTS:
        raise WardogsError(f"{where} has over {MOST_POINTS} points: export the map with simpler walls")
    for k, line in enumerate(lines):
        _check_line(line, frame, f"{where}[{k}]")


def _check_line(line: Sequence[XY], frame: Frame, where: str) -> None:
    """It has two points or more, and all lie on the table or near it."""
    points = [frame.to_table(spot) for spot in line]
    for k, (x, y) in enumerate(points):
        if not (-LONGEST <= x <= 2 * LONGEST and -LONGEST <= y <= 2 * LONGEST):
            raise WardogsError(f"{where}[{k}] lies at {line[k].x:g}, {line[k].y:g}, far off the map: move or delete it")
    if len({(thou(x), thou(y)) for x, y in points}) < 2:
        raise WardogsError(f"{where}: {'all points are the same' if len(points) > 1 else 'too few points'}: it needs two")
