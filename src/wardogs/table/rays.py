"""The sight kernel: which kinds of terrain does each ray from an eye cross, and how deep?

A query is a beam: one eye and a handful of points that lie together. The index gives the panels and solids near the beam
once; then each is tried against all rays. Places are whole numbers of thous held in floats: below 2**53 they are exact, and
so is every comparison with a panel. Lengths inside solids are divided and rooted, then rounded to the thou; the half-way
mark is moved by a millionth of a thou, so that a depth which ends in an exact half rounds the same way everywhere.
"""

from __future__ import annotations

from math import floor, sqrt

from wardogs.table.compiled import Floats, Ints, compiled

HALF = 0.500001
CELL = 2000.0  # thous: a cell of the index

# A panel is 6 floats: ax, ay, bx, by, bottom, top. A solid is 12 floats: left, lower, right, upper, bottom, top, least
# depth that counts, weight in the haze of foliage, weight in the haze of smoke, x, y, radius of its cylinder (0: none).
MOST_RAYS = 512  # of one query
BOOK = 9


@compiled
def panel_rays(
    ax: float, ay: float, bx: float, by: float, low: float, high: float, bit: int, n: int, xs: Floats, ys: Floats, zs: Floats,
    hits: Ints,
) -> None:  # fmt: skip
    """Mark the rays that touch one panel; all is measured from the eye."""
    wx, wy = bx - ax, by - ay
    eye_side = wy * ax - wx * ay
    if eye_side == 0.0:
        panel_rays_in_line(ax, ay, bx, by, low, high, bit, n, xs, ys, zs, hits)
        return
    for i in range(n):
        x, y = xs[i], ys[i]
        run = wy * x - wx * y
        left, right = x * ay - y * ax, x * by - y * bx
        rise = zs[i] * eye_side
        hit = (left * right <= 0.0) & (eye_side * (eye_side - run) <= 0.0)
        hit &= ((rise - low * run) * run >= 0.0) & ((high * run - rise) * run >= 0.0)
        hits[i] |= bit if hit else 0


@compiled
def panel_rays_in_line(
    ax: float, ay: float, bx: float, by: float, low: float, high: float, bit: int, n: int, xs: Floats, ys: Floats, zs: Floats,
    hits: Ints,
) -> None:  # fmt: skip
    """The same for an eye that stands exactly in the panel's line."""
    eye_on_it = ax * bx + ay * by <= 0.0
    for i in range(n):
        x, y, z = xs[i], ys[i], zs[i]
        length = x * x + y * y
        if length == 0.0:
            hit = eye_on_it & (min(0.0, z) <= high) & (max(0.0, z) >= low)
        elif (bx - ax) * y - (by - ay) * x != 0.0:
            hit = eye_on_it & (low <= 0.0) & (high >= 0.0)
        else:
            to_a, to_b = ax * x + ay * y, bx * x + by * y
            first, last = max(0.0, min(to_a, to_b)), min(length, max(to_a, to_b))
            hit = first <= last
            hit &= (min(z * first, z * last) <= high * length) & (max(z * first, z * last) >= low * length)
        hits[i] |= bit if hit else 0


@compiled
def cut_disc(
    cx: float, cy: float, r: float, low: float, high: float, n: int, xs: Floats, ys: Floats, zs: Floats,
    first: Floats, last: Floats,
) -> None:  # fmt: skip
    """The stretch of each ray, from 0 at the eye to 1 at its end, inside an upright cylinder."""
    for i in range(n):
        x, y, z = xs[i], ys[i], zs[i]
        flat = x * x + y * y
        length = sqrt(flat)
        off = abs(x * cy - y * cx) / length if flat > 0.0 else 0.0 if cx * cx + cy * cy <= r * r else r
        half = sqrt(max(0.0, (r - off) * (r + off))) / length if flat > 0.0 else 2.0
        middle = (x * cx + y * cy) / flat if flat > 0.0 else 0.0
        inside = (off < r) & ((z != 0.0) | (low <= 0.0 <= high))
        enter = min(low / z, high / z) if z != 0.0 else 0.0
        leave = max(low / z, high / z) if z != 0.0 else 1.0
        first[i] = max(0.0, middle - half, enter) if inside else 2.0
        last[i] = min(1.0, middle + half, leave)


@compiled
def cut_part(
    plane: Floats, begin: int, end: int, ex: float, ey: float, ez: float, n: int, xs: Floats, ys: Floats, zs: Floats,
    first: Floats, last: Floats, left: float, right: float, lower: float, upper: float, low: float, high: float,
) -> bool:  # fmt: skip
    """The stretch of each ray inside a convex part; False if all miss it. The box around their ends tells what cuts none."""
    for i in range(n):
        first[i], last[i] = 0.0, 1.0
    for p in range(4 * begin, 4 * end, 4):
        a, b, c = plane[p], plane[p + 1], plane[p + 2]
        start = a * ex + b * ey + c * ez + plane[p + 3]
        if start < 0.0:
            if start + max(a * left, a * right) + max(b * lower, b * upper) + max(c * low, c * high) < 0.0:
                return False
            for i in range(n):
                stop = start + a * xs[i] + b * ys[i] + c * zs[i]
                first[i] = max(first[i], start / (start - stop) if stop >= 0.0 else 2.0)
        elif start + min(a * left, a * right) + min(b * lower, b * upper) + min(c * low, c * high) < 0.0:
            for i in range(n):
                stop = start + a * xs[i] + b * ys[i] + c * zs[i]
                last[i] = min(last[i], start / (start - stop) if stop < 0.0 else 1.0)
    return True


@compiled
def add_depths(n: int, xs: Floats, ys: Floats, zs: Floats, skip: float, first: Floats, last: Floats, depth: Floats) -> None:
    """Add the stretch from first to last of each ray in thous, leaving out what is nearer to the eye than `skip`."""
    for i in range(n):
        length = sqrt(xs[i] * xs[i] + ys[i] * ys[i] + zs[i] * zs[i])
        depth[i] += max(0.0, last[i] * length - max(first[i] * length, skip))


@compiled
def solid_rays(
    solid: Floats, k: int, bit: int, parts: Ints, cuts: Ints, plane: Floats, ex: float, ey: float, ez: float, n: int,
    xs: Floats, ys: Floats, zs: Floats, left: float, right: float, lower: float, upper: float, low: float, high: float,
    skip: float, first: Floats, last: Floats, depth: Floats, hits: Ints, haze: Floats, at: int,
) -> None:  # fmt: skip
    """Mark the rays that run through one solid, and thicken their haze."""
    least, leaves, smoke = solid[12 * k + 6], solid[12 * k + 7], solid[12 * k + 8]
    own = skip if leaves > 0.0 else 0.0
    for i in range(n):
        depth[i] = 0.0
    if solid[12 * k + 11] > 0.0:
        cx, cy, bottom, top = solid[12 * k + 9] - ex, solid[12 * k + 10] - ey, solid[12 * k + 4] - ez, solid[12 * k + 5] - ez
        cut_disc(cx, cy, solid[12 * k + 11], bottom, top, n, xs, ys, zs, first, last)
        add_depths(n, xs, ys, zs, own, first, last, depth)
    else:
        for part in range(parts[2 * k], parts[2 * k + 1]):
            if cut_part(
                plane, cuts[part], cuts[part + 1], ex, ey, ez, n, xs, ys, zs, first, last, left, right, lower, upper, low, high
            ):  # fmt: skip
                add_depths(n, xs, ys, zs, own, first, last, depth)
    for i in range(n):
        inside = floor(depth[i] + HALF)
        if inside >= least:
            hits[i] |= bit
            haze[2 * (at + i)] += inside * leaves
            haze[2 * (at + i) + 1] += inside * smoke


@compiled
def bounds(n: int, values: Floats) -> tuple[float, float]:
    least = most = values[0]
    for i in range(n):
        least, most = min(least, values[i]), max(most, values[i])
    return least, most


@compiled
def wedge(left: float, lower: float, right: float, upper: float) -> tuple[float, float, float, float]:
    """The two corners of a box between which the eye at (0, 0) sees it, clockwise one first; zeros if the eye is in it."""
    if left <= 0.0 <= right and lower <= 0.0 <= upper:
        return 0.0, 0.0, 0.0, 0.0
    cx, cy = left, lower
    ax, ay = left, lower
    for corner in range(1, 4):
        x = left if corner < 2 else right
        y = lower if corner % 2 == 0 else upper
        if cx * y - cy * x < 0.0:
            cx, cy = x, y
        if ax * y - ay * x > 0.0:
            ax, ay = x, y
    return cx, cy, ax, ay


@compiled
def beside(cx: float, cy: float, ax: float, ay: float, x: float, y: float, to_x: float, to_y: float) -> bool:
    """Does a stretch lie wholly clockwise of the wedge, or wholly counter-clockwise of it?"""
    return ((cx * y - cy * x < 0.0) & (cx * to_y - cy * to_x < 0.0)) | ((ax * y - ay * x > 0.0) & (ax * to_y - ay * to_x > 0.0))


@compiled
def box_beside(cx: float, cy: float, ax: float, ay: float, left: float, lower: float, right: float, upper: float) -> bool:
    """The same for a box: it is enough to try its two corners that lie farthest towards the wedge."""
    x, y = (right if cy < 0.0 else left), (upper if cx > 0.0 else lower)
    to_x, to_y = (left if ay < 0.0 else right), (lower if ax > 0.0 else upper)
    return (cx * y - cy * x < 0.0) | (ax * to_y - ay * to_x > 0.0)


@compiled
def beam(
    ex: float, ey: float, ez: float, n: int, xs: Floats, ys: Floats, zs: Floats, first: Floats, last: Floats, depth: Floats,
    hits: Ints, skip: float, grid: Ints, cells: Ints, panel: Floats, solid: Floats, parts: Ints, cuts: Ints, plane: Floats,
    bits: Ints, seen: Ints, haze: Floats, at: int,
) -> None:  # fmt: skip
    """All rays of one query. `grid` is columns, rows, panels, solids; `seen` remembers what this query has tried."""
    columns, rows, panels = grid[0], grid[1], grid[2]
    (left, right), (lower, upper), (least, most) = bounds(n, xs), bounds(n, ys), bounds(n, zs)
    low, high = min(0.0, least), max(0.0, most)
    cx, cy, ax, ay = wedge(left, lower, right, upper)
    seen[0] += 1
    stamp = seen[0]
    first_row = min(max(floor((ey + min(0.0, lower)) / CELL), 0), rows - 1)
    last_row = min(max(floor((ey + max(0.0, upper)) / CELL), 0), rows - 1)
    for row in range(first_row, last_row + 1):
        south = row * CELL - ey if row > 0 else min(-ey, lower, 0.0)
        north = (row + 1) * CELL - ey if row < rows - 1 else max(CELL * rows - ey, upper, 0.0)
        west, east = beam_row(left, lower, right, upper, south, north)
        begin = row * columns + min(max(floor((ex + west) / CELL), 0), columns - 1)
        end = row * columns + min(max(floor((ex + east) / CELL), 0), columns - 1)
        for slot in range(cells[begin], cells[end + 1]):
            item = cells[slot]
            if seen[1 + item] == stamp:
                continue
            seen[1 + item] = stamp
            if item < panels:
                x, y, bottom = panel[6 * item] - ex, panel[6 * item + 1] - ey, panel[6 * item + 4] - ez
                to_x, to_y, top = panel[6 * item + 2] - ex, panel[6 * item + 3] - ey, panel[6 * item + 5] - ez
                if bottom <= high and top >= low and not beside(cx, cy, ax, ay, x, y, to_x, to_y):
                    panel_rays(x, y, to_x, to_y, bottom, top, bits[item], n, xs, ys, zs, hits)
            else:
                k = item - panels
                x, y, bottom = solid[12 * k] - ex, solid[12 * k + 1] - ey, solid[12 * k + 4] - ez
                to_x, to_y, top = solid[12 * k + 2] - ex, solid[12 * k + 3] - ey, solid[12 * k + 5] - ez
                if bottom <= high and top >= low and not box_beside(cx, cy, ax, ay, x, y, to_x, to_y):
                    solid_rays(
                        solid, k, bits[item], parts, cuts, plane, ex, ey, ez, n, xs, ys, zs, left, right, lower, upper,
                        least, most, skip, first, last, depth, hits, haze, at,
                    )  # fmt: skip


@compiled
def beam_row(left: float, lower: float, right: float, upper: float, south: float, north: float) -> tuple[float, float]:
    """How far west and east the beam, the hull of the eye at (0, 0) and a box, reaches within a strip."""
    west, east = 1e18, -1e18
    if lower <= north and upper >= south:
        west, east = left, right
    for corner in range(4):
        x = left if corner < 2 else right
        y = lower if corner % 2 == 0 else upper
        bottom, top = max(min(0.0, y), south), min(max(0.0, y), north)
        if bottom <= top:
            from_x, to_x = (x * bottom / y, x * top / y) if y != 0.0 else (0.0, x)
            west, east = min(west, from_x, to_x), max(east, from_x, to_x)
    return west - 1.0, east + 1.0


@compiled
def opened(book: Ints, store: Floats) -> tuple[Ints, ...]:
    """The parts of a terrain's two arrays, in the order of their names in `beam`.

    Numba takes a tenth of a microsecond for each array it is handed, so they travel as two. `book` begins with BOOK whole
    numbers: where its own parts end (grid, cells, parts, cuts, bits, seen), and those of `store` (panel, solid, plane).
    """
    g, c, p, u, b, s = book[0], book[1], book[2], book[3], book[4], book[5]
    panels, solids, room, n = book[6], book[7], book[8], MOST_RAYS
    return (
        store[room : room + n], store[room + n : room + 2 * n], store[room + 2 * n : room + 3 * n],
        store[room + 3 * n : room + 4 * n], store[room + 4 * n : room + 5 * n], store[room + 5 * n : room + 6 * n],
        book[s : s + n], book[BOOK:g], book[g:c], store[:panels], store[panels:solids], book[c:p], book[p:u],
        store[solids:room], book[u:b], book[b:s],
    )  # fmt: skip


@compiled
def aim(
    n: int, points: Floats, at: int, ex: float, ey: float, ez: float, xs: Floats, ys: Floats, zs: Floats, hits: Ints, haze: Floats
) -> None:
    """Measure the ends of a query's rays from its eye; nothing is in their way yet."""
    for i in range(n):
        xs[i], ys[i], zs[i] = points[3 * (at + i)] - ex, points[3 * (at + i) + 1] - ey, points[3 * (at + i) + 2] - ez
        hits[i] = 0
        haze[2 * (at + i)] = haze[2 * (at + i) + 1] = 0.0


@compiled
def beams(
    queries: int, eyes: Floats, starts: Ints, points: Floats, skip: float, book: Ints, store: Floats, mask: Ints, haze: Floats
) -> None:  # fmt: skip
    """Many queries: the points of query q are starts[q] to starts[q + 1]; 3 floats a point."""
    xs, ys, zs, first, last, depth, hits, grid, cells, panel, solid, parts, cuts, plane, bits, seen = opened(book, store)
    for q in range(queries):
        ex, ey, ez = eyes[3 * q], eyes[3 * q + 1], eyes[3 * q + 2]
        at, n = starts[q], starts[q + 1] - starts[q]
        if n == 0:
            continue
        aim(n, points, at, ex, ey, ez, xs, ys, zs, hits, haze)
        beam(
            ex, ey, ez, n, xs, ys, zs, first, last, depth, hits, skip, grid, cells, panel, solid, parts, cuts, plane, bits, seen,
            haze, at,
        )  # fmt: skip
        for i in range(n):
            mask[at + i] = hits[i]
