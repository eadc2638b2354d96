"""How a dogfight looks: as a picture, in words, and in characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import asdict

from wardogs.hexes.grid import Hex
from wardogs.hexes.outline import Corner, corners, outline
from wardogs.hexes.text import board_text
from wardogs.kernel.phrases import Phrasebook
from wardogs.scene.model import GAUGE_SIZE, Area, Badge, Gauge, Line, Mark, Piece, Point, Scene, Text
from wardogs.systems.dawgs.airspace import Airspace
from wardogs.systems.dawgs.data import COUNTER, FACINGS, PILOTS, TRACK, Board
from wardogs.systems.dawgs.state import IN_THE_SKY, Terms
from wardogs.systems.dawgs.view import SeenPlane, Sight
from wardogs.systems.dawgs.words import WORDS

BOOK = Phrasebook(WORDS, {})

CONDITION = "speed {speed}, {damage:None=no damage|*=damage token on {damage}}{sights:=|*=, continuous fire token of {sights}}"
CARDS = (
    "{special:None=no special|hidden=special hidden|*=special {special:@card}}{special_in_play:True= in play|False=}"
    "{number:None=|*=, plays {other:@card} {number}{direction:None=|cw= clockwise|ccw= counter-clockwise}}"
    "{chosen:True=, has chosen|False=}"
)
OFF = "off the map, left by the {exit_side} in row {exit_row}"
SENTENCES = {
    "setup": f"not yet in the air, {CARDS}",
    "flying": f"{{front}}, flying {{facing:@facing}}, {CONDITION}, {CARDS}",
    "off_map": f"{OFF}, {CONDITION}, {CARDS}",
    "exited": "out by the {exit_side} in round {left_round}",
    "crashed": "crashed in round {round}",
    "broken_up": "broken up in round {round}",
    "destroyed": "destroyed in round {round}",
    "conceded": "conceded in round {round}",
}
BESIDE_BOARD = {**SENTENCES, "flying": f"{CONDITION}, {CARDS}"}
ON_CARD = {**SENTENCES, "flying": CARDS, "off_map": f"{OFF}, {CARDS}"}

GLYPHS = {"ground": "###", "thin_air": ":", "sky": "."}
ARROWS = ("↑^", "↗^", "↗", "→", "↘", "↘v", "↓v", "↙v", "↙", "←", "↖", "↖^")
LEGEND = "# ground, : thin air, = tail, ^ steeply up: loses speed, v steeply down: gains speed"


def draw(terms: Terms, sight: Sight) -> Scene:
    """DAW-CMP-06: drawn from a view, so it shows nothing that the seat may not know."""
    space, (width, height) = terms.space, terms.space.board.size_in
    flying = [plane for plane in sight.planes if where(sight, plane) == "flying"]
    title = heading(terms, sight)
    marks: list[Mark] = [*hexes(space), *edges(space.board)]
    marks += [cone for plane in flying for cone in cone_marks(space, plane)]
    marks += [_counter(terms, sight, plane) for plane in flying]
    marks += [_card(terms, sight, plane) for plane in sight.planes]
    words = tuple(_about(SENTENCES, terms, sight, plane) for plane in sight.planes)
    beside = [_about(BESIDE_BOARD, terms, sight, plane) for plane in sight.planes]
    text = "\n".join([title, _characters(space, flying), LEGEND, *beside])
    return Scene(title, width + GAUGE_SIZE[0], height, tuple(marks), words, text)


# ---- the board -------------------------------------------------------------------------------------------------------


def hexes(space: Airspace) -> Iterator[Mark]:
    """DAW-BRD-02, -05: every hex, and a heavy line under the thin air."""
    board, grid = space.board, space.grid
    for hex_ in grid.hexes:
        yield Area(_inches(board, corners(hex_)), _look(space, hex_), label=grid.label(hex_))
    border = [corner for hex_ in grid.hexes if hex_[1] == min(board.thin_air_rows) for corner in corners(hex_)[2:5]]
    yield Line(_inches(board, border), "border")


def _look(space: Airspace, hex_: Hex) -> str:
    """DAW-BRD-04, -05, -08."""
    if space.is_ground(hex_):
        return "ground"
    return "thin_air" if hex_[1] in space.board.thin_air_rows else "sky"


def edges(board: Board) -> Iterator[Mark]:
    """DAW-BRD-03, DAW-SET-08: letters along the bottom, numbers at both sides, large where planes start."""
    grid = board.grid
    for column in range(grid.width(0)):
        hex_ = grid.at(column, 0)
        yield Text((board.centre(hex_)[0], 0), grid.label(hex_)[0], "edge")
    for row in range(grid.rows):
        look, left, right = ("large", f"{row}→", f"←{row}") if row in board.start_rows else ("edge", f"{row}", f"{row}")
        yield Text(rounded(*board.centre(grid.at(-1, row))), left, look)
        yield Text(rounded(*board.centre(grid.at(grid.width(row), row))), right, look)


def _inches(board: Board, points: Iterable[Corner]) -> tuple[Point, ...]:
    """DAW-BRD-03: corners of hexes on the printed board."""
    (left, low), across, up = board.origin_in, board.hex_flat_to_flat_in / 2, board.row_pitch_in / 3
    return tuple(rounded(left + across * x, low + up * y) for x, y in points)


def rounded(*point: float) -> Point:
    x, y = (round(part, 3) for part in point)
    return x, y


# ---- planes and their condition cards --------------------------------------------------------------------------------


def cone_marks(space: Airspace, plane: SeenPlane) -> Iterator[Mark]:
    """DAW-FIR-03, -04: the hexes that its guns cover."""
    mask = space.cone(plane.front, plane.facing)
    covered = [hex_ for hex_, bit in space.grid.bits.items() if mask & bit]
    for loop in outline(covered):
        yield Area(_inches(space.board, loop), "cone", PILOTS[plane.seat].colour, str(plane.seat))


def _counter(terms: Terms, sight: Sight, plane: SeenPlane) -> Piece:
    """DAW-PLN-01, -02: the pivot on the centre of the front hex, the axis along the facing."""
    return Piece(
        at=rounded(*terms.space.board.centre(plane.front)),
        angle=FACINGS[plane.facing].angle_deg,
        size=(COUNTER.length_in, COUNTER.width_in),
        pivot=COUNTER.pivot_behind_nose_in,
        colour=PILOTS[plane.seat].colour,
        label=str(plane.seat),
        name=_about(SENTENCES, terms, sight, plane),
        team=terms.scenario.side_name(plane.side),
        badges=(*((kind, str(space)) for space, kind in _track(plane)), *sights(sight, plane)),
    )


def _card(terms: Terms, sight: Sight, plane: SeenPlane) -> Gauge:
    """DAW-PLN-04: the condition card; its tokens go when the plane is lost."""
    width, height = terms.space.board.size_in
    return Gauge(
        at=(width, height - plane.seat * GAUGE_SIZE[1]),
        title=pilot_name(terms, plane),
        colour=PILOTS[plane.seat].colour,
        label=str(plane.seat),
        spaces=tuple(f"{space.speed} / VULN {space.vuln}" for space in TRACK),
        tokens=_track(plane) if plane.status in IN_THE_SKY else (),
        badges=sights(sight, plane),
        note=say(ON_CARD, terms, sight, plane),
    )


def _track(plane: SeenPlane) -> tuple[tuple[int, str], ...]:
    """DAW-PLN-05, DAW-DMG-01: the tokens on the track; an unhurt plane's damage token lies beside it."""
    tokens = ((plane.speed, "speed"), (plane.damage, "damage"))
    return tuple((space, kind) for space, kind in tokens if space is not None)


def sights(sight: Sight, plane: SeenPlane) -> tuple[Badge, ...]:
    """DAW-CFT-03: the continuous fire tokens on a plane's card, by owner."""
    return tuple(("fire", str(other.seat)) for other in sight.planes if other.cf_on == plane.seat)


# ---- in words --------------------------------------------------------------------------------------------------------


def heading(terms: Terms, sight: Sight) -> str:
    so_far, result = f"{terms.scenario.name}: round {sight.round}", sight.result
    if result is None:
        return f"{so_far}, {WORDS['phase'][sight.phase]}"
    winner = None if result.side is None else terms.scenario.side_name(result.side)
    facts = {"result": result.kind, "winner": winner, "reason": result.reason}
    return f"{so_far}, {BOOK.fill(BOOK.templates['reports']['ended'], facts)}"


def where(sight: Sight, plane: SeenPlane) -> str:
    return sight.phase if sight.phase == "setup" else plane.status


def _about(templates: Mapping[str, str], terms: Terms, sight: Sight, plane: SeenPlane) -> str:
    return f"{plane.seat} {pilot_name(terms, plane)}: {say(templates, terms, sight, plane)}"


def pilot_name(terms: Terms, plane: SeenPlane) -> str:
    """The pilot, the side unless they are one (Kennel Blue may fly a red plane), and the role if there is one."""
    pilot, side = PILOTS[plane.seat].pilot, terms.scenario.side_name(plane.side)
    role = terms.scenario.seats[plane.seat - 1].role
    about = ", ".join(part for part in (side if side != pilot else "", role) if part)
    return f"{pilot} ({about})" if about else pilot


def say(templates: Mapping[str, str], terms: Terms, sight: Sight, plane: SeenPlane) -> str:
    facts = facts_of(terms, plane)
    facts["sights"] = " and ".join(owner for _, owner in sights(sight, plane))
    facts["chosen"] = plane.seat in sight.committed
    return BOOK.fill(templates[where(sight, plane)], facts)


def facts_of(terms: Terms, plane: SeenPlane) -> dict[str, Any]:
    """What sentences about a plane may name."""
    facts: dict[str, Any] = asdict(plane)
    for record in (plane.lost, plane.placed):
        facts |= asdict(record) if record else {}
    return {**facts, "front": terms.space.grid.label(plane.front)}


# ---- in characters ---------------------------------------------------------------------------------------------------


def _characters(space: Airspace, flying: list[SeenPlane]) -> str:
    """Each plane as its seat and an arrow on its front hex, its tail behind; several fronts in a hex as their seats."""
    cells = {hex_: GLYPHS[_look(space, hex_)] for hex_ in space.grid.hexes}
    for plane in flying:
        cells |= dict.fromkeys(space.footprint(plane.front, plane.facing), f"{plane.seat}=")
    for plane in flying:
        here = "".join(str(other.seat) for other in flying if other.front == plane.front)
        cells[plane.front] = here if len(here) > 1 else here + ARROWS[plane.facing]
    return board_text(space.grid, cells.__getitem__)
