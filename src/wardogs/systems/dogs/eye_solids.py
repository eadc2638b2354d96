"""All that stands on the table as it is now, as upright pieces: what a ray would meet, for a picture."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin

from wardogs.scene.board import Solid
from wardogs.systems.dogs.data import CLOUDS
from wardogs.systems.dogs.ground import table_now, terrain_now
from wardogs.systems.dogs.seeing import hull
from wardogs.systems.dogs.state import Fight
from wardogs.table.faces import FLOOR, Panel, Plane
from wardogs.table.faces import Solid as Face
from wardogs.table.model import Slope
from wardogs.table.shapes import box
from wardogs.table.terrain import Terrain
from wardogs.table.units import Inches, Place, Point, inches, thou

ROUND, STEPS = 24, 8  # corners of what is round; steps that a slope is drawn in


def solids(g: Fight) -> Iterator[Solid]:
    """Walls with their openings left out, floors and roofs, woods and hills, vehicles, clouds."""
    terrain = terrain_now(g)
    houses = {house.id for house in terrain.map.buildings}
    yield from (panel(terrain, one) for one in terrain.panels)
    for one in terrain.solids:
        if not is_wedge(one):
            yield from face(terrain, one, houses)
    for slope in table_now(g).slopes:
        yield from steps(slope)
    yield from vehicles(g)
    yield from clouds(g)


def panel(terrain: Terrain, one: Panel) -> Solid:
    """A stretch of wall, or what fills an opening in it."""
    clear = terrain.kind(one.kind).sight != "solid"
    look = one.kind if one.fills else "wall"
    return Solid((_inches(one.a), _inches(one.b)), inches(one.bottom), inches(one.top), look, open=True, clear=clear)


def _inches(corner: tuple[int, int]) -> Point:
    return inches(corner[0]), inches(corner[1])


def face(terrain: Terrain, one: Face, houses: set[str]) -> Iterator[Solid]:
    """Part by part, as it was cut for the rays."""
    flat = one.piece in houses and one.top - one.bottom == thou(FLOOR)
    look, clear = "roof" if flat else one.kind, terrain.kind(one.kind).sight != "solid"
    for outline in outlines(one):
        yield Solid(outline, inches(one.bottom), inches(one.top), look, clear=clear)


def is_wedge(one: Face) -> bool:
    """Is a side of it tilted?"""
    return any(plane[2] and (plane[0] or plane[1]) for part in one.parts for plane in part)


def outlines(one: Face) -> Iterator[tuple[Point, ...]]:
    if one.disc:
        x, y, radius = one.disc
        yield circle((inches(x), inches(y)), inches(radius))
    for part in one.parts:
        yield ring(part)


def circle(at: Point, radius: Inches) -> tuple[Point, ...]:
    turns = [2 * pi * k / ROUND for k in range(ROUND)]
    return tuple((round(at[0] + radius * cos(turn), 3), round(at[1] + radius * sin(turn), 3)) for turn in turns)


def ring(part: tuple[Plane, ...]) -> tuple[Point, ...]:
    """The corners of a part: where each upright side meets the one before it."""
    sides = [plane for plane in part if plane[2] == 0]
    return tuple(_meet(before, side) for before, side in zip((sides[-1], *sides), sides, strict=False))


def _meet(p: Plane, q: Plane) -> Point:
    across = p[0] * q[1] - p[1] * q[0]
    x, y = (p[1] * q[3] - q[1] * p[3]) / across, (q[0] * p[3] - p[0] * q[3]) / across
    return round(x / 1000, 3), round(y / 1000, 3)


def steps(slope: Slope) -> Iterator[Solid]:
    """A wedge in a few steps, each as high as its middle."""
    left, lower, right, upper = slope.rect
    for k in range(STEPS):
        a, b = (k / STEPS, (k + 1) / STEPS) if slope.up in "EN" else (1 - (k + 1) / STEPS, 1 - k / STEPS)
        top = slope.base + (slope.height - slope.base) * (k + 0.5) / STEPS
        if slope.up in "EW":
            low, high = left + a * (right - left), left + b * (right - left)
            yield Solid(((low, lower), (high, lower), (high, upper), (low, upper)), slope.base, top, slope.kind)
        else:
            low, high = lower + a * (upper - lower), lower + b * (upper - lower)
            yield Solid(((left, low), (right, low), (right, high), (left, high)), slope.base, top, slope.kind)


def vehicles(g: Fight) -> Iterator[Solid]:
    for vehicle in g.state.vehicles:
        if vehicle.there:
            one = hull(vehicle)
            x, y, z = one.at
            yield Solid(box((x, y), one.size, one.facing), z, z + one.height, "vehicle")


def clouds(g: Fight) -> Iterator[Solid]:
    """DOW-EQP-11, -15: drums of smoke and gas."""
    for cloud in g.state.clouds:
        look = "smoke" if cloud.kind == "smoke_grenade" else "gas"
        yield Solid(circle(_flat(cloud.at), cloud.radius), cloud.at[2], cloud.at[2] + CLOUDS[cloud.kind].height, look, clear=True)


def _flat(at: Place) -> Point:
    return at[0], at[1]
