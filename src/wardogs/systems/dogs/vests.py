"""Deadman vests: a quarter pound of C4 that goes off when its wearer falls."""

from __future__ import annotations

from collections.abc import Iterator

from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.explosives import act_lost, explode_c4, is_engineer, why_no_hands
from wardogs.systems.dogs.lists import VESTS
from wardogs.systems.dogs.masonry import FIGURES
from wardogs.systems.dogs.measure import in_contact
from wardogs.systems.dogs.state import Fight, Id, Model
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, short_of_ap, unpacked


def deadman(g: Fight, who: Id) -> None:
    """DOW-EXP-14: it explodes, centred on him, the moment he is killed or falls unconscious, or when he will."""
    man = g.state[who]
    if not man.vest or not man.on_table:
        return
    g.edit(who, vest=0)
    g.report("DOW-EXP-14", "vest_explodes", who=who, at=man.at)
    explode_c4(g, man.at, who, man.vest, "army")


# ---- disarming -------------------------------------------------------------------------------------------------------


def suspects(g: Fight, man: Model) -> tuple[Id, ...]:
    """DOW-EXP-14: bound enemies in contact who wear a vest; while vests are hidden, any who might and was not searched."""
    return tuple(
        other.id for other in g.state.of(3 - man.side) if other.bound and _suspect(g, other) and in_contact(g, man, other)
    )


def _suspect(g: Fight, other: Model) -> bool:
    if not g.terms.options.vests_hidden:
        return other.vest > 0
    return VESTS.perk in g.terms.who[other.id].perks and not other.searched


def disarm_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if is_engineer(g, man) and man.ap >= FIGURES.disarm_vest and why_no_hands(man) is None and (found := suspects(g, man)):
        yield Offer("disarm_vest", "DOW-EXP-14", one(man.id, target=OneOf(found)), ap(FIGURES.disarm_vest))


def why_not_disarm(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-EXP-14: a Combat Engineer, and a bound man in contact."""
    if not is_engineer(g, man):
        return Refusal("DOW-EXP-14", "no_engineer", {"who": man.id})
    found, wanted = suspects(g, man), choice.get("target")
    if wanted not in found if wanted is not None else not found:
        return Refusal("DOW-EXP-14", "nobody_to_disarm")
    return why_no_hands(man) or short_of_ap(man, FIGURES.disarm_vest, "DOW-EXP-14")


def disarm_vest(g: Fight, args: Packed) -> None:
    """DOW-EXP-14: the vest is off; or there was none."""
    choice = unpacked(args)
    man, other = g.state[choice["model"]], g.state[choice["target"]]
    if not man.able or other.id not in suspects(g, man):
        act_lost(g, man.id)
        return
    g.edit(other.id, vest=0, searched=True)
    g.report("DOW-EXP-14", "vest_disarmed" if other.vest else "no_vest", who=man.id, target=other.id)


VERBS = (
    Verb("disarm_vest", "DOW-EXP-14", disarm_offers, disarm_vest, why_not_disarm, lambda g, man, choice: FIGURES.disarm_vest),
)
PARAGRAPHS = (deadman, disarm_vest)
