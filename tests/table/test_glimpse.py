"""One look judged in the kernel says of every sample what a look told in full says."""

from __future__ import annotations

from random import Random

import pytest

from tests.table.tables import Marksman, terrain
from wardogs.table.bodies import Body, figures, samples
from wardogs.table.glimpse import CLEAR, COUNTS, HARD, LOST, SOFT, THIN, Covers, glimpse
from wardogs.table.sight import look
from wardogs.table.terrain import FULL, Terrain
from wardogs.table.units import Place

TABLES, LOOKS = 400, 8


def covers(over: Terrain, rng: Random) -> Covers:
    """Kinds dealt out at random: what covers hard in one game is thin in another."""
    dealt = [rng.choice((HARD, SOFT, THIN, CLEAR)) for _ in over.kinds]
    hard, soft, thin = (sum(1 << bit for bit, state in enumerate(dealt) if state == one) for one in (HARD, SOFT, THIN))
    return Covers(hard, soft, thin, FULL * rng.choice((0.25, 0.5, 1.0)))


def by_hand(mask: int, leaves: float, covers: Covers) -> int:
    if mask & (covers.hard | covers.soft):
        return HARD if mask & covers.hard else SOFT
    seen = THIN if mask & covers.thin else CLEAR
    return seen if leaves <= covers.most else LOST


def random_place(over: Terrain, rng: Random, height: float = 0.0) -> Place:
    x, y, z = Marksman(over, rng.randrange(10_000)).anywhere()
    return x / 1000, y / 1000, max(0.0, z / 1000) + height


@pytest.mark.parametrize("seed", range(TABLES))
def test_a_glimpse_is_a_look(seed: int) -> None:
    over, rng = terrain(seed), Random(seed)
    known = covers(over, rng)
    for _ in range(LOOKS):
        eye, stance = random_place(over, rng, 1.0), rng.choice(sorted(figures()))
        man = Body(id="man", at=random_place(over, rng), facing=rng.uniform(0, 360), stance=stance)
        shape = samples(man.stance, man.scale)
        _, body, size = shape.parts[-1]
        found, points = glimpse(over, eye, man, shape, body, known)
        seen = look(over, eye, man)
        assert list(points) == list(seen.points)
        assert list(found[COUNTS : COUNTS + size]) == list(seen.masks)
        states = [by_hand(int(mask), float(leaves), known) for mask, leaves in zip(seen.masks, seen.haze[::2], strict=True)]
        assert list(found[COUNTS + size :]) == states
        base = sum(state in (CLEAR, THIN) for state in states[body:])
        assert list(found[:COUNTS]) == [states[:body].count(CLEAR), states[:body].count(THIN), base, states.count(HARD)]


def test_the_tables_show_every_state() -> None:
    """Else the test above would prove little."""
    met = dict.fromkeys((CLEAR, THIN, SOFT, HARD, LOST), 0)
    for seed in range(100):
        over, rng = terrain(seed), Random(seed)
        known, shape = covers(over, rng), samples("standing")
        _, body, size = shape.parts[-1]
        found, _ = glimpse(over, random_place(over, rng, 1.0), Body(id="man", at=random_place(over, rng)), shape, body, known)
        for state in found[COUNTS + size :]:
            met[int(state)] += 1
    assert min(met.values()) > 20, met
