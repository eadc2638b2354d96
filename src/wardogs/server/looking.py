"""What a seat may ask about the question that is put to it: odds, reasons, offers, points. Nothing changes by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from wardogs.kernel.match import Match
from wardogs.kernel.offers import Ask, Offer, Offers, Question, Refusal, Refused, Seat, Spot
from wardogs.kernel.phrases import Phrasebook
from wardogs.server import messages as m
from wardogs.server.errors import ServerError

AnyLook: TypeAlias = m.Put | m.Odds | m.Why | m.OffersOf | m.Spots


def asked(match: Match, seat: Seat, own: bool) -> Ask:
    question = match.game.question
    if not isinstance(question, Question) or seat not in question.asks:
        raise ServerError("you are not asked anything now" if own else f"seat {seat} is not asked anything now")
    return question.asks[seat]


def odds(match: Match, book: Phrasebook, seat: Seat, own: bool, said: m.Odds) -> Any:
    """By the rules themselves, on what this seat knows."""
    if refusal := asked(match, seat, own).refusal(said.choice):
        raise Refused(refusal)
    return {"text": match.system.preview(match.seen(seat), said.choice)}


def why(match: Match, book: Phrasebook, seat: Seat, own: bool, said: m.Why) -> Any:
    if said.choice is not None:
        question = match.game.question
        reason = question.refusal(seat, said.choice) if isinstance(question, Question) else Refusal("", "game_over")
        return _reason(book, reason) if reason else None
    ask = asked(match, seat, own)
    shut = ask.barred() if ask.barred else ()
    return [{"choice": one.choice, **_reason(book, one.refusal)} for one in shut]


def _reason(book: Phrasebook, refusal: Refusal) -> dict[str, Any]:
    return {"rule": refusal.rule, "fact": refusal.fact, "data": refusal.data, "text": book.refusal(refusal)}


def offers_of(match: Match, book: Phrasebook, seat: Seat, own: bool, said: m.OffersOf) -> Any:
    """Worked out when somebody looks, and only once."""
    offers = asked(match, seat, own).offers
    if not isinstance(offers, Offers) or said.doer not in offers.doers:
        raise ServerError(f"nobody asks for {said.doer!s:.40} now")
    return list(offers.of(said.doer))


def spots(match: Match, book: Phrasebook, seat: Seat, own: bool, said: m.Spots) -> Any:
    """Some of the points that an offer takes, spread evenly over all."""
    like = asked(match, seat, own).like(said.choice)
    domain = next((offer.fields[said.field] for offer in like if _fits(offer, said)), None)
    if not isinstance(domain, Spot):
        raise ServerError(f"nothing of this kind is offered that has a point called {said.field:.40}")
    size = domain.size
    shown = range(size) if size <= said.most else [k * size // said.most for k in range(said.most)]
    return {"size": size, "points": [domain.pick(k) for k in shown]}


def _fits(offer: Offer, said: m.Spots) -> bool:
    """Is it of the kind that is meant? Fields that are not filled in yet say nothing."""
    known = [(name, domain) for name, domain in offer.fields.items() if name in said.choice and name != said.field]
    named = offer.verb == said.choice.get("verb") and isinstance(offer.fields.get(said.field), Spot)
    return named and all(domain.admits(said.choice[name]) for name, domain in known)


LOOKS: dict[type[Any], Callable[[Match, Phrasebook, Seat, bool, Any], Any]] = {
    m.Odds: odds,
    m.Why: why,
    m.OffersOf: offers_of,
    m.Spots: spots,
}
