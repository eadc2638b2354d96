"""Universal VTT 0.3 (`.dd2vtt`, `.uvtt`, `.df2vtt`): what other programs' maps say about walls and doors, read and written.

Such a file counts in grid squares from its map_origin, y downwards; we count in inches from the lower left corner, y upwards.

Reading: a line of line_of_sight becomes a wall, one of objects_line_of_sight a lower wall of crates (`object-1`), a portal on a
wall a door in it, a portal in a gap a short wall (`doorway-1`) that is all door. What is no terrain (lights, image, environment,
unknown keys, the turn of a portal) is kept in `Map.vtt` (see `Said`) and written back.

Writing: see vtt_lines for what becomes what. The whole map goes along under the key `wardogs`, which others pass over; so what
we write we read back as it was. If somebody moved walls in another program, the file wins, piece by piece: a building or wall of
ours whose lines and portals are all still there stays as it is (its doors open or shut as the portals say); of one whose lines
have changed, what is left comes in as plain walls. Areas, things, hills and all else is kept. If the size of the table
has changed, nothing of ours can be trusted to be in its place, and only the file counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import atan2, hypot
from pathlib import Path
from typing import TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError
from wardogs.table.model import Building, Map, Opening, Piece, State, Wall, pieces
from wardogs.table.openings import NEAR, Leg, along, distance, how_far, legs_of_wall, length
from wardogs.table.units import HIGHEST, Inches, Point, thou
from wardogs.table.vtt_file import (
    OURS,
    XY,
    Frame,
    Json,
    Known,
    Portal,
    Said,
    decode,
    extension,
    frame_of,
    hide_nulls,
    show_nulls,
    squares,
    tidy,
)
from wardogs.table.vtt_lines import DIGITS, OBJECTS, SIGHT, Doorway, Drawing, Line, Lines, layer_of, lines_of

Key: TypeAlias = tuple[object, ...]  # a line or a portal of the file, so far rounded that it is found again
Walled = TypeVar("Walled", Building, Wall)

FORMAT, PIXELS = 0.3, 100
LISTS = (SIGHT, OBJECTS, "portals")
ORDER = ("format", "resolution", *LISTS, "environment", "lights", "image")
SAME = 4  # digits of a grid square by which a line is found again
OBJECT_HEIGHT, OBJECT_MATERIAL = 1.0, "crates"
LARGEST = 256  # MB of a file


# Reading --------------------------------------------------------------------------------------------------------------


def read_vtt(path: Path, inches_per_square: float = 1.0, wall_height: float = 2.0) -> Map:
    """The map of a file; it is named after the file unless it is one of ours."""
    try:
        if path.stat().st_size > LARGEST << 20:
            raise WardogsError(f"{path}: the file has over {LARGEST} MB: export it with fewer pixels per grid square")
        raw = path.read_bytes()
    except OSError as error:
        raise WardogsError(f"{path}: cannot be read: {error.strerror or error}") from None
    return parse_vtt(raw, str(path), inches_per_square, wall_height)


def parse_vtt(raw: bytes, where: str, inches_per_square: float = 1.0, wall_height: float = 2.0) -> Map:
    """The map in the bytes of a file; what we wrote ourselves has its own scale and heights."""
    if not 0 < wall_height <= HIGHEST:
        raise WardogsError(f"walls of {wall_height:g} inches: their height must be over 0 and at most {HIGHEST:g}")
    data, known = decode(raw, where)
    ours = extension(data, where)
    scale = inches_per_square if ours is None else Said.of(replace(ours.map, vtt=ours.vtt)).inches_per_square
    frame = frame_of(known, scale, where)
    if ours is not None and _same_size(ours.map, frame):
        return _merge(replace(ours.map, vtt=ours.vtt), data, known, frame, wall_height)
    size = round(frame.squares[0] * scale, DIGITS), round(frame.squares[1] * scale, DIGITS)
    bare = Map(name=Path(where).stem or "table", size=size, vtt={"inches_per_square": scale, "file": {}})
    return _merge(bare, data, known, frame, wall_height)


def _same_size(table: Map, frame: Frame) -> bool:
    return all(abs(said - here * frame.scale) < 1e-3 for said, here in zip(table.size, frame.squares, strict=True))


def _merge(earlier: Map, data: Json, known: Known, frame: Frame, height: Inches) -> Map:
    """The earlier map with its pieces that still stand, and the rest of the file as new walls and doors."""
    said = Said.of(earlier)
    left, drawing = _Left(known, frame, said), _drawing(earlier, said)
    buildings = left.take_all(earlier.buildings, drawing)
    walls = left.take_all(earlier.walls, drawing)
    for piece in (*earlier.areas, *earlier.things):
        left.take_lines(lines_of(piece, drawing))
    table = replace(earlier, buildings=buildings, walls=walls)
    new = _NewWalls(table, height)
    for name, line in left.lines():
        new.add_line(name, [frame.to_table(spot) for spot in line])
    new.add_portals([(known.portals[k], hide_nulls(data["portals"][k])) for k in left.portals()], frame)
    return _remember(table, data, new)


def _remember(table: Map, data: Json, new: _NewWalls) -> Map:
    """The map with its new walls, and all in its `vtt` that is needed to write the same file again."""
    said, rest = Said.of(table), _rest(data)
    keep_file = said.file is not None or rest != _rest(_frame_keys(table, said, None))
    without = [name for name in LISTS if name not in data]
    fresh: Json = {
        "file": rest if keep_file else None,
        "layers": {**said.layers, **new.layers},
        "portals": {**said.portals, **new.portals},
        "unbroken": [*said.unbroken, *new.unbroken],
        "without": without,
    }
    vtt = {**table.vtt, **fresh}
    return replace(table, walls=tuple(new.walls), vtt={key: value for key, value in vtt.items() if key not in fresh or value})


def _rest(data: Json) -> Json:
    """All of a file but its lines and portals, its size and our map."""
    rest: Json = hide_nulls({key: value for key, value in data.items() if key not in (*LISTS, OURS)})
    rest["resolution"].pop("map_size")
    return rest


class _Left:
    """What of a file no piece of ours has claimed yet."""

    def __init__(self, known: Known, frame: Frame, said: Said) -> None:
        self.known, self.frame, self.said = known, frame, said
        self.all = [(_key(name, line), name, line) for name in (SIGHT, OBJECTS) for line in getattr(known, name)]
        self.count = Counter(key for key, _, _ in self.all)
        self.doors: defaultdict[Key, list[int]] = defaultdict(list)
        for k, portal in enumerate(known.portals):
            self.doors[_ends(portal.bounds)].append(k)

    def lines(self) -> Iterator[tuple[str, list[XY]]]:
        """The lines that are left, in the order of the file."""
        for key, name, line in self.all:
            if self.count[key] > 0:
                self.count[key] -= 1
                yield name, line

    def portals(self) -> list[int]:
        return sorted(k for left in self.doors.values() for k in left)

    def take_all(self, group: Sequence[Walled], drawing: Drawing) -> tuple[Walled, ...]:
        """The pieces that still stand."""
        return tuple(kept for piece in group if (kept := self.take(piece, drawing)) is not None)

    def take(self, piece: Walled, drawing: Drawing) -> Walled | None:
        """The piece, if the file still has all its lines and portals; its doors as the file says."""
        lines = lines_of(piece, drawing)
        keys = [self._doorway(doorway) for doorway in lines.doorways]
        if any(len(self.doors[key]) < times for key, times in Counter(keys).items()) or not self.take_lines(lines):
            return None
        states: dict[int, State] = {}
        for key, doorway in zip(keys, lines.doorways, strict=True):
            closed = self.known.portals[self.doors[key].pop(0)].closed
            if closed != doorway.closed and doorway.opening.kind == "door":
                states[id(doorway.opening)] = "shut" if closed else "open"
        return _set_doors(piece, states) if states else piece

    def take_lines(self, lines: Lines) -> bool:
        """Claims the lines, if all are there."""
        wanted = Counter(self._line(SIGHT, line) for line in lines.sight)
        wanted.update(self._line(OBJECTS, line) for line in lines.objects)
        if any(self.count[key] < times for key, times in wanted.items()):
            return False
        self.count.subtract(wanted)
        return True

    def _line(self, name: str, line: Line) -> Key:
        return _key(name, [XY(**self.frame.to_file(point)) for point in line])

    def _doorway(self, doorway: Doorway) -> Key:
        return _ends([XY(**end) for end in _portal(doorway, self.said, self.frame)["bounds"]])


def _key(name: str, spots: Sequence[XY]) -> Key:
    return name, *((round(spot.x, SAME), round(spot.y, SAME)) for spot in spots)


def _ends(bounds: Sequence[XY]) -> Key:
    return tuple(sorted((round(spot.x, SAME), round(spot.y, SAME)) for spot in bounds))


def _set_doors(piece: Walled, states: Mapping[int, State]) -> Walled:
    """The piece with some of its doors in another state, told by the identity of the opening."""

    def changed(openings: Sequence[Opening]) -> tuple[Opening, ...]:
        return tuple(replace(door, state=states[id(door)]) if id(door) in states else door for door in openings)

    if isinstance(piece, Building):
        inner = tuple(replace(wall, openings=changed(wall.openings)) for wall in piece.walls)
        return replace(piece, openings=changed(piece.openings), walls=inner)
    return replace(piece, openings=changed(piece.openings))


class _NewWalls:
    """The walls of a map, while those of a file come in."""

    def __init__(self, table: Map, height: Inches) -> None:
        self.walls, self.height = list(table.walls), height
        self.layers: dict[str, str] = {}
        self.portals: dict[str, Json] = {}
        self.unbroken: list[str] = []
        self.bare = Drawing(table.catalogue, {}, ())
        self.used = {piece.id for piece in _with_openings(table)}
        self.numbers: Counter[str] = Counter()
        self.sight: list[tuple[int, Leg]] = []  # the legs of new walls that block sight

    def add_line(self, name: str, points: Sequence[Point]) -> None:
        line = tuple(part for k, point in enumerate(points) if k == 0 or not _same(point, points[k - 1]) for part in point)
        if name == SIGHT:
            wall = Wall(id=self._id("wall"), line=line, height=self.height)
            self.sight += [(len(self.walls), leg) for leg in legs_of_wall(wall)]
        else:
            wall = Wall(id=self._id("object"), line=line, height=OBJECT_HEIGHT, material=OBJECT_MATERIAL)
        if layer_of(wall, self.bare) != name:
            self.layers[wall.id] = name
        self.walls.append(wall)

    def add_portals(self, portals: Sequence[tuple[Portal, Json]], frame: Frame) -> None:
        """Each as a door of the new wall that it lies on, else of a short wall of its own."""
        stretches = [(frame.to_table(portal.bounds[0]), frame.to_table(portal.bounds[1])) for portal, _ in portals]
        under = self._legs_under(stretches)
        for (portal, said), (start, end), leg in zip(portals, stretches, under, strict=True):
            door = Opening(id=self._id("door"), at=(0.0, 0.0), state="shut" if portal.closed else "open")
            self.portals[door.id] = said
            if leg is None:
                door = _across(door, (start, end))
                self.walls.append(Wall(id=self._id("doorway"), line=(*start, *end), height=self.height, openings=(door,)))
            else:
                self.unbroken.append(door.id)
                k, along_wall = leg
                door = _across(door, _shadow((start, end), along_wall))
                self.walls[k] = replace(self.walls[k], openings=(*self.walls[k].openings, door))

    def _legs_under(self, stretches: Sequence[Leg]) -> list[tuple[int, Leg] | None]:
        """The wall and leg that each stretch lies on."""
        from shapely import STRtree, linestrings

        if not self.sight or not stretches:
            return [None] * len(stretches)
        tree = STRtree(linestrings([leg for _, leg in self.sight]))
        boxes = linestrings(list(stretches))
        found: list[tuple[int, Leg] | None] = [None] * len(stretches)
        for stretch, near in sorted(zip(*tree.query(boxes, predicate="dwithin", distance=NEAR).tolist(), strict=True)):
            if found[stretch] is None and _lies_on(stretches[stretch], self.sight[near][1]):
                found[stretch] = self.sight[near]
        return found

    def _id(self, noun: str) -> str:
        while True:
            self.numbers[noun] += 1
            if (name := f"{noun}-{self.numbers[noun]}") not in self.used:
                return name


def _same(one: Point, other: Point) -> bool:
    """The table counts in thous."""
    return thou(one[0]) == thou(other[0]) and thou(one[1]) == thou(other[1])


def _with_openings(table: Map) -> Iterator[Piece]:
    for piece in pieces(table):
        yield piece
        for wall in (piece, *getattr(piece, "walls", ())):
            yield wall
            yield from getattr(wall, "openings", ())


def _lies_on(stretch: Leg, leg: Leg) -> bool:
    return all(distance(end, leg) <= NEAR for end in stretch) and length(_shadow(stretch, leg)) > length(stretch) / 2


def _shadow(stretch: Leg, leg: Leg) -> Leg:
    """The part of the leg beside the stretch."""
    start, end = (min(max(how_far(point, leg), 0.0), length(leg)) for point in stretch)
    return along(leg, start), along(leg, end)


def _across(door: Opening, stretch: Leg) -> Opening:
    """The door over the whole stretch."""
    (x, y), (to_x, to_y) = stretch
    return replace(door, at=(round((x + to_x) / 2, DIGITS), round((y + to_y) / 2, DIGITS)), width=round(length(stretch), DIGITS))


# Writing --------------------------------------------------------------------------------------------------------------


def write_vtt(table: Map, pixels_per_grid: int | None = None) -> bytes:
    """The bytes of a file; the resolution is that of the file the map came from, unless told."""
    if pixels_per_grid is not None and pixels_per_grid < 1:
        raise WardogsError(f"{pixels_per_grid} pixels per grid square: there must be at least 1")
    said = Said.of(table)
    frame, drawing = _frame(table, said), _drawing(table, said)
    drawn = [lines_of(piece, drawing) for piece in pieces(table)]
    doorways = sorted((doorway for lines in drawn for doorway in lines.doorways), key=_by_file(said))
    lists: Json = {
        SIGHT: [[frame.to_file(point) for point in line] for lines in drawn for line in lines.sight],
        OBJECTS: [[frame.to_file(point) for point in line] for lines in drawn for line in lines.objects],
        "portals": [_portal(doorway, said, frame) for doorway in doorways],
    }
    data = _frame_keys(table, said, pixels_per_grid)
    data.update((key, lines) for key, lines in lists.items() if lines or key not in said.without)
    ordered = {key: data[key] for key in (*ORDER, *data) if key in data}
    return msgspec.json.encode({**ordered, OURS: _ours(table)}) + b"\n"


def _ours(table: Map) -> Json:
    """The whole map, but for what the file says around it."""
    vtt = {**table.vtt, "file": {}} if "file" in table.vtt else table.vtt
    return {"map": msgspec.to_builtins(replace(table, vtt={})), **({"vtt": vtt} if vtt else {})}


def _frame(table: Map, said: Said) -> Frame:
    return Frame(said.inches_per_square, said.origin(table.name), squares(table.size, said.inches_per_square))


def _drawing(table: Map, said: Said) -> Drawing:
    return Drawing(table.catalogue, said.layers, frozenset(said.unbroken))


def _by_file(said: Said) -> Callable[[Doorway], int]:
    """Doors in the order of the file they came from, new ones after them."""
    order = {door: k for k, door in enumerate(said.portals)}
    return lambda doorway: order.get(doorway.opening.id, len(order))


def _frame_keys(table: Map, said: Said, pixels: int | None) -> Json:
    """All keys but the lists of lines and portals: as the file had them, or for a map that never was one."""
    data = show_nulls(said.file) if said.file is not None else _plain()
    wide, high = _frame(table, said).squares
    resolution = {**data.get("resolution", {}), "map_size": {"x": tidy(wide), "y": tidy(high)}}
    resolution["pixels_per_grid"] = pixels or resolution.get("pixels_per_grid", PIXELS)
    return {**data, "resolution": resolution}


def _plain() -> Json:
    return {
        "format": FORMAT,
        "resolution": {"map_origin": {"x": 0, "y": 0}},
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"},
        "lights": [],
        "image": "",
    }


def _portal(doorway: Doorway, said: Said, frame: Frame) -> Json:
    """As its file had it; its place and whether it is shut as they are now."""
    start, end = (frame.to_file(point) for point in doorway.ends)
    before = show_nulls(said.portals.get(doorway.opening.id, {}))
    if before and _same_ends(before["bounds"], (start, end), NEAR / frame.scale + 1e-6):
        return before if before.get("closed", True) == doorway.closed else {**before, "closed": doorway.closed}
    middle = {"x": tidy((start["x"] + end["x"]) / 2), "y": tidy((start["y"] + end["y"]) / 2)}
    turn = tidy(atan2(end["y"] - start["y"], end["x"] - start["x"]))
    fresh = {"position": middle, "bounds": [start, end], "rotation": turn, "closed": doorway.closed, "freestanding": False}
    return {**fresh, **before, **{key: fresh[key] for key in ("position", "bounds", "rotation", "closed")}}


def _same_ends(before: Sequence[Json], now: Sequence[Json], near: float) -> bool:
    """Either way round."""
    return any(
        all(hypot(a["x"] - b["x"], a["y"] - b["y"]) <= near for a, b in zip(before, ends, strict=True))
        for ends in (now, now[::-1])
    )
