"""Requests about rosters: what may be hired, what a force costs, whether it is legal, and how it is passed on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.options import choose_options
from wardogs.muster import KEYS, Fault, Musterer, musterer
from wardogs.muster.forms import Force, parse, write
from wardogs.server.api_common import Body, StrictRoute, problems
from wardogs.server.clerk import Busy
from wardogs.server.errors import ServerError

router = APIRouter(route_class=StrictRoute, prefix="/muster/{system}", tags=["muster"])
T = TypeVar("T")

A_LINK = "wd1.dogs.g-vyyy8qyVBITyxJVcKipbQ4vigxLz21qBhZc66RiSUw2GoB.efd3bb7e"
MOST_TEAMS = 120  # of one roster: far more than anybody fields
LARGEST = 20_000  # bytes of one roster as JSON, likewise: what it buys takes time to cost
WAITING = 16  # rosters that may wait
System = Annotated[str, Path(max_length=16, examples=["dogs"], json_schema_extra={"enum": [*KEYS]})]
Roster = Annotated[
    dict[str, Any],
    Field(description="The force: name, points, teams.", examples=[{"points": 250, "teams": [{"list": "us_rangers"}]}]),
]
HOUSE_RULES = "House rules by name."


class NoRosters(ServerError):
    status = 404

    def __init__(self, system: str) -> None:
        super().__init__(str(unknown("system with rosters", system, KEYS)))


class Quartermaster:
    """One roster at a time, in a thread of its own: the others read the database, and nobody who plays waits for rosters."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1, "muster")
        self.waiting = 0

    async def ask(self, work: Callable[[], T]) -> T:
        if self.waiting >= WAITING:
            raise Busy("too many rosters are being read")
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self.thread, work)
        finally:
            self.waiting -= 1


_quartermaster = Quartermaster()


async def musters(system: str, work: Callable[[Musterer], T]) -> T:
    if system not in KEYS:
        raise NoRosters(system)
    return await _quartermaster.ask(lambda: work(musterer(system)))


# ---- what there is to hire -----------------------------------------------------------------------------------------


class Named(BaseModel):
    id: str
    name: str


class Man(BaseModel):
    role: str = Field(description="How a roster names him.", examples=["gunner"])
    title: str = Field(examples=["Machine Gunner"])
    sets: list[list[Named]] = Field(description="What he carries: one of these, the first unless said; none: he buys his own.")


class Ware(BaseModel):
    """What a man of a list may buy. In a roster it is `{"role": ..., "item": id}` (or `perk`) in the `buy` of his team."""

    kind: str = Field(description="weapon, item or perk", examples=["item"])
    id: str
    name: str
    points: int
    rule: str
    about: str = ""
    once: bool = Field(False, description="More than one is of no use.")
    roles: list[str] = Field([], description="Who may have it; nobody named: anyone.")
    needs: str = Field("", description="A perk that its bearer must have.")
    not_with: list[str] = Field([], description="Perks that do not go with it.")
    most_in_team: int | None = None
    calibres: list[str] = Field([], description="It is bought for one of these, named by `calibre`.")


class Hire(BaseModel):
    """A list: a team of it is `{"list": id}` in the roster's `teams`."""

    id: str
    name: str
    group: str = Field(description="Those of one group fight together.", examples=["US"])
    points: int
    reconstructed: bool = Field(description="The book only names it: the figures are ours.")
    men: list[Man]
    wares: list[Ware]


class Catalogue(BaseModel):
    """All that a roster may name, with prices."""

    system: str
    title: str
    points: int = Field(description="What a force usually may cost.")
    lists: list[Hire]


@router.get("/catalogue", operation_id="get_catalogue", responses=problems(404))
async def get_catalogue(system: System) -> Catalogue:
    """The lists, their men and what each may buy; enough to build a form."""
    return await musters(system, lambda by: Catalogue.model_validate({"system": by.key, "title": by.title, **by.forms()}))


# ---- a roster ------------------------------------------------------------------------------------------------------


class Flaw(BaseModel):
    """What is wrong with a roster, or perhaps not meant, and how to mend it."""

    rule: str
    fact: str
    data: dict[str, Any]
    text: str


class BillLine(BaseModel):
    what: str
    points: int
    rule: str
    role: str = ""
    n: int = 1
    back: list[str] = []


class TeamBill(BaseModel):
    list: str
    name: str
    cost: int
    lines: tuple[BillLine, ...]


class Mustered(BaseModel):
    """A roster, and all that can be said about it."""

    system: str
    roster: dict[str, Any]
    legal: bool
    cost: int
    points: int = Field(description="What it may cost.")
    violations: list[Flaw]
    notes: list[Flaw]
    bill: list[TeamBill]
    bill_text: str
    sheet: str = Field(description="Every soldier as he steps onto the table.")
    text: str = Field(description="For a chat; it can be read back.")
    link: str = Field(description="One line that survives any message; it can be read back.", examples=[A_LINK])


class RosterGiven(Body):
    roster: Roster
    points: int | None = Field(None, ge=0, le=1_000_000, description="What it may cost; as the roster says, unless said.")
    mixed: bool = Field(False, description="Groups that do not fight together may.")
    options: dict[str, Any] = Field({}, description=HOUSE_RULES)


class RosterByChance(Body):
    points: int = Field(500, ge=1, le=3_000)
    seed: int = Field(1, ge=0, le=2**53, description="The same seed gives the same force.")
    of: str | None = Field(None, max_length=40, description="A list or a group; any, unless said.", examples=["us_rangers"])
    options: dict[str, Any] = Field({}, description=HOUSE_RULES)


class RosterShared(Body):
    text: str = Field(max_length=100_000, description="A link, a chat message, TOML or JSON.", examples=[A_LINK])


def _flaw(by: Musterer, fault: Fault) -> Flaw:
    return Flaw(rule=fault.rule, fact=fault.fact, data=fault.data, text=by.sentence(fault))


class Terms(NamedTuple):
    """What a roster is held to; its own points, unless said."""

    options: Mapping[str, Any] = MappingProxyType({})
    limit: int | None = None
    mixed: bool = False


BY_THE_BOOK = Terms()


def told(by: Musterer, roster: Any, terms: Terms = BY_THE_BOOK) -> Mustered:
    if len(roster.teams) > MOST_TEAMS:
        raise WardogsError(f"a roster has at most {MOST_TEAMS} teams")
    if len(msgspec.json.encode(by.to_dict(roster))) > LARGEST:
        raise WardogsError("the roster holds more than any force can: leave something out")
    options, force = choose_options(by.options, terms.options), Force(by, roster)
    points = roster.points if terms.limit is None else terms.limit
    wrong = [_flaw(by, fault) for fault in by.violations(roster, points, options, mixed=terms.mixed)]
    return Mustered(
        system=by.key, roster=by.to_dict(roster), legal=not wrong, cost=by.cost(roster), points=points, violations=wrong,
        notes=[_flaw(by, fault) for fault in by.notes(roster)], bill=[TeamBill.model_validate(one) for one in by.bill(roster)],
        bill_text=by.bill_text(roster), sheet=by.sheet(roster, options), text=write(force, "text"),
        link=write(force, "link").strip(),
    )  # fmt: skip


@router.post("/check", operation_id="check_roster", responses=problems(404))
async def check_roster(system: System, given: RosterGiven) -> Mustered:
    """Is a roster legal? What it costs, line by line, and everything that is against the rules."""
    return await musters(system, lambda by: told(by, by.read(given.roster), Terms(given.options, given.points, given.mixed)))


@router.post("/random", operation_id="random_roster", responses=problems(404))
async def random_roster(system: System, wanted: RosterByChance) -> Mustered:
    """A legal force by chance."""

    def made(by: Musterer) -> Mustered:
        options = choose_options(by.options, wanted.options)
        return told(by, by.random(wanted.points, wanted.seed, wanted.of, options), Terms(wanted.options))

    return await musters(system, made)


@router.post("/share", operation_id="open_shared_roster", responses=problems(404))
async def open_shared_roster(system: System, shared: RosterShared) -> Mustered:
    """A roster that somebody has sent: a link, or the text of a message."""

    def opened(by: Musterer) -> Mustered:
        force = parse(shared.text, "the roster")
        if force.by is not by:
            raise WardogsError(f"the roster is one of {force.by.title}, not of {by.title}")
        return told(by, force.roster)

    return await musters(system, opened)
