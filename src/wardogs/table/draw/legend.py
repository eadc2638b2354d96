"""The legend of a plan: the kinds, heights, covers, openings and ways that occur on it, each drawn as on the plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wardogs.scene.model import Area as Fill
from wardogs.scene.model import Disc, Mark, Point, Text, Window
from wardogs.table.draw.buildings import ladder_marks, stairs_marks
from wardogs.table.draw.ground import area_marks, hill_marks, look_of, pit_marks, slab_marks, slope_marks, thing_marks, zone_marks
from wardogs.table.draw.labels import figure
from wardogs.table.draw.strokes import Pen
from wardogs.table.draw.walls import CHEST, opening_marks, stretch_marks, wall_marks, weight
from wardogs.table.faces import LOW, levels_standing, state_of, wall_height
from wardogs.table.kinds import COVERS, Kind, find
from wardogs.table.model import Area, Hill, Ladder, Map, Opening, Pit, Slab, Slope, Stairs, Thing, Wall, Zone

SWATCH: Point = (0.72, 0.36)
ROW, HEAD = 0.42, 0.42
WIDTH = 3.9

HEIGHTS = {"low": f"low: up to {LOW:g}", "chest": f"chest-high: up to {CHEST:g}", "high": f"high: over {CHEST:g}"}
COVER_SAYS = {
    "none": "no cover", "soft": "soft cover", "medium": "medium cover", "hard": "hard cover", "prepared": "prepared cover",
}  # fmt: skip
MOVE_SAYS = {"open": "", "rough": "rough", "slow": "slow", "deep": "deep", "blocked": "no way"}


class Entry(NamedTuple):
    """A row of the legend: a heading, or a sample with what it means."""

    says: str
    note: str = ""
    marks: tuple[Mark, ...] = ()


def entries(table: Map, level: int, pen: Pen) -> list[Entry]:
    """What occurs, in groups."""
    wide, high = SWATCH[0] / pen.scale, SWATCH[1] / pen.scale
    found: list[Entry] = []
    for heading, rows in (
        ("GROUND", [*_kinds(table, pen, wide, high), *_heights(table, pen, wide, high)]),
        ("WALLS BY HEIGHT", list(_weights(table, pen, wide, high))),
        ("WALLS BY COVER", list(_covers(table, pen, wide, high))),
        ("OPENINGS", list(_openings(table, level, pen, wide, high))),
        ("WAYS AND PLACES", list(_ways(table, level, pen, wide, high))),
    ):
        found += [Entry(heading), *rows] if rows else []
    return found


def tall(rows: list[Entry]) -> float:
    return sum(ROW if row.marks else HEAD for row in rows)


def columns(rows: list[Entry], most: float) -> list[list[Entry]]:
    """The rows in columns no taller than this; no heading is left alone at a foot."""
    found: list[list[Entry]] = [[]]
    for row in rows:
        last = found[-1]
        if last and tall([*last, row]) + (0 if row.marks else ROW) > most:
            found.append([])
        found[-1].append(row)
    return found


def legend_marks(rows: list[Entry], corner: Point, pen: Pen) -> list[Mark]:
    """Downwards from the upper left corner, on paper."""
    x, y = corner
    marks: list[Mark] = []
    for row in rows:
        if not row.marks:
            y -= HEAD
            marks.append(Text((x, y + 0.12), row.says, "heading", anchor="start"))
            continue
        y -= ROW
        view = (0.0, 0.0, SWATCH[0] / pen.scale, SWATCH[1] / pen.scale)
        marks.append(Window((x, y), SWATCH, view, row.marks))
        room = WIDTH - SWATCH[0] - 0.2
        marks.append(Text((x + SWATCH[0] + 0.15, y + (0.25 if row.note else 0.18)), row.says, "entry", anchor="start", room=room))
        if row.note:
            marks.append(Text((x + SWATCH[0] + 0.15, y + 0.08), row.note, "entry_note", anchor="start", room=room))
    return marks


def _kinds(table: Map, pen: Pen, wide: float, high: float) -> Iterator[Entry]:
    """The kinds of areas and things, each in its pattern."""
    for name in dict.fromkeys(area.kind for area in table.areas):
        kind = find(pen.kinds, name)
        marks = area_marks(Area(kind=name, rect=(-1.0, -1.0, wide + 1, high + 1)), pen)
        if look_of(name, kind) in ("woods", "orchard"):
            marks = [marks[0], *_grove(look_of(name, kind), wide, high)]
        yield Entry(kind.says or name, kind_note(kind), tuple(marks))
    for name in dict.fromkeys(thing.kind for thing in table.things):
        kind = find(pen.kinds, name)
        box = Thing(kind=name, at=(wide / 2, high / 2), size=(wide * 0.6, high * 0.66))
        yield Entry(kind.says or name, kind_note(kind), tuple(thing_marks(box, pen)))


def _grove(look: str, wide: float, high: float) -> Iterator[Mark]:
    radius = high * 0.36
    for share in (0.2, 0.5, 0.8):
        yield Disc((wide * share, high / 2), radius, "tree" if look == "woods" else "fruit_tree")
        if look == "woods":
            yield Disc((wide * share, high / 2), 0.07, "full_dot")


def kind_note(kind: Kind) -> str:
    """A kind's classes in words: cover, sight, going."""
    if not kind.height:
        return f"{MOVE_SAYS[kind.move] or 'open'} going"
    hides = "" if kind.sight in ("open", "glass") else "hides"
    hides += f" past {figure(kind.see_through)}" if hides and kind.see_through else ""
    said = (f"{figure(kind.height)} high", COVER_SAYS[kind.cover], hides, MOVE_SAYS[kind.move])
    return ", ".join(part for part in said if part)


def _heights(table: Map, pen: Pen, wide: float, high: float) -> Iterator[Entry]:
    rect = (-0.1, -9.0, wide * 0.7, high * 0.66)
    if table.hills:
        yield Entry("hill", "ticks point down; figure: its top", tuple(hill_marks(Hill(rect=rect, height=1), pen)))
    if table.slopes:
        slope = Slope(rect=(0.0, -0.1, wide, high + 0.1), up="E", height=1)
        yield Entry("slope", "arrow points up; heights at its ends", tuple(slope_marks(slope, pen)))
    if table.pits:
        yield Entry("ditch or pit", "ticks point down; figure: its depth", tuple(pit_marks(Pit(rect=rect, depth=1), pen)))
    if table.slabs:
        slab = Slab(rect=(wide * 0.1, high * 0.15, wide * 0.9, high * 0.85), z=1)
        yield Entry("floor in the air", "figure: its upper side", tuple(slab_marks(slab, pen)))


def all_walls(table: Map, pen: Pen) -> Iterator[tuple[str, float]]:
    """Material and height of every wall."""
    for building in table.buildings:
        yield building.material, building.storey
        yield from ((wall.material, wall_height(wall, pen.kinds, building.storey)) for wall in building.walls)
    yield from ((wall.material, wall_height(wall, pen.kinds)) for wall in table.walls)


def _weights(table: Map, pen: Pen, wide: float, high: float) -> Iterator[Entry]:
    there = {weight(height) for material, height in all_walls(table, pen) if material not in ("hedge", "wire")}
    for name, height in (("low", LOW), ("chest", CHEST), ("high", 2.0)):
        if name in there:
            yield Entry(HEIGHTS[name], "", tuple(_sample("brick", height, pen, wide, high)))


def _covers(table: Map, pen: Pen, wide: float, high: float) -> Iterator[Entry]:
    """One row for each class of cover, with the materials that give it; hedges and wire have a drawing of their own."""
    walls = list(all_walls(table, pen))
    drawn = sorted({material for material, _ in walls})
    for cover in COVERS[1:]:
        same = [name for name in drawn if find(pen.kinds, name).cover == cover and name not in ("hedge", "wire")]
        if same:
            says = ", ".join(find(pen.kinds, name).says or name for name in same)
            yield Entry(COVER_SAYS[cover], says, tuple(_sample(same[0], 2.0 if cover != "prepared" else 0.6, pen, wide, high)))
    for name in drawn:
        if name in ("hedge", "wire") or find(pen.kinds, name).cover == "none":
            yield Entry(find(pen.kinds, name).says or name, kind_note(find(pen.kinds, name)),
                        tuple(_sample(name, 2.0, pen, wide, high)))  # fmt: skip


def _sample(material: str, height: float, pen: Pen, wide: float, high: float) -> list[Mark]:
    wall = Wall(line=(wide * 0.06, high / 2, wide * 0.94, high / 2), material=material, height=height)
    return wall_marks(wall, pen)


OPENING_SAYS = {
    ("door", "shut"): "door, shut", ("door", "open"): "door, open", ("door", "locked"): "door, locked",
    ("door", "barricaded"): "door, barricaded", ("door", "barred"): "door, barred", ("door", "gone"): "doorway, the door gone",
    ("window", "open"): "window", ("window", "shut"): "window with a pane", ("window", "barred"): "window, barred",
    ("window", "barricaded"): "window, barricaded", ("window", "locked"): "window, locked", ("window", "gone"): "window, broken",
    ("gap", "open"): "gap",
}  # fmt: skip


def _openings(table: Map, level: int, pen: Pen, wide: float, high: float) -> Iterator[Entry]:
    there = {(opening.kind, state_of(opening)) for opening in all_openings(table, level)}
    for (kind, state), says in OPENING_SAYS.items():
        if (kind, state) in there:
            pane = "glass" if kind == "window" and state == "shut" else ""
            opening = Opening(kind=kind, state=state, at=0.0, material=pane)  # type: ignore[arg-type]
            reach = min(wide * 0.22, high * 0.36)
            a, b, y = (wide / 2 - reach, wide / 2 + reach, high * 0.5 if state != "open" or kind != "door" else high * 0.16)
            walls = [mark for run in ([(0.0, y), (a, y)], [(b, y), (wide, y)]) for mark in stretch_marks(run, "brick", 2.0, pen)]
            yield Entry(says, "", (*walls, *opening_marks((a, y), (b, y), opening, pen)))


def all_openings(table: Map, level: int) -> Iterator[Opening]:
    """The openings that this level of the plan shows."""
    for building in table.buildings:
        if levels_standing(building) <= level:
            continue
        yield from (opening for opening in building.openings if opening.level in (None, level))
        yield from (opening for wall in building.walls if wall.level == level for opening in wall.openings)
    if not level:
        yield from (opening for wall in table.walls for opening in wall.openings)


def _ways(table: Map, level: int, pen: Pen, wide: float, high: float) -> Iterator[Entry]:
    at, size = (wide / 2, high / 2), min(wide, high) * 0.86
    flights = [way for building in table.buildings for way in building.stairs]
    if any(way.level == level for way in flights):
        yield Entry("stairs", "arrow points up", tuple(stairs_marks(Stairs(at=at, size=size), 0, pen)))
    if any(way.level + 1 == level for way in flights):
        yield Entry("stairs down", "arrow points down", tuple(stairs_marks(Stairs(at=at, size=size), 1, pen)))
    ladders = [*table.ladders, *(way for building in table.buildings for way in building.ladders)]
    if any(not way.hatch for way in ladders):
        yield Entry("ladder", "", tuple(ladder_marks(Ladder(at=at, top=1, size=size), pen)))
    if any(way.hatch for way in ladders):
        yield Entry("ladder through a hatch", "", tuple(ladder_marks(Ladder(at=at, top=1, size=size, hatch=True), pen)))
    if level and table.buildings:
        sheet = ((-1.0, -1.0), (wide + 1, -1.0), (wide + 1, high + 1), (-1.0, high + 1))
        yield Entry("roof", "figure: its height", (Fill(sheet, "roof"),))
    if table.zones:
        zone = Zone(rect=(wide * 0.06, high * 0.14, wide * 0.94, high * 0.86))
        yield Entry("zone", "no terrain", tuple(zone_marks(zone, pen)))
