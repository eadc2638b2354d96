"""Sight: how an eye sees each part of a model. One answer serves targets, cover, witnesses, bots and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import Any, Literal, NamedTuple, TypeAlias

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.table import rays
from wardogs.table.bodies import BASE, Hull, Model, facing_of, height_of, hull_points, pose, samples, solid_of
from wardogs.table.compiled import blank, blank_ints, floats, ints
from wardogs.table.faces import Panel, Solid
from wardogs.table.kinds import COVERS, CoverClass, Kind
from wardogs.table.terrain import TOO_MUCH, Terrain, solid_parts, solid_row
from wardogs.table.units import Inches, Place, inches, spot, thou

State: TypeAlias = Literal["clear", "covered", "hidden"]
Parts: TypeAlias = tuple[tuple[str, int, int], ...]

NOTHING = 0.0


class Part(NamedTuple):
    """One part of a figure as it is seen: how many of its samples are clear, behind cover, hidden."""

    name: str
    clear: int
    covered: int
    hidden: int

    @property
    def samples(self) -> int:
        return self.clear + self.covered + self.hidden


class Crossing(NamedTuple):
    """A face that stands in the way of some rays."""

    face: Panel | Solid
    rays: tuple[int, ...]


class Seen:
    """What an eye sees of a model. Samples are in the order of its parts."""

    def __init__(
        self, terrain: Terrain, eye: Place, parts: Parts, points: Any, masks: Any, haze: Any, skip: Inches = NOTHING
    ) -> None:  # fmt: skip
        self.terrain, self.eye, self.parts, self.skip = terrain, eye, parts, skip
        self.points, self.masks, self.haze = points, masks, haze

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Of each sample: hidden behind something solid or too much haze, behind cover, or clear."""
        masks = [int(mask) for mask in self.masks]
        judged = {mask: self._state(mask) for mask in set(masks)}
        if max(self.haze, default=0.0) <= TOO_MUCH:
            return tuple([judged[mask] for mask in masks])
        thick = [max(self.haze[2 * k], self.haze[2 * k + 1]) > TOO_MUCH for k in range(len(masks))]
        return tuple("hidden" if dim else judged[mask] for mask, dim in zip(masks, thick, strict=True))

    def _state(self, mask: int) -> State:
        if mask & self.terrain.hiding:
            return "hidden"
        return "clear" if self.cover(mask) == "none" else "covered"

    def cover(self, mask: int) -> CoverClass:
        """The hardest class of cover among the kinds that a ray crosses."""
        bits = self.terrain.cover_bits
        return next((COVERS[k] for k in range(len(COVERS) - 1, 0, -1) if mask & bits[k]), "none")

    @cached_property
    def covers(self) -> tuple[CoverClass, ...]:
        """Of each sample, hidden ones too."""
        masks = [int(mask) for mask in self.masks]
        judged = {mask: self.cover(mask) for mask in set(masks)}
        return tuple([judged[mask] for mask in masks])

    def part(self, name: str) -> Part:
        spans = {part: (first, last) for part, first, last in self.parts}
        if name not in spans:
            raise unknown("part", name, spans)
        first, last = spans[name]
        states = self.states[first:last]
        return Part(name, states.count("clear"), states.count("covered"), states.count("hidden"))

    @property
    def body(self) -> list[Part]:
        """All parts but the base."""
        return [self.part(name) for name, _, _ in self.parts if name != BASE]

    def visible(self, of: Iterable[str] | None = None) -> float:
        """The share of the figure's samples that are not hidden; of some parts, or of the whole body without its base."""
        parts = self.body if of is None else [self.part(name) for name in of]
        return sum(part.clear + part.covered for part in parts) / (sum(part.samples for part in parts) or 1)

    def clear(self) -> float:
        """The share of the body's samples with nothing in the way at all."""
        return sum(part.clear for part in self.body) / (sum(part.samples for part in self.body) or 1)

    def behind(self, least: CoverClass) -> float:
        """The share of the body's samples behind this class of cover or a harder one, hidden ones included."""
        last = max((last for name, _, last in self.parts if name != BASE), default=0)
        hard = [COVERS.index(cover) >= COVERS.index(least) for cover in self.covers[:last]]
        return sum(hard) / (len(hard) or 1)

    @property
    def any(self) -> bool:
        """Is a single sample of the body to be seen?"""
        return self.visible() > 0

    def kinds(self, sample: int) -> list[str]:
        """The kinds of terrain that the ray to a sample crosses."""
        return [name for bit, name in enumerate(self.terrain.kinds) if int(self.masks[sample]) >> bit & 1]

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """Every face in the way, with the rays that cross it; nearest to the eye first."""
        return crossings(self.terrain, self.eye, self.points, self.skip)

    def explain(self) -> list[str]:
        """In words, a line for each part."""
        return [self._says(name, first, last) for name, first, last in self.parts]

    def _says(self, name: str, first: int, last: int) -> str:
        part, label = self.part(name), name.replace("_", " ")
        if part.clear == part.samples:
            return f"{label}: clear"
        why = Counter(self.terrain_says(k) for k in range(first, last) if self.states[k] != "clear")
        reasons = " and ".join(f"{n} of {part.samples} {says}" if n < part.samples else says for says, n in why.most_common())
        return f"{label}: {reasons}"

    def terrain_says(self, sample: int) -> str:
        """'behind the low wall (hard)', 'hidden by the wood'."""
        names = dict.fromkeys(crossing.face.says for crossing in self.crossings if sample in crossing.rays)
        cover = self.covers[sample]
        word = "hidden by" if self.states[sample] == "hidden" else "behind"
        return f"{word} {' and '.join(names) or 'smoke'}" + (f" ({cover})" if cover != "none" else "")


def look(terrain: Terrain, eye: Place, target: Model, skip: Inches = NOTHING) -> Seen:
    """How an eye sees a model."""
    return look_many(terrain, [(eye, target)], skip)[0]


def look_many(terrain: Terrain, looks: Sequence[tuple[Place, Model]], skip: Inches = NOTHING) -> list[Seen]:
    """Many looks at once: one eye at many targets, or many eyes at many."""
    parts, starts = [], [0]
    for _, target in looks:
        shape = ((), 64) if isinstance(target, Hull) else samples(target.stance, target.scale)[::2]
        parts.append(shape[0])
        starts.append(starts[-1] + int(shape[1]))
    points = blank(3 * starts[-1])
    for k, (eye, target) in enumerate(looks):
        parts[k] = _pose(eye, target, points, starts[k])
    masks, haze = trace(terrain, [eye for eye, _ in looks], starts, points, skip)
    return [
        Seen(terrain, eye, parts[k], points[3 * a : 3 * b], masks[a:b], haze[2 * a : 2 * b], skip)
        for k, ((eye, _), a, b) in enumerate(zip(looks, starts, starts[1:], strict=False))
    ]


def _pose(eye: Place, target: Model, points: Any, at: int) -> Parts:
    if isinstance(target, Hull):
        parts, placed = hull_points(target, eye)
        points[3 * at : 3 * at + len(placed)] = placed
        return parts
    shape, (tx, ty, tz), (fx, fy) = samples(target.stance, target.scale), spot(target.at), facing_of(target)
    ex, ey, _ = spot(eye)
    pose(
        float(ex), float(ey), float(tx), float(ty), float(tz), fx, fy, float(thou(target.radius)), shape.points, shape.size,
        points, at,
    )  # fmt: skip
    return shape.parts


def trace(terrain: Terrain, eyes: Sequence[Place], starts: Sequence[int], points: Any, skip: Inches = NOTHING) -> tuple[Any, Any]:
    """The bare kernel: for each point the bits of the kinds that its ray crosses, and its two hazes."""
    if starts[-1] > rays.MOST_RAYS and (most := max(b - a for a, b in pairwise(starts))) > rays.MOST_RAYS:
        raise WardogsError(f"{most} points for one eye: a look takes {rays.MOST_RAYS}; ask in several")
    masks, haze = blank_ints(starts[-1]), blank(2 * starts[-1])
    flat = floats([part for eye in eyes for part in spot(eye)])
    rays.beams(len(eyes), flat, ints(starts), points, float(thou(skip)), *terrain.arrays, masks, haze)
    return masks, haze


def sees(terrain: Terrain, eye: Place, place: Place) -> bool:
    """Can an eye see one point?"""
    masks, haze = trace(terrain, [eye], [0, 1], floats(spot(place)))
    return not (int(masks[0]) & terrain.hiding or max(haze) > TOO_MUCH)


MODEL = Kind(sight="solid")
AT_ONCE = 60


def in_the_way(eye: Place, points: Any, others: Sequence[Model]) -> dict[str, tuple[int, ...]]:
    """Which other models stand in the way of which rays: by the model's id, the numbers of the points. The looker never does."""
    found: dict[str, tuple[int, ...]] = {}
    standing = [model for model in others if not holds_eye(model, eye)]
    for k in range(0, len(standing), AT_ONCE):
        chunk = [solid_of(model) for model in standing[k : k + AT_ONCE]]
        masks = solid_masks(eye, points, chunk, [MODEL] * len(chunk))
        for bit, solid in enumerate(chunk):
            if hit := tuple(i for i, mask in enumerate(masks) if int(mask) >> bit & 1):
                found[solid.piece or f"model {k + bit + 1}"] = hit
    return found


def holds_eye(model: Model, eye: Place) -> bool:
    """Is the eye this model's own, or inside it?"""
    (x, y, z), top = model.at, model.at[2] + height_of(model)
    if not z <= eye[2] <= top:
        return False
    dx, dy = eye[0] - x, eye[1] - y
    if not isinstance(model, Hull):
        return hypot(dx, dy) < model.radius
    turn, (long, wide) = radians(model.facing), model.size
    along, across = dx * cos(turn) + dy * sin(turn), dy * cos(turn) - dx * sin(turn)
    return abs(along) < long / 2 and abs(across) < wide / 2


def solid_masks(eye: Place, points: Any, solids: Sequence[Solid], kinds: Sequence[Kind], skip: Inches = NOTHING) -> Any:
    """For each ray a bit for every solid that it runs through."""
    n = len(points) // 3
    if n == 0:
        return blank_ints(0)
    ex, ey, ez = (float(part) for part in spot(eye))
    xs, ys, zs = from_eye(ex, ey, ez, points)
    rows = floats([part for solid, kind in zip(solids, kinds, strict=True) for part in solid_row(solid, kind)])
    parts, cuts, planes = solid_parts(solids)
    arrays = (ints(parts), ints(cuts), floats(planes))
    hits, haze, first, last, depth = blank_ints(n), blank(2 * n), blank(n), blank(n), blank(n)
    near = float(thou(skip))
    box = (*rays.bounds(n, xs), *rays.bounds(n, ys), *rays.bounds(n, zs))
    for k in range(len(solids)):
        rays.solid_rays(rows, k, 1 << k, *arrays, ex, ey, ez, n, xs, ys, zs, *box, near, first, last, depth, hits, haze, 0)
    return hits


def from_eye(ex: float, ey: float, ez: float, points: Any) -> tuple[Any, Any, Any]:
    """The ends of the rays, measured from the eye."""
    return tuple(floats([part - eye for part in points[k::3]]) for k, eye in enumerate((ex, ey, ez)))


def crossings(terrain: Terrain, eye: Place, points: Any, skip: Inches = NOTHING) -> tuple[Crossing, ...]:
    """Every face that some ray crosses; slow and complete, for explanations."""
    ex, ey, ez = (float(part) for part in spot(eye))
    n = len(points) // 3
    xs, ys, zs = from_eye(ex, ey, ez, points)
    found = []
    for panel in terrain.panels:
        hits = blank_ints(n)
        (ax, ay), (bx, by) = panel.a, panel.b
        rays.panel_rays(ax - ex, ay - ey, bx - ex, by - ey, panel.bottom - ez, panel.top - ez, 1, n, xs, ys, zs, hits)
        found.append(Crossing(panel, tuple(i for i in range(n) if hits[i])))
    kinds = [terrain.kind(solid.kind) for solid in terrain.solids]
    for k in range(0, len(kinds), AT_ONCE):
        masks = solid_masks(eye, points, terrain.solids[k : k + AT_ONCE], kinds[k : k + AT_ONCE], skip)
        for bit, solid in enumerate(terrain.solids[k : k + AT_ONCE]):
            found.append(Crossing(solid, tuple(i for i in range(n) if int(masks[i]) >> bit & 1)))
    near = sorted((crossing for crossing in found if crossing.rays), key=lambda crossing: _distance(eye, crossing.face))
    return tuple(near)


def _distance(eye: Place, face: Panel | Solid) -> float:
    """Roughly how far from the eye: to the middle of the face."""
    (ax, ay), (bx, by) = (face.a, face.b) if isinstance(face, Panel) else (face.box[:2], face.box[2:])
    return hypot(inches(ax + bx) / 2 - eye[0], inches(ay + by) / 2 - eye[1])
