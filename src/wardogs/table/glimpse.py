"""One look of one eye at one figure, judged sample by sample in one call of the kernel: what a game asks of sight most."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from wardogs.table.bodies import Body, Samples, facing_of, pose
from wardogs.table.compiled import Floats, Ints, blank, blank_ints, compiled
from wardogs.table.rays import aim, beam, opened
from wardogs.table.terrain import Terrain
from wardogs.table.units import Place, spot, thou
from wardogs.table.views import MOST

CLEAR, THIN, SOFT, HARD, LOST = 0, 1, 2, 3, 4  # a sample: nothing in the way, thin cover, soft, hard, hidden by haze alone
COUNTS = 4  # clear and thin samples of the body, clear or thin ones of the base, hard ones of all


class Covers(NamedTuple):
    """The bits of the kinds of terrain that cover hard, softly, and thinly; and how much haze of foliage hides."""

    hard: int
    soft: int
    thin: int
    most: float


@compiled
def judge(mask: int, leaves: float, hard: int, soft: int, thin: int, most: float) -> int:
    """What the hardest thing in its way makes of one sample; what can still be seen is lost in too much haze."""
    if mask & hard:
        return HARD
    if mask & soft:
        return SOFT
    if leaves > most:
        return LOST
    return THIN if mask & thin else CLEAR


@compiled
def judge_all(
    ex: float, ey: float, ez: float, tx: float, ty: float, tz: float, fx: float, fy: float, radius: float, sampled: Floats,
    body: int, n: int, hard: int, soft: int, thin: int, most: float, points: Floats, haze: Floats, book: Ints, store: Floats,
    found: Ints,
) -> None:  # fmt: skip
    """`found` is the counts, then of each sample its bits, then of each its state."""
    xs, ys, zs, first, last, depth, hits, grid, cells, panel, solid, parts, cuts, plane, bits, seen = opened(book, store)
    pose(ex, ey, tx, ty, tz, fx, fy, radius, sampled, n, points, 0)
    aim(n, points, 0, ex, ey, ez, xs, ys, zs, hits, haze)
    beam(
        ex, ey, ez, n, xs, ys, zs, first, last, depth, hits, 0.0, grid, cells, panel, solid, parts, cuts, plane, bits, seen,
        haze, 0,
    )  # fmt: skip
    for i in range(n):
        state = judge(hits[i], haze[2 * i], hard, soft, thin, most)
        found[COUNTS + i], found[COUNTS + n + i] = hits[i], state
        if state == HARD:
            found[3] += 1
        elif state in (CLEAR, THIN):
            found[2 if i >= body else state] += 1


def glimpse(terrain: Terrain, eye: Place, target: Body, shape: Samples, body: int, covers: Covers) -> tuple[Ints, Floats]:
    """What the kernel found, and where the samples are, in thous; the first `body` samples of the figure are not its base."""
    found, points, size = blank_ints(COUNTS + 2 * shape.size), blank(3 * shape.size), shape.size
    (ex, ey, ez), (tx, ty, tz), (fx, fy) = _spot(eye), _spot(target.at), facing_of(target)
    judge_all(
        ex, ey, ez, tx, ty, tz, fx, fy, float(thou(target.radius)), shape.points, body, size, *covers, points, _haze,
        *terrain.arrays, found,
    )  # fmt: skip
    return found, points


@lru_cache(maxsize=8_192)
def _spot(place: Place) -> Place:
    """Most men stand where they stood."""
    x, y, z = spot(place)
    return float(x), float(y), float(z)


_haze = blank(2 * MOST)
