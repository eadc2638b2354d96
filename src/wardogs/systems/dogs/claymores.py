"""Claymores: a cone of steel balls at the end of a wire."""

from __future__ import annotations

from collections.abc import Iterator

from wardogs.kernel.offers import Choice, Number, Offer, Refusal, Spot
from wardogs.systems.dogs.blasts import Charge, burst_rings, charge_of, in_reach
from wardogs.systems.dogs.data import COSTS
from wardogs.systems.dogs.explosives import AtHisFeet, act_lost, lay, place_of, spend, why_not_lay
from wardogs.systems.dogs.masonry import FIGURES
from wardogs.systems.dogs.state import Device, Fight, Id, Model
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, unpacked
from wardogs.table.units import Place

CLAYMORE = "claymore"


def claymore_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_emplace(g, man, {}) is None:
        fields = one(man.id, to=Spot.on("lay", AtHisFeet(g.copy(g.fate), man, buried=False)), face=Number(0, 345, 15, "degrees"))
        yield Offer("emplace_claymore", "DOW-EXP-12", fields, ap(COSTS.emplace_claymore))


def why_not_emplace(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-EXP-12: he has one; three AP; at his feet, facing as he likes."""
    return why_not_lay(g, man, (CLAYMORE, COSTS.emplace_claymore, "DOW-EXP-12", False), choice.get("to"))


def emplace_claymore(g: Fight, args: Packed) -> None:
    """DOW-EXP-12, -15: it faces as it is placed, and he holds the clacker."""
    choice = unpacked(args)
    man, place = g.state[choice["model"]], place_of(choice["to"])
    if place is None or not man.able or not man.has(CLAYMORE) or not AtHisFeet(g, man, buried=False).admits(place):
        act_lost(g, man.id)
        return
    spend(g, man.id, CLAYMORE)
    lay(g, man, "claymore", place, facing=float(choice["face"]), holder=man.id)


def claymore_bursts(g: Fight, at: Place, by: Id, facing: float, quarters: int, table: str, host: str) -> None:
    """DOW-EXP-12: in its cone dead to five inches, two rolls to ten; nothing behind it."""
    g.then(burst_rings, *charge_of(g, CLAYMORE, at, by)._replace(sector=(facing, float(FIGURES.cone))))


def cone_of(g: Fight, device: Device) -> Charge:
    """What it would do if it went off now."""
    return charge_of(g, CLAYMORE, device.at, device.setter)._replace(sector=(device.facing, float(FIGURES.cone)))


def in_cone(g: Fight, device: Device) -> list[Id]:
    """DOW-EXP-12: whom it would catch: some of the base in the cone, within its reach."""
    return [man.id for man in in_reach(g, cone_of(g, device))]


VERBS = (
    Verb(
        "emplace_claymore", "DOW-EXP-12", claymore_offers, emplace_claymore, why_not_emplace,
        lambda g, man, choice: COSTS.emplace_claymore,
    ),
)  # fmt: skip
PARAGRAPHS = (emplace_claymore, claymore_bursts)
