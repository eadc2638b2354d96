"""Fuses: the owner of a charge says when it blows, or said so when it was set."""

from __future__ import annotations

from collections.abc import Iterator

from wardogs.kernel.offers import Ask, Choice, Offer, Refusal, Seat, Several
from wardogs.systems.dogs.explosives import FUSED, goes_off
from wardogs.systems.dogs.moving import nothing, why_not_free
from wardogs.systems.dogs.state import Fight, Id, Model, other
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, unpacked

NONE: Choice = {"verb": "blow_charges", "charges": []}


def fused(g: Fight, seat: Seat) -> tuple[int, ...]:
    """DOW-EXP-04, -06: a side's charges; each is complete from its first quarter on."""
    if g.terms.options.fuse_fixed:
        return ()
    return tuple(device.id for device in g.state.devices if device.owner == seat and device.kind in FUSED)


def fuses(g: Fight) -> None:
    """DOW-EXP-04: at each slot boundary, the first-slot side first."""
    first = g.state.first_side or 1
    for seat in (first, other(first)):
        g.then(which_blow, seat)


def which_blow(g: Fight, seat: Seat) -> None:
    """DOW-EXP-04: its owner declares; no model is needed for it."""
    charges = fused(g, seat)
    if g.state.result is not None or not charges:
        return
    offer = Offer("blow_charges", "DOW-EXP-04", {"charges": Several(charges, 0, len(charges), "devices")})
    for number in g.ask("DOW-EXP-04", seat, Ask("fuse", (offer,), NONE))["charges"]:
        g.then(goes_off, number, "")


# ---- in the own slot -------------------------------------------------------------------------------------------------


def speaker_of(g: Fight) -> Id:
    """The declaration is the owner's: it is offered once, with the first of his active men who is able."""
    return next((id_ for id_ in g.state.active if g.state[id_].able), "")


def blow_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_blow(g, man, {}) is None:
        charges = fused(g, man.side)
        yield Offer("blow_fuse", "DOW-EXP-04", one(man.id, charges=Several(charges, 1, len(charges), "devices")), ap(0))


def why_not_blow(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-EXP-04, DOW-APT-07: a free declaration."""
    if g.terms.options.fuse_fixed:
        return Refusal("DOW-EXP-04", "fuse_is_fixed")
    if not fused(g, man.side):
        return Refusal("DOW-EXP-04", "no_charge")
    if (speaker := speaker_of(g)) != man.id:
        return Refusal("DOW-EXP-04", "another_declares", {"who": speaker})
    return why_not_free(man, "blow_fuse")


def blow_fuse(g: Fight, args: Packed) -> None:
    """DOW-EXP-04."""
    for number in unpacked(args)["charges"]:
        g.then(goes_off, number, "")


# ---- fixed fuses -----------------------------------------------------------------------------------------------------


def due(g: Fight) -> list[int]:
    return [device.id for device in g.state.devices if device.kind in FUSED and 0 < device.due <= g.state.turn]


def fuses_due_announced(g: Fight) -> None:
    """DOW-EXP-04, -15, with fuse_fixed: those who know of a charge hear that it blows this turn."""
    if g.terms.options.fuse_fixed:
        for number in due(g):
            device = g.state.device(number)
            assert device is not None
            g.report("DOW-EXP-04", "fuse_due", device.known, device=number, kind=device.kind, at=device.at)


def fuses_blow(g: Fight) -> None:
    """DOW-EXP-04, with fuse_fixed: at the end of the turn."""
    if g.terms.options.fuse_fixed:
        for number in due(g):
            g.then(goes_off, number, "")


VERBS = (Verb("blow_fuse", "DOW-EXP-04", blow_offers, blow_fuse, why_not_blow, nothing, watched=False),)
PARAGRAPHS = (fuses, which_blow, blow_fuse, fuses_due_announced, fuses_blow)
