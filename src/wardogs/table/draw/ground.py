"""Ground on a plan: growth, water and rubble by their patterns; hills, slopes and pits by their heights."""

from __future__ import annotations

from wardogs.scene.model import Area as Fill
from wardogs.scene.model import Disc, Line, Mark
from wardogs.scene.terrain import TERRAIN
from wardogs.table.draw.strokes import Pen, arrow, between, closed, cloud, comb, leftward, scattered
from wardogs.table.kinds import Kind, find
from wardogs.table.model import Area, Hill, Pit, Slab, Slope, Thing, Zone
from wardogs.table.shapes import corners_of, heading, outline
from wardogs.table.units import Point

BUMPS = {"woods": 1.0, "bushes": 0.7, "hedge": 0.45}
TREE, SAPLING = 1.45, 1.6  # inches from tree to tree
TOOTH, TEETH = 0.075, 0.13  # inches of paper: how long a hachure is, how far apart they stand


def look_of(name: str, kind: Kind) -> str:
    """The pattern of a kind: its own, or for one that only this map knows, that of its like."""
    if name in TERRAIN and name != "floor":
        return name
    if kind.sight == "smoke":
        return "smoke"
    if kind.sight == "thin":
        return "woods" if kind.height > 2 else "bushes"
    if kind.move == "deep":
        return "water"
    if kind.sight == "open" or (kind.height == 0 and kind.move != "blocked"):
        return "open" if kind.move == "open" else "rough"
    return "block"


def area_marks(area: Area, pen: Pen) -> list[Mark]:
    look, points = look_of(area.kind, find(pen.kinds, area.kind)), outline(area)
    edge = cloud(points, BUMPS[look], 0.5) if look in BUMPS else points
    if look == "woods":
        return [Fill(edge, look), *trees(points)]
    if look == "orchard":
        return [Fill(edge, look), *(Disc(at, 0.42, "fruit_tree") for at, _ in scattered(points, SAPLING, 0))]
    return [Fill(edge, look)]


def trees(points: tuple[Point, ...]) -> list[Mark]:
    """Some large, some small, the small ones first."""
    grown = sorted((0.42 + 0.4 * size, at) for at, size in scattered(points, TREE, 0.55))
    return [mark for size, at in grown for mark in (Disc(at, size, "tree"), Disc(at, 0.07, "full_dot"))]


def is_flat(area: Area, pen: Pen) -> bool:
    """Ground that other pieces lie on."""
    return (find(pen.kinds, area.kind).height if area.height is None else area.height) <= 0 or area.kind == "grass"


def in_the_air(area: Area, pen: Pen) -> bool:
    return look_of(area.kind, find(pen.kinds, area.kind)) in ("smoke", "gas", "fire")


def hill_marks(hill: Hill, pen: Pen) -> list[Mark]:
    """A contour whose hachures point downhill."""
    points = leftward(outline(hill))
    return [Fill(points, "earth"), Line(comb(closed(points), pen.paper(TEETH), -pen.paper(TOOTH)), "contour")]


def slope_marks(slope: Slope, pen: Pen) -> list[Mark]:
    """Arrows up the slope; its hachures thin out towards the foot."""
    low, high = ends(slope)
    x0, y0, x1, y1 = slope.rect
    points = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    across = (y1 - y0) if slope.up in "EW" else (x1 - x0)
    count = max(round(across / 3), 1)
    marks: list[Mark] = [Fill(points, "earth"), Line(closed(points), "contour")]
    for n in range(count):
        shift = ((n + 0.5) / count - 0.5) * across
        move = (0.0, shift) if slope.up in "EW" else (shift, 0.0)
        a, b = ((at[0] + move[0], at[1] + move[1]) for at in (between(low, high, 0.22), between(low, high, 0.78)))
        marks += arrow(a, b, pen.paper(0.14), "contour")
    return marks


def ends(slope: Slope) -> tuple[Point, Point]:
    """The middle of its foot and the middle of its top."""
    x0, y0, x1, y1 = slope.rect
    sides = {"N": ((x0 + x1) / 2, y1), "S": ((x0 + x1) / 2, y0), "E": (x1, (y0 + y1) / 2), "W": (x0, (y0 + y1) / 2)}
    return sides[{"N": "S", "S": "N", "E": "W", "W": "E"}[slope.up]], sides[slope.up]


def pit_marks(pit: Pit, pen: Pen) -> list[Mark]:
    """A rim whose hachures point inwards, down."""
    points = leftward(outline(pit))
    return [Fill(points, "ditch"), Line(comb(closed(points), pen.paper(TEETH), pen.paper(TOOTH)), "rim")]


def slab_marks(slab: Slab, pen: Pen) -> list[Mark]:
    return [Fill(outline(slab), "slab")]


def thing_marks(thing: Thing, pen: Pen) -> list[Mark]:
    """A box with a tick at its front."""
    look = look_of(thing.kind, find(pen.kinds, thing.kind))
    corners, (ahead, left) = corners_of(thing), heading(thing.facing)
    front = between(corners[0], corners[1], 0.5)
    tick = pen.paper(0.09)
    return [Fill(corners, look), Line((front, (front[0] + tick * ahead, front[1] + tick * left)), "arrow")]


def zone_marks(zone: Zone, pen: Pen) -> list[Mark]:
    return [Fill(outline(zone), "zone")]
