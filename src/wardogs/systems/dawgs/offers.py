"""What may be chosen now, and why not the rest."""

from __future__ import annotations

from functools import cache

from wardogs.kernel.offers import Ask, Barred, Choice, Flag, Offer, OneOf, Refusal, Seat
from wardogs.systems.dawgs.aiming import targets, why_not_fire
from wardogs.systems.dawgs.airspace import DOWN
from wardogs.systems.dawgs.data import CARDS, NUMBERS, SPECIALS
from wardogs.systems.dawgs.state import Flight, Plane

STANDARD = tuple(card.id for card in CARDS.values() if card.kind != "number")
STAND_IN: Choice = {"verb": "place_cards", "number": 1, "other": "NC"}
HOLD: Choice = {"verb": "hold_fire"}


# ---- place cards ---------------------------------------------------------------------------------------------------


def special_in_hand(plane: Plane) -> str | None:
    """DAW-CRD-08, DAW-SET-04: a special lying in play is no longer in hand."""
    return None if plane.special_in_play else plane.special


def hand(plane: Plane) -> tuple[str, ...]:
    """DAW-SET-04, DAW-CRD-10, -11: the six standard cards every round, the special unless it lies in play; then none."""
    if not plane.in_the_sky:
        return ()
    special = special_in_hand(plane)
    return (*CARDS, *([special] if special else []))


def placing(plane: Plane) -> Ask:
    return _placing(special_in_hand(plane), plane.special if plane.special_in_play else None)


@cache
def _placing(in_hand: str | None, in_play: str | None) -> Ask:
    """DAW-CRD-01 to -03, DAW-SPC-01 to -03: one number card and one other, or concede (DAW-VIC-09)."""
    number = OneOf(tuple(NUMBERS))
    offers = [Offer("place_cards", "DAW-CRD-01", {"number": number, "other": OneOf(STANDARD)})]
    if in_hand is not None:
        fields: dict[str, OneOf] = {"number": number, "other": OneOf((in_hand,))}
        if SPECIALS[in_hand].needs_direction:
            fields["direction"] = OneOf(("cw", "ccw"))
        offers.append(Offer("place_cards", "DAW-SPC-01", {**fields}))
    offers.append(Offer("concede", "DAW-VIC-09", gives_up=True))
    return Ask("place_cards", tuple(offers), STAND_IN, lambda choice: why_not_place(choice, in_hand, in_play))


def why_not_place(choice: Choice, in_hand: str | None, in_play: str | None) -> Refusal | None:
    """DAW-CRD-09: what is wrong with a pair of cards."""
    if choice.get("verb") != "place_cards":
        return None
    number, other = choice.get("number"), choice.get("other")
    if number is None or other is None or len(choice) > (4 if "direction" in choice else 3):
        return Refusal("DAW-CRD-01", "not_two_cards", {})
    if other in NUMBERS or other in NUMBERS.values():
        return Refusal("DAW-CRD-02", "two_numbers", {})
    if number in STANDARD or number in SPECIALS:
        return Refusal("DAW-CRD-02", "no_number", {})
    if number not in NUMBERS or number is True or other not in (*STANDARD, in_hand, in_play):
        return Refusal("DAW-CRD-09", "not_in_hand", {"card": other if number in NUMBERS else number})
    if other == in_play:
        return Refusal("DAW-CRD-08", "in_play", {"card": other})
    return Refusal("DAW-SPC-03", "direction", {"card": other, "needs": other in SPECIALS and SPECIALS[other].needs_direction})


# ---- fire ----------------------------------------------------------------------------------------------------------


def firing(g: Flight, seat: Seat, verb: str, rule: str) -> Ask | None:
    """DAW-FIR-01, -02: one enemy in the cone, or hold fire; nobody is asked who has no target."""
    firer = g.state[seat]
    legal = targets(g, firer)
    if not legal:
        return None
    shot = Offer(verb, rule, {"target": OneOf(legal)}, {"shot": 1})

    def why_not(choice: Choice) -> Refusal | None:
        return next(why_not_fire(g, firer, choice["target"]), None) if "target" in choice else None

    def barred() -> tuple[Barred, ...]:
        others = (p.seat for p in g.state.flying if p.side != firer.side and p.seat not in legal)
        return tuple(Barred({"verb": verb, "target": at}, next(why_not_fire(g, firer, at))) for at in others)

    return Ask("snap" if verb == "snap_fire" else "fire", (shot, Offer("hold_fire", "DAW-FIR-01")), HOLD, why_not, barred)


def why_unasked(g: Flight, seat: Seat, choice: Choice) -> Refusal | None:
    """Why a seat that is not asked may not fire: it has fired, is barred, is gone, or nothing lies in its cone."""
    if not 1 <= seat <= len(g.state.planes) or "target" not in choice:
        return None
    return next(why_not_fire(g, g.state[seat], choice["target"]), None)


@cache
def token_ask() -> Ask:
    """DAW-CFT-03: the firer may put the token on the plane just missed."""
    offer = Offer("place_cf_token", "DAW-CFT-03", {"place": Flag()})
    return Ask("cf_token", (offer,), {"verb": "place_cf_token", "place": True})


# ---- moving and set-up -----------------------------------------------------------------------------------------------


def needs_flank(plane: Plane) -> bool:
    """DAW-MOV-03: a vertex heading has two flanking edges; a fall always has."""
    return plane.speed == 0 or plane.facing % 2 == 0


def flank_ask(plane: Plane) -> Ask:
    return _flank_ask(plane.facing if plane.speed else DOWN)


@cache
def _flank_ask(heading: int) -> Ask:
    clockwise, counter = (heading + 1) % 12, (heading - 1) % 12
    offer = Offer("choose_flank", "DAW-MOV-03", {"flank": OneOf((clockwise, counter))})
    return Ask("flank", (offer,), {"verb": "choose_flank", "flank": clockwise})


@cache
def redraw_ask() -> Ask:
    offer = Offer("redraw_special", "DAW-OPT-05", {"swap": Flag()})
    return Ask("redraw", (offer,), {"verb": "redraw_special", "swap": False})


@cache
def side_ask(default: str) -> Ask:
    offer = Offer("choose_map_side", "DAW-SET-06", {"side": OneOf(("left", "right"))})
    return Ask("map_side", (offer,), {"verb": "choose_map_side", "side": default})
