"""What an eye sees along rays: the plan around them, a cut from the eye to the target, and a count for each part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from wardogs.scene.model import Area, Line, Mark, Point, Scene, Text
from wardogs.table.draw.bodies import crossed_out, dot
from wardogs.table.draw.labels import Box, figure
from wardogs.table.draw.page import GUTTER, framed
from wardogs.table.draw.plan import named_plan
from wardogs.table.draw.section import Way, cut_marks, ground_profile, hollows, names, section, way
from wardogs.table.draw.strokes import Pen
from wardogs.table.model import Map
from wardogs.table.units import Place

WIDE, TALL, CUT_TALL, COLUMN = 11.6, 7.2, 4.2, 5.4  # inches of paper
LEAST, MARGIN = 8.0, 2.0  # inches of the table
CUT_MARGIN, NAMES = 1.5, 0.9  # inches of the table beyond eye and target; inches of paper for names above the cut
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


def rays_scene(table: Map, eye: Place, rays: Sequence[Ray], title: str) -> Scene:
    """The plan above, the cut below it on the same sheet, the count to their right."""
    above, below = _plan_view(table, eye, rays), cut_view(table, eye, rays)
    scale, cut_scale = _scale(above, TALL), _scale(below, CUT_TALL)
    cut_high, plan_high = (below[3] - below[1]) * cut_scale, (above[3] - above[1]) * scale
    foot, height = 0.45 + cut_high + 0.95, 0.45 + cut_high + 0.95 + plan_high + 0.35
    marks = framed((GUTTER, foot), above, scale, _plan_rays(table, eye, rays, above, Pen(scale, table.catalogue)))
    marks += framed((GUTTER, 0.45), below, cut_scale, _cut_rays(table, eye, rays, below, Pen(cut_scale, table.catalogue)))
    marks += [
        Text((GUTTER, foot + plan_high + 0.18), "PLAN", "heading", anchor="start"),
        Text((GUTTER, 0.45 + cut_high + 0.18), "CUT FROM THE EYE TO THE TARGET", "heading", anchor="start"),
    ]
    right = GUTTER + WIDE + 0.5
    marks += tally(rays, (right, height - 0.17))
    return Scene(title, right + COLUMN, height, tuple(marks), tuple(ray_words(eye, rays)), paper="plan")


def ray_words(eye: Place, rays: Sequence[Ray]) -> list[str]:
    """The eye, then how each part is seen."""
    said = [f"The eye is at ({figure(eye[0])}, {figure(eye[1])}), {figure(eye[2])} high."]
    for part, counts, whys in counted(rays):
        found = ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])
        said.append(f"{part or 'target'}: {found}{f'; {whys}' if whys else ''}.")
    return said


def counted(rays: Sequence[Ray]) -> list[tuple[str, Counter[State], str]]:
    """For each part in its order: how many points are how visible, and what is in the way."""
    found = []
    for part in dict.fromkeys(ray.part for ray in rays):
        own = [ray for ray in rays if ray.part == part]
        whys = dict.fromkeys(ray.why for ray in own if ray.why)
        found.append((part, Counter(ray.state for ray in own), ", ".join(whys)))
    return found


# The two views --------------------------------------------------------------------------------------------------------


def target(rays: Sequence[Ray], eye: Place) -> Point:
    """The middle of all the points that are looked at."""
    ends = [ray.end for ray in rays] or [eye]
    return sum(end[0] for end in ends) / len(ends), sum(end[1] for end in ends) / len(ends)


def _scale(view: Box, tall: float) -> float:
    return min(WIDE / (view[2] - view[0]), tall / (view[3] - view[1]))


def _plan_view(table: Map, eye: Place, rays: Sequence[Ray]) -> Box:
    """Around eye and target, in the shape of its place on the sheet, moved onto the table where it can be."""
    places = [eye, *(ray.end for ray in rays)]
    xs, ys = [place[0] for place in places], [place[1] for place in places]
    high = max(max(ys) - min(ys) + 2 * MARGIN, (max(xs) - min(xs) + 2 * MARGIN) * TALL / WIDE, LEAST)
    wide = high * WIDE / TALL
    left = _moved((min(xs) + max(xs) - wide) / 2, wide, table.size[0])
    lower = _moved((min(ys) + max(ys) - high) / 2, high, table.size[1])
    return left, lower, left + wide, lower + high


def _moved(low: float, size: float, table: float) -> float:
    return min(max(low, 0.0), table - size) if size <= table else (table - size) / 2


def cut_view(table: Map, eye: Place, rays: Sequence[Ray]) -> Box:
    """As high as what matters, with room for names above; as long as the sheet is wide."""
    line = way((eye[0], eye[1]), target(rays, eye), CUT_MARGIN)
    heights = [eye[2], *(ray.end[2] for ray in rays)]
    tops = [z for cut in section(table, line) for _, z in cut.points]
    low = min([0.0, *heights, *(-deep for _, _, deep in hollows(table.pits, line))]) - 0.5
    high = max(max(heights) + 0.5, min(max([0.0, *tops]), max(heights) + 4))
    wide = line.until - line.since
    scale = min(WIDE / wide, (CUT_TALL - NAMES) / (high - low))
    more = (WIDE / scale - wide) / 2
    return line.since - more, low, line.until + more, high + NAMES / scale


def _plan_rays(table: Map, eye: Place, rays: Sequence[Ray], view: Box, pen: Pen) -> list[Mark]:
    flat = [(ray, (ray.end[0], ray.end[1]), (ray.stop[0], ray.stop[1]) if ray.stop else None) for ray in rays]
    marks = [*named_plan(table, 0, pen, view), Line(((eye[0], eye[1]), target(rays, eye)), "sight_line")]
    marks += _rays((eye[0], eye[1]), flat, pen)
    for end in dict.fromkeys(end for _, end, _ in flat):
        there = {ray.state for ray, other, _ in flat if other == end}
        marks += dot(end, pen.paper(0.06), there.pop() if len(there) == 1 else "covered")
    return [*marks, *_eye((eye[0], eye[1]), pen)]


def _cut_rays(table: Map, eye: Place, rays: Sequence[Ray], view: Box, pen: Pen) -> list[Mark]:
    line = way((eye[0], eye[1]), target(rays, eye), CUT_MARGIN)._replace(since=view[0], until=view[2])
    cuts = section(table, line)
    sky = ((view[0], view[1]), (view[2], view[1]), (view[2], view[3]), (view[0], view[3]))
    marks = [Area(sky, "tabletop"), *ground_profile(table, line, view[1]), *cut_marks(cuts, pen), *names(cuts, pen, view[3])]
    flat = [(ray, _lain(ray.end, line), _lain(ray.stop, line) if ray.stop else None) for ray in rays]
    end, head = line.along(target(rays, eye)), max([0.0, *(ray.end[2] for ray in rays)])
    marks += [Line(((0.0, 0.0), (0.0, eye[2])), "sight_line"), Line(((end, 0.0), (end, head)), "sight_line")]
    marks += _rays((0.0, eye[2]), flat, pen)
    marks += [mark for ray, end, _ in flat for mark in dot(end, pen.paper(0.05), ray.state)]
    return [*marks, *_eye((0.0, eye[2]), pen)]


def _lain(place: Place, line: Way) -> Point:
    """A place in the plane of the cut."""
    return line.along((place[0], place[1])), place[2]


def _rays(eye: Point, flat: Sequence[tuple[Ray, Point, Point | None]], pen: Pen) -> list[Mark]:
    """Lines first, then the crosses where they are stopped."""
    marks: list[Mark] = []
    for ray, end, stop in flat:
        if ray.state == "hidden" and stop:
            marks += [Line((stop, end), "ray_beyond"), Line((eye, stop), "ray_hidden")]
        else:
            marks.append(Line((eye, end), f"ray_{ray.state}"))
    for ray, _, stop in flat:
        if stop and ray.state == "hidden":
            marks += crossed_out(stop, pen.paper(0.045))
    return marks


def _eye(eye: Point, pen: Pen) -> list[Mark]:
    name = Text((eye[0], eye[1] + pen.paper(0.24)), "eye", "name")
    return [*dot(eye, pen.paper(0.1), "clear"), *dot(eye, pen.paper(0.035), "hidden"), name]


# The count ------------------------------------------------------------------------------------------------------------


def tally(rays: Sequence[Ray], corner: Point) -> list[Mark]:
    """A table of the parts: how many points are clear, covered, hidden, and behind what."""
    (x, y), places = corner, (1.55, 2.15, 2.75)
    marks: list[Mark] = [Text((x, y), "WHAT IS SEEN OF IT", "heading", anchor="start")]
    for place, state in zip(places, STATES, strict=True):
        marks += [*dot((x + place, y - 0.3), 0.06, state), Text((x + place, y - 0.52), state, "entry_note")]
    marks.append(Text((x + 3.2, y - 0.52), "behind", "entry_note", anchor="start"))
    marks.append(Line(((x, y - 0.66), (x + COLUMN, y - 0.66)), "rule"))
    y -= 0.9
    for part, counts, whys in counted(rays):
        marks.append(Text((x, y), part or "target", "entry", anchor="start", room=1.3))
        marks += [Text((x + place, y), str(counts[state] or "·"), "figure") for place, state in zip(places, STATES, strict=True)]
        marks += [Text((x + 3.2, y), whys, "entry_note", anchor="start", room=COLUMN - 3.2)] if whys else []
        y -= 0.32
    marks.append(Line(((x, y + 0.12), (x + COLUMN, y + 0.12)), "rule"))
    total = Counter(ray.state for ray in rays)
    marks.append(Text((x, y - 0.1), "all", "entry", anchor="start"))
    marks += [Text((x + place, y - 0.1), str(total[state]), "figure") for place, state in zip(places, STATES, strict=True)]
    return [*marks, *_key((x, y - 0.7))]


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
