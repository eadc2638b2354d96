"""What stands and lies on the plan: men as round tokens, vehicles as boxes, clouds, devices, places to hold."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, radians, sin
from typing import Any, NamedTuple

from wardogs.kernel.offers import Seat
from wardogs.scene.model import Area, Disc, Line, Mark, Piece, Point, Text
from wardogs.systems.dogs.board_text import about, cloud_name, device_name, item_name, level_of, plain, wanted_man
from wardogs.systems.dogs.data import BODY, VEHICLES
from wardogs.systems.dogs.scenario_model import STANDARD
from wardogs.systems.dogs.state import Battle, Cloud, Device, Id, Mission, Model, Terms, Vehicle
from wardogs.systems.dogs.zones import strip
from wardogs.table.draw.bodies import vehicle_mark
from wardogs.table.draw.strokes import Pen
from wardogs.table.model import Map
from wardogs.table.units import Inches, Place

COLOURS: dict[Seat | None, str] = {1: "blue", 2: "yellow", None: "white"}  # dark and light: apart in grey as well
RADIUS = BODY.base / 2
LYING = (1.9, 0.9)  # inches: long and wide as he lies
WATCH = 4.0  # inches: how far the arc of a watcher is drawn
ROUND = 40
FACE = 0.82  # of the radius: where the letters stand


class Layer(NamedTuple):
    """What is drawn, and how large an inch of it is on paper."""

    terms: Terms
    battle: Battle
    table: Map
    tags: dict[Id, str]
    pen: Pen


def flat(at: Place) -> Point:
    return at[0], at[1]


def angle(facing: float) -> float:
    """DOW-GEN-16: our bearings as angles of a drawing."""
    return (90.0 - facing) % 360


def circle(at: Point, radius: Inches, corners: int = ROUND) -> tuple[Point, ...]:
    return tuple(around(at, radius, 2 * pi * k / corners) for k in range(corners))


def around(at: Point, far: Inches, turn: float) -> Point:
    """A point so far off in a direction; no finer than a thou."""
    return round(at[0] + far * cos(turn), 3), round(at[1] + far * sin(turn), 3)


# ---- men -------------------------------------------------------------------------------------------------------------


def men(layer: Layer) -> Iterator[Mark]:
    """Arcs below all, the dead below the living, those upstairs on top."""
    shown = [man for man in layer.battle.models if man.on_table and not man.carried_by and not man.vehicle]
    for man in shown:
        if man.watching:
            yield arc(man)
    for man in shown:
        if not man.alive:
            yield from dead(layer, man)
    for man in sorted((man for man in shown if man.alive), key=lambda man: man.at[2]):
        yield from token(layer, man)


def arc(man: Model) -> Mark:
    """DOW-OPF-06: what a watcher has before him."""
    half, middle = BODY.arc / 2, angle(man.facing)
    turns = [radians(middle - half + BODY.arc * k / ROUND) for k in range(ROUND + 1)]
    return Area(tuple(around(flat(man.at), WATCH, turn) for turn in turns), "cone", COLOURS[man.side])


def dead(layer: Layer, man: Model) -> Iterator[Mark]:
    x, y = flat(man.at)
    size = RADIUS * 0.6
    yield Disc((x, y), RADIUS * 0.8, "ring", name=about(layer.terms, layer.battle, man))
    yield from (Line(((x - size, y - by), (x + size, y + by)), "cross") for by in (size, -size))
    yield Text((x + RADIUS, y + RADIUS * 0.8), layer.tags[man.id], "note", anchor="start")


def token(layer: Layer, man: Model) -> Iterator[Mark]:
    """His base with his letter and number; the notes beside it say what ails him and what he has left."""
    at, name = flat(man.at), about(layer.terms, layer.battle, man)
    level = level_of(layer.table, man.at)
    if level:
        yield Disc(at, RADIUS * 1.45, "open_dot", name=name)
    if man.stance == "prone":
        yield Piece(at, angle(man.facing), LYING, LYING[0] / 2, COLOURS[man.side], "", name)
        if man.side != 1:
            yield Disc(at, FACE * RADIUS, "body", COLOURS[man.side], name=name)
    else:
        yield Disc(at, RADIUS, "body", COLOURS[man.side], angle(man.facing), "", name)
    yield from face(man.side, at, RADIUS, layer.tags[man.id], name, layer.pen.scale)
    yield from notes(layer, man, level)


def face(side: Seat, at: Point, radius: Inches, tag: str, name: str, scale: float) -> Iterator[Mark]:
    """What is written on a token: on white within a dark rim, or on the light token itself."""
    if side == 1:
        yield Disc(at, FACE * radius, "open_dot", name=name)
    yield Text(at, tag, "figure", room=1.2 * radius * scale)


def notes(layer: Layer, man: Model, level: int) -> Iterator[Mark]:
    """Above right: what ails him. Below right: AP. Above left: the level."""
    x, y = flat(man.at)
    off = RADIUS * (1.35 if level or man.stance == "prone" else 1.0)
    if said := signs(layer, man):
        yield Text((x + off, y + off), said, "name", anchor="start")
    if man.id in layer.battle.active and man.ap:
        yield Text((x + off, y - off), f"{man.ap} AP", "note", anchor="start")
    if level:
        yield Text((x - off, y + off), f"L{level}", "place", anchor="end")


SIGNS = {
    "zz": "unconscious",
    "!": "broken",
    "=": "captured, bound or held",
    "v": "ducking",
    "+": "bleeding, or needs a bandage",
    "/": "cannot walk, slowed, or an arm hurt",
    "*": "the wanted man",
}


def signs(layer: Layer, man: Model) -> str:
    """Health points lost, and a sign for each thing that is wrong."""
    lost = layer.terms.who[man.id].hp - max(man.hp, 0)
    return (f"-{lost}" if lost else "") + "".join(ailing(man, man.id == wanted_man(layer.terms, layer.battle)))


def ailing(man: Model, wanted: bool) -> list[str]:
    hold = (
        ("zz", not man.conscious),
        ("!", man.broken),
        ("=", man.captured or man.bound or man.held_by != ""),
        ("v", man.ducking != ""),
        ("+", man.bleeding or man.ima),
        ("/", man.immobilized or man.slow or bool(man.useless or man.painful)),
        ("*", wanted),
    )
    return [sign for sign, holds in hold if holds]


# ---- things ----------------------------------------------------------------------------------------------------------


def clouds(battle: Battle) -> Iterator[Mark]:
    for cloud in battle.clouds:
        yield from cloud_marks(cloud)


def cloud_marks(cloud: Cloud) -> Iterator[Mark]:
    yield Area(circle(flat(cloud.at), cloud.radius), "smoke" if cloud.kind == "smoke_grenade" else "gas")
    yield Text(flat(cloud.at), f"{cloud_name(cloud.kind)}, {cloud.turns_left}", "note")


def things(layer: Layer) -> Iterator[Mark]:
    """Vehicles, what lies about, devices that one knows of, fire missions on their way."""
    for vehicle in layer.battle.vehicles:
        if vehicle.there:
            yield from vehicle_marks(vehicle)
    for item in layer.battle.items:
        yield Disc(flat(item.at), 0.2, "open_dot", name=item_name(item))
        yield Text((item.at[0] + 0.3, item.at[1] - 0.75), item_name(item), "note", anchor="start")
    for device in layer.battle.devices:
        yield from device_marks(device)
    for mission in layer.battle.missions:
        yield from mission_marks(mission)


def mission_marks(mission: Mission) -> Iterator[Mark]:
    x, y = flat(mission.at)
    yield Disc((x, y), 1.0, "ring", name=f"fire mission: {plain(mission.shell)}")
    yield from (Line(((x - a, y - b), (x + a, y + b)), "cross") for a, b in ((1.4, 0.0), (0.0, 1.4)))
    yield Text((x + 1.2, y + 1.2), plain(mission.shell), "note", anchor="start")


def vehicle_marks(vehicle: Vehicle) -> Iterator[Mark]:
    long, wide, _ = VEHICLES[vehicle.kind].size
    crew = ", ".join(id_ for id_ in vehicle.seats if id_) or "empty"
    state = "wrecked" if vehicle.wrecked else f"{vehicle.sp} SP; {crew}"
    name = f"{vehicle.id} ({plain(vehicle.kind)}): {state}"
    aboard = sum(1 for id_ in vehicle.seats if id_)
    yield from vehicle_mark(
        flat(vehicle.at), (long, wide), angle(vehicle.facing), str(aboard), COLOURS[vehicle.side], name
    )  # fmt: skip
    x, y = flat(vehicle.at)
    if vehicle.wrecked:
        yield from (Line(((x - wide, y - by), (x + wide, y + by)), "cross") for by in (wide, -wide))
    height = f", {vehicle.altitude:g} up" if vehicle.altitude else ""
    yield Text((x, y - long / 2 - 0.4), f"{vehicle.id}{height}", "place")


def device_marks(device: Device) -> Iterator[Mark]:
    """DOW-EXP-04: a diamond where something lies that one knows of; a Claymore points somewhere."""
    x, y = flat(device.at)
    yield Area(circle((x, y), 0.35, 4), "cut")
    if device.kind == "claymore":
        turn = radians(angle(device.facing))
        yield Line(((x, y), around((x, y), 1.5, turn)), "arrow")
    said = device_name(device)
    yield Text((x + 0.45, y + 0.3), said, "note", anchor="start")


# ---- places ----------------------------------------------------------------------------------------------------------


def places(layer: Layer) -> Iterator[Mark]:
    """What the map does not show by itself: the edge to leave by, and zones along edges that were rolled for."""
    if layer.terms.scenario.hvt:
        yield _exit(layer, layer.terms.scenario.hvt.exit)
    if layer.battle.phase == "setup":
        yield from _deployment(layer)


def _exit(layer: Layer, edge: str) -> Mark:
    wide, high = layer.table.size
    at = {"N": (wide / 2, high - 0.6), "S": (wide / 2, 0.6), "E": (wide - 0.6, high / 2), "W": (0.6, high / 2)}[edge]
    return Text(at, "way out for the wanted man", "zone_name", angle=0.0 if edge in "NS" else 90.0)


def _deployment(layer: Layer) -> Iterator[Mark]:
    """DOW-SET-07: the standard zones, only while sides deploy."""
    for side in layer.battle.sides:
        plan = layer.terms.scenario.side(side.seat)
        if side.edge and not plan.deploy and any(not team.zone and not team.reserve for team in plan.teams):
            edge: Any = side.edge
            left, lower, right, upper = strip(edge, layer.table.size, STANDARD.deploy_depth).box
            if not any(zone.rect == (left, lower, right, upper) for zone in layer.table.zones):
                yield Area(((left, lower), (right, lower), (right, upper), (left, upper)), "zone")
            yield Text(((left + right) / 2, (lower + upper) / 2), plan.name, "zone_name")
