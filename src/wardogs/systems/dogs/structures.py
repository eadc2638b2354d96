"""Structures: what explosions do to buildings, how they fall, and who is under them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import hypot

from msgspec.structs import replace

from wardogs.kernel.dice import D10, reading
from wardogs.systems.dogs.data import BODY, STRUCTURE_DAMAGE, wound_column
from wardogs.systems.dogs.masonry import FIGURES, called, collapse_dpr, has_wall, holds, house_now, structure_of
from wardogs.systems.dogs.measure import CLOSE
from wardogs.systems.dogs.state import Fight, Id, Model, Structure
from wardogs.systems.dogs.wounds import Round, strike
from wardogs.table.faces import floor_of, levels_standing
from wardogs.table.model import Building
from wardogs.table.units import Place, Point

ALL = -1  # the level is destroyed at once
STEP = 0.5  # inches between the places tried for men on the rubble


@cache
def structural_reading(sdpr: int) -> tuple[int, ...]:
    """DOW-STR-04: D10 - structural DPR as structure points lost."""
    chart = STRUCTURE_DAMAGE
    return reading(
        D10, lambda face: ALL if face - sdpr <= chart.level_destroyed_at else chart.by_column[wound_column(face - sdpr)]
    )


def structure_hit(g: Fight, building: str, level: int, sdpr: int | None, at: Place, by: Id, inside: bool) -> None:
    """DOW-STR-02 to -04: only a blast with a structural DPR, by a direct hit or from inside, hurts the level that it hits."""
    if sdpr is None or not has_wall(g, building, level):
        return
    lost = g.roll(
        "DOW-STR-04", D10, structural_reading(sdpr), building=building, name=called(g, building), level=level, sdpr=sdpr
    )
    g.then(structure_loss, building, level, lost, tuple(at), by, inside)


def structure_loss(g: Fight, building: str, level: int, lost: int, at: Place, by: Id, inside: bool) -> None:
    """DOW-STR-04, -06, -09: points go; at none the level falls; a great hit from outside leaves a hole."""
    house = house_now(g, building)
    if house is None:
        wall_loss(g, building, lost, at)
        return
    before = structure_of(g, house)
    left = 0 if lost == ALL else max(0, before.sp[level] - lost)
    _keep(g, Structure(building, (*before.sp[:level], left, *before.sp[level + 1 :])))
    g.report(
        "DOW-STR-04",
        "structure_damaged",
        building=building,
        name=called(g, building),
        level=level,
        lost=before.sp[level] - left,
        left=left,
    )
    if left == 0:
        g.then(building_falls, building, level, by)
    elif not inside and lost == STRUCTURE_DAMAGE.by_column[0]:
        breach(g, building, (at[0], at[1]), level)


def wall_loss(g: Fight, wall: str, lost: int, at: Place) -> None:
    """DOW-STR-09: a wall that stands by itself has no points; a great hit leaves a hole in it."""
    if lost in (ALL, STRUCTURE_DAMAGE.by_column[0]):
        breach(g, wall, (at[0], at[1]), 0)


def _keep(g: Fight, structure: Structure) -> None:
    others = tuple(one for one in g.state.structures if one.building != structure.building)
    g.change(structures=(*others, structure))


def breach(g: Fight, piece: str, at: Point, level: int) -> None:
    """DOW-STR-09: a hole in the wall struck."""
    g.change(changes=(*g.state.changes, ("breach", piece, (at[0], at[1]), FIGURES.breach, level)))
    g.report("DOW-STR-09", "breached", piece=piece, name=called(g, piece), at=at, level=level, width=FIGURES.breach)


# ---- collapse --------------------------------------------------------------------------------------------------------


def building_falls(g: Fight, building: str, level: int, by: Id) -> None:
    """DOW-STR-06 to -08: this level and all above it; men in it fall with it, prone on the rubble, and are hit."""
    house = house_now(g, building)
    assert house is not None
    dpr, stands = collapse_dpr(house, level), levels_standing(house)
    buried = victims(g, house, level)
    hit = victims(g, house, 0) if g.terms.options.collapse_hits_all else buried
    structure = structure_of(g, house)
    _keep(g, Structure(building, (*structure.sp[:level], *(0 for _ in structure.sp[level:]))))
    g.change(changes=(*g.state.changes, ("collapse", building, level)))
    g.report(
        "DOW-STR-06", "building_falls", building=building, name=called(g, building), level=level, levels=stands - level, dpr=dpr
    )
    for man in buried:
        put_on_rubble(g, house, level, man)
    drop_things(g, house, level)
    for man in hit:
        g.then(buried_alive, man.id, dpr, by)


def victims(g: Fight, house: Building, level: int) -> list[Model]:
    """DOW-STR-07: who is on this level or above it, the roof included; those below stand safe."""
    floor = floor_of(house, level) - BODY.contact
    return [man for man in g.state.models if man.alive and man.on_table and man.at[2] >= floor and holds(house, man.at)]


def buried_alive(g: Fight, who: Id, dpr: int, by: Id) -> None:
    """DOW-STR-07: one hit that finds him by itself, without armor or cover."""
    g.report("DOW-STR-07", "buried", who=who, dpr=dpr)
    g.then(strike, who, Round(by, None, dpr, None, cause="collapse"))


def put_on_rubble(g: Fight, house: Building, level: int, man: Model) -> None:
    """DOW-STR-08: prone on the rubble where he was, or as near as there is room."""
    z = round(floor_of(house, level), 3)
    at = next((place for place in _places(house, man.at, z) if _is_free(g, man, place)), (man.at[0], man.at[1], z))
    g.edit(man.id, at=at, stance="prone", climbing=0.0)
    if man.carrying:
        g.edit(man.carrying, at=at)


def _places(house: Building, at: Place, z: float) -> Iterator[Place]:
    yield at[0], at[1], z
    reach = range(-12, 13)
    around = sorted(((dx * STEP, dy * STEP) for dx in reach for dy in reach), key=lambda by: (hypot(*by), by))
    for dx, dy in around:
        place = round(at[0] + dx, 3), round(at[1] + dy, 3), z
        if holds(house, place):
            yield place


def _is_free(g: Fight, man: Model, place: Place) -> bool:
    together = {man.id, man.carrying, man.carried_by}
    return not any(
        other.living and other.id not in together and abs(other.at[2] - place[2]) < BODY.height
        and hypot(other.at[0] - place[0], other.at[1] - place[1]) < BODY.base - CLOSE
        for other in g.state.models
    )  # fmt: skip


def drop_things(g: Fight, house: Building, level: int) -> None:
    """What lay there, and what was set there, lies in the rubble."""
    z = round(floor_of(house, level), 3)

    def fallen(at: Place) -> bool:
        return at[2] >= z - BODY.contact and holds(house, at)

    items = tuple(replace(item, at=(item.at[0], item.at[1], z)) if fallen(item.at) else item for item in g.state.items)
    devices = tuple(replace(one, at=(one.at[0], one.at[1], z)) if fallen(one.at) else one for one in g.state.devices)
    if items != g.state.items or devices != g.state.devices:
        g.change(items=items, devices=devices)


PARAGRAPHS = (structure_hit, structure_loss, building_falls, buried_alive)
