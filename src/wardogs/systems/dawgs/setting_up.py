"""Set-up: cards are dealt, sides chosen or rolled, heights rolled, planes placed."""

from __future__ import annotations

from wardogs.kernel.dice import D6, as_is, reading
from wardogs.kernel.offers import Seat
from wardogs.systems.dawgs.data import SPECIALS
from wardogs.systems.dawgs.offers import side_ask
from wardogs.systems.dawgs.state import OTHER_SIDE, Flight, MapSide

SIDE_OF_ROLL: tuple[MapSide, ...] = reading(D6, lambda face: "left" if face % 2 else "right")


def deal_specials(g: Flight) -> None:
    """DAW-SET-03, DAW-SPC-07: one special each, face down; those a scenario gives away are not in the pile."""
    if not g.terms.options.use_specials:
        return
    plans = g.terms.scenario.seats
    given = {plan.seat: plan.special for plan in plans if plan.special != "dealt"}
    pile = tuple(sorted(set(SPECIALS) - set(given.values())))
    for plan in plans:
        card = given.get(plan.seat)
        if card is None:
            card = g.draw("DAW-SET-03", pile, g.terms.card_seers(plan.seat), tuple(SPECIALS), who=plan.seat)
            pile = tuple(other for other in pile if other != card)
        else:
            g.report("DAW-SET-03", "given", g.terms.card_seers(plan.seat), who=plan.seat, card=card)
        g.edit(plan.seat, special=card)
    g.change(pile=pile)


# ---- sides -----------------------------------------------------------------------------------------------------------


def roll_sides(g: Flight) -> None:
    """DAW-SET-07: in a free-for-all even is right, odd is left; a full side sends the seat to the other (DAW-SET-11)."""
    fixed = g.terms.scenario.side[0].map_side
    for plane in g.state.planes:
        side = _fixed(fixed)
        rolled = side if side is not None else g.roll("DAW-SET-07", D6, SIDE_OF_ROLL, who=plane.seat)
        _take_side(g, plane.seat, rolled, _count(g, list(range(1, plane.seat))))


def choose_sides(g: Flight) -> None:
    """DAW-SET-06: the teams choose in side order, seeing earlier answers."""
    for side in g.terms.scenario.sides:
        g.then(choose_side, side)


def choose_side(g: Flight, team: int) -> None:
    """The lowest seat answers for its team, where it has a choice."""
    scenario = g.terms.scenario
    members = scenario.members(team)
    earlier = [seat for side in scenario.sides[: team - 1] for seat in scenario.members(side)]
    taken = _count(g, earlier)
    fixed = scenario.side[team - 1].map_side
    side = _fixed(fixed) or _only_side(g, team, earlier, taken)
    if side is None:
        answer = g.ask("DAW-SET-06", members[0], side_ask("left" if team % 2 else "right"))
        side = answer["side"]
    for seat in members:
        _take_side(g, seat, side, _count(g, [*earlier, *[m for m in members if m < seat]]))
    g.report("DAW-SET-06", "took_side", side=team, name=scenario.side_name(team), map_side=side)


def _only_side(g: Flight, team: int, earlier: list[Seat], taken: dict[MapSide, int]) -> MapSide | None:
    """The side a team gets unasked: the last one if all others share a side, or the only one with room for it."""
    scenario = g.terms.scenario
    last = _fixed(scenario.side[-1].map_side)
    if len(scenario.sides) == 2 and last is not None:
        return OTHER_SIDE[last]
    used = {g.state[seat].map_side for seat in earlier}
    if team == len(scenario.sides) and len(used) == 1:
        return OTHER_SIDE[used.pop()]
    size = len(scenario.members(team))
    room: list[MapSide] = [s for s in taken if taken[s] + size <= _places(g)]
    return room[0] if len(room) == 1 else None


def _places(g: Flight) -> int:
    return len(g.terms.space.board.start_rows)


def _count(g: Flight, seats: list[Seat]) -> dict[MapSide, int]:
    sides = [g.state[seat].map_side for seat in seats]
    return {"left": sides.count("left"), "right": sides.count("right")}


def _fixed(side: str) -> MapSide | None:
    """A side that the scenario fixes is neither asked nor rolled."""
    return "left" if side == "left" else "right" if side == "right" else None


def _take_side(g: Flight, seat: Seat, side: MapSide, taken: dict[MapSide, int]) -> None:
    """DAW-SET-11: a side offers six places; whoever finds it full starts on the other."""
    full = taken[side] >= _places(g)
    g.edit(seat, map_side=OTHER_SIDE[side] if full else side, spilled=full)
    if full:
        g.report("DAW-SET-11", "spilled", who=seat, map_side=OTHER_SIDE[side])


# ---- heights ---------------------------------------------------------------------------------------------------------


def find_heights(g: Flight) -> None:
    """DAW-SET-08: fixed heights first, then everyone else rolls."""
    for plan in g.terms.scenario.seats:
        if plan.height != "roll":
            place(g, plan.seat, g.state[plan.seat].map_side, plan.height)
    g.then(roll_heights, tuple(plan.seat for plan in g.terms.scenario.seats if plan.height == "roll"))


def roll_heights(g: Flight, unsettled: tuple[Seat, ...]) -> None:
    """DAW-SET-08, -09: all unsettled seats roll; who shares a place with anyone rolls again in the next batch."""
    rows = {seat: g.roll("DAW-SET-08", D6, as_is(D6), who=seat) for seat in unsettled}
    wanted = {seat: (g.state[seat].map_side, row) for seat, row in rows.items()}
    held = [(p.map_side, p.front[1]) for p in g.state.planes if p.seat not in unsettled]
    places = [*held, *wanted.values()]
    alone = [seat for seat in unsettled if places.count(wanted[seat]) == 1]
    for seat in alone:
        place(g, seat, *wanted[seat])
    again = tuple(seat for seat in unsettled if seat not in alone)
    if again:
        for wished in dict.fromkeys(wanted[seat] for seat in again):
            g.report("DAW-SET-09", "same_place", seats=[seat for seat in again if wanted[seat] == wished])
        g.then(roll_heights, again)


def place(g: Flight, seat: Seat, side: MapSide, row: int) -> None:
    """DAW-SET-10: at the edge, level, facing the other side."""
    front, facing = g.terms.space.start(side, row)
    g.edit(seat, status="flying", front=front, facing=facing)
    g.report("DAW-SET-10", "placed", who=seat, front=g.terms.space.grid.label(front), facing=facing, map_side=side)
