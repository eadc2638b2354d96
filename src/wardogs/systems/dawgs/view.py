"""What each seat may know. A view is built up from what is named here; nothing else leaves the table."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from wardogs.hexes.grid import Hex
from wardogs.kernel.game import Position, Step
from wardogs.kernel.offers import Choice, Seat
from wardogs.systems.dawgs.data import SPECIALS
from wardogs.systems.dawgs.state import IN_THE_SKY, Air, Flight, Lost, MapSide, Placed, Plane, Result, Status, Terms

HIDDEN = "hidden"


class SeenPlane(Struct, frozen=True, gc=False):
    """A plane as a seat sees it: `special` is a card, "hidden", or none."""

    seat: Seat
    side: int
    status: Status
    map_side: MapSide
    front: Hex
    facing: int
    speed: int
    damage: int | None
    special: str | None
    special_public: bool
    special_in_play: bool
    played: str | None
    placed: Placed | None
    fired: bool
    hits_taken: int
    pending_hits: int
    hitters: tuple[Seat, ...]
    hit_by: tuple[Seat, ...]
    cf_due: Seat | None
    cf_on: Seat | None
    exit_side: MapSide | None
    exit_row: int | None
    left_round: int | None
    lost: Lost | None

    @property
    def flying(self) -> bool:
        return self.status == "flying"

    @property
    def in_the_sky(self) -> bool:
        return self.status in IN_THE_SKY


class Sight(Struct, frozen=True, gc=False):
    """The table as one seat sees it (seat None: a spectator)."""

    seat: Seat | None
    round: int
    phase: str
    planes: tuple[SeenPlane, ...]
    pile_size: int
    discard: tuple[str, ...]
    result: Result | None
    agenda: tuple[Step, ...]
    committed: tuple[Seat, ...]
    commitments: dict[Seat, Choice]  # one's own, and a team mate's under team_cards_open

    def __getitem__(self, seat: Seat) -> SeenPlane:
        return self.planes[seat - 1]


def view(g: Flight, seat: Seat | None) -> Sight:
    """DAW-CMP-06: hands are hidden, all that lies open on the table is not."""
    air = g.position.state
    return Sight(
        seat=seat,
        round=air.round,
        phase=air.phase,
        planes=tuple(seen_plane(plane, shows_cards(g, seat, plane), air.phase) for plane in air.planes),
        pile_size=len(air.pile),
        discard=air.discard,
        result=air.result,
        agenda=g.agenda,
        committed=tuple(g.answers),
        commitments={other: choice for other, choice in g.answers.items() if shows_answer(g, seat, other)},
    )


def shows_answer(g: Flight, seat: Seat | None, other: Seat) -> bool:
    """One's own; a team mate's only as far as cards are open: fire targets stay secret until the common reveal."""
    return other == seat or (g.state.phase == "place" and shows_cards(g, seat, g.state[other]))


def shows_cards(g: Flight, seat: Seat | None, plane: Plane) -> bool:
    """To its own seat; to team mates only under `team_cards_open`, also before all answers are in."""
    return seat in g.terms.card_seers(plane.seat)


@lru_cache(maxsize=8192)
def seen_plane(plane: Plane, own: bool, phase: str) -> SeenPlane:
    """DAW-CRD-04, -05: a pair lies face down until the reveal; a special is hidden until it was shown once.

    A plane that has not changed is the very same thing in the next view, so that whoever compares them has nothing to do.
    """
    open_special = own or plane.special_public or plane.special is None
    return SeenPlane(
        seat=plane.seat,
        side=plane.side,
        status=plane.status,
        map_side=plane.map_side,
        front=plane.front,
        facing=plane.facing,
        speed=plane.speed,
        damage=plane.damage,
        special=plane.special if open_special else HIDDEN,
        special_public=plane.special_public,
        special_in_play=plane.special_in_play,
        played=plane.played,
        placed=plane.placed if own or phase != "place" else None,
        fired=plane.fired,
        hits_taken=plane.hits_taken,
        pending_hits=plane.pending_hits,
        hitters=plane.hitters,
        hit_by=plane.hit_by,
        cf_due=plane.cf_due,
        cf_on=plane.cf_on,
        exit_side=plane.exit_side,
        exit_row=plane.exit_row,
        left_round=plane.left_round,
        lost=plane.lost,
    )


def imagine(terms: Terms, sight: Sight) -> Position[Air]:
    """A position that could be the real one: the cards nobody has shown lie anywhere they may."""
    known = {plane.special for plane in sight.planes} | set(sight.discard)
    unseen = [card for card in sorted(SPECIALS) if card not in known]
    planes = []
    for seen in sight.planes:
        fields = {name: getattr(seen, name) for name in SeenPlane.__struct_fields__}
        if seen.special == HIDDEN:
            fields["special"] = unseen.pop(0)
        planes.append(Plane(**fields))
    pile = tuple(unseen[: sight.pile_size])
    air = Air(tuple(planes), sight.round, sight.phase, pile, sight.discard, sight.result)
    return Position(air, sight.agenda)
