"""The lattice of places that one mode of movement can use on one map, with all its legs: made once, asked often."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property, partial
from itertools import combinations, product
from math import ceil, hypot
from typing import Any, TypeVar

import numpy as np
import shapely

from wardogs.table.compiled import FAST, blank_ints, floats, ints
from wardogs.table.faces import Panel, faces_of, floor_of, levels_standing
from wardogs.table.ground import FINE, STEP, Spot, Spots, Surface, floors_under, ground_of, polygon
from wardogs.table.index import cell_lists
from wardogs.table.laying import Laying, Prices, bits_of, cheapest
from wardogs.table.model import Building, Ladder, Map
from wardogs.table.modes import Mode, thousandths
from wardogs.table.narrows import narrow_openings, pinched
from wardogs.table.openings import along, place_opening
from wardogs.table.rays import CELL
from wardogs.table.relaying import Box, relaying
from wardogs.table.shapes import Corner
from wardogs.table.terrain import Same
from wardogs.table.units import LONGEST, Inches, Place, Point, inches, thou
from wardogs.table.walking import (
    BLOCKED,
    HOUSE,
    LEAF,
    LEDGE,
    RATES,
    SHUT,
    WALL,
    WAYS,
    WAYS_X,
    WAYS_Y,
    climb_links,
    lattice_legs,
    leg_cost,
    over_links,
    panels_cost,
    rooms_of,
    spot_links,
)  # fmt: skip

T = TypeVar("T")
BESIDE = 20  # thous between a base and the wall it has just passed
FAR_SPOT = 8000  # thous: how far places off the lattice are linked to each other
MOST_PINCHES = 5_000  # panels up to which pinches are looked for; what has more is no table
MOST_JOINED = 500  # pinches that are joined with each other
AROUND = 1.2  # inches: how far a place off the lattice is linked to it
NEAR = int(1000 * AROUND) // STEP
OFFS = tuple(k * inches(STEP) for k in range(-NEAR, NEAR + 1))
SIDES = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (0.75, 0.75), (-0.75, 0.75), (-0.75, -0.75), (0.75, -0.75))


class Graph:
    """All places and legs. Places are numbered row by row, surface after surface; those off the lattice come last."""

    def __init__(self, table: Map, mode: Mode, befores: Sequence[Graph] = ()) -> None:
        """With the lattices of tables before this one only what has changed is laid anew."""
        self.map, self.mode = table, mode
        self.ground = ground_of(Same(table))
        table = self.ground.map
        self.surfaces = self.ground.surfaces
        self._housed = {piece: top for house in table.buildings for piece, top in roofs(house)}
        self._pits = {pit.id for pit in table.pits}
        walls = tuple(panel for faces in faces_of(table) for panel in faces.panels)
        self.panels = (*(panel for panel in walls if panel.piece not in self._pits), *self.ground.ledges)
        self._under = {(panel.a, panel.b, panel.bottom) for panel in walls}  # walls that stand on others
        raster = (self.ground.columns, self.ground.rows, float(FINE), self.ground.flat_classes, self.ground.flat_heights)
        self.known: Any = (mode.figures, *self._wall_arrays(), *raster)  # what every kernel of walking.py reads
        sizes = [surface.size for surface in self.surfaces]
        self.firsts = [sum(sizes[:k]) for k in range(len(sizes) + 1)]
        self.spots: list[Spot] = []
        self.ways: list[int] = []  # no legs of the lattice: through a door, up a ladder; three numbers each: from, to, cost
        self._room = blank_ints(6 * 81)
        self.kept: dict[Hashable, Any] = {}  # what may serve the lattice of the next table
        self._relaying = relaying(befores, self.ground, self.walls)
        self._lay_legs()
        self._doors()
        self._climbs()
        self._thin_out()
        self._jumps()
        self._stairs()
        first = len(self.spots)
        self._pinches()
        self._join_spots(first)
        self._finish()

    # What the kernels read ------------------------------------------------------------------------------------------

    def _wall_arrays(self) -> tuple[Any, ...]:
        width, height = self.map.size
        grid = ints([max(1, ceil(thou(width) / CELL)), max(1, ceil(thou(height) / CELL)), len(self.panels), 0])
        rows = [(*panel.a, *panel.b, panel.bottom, panel.top) for panel in self.panels]
        boxes = floats([part for row in rows for part in row[:4]])
        crossed = [self._crossed(panel, number) for number, panel in enumerate(self.panels)]
        self.walls = [(*row, *how) for row, how in zip(rows, crossed, strict=True)]
        return (
            grid, cell_lists(boxes, ints([1] * len(rows)), grid), floats([part for row in rows for part in row] or [0.0]),
            ints([code for code, _ in crossed] or [0]), floats([fee for _, fee in crossed] or [0.0]), blank_ints(1 + len(rows)),
        )  # fmt: skip

    def _crossed(self, panel: Panel, number: int) -> tuple[int, float]:
        """How this mode crosses a panel, and for how much beside its height."""
        if number >= len(self.panels) - len(self.ground.ledges):
            return LEDGE, 0.0
        if not panel.fills:
            housed = panel.bottom < self._housed.get(panel.piece, panel.bottom)
            return (HOUSE if housed or (panel.a, panel.b, panel.top) in self._under else WALL), 0.0
        if panel.fills == "shut door" and self.mode.door is not None:
            return LEAF, thousandths(self.mode.door)
        if panel.fills == "shut window" and self.mode.glass:
            return LEAF, 0.0
        return SHUT, 0.0

    def _lay_legs(self) -> None:
        laying = Laying(self.ground, self.mode, self.known[3], len(self.panels))
        self._costs: Any = blank_ints(self.firsts[-1] * WAYS) if self._relaying is None else self._relaying.before._costs.copy()
        for number, surface in enumerate(self.surfaces):
            stale = ints([1] * surface.size) if self._relaying is None else self._relaying.stale(number)
            if np.any(stale):
                shortcuts = (laying.even(number), laying.walled(number), laying.even_ways, stale)
                lattice_legs(
                    *self._frame(number), self.ground.plane(number), *self.known,
                    ints(WAYS_X), ints(WAYS_Y), *shortcuts, self.firsts[number], self._costs,
                )  # type: ignore[call-arg]  # fmt: skip

    def _once(self, key: Hashable, box: Box, work: Callable[[], T]) -> T:
        """Worked out, or taken over from the lattice before."""
        found = work() if self._relaying is None else self._relaying.once(key, box, work)
        self.kept[key] = found
        return found

    def _frame(self, number: int) -> Any:
        """A surface's piece of the lattice, and which of its places are really there."""
        surface = self.surfaces[number]
        return *surface.frame, float(STEP), self.ground.inside[number]

    def leg(self, number: int, a: Point, b: Point) -> int:
        """What a straight leg on a surface costs, in thousandths; BLOCKED if it cannot be walked."""
        ends = (float(thou(a[0])), float(thou(a[1])), float(thou(b[0])), float(thou(b[1])))
        return leg_cost(*ends, self.ground.plane(number), *self.known)

    def slip(self, number: int, a: Point, b: Point) -> int:
        """The same for a mere point, over any ground: how a model gets off what it overlaps."""
        figures = [float(figure) for figure in self.known[0]]
        worst = max(figures[RATES:])
        loose = floats([3.0, *figures[1:RATES], *(rate if rate >= 0 else worst for rate in figures[RATES:])])
        ends = (float(thou(a[0])), float(thou(a[1])), float(thou(b[0])), float(thou(b[1])))
        return leg_cost(*ends, self.ground.plane(number), loose, *self.known[1:])

    def stands(self, place: Place) -> bool:
        """Is there room for the base: ground that can be walked, and no wall or solid thing that it overlaps?"""
        number = floors_under(self.ground, place)
        return number is not None and self.stands_on(number, place)

    def stands_on(self, number: int, place: Place) -> bool:
        return self.mode.rate(self.ground.raster(number).at(place[:2])[1]) is not None and self._clear(place)

    @cached_property
    def frames(self) -> Any:
        """Of each surface six numbers: left, lower, columns, rows, where its raster begins, its first place."""
        planes, firsts = self.ground.plane, self.firsts
        return ints([part for k, s in enumerate(self.surfaces) for part in (*s.frame, planes(k), firsts[k])])

    @cached_property
    def planes(self) -> Any:
        """Where each surface's raster begins."""
        return small([self.ground.plane(number) for number in range(len(self.surfaces))])

    @cached_property
    def room(self) -> Any:
        """At which places of the lattice a base has room: bools, one a place."""
        found = blank_ints(self.size)
        rooms_of(self.size, self.numbers, self.xs, self.ys, self.planes, *self.known, found)  # type: ignore[call-arg]
        there = [np.asarray(inside) for inside in self.ground.inside]
        there.append(np.ones(len(self.spots), dtype=np.int64))
        return np.asarray(found, dtype=bool) & np.concatenate(there).astype(bool)

    def _clear(self, place: Place) -> bool:
        """Does a base here overlap no wall?"""
        at = (float(thou(place[0])), float(thou(place[1])), float(thou(place[2])))
        return panels_cost(*at, *at, *self.known[:7], True, False) >= 0.0  # type: ignore[call-arg]

    def _fees(self, ends: Sequence[Inches], strict: bool) -> float:
        """What the walls between two places (x, y, z, x, y, z) cost; less than 0 if they stop."""
        return panels_cost(*(float(thou(part)) for part in ends), *self.known[:7], strict, False)  # type: ignore[arg-type, call-arg]

    # Ways off the lattice -------------------------------------------------------------------------------------------

    def _doors(self) -> None:
        """A place on either side of each narrow opening, joined by a leg straight through its middle."""
        for leg, opening, floor in narrow_openings(self.map):
            placed = place_opening(opening, [leg])
            number = None if placed is None else self._surface_at(floor, along(leg, placed.start))
            if placed is None or number is None or opening.width < 2 * self.mode.radius - inches(2):
                continue
            middle, off = along(leg, (placed.start + placed.end) / 2), self.mode.radius + inches(BESIDE)
            (ax, ay), (bx, by) = leg
            across = ((ay - by) / hypot(bx - ax, by - ay) * off, (bx - ax) / hypot(bx - ax, by - ay) * off)
            ends = [(middle[0] + sign * across[0], middle[1] + sign * across[1]) for sign in (1, -1)]
            a, b = (self._spot(end, number) for end in ends)
            self._join(a, b, self.leg(number, *ends), self.leg(number, ends[1], ends[0]))

    def _spot(self, point: Point, number: int) -> int:
        """A new place off the lattice, with legs to the places around it."""
        node, spot = self.firsts[-1] + len(self.spots), Spot(thou(point[0]), thou(point[1]), number)
        self.spots.append(spot)
        was, ways = self._once(spot, (spot.x, spot.y, spot.x, spot.y), lambda: (node, self._around(node, spot)))
        if was != node:
            links = np.array(ways, dtype=np.int64).reshape(-1, 3)
            links[:, :2][links[:, :2] == was] = node
            ways = links.ravel().tolist()
            self.kept[spot] = node, ways
        self.ways += ways
        return node

    def _around(self, node: int, spot: Spot) -> list[int]:
        frame = (*self._frame(spot.surface), self.firsts[spot.surface], self.ground.plane(spot.surface))
        at = (node, float(spot.x), float(spot.y), ceil(1000 * AROUND / STEP))
        return written(spot_links, *at, *frame, *self.known, self._room)

    def _join(self, a: int, b: int, there: int, back: int) -> None:
        """A way must cost something, or a place could come before the one it is reached from."""
        self.ways += [a, b, max(1, there)] * (there >= 0) + [b, a, max(1, back)] * (back >= 0)

    def _stairs(self) -> None:
        for building in self.map.buildings:
            for way in building.stairs:
                if self.mode.stairs is not None and way.level < levels_standing(building):
                    low, high = floor_of(building, way.level), floor_of(building, way.level + 1)
                    ends = ((way.at, low), (way.to or way.at, high))
                    self._rise(*ends, way.size, round(thousandths(self.mode.stairs)))
        for ladder in ladders(self.map):
            if self.mode.ladder is not None:
                cost = round(thousandths(self.mode.ladder) * (ladder.top - ladder.base))
                self._rise((ladder.at, ladder.base), (ladder.at, ladder.top), ladder.size, cost)

    def _rise(self, foot: tuple[Point, Inches], head: tuple[Point, Inches], size: Inches, cost: int) -> None:
        """Stairs or a ladder: from the free places at its foot to those at its head."""
        for (bottom, near), (top, far) in product(self._exits(*foot, size), self._exits(*head, size)):
            self._join(bottom, top, cost + near + far, cost + near + far)

    def _exits(self, point: Point, z: Inches, size: Inches) -> list[tuple[int, int]]:
        """Where one steps on or off, and the cost of that step: at the point, or beside the hole or wall in which it lies."""
        exits = self._once(("exits", point, z, size), about(point, size), lambda: self._free_sides(point, z, size))
        return [(self._spot(side, number), step) for side, number, step in exits]

    def _free_sides(self, point: Point, z: Inches, size: Inches) -> list[tuple[Point, int, int]]:
        number = self._surface_at(z, point, size / 2 + self.mode.radius + 0.1)
        if number is None:
            return []
        for far in (max(size / 2, self.mode.radius + inches(BESIDE)), size / 2 + self.mode.radius, 2 * self.mode.radius):
            around = [point, *((point[0] + dx * far, point[1] + dy * far) for dx, dy in SIDES)]
            free = [side for side in around if self._covers(number, side) and self._clear((*side, self._z(number, side)))]
            if free:
                rate = 1000 * self.mode.open if self._covers(number, point) else 0.0  # out of a hole it is part of the flight
                return [(side, number, round(rate * hypot(side[0] - point[0], side[1] - point[1]))) for side in free]
        return []

    def _pinches(self) -> None:
        """Where two walls leave little more than a base's width between them: a place in the middle, off the lattice."""
        wide = 2 * thou(self.mode.radius)
        if len(self.panels) > MOST_PINCHES:
            return
        tall = [p for p in self.panels if p.top - p.bottom > thou(self.mode.low) and not p.fills]
        for (x, y), panel, floor in pinched(tall, wide - 2, wide + STEP):
            middle, key = (inches(x), inches(y)), ("pinch", x, y, panel, floor)
            for end, number in self._once(key, (x, y, x, y), partial(self._pinch, middle, panel, inches(floor))):
                self._spot(end, number)

    def _pinch(self, middle: Point, panel: tuple[Corner, Corner], floor: Inches) -> list[tuple[Point, int]]:
        """The places in a pinch and on either side of it, if the lattice misses it."""
        number = self._surface_at(floor, middle)
        if number is None or self._passed(number, middle):
            return []
        (x, y), (ax, ay), (bx, by), off = (thou(middle[0]), thou(middle[1])), *panel, thou(self.mode.radius) + BESIDE
        far = hypot(bx - ax, by - ay)
        across = ((by - ay) / far * off, (ax - bx) / far * off)
        ends = [(inches(x + sign * across[0]), inches(y + sign * across[1])) for sign in (1, -1)]
        return [*((end, number) for end in ends if self.leg(number, middle, end) >= 0), (middle, number)]

    def _passed(self, number: int, point: Point) -> bool:
        """Does the lattice itself pass here? Or is there no room at all?"""
        node, z = self.node(number, point), self._z(number, point)
        if node is None or not self.stands((*point, z)):
            return True
        first, surface = self.firsts[number], self.surfaces[number]
        row, column = divmod(node - first, surface.columns)
        return self.stands((inches((surface.left + column) * STEP), inches((surface.lower + row) * STEP), z))

    def _join_spots(self, first: int) -> None:
        """Straight legs between pinches that lie near each other: they may be two ends of an alley."""
        narrow = list(enumerate(self.spots))[first : first + MOST_JOINED]
        for (k, a), (n, b) in combinations(narrow, 2):
            if a.surface == b.surface and abs(a.x - b.x) <= FAR_SPOT and abs(a.y - b.y) <= FAR_SPOT:
                here, there = (inches(a.x), inches(a.y)), (inches(b.x), inches(b.y))
                costs = self.leg(a.surface, here, there), self.leg(a.surface, there, here)
                self._join(self.firsts[-1] + k, self.firsts[-1] + n, *costs)

    def _surface_at(self, z: Inches, point: Point, reach: Inches = 0.0) -> int | None:
        """The surface at a height that holds a point, or the nearest one within reach."""
        near = [
            (surface.shape.distance(shapely.Point(point)), number) for number, surface in enumerate(self.surfaces)
            if number and abs(surface.z - thou(z)) <= 10 and surface.frames(*point, reach)
        ]  # fmt: skip
        best = min(near, default=(LONGEST, 0))
        if best[0] <= reach + 1e-6:
            return best[1]
        return 0 if abs(self.ground.height_at(point) - z) <= self.mode.step + 0.01 else None

    def _climbs(self) -> None:
        """Over walls, onto solid things, up the face of a building or slab and down from it."""
        room = blank_ints(24 * (3 + ceil(3 * thou(self.mode.radius) / STEP)) * max(surface.size for surface in self.surfaces))
        everywhere = ints(np.concatenate([np.asarray(inside) for inside in self.ground.inside]))
        for number, surface in enumerate(self.surfaces):
            if self.mode.climb is not None:
                known = (self.ground.plane(number), *self.known, self.firsts[number], self._costs, room)
                over = partial(written, over_links, *self._frame(number), *known)
                self.ways += self._once(("over", number), surface.box, over)
            if number > 0:
                rims = partial(written, climb_links, number, self.frames, everywhere, float(STEP), *self.known, room)
                self.ways += self._once(("rim", number), surface.box, rims)

    def _thin_out(self) -> None:
        """Drop climbs that are no cheaper than a step and another climb: most of them, and nothing is lost."""
        if self.ways:
            ways = cheapest(np.array(self.ways, dtype=np.int64).reshape(-1, 3))
            self.ways = ways[~self._needless(ways)].ravel().tolist()

    def _needless(self, ways: Any) -> Any:
        """Of a climb between places of the lattice: does a step before or after it, with another climb, do as well?"""
        a, b, cost = ways.T
        last, costs = self.firsts[-1], np.append(np.asarray(self._costs), BLOCKED)
        known, found = Prices(ways), np.zeros(len(ways), dtype=bool)
        wide = np.array([surface.columns for surface in self.surfaces])
        firsts = np.array(self.firsts)
        for end, other, before in ((a, b, False), (b, a, True)):
            columns = wide[np.minimum(np.searchsorted(firsts, end, side="right") - 1, len(wide) - 1)]
            for way, shift in ((0, 1), (2, columns), (4, -1), (6, -columns)):
                place = end - shift if before else end + shift
                start = place if before else end
                leg = costs[np.where((start >= 0) & (start < last), start * WAYS + way, last * WAYS)]
                price = known.of(other, place) if before else known.of(place, other)
                found |= (leg > 0) & (leg + price <= cost)
        return found & (np.maximum(a, b) < last)

    def _z(self, number: int, point: Point) -> Inches:
        return inches(self.ground.raster(number).height_at(point))

    def _covers(self, number: int, point: Point) -> bool:
        surface = self.surfaces[number]
        return surface.frames(*point) and bool(surface.shape.covers(shapely.Point(point)))

    def _jumps(self) -> None:
        """Over gaps between two surfaces of about the same height, and over pits; straight across."""
        if self.mode.jump <= 0:
            return
        for number in range(1, len(self.surfaces)):
            for node, point in rim(self.surfaces[number], self.ground.inside[number], self.firsts[number]):
                for to in range(1, len(self.surfaces)):
                    if to != number and abs(self.surfaces[to].z - self.surfaces[number].z) <= thou(self.mode.step):
                        self._jump(node, point, number, to, self.surfaces[number].shape.union(self.surfaces[to].shape))
        for pit in self.map.pits:
            solid = self.surfaces[0].shape.difference(polygon(pit))
            for node, point in around(self.surfaces[0], polygon(pit)):
                self._jump(node, point, 0, 0, solid)

    def _jump(self, node: int, point: Point, number: int, to: int, solid: Any) -> None:
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            for far in range(2, ceil(self.mode.jump / inches(STEP)) + 4):
                there = (point[0] + dx * far * inches(STEP), point[1] + dy * far * inches(STEP))
                gap, other = shapely.LineString([point, there]).difference(solid).length, self.node(to, there)
                lands = other is not None and self._covers(to, there) and self._free(point, there, to)
                if 0.01 < gap <= self.mode.jump and lands:
                    cost = round(1000 * (far * inches(STEP) * self.mode.open + self.mode.jump_fee))
                    self.ways += [node, other or 0, cost]
                    break

    def _free(self, a: Point, b: Point, number: int) -> bool:
        ends = (*a, self._z(number, a), *b, self._z(number, b))
        return self.stands((*b, self._z(number, b))) and self._fees(ends, strict=False) == 0.0

    # The finished graph ---------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        """All ways from each place in flat arrays: where they begin, where they lead, what they cost."""
        self.size = self.firsts[-1] + len(self.spots)
        sizes = [surface.size for surface in self.surfaces]
        off = np.array([spot.surface for spot in self.spots], dtype=np.int64)
        numbers = np.concatenate([np.repeat(np.arange(len(sizes)), sizes), off])
        costs = np.asarray(self._costs).reshape(-1, WAYS)
        node, way = np.nonzero(costs >= 0)
        shifts = np.array([[WAYS_Y[k] * surface.columns + WAYS_X[k] for k in range(WAYS)] for surface in self.surfaces])
        links = np.array(self.ways, dtype=np.int64).reshape(-1, 3)
        begins = np.concatenate([node, links[:, 0]])
        order = np.argsort(begins, kind="stable")
        ends = np.concatenate([node + shifts[numbers[node], way], links[:, 1]])[order]
        prices = np.concatenate([costs[node, way], links[:, 2]])[order]
        starts = np.searchsorted(begins[order], np.arange(self.size + 1))
        self.numbers, self.links = small(numbers), (small(starts), small(ends), small(prices))
        self.plain = order < len(node)
        if self._relaying is not None and self._relaying.before.spots == self.spots:
            bits = self._relaying.bits(starts, ends, prices, self.plain)
        else:
            bits = bits_of(starts, ends, prices, self.plain, numbers)
        self._relaying = None
        self.flat_ways = small(np.stack([ends, prices, *bits], axis=1).ravel())  # as the spread reads them
        self.xs, self.ys = self._thous()

    def _thous(self) -> tuple[Any, Any]:
        across = [np.tile(np.arange(s.left, s.left + s.columns) * STEP, s.rows) for s in self.surfaces]
        along = [np.repeat(np.arange(s.lower, s.lower + s.rows) * STEP, s.columns) for s in self.surfaces]
        xs, ys = [spot.x for spot in self.spots], [spot.y for spot in self.spots]
        return floats(np.concatenate([*across, xs]).tolist()), floats(np.concatenate([*along, ys]).tolist())

    def node(self, number: int, point: Point) -> int | None:
        """The place of the lattice nearest to a point on a surface."""
        surface = self.surfaces[number]
        column, row = round(thou(point[0]) / STEP) - surface.left, round(thou(point[1]) / STEP) - surface.lower
        inside = 0 <= column < surface.columns and 0 <= row < surface.rows
        return self.firsts[number] + row * surface.columns + column if inside else None

    def near(self, number: int, point: Point) -> list[int]:
        """The places around a point, on the lattice and off it; just the one place if the point is one."""
        if not thou(point[0]) % STEP and not thou(point[1]) % STEP and (node := self.node(number, point)) is not None:
            return [node]
        return self.around(number, point)

    def around(self, number: int, point: Point) -> list[int]:
        """All places within a little more than an inch."""
        (left, lower, wide, high), first, (x, y) = self.surfaces[number].frame, self.firsts[number], point
        columns = [column for off in OFFS if 0 <= (column := round(thou(x + off) / STEP) - left) < wide]
        rows = [first + row * wide for off in OFFS if 0 <= (row := round(thou(y + off) / STEP) - lower) < high]
        nodes = [row + column for column in columns for row in rows]
        return nodes + [self.firsts[-1] + k for k in self._spots.near(number, point)]

    @cached_property
    def _spots(self) -> Spots:
        return Spots(self.spots, AROUND)

    def place(self, node: int) -> Place:
        x, y = inches(float(self.xs[node])), inches(float(self.ys[node]))
        return x, y, self._z(int(self.numbers[node]), (x, y))


def written(kernel: Callable[..., int], *args: Any) -> list[int]:
    """What a kernel has written into the room that is its last argument."""
    found: list[int] = np.asarray(args[-1][: kernel(*args)], dtype=np.int64).tolist()
    return found


def about(point: Point, size: Inches) -> Box:
    x, y, far = thou(point[0]), thou(point[1]), thou(size)
    return x - far, y - far, x + far, y + far


def small(values: Any) -> Any:
    """Whole numbers of 32 bits, half the memory to walk through; unsigned, or numba would ask of each index if it is negative."""
    return np.asarray(values, dtype=np.uint32) if FAST else [int(value) for value in values]


def rim(surface: Surface, inside: Any, first: int) -> Iterator[tuple[int, Point]]:
    """The places within an inch of a surface's edge."""
    there = np.flatnonzero(inside)
    xs = (there % surface.columns + surface.left) * inches(STEP)
    ys = (there // surface.columns + surface.lower) * inches(STEP)
    near = shapely.distance(surface.shape.boundary, shapely.points(xs, ys)) <= 0.75
    for node, x, y in zip(there[near], xs[near], ys[near], strict=True):
        yield first + int(node), (float(x), float(y))


def around(surface: Surface, hole: Any) -> Iterator[tuple[int, Point]]:
    """The places of the table within an inch of a hole in it."""
    left, lower, right, upper = hole.buffer(1).bounds
    for row in range(max(0, ceil(lower * 2)), min(surface.rows, int(upper * 2) + 1)):
        for column in range(max(0, ceil(left * 2)), min(surface.columns, int(right * 2) + 1)):
            point = (inches(column * STEP), inches(row * STEP))
            if 0 < hole.distance(shapely.Point(point)) <= 0.75:
                yield row * surface.columns + column, point


def roofs(house: Building) -> Iterator[tuple[str, int]]:
    """The walls of a house, inner ones too, each with the height of what lies on them; above that they are parapets."""
    stands = levels_standing(house)
    top = thou(floor_of(house, stands if house.roof or stands < house.levels else stands - 1))
    yield house.id, top
    yield from ((wall.id, top) for wall in house.walls if wall.id)


def ladders(table: Map) -> Iterator[Ladder]:
    yield from table.ladders
    for building in table.buildings:
        yield from building.ladders
