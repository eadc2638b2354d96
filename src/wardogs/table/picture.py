"""Pictures of the table: its plan level by level, what is seen along rays, how far one gets, many maps at a glance."""

from __future__ import annotations

from collections.abc import Sequence

from wardogs.kernel.errors import WardogsError
from wardogs.scene.model import Area, Mark, Scene, Text, Window
from wardogs.scene.svg import svg
from wardogs.table.draw.bodies import body_mark, vehicle_mark
from wardogs.table.draw.labels import figure
from wardogs.table.draw.legend import WIDTH, columns, entries, legend_marks, tall
from wardogs.table.draw.page import GUTTER, compass, fitting, framed, scale_bar
from wardogs.table.draw.plan import drawable, named_plan, plan_marks
from wardogs.table.draw.rays import rays_scene
from wardogs.table.draw.reach import reach_scene
from wardogs.table.draw.strokes import Pen
from wardogs.table.draw.tally import Ray
from wardogs.table.draw.words import words
from wardogs.table.model import Map

__all__ = ["Ray", "body_mark", "contact_sheet", "plan", "rays_scene", "reach_scene", "vehicle_mark", "words"]

TOP, FOOT = 0.45, 1.35  # inches of paper above a plan, and below its legend
SMALL, GAP, CAPTION = 4.6, 0.35, 0.4  # a small plan, and what is left around it


def plan(table: Map, level: int | None = None) -> Scene:
    """The ground floor, or a level above it; the level above a building's last is its roof."""
    drawable(table)
    level, scale = checked(table, level or 0), fitting(table.size)
    pen, (wide, high) = Pen(scale, table.catalogue), table.size
    legend = columns(entries(table, level, pen), max(high * scale, 8.0) - FOOT)
    height = max(high * scale + 0.45, tall(legend[0]) + FOOT) + TOP
    right = GUTTER + wide * scale + 0.45
    width = right + WIDTH * len(legend)
    corner = (GUTTER, height - TOP - high * scale)
    view = (0.0, 0.0, wide, high)
    marks: list[Mark] = framed(corner, view, scale, named_plan(table, level, pen, view))
    marks += [Text((0, height - 0.1), subtitle(table, level), "subtitle", anchor="start", room=width)]
    for n, rows in enumerate(legend):
        marks += legend_marks(rows, (right + n * WIDTH, height - TOP + 0.28), pen)
    foot, left = height - TOP - tall(legend[-1]), width - WIDTH
    marks += [*scale_bar((left, foot - 0.5), scale), *compass((width - 0.4, foot - 0.5))]
    return Scene(title(table, level), width, height, tuple(marks), words(table), paper="plan")


def checked(table: Map, level: int) -> int:
    top = max((building.levels for building in table.buildings), default=0)
    if not 0 <= level <= top:
        raise WardogsError(f"{table.name} has no level {level}: choose from 0 (the ground) to {top} (the highest roof)")
    return level


def title(table: Map, level: int) -> str:
    return f"{table.name}, level {level}" if level else table.name


def subtitle(table: Map, level: int) -> str:
    wide, high = table.size
    about = f"{table.about.rstrip('.')}. " if table.about else ""
    return f"{about}{figure(wide)} by {figure(high)} inches, {'ground floor' if not level else f'level {level}'}"


def contact_sheet(maps: Sequence[tuple[str, Map]], columns: int) -> str:
    """Many small plans on one sheet, each with its caption, row by row."""
    rows = -(-len(maps) // columns)
    width, height = columns * (SMALL + GAP) - GAP, rows * (SMALL + GAP + CAPTION)
    marks: list[Mark] = []
    for n, (caption, table) in enumerate(maps):
        x, top = n % columns * (SMALL + GAP), height - n // columns * (SMALL + GAP + CAPTION) - CAPTION
        marks += [*small_plan(table, (x, top)), Text((x, top + 0.2), caption, "caption", anchor="start", room=SMALL)]
    named = tuple(f"{caption}: {table.name}, {len(words(table)) - 1} pieces." for caption, table in maps)
    return svg(Scene(f"{len(maps)} maps", width, height, tuple(marks), named, paper="plan"))


def small_plan(table: Map, corner: tuple[float, float]) -> list[Mark]:
    """The plan without names, shrunk as a whole, below its upper left corner."""
    (x, top), (wide, high), scale = corner, table.size, fitting(table.size)
    shrunk = SMALL / max(wide, high)
    size = (wide * shrunk, high * shrunk)
    frame = ((x, top - size[1]), (x + size[0], top - size[1]), (x + size[0], top), (x, top))
    marks = plan_marks(table, 0, Pen(scale, table.catalogue))
    seen = Window((x, top - size[1]), size, (0.0, 0.0, wide, high), tuple(marks), scale)
    return [seen, Area(frame, "key_box")]
