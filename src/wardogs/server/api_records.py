"""Requests about records: out, in, played back, verified, forked."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field

from wardogs.kernel.offers import Seat
from wardogs.server import games
from wardogs.server.api_common import Body, Game, InHall, Key, StrictRoute, problems
from wardogs.server.api_games import GameMade
from wardogs.server.clerk import Clerk, Job
from wardogs.server.errors import ServerError
from wardogs.server.lines import Begun
from wardogs.server.packing import packed
from wardogs.server.records import holder
from wardogs.server.store import Kept, Settings, Store
from wardogs.server.telling import Audience

router = APIRouter(route_class=StrictRoute, tags=["records"])
NDJSON = "application/x-ndjson"


class StillRunning(ServerError):
    """Its record holds what the seats must not know."""

    status = 409

    def __init__(self) -> None:
        super().__init__("the game is not over: until then its record, which holds every secret, is open to its umpire only")


class Held(msgspec.Struct, frozen=True):
    """A game, and who holds a link to it."""

    kept: Kept
    who: Audience


async def the_holder(game: Game, key: Key, hall: InHall) -> Held:
    return Held(*await asyncio.to_thread(holder, hall.store, game, key))


def the_clerk(request: Request) -> Clerk:
    clerk: Clerk = request.app.state.clerk
    return clerk


Holding = Annotated[Held, Depends(the_holder)]
WithClerk = Annotated[Clerk, Depends(the_clerk)]


def _over(held: Held) -> bool:
    """For who looks on late it is over late."""
    seen = not held.who.looks_on or held.kept.moved + held.kept.settings.delay <= time.time()
    return held.kept.last.kind == "end" and seen


async def open_record(store: Store, held: Held) -> bytes:
    """Its lines, for whom it is open."""
    if held.who.role != "umpire" and not _over(held):
        raise StillRunning
    lines = await asyncio.to_thread(store.lines, held.kept.id)
    return b"".join(line + b"\n" for line in lines)


# ---- out and in ----------------------------------------------------------------------------------------------------


LINES: dict[int | str, dict[str, Any]] = {
    200: {"description": "One line of JSON for each entry.", "content": {NDJSON: {"schema": {"type": "string"}}}}
}


@router.get("/games/{game}/record", operation_id="get_record", response_class=Response, responses={**LINES, **problems(404, 409)})
async def get_record(held: Holding, hall: InHall) -> Response:
    """The whole record of a finished game, as a file; of a running one, for its umpire."""
    raw = await open_record(hall.store, held)
    named = {"Content-Disposition": f'attachment; filename="{held.kept.system}-{held.kept.id}.wardogs"'}
    return Response(raw, headers=named, media_type=NDJSON)


RECORD_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            kind: {"schema": {"type": "string", "description": "The lines of a record file."}} for kind in (NDJSON, "text/plain")
        },
    }
}


class Imported(GameMade):
    over: bool


@router.post(
    "/records", status_code=201, operation_id="import_record", openapi_extra=RECORD_BODY, responses=problems()
)  # fmt: skip
async def import_record(
    request: Request,
    hall: InHall,
    clerk: WithClerk,
    fork: Annotated[bool, Query(description="Go on with it as a new game, with new dice.")] = False,
) -> Imported:
    """Keep a record: a finished game to look at, a running one with typed dice to go on with, any running one as a fork.

    Its chain, its rules and its sealed dice are checked first. Send the file as it is.
    """
    checked = _read(await clerk.ask(Job("fork" if fork else "check", await request.body())))
    made = await games.keep(hall.store, checked, Settings())
    return Imported(game=made.game, keys=made.keys, watch=made.watch, over=checked.over)


def _read(answer: bytes) -> Begun:
    return msgspec.msgpack.decode(answer, type=Begun)


# ---- again ---------------------------------------------------------------------------------------------------------


@router.get("/games/{game}/replay", operation_id="replay", response_class=Response, responses={**LINES, **problems(404, 409)})
async def replay(
    request: Request,
    held: Holding,
    hall: InHall,
    clerk: WithClerk,
    seat: Annotated[int | None, Query(ge=0, le=64, description="Whose view; the spectators', unless said.")] = None,
    first: Annotated[int, Query(alias="from", ge=0, le=2**31 - 2)] = 0,
    last: Annotated[int | None, Query(alias="to", ge=0, le=2**31 - 2)] = None,
    draw: Annotated[bool, Query(description="Boards, as a browser draws them, instead of views.")] = False,
) -> Response:
    """A finished game again, as any seat heard and saw it, one line of JSON for each entry.

    The edits of the first line set the whole view (or board), those of the others change it. Where the game was played by
    other rules there are words only, and the line says so.
    """
    raw = await open_record(hall.store, held)
    told = await clerk.ask(Job("replay", raw, seat, first, last, draws=draw))
    return await packed(request, Response(told, media_type=NDJSON))


class VerdictInWords(BaseModel):
    verified: bool = Field(description="Every entry follows from the rules, every sealed face from the seed.")
    entries: int
    faces: int = Field(description="That the seal vouches for.")
    text: str = Field(examples=["all 212 entries follow from the rules; 96 faces are those of the sealed seed"])


@router.get("/games/{game}/verify", operation_id="verify", responses=problems(404, 409))
async def verify(held: Holding, hall: InHall, clerk: WithClerk) -> VerdictInWords:
    """Run the rules again over the record of a finished game, and open the seal of its dice."""
    raw = await open_record(hall.store, held)
    return VerdictInWords.model_validate_json(await clerk.ask(Job("verify", raw)))


class ForkWanted(Body):
    n: int = Field(ge=1, le=2**31 - 2, description="The last entry that the new game shares with the old one.", examples=[40])
    players: dict[Annotated[int, Field(ge=1, le=64)], str] = Field(
        {}, description="Who fills a seat, where it changes.", examples=[{"2": "drill"}]
    )
    entropy: str = Field("", max_length=200, description="Words of your own, mixed into every new die.")


@router.post("/games/{game}/fork", status_code=201, operation_id="fork", responses=problems(404, 409))
async def fork(held: Holding, wanted: ForkWanted, hall: InHall, clerk: WithClerk) -> GameMade:
    """A new game, with new keys and new dice, from any entry of a finished one; of a running one, for its umpire."""
    raw = await open_record(hall.store, held)
    players: dict[Seat, str] = dict(wanted.players)
    answer = await clerk.ask(Job("fork", raw, last=wanted.n, players=players, entropy=wanted.entropy))
    made = await games.keep(hall.store, _read(answer), msgspec.structs.replace(held.kept.settings, webhook=""))
    return GameMade(game=made.game, keys=made.keys, watch=made.watch)
