"""What an act is: who may do it and how, what it costs, and the paragraph that carries it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.data import COSTS
from wardogs.systems.dogs.state import Fight, Id, Model

Packed: TypeAlias = tuple[tuple[str, Any], ...]  # a choice as paragraphs take it: hashable, and plain when saved


def packed(choice: Mapping[str, Any]) -> Packed:
    return tuple((key, tuple(value) if isinstance(value, list) else value) for key, value in sorted(choice.items()))


def unpacked(args: Packed) -> Choice:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in args}


class Verb(NamedTuple):
    """One row of the list of actions.

    `offers` lists what a man may do now (nothing, if he may not); `why_not` says why a choice that is not among them is
    forbidden; `carry_out` is the paragraph, called with the packed choice after the AP are paid and watchers have been asked.
    """

    name: str
    rule: str
    offers: Callable[[Fight, Model], Iterator[Offer]]
    carry_out: Callable[..., None]
    why_not: Callable[[Fight, Model, Choice], Refusal | None]
    cost: Callable[[Fight, Model, Choice], int]
    watched: bool = True  # DOW-OPF-05 b: watchers are asked when it is declared; moves ask inch by inch, free acts never


def short_of_ap(model: Model, needs: int, rule: str = "DOW-APT-02") -> Refusal | None:
    """DOW-APT-01, -02: an act costs its figure."""
    return Refusal(rule, "needs_ap", {"needs": needs, "has": model.ap}) if model.ap < needs else None


def one(model: Id, **fields: Any) -> dict[str, Any]:
    """The fields of an offer that begins with who does it."""
    return {"model": OneOf((model,)), **fields}


def doer(offer: Offer) -> Id:
    """Whose act an offer is."""
    return str(offer.fields["model"].pick(0))


def first_refusal(reasons: Iterator[Refusal]) -> Refusal | None:
    return next(reasons, None)


def ap(needs: int) -> dict[str, int]:
    return {"ap": needs}


__all__ = ["COSTS", "Packed", "Verb", "ap", "doer", "first_refusal", "one", "packed", "short_of_ap", "unpacked"]
