"""What is on the table: men with their wounds and kit, teams, sides, and everything that was laid, thrown or broken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.game import Game
from wardogs.kernel.offers import Seat
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.roster import Soldier
from wardogs.systems.dogs.scenario import Scenario
from wardogs.table.model import Map
from wardogs.table.units import Inches, Place, Point

Id: TypeAlias = str
Gait: TypeAlias = Literal["none", "walk", "run"]
Stance: TypeAlias = Literal["standing", "prone"]
Arm: TypeAlias = Literal["right", "left"]
Away: TypeAlias = Literal["", "reserve", "fled", "exited", "aboard", "off_edge"]
Counts: TypeAlias = tuple[tuple[str, int], ...]  # how many of each, in the order of their names, none of 0


def count(counts: Counts, kind: str) -> int:
    for name, n in counts:
        if name == kind:
            return n
    return 0


def counted(counts: Counts, kind: str, more: int) -> Counts:
    """With so many more of a kind, or fewer."""
    found = dict(counts)
    found[kind] = found.get(kind, 0) + more
    return tuple(sorted((name, n) for name, n in found.items() if n))


class Weapon(Struct, frozen=True, gc=False, cache_hash=True):
    """One weapon that a man has: how much is loaded, and if the bayonet is on it."""

    id: str
    loaded: int = 0
    bayonet: bool = False


class Order(Struct, frozen=True, gc=False, cache_hash=True):
    """What a watcher was told: ask, hold, or fire by himself at who comes near enough or runs (a person's comfort, no rule)."""

    when: Literal["ask", "never", "within", "runs"] = "ask"
    inches: int = 12


class Model(Struct, frozen=True, gc=False, cache_hash=True):
    """One figure. What never changes about him is in his profile (`Terms.who`)."""

    id: Id
    side: Seat
    team: str = ""
    at: Place = (0.0, 0.0, 0.0)
    facing: float = 0.0  # DOW-GEN-16: 0 is north, clockwise
    stance: Stance = "standing"
    away: Away = ""
    vehicle: str = ""  # the one he is aboard of

    hp: int = 5
    alive: bool = True
    conscious: bool = True
    out_since: int = 0  # the turn in which he lost consciousness
    helped: bool = False  # somebody is trying to wake him
    wake_tried: int = 0  # the turn of his last wake-up check
    bled: int = 0  # the turn in which he last lost blood
    bleeding: bool = False
    ima: bool = False
    stabilized: bool = False
    immobilized: bool = False
    slow: bool = False
    useless: tuple[Arm, ...] = ()
    painful: tuple[Arm, ...] = ()
    pain_used: tuple[Arm, ...] = ()  # arms in pain that have done their one act this turn
    untreated: int = 0  # wounds that no medic has seen
    undressed: int = 0  # wounds without a dressing
    worst: int = 4  # the worst column of the wound chart so far this attack; only the odds read it

    ap: int = 0
    ap_before: int = 0  # before the act under way was paid
    activated: bool = False
    moved: Gait = "none"  # for his own fire
    seen_moving: Gait = "none"  # for fire at him (DOW-MOV-07, -19)
    halted: bool = False  # he fired as one who stands, and stays (move_fire = interleaved)
    pressing: bool = False  # he fires on the move, and will move again (move_fire = interleaved)
    ran: bool = False  # this turn
    run_streak: int = 0
    breathless: bool = False
    opfire: bool = False
    order: Order = Order()
    flash: tuple[Id, ...] = ()  # enemies who saw the flash of his weapon
    saw: tuple[Id, ...] = ()  # enemies he had in sight before he began to run (DOW-MOV-05)
    uses: Counts = ()  # of limited modes this turn, as weapon/mode
    free_used: tuple[str, ...] = ()
    demanded: tuple[Id, ...] = ()
    climbing: Inches = 0.0

    weapons: tuple[Weapon, ...] = ()
    in_hand: str = ""
    ammo: Counts = ()
    stores: Counts = ()  # grenades, rockets, charges, mines, rope
    gear: tuple[str, ...] = ()
    nvg_down: bool = False
    mask_on: bool = False
    learned: tuple[str, ...] = ()
    locked_out: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()  # weapons he failed to learn in this activation
    vest: int = 0  # quarters of C4 under a deadman switch
    searched: bool = False  # for a vest, by an engineer

    broken: bool = False
    rally_failed: bool = False
    ducking: Id = ""  # from whom
    returning: bool = False
    courage_ok: bool = False
    cancelled: bool = False  # his path ends here: his courage failed him
    disciplined_left: bool = False
    expert_left: bool = False
    hardcorps_left: bool = False
    morale_fails: int = 0
    high: bool = False  # on khat, by himself (DOW-TRT-04, khat_per_model)

    captured: bool = False
    bound: bool = False
    held_by: Id = ""  # who has overpowered him
    leading: Id = ""  # the prisoner who walks with him
    edge: tuple[Id, ...] = ()  # enemies beaten in his last close quarters attack on them
    distracted: bool = False  # his last act in contact was a ranged attack
    charged: Id = ""
    charge_run: Inches = 0.0
    charge_from: Place | None = None
    tackling: Id = ""  # whom he runs at to tackle
    carrying: Id = ""
    carried_by: Id = ""
    may_run_loaded: bool = False

    @property
    def on_table(self) -> bool:
        return self.away == ""

    @property
    def living(self) -> bool:
        """On the table and alive: in the way of others (DOW-MOV-18, DOW-LOS-14)."""
        return self.alive and self.away == "" and not self.carried_by

    @property
    def free(self) -> bool:
        """Conscious, and nobody holds him."""
        return self.alive and self.conscious and not self.captured and not self.bound and not self.held_by

    @property
    def incapacitated(self) -> bool:
        """DOW-MOR-02: unable to take offensive action; not merely overpowered, broken or immobilized."""
        return not self.conscious or self.captured or self.bound or len(self.useless) == 2

    @property
    def able(self) -> bool:
        """Able to act as his owner likes: free, not broken, on the table."""
        return self.free and not self.broken and self.away == ""

    @property
    def watching(self) -> bool:
        return self.opfire and self.able and not self.ducking

    @property
    def ready(self) -> bool:
        """He watches, and nobody has told him to hold whatever comes."""
        return self.watching and self.order.when != "never"

    def has(self, kind: str) -> int:
        return count(self.stores, kind)

    def weapon(self, id_: str) -> Weapon | None:
        return next((weapon for weapon in self.weapons if weapon.id == id_), None)


class Team(Struct, frozen=True, gc=False, cache_hash=True):
    id: str
    side: Seat
    members: tuple[Id, ...]
    leader: Id
    born_leader: Id  # who leads again when he wakes or is freed (DOW-COM-09)
    leader_lost: int = 0  # the turn in which the leader was lost; 0: he leads
    khat_high: bool = False
    disciplined_left: bool = False
    lost_this_turn: int = 0
    checked_at_loss: int = 0
    saw_leader_killed: bool = False
    reserve: str = ""  # how it arrives
    from_turn: int = 0


class SideState(Struct, frozen=True, gc=False, cache_hash=True):
    seat: Seat
    edge: str = ""
    vp: int = 0
    commander: Id = ""
    calls: Counts = ()  # fire missions left, by shell
    holds: bool = False  # Op-Fire is held until this act, or slot, is over
    skipped: int = 0  # the turn in which it skipped its last slots


class Device(Struct, frozen=True, gc=False, cache_hash=True):
    """A mine, a Claymore or a charge. `known` holds the seats that know of it."""

    id: int
    kind: Literal["ap_mine", "claymore", "c4", "shaped_charge"]
    owner: Seat
    at: Place
    known: tuple[Seat, ...]
    facing: float = 0.0
    quarters: int = 0
    holder: Id = ""  # of the clacker or detonator
    setter: Id = ""
    host: str = ""  # the door, wall, building or vehicle it sits on
    table: str = "army"
    due: int = 0  # the turn in which it blows, with fuse_fixed


class Cloud(Struct, frozen=True, gc=False, cache_hash=True):
    kind: Literal["smoke_grenade", "cs_grenade"]
    at: Place
    radius: Inches
    turns_left: int


class Item(Struct, frozen=True, gc=False, cache_hash=True):
    """Something that lies about: a weapon (with what is loaded), an object, a store."""

    id: int
    kind: str
    at: Place
    loaded: int = 0
    n: int = 1
    bayonet: bool = False
    under: int = -1  # rounds in the launcher under a rifle; -1: there is none (DOW-RNG-15)


class Vehicle(Struct, frozen=True, gc=False, cache_hash=True):
    id: str
    kind: str
    side: Seat | None
    at: Place
    facing: float
    sp: int
    seats: tuple[Id, ...] = ()  # driver first, then gunners, then passengers; "" is an empty seat
    wrecked: bool = False
    altitude: Inches = 0.0
    spent: int = 0  # AP of its driver this activation
    there: bool = True
    activated: bool = False
    hovering: bool = False
    rounds: tuple[int, ...] = ()  # left in the boxes of its mounted weapons; none: full boxes


class Structure(Struct, frozen=True, gc=False, cache_hash=True):
    """What is left of a building, level by level."""

    building: str
    sp: tuple[int, ...]


class Mission(Struct, frozen=True, gc=False, cache_hash=True):
    """A fire mission on its way."""

    shell: str
    at: Place
    caller: Id
    side: Seat


class Result(Struct, frozen=True, gc=False, cache_hash=True):
    side: Seat | None
    reason: str


# What happened to the terrain: a name and its arguments; ground.py reads it.
Change: TypeAlias = tuple[str | int | float | tuple[float, ...] | None, ...]


class Battle(Struct, frozen=True, gc=False, cache_hash=True):
    """The whole state. Models stand in list order, which never changes."""

    models: tuple[Model, ...]
    teams: tuple[Team, ...]
    sides: tuple[SideState, SideState]
    turn: int = 0
    phase: str = "setup"
    first_side: Seat | None = None
    slot_side: Seat | None = None
    active: tuple[Id, ...] = ()
    devices: tuple[Device, ...] = ()
    clouds: tuple[Cloud, ...] = ()
    items: tuple[Item, ...] = ()
    vehicles: tuple[Vehicle, ...] = ()
    structures: tuple[Structure, ...] = ()
    missions: tuple[Mission, ...] = ()
    changes: tuple[Change, ...] = ()
    lost: tuple[Id, ...] = ()  # killed or incapacitated this turn, for DOW-MOR-11
    shocked: tuple[tuple[Id, str, bool], ...] = ()  # Shell Shock to be checked at the end of the turn
    interrupted: bool = False  # an attack or burst has come into the act under way (DOW-MOV-27)
    made: int = 0  # items made so far: their numbers
    laid: tuple[int, int] = (0, 0)  # stores laid so far, by side: they number the devices, odd for the first, even for the second
    scored: tuple[str, ...] = ()
    result: Result | None = None

    def __getitem__(self, id_: Id) -> Model:
        for model in self.models:
            if model.id == id_:
                return model
        raise LookupError(f"no model {id_}")

    def edited(self, who: Any, fields: Mapping[str, Any]) -> Battle:
        """A model by its id; a team, side, device or vehicle as ("teams", id)."""
        group, key = who if isinstance(who, tuple) else ("models", who)
        pieces = getattr(self, group)
        name = "seat" if group == "sides" else "building" if group == "structures" else "id"
        for k, piece in enumerate(pieces):
            if getattr(piece, name) == key:
                return replace(self, **{group: (*pieces[:k], replace(piece, **fields), *pieces[k + 1 :])})
        raise LookupError(f"no {key} among the {group}")

    def team(self, id_: str) -> Team | None:
        return next((team for team in self.teams if team.id == id_), None)

    def side(self, seat: Seat) -> SideState:
        return self.sides[seat - 1]

    def vehicle(self, id_: str) -> Vehicle:
        return next(vehicle for vehicle in self.vehicles if vehicle.id == id_)

    def next_device(self, seat: Seat) -> int:
        """DOW-EXP-15: a number that says nothing of what the other side has laid, nor more of this one's than its stores do."""
        return 2 * self.laid[seat - 1] + seat

    def counted_device(self, seat: Seat, stores: int = 1) -> tuple[int, int]:
        first, second = self.laid
        return (first + stores, second) if seat == 1 else (first, second + stores)

    @property
    def mined(self) -> bool:
        """Somewhere, known to somebody or not."""
        return any(device.kind == "ap_mine" for device in self.devices)

    def device(self, number: int) -> Device | None:
        return next((device for device in self.devices if device.id == number), None)

    def of(self, seat: Seat) -> Iterator[Model]:
        """A side's men on the table, alive."""
        return (model for model in self.models if model.side == seat and model.alive and model.away == "")

    def enemies(self, of: Model) -> Iterator[Model]:
        return self.of(other(of.side))


def other(seat: Seat) -> Seat:
    return 3 - seat


@dataclass(frozen=True, slots=True)
class Terms:
    """What never changes during a game: the house rules, the scenario, the table as it was laid, who everybody is."""

    options: Options
    scenario: Scenario
    map: Map
    who: Mapping[Id, Soldier]

    @property
    def night(self) -> bool:
        return self.scenario.light == "night"


Fight: TypeAlias = Game[Battle, Terms]


class Term(NamedTuple):
    """One part of a target number, with the rule it comes from."""

    rule: str
    value: int


def total(terms: tuple[Term, ...]) -> int:
    return sum(term.value for term in terms)


Path: TypeAlias = tuple[Point, ...]
