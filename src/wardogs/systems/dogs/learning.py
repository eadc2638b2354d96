"""Learning a strange weapon: attempts, success, and giving up."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.data import BLASTS, COSTS, WEAPONS, load
from wardogs.systems.dogs.shooting import is_familiar
from wardogs.systems.dogs.state import Fight, Model
from wardogs.systems.dogs.things import is_lost, why_no_hand
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, short_of_ap, unpacked


class Learning(Struct, frozen=True, forbid_unknown_fields=True):
    base: int
    source: Source


LEARNING = load("aid.toml", "learning", Learning)


def difficulty(weapon: str) -> int | None:
    """DOW-RNG-13: of a firearm or a hand grenade; what is laid or called is learnt in no hurry."""
    if weapon in WEAPONS:
        return WEAPONS[weapon].difficulty
    return BLASTS[weapon].difficulty if weapon in BLASTS and BLASTS[weapon].throw == "hand" else None


def holds(man: Model) -> tuple[str, ...]:
    """The weapons and grenades that he has on him, issued or picked up."""
    return tuple(held.id for held in man.weapons) + tuple(kind for kind, _ in man.stores if difficulty(kind) is not None)


def why_not_learn(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-ABL-03 to -07: a weapon that he holds and does not know, and has not given up; nobody can teach him."""
    weapon = choice.get("weapon", "")
    if (refusal := why_no_hand(man, "DOW-ABL-04")) is not None:
        return refusal
    if weapon not in holds(man):
        return Refusal("DOW-ABL-04", "lacks_item", {"item": weapon})
    if is_familiar(g, man, weapon):
        return Refusal("DOW-ABL-07", "knows_it", {"weapon": weapon})
    if weapon in man.locked_out:
        return Refusal("DOW-ABL-05", "given_up", {"weapon": weapon})
    return short_of_ap(man, COSTS.learn_weapon, "DOW-ABL-04")


def learn_offers(g: Fight, man: Model) -> Iterator[Offer]:
    strange = tuple(weapon for weapon in holds(man) if why_not_learn(g, man, {"weapon": weapon}) is None)
    if strange:
        yield Offer("learn", "DOW-ABL-04", one(man.id, weapon=OneOf(strange)), ap(COSTS.learn_weapon))


def learn(g: Fight, args: Packed) -> None:
    """DOW-ABL-03, -04, -06: D10 at most 5 + WK - difficulty; once learnt, known for the game, by him alone."""
    choice = unpacked(args)
    man, weapon = g.state[choice["model"]], choice["weapon"]
    if is_lost(g, man, weapon in holds(man) and not is_familiar(g, man, weapon)):
        return
    need = LEARNING.base + g.terms.who[man.id].wk - (difficulty(weapon) or 0)
    learnt = g.roll("DOW-ABL-03", D10, at_most(D10, need), who=man.id, weapon=weapon, need=need)
    others = tuple(kind for kind in man.failing if kind != weapon)
    if learnt:
        g.edit(man.id, learned=tuple(sorted((*man.learned, weapon))), failing=others)
    else:
        g.edit(man.id, failing=tuple(sorted((*others, weapon))))
    if others and g.terms.options.wk_lockout == "first_other_action":
        g.then(give_up, man.id, others)


def give_up(g: Fight, who: str, weapons: tuple[str, ...]) -> None:
    """DOW-ABL-05: locked out of these, and of all others of the same model, for the game."""
    man = g.state[who]
    failing = tuple(kind for kind in man.failing if kind not in weapons)
    g.edit(who, locked_out=tuple(sorted({*man.locked_out, *weapons})), failing=failing)
    g.report("DOW-ABL-05", "locked_out", who=who, weapons=list(weapons))


def learn_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.learn_weapon


VERBS = (Verb("learn", "DOW-ABL-04", learn_offers, learn, why_not_learn, learn_cost),)
PARAGRAPHS = (learn, give_up)
