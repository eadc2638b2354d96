"""Requests about games: make one, look at it, play in it."""

from __future__ import annotations

import logging
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field

from wardogs.kernel.system import Wanted as PlanWanted
from wardogs.server import games
from wardogs.server import messages as m
from wardogs.server.api_common import AtTable, Body, InHall, StrictRoute, problems
from wardogs.server.api_visits import Visit, do, up_to_date
from wardogs.server.chairs import may_renew, renewed_key
from wardogs.server.errors import Broken, ServerError
from wardogs.server.messages import whole_text
from wardogs.server.notices import checked_webhook, first_told
from wardogs.server.seating import chairs
from wardogs.server.store import Settings
from wardogs.systems import KEYS

router = APIRouter(route_class=StrictRoute, tags=["games"])
log = logging.getLogger("wardogs.api")

Deed: TypeAlias = (
    m.Choose | m.Enter | m.Undo | m.Agree | m.Draw | m.Resign | m.Draft | m.Put | m.Odds | m.Why | m.OffersOf | m.Spots | m.Hint
    | m.ThroughEyes | m.Say | m.Ruling | m.Rewind | m.Note | m.Watchable | m.TakeOver | m.Ping
)  # fmt: skip
read_deed = msgspec.json.Decoder(Deed).decode


def a(name: str) -> dict[str, Any]:
    """A message of the live socket, as the document knows it."""
    return {"$ref": f"#/components/schemas/{name}"}


def answers(name: str, description: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"description": description, "content": {"application/json": {"schema": a(name)}}}}


def sent(message: bytes) -> Response:
    return Response(message, media_type="application/json")


# ---- a new game ----------------------------------------------------------------------------------------------------

SEAT = Annotated[int, Field(ge=1, le=16)]


class GameWanted(Body):
    """What a host asks for."""

    system: str = Field(examples=["dawgs"], max_length=16, json_schema_extra={"enum": [*KEYS]})
    scenario: str | dict[str, Any] | None = Field(
        None, description="By its key, or all of it; a plain game of the system, unless said.", examples=["dawn_patrol"]
    )
    seats: SEAT | None = Field(None, description="How many, where the scenario leaves it open.", examples=[2])
    teams: Annotated[list[Annotated[list[SEAT], Field(max_length=16)]], Field(max_length=16)] | None = Field(
        None, description="Which seats play together.", examples=[[[1, 2], [3, 4]]]
    )
    options: dict[str, Any] = Field({}, description="House rules by name.", examples=[{"round_limit": 20}])
    players: dict[SEAT, str] = Field({}, description="Who fills a seat: person, or a bot by name.", examples=[{"2": "drill"}])
    rosters: dict[SEAT, dict[str, Any]] = Field(
        {}, description="Forces of their own by seat, as /api/muster has them, where the scenario lets them be exchanged."
    )
    umpire: bool = Field(False, description="An umpire has seat 0.")
    dice: Literal["sealed", "typed"] = Field("sealed", description="Thrown by the server, or by people who type what they see.")
    entropy: str = Field("", max_length=200, description="Words of your own, mixed into every die.", examples=["snake eyes"])
    delay: float = Field(60.0, ge=0, le=86_400, description="Seconds by which spectators see the game late.")
    clock: float | None = Field(None, ge=10, le=2_592_000, description="Seconds that each seat has.", examples=[86_400])
    increment: float = Field(0.0, ge=0, le=86_400, description="Seconds added for each answer.")
    webhook: str = Field(
        "", max_length=500, description="Told when a seat without a webhook of its own is asked.", examples=["https://example.org/hook"]
    )  # fmt: skip


class GameMade(BaseModel):
    """The keys are shown this once: keep them."""

    game: str = Field(examples=["00c0ffee00c0ffee"])
    keys: dict[int, str] = Field(description="A secret key for every seat; seat 0 is the umpire's.")
    watch: str = Field(description="The spectators' key.")


class CannotBegin(ServerError):
    status = 422

    def __init__(self) -> None:
        super().__init__("the rules cannot set this up: check the scenario, the seats and the options")


@router.post("/games", status_code=201, operation_id="make_game", responses=problems())
async def make_game(wanted: GameWanted, hall: InHall) -> GameMade:
    """Make a game; the answer holds a secret key for every seat, one for the umpire, and one for spectators."""
    teams = tuple(tuple(team) for team in wanted.teams) if wanted.teams else None
    plan = PlanWanted(wanted.scenario, wanted.seats, teams, (wanted.options,))
    webhook = checked_webhook(wanted.webhook, hall.config)
    settings = Settings(wanted.delay, wanted.clock, wanted.increment, webhook)
    players, typed = dict(wanted.players), wanted.dice == "typed"
    new = games.NewGame(
        wanted.system, plan, players, wanted.umpire, typed, wanted.entropy, settings, rosters=dict(wanted.rosters)
    )  # fmt: skip
    try:
        made = await games.create(hall.store, new, hall.bench)
    except Broken:  # a scenario of the host's own that the rulebook did not see through
        raise CannotBegin from None
    if webhook:
        await first_told(hall, made.game)
    return GameMade(game=made.game, keys=made.keys, watch=made.watch)


# ---- looking at one ------------------------------------------------------------------------------------------------


class SeatFacts(BaseModel):
    seat: int
    role: str = Field(examples=["player"])
    side: str = Field(examples=["Red"])
    player: str = Field(description="person, or the name of a bot.")
    name: str = Field(description="Who sits there, if he has said so.")
    present: bool
    watchable: bool = Field(description="Agrees to spectators.")
    time_left: float | None = None
    resigned: bool = Field(False, description="Has given up while others fight on; a bot plays for him.")


class GameFacts(BaseModel):
    """What everyone at the table may know."""

    game: str
    system: str
    title: str
    rules_version: str
    options: dict[str, Any]
    dice: str = Field(examples=["sealed"])
    commitment: str = Field(description="The seal of the dice: a hash of the seed, which is opened when the game is over.")
    entropy: str
    over: bool
    n: int = Field(description="The number of the last entry.")
    waiting: list[int] = Field(description="The seats that owe an answer.")
    role: str = Field(description="Yours.", examples=["player"])
    seat: int | None = Field(description="Yours.")
    chairs: list[SeatFacts]


@router.get("/games/{game}", operation_id="look_at_game", responses=problems(400, 404))
async def look_at_game(table: AtTable) -> GameFacts:
    """What is played, who sits where, whose turn it is."""
    room, who = table.room, table.who
    await up_to_date(room)
    async with room.lock:  # nobody is told of what is not yet on the disk, nor a spectator of what is too new for him
        await room.catch_up()
        table.check()
        shown = await room.shown_to(who)
    header = room.header
    return GameFacts(
        game=room.id, system=header.system, title=str(header.setup.scenario.get("name", "")), rules_version=header.rules_version,
        options=header.setup.options, dice=header.dice, commitment=header.commitment, entropy=header.entropy,
        over=shown.outcome is not None, n=shown.n, waiting=list(shown.waiting), role=who.role, seat=who.seat,
        chairs=[SeatFacts(**msgspec.to_builtins(chair)) for chair in chairs(room, who)],
    )  # fmt: skip


WAIT = Query(ge=0, le=25, description="Seconds to wait for something to happen, if nothing has.")
DRAW = Query(description="Boards, as a browser draws them, instead of views.")
N = Query(ge=-1, le=2**31 - 2, description="The last entry that you have seen.", examples=[12])


@router.get(
    "/games/{game}/state",
    operation_id="get_state",
    response_model=None,
    responses={**answers("Sat", "The same as over the socket."), **problems(400, 404, 429)},
)
async def get_state(
    table: AtTable,
    hall: InHall,
    after: Annotated[int | None, N] = None,
    wait: Annotated[float, WAIT] = 0,
    draw: Annotated[bool, DRAW] = False,
) -> Response:
    """All that your seat may know now: view, question, what was said; and the entries after a number."""
    return sent(await Visit(table, hall.config.limits, draw).state(after, wait))


@router.get(
    "/games/{game}/news",
    operation_id="get_news",
    response_model=None,
    responses={
        **answers("News", "The edits set the whole view, or board; there are none if nothing has happened."),
        **problems(400, 404, 429),
    },
)
async def get_news(
    table: AtTable, hall: InHall, after: Annotated[int, N], wait: Annotated[float, WAIT] = 0, draw: Annotated[bool, DRAW] = False
) -> Response:
    """What has happened after an entry; waits for it, if asked to."""
    return sent(await Visit(table, hall.config.limits, draw).news(after, wait))


class SeatLink(BaseModel):
    """The key is shown this once: keep it, or send it to whom the seat is for."""

    key: str


@router.post("/games/{game}/seats/{seat}/key", status_code=201, operation_id="renew_link", responses=problems(400, 403, 404))
async def renew_link(
    table: AtTable, hall: InHall, seat: Annotated[int, Path(ge=0, le=64, description="Your own, or any if you are the umpire.")]
) -> SeatLink:
    """A new secret link to a seat, for a friend or for yourself; the old one is void at once."""
    may_renew(table.who, seat)
    return SeatLink(key=await renewed_key(hall.store, table.room, seat, table.key))


# ---- playing -------------------------------------------------------------------------------------------------------


class ChoiceMade(Body):
    n: int = Field(ge=0, le=2**31 - 2, description="The number that it will have: sent twice, it counts once.", examples=[12])
    choice: dict[str, Any] = Field(description="A verb and its fields, as an offer has them.", examples=[{"verb": "pass"}])
    seat: int | None = Field(None, ge=0, le=64, description="Only an umpire decides for another seat.")


DONE = answers("Done", "It is done, and on the disk; `n` is its entry.")


@router.post(
    "/games/{game}/choices",
    operation_id="choose",
    response_model=None,
    responses={**DONE, **problems(400, 403, 404, 409)},
)
async def choose(table: AtTable, made: ChoiceMade) -> Response:
    """Answer the question that your seat is asked."""
    return sent(await do(table, m.Choose(n=made.n, choice=made.choice, seat=made.seat)))


EXAMPLES: dict[str, Any] = {
    "choose": {"do": "choose", "n": 12, "choice": {"verb": "pass"}},
    "enter": {"do": "enter", "n": 12, "face": 6},
    "undo": {"do": "undo"},
    "agree": {"do": "agree", "kind": "undo", "yes": True},
    "draw": {"do": "draw"},
    "resign": {"do": "resign"},
    "draft": {"do": "draft", "n": 12, "choice": {"verb": "pass"}},
    "question": {"do": "question"},
    "odds": {"do": "odds", "choice": {"verb": "pass"}},
    "why": {"do": "why", "choice": {"verb": "pass"}},
    "offers": {"do": "offers", "doer": "first Rangers leader"},
    "spots": {"do": "spots", "choice": {"verb": "walk", "model": "first Rangers leader"}, "field": "to", "most": 50},
    "hint": {"do": "hint"},
    "eye": {"do": "eye", "who": "first Rangers leader"},
    "say": {"do": "say", "text": "well played", "to": [2]},
    "rule": {"do": "rule", "because": "the door was open", "changes": [["first Rangers leader", "ap", 3]]},
    "rewind": {"do": "rewind", "to": 9, "because": "we forgot the smoke"},
    "note": {"do": "note", "text": "reinforcements in turn 4"},
    "watchable": {"do": "watchable", "yes": True},
    "take_over": {"do": "take_over", "seat": 2, "player": "drill"},
}
DEEDS_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "oneOf": [a(kind.__name__) for kind in Deed.__args__],
                    "discriminator": {
                        "propertyName": "do",
                        "mapping": {str(kind.__struct_config__.tag): a(kind.__name__)["$ref"] for kind in Deed.__args__},
                    },
                },
                "examples": {
                    name: {"summary": str(kind.__doc__), "value": EXAMPLES[name]}
                    for kind in Deed.__args__
                    if (name := str(kind.__struct_config__.tag)) in EXAMPLES
                },
            }
        },
    }
}


@router.post(
    "/games/{game}/do",
    operation_id="do_anything",
    response_model=None,
    openapi_extra=DEEDS_BODY,
    responses={**DONE, **problems(400, 403, 404, 409)},
)
async def do_anything(table: AtTable, request: Request) -> Response:
    """Whatever may be asked over the socket: choose, type a face, take back, agree, resign, ask for odds, talk, rule ...

    The body is a request of the socket, named by `do`; the answer is its answer.
    """
    try:
        said = read_deed(whole_text(await request.body()))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RequestValidationError([{"type": "deed", "loc": ("body",), "msg": f"not understood: {error}"[:300]}]) from None
    return sent(await do(table, said))
