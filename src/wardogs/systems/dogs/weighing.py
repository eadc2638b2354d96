"""What a reckoning is made of: chances and terms in words, and the ranges that it goes by until one may measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import hypot
from typing import NamedTuple

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Choice
from wardogs.kernel.register import Rule
from wardogs.scene.board import Chance
from wardogs.scene.board import Term as Told
from wardogs.systems.dogs.data import TO_HIT
from wardogs.systems.dogs.state import Fight, Model, Term
from wardogs.table.units import Inches

MEASURED = ("DOW-RNG-09", "DOW-MOD-11", "DOW-GRN-04", "DOW-GRN-06")  # terms that would tell the range
CAUSES = {
    "DOW-MOD-17": "weapon proficiency",
    "DOW-GRN-05": "weapon proficiency",
    "DOW-RNG-09": "range",
    "DOW-GRN-04": "range",
    "DOW-GRN-06": "difficult throw",
    "DOW-BLS-13": "lobbed out of sight",
    "DOW-MOD-16": "a building",
    "DOW-AIR-07": "rotor wash",
    "DOW-EQP-15": "gas in his eyes",
    "DOW-CQC-01": "to begin with",
    "DOW-TAK-02": "to begin with",
    "DOW-ABL-08": "close quarters",
    "DOW-ABL-09": "strength",
}


class Asked(NamedTuple):
    """A choice that is thought of, in a game as its seat knows it; `rules` are the register's."""

    g: Fight
    choice: Choice
    rules: Mapping[str, Rule]

    @property
    def man(self) -> Model:
        return self.g.state[self.choice["model"]]

    @property
    def measured(self) -> bool:
        """DOW-RNG-06: may the range be told before he declares?"""
        return self.g.terms.options.premeasure

    def told(self, terms: Iterable[Term], whose: str = "") -> tuple[Told, ...]:
        """Each with its cause in words."""
        return tuple(Told(f"{whose}{self._cause(term)}", term.value, term.rule) for term in terms)

    def _cause(self, term: Term) -> str:
        if term.rule == "DOW-VEH-03":
            return "large target" if term.value > 0 else "it moves"
        return CAUSES.get(term.rule) or self.rules[term.rule].name.lower()


def chance(what: str, share: Fraction) -> Chance:
    return Chance(what, str(share), float(share))


def percent(share: Fraction) -> str:
    return f"{100 * float(share):.0f}%"


def flat(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Those that tell nothing of the range."""
    return tuple(term for term in terms if term.rule not in MEASURED)


def wanted(need: int | None) -> str:
    """DOW-GEN-03, DOW-RNG-07: what a shot needs."""
    if need is None:
        return "out of range"
    return "only a 1 hits" if need < 1 else "all but a 10 hit" if need > 9 else f"needs {need}"


def hits(need: int) -> str:
    means = at_most(D10, need, TO_HIT.natural_hit, TO_HIT.natural_miss)
    return f"{wanted(need)} ({10 * sum(means)}%)"


class Stretch(NamedTuple):
    """Ranges at which all is alike, in words; and one of them."""

    where: str
    far: Inches


def stretches(g: Fight, bands: Sequence[tuple[int, int]], cuts: Iterable[Inches] = ()) -> list[Stretch]:
    """DOW-RNG-09: the bands, cut where something else changes; a band that no table holds has no end in words."""
    reach, longest = bands[-1][0], hypot(*g.terms.map.size)
    ends = sorted({*(float(end) for end, _ in bands), *(cut for cut in cuts if 0 < cut < reach)})
    found = []
    for start, end in zip([0.0, *ends], ends, strict=False):
        open_ended = end == reach and end > longest and start > 0
        found.append(Stretch(f'beyond {start:g}"' if open_ended else f'to {end:g}"', (start + end) / 2))
    return found
