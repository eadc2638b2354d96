"""What all requests share: who asks, how bodies are read, and how errors are told."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

import msgspec
from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from wardogs.kernel.errors import WardogsError
from wardogs.server.errors import NoSuchLink, ServerError, Unavailable
from wardogs.server.hall import Hall
from wardogs.server.messages import whole_text
from wardogs.server.places import place_of
from wardogs.server.room import Room
from wardogs.server.telling import Audience

log = logging.getLogger("wardogs.api")

GAME_ID = re.compile(r"[0-9a-f]{1,32}")


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """Why a request was not met. Nothing has changed."""

    error: str = Field(description="What, where, and how to mend it, in one line.")
    rule: str | None = Field(None, description="The rule that forbids it.", examples=["DAW-CRD-01"])
    fact: str | None = Field(None, description="The reason, as a word for programs.", examples=["late"])
    data: dict[str, Any] | None = Field(None, description="The figures of the reason.", examples=[{"next": 12}])


WHY = {
    400: ("It cannot be done now.", "you are not asked anything now"),
    401: ("No such sign-in link.", "no such sign-in link: sign in with the newest one, or make a new one"),
    403: ("Only another seat, or the umpire, may do this.", "only the umpire may do this"),
    404: ("No such game, or no such link to it: always the same answer.", str(NoSuchLink())),
    409: ("The rules, or the state of the game, forbid it.", "too late: the next entry of this game is number 12"),
    413: ("The body is too large.", "a request may have 4194304 bytes"),
    422: ("The request cannot be understood.", "body.system: should be 'dawgs' or 'dogs'"),
    429: ("A limit is reached.", "too fast: 20 requests a second are heard from one address"),
    503: ("The database does not answer.", str(Unavailable())),
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors that a route may answer with; those of every route are added."""
    return {
        status: {
            "model": Problem,
            "description": WHY[status][0],
            "content": {"application/json": {"example": {"error": WHY[status][1]}}},
        }
        for status in sorted({*statuses, 413, 422, 429, 503})
    }


# ---- who asks ------------------------------------------------------------------------------------------------------

_bearer = HTTPBearer(
    auto_error=False, scheme_name="key", description="A secret link's key (of a seat, of the spectators), or a sign-in key."
)


def the_hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def the_key(given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> str:
    """What stands after Bearer; nothing opens nothing."""
    return given.credentials if given else ""


InHall = Annotated[Hall, Depends(the_hall)]
Key = Annotated[str, Depends(the_key)]


class Entered(msgspec.Struct, frozen=True):
    """Somebody at a table."""

    room: Room
    who: Audience
    key: str

    def check(self) -> None:
        """His link may have become void while he waited."""
        if place_of(self.key, self.room.seats, self.room.watch_keys) != self.who:
            raise NoSuchLink


def known_game(game: str) -> str:
    """A name that no game can have is answered like any other that none has."""
    if not GAME_ID.fullmatch(game):
        raise NoSuchLink
    return game


Game = Annotated[str, Depends(known_game)]


async def the_table(game: Game, key: Key, hall: InHall) -> Entered:
    return Entered(*await hall.enter(game, key), key)


AtTable = Annotated[Entered, Depends(the_table)]


# ---- bodies --------------------------------------------------------------------------------------------------------


class Strict(Request):
    """JSON as it is defined: no NaN, no halves of characters, nothing endlessly nested."""

    async def json(self) -> Any:
        try:
            return msgspec.json.decode(whole_text(await self.body()))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise json.JSONDecodeError(str(error), "", 0) from None


class StrictRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handle(Strict(request.scope, request.receive))

        return strictly


# ---- errors --------------------------------------------------------------------------------------------------------


def told(status: int, error: str, headers: dict[str, str] | None = None, **more: Any) -> Response:
    body = msgspec.json.encode({"error": error, **more})
    return Response(body, status, headers, "application/json")


async def _server_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, ServerError)
    headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else None
    return told(error.status, str(error), headers, **getattr(error, "more", {}), **_next(error))


def _next(error: ServerError) -> dict[str, Any]:
    return {"fact": "late", "data": {"next": error.next}} if hasattr(error, "next") else {}


async def _wardogs_error(_: Request, error: Exception) -> Response:
    return told(422, str(error))


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return told(422, in_words(error.errors()[0]))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers) if error.headers else {}
    said = {404: "nothing is here: see /api/openapi.json"}
    if error.status_code == 405:
        headers["Allow"] = _allowed(request)
        said[405] = f"not like this: send {headers['Allow']}"
    return told(error.status_code, said.get(error.status_code, str(error.detail)), headers)


def _allowed(request: Request) -> str:
    """All that this address takes, whichever routes it is spread over."""
    path = str(request.scope["path"])
    known = request.app.openapi()["paths"].items()
    fits = [found for shape, found in known if re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(shape)), path)]
    return ", ".join(sorted({method.upper() for found in fits for method in found})) or "GET"


async def _database_error(_: Request, error: Exception) -> Response:
    log.error("database failed", extra={"error": type(error).__name__})
    return told(503, str(Unavailable()))


async def _failed(_: Request, error: Exception) -> Response:
    return told(500, "something failed here: try again, and tell the host if it fails again")


def in_words(fault: Any) -> str:
    """What pydantic found, in one line: where, and what it should be."""
    place = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "json_invalid":
        return f"body: not JSON: {fault.get('ctx', {}).get('error', '')}"
    if fault["type"] in ("model_attributes_type", "dict_type") and len(fault["loc"]) == 1:
        return f"{place}: should be a JSON object, sent with Content-Type: application/json"
    said = WORDS.get(fault["type"]) or fault["msg"].removeprefix("Input ").removeprefix("Value error, ")
    return f"{place}: {said[:1].lower()}{said[1:]}"[:400]


WORDS = {
    "extra_forbidden": "there is no such field: see /api/openapi.json",
    "int_parsing": "should be a whole number",
    "int_type": "should be a whole number",
    "string_type": "should be a text",
    "string_pattern_mismatch": "has a space at its beginning or end, or characters that nobody can see",
}


def tell_errors(app: FastAPI) -> None:
    """All errors in one shape."""
    app.add_exception_handler(ServerError, _server_error)
    app.add_exception_handler(WardogsError, _wardogs_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(SQLAlchemyError, _database_error)
    app.add_exception_handler(Exception, _failed)
