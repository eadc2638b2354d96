"""What is drawn over the table while a choice is thought of: lines of sight, what stops them, templates, ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, pi, sin

from wardogs.scene.model import Area, Line, Mark, Point
from wardogs.scene.sketch import sketch
from wardogs.systems.dogs.ground import terrain_now
from wardogs.systems.dogs.seeing import body, eye, looks
from wardogs.systems.dogs.state import Fight, Model
from wardogs.table.draw.bodies import crossed_out
from wardogs.table.draw.page import fitting
from wardogs.table.glimpse import CLEAR, THIN
from wardogs.table.lookout import point, stop
from wardogs.table.sight import Seen, look
from wardogs.table.units import Inches, Place

ROUND, CROSS, APART = 48, 0.05, 0.07  # corners of a circle; inches of paper: a cross, and from one to the next
STATES = ("hidden", "covered", "clear")


def drawn(g: Fight, marks: Iterable[Mark]) -> tuple[str, ...]:
    """At the board's scale."""
    svg = sketch(marks, fitting(g.terms.map.size))
    return (svg,) if svg else ()


def sight_lines(g: Fight, by: Model, at: Model) -> Iterator[Mark]:
    """DOW-LOS-01: from his eye to every part of another, as they are seen; a cross where all that lies there is hidden."""
    seen, here = look(terrain_now(g), eye(by), body(at)), (by.at[0], by.at[1])
    ends = seen_above(seen, looks(g, by, at).samples[2])
    for state in STATES:
        yield from (Line((here, end), f"ray_{state}") for end, (own, _) in ends.items() if own == state)
    yield from crosses(g, [stop(seen, sample) for own, sample in ends.values() if own == "hidden"])


def seen_above(seen: Seen, states: Sequence[int]) -> dict[Point, tuple[str, int]]:
    """Samples above each other, together: clear if all are, hidden if none is seen, else covered; and one of them."""
    found: dict[Point, tuple[str, int]] = {}
    for sample, judged in enumerate(states):
        x, y, _ = point(seen, sample)
        state = "clear" if judged == CLEAR else "covered" if judged == THIN else "hidden"
        known = found.get((x, y), (state, sample))
        found[x, y] = (state if known[0] == state else "covered"), known[1]
    return found


def crosses(g: Fight, stops: Iterable[Place | None]) -> Iterator[Mark]:
    """One for those that are stopped at one place."""
    scale, seen = fitting(g.terms.map.size), set[Point]()
    for place in stops:
        if place is not None and (near := _rounded(place, APART / scale)) not in seen:
            seen.add(near)
            yield from crossed_out((place[0], place[1]), CROSS / scale)


def _rounded(place: Place, step: float) -> Point:
    return round(place[0] / step), round(place[1] / step)


def line_to(by: Model, place: Place | Point) -> Mark:
    return Line(((by.at[0], by.at[1]), (place[0], place[1])), "sight_line")


def rings(at: Place, radii: Iterable[Inches]) -> Iterator[Mark]:
    """DOW-BLS-01: the template, ring by ring."""
    for radius in radii:
        turns = [2 * pi * k / ROUND for k in range(ROUND)]
        yield Area(tuple((round(at[0] + radius * cos(a), 3), round(at[1] + radius * sin(a), 3)) for a in turns), "aside")


def way(path: Sequence[Place]) -> Mark:
    return Line(tuple((x, y) for x, y, _ in path), "path")
