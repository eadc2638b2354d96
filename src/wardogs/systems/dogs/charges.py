"""C4 and shaped charges: prepared by the quarter pound, stuck to walls and doors, blown by detonator."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from wardogs.kernel.offers import Choice, Domain, Number, Offer, OneOf, Refusal
from wardogs.systems.dogs.blasts import burst_rings, charge_of
from wardogs.systems.dogs.data import BLASTS, COSTS
from wardogs.systems.dogs.explosives import (
    C4_STORE,
    AtHisFeet,
    act_lost,
    explode_c4,
    is_engineer,
    knowers,
    lay,
    spend,
    why_no_hands,
)
from wardogs.systems.dogs.masonry import (
    FIGURES,
    Face,
    door_called,
    has_wall,
    house_now,
    inside_of,
    piece_level,
    vehicles_in_reach,
    walls_in_reach,
)
from wardogs.systems.dogs.measure import bearing, gap_to, off, within
from wardogs.systems.dogs.state import Device, Fight, Id, Model
from wardogs.systems.dogs.structures import breach, structure_hit
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, short_of_ap, unpacked
from wardogs.table.units import Place

SHAPED, GROUND = "shaped_charge", "ground"

# ---- where a charge may go -------------------------------------------------------------------------------------------


def wall_hosts(g: Fight, man: Model) -> dict[str, Place]:
    """DOW-EXP-02: the doors and walls that he touches, and where on them the charge would sit."""
    return {face.door or face.piece: stuck(man, face) for face in walls_in_reach(g, man)}


def stuck(man: Model, face: Face) -> Place:
    """On his side of the wall, so that it is clear on which side it bursts."""
    x, y = face.at
    far = hypot(man.at[0] - x, man.at[1] - y) or 1.0
    share = min(1.0, FIGURES.off_the_wall / far)
    return round(x + share * (man.at[0] - x), 3), round(y + share * (man.at[1] - y), 3), man.at[2]


def c4_hosts(g: Fight, man: Model) -> dict[str, Place]:
    """DOW-EXP-06, DOW-VEH-07: the ground before him, a wall or door, a vehicle."""
    feet = AtHisFeet(g, man, buried=False).places
    before = min(feet, key=lambda place: off(man.facing, bearing(man.at, place)), default=man.at)
    vehicles = {id_: (round(x, 3), round(y, 3), man.at[2]) for id_, (x, y) in vehicles_in_reach(g, man).items()}
    return {GROUND: before, **wall_hosts(g, man), **vehicles}


def fuse_field(g: Fight, detonator: bool) -> dict[str, Domain]:
    """DOW-EXP-04, with fuse_fixed: the turn at whose end it blows is chosen when it is set; 0 leaves C4 to the detonator."""
    if not g.terms.options.fuse_fixed:
        return {}
    turns = tuple(range(g.state.turn, max(g.state.turn, g.terms.scenario.turns) + 1))
    return {"due": OneOf((0, *turns) if detonator else turns)}


# ---- C4 --------------------------------------------------------------------------------------------------------------


def may_use_c4(g: Fight, man: Model) -> bool:
    """DOW-EXP-05: Combat Engineers; Green Berets and Delta without the perk."""
    return is_engineer(g, man) or FIGURES.free_charges in g.terms.who[man.id].special_rules


def why_no_c4(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-EXP-05, -06: who may, what he has, three AP for each quarter."""
    if not may_use_c4(g, man):
        return Refusal("DOW-EXP-05", "no_engineer", {"who": man.id})
    quarters = choice.get("quarters", 1)
    if not isinstance(quarters, int) or man.has(C4_STORE) < max(1, quarters):
        return Refusal("DOW-EXP-06", "lacks_device", {"kind": C4_STORE})
    return why_no_hands(man) or short_of_ap(man, quarters * COSTS.c4_per_quarter, "DOW-EXP-06")


def most_quarters(man: Model) -> int:
    return min(man.has(C4_STORE), man.ap // COSTS.c4_per_quarter)


def c4_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if man.has(C4_STORE) and why_no_c4(g, man, {}) is None:
        fields = one(man.id, on=OneOf(tuple(c4_hosts(g, man))), quarters=Number(1, most_quarters(man)), **fuse_field(g, True))
        yield Offer("set_c4", "DOW-EXP-06", fields, ap(COSTS.c4_per_quarter))


def why_not_c4(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    if (refusal := why_no_c4(g, man, choice)) is not None:
        return refusal
    wanted = choice.get("on", GROUND)
    return None if wanted in c4_hosts(g, man) else Refusal("DOW-EXP-06", "not_touching_it", {"on": wanted})


def set_c4(g: Fight, args: Packed) -> None:
    """DOW-EXP-06, -11, -15: it is complete from its first quarter on; the setter holds the detonator."""
    choice = unpacked(args)
    man, quarters = g.state[choice["model"]], choice["quarters"]
    at = c4_hosts(g, man).get(choice["on"])
    if not man.able or at is None or man.has(C4_STORE) < quarters:
        act_lost(g, man.id)
        return
    spend(g, man.id, C4_STORE, quarters)
    host = "" if choice["on"] == GROUND else choice["on"]
    table, due = g.terms.who[man.id].c4_table, choice.get("due", 0)
    lay(g, man, "c4", at, quarters=quarters, holder=man.id, host=host, table=table, due=due)


def own_charges(g: Fight, man: Model) -> tuple[int, ...]:
    """DOW-EXP-06: more is added only by its setter in contact with it."""
    return tuple(
        device.id for device in g.state.devices if device.kind == "c4" and device.setter == man.id and touches(man, device)
    )


def touches(man: Model, device: Device) -> bool:
    return within(gap_to(man, device.at), FIGURES.touch)


def add_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if man.has(C4_STORE) and why_no_c4(g, man, {}) is None and (found := own_charges(g, man)):
        fields = one(man.id, device=OneOf(found), quarters=Number(1, most_quarters(man)))
        yield Offer("add_c4", "DOW-EXP-06", fields, ap(COSTS.c4_per_quarter))


def why_not_add(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    found, wanted = own_charges(g, man), choice.get("device")
    if wanted not in found if wanted is not None else not found:
        return Refusal("DOW-EXP-06", "not_his_charge")
    return why_no_c4(g, man, choice)


def add_c4(g: Fight, args: Packed) -> None:
    """DOW-EXP-06: the charge grows."""
    choice = unpacked(args)
    man, quarters = g.state[choice["model"]], choice["quarters"]
    device = g.state.device(choice["device"])
    if device is None or not man.able or device.id not in own_charges(g, man) or man.has(C4_STORE) < quarters:
        act_lost(g, man.id)
        return
    spend(g, man.id, C4_STORE, quarters)
    known = tuple(sorted({*device.known, *knowers(g, man)}))
    g.edit(("devices", device.id), quarters=device.quarters + quarters, known=known)
    g.change(laid=g.state.counted_device(man.side, quarters))
    g.report("DOW-EXP-06", "charge_grows", known, who=man.id, device=device.id, quarters=device.quarters + quarters)


def c4_cost(g: Fight, man: Model, choice: Choice) -> int:
    cost: int = choice["quarters"] * COSTS.c4_per_quarter
    return cost


def c4_bursts(g: Fight, at: Place, by: Id, facing: float, quarters: int, table: str, host: str) -> None:
    """DOW-EXP-07 to -10, DOW-VEH-07: where it was set; on a vehicle, wherever that is now."""
    door = door_called(g, host)
    vehicle = next((one for one in g.state.vehicles if one.id == host and one.there), None)
    explode_c4(g, vehicle.at if vehicle else at, by, quarters, table, door.piece if door else host)


# ---- shaped charges --------------------------------------------------------------------------------------------------


def shaped_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if man.has(SHAPED) and why_not_shaped(g, man, {}) is None and (hosts := tuple(wall_hosts(g, man))):
        fields = one(man.id, on=OneOf(hosts), **fuse_field(g, False))
        yield Offer("set_shaped_charge", "DOW-EXP-02", fields, ap(COSTS.shaped_charge))


def why_not_shaped(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-EXP-02: Combat Engineers only; a door or wall in contact; three AP."""
    if not is_engineer(g, man):
        return Refusal("DOW-EXP-02", "no_engineer", {"who": man.id})
    if not man.has(SHAPED):
        return Refusal("DOW-EXP-02", "lacks_device", {"kind": SHAPED})
    if (refusal := why_no_hands(man) or short_of_ap(man, COSTS.shaped_charge, "DOW-EXP-02")) is not None:
        return refusal
    hosts, wanted = wall_hosts(g, man), choice.get("on")
    return Refusal("DOW-EXP-02", "not_touching_it") if (wanted not in hosts if wanted is not None else not hosts) else None


def set_shaped_charge(g: Fight, args: Packed) -> None:
    """DOW-EXP-02, -04, -15."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    at = wall_hosts(g, man).get(choice["on"])
    if not man.able or at is None or not man.has(SHAPED):
        act_lost(g, man.id)
        return
    spend(g, man.id, SHAPED)
    lay(g, man, "shaped_charge", at, host=choice["on"], due=choice.get("due", 0))


def shaped_charge_bursts(g: Fight, at: Place, by: Id, facing: float, quarters: int, table: str, host: str) -> None:
    """DOW-EXP-02, -03, DOW-STR-09: the hole first; then who stood too near; then the building itself."""
    door = door_called(g, host)
    piece = door.piece if door else host
    house, level = house_now(g, piece), piece_level(g, piece, at[2])
    if has_wall(g, piece, level):
        breach(g, piece, (at[0], at[1]), level)
    g.then(burst_rings, *charge_of(g, SHAPED, at, by))
    within_ = inside_of(g, at)
    target = (house.id, level) if house else (within_[0].id, within_[1]) if within_ else None
    if target is not None:
        g.then(structure_hit, *target, BLASTS[SHAPED].sdpr, at, by, True)


VERBS = (
    Verb("set_c4", "DOW-EXP-06", c4_offers, set_c4, why_not_c4, c4_cost),
    Verb("add_c4", "DOW-EXP-06", add_offers, add_c4, why_not_add, c4_cost),
    Verb(
        "set_shaped_charge",
        "DOW-EXP-02",
        shaped_offers,
        set_shaped_charge,
        why_not_shaped,
        lambda g, man, choice: COSTS.shaped_charge,
    ),
)
PARAGRAPHS = (set_c4, add_c4, c4_bursts, set_shaped_charge, shaped_charge_bursts)
