"""Blasts: who is caught in which ring, what it does to him, and who has to watch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import shapely

from wardogs.kernel.dice import D10, at_most
from wardogs.systems.dogs.data import BLASTS
from wardogs.systems.dogs.falling import collapse_of_a_man
from wardogs.systems.dogs.flights import lifted, told
from wardogs.systems.dogs.masonry import inside_of
from wardogs.systems.dogs.measure import CLOSE, gap_to, within
from wardogs.systems.dogs.morale import mates, sees_death, shell_shock
from wardogs.systems.dogs.rotors import hull_shape
from wardogs.systems.dogs.seeing import body, look_from
from wardogs.systems.dogs.state import Fight, Id, Model, Team
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.wounds import Round, strike
from wardogs.table.templates import Sector, under
from wardogs.table.units import Inches, Place

Rings: TypeAlias = tuple[tuple[float, int, int], ...]  # outer radius, DPR, wound rolls


class Charge(NamedTuple):
    """What bursts, in plain figures, so that it can wait on the agenda."""

    at: Place
    rings: Rings
    kill: float  # DOW-BLS-06: the radius of automatic death; 0 is none
    arm: int | None
    soft: int
    hard: int
    by: Id = ""  # who answers for it
    cause: str = "blast"
    exclusive: bool = False  # a limit belongs to the outer ring (DOW-EXP-03)
    concussion: float = 0.0  # DOW-BLS-09: the radius within which it may knock a man out
    sector: tuple[float, float] | None = None  # facing and degrees, for what does not burst all round
    inside: str = ""  # the vehicle in or on which it bursts: its occupants are in the innermost ring (DOW-VEH-07)
    shut: bool = False  # its sides are hard cover for all others


class Caught(NamedTuple):
    who: Id
    dpr: int
    rolls: int
    dead: bool
    shaken: bool  # by the concussion


# ---- a burst -----------------------------------------------------------------------------------------------------------


def burst(g: Fight, blast_id: str, at: Place, by: Id, inside: str = "") -> None:
    """DOW-BLS-01 to -06, DOW-GRN-13, DOW-STR-03: what the chart says bursts here, at once; in a building it hurts that too."""
    g.report("DOW-BLS-01", "bursts", blast=blast_id, at=told(at), by=by)
    g.then(burst_rings, *charge_of(g, blast_id, at, by, inside))
    sdpr, house = BLASTS[blast_id].sdpr, inside_of(g, at)
    if sdpr is None:
        return
    if inside:
        later(g, "vehicle_blast", inside, sdpr, by)
    elif house is not None:
        later(g, "structure_hit", house[0].id, house[1], sdpr, at, by, True)


def charge_of(g: Fight, blast_id: str, at: Place, by: Id, inside: str = "") -> Charge:
    """DOW-BLS-06: whose innermost ring kills; all kill zones do by the house rules."""
    blast = BLASTS[blast_id]
    rings = tuple((float(ring.radius), ring.dpr, ring.rolls) for ring in blast.rings)
    grenade = not blast.kill and blast.zone > 0
    kill = blast.zone if grenade and g.terms.options.frag_autokill else blast.kill
    shakes = float(blast.zone) if grenade and g.terms.options.concussion else 0.0
    return Charge(
        at,
        rings,
        float(kill),
        blast.arm,
        blast.soft,
        blast.hard,
        by,
        "blast",
        blast.limits_exclusive,
        shakes,
        None,
        inside,
        bool(inside),
    )


def burst_rings(g: Fight, *figures: object) -> None:
    """DOW-BLS-03, -07, -10, DOW-MOV-27: everyone in reach, then one by one, the nearest first."""
    charge = Charge(*figures)  # type: ignore[arg-type]
    g.change(interrupted=True)
    found = tuple(caught_in(g, charge))
    for man in spared_by(g, charge):
        g.report("DOW-BLS-03", "behind_cover", who=man.id)
    if found:
        g.then(blast_next, found, (), *charge)


def caught_in(g: Fight, charge: Charge) -> Iterator[Caught]:
    """DOW-BLS-03, -06, -07: by ring; a man wholly behind hard cover is not touched, not even where all die."""
    for man in in_reach(g, charge):
        if is_touched(g, charge, man):
            far = distance(charge, man)
            dead = charge.kill > 0 and within(far, charge.kill)
            _, dpr, rolls = ring_at(charge, far) or (0.0, 0, 0)
            yield Caught(man.id, dpr, rolls, dead, charge.concussion > 0 and within(far, charge.concussion))


def spared_by(g: Fight, charge: Charge) -> list[Model]:
    return [man for man in in_reach(g, charge) if not is_touched(g, charge, man)]


def in_reach(g: Fight, charge: Charge) -> list[Model]:
    """DOW-BLS-10, DOW-CAR-07: the living, those who are carried too; nearest first, then enemies, then list order."""
    near = [man for man in g.state.models if man.alive and man.on_table and _in_rings(charge, man) and _in_sector(charge, man)]
    side = g.state[charge.by].side if charge.by else None
    return sorted(near, key=lambda man: (round(distance(charge, man), 3), man.side == side))


def distance(charge: Charge, man: Model) -> Inches:
    """DOW-BLS-07: from the burst point to the nearest edge of his base."""
    return 0.0 if charge.inside and man.vehicle == charge.inside else gap_to(man, charge.at)


def ring_at(charge: Charge, far: Inches) -> tuple[float, int, int] | None:
    """DOW-BLS-07, DOW-EXP-03: a limit belongs to the inner ring, unless limits are exclusive."""
    slack = -CLOSE if charge.exclusive else CLOSE
    return next((ring for ring in charge.rings if far < ring[0] + slack), None)


def _in_rings(charge: Charge, man: Model) -> bool:
    far = distance(charge, man)
    return ring_at(charge, far) is not None or (charge.kill > 0 and within(far, charge.kill))


def _in_sector(charge: Charge, man: Model) -> bool:
    """DOW-BLS-11: some of his base is under the template."""
    if charge.sector is None:
        return True
    facing, angle = charge.sector
    return under(Sector(charge.at, (90.0 - facing) % 360, angle), body(man), "base")


def is_touched(g: Fight, charge: Charge, man: Model) -> bool:
    """DOW-BLS-03: judged from a little above the burst point."""
    if charge.inside and man.vehicle == charge.inside:
        return True
    if charge.shut or sits_above(g, man, charge.at):
        return False
    return look_from(g, lifted(charge.at), man, own_hull=True).reachable


def sits_above(g: Fight, man: Model, at: Place) -> bool:
    """DOW-VEH-04: what bursts under a vehicle has its body between itself and those aboard."""
    return any(vehicle.id == man.vehicle and hull_shape(vehicle).covers(shapely.Point(at[:2])) for vehicle in g.state.vehicles)


# ---- one by one --------------------------------------------------------------------------------------------------------


def blast_next(g: Fight, todo: tuple[tuple[object, ...], ...], dead: tuple[Id, ...], *figures: object) -> None:
    """DOW-BLS-02 to -06: the next man: dead outright, or his ring's rolls, each from location to wound."""
    if not todo:
        if dead:
            g.then(burst_seen, dead)
        return
    charge, caught = Charge(*figures), Caught(*todo[0])  # type: ignore[arg-type]
    man = g.state[caught.who]
    if not man.alive or not man.on_table:
        g.then(blast_next, todo[1:], dead, *figures)
        return
    if caught.dead:
        g.report("DOW-BLS-06", "in_kill_zone", who=man.id)
        g.then(collapse_of_a_man, man.id, True, False, charge.by, False)
    else:
        g.report("DOW-BLS-03", "in_blast", who=man.id, rolls=caught.rolls, dpr=caught.dpr, far=round(distance(charge, man), 1))
        for _ in range(caught.rolls):
            g.then(strike, man.id, round_for(charge, man, caught.dpr))
        if caught.shaken:
            g.then(concuss, man.id, charge.by)
    g.then(blown, caught.who, todo[1:], dead, *figures)


def round_for(charge: Charge, man: Model, dpr: int) -> Round:
    """A death by it is told to witnesses when the burst is over (DOW-BLS-10)."""
    source = None if charge.inside and man.vehicle == charge.inside else lifted(charge.at)
    return Round(charge.by, source, dpr, charge.arm, charge.soft, charge.hard, False, charge.cause, False)


def concuss(g: Fight, who: Id, by: Id) -> None:
    """DOW-BLS-09: who is still conscious rolls at most FT, or is knocked out."""
    man, need = g.state[who], g.terms.who[who].ft
    if not man.alive or not man.conscious:
        return
    if not g.roll("DOW-BLS-09", D10, at_most(D10, need), who=who, need=need):
        g.then(collapse_of_a_man, who, False, True, by, False)


def blown(g: Fight, who: Id, todo: tuple[tuple[object, ...], ...], dead: tuple[Id, ...], *figures: object) -> None:
    g.then(blast_next, todo, dead if g.state[who].alive else (*dead, who), *figures)


# ---- those who see it --------------------------------------------------------------------------------------------------


def burst_seen(g: Fight, dead: tuple[Id, ...]) -> None:
    """DOW-BLS-10, DOW-MOR-05, -10, -12: one check for each witness, however many of his team it killed."""
    teams = sorted(g.state.teams, key=lambda team: team.side != g.state.first_side)
    for team in teams:
        lost = [g.state[id_] for id_ in dead if g.state[id_].team == team.id]
        if lost:
            team_sees(g, team, lost)


def team_sees(g: Fight, team: Team, lost: list[Model]) -> None:
    for mate in mates(g, team):
        seen = [man.id for man in lost if man.id != mate.id and mate.alive and sees_death(g, mate, man)]
        leader = team.leader in seen
        if leader:
            g.edit(("teams", team.id), saw_leader_killed=True)
        if seen and "fearless" not in g.terms.who[mate.id].traits:
            g.then(shell_shock, mate.id, "witness", leader)


PARAGRAPHS = (burst, burst_rings, blast_next, concuss, blown, burst_seen)
