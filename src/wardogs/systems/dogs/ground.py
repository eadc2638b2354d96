"""The table as this book reads it: what each kind of terrain is, and what has happened to it in play."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from wardogs.systems.dogs.data import COVERS, GROUNDS, load
from wardogs.table import changes
from wardogs.table.kinds import CoverClass, Kind, MoveClass, shipped
from wardogs.table.model import Area, Map
from wardogs.table.terrain import Same, Terrain

if TYPE_CHECKING:  # the scenario needs this file, and the state the scenario
    from wardogs.systems.dogs.state import Change, Fight

Reading = Literal["open", "glass", "thin", "solid"]


class KindHere(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-SET-02: a kind of terrain's cover, sight and ground class."""

    cover: str = ""
    sight: Reading = "solid"
    ground: str = ""


KINDS = load("cover.toml", "kinds", dict[str, KindHere])
THIN_LIMIT = 4.0  # inches: the unit in which the table's haze is counted; DOW-LOS-17's own limit is a switch


def with_kinds(table: Map) -> Map:
    """The map with the kinds of terrain as this book has them; those that only the map has stay its own."""
    own = {name: _kind(name, here) for name, here in KINDS.items()}
    return replace(table, kinds={**table.kinds, **{name: kind for name, kind in own.items() if name in shipped()}})


def _kind(name: str, here: KindHere) -> Kind:
    before = shipped()[name]
    cover: CoverClass = "none" if not here.cover else "soft" if COVERS[here.cover].klass == "soft" else "hard"
    ground = GROUNDS.get(here.ground)
    through = THIN_LIMIT if here.sight == "thin" else 0.0
    return replace(
        before,
        sight=here.sight,
        cover=cover,
        move=_move_class(here.ground) if here.ground else before.move,
        height=ground.height if ground and ground.height else before.height,
        see_through=through,
        min_depth=ground.min_depth if ground else before.min_depth,
    )


def _move_class(ground: str) -> MoveClass:
    """DOW-MOV-09, -22: rubble can be run over, swamps and hedges cannot, deep water not at all."""
    here = GROUNDS[ground]
    if here.walk is None:
        return "deep"
    if here.run == "open":
        return "open"
    return "rough" if here.run == "rubble" else "slow"


def cover_of(kind: str) -> str:
    """The book's cover for a kind of terrain; "" if it stops nothing."""
    return KINDS[kind].cover if kind in KINDS else ""


def table_now(g: Fight) -> Map:
    """The table with all that has been opened, breached and brought down."""
    return changed(Same(g.terms.map), g.state.changes) if g.state.changes else g.terms.map


def terrain_now(g: Fight) -> Terrain:
    return Terrain.of(table_now(g))


@lru_cache(maxsize=128)
def changed(same: Same, done: tuple[Change, ...]) -> Map:
    """A map after a row of changes; each makes one new map, kept for those who share its beginning."""
    if not done:
        return same.map
    return _apply(changed(same, done[:-1]), done[-1])


def _apply(table: Map, change: Change) -> Map:
    what, args = change[0], tuple[Any, ...](change[1:])
    if what == "opening":  # opening, state, level
        return changes.set_opening(table, args[0], args[1], args[2])
    if what == "breach":  # piece, point, width, level
        return changes.breach(table, args[0], args[1], args[2], args[3])
    if what == "collapse":  # building, level
        return _collapsed(table, args[0], args[1])
    if what == "remove":
        return changes.remove(table, args[0])
    assert what == "area", what  # kind, circle
    return changes.add_area(table, Area(kind=args[0], circle=args[1]))


def _collapsed(table: Map, building: str, level: int) -> Map:
    """DOW-STR-06, -08: all from this level up falls; a ground floor that falls leaves rubble on its footprint."""
    fallen = changes.collapse(table, building, level)
    if level > 0:
        return fallen
    house = next(house for house in table.buildings if house.id == building)
    rubble = Area(kind="rubble", rect=house.rect, circle=house.circle, polygon=house.polygon)
    return changes.add_area(fallen, rubble)
