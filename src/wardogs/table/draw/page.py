"""The sheet around a drawing: frame, inch ticks, scale bar, compass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wardogs.scene.model import Area, Line, Mark, Point, Text, Window

LONGEST = 14.4  # inches of paper: the longer side of a plan
GUTTER = 0.42  # for the figures along the edges
TICK, LONG_TICK = 0.05, 0.11


def fitting(size: Point, longest: float = LONGEST) -> float:
    """Inches of paper to an inch of the table, so that it fits; never larger than life."""
    return min(longest / max(size), 1.0)


def framed(at: Point, view: tuple[float, float, float, float], scale: float, marks: Sequence[Mark]) -> list[Mark]:
    """A window with its frame and inches along its lower and left edge."""
    (x, y), (left, lower, right, upper) = at, view
    size = ((right - left) * scale, (upper - lower) * scale)
    corners = ((x, y), (x + size[0], y), (x + size[0], y + size[1]), (x, y + size[1]))
    return [Window(at, size, view, tuple(marks)), Area(corners, "frame"), *ticks(at, view, scale)]


def ticks(at: Point, view: tuple[float, float, float, float], scale: float) -> Iterator[Mark]:
    """A tick for every inch; a longer one with a figure every few."""
    left, lower, right, upper = view
    step = next((step for step in (1, 2, 6, 12) if step * scale >= 0.55), 24)
    for inch in range(_first(left), int(right + 1e-6) + 1):
        x, long = at[0] + (inch - left) * scale, inch % step == 0
        yield Line(((x, at[1]), (x, at[1] - (LONG_TICK if long else TICK))), "tick")
        if long:
            yield Text((x, at[1] - 0.24), str(inch), "edge_figure")
    for inch in range(_first(lower), int(upper + 1e-6) + 1):
        y, long = at[1] + (inch - lower) * scale, inch % step == 0
        yield Line(((at[0], y), (at[0] - (LONG_TICK if long else TICK), y)), "tick")
        if long:
            yield Text((at[0] - 0.16, y), str(inch), "edge_figure", anchor="end")


def _first(low: float) -> int:
    return -int(-low // 1) if low != int(low) else int(low)


def scale_bar(at: Point, scale: float) -> list[Mark]:
    """Black and white boxes from the left end on."""
    step = next((step for step in (0.5, 1, 2, 3, 6, 12) if step * scale >= 0.35), 12)
    marks: list[Mark] = []
    for n in range(4):
        x, wide = at[0] + n * step * scale, step * scale
        box = ((x, at[1]), (x + wide, at[1]), (x + wide, at[1] + 0.09), (x, at[1] + 0.09))
        marks += [Area(box, "paper" if n % 2 else "cut"), Text((x, at[1] - 0.14), f"{n * step:g}", "edge_figure")]
    end = at[0] + 4 * step * scale
    return [*marks, Area(_outline(at, end), "key_box"), Text((end, at[1] - 0.14), f"{4 * step:g}", "edge_figure"),
            Text((end + 0.18, at[1] - 0.14), "inches", "edge_figure", anchor="start")]  # fmt: skip


def _outline(at: Point, end: float) -> tuple[Point, ...]:
    return at, (end, at[1]), (end, at[1] + 0.09), (at[0], at[1] + 0.09)


def compass(at: Point) -> list[Mark]:
    """North is up."""
    x, y = at
    half = ((x, y + 0.42), (x + 0.13, y - 0.3), (x, y - 0.18))
    other = ((x, y + 0.42), (x - 0.13, y - 0.3), (x, y - 0.18))
    return [Area(half, "cut"), Area(other, "paper"), Text((x, y + 0.6), "N", "compass")]
