"""What would follow from a choice, with every figure, before it is made."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from wardogs.kernel.fate import Fast
from wardogs.kernel.offers import Choice
from wardogs.kernel.system import Seen
from wardogs.scene.board import Chance, Reckoned, Term
from wardogs.scene.model import Area, Line, Mark, Point
from wardogs.scene.parts import moved
from wardogs.scene.sketch import sketch
from wardogs.systems.dawgs.bot import ShotOdds, breakup_chance, shot_odds
from wardogs.systems.dawgs.data import COUNTER, FACINGS, PILOTS
from wardogs.systems.dawgs.firing import fire_terms, is_marked, need_terms, tokens_of_phase
from wardogs.systems.dawgs.foresight import Foreseen, foresee
from wardogs.systems.dawgs.scene import ARROWS
from wardogs.systems.dawgs.state import Flight, Plane, pair_of

CAUSES = {
    "DAW-PLN-04": "vulnerability at speed {speed}",
    "DAW-SPC-17": "plays dead",
    "DAW-CFT-02": "continuous fire token",
    "DAW-SPC-20": "rear gun",
}
HITS = ("no hit", "one hit", "two hits")


def reckon(seen: Seen, choice: Choice) -> Reckoned:
    if choice["verb"] == "place_cards" and {"number", "other"} <= choice.keys():
        return _pair(seen, choice)
    if choice["verb"] in ("fire", "snap_fire") and "target" in choice:
        return _shot(seen, choice)
    return Reckoned()


# ---- cards -----------------------------------------------------------------------------------------------------------


def _pair(seen: Seen, choice: Choice) -> Reckoned:
    """Where the pair takes the plane, at which speed it will be, and what it risks."""
    game: Flight = seen.imagined(Fast(0))
    before = game.state[seen.seat or 1]
    ahead = foresee(game.terms.space, before, pair_of(choice))
    risk = Fraction(breakup_chance(game, ahead)).limit_denominator(6) if ahead.end in ("air", "top") else Fraction(0)
    return Reckoned(
        text=_said(game, ahead, risk),
        chances=(_chance("breaks up", risk),) if risk else (),
        marks=(sketch(_ghost(game, before, ahead)),),
    )


def _said(game: Flight, ahead: Foreseen, risk: Fraction) -> str:
    plane = ahead.plane
    if ahead.end == "ground":
        return f"{ARROWS[plane.facing]} CRASH"
    where = f"{ARROWS[plane.facing]} {game.terms.space.grid.label(plane.front)}"
    if ahead.end in ("left", "right"):
        return f"{where}  leaves the map by the {ahead.end}"
    top = ", at the top" if ahead.end == "top" else ""
    return f"{where}  speed {ahead.speed_after}{top}{f', breaks up {risk}' if risk else ''}"


def _ghost(game: Flight, before: Plane, ahead: Foreseen) -> Iterator[Mark]:
    """DAW-PLN-01, -02: the way of its front, and the counter's outline where it comes to lie."""
    board, colour = game.terms.space.board, PILOTS[before.seat].colour
    start, end = board.centre(before.front), board.centre(ahead.plane.front)
    if start != end:
        yield Line((start, end), "sight_line", colour)
    yield Area(_outline(end, FACINGS[ahead.plane.facing].angle_deg), "cone", colour, str(before.seat))


def _outline(at: Point, angle: float) -> tuple[Point, ...]:
    """The counter with its nose, about its pivot."""
    nose, side = COUNTER.pivot_behind_nose_in, COUNTER.width_in / 2
    tail, shoulder = nose - COUNTER.length_in, nose - COUNTER.width_in / 5
    corners = ((nose, 0.0), (shoulder, side), (tail, side), (tail, -side), (shoulder, -side))
    return tuple(moved(at, angle, along, across) for along, across in corners)


# ---- shots -----------------------------------------------------------------------------------------------------------


def _shot(seen: Seen, choice: Choice) -> Reckoned:
    """DAW-FIR-07, -08: the exact odds of the shot, from the rules that will resolve it."""
    game: Flight = seen.imagined(Fast(0))
    by, at = game.state[seen.seat or 1], game.state[choice["target"]]
    found, terms = shot_odds(seen, choice), tuple(_terms(game, by, at))
    said = [f"{HITS[n]} {chance}" for n, chance in found.hits.items()]
    return Reckoned(
        text=", ".join(said) + (f"; brings it down this round {found.down}" if found.down else ""),
        chances=tuple(_chances(found)),
        terms=terms,
        total=f"needs {sum(term.value for term in terms)}",
        marks=(sketch(_line(game, by, at)),),
    )


def _terms(game: Flight, by: Plane, at: Plane) -> Iterator[Term]:
    """DAW-FIR-07, -13: what helps the firer makes the number smaller."""
    marked = is_marked(game, tokens_of_phase(game), by.seat, at.seat)
    for rule, value in need_terms(at):
        yield Term(CAUSES[rule].format(speed=at.speed), value, rule)
    for rule, value in fire_terms(game, by, at, marked):
        yield Term(CAUSES[rule], -value, rule)


def _chances(found: ShotOdds) -> Iterator[Chance]:
    yield from (_chance(HITS[n], share) for n, share in found.hits.items())
    if found.down:
        yield _chance("brings it down this round", found.down)


def _chance(what: str, share: Fraction) -> Chance:
    return Chance(what, str(share), float(share))


def _line(game: Flight, by: Plane, at: Plane) -> Iterator[Mark]:
    centre = game.terms.space.board.centre
    yield Line((centre(by.front), centre(at.front)), "ray_clear", PILOTS[by.seat].colour)
