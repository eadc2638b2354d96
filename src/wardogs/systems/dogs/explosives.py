"""Mines, charges and Claymores: laying them, who knows of them, setting them off."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, radians, sin
from typing import Any, Literal, NamedTuple, TypeAlias

from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal, Seat
from wardogs.systems.dogs.blasts import Charge, burst_rings
from wardogs.systems.dogs.data import BLASTS, BODY, C4, COSTS, C4Table, Zones
from wardogs.systems.dogs.figures import MOVES
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.masonry import FIGURES, blocked, inside_of, piece_level
from wardogs.systems.dogs.measure import CLOSE, gap_to, in_contact, within
from wardogs.systems.dogs.seeing import sees_now
from wardogs.systems.dogs.state import Device, Fight, Id, Model, counted
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, short_of_ap, unpacked
from wardogs.systems.dogs.ways import MODES
from wardogs.table.ground import floors_under
from wardogs.table.reach import graph_of
from wardogs.table.units import Place

Kind: TypeAlias = Literal["ap_mine", "claymore", "c4", "shaped_charge"]
VEST = 0  # the number by which a man names his own vest
C4_STORE = "c4_quarters"
BEARINGS = range(0, 360, 15)
FIRED = ("claymore", "c4")  # what a trigger sets off
FUSED = ("c4", "shaped_charge")  # what a fuse may set off
RULES: dict[str, str] = {"ap_mine": "DOW-EXP-01", "claymore": "DOW-EXP-12", "c4": "DOW-EXP-10", "shaped_charge": "DOW-EXP-02"}

# ---- who may, who knows ----------------------------------------------------------------------------------------------


def is_engineer(g: Fight, man: Model) -> bool:
    return FIGURES.engineer in g.terms.who[man.id].perks


def why_no_hands(man: Model) -> Refusal | None:
    """He has ground under him, and an arm to work with."""
    if man.vehicle:
        return Refusal("DOW-VEH-06", "aboard")
    if man.climbing:
        return Refusal("DOW-MOV-11", "on_the_face")
    return None


def knowers(g: Fight, setter: Model) -> tuple[Seat, ...]:
    """DOW-EXP-15: his own side; the enemy only if one of his models has him in sight while he sets it."""
    seen = any(enemy.conscious and sees_now(g, enemy, setter) for enemy in g.state.enemies(setter))
    return (1, 2) if seen else (setter.side,)


def lay(g: Fight, man: Model, kind: Kind, at: Place, **fields: Any) -> None:
    """A new device on the table; DOW-EXP-15: only those who know of it hear of it."""
    number = g.state.next_device(man.side)
    device = Device(number, kind, man.side, at, knowers(g, man), setter=man.id, **fields)
    g.change(devices=(*g.state.devices, device), laid=g.state.counted_device(man.side, device.quarters or 1))
    g.report(RULES[kind], "lays", device.known, who=man.id, kind=kind, at=at, device=number)


def spend(g: Fight, who: Id, kind: str, n: int = 1) -> None:
    g.edit(who, stores=counted(g.state[who].stores, kind, -n))


def take_away(g: Fight, number: int) -> None:
    g.change(devices=tuple(device for device in g.state.devices if device.id != number))


def act_lost(g: Fight, who: Id) -> None:
    """DOW-APT-06: paid, and no longer possible."""
    g.report("DOW-APT-06", "act_lost", who=who)


# ---- at his feet -----------------------------------------------------------------------------------------------------


class AtHisFeet(NamedTuple):
    """Where he may lay something: in base contact, on his floor, with no wall between."""

    g: Fight
    man: Model
    buried: bool  # a mine lies in the ground, and not under anybody

    def admits(self, place: tuple[float, ...]) -> bool:
        return len(place) == 3 and self.why_not((place[0], place[1], place[2])) is None

    def why_not(self, place: Place) -> str | None:
        x, y, z = self.man.at
        far = hypot(place[0] - x, place[1] - y)
        if not FIGURES.lay_least - CLOSE <= far <= FIGURES.lay_most + CLOSE or abs(place[2] - z) > BODY.contact:
            return "not_at_his_feet"
        if not all(0 <= part <= most for part, most in zip(place[:2], table_now(self.g).size, strict=True)):
            return "beyond_the_edge"
        if blocked(self.g, self.man.at, (place[0], place[1])):
            return "wall_in_between"
        return self._why_not_buried(place) if self.buried else None

    def _why_not_buried(self, place: Place) -> str | None:
        if floors_under(graph_of(table_now(self.g), MODES["walk"]).ground, place) != 0:
            return "not_on_the_ground"
        taken = any(man.living and on_mine(man, place) for man in self.g.state.models)
        return "somebody_on_it" if taken else None

    def why_nowhere(self, wanted: object) -> str | None:
        """Why not at the place that he wants; or, if he names none, why not at any."""
        place = place_of(wanted)
        if place is not None:
            return self.why_not(place)
        return None if self.places else self.why_not(self.ring[0])

    @property
    def ring(self) -> tuple[Place, ...]:
        x, y, z = self.man.at
        found = ((x + FIGURES.lay_at * sin(radians(b)), y + FIGURES.lay_at * cos(radians(b))) for b in BEARINGS)
        return tuple((round(px, 3), round(py, 3), z) for px, py in found)

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for place in self.ring if self.why_not(place) is None)

    @property
    def size(self) -> int:
        return len(self.places)

    def pick(self, index: int) -> Place:
        return self.places[index]


def why_not_lay(g: Fight, man: Model, device: tuple[str, int, str, bool], to: Any) -> Refusal | None:
    """DOW-EXP-01, -12: he has one of the kind, a hand and the AP for it, and there is room at his feet."""
    kind, needs, rule, buried = device
    if not man.has(kind):
        return Refusal(rule, "lacks_device", {"kind": kind})
    if (refusal := why_no_hands(man) or short_of_ap(man, needs, rule)) is not None:
        return refusal
    reason = AtHisFeet(g, man, buried=buried).why_nowhere(to)
    return Refusal(rule, reason) if reason else None


def on_mine(man: Model, place: Place) -> bool:
    """DOW-EXP-01: the middle of his base within half an inch of it, and he on the ground."""
    near = hypot(man.at[0] - place[0], man.at[1] - place[1])
    return within(near, MOVES.mine_reach) and abs(man.at[2] - place[2]) <= MOVES.mine_reach


def place_of(value: object) -> Place | None:
    """A place as a choice has it."""
    if not isinstance(value, list | tuple) or len(value) != 3:
        return None
    return float(value[0]), float(value[1]), float(value[2])


# ---- how it goes off -------------------------------------------------------------------------------------------------


def c4_table(g: Fight, table: C4Table) -> C4Table:
    """DOW-EXP-08: as each list has it, or one table for all."""
    wanted = g.terms.options.c4_table
    return table if wanted == "per_team" else wanted


def c4_zones(g: Fight, table: str, quarters: int) -> Zones:
    """DOW-EXP-07, DOW-EXP-08, DOW-EXP-09: how far it kills, wounds several times, wounds once."""
    army_or_elite: C4Table = "elite" if table == "elite" else "army"
    return C4.zones(c4_table(g, army_or_elite), quarters, chart=g.terms.options.c4_multi == "chart")


def explode_c4(g: Fight, at: Place, by: Id, quarters: int, table: str, host: str = "") -> None:
    """DOW-EXP-10, DOW-STR-03, DOW-VEH-07: dead, two rolls, one; and the wall, vehicle or building that it was on or in."""
    zones = c4_zones(g, table, quarters)
    rings = (float(zones.multi), C4.multi.dpr, C4.multi.rolls), (float(zones.blast), C4.outer.dpr, C4.outer.rolls)
    vehicle = host if any(one.id == host for one in g.state.vehicles) else ""
    g.then(burst_rings, *Charge(at, rings, float(zones.kill), C4.arm, C4.soft, C4.hard, by, inside=vehicle))
    sdpr, house = C4.sdpr(quarters), inside_of(g, at)
    if vehicle:
        later(g, "vehicle_blast", vehicle, sdpr, by)
    elif house is not None:
        later(g, "structure_hit", house[0].id, house[1], sdpr, at, by, True)
    elif host:
        later(g, "structure_hit", host, piece_level(g, host, at[2]), sdpr, at, by, False)


def goes_off(g: Fight, number: int, by: Id) -> None:
    """It explodes and is gone, whoever knew of it."""
    device = g.state.device(number)
    if device is None:
        return
    take_away(g, number)
    g.report(RULES[device.kind], "goes_off", kind=device.kind, at=device.at, side=device.owner)
    later(g, f"{device.kind}_bursts", *burst_args(device, by))


def burst_args(device: Device, by: Id) -> tuple[Any, ...]:
    """What is left of a device that is gone: all that its burst needs."""
    return device.at, by or device.setter, device.facing, device.quarters, device.table, device.host


# ---- trigger ---------------------------------------------------------------------------------------------------------


def in_wire(man: Model, device: Device) -> bool:
    """DOW-EXP-12: the clacker hangs on a wire of ten inches."""
    wire = BLASTS["claymore"].wire
    return wire is None or device.kind != "claymore" or within(gap_to(man, device.at), wire)


def held(g: Fight, man: Model) -> list[Device]:
    return [device for device in g.state.devices if device.holder == man.id and device.kind in FIRED]


def can_trigger(g: Fight, man: Model) -> tuple[int, ...]:
    """DOW-ACT-04, DOW-EXP-11, -12, -14: Claymores on their wire, C4 at any distance, his own vest."""
    vest = (VEST,) if man.vest else ()
    return (*(device.id for device in held(g, man) if in_wire(man, device)), *vest)


def trigger_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if man.ap >= COSTS.trigger and (devices := can_trigger(g, man)):
        yield Offer("trigger", "DOW-ACT-04", one(man.id, device=OneOf(devices)), ap(COSTS.trigger))


def why_not_trigger(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-ACT-04: he must hold what sets it off, and a Claymore's wire is short."""
    wanted = choice.get("device")
    mine = {device.id: device for device in held(g, man)}
    if wanted in mine and not in_wire(man, mine[wanted]):
        wire = BLASTS["claymore"].wire
        return Refusal("DOW-EXP-12", "beyond_wire", {"wire": wire, "range": round(gap_to(man, mine[wanted].at), 2)})
    if wanted not in can_trigger(g, man) if wanted is not None else not can_trigger(g, man):
        return Refusal("DOW-ACT-04", "holds_no_trigger", {"who": man.id})
    return short_of_ap(man, COSTS.trigger, "DOW-ACT-04")


def trigger(g: Fight, args: Packed) -> None:
    """DOW-ACT-04, DOW-EXP-11, -14."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    if not man.able or choice["device"] not in can_trigger(g, man):
        act_lost(g, man.id)
        return
    set_off(g, man, choice["device"])


def set_off(g: Fight, man: Model, number: int) -> None:
    if number == VEST:
        later(g, "deadman", man.id)
        return
    g.report("DOW-ACT-04", "triggers", who=man.id)
    g.then(goes_off, number, man.id)


def watcher_trigger(g: Fight, args: Packed) -> None:
    """DOW-EXP-13, DOW-OPF-03: one of his six AP; the rest may still be fired."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    if man.able and choice["device"] in can_trigger(g, man):
        set_off(g, man, choice["device"])


def trigger_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.trigger


# ---- clackers and detonators change hands ----------------------------------------------------------------------------


def why_not_give(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-EXP-11, DOW-ACT-08: to a friend in base contact who is free."""
    to, wanted = choice.get("to"), choice.get("device")
    if not any(wanted in (None, device.id) for device in held(g, man)):
        return Refusal("DOW-ACT-04", "holds_no_trigger", {"who": man.id})
    near = takers(g, man)
    if to not in near if to is not None else not near:
        return Refusal("DOW-ACT-08", "no_friend_in_contact")
    return short_of_ap(man, COSTS.hand_over, "DOW-ACT-08")


def takers(g: Fight, man: Model) -> tuple[Id, ...]:
    return tuple(mate.id for mate in g.state.of(man.side) if mate.able and in_contact(g, man, mate))


def give_offers(g: Fight, man: Model) -> Iterator[Offer]:
    mine = tuple(device.id for device in held(g, man))
    if mine and man.ap >= COSTS.hand_over and (near := takers(g, man)):
        yield Offer("hand_trigger", "DOW-EXP-11", one(man.id, device=OneOf(mine), to=OneOf(near)), ap(COSTS.hand_over))


def hand_trigger(g: Fight, args: Packed) -> None:
    """DOW-EXP-11: the clacker or detonator goes from hand to hand."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    if not man.able or choice["to"] not in takers(g, man) or choice["device"] not in [device.id for device in held(g, man)]:
        act_lost(g, man.id)
        return
    new_holder(g, choice["device"], choice["to"])


def new_holder(g: Fight, number: int, who: Id) -> None:
    device = g.state.device(number)
    assert device is not None
    g.edit(("devices", number), holder=who)
    g.report("DOW-EXP-11", "holds_trigger", device.known, who=who, device=number)


def fallen_holders(g: Fight, man: Model) -> dict[int, Id]:
    """DOW-EXP-11, -15, DOW-TAK-08: what lies with one who is down or disarmed, in contact, if his side knows what it fires."""
    found: dict[int, Id] = {}
    for device in g.state.devices:
        if man.side in device.known and device.holder not in ("", man.id):
            fallen = g.state[device.holder]
            if fallen.on_table and (fallen.captured or not fallen.conscious) and in_contact(g, man, fallen):
                found[device.id] = fallen.id
    return found


def take_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if man.ap >= COSTS.pick_up and (found := tuple(fallen_holders(g, man))):
        yield Offer("take_trigger", "DOW-EXP-11", one(man.id, device=OneOf(found)), ap(COSTS.pick_up))


def why_not_take(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    found, wanted = fallen_holders(g, man), choice.get("device")
    if wanted not in found if wanted is not None else not found:
        return Refusal("DOW-EXP-11", "no_trigger_there")
    return short_of_ap(man, COSTS.pick_up, "DOW-ACT-01")


def take_trigger(g: Fight, args: Packed) -> None:
    """DOW-EXP-11, DOW-TAK-08: picked up from his body, or at his feet."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    if not man.able or choice["device"] not in fallen_holders(g, man):
        act_lost(g, man.id)
        return
    new_holder(g, choice["device"], man.id)


VERBS = (
    Verb("trigger", "DOW-ACT-04", trigger_offers, trigger, why_not_trigger, trigger_cost),
    Verb("hand_trigger", "DOW-EXP-11", give_offers, hand_trigger, why_not_give, lambda g, man, choice: COSTS.hand_over),
    Verb("take_trigger", "DOW-EXP-11", take_offers, take_trigger, why_not_take, lambda g, man, choice: COSTS.pick_up),
)
PARAGRAPHS = (goes_off, trigger, watcher_trigger, hand_trigger, take_trigger)
