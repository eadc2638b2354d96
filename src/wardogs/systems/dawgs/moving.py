"""Move: every plane flies, some leave the map and come back, some meet the ground."""

from __future__ import annotations

from msgspec.structs import replace

from wardogs.kernel.dice import D6, as_is
from wardogs.kernel.offers import Seat
from wardogs.systems.dawgs.airspace import Flown
from wardogs.systems.dawgs.data import SPECIALS, SPEED
from wardogs.systems.dawgs.losing import lose, lose_together
from wardogs.systems.dawgs.offers import flank_ask, needs_flank, redraw_ask
from wardogs.systems.dawgs.setting_up import place
from wardogs.systems.dawgs.specials import effect, turn_of
from wardogs.systems.dawgs.state import OTHER_SIDE, Flight, MapSide, Plane
from wardogs.systems.dawgs.victory import end_if_decided, end_if_exited
from wardogs.systems.dawgs.wounds import hurt


def move(g: Flight) -> None:
    """DAW-MOV-10: fly; settle those who left; bring back; skid."""
    g.change(phase="move")
    g.then(fly)
    g.then(settle_leavers)
    g.then(bring_back)
    g.then(skid_turns)


def fly(g: Flight) -> None:
    """DAW-MOV-01, -05, -06, DAW-CRD-06: every plane on the board flies by its speed; planes pass through each other."""
    flanks: dict[Seat, int] = {}
    if g.terms.options.vertex_increment == "zigzag":
        asked = {plane.seat: flank_ask(plane) for plane in g.state.flying if needs_flank(plane)}
        flanks = {seat: answer["flank"] for seat, answer in g.ask_all("DAW-MOV-03", asked).items()}
    space, new = g.terms.space, []
    for plane in g.state.planes:
        if plane.status == "flying":
            flown = space.fly(plane.front, plane.facing, plane.speed, flanks.get(plane.seat))
            new.append(land(g, plane, flown))
        else:
            new.append(plane)
    g.change(planes=tuple(new))


def land(g: Flight, plane: Plane, flown: Flown) -> Plane:
    """Fly a plane and tell of it."""
    after = landed(g, plane, flown)
    if not g.silent:
        path = [g.terms.space.grid.label(hex_) for hex_ in flown.path]
        g.report("DAW-MOV-01", "flew", who=plane.seat, speed=plane.speed, path=path, end=flown.end, after=after.speed)
    return after


def landed(g: Flight, plane: Plane, flown: Flown) -> Plane:
    """DAW-OFF-01, -05, -08: where the move leaves the plane; beyond a side it is set aside, the rest of its move lost."""
    if flown.end == "top":
        stop = effect(plane, "P2.3", "top_stop_speed")
        return replace(plane, front=flown.front, speed=stop.value if stop else SPEED.top_stop)
    if flown.end in ("left", "right"):
        row = flown.front[1]
        gone = "exited" if _lets_out(g, plane.seat, flown.end) else "off_map"
        return replace(plane, status=gone, front=flown.front, exit_side=flown.end, exit_row=row, left_round=g.state.round)
    return replace(plane, front=flown.front)


def _lets_out(g: Flight, seat: Seat, edge: str) -> bool:
    """DAW-OFF-11: a scenario may let a plane out by an edge."""
    return any(way.seat == seat and way.edge == edge for way in g.terms.scenario.exit)


def settle_leavers(g: Flight) -> None:
    """DAW-MOV-10, DAW-OPT-07, DAW-RND-04: who left goes through the exit in seat order; who may, says first if to redraw."""
    left = [plane for plane in g.state.planes if plane.status == "off_map" and plane.left_round == g.state.round]
    redraws = [plane.seat for plane in left if may_redraw(g, plane)]
    if g.terms.options.redraw_choice == "may":
        answers = g.ask_all("DAW-OPT-05", {seat: redraw_ask() for seat in redraws})
        redraws = [seat for seat, answer in answers.items() if answer["swap"]]
    for plane in left:
        g.then(leave, plane.seat, plane.seat in redraws)


def may_redraw(g: Flight, plane: Plane) -> bool:
    """DAW-OPT-05: who holds a special, unless leaving destroys the plane before that."""
    return g.terms.options.opt_redraw_special and plane.special is not None and not dies_leaving(g, plane)


def dies_leaving(g: Flight, plane: Plane) -> bool:
    """DAW-DMG-04: a Damaging hit off the track, where the house rules make that the end."""
    options = g.terms.options
    return options.opt_damaging and options.overflow_hits == "destroyed" and hurt(plane.damage, 1)[1]


def leave(g: Flight, seat: Seat, redraws: bool) -> None:
    """DAW-OPT-07, steps 1 to 5, DAW-OFF-04: the hurt of leaving, a new special, speed 1, and perhaps a wait."""
    plane = g.state[seat]
    g.report("DAW-OFF-01", "left_map", who=seat, edge=plane.exit_side, row=plane.exit_row)
    if g.terms.options.opt_damaging:
        damaging(g, plane)
    if dies_leaving(g, plane):
        lose(g, seat, "destroyed", "DAW-DMG-04")
        return
    if redraws:
        redraw(g, seat)
    g.edit(seat, speed=SPEED.respawn)
    if g.terms.options.opt_delayed_respawn:
        g.report("DAW-OPT-06", "waits", who=seat)


def damaging(g: Flight, plane: Plane) -> None:
    """DAW-OPT-02: leaving by a side is one hit, and counts as one taken."""
    damage, _ = hurt(plane.damage, 1)
    g.edit(plane.seat, damage=damage, hits_taken=plane.hits_taken + 1)
    g.report("DAW-OPT-02", "damaged", who=plane.seat, hits=1, damage=damage)


def redraw(g: Flight, seat: Seat) -> None:
    """DAW-OPT-05: draw first, then discard face up; an empty pile is made of the discard; the old card's effects lapse."""
    old = g.state[seat].special
    assert old is not None
    pile, discard = (g.state.pile, g.state.discard) if g.state.pile else (g.state.discard, ())
    pile = tuple(sorted(pile))
    new = g.draw("DAW-OPT-05", pile, g.terms.card_seers(seat), tuple(SPECIALS), who=seat)
    g.change(pile=tuple(card for card in pile if card != new), discard=(*discard, old))
    g.edit(seat, special=new, special_public=False, special_in_play=False, played=None)
    g.report("DAW-OPT-05", "redrew", who=seat, old=old)


def bring_back(g: Flight) -> None:
    """DAW-OPT-06, -07, DAW-OFF-10: this round's leavers and those who waited are on the map for the rest of the round."""
    delayed = g.terms.options.opt_delayed_respawn
    coming = tuple(
        plane.seat
        for plane in g.state.planes
        if plane.status == "off_map" and not (delayed and plane.left_round == g.state.round)
    )
    if coming:
        g.then(come_back, coming, ())


def come_back(g: Flight, coming: tuple[Seat, ...], given: tuple[tuple[MapSide, int], ...]) -> None:
    """DAW-OFF-01 to -03, -07, DAW-OPT-03, -04: by the other side, at a rolled height; a row just given is rolled again."""
    plane = g.state[coming[0]]
    assert plane.exit_side is not None
    assert plane.exit_row is not None
    side = plane.exit_side if g.terms.options.opt_not_round else OTHER_SIDE[plane.exit_side]
    if g.terms.options.opt_constant_altitude:
        row = plane.exit_row
    else:
        row = g.roll("DAW-OFF-02", D6, as_is(D6), who=plane.seat)
        if row in rows_taken(g, side, given):
            g.report("DAW-OFF-07", "row_taken", who=plane.seat, row=row)
            g.then(come_back, coming, given)
            return
    place(g, plane.seat, side, row)
    if coming[1:]:
        g.then(come_back, coming[1:], (*given, (side, row)))


def rows_taken(g: Flight, side: MapSide, given: tuple[tuple[MapSide, int], ...]) -> set[int]:
    """DAW-OFF-07: the rows that must be rolled again; with all six taken the die stands."""
    rows = g.terms.space.board.start_rows
    clear = g.terms.options.respawn_clear
    taken = {row for at, row in given if at == side} if clear != "none" else set()
    if clear == "all":
        fronts = {plane.front for plane in g.state.flying}
        taken |= {row for row in rows if g.terms.space.start(side, row)[0] in fronts}
    return set() if taken >= set(rows) else taken


def skid_turns(g: Flight) -> None:
    """DAW-SPC-13: after the move, unless the plane left the map, turn by the number."""
    for plane in g.state.flying:
        skid = effect(plane, "P2.3.end", "rotate")
        if skid and not (skid.unless == "left_map" and plane.left_round == g.state.round):
            facing = (plane.facing + turn_of(skid, plane)) % 12
            g.edit(plane.seat, facing=facing)
            g.report("DAW-SPC-13", "turned", who=plane.seat, facing=facing, before=plane.facing)


def ground_check(g: Flight) -> None:
    """DAW-MOV-08, -09, DAW-ORI-07: only where the whole counter ends counts; what touches ground is out before any fire."""
    space = g.terms.space
    crashed = [plane.seat for plane in g.state.flying if space.touches_ground(plane.front, plane.facing)]
    lose_together(g, crashed, "crashed", "DAW-MOV-09")
    end_if_exited(g)
    if g.terms.options.check_victory == "immediate":  # DAW-VIC-04
        end_if_decided(g)
