"""Templates: circles, cones, sectors and corridors, who is under them and who is screened; and where a throw comes down.

Every distance is told to the nearest thou, so that a plain `<=` counts what lies just on a limit as inside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from math import atan2, degrees, hypot
from typing import Literal, NamedTuple, TypeAlias

import shapely
from msgspec import Struct

from wardogs.kernel.errors import WardogsError
from wardogs.table.bodies import Body, Hull, Model
from wardogs.table.contact import flat, hull_shape
from wardogs.table.faces import Panel, Solid
from wardogs.table.shapes import heading
from wardogs.table.sight import look_many
from wardogs.table.terrain import Terrain
from wardogs.table.units import Inches, Place, Point, Spot, inches, spot, thou
from wardogs.table.words import place as said

Touch: TypeAlias = Literal["centre", "base"]
Measure: TypeAlias = Literal["plan", "space"]
To: TypeAlias = Literal["centre", "edge"]

FAR = 1000.0  # inches: farther than any table is wide


class Circle(Struct, frozen=True):
    """Rings around a burst, from the smallest radius."""

    centre: Place
    rings: tuple[Inches, ...]

    def __post_init__(self) -> None:
        _check(bool(self.rings) and _rising(self.rings), f"circle at {said(self.centre)}: give its radii from the smallest up")


class Cone(Struct, frozen=True):
    """A triangle from its apex, as wide as `width` at its far end; `rings` mark bands along it."""

    apex: Place
    facing: float
    length: Inches
    width: Inches
    rings: tuple[Inches, ...] = ()

    def __post_init__(self) -> None:
        _check(self.length > 0 < self.width, f"cone at {said(self.apex)}: give it a length and a width above 0")


class Sector(Struct, frozen=True):
    """A slice of a disc, `angle` degrees wide around its facing, from `inner` to `outer`; `rings` mark bands of it."""

    apex: Place
    facing: float
    angle: float
    inner: Inches = 0.0
    outer: Inches = FAR
    rings: tuple[Inches, ...] = ()

    def __post_init__(self) -> None:
        _check(0 < self.angle <= 360, f"sector at {said(self.apex)}: its angle is {self.angle}: give 0 to 360 degrees")
        _check(0 <= self.inner <= self.outer, f"sector at {said(self.apex)}: its inner radius must be 0 to its outer one")


class Corridor(Struct, frozen=True):
    """A strip from a muzzle through a mark and on, to the length; `rings` mark bands along it."""

    start: Place
    through: Place
    width: Inches
    length: Inches
    rings: tuple[Inches, ...] = ()

    def __post_init__(self) -> None:
        _check(self.length > 0 <= self.width, f"corridor from {said(self.start)}: give it a length above 0")
        _check(flat(self.start) != flat(self.through), f"corridor from {said(self.start)}: aim it at another point")


Template: TypeAlias = Circle | Cone | Sector | Corridor


class Caught(NamedTuple):
    """A model under a template."""

    model: str
    distance: Inches  # from the centre or apex; for a corridor along its line
    ring: int  # which ring or band, from 0; the count of the rings if it lies beyond the last
    screened: bool  # no part of it is to be seen from where the template starts


def _check(sound: bool, fault: str) -> None:
    if not sound:
        raise WardogsError(fault)


def _rising(rings: Sequence[Inches]) -> bool:
    return rings[0] >= 0 and list(rings) == sorted(rings)


# Who is under it ------------------------------------------------------------------------------------------------------


def under(template: Template, model: Model, touch: Touch = "centre") -> bool:
    """In plan: is its centre, or any part of its base or hull, under the template? Its rim belongs to it."""
    if isinstance(model, Hull) and touch == "base":
        return _hull_under(template, model)
    reach = model.radius if isinstance(model, Body) and touch == "base" else 0.0
    return thou(_beside(template, flat(model.at))) <= thou(reach)


def caught(
    template: Template, models: Sequence[Model], *, terrain: Terrain | None = None, measure: Measure = "plan",
    to: To = "centre", lift: Inches = 0.0,
) -> list[Caught]:  # fmt: skip
    """All under it, nearest first, ties as listed; they are screened from a point `lift` above where the template starts."""
    touch: Touch = "centre" if to == "centre" else "base"
    near = [(distance_to(template, model, measure, to), model) for model in models if under(template, model, touch)]
    hit = sorted(((far, model) for far, model in near if far <= _limit(template)), key=lambda pair: pair[0])
    screens = _screened(terrain, start_of(template), lift, [model for _, model in hit])
    return [Caught(model.id, far, ring(template, far), dim) for (far, model), dim in zip(hit, screens, strict=True)]


def start_of(template: Template) -> Place:
    """The burst or the muzzle."""
    match template:
        case Circle():
            return template.centre
        case Corridor():
            return template.start
    return template.apex


def ring(template: Template, far: Inches) -> int:
    """The first ring that a distance belongs to; a limit belongs to the inner one."""
    return sum(limit < far for limit in template.rings)


def distance_to(template: Template, model: Model, measure: Measure = "plan", to: To = "centre") -> Inches:
    """From the burst or the muzzle, in a corridor along its line; in plan, or in space between the surfaces they stand on."""
    start = start_of(template)
    if isinstance(template, Corridor):
        far = max(0.0, _along(template, model, to))
    else:
        far = _plan_gap(flat(start), model, to)
    return _told(hypot(far, model.at[2] - start[2]) if measure == "space" else far)


def height_there(corridor: Corridor, along: Inches) -> Inches:
    """How high the line of fire runs so far along it in plan."""
    (x, y, z), (to_x, to_y, to_z) = corridor.start, corridor.through
    return z + (to_z - z) * along / hypot(to_x - x, to_y - y)


def in_arc(at: Point | Place, facing: float, angle: float, point: Point | Place) -> bool:
    """Does a point lie in an arc of so many degrees around a facing, its limits and its middle included?"""
    return thou(_beside(Sector((at[0], at[1], 0.0), facing, angle), (point[0], point[1]))) <= 0


def _limit(template: Template) -> Inches:
    """The farthest that a round template reaches, which in space is nearer than in plan."""
    match template:
        case Circle():
            return template.rings[-1]
        case Sector():
            return template.outer
    return FAR


def _screened(terrain: Terrain | None, start: Place, lift: Inches, models: Sequence[Model]) -> list[bool]:
    if terrain is None or not models:
        return [False] * len(models)
    eye = (start[0], start[1], start[2] + lift)
    return [not seen.any for seen in look_many(terrain, [(eye, model) for model in models])]


def _beside(template: Template, point: Point) -> Inches:
    """How far a point lies off the template; 0 on it."""
    match template:
        case Circle():
            return max(0.0, _apart(flat(template.centre), point) - template.rings[-1])
        case Sector():
            return _beside_sector(template, point)
    return float(_polygon(template).distance(shapely.Point(point)))


def _beside_sector(sector: Sector, point: Point) -> Inches:
    apex, (ahead, left) = flat(sector.apex), _turned(point, sector.apex, sector.facing)
    far = hypot(ahead, left)
    if abs(degrees(atan2(left, ahead))) <= sector.angle / 2:
        return max(sector.inner - far, far - sector.outer, 0.0)
    rims = [shapely.LineString([_polar(apex, turn, sector.inner), _polar(apex, turn, sector.outer)]) for turn in _rims(sector)]
    return min(float(rim.distance(shapely.Point(point))) for rim in rims)


def _rims(sector: Sector) -> tuple[float, float]:
    return sector.facing - sector.angle / 2, sector.facing + sector.angle / 2


def _polygon(template: Cone | Corridor) -> shapely.Polygon:
    apex = flat(start_of(template))
    ahead, left = heading(template.facing) if isinstance(template, Cone) else _direction(template)
    (x, y), half, length = apex, template.width / 2, template.length
    near = 0.0 if isinstance(template, Cone) else half
    corners = ((0.0, near), (0.0, -near), (length, -half), (length, half))
    return shapely.Polygon([(x + a * ahead - s * left, y + a * left + s * ahead) for a, s in corners])


def _hull_under(template: Template, hull: Hull) -> bool:
    shape = hull_shape(hull)
    if isinstance(template, Circle):
        return thou(_plan_gap(flat(template.centre), hull, "edge")) <= thou(template.rings[-1])
    if isinstance(template, Sector):
        return any(_in_slice(template, part) for part in _slices(template, shape))
    return thou(_polygon(template).distance(shape)) <= 0


def _in_slice(sector: Sector, part: shapely.Geometry) -> bool:
    """Within a convex slice a convex part has all distances from its nearest to its farthest."""
    apex = shapely.Point(flat(sector.apex))
    farthest = max(float(apex.distance(shapely.Point(corner))) for corner in shapely.get_coordinates(part))
    return thou(apex.distance(part)) <= thou(sector.outer) and thou(farthest) >= thou(sector.inner)


def _slices(sector: Sector, shape: shapely.Polygon) -> Iterator[shapely.Geometry]:
    """What of a hull lies in the sector's arc, cut into slices of at most a quarter turn; half a thou off it counts."""
    apex, first = flat(sector.apex), sector.facing - sector.angle / 2
    step = sector.angle / 4
    for k in range(4):
        rims = (_polar(apex, first + k * step, FAR), _polar(apex, first + (k + 1) * step, FAR))
        part = shapely.Polygon([apex, *rims]).buffer(inches(0.5), join_style="mitre").intersection(shape)
        if not part.is_empty:
            yield part


# Distances and directions ---------------------------------------------------------------------------------------------


def gap(a: Model, b: Model, measure: Measure = "space") -> Inches:
    """Between two models, from edge to edge; in space with the height between the surfaces they stand on."""
    plan = max(0.0, float(_core(a).distance(_core(b))) - _round(a) - _round(b))
    return _told(hypot(plan, a.at[2] - b.at[2]) if measure == "space" else plan)


def bearing(a: Model | Point | Place, b: Model | Point | Place) -> float:
    """The direction from one to the other in degrees, 0 east, counter-clockwise; 0 if they are at one point."""
    (ax, ay), (bx, by) = _where(a), _where(b)
    return degrees(atan2(by - ay, bx - ax)) % 360


def _told(far: Inches) -> Inches:
    return inches(thou(far))


def _core(model: Model) -> shapely.Geometry:
    return hull_shape(model) if isinstance(model, Hull) else shapely.Point(flat(model.at))


def _round(model: Model) -> Inches:
    return 0.0 if isinstance(model, Hull) else model.radius


def _plan_gap(point: Point, model: Model, to: To) -> Inches:
    if to == "centre":
        return _apart(point, flat(model.at))
    return max(0.0, float(_core(model).distance(shapely.Point(point))) - _round(model))


def _along(corridor: Corridor, model: Model, to: To) -> Inches:
    """How far along the line the model lies, or the nearest point of its base or hull."""
    (x, y), (ahead, left) = flat(corridor.start), _direction(corridor)
    points = shapely.get_coordinates(_core(model)).tolist() if to == "edge" else [flat(model.at)]
    nearest = min((px - x) * ahead + (py - y) * left for px, py in points)
    return nearest - (_round(model) if to == "edge" else 0.0)


def _direction(corridor: Corridor) -> Point:
    (x, y), (to_x, to_y) = flat(corridor.start), flat(corridor.through)
    far = hypot(to_x - x, to_y - y)
    return (to_x - x) / far, (to_y - y) / far


def _apart(a: Point, b: Point) -> Inches:
    return hypot(b[0] - a[0], b[1] - a[1])


def _where(what: Model | Point | Place) -> Point:
    at: Sequence[float] = what.at if isinstance(what, Body | Hull) else what
    return at[0], at[1]


def _turned(point: Point, origin: Place, facing: float) -> Point:
    """How far ahead and to the left of an origin and its facing a point lies."""
    (ahead, left), (x, y) = heading(facing), (point[0] - origin[0], point[1] - origin[1])
    return x * ahead + y * left, y * ahead - x * left


def _polar(point: Point, facing: float, distance: Inches) -> Point:
    x, y = heading(facing)
    return point[0] + distance * x, point[1] + distance * y


# Scatter and flight ---------------------------------------------------------------------------------------------------


class Clipped(NamedTuple):
    point: Place
    off_table: bool


def scatter(point: Place, away: Point | Place | float, sector: int, sectors: int, distance: Inches) -> Place:
    """Off the mark by a numbered sector, clockwise from 1, which is straight on: away from a point, or along a facing."""
    if not 1 <= sector <= sectors:
        raise WardogsError(f"sector {sector}: the wheel has the sectors 1 to {sectors}")
    return scatter_angle(point, away, (sector - 1) * 360 / sectors, distance)


def scatter_angle(point: Place, away: Point | Place | float, angle: float, distance: Inches) -> Place:
    """The same by an angle in degrees, clockwise from straight on; to the nearest thou."""
    if isinstance(away, tuple) and (away[0], away[1]) == flat(point):
        raise WardogsError(f"scatter at {said(point)}: it lies where the throw starts; give a facing instead of a point")
    on = bearing(away, point) if isinstance(away, tuple) else away
    x, y = _polar(flat(point), on - angle, distance)
    return _told(x), _told(y), point[2]


def clipped(start: Place, end: Place, size: Point) -> Clipped:
    """The end of a way, or where it leaves the table; its edge is still on it."""
    shares = [_leaves(a, b, side) for a, b, side in zip(start, end, size, strict=False)]
    if min(shares) >= 1 and all(0 <= part <= side for part, side in zip(end, size, strict=False)):
        return Clipped(end, False)
    x, y, z = (a + min(shares) * (b - a) for a, b in zip(start, end, strict=True))
    return Clipped((_told(min(max(x, 0.0), size[0])), _told(min(max(y, 0.0), size[1])), z), True)


def _leaves(a: float, b: float, side: float) -> float:
    """The share of the way at which one coordinate leaves 0 to `side`; 1 if it never does."""
    if 0 <= b <= side or a == b:
        return 1.0
    return min(max(((0.0 if b < 0 else side) - a) / (b - a), 0.0), 1.0)


def flight_stop(terrain: Terrain, start: Place, end: Place, through: Collection[str] = ()) -> Place:
    """Where a thing that flies straight stops: at its end, or a thou before the first wall or block in its way.

    What one sees through as if it were not there (bars, wire) and the kinds named in `through` let it pass. A flight that
    starts on a wall stops there: begin it a thou off.
    """
    box = _box(spot(start), spot(end))
    about = terrain.panels_about(start, end)
    walls = [panel for panel in about if panel.kind not in through and terrain.kind(panel.kind).sight != "open"]
    near = [solid for solid in terrain.solids if _overlap(box, solid.box)]
    blocks = [solid for solid in near if solid.kind not in through and _is_block(terrain, solid)]
    share = _first_stop(spot(start), spot(end), walls, blocks)
    if share is None:
        return end
    far, back = hypot(*(b - a for a, b in zip(start, end, strict=True))) * float(share), inches(1)
    while back < far:
        short = _towards(start, end, float(share) * (1 - back / far))
        if _first_stop(spot(start), spot(short), walls, blocks) is None:
            return short
        back *= 2
    return start


def _box(a: Sequence[int], b: Sequence[int]) -> tuple[int, int, int, int]:
    """The rectangle around two points in plan."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])


def _overlap(a: Sequence[int], b: Sequence[int]) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def _is_block(terrain: Terrain, solid: Solid) -> bool:
    """Crates, rocks, hills, floors; not rubble and hedges, which one throws over and into."""
    kind = terrain.kind(solid.kind)
    return kind.sight == "solid" and kind.move in ("blocked", "open")


def _towards(start: Place, end: Place, share: float) -> Place:
    x, y, z = (_told(a + share * (b - a)) for a, b in zip(start, end, strict=True))
    return x, y, z


def _first_stop(start: Spot, end: Spot, walls: Sequence[Panel], blocks: Sequence[Solid]) -> Fraction | None:
    """The exact share of the way at which it meets the first of them."""
    met = [share for panel in walls if (share := _meets_panel(start, end, panel)) is not None]
    met += [share for solid in blocks for share in _meets_solid(start, end, solid)]
    return min(met, default=None)


def _meets_panel(start: Spot, end: Spot, panel: Panel) -> Fraction | None:
    """A panel is closed: to touch its edge is to meet it."""
    (sx, sy, sz), (dx, dy, dz) = start, (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    (ax, ay), (wx, wy) = panel.a, (panel.b[0] - panel.a[0], panel.b[1] - panel.a[1])
    slant = dx * wy - dy * wx
    if slant == 0:
        return _meets_flush(start, (dx, dy, dz), panel)
    share = Fraction((ax - sx) * wy - (ay - sy) * wx, slant)
    on_wall = Fraction((ax - sx) * dy - (ay - sy) * dx, slant)
    hits = 0 <= share <= 1 and 0 <= on_wall <= 1 and panel.bottom <= sz + share * dz <= panel.top
    return share if hits else None


def _meets_flush(start: Spot, way: Spot, panel: Panel) -> Fraction | None:
    """A flight in the plane of the panel meets the end that it comes to first."""
    (sx, sy, sz), (dx, dy, dz) = start, way
    if (panel.a[0] - sx) * dy != (panel.a[1] - sy) * dx or not (dx or dy):
        return None
    ends = sorted(Fraction((x - sx) * dx + (y - sy) * dy, dx * dx + dy * dy) for x, y in (panel.a, panel.b))
    share = max(ends[0], Fraction(0))
    hits = share <= ends[1] and share <= 1 and panel.bottom <= sz + share * dz <= panel.top
    return share if hits else None


def _meets_solid(start: Spot, end: Spot, solid: Solid) -> Iterator[Fraction]:
    """Where it comes into the solid; a touch is no entry."""
    way = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    for planes in solid.parts:
        first, last = Fraction(0), Fraction(1)
        for a, b, c, d in planes:
            here, rise = a * start[0] + b * start[1] + c * start[2] + d, a * way[0] + b * way[1] + c * way[2]
            first, last = _within(here, rise, first, last)
        if first < last:
            yield first
    if solid.disc:
        yield from _meets_disc(start, way, solid)


def _within(here: int, rise: int, first: Fraction, last: Fraction) -> tuple[Fraction, Fraction]:
    """The stretch of a way on which `here + share * rise` is above 0."""
    if rise > 0:
        return max(first, Fraction(-here, rise)), last
    if rise < 0:
        return first, min(last, Fraction(-here, rise))
    return (first, last) if here > 0 else (first, first)


def _meets_disc(start: Spot, way: Spot, solid: Solid) -> Iterator[Fraction]:
    """An upright cylinder, its side to within a thousandth of a thou."""
    x, y, radius = solid.disc or (0, 0, 0)
    (px, py), (dx, dy, dz) = (start[0] - x, start[1] - y), way
    a, b, c = dx * dx + dy * dy, px * dx + py * dy, px * px + py * py - radius * radius
    root = b * b - a * c
    if (c >= 0) if a == 0 else (root <= 0):
        return
    first, last = Fraction(0), Fraction(1)
    if a:
        first, last = max(first, Fraction((-b - root**0.5) / a)), min(last, Fraction((-b + root**0.5) / a))
    first, last = _within(start[2] - solid.bottom, dz, first, last)
    first, last = _within(solid.top - start[2], -dz, first, last)
    if first < last:
        yield first
