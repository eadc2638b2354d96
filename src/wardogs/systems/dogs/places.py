"""Free places of a piece of ground: where a base has room, clear of walls, hulls and others."""

from __future__ import annotations

from math import hypot
from typing import Any, NamedTuple

import numpy as np
import shapely

from wardogs.kernel.offers import Refusal
from wardogs.systems.dogs.data import BODY
from wardogs.systems.dogs.ground import table_now
from wardogs.systems.dogs.measure import CLOSE
from wardogs.systems.dogs.memory import kept_with
from wardogs.systems.dogs.rotors import hull_shape
from wardogs.systems.dogs.state import Fight, Id
from wardogs.systems.dogs.ways import MODES, height_at
from wardogs.systems.dogs.zones import Zone
from wardogs.table.graph import Graph
from wardogs.table.reach import graph_of
from wardogs.table.shapes import corners_of
from wardogs.table.units import Inches, Place, Point, thou

__all__ = ["Places", "free_places", "height_at", "nearest_free", "things_of", "whole_table", "why_no_room"]

RADIUS = BODY.base / 2


class Places(NamedTuple):
    """Ground of a question: the places of the lattice that are free, and any other point that is."""

    graph: Graph
    zone: Zone
    radius: Inches
    apart: Inches  # from the middle of everybody else
    men: tuple[Place, ...]
    hulls: tuple[Any, ...]
    nodes: Any

    def admits(self, place: tuple[float, ...]) -> bool:
        return len(place) == 3 and self.why_not((place[0], place[1], place[2])) is None

    def why_not(self, place: Place) -> Refusal | None:
        """DOW-SET-07: whole base inside; clear of walls, hulls and each other."""
        if not self.zone.contains(place, self.radius):
            return Refusal("DOW-SET-07", "outside_zone")
        if not self.graph.stands(place):
            return Refusal("DOW-SET-07", "no_room")
        if any(_near(place, man) < self.apart - CLOSE for man in self.men) or self._under_a_hull(place):
            return Refusal("DOW-SET-07", "taken")
        return None

    def _under_a_hull(self, place: Place) -> bool:
        return any(shape.distance(shapely.Point(place[:2])) < RADIUS - CLOSE for shape in self.hulls)

    @property
    def size(self) -> int:
        return len(self.nodes)

    def pick(self, index: int) -> Place:
        return self.graph.place(int(self.nodes[index]))

    def nearest(self, to: Point) -> Place:
        """The free place nearest to a point, the lowest of several."""
        xs, ys = np.asarray(self.graph.xs)[self.nodes], np.asarray(self.graph.ys)[self.nodes]
        far = np.hypot(xs - thou(to[0]), ys - thou(to[1]))
        return self.pick(int(np.lexsort((self.nodes, np.round(far)))[0]))


def _near(place: Place, man: Place) -> Inches:
    """Between two middles in plan; on different floors they are out of each other's way."""
    apart = abs(place[2] - man[2]) >= BODY.height
    return 1000.0 if apart else hypot(place[0] - man[0], place[1] - man[1])


@kept_with
def _zone_nodes(graph: Graph, zone: Zone, radius: Inches) -> Any:
    """The lattice places of a zone at which a base has room."""
    nodes = np.flatnonzero(graph.room[: graph.firsts[-1]])
    left, lower, right, upper = zone.box
    xs, ys = np.asarray(graph.xs)[nodes], np.asarray(graph.ys)[nodes]
    inside = (
        (xs >= thou(left + radius)) & (xs <= thou(right - radius)) & (ys >= thou(lower + radius)) & (ys <= thou(upper - radius))
    )
    found = nodes[inside]
    if zone.rect and not zone.floors:
        return found
    return np.array([node for node in found if zone.contains(graph.place(int(node)), radius)], dtype=int)


@kept_with
def _clear_nodes(graph: Graph, zone: Zone, radius: Inches) -> Any:
    """Those of them that no wreck or other solid thing takes."""
    nodes = _zone_nodes(graph, zone, radius)
    points = shapely.points(np.asarray(graph.xs)[nodes] / 1000.0, np.asarray(graph.ys)[nodes] / 1000.0)
    free = np.ones(len(nodes), dtype=bool)
    for shape in things_of(graph):
        free &= shapely.distance(shape, points) >= RADIUS
    return nodes[free]


def free_places(g: Fight, zone: Zone, apart: Inches = BODY.base, radius: Inches = RADIUS, without: Id = "") -> Places:
    """What is free of a zone now, for a base, or for something laid on the ground."""
    graph = graph_of(table_now(g), MODES["walk"])
    men = tuple(man.at for man in g.state.models if man.living and man.id != without)
    standing = [hull_shape(vehicle) for vehicle in g.state.vehicles if vehicle.there and not vehicle.altitude]
    hulls = (*standing, *things_of(graph))
    nodes = _clear_nodes(graph, zone, radius)
    xs, ys = np.asarray(graph.xs)[nodes], np.asarray(graph.ys)[nodes]
    free = np.ones(len(nodes), dtype=bool)
    places = Places(graph, zone, radius, apart, men, hulls, nodes)
    left, lower, right, upper = zone.box
    about = (man for man in men if left - apart <= man[0] <= right + apart and lower - apart <= man[1] <= upper + apart)
    for x, y, _ in about:
        close = np.flatnonzero((abs(xs - thou(x)) < thou(apart)) & (abs(ys - thou(y)) < thou(apart)))
        free[[k for k in close if places.why_not(graph.place(int(nodes[k]))) is not None]] = False
    for shape in standing:
        free &= shapely.distance(shape, shapely.points(xs / 1000.0, ys / 1000.0)) >= RADIUS
    return places._replace(nodes=nodes[free])


@kept_with
def things_of(graph: Graph) -> tuple[Any, ...]:
    """Wrecks and other solid things of the table: nobody begins in one, or lands on one."""
    return tuple(shapely.Polygon(corners_of(thing)) for thing in graph.map.things)


def why_no_room(g: Fight, zone: Zone, place: Place, apart: Inches = BODY.base, radius: Inches = RADIUS) -> Refusal | None:
    return free_places(g, zone, apart, radius).why_not(place)


def nearest_free(g: Fight, at: Place, without: Id = "") -> Place:
    """The shortest way clear: the place itself if it is free, else the nearest free one at about its height."""
    places = free_places(g, whole_table(g), without=without)
    if places.why_not(at) is None:
        return at
    xs, ys = np.asarray(places.graph.xs)[places.nodes], np.asarray(places.graph.ys)[places.nodes]
    order = np.argsort(np.hypot(xs - thou(at[0]), ys - thou(at[1])), kind="stable")
    level = [places.pick(int(k)) for k in order[:200]]
    same = [place for place in level if abs(place[2] - at[2]) < BODY.contact_rise]
    return (same or level)[0]


def whole_table(g: Fight) -> Zone:
    wide, high = g.terms.map.size
    return Zone(rect=(0.0, 0.0, wide, high))
