"""Place cards, and reveal them."""

from __future__ import annotations

from msgspec.structs import replace

from wardogs.kernel.offers import Choice, Refusal, Seat
from wardogs.systems.dawgs.data import SPECIALS
from wardogs.systems.dawgs.losing import lose_together
from wardogs.systems.dawgs.offers import placing
from wardogs.systems.dawgs.state import Flight, Placed, pair_of
from wardogs.systems.dawgs.victory import end_if_decided


def place_cards(g: Flight) -> None:
    """DAW-CRD-01, -04, DAW-RND-06: every flying seat commits a pair in secret, or concedes; nobody flying, nobody asked."""
    answers = g.ask_all("DAW-CRD-01", {plane.seat: placing(plane) for plane in g.state.flying}, _not_flying)
    conceding = [seat for seat, answer in answers.items() if answer["verb"] == "concede"]
    if conceding and concede(g, conceding):
        return
    for seat, answer in answers.items():
        if answer["verb"] == "place_cards":
            g.edit(seat, placed=pair_of(answer))


def _not_flying(seat: Seat, choice: Choice) -> Refusal:
    """DAW-CRD-09, DAW-VIC-09: no cards, and nothing to concede, while off the map or out of the game."""
    rule = "DAW-VIC-09" if choice.get("verb") == "concede" else "DAW-CRD-09"
    return Refusal(rule, "not_flying", {"seat": seat})


def concede(g: Flight, seats: list[Seat]) -> bool:
    """DAW-VIC-09: the conceding planes go together, and the end is tested at once; then nobody shows a card."""
    lose_together(g, seats, "conceded", "DAW-VIC-09")
    return end_if_decided(g)


def reveal(g: Flight) -> None:
    """DAW-CRD-05, -08, DAW-SPC-05: all pairs turn up together; specials are public, those that stay work from now on."""
    new = []
    for plane in g.state.planes:
        pair = plane.placed
        if pair is not None and pair.other in SPECIALS and plane.flying:
            stays = SPECIALS[pair.other].stay_in_play
            played = None if stays else pair.other
            plane = replace(plane, special_public=True, special_in_play=stays, played=played)
        new.append(plane)
        if pair is not None and not g.silent:
            _tell(g, plane.seat, pair)
    g.change(planes=tuple(new), phase="orient")


def _tell(g: Flight, seat: Seat, pair: Placed) -> None:
    direction = {"direction": pair.direction} if pair.direction else {}
    g.report("DAW-CRD-05", "revealed", who=seat, number=pair.number, other=pair.other, **direction)


def cards_return(g: Flight) -> None:
    """DAW-CRD-07, DAW-SPC-04, DAW-VIC-05: what does not stay in play goes back to the hands; the round's marks come off."""
    new = [
        replace(plane, placed=None, played=None, fired=False, hits_taken=0, pending_hits=0, hitters=(), cf_due=None)
        for plane in g.state.planes
    ]
    g.change(planes=tuple(new))
