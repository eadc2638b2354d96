"""Rays counted: for each part of the target how many points are clear, covered, hidden, and behind what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap
from typing import Literal, NamedTuple, TypeAlias

from wardogs.scene.model import Line, Mark, Point, Text
from wardogs.scene.parts import LETTER
from wardogs.scene.terrain import LETTERS
from wardogs.table.draw.bodies import crossed_out, dot
from wardogs.table.draw.labels import figure
from wardogs.table.units import Place

COLUMN, BEHIND, PLACES = 5.4, 2.98, (1.5, 2.05, 2.6)  # inches of paper: the table's width, its last column, its figures
ROW, NOTE = 0.34, 0.2  # from part to part, and from line to line of a note
State: TypeAlias = Literal["clear", "covered", "hidden"]
KEY: dict[State, str] = {
    "clear": "clear",
    "covered": "covered: seen behind something; on the plan: in part",
    "hidden": "hidden: stopped at the cross",
}
STATES = tuple(KEY)


class Ray(NamedTuple):
    end: Place
    state: State
    stop: Place | None = None  # where it is stopped
    part: str = ""
    why: str = ""


def counted(rays: Sequence[Ray]) -> list[tuple[str, Counter[State], list[str]]]:
    """For each part in its order: how many points are how visible, and what is in the way."""
    found = []
    for part in dict.fromkeys(ray.part for ray in rays):
        own = [ray for ray in rays if ray.part == part]
        found.append((part, Counter(ray.state for ray in own), list(dict.fromkeys(ray.why for ray in own if ray.why))))
    return found


def ray_words(eye: Place, rays: Sequence[Ray]) -> list[str]:
    """The eye, then how each part is seen."""
    said = [f"The eye is at ({figure(eye[0])}, {figure(eye[1])}), {figure(eye[2])} high."]
    for part, counts, whys in counted(rays):
        found = ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])
        said.append(f"{part or 'target'}: {found}{'; ' if whys else ''}{', '.join(whys)}.")
    return said


def tally(rays: Sequence[Ray], corner: Point) -> list[Mark]:
    """A row for each part, then all of them, then the key."""
    x, y = corner
    marks: list[Mark] = [Text((x, y), "WHAT IS SEEN OF IT", "heading", anchor="start")]
    for place, state in zip(PLACES, STATES, strict=True):
        marks += [*dot((x + place, y - 0.3), 0.06, state), Text((x + place, y - 0.52), state, "entry_note")]
    marks.append(Text((x + BEHIND, y - 0.52), "behind", "entry_note", anchor="start"))
    marks.append(Line(((x, y - 0.66), (x + COLUMN, y - 0.66)), "rule"))
    y -= 0.9
    for part, counts, whys in counted(rays):
        lines = behind(whys)
        marks += row((x, y), part or "target", [str(counts[state] or "\u00b7") for state in STATES])
        marks += [Text((x + BEHIND, y - n * NOTE), line, "part_note", anchor="start") for n, line in enumerate(lines)]
        y -= ROW + NOTE * max(len(lines) - 1, 0)
    marks.append(Line(((x, y + 0.12), (x + COLUMN, y + 0.12)), "rule"))
    total = Counter(ray.state for ray in rays)
    marks += row((x, y - 0.12), "all", [str(total[state]) for state in STATES])
    return [*marks, *_key((x, y - 0.75))]


def row(at: Point, name: str, figures: Sequence[str]) -> list[Mark]:
    x, y = at
    counts: list[Mark] = [Text((x + place, y), says, "count") for place, says in zip(PLACES, figures, strict=True)]
    return [Text(at, name, "part", anchor="start", room=1.2), *counts]


def behind(whys: Sequence[str]) -> list[str]:
    """What is in the way in at most two lines of the column: without articles, and with dots for what has no room."""
    said = ", ".join(why.removeprefix("the ") for why in whys)
    return wrap(said, int((COLUMN - BEHIND) / (LETTERS["part_note"].height * LETTER)), max_lines=2, placeholder=" \u2026")


def _key(corner: Point) -> list[Mark]:
    """How the three kinds of ray are drawn."""
    (x, y), marks = corner, list[Mark]()
    for state, says in KEY.items():
        end = (x + 0.95, y)
        marks += [Line(((x, y), (x + 0.5, y) if state == "hidden" else end), f"ray_{state}")]
        marks += [Line(((x + 0.5, y), end), "ray_beyond"), *crossed_out((x + 0.5, y), 0.045)] if state == "hidden" else []
        marks += [*dot(end, 0.05, state), Text((x + 1.15, y), says, "entry", anchor="start", room=COLUMN - 1.15)]
        y -= 0.32
    return marks
