"""Set-up: who wears a vest, table sides, who deploys first, every man to his place, and what lies hidden."""

from __future__ import annotations

from typing import Any

from wardogs.kernel.dice import D10
from wardogs.kernel.offers import Ask, Choice, Domain, Number, Offer, OneOf, Refusal, Seat, Several, Spot
from wardogs.systems.dogs.figures import MOVES
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.lists import VESTS
from wardogs.systems.dogs.marks import place_in
from wardogs.systems.dogs.measure import bearing
from wardogs.systems.dogs.places import Places, free_places, height_at, why_no_room
from wardogs.systems.dogs.roster_issue import vests_due
from wardogs.systems.dogs.scenario import device_zone, zone_of
from wardogs.systems.dogs.scenario_model import STANDARD, TeamPlan
from wardogs.systems.dogs.state import Device, Fight, Id, Model, Team, counted, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, packed, unpacked
from wardogs.systems.dogs.ways import MODES
from wardogs.systems.dogs.zones import Zone, strip
from wardogs.table.reach import graph_of
from wardogs.table.units import Place, Point

OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}
STANCES = ("standing", "prone")
TURN = 15  # degrees: the step of a facing
APART = 1.5  # inches between men who are put down without a word
DONE = {"verb": "no_more_devices"}
HIDDEN = ("ap_mine", "claymore")


def set_up(g: Fight) -> None:
    """DOW-SEQ-01, DOW-SET-01 to -04: forces and table are agreed; then sides, deployment and hidden devices."""
    ground = graph_of(table_now(g), MODES["walk"]).ground
    for man in g.state.models:
        if man.on_table:
            x, y, _ = man.at
            g.edit(man.id, at=(x, y, ground.height_at((x, y))))
    for team in g.state.teams:
        g.then(vests, team.id)
    g.then(table_sides)
    g.then(deployment_order)
    g.then(hidden_devices, (1, 2))
    g.then(to_battle)


def to_battle(g: Fight) -> None:
    later(g, "start_turn")


# ---- plans -----------------------------------------------------------------------------------------------------------


def plan_of(g: Fight, team: Team) -> TeamPlan | None:
    """The block of the scenario that a team comes from."""
    mates = [one.id for one in g.state.teams if one.side == team.side]
    plans = g.terms.scenario.side(team.side).teams
    return plans[mates.index(team.id)] if len(plans) == len(mates) else None


# ---- vests -----------------------------------------------------------------------------------------------------------


def vests(g: Fight, team_id: str) -> None:
    """DOW-EXP-14: the owner says which of his Jihad men wear a vest, unless the scenario has."""
    team = g.state.team(team_id)
    plan = plan_of(g, team) if team else None
    if team is None or plan is None:
        return
    faithful = tuple(id_ for id_ in team.members if VESTS.perk in g.terms.who[id_].perks)
    due = vests_due(plan.roster)
    said = [id_ for id_ in faithful if g.terms.who[id_].role in plan.vests]
    if not due or len(said) >= due:
        return
    default = {"verb": "wear_vests", "who": list(faithful[:due])}
    offers = (Offer("wear_vests", "DOW-EXP-14", {"who": Several(faithful, due, due)}),)
    chosen = g.ask("DOW-EXP-14", team.side, Ask("vests", offers, default))["who"]
    g.then(put_on, team_id, tuple(chosen))


def put_on(g: Fight, team_id: str, wearers: tuple[Id, ...]) -> None:
    """Only their owner learns it, unless vests are open."""
    team = g.state.team(team_id)
    assert team is not None
    for id_ in team.members:
        g.edit(id_, vest=VESTS.quarters if id_ in wearers else 0)
    told = (team.side,) if g.terms.options.vests_hidden else None
    g.report("DOW-EXP-14", "wears_vest", told, who=list(wearers))


# ---- sides -----------------------------------------------------------------------------------------------------------


def table_sides(g: Fight) -> None:
    """DOW-SET-05: each side D10, low takes the edge it wants, ties again; unless the scenario says."""
    if all(side.edge for side in g.state.sides):
        return
    rolls = [g.roll("DOW-SET-05", D10, D10.faces, who=seat, side=True) for seat in (1, 2)]
    if rolls[0] == rolls[1]:
        g.report("DOW-SET-05", "tie")
        g.then(table_sides)
    else:
        g.then(choose_edge, 1 if rolls[0] < rolls[1] else 2)


def choose_edge(g: Fight, winner: Seat) -> None:
    offers = (Offer("take_edge", "DOW-SET-05", {"edge": OneOf(tuple(OPPOSITE))}),)
    edge = g.ask("DOW-SET-05", winner, Ask("edge", offers, {"verb": "take_edge", "edge": "S"}))["edge"]
    g.then(take_edges, winner, edge)


def take_edges(g: Fight, winner: Seat, edge: str) -> None:
    """DOW-SET-07: the other side has the edge opposite."""
    g.edit(("sides", winner), edge=edge)
    g.edit(("sides", other(winner)), edge=OPPOSITE[edge])
    g.report("DOW-SET-05", "takes_edge", side=winner, edge=edge)


def deployment_order(g: Fight) -> None:
    """DOW-SET-06: a second D10 each; low deploys first, or makes the other do so."""
    rolls = [g.roll("DOW-SET-06", D10, D10.faces, who=seat, side=True) for seat in (1, 2)]
    if rolls[0] == rolls[1]:
        g.report("DOW-SET-06", "tie")
        g.then(deployment_order)
    else:
        g.then(choose_deployer, 1 if rolls[0] < rolls[1] else 2)


def choose_deployer(g: Fight, winner: Seat) -> None:
    offers = (Offer("deploy_first", "DOW-SET-06", {"first": OneOf((other(winner), winner))}),)
    default = {"verb": "deploy_first", "first": other(winner)}
    first = g.ask("DOW-SET-06", winner, Ask("deployment_order", offers, default))["first"]
    g.report("DOW-SET-06", "deploys_first", side=first, winner=winner)
    for seat in (first, other(first)):
        for man in to_deploy(g, seat):
            g.then(deploy, man.id)


def to_deploy(g: Fight, seat: Seat) -> list[Model]:
    """All of a side but its reserves, in list order."""
    reserves = {team.id for team in g.state.teams if team.reserve}
    return [man for man in g.state.models if man.side == seat and man.away == "reserve" and man.team not in reserves]


# ---- deployment ------------------------------------------------------------------------------------------------------


def zone_for(g: Fight, man: Model) -> Zone:
    """DOW-SET-07: his team's zone, his side's, or the standard one."""
    side, team = g.terms.scenario.side(man.side), g.state.team(man.team)
    plan = plan_of(g, team) if team else None
    edge: Any = g.state.side(man.side).edge
    if plan:
        return zone_of(g.terms.scenario, plan, side, edge)
    return side.deploy or strip(edge, g.terms.map.size, STANDARD.deploy_depth)


def deploy(g: Fight, who: Id) -> None:
    """DOW-SET-07: one man after the other, the whole base in his zone, clear of walls, hulls and others."""
    man = g.state[who]
    zone = zone_for(g, man)
    places = free_places(g, zone)
    if not places.size:
        g.then(left_out, who)
        return
    fields: dict[str, Domain] = {
        "model": OneOf((who,)),
        "at": Spot.on("deploy", places),
        "face": Number(0, 345, TURN, "degrees"),
        "stance": OneOf(STANCES),
    }
    ask = Ask(
        "deploy", (Offer("deploy", "DOW-SET-07", fields),), by_itself(g, man, zone, places), lambda c: why_not_there(g, zone, c)
    )
    g.then(deployed, packed(g.ask("DOW-SET-07", man.side, ask)))


def why_not_there(g: Fight, zone: Zone, choice: Choice) -> Refusal | None:
    at = place_in(choice.get("at"))
    return None if choice.get("verb") != "deploy" or at is None else why_no_room(g, zone, at)


def deployed(g: Fight, args: Packed) -> None:
    choice = unpacked(args)
    x, y, z = (float(part) for part in choice["at"])
    at = height_at(g, (x, y, z))
    g.edit(choice["model"], at=at, facing=float(choice["face"]), stance=choice["stance"], away="")
    g.report("DOW-SET-07", "deployed", who=choice["model"], x=round(at[0], 1), y=round(at[1], 1), stance=choice["stance"])


def left_out(g: Fight, who: Id) -> None:
    """A zone so full that nobody fits in any more: he comes in over his edge with the first arrivals."""
    x, y = post(g, g.state[who], zone_for(g, g.state[who]))
    g.edit(who, away="off_edge", at=(x, y, 0.0))
    g.report("DOW-SET-07", "no_room_left", who=who)


def by_itself(g: Fight, man: Model, zone: Zone, places: Places) -> Choice:
    """Where a silent owner's man stands: teams side by side along the zone, their men together, faces to the enemy."""
    at = places.nearest(post(g, man, zone))
    wide, high = g.terms.map.size
    face = round(bearing(at, (wide / 2, high / 2)) / TURN) * TURN % 360
    return {"verb": "deploy", "model": man.id, "at": list(at), "face": face, "stance": "standing"}


def post(g: Fight, man: Model, zone: Zone) -> Point:
    teams = [team.id for team in g.state.teams if team.side == man.side and not team.reserve]
    mates = [mate.id for mate in g.state.models if mate.team == man.team and mate.side == man.side]
    left, lower, right, upper = zone.box
    share = (teams.index(man.team) + 0.5) / len(teams) if man.team in teams else 0.5
    aside = APART * (mates.index(man.id) - (len(mates) - 1) / 2)
    if right - left >= upper - lower:
        return left + share * (right - left) + aside, (lower + upper) / 2
    return (left + right) / 2, lower + share * (upper - lower) + aside


# ---- hidden devices --------------------------------------------------------------------------------------------------


def hidden_devices(g: Fight, seats: tuple[Seat, ...]) -> None:
    """DOW-SET-08: both sides at once and in secret, device by device, until each has done."""
    if not g.terms.scenario.hidden_devices:
        return
    asks = {seat: ask for seat in seats if (ask := device_ask(g, seat)) is not None}
    answers = g.ask_all("DOW-SET-08", asks)
    laying = {seat: choice for seat, choice in answers.items() if choice["verb"] == "hide_device"}
    for seat, choice in laying.items():
        g.then(hide_device, seat, packed(choice))
    if laying:
        g.then(hidden_devices, tuple(laying))


def device_ask(g: Fight, seat: Seat) -> Ask | None:
    """Mines and Claymores that his men still carry, anywhere near his own edge."""
    edge: Any = g.state.side(seat).edge
    zone = device_zone(g.terms.scenario, g.terms.scenario.side(seat), edge)
    offers = []
    for man in g.state.of(seat):
        for kind in HIDDEN:
            if man.has(kind):
                ground = Spot.on("device", free_places(g, zone, MOVES.mine_reach, 0.0))
                fields: dict[str, Domain] = {"model": OneOf((man.id,)), "kind": OneOf((kind,)), "at": ground}
                if kind == "claymore":
                    fields["face"] = Number(0, 345, TURN, "degrees")
                offers.append(Offer("hide_device", "DOW-SET-08", fields))
    if not offers:
        return None
    return Ask("hidden_devices", (*offers, Offer("no_more_devices", "DOW-SET-08")), DONE, lambda c: why_not_hidden(g, zone, c))


def why_not_hidden(g: Fight, zone: Zone, choice: Choice) -> Refusal | None:
    at = choice.get("at")
    if choice.get("verb") != "hide_device" or not isinstance(at, list) or len(at) != 3:
        return None
    refusal = why_no_room(g, zone, (float(at[0]), float(at[1]), float(at[2])), MOVES.mine_reach, 0.0)
    return refusal and Refusal("DOW-SET-08", refusal.fact, refusal.data)


def hide_device(g: Fight, seat: Seat, args: Packed) -> None:
    """DOW-EXP-15: known to its owner's side alone."""
    choice = unpacked(args)
    man, number = g.state[choice["model"]], g.state.next_device(seat)
    x, y, z = (float(part) for part in choice["at"])
    at: Place = height_at(g, (x, y, z))
    kind, face = choice["kind"], float(choice.get("face", 0))
    holder = man.id if kind == "claymore" else ""
    device = Device(number, kind, seat, at, (seat,), facing=face, holder=holder, setter=man.id)
    g.edit(man.id, stores=counted(man.stores, kind, -1))
    g.change(devices=(*g.state.devices, device), laid=g.state.counted_device(seat))
    g.report("DOW-SET-08", "device_hidden", (seat,), who=man.id, device=kind, x=round(at[0], 1), y=round(at[1], 1))


PARAGRAPHS = (
    set_up, to_battle, vests, put_on, table_sides, choose_edge, take_edges, deployment_order, choose_deployer, deploy, deployed,
    left_out, hidden_devices, hide_device,
)  # fmt: skip
