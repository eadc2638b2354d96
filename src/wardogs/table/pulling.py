"""Kernels that pull paths tight: from the places of the lattice to the fewest corners."""

from __future__ import annotations

from math import sqrt

from wardogs.table.compiled import Floats, Ints, compiled
from wardogs.table.walking import BLOCKED, is_barred, leg_cost


@compiled
def pull(
    order: Ints, sx: float, sy: float, ground: int, dist: Ints, parent: Ints, surface: Ints, xs: Floats, ys: Floats, planes: Ints,
    barriers: Floats, root: Ints, taut: Ints, mode: Floats, grid: Ints, cells: Ints, panel: Floats, codes: Ints, fees: Floats,
    seen: Ints, columns: int, rows: int, fine: float, classes: Ints, heights: Ints,
) -> None:  # fmt: skip
    """Pull every path tight: straight from the last corner where that can be walked and is no dearer; -1 is the start."""
    for node in order:
        before = parent[node] - 1  # a place's number and one more: 0 is the start
        root[node], taut[node] = before, dist[node]
        if before < 0:
            continue
        corner, here = root[before], surface[node]
        root[node], taut[node] = before, taut[before] + dist[node] - dist[before]
        for attempt in range(2):
            if attempt == 1:
                corner = -1 if corner < 0 else root[corner]
            if here != (ground if corner < 0 else surface[corner]):
                continue
            x, y = (sx, sy) if corner < 0 else (xs[corner], ys[corner])
            if is_barred(x, y, xs[node], ys[node], here, barriers):
                continue
            cost = leg_cost(
                x, y, xs[node], ys[node], planes[here], mode, grid, cells, panel, codes, fees, seen, columns, rows, fine,
                classes, heights,
            )  # fmt: skip
            cost += 0 if corner < 0 or cost < 0 else taut[corner]
            if 0 <= cost <= taut[node]:
                root[node], taut[node] = corner, cost


@compiled
def last_legs(
    points: Floats, ends: Ints, sx: float, sy: float, starts: bool, number: int, least: float, most: int, taut: Ints,
    surface: Ints, xs: Floats, ys: Floats, barriers: Floats, found: Ints, plane: int, mode: Floats, grid: Ints, cells: Ints,
    panel: Floats, codes: Ints, fees: Floats, seen: Ints, columns: int, rows: int, fine: float, classes: Ints, heights: Ints,
) -> None:  # fmt: skip
    """How to come to each of some points of one surface: what it costs, BLOCKED if there is no way, and its last corner.

    That is straight from the start, if it lies there (`starts`), or from one of the `ends`; `taut` says what those cost.
    """
    for k in range(len(points) // 2):
        x, y, best, corner = points[2 * k], points[2 * k + 1], most + 1, BLOCKED
        for end in range(-1 if starts else 0, len(ends)):
            node = -1 if end < 0 else int(ends[end])
            if node >= 0 and surface[node] != number:
                continue
            ax, ay, before = (sx, sy, 0) if node < 0 else (xs[node], ys[node], taut[node])
            far = sqrt((x - ax) * (x - ax) + (y - ay) * (y - ay))
            if before + far * least - 1 > min(best, most) or is_barred(ax, ay, x, y, number, barriers):
                continue
            cost = leg_cost(
                ax, ay, x, y, plane, mode, grid, cells, panel, codes, fees, seen, columns, rows, fine, classes, heights
            )  # fmt: skip
            if cost >= 0 and (before + cost < best or (before + cost == best and node < corner)):
                best, corner = before + cost, node
        found[2 * k], found[2 * k + 1] = best if best <= most else BLOCKED, corner
