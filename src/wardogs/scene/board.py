"""What a browser draws of a view, live: a plan that seldom changes, tokens that do, and all of it in words as well.

Lengths are inches of the table, y grows upwards, angles are degrees counter-clockwise from right. What is drawn here already
(plan and marks) is SVG as `wardogs.scene.svg` writes it, at `scale` inches of paper to an inch of the table.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from wardogs.scene.model import Point

Shape: TypeAlias = Literal["man", "lying", "fallen", "plane", "vehicle", "thing"]
Fact: TypeAlias = tuple[str, str]  # what it is called, and how it stands


class Bar(Struct, frozen=True):
    """A figure of so many at most: health, action points, speed."""

    name: str
    now: int
    most: int


class Sign(Struct, frozen=True):
    """A short mark beside a token, and what it means."""

    sign: str
    means: str


class Token(Struct, frozen=True, omit_defaults=True):
    """Somebody or something on the table, or waiting beside it; `id` is how offers name it."""

    id: str | int
    name: str
    label: str  # printed on it: a letter or two on men and planes, words on vehicles and things
    shape: Shape
    at: Point | None = None  # None: not on the table; `where` says where then
    where: str = ""  # in words
    side: int | None = None
    group: str = ""
    colour: str = ""
    size: Point = (1.0, 1.0)  # along its axis and across it
    pivot: float | None = None  # `at` lies so far behind its nose; None: in its middle
    angle: float | None = None
    height: float = 0.0  # above the table
    level: int = 0
    bars: tuple[Bar, ...] = ()
    signs: tuple[Sign, ...] = ()
    facts: tuple[Fact, ...] = ()  # the rest of its sheet
    lost: bool = False
    active: bool = False


class Place(Struct, frozen=True, omit_defaults=True):
    """Something of the plan that offers may name, and where its middle is: a house, a door, a wall."""

    id: str
    name: str
    at: Point
    level: int = 0


class Floor(Struct, frozen=True):
    """The plan, with every building shown at this level; floors stand in order, the ground is level 0."""

    name: str
    svg: str


class Score(Struct, frozen=True):
    side: int
    name: str
    colour: str
    text: str


class Board(Struct, frozen=True, omit_defaults=True):
    title: str
    width: float
    height: float
    scale: float
    patterns: str  # definitions that plan and marks refer to, as SVG
    floors: tuple[Floor, ...]
    marks: tuple[str, ...]  # drawn between plan and tokens: smoke, arcs, zones
    tokens: tuple[Token, ...]
    facts: tuple[str, ...] = ()  # what else everybody should know now: the light, what ends the game
    scores: tuple[Score, ...] = ()
    turn: int = 0
    night: bool = False
    measured: bool = True  # may one measure before one decides?
    compass: bool = True  # is up north?
    places: tuple[Place, ...] = ()
    picks: tuple[str, ...] = ()  # fields of offers that name tokens or places; a value that is neither has no place on the table


# ---- before a choice is made -----------------------------------------------------------------------------------------


class Chance(Struct, frozen=True):
    """How likely something is, exactly: a fraction as text, and as a share of 1."""

    what: str
    exactly: str
    share: float


class Term(Struct, frozen=True):
    """One thing that makes it easier or harder, with its rule."""

    what: str
    value: int
    rule: str


class Reckoned(Struct, frozen=True, omit_defaults=True):
    """What would follow from a choice, from the code that resolves it."""

    text: str = ""
    chances: tuple[Chance, ...] = ()
    terms: tuple[Term, ...] = ()
    total: str = ""  # what the terms add up to, in words
    marks: tuple[str, ...] = ()  # drawn over the table meanwhile: sight lines and what blocks them, templates


# ---- through a model's eye -------------------------------------------------------------------------------------------


class Solid(Struct, frozen=True, omit_defaults=True):
    """An upright piece of what stands about: an outline on the ground, from one height to another."""

    outline: tuple[Point, ...]
    bottom: float
    top: float
    look: str  # wall, roof, woods, hill, vehicle ...
    open: bool = False  # a line, not a closed outline
    clear: bool = False  # one sees through it, more or less


class Probe(Struct, frozen=True):
    """A point of a body, as the sight kernel judged it."""

    at: tuple[float, float, float]
    part: str
    seen: str  # clear, hidden, or the class of cover


class Beheld(Struct, frozen=True):
    """Somebody as an eye sees him."""

    id: str | int
    name: str
    colour: str
    shape: tuple[tuple[float, float, float, float, float], ...]  # upright boxes of his body: x, y, from, to, half its width
    probes: tuple[Probe, ...]
    shares: tuple[Fact, ...]  # of each part, how much is seen
    text: str


class Eye(Struct, frozen=True):
    """What a model could see from where it stands."""

    id: str | int
    at: tuple[float, float, float]
    angle: float
    size: Point  # of the table
    solids: tuple[Solid, ...]
    others: tuple[Beheld, ...]
