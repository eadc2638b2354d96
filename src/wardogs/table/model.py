"""A map as people write it: frozen pieces of terrain, in inches. A change in play makes a new map that shares the rest."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from wardogs.table.kinds import Kind, shipped
from wardogs.table.units import Inches, Point

Side: TypeAlias = Literal["N", "E", "S", "W"]
Rect: TypeAlias = tuple[Inches, Inches, Inches, Inches]  # left, lower, right, upper
Circle: TypeAlias = tuple[Inches, Inches, Inches]  # x, y, radius
State: TypeAlias = Literal["open", "shut", "locked", "barricaded", "barred", "gone"]


class Piece(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    id: str = ""
    name: str = ""  # how a sentence calls it; without one it is called after its kind


class Opening(Piece, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A door, a window or a gap in a wall: `at` is its middle, a point on the wall or, with `side`, the x or y along it."""

    kind: Literal["door", "window", "gap"] = "door"
    at: Point | Inches
    side: Side | None = None
    width: Inches = 1.0
    sill: Inches | None = None  # above the floor; a door's 0, a window's 0.6
    head: Inches | None = None  # above the floor; 1.6, a gap's the whole height of the wall
    level: int | None = None  # None: every level of its building
    state: State | None = None  # a door starts shut, a window without a pane open
    material: str = ""  # of the leaf or pane; a door's "door", a window's none


class Wall(Piece, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A wall, fence or hedge row along a line of points [x, y, x, y, ...]; inside a building it stands on a level."""

    line: tuple[Inches, ...]
    height: Inches | None = None  # without one: the kind's, or inside a building the storey's
    base: Inches = 0.0
    material: str = "stone"
    level: int = 0
    openings: tuple[Opening, ...] = ()


class Stairs(Piece, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A flight from the floor `level` to the one above, at a point; it cuts a hole of its size in the floor above."""

    at: Point
    level: int = 0
    to: Point | None = None  # where it comes out, if not at the same point
    size: Inches = 1.0


class Ladder(Piece, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """From the foot at a point up to the height `top`: by a wall outside, or through a hatch inside."""

    at: Point
    base: Inches = 0.0
    top: Inches
    hatch: bool = False
    size: Inches = 1.0  # of the hatch


class RoomName(Piece, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A name for the room that holds a point."""

    at: Point
    level: int = 0


class Shaped(Piece, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A piece with an outline: just one of the three."""

    rect: Rect | None = None
    circle: Circle | None = None
    polygon: tuple[Point, ...] | None = None


class Building(Shaped, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    levels: int = 1
    storey: Inches = 2.0
    base: Inches = 0.0
    material: str = "brick"
    openings: tuple[Opening, ...] = ()
    walls: tuple[Wall, ...] = ()
    stairs: tuple[Stairs, ...] = ()
    ladders: tuple[Ladder, ...] = ()
    roof: bool = True
    parapet: Inches = 0.0
    standing: int | None = None  # levels left after a collapse; None: all
    burning: bool = False
    rooms: tuple[RoomName, ...] = ()  # rooms are found from the walls; this only names them


class Area(Shaped, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A wood, a field, rubble, water, smoke: a volume from the base to the height, which changes the ground under it."""

    kind: str
    height: Inches | None = None
    base: Inches = 0.0


class Hill(Shaped, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One level of a hill, solid from its base to its top, on which models stand; the next level has this top as base."""

    height: Inches  # of its top above the table
    base: Inches = 0.0
    kind: str = "earth"


class Slope(Piece, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Ground that rises evenly across a rectangle, from `base` to `height` towards the side `up`."""

    rect: Rect
    up: Side
    height: Inches
    base: Inches = 0.0
    kind: str = "earth"


class Pit(Shaped, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A ditch, trench or crater: ground that lies lower than the table."""

    depth: Inches
    kind: str = "ditch"


class Slab(Shaped, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A floor in the air: a bridge, a balcony, an awning; `z` is its upper side."""

    z: Inches
    thickness: Inches = 0.1
    material: str = "concrete"


class Thing(Piece, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A car, a container, a statue: a box that lies at a place and faces some way (degrees, 0 east, counter-clockwise)."""

    kind: str
    at: Point
    size: Point = (1.0, 1.0)  # along its facing, across it
    facing: float = 0.0
    height: Inches | None = None
    base: Inches = 0.0


class Zone(Shaped, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A named place that is no terrain: where a side deploys, what must be held."""

    side: str = ""


class Map(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True,
          rename={"buildings": "building", "walls": "wall", "areas": "area", "hills": "hill", "slopes": "slope", "pits": "pit",
                  "slabs": "slab", "things": "thing", "ladders": "ladder", "zones": "zone"}):  # fmt: skip
    name: str = "table"
    about: str = ""
    size: Point = (48.0, 48.0)
    kinds: dict[str, Kind] = field(default_factory=dict)
    buildings: tuple[Building, ...] = ()
    walls: tuple[Wall, ...] = ()
    areas: tuple[Area, ...] = ()
    hills: tuple[Hill, ...] = ()
    slopes: tuple[Slope, ...] = ()
    pits: tuple[Pit, ...] = ()
    slabs: tuple[Slab, ...] = ()
    things: tuple[Thing, ...] = ()
    ladders: tuple[Ladder, ...] = ()
    zones: tuple[Zone, ...] = ()
    vtt: dict[str, Any] = field(default_factory=dict)  # what a virtual tabletop's file said that is no terrain

    @property
    def catalogue(self) -> dict[str, Kind]:
        return {**shipped(), **self.kinds}


GROUPS = ("buildings", "walls", "areas", "hills", "slopes", "pits", "slabs", "things", "ladders", "zones")


def pieces(table: Map) -> list[Piece]:
    """All pieces of the map, in the order in which it is written."""
    return [piece for group in GROUPS for piece in getattr(table, group)]
