"""What becomes of a man who goes down: unconscious, dead, and all that hangs on it."""

from __future__ import annotations

from wardogs.systems.dogs.data import BODY, SURVIVABILITY
from wardogs.systems.dogs.measure import ahead
from wardogs.systems.dogs.morale import witnesses
from wardogs.systems.dogs.state import Fight, Id, Model, Stance
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.ways import field, height_at, length, path_to
from wardogs.table.units import Place


def collapse_of_a_man(g: Fight, who: Id, killed: bool, knocked_out: bool, by: Id, outright: bool) -> None:
    """DOW-HLT-01, -02, -09, -11: dead, or unconscious at 0 HP or by the blow itself; prone, and out of all he was doing."""
    man = g.state[who]
    dead = killed or man.hp <= SURVIVABILITY.dead_at
    if not man.alive:
        return
    if dead:
        g.edit(who, **DOWN, alive=False, conscious=False)
        g.report("DOW-HLT-17", "killed", who=who, by=by)
    elif man.conscious and (man.hp <= 0 or knocked_out):
        g.edit(who, **DOWN, conscious=False, out_since=g.state.turn)
        g.report("DOW-HLT-02" if man.hp <= 0 else "DOW-HLT-11", "unconscious", who=who, by=by)
    else:
        return
    let_go(g, g.state[who])
    lost(g, man)
    g.then(down, who, dead, by, outright, man.stance)


DOWN = {"stance": "prone", "ap": 0, "opfire": False, "ducking": "", "edge": (), "charged": "", "distracted": False}


def let_go(g: Fight, man: Model) -> None:
    """DOW-TAK-03, DOW-CAR-08: who falls drops his load and frees whom he held."""
    for other in g.state.models:
        if other.held_by == man.id:
            g.edit(other.id, held_by="")
        if man.id in other.edge:
            g.edit(other.id, edge=tuple(id_ for id_ in other.edge if id_ != man.id))
    led_no_more(g, man.id)
    if man.carrying:
        put_down_load(g, man)
    if man.leading:
        g.edit(man.id, leading="")


def led_no_more(g: Fight, who: Id) -> None:
    """DOW-TAK-07: a prisoner who cannot walk is not led; he may be carried."""
    for captor in g.state.models:
        if captor.leading == who:
            g.edit(captor.id, leading="")


def put_down_load(g: Fight, man: Model) -> None:
    """DOW-CAR-08: the load lies in base contact with him."""
    g.edit(man.carrying, carried_by="", at=beside(g, man), stance="prone")
    g.edit(man.id, carrying="", may_run_loaded=False)
    g.report("DOW-CAR-08", "puts_down", who=man.id, load=man.carrying)


def beside(g: Fight, man: Model) -> Place:
    """A free place in base contact, behind him first; under a climber the foot of the face; else where he is himself."""
    if man.climbing:
        return man.at[0], man.at[1], round(man.at[2] - man.climbing, 3)
    if man.vehicle or not man.on_table:
        return man.at
    reach = field(g, man, "walk", REACH)
    for k in range(1, TURNS + 1):
        aside = 180 + (k // 2) * (360 / TURNS) * (-1) ** k
        x, y = ahead(man.at, man.facing + aside, BODY.base)
        place = height_at(g, (round(x, 3), round(y, 3), man.at[2]))
        path = path_to(reach, place)
        if path is not None and length(path) <= BODY.base + BODY.contact:
            return place
    return man.at


TURNS = 12  # directions tried
REACH = 16.0  # AP: an inch of any ground, under a load, with a bad leg


def lost(g: Fight, man: Model) -> None:
    """DOW-MOR-01, -11: one more of his team killed or incapacitated this turn."""
    if man.incapacitated or man.id in g.state.lost:
        return
    g.change(lost=(*g.state.lost, man.id))
    if team := g.state.team(man.team):
        g.edit(("teams", team.id), lost_this_turn=team.lost_this_turn + 1)


def down(g: Fight, who: Id, dead: bool, by: Id, outright: bool, stance: Stance) -> None:
    """What follows at once: the deadman switch, then those who saw it, as he was when he was hit."""
    man = g.state[who]
    if man.vest:
        later(g, "deadman", who)
    if dead and outright:
        g.then(witnesses, who, stance)


PARAGRAPHS = (collapse_of_a_man, down)
