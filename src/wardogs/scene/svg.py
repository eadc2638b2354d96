"""A scene as a drawing: one SVG file that needs nothing else, for the screen and for paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import cos, radians
from textwrap import wrap

from wardogs.scene.model import GAUGE_SIZE, Area, Disc, Gauge, Line, Mark, Piece, Point, Scene, Text, Window
from wardogs.scene.paint import AREAS, BARE, LINES, PAPERS, PATTERNS, SMALL, TEXTS, THIN, Letter, Stroke, paint
from wardogs.scene.parts import EDGE, badge, box, drawn_in, figure, letters, moved, number, safe, shape, tag, turned
from wardogs.scene.terrain import CLEAR, DISCS, LETTERS, STROKES, TERRAIN, tiles
from wardogs.scene.zoom import enlarged, every

LOOKS = {**TERRAIN, **AREAS}
MARGIN, HEADING = 0.4, 0.5
FONT = "Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"


def svg(scene: Scene) -> str:
    """The picture, with its words for whoever cannot see it."""
    width, height = scene.width + 2 * MARGIN, scene.height + 2 * MARGIN + HEADING
    patterns = tiles(mark.look for mark in every(scene.marks) if isinstance(mark, Area))
    inside = [
        tag("title", safe(scene.title), id="wardogs-title"),
        tag("desc", safe("\n".join(scene.words)), id="wardogs-desc"),
        PATTERNS,
        *([patterns] if patterns else []),
        box((-MARGIN, -MARGIN), (width, height), fill=PAPERS.get(scene.paper, "#fff"), stroke="none"),
        letters((0, scene.height + HEADING), scene.title, 0.4, scene.width, font_weight="bold", text_anchor="start"),
        *joined(scene.marks),
    ]
    return tag(
        "svg",
        "\n".join(["", *inside, ""]),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(figure(part) for part in (-MARGIN, MARGIN - height, width, height)),
        width=f"{width:g}in",
        height=f"{height:g}in",
        role="img",
        aria_labelledby="wardogs-title wardogs-desc",
        font_family=FONT,
    )


def joined(marks: Sequence[Mark]) -> Iterator[str]:
    """Every mark in turn; lines on a map that follow each other and look alike are one element."""
    for alike, run in groupby(marks, key=_stroke_of):
        if alike:
            yield strokes([mark for mark in run if isinstance(mark, Line)])
        else:
            yield from (drawn(mark) for mark in run)


def _stroke_of(mark: Mark) -> tuple[str, str] | None:
    return (mark.look, mark.colour) if isinstance(mark, Line) and mark.look in STROKES else None


def drawn(mark: Mark) -> str:
    match mark:
        case Area():
            return area(mark)
        case Line():
            return line(mark)
        case Text():
            return text(mark)
        case Disc():
            return disc(mark)
        case Piece():
            return piece(mark)
        case Gauge():
            return gauge(mark)
        case Window():
            return window(mark)


def area(mark: Area) -> str:
    """A pattern or a colour, and an outline; what has a colour of its own is labelled on its rim, the rest in the middle."""
    look, colours = LOOKS.get(mark.look, BARE), paint(mark.colour)
    points = drawn_in(mark.points, colours.inset)
    body = tag(
        "polygon", points=shape(points), fill=look.fill or colours.line, fill_opacity=look.opacity,
        stroke=look.line or colours.line, stroke_width=look.width, stroke_dasharray=colours.dash or look.dash,
    )  # fmt: skip
    if mark.colour:
        return body + _rim_label(points, mark.label, colours.line)
    x, y = (sum(part) / len(points) for part in zip(*points, strict=True))
    return body + letters((x, y), mark.label, 0.15, fill=look.ink)


def _rim_label(points: list[Point], label: str, ink: str) -> str:
    """On the highest corner, cut out of the line that it stands on."""
    top = max(points, key=lambda point: point[::-1])
    disc = tag("circle", cx=top[0], cy=-top[1], r=0.12, fill="#fff") if label else ""
    return disc + letters(top, label, 0.22, font_weight="bold", fill=ink)


def line(mark: Line) -> str:
    return strokes([mark])


def strokes(lines: Sequence[Line]) -> str:
    """Lines of one look: their casings below all of them, their cores above."""
    look, colour = lines[0].look, lines[0].colour
    stroke = STROKES.get(look) or Stroke(LINES.get(look, THIN))
    ink = stroke.ink if stroke.ink and not colour else paint(colour).line
    layers = [(CLEAR, stroke.casing, ""), (ink, stroke.width, stroke.dash), (CLEAR, stroke.core, "")]
    return "".join(_stroked(lines, *layer, stroke.round) for layer in layers if layer[1])


def _stroked(lines: Sequence[Line], ink: str, width: float, dash: str, rounded: bool) -> str:
    style: dict[str, str | float] = {
        "fill": "none", "stroke": ink, "stroke_width": width, "stroke_dasharray": dash,
        "stroke_linecap": "round" if rounded else "",
    }  # fmt: skip
    if len(lines) == 1:
        return tag("polyline", points=shape(lines[0].points), **style)
    return tag("path", d="".join(f"M{shape(mark.points)}" for mark in lines), **style)


def text(mark: Text) -> str:
    letter = LETTERS.get(mark.look) or Letter(*TEXTS.get(mark.look, SMALL))
    ink = letter.ink if letter.ink and not mark.colour else paint(mark.colour).line
    halo: dict[str, str | float] = {"stroke": letter.halo, "stroke_width": 0.06, **_BEHIND}
    return letters(
        mark.at, mark.says, letter.height, mark.room or 99, font_weight=letter.weight, fill=ink,
        font_style=letter.style, letter_spacing=letter.spacing or "",
        **({} if mark.anchor == "middle" else {"text_anchor": mark.anchor}),
        **(halo if letter.halo else {}),
        **({"transform": turned(mark.at, mark.angle)} if mark.angle else {}),
    )  # fmt: skip


_BEHIND = {"paint_order": "stroke", "stroke_linejoin": "round"}


def disc(mark: Disc) -> str:
    """A round thing true to size; its nose stands out from the rim, its label is black on white."""
    look, colours = DISCS.get(mark.look, BARE), paint(mark.colour)
    parts = [tag("title", safe(mark.name)) if mark.name else ""]
    if mark.angle is not None:
        nose = [moved(mark.at, mark.angle, mark.radius * along, mark.radius * aside) for along, aside in _NOSE]
        parts.append(tag("polygon", points=shape(nose), fill=look.line, stroke=look.line, stroke_width=look.width))
    parts.append(
        tag("circle", cx=mark.at[0], cy=-mark.at[1], r=mark.radius, fill=look.fill or colours.fill, stroke=look.line,
            stroke_width=look.width, stroke_dasharray=look.dash)
    )  # fmt: skip
    if mark.label:
        parts.append(number(mark.at, mark.label, 0.62 * mark.radius))
    return tag("g", "".join(parts)) if mark.name or len(parts) > 2 else "".join(parts)


_NOSE = ((1.5, 0.0), (0.8, 0.6), (0.8, -0.6))


def window(mark: Window) -> str:
    """A nested drawing: the viewer cuts it at its edge."""
    left, lower, right, upper = mark.view
    scale = mark.scale or mark.size[0] / (right - left)
    inside = "".join(joined([enlarged(each, scale) for each in mark.marks]))
    return tag(
        "svg", f"\n{inside}\n", x=mark.at[0], y=-mark.at[1] - mark.size[1], width=mark.size[0], height=mark.size[1],
        viewBox=" ".join(figure(part * scale) for part in (left, -upper, right - left, upper - lower)),
    )  # fmt: skip


# ---- pieces ----------------------------------------------------------------------------------------------------------


def piece(mark: Piece) -> str:
    """A counter with a nose: its label on the pivot, team and badges behind it, readable whichever way it points."""
    colours, (length, width) = paint(mark.colour), mark.size
    disc, tail = width / 3, mark.pivot - length
    backwards = cos(radians(mark.angle)) < -0.01
    above = -width / 4 if backwards else width / 4

    def spot(along: float, across: float) -> Point:
        return moved(mark.at, mark.angle, along, across)

    shoulder, side, room = mark.pivot - width / 5, width / 2, -tail - disc
    outline = [spot(*at) for at in ((mark.pivot, 0), (shoulder, side), (tail, side), (tail, -side), (shoulder, -side))]
    middle = spot((tail - disc) / 2, above)
    angle = turned(middle, mark.angle + 180 * backwards)
    step = min(room / max(len(mark.badges), 1), 0.45)
    parts = [
        tag("title", safe(mark.name)),
        tag("polygon", points=shape(outline), fill=colours.fill, **EDGE),
        letters(middle, mark.team, 0.19, room - 0.18, font_weight="bold", fill=colours.ink, transform=angle),
        *(
            badge(kind, spot(-disc - step * (n + 0.5), -above), min(0.15, 0.42 * step), label, mark.angle)
            for n, (kind, label) in enumerate(mark.badges)
        ),
        number(mark.at, mark.label, disc),
    ]
    return tag("g", "".join(parts))


# ---- gauges ----------------------------------------------------------------------------------------------------------

STRIP, GAP = 0.55, 0.08
CARD_LEFT = 0.35  # leaves the edge of the table free for what is written there
NOTE_LETTERS = 47  # in a line of the common height


def gauge(mark: Gauge) -> str:
    """A card: its label on a strip of its colour, the title, the track, and a note of two lines."""
    (x, y), (width, height) = mark.at, GAUGE_SIZE
    corner, size = (x + CARD_LEFT, y + GAP / 2), (width - CARD_LEFT, height - GAP)
    left, right, top = corner[0] + STRIP + GAP, x + width - GAP, y + height
    room, bold = right - left - 0.4 * len(mark.badges), {"font_weight": "bold", "text_anchor": "start"}
    notes = wrap(mark.note, NOTE_LETTERS if len(mark.note) <= NOTE_LETTERS else len(mark.note) // 2 + 10)
    parts = [
        box(corner, size, fill="#fff"),
        box(corner, (STRIP, size[1]), fill=paint(mark.colour).fill),
        number((corner[0] + STRIP / 2, y + height / 2), mark.label, 0.23),
        letters((left, top - 0.2), mark.title, 0.22, room, **bold),
        *(badge(kind, (right - 0.17 - 0.4 * n, top - 0.22), 0.12, says) for n, (kind, says) in enumerate(mark.badges)),
        *_track(mark, (left, y + 0.43), (right - left) / len(mark.spaces)),
    ]
    for n, said in enumerate(notes):
        parts.append(letters((left, y + 0.31 - 0.17 * n), said, 0.16, right - left, text_anchor="start"))
    return tag("g", "".join(parts))


def _track(mark: Gauge, corner: Point, step: float) -> list[str]:
    """The spaces from left to right; each token keeps its own place in a space, so that none covers another."""
    x, y = corner
    parts = []
    for n, says in enumerate(mark.spaces):
        parts.append(box((x + n * step, y), (step, 0.57), fill="#f6f6f2"))
        parts.append(letters((x + (n + 0.5) * step, y + 0.1), says, 0.14, step - 0.05))
    for n, (space, kind) in enumerate(mark.tokens):
        along = space + (n + 0.5) / len(mark.tokens)
        parts.append(badge(kind, (x + along * step, y + 0.38), 0.14))
    return parts
