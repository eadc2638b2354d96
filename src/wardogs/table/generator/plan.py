"""A table while it is laid out: what stands where, and where there is room left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any, Literal, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from wardogs.table.generator.boxes import QUARTER, Box, Quarters, Spot, area, blob, clipped, inch, sized
from wardogs.table.kinds import Kind, shipped
from wardogs.table.model import GROUPS, Area, Building, Hill, Map, Opening, Piece, Pit, Thing, Wall, Zone

Form: TypeAlias = Literal["rect", "blob", "clipped", "round"]
Cells: TypeAlias = NDArray[np.bool_]

LANE = 6  # quarters: 1.5 inches between solid pieces, so that every base gets through
DEPLOY = 24  # quarters: how deep the two edges are where sides deploy
TRIES = 60


class Plan:
    """The pieces so far, and two grids of quarter inches: `hard` where nobody can walk, `soft` where something lies."""

    def __init__(self, rng: Random, wide: Quarters, deep: Quarters) -> None:
        self.rng, self.wide, self.deep = rng, wide, deep
        self.hard: Cells = np.zeros((wide, deep), dtype=np.bool_)
        self.soft: Cells = np.zeros((wide, deep), dtype=np.bool_)
        self.groups: dict[str, list[Piece]] = {group: [] for group in GROUPS}
        self.kinds: dict[str, Kind] = {}
        self.numbers: Counter[str] = Counter()
        self.scattered: Counter[str] = Counter()
        self.names: dict[str, list[str]] = {}
        self.roads: list[Box] = []
        self.square_inches = 0.0  # under terrain

    @property
    def whole(self) -> Box:
        return Box(0, 0, self.wide, self.deep)

    @property
    def between(self) -> Box:
        """Where buildings may stand: the table without its deployment edges."""
        return Box(4, DEPLOY + 2, self.wide - 4, self.deep - DEPLOY - 2)

    @property
    def share(self) -> float:
        return self.square_inches * QUARTER**2 / (self.wide * self.deep)

    # Names and chance -------------------------------------------------------------------------------------------------

    def id(self, noun: str) -> str:
        self.numbers[noun] += 1
        return f"{noun}-{self.numbers[noun]}"

    def name(self, names: Sequence[str]) -> str:
        """One of the names that is not given yet; none if all are."""
        left = self.names.setdefault(names[0], self.rng.sample(list(names), len(names)))
        return left.pop() if left else ""

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def inches(self, least: float, most: float, step: Quarters = 1) -> Quarters:
        """A length between two, in quarters."""
        return self.rng.randrange(int(least * QUARTER), int(most * QUARTER) + 1, step)

    # Room -------------------------------------------------------------------------------------------------------------

    def is_on(self, box: Box) -> bool:
        return box.left >= 0 and box.lower >= 0 and box.right <= self.wide and box.upper <= self.deep

    def has_room(self, box: Box, lane: Quarters = LANE) -> bool:
        """Nothing lies in the box, and nothing solid nearer than the lane."""
        return self.is_on(box) and not self._part(self.soft, box).any() and not self._part(self.hard, box.grown(lane)).any()

    def is_walkable(self, box: Box) -> bool:
        return self.is_on(box) and not self._part(self.hard, box).any()

    def spots(self, wide: Quarters, deep: Quarters, within: Box | None = None, lane: Quarters = LANE) -> Iterator[Box]:
        """Places with room for a box of this size, by chance, as long as there are any to be found."""
        room = within or self.whole
        for _ in range(TRIES):
            if room.wide < wide or room.deep < deep:
                return
            left, lower = self.rng.randint(room.left, room.right - wide), self.rng.randint(room.lower, room.upper - deep)
            box = sized(left, lower, wide, deep)
            if self.has_room(box, lane):
                yield box

    def spot(self, wide: Quarters, deep: Quarters, within: Box | None = None, lane: Quarters = LANE) -> Box | None:
        return next(self.spots(wide, deep, within, lane), None)

    def _part(self, cells: Cells, box: Box) -> Cells:
        return cells[max(box.left, 0) : max(box.right, 0), max(box.lower, 0) : max(box.upper, 0)]

    def claim(self, box: Box, hard: bool = False) -> None:
        """Nothing else is to lie here."""
        self._part(self.hard if hard else self.soft, box)[:] = True

    def claim_outline(self, points: Sequence[Spot], hard: bool = False) -> None:
        xs, ys = zip(*points, strict=True)
        box = Box(max(min(xs), 0), max(min(ys), 0), min(max(xs), self.wide), min(max(ys), self.deep))
        self._part(self.hard if hard else self.soft, box)[:] |= cells_in(points, box)

    def slide(self, kind: str, size: Spot, within: Box | None = None) -> bool:
        """Puts an uneven round area where its outline, if not the box around it, has room."""
        room, (wide, deep) = within or self.whole, size
        if room.wide < wide or room.deep < deep:
            return False
        points = blob(self.rng, sized(0, 0, wide, deep))
        inside = cells_in(points, sized(0, 0, wide, deep))
        for _ in range(5 * TRIES):
            x, y = self.rng.randint(room.left, room.right - wide), self.rng.randint(room.lower, room.upper - deep)
            here = sized(x, y, wide, deep)
            if not ((self._part(self.soft, here) | self._part(self.hard, here)) & inside).any():
                self.outline(kind, [(x + across, y + up) for across, up in points])
                return True
        return False

    # Pieces -----------------------------------------------------------------------------------------------------------

    def add(self, group: str, piece: Piece) -> None:
        self.groups[group].append(piece)

    def building(self, box: Box, piece: Building) -> None:
        self.add("buildings", piece)
        self.claim(box, hard=True)
        self.square_inches += area(box.corners)

    def area(self, kind: str, box: Box, form: Form = "rect", **more: Any) -> None:
        """An area in the box; one that cannot be walked on is kept clear of others."""
        self.outline(kind, self.shape(box, form), box if form in ("rect", "round") else None, form, **more)

    def shape(self, box: Box, form: Form) -> tuple[Spot, ...]:
        if form == "blob":
            return blob(self.rng, box)
        return clipped(self.rng, box) if form == "clipped" else box.corners

    def outline(self, kind: str, points: Sequence[Spot], box: Box | None = None, form: Form = "blob", **more: Any) -> None:
        described = {**self.kinds, **shipped()}[kind]
        more.setdefault("id", self.id(kind if kind != "woods" else "wood"))
        if box is None:
            piece = Area(kind=kind, polygon=tuple(map(inch, points)), **more)
        elif form == "round":
            (x, y), radius = box.middle, min(box.wide, box.deep) // 2
            piece = Area(kind=kind, circle=(x / QUARTER, y / QUARTER, radius / QUARTER), **more)
        else:
            piece = Area(kind=kind, rect=box.rect, **more)
        self.add("areas", piece)
        self.claim_outline(points, hard=described.move in ("blocked", "deep"))
        if kind not in ("road", "open"):
            self.square_inches += area(points) * (0.785 if form == "round" else 1.0)

    def hill(self, box: Box, height: float, steps: int = 1, **more: Any) -> None:
        """A hill of one or more levels, each within the one below."""
        name = more.pop("id", None) or self.id("hill")
        rise = height / steps
        for k in range(steps):
            by = k * min(box.wide, box.deep) // (2 * steps)
            points = blob(self.rng, box.grown(-by), 88)
            level = name if steps == 1 else f"{name}-{'abc'[k]}"
            self.add("hills", Hill(id=level, polygon=tuple(map(inch, points)), base=k * rise, height=(k + 1) * rise, **more))
            if k == 0:
                self.square_inches += area(points)
        self.claim(box)

    def pit(self, box: Box, depth: float, form: Form = "clipped", **more: Any) -> None:
        points = self.shape(box, form)
        self.add("pits", Pit(id=more.pop("id", None) or self.id("pit"), polygon=tuple(map(inch, points)), depth=depth, **more))
        self.claim(box)
        self.square_inches += area(points)

    def thing(self, kind: str, box: Box, noun: str = "", **more: Any) -> None:
        """A box that lies along its longer side."""
        lies, (long, short) = (0.0, (box.wide, box.deep)) if box.wide >= box.deep else (90.0, (box.deep, box.wide))
        at = (box.left + box.right) / 2 / QUARTER, (box.lower + box.upper) / 2 / QUARTER
        size = long / QUARTER, short / QUARTER
        self.add("things", Thing(id=self.id(noun or kind), kind=kind, at=at, size=size, facing=lies, **more))
        described = {**self.kinds, **shipped()}[kind]
        self.claim(box, hard=described.move == "blocked")
        self.square_inches += area(box.corners)

    def wall(self, points: Sequence[Spot], material: str, gaps: Sequence[tuple[Spot, Quarters]] = (), **more: Any) -> None:
        """A wall along straight lines, with gaps by their middle and width."""
        name = self.id(more.pop("noun", None) or ("hedge" if material == "hedge" else "fence" if "fence" in material else "wall"))
        openings = [
            Opening(id=f"{name}-gap-{n}", kind="gap", at=inch(at), width=width / QUARTER) for n, (at, width) in enumerate(gaps, 1)
        ]
        doors = more.pop("doors", ())
        line = tuple(part for point in points for part in inch(point))
        self.add("walls", Wall(id=name, line=line, material=material, openings=(*openings, *doors), **more))
        hard = {**self.kinds, **shipped()}[material].move == "blocked"
        for (x, y), (to_x, to_y) in pairwise(points):
            self.claim(Box(min(x, to_x) - 1, min(y, to_y) - 1, max(x, to_x) + 1, max(y, to_y) + 1), hard)

    def road(self, box: Box, kind: str = "road", **more: Any) -> None:
        """A straight way; what crosses it is the same ground."""
        self.roads.append(box)
        more.setdefault("id", self.id(kind))
        self.add("areas", Area(kind=kind, rect=box.rect, **more))
        self.claim(box)

    # Filling ----------------------------------------------------------------------------------------------------------

    def fill(self, makers: Sequence[Callable[[Plan], bool]], target: float, rounds: int = 40) -> None:
        """Adds what there is room for, in turn, until the share of the table under terrain is reached or all is full."""
        for _ in range(rounds):
            added = [maker for maker in makers if self.share < target and maker(self)]
            if not added:
                return

    def table(self, name: str, about: str) -> Map:
        south, north = Box(0, 0, self.wide, DEPLOY), Box(0, self.deep - DEPLOY, self.wide, self.deep)
        zones = (
            Zone(id="south", name="the south edge", side="south", rect=south.rect),
            Zone(id="north", name="the north edge", side="north", rect=north.rect),
        )
        groups: dict[str, Any] = {group: tuple(pieces) for group, pieces in self.groups.items()}
        size = self.wide / QUARTER, self.deep / QUARTER
        return Map(name=name, about=about, size=size, kinds=self.kinds, **{**groups, "zones": zones})


def cells_in(points: Sequence[Spot], box: Box) -> Cells:
    """Which cells of the box have their middle inside an outline."""
    across, up = np.meshgrid(np.arange(box.left, box.right) + 0.5, np.arange(box.lower, box.upper) + 0.5, indexing="ij")
    inside: Cells = shapely.contains_xy(shapely.Polygon(points), across, up)
    return inside
