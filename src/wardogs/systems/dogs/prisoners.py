"""Prisoners: the demand for surrender, binding, leading, freeing, and who slips away."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.offers import Ask, Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.closing import named
from wardogs.systems.dogs.data import COSTS, MELEE, MORALE_MODS, POOL, WEAPONS, load
from wardogs.systems.dogs.falling import lost
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.holdings import given, is_store, kinds_of
from wardogs.systems.dogs.measure import gap, in_contact, opponents, plan_gap, within
from wardogs.systems.dogs.moving import nothing, why_not_free
from wardogs.systems.dogs.seeing import why_unseen
from wardogs.systems.dogs.state import Fight, Id, Model, counted
from wardogs.systems.dogs.tackling import let_all_go, places_beside
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, short_of_ap, unpacked
from wardogs.systems.dogs.ways import MODES, field
from wardogs.table.reach import graph_of


class Prisoners(Struct, frozen=True, forbid_unknown_fields=True):
    freed_beyond: int
    guarded_within: int
    source: Source


PRISONERS = load("closing.toml", "prisoners", Prisoners)

# ---- the demand ------------------------------------------------------------------------------------------------------


def why_not_ask(g: Fight, man: Model, target: Model) -> Iterator[Refusal]:
    """DOW-MOR-09, DOW-APT-07: an enemy within 5 inches and in sight, once in an activation."""
    if target.side == man.side or not target.alive or not target.on_table or not target.conscious or target.captured:
        yield Refusal("DOW-MOR-09", "cannot_surrender", {"target": target.id})
        return
    if target.id in man.demanded:
        yield Refusal("DOW-APT-07", "asked_already", {"target": target.id})
    if not within(gap(man, target), MORALE_MODS.surrender_range):
        yield Refusal("DOW-MOR-09", "too_far_to_ask", {"target": target.id, "range": MORALE_MODS.surrender_range})
    yield from why_unseen(g, man, target)


def why_not_demand(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    target = named(g, choice.get("target"))
    return first_refusal(why_not_ask(g, man, target)) if target else None


def demand_offers(g: Fight, man: Model) -> Iterator[Offer]:
    targets = tuple(foe.id for foe in g.state.enemies(man) if first_refusal(why_not_ask(g, man, foe)) is None)
    if targets:
        yield Offer("demand", "DOW-MOR-09", one(man.id, target=OneOf(targets)), ap(COSTS.demand_surrender))


def demand(g: Fight, args: Packed) -> None:
    """DOW-MOR-08, -09, DOW-TRT-16: the broken must, Jihad never does, others may; the owner is asked."""
    choice = unpacked(args)
    who, target = choice["model"], g.state[choice["target"]]
    yields = must_surrender(g, target)
    if not yields and "jihad" not in g.terms.who[target.id].perks:
        offers = (Offer("refuse", "DOW-MOR-09"), Offer("surrender", "DOW-MOR-09", gives_up=True))
        yields = g.ask("DOW-MOR-09", target.side, Ask("surrender", offers, {"verb": "refuse"}))["verb"] == "surrender"
    g.then(demanded, who, target.id, yields)


def must_surrender(g: Fight, man: Model) -> bool:
    """DOW-MOR-08, -09: any broken man; by the house rules only one who is trapped."""
    return man.broken and (not g.terms.options.surrender_only_if_trapped or is_trapped(g, man))


def is_trapped(g: Fight, man: Model) -> bool:
    """DOW-MOR-08: he cannot retreat: he cannot move, or nowhere in reach is farther from the nearest enemy."""
    if man.immobilized or man.held_by:
        return True
    foes = [foe for foe in g.state.enemies(man) if foe.able]
    if not foes:
        return False
    here = min(gap(man, foe) for foe in foes)
    reach = field(g, man, "walk", float(POOL.ap))
    places = (reach.graph.place(int(node)) for node in reach.rough_nodes[0])
    return not any(min(gap(replace(man, at=place), foe) for foe in foes) > here for place in places)


def demanded(g: Fight, who: Id, target: Id, yields: bool) -> None:
    g.edit(who, demanded=tuple(sorted({*g.state[who].demanded, target})))
    g.report("DOW-MOR-09", "demands", who=who, at=target, yields=yields)
    if yields:
        g.then(surrenders, target, who)


def surrenders(g: Fight, who: Id, to: Id) -> None:
    """DOW-MOR-08, DOW-TAK-08: hands up: captured, not yet bound."""
    g.report("DOW-MOR-08", "surrenders", who=who, to=to)
    g.then(captured, who)


# ---- captives --------------------------------------------------------------------------------------------------------

FREE_OF_ALL = {
    "opfire": False, "ap": 0, "ducking": "", "returning": False, "edge": (), "distracted": False, "charged": "", "tackling": "",
    "leading": "",
}  # fmt: skip


def captured(g: Fight, who: Id) -> None:
    """DOW-TAK-08: disarmed, his weapons at his feet; a loss to his team (DOW-MOR-02)."""
    man = g.state[who]
    lost(g, man)
    let_all_go(g, man)
    g.edit(who, **FREE_OF_ALL, captured=True, held_by="")
    lay_down_arms(g, g.state[who])


def lay_down_arms(g: Fight, man: Model) -> None:
    """DOW-TAK-08: firearms, blades, clubs and all that bursts lie at his feet."""
    things = tuple(dict.fromkeys(kind for kind in kinds_of(man) if is_arm(kind)))
    for kind in things:
        n = max(1, man.has(kind))
        fields, item = given(g.state[man.id], kind)
        if man.has(kind):
            fields["stores"] = counted(g.state[man.id].stores, kind, -n)
        g.edit(man.id, **fields)
        g.change(items=(*g.state.items, replace(item, id=g.state.made + 1, at=man.at, n=n)), made=g.state.made + 1)
    if things:
        g.report("DOW-TAK-08", "disarmed", who=man.id, things=list(things))


def is_arm(kind: str) -> bool:
    return kind in WEAPONS or kind in MELEE or is_store(kind) or kind == "bayonet"


def captives_go(g: Fight) -> None:
    """DOW-TAK-08: who surrendered, is not bound and has no able enemy near goes free, still broken if he was."""
    for man in g.state.models:
        if man.captured and not man.bound and man.alive and man.on_table and not is_guarded(g, man, PRISONERS.guarded_within):
            set_free(g, man)
            g.report("DOW-TAK-08", "slips_away", who=man.id)


def is_guarded(g: Fight, man: Model, range_: int) -> bool:
    return any(foe.able and within(gap(man, foe), range_) for foe in g.state.enemies(man))


def set_free(g: Fight, man: Model) -> None:
    """DOW-TAK-07: nobody leads him any more."""
    g.edit(man.id, captured=False, bound=False, held_by="")
    for captor in g.state.models:
        if captor.leading == man.id:
            g.edit(captor.id, leading="")


# ---- binding ---------------------------------------------------------------------------------------------------------


def why_not_handle(g: Fight, man: Model, target: Model) -> Iterator[Refusal]:
    """Hands on another: base contact, and an arm to do it with."""
    if len(man.useless) == 2:
        yield Refusal("DOW-RNG-12", "arm_useless", {"hands": 1})
    if not target.alive or not target.on_table or target.vehicle or not in_contact(g, man, target):
        yield Refusal("DOW-CQC-03", "not_in_contact", {"target": target.id})


def why_not_tie(g: Fight, man: Model, target: Model) -> Iterator[Refusal]:
    """DOW-TAK-05, DOW-EQP-19: an enemy who is overpowered, has surrendered or lies unconscious."""
    yield from why_not_handle(g, man, target)
    if target.side == man.side or target.bound or not (target.held_by or target.captured or not target.conscious):
        yield Refusal("DOW-TAK-05", "not_to_be_bound", {"target": target.id})


def why_not_bind(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    target = named(g, choice.get("target"))
    return first_refusal(why_not_tie(g, man, target)) or short_of_ap(man, COSTS.bind, "DOW-TAK-05") if target else None


def bind_offers(g: Fight, man: Model) -> Iterator[Offer]:
    targets = tuple(foe.id for foe in opponents(g, man) if why_not_bind(g, man, {"target": foe.id}) is None)
    if targets:
        yield Offer("bind", "DOW-TAK-05", one(man.id, target=OneOf(targets)), ap(COSTS.bind))


def bind_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.bind


def bind(g: Fight, args: Packed) -> None:
    """DOW-TAK-05: hands tied: captured and incapacitated; a vest under his coat stays quiet (DOW-EXP-14)."""
    choice = unpacked(args)
    man, target = g.state[choice["model"]], g.state[choice["target"]]
    if not man.able or first_refusal(why_not_tie(g, man, target)) is not None:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    g.report("DOW-TAK-05", "binds", who=man.id, at=target.id)
    if not target.captured:
        g.then(captured, target.id)
    g.then(tied, target.id)


def tied(g: Fight, who: Id) -> None:
    g.edit(who, bound=True)


# ---- leading ---------------------------------------------------------------------------------------------------------


def why_not_lead(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-TAK-07: a prisoner in contact who can walk, and nobody else has him."""
    target = named(g, choice.get("target"))
    if target is None:
        return None
    if not target.captured or target.side == man.side:
        return Refusal("DOW-TAK-07", "no_prisoner", {"target": target.id})
    led = target.carried_by or any(captor.leading == target.id for captor in g.state.models)
    if led or man.leading or man.carrying or man.stance == "prone" or not target.conscious or target.immobilized:
        return Refusal("DOW-TAK-07", "cannot_be_led", {"target": target.id})
    return first_refusal(why_not_handle(g, man, target)) or why_not_free(man, "lead")


def lead_offers(g: Fight, man: Model) -> Iterator[Offer]:
    targets = tuple(foe.id for foe in opponents(g, man) if why_not_lead(g, man, {"target": foe.id}) is None)
    if targets:
        yield Offer("lead", "DOW-TAK-07", one(man.id, target=OneOf(targets)), ap(0))


def lead(g: Fight, args: Packed) -> None:
    """DOW-TAK-07: on his feet, and along at walking rate."""
    choice = unpacked(args)
    g.edit(choice["target"], stance="standing", held_by="")
    g.edit(choice["model"], leading=choice["target"])
    g.report("DOW-TAK-07", "leads", who=choice["model"], at=choice["target"])


def why_not_let_go(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    if not man.leading:
        return Refusal("DOW-TAK-07", "leads_nobody")
    return why_not_free(man, "let_go")


def let_go_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_let_go(g, man, {}) is None:
        yield Offer("let_go", "DOW-TAK-07", one(man.id), ap(0))


def leave_prisoner(g: Fight, args: Packed) -> None:
    """DOW-TAK-08: he stays where he is."""
    who = unpacked(args)["model"]
    g.report("DOW-TAK-07", "lets_go", who=who, at=g.state[who].leading)
    g.edit(who, leading="")


def keep_beside(g: Fight, who: Id, arrived: bool = False) -> None:
    """DOW-TAK-07: a prisoner stands in contact with his captor, on the side from which he came; else he is left behind."""
    man = g.state[who]
    if not man.leading:
        return
    led = g.state[man.leading]
    others = [model for model in g.state.models if model.living and model.id not in (man.id, led.id)]
    graph = graph_of(table_now(g), MODES["walk"])
    for place in places_beside(g, man, led.at):
        beside = replace(led, at=place)
        if in_contact(g, man, beside) and graph.stands(place) and all(plan_gap(beside, other) > 0 for other in others):
            g.edit(led.id, at=place)
            return
    if arrived and not in_contact(g, man, led):
        g.report("DOW-TAK-07", "lets_go", who=who, at=led.id)
        g.edit(who, leading="")


# ---- freeing ---------------------------------------------------------------------------------------------------------


def why_not_free_him(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-TAK-07: a friend in contact, and no able enemy near the prisoner."""
    target = named(g, choice.get("target"))
    if target is None:
        return None
    if target.side != man.side or not target.captured:
        return Refusal("DOW-TAK-07", "no_prisoner", {"target": target.id})
    if is_guarded(g, target, PRISONERS.freed_beyond):
        return Refusal("DOW-TAK-07", "guarded", {"target": target.id, "range": PRISONERS.freed_beyond})
    return first_refusal(why_not_handle(g, man, target)) or short_of_ap(man, COSTS.free_prisoner, "DOW-TAK-07")


def free_offers(g: Fight, man: Model) -> Iterator[Offer]:
    targets = tuple(mate.id for mate in g.state.of(man.side) if why_not_free_him(g, man, {"target": mate.id}) is None)
    if targets:
        yield Offer("free_prisoner", "DOW-TAK-07", one(man.id, target=OneOf(targets)), ap(COSTS.free_prisoner))


def free_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.free_prisoner


def free_prisoner(g: Fight, args: Packed) -> None:
    """DOW-TAK-07: cut loose; his arms are where they fell."""
    choice = unpacked(args)
    man, target = g.state[choice["model"]], g.state[choice["target"]]
    if not man.able or why_not_free_him(g, replace(man, ap=man.ap_before), choice) is not None:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    set_free(g, target)
    g.report("DOW-TAK-07", "freed", who=target.id, by=man.id)


VERBS = (
    Verb("demand", "DOW-MOR-09", demand_offers, demand, why_not_demand, nothing, watched=False),
    Verb("bind", "DOW-TAK-05", bind_offers, bind, why_not_bind, bind_cost),
    Verb("lead", "DOW-TAK-07", lead_offers, lead, why_not_lead, nothing, watched=False),
    Verb("let_go", "DOW-TAK-07", let_go_offers, leave_prisoner, why_not_let_go, nothing, watched=False),
    Verb("free_prisoner", "DOW-TAK-07", free_offers, free_prisoner, why_not_free_him, free_cost),
)
PARAGRAPHS = (
    demand, demanded, surrenders, captured, captives_go, bind, tied, lead, leave_prisoner, keep_beside, free_prisoner,
)  # fmt: skip
