"""What a drawing is made of: elements of SVG, in inches with y upwards, printed a hundred units to the inch."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from math import cos, hypot, radians, sin

from wardogs.scene.model import Point
from wardogs.scene.paint import BADGES, BLANK, INK, paint

UNITS = 100  # some viewers set type badly that is smaller than one unit
LETTER = 0.52  # the mean width of a letter, in heights
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
EDGE: dict[str, str | float] = {"stroke": "#000", "stroke_width": 0.02, "stroke_linejoin": "round"}


def tag(name: str, content: str = "", /, **attributes: str | float) -> str:
    """An element; attributes that are numbers are inches, empty ones are left out."""
    said = "".join(
        f' {key.replace("_", "-")}="{safe(value) if isinstance(value, str) else figure(value)}"'
        for key, value in attributes.items()
        if value != ""
    )
    return f"<{name}{said}>{content}</{name}>" if content else f"<{name}{said}/>"


def safe(words: str) -> str:
    return escape(NOT_XML.sub("", words))


def figure(inches: float) -> str:
    """Inches in units of the drawing, as short as can be; the 0 makes -0 plain."""
    return f"{round(inches * UNITS, 1) + 0:g}"


def shape(points: Iterable[Point]) -> str:
    return " ".join(f"{figure(x)},{figure(-y)}" for x, y in points)


def box(corner: Point, size: Point, **style: str | float) -> str:
    """A rectangle by its lower left corner."""
    (x, y), (width, height) = corner, size
    return tag("rect", x=x, y=-y - height, width=width, height=height, **{**EDGE, **style})


def letters(at: Point, says: str, height: float, room: float = 99, /, **style: str | float) -> str:
    """Words in the middle of a point (or from it on: `text_anchor`), smaller if there is no room for them."""
    if not says:
        return ""
    height = min(height, room / (LETTER * len(says)))
    style = {"text_anchor": "middle", "fill": INK, **style}
    return tag("text", safe(says), x=at[0], y=0.36 * height - at[1], font_size=height, **style)


def turned(at: Point, angle: float) -> str:
    return f"rotate({-angle:g} {figure(at[0])} {figure(-at[1])})"


def number(at: Point, label: str, radius: float) -> str:
    """The label by which a piece is known, black on white whatever its colour."""
    disc = tag("circle", cx=at[0], cy=-at[1], r=radius, fill="#fff", **EDGE)
    return disc + letters(at, label, 1.5 * radius, 1.6 * radius, font_weight="bold")


def badge(kind: str, at: Point, radius: float, label: str = "", angle: float = 0) -> str:
    """A token, known by its outline; its label stays upright."""
    outline, colour = BADGES.get(kind, BLANK)
    colours = paint(colour)
    points = [moved(at, angle, radius * x, radius * y) for x, y in outline]
    body = tag("polygon", points=shape(points), fill=colours.fill, **{**EDGE, "stroke": colours.ink})
    return body + letters(at, label, 1.5 * radius, 2 * radius, font_weight="bold", fill=colours.ink)


# ---- geometry --------------------------------------------------------------------------------------------------------


def moved(at: Point, angle: float, along: float, across: float) -> Point:
    """From a point so far in the direction of an angle, and so far to the left of it."""
    right, up = cos(radians(angle)), sin(radians(angle))
    return at[0] + along * right - across * up, at[1] + along * up + across * right


def drawn_in(points: tuple[Point, ...], by: float) -> list[Point]:
    """A counter-clockwise outline made smaller on all sides."""
    if not by:
        return list(points)
    inner = []
    for before, (x, y), after in zip((points[-1], *points), points, (*points[1:], points[0]), strict=False):
        (ax, ay), (bx, by_) = _left(before, (x, y)), _left((x, y), after)
        far = by / (1 + ax * bx + ay * by_)
        inner.append((x + far * (ax + bx), y + far * (ay + by_)))
    return inner


def _left(here: Point, there: Point) -> Point:
    """The unit vector to the left of a side."""
    right, up = there[0] - here[0], there[1] - here[1]
    return -up / hypot(right, up), right / hypot(right, up)
