"""What is on the table: the planes with their cards and tokens, the sides, the pile of special ability cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from wardogs.hexes.grid import Hex
from wardogs.kernel.game import Game
from wardogs.kernel.offers import Choice, Seat
from wardogs.systems.dawgs.airspace import Airspace
from wardogs.systems.dawgs.options import Options
from wardogs.systems.dawgs.scenario import Scenario

MapSide: TypeAlias = Literal["left", "right"]
Status: TypeAlias = Literal["flying", "off_map", "crashed", "broken_up", "destroyed", "exited", "conceded"]
IN_THE_SKY = ("flying", "off_map")
OTHER_SIDE: dict[str, MapSide] = {"left": "right", "right": "left"}


class Placed(Struct, frozen=True, gc=False, cache_hash=True):
    """A pair of cards: a number and one other, with a direction if the other needs one."""

    number: int
    other: str
    direction: str | None = None


def pair_of(choice: Choice) -> Placed:
    return Placed(choice["number"], choice["other"], choice.get("direction"))


class Lost(Struct, frozen=True, gc=False, cache_hash=True):
    """When and how a plane left the game."""

    round: int
    phase: str
    cause: str


class Plane(Struct, frozen=True, gc=False, cache_hash=True):
    """One seat's plane with its condition card (DAW-PLN-04 to -06: one track for speed and damage), hand and tokens."""

    seat: Seat
    side: int
    status: Status = "flying"
    map_side: MapSide = "left"
    spilled: bool = False  # its side of the map was full
    front: Hex = (0, 0)
    facing: int = 3
    speed: int = 1
    damage: int | None = None
    special: str | None = None
    special_public: bool = False
    special_in_play: bool = False
    played: str | None = None  # the special whose effects run this round
    placed: Placed | None = None
    fired: bool = False
    hits_taken: int = 0
    pending_hits: int = 0
    hitters: tuple[Seat, ...] = ()  # who hit it this round; kept only where a scenario counts it
    hit_by: tuple[Seat, ...] = ()  # who hit it in the latest round in which it was hit
    breaking: bool = False
    cf_due: Seat | None = None
    cf_on: Seat | None = None
    exit_side: MapSide | None = None
    exit_row: int | None = None
    left_round: int | None = None
    lost: Lost | None = None

    @property
    def in_the_sky(self) -> bool:
        """DAW-PLN-07: also while it waits to respawn."""
        return self.status in IN_THE_SKY

    @property
    def flying(self) -> bool:
        return self.status == "flying"


class Result(Struct, frozen=True, gc=False):
    """DAW-VIC-02, -03, -08: a side's win, nobody's, or a game cut off."""

    kind: Literal["win", "no_winner", "unfinished"]
    side: int | None
    reason: str
    points: tuple[tuple[str, int], ...] = ()  # the scenario's score, by the names of the sides


class Air(Struct, frozen=True, gc=False):
    """The whole state of a dogfight; planes stand in seat order."""

    planes: tuple[Plane, ...]
    round: int = 1
    phase: str = "setup"
    pile: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    result: Result | None = None

    def __getitem__(self, seat: Seat) -> Plane:
        return self.planes[seat - 1]

    def edited(self, who: Seat, fields: Mapping[str, Any]) -> Air:
        if not 1 <= who <= len(self.planes):
            raise LookupError(f"no seat {who}")
        planes = self.planes
        return replace(self, planes=(*planes[: who - 1], replace(planes[who - 1], **fields), *planes[who:]))

    @property
    def flying(self) -> list[Plane]:
        """The planes on the board, in seat order (DAW-CMP-05)."""
        return [plane for plane in self.planes if plane.status == "flying"]

    @property
    def sides_in_the_sky(self) -> list[int]:
        return sorted({plane.side for plane in self.planes if plane.in_the_sky})


@dataclass(frozen=True, slots=True)
class Terms:
    """What never changes during a game: the house rules, the scenario, the air it is flown in."""

    options: Options
    scenario: Scenario
    space: Airspace

    @property
    def credits_hits(self) -> bool:
        return "broken_up_enemy_last_hit_by_me" in self.scenario.victory.points

    def card_seers(self, seat: Seat) -> tuple[Seat, ...]:
        """DAW-CMP-06: who may know a card in this hand: its seat, and team mates only under `team_cards_open`."""
        scenario = self.scenario
        return tuple(scenario.members(scenario.side_of(seat))) if self.options.team_cards_open else (seat,)


Flight: TypeAlias = Game[Air, Terms]
