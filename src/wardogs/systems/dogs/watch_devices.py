"""What a watcher may do beside firing: throw a grenade, trigger a device."""

from __future__ import annotations

from wardogs.kernel.offers import Offer, OneOf
from wardogs.systems.dogs.claymores import in_cone
from wardogs.systems.dogs.data import COSTS
from wardogs.systems.dogs.explosives import c4_zones, can_trigger
from wardogs.systems.dogs.measure import gap_to, within
from wardogs.systems.dogs.seeing import eyes_on
from wardogs.systems.dogs.state import Fight, Id, Model
from wardogs.systems.dogs.throwing import offers_to_throw
from wardogs.systems.dogs.verbs import ap, one


def throw_offers(g: Fight, man: Model, points: int) -> list[Offer]:
    """DOW-OPF-03, -11: a grenade at an enemy his side sees within its blast."""
    return list(offers_to_throw(g, man, "op_throw", points, True))


def device_offers(g: Fight, man: Model, points: int) -> list[Offer]:
    """DOW-EXP-11, -13, DOW-OPF-11: a Claymore, charge or vest that would catch an enemy whom his side sees."""
    triggers = can_trigger(g, man) if points >= COSTS.trigger and not man.ima else ()  # DOW-HLT-03
    if not triggers:
        return []
    seen = {enemy.id for enemy in g.state.enemies(man) if seen_by_side(g, man, enemy)}
    found = tuple(number for number in triggers if seen & set(endangered(g, man, number)))
    return [Offer("op_trigger", "DOW-EXP-13", one(man.id, device=OneOf(found)), ap(COSTS.trigger))] if found else []


def seen_by_side(g: Fight, man: Model, enemy: Model) -> bool:
    return any(mate.conscious for mate in eyes_on(g, man.side, enemy))


def endangered(g: Fight, man: Model, number: int) -> list[Id]:
    """Who stands within the cone or blast of what he could set off."""
    device = g.state.device(number)
    if device is not None and device.kind == "claymore":
        return in_cone(g, device)
    at, quarters, table = (man.at, man.vest, "army") if device is None else (device.at, device.quarters, device.table)
    reach = c4_zones(g, table, quarters).blast
    return [other.id for other in g.state.models if other.alive and other.on_table and within(gap_to(other, at), reach)]
