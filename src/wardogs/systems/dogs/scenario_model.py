"""A scenario as its file says it: table, light, sides, teams and where they begin, and what they fight for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from wardogs.kernel.offers import Seat
from wardogs.systems.dogs.data import load
from wardogs.systems.dogs.roster import Roster, Team
from wardogs.systems.dogs.victory_terms import Hvt, Lift, Score, Victory
from wardogs.systems.dogs.zones import Zone
from wardogs.table.model import Map, Side
from wardogs.table.units import Inches, Point

FOLDER = Path(__file__).parent / "scenarios"
PARA = "para_air_assault"

Edge: TypeAlias = Side | Literal[""]
Light: TypeAlias = Literal["day", "night"]
Turn: TypeAlias = Annotated[int, Meta(ge=1, le=99)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=999)]
Points: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]


class Standard(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-GEN-05, -07, DOW-SET-07, -08: what holds where a scenario is silent."""

    points: int
    turns: int
    size: Point
    deploy_depth: Inches
    device_depth: Inches
    theme: str
    seed: int
    score: Score


STANDARD = load("skirmish.toml", "standard", Standard, FOLDER)


class Generated(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """DOW-SET-01, DOW-GEN-05: a table laid out by a theme and a seed, dense enough to fight on."""

    theme: str
    seed: int
    size: Point = STANDARD.size


class TeamPlan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One team of a side: whom it is made of, where it begins, or how it arrives."""

    name: str
    roster: Team
    zone: Zone | None = None  # none: its side's
    reserve: Literal["para_air_assault", ""] = ""
    from_turn: Count = 0
    hvt: str = ""  # the role of the man whom the enemy wants
    fearless: bool = False  # DOW-MOR-12

    @property
    def vests(self) -> tuple[str, ...]:
        """DOW-EXP-14: the roles that wear one."""
        return self.roster.vest


class SidePlan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, rename={"teams": "team"}):
    """One side; without an edge it is rolled for (DOW-SET-05), without a zone it is the standard one (DOW-SET-07)."""

    id: str
    name: str
    edge: Edge = ""
    points: Points = STANDARD.points
    deploy: Zone | None = None
    teams: tuple[TeamPlan, ...] = ()
    calls: dict[str, Count] = {}  # DOW-IND-01: fire missions, by shell

    @property
    def roster(self) -> Roster:
        """Its force under the names that the scenario gives."""
        return Roster(self.name, self.points, tuple(replace(team.roster, name=team.name) for team in self.teams))


class ExtraState(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """How a model begins that has been through something already."""

    hp: int | None = None
    conscious: bool = True
    immobilized: bool = False
    bandaged: bool = False
    prone: bool = False


class Extra(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A model of no team, with the abilities of a list; `crew` of a vehicle that is lost counts in the score."""

    side: str
    name: str
    based_on: str
    at: Point
    facing: float = 0.0  # DOW-GEN-16
    crew: bool = False
    weapons: tuple[str, ...] = ()
    ammo: dict[str, Count] = {}
    state: ExtraState = ExtraState()


class ItemPlan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """DOW-SET-03: something that lies about from the start."""

    kind: str
    at: Point
    z: Inches = 0.0


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True,
               rename={"title": "name", "about": "blurb", "sides": "side", "extras": "extra", "items": "item"}):  # fmt: skip
    """P1 to P3 of a game: all that is agreed before the first roll. Seats 1 and 2 are the sides in their order."""

    id: str
    title: str
    sides: tuple[SidePlan, ...]
    about: str = ""
    light: Light = "day"
    turns: Turn = STANDARD.turns
    generated: Generated | None = None
    map: Map = Map()  # as the book reads it; the file's own, or the generated one
    extras: tuple[Extra, ...] = ()
    items: tuple[ItemPlan, ...] = ()
    hidden_devices: bool = False  # DOW-SET-08
    mixed_factions: bool = False  # DOW-BLD-01
    air: bool = False  # DOW-AIR-04
    hvt: Hvt | None = None
    lift: Lift | None = None
    victory: Victory = Victory()
    switches: dict[str, Any] = {}

    def side(self, seat: Seat) -> SidePlan:
        return self.sides[seat - 1]

    def seat_of(self, side: str) -> Seat:
        """The seat of a side by its id."""
        return next(seat for seat, plan in enumerate(self.sides, 1) if plan.id == side)

    def score(self, seat: Seat) -> Score:
        return self.victory.scores.get(self.side(seat).id, Score())
