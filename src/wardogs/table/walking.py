"""The kernels of reach: what one straight leg costs a round base, the legs of the lattice, and paths pulled tight.

Costs are whole thousandths of whatever the movement mode counts in: an inch of open ground for most, an action point for some.
"""

from __future__ import annotations

from math import ceil, floor, sqrt

from wardogs.table.compiled import Floats, Ints, compiled
from wardogs.table.rays import CELL

SLACK = 2.0  # thous by which a base may be too wide: equal is enough, and corners of slanted walls are rounded
FLUSH = 100.0  # thous: what stands no higher above the floor is no obstacle
WALL, SHUT, LEAF, LEDGE, HOUSE = 0, 1, 2, 3, 4  # how a panel is crossed: see crossing_fee
BLOCKED = -1
NEVER = 1 << 40
UNKNOWN = -2.0
# Places around another model: those from which two legs may touch it, those from which one may, those that it takes.
CLEAR, AROUND, NEAR, TAKEN = 0, 1, 2, 3

# A mode is floats: radius, height, free step, low, fee for low, climb per inch, highest climb, free drop, then a rate per class.
RADIUS, TALL, FREE, LOW, LOW_FEE, CLIMB, HIGHEST, DROP, RATES = 0, 1, 2, 3, 4, 5, 6, 7, 8

WAYS_X = (1, 1, 0, -1, -1, -1, 0, 1, 2, 1, -1, -2, -2, -1, 1, 2)
WAYS_Y = (0, 1, 1, 1, 0, -1, -1, -1, 1, 2, 2, 1, -1, -2, -2, -1)
WAYS, LONGEST_STEP = 16, 2


@compiled
def point_gap(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The square of the distance from a point to a stretch."""
    x, y = bx - ax, by - ay
    length = x * x + y * y
    share = ((px - ax) * x + (py - ay) * y) / length if length > 0.0 else 0.0
    share = min(1.0, max(0.0, share))
    dx, dy = ax + share * x - px, ay + share * y - py
    return dx * dx + dy * dy


@compiled
def stretch_gap(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> float:
    """The square of the distance between two stretches; 0 if they touch."""
    c_side = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    d_side = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    a_side = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    b_side = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    if c_side * d_side < 0.0 and a_side * b_side < 0.0:
        return 0.0
    near = min(point_gap(cx, cy, ax, ay, bx, by), point_gap(dx, dy, ax, ay, bx, by))
    return min(near, point_gap(ax, ay, cx, cy, dx, dy), point_gap(bx, by, cx, cy, dx, dy))


@compiled
def steps_over(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> bool:
    """Does a leg pass from one side of a panel to the other? On its line counts as its left side, so each is paid once."""
    a_side = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx) >= 0.0
    b_side = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx) >= 0.0
    c_side = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    d_side = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    return a_side != b_side and c_side * d_side <= 0.0


@compiled
def crossing_fee(code: int, fee: float, rise: float, mode: Floats, climbing: bool) -> float:
    """What it costs to cross a panel that rises so far above the floor; less than 0 if it cannot be crossed.

    A low one is stepped over. A higher wall is climbed, up and down; a ledge, the side of something solid, is paid for as
    the ground behind it rises; the wall of a house has a floor or roof on it and is never climbed over.
    """
    if code == SHUT:
        return -1.0
    if code == LEAF:
        return float(fee)
    if code == LEDGE:
        return 0.0 if rise <= mode[FREE] or (climbing and rise <= mode[HIGHEST]) else -1.0
    if rise <= mode[LOW]:
        return float(mode[LOW_FEE])
    return float(2.0 * mode[CLIMB] * rise) if climbing and code == WALL and rise <= mode[HIGHEST] else -1.0


@compiled
def panels_cost(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float, mode: Floats, grid: Ints, cells: Ints, panel: Floats,
    codes: Ints, fees: Floats, seen: Ints, strict: bool, climbing: bool,
) -> float:  # fmt: skip
    """The fees of all panels that a base crosses on its leg; less than 0 if one stops it, or, if strict, if it overlaps one."""
    columns, rows = grid[0], grid[1]
    reach = mode[RADIUS]
    near = (reach - SLACK) * (reach - SLACK)
    low, high = min(az, bz), max(az, bz)
    seen[0] += 1
    stamp, total = seen[0], 0.0
    first = min(max(floor((min(ax, bx) - reach) / CELL), 0), columns - 1)
    last = min(max(floor((max(ax, bx) + reach) / CELL), 0), columns - 1)
    for row in range(
        min(max(floor((min(ay, by) - reach) / CELL), 0), rows - 1), min(max(floor((max(ay, by) + reach) / CELL), 0), rows - 1) + 1
    ):
        for slot in range(cells[row * columns + first], cells[row * columns + last + 1]):
            k = cells[slot]
            if seen[1 + k] == stamp:
                continue
            seen[1 + k] = stamp
            if panel[6 * k + 5] <= low + FLUSH or panel[6 * k + 4] >= high + mode[TALL]:
                continue
            cx, cy, dx, dy = panel[6 * k], panel[6 * k + 1], panel[6 * k + 2], panel[6 * k + 3]
            if min(cx, dx) - max(ax, bx) > reach or min(ax, bx) - max(cx, dx) > reach:
                continue
            if min(cy, dy) - max(ay, by) > reach or min(ay, by) - max(cy, dy) > reach:
                continue
            if stretch_gap(ax, ay, bx, by, cx, cy, dx, dy) >= near:
                continue
            fee = crossing_fee(codes[k], fees[k], panel[6 * k + 5] - low, mode, climbing)
            if fee < 0.0 or strict:
                return -1.0
            if steps_over(ax, ay, bx, by, cx, cy, dx, dy):
                total += fee
    return total


@compiled
def height_there(x: float, y: float, plane: int, columns: int, rows: int, fine: float, heights: Ints) -> float:
    """Of the ground or a floor, with what solid things lie on it."""
    return float(heights[plane + min(max(floor(y / fine), 0), rows - 1) * columns + min(max(floor(x / fine), 0), columns - 1)])


@compiled
def ground_cost(
    ax: float, ay: float, bx: float, by: float, plane: int, mode: Floats, columns: int, rows: int, fine: float, classes: Ints,
    heights: Ints,
) -> float:  # fmt: skip
    """The way over the ground or a floor, eighth by eighth of an inch: its classes, its rises; less than 0 if it stops."""
    x, y = bx - ax, by - ay
    length = sqrt(x * x + y * y)
    count = max(1, ceil(length / fine - 0.001))
    total, part, before = 0.0, length / count, 0.0
    for k in range(count + 2):
        share = 0.0 if k == 0 else 1.0 if k == count + 1 else (k - 0.5) / count
        row = min(max(floor((ay + share * y) / fine), 0), rows - 1)
        column = min(max(floor((ax + share * x) / fine), 0), columns - 1)
        rate = mode[RATES + classes[plane + row * columns + column]]
        z = float(heights[plane + row * columns + column])
        if rate < 0.0:
            return -1.0
        rise = z - before if k > 0 else 0.0
        before = z
        run = part if 0 < k <= count else 0.0
        if abs(rise) <= mode[FREE]:
            total += sqrt(run * run + rise * rise) * rate if run > 0.0 else 0.0
        elif 0.0 > rise >= -mode[DROP]:
            total += run * rate
        elif abs(rise) <= mode[HIGHEST]:
            total += run * rate + abs(rise) * mode[CLIMB]
        else:
            return -1.0
    return total


@compiled
def leg_cost(
    ax: float, ay: float, bx: float, by: float, plane: int, mode: Floats, grid: Ints, cells: Ints, panel: Floats, codes: Ints,
    fees: Floats, seen: Ints, columns: int, rows: int, fine: float, classes: Ints, heights: Ints, climbing: bool = False,
) -> int:  # fmt: skip
    """One straight leg on one surface, in thousandths; BLOCKED if it cannot be walked. `plane` is where its raster begins."""
    way = ground_cost(ax, ay, bx, by, plane, mode, columns, rows, fine, classes, heights)
    if way < 0.0:
        return BLOCKED
    az, bz = height_there(ax, ay, plane, columns, rows, fine, heights), height_there(bx, by, plane, columns, rows, fine, heights)
    fees_paid = panels_cost(ax, ay, az, bx, by, bz, mode, grid, cells, panel, codes, fees, seen, False, climbing)
    return BLOCKED if fees_paid < 0.0 else floor(way + fees_paid + 0.5)


@compiled
def lattice_legs(
    left: int, lower: int, wide: int, high: int, step: float, inside: Ints, plane: int, mode: Floats, grid: Ints,
    cells: Ints, panel: Floats, codes: Ints, fees: Floats, seen: Ints, columns: int, rows: int, fine: float, classes: Ints,
    heights: Ints, ways_x: Ints, ways_y: Ints, even: Ints, walled: Ints, even_ways: Floats, stale: Ints,
    first: int, costs: Ints,
) -> None:  # fmt: skip
    """The cost of all 16 legs from every place of one surface that is `stale`; `inside` says which places it has.

    Where all ground about is `even`, of one class and height, legs over it cost the same everywhere: `even_ways` keeps that for
    each class, UNKNOWN at first. And only where it is `walled` could a panel stand in the way.
    """
    for row in range(high):
        for column in range(wide):
            here = row * wide + column
            if not stale[here]:
                continue
            ax, ay = (left + column) * step, (lower + row) * step
            cell = plane + min(floor(ay / fine), rows - 1) * columns + min(floor(ax / fine), columns - 1)
            for way in range(WAYS):
                to_column, to_row = column + ways_x[way], row + ways_y[way]
                place = (first + here) * WAYS + way
                costs[place] = BLOCKED
                if not inside[here] or not (0 <= to_column < wide and 0 <= to_row < high):
                    continue
                if not inside[to_row * wide + to_column]:
                    continue
                bx, by = (left + to_column) * step, (lower + to_row) * step
                known = classes[cell] * WAYS + way
                over = even_ways[known] if even[here] else UNKNOWN
                if over == UNKNOWN:
                    over = ground_cost(ax, ay, bx, by, plane, mode, columns, rows, fine, classes, heights)
                    if even[here]:
                        even_ways[known] = over
                if over < 0.0:
                    continue
                paid = 0.0
                if walled[here]:
                    az = height_there(ax, ay, plane, columns, rows, fine, heights)
                    bz = height_there(bx, by, plane, columns, rows, fine, heights)
                    paid = panels_cost(ax, ay, az, bx, by, bz, mode, grid, cells, panel, codes, fees, seen, False, False)
                if paid >= 0.0:
                    costs[place] = floor(over + paid + 0.5)


@compiled
def walled_places(
    left: int, lower: int, wide: int, high: int, step: float, floors: float, heads: float, reach: float, panel: Floats,
    count: int, found: Ints,
) -> None:  # fmt: skip
    """Which places of a surface have a panel within reach of a leg of theirs, to go by the box around it."""
    for k in range(count):
        if panel[6 * k + 5] <= floors + FLUSH or panel[6 * k + 4] >= heads:
            continue
        west, east = min(panel[6 * k], panel[6 * k + 2]) - reach, max(panel[6 * k], panel[6 * k + 2]) + reach
        south, north = min(panel[6 * k + 1], panel[6 * k + 3]) - reach, max(panel[6 * k + 1], panel[6 * k + 3]) + reach
        for row in range(max(0, floor(south / step) - lower), min(high - 1, ceil(north / step) - lower) + 1):
            for column in range(max(0, floor(west / step) - left), min(wide - 1, ceil(east / step) - left) + 1):
                found[row * wide + column] = 1


@compiled
def spot_links(
    node: int, x: float, y: float, around: int, left: int, lower: int, wide: int, high: int, step: float, inside: Ints,
    first: int, plane: int, mode: Floats, grid: Ints, cells: Ints, panel: Floats, codes: Ints, fees: Floats, seen: Ints,
    columns: int, rows: int, fine: float, classes: Ints, heights: Ints, links: Ints,
) -> int:  # fmt: skip
    """Ways between a place off the lattice and those around it, there and back; three whole numbers each: from, to, cost."""
    count = 0
    near_column, near_row = floor(x / step + 0.5) - left, floor(y / step + 0.5) - lower
    for row in range(max(0, near_row - around), min(high - 1, near_row + around) + 1):
        for column in range(max(0, near_column - around), min(wide - 1, near_column + around) + 1):
            to_x, to_y = (left + column) * step, (lower + row) * step
            if not inside[row * wide + column]:
                continue
            other = first + row * wide + column
            cost = leg_cost(
                x, y, to_x, to_y, plane, mode, grid, cells, panel, codes, fees, seen, columns, rows, fine, classes, heights
            )  # fmt: skip
            if cost >= 0:
                links[count], links[count + 1], links[count + 2] = node, other, max(1, cost)
                count += 3
            cost = leg_cost(
                to_x, to_y, x, y, plane, mode, grid, cells, panel, codes, fees, seen, columns, rows, fine, classes, heights
            )  # fmt: skip
            if cost >= 0:
                links[count], links[count + 1], links[count + 2] = other, node, max(1, cost)
                count += 3
    return count


@compiled
def stands(
    x: float, y: float, z: float, mode: Floats, grid: Ints, cells: Ints, panel: Floats, codes: Ints, fees: Floats, seen: Ints
) -> bool:  # fmt: skip
    """Has a base room here?"""
    return panels_cost(x, y, z, x, y, z, mode, grid, cells, panel, codes, fees, seen, True, False) >= 0.0


@compiled
def rooms_of(
    nodes: int, surfaces: Ints, xs: Floats, ys: Floats, planes: Ints, mode: Floats, grid: Ints, cells: Ints, panel: Floats,
    codes: Ints, fees: Floats, seen: Ints, columns: int, rows: int, fine: float, classes: Ints, heights: Ints, found: Ints,
) -> None:  # fmt: skip
    """At which places a base has room on ground that can be walked."""
    for node in range(nodes):
        x, y, plane = xs[node], ys[node], planes[surfaces[node]]
        cell = min(max(floor(y / fine), 0), rows - 1) * columns + min(max(floor(x / fine), 0), columns - 1)
        walked = mode[RATES + classes[plane + cell]] >= 0.0
        z = float(heights[plane + cell])
        found[node] = 1 if walked and stands(x, y, z, mode, grid, cells, panel, codes, fees, seen) else 0


@compiled
def over_links(
    left: int, lower: int, wide: int, high: int, step: float, inside: Ints, plane: int, mode: Floats, grid: Ints,
    cells: Ints, panel: Floats, codes: Ints, fees: Floats, seen: Ints, columns: int, rows: int, fine: float, classes: Ints,
    heights: Ints, first: int, costs: Ints, links: Ints,
) -> int:  # fmt: skip
    """Ways straight over walls and onto solid things that the lattice cannot take; three whole numbers each: from, to, cost."""
    count = 0
    for here in range(wide * high):
        column, row = here % wide, here // wide
        for side in range(4):
            if not inside[here]:
                continue
            way, shift = 2 * side, (1, wide, -1, -wide)[side]
            walked = costs[(first + here) * WAYS + way] >= 0
            for far in range(2, 3 + ceil(3.0 * mode[RADIUS] / step)):
                dx, dy = (far, 0) if side == 0 else (0, far) if side == 1 else (-far, 0) if side == 2 else (0, -far)
                if not (0 <= column + dx < wide and 0 <= row + dy < high) or not inside[here + dy * wide + dx]:
                    continue
                walked &= costs[(first + here + (far - 1) * shift) * WAYS + way] >= 0
                if walked:
                    continue
                ax, ay = (left + column) * step, (lower + row) * step
                bx, by = ax + dx * step, ay + dy * step
                cost = leg_cost(
                    ax, ay, bx, by, plane, mode, grid, cells, panel, codes, fees, seen, columns, rows, fine, classes, heights,
                    True,
                )  # fmt: skip
                az = height_there(ax, ay, plane, columns, rows, fine, heights)
                bz = height_there(bx, by, plane, columns, rows, fine, heights)
                if (
                    cost >= 0 and stands(ax, ay, az, mode, grid, cells, panel, codes, fees, seen)
                    and stands(bx, by, bz, mode, grid, cells, panel, codes, fees, seen)
                ):  # fmt: skip
                    links[count], links[count + 1], links[count + 2] = first + here, first + here + dy * wide + dx, cost
                    count += 3
    return count


@compiled
def parapet(ax: float, ay: float, bx: float, by: float, z: float, mode: Floats, panel: Floats, codes: Ints) -> float:
    """How high above a floor a wall stands between two places; out of all reach if it is the wall of a house, or shut."""
    rise = 0.0
    for k in range(len(panel) // 6):
        if panel[6 * k + 5] <= z + FLUSH or panel[6 * k + 4] > z + mode[TALL]:
            continue
        cx, cy, dx, dy = panel[6 * k], panel[6 * k + 1], panel[6 * k + 2], panel[6 * k + 3]
        if min(cx, dx) > max(ax, bx) or min(ax, bx) > max(cx, dx) or min(cy, dy) > max(ay, by) or min(ay, by) > max(cy, dy):
            continue
        if stretch_gap(ax, ay, bx, by, cx, cy, dx, dy) > 0.0:
            continue
        stops = codes[k] == SHUT or codes[k] == LEAF or (codes[k] == HOUSE and panel[6 * k + 5] - z > mode[LOW])
        rise = max(rise, 1e9 if stops or panel[6 * k + 4] > z + FLUSH else panel[6 * k + 5] - z)
    return rise


@compiled
def climb_links(
    number: int, frames: Ints, inside: Ints, step: float, mode: Floats, grid: Ints, cells: Ints, panel: Floats, codes: Ints,
    fees: Floats, seen: Ints, columns: int, rows: int, fine: float, classes: Ints, heights: Ints, links: Ints,
) -> int:  # fmt: skip
    """Ways down from the rim of one surface to the next one below, and up again; three whole numbers each: from, to, cost.

    `frames` holds for each surface left, lower, columns, rows, where its raster begins, first place.
    """
    left, lower, wide, high = frames[6 * number], frames[6 * number + 1], frames[6 * number + 2], frames[6 * number + 3]
    plane, first, count = frames[6 * number + 4], frames[6 * number + 5], 0
    for here in range(wide * high):
        for side in range(4):
            gap = False
            if not inside[first + here]:
                continue
            for far in range(1, 3 + ceil(3.0 * mode[RADIUS] / step)):
                dx, dy = (far, 0) if side == 0 else (0, far) if side == 1 else (-far, 0) if side == 2 else (0, -far)
                column, row = here % wide + dx, here // wide + dy
                if 0 <= column < wide and 0 <= row < high and inside[first + row * wide + column]:
                    continue
                ax, ay = (left + here % wide) * step, (lower + here // wide) * step
                x, y = (left + column) * step, (lower + row) * step
                z = height_there(ax, ay, plane, columns, rows, fine, heights)
                to, ground = landing(
                    number, left + column, lower + row, z + mode[FREE], frames, inside, fine, columns, rows, heights, step
                )  # fmt: skip
                level = to >= 0 and abs(z - ground) <= mode[FREE]
                gap |= not level
                if to < 0 or (level and gap) or not (level or (far > 1 and z - ground <= mode[HIGHEST])):
                    continue
                if not stands(x, y, ground, mode, grid, cells, panel, codes, fees, seen):
                    continue
                wall = parapet(ax, ay, x, y, z, mode, panel, codes)
                steps = level and wall == 0.0
                if steps or (far > 1 and z - ground + wall <= mode[HIGHEST]):
                    way, climbed = far * step * mode[RATES], 0.0 if steps else (z - ground + 2.0 * wall) * mode[CLIMB]
                    drops = wall == 0.0 and z - ground <= mode[DROP]
                    links[count], links[count + 1], links[count + 2] = to, first + here, floor(way + climbed + 0.5)
                    links[count + 3], links[count + 4] = first + here, to
                    links[count + 5] = floor(way + (0.0 if drops else climbed) + 0.5)
                    count += 6
                    if steps:
                        break
    return count


@compiled
def landing(
    number: int, column: int, row: int, z: float, frames: Ints, inside: Ints, fine: float, columns: int, rows: int, heights: Ints,
    step: float,
) -> tuple[int, float]:  # fmt: skip
    """The place below one of the lattice: on the highest surface that is there and no higher than z; -1 if there is none."""
    best, best_z = -1, -1e9
    for other in range(len(frames) // 6):
        at_column, at_row = column - frames[6 * other], row - frames[6 * other + 1]
        if other == number or not (0 <= at_column < frames[6 * other + 2] and 0 <= at_row < frames[6 * other + 3]):
            continue
        there = frames[6 * other + 5] + at_row * frames[6 * other + 2] + at_column
        floor_z = height_there(column * step, row * step, frames[6 * other + 4], columns, rows, fine, heights)
        if inside[there] and best_z < floor_z <= z:
            best, best_z = there, floor_z
    return best, best_z


@compiled
def mark_near(
    ax: float, ay: float, bx: float, by: float, reach: float, left: int, lower: int, wide: int, high: int, step: float,
    first: int, flags: Ints,
) -> None:  # fmt: skip
    """Mark what an obstacle, all that is nearer than `reach` to a stretch, takes, and the places whose legs may touch it."""
    near, beside, far = (reach - SLACK) * (reach - SLACK), (reach + 3.0 * step) * (reach + 3.0 * step), reach + 6.0 * step
    first_column = max(0, floor((min(ax, bx) - far) / step) - left)
    last_column = min(wide - 1, ceil((max(ax, bx) + far) / step) - left)
    first_row = max(0, floor((min(ay, by) - far) / step) - lower)
    last_row = min(high - 1, ceil((max(ay, by) + far) / step) - lower)
    for row in range(first_row, last_row + 1):
        for column in range(first_column, last_column + 1):
            gap = point_gap((left + column) * step, (lower + row) * step, ax, ay, bx, by)
            here = first + row * wide + column
            mark = TAKEN if gap < near else NEAR if gap < beside else AROUND
            if gap < far * far and flags[here] < mark:
                flags[here] = mark


@compiled
def mark_about(barriers: Floats, frames: Ints, step: float, flags: Ints) -> None:
    """The same for all obstacles; six numbers a surface: left, lower, columns, rows, its raster, its first place."""
    for k in range(0, len(barriers) - 5, 6):
        cx, cy, dx, dy, reach = barriers[k + 1], barriers[k + 2], barriers[k + 3], barriers[k + 4], barriers[k + 5]
        at = 6 * int(barriers[k])
        left, lower, wide, high, first = frames[at], frames[at + 1], frames[at + 2], frames[at + 3], frames[at + 5]
        mark_near(cx, cy, dx, dy, reach, left, lower, wide, high, step, first, flags)


@compiled
def mark_spots(
    barriers: Floats, first: int, last: int, numbers: Ints, xs: Floats, ys: Floats, flags: Ints
) -> None:  # fmt: skip
    """The same for the places off the lattice, whose legs may be long."""
    for node in range(first, last):
        for k in range(0, len(barriers) - 5, 6):
            if barriers[k] != numbers[node]:
                continue
            gap = point_gap(xs[node], ys[node], barriers[k + 1], barriers[k + 2], barriers[k + 3], barriers[k + 4])
            if gap < (barriers[k + 5] - SLACK) * (barriers[k + 5] - SLACK):
                flags[node] = TAKEN
            elif flags[node] != TAKEN:
                flags[node] = NEAR


@compiled
def is_barred(ax: float, ay: float, bx: float, by: float, surface: int, barriers: Floats) -> bool:
    """Does a leg come too near to an obstacle? Six floats each: surface, stretch, reach."""
    for k in range(0, len(barriers) - 5, 6):
        cx, cy, dx, dy, near = barriers[k + 1], barriers[k + 2], barriers[k + 3], barriers[k + 4], barriers[k + 5] - SLACK
        beside = max(ax, bx) + near <= min(cx, dx) or min(ax, bx) >= max(cx, dx) + near
        if barriers[k] != surface or beside or max(ay, by) + near <= min(cy, dy) or min(ay, by) >= max(cy, dy) + near:
            continue
        if stretch_gap(ax, ay, bx, by, cx, cy, dx, dy) < near * near:
            return True
    return False


@compiled
def free_leg(
    ax: float, ay: float, bx: float, by: float, surface: int, barriers: Floats, plane: int, mode: Floats, grid: Ints, cells: Ints,
    panel: Floats, codes: Ints, fees: Floats, seen: Ints, columns: int, rows: int, fine: float, classes: Ints, heights: Ints,
) -> int:  # fmt: skip
    """What a leg costs with obstacles about; BLOCKED if it comes too near to one."""
    if is_barred(ax, ay, bx, by, surface, barriers):
        return BLOCKED
    return leg_cost(ax, ay, bx, by, plane, mode, grid, cells, panel, codes, fees, seen, columns, rows, fine, classes, heights)


@compiled
def is_taken(x: float, y: float, surface: int, barriers: Floats) -> bool:
    """Does an obstacle leave no room for a base here?"""
    for k in range(0, len(barriers) - 5, 6):
        near = barriers[k + 5] - SLACK
        if barriers[k] == surface and near * near > point_gap(
            x, y, barriers[k + 1], barriers[k + 2], barriers[k + 3], barriers[k + 4]
        ):  # fmt: skip
            return True
    return False
