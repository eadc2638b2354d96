"""What an eye sees along rays: the plan around them, a cut from the eye to the target, and a count for each part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from wardogs.scene.model import Area, Line, Mark, Point, Scene, Text
from wardogs.table.bodies import RIM, Body, Model, height_of
from wardogs.table.draw.bodies import crossed_out, dot, footprint, looks, model_mark
from wardogs.table.draw.labels import Box
from wardogs.table.draw.page import GUTTER, framed
from wardogs.table.draw.plan import storeys_plan
from wardogs.table.draw.section import Cut, Way, aside_marks, crossings, cut_marks, ground_profile, hollows, names, section, way
from wardogs.table.draw.strokes import Pen, between, bounds, far, gap, middle, within
from wardogs.table.draw.tally import COLUMN, Ray, ray_words, tally
from wardogs.table.faces import levels_standing
from wardogs.table.model import Building, Map
from wardogs.table.shapes import outline
from wardogs.table.units import Inches, Place

WIDE, TALL, CUT_TALL = 11.6, 7.2, 4.2  # inches of paper
LEAST, MARGIN = 8.0, 2.0  # inches of the table
CUT_MARGIN, NAMES = 1.5, 0.9  # inches of the table beyond eye and target; inches of paper for names above the cut
CROSS, BEFORE, APART = 0.042, 0.085, 0.07  # inches of paper: a cross, how far before the wall it stands, and from the next


class Gaze(NamedTuple):
    """An eye that looks along rays, and who is there: the target first."""

    table: Map
    eye: Place
    rays: tuple[Ray, ...]
    models: tuple[Model, ...]

    @property
    def here(self) -> Point:
        return self.eye[0], self.eye[1]

    @property
    def aim(self) -> Point:
        """The middle of the target; without one, of all the points that are looked at."""
        if self.models:
            return self.models[0].at[0], self.models[0].at[1]
        ends = [ray.end for ray in self.rays] or [self.eye]
        return sum(end[0] for end in ends) / len(ends), sum(end[1] for end in ends) / len(ends)

    @property
    def feet(self) -> Inches:
        """How high the target stands."""
        return self.models[0].at[2] if self.models else min([ray.end[2] for ray in self.rays] or [0.0])

    @property
    def places(self) -> list[Point]:
        """All that a plan must hold: the eye, the ends of the rays, the target's base."""
        base = footprint(self.models[0]) if self.models else ()
        return [self.here, *((ray.end[0], ray.end[1]) for ray in self.rays), *base]

    @property
    def line(self) -> Way:
        """Of the cut: from the eye through the target."""
        line = way(self.here, self.aim, CUT_MARGIN)
        ends = [line.along(at) for at in self.places]
        return line._replace(since=min(ends) - CUT_MARGIN, until=max(ends) + CUT_MARGIN)


def rays_scene(table: Map, eye: Place, rays: Sequence[Ray], title: str, models: Sequence[Model] = ()) -> Scene:
    """The plan above, the cut below it on the same sheet, the count to their right; the first model is the target."""
    gaze = Gaze(table, eye, tuple(rays), tuple(models))
    above, below, levels = plan_view(gaze), cut_view(gaze), storeys(gaze)
    scale, cut_scale = _scale(above, TALL), _scale(below, CUT_TALL)
    cut_high, plan_high = (below[3] - below[1]) * cut_scale, (above[3] - above[1]) * scale
    foot, height = 0.45 + cut_high + 0.95, 0.45 + cut_high + 0.95 + plan_high + 0.35
    marks = framed((GUTTER, foot), above, scale, _plan_rays(gaze, levels, above, Pen(scale, table.catalogue)))
    marks += framed((GUTTER, 0.45), below, cut_scale, _cut_rays(gaze, below, Pen(cut_scale, table.catalogue)))
    marks += [
        Text((GUTTER, foot + plan_high + 0.18), heading(table, levels), "heading", anchor="start", room=WIDE),
        Text((GUTTER, 0.45 + cut_high + 0.18), "CUT FROM THE EYE TO THE TARGET", "heading", anchor="start"),
    ]
    right = GUTTER + WIDE + 0.5
    marks += tally(rays, (right, height - 0.17))
    return Scene(title, right + COLUMN, height, tuple(marks), tuple(ray_words(eye, rays)), paper="plan")


def _scale(view: Box, tall: float) -> float:
    return min(WIDE / (view[2] - view[0]), tall / (view[3] - view[1]))


# Which storey ---------------------------------------------------------------------------------------------------------


def storeys(gaze: Gaze) -> list[int]:
    """The level at which each building is shown: where the target is, or the eye, or where the beam passes it."""
    return [level_at(building, height_in(building, gaze)) for building in gaze.table.buildings]


def height_in(building: Building, gaze: Gaze) -> Inches:
    corners = outline(building)
    if within(corners, gaze.aim):
        return gaze.feet
    if within(corners, gaze.here):
        return gaze.eye[2]
    line = way(gaze.here, gaze.aim, 0.0)
    crossed = [at for at in crossings(corners, line) if 0.0 <= at <= line.until]
    if not crossed:
        return building.base
    share = (min(crossed) + max(crossed)) / 2 / (line.until or 1.0)
    return gaze.eye[2] + share * (gaze.feet + 1.0 - gaze.eye[2])


def level_at(building: Building, height: Inches) -> int:
    return min(max(int((height - building.base) / building.storey + 1e-6), 0), levels_standing(building))


def heading(table: Map, levels: Sequence[int]) -> str:
    """What of the buildings the plan shows, if it is not their ground floor."""
    shown = [(building, level_says(building, level)) for building, level in zip(table.buildings, levels, strict=True)]
    if len({says for _, says in shown}) == 1:
        return ", ".join(["PLAN", *([shown[0][1]] if shown[0][1] else [])])
    named = [f"{says} OF {(building.name or building.id or 'the building').upper()}" for building, says in shown if says]
    return ", ".join(["PLAN", *named])


def level_says(building: Building, level: int) -> str:
    """Nothing of the ground floor."""
    return "" if not level else "ROOF" if level == building.levels and building.roof else f"LEVEL {level}"


# The two views --------------------------------------------------------------------------------------------------------


def plan_view(gaze: Gaze) -> Box:
    """Around eye and target, in the shape of its place on the sheet, moved onto the table where it can be."""
    left, lower, right, upper = bounds(gaze.places)
    high = max(upper - lower + 2 * MARGIN, (right - left + 2 * MARGIN) * TALL / WIDE, LEAST)
    wide = high * WIDE / TALL
    high = max(min(high, gaze.table.size[1] + 1), LEAST)
    left = _moved((left + right - wide) / 2, wide, gaze.table.size[0])
    lower = _moved((lower + upper - high) / 2, high, gaze.table.size[1])
    return left, lower, left + wide, lower + high


def _moved(low: float, size: float, table: float) -> float:
    return min(max(low, 0.0), table - size) if size <= table else (table - size) / 2


def cut_view(gaze: Gaze) -> Box:
    """As high as what matters, with room for names above; as long as the sheet is wide."""
    line, heights = gaze.line, [gaze.eye[2], *(ray.end[2] for ray in gaze.rays)]
    tops = [z for cut in section(gaze.table, line) for _, z in cut.points]
    low = min([0.0, *heights, *(-deep for _, _, deep in hollows(gaze.table.pits, line))]) - 0.5
    high = max(max(heights) + 0.5, min(max([0.0, *tops]), max(heights) + 4))
    wide = line.until - line.since
    scale = min(WIDE / wide, (CUT_TALL - NAMES) / (high - low))
    more = (WIDE / scale - wide) / 2
    return line.since - more, low, line.until + more, high + NAMES / scale


def _plan_rays(gaze: Gaze, levels: Sequence[int], view: Box, pen: Pen) -> list[Mark]:
    flat = [(ray, (ray.end[0], ray.end[1]), (ray.stop[0], ray.stop[1]) if ray.stop else None) for ray in gaze.rays]
    marks = storeys_plan(gaze.table, levels, pen, view, list(kept_clear(gaze, pen)))
    marks += [mark for model in reversed(gaze.models) for mark in model_mark(model)]
    marks += [Line((gaze.here, gaze.aim), "sight_line"), *_rays(gaze.here, flat, pen)]
    for end in dict.fromkeys(end for _, end, _ in flat):
        there = {ray.state for ray, other, _ in flat if other == end}
        marks += dot(end, pen.paper(0.06), there.pop() if len(there) == 1 else "covered")
    return [*marks, *_eye(gaze.here, gaze.aim, pen)]


def kept_clear(gaze: Gaze, pen: Pen) -> Iterator[Box]:
    """Where no name may lie: boxes along the beam, the models' bases, the eye with its own name."""
    ends = [(ray.end[0], ray.end[1]) for ray in gaze.rays] or [gaze.aim]
    count = int(far(gaze.here, gaze.aim) / pen.paper(0.12)) + 1
    for n in range(count + 1):
        yield _padded([between(gaze.here, end, n / count) for end in ends], pen.paper(0.1))
    for model in gaze.models:
        yield _padded(footprint(model), pen.paper(0.12))
    yield _padded([gaze.here, _eye_name(gaze.here, gaze.aim, pen)], pen.paper(0.16))


def _padded(points: Sequence[Point], by: float) -> Box:
    left, lower, right, upper = bounds(points)
    return left - by, lower - by, right + by, upper + by


# The cut --------------------------------------------------------------------------------------------------------------


def _cut_rays(gaze: Gaze, view: Box, pen: Pen) -> list[Mark]:
    line = gaze.line._replace(since=view[0], until=view[2])
    cuts = section(gaze.table, line)
    sky = ((view[0], view[1]), (view[2], view[1]), (view[2], view[3]), (view[0], view[3]))
    missed = beside(gaze, line, {cut.says for cut in cuts})
    marks = [Area(sky, "tabletop"), *ground_profile(gaze.table, line, view[1]), *aside_marks(missed, pen)]
    marks += cut_marks([cut for cut in cuts if not cut.thin], pen)
    marks += names([*cuts, *missed], pen, view)
    marks += [mark for model in reversed(gaze.models) for mark in stood_in_cut(model, gaze, line, pen)]
    flat = [(ray, _lain(ray.end, line), _lain(ray.stop, line) if ray.stop else None) for ray in gaze.rays]
    marks += [*uprights(gaze, line), *_rays((0.0, gaze.eye[2]), flat, pen)]
    marks += cut_marks([cut for cut in cuts if cut.thin], pen)  # no cross may cover a low wall
    dots = dict.fromkeys((end, ray.state) for ray, end, _ in flat)
    marks += [mark for end, state in dots for mark in dot(end, pen.paper(0.05), state)]
    return [*marks, *_eye((0.0, gaze.eye[2]), (line.along(gaze.aim), gaze.feet + 1.0), pen)]


def beside(gaze: Gaze, line: Way, cut: Set[str]) -> list[Cut]:
    """What the line of the cut misses, but a ray to the left or right edge of the target meets."""
    ends = sorted(((ray.end[0], ray.end[1]) for ray in gaze.rays), key=line.left)
    sides = [way(gaze.here, end, 0.0) for end in (ends[0], ends[-1])] if ends else []
    return [found for side in sides for found in section(gaze.table, side) if found.says not in cut]


def uprights(gaze: Gaze, line: Way) -> list[Mark]:
    """Eye and target, each over the height at which it stands."""
    end, head = line.along(gaze.aim), max([gaze.feet, *(ray.end[2] for ray in gaze.rays)])
    floor = max((model.at[2] for model in gaze.models[1:] if looks(model, gaze.eye)), default=0.0)
    return [Line(((0.0, floor), (0.0, gaze.eye[2])), "sight_line"), Line(((end, gaze.feet), (end, head)), "sight_line")]


def stood_in_cut(model: Model, gaze: Gaze, line: Way, pen: Pen) -> list[Mark]:
    """Who stands in the beam; of the target, and of who looks, just the base: the rays show the rest."""
    if model is gaze.models[0] or looks(model, gaze.eye):
        return [Area(box_in_cut(model, line, RIM if isinstance(model, Body) else model.height), "hull")]
    if not in_the_beam(model, gaze):
        return []
    box = box_in_cut(model, line, height_of(model))
    look = "hull" if crosses_base(model, line) else "aside"
    return [Area(box, look), Text((middle(box)[0], box[2][1] + pen.paper(0.12)), model.id, "note")]


def box_in_cut(model: Model, line: Way, height: Inches) -> tuple[Point, ...]:
    """From end to end of what it stands on, up from its feet."""
    (x, y, low), ends = model.at, [line.along(at) for at in footprint(model)]
    if isinstance(model, Body):
        ends = [line.along((x, y)) - model.radius, line.along((x, y)) + model.radius]
    return (min(ends), low), (max(ends), low), (max(ends), low + height), (min(ends), low + height)


def in_the_beam(model: Model, gaze: Gaze) -> bool:
    """Does some ray pass over its base?"""
    return any(crosses_base(model, way(gaze.here, (ray.end[0], ray.end[1]), 0.0)) for ray in gaze.rays)


def crosses_base(model: Model, line: Way) -> bool:
    if isinstance(model, Body):
        return gap((model.at[0], model.at[1]), line.at(line.since), line.at(line.until)) < model.radius
    return any(line.since <= at <= line.until for at in crossings(footprint(model), line))


def _lain(place: Place, line: Way) -> Point:
    """A place in the plane of the cut."""
    return line.along((place[0], place[1])), place[2]


# Rays -----------------------------------------------------------------------------------------------------------------


def _rays(eye: Point, flat: Sequence[tuple[Ray, Point, Point | None]], pen: Pen) -> list[Mark]:
    """What a stopped ray would have reached, then the rays, then the crosses where they are stopped."""
    stopped = [(stop, end) for ray, end, stop in flat if stop and ray.state == "hidden"]
    free = [(ray.state, end) for ray, end, stop in flat if not (stop and ray.state == "hidden")]
    marks: list[Mark] = [Line(way_on, "ray_beyond") for way_on in dict.fromkeys(stopped)]
    marks += [Line((eye, stop), "ray_hidden") for stop in dict.fromkeys(stop for stop, _ in stopped)]
    for state in ("hidden", "covered", "clear"):
        marks += [Line((eye, end), f"ray_{state}") for end in dict.fromkeys(end for own, end in free if own == state)]
    return [*marks, *crosses(eye, [stop for stop, _ in stopped], pen)]


def crosses(eye: Point, stops: Sequence[Point], pen: Pen) -> list[Mark]:
    """A cross just before what stops the rays, so that it is still seen; one for those that are stopped at one place."""
    drawn: list[Point] = []
    for stop in stops:
        before = between(stop, eye, min(pen.paper(BEFORE) / (far(stop, eye) or 1.0), 0.5))
        if all(far(before, other) >= pen.paper(APART) for other in drawn):
            drawn.append(before)
    return [mark for at in drawn for mark in crossed_out(at, pen.paper(CROSS))]


def _eye(eye: Point, aim: Point, pen: Pen) -> list[Mark]:
    name = Text(_eye_name(eye, aim, pen), "eye", "name")
    return [*dot(eye, pen.paper(0.1), "clear"), *dot(eye, pen.paper(0.035), "hidden"), name]


def _eye_name(eye: Point, aim: Point, pen: Pen) -> Point:
    """Above the eye, or below if it looks up the sheet."""
    up = aim[1] - eye[1] > 0.3 * abs(aim[0] - eye[0])
    return eye[0], eye[1] + pen.paper(-0.24 if up else 0.24)
