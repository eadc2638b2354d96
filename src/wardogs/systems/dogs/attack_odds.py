"""Exact odds of a ranged attack, from the paragraphs that resolve it.

The dice are followed through the re-roll window, then each man's hits one by one from location to wound. What a wound does to
nerves is left out, unless a man who falls or ducks would be better covered from the next round. On the way a shooter re-rolls a
miss at the first man he missed, and turns an aimed chest into a head. Who else may be hit in a melee, or of a carrier and his
load, is left out too.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple

from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game, Position, Step
from wardogs.kernel.odds import choosing, odds, odds_of_places
from wardogs.systems.dogs.data import LOCATIONS
from wardogs.systems.dogs.modifiers import Attack, to_hit_terms
from wardogs.systems.dogs.shooting import exposed_to, round_of, share_dice, shots
from wardogs.systems.dogs.state import Battle, Fight, Id, Term
from wardogs.systems.dogs.wounds import Round, cover_at

OTHERS = ("down", "deadman", "witnesses")  # paragraphs about somebody else
NERVES = ("near_miss", "shell_shock", *OTHERS)
POISE = ("stance", "broken", "disciplined_left", "hardcorps_left", "morale_fails")  # what says if he ducks, and lies already
CLASSES = ("killed or crippled", "badly hurt", "hurt", "near miss", "nothing")


class ManOdds(NamedTuple):
    """What an attack does to one man: each class is the worst that happens to him."""

    id: Id
    terms: tuple[Term, ...]
    hit: Fraction  # at least one round hits him
    classes: dict[str, Fraction]
    down: Fraction  # killed, unconscious or at 0 HP
    killed: Fraction

    @property
    def need(self) -> int:
        return sum(term.value for term in self.terms)


class Wounded(NamedTuple):
    """A man after some hits: `worst` is the worst column of the wound chart so far, `poise` what makes him fall or duck."""

    hp: int
    alive: bool
    conscious: bool
    worst: int
    poise: tuple[tuple[str, Any], ...] = ()  # none: it makes no difference


class Outcome(NamedTuple):
    alive: bool
    up: bool
    worst: int


UNHURT = 4


def attack_odds(g: Fight, attack: Attack) -> list[ManOdds]:
    """For everyone who is exposed to it, the declared target first."""
    dice, exposed = shots(g.state[attack.by], attack), exposed_to(g, attack)
    if dice < 1 or not exposed or prod(n + 1 for _, n in share_dice(g, dice, exposed)) > MOST_WAYS:
        return []
    hits = hits_of(g, attack, dice)
    return [man_odds(g, attack, id_, hits[id_]) for id_ in exposed]


MOST_WAYS = 2_000  # in which rounds may hit: with fa_allocation = full_each, four men and more take minutes


def hits_of(g: Fight, attack: Attack, dice: int) -> dict[Id, dict[int, Fraction]]:
    """How many rounds hit whom: the dice of the attack, with the window for a re-roll."""
    return _rolled(g, Step("aim", (dice, *attack)), exposed_to(g, attack))


def hits_needing(g: Fight, attack: Attack, dice: int, need: int | None) -> dict[int, Fraction]:
    """The same for the declared target alone, if this were the number to hit him."""
    return _rolled(g, Step("roll_to_hit", (((attack.target, dice, 0, 0, need),), *attack)), [attack.target])[attack.target]


def _rolled(g: Fight, step: Step, exposed: list[Id]) -> dict[Id, dict[int, Fraction]]:
    worked = lambda _, agenda: agenda[0].paragraph == "work_hits"  # noqa: E731
    found = odds_of_places(_game(g, g.state, step), choosing({}), lambda _, agenda: agenda[0].args[0], worked)
    marginal: dict[Id, dict[int, Fraction]] = {id_: {} for id_ in exposed}
    for hits, chance in found.of.items():
        for id_, shares in marginal.items():
            n = dict(hits).get(id_, 0)
            shares[n] = shares.get(n, Fraction(0)) + chance
    return marginal


def staged(g: Fight, paragraph: str, args: tuple[Any, ...]) -> Fight:
    """The same table, about to run one paragraph."""
    return _game(g, g.state, Step(paragraph, args))


def _game(g: Fight, state: Battle, *steps: Step) -> Fight:
    game: Fight = Game(g.rules, g.terms, Position(state, steps), Fast(0))
    game.silent = True
    return game


def man_odds(g: Fight, attack: Attack, id_: Id, hits: Mapping[int, Fraction]) -> ManOdds:
    """What so many hits, each with its chance, do to one man."""
    ends = ends_of(wounds_by_hits(g, id_, round_of(g, attack), max(hits)), hits)
    classes = {name: sum((c for end, c in ends.items() if end.worst == k), Fraction(0)) for k, name in enumerate(CLASSES)}
    terms = to_hit_terms(g, attack, g.state[id_])
    return ManOdds(id_, terms, 1 - hits.get(0, Fraction(0)), classes, *down_and_killed(ends))


def ends_of(after: list[dict[Outcome, Fraction]], hits: Mapping[int, Fraction]) -> dict[Outcome, Fraction]:
    """How he ends, from what 0, 1, 2 … hits do and how likely each is."""
    ends: dict[Outcome, Fraction] = {}
    for n, chance in hits.items():
        for end, share in after[n].items():
            ends[end] = ends.get(end, Fraction(0)) + chance * share
    return ends


def down_and_killed(ends: Mapping[Outcome, Fraction]) -> tuple[Fraction, Fraction]:
    down = sum((c for end, c in ends.items() if not end.up), Fraction(0))
    return down, sum((c for end, c in ends.items() if not end.alive), Fraction(0))


def wounds_by_hits(g: Fight, id_: Id, round_: Round, most: int) -> list[dict[Outcome, Fraction]]:
    """What becomes of a man by 0, 1, 2 … rounds that hit him, one after the other."""
    start = g.state[id_]
    poise = tuple((name, getattr(start, name)) for name in POISE) if falling_helps(g, id_, round_) else ()
    states: dict[Wounded, Fraction] = {Wounded(start.hp, start.alive, start.conscious, UNHURT, poise): Fraction(1)}
    rows, known = [_outcomes(states)], dict[Wounded, Mapping[Wounded, Fraction]]()
    for _ in range(most):
        after: dict[Wounded, Fraction] = {}
        for man, chance in states.items():
            before = man._replace(worst=UNHURT)
            if man.alive and before not in known:
                known[before] = one_hit(g, id_, round_, before)
            for end, share in known[before].items() if man.alive else ((man, Fraction(1)),):
                hurt = end._replace(worst=min(end.worst, man.worst))
                after[hurt] = after.get(hurt, Fraction(0)) + chance * share
        states = after
        rows.append(_outcomes(states))
    return rows


def falling_helps(g: Fight, id_: Id, round_: Round) -> bool:
    """DOW-COV-06: would a man who stands be covered otherwise if he lay there?"""
    if g.state[id_].stance == "prone" or round_.source is None:
        return False
    flat = _game(g, g.state.edited(id_, {"stance": "prone"}))
    return any(cover_at(g, id_, round_, place) != cover_at(flat, id_, round_, place) for place in LOCATIONS)


def one_hit(g: Fight, id_: Id, round_: Round, man: Wounded) -> Mapping[Wounded, Fraction]:
    """The paragraphs from location to wound, followed through every die; to his nerves, where they matter."""
    state = g.state.edited(id_, {"hp": man.hp, "conscious": man.conscious, "worst": UNHURT, **dict(man.poise)})
    stops = OTHERS if man.poise else NERVES

    def read(battle: Battle) -> Wounded:
        now = battle[id_]
        return Wounded(now.hp, now.alive, now.conscious, now.worst, tuple((name, getattr(now, name)) for name, _ in man.poise))

    begins = _game(g, state, Step("strike", (id_, round_)))
    return odds(begins, choosing({}), read, lambda _, agenda: agenda[0].paragraph in stops).of


def _outcomes(states: Mapping[Wounded, Fraction]) -> dict[Outcome, Fraction]:
    found: dict[Outcome, Fraction] = {}
    for man, chance in states.items():
        end = Outcome(man.alive, man.alive and man.conscious, man.worst)
        found[end] = found.get(end, Fraction(0)) + chance
    return found
