"""Smoke and tear gas: clouds that stand where a grenade came down, and thin out turn by turn."""

from __future__ import annotations

from msgspec.structs import replace

from wardogs.kernel.dice import D10, at_most
from wardogs.systems.dogs.data import CLOUDS
from wardogs.systems.dogs.flights import told
from wardogs.systems.dogs.modifiers import in_gas
from wardogs.systems.dogs.state import Cloud, Fight, Id
from wardogs.table.units import Place

RULES = {"smoke_grenade": "DOW-EQP-14", "cs_grenade": "DOW-EQP-15"}


def spread(g: Fight, kind: str, at: Place, by: Id) -> None:
    """DOW-EQP-14, -15, DOW-MOD-12: a cloud round the mark; the turn it is thrown in is its first."""
    cloud = CLOUDS[kind]
    made = Cloud(kind, at, float(cloud.radius), cloud.turns)  # type: ignore[arg-type]
    g.change(clouds=(*g.state.clouds, made))
    g.report(RULES[kind], "cloud_spreads", kind=kind, at=told(at), turns=cloud.turns, by=by)


def clouds_tick(g: Fight) -> None:
    """DOW-EQP-14, -15: at the end of the turn each has one turn less; at none it is gone."""
    left = tuple(replace(cloud, turns_left=cloud.turns_left - 1) for cloud in g.state.clouds)
    for cloud in left:
        if cloud.turns_left <= 0:
            g.report(RULES[cloud.kind], "cloud_gone", kind=cloud.kind, at=told(cloud.at))
    g.change(clouds=tuple(cloud for cloud in left if cloud.turns_left > 0))


def gas_check(g: Fight, who: Id) -> None:
    """DOW-EQP-11, -15: an activation that starts in tear gas without a mask: D10 at most FT, or AP are lost."""
    man, need = g.state[who], g.terms.who[who].ft
    if not man.conscious or not man.alive or not man.on_table or not in_gas(g, man):
        return
    if not g.roll("DOW-EQP-15", D10, at_most(D10, need), who=who, need=need):
        g.then(choke, who)


def choke(g: Fight, who: Id) -> None:
    man, lost = g.state[who], CLOUDS["cs_grenade"].ap_lost
    g.edit(who, ap=max(0, man.ap - lost))
    g.report("DOW-EQP-15", "chokes", who=who, lost=min(lost, man.ap))


PARAGRAPHS = (spread, clouds_tick, gas_check, choke)
