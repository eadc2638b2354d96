"""Fire, second half: declaring, the dice, and the continuous fire tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import product
from typing import NamedTuple, TypeAlias

from wardogs.kernel.dice import D6, as_is, reading
from wardogs.kernel.offers import Ask, Choice, Seat
from wardogs.systems.dawgs.aiming import bearing
from wardogs.systems.dawgs.data import FIRE, TRACK
from wardogs.systems.dawgs.offers import firing, token_ask, why_unasked
from wardogs.systems.dawgs.specials import effect
from wardogs.systems.dawgs.state import Flight, Plane

Tokens: TypeAlias = tuple[tuple[Seat, Seat], ...]  # whose continuous fire token lies on whose card


class Term(NamedTuple):
    """A part of a target number, with its rule."""

    rule: str
    value: int


# ---- declaring -------------------------------------------------------------------------------------------------------


def snap_window(g: Flight) -> None:
    """DAW-SPC-16, DAW-CFT-05: whoever revealed Snap Shot may fire now, at what stands where, instead of later."""
    for plane in g.state.flying:
        if effect(plane, "P2.2", "fire_window"):
            ask = firing(g, plane.seat, "snap_fire", "DAW-SPC-16")
            if ask:
                declare(g, plane.seat, g.ask("DAW-SPC-16", plane.seat, ask), tokens_now(g))


def fire(g: Flight) -> None:
    """DAW-CFT-05: the tokens as they lie now count for the whole phase; then all declare, or one after another."""
    g.change(phase="fire")
    tokens = tokens_now(g)
    if g.terms.options.fire_declaration == "seat_order":
        for plane in g.state.flying:
            g.then(fire_in_turn, plane.seat, tokens)
    else:
        g.then(declare_fire, tokens)


def declare_fire(g: Flight, tokens: Tokens) -> None:
    """DAW-FIR-01, -02, -11: all who have a target name one or hold, together and in secret; then the dice."""
    asked: dict[Seat, Ask] = {}
    for plane in g.state.flying:
        ask = firing(g, plane.seat, "fire", "DAW-FIR-01")
        if ask:
            asked[plane.seat] = ask
    for seat, answer in g.ask_all("DAW-FIR-11", asked, partial(why_unasked, g)).items():
        declare(g, seat, answer, tokens)


def fire_in_turn(g: Flight, seat: Seat, tokens: Tokens) -> None:
    """DAW-FIR-11, the variant: each seat is asked and rolls before the next is asked."""
    ask = firing(g, seat, "fire", "DAW-FIR-01")
    if ask:
        answers = g.ask_all("DAW-FIR-11", {seat: ask}, partial(why_unasked, g))
        declare(g, seat, answers[seat], tokens)


def declare(g: Flight, seat: Seat, answer: Choice, tokens: Tokens) -> None:
    """DAW-CFT-04: a token on another plane comes off when the shot is declared."""
    if answer["verb"] == "hold_fire":
        g.report("DAW-FIR-01", "held_fire", who=seat)
        return
    target = answer["target"]
    if g.state[seat].cf_on not in (None, target):
        g.report("DAW-CFT-04", "token_off", who=seat, target=g.state[seat].cf_on)
        g.edit(seat, cf_on=None)
    g.edit(seat, fired=True)
    g.then(shot, seat, target, is_marked(g, tokens, seat, target))


# ---- the shot --------------------------------------------------------------------------------------------------------


def shot(g: Flight, firer: Seat, target: Seat, marked: bool) -> None:
    """DAW-FIR-07, -08, -12, DAW-DMG-07: one die against the target's vulnerability; its hits wait for the others."""
    by, at = g.state[firer], g.state[target]
    against, helping = list(need_terms(at)), list(fire_terms(g, by, at, marked))
    need, mod = _sum(against), _sum(helping)
    best = 0
    for _ in range(extra_dice(by)):
        best = max(best, g.roll("DAW-SPC-15", D6, as_is(D6), who=firer, at=target))
    means = hits_reading(need - mod, best, most_hits(at))
    terms = [] if g.silent else [list(term) for term in (*against, *helping)]
    hits = g.roll("DAW-FIR-08", D6, means, who=firer, at=target, need=need, mod=mod, best=best, terms=terms)
    if hits:
        hitters = (*at.hitters, firer) if g.terms.credits_hits else ()
        g.edit(target, pending_hits=at.pending_hits + hits, hitters=hitters)
    elif g.terms.options.opt_continuous_fire and not marked:
        g.edit(firer, cf_due=target)


def shot_reading(g: Flight, by: Plane, at: Plane, marked: bool) -> tuple[int, ...]:
    """What each way the dice can fall would score, if this shot were fired now."""
    need = _sum(need_terms(at)) - _sum(fire_terms(g, by, at, marked))
    bests = [max(faces, default=0) for faces in product(D6.faces, repeat=extra_dice(by))]
    return tuple(hits for best in bests for hits in hits_reading(need, best, most_hits(at)))


def extra_dice(by: Plane) -> int:
    """DAW-SPC-15: Double Bark rolls one die more, and the highest counts."""
    bark = effect(by, "P3.2", "fire_dice")
    return bark.dice - 1 if bark else 0


def most_hits(at: Plane) -> int:
    """DAW-FIR-09, DAW-SPC-19: never more than two hits a shot; on a thick hide one."""
    cap = effect(at, "shot", "hits_per_shot_cap")
    return cap.max if cap else FIRE.most_hits


@cache
def hits_reading(need: int, best: int, most: int) -> tuple[int, ...]:
    """DAW-FIR-08 to -10: at the number one hit, two or more over it two hits; no face hits or misses by itself."""
    return reading(D6, lambda face: min(most, hits_of(max(face, best), need)))


def hits_of(result: int, need: int) -> int:
    return 0 if result < need else FIRE.most_hits if result >= need + FIRE.two_hits_over else 1


def need_terms(at: Plane) -> Iterator[Term]:
    """DAW-FIR-07: the VULN at the target's speed of this moment, and what makes it harder to hit."""
    yield Term("DAW-PLN-04", TRACK[at.speed].vuln)
    if dead := effect(at, "P2.0", "own_vuln_against_fire"):
        yield Term("DAW-SPC-17", dead.delta)


def fire_terms(g: Flight, by: Plane, at: Plane, marked: bool) -> Iterator[Term]:
    """DAW-FIR-13: nothing modifies a shot but a continuous fire token (DAW-CFT-02, -06) and the rear gun (DAW-SPC-20)."""
    if marked:
        yield Term("DAW-CFT-02", FIRE.continuous_fire_bonus)
    gun = effect(by, "P3.1", "extra_arc")
    if gun and bearing(g, by, at) == "rear":
        yield Term("DAW-SPC-20", gun.fire_mod)


def _sum(terms: Iterable[Term]) -> int:
    return sum(term.value for term in terms)


# ---- continuous fire tokens ------------------------------------------------------------------------------------------


def tokens_now(g: Flight) -> Tokens:
    """DAW-CFT-01, -05: the tokens as they lie when the phase or the window begins."""
    if not g.terms.options.opt_continuous_fire:
        return ()
    return tuple((plane.seat, plane.cf_on) for plane in g.state.planes if plane.cf_on is not None)


def tokens_of_phase(g: Flight) -> Tokens:
    """DAW-CFT-05: in the fire phase the tokens as they lay at its beginning, which its questions carry with them."""
    paragraph, args = g.agenda[0]
    if paragraph in (declare_fire.__name__, fire_in_turn.__name__):
        tokens: Tokens = args[-1]
        return tokens
    return tokens_now(g)


def is_marked(g: Flight, tokens: Tokens, firer: Seat, target: Seat) -> bool:
    """DAW-CFT-02, -06: any token on the target counts, once; or only one's own, by the house rules."""
    own_only = g.terms.options.cf_bonus == "own"
    return any(on == target and (owner == firer or not own_only) for owner, on in tokens)


def place_tokens(g: Flight) -> None:
    """DAW-CFT-03: who missed a plane without a token may mark it now, if both still fly."""
    due = {
        plane.seat: plane.cf_due
        for plane in g.state.planes
        if plane.cf_due is not None and plane.in_the_sky and g.state[plane.cf_due].in_the_sky
    }
    for seat, answer in g.ask_all("DAW-CFT-03", {seat: token_ask() for seat in due}).items():
        if answer["place"]:
            g.edit(seat, cf_on=due[seat])
            g.report("DAW-CFT-03", "token_on", who=seat, target=due[seat])
