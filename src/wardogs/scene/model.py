"""A scene: a drawing of a view in table units, as data. y grows upwards, angles are degrees counter-clockwise from right."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Point: TypeAlias = tuple[float, float]


class Area(Struct, frozen=True, tag="area", omit_defaults=True):
    """A filled shape; `look` names how it is drawn (ground, sky, thin_air, cone ...)."""

    points: tuple[Point, ...]
    look: str
    colour: str = ""
    label: str = ""


class Line(Struct, frozen=True, tag="line", omit_defaults=True):
    points: tuple[Point, ...]
    look: str
    colour: str = ""


class Text(Struct, frozen=True, tag="text", omit_defaults=True):
    at: Point
    says: str
    look: str = "small"
    colour: str = ""


class Piece(Struct, frozen=True, tag="piece", omit_defaults=True):
    """A counter on the table: `shape` names its outline, `label` is what is printed on it, `name` what it is."""

    at: Point
    angle: float
    shape: str
    colour: str
    label: str
    name: str


class Gauge(Struct, frozen=True, tag="gauge", omit_defaults=True):
    """A track of spaces with tokens on some of them, beside the table."""

    at: Point
    title: str
    colour: str
    label: str
    spaces: tuple[str, ...]
    tokens: tuple[tuple[int, str], ...] = ()  # space, kind of token
    note: str = ""


Mark: TypeAlias = Area | Line | Text | Piece | Gauge


class Scene(Struct, frozen=True):
    """What a picture shows, in drawing order, and the same in words for whoever cannot see it."""

    title: str
    width: float
    height: float
    marks: tuple[Mark, ...]
    words: tuple[str, ...]
    text: str = ""  # the board in characters, for terminals
