"""Answers drawn: the rays of a look with what stops them, and a map of costs with the way."""

from __future__ import annotations

from math import sqrt

from wardogs.scene.model import Scene
from wardogs.table.bodies import Hull, Model
from wardogs.table.faces import Panel, Solid
from wardogs.table.ground import STEP
from wardogs.table.model import Map
from wardogs.table.picture import Ray, rays_scene, reach_scene
from wardogs.table.reach import Field
from wardogs.table.sight import Seen, look
from wardogs.table.terrain import Terrain
from wardogs.table.units import Place, inches


def sight_scene(table: Map, eye: Place, target: Model, title: str = "") -> Scene:
    """How an eye sees a model: plan, side view, and a table of its parts."""
    seen = look(Terrain.of(table), eye, target)
    who = target.id or ("the vehicle" if isinstance(target, Hull) else "the figure")
    return rays_scene(table, eye, drawn_rays(seen), title or f"{table.name}: {who}, {seen.visible():.0%} to be seen")


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


def stop(seen: Seen, sample: int) -> Place | None:
    """Where a hidden ray meets the first thing that hides it; in haze, where it has run through all of it."""
    if seen.states[sample] != "hidden":
        return None
    end = point(seen, sample)
    hiding = [face for face in in_the_way_of(seen, sample) if seen.terrain.kind(face.kind).sight == "solid"]
    share = meets(hiding[0], seen.eye, end) if hiding else 1.0
    x, y, z = (a + share * (b - a) for a, b in zip(seen.eye, end, strict=True))
    return x, y, z


def meets(face: Panel | Solid, eye: Place, end: Place) -> float:
    """The share of a ray up to a face that it crosses."""
    ex, ey, ez = (1000 * part for part in eye)
    x, y, z = (1000 * b - a for a, b in zip((ex, ey, ez), end, strict=True))
    if isinstance(face, Panel):
        wx, wy = face.b[0] - face.a[0], face.b[1] - face.a[1]
        run = wx * y - wy * x
        share = (wx * (face.a[1] - ey) - wy * (face.a[0] - ex)) / run if run else 0.0
        return min(1.0, max(0.0, share))
    if face.disc:
        return _meets_disc(face.disc, ex, ey, x, y)
    return min((_enters(part, (ex, ey, ez), (x, y, z)) for part in face.parts), default=1.0)


def _meets_disc(disc: tuple[int, int, int], ex: float, ey: float, x: float, y: float) -> float:
    cx, cy, flat = disc[0] - ex, disc[1] - ey, x * x + y * y
    if not flat:
        return 0.0
    off = (x * cy - y * cx) ** 2 / flat
    half = sqrt(max(0.0, disc[2] ** 2 - off) / flat)
    return min(1.0, max(0.0, (x * cx + y * cy) / flat - half))


def _enters(part: tuple[tuple[int, int, int, int], ...], eye: Place, ray: Place) -> float:
    """Where a ray enters a convex part; beyond its end if it misses it."""
    first, last = 0.0, 1.0
    for a, b, c, d in part:
        start = a * eye[0] + b * eye[1] + c * eye[2] + d
        end = start + a * ray[0] + b * ray[1] + c * ray[2]
        if start < 0 <= end:
            first = max(first, start / (start - end))
        elif end < 0 <= start:
            last = min(last, start / (start - end))
        elif start < 0 and end < 0:
            return 1.0
    return first if first <= last else 1.0


def field_scene(field: Field, to: Place | None = None, title: str = "") -> Scene:
    """What can be reached on the ground and for how much, and the way to one place."""
    table, start = field.graph.map, field.start
    costs = [((x, y), cost) for (x, y, z), cost in field.costs() if abs(z - field.graph.ground.height_at((x, y))) < 0.01]
    path = field.path(to) if to is not None else None
    way = [(x, y) for x, y, _ in path.places] if path else []
    limit = field.limit if field.limit < 200 else max((cost for _, cost in costs), default=0.0)
    heading = title or f"{table.name}: {field.graph.mode.name} from ({start[0]:g}, {start[1]:g})"
    return reach_scene(table, (start[0], start[1]), costs, inches(STEP), way, limit, heading)
