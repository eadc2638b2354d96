"""Requests about people: sign-in links, seats taken, my games, my turns."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated
from xml.sax.saxutils import escape, quoteattr

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, Field

from wardogs.server import people
from wardogs.server.api_common import Body, Game, InHall, Key, StrictRoute, problems
from wardogs.server.errors import ServerError
from wardogs.server.hall import Hall
from wardogs.server.notices import address, checked_webhook
from wardogs.server.people import MyGame, Person
from wardogs.systems import load_system

router = APIRouter(route_class=StrictRoute, tags=["people"])

# Nobody sees them, or they turn the text behind them round: two names would look alike. Some smileys need the joiner inside.
UNSEEN_ANYWHERE = (
    r"\x00-\x1f\x7f-\x9f" "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)  # fmt: skip
AT_THE_ENDS = rf"[^\s\u200d{UNSEEN_ANYWHERE}]"
NAME = Field(min_length=1, max_length=60, pattern=f"^{AT_THE_ENDS}([^{UNSEEN_ANYWHERE}]*{AT_THE_ENDS})?$", examples=["Ada"])


async def signed_in(key: Key, hall: InHall) -> Person:
    return await asyncio.to_thread(people.find, hall.store, key)


Me = Annotated[Person, Depends(signed_in)]


class NewPerson(Body):
    name: str = NAME


class SignIn(BaseModel):
    """The key is shown this once: keep it. It is the sign-in link of all your devices."""

    name: str
    key: str


class Profile(BaseModel):
    name: str
    webhook: str = Field(description="Told when it is your turn and you are not there; empty for none.")
    since: datetime


class Changes(Body):
    name: str | None = Field(None, min_length=1, max_length=60, pattern=NAME.metadata[-1].pattern, examples=["Ada"])
    webhook: str | None = Field(None, max_length=500, examples=["https://discord.com/api/webhooks/1/abc"])


@router.post("/people", status_code=201, operation_id="sign_up", responses=problems())
async def sign_up(new: NewPerson, hall: InHall) -> SignIn:
    """Make a sign-in link, without a password."""
    person, key = await people.join(hall.store, new.name)
    return SignIn(name=person.name, key=key)


@router.get("/me", operation_id="who_am_i", responses=problems(401))
async def who_am_i(me: Me) -> Profile:
    """Who holds this sign-in link."""
    return _profile(me)


@router.patch("/me", operation_id="change_me", responses=problems(401))
async def change_me(me: Me, changes: Changes, hall: InHall) -> Profile:
    """Another name, another webhook (empty: none)."""
    values = changes.model_dump(exclude_none=True)
    if changes.webhook:
        checked_webhook(changes.webhook, hall.config)
    return _profile(await people.change(hall, me, **values) if values else me)


def _profile(person: Person) -> Profile:
    return Profile(name=person.name, webhook=person.webhook, since=_moment(person.created))


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


@router.post("/me/key", status_code=201, operation_id="renew_key", responses=problems(401))
async def renew_key(me: Me, hall: InHall) -> SignIn:
    """A new sign-in link; the old one is void at once."""
    return SignIn(name=me.name, key=await people.renew(hall, me))


# ---- seats ---------------------------------------------------------------------------------------------------------


class SeatKey(Body):
    key: str = Field(max_length=100, description="The seat's own secret key.", examples=["kept-secret"])


class SeatTaken(BaseModel):
    game: str
    seat: int
    name: str


@router.post("/games/{game}/seat", operation_id="take_seat", responses=problems(400, 401, 404, 409))
async def take_seat(me: Me, game: Game, seat: SeatKey, hall: InHall) -> SeatTaken:
    """Take a seat under your name: from now on your sign-in link opens it on all your devices."""
    taken = await people.take_seat(hall, me, game, seat.key)
    return SeatTaken(game=game, seat=taken, name=me.name)


@router.delete("/games/{game}/seat", status_code=204, operation_id="leave_seat", responses=problems(401, 404))
async def leave_seat(me: Me, game: Game, hall: InHall) -> None:
    """Leave your seat; who holds its secret key can take it."""
    await people.leave_seat(hall, me, game)


# ---- my games and turns --------------------------------------------------------------------------------------------


class Sitting(BaseModel):
    seat: int
    player: str
    name: str


class GameOfMine(BaseModel):
    game: str
    system: str
    title: str
    seat: int
    role: str
    over: bool
    n: int
    waiting: list[int]
    my_turn: bool
    moved: datetime
    created: datetime
    link: str
    people: list[Sitting] = []


class GamesOfMine(BaseModel):
    games: list[GameOfMine]
    next: str | None = Field(description="Ask for `before` this to go on.")


class TurnsOfMine(BaseModel):
    turns: list[GameOfMine]


class BadPlace(ServerError):
    status = 422

    def __init__(self) -> None:
        super().__init__("query.before: should be what an earlier answer gave as next")


MOST = Annotated[int, Query(ge=1, le=100, description="How many at most.")]


@router.get("/me/games", operation_id="my_games", responses=problems(401))
async def my_games(
    me: Me, hall: InHall, before: Annotated[str | None, Query(max_length=80)] = None, most: MOST = 20
) -> GamesOfMine:
    """My games on all devices, newest first."""
    page = await asyncio.to_thread(people.games_of, hall.store, me, _place(before), most)
    names = await asyncio.to_thread(people.names_at, hall.store, [game.game for game in page.games])
    found = [_mine(hall, game) for game in page.games]
    for game in found:
        game.people = [Sitting(seat=seat, player=player, name=name) for seat, player, name in names.get(game.game, [])]
    return GamesOfMine(games=found, next=f"{page.next[0]!r}~{page.next[1]}" if page.next else None)


def _place(before: str | None) -> tuple[float, str] | None:
    if before is None:
        return None
    moved, _, game = before.partition("~")
    try:
        return float(moved), game if game.isalnum() and game.isascii() else _bad()
    except ValueError:
        raise BadPlace from None


def _bad() -> str:
    raise BadPlace


def _mine(hall: Hall, game: MyGame) -> GameOfMine:
    return GameOfMine(
        game=game.game, system=game.system, title=game.title, seat=game.seat, role=game.role, over=game.over, n=game.n,
        waiting=game.waiting, my_turn=game.my_turn, moved=_moment(game.moved), created=_moment(game.created),
        link=address(hall.config, game.game),
    )  # fmt: skip


@router.get("/me/turns", operation_id="my_turns", responses=problems(401))
async def my_turns(me: Me, hall: InHall, most: MOST = 20) -> TurnsOfMine:
    """The games that wait for me: a feed to look at now and then, instead of a webhook."""
    return TurnsOfMine(turns=[_mine(hall, game) for game in await asyncio.to_thread(people.turns_of, hall.store, me, most)])


ATOM = "application/atom+xml"


@router.get(
    "/me/turns.atom",
    operation_id="my_turns_feed",
    response_class=Response,
    responses={200: {"content": {ATOM: {"schema": {"type": "string"}}}, "description": "An Atom feed."}, **problems(401)},
)
async def my_turns_feed(
    hall: InHall, sent: Key, key: Annotated[str, Query(description="Your sign-in key, if no header has it.")] = ""
) -> Response:  # fmt: skip
    """The same for a feed reader, which cannot send a key but in the address."""
    me = await asyncio.to_thread(people.find, hall.store, key or sent)
    turns = await asyncio.to_thread(people.turns_of, hall.store, me, 20)
    return Response(feed(hall, me, turns), media_type=ATOM)


UNSEEN = dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF])  # what XML cannot hold


def feed(hall: Hall, me: Person, turns: list[MyGame]) -> str:
    newest = max((turn.moved for turn in turns), default=me.created)
    entries = "".join(
        f"<entry><id>urn:wardogs:{turn.game}:{turn.n}</id>"
        f"<title>Your turn: {escape(turn.title.translate(UNSEEN))} ({escape(load_system(turn.system).title)})</title>"
        f"<updated>{_moment(turn.moved).isoformat()}</updated><link href={quoteattr(address(hall.config, turn.game))}/></entry>"
        for turn in turns
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>urn:wardogs:turns:{me.id}</id><title>Wardogs: your turns</title><author><name>Wardogs</name></author>"
        f"<updated>{_moment(newest).isoformat()}</updated>{entries}</feed>"
    )
