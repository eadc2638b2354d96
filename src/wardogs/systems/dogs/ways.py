"""Where a man can go: his reach by each gait, and what a path costs in action points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from math import ceil, hypot
from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from wardogs.systems.dogs.data import BODY, COSTS
from wardogs.systems.dogs.figures import MOVES
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.measure import CLOSE
from wardogs.systems.dogs.seeing import body, hull
from wardogs.systems.dogs.state import Fight, Model
from wardogs.table.bodies import Body, Hull
from wardogs.table.ground import Ground, floors_under
from wardogs.table.model import Map
from wardogs.table.modes import Mode
from wardogs.table.reach import Field, graph_of
from wardogs.table.stretches import is_open, stretches
from wardogs.table.terrain import Same
from wardogs.table.units import Inches, Place, Point

Gait: TypeAlias = Literal["walk", "run", "crawl"]
Path: TypeAlias = tuple[Place, ...]

_ON_FOOT = Mode(
    name="walk", radius=BODY.base / 2, height=BODY.height, open=float(COSTS.walk_per_inch),
    rough=float(COSTS.walk_rubble_per_inch), slow=float(COSTS.walk_rubble_per_inch), low_fee=None, climb=None, door=None,
    ladder=None, stairs=float(MOVES.stairs_inches * COSTS.walk_per_inch),
)  # fmt: skip
_RUN_RATE = COSTS.run.ap / COSTS.run.inches
MODES: dict[Gait, Mode] = {
    "walk": _ON_FOOT,
    "run": replace(
        _ON_FOOT, name="run", open=_RUN_RATE, rough=COSTS.run_rubble.ap / COSTS.run_rubble.inches, slow=None,
        stairs=MOVES.stairs_inches * _RUN_RATE,
    ),
    "crawl": replace(
        _ON_FOOT, name="crawl", height=MOVES.prone_height, open=float(COSTS.crawl_per_inch), rough=float(COSTS.crawl_per_inch),
        slow=float(COSTS.crawl_per_inch), stairs=float(MOVES.stairs_inches * COSTS.crawl_per_inch),
    ),
}  # fmt: skip


@lru_cache(maxsize=8)
def _run_mode(rubble: int) -> Mode:
    """DOW-MOV-10: how far a run gets him over rubble for what the house rules make it cost."""
    return replace(MODES["run"], rough=rubble / COSTS.run_rubble.inches)


def factor(model: Model) -> int:
    """DOW-MOV-25, DOW-CAR-04: doubled when slow, doubled again under a load."""
    return (2 if model.slow else 1) * (2 if model.carrying else 1)


def field(g: Fight, model: Model, gait: Gait, limit: float) -> Field:
    """What he can reach for so many AP: round all living men, vehicles and the mines that his side knows (DOW-MOV-18)."""
    others = [body(man) for man in g.state.models if man.living and man.id not in (model.id, model.leading)]
    known = [device for device in g.state.devices if device.kind == "ap_mine" and model.side in device.known]
    mines = [Body(id=f"mine {device.id}", at=device.at, radius=MOVES.mine_reach - BODY.base / 2 + 0.01) for device in known]
    hulls = [hull(vehicle) for vehicle in g.state.vehicles if vehicle.there and not vehicle.altitude]
    everything: list[Body | Hull] = [*others, *mines, *hulls]
    near = tuple(other for other in everything if _near(model, other.at, limit))
    mode = _run_mode(g.terms.options.rubble_run_cost) if gait == "run" else MODES[gait]
    return _field(Same(table_now(g)), mode, model.at, limit / factor(model), near)


@lru_cache(maxsize=64)
def _field(same: Same, mode: Mode, start: Place, limit: float, near: tuple[Body | Hull, ...]) -> Field:
    """One man's field is asked for when a move is thought of, offered, paid and made."""
    return Field(graph_of(same.map, mode), start, limit, near)


def _near(model: Model, at: Place, limit: float) -> bool:
    """Could he be in the way? The farthest he can get is a run of all his AP."""
    return hypot(at[0] - model.at[0], at[1] - model.at[1]) <= limit / _RUN_RATE + 8


def cost(g: Fight, model: Model, gait: Gait, path: Path) -> int:
    """DOW-MOV-02, -03, -09, -10: whole inches of each kind of ground at its rate, or runs of five inches."""
    return factor(model) * plain_cost(g, gait, path)


def plain_cost(g: Fight, gait: Gait, path: Path) -> int:
    """The same for a sound man without a load."""
    return _plain_cost(Same(table_now(g)), gait, g.terms.options.rubble_run_cost, path)


@lru_cache(maxsize=2048)
def _plain_cost(same: Same, gait: Gait, rubble: int, path: Path) -> int:
    """A move is priced when it is offered, when it is paid, and when it is broken off."""
    if gait != "run":
        return _stretch_cost(same.map, gait, path)
    if is_open(same.map, [corner[:2] for corner in path]):
        return COSTS.run.ap * max(1, whole(length(path) / COSTS.run.inches))
    return sum(rubble if _crosses_rubble(same.map, leg) else COSTS.run.ap for leg in runs(path))  # DOW-MOV-10: by the house rules


def _stretch_cost(table: Map, gait: Gait, path: Path) -> int:
    """Each stretch in whole inches, and never more than the whole path at the dearest rate."""
    mode = MODES[gait]
    crossed = ground_of(table, path)
    parts = [(whole(length), mode.rate(ground) or 0.0) for ground, length in crossed]
    in_all = sum(length for _, length in crossed)
    dearest = whole(in_all) * max((rate for _, rate in parts), default=0.0)
    return round(min(sum(inches * rate for inches, rate in parts), dearest))


def whole(length: Inches) -> int:
    """DOW-GEN-13: a part of an inch is paid as a whole one."""
    return ceil(length - 1e-4)


def ground_of(table: Map, path: Path) -> list[tuple[str, Inches]]:
    """The stretches of a path by class of ground; a flight of stairs counts as so many inches of open floor."""
    found: list[tuple[str, Inches]] = []
    for a, b in pairwise(path):
        if abs(a[2] - b[2]) > MOVES.flight:
            found.append(("open", MOVES.stairs_inches * round(abs(a[2] - b[2]) / MOVES.storey)))
        elif max(a[2], b[2]) > MOVES.flight:
            found.append(("open", hypot(b[0] - a[0], b[1] - a[1])))
        else:
            found += [(part.ground, part.length) for part in stretches(table, [a[:2], b[:2]])]
    return _joined(found)


def _joined(parts: list[tuple[str, Inches]]) -> list[tuple[str, Inches]]:
    joined: list[tuple[str, Inches]] = []
    for ground, length in parts:
        if joined and joined[-1][0] == ground:
            joined[-1] = (ground, joined[-1][1] + length)
        else:
            joined.append((ground, length))
    return joined


def runs(path: Path) -> list[Path]:
    """A path cut into purchases of five inches."""
    far = length(path)
    cuts = [COSTS.run.inches * k for k in range(1, whole(far / COSTS.run.inches))]
    ends = [0.0, *cuts, far]
    return [part(path, a, b) for a, b in pairwise(ends)]


def touches_rubble(g: Fight, path: Path) -> bool:
    return _crosses_rubble(table_now(g), path)


def _crosses_rubble(table: Map, path: Path) -> bool:
    if is_open(table, [corner[:2] for corner in path]):
        return False
    return any(ground == "rough" and far > 1e-4 for ground, far in ground_of(table, path))


def leg_length(a: Place, b: Place) -> Inches:
    """In plan; stairs count as so many inches (DOW-MOV-21)."""
    if abs(a[2] - b[2]) > MOVES.flight:
        return MOVES.stairs_inches * round(abs(a[2] - b[2]) / MOVES.storey)
    return hypot(b[0] - a[0], b[1] - a[1])


@lru_cache(maxsize=4096)
def length(path: Path) -> Inches:
    return sum(leg_length(a, b) for a, b in pairwise(path))


def part(path: Path, start: Inches, end: Inches) -> Path:
    """A path from one of its inches to another."""
    corners, far = [point_at(path, start)], 0.0
    for a, b in pairwise(path):
        far += leg_length(a, b)
        if start + CLOSE < far < end - CLOSE:
            corners.append(b)
    return (*corners, point_at(path, end))


@lru_cache(maxsize=4096)
def point_at(path: Path, far: Inches) -> Place:
    """The place so many inches along a path."""
    for a, b in pairwise(path):
        leg = leg_length(a, b)
        if far <= leg + CLOSE:
            if abs(a[2] - b[2]) > MOVES.flight:  # there is no standing on the stairs
                return a if far < leg - CLOSE else b
            share = min(1.0, max(0.0, far / leg)) if leg > 0 else 1.0
            return _thous(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))
        far -= leg
    return path[-1]


def _thous(x: float, y: float, z: float) -> Place:
    return round(x, 3), round(y, 3), round(z, 3)


class Reachable:
    """The ground of a move: where it may end."""

    def __init__(self, g: Fight, model: Model, gait: Gait, reach: Field) -> None:
        self.g, self.model, self.gait, self.reach = g, model, gait, reach
        self._costs: dict[Place, int | None] = {}

    def admits(self, place: tuple[float, ...]) -> bool:
        return len(place) == 3 and self.cost_to((place[0], place[1], place[2])) is not None

    def cost_to(self, place: Place) -> int | None:
        if place not in self._costs:
            self._costs[place] = self._cost_to(place)
        return self._costs[place]

    def _cost_to(self, place: Place) -> int | None:
        path = path_to(self.reach, place)
        if path is None or length(path) < MOVES.least:
            return None
        needs = cost(self.g, self.model, self.gait, path)
        return needs if needs <= self.model.ap else None

    @cached_property
    def nearest(self) -> Place | None:
        """The cheapest place that he can pay for; whole inches make some too dear."""
        nodes = self.reach.rough_nodes[0]
        places = (self.reach.graph.place(int(node)) for node in nodes[1:NEAREST])
        return next((place for place in places if self.cost_to(place) is not None), None)

    @property
    def size(self) -> int:
        return 0 if self.nearest is None else max(0, len(self.reach.rough_nodes[0]) - 1)

    def pick(self, index: int) -> Place:
        """A place by its number; one that is too dear after all gives the one halfway, and so on to the nearest."""
        nodes = self.reach.rough_nodes[0]
        k = index + 1
        while k > 0:
            place = self.reach.graph.place(int(nodes[k]))
            if self.cost_to(place) is not None:
                return place
            k //= 2
        assert self.nearest is not None
        return self.nearest


def reachable(g: Fight, man: Model, gait: Gait) -> Reachable:
    return Reachable(g, man, gait, field(g, man, gait, float(man.ap)))


class Lazily:
    """Ground that is worked out only when somebody asks for a place on it."""

    def __init__(self, g: Fight, man: Model, gait: Gait) -> None:
        self.twin, self.man, self.gait = g.copy(g.fate), man, gait
        self.found: Reachable | None = None

    @property
    def ground(self) -> Reachable:
        if self.found is None:
            self.found = reachable(self.twin, self.man, self.gait)
        return self.found

    def admits(self, place: tuple[float, ...]) -> bool:
        return self.ground.admits(place)

    @property
    def size(self) -> int:
        return self.ground.size

    def pick(self, index: int) -> tuple[float, ...]:
        return self.ground.pick(index)

    def prices(self, places: Iterable[Sequence[float]]) -> dict[str, list[int]]:
        """DOW-MOV-02, -03, -09: the AP to each place."""
        return {"ap": [self.ground.cost_to((x, y, z)) or 0 for x, y, z in places]}


NEAREST = 40  # places that are tried before he is said to have nowhere to go


def place_beside(reach: Field, at: Place, gap: Inches) -> tuple[Place, float] | None:
    """The cheapest place of a reach within a gap of another base, on its floor; and its cost along the lattice."""
    (nodes, costs), graph = reach.rough_nodes, reach.graph
    xs, ys = np.asarray(graph.xs)[nodes] / 1000, np.asarray(graph.ys)[nodes] / 1000
    near = np.flatnonzero(np.hypot(xs - at[0], ys - at[1]) <= BODY.base + gap)
    places = ((graph.place(int(nodes[k])), int(costs[k]) / 1000) for k in near)
    return next((found for found in places if abs(found[0][2] - at[2]) < BODY.base), None)


def path_to(reach: Field, place: Place) -> Path | None:
    found = reach.path(place) if is_inside(reach.graph.map, place) else None
    return None if found is None else tuple(_thous(*corner) for corner in found.places)


def is_inside(table: Map, at: Point | Place) -> bool:
    """Does a whole base lie on the table there?"""
    rim, (wide, high) = BODY.base / 2, table.size
    return rim <= at[0] <= wide - rim and rim <= at[1] <= high - rim


def has_floor(g: Fight, place: Place) -> bool:
    """Is there something under his feet? A path pulled tight may cut the corner of a stairwell."""
    return floors_under(graph_of(table_now(g), _ON_FOOT).ground, place) is not None


def height_at(g: Fight, place: Place) -> Place:
    """A place put on the floor or ground that is there."""
    return height_on(graph_of(table_now(g), _ON_FOOT).ground, place)


def height_on(ground: Ground, place: Place) -> Place:
    """The same for who has the ground at hand."""
    number = floors_under(ground, place)
    return place if number is None else (place[0], place[1], round(ground.raster(number).height_at(place[:2]) / 1000, 3))
