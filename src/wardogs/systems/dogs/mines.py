"""Anti-personnel mines: laid in secret, set off by whoever treads on them, lifted by engineers."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import shapely

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal, Seat, Spot
from wardogs.systems.dogs.blasts import burst
from wardogs.systems.dogs.data import BLASTS, COSTS
from wardogs.systems.dogs.explosives import (
    AtHisFeet,
    act_lost,
    goes_off,
    is_engineer,
    knowers,
    lay,
    on_mine,
    place_of,
    spend,
    take_away,
    why_no_hands,
    why_not_lay,
)
from wardogs.systems.dogs.figures import MOVES
from wardogs.systems.dogs.masonry import FIGURES, nearest_on
from wardogs.systems.dogs.measure import gap_to, within
from wardogs.systems.dogs.rotors import hull_shape
from wardogs.systems.dogs.state import Device, Fight, Id, Model, counted
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, short_of_ap, unpacked
from wardogs.table.units import Place

MINE = "ap_mine"

# ---- laying ----------------------------------------------------------------------------------------------------------


def mine_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_mine(g, man, {}) is None:
        yield Offer(
            "place_mine",
            "DOW-EXP-01",
            one(man.id, to=Spot.on("lay", AtHisFeet(g.copy(g.fate), man, buried=True))),
            ap(COSTS.place_mine),
        )


def why_not_mine(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-EXP-01: he has one; three AP; in the ground at his feet."""
    return why_not_lay(g, man, (MINE, COSTS.place_mine, "DOW-EXP-01", True), choice.get("to"))


def place_mine(g: Fight, args: Packed) -> None:
    """DOW-EXP-01, -15: buried, and hidden from all who did not see him do it."""
    choice = unpacked(args)
    man, place = g.state[choice["model"]], place_of(choice["to"])
    if place is None or not man.able or not man.has(MINE) or not AtHisFeet(g, man, buried=True).admits(place):
        act_lost(g, man.id)
        return
    spend(g, man.id, MINE)
    lay(g, man, "ap_mine", place)


# ---- treading on one -------------------------------------------------------------------------------------------------


def mines_under(g: Fight, who: Id, before: Place | None = None) -> None:
    """DOW-EXP-01: any mine that his base has passed over goes off, whoever laid it; given where he was, on the way too."""
    man = g.state[who]
    if man.on_table and not man.vehicle and not man.carried_by:
        for device in g.state.devices:
            if device.kind == MINE and trodden(man, device, before):
                g.then(trodden_on, device.id, who)


def trodden(man: Model, device: Device, before: Place | None) -> bool:
    if on_mine(man, device.at):
        return True
    if before is None or abs(before[2] - man.at[2]) > MOVES.mine_reach or abs(man.at[2] - device.at[2]) > MOVES.mine_reach:
        return False
    x, y = nearest_on(device.at, ((before[0], before[1]), (man.at[0], man.at[1])))
    return within(hypot(x - device.at[0], y - device.at[1]), MOVES.mine_reach)


def trodden_on(g: Fight, number: int, who: Id) -> None:
    """DOW-EXP-01: crawling, dragging, friend or foe."""
    g.report("DOW-EXP-01", "treads_on_mine", who=who)
    g.then(goes_off, number, "")


def mines_under_hull(g: Fight, vehicle_id: str) -> None:
    """DOW-EXP-01, DOW-GEN-11: a vehicle is a model too: what its hull passes over, on the ground, goes off."""
    vehicle = g.state.vehicle(vehicle_id)
    if vehicle.altitude:
        return
    for device in g.state.devices:
        under = hull_shape(vehicle).covers(shapely.Point(device.at[:2])) and abs(vehicle.at[2] - device.at[2]) <= MOVES.mine_reach
        if device.kind == MINE and under:
            g.then(driven_over, device.id, vehicle_id, device.setter)


def driven_over(g: Fight, number: int, vehicle_id: str, by: Id) -> None:
    """DOW-VEH-04, DOW-STR-04: it bursts right under the body."""
    g.report("DOW-EXP-01", "drives_over_mine", vehicle=vehicle_id)
    g.then(goes_off, number, "")
    later(g, "vehicle_blast", vehicle_id, BLASTS[MINE].sdpr, by)


def ap_mine_bursts(g: Fight, at: Place, by: Id, facing: float, quarters: int, table: str, host: str) -> None:
    """DOW-EXP-01: the template of the M67, centred on itself."""
    g.then(burst, MINE, at, by)


# ---- lifting ---------------------------------------------------------------------------------------------------------


def liftable(g: Fight, man: Model) -> tuple[int, ...]:
    """DOW-EXP-01: the mines that his side knows of within an inch of his base."""
    return tuple(
        device.id
        for device in g.state.devices
        if device.kind == MINE and man.side in device.known and within(gap_to(man, device.at), FIGURES.lift_within)
    )


def lift_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if is_engineer(g, man) and man.ap >= COSTS.lift_mine.ap and why_no_hands(man) is None and (found := liftable(g, man)):
        yield Offer("lift_mine", "DOW-EXP-01", one(man.id, device=OneOf(found)), ap(COSTS.lift_mine.ap))


def why_not_lift(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-EXP-01: a Combat Engineer, near a mine that his side knows of."""
    if not is_engineer(g, man):
        return Refusal("DOW-EXP-01", "no_engineer", {"who": man.id})
    found, wanted = liftable(g, man), choice.get("device")
    if wanted not in found if wanted is not None else not found:
        return Refusal("DOW-EXP-01", "no_mine_known_here", {"within": FIGURES.lift_within})
    return why_no_hands(man) or short_of_ap(man, COSTS.lift_mine.ap, "DOW-EXP-01")


def lift_mine(g: Fight, args: Packed) -> None:
    """DOW-EXP-01: D10 at most WK and it is his; else it explodes."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    if not man.able or choice["device"] not in liftable(g, man):
        act_lost(g, man.id)
        return
    need, told = g.terms.who[man.id].wk, witnesses_of(g, man, choice["device"])
    if g.roll("DOW-EXP-01", D10, at_most(D10, need), told, who=man.id, need=need):
        take_away(g, choice["device"])
        g.edit(man.id, stores=counted(man.stores, MINE, 1))
        g.report("DOW-EXP-01", "mine_lifted", told, who=man.id)
    else:
        g.report("DOW-EXP-01", "mine_slips", told, who=man.id)
        g.then(goes_off, choice["device"], "")


def witnesses_of(g: Fight, man: Model, number: int) -> tuple[Seat, ...]:
    """DOW-EXP-15: who knows of the mine, or sees him at it."""
    device = g.state.device(number)
    assert device is not None
    return tuple(sorted({*device.known, *knowers(g, man)}))


VERBS = (
    Verb("place_mine", "DOW-EXP-01", mine_offers, place_mine, why_not_mine, lambda g, man, choice: COSTS.place_mine),
    Verb("lift_mine", "DOW-EXP-01", lift_offers, lift_mine, why_not_lift, lambda g, man, choice: COSTS.lift_mine.ap),
)
PARAGRAPHS = (place_mine, mines_under, trodden_on, mines_under_hull, driven_over, ap_mine_bursts, lift_mine)
