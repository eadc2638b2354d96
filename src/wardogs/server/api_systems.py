"""Requests about what can be played: systems, their scenarios with a picture of each, their rules."""

from __future__ import annotations

import asyncio
import hashlib
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, Field

from wardogs.bots import BOTS
from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.options import admitted
from wardogs.kernel.record import Setup
from wardogs.kernel.system import System
from wardogs.kernel.system import Wanted as PlanWanted
from wardogs.muster import KEYS as MUSTERED
from wardogs.server.api_common import StrictRoute, problems
from wardogs.server.api_records import WithClerk
from wardogs.server.clerk import Job
from wardogs.server.errors import ServerError
from wardogs.server.packing import packed
from wardogs.server.rulebooks import fetched
from wardogs.systems import KEYS

router = APIRouter(route_class=StrictRoute, tags=["systems"])

SystemKey = Annotated[str, Path(max_length=16, examples=["dawgs"], json_schema_extra={"enum": [*KEYS]})]


class NoSuchSystem(ServerError):
    status = 404

    def __init__(self, system: str) -> None:
        super().__init__(str(unknown("system", system, KEYS)))


async def known_system(system: str) -> System:
    if system not in KEYS:
        raise NoSuchSystem(system)
    return await fetched(system)


# ---- what there is -------------------------------------------------------------------------------------------------


class OptionFacts(BaseModel):
    name: str = Field(examples=["round_limit"])
    takes: str = Field(examples=["a whole number from 1"])
    default: Any
    rule: str = Field(description="The rule that it changes.", examples=["DAW-VIC-04"])


class SideFacts(BaseModel):
    seat: int = Field(examples=[1])
    side: str = Field(description="What it is called.", examples=["Rangers"])


class ScenarioFacts(BaseModel):
    key: str = Field(description="Nothing for the plain game.", examples=["dawn_patrol"])
    name: str = Field(examples=["Dawn Patrol"])
    about: str
    seats: list[SideFacts] = Field(description="All that it has; where their number is open, as many as there may be.")
    fewest: int = Field(description="How many seats must be filled.", examples=[2])
    most: int = Field(examples=[8])
    usual: int = Field(description="How many there are unless said.", examples=[2])


class SystemFacts(BaseModel):
    key: str = Field(examples=["dawgs"])
    title: str = Field(examples=["Dawgs of War"])
    about: str
    seats: tuple[int, int] = Field(description="The fewest and the most.", examples=[[2, 8]])
    rules_version: str
    scenarios: list[ScenarioFacts]
    first: str = Field(description="The scenario for a first game.", examples=["dawn_patrol"])
    plain: ScenarioFacts = Field(description="What is played if no scenario is named.")
    options: list[OptionFacts]
    muster: bool = Field(description="Are its forces mustered from lists? See /api/muster.")


class Offered(BaseModel):
    systems: list[SystemFacts]
    bots: list[str] = Field(description="Who may fill a seat instead of a person.", examples=[["random", "drill"]])


@router.get("/systems", operation_id="list_systems", responses=problems())
async def list_systems() -> Offered:
    """The games that can be played here, their scenarios, house rules and bots."""
    systems = [await fetched(key) for key in KEYS]
    return Offered(systems=[await asyncio.to_thread(_facts, system) for system in systems], bots=list(BOTS))


_known: dict[str, SystemFacts] = {}  # systems do not change while the server runs


def _facts(system: System) -> SystemFacts:
    if system.key not in _known:
        _known[system.key] = _worked_out(system)
    return _known[system.key]


def _worked_out(system: System) -> SystemFacts:
    defaults: dict[str, Any] = msgspec.to_builtins(system.options())
    return SystemFacts(
        key=system.key, title=system.title, about=system.blurb, seats=system.seats, rules_version=system.register.version,
        scenarios=[_scenario(system, key, raw) for key, raw in system.scenarios.items()],
        first=system.guide.scenario or next(iter(system.scenarios), ""),
        plain=_scenario(system, "", system.plan(PlanWanted()).scenario),
        options=[
            OptionFacts(name=name, takes=admitted(system.options, name), default=usual, rule=system.register.varied_by(name))
            for name, usual in defaults.items()
        ],
        muster=system.key in MUSTERED,
    )  # fmt: skip


def _scenario(system: System, key: str, raw: dict[str, Any]) -> ScenarioFacts:
    """Its seats are found by planning it for every number of them."""
    every = [plan for seats in range(system.seats[0], system.seats[1] + 1) if (plan := _planned(system, key, seats))]
    numbers, names = [len(plan.seats) for plan in every], system.names(every[-1])
    return ScenarioFacts(
        key=key, name=str(raw.get("name", system.title)), about=str(raw.get("blurb", "")),
        seats=[SideFacts(seat=seat, side=names.get(seat, "")) for seat in every[-1].seats],
        fewest=min(numbers), most=max(numbers), usual=len(system.plan(PlanWanted(key or None)).seats),
    )  # fmt: skip


def _planned(system: System, key: str, seats: int) -> Setup | None:
    try:
        return system.plan(PlanWanted(key or None, seats))
    except WardogsError:
        return None


# ---- pictures ------------------------------------------------------------------------------------------------------

A_DAY = "public, max-age=86400"
LONE_PICTURE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
SVG: dict[int | str, dict[str, Any]] = {
    200: {"description": "A picture.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}},
    304: {"description": "It is the one that you have."},
}


_drawn: dict[tuple[str, str], bytes] = {}


class NoSuchScenario(ServerError):
    status = 404


@router.get(
    "/systems/{system}/scenarios/{scenario}/picture.svg",
    operation_id="get_picture",
    response_class=Response,
    responses={**SVG, **problems(404)},
)
async def get_picture(
    system: SystemKey, scenario: Annotated[str, Path(max_length=64, examples=["dawn_patrol"])], request: Request, clerk: WithClerk
) -> Response:
    """The table of a scenario as it stands at the beginning, as spectators see it."""
    book = await known_system(system)
    if scenario not in book.scenarios:
        raise NoSuchScenario(str(unknown("scenario", scenario, book.scenarios)))
    if (system, scenario) not in _drawn:
        _drawn[system, scenario] = await clerk.ask(Job("picture", b"", system=system, scenario=scenario))
    picture = _drawn[system, scenario]
    tag = f'W/"{_hash(picture)}"'
    headers = {"ETag": tag, "Cache-Control": A_DAY, "Content-Security-Policy": LONE_PICTURE}
    if tag in [one.strip() for one in request.headers.get("if-none-match", "").split(",")]:
        return Response(None, 304, headers)
    return await packed(request, Response(picture, headers=headers, media_type="image/svg+xml"))


@lru_cache(64)
def _hash(picture: bytes) -> str:
    return hashlib.sha256(picture).hexdigest()[:20]


# ---- rules ---------------------------------------------------------------------------------------------------------


class RuleFacts(BaseModel):
    id: str = Field(examples=["DAW-VIC-04"])
    name: str
    text: str
    source: str = Field(description="Where the document has it.")
    ruling: str = Field(description="Ours, where the document is silent or unclear.")
    options: list[str] = Field(description="The house rules that change it.")


class StepFacts(BaseModel):
    when: str = Field(description="`start`, the topic of a question, or a fact that was reported.", examples=["place_cards"])
    say: str
    then: str = Field(description="A verb to try, or nothing.")


class GuideFacts(BaseModel):
    """What a newcomer is told in his first game."""

    scenario: str = Field(description="Which scenario is best for it.", examples=["dawn_patrol"])
    steps: list[StepFacts]


class Book(BaseModel):
    """The rules of a system in our words, and the words in which its games are told."""

    key: str
    title: str
    rules_version: str
    rules: list[RuleFacts]
    words: dict[str, dict[str, str]] = Field(
        description="Templates for reports, refusals, choices and questions, and the names of values, as every record has them."
    )
    guide: GuideFacts


@router.get("/systems/{system}", operation_id="get_system", responses=problems(404))
async def get_system(system: SystemKey) -> Book:
    """Every rule of a system, and its words: all that a client needs to open the rule that a line cites."""
    book = await known_system(system)
    rules = [
        RuleFacts(
            id=id_, name=rule.name, text=rule.text, source=rule.source, ruling=rule.ruling,
            options=[name for name in rule.variant.split(", ") if name],
        )
        for id_, rule in book.register.rules.items()
    ]  # fmt: skip
    steps = [StepFacts(when=step.when, say=step.say, then=step.then) for step in book.guide.steps]
    return Book(
        key=book.key, title=book.title, rules_version=book.register.version, rules=rules, words=book.words,
        guide=GuideFacts(scenario=book.guide.scenario, steps=steps),
    )  # fmt: skip
