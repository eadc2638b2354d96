"""Vehicles: straights and arcs, what they cost, what they run into, and the shortest way to a point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import acos, atan2, ceil, degrees, hypot, radians
from typing import Literal, NamedTuple, TypeAlias

import shapely
from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError
from wardogs.table.bodies import Hull
from wardogs.table.contact import SLACK, Core, Obstacle, core_of, flat, hull_shape, is_level
from wardogs.table.shapes import box, heading
from wardogs.table.units import Inches, Point, inches, thou

HullSide: TypeAlias = Literal["front", "rear", "left", "right"]

STEP = 0.1  # inches that no point of the hull goes beyond between two sampled poses
LEAST = 0.004  # inches: how far a hull is moved at once where it all but touches something
EDGE = "the table's edge"  # what a vehicle meets that leaves the table


class Straight(Struct, frozen=True, tag=True):
    length: Inches  # below 0: backwards


class Turn(Struct, frozen=True, tag=True):
    """Forwards along an arc, left if the angle is above 0; the radius is that of the near side of the hull."""

    angle: float
    radius: Inches


class Pivot(Struct, frozen=True, tag=True):
    """In place, left if the angle is above 0."""

    angle: float


Move: TypeAlias = Straight | Turn | Pivot


class Pose(NamedTuple):
    at: Point
    facing: float


class Drive(NamedTuple):
    poses: tuple[Pose, ...]  # along the way, the first and the last included
    cost: Inches
    end: Pose


class Collision(NamedTuple):
    what: str  # the id of the model, the door or the piece of terrain; EDGE for the end of the table
    at: Point  # where they touch
    side: HullSide  # of the hull that moves
    pose: Pose  # of the hull when it touches
    along: Inches  # what the way there has cost


class Route(NamedTuple):
    moves: tuple[Move, ...]
    cost: Inches


# Driving --------------------------------------------------------------------------------------------------------------


def drive(hull: Hull, moves: Iterable[Move]) -> Drive:
    """Where a vehicle goes and what it costs."""
    here, poses, cost = pose_of(hull), [pose_of(hull)], 0.0
    for move in moves:
        steps = max(1, ceil(sweep(hull, move) / STEP))
        poses += [pose_at(hull, here, move, k / steps) for k in range(1, steps)]
        here = end_of(hull, here, move)
        poses.append(here)
        cost += cost_of(move)
    return Drive(tuple(poses), inches(thou(cost)), here)


def pose_of(hull: Hull) -> Pose:
    return Pose(flat(hull.at), hull.facing)


def placed(hull: Hull, pose: Pose) -> Hull:
    """The hull at another place on the same ground."""
    return replace(hull, at=(*pose.at, hull.at[2]), facing=pose.facing)


def cost_of(move: Move) -> Inches:
    """What a move takes of the vehicle's speed: an arc counts along the near side, a pivot nothing."""
    match move:
        case Straight(length):
            return abs(length)
        case Turn(angle, radius):
            return radius * radians(abs(angle))
    return 0.0


def pose_at(hull: Hull, start: Pose, move: Move, share: float) -> Pose:
    """Where the hull is after a share of one move."""
    (x, y), facing = start
    match move:
        case Straight(length):
            ahead, left = heading(facing)
            return Pose((x + share * length * ahead, y + share * length * left), facing)
        case Turn(angle, radius):
            return _round(start, angle * share, _swing(hull, radius) if angle > 0 else -_swing(hull, radius))
    return Pose((x, y), facing + share * move.angle)


def end_of(hull: Hull, start: Pose, move: Move) -> Pose:
    """The end of a move, to the nearest thou."""
    (x, y), facing = pose_at(hull, start, move, 1.0)
    return Pose((inches(thou(x)), inches(thou(y))), round(facing, 6) % 360)


def sweep(hull: Hull, move: Move) -> Inches:
    """The longest way that any point of the hull goes in a move."""
    long, wide = hull.size
    match move:
        case Straight(length):
            return abs(length)
        case Turn(angle, radius):
            if radius < 0:
                raise WardogsError(f"{hull.id or 'the vehicle'}: a turn's radius is {radius}: give 0 or more")
            return radians(abs(angle)) * hypot(radius + wide, long / 2)
    return radians(abs(move.angle)) * hypot(long, wide) / 2


def _swing(hull: Hull, radius: Inches) -> Inches:
    """From the pivot, which lies abeam of the hull's centre, to that centre."""
    return radius + hull.size[1] / 2


def _round(start: Pose, angle: float, left: Inches) -> Pose:
    """Turned rigidly round a point so far to the left of the centre."""
    (x, y), (ahead, up), (cos, sin) = start.at, heading(start.facing), heading(angle)
    px, py = x - left * up, y + left * ahead
    return Pose((px + (x - px) * cos - (y - py) * sin, py + (x - px) * sin + (y - py) * cos), start.facing + angle)


# Collisions -----------------------------------------------------------------------------------------------------------


def collide(hull: Hull, moves: Iterable[Move], obstacles: Sequence[Obstacle], size: Point | None = None) -> Collision | None:
    """What a vehicle runs into first; with the table's size also where it first sticks out over the edge."""
    return min(contacts(hull, moves, obstacles, size), key=lambda met: met.along, default=None)


def contacts(hull: Hull, moves: Iterable[Move], obstacles: Sequence[Obstacle], size: Point | None = None) -> list[Collision]:
    """The first contact with each obstacle on the way, as if nothing stopped it; in the order of the way."""
    cores: list[Core] = [core_of(one) for one in obstacles if is_level(one, hull.at[2], hull.height)]
    if size:
        cores.append(Core(EDGE, shapely.box(0, 0, *size)))
    way = list(_stretches(hull, moves))
    return sorted((met for core in cores if (met := _first(hull, way, core))), key=lambda met: met.along)


def _stretches(hull: Hull, moves: Iterable[Move]) -> Iterator[tuple[Pose, Move, Inches]]:
    """Each move with the pose that it starts from and what was spent before."""
    here, spent = pose_of(hull), 0.0
    for move in moves:
        yield here, move, spent
        here, spent = end_of(hull, here, move), spent + cost_of(move)


def _first(hull: Hull, way: Iterable[tuple[Pose, Move, Inches]], core: Core) -> Collision | None:
    for start, move, spent in way:
        share = _share_of_contact(hull, start, move, core)
        if share is not None:
            pose = pose_at(hull, start, move, share)
            at = _touch_point(placed(hull, pose), core)
            return Collision(core.what, at, side_of(hull, pose, at), pose, inches(thou(spent + share * cost_of(move))))
    return None


def _share_of_contact(hull: Hull, start: Pose, move: Move, core: Core) -> float | None:
    """The share of a move at which the hull touches what it then presses into, were it to go on by two thous.

    No point of the hull goes farther than the gap to the obstacle at one step, so nothing is jumped over.
    """
    way = sweep(hull, move)
    share, last, free = 0.0, 1 + 2 * SLACK / (way or 1.0), 0.0
    apart = _apart(hull, start, core)
    least = min(apart, 0.0)
    while way and share < last:
        share = min(share + max(apart, LEAST) / way, last)
        apart = _apart(hull, pose_at(hull, start, move, share), core)
        if apart < least - SLACK:
            return min(_touch(hull, start, move, core, (free, share, least)), 1.0)
        free, least = share, max(least, min(apart, 0.0))
    return None


def _touch(hull: Hull, start: Pose, move: Move, core: Core, between: tuple[float, float, Inches]) -> float:
    """Between a share at which the hull is free and one at which it presses: the last free one, to a tenth of a thou."""
    free, pressed, least = between
    while (pressed - free) * sweep(hull, move) > SLACK / 10:
        half = (free + pressed) / 2
        if _apart(hull, pose_at(hull, start, move, half), core) < least:
            pressed = half
        else:
            free = half
    return free


def _apart(hull: Hull, pose: Pose, core: Core) -> Inches:
    """How far the hull is from an obstacle, or less; below 0 as deep as it sticks in."""
    corners = box(pose.at, hull.size, pose.facing)
    if core.what == EDGE:
        return min(_inside(corner, core) for corner in corners)
    points = [(x, y) for x, y in shapely.get_coordinates(core.shape).tolist()]
    if len(points) == 1:
        return _off_box(hull, pose, points[0]) - core.round
    normals = [heading(pose.facing), heading(pose.facing + 90), *_normals(points)]
    return max(_between(corners, points, normal) for normal in normals)


def _off_box(hull: Hull, pose: Pose, point: Point) -> Inches:
    """From a point to the hull, below 0 inside it."""
    ahead, left = _from(pose, point)
    over, aside = abs(ahead) - hull.size[0] / 2, abs(left) - hull.size[1] / 2
    return hypot(max(over, 0.0), max(aside, 0.0)) + min(max(over, aside), 0.0)


def _normals(points: Sequence[Point]) -> Iterator[Point]:
    """The axes that may part a line or a rectangle from something: across its first two sides."""
    for (ax, ay), (bx, by) in pairwise(points[:3]):
        far = hypot(bx - ax, by - ay) or 1.0
        yield (by - ay) / far, (ax - bx) / far


def _between(a: Sequence[Point], b: Sequence[Point], axis: Point) -> Inches:
    """The gap between two shapes along an axis, below 0 as deep as they overlap."""
    along_a, along_b = ([x * axis[0] + y * axis[1] for x, y in shape] for shape in (a, b))
    return max(min(along_a) - max(along_b), min(along_b) - max(along_a))


def _touch_point(hull: Hull, core: Core) -> Point:
    """The middle of where they touch."""
    shape = hull_shape(hull)
    if core.what == EDGE:
        x, y = min(box(flat(hull.at), hull.size, hull.facing), key=lambda corner: _inside(corner, core))
        return inches(thou(x)), inches(thou(y))
    touching = shape.buffer(2 * SLACK, join_style="mitre").intersection(core.shape)
    if touching.is_empty:
        touching = shapely.Point(shapely.shortest_line(shape, core.shape).coords[0])
    return inches(thou(touching.centroid.x)), inches(thou(touching.centroid.y))


def _inside(point: Point, table: Core) -> Inches:
    """How far from the nearest edge of the table, below 0 outside it."""
    _, _, width, depth = table.shape.bounds
    return float(min(point[0], point[1], width - point[0], depth - point[1]))


def side_of(hull: Hull, pose: Pose, point: Point) -> HullSide:
    """The side of the hull that a point on its rim lies on; a corner belongs to the front or the rear."""
    (ahead, left), (long, wide) = _from(pose, point), hull.size
    sides: tuple[HullSide, ...] = ("front", "rear", "left", "right")
    gaps = [abs(far) for far in (long / 2 - ahead, long / 2 + ahead, wide / 2 - left, wide / 2 + left)]
    return next(side for side, far in zip(sides, gaps, strict=True) if far <= min(gaps) + 2 * SLACK)


def _from(pose: Pose, point: Point) -> Point:
    """How far ahead and to the left of the hull's centre a point lies."""
    (ahead, up), (x, y) = heading(pose.facing), (point[0] - pose.at[0], point[1] - pose.at[1])
    return x * ahead + y * up, y * ahead - x * up


# Routes ---------------------------------------------------------------------------------------------------------------


def route(start: Pose, to: Point, radius: Inches | None, width: Inches) -> Route:
    """The cheapest turn left or right, then straight on, that brings the hull's centre to a point.

    Without a radius the vehicle turns in place.
    """
    ahead, left = _from(start, to)
    if thou(left) == 0 and ahead >= 0:
        return _costed(Straight(ahead))
    if radius is None:
        return _costed(Pivot(degrees(atan2(left, ahead))), Straight(hypot(ahead, left)))
    ways = [way for side in (1, -1) if (way := _turn_and_go(ahead, side * left, radius, width, side))]
    if not ways:
        raise WardogsError(f"no way to the point ({to[0]:g}, {to[1]:g}): give a turn radius or a width above 0")
    return min(ways, key=lambda way: way.cost)


def _turn_and_go(ahead: Inches, left: Inches, radius: Inches, width: Inches, side: int) -> Route | None:
    """Round to the left until the point is dead ahead; for the right, the mirrored point comes in. None within the circle."""
    swing = radius + width / 2
    far = hypot(ahead, left - swing)
    if far < swing or not swing:
        return None
    turn = degrees(atan2(left - swing, ahead) - acos(swing / far)) + 90
    return _costed(Turn(side * (turn % 360), radius), Straight((far**2 - swing**2) ** 0.5))


def _costed(*moves: Move) -> Route:
    useful = tuple(move for move in moves if not isinstance(move, Straight) or thou(move.length))
    return Route(useful, inches(thou(sum(map(cost_of, useful)))))
