"""Moves, reckoned: what one costs, where it ends, and whose arc it comes into."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import get_args

from msgspec.structs import replace

from wardogs.kernel.dice import D10, at_most
from wardogs.scene.board import Reckoned
from wardogs.scene.model import Mark
from wardogs.systems.dogs.marks import place_in
from wardogs.systems.dogs.measure import in_arc
from wardogs.systems.dogs.seeing import sees
from wardogs.systems.dogs.sight_marks import drawn, way
from wardogs.systems.dogs.state import Fight, Model, total
from wardogs.systems.dogs.tackling import path_at, strength_terms
from wardogs.systems.dogs.tokens import arc
from wardogs.systems.dogs.ways import Gait, Path, cost, field, length, path_to, point_at
from wardogs.systems.dogs.weighing import Asked, chance, wanted


def moved(asked: Asked) -> Reckoned:
    """DOW-MOV-01, -03, -06, -27."""
    gait: Gait = next(gait for gait in get_args(Gait) if gait == asked.choice["verb"])
    to = place_in(asked.choice["to"])
    path = path_to(field(asked.g, asked.man, gait, float(asked.man.ap)), to) if to is not None else None
    return Reckoned() if path is None else along(asked, gait, path)


def run_at(asked: Asked) -> Reckoned:
    """DOW-CQC-07, DOW-TAK-01, -02: the run; and of a tackle, if it comes to that, strength against strength."""
    g, target = asked.g, asked.g.state[asked.choice["target"]]
    path = path_at(g, asked.man, target, asked.man.ap)
    if path is None:
        return Reckoned()
    run = along(asked, "run", path)
    if asked.choice["verb"] != "tackle":
        return run
    terms = strength_terms(g, asked.man.id, target.id)
    means = at_most(D10, total(terms))
    told = (*asked.told(terms[:-1]), *asked.told(terms[-1:], "the other's "))
    found = chance("overpowered", Fraction(sum(means), len(means)))
    return replace(run, chances=(found,), terms=told, total=wanted(total(terms)))


def along(asked: Asked, gait: Gait, path: Path) -> Reckoned:
    g, man = asked.g, asked.man
    needs, watched = cost(g, man, gait, path), list(watchers(g, man, path))
    x, y, z = path[-1]
    where = f"{x:.4g}, {y:.4g}{f', {z:.4g} up' if z >= UP else ''}"
    warns = f"; in sight of {' and '.join(other.id for other in watched)} on Op-Fire" if watched else ""
    arcs: list[Mark] = [arc(other) for other in watched]
    return Reckoned(f"{needs} AP, {man.ap - needs} left; to {where}{warns}", marks=drawn(g, [*arcs, way(path)]))


def watchers(g: Fight, man: Model, path: Path) -> Iterator[Model]:
    """DOW-OPF-05, -06: enemies on Op-Fire who would have him in arc and sight at some inch of his way."""
    far = length(path)
    steps = max(1, ceil(far))
    inches = [replace(man, at=point_at(path, far * k / steps)) for k in range(steps + 1)]
    for enemy in g.state.enemies(man):
        if enemy.watching and any(in_arc(enemy, there.at) and sees(g, enemy, there) for there in inches):
            yield enemy


UP = 0.5  # inches: what lies no higher is told as lying on the ground
