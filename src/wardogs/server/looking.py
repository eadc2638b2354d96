"""What a seat may ask: about the question that is put to it, odds, reasons, offers, points; and what somebody on the table
sees. Nothing changes by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Ask, Offer, Offers, Question, Refusal, Refused, Seat, Spot
from wardogs.kernel.phrases import Phrasebook
from wardogs.server import messages as m
from wardogs.server.errors import ServerError
from wardogs.server.telling import seen_from

AnyLook: TypeAlias = m.Put | m.Odds | m.Why | m.OffersOf | m.Spots | m.ThroughEyes


def asked(match: Match, seat: Seat, own: bool) -> Ask:
    question = match.game.question
    if not isinstance(question, Question) or seat not in question.asks:
        raise ServerError("you are not asked anything now" if own else f"seat {seat} is not asked anything now")
    return question.asks[seat]


def odds(match: Match, book: Phrasebook, seat: Seat, own: bool, said: m.Odds) -> Any:
    """By the rules themselves, on what this seat knows."""
    if refusal := asked(match, seat, own).refusal(said.choice):
        raise Refused(refusal)
    return match.system.reckon(match.seen(seat), said.choice)


def why(match: Match, book: Phrasebook, seat: Seat, own: bool, said: m.Why) -> Any:
    if said.choice is not None:
        reason = why_not(match, seat, said.choice)
        return _reason(book, reason) if reason else None
    ask = asked(match, seat, own)
    shut = ask.barred() if ask.barred else ()
    return [{"choice": one.choice, **_reason(book, one.refusal)} for one in shut]


def why_not(match: Match, seat: Seat, choice: Any) -> Refusal | None:
    if match.over:
        return Refusal("", "game_over")
    question = match.game.question
    return question.refusal(seat, choice) if isinstance(question, Question) else Refusal("", "not_asked", {"seat": seat})


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
    offer = next((offer for offer in like if _fits(offer, said)), None)
    if offer is None:
        raise ServerError(f"nothing of this kind is offered that has a point called {said.field:.40}")
    domain = offer.fields[said.field]
    assert isinstance(domain, Spot)
    size = domain.size
    shown = range(size) if size <= said.most else [k * size // said.most for k in range(said.most)]
    points = [domain.pick(k) for k in shown]
    return {"size": size, "points": points, "cost": offer.cost, "prices": domain.prices(points)}


def _fits(offer: Offer, said: m.Spots) -> bool:
    """Is it of the kind that is meant? Fields that are not filled in yet say nothing."""
    known = [(name, domain) for name, domain in offer.fields.items() if name in said.choice and name != said.field]
    named = offer.verb == said.choice.get("verb") and isinstance(offer.fields.get(said.field), Spot)
    return named and all(domain.admits(said.choice[name]) for name, domain in known)


def eye(match: Match, book: Phrasebook, seat: Seat, own: bool, said: m.ThroughEyes) -> Any:
    """From this seat's view, whether or not it is asked anything, and after the end too."""
    system = match.system
    if system.eye is None:
        raise ServerError(f"{system.title} is played without heights: there is nothing to see through anybody's eyes")
    try:
        return system.eye(match.terms, seen_from(match, seat), said.who)
    except WardogsError as error:
        raise ServerError(str(error)) from None


LOOKS: dict[type[Any], Callable[[Match, Phrasebook, Seat, bool, Any], Any]] = {
    m.Odds: odds,
    m.Why: why,
    m.OffersOf: offers_of,
    m.Spots: spots,
    m.ThroughEyes: eye,
}
