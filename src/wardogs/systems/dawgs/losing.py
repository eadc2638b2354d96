"""Planes that leave the game."""

from __future__ import annotations

from collections.abc import Iterable

from wardogs.kernel.offers import Seat
from wardogs.systems.dawgs.state import Flight, Lost, Status


def lose_together(g: Flight, seats: Iterable[Seat], how: Status, rule: str) -> None:
    """DAW-RND-03, -05, DAW-BRK-05: planes lost in one step leave the board together."""
    for seat in seats:
        lose(g, seat, how, rule)


def lose(g: Flight, seat: Seat, how: Status, rule: str) -> None:
    """DAW-CRD-11, DAW-CFT-07: the counter leaves, the special goes to the discard face up, tokens go home."""
    plane = g.state[seat]
    if plane.special is not None:
        g.change(discard=(*g.state.discard, plane.special))
    g.edit(
        seat, status=how, lost=Lost(g.state.round, g.state.phase, how), special=None, special_in_play=False,
        played=None, placed=None, pending_hits=0, hitters=(), cf_on=None, cf_due=None, breaking=False,
    )  # fmt: skip
    for other in g.state.planes:
        if other.cf_on == seat:
            g.edit(other.seat, cf_on=None)
    g.report(rule, how, who=seat, special=plane.special)
