"""Everybody and everything as tokens with their sheets: where they are, in words too, what they have left and carry."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from wardogs.kernel.fixed import Fixed
from wardogs.kernel.offers import Seat
from wardogs.scene.board import Bar, Fact, Shape, Sign, Token
from wardogs.systems.dogs.board_text import AWAY, condition, device_name, item_name, level_of, plain, wanted_man
from wardogs.systems.dogs.data import POOL, VEHICLES
from wardogs.systems.dogs.lists import GEAR
from wardogs.systems.dogs.roster import Soldier
from wardogs.systems.dogs.roster_words import named
from wardogs.systems.dogs.state import Battle, Device, Id, Item, Model, Terms, Vehicle, Weapon
from wardogs.systems.dogs.tokens import COLOURS, LYING, RADIUS, SIGNS, ailing, angle, flat
from wardogs.systems.dogs.words import WORDS
from wardogs.table.draw.strokes import within
from wardogs.table.faces import levels_standing
from wardogs.table.model import Building, Map
from wardogs.table.shapes import outline
from wardogs.table.terrain import Same
from wardogs.table.units import Place

FLOORS = ("", "one floor up", "two floors up", "three floors up")
ABILITIES = ("wp", "wk", "cq", "st", "ft", "ml", "cc")
ITEM, DEVICE = (0.5, 0.5), (0.7, 0.7)  # inches, as they are drawn


class Sheet(NamedTuple):
    """All that a man's token is made of: while none of it changes, the token is the very same thing."""

    fixed: Fixed[Terms]
    table: Same
    man: Model
    tag: str
    active: bool
    leads: bool
    high: bool
    wanted: bool
    own: bool

    @property
    def soldier(self) -> Soldier:
        return self.fixed.it.who[self.man.id]


def sheets(terms: Terms, battle: Battle, table: Map, tags: dict[Id, str], seat: Seat | None) -> Iterator[Sheet]:
    fixed, same, wanted = Fixed(terms), Same(table), wanted_man(terms, battle)
    leaders = {team.leader for team in battle.teams}
    high = {team.id for team in battle.teams if team.khat_high}
    for man in battle.models:
        yield Sheet(
            fixed, same, man, tags[man.id], man.id in battle.active, man.id in leaders, man.high or man.team in high,
            man.id == wanted, man.side == seat,
        )  # fmt: skip


# ---- where -----------------------------------------------------------------------------------------------------------


def place_words(table: Map, at: Place) -> str:
    """In which house and how high up, or on which ground; and the inches."""
    inches = f"at {round(at[0], 1):g}, {round(at[1], 1):g}"
    house, level = house_of(table, at), level_of(table, at)
    if house is not None:
        return f"{storey_words(house, level)}, {inches}"
    grounds = [area.name for area in table.areas if area.name and within(outline(area), flat(at))]
    up = f", {round(at[2], 1):g} inches up" if at[2] > 0.05 else ""
    return f"{grounds[-1]}, {inches}{up}" if grounds else f"{inches}{up}"


def house_of(table: Map, at: Place) -> Building | None:
    standing = (house for house in table.buildings if levels_standing(house))
    return next((house for house in standing if within(outline(house), flat(at))), None)


def storey_words(house: Building, level: int) -> str:
    called = house.name or house.id or "a house"
    if level >= levels_standing(house):
        return f"on the roof of {called}"
    up = FLOORS[level] if level < len(FLOORS) else f"{level} floors up"
    return f"in {called}, {up}" if up else f"in {called}"


def man_where(man: Model, table: Map) -> str:
    if man.away:
        return AWAY[man.away]
    if man.vehicle:
        return f"aboard {man.vehicle}"
    return f"carried by {man.carried_by}" if man.carried_by else place_words(table, man.at)


def facing_words(facing: float) -> str:
    """DOW-GEN-16: to the nearest of 24 bearings, and in degrees."""
    return f"{WORDS['bearing'][str(round(facing / 15) * 15 % 360)]}, {round(facing) % 360}°"


# ---- men -------------------------------------------------------------------------------------------------------------


def is_there(man: Model) -> bool:
    """On the table by himself, neither carried nor aboard."""
    return man.on_table and not man.carried_by and not man.vehicle


@lru_cache(maxsize=8192)
def man_token(sheet: Sheet) -> Token:
    man, table, there = sheet.man, sheet.table.map, is_there(sheet.man)
    shape: Shape = "fallen" if not man.alive else "lying" if man.stance == "prone" else "man"
    points = (Bar("AP", man.ap, max(POOL.ap, man.ap)),) if sheet.active else ()
    return Token(
        id=man.id,
        name=man.id,
        label=sheet.tag,
        shape=shape,
        at=flat(man.at) if there else None,
        where=man_where(man, table),
        side=man.side,
        group=man.team,
        colour=COLOURS[man.side],
        size=LYING if shape == "lying" else (2 * RADIUS, 2 * RADIUS),
        angle=round(angle(man.facing), 1) if there else None,
        height=round(man.at[2], 2) if there else 0.0,
        level=level_of(table, man.at) if there else 0,
        bars=(Bar("HP", max(man.hp, 0), sheet.soldier.hp), *points),
        signs=tuple(Sign(sign, SIGNS[sign]) for sign in ailing(man, sheet.wanted)) if man.alive else (),
        facts=tuple((name, says) for name, says in man_facts(sheet) if says),
        lost=not man.alive or man.away == "fled",
        active=sheet.active,
    )


def man_facts(sheet: Sheet) -> Iterator[Fact]:
    """How he is, what he has, what he is: what is empty is left out."""
    man, soldier = sheet.man, sheet.soldier
    yield "is", soldier.title or soldier.role
    yield "state", ", ".join(state_words(sheet))
    if is_there(man) and man.alive:
        yield "stance", man.stance
        yield "facing", facing_words(man.facing)
    yield "order", order_words(man) if sheet.own and man.opfire else ""
    yield from kit_facts(man)
    armour = ", ".join(f"{location.replace('_', ' ')} {rating}" for location, rating in soldier.ar.items())
    yield "armor", armour
    yield "knows", ", ".join(named(thing) for thing in (*soldier.perks, *soldier.traits))
    yield "has learned", ", ".join(map(named, man.learned))
    yield "abilities", ", ".join(f"{name.upper()} {getattr(soldier, name)}" for name in ABILITIES)


def state_words(sheet: Sheet) -> Iterator[str]:
    """What is out of the ordinary; where he is stands elsewhere."""
    man = sheet.man
    told_elsewhere = {AWAY.get(man.away), f"aboard {man.vehicle}", f"carried by {man.carried_by}"}
    yield from (said for said in condition(man, sheet.leads, sheet.high, sheet.wanted) if said not in told_elsewhere)
    if man.alive and man.untreated:
        yield "an untreated wound" if man.untreated == 1 else f"{man.untreated} untreated wounds"
    if man.alive and man.activated and not sheet.active:
        yield "has acted this turn"


def order_words(man: Model) -> str:
    """DOW-OPF-11: what a watcher was told, for his own side only."""
    order = man.order
    return WORDS["order"].get(f"within {order.inches}" if order.when == "within" else order.when, order.when)


def kit_facts(man: Model) -> Iterator[Fact]:
    held = man.weapon(man.in_hand)
    yield "in hand", weapon_words(held) if held else named(man.in_hand) or "bare hands"
    yield "slung", "; ".join(weapon_words(weapon) for weapon in man.weapons if weapon is not held)
    yield "rounds", ", ".join(f"{n} of {calibre}" for calibre, n in man.ammo)
    yield "carries", ", ".join(named(kind) if n == 1 else f"{n} x {named(kind)}" for kind, n in man.stores)
    yield "gear", ", ".join(named(thing) for thing in man.gear if thing not in GEAR or not GEAR[thing].ar)


def weapon_words(weapon: Weapon) -> str:
    return f"{named(weapon.id)}, {weapon.loaded} loaded{', bayonet fixed' if weapon.bayonet else ''}"


# ---- vehicles and things ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def vehicle_token(vehicle: Vehicle, same: Same) -> Token:
    long, wide, _ = VEHICLES[vehicle.kind].size
    return Token(
        id=vehicle.id,
        name=f"{vehicle.id} ({plain(vehicle.kind)})",
        label=vehicle.id,
        shape="vehicle",
        at=flat(vehicle.at) if vehicle.there else None,
        where=place_words(same.map, vehicle.at) if vehicle.there else "not on the table",
        side=vehicle.side,
        colour=COLOURS[vehicle.side],
        size=(long, wide),
        angle=round(angle(vehicle.facing), 1) if vehicle.there else None,
        height=vehicle.altitude,
        bars=(Bar("SP", max(vehicle.sp, 0), VEHICLES[vehicle.kind].sp),),
        facts=tuple((name, says) for name, says in vehicle_facts(vehicle) if says),
        lost=vehicle.wrecked,
    )


def vehicle_facts(vehicle: Vehicle) -> Iterator[Fact]:
    yield "state", "wrecked" if vehicle.wrecked else "hovers" if vehicle.hovering else ""
    yield "facing", facing_words(vehicle.facing) if vehicle.there else ""
    yield "altitude", f"{vehicle.altitude:g} inches" if vehicle.altitude else ""
    yield "aboard", ", ".join(id_ for id_ in vehicle.seats if id_) or "nobody"
    yield "guns", ", ".join(map(named, VEHICLES[vehicle.kind].mounts))
    yield "rounds left", ", ".join(map(str, vehicle.rounds))


@lru_cache(maxsize=4096)
def item_token(item: Item, same: Same) -> Token:
    """DOW-ACT-01: named as those who pick it up name it."""
    name = item_name(item)
    return Token(
        id=f"#{item.id}",
        name=name,
        label=name,
        shape="thing",
        at=flat(item.at),
        where=place_words(same.map, item.at),
        size=ITEM,
        height=round(item.at[2], 2),
        level=level_of(same.map, item.at),
        facts=(("loaded", str(item.loaded)),) if item.loaded else (),
    )


@lru_cache(maxsize=1024)
def device_token(device: Device, same: Same, own: bool) -> Token:
    """DOW-EXP-04: what one knows of; a Claymore points somewhere."""
    name = device_name(device)
    return Token(
        id=device.id,
        name=name,
        label=name,
        shape="thing",
        at=flat(device.at),
        where=place_words(same.map, device.at),
        side=device.owner,
        colour=COLOURS[device.owner],
        size=DEVICE,
        angle=round(angle(device.facing), 1) if device.kind == "claymore" else None,
        height=round(device.at[2], 2),
        level=level_of(same.map, device.at),
        facts=tuple((name, says) for name, says in device_facts(device, own) if says),
    )


def device_facts(device: Device, own: bool) -> Iterator[Fact]:
    """DOW-EXP-11: who holds what sets it off is his side's affair."""
    yield "facing", facing_words(device.facing) if device.kind == "claymore" else ""
    yield "on", device.host
    yield "set off by", device.holder if own else ""
    yield "blows", f"at the end of turn {device.due}" if own and device.due else ""
