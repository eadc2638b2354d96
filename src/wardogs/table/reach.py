"""Reach: what it costs to get from here to every place, and how to go there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from math import hypot
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from wardogs.kernel.errors import WardogsError
from wardogs.table.bodies import Body, Hull, Model, height_of
from wardogs.table.compiled import FAST, blank, blank_ints, floats
from wardogs.table.graph import Graph, small
from wardogs.table.ground import CLASSES, STEP, floors_under
from wardogs.table.model import Map
from wardogs.table.modes import WALK, Mode
from wardogs.table.pulling import last_leg, pull
from wardogs.table.shapes import box, heading
from wardogs.table.sight import Seen, look_many
from wardogs.table.spreading import SHIFT, spread
from wardogs.table.terrain import Same, Terrain
from wardogs.table.units import Inches, Place, Point, inches, thou
from wardogs.table.walking import is_barred, leg_cost, mark_near, mark_spots, point_gap

FAR = 1000.0  # inches: farther than anything on a table
MOST_PATHS = 64  # of one field that are kept
SLANT = 1.03  # how much longer than the straight way the lattice may be: 2.7%


class Path(NamedTuple):
    """Corners of a way, the first is the start; and its cost."""

    places: tuple[Place, ...]
    cost: float

    @property
    def length(self) -> Inches:
        return sum(hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) for a, b in pairwise(self.places))


class _Room(NamedTuple):
    """Arrays of one graph that every spread uses again."""

    heads: Any
    pool: Any
    places: Any
    flags: Any


@lru_cache(maxsize=40)
def _graph(same: Same, mode: Mode) -> Graph:
    lately = _LATELY.setdefault(mode, deque(maxlen=4))
    graph = Graph(same.map, mode, [before for known in reversed(lately) if (before := known()) is not None])
    lately.append(ref(graph))
    return graph


_LATELY: dict[Mode, deque[ref[Graph]]] = {}  # lattices laid lately: a table that changes is laid from the one before


def graph_of(table: Map, mode: Mode = WALK) -> Graph:
    """The lattice of a map for a mode; made once, and again for a changed map."""
    return _graph(Same(table), mode)


@lru_cache(maxsize=40)
def _room(graph: Graph) -> _Room:
    places = np.zeros((graph.size + 1, 4))
    places[:, 3] = graph.links[0]
    pool = 4 * (len(graph.links[1]) + graph.size + 1)
    return _Room(_blank((thou(FAR) >> SHIFT) + 2), _blank(pool), small(places.ravel()), _blank(graph.size))


def _blank(count: int) -> Any:
    return np.zeros(count, dtype=np.uint32) if FAST else [0] * count


class Field:
    """The cost from one start to every place within a limit. `cost` is in the mode's own units.

    Costs are those of the cheapest way along the lattice (16 directions), a true metric: they obey the triangle inequality.
    A path is pulled tight between its corners, so that a straight way costs its straight length; `path` and `cost` tell that.
    """

    def __init__(
        self, graph: Graph, start: Place, limit: float, others: Sequence[Model], passed: Sequence[Model] = ()
    ) -> None:  # fmt: skip
        self.graph, self.start, self.limit = graph, start, limit
        self._paths: dict[str, Path | None] = {}
        number = floors_under(graph.ground, start)
        if number is None:
            raise WardogsError(f"nothing to stand on at ({start[0]:g}, {start[1]:g}, {start[2]:g})")
        self.surface = number
        self._far = thou(min(SLANT * limit + inches(STEP), FAR))  # the lattice is asked for a little more than is wanted
        self.barriers, self.resting = list(_barriers(graph, others)), list(_barriers(graph, passed))
        self._flat = floats([part for barrier in self.barriers for part in barrier] or [-1.0] * 6)

    @cached_property
    def _spread(self) -> tuple[Any, Any]:
        """Of each place of the lattice what it costs, and the place before it; worked out when somebody first asks."""
        graph, room = self.graph, _room(self.graph)
        flags = self._flags(room) if self.barriers else None
        known = (graph.numbers, graph.xs, graph.ys, self._flat, room.heads, room.pool, room.places)
        settled = spread(self._seeds(), self._far, graph.size, graph.flat_ways, flags, *known)
        assert settled >= 0, "each way is in the pool at most once"
        return room.places[0:-4:4].copy(), room.places[2:-4:4].copy()

    @cached_property
    def dist(self) -> Any:
        return self._spread[0]

    @cached_property
    def _parent(self) -> Any:
        return self._spread[1]

    def _flags(self, room: _Room) -> Any:
        """The places that other models take, and those beside them."""
        flags, graph = room.flags.copy(), self.graph
        for number, ax, ay, bx, by, reach in self.barriers:
            surface, first = graph.surfaces[int(number)], graph.firsts[int(number)]
            place = (surface.left, surface.lower, surface.columns, surface.rows, float(STEP))
            mark_near(ax, ay, bx, by, reach, *place, first, flags)
        mark_spots(self._flat, graph.firsts[-1], graph.size, graph.numbers, graph.xs, graph.ys, flags)
        return flags

    def _seeds(self) -> Any:
        """The places around the start, each with the cost of the leg to it."""
        here, found = (self.start[0], self.start[1]), []
        for node in self.graph.near(self.surface, here):
            to = self._point(node)
            if (cost := self._leg(self.surface, here, to)) is not None and cost <= self._far:
                found += [node, cost]
        return small(found or self._freed())

    def _freed(self) -> list[int]:
        """A model that overlaps a wall, another or a fire may step off it: to free places to which no wall bars the way."""
        here, found, graph = (self.start[0], self.start[1]), list[int](), self.graph
        for node in graph.around(self.surface, here):
            x, y = float(graph.xs[node]), float(graph.ys[node])
            cost = graph.slip(self.surface, here, self._point(node))
            if cost >= 0 and graph.stands(graph.place(node)) and not is_barred(x, y, x, y, self.surface, self._flat):
                found += [node, cost]
        return found

    def _point(self, node: int) -> Point:
        return inches(float(self.graph.xs[node])), inches(float(self.graph.ys[node]))

    def _leg(self, number: int, a: Point, b: Point) -> int | None:
        return self._straight(number, float(thou(a[0])), float(thou(a[1])), float(thou(b[0])), float(thou(b[1])))

    def _straight(self, number: int, ax: float, ay: float, bx: float, by: float) -> int | None:
        """What a leg between two points, in thous, costs; none if something is in its way."""
        if is_barred(ax, ay, bx, by, number, self._flat):
            return None
        cost = leg_cost(ax, ay, bx, by, self.graph.ground.plane(number), *self.graph.known)
        return cost if cost >= 0 else None

    @property
    def beyond(self) -> int:
        """What stands in `dist` for a place out of reach."""
        return self._far + 1

    def lattice_cost(self, node: int) -> float | None:
        """Along the lattice, not pulled tight."""
        return inches(int(self.dist[node])) if self.dist[node] <= self._far else None

    @cached_property
    def _tight(self) -> tuple[Any, Any, Any]:
        """Of each place the corner before it, and its cost with its path pulled tight; and whether these are known yet."""
        return blank_ints(self.graph.size), blank_ints(self.graph.size), _blank(self.graph.size)

    @cached_property
    def _pulling(self) -> tuple[Any, ...]:
        """What the kernels that pull paths tight read and write."""
        graph, (root, taut, done), (dist, parent) = self.graph, self._tight, self._spread
        return (
            self._far, _room(graph).pool, done, float(thou(self.start[0])), float(thou(self.start[1])), self.surface, dist, parent,
            graph.numbers, graph.xs, graph.ys, graph.planes, self._flat, root, taut, *graph.known,
        )  # fmt: skip

    @cached_property
    def nodes(self) -> tuple[Any, Any]:
        """The places of the lattice within the limit where the base has room, nearest first; and their costs in thousandths."""
        reached = np.flatnonzero(np.asarray(self.dist) <= self._far)
        pull(small(reached), *self._pulling)
        taut = np.asarray(self._tight[1])[: self.graph.firsts[-1]]
        near = np.zeros(len(taut), dtype=bool)
        near[reached[reached < len(taut)]] = True
        found = self._roomy(np.flatnonzero(near & (taut <= thou(self.limit))))
        found = found[np.argsort(taut[found], kind="stable")]
        return found, taut[found]

    @cached_property
    def rough_nodes(self) -> tuple[Any, Any]:
        """The same by costs along the lattice, up to 3% too dear, so a few places fewer; much faster."""
        dist = np.asarray(self.dist)[: self.graph.firsts[-1]]
        found = self._roomy(np.flatnonzero(dist <= thou(self.limit)))
        found = found[np.argsort(dist[found], kind="stable")]
        return found, dist[found]

    def _roomy(self, found: Any) -> Any:
        """Those places where the base has room, beside the other models too."""
        graph = self.graph
        found = found[graph.room[found]]
        xs, ys, on = (some(part, found) for part in (graph.xs, graph.ys, graph.numbers))
        free = np.ones(len(found), dtype=bool)
        for barrier in self._about(xs, ys):
            free &= (on != barrier[0]) | (_gaps(xs, ys, *barrier[1:5]) >= (barrier[5] - 2) ** 2)
        return found[free]

    def _about(self, xs: Any, ys: Any) -> list[tuple[float, ...]]:
        """The other models that could take one of some places, to go by the box around these."""
        if not len(xs):
            return []
        west, east, south, north = float(xs.min()), float(xs.max()), float(ys.min()), float(ys.max())
        return [
            (on, ax, ay, bx, by, reach) for on, ax, ay, bx, by, reach in (*self.barriers, *self.resting)
            if min(ax, bx) - reach <= east and max(ax, bx) + reach >= west
            and min(ay, by) - reach <= north and max(ay, by) + reach >= south
        ]  # fmt: skip

    def nodes_about(self, point: Point, far: Inches) -> tuple[Any, Any]:
        """Those of the rough nodes that lie in a square around a point, and their costs; in no order of cost."""
        found: list[int] = []
        for surface, first in zip(self.graph.surfaces, self.graph.firsts, strict=False):
            if surface.frames(*point, far):
                (left, right), (lower, upper) = ((thou(part - far) // STEP, thou(part + far) // STEP + 1) for part in point)
                columns = range(max(0, left - surface.left), min(surface.columns, right - surface.left + 1))
                rows = range(max(0, lower - surface.lower), min(surface.rows, upper - surface.lower + 1))
                found += [first + row * surface.columns + column for row in rows for column in columns]
        nodes = np.array(found, dtype=np.int64)
        nodes = self._roomy(nodes[some(self.dist, nodes) <= thou(self.limit)])
        return nodes, some(self.dist, nodes)

    def costs(self) -> list[tuple[Place, float]]:
        """The start, and every place of the lattice within the limit where the base has room, with its cost; nearest first."""
        pairs = [(self.graph.place(int(node)), inches(int(cost))) for node, cost in zip(*self.nodes, strict=True)]
        found = [(self.start, 0.0), *((place, cost) for place, cost in pairs if place != self.start)]
        return sorted(found, key=lambda pair: (pair[1], pair[0]))

    def stands(self, place: Place) -> bool:
        """Is there room for the base, beside the other models too?"""
        number = floors_under(self.graph.ground, place)
        return number is not None and self._stands_on(number, place)

    def _stands_on(self, number: int, place: Place) -> bool:
        x, y = thou(place[0]), thou(place[1])
        for on, west, east, south, north, stretch, near in self._bounds:
            if on == number and west < x < east and south < y < north and point_gap(x, y, *stretch) < near:
                return False
        return self.graph.stands_on(number, place)

    @cached_property
    def _bounds(self) -> list[tuple[float, float, float, float, float, tuple[float, ...], float]]:
        """Of each other model: its surface, the box of what it could take, its stretch, and the square of its reach."""
        return [
            (on, min(ax, bx) - reach, max(ax, bx) + reach, min(ay, by) - reach, max(ay, by) + reach,
             (ax, ay, bx, by), (reach - 2) ** 2)
            for on, ax, ay, bx, by, reach in (*self.barriers, *self.resting)
        ]  # fmt: skip

    def cost(self, to: Place) -> float | None:
        path = self.path(to)
        return None if path is None else path.cost

    def path(self, to: Place) -> Path | None:
        """The way to a place, pulled tight; None if it is out of reach or has no room."""
        key = str(to)  # 1 and 1.0 are written differently, and a path ends with what it was asked for
        if key not in self._paths:
            if len(self._paths) >= MOST_PATHS:
                self._paths.clear()
            self._paths[key] = self._path(to)
        return self._paths[key]

    def _path(self, to: Place) -> Path | None:
        number = floors_under(self.graph.ground, to)
        if number is None or (to != self.start and not self._stands_on(number, to)):
            return None
        best = self._beeline(number, (to[0], to[1])) or self._last_leg(number, (to[0], to[1]))
        if best is None:
            return None
        cost, node = best
        corners = [to]
        while node >= 0:
            corners.append(self.graph.place(node))
            node = int(self._tight[0][node])
        corners = [place for place, after in pairwise([*corners, (FAR, FAR, FAR)]) if place != after]
        return Path((self.start, *(place for place in reversed(corners) if place != self.start)), inches(cost))

    def _beeline(self, number: int, to: Point) -> tuple[int, int] | None:
        """Straight from the start over none but the cheapest ground: whatever the lattice says, no way is better."""
        if number != self.surface:
            return None
        a, b = ((float(thou(x)), float(thou(y))) for x, y in (self.start[:2], to))
        least = hypot(b[0] - a[0], b[1] - a[1]) * self._least
        if least > thou(self.limit) or (cost := self._straight(number, *a, *b)) is None:
            return None
        return (cost, -1) if cost <= min(least + 1, thou(self.limit)) else None

    def _last_leg(self, number: int, to: Point) -> tuple[int, int] | None:
        """The cheapest way to end: straight from the start, or from a corner before one of the places around."""
        around = small(self.graph.near(number, to))
        ask = (float(thou(to[0])), float(thou(to[1])), number, self._least, thou(self.limit), around, blank(2 * len(around) + 1))
        cost, corner = last_leg(*ask, *self._pulling)
        return (cost, corner) if cost >= 0 else None

    @cached_property
    def _least(self) -> float:
        """The cheapest ground of the mode, a hair less."""
        rates = [self.graph.mode.rate(kind) for kind in CLASSES]
        return min(rate for rate in rates if rate is not None) * (1 - 1e-9)


def reach(
    table: Map, start: Place, mode: Mode = WALK, limit: float = 200.0, others: Sequence[Model] = (), passed: Sequence[Model] = ()
) -> Field:  # fmt: skip
    """What it costs to get from a place to all others. `others` may not be passed; those `passed` may, but not stopped on."""
    return Field(graph_of(table, mode), start, min(limit, FAR), others, passed)


def some(values: Any, places: Any) -> Any:
    """A few of many values; without numba these are plain lists, which are not made arrays for that."""
    return values[places] if FAST else np.array([values[place] for place in places.tolist()])


def _gaps(xs: Any, ys: Any, ax: float, ay: float, bx: float, by: float) -> Any:
    """The squares of the distances of many points from a stretch."""
    x, y = bx - ax, by - ay
    length = x * x + y * y
    share = np.clip(((xs - ax) * x + (ys - ay) * y) / length, 0.0, 1.0) if length > 0 else 0.0
    return (ax + share * x - xs) ** 2 + (ay + share * y - ys) ** 2


def _barriers(graph: Graph, others: Sequence[Model]) -> Iterator[tuple[float, ...]]:
    """Other models as stretches with a reach: surface, ax, ay, bx, by, reach."""
    radius = graph.mode.radius
    for model in others:
        number = floors_under(graph.ground, model.at)
        if number is None or height_of(model) <= 0:
            continue
        if isinstance(model, Body):
            x, y, _ = (thou(part) for part in model.at)
            yield number, x, y, x, y, thou(radius + model.radius)
        else:
            yield from ((number, *stretch) for stretch in _hull_stretches(model, radius))


def _hull_stretches(hull: Hull, radius: Inches) -> Iterator[tuple[float, ...]]:
    """The four sides of a vehicle, and its middle line as wide as itself."""
    corners = [(thou(x), thou(y)) for x, y in box((hull.at[0], hull.at[1]), hull.size, hull.facing)]
    for a, b in pairwise([*corners, corners[0]]):
        yield (*a, *b, thou(radius))
    (x, y, _), (ahead, left), wide = hull.at, heading(hull.facing), min(hull.size)
    half = max(0.0, hull.size[0] - wide) / 2
    line = (x - ahead * half, y - left * half, x + ahead * half, y + left * half)
    yield (*(thou(part) for part in line), thou(radius + wide / 2))


def nearest_cover(
    field: Field, eyes: Sequence[Place], body: Body, good: Callable[[Sequence[Seen]], bool], limit: float | None = None
) -> list[tuple[Place, float]]:  # fmt: skip
    """The cheapest places where the body is in cover by the game's own measure; several if they cost the same."""
    terrain, found = Terrain.of(field.graph.map), list[tuple[Place, float]]()
    for place, cost in field.costs():
        if (limit is not None and cost > limit) or (found and cost > found[0][1]):
            break
        there = Body(id=body.id, at=place, facing=body.facing, stance=body.stance, radius=body.radius, scale=body.scale)
        if good(look_many(terrain, [(eye, there) for eye in eyes])):
            found.append((place, cost))
    return found
