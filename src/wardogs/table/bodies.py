"""Who stands on the table: round bases with a figure in parts, and vehicles as boxes."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import product
from math import cos, floor, hypot, pi, sin, sqrt
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from wardogs.kernel.errors import unknown
from wardogs.table.compiled import Floats, compiled, floats
from wardogs.table.faces import Solid, prism
from wardogs.table.shapes import box, cross, heading, ring_of
from wardogs.table.units import Inches, Place, Point, thou

BASE = "base"
RIM = 0.1  # inches: the upper side of a base, where its samples lie
RINGS = ((0.4, 3), (0.82, 5))  # of the base's samples: share of the radius, how many


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A model on a round base. `at` is the middle of its base, on the ground."""

    id: str = ""
    at: Place
    facing: float = 0.0
    stance: str = "standing"
    radius: Inches = 0.5
    scale: float = 1.0  # of the figure: 1.5 for a rider or a giant


class Hull(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A vehicle: an oriented box. `size` is along its facing and across it."""

    id: str = ""
    at: Place
    facing: float = 0.0
    size: Point = (3.0, 1.4)
    height: Inches = 1.0


Model: TypeAlias = Body | Hull


class Cells(Struct, frozen=True, forbid_unknown_fields=True):
    """One part of a figure, cut into cells."""

    across: tuple[Inches, Inches]
    up: tuple[Inches, Inches]
    grid: tuple[int, ...]
    along: tuple[Inches, Inches] | None = None


class Figure(Struct, frozen=True, forbid_unknown_fields=True):
    height: Inches
    eye: Inches
    parts: dict[str, Cells]


class Samples(NamedTuple):
    """The sample points of a figure, 4 floats each: how it turns, along, across, up; in thous, the base's in radii."""

    parts: tuple[tuple[str, int, int], ...]  # name, first and last sample
    points: Floats
    size: int


UPRIGHT, LYING, FLAT = 0.0, 1.0, 2.0


@cache
def figures() -> dict[str, Figure]:
    text = files("wardogs.table").joinpath("data", "silhouettes.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=dict[str, Figure])


def figure(stance: str) -> Figure:
    if stance not in figures():
        raise unknown("stance", stance, figures())
    return figures()[stance]


@cache
def samples(stance: str, scale: float = 1.0) -> Samples:
    """All sample points of a stance, part by part, the base last."""
    parts: list[tuple[str, int, int]] = []
    points: list[tuple[float, ...]] = []
    for name, cells in figure(stance).parts.items():
        first = len(points)
        points += [(how, *(thou(scale * part) for part in place)) for how, *place in cell_middles(cells)]
        parts.append((name, first, len(points)))
    first = len(points)
    points += [(FLAT, share * cos(turn), share * sin(turn), thou(RIM)) for share, turn in base_points()]
    parts.append((BASE, first, len(points)))
    return Samples(tuple(parts), floats([figure for point in points for figure in point]), len(points))


def cell_middles(cells: Cells) -> list[tuple[float, float, float, float]]:
    spans = (cells.across, cells.up) if cells.along is None else (cells.along, cells.across, cells.up)
    axes = [[low + (high - low) * (k + 0.5) / n for k in range(n)] for (low, high), n in zip(spans, cells.grid, strict=True)]
    if cells.along is None:
        return [(UPRIGHT, 0.0, across, up) for across, up in product(*axes)]
    return [(LYING, along, across, up) for along, across, up in product(*axes)]


def base_points() -> list[tuple[float, float]]:
    """Share of the radius and direction of each."""
    return [(share, 2 * pi * k / n) for share, n in RINGS for k in range(n)]


def height_of(model: Model) -> Inches:
    return model.height if isinstance(model, Hull) else figure(model.stance).height * model.scale


def eye_of(model: Model) -> Place:
    """Over a figure's head and shoulders; on top of a vehicle."""
    x, y, z = model.at
    return x, y, z + (model.height if isinstance(model, Hull) else figure(model.stance).eye * model.scale)


def middle_of(model: Model) -> Place:
    x, y, z = model.at
    return x, y, z + height_of(model) / 2


@compiled
def pose(
    ex: float, ey: float, tx: float, ty: float, tz: float, fx: float, fy: float, radius: float, samples: Floats, count: int,
    points: Floats, at: int,
) -> None:  # fmt: skip
    """Put a figure's samples on the table, in whole thous, as an eye sees them; `fx`, `fy` is where it faces."""
    x, y = ex - tx, ey - ty
    far = sqrt(x * x + y * y)
    if far > 0.0:
        x, y = x / far, y / far
    else:
        x, y = fx, fy
    if x * fx + y * fy < 0.0:
        x, y = -x, -y
    for i in range(count):
        how, along, across, up = samples[4 * i], samples[4 * i + 1], samples[4 * i + 2], samples[4 * i + 3]
        if how == UPRIGHT:
            px, py = tx - across * y, ty + across * x
        elif how == LYING:
            px, py = tx + along * fx - across * fy, ty + along * fy + across * fx
        else:
            px, py = tx + along * radius, ty + across * radius
        points[3 * (at + i)] = float(floor(px + 0.5))
        points[3 * (at + i) + 1] = float(floor(py + 0.5))
        points[3 * (at + i) + 2] = tz + up


COLUMNS, ROWS = 8, 8  # of the samples on a vehicle's side


def hull_points(hull: Hull, eye: Place) -> tuple[tuple[tuple[str, int, int], ...], list[float]]:
    """Samples on the sides that the eye sees, the lower half of the hull first."""
    chain = near_sides(hull, eye)
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in chain]
    spots = [_along(chain, lengths, sum(lengths) * (column + 0.5) / COLUMNS) for column in range(COLUMNS)]
    floor_, height = thou(hull.at[2]), thou(hull.height)
    points: list[float] = []
    for row, (x, y) in product(range(ROWS), spots):
        points += [thou(x), thou(y), floor_ + height * (2 * row + 1) // (2 * ROWS)]
    half = COLUMNS * ROWS // 2
    return (("lower hull", 0, half), ("upper hull", half, 2 * half)), points


def near_sides(hull: Hull, eye: Place) -> list[tuple[Point, Point]]:
    """The sides of the box that face the eye, in order; all four for an eye above it."""
    corners = box((hull.at[0], hull.at[1]), hull.size, hull.facing)
    sides = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    spot = (thou(eye[0]), thou(eye[1]))
    facing = [side for side in sides if cross(_thous(side[0]), _thous(side[1]), spot) < 0]
    if len(facing) == 2 and facing[0][1] != facing[1][0]:
        facing.reverse()
    return facing or sides


def _thous(point: Point) -> tuple[int, int]:
    return thou(point[0]), thou(point[1])


def _along(chain: list[tuple[Point, Point]], lengths: list[float], far: float) -> Point:
    for (a, b), length in zip(chain, lengths, strict=True):
        if far <= length:
            return a[0] + (b[0] - a[0]) * far / length, a[1] + (b[1] - a[1]) * far / length
        far -= length
    return chain[-1][1]


def solid_of(model: Model) -> Solid:
    """What a model is to a ray that would pass it."""
    x, y, z = (thou(part) for part in model.at)
    if isinstance(model, Hull):
        ring = ring_of(box((model.at[0], model.at[1]), model.size, model.facing))
        return prism(ring, model.at[2], model.at[2] + model.height, "vehicle", model.id, model.id)
    r, top = thou(model.radius), z + thou(height_of(model))
    return Solid((x - r, y - r, x + r, y + r), z, top, "model", model.id, model.id, disc=(x, y, r))


def facing_of(model: Model) -> Point:
    return heading(model.facing)
