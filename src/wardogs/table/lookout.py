"""Answers drawn: the rays of a look with what stops them, and a map of costs with the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from typing import TypeAlias

from wardogs.scene.model import Scene
from wardogs.table.bodies import Hull, Model
from wardogs.table.draw.bodies import looks
from wardogs.table.draw.strokes import between, within
from wardogs.table.faces import Panel, Plane, Solid
from wardogs.table.ground import STEP
from wardogs.table.model import Map
from wardogs.table.picture import Ray, rays_scene, reach_scene
from wardogs.table.reach import Field
from wardogs.table.shapes import outline
from wardogs.table.sight import Seen, in_the_way, look
from wardogs.table.terrain import Terrain
from wardogs.table.units import Inches, Place, inches

Stretch: TypeAlias = tuple[float, float]  # of a ray: shares of its length, from where to where
BEYOND = 1.0


def sight_scene(
    table: Map, eye: Place, target: Model, title: str = "", skip: Inches = 0.0, others: Sequence[Model] = ()
) -> Scene:  # fmt: skip
    """How an eye sees a model: plan, side view, and a table of its parts; others are drawn, and cover what is behind them."""
    seen = look(Terrain.of(table), eye, target, skip)
    rays = behind_others(seen, drawn_rays(seen), [model for model in others if not looks(model, eye)])
    who = target.id or ("the vehicle" if isinstance(target, Hull) else "the figure")
    return rays_scene(table, eye, rays, title or f"{table.name}: {who}, {seen.visible():.0%} to be seen", (target, *others))


def behind_others(seen: Seen, rays: list[Ray], others: Sequence[Model]) -> list[Ray]:
    """Rays that pass through another model are drawn as covered by it."""
    words = {model.id: f"{'vehicle' if isinstance(model, Hull) else 'figure'} {model.id}".strip() for model in others}
    through = {ray: words[name] for name, hit in in_the_way(seen.eye, seen.points, others).items() for ray in hit}
    return [
        ray._replace(state="covered", why=through[n]) if n in through and ray.state == "clear" else ray
        for n, ray in enumerate(rays)
    ]  # fmt: skip


def drawn_rays(seen: Seen) -> list[Ray]:
    """Every ray of a look, for a picture."""
    parts = {k: name for name, first, last in seen.parts for k in range(first, last)}
    return [
        Ray(end=point(seen, k), state=seen.states[k], stop=stop(seen, k), part=parts[k].replace("_", " "), why=why(seen, k))
        for k in range(len(seen.masks))
    ]  # fmt: skip


def point(seen: Seen, sample: int) -> Place:
    x, y, z = (inches(float(part)) for part in seen.points[3 * sample : 3 * sample + 3])
    return x, y, z


def why(seen: Seen, sample: int) -> str:
    """The first thing in the way, of those that hide if the ray is hidden."""
    if seen.states[sample] == "clear":
        return ""
    faces = in_the_way_of(seen, sample)
    hiding = [face for face in faces if seen.states[sample] == "hidden" and seen.terrain.kind(face.kind).sight == "solid"]
    return next((face.says for face in hiding or faces), "")


def in_the_way_of(seen: Seen, sample: int) -> list[Panel | Solid]:
    """All that a ray crosses, in the order in which it meets them."""
    faces = [crossing.face for crossing in seen.crossings if sample in crossing.rays]
    return sorted(faces, key=lambda face: meets(face, seen.eye, point(seen, sample)))


# Where rays are stopped -----------------------------------------------------------------------------------------------


def stop(seen: Seen, sample: int) -> Place | None:
    """Where a hidden ray meets the first thing that hides it, or where it has run through as much haze as can be seen through."""
    if seen.states[sample] != "hidden":
        return None
    end, faces = point(seen, sample), in_the_way_of(seen, sample)
    solid = [stops(seen, face, end) for face in faces if seen.terrain.kind(face.kind).sight == "solid"]
    share = min([*solid, fades(seen, faces, end, "thin", seen.skip), fades(seen, faces, end, "smoke", 0.0)])
    x, y, z = (a + share * (b - a) for a, b in zip(seen.eye, end, strict=True))
    return x, y, z


def stops(seen: Seen, face: Panel | Solid, end: Place) -> float:
    """The share of a ray up to what stops it: to the face, or for the edge of a ditch to the ground before it."""
    (x, y, z), is_edge = seen.eye, isinstance(face, Panel) and face.bottom < face.top == 0
    if is_edge and z > 0 > end[2]:
        share = z / (z - end[2])
        ground = between((x, y), (end[0], end[1]), share)
        if not any(within(outline(pit), ground) for pit in seen.terrain.map.pits):
            return share
    return meets(face, seen.eye, end)


def fades(seen: Seen, faces: Sequence[Panel | Solid], end: Place, haze: str, skip: Inches) -> float:
    """The share of a ray after which a kind of haze hides all; its end if it never does."""
    length = sqrt(sum((b - a) ** 2 for a, b in zip(seen.eye, end, strict=True))) or 1.0
    thick: list[tuple[float, float, float]] = []  # from where to where, and how much of what can be seen through a ray uses up
    for face in faces:
        kind = seen.terrain.kind(face.kind)
        if isinstance(face, Solid) and kind.sight == haze and kind.see_through:
            ways = stretches(face, seen.eye, end)
            thick += [(max(a, skip / length), b, length / kind.see_through) for a, b in ways if b > skip / length]
    used = 0.0
    for a, b in pairwise(sorted({share for first, last, _ in thick for share in (first, last)})):
        pace = sum(weight for first, last, weight in thick if first <= a and b <= last)
        if used + pace * (b - a) >= 1.0:
            return a + (1.0 - used) / pace
        used += pace * (b - a)
    return BEYOND


def meets(face: Panel | Solid, eye: Place, end: Place) -> float:
    """The share of a ray up to a face that it crosses."""
    if isinstance(face, Solid):
        return min((first for first, _ in stretches(face, eye, end)), default=BEYOND)
    ex, ey, _ = (1000 * part for part in eye)
    x, y = 1000 * end[0] - ex, 1000 * end[1] - ey
    wx, wy = face.b[0] - face.a[0], face.b[1] - face.a[1]
    run = wx * y - wy * x
    share = (wx * (face.a[1] - ey) - wy * (face.a[0] - ex)) / run if run else 0.0
    return min(1.0, max(0.0, share))


def stretches(solid: Solid, eye: Place, end: Place) -> list[Stretch]:
    """Where a ray runs inside a solid."""
    ex, ey, ez = (1000 * part for part in eye)
    x, y, z = (1000 * b - a for a, b in zip((ex, ey, ez), end, strict=True))
    if solid.disc:
        lids: tuple[Plane, ...] = ((0, 0, 1, -solid.bottom), (0, 0, -1, solid.top))
        found = [_both(across, inside(lids, (ex, ey, ez), (x, y, z))) for across in in_disc(solid.disc, (ex, ey), (x, y))]
    else:
        found = [inside(part, (ex, ey, ez), (x, y, z)) for part in solid.parts]
    return [(first, last) for first, last in found if first <= last]


def in_disc(disc: tuple[int, int, int], eye: tuple[float, float], ray: tuple[float, float]) -> Iterator[Stretch]:
    (x, y), cx, cy = ray, disc[0] - eye[0], disc[1] - eye[1]
    flat = x * x + y * y
    if not flat:
        yield 0.0, 1.0
        return
    off = (x * cy - y * cx) ** 2 / flat
    half, middle = sqrt(max(0.0, disc[2] ** 2 - off) / flat), (x * cx + y * cy) / flat
    yield max(0.0, middle - half), min(1.0, middle + half)


def inside(planes: Sequence[Plane], eye: Place, ray: Place) -> Stretch:
    """The stretch of a ray inside all planes; its end lies before its start if it misses them."""
    first, last = 0.0, 1.0
    for a, b, c, d in planes:
        start = a * eye[0] + b * eye[1] + c * eye[2] + d
        end = start + a * ray[0] + b * ray[1] + c * ray[2]
        if start < 0 and end < 0:
            return 1.0, 0.0
        if start < 0 <= end:
            first = max(first, start / (start - end))
        elif end < 0 <= start:
            last = min(last, start / (start - end))
    return first, last


def _both(one: Stretch, two: Stretch) -> Stretch:
    return max(one[0], two[0]), min(one[1], two[1])


def field_scene(field: Field, to: Place | None = None, title: str = "") -> Scene:
    """What can be reached on the ground and for how much, and the way to one place."""
    table, start = field.graph.map, field.start
    costs = [((x, y), cost) for (x, y, z), cost in field.costs() if abs(z - field.graph.ground.height_at((x, y))) < 0.01]
    path = field.path(to) if to is not None else None
    way = [(x, y) for x, y, _ in path.places] if path else []
    limit = field.limit if field.limit < 200 else max((cost for _, cost in costs), default=0.0)
    heading = title or f"{table.name}: {field.graph.mode.name} from ({start[0]:g}, {start[1]:g})"
    return reach_scene(table, (start[0], start[1]), costs, inches(STEP), way, limit, heading)
