"""Random tables, small but nasty, and rays that graze what stands on them; the same seed gives the same again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from math import cos, gcd, pi, sin
from random import Random
from typing import Any, Literal

from msgspec.structs import replace

from wardogs.table.faces import Panel, Solid
from wardogs.table.model import Area, Building, Hill, Map, Opening, Pit, Rect, Side, Slab, Slope, Stairs, State, Thing, Wall
from wardogs.table.openings import Leg, along, length, line_points
from wardogs.table.openings import legs_of_ring as legs_of
from wardogs.table.shapes import Corner, corners_of, outline, ring_of
from wardogs.table.terrain import Terrain
from wardogs.table.units import Inches, Point, Spot, thou

WALLS = ("stone", "brick", "concrete", "sandbags", "wood_fence", "bunker", "hedge", "glass", "wire")
GROWTH = ("woods", "bushes", "grass", "crops", "orchard", "smoke", "fire", "rubble", "hedge", "swamp", "rock", "gas")
THINGS = ("vehicle", "crates", "container", "wreckage", "furniture", "woods", "smoke")
FACINGS = (0.0, 30.0, 45.0, 90.0, 137.5, 200.0, 315.0, 1.0)
STATES: tuple[State | None, ...] = ("open", "shut", "locked", "barricaded", "barred", "gone", None)
KINDS: tuple[Literal["door", "window", "gap"], ...] = ("door", "window", "gap")
SIDES: tuple[Side, ...] = ("N", "E", "S", "W")
SIZES = ((12.0, 12.0), (12.0, 12.0), (11.3, 12.9), (3.0, 12.0), (12.0, 1.5))
LARGEST = (120.0, 120.0)
OUTSIDE = 3000  # thous that an eye may be off the table
HIGH = 20_000  # thous
L_SHAPE = ((0, 0), (4, 0), (4, 2), (2, 2), (2, 4), (0, 4))
U_SHAPE = ((0, 0), (6, 0), (6, 4), (4, 4), (4, 2), (2, 2), (2, 4), (0, 4))
ARROW = ((0, 0), (4, 2), (0, 4), (1, 2))
SHAPES = (L_SHAPE, U_SHAPE, ARROW)


class Maker:
    """Makes pieces for one table."""

    def __init__(self, rng: Random, size: Point) -> None:
        self.rng, self.size = rng, size
        self.scale = max(1.0, max(size) / 12)

    def figure(self, low: Inches, high: Inches) -> Inches:
        """Mostly on a grid of half inches, so that much lies in line; sometimes anywhere."""
        if self.rng.random() < 0.75:
            return self.rng.randint(round(low * 2), round(high * 2)) / 2
        return self.rng.randint(thou(low), thou(high)) / 1000

    def spot(self) -> Point:
        """On the table, or now and then a little off it."""
        off = self.rng.choice((0, 0, 0, 2))
        return self.figure(-off, self.size[0] + off), self.figure(-off, self.size[1] + off)

    def far(self) -> Inches:
        """A length."""
        return max(0.5, self.figure(0.5, 3.0)) * self.rng.choice((1.0, self.scale))

    def rect(self) -> Rect:
        x, y = self.spot()
        return x, y, x + self.far(), y + self.far()

    def polygon(self) -> tuple[Point, ...]:
        """With notches, turned and stretched; or a star of odd corners."""
        (x, y), grow = self.spot(), self.rng.choice((0.25, 0.5, 0.707)) * self.rng.choice((1.0, self.scale))
        if self.rng.random() < 0.3:
            reach = [self.far() for _ in range(self.rng.randint(5, 9))]
            turns = [2 * pi * k / len(reach) for k in range(len(reach))]
            return tuple((x + far * cos(turn), y + far * sin(turn)) for far, turn in zip(reach, turns, strict=True))
        corners = self.rng.choice(SHAPES)
        a, b, c, d = self.rng.choice(((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, 1), (1, 1, -1, 1), (2, 1, -1, 1)))
        return tuple((x + grow * (a * u + b * v), y + grow * (c * u + d * v)) for u, v in corners)

    def shape(self) -> dict[str, Any]:
        kind = self.rng.choice(("rect", "circle", "polygon"))
        if kind == "circle":
            return {"circle": (*self.spot(), self.far())}
        return {kind: self.rect() if kind == "rect" else self.polygon()}

    def opening(self, leg: Leg, floor_to_top: Inches, k: int) -> Opening:
        room = length(leg)
        width = min(room, self.rng.choice((0.5, 1.0, room)))
        sill = self.rng.choice((0.0, 0.25, 0.5)) * floor_to_top
        head = self.rng.choice((floor_to_top, sill + 0.25 * floor_to_top))
        kind = self.rng.choice(KINDS)
        state = self.rng.choice(STATES) if kind != "gap" else None
        material = self.rng.choice(("", "glass", "partition")) if kind == "window" else ""
        return Opening(
            id=f"o{k}", kind=kind, at=along(leg, room / 2), width=width, sill=sill, head=head, state=state, material=material,
        )  # fmt: skip

    def openings(self, legs: Sequence[Leg], height: Inches) -> tuple[Opening, ...]:
        """At most one to a leg, and only where there is room."""
        some = (leg for leg in legs if length(leg) >= 0.5 and self.rng.random() < 0.5)
        return tuple(self.opening(leg, height, k) for k, leg in enumerate(some))

    def wall(self) -> Wall:
        first, height = self.spot(), self.rng.choice((0.3, 0.5, 0.6, 1.0, 2.0, 2.137))
        points = [first]
        for _ in range(self.rng.randint(1, 3)):
            x, y = points[-1]
            step = self.rng.choice(((self.far(), 0.0), (0.0, self.far()), (-self.far(), self.far()), (self.far(), -self.far())))
            points.append((x + step[0], y + step[1]))
        legs = list(pairwise(points))
        return Wall(
            line=tuple(part for point in points for part in point), height=height, base=self.rng.choice((0.0, 0.0, 0.5)),
            material=self.rng.choice(WALLS), openings=self.openings(legs, height),
        )  # fmt: skip

    def building(self) -> Building:
        shape = {"rect": self.rect()} if self.rng.random() < 0.6 else {"polygon": self.polygon()}
        levels, storey = self.rng.choice((1, 2, 2)), self.rng.choice((1.0, 1.5, 2.0))
        legs = legs_of(outline(Building(**shape)))
        x, y = min(x for (x, _), _ in legs), min(y for (_, y), _ in legs)
        inner = Wall(line=(x, y, x + 1.0, y + 1.0), material="partition", level=self.rng.randrange(levels))
        return Building(
            **shape, levels=levels, storey=storey, openings=self.openings(legs, storey), roof=self.rng.random() < 0.8,
            parapet=self.rng.choice((0.0, 0.5)), standing=self.rng.choice((None, None, levels - 1)),
            walls=(inner,) if self.rng.random() < 0.4 else (),
            stairs=(Stairs(at=(x + 0.5, y + 0.5), size=self.rng.choice((0.5, 0.777))),),
        )  # fmt: skip

    def area(self) -> Area:
        return Area(**self.shape(), kind=self.rng.choice(GROWTH), base=self.rng.choice((0.0, 0.0, 0.5, 1.0)))

    def hill(self) -> Hill:
        return Hill(**self.shape(), height=self.rng.choice((0.5, 1.0, 1.25)))

    def slope(self) -> Slope:
        return Slope(rect=self.rect(), up=self.rng.choice(SIDES), height=self.rng.choice((0.5, 1.0, 2.0)))

    def pit(self) -> Pit:
        return Pit(**self.shape(), depth=self.rng.choice((0.5, 1.0)))

    def slab(self) -> Slab:
        return Slab(**self.shape(), z=self.rng.choice((0.5, 1.0, 2.0)), thickness=self.rng.choice((0.1, 0.5)))

    def thing(self) -> Thing:
        size, facing = (self.far(), self.far()), self.rng.choice(FACINGS)
        return Thing(kind=self.rng.choice(THINGS), at=self.spot(), size=size, facing=facing, base=self.rng.choice((0.0, 0.5)))


MAKERS: tuple[tuple[str, Callable[[Maker], Any]], ...] = (
    ("walls", Maker.wall), ("walls", Maker.wall), ("buildings", Maker.building), ("areas", Maker.area), ("areas", Maker.area),
    ("hills", Maker.hill), ("slopes", Maker.slope), ("pits", Maker.pit), ("slabs", Maker.slab), ("things", Maker.thing),
)  # fmt: skip


def table(seed: int, makers: Sequence[tuple[str, Callable[[Maker], Any]]] = MAKERS) -> Map:
    """Three to twelve pieces; each tenth table is as large as tables get, and some of its pieces too."""
    rng = Random(seed)
    size = LARGEST if seed % 10 == 9 else rng.choice(SIZES)
    maker, groups = Maker(rng, size), dict[str, list[Any]]()
    for _ in range(rng.randint(3, 12)):
        group, make = rng.choice(makers)
        groups.setdefault(group, []).append(make(maker))
    return replace(Map(size=size), **{group: tuple(made) for group, made in groups.items()})


@cache
def terrain(seed: int) -> Terrain:
    return Terrain(table(seed))


@cache
def panel_terrain(seed: int) -> Terrain:
    """Walls and pits only, which are all panels."""
    return Terrain(table(seed, [maker for maker in MAKERS if maker[0] in ("walls", "pits")]))


# Rays -----------------------------------------------------------------------------------------------------------------


class Marksman:
    """Draws rays across one table, half of them so that they touch edges, corners and planes."""

    def __init__(self, over: Terrain, seed: int) -> None:
        self.rng, self.terrain = Random(f"rays {seed}"), over
        self.width, self.depth = (thou(side) for side in over.map.size)
        faces: list[Panel | Solid] = [*over.panels, *over.solids]
        self.heights = [z for face in faces for z in (face.bottom, face.top)] or [0]
        self.faces, self.corners = faces, corners(over.map)

    def rays(self, count: int) -> list[tuple[Spot, Spot]]:
        return [self.nasty() if k % 2 else (self.anywhere(), self.anywhere()) for k in range(count)]

    def beam(self, count: int) -> tuple[Spot, list[Spot]]:
        """One eye, many points: some close together, some all around."""
        eye, first = self.nasty() if self.rng.random() < 0.5 else (self.anywhere(), self.anywhere())
        spread = self.rng.choice((0, 300, 3000))
        near = [tuple(part + self.rng.randint(-spread, spread) for part in first) for _ in range(count - 1)]
        return eye, [first, *((x, y, z) for x, y, z in near)]

    def anywhere(self) -> Spot:
        step = self.rng.choice((500, 500, 250, 1))
        x = self.rng.randint(-OUTSIDE // step, (self.width + OUTSIDE) // step) * step
        y = self.rng.randint(-OUTSIDE // step, (self.depth + OUTSIDE) // step) * step
        return x, y, self.rng.choice((0, 100, 500, 600, 1100, self.rng.randint(-1000, 4000)))

    def nasty(self) -> tuple[Spot, Spot]:
        while True:
            eye, point = self.through(self.special(), self.rng.choice((self.special, self.special, self.anywhere))())
            if self.rng.random() < 0.5:
                eye, point = point, eye
            if self.fits(eye) and self.fits(point):
                return eye, point

    def fits(self, spot: Spot) -> bool:
        x, y, z = spot
        return -OUTSIDE <= x <= self.width + OUTSIDE and -OUTSIDE <= y <= self.depth + OUTSIDE and abs(z) <= HIGH

    def through(self, u: Spot, v: Spot) -> tuple[Spot, Spot]:
        """From one to the other, past it, or straight up and down; at times level or of no length."""
        way = self.rng.randrange(8)
        if way == 0:
            return u, (u[0], u[1], v[2])
        if way == 1:
            return u, (v[0], v[1], u[2])
        if way == 2 and self.rng.random() < 0.2:
            return u, u
        before, behind = self.rng.choice(((0, 1), (0, 2), (-1, 1), (-1, 2), (0, 3), (1, 2)))
        return _on(u, v, before), _on(u, v, behind)

    def special(self) -> Spot:
        """On a face, its edge or its corner, or in its plane; at its height or that of another."""
        if not self.faces:
            return self.anywhere()
        face, heights = self.rng.choice(self.faces), self.heights
        x, y = self.beside(face) if not self.corners or self.rng.random() < 0.7 else self.rng.choice(self.corners)
        mine = (face.bottom, face.top, (face.bottom + face.top) // 2, face.top + 1, face.bottom - 1)
        return x, y, self.rng.choice(mine if self.rng.random() < 0.7 else heights)

    def beside(self, face: Panel | Solid) -> Corner:
        if isinstance(face, Panel):
            (ax, ay), (bx, by) = face.a, face.b
            steps = gcd(bx - ax, by - ay) or 1
            k = self.rng.choice((0, steps, steps // 2, -steps, self.rng.randint(-steps, 2 * steps)))
            return ax + (bx - ax) // steps * k, ay + (by - ay) // steps * k
        left, lower, right, upper = face.box
        middle_x, middle_y = (left + right) // 2, (lower + upper) // 2
        rim = (right - left) // 2
        round_it = ((middle_x + 3 * rim // 5, middle_y + 4 * rim // 5), (middle_x - 4 * rim // 5, middle_y + 3 * rim // 5))
        straight = tuple((x, y) for x in (left, middle_x, right) for y in (lower, middle_y, upper))
        return self.rng.choice(straight + round_it)


def _on(u: Spot, v: Spot, k: int) -> Spot:
    """On the line of both: 0 is u, 1 is v."""
    return u[0] + k * (v[0] - u[0]), u[1] + k * (v[1] - u[1]), u[2] + k * (v[2] - u[2])


def corners(of: Map) -> list[Corner]:
    """Of all outlines and walls."""
    shaped = [*of.buildings, *of.areas, *of.hills, *of.pits, *of.slabs]
    rings = [*(outline(piece) for piece in shaped if not piece.circle), *(corners_of(thing) for thing in of.things)]
    lines = [(thou(x), thou(y)) for wall in of.walls for x, y in line_points(wall.line)]
    return [corner for ring in rings for corner in ring_of(ring)] + lines
