"""Close quarters, reckoned: blows and knock-outs. In contact all is known."""

from __future__ import annotations

from fractions import Fraction

from wardogs.kernel.odds import choosing, odds
from wardogs.scene.board import Reckoned
from wardogs.systems.dogs.attack_odds import NERVES, staged
from wardogs.systems.dogs.melee import attack_terms, cq_terms, means_named, strokes
from wardogs.systems.dogs.state import Battle, total
from wardogs.systems.dogs.weighing import Asked, chance, percent, wanted


def struck(asked: Asked) -> Reckoned:
    return stroke(asked, False)


def knocked(asked: Asked) -> Reckoned:
    return stroke(asked, True)


def stroke(asked: Asked, knock_out: bool) -> Reckoned:
    """DOW-CQC-01, -02, DOW-KNO-02: what he needs and what it does, from the paragraphs of the blow."""
    g, by, at = asked.g, asked.man, asked.g.state[asked.choice["target"]]
    means = means_named(by, asked.choice["weapon"])
    if means is None:
        return Reckoned()
    terms = cq_terms(g, by, at, means)
    own = 1 + len(tuple(attack_terms(g, by, at, means)))
    read = strokes(g, total(terms), knock_out)
    hit = Fraction(sum(1 for result in read if result), len(read))
    down, killed = outcome(asked, knock_out)
    return Reckoned(
        text=f"{wanted(total(terms))}, hit {percent(hit)}, down {percent(down)}, killed {percent(killed)}",
        chances=(chance("hit", hit), chance("down", down), chance("killed", killed)),
        terms=(*asked.told(terms[:own]), *asked.told(terms[own:], "the other's ")),
        total=wanted(total(terms)),
    )


def outcome(asked: Asked, knock_out: bool) -> tuple[Fraction, Fraction]:
    """Down, and killed; what it does to nerves is left out."""
    g, target = asked.g, asked.choice["target"]

    def read(battle: Battle) -> tuple[bool, bool]:
        return not (battle[target].alive and battle[target].conscious), not battle[target].alive

    game = staged(g, "swing", (asked.man.id, asked.choice["weapon"], target, knock_out))
    found = odds(game, choosing({}), read, lambda _, agenda: agenda[0].paragraph in NERVES).of
    down = sum((share for (is_down, _), share in found.items() if is_down), Fraction(0))
    return down, sum((share for (_, is_dead), share in found.items() if is_dead), Fraction(0))
