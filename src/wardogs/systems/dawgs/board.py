"""The sky as a browser draws it: the hexes, what guns cover, and every plane with its condition card."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from wardogs.kernel.fixed import Fixed
from wardogs.kernel.offers import Seat
from wardogs.scene.board import Bar, Board, Fact, Floor, Score, Sign, Token
from wardogs.scene.sketch import ALL_PATTERNS, sketch
from wardogs.systems.dawgs.airspace import Airspace
from wardogs.systems.dawgs.data import COUNTER, FACINGS, PILOTS, TOP_SPEED, TRACK, TRACK_RULES
from wardogs.systems.dawgs.scene import (
    BOOK,
    OFF,
    SENTENCES,
    cone_marks,
    edges,
    facts_of,
    heading,
    hexes,
    pilot_name,
    rounded,
    sights,
    where,
)
from wardogs.systems.dawgs.state import Placed, Terms
from wardogs.systems.dawgs.view import HIDDEN, SeenPlane, Sight
from wardogs.systems.dawgs.words import WORDS

PICKS = ("target",)
PLACES = {**SENTENCES, "setup": "not yet in the air", "flying": "{front}, flying {facing:@facing}", "off_map": OFF}
TURNS = {None: "", "cw": " clockwise", "ccw": " counter-clockwise"}


def board(terms: Terms, sight: Sight) -> Board:
    """DAW-CMP-06: made from a view, so it shows nothing that the seat may not know."""
    (width, height), fixed = terms.space.board.size_in, Fixed(terms)
    cards = [card(fixed, sight, plane) for plane in sight.planes]
    return Board(
        title=heading(terms, sight),
        width=width,
        height=height,
        scale=1.0,
        patterns=ALL_PATTERNS,
        floors=floors(terms.space),
        marks=tuple(cone(terms.space, each.plane) for each in cards if each.where == "flying"),
        tokens=tuple(token(each) for each in cards),
        facts=remarks(terms),
        scores=tuple(score(fixed, side, standing(terms, sight, side)) for side in terms.scenario.sides),
        turn=sight.round,
        compass=False,
        picks=PICKS,
    )


@lru_cache(maxsize=16)
def floors(space: Airspace) -> tuple[Floor, ...]:
    return (Floor("sky", sketch([*hexes(space), *edges(space.board)])),)


@lru_cache(maxsize=1024)
def cone(space: Airspace, plane: SeenPlane) -> str:
    return sketch(cone_marks(space, plane))


# ---- what it is about ------------------------------------------------------------------------------------------------


def ends_with(terms: Terms) -> str:
    """DAW-VIC-02, -03, -08: what the game ends with."""
    ends = terms.scenario.victory.end or "one side left in the sky, or nobody"
    if (last := terms.options.round_limit) and f"round {last}" not in ends:
        ends += f"; at the latest after round {last}"
    return ends


def remarks(terms: Terms) -> tuple[str, ...]:
    """What ends the game, and who may leave by which edge."""
    ways = (f"{PILOTS[way.seat].pilot} may leave by the {way.edge} edge" for way in terms.scenario.exit)
    return f"the game ends with: {ends_with(terms)}", *ways


def standing(terms: Terms, sight: Sight, side: int) -> str:
    """The points once they are counted; until then the planes that are left."""
    points = dict(sight.result.points) if sight.result else {}
    if (name := terms.scenario.side_name(side)) in points:
        return f"{points[name]} points"
    left = sum(plane.side == side and plane.in_the_sky for plane in sight.planes)
    return "1 plane left" if left == 1 else f"{left} planes left"


@lru_cache(maxsize=1024)
def score(fixed: Fixed[Terms], side: int, says: str) -> Score:
    """In the colour of its plane; a side of several has none."""
    scenario, members = fixed.it.scenario, fixed.it.scenario.members(side)
    return Score(side, scenario.side_name(side), PILOTS[members[0]].colour if len(members) == 1 else "", says)


# ---- planes ----------------------------------------------------------------------------------------------------------


class Card(NamedTuple):
    """All that a token is made of: while none of it changes, the token is the very same thing."""

    fixed: Fixed[Terms]
    plane: SeenPlane
    where: str
    aimed_at_by: tuple[str, ...]
    chosen: bool


def card(fixed: Fixed[Terms], sight: Sight, plane: SeenPlane) -> Card:
    aimed = tuple(owner for _, owner in sights(sight, plane))
    return Card(fixed, plane, where(sight, plane), aimed, plane.seat in sight.committed)


@lru_cache(maxsize=4096)
def token(card: Card) -> Token:
    """DAW-PLN-01, -02: the pivot on the centre of the front hex, the axis along the facing."""
    terms, plane, flying = card.fixed.it, card.plane, card.where == "flying"
    return Token(
        id=plane.seat,
        name=pilot_name(terms, plane),
        label=str(plane.seat),
        shape="plane",
        at=rounded(*terms.space.board.centre(plane.front)) if flying else None,
        where=BOOK.fill(PLACES[card.where], facts_of(terms, plane)),
        side=plane.side,
        group=terms.scenario.side_name(plane.side),
        colour=PILOTS[plane.seat].colour,
        size=(COUNTER.length_in, COUNTER.width_in),
        pivot=COUNTER.pivot_behind_nose_in,
        angle=float(FACINGS[plane.facing].angle_deg) if flying else None,
        bars=(Bar("Speed", plane.speed, TOP_SPEED), Bar("Damage", hits(plane), len(TRACK))) if plane.in_the_sky else (),
        signs=tuple(sign(int(owner)) for owner in card.aimed_at_by),
        facts=tuple(facts(card)),
        lost=not plane.in_the_sky,
    )


def hits(plane: SeenPlane) -> int:
    """DAW-DMG-01: how often the damage token has been moved; it begins at the far end of the track."""
    return 0 if plane.damage is None else 1 + (plane.damage - TRACK_RULES.damage_first_space) // TRACK_RULES.damage_step


def sign(owner: Seat) -> Sign:
    """DAW-CFT-03."""
    return Sign(f"F{owner}", f"continuous fire token of {PILOTS[owner].pilot}")


def facts(card: Card) -> Iterator[Fact]:
    """DAW-PLN-04: the rest of the condition card, and the cards that one may know of."""
    plane = card.plane
    if not plane.in_the_sky:
        return
    yield "vulnerability", str(TRACK[plane.speed].vuln)
    yield "damage token", "none" if plane.damage is None else f"on {plane.damage}"
    yield "special", special(plane)
    if plane.placed:
        yield "plays", pair(plane.placed)
    elif card.chosen:
        yield "plays", "has chosen"
    if card.aimed_at_by:
        yield "in the sights of", " and ".join(PILOTS[int(owner)].pilot for owner in card.aimed_at_by)
    if plane.fired:
        yield "guns", "have fired this round"


def special(plane: SeenPlane) -> str:
    if plane.special is None or plane.special == HIDDEN:
        return "none" if plane.special is None else "hidden"
    name, note = WORDS["card"][plane.special], WORDS["card_note"].get(plane.special, "")
    state = ", in play" if plane.special_in_play else "" if plane.special_public else ", not yet shown"
    return f"{name}{state}{note}"


def pair(placed: Placed) -> str:
    return f"{WORDS['card'][placed.other]} {placed.number}{TURNS[placed.direction]}"
