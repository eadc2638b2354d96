"""Pictures of the table: its plan level by level, what is seen along rays, how far one gets, many maps at a glance."""

from __future__ import annotations

from wardogs.scene.model import Mark, Scene, Text
from wardogs.table.draw.labels import figure
from wardogs.table.draw.legend import WIDTH, entries, legend_marks, tall
from wardogs.table.draw.page import GUTTER, compass, fitting, framed, scale_bar
from wardogs.table.draw.plan import plan_marks
from wardogs.table.draw.strokes import Pen
from wardogs.table.model import Map

TOP, FOOT = 0.45, 1.35


def plan(table: Map, level: int | None = None) -> Scene:
    """The ground floor, or a level above it; the level above a building's last is its roof."""
    level, scale = level or 0, fitting(table.size)
    pen, (wide, high) = Pen(scale, table.catalogue), table.size
    rows = entries(table, level, pen)
    height = max(high * scale + 0.45, tall(rows) + FOOT) + TOP
    right = GUTTER + wide * scale + 0.45
    corner = (GUTTER, height - TOP - high * scale)
    marks: list[Mark] = framed(corner, (0.0, 0.0, wide, high), scale, plan_marks(table, level, pen))
    marks += [Text((0, height - 0.1), subtitle(table, level), "subtitle", anchor="start", room=right + WIDTH)]
    marks += legend_marks(rows, (right, height - TOP + 0.28), pen)
    foot = height - TOP - tall(rows)
    marks += [*scale_bar((right, foot - 0.55), scale), *compass((right + WIDTH - 0.35, foot - 0.5))]
    return Scene(title(table, level), right + WIDTH, height, tuple(marks), (), paper="plan")


def title(table: Map, level: int) -> str:
    return f"{table.name}, level {level}" if level else table.name


def subtitle(table: Map, level: int) -> str:
    wide, high = table.size
    about = f"{table.about.rstrip('.')}. " if table.about else ""
    return f"{about}{figure(wide)} by {figure(high)} inches, {'ground floor' if not level else f'level {level}'}"
