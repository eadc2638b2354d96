"""Colours and patterns. Nothing depends on colour alone: areas differ by pattern, pieces by what is printed on them."""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

from wardogs.scene.model import Point

INK = "#222"


class Paint(NamedTuple):
    """A piece's colour, what is printed on it, and the line drawn around its areas: told apart by dashes and by distance."""

    fill: str
    ink: str
    line: str = INK
    dash: str = ""
    inset: float = 0.0


class Look(NamedTuple):
    """How an area is drawn; without a fill or a line it takes those of its own colour."""

    fill: str
    line: str
    width: float
    ink: str = ""
    opacity: str = ""
    dash: str = ""


class Stroke(NamedTuple):
    """How a line is drawn: on a casing that keeps it clear of what it crosses, and with a core that makes it double."""

    width: float
    ink: str = ""
    dash: str = ""
    casing: float = 0.0
    core: float = 0.0
    round: bool = False


class Letter(NamedTuple):
    """How words are written; a halo keeps them clear of what they stand on."""

    height: float
    weight: str = "normal"
    ink: str = ""
    halo: str = ""
    style: str = ""
    spacing: float = 0.0


PAINTS = {
    "red": Paint("#d62828", "#fff", "#b01818", "", 0.03),
    "blue": Paint("#1d5fb4", "#fff", "#1d5fb4", "14 5", 0.06),
    "yellow": Paint("#ffd23f", "#000", "#9a7400", "3 4", 0.09),
    "green": Paint("#26803c", "#fff", "#1f7535", "14 4 3 4", 0.12),
    "black": Paint("#2b2b2b", "#fff", "#2b2b2b", "22 6", 0.15),
    "white": Paint("#ffffff", "#000", "#6b6b6b", "8 8", 0.18),
    "purple": Paint("#7b3fa0", "#fff", "#7b3fa0", "22 4 3 4 3 4", 0.21),
    "orange": Paint("#f58220", "#000", "#b85a08", "2 7", 0.24),
}
PLAIN = Paint("#c8c8c8", "#000")

PAPERS = {"": "#fff", "plan": "#f4eedf"}

AREAS = {
    "sky": Look("#e9f3fa", "#a9c1d1", 0.015, "#5f7888"),
    "thin_air": Look("url(#wardogs-dots)", "#bcbcbc", 0.015, "#6a6a6a"),
    "ground": Look("url(#wardogs-hatch)", "#5d4426", 0.015, "#2e1f0a"),
    "cone": Look("", "", 0.03, "", "0.06"),
}
BARE = Look("none", INK, 0.015)

LINES = {"border": 0.06}
THIN = 0.02

TEXTS = {"edge": (0.24, "normal"), "large": (0.34, "bold")}  # height of the letters in inches, weight
SMALL = (0.16, "normal")

# In units of the drawing, a hundredth of an inch.
PATTERNS = """<defs>
<pattern id="wardogs-hatch" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
<rect width="14" height="14" fill="#c9a877"/><rect width="5" height="14" fill="#ab8450"/></pattern>
<pattern id="wardogs-dots" width="18" height="18" patternUnits="userSpaceOnUse">\
<rect width="18" height="18" fill="#fdfdf8"/><circle cx="4" cy="4" r="2" fill="#a3a3a3"/>\
<circle cx="13" cy="13" r="2" fill="#a3a3a3"/></pattern>
</defs>"""


def _star(*radii: float) -> tuple[Point, ...]:
    """Points around a centre, at these distances from it."""
    turn = 2 * pi / len(radii)
    return tuple((radius * cos(n * turn), radius * sin(n * turn)) for n, radius in enumerate(radii))


# Outline for a token of radius 1, colour: an arrow, a burst, a gun sight.
BADGES = {
    "speed": (((-1.0, -0.85), (0.4, -0.85), (1.2, 0.0), (0.4, 0.85), (-1.0, 0.85)), "blue"),
    "damage": (_star(*(1.3, 0.85) * 8), "red"),
    "fire": (_star(*(1.35, *[0.9] * 5) * 4), "yellow"),
}
BLANK = (_star(*[1.0] * 24), "")


def paint(colour: str) -> Paint:
    return PAINTS.get(colour, PLAIN)
