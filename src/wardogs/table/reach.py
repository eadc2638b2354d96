"""Reach: what it costs to get from here to every place, and how to go there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from math import hypot, inf
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
from wardogs.table.pulling import find_taken, first_legs, guess_costs, last_leg, pull
from wardogs.table.shapes import box, heading
from wardogs.table.sight import Seen, look_many
from wardogs.table.spreading import SHIFT, spread
from wardogs.table.terrain import Same, Terrain
from wardogs.table.units import Inches, Place, Point, inches, thou
from wardogs.table.walking import free_leg, is_taken, mark_about, mark_spots

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


@lru_cache(maxsize=40)
def _least(mode: Mode) -> float:
    """The cheapest ground of a mode, a hair less."""
    return min(rate for kind in CLASSES if (rate := mode.rate(kind)) is not None) * (1 - 1e-9)


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
        mark_about(self._flat, graph.frames, float(STEP), flags)
        mark_spots(self._flat, graph.firsts[-1], graph.size, graph.numbers, graph.xs, graph.ys, flags)
        return flags

    def _seeds(self) -> Any:
        """The places around the start, each with the cost of the leg to it."""
        graph, number = self.graph, self.surface
        around = small(graph.near(number, self.start[:2]))
        found, known = _blank(2 * len(around)), (self._flat, graph.ground.plane(number), *graph.known)
        count = first_legs(*self._from, number, self._far, around, graph.xs, graph.ys, found, *known)
        return found[:count] if count else small(self._freed())

    @cached_property
    def _from(self) -> tuple[float, float]:
        """The start in thous."""
        return float(thou(self.start[0])), float(thou(self.start[1]))

    def _freed(self) -> list[int]:
        """A model that overlaps a wall, another or a fire may step off it: to free places to which no wall bars the way."""
        here, found, graph = (self.start[0], self.start[1]), list[int](), self.graph
        for node in graph.around(self.surface, here):
            x, y = float(graph.xs[node]), float(graph.ys[node])
            cost = graph.slip(self.surface, here, self._point(node))
            if cost >= 0 and graph.stands(graph.place(node)) and not is_taken(x, y, self.surface, self._flat):
                found += [node, cost]
        return found

    def _point(self, node: int) -> Point:
        return inches(float(self.graph.xs[node])), inches(float(self.graph.ys[node]))

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
            self._far, _room(graph).pool, done, *self._from, self.surface, dist, parent, graph.numbers, graph.xs,
            graph.ys, graph.planes, self._flat, root, taut, *graph.known,
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
        taken = blank_ints(len(found))
        find_taken(found, graph.numbers, graph.xs, graph.ys, self._standing, taken)
        return found[np.asarray(taken) == 0]

    @cached_property
    def _standing(self) -> Any:
        """All other models, those too that may be passed."""
        return floats([part for barrier in (*self.barriers, *self.resting) for part in barrier])

    def guesses(self, points: Sequence[Point], near: Inches) -> list[float]:
        """What some points cost straight from the rough nodes so near to them, whatever is between; infinite if there is none."""
        graph, far, found = self.graph, thou(near), floats([inf] * len(points))
        xs, ys = [thou(x) for x, _ in points], [thou(y) for _, y in points]
        (west, east), (south, north) = (((min(axis) - far) // STEP, (max(axis) + far) // STEP) for axis in (xs, ys))
        known = (graph.frames, thou(self.limit), self.dist, graph.room, graph.xs, graph.ys, self._standing)
        guess_costs(floats(xs), floats(ys), float(far), graph.mode.open, west, east, south, north, *known, found)
        return [float(cost) for cost in found]

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
        taken = is_taken(float(thou(place[0])), float(thou(place[1])), number, self._standing)
        return not taken and self.graph.stands_on(number, place)

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
        graph, (ax, ay), (bx, by) = self.graph, self._from, (float(thou(to[0])), float(thou(to[1])))
        least = hypot(bx - ax, by - ay) * _least(self.graph.mode)
        if least > thou(self.limit):
            return None
        cost = free_leg(ax, ay, bx, by, number, self._flat, graph.ground.plane(number), *graph.known)
        return (cost, -1) if 0 <= cost <= min(least + 1, thou(self.limit)) else None

    def _last_leg(self, number: int, to: Point) -> tuple[int, int] | None:
        """The cheapest way to end: straight from the start, or from a corner before one of the places around."""
        around = small(self.graph.near(number, to))
        room, least, most = blank(2 * len(around) + 1), _least(self.graph.mode), thou(self.limit)
        ask = (float(thou(to[0])), float(thou(to[1])), number, least, most, around, room)
        cost, corner = last_leg(*ask, *self._pulling)
        return (cost, corner) if cost >= 0 else None


def reach(
    table: Map, start: Place, mode: Mode = WALK, limit: float = 200.0, others: Sequence[Model] = (), passed: Sequence[Model] = ()
) -> Field:  # fmt: skip
    """What it costs to get from a place to all others. `others` may not be passed; those `passed` may, but not stopped on."""
    return Field(graph_of(table, mode), start, min(limit, FAR), others, passed)


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
