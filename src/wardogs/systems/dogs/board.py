"""The table as a browser draws it: the plan of every level, what changes upon it, and everybody with his sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice

from wardogs.kernel.offers import Seat
from wardogs.scene.board import Board, Floor, Place, Score, Token
from wardogs.scene.model import Mark, Point
from wardogs.scene.sketch import ALL_PATTERNS, sketch
from wardogs.systems.dogs.board_text import level_of, side_name, standing, tags
from wardogs.systems.dogs.masonry import doors_on
from wardogs.systems.dogs.scene import off_what_lies, remarks, shown_table
from wardogs.systems.dogs.sheets import device_token, is_there, item_token, man_token, sheets, vehicle_token
from wardogs.systems.dogs.state import Cloud, Id, Mission, Model, Terms
from wardogs.systems.dogs.tokens import COLOURS, Layer, arc, cloud_marks, mission_marks, places
from wardogs.systems.dogs.view import Sight
from wardogs.table.draw.labels import Label, labels, stood_labels, written
from wardogs.table.draw.page import fitting
from wardogs.table.draw.plan import drawable, storeys_marks
from wardogs.table.draw.strokes import Pen, between, heart
from wardogs.table.faces import levels_standing
from wardogs.table.model import Map, Wall
from wardogs.table.openings import line_points
from wardogs.table.shapes import outline
from wardogs.table.terrain import Same

PICKS = (
    "model", "target", "patient", "load", "to", "spotter", "at", "who", "source", "vehicle", "device", "charges", "door",
    "building", "on",
)  # fmt: skip


MOST_NAMES = 150  # of a floor, the most important first: more cannot be read, and to find room for many hundreds takes minutes


def board(terms: Terms, sight: Sight) -> Board:
    """Made from a view, so it shows nothing that the seat may not know."""
    battle, table, called = sight.battle, shown_table(terms, sight.battle), tags(sight.battle)
    scale = fitting(table.size)
    return Board(
        title=standing(terms, battle),
        width=table.size[0],
        height=table.size[1],
        scale=scale,
        patterns=ALL_PATTERNS,
        floors=floors(Same(table), Same(terms.map), tuple(item.at for item in terms.scenario.items)),
        marks=tuple(marks(Layer(terms, battle, table, called, Pen(scale, {})))),
        tokens=tuple(tokens(terms, sight, table, called)),
        facts=tuple(remarks(terms, battle)),
        scores=tuple(score(side.seat, side_name(terms, side.seat), side.vp) for side in battle.sides),
        turn=battle.turn,
        night=terms.night,
        measured=terms.options.premeasure,
        places=named_places(Same(table)),
        picks=PICKS,
    )


def tokens(terms: Terms, sight: Sight, table: Map, called: dict[Id, str]) -> Iterator[Token]:
    """What lies about, vehicles, and every man, wherever he is."""
    battle, same = sight.battle, Same(table)
    yield from (man_token(sheet) for sheet in sheets(terms, battle, table, called, sight.seat))
    yield from (vehicle_token(vehicle, same) for vehicle in battle.vehicles)
    yield from (device_token(device, same, device.owner == sight.seat) for device in battle.devices)
    yield from (item_token(item, same) for item in battle.items)


@lru_cache(maxsize=1024)
def score(seat: Seat, name: str, vp: int) -> Score:
    return Score(seat, name, COLOURS[seat], f"{vp} VP")


# ---- the plan --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def floors(now: Same, laid: Same, lying: tuple[Point, ...]) -> tuple[Floor, ...]:
    """Every level that some building has, each building at most at its own roof."""
    drawable(now.map)
    top = max((levels_standing(house) for house in now.map.buildings), default=0)
    return tuple(Floor(floor_name(level, top), floor(now.map, laid, level, lying)) for level in range(top + 1))


def floor_name(level: int, top: int) -> str:
    return "ground" if not level else "roofs" if level == top else str(level)


def floor(table: Map, laid: Same, level: int, lying: tuple[Point, ...]) -> str:
    pen, levels = Pen(fitting(table.size), table.catalogue), shown_levels(table, level)
    found = (label for label in chain(labels(table, levels, pen), stood_labels(table, pen)) if label.says)
    wanted = tuple(islice(found, MOST_NAMES))
    return sketch([*storeys_marks(table, levels, pen), *names(laid, level, wanted, lying)], pen.scale)


@lru_cache(maxsize=256)
def names(laid: Same, level: int, wanted: tuple[Label, ...], lying: tuple[Point, ...]) -> tuple[Mark, ...]:
    """Where they had room when the table was laid: to find it takes a while, and a door that opens leaves them alone."""
    table = laid.map
    pen = Pen(fitting(table.size), table.catalogue)
    drawn = storeys_marks(table, shown_levels(table, level), pen)
    return tuple(written(wanted, drawn, (0.0, 0.0, *table.size), pen, off_what_lies(lying)))


def shown_levels(table: Map, level: int) -> Sequence[int]:
    return [min(level, levels_standing(house)) for house in table.buildings]


@lru_cache(maxsize=32)
def named_places(same: Same) -> tuple[Place, ...]:
    """Houses, doors and walls, by the ids that offers have for them."""
    table = same.map
    return tuple(place for place in (*_houses(table), *_doors(same), *_walls(table)) if place.id)


def _houses(table: Map) -> Iterator[Place]:
    for house in table.buildings:
        if levels_standing(house):
            yield Place(house.id, house.name or house.id, _fine(heart(outline(house))))


def _doors(same: Same) -> Iterator[Place]:
    for door in doors_on(same):
        at = _fine(between(*door.leg, 0.5))
        level = door.level if door.level is not None else level_of(same.map, (*at, door.z))
        yield Place(door.id, f"{door.name}, {door.state}", at, level)


def _walls(table: Map) -> Iterator[Place]:
    inner = ((wall, wall.level) for house in table.buildings for wall in house.walls)
    for wall, level in (*inner, *((wall, 0) for wall in table.walls)):
        yield Place(wall.id, wall.name or "the wall", _fine(_middle(wall)), level)


def _middle(wall: Wall) -> Point:
    """Of the stretch in its middle."""
    points = line_points(wall.line)
    half = (len(points) - 1) // 2
    return between(points[half], points[half + 1], 0.5)


def _fine(at: Point) -> Point:
    return round(at[0], 3), round(at[1], 3)


# ---- what changes upon it --------------------------------------------------------------------------------------------


def marks(layer: Layer) -> Iterator[str]:
    """Zones and ways out, the arcs of watchers, clouds, fire missions on their way."""
    battle, scale = layer.battle, layer.pen.scale
    if found := tuple(places(layer)):
        yield drawn(found, scale)
    yield from (drawn_arc(man, scale) for man in battle.models if man.watching and is_there(man))
    yield from (drawn_cloud(cloud, scale) for cloud in battle.clouds)
    yield from (drawn_mission(mission, scale) for mission in battle.missions)


@lru_cache(maxsize=256)
def drawn(found: tuple[Mark, ...], scale: float) -> str:
    return sketch(found, scale)


@lru_cache(maxsize=4096)
def drawn_arc(man: Model, scale: float) -> str:
    """DOW-OPF-06."""
    return sketch([arc(man)], scale)


@lru_cache(maxsize=256)
def drawn_cloud(cloud: Cloud, scale: float) -> str:
    return sketch(cloud_marks(cloud), scale)


@lru_cache(maxsize=256)
def drawn_mission(mission: Mission, scale: float) -> str:
    return sketch(mission_marks(mission), scale)
