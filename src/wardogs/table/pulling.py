"""Kernels that pull paths tight, from the places of the lattice to the fewest corners, and that end them beside it."""

from __future__ import annotations

from math import hypot, inf, sqrt

from wardogs.table.compiled import Floats, Ints, compiled
from wardogs.table.walking import BLOCKED, free_leg, is_taken


@compiled
def first_legs(
    sx: float, sy: float, ground: int, far: int, around: Ints, xs: Floats, ys: Floats, found: Ints, barriers: Floats, plane: int,
    mode: Floats, grid: Ints, cells: Ints, panel: Floats, codes: Ints, fees: Floats, seen: Ints, columns: int, rows: int,
    fine: float, classes: Ints, heights: Ints,
) -> int:  # fmt: skip
    """Those of the places around a start to which a straight leg leads, each with its cost; how many numbers that is."""
    count = 0
    for k in range(len(around)):
        node = around[k]
        cost = free_leg(
            sx, sy, xs[node], ys[node], ground, barriers, plane, mode, grid, cells, panel, codes, fees, seen, columns, rows, fine,
            classes, heights,
        )  # fmt: skip
        if 0 <= cost <= far:
            found[count], found[count + 1] = node, cost
            count += 2
    return count


@compiled
def tighten(
    node: int, sx: float, sy: float, ground: int, dist: Ints, parent: Ints, surface: Ints, xs: Floats, ys: Floats, planes: Ints,
    barriers: Floats, root: Ints, taut: Ints, mode: Floats, grid: Ints, cells: Ints, panel: Floats, codes: Ints, fees: Floats,
    seen: Ints, columns: int, rows: int, fine: float, classes: Ints, heights: Ints,
) -> None:  # fmt: skip
    """Pull one path tight: straight from the last corner where that can be walked and is no dearer; -1 is the start."""
    before = parent[node] - 1  # a place's number and one more: 0 is the start
    root[node], taut[node] = before, dist[node]
    if before < 0:
        return
    corner, here = root[before], surface[node]
    taut[node] = taut[before] + dist[node] - dist[before]
    for attempt in range(2):
        if attempt == 1:
            corner = -1 if corner < 0 else root[corner]
        if here != (ground if corner < 0 else surface[corner]):
            continue
        x, y = (sx, sy) if corner < 0 else (xs[corner], ys[corner])
        cost = free_leg(
            x, y, xs[node], ys[node], here, barriers, planes[here], mode, grid, cells, panel, codes, fees, seen, columns, rows,
            fine, classes, heights,
        )  # fmt: skip
        cost += 0 if corner < 0 or cost < 0 else taut[corner]
        if 0 <= cost <= taut[node]:
            root[node], taut[node] = corner, cost


@compiled
def pull(
    wanted: Ints, far: int, chain: Ints, done: Ints, sx: float, sy: float, ground: int, dist: Ints, parent: Ints, surface: Ints,
    xs: Floats, ys: Floats, planes: Ints, barriers: Floats, root: Ints, taut: Ints, mode: Floats, grid: Ints, cells: Ints,
    panel: Floats, codes: Ints, fees: Floats, seen: Ints, columns: int, rows: int, fine: float, classes: Ints, heights: Ints,
) -> None:  # fmt: skip
    """Pull the paths tight to those of some places that are not too far: first those to the places before them.

    `done` says for which places that is done already; `chain` is room for one path.
    """
    for k in range(len(wanted)):
        node, count = int(wanted[k]), 0
        while node >= 0 and dist[node] <= far and not done[node]:
            chain[count], done[node] = node, 1
            count, node = count + 1, int(parent[node]) - 1
        for link in range(count - 1, -1, -1):
            tighten(
                int(chain[link]), sx, sy, ground, dist, parent, surface, xs, ys, planes, barriers, root, taut, mode, grid, cells,
                panel, codes, fees, seen, columns, rows, fine, classes, heights,
            )  # fmt: skip


@compiled
def list_ends(around: Ints, far: int, number: int, dist: Ints, surface: Ints, root: Ints, ends: Ints) -> int:
    """From where a way may end on a surface: from the places around that are not too far, and the corners before them."""
    count = 0
    for k in range(2 * len(around)):
        node = int(around[k // 2])
        if dist[node] > far:
            continue
        node = node if k % 2 == 0 else int(root[node])
        known = node < 0 or surface[node] != number
        for end in range(count):
            known = known or ends[end] == node
        if not known:
            ends[count] = node
            count += 1
    return count


@compiled
def last_leg(
    x: float, y: float, number: int, least: float, most: int, around: Ints, bounds: Floats, far: int, ends: Ints, done: Ints,
    sx: float, sy: float, ground: int, dist: Ints, parent: Ints, surface: Ints, xs: Floats, ys: Floats, planes: Ints,
    barriers: Floats, root: Ints, taut: Ints, mode: Floats, grid: Ints, cells: Ints, panel: Floats, codes: Ints, fees: Floats,
    seen: Ints, columns: int, rows: int, fine: float, classes: Ints, heights: Ints,
) -> tuple[int, int]:  # fmt: skip
    """The cheapest way to come to a point of a surface: what it costs, BLOCKED if there is none, and its last corner.

    That is straight from the start, if it lies there, or from one of the places around, or a corner before one; those that
    promise most come first, and the last of the `bounds` is that of the start.
    """
    pull(
        around, far, ends, done, sx, sy, ground, dist, parent, surface, xs, ys, planes, barriers, root, taut, mode, grid,
        cells, panel, codes, fees, seen, columns, rows, fine, classes, heights,
    )  # fmt: skip
    count = list_ends(around, far, number, dist, surface, root, ends)
    for end in range(count):
        ax, ay = xs[ends[end]], ys[ends[end]]
        bounds[end] = taut[ends[end]] + sqrt((x - ax) * (x - ax) + (y - ay) * (y - ay)) * least
    bounds[count] = sqrt((x - sx) * (x - sx) + (y - sy) * (y - sy)) * least if number == ground else inf
    best, corner = most + 1, BLOCKED
    while True:
        end = 0
        for other in range(1, count + 1):
            if bounds[other] < bounds[end]:
                end = other
        if bounds[end] - 1 > min(best, most):
            return best if best <= most else BLOCKED, corner
        bounds[end] = inf
        node = int(ends[end]) if end < count else -1
        ax, ay, before = (sx, sy, 0) if node < 0 else (xs[node], ys[node], taut[node])
        cost = free_leg(
            ax, ay, x, y, number, barriers, planes[number], mode, grid, cells, panel, codes, fees, seen, columns, rows, fine,
            classes, heights,
        )  # fmt: skip
        if cost >= 0 and (before + cost < best or (before + cost == best and node < corner)):
            best, corner = before + cost, node


@compiled
def guess_costs(
    to_x: Floats, to_y: Floats, near: float, rate: float, west: int, east: int, south: int, north: int, frames: Ints, most: int,
    dist: Ints, room: Ints, xs: Floats, ys: Floats, barriers: Floats, found: Floats,
) -> None:  # fmt: skip
    """What it costs to come to each of some points along the lattice, and straight from a place of it no farther than `near`.

    No column and row of the lattice but those from `west` to `east` and from `south` to `north` come so near to one.
    """
    for surface in range(len(frames) // 6):
        at = 6 * surface
        left, lower, wide, high, first = frames[at], frames[at + 1], frames[at + 2], frames[at + 3], frames[at + 5]
        for row in range(max(0, south - lower), min(high - 1, north - lower) + 1):
            for column in range(max(0, west - left), min(wide - 1, east - left) + 1):
                node = first + row * wide + column
                if dist[node] > most or not room[node] or is_taken(xs[node], ys[node], surface, barriers):
                    continue
                for k in range(len(found)):
                    x, y = xs[node] - to_x[k], ys[node] - to_y[k]
                    if x * x + y * y <= near * near:
                        found[k] = min(found[k], dist[node] + rate * hypot(x, y))


@compiled
def find_taken(nodes: Ints, surface: Ints, xs: Floats, ys: Floats, barriers: Floats, found: Ints) -> None:
    """Which of some places an obstacle takes."""
    for k in range(len(nodes)):
        found[k] = is_taken(xs[nodes[k]], ys[nodes[k]], surface[nodes[k]], barriers)
