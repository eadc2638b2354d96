"""Doors: opening and shutting them, and kicking in those that are locked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.data import BODY, COSTS
from wardogs.systems.dogs.masonry import Door, door_called, door_gap, doors_in_reach, holds, house_now
from wardogs.systems.dogs.measure import CLOSE
from wardogs.systems.dogs.state import Fight, Model, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, short_of_ap, unpacked

LOCKED = ("locked", "barricaded")

# ---- may he? ---------------------------------------------------------------------------------------------------------


def why_not_door(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-MOV-21, DOW-ACT-10: a door that he touches, in the state that the act needs."""
    needs, rule, reason = ACTS[choice["verb"]]
    if man.vehicle:
        return Refusal("DOW-VEH-06", "aboard")
    if man.climbing:
        return Refusal("DOW-MOV-11", "on_the_face")
    near = doors_in_reach(g, man)
    wanted = choice.get("door")
    here = [door for door in near if wanted in (None, door.id)]
    if not here:
        return Refusal(rule, "no_door_in_reach", {} if wanted is None else {"door": wanted})
    reasons = [reason(g, man, door) for door in here]
    if None in reasons:
        return short_of_ap(man, needs, rule)
    return reasons[0]


def why_not_open(g: Fight, man: Model, door: Door) -> Refusal | None:
    """DOW-MOV-21: a shut one; a locked one from the inside only."""
    if door.state not in ("shut", *LOCKED):
        return Refusal("DOW-MOV-21", "door_open_already", {"door": door.id, "name": door.name})
    if door.state in LOCKED and not is_inside(g, man, door):
        return Refusal("DOW-MOV-21", "door_locked", {"door": door.id, "name": door.name})
    return None


def is_inside(g: Fight, man: Model, door: Door) -> bool:
    """Only a door to the outside has an inside; one between rooms, or a gate, is locked for both sides."""
    house = house_now(g, door.house) if door.house and door.state == "locked" else None
    return house is not None and holds(house, man.at)


def why_not_shut(g: Fight, man: Model, door: Door) -> Refusal | None:
    """DOW-MOV-21: an open one with nobody in the doorway."""
    if door.state != "open":
        return Refusal("DOW-MOV-21", "door_not_open", {"door": door.id, "name": door.name})
    for other_ in g.state.models:
        if other_.living and abs(other_.at[2] - door.z) <= BODY.contact_rise and door_gap(other_, door) <= CLOSE:
            return Refusal("DOW-MOV-21", "doorway_taken", {"door": door.id, "name": door.name, "who": other_.id})
    return None


def why_not_force(g: Fight, man: Model, door: Door) -> Refusal | None:
    """DOW-ACT-10: a plain locked door; a strong one yields to a shaped charge only."""
    if door.state not in LOCKED:
        return Refusal("DOW-ACT-10", "door_not_locked", {"door": door.id, "name": door.name})
    if door.strong:
        return Refusal("DOW-ACT-10", "door_too_strong", {"door": door.id, "name": door.name})
    return None


Reason = Callable[[Fight, Model, Door], Refusal | None]
ACTS: dict[str, tuple[int, str, Reason]] = {
    "open_door": (COSTS.open_door, "DOW-MOV-21", why_not_open),
    "shut_door": (COSTS.open_door, "DOW-MOV-21", why_not_shut),
    "force_door": (COSTS.force_door.ap, "DOW-ACT-10", why_not_force),
}


def door_offers(g: Fight, man: Model, verb: str) -> Iterator[Offer]:
    needs, rule, reason = ACTS[verb]
    if man.ap < needs or man.vehicle or man.climbing:
        return
    found = tuple(door.id for door in doors_in_reach(g, man) if reason(g, man, door) is None)
    if found:
        yield Offer(verb, rule, one(man.id, door=OneOf(found)), ap(needs))


# ---- carrying it out -------------------------------------------------------------------------------------------------


def door_still(g: Fight, args: Packed) -> tuple[Model, Door] | None:
    """DOW-APT-06: he is able, and the door is still there to be worked."""
    choice = unpacked(args)
    man, door = g.state[choice["model"]], door_called(g, choice["door"])
    if not man.able or door is None or ACTS[choice["verb"]][2](g, man, door) is not None:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return None
    return man, door


def set_door(g: Fight, door: Door, state: str) -> None:
    g.change(changes=(*g.state.changes, ("opening", door.called, state, door.level)))


def open_door(g: Fight, args: Packed) -> None:
    """DOW-MOV-21, DOW-OPF-05 c: it stands open, and who watches the doorway sees him appear."""
    if (found := door_still(g, args)) is not None:
        man, door = found
        set_door(g, door, "open")
        g.report("DOW-MOV-21", "opens_door", who=man.id, door=door.id, name=door.name)
        later(g, "window", other(man.side), "appeared", man.id)


def shut_door(g: Fight, args: Packed) -> None:
    """DOW-MOV-21."""
    if (found := door_still(g, args)) is not None:
        man, door = found
        set_door(g, door, "shut")
        g.report("DOW-MOV-21", "shuts_door", who=man.id, door=door.id, name=door.name)


def force_door(g: Fight, args: Packed) -> None:
    """DOW-ACT-10: D10 at most ST breaks it in; it will not shut again."""
    if (found := door_still(g, args)) is None:
        return
    man, door = found
    need = g.terms.who[man.id].st
    if g.roll("DOW-ACT-10", D10, at_most(D10, need), who=man.id, need=need, door=door.id, name=door.name):
        set_door(g, door, "gone")
        g.report("DOW-ACT-10", "door_gives", who=man.id, door=door.id, name=door.name)
        later(g, "window", other(man.side), "appeared", man.id)
    else:
        g.report("DOW-ACT-10", "door_holds", who=man.id, door=door.id, name=door.name)


def door_cost(g: Fight, man: Model, choice: Choice) -> int:
    return ACTS[choice["verb"]][0]


def _verb(name: str, carry_out: Callable[..., None]) -> Verb:
    return Verb(name, ACTS[name][1], lambda g, man: door_offers(g, man, name), carry_out, why_not_door, door_cost)


VERBS = (_verb("open_door", open_door), _verb("shut_door", shut_door), _verb("force_door", force_door))
PARAGRAPHS = (open_door, shut_door, force_door)
