"""Many looks at once, for bots: how much every eye sees of every model, in one call of the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from wardogs.table.bodies import BASE, Body, Samples, facing_of, pose, samples
from wardogs.table.compiled import Floats, Ints, blank, blank_ints, compiled, floats, ints
from wardogs.table.rays import aim, beam, opened
from wardogs.table.terrain import TOO_MUCH, Terrain
from wardogs.table.units import Inches, Place, spot, thou

CLEAR, COVERED, HIDDEN = 0, 1, 2
COUNTS = 4  # for each look: clear, covered and hidden samples of the body, visible samples of the base


class Views(NamedTuple):
    """By eye and model: shares of the body's samples, and of the base's."""

    clear: Any
    visible: Any
    base: Any


@compiled
def judge(mask: int, leaves: float, smoke: float, hiding: int, covering: int, full: float) -> int:
    """Is one sample clear, behind cover, or hidden?"""
    if mask & hiding or leaves > full or smoke > full:
        return HIDDEN
    return COVERED if mask & covering else CLEAR


@compiled
def view_all(
    eyes: Floats, targets: Floats, shapes: Ints, sampled: Floats, hiding: int, covering: int, full: float, skip: float,
    points: Floats, haze: Floats, book: Ints, store: Floats, counts: Ints,
) -> None:  # fmt: skip
    """Each eye (3 floats) at each target (x, y, z, facing x and y, radius; shape: first sample, body, all)."""
    xs, ys, zs, first, last, depth, hits, grid, cells, panel, solid, parts, cuts, plane, bits, seen = opened(book, store)
    looks = 0
    for e in range(0, len(eyes), 3):
        ex, ey, ez = eyes[e], eyes[e + 1], eyes[e + 2]
        for t in range(len(targets) // 6):
            body, n = shapes[3 * t + 1], shapes[3 * t + 2]
            pose(
                ex, ey, targets[6 * t], targets[6 * t + 1], targets[6 * t + 2], targets[6 * t + 3], targets[6 * t + 4],
                targets[6 * t + 5], sampled[4 * shapes[3 * t] :], n, points, 0,
            )  # fmt: skip
            aim(n, points, 0, ex, ey, ez, xs, ys, zs, hits, haze)
            beam(
                ex, ey, ez, n, xs, ys, zs, first, last, depth, hits, skip, grid, cells, panel, solid, parts, cuts, plane, bits,
                seen, haze, 0,
            )  # fmt: skip
            for i in range(n):
                state = judge(hits[i], haze[2 * i], haze[2 * i + 1], hiding, covering, full)
                if i < body:
                    counts[looks + state] += 1
                elif state != HIDDEN:
                    counts[looks + 3] += 1
            looks += COUNTS


class _Shapes(NamedTuple):
    """Several figures' samples in one row; by stance and scale: the first, those of the body, all with the base."""

    sampled: Any
    frames: dict[tuple[str, float], tuple[int, int, int]]


@lru_cache(maxsize=64)
def _shapes(wanted: tuple[tuple[str, float], ...]) -> _Shapes:
    sampled, frames = list[float](), dict[tuple[str, float], tuple[int, int, int]]()
    for key in wanted:
        shape = samples(*key)
        frames[key] = (len(sampled) // 4, *sizes(shape))
        sampled += list(shape.points)
    return _Shapes(floats(sampled), frames)


def views(terrain: Terrain, eyes: Sequence[Place], targets: Sequence[Body], skip: Inches = 0.0) -> Views:
    """How much every eye sees of every figure."""
    shapes = _shapes(tuple(dict.fromkeys((body.stance, body.scale) for body in targets)))
    frames = [part for body in targets for part in shapes.frames[body.stance, body.scale]]
    flat = floats([part for body in targets for part in (*spot(body.at), *facing_of(body), thou(body.radius))])
    counts = blank_ints(COUNTS * len(eyes) * len(targets))
    covering = sum(terrain.cover_bits[1:])
    view_all(
        floats([part for eye in eyes for part in spot(eye)]), flat, ints(frames), shapes.sampled, terrain.hiding, covering,
        TOO_MUCH, float(thou(skip)), blank(3 * MOST), blank(2 * MOST), *terrain.arrays, counts,
    )  # fmt: skip
    table = np.asarray(counts).reshape(len(eyes), len(targets), COUNTS)
    whole = np.maximum(table[:, :, :3].sum(axis=2), 1)
    bases = np.array([max(1, n - body) for body, n in zip(frames[1::3], frames[2::3], strict=True)])
    return Views(table[:, :, CLEAR] / whole, (table[:, :, CLEAR] + table[:, :, COVERED]) / whole, table[:, :, 3] / bases)


MOST = 256  # samples of a figure


def sizes(shape: Samples) -> tuple[int, int]:
    """Samples of the body, and of all with the base."""
    return next(first for name, first, _ in shape.parts if name == BASE), shape.size
