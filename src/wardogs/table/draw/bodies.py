"""Marks for models: a round base with its facing, a vehicle as a box; and the dots of what is seen of them."""

from __future__ import annotations

from math import cos, pi, sin

from wardogs.scene.model import Area, Disc, Line, Mark, Point
from wardogs.table.bodies import Hull, Model, height_of
from wardogs.table.draw.strokes import between, far, square
from wardogs.table.shapes import box
from wardogs.table.units import Place


def body_mark(
    at: Point, radius: float, facing: float | None, label: str, colour: str, prone: bool = False, name: str = ""
) -> tuple[Mark, ...]:
    """A model on its base; one that lies prone has a broken rim and a bar under its label."""
    disc = Disc(at, radius, "prone" if prone else "body", colour, facing, label, name)
    if not prone:
        return (disc,)
    low = at[1] - radius * 1.3
    return disc, Line(((at[0] - radius, low), (at[0] + radius, low)), "arrow")


def vehicle_mark(at: Point, size: Point, facing: float, label: str, colour: str, name: str = "") -> tuple[Mark, ...]:
    """A vehicle true to size; the wedge on it points ahead."""
    corners = box(at, size, facing)
    front, deep = between(corners[0], corners[1], 0.5), min(0.25, size[1] / size[0] / 2)
    nose = (between(corners[0], corners[3], deep), front, between(corners[1], corners[2], deep))
    seat = Disc(at, min(size) * 0.34, "body", colour, None, label, name)
    return Area(corners, "hull"), Line(nose, "arrow"), seat


def model_mark(model: Model) -> tuple[Mark, ...]:
    """A model in no side's colours."""
    at = (model.at[0], model.at[1])
    if isinstance(model, Hull):
        return vehicle_mark(at, model.size, model.facing, model.id, "white")
    return body_mark(at, model.radius, model.facing, model.id, "white", model.stance == "prone")


def footprint(model: Model) -> tuple[Point, ...]:
    """The corners of what it stands on; of a round base, those of the square around it."""
    at = (model.at[0], model.at[1])
    return box(at, model.size, model.facing) if isinstance(model, Hull) else square(at, 2 * model.radius)


def looks(model: Model, eye: Place) -> bool:
    """Is it the model whose eye it is?"""
    reach = min(model.size) / 2 if isinstance(model, Hull) else model.radius
    near = far((model.at[0], model.at[1]), (eye[0], eye[1])) <= reach
    return near and model.at[2] <= eye[2] <= model.at[2] + height_of(model) + 1e-6


def dot(at: Point, radius: float, state: str) -> list[Mark]:
    """Open: clear. Half filled: covered. Filled: hidden."""
    if state == "hidden":
        return [Disc(at, radius, "full_dot")]
    turns = [pi * (0.5 + n / 8) for n in range(9)]
    half = tuple((at[0] + radius * cos(turn), at[1] + radius * sin(turn)) for turn in turns)
    return [Disc(at, radius, "open_dot"), *([Area(half, "ink")] if state == "covered" else [])]


def crossed_out(at: Point, size: float) -> list[Mark]:
    """Where a ray is stopped."""
    x, y = at
    return [Line(((x - size, y - by), (x + size, y + by)), "cross") for by in (size, -size)]
