"""A scene: a drawing of a view in table units, as data. y grows upwards, angles are degrees counter-clockwise from right."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Point: TypeAlias = tuple[float, float]
Badge: TypeAlias = tuple[str, str]  # kind of token, what is printed on it

GAUGE_SIZE: Point = (5.0, 1.375)  # eight stand one above the other beside a board of 11 inches


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
    angle: float = 0.0
    anchor: Literal["start", "middle", "end"] = "middle"
    room: float = 0.0  # on paper; 0: as much as it needs


class Disc(Struct, frozen=True, tag="disc", omit_defaults=True):
    """A round base, a tree, a dot; with an angle it has a nose."""

    at: Point
    radius: float
    look: str
    colour: str = ""
    angle: float | None = None
    label: str = ""
    name: str = ""


class Piece(Struct, frozen=True, tag="piece"):
    """A counter on the table: `label`, `team` and `badges` are printed on it, `name` says what it is."""

    at: Point  # of its pivot, on which it turns
    angle: float
    size: Point  # along its axis, across it
    pivot: float  # behind its nose
    colour: str
    label: str
    name: str
    team: str = ""
    badges: tuple[Badge, ...] = ()


class Gauge(Struct, frozen=True, tag="gauge"):
    """A track of spaces with tokens on some of them, beside the table; `at` is its lower left corner."""

    at: Point
    title: str
    colour: str
    label: str
    spaces: tuple[str, ...]
    tokens: tuple[tuple[int, str], ...] = ()  # space, kind of token
    badges: tuple[Badge, ...] = ()  # tokens that lie on it, but not on the track
    note: str = ""


class Window(Struct, frozen=True, tag="window", omit_defaults=True):
    """A drawing within the drawing, cut off at its edge: `view` of its own units fills `size` at the corner `at`.

    Positions in it are in its own units; letters, strokes and patterns have their size on paper, unless it has a `scale`: then it
    is drawn at so many inches of paper to a unit, and shrunk as a whole to its size.
    """

    at: Point  # lower left corner
    size: Point
    view: tuple[float, float, float, float]  # left, lower, right, upper
    marks: tuple[Mark, ...]
    scale: float = 0.0


Mark: TypeAlias = Area | Line | Text | Disc | Piece | Gauge | Window


class Scene(Struct, frozen=True):
    """What a picture shows, in drawing order, and the same in words for whoever cannot see it."""

    title: str
    width: float
    height: float
    marks: tuple[Mark, ...]
    words: tuple[str, ...]
    text: str = ""  # the board in characters, for terminals
    paper: str = ""  # what it is drawn on
