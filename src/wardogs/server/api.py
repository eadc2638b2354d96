"""Requests: make a game, look at it, play in it without a socket."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field

from wardogs.kernel.system import Wanted
from wardogs.server import games
from wardogs.server.hall import Hall
from wardogs.server.store import Settings

router = APIRouter(prefix="/api")


def the_hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


InHall = Annotated[Hall, Depends(the_hall)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class GameWanted(Body):
    """What a host asks for."""

    system: str = Field(max_length=16, examples=["dawgs"])
    scenario: str | dict[str, Any] | None = Field(None, examples=["duel"])
    seats: int | None = Field(None, ge=1, le=16)
    teams: list[list[int]] | None = None
    options: dict[str, Any] = Field({}, examples=[{"round_limit": 20}])
    players: dict[int, str] = Field({}, description="Who fills a seat: person, or a bot by name.", examples=[{2: "drill"}])
    umpire: bool = False
    dice: Literal["sealed", "typed"] = "sealed"
    entropy: str = Field("", max_length=200, description="Words of your own, mixed into every die.")
    delay: float = Field(60.0, ge=0, le=86_400, description="Seconds by which spectators see the game late.")
    clock: float | None = Field(None, ge=10, le=2_592_000)
    increment: float = Field(0.0, ge=0, le=86_400)


class GameMade(BaseModel):
    """The links are shown this once: keep them."""

    game: str
    keys: dict[int, str]
    watch: str


@router.post("/games", status_code=201)
async def make_game(wanted: GameWanted, hall: InHall) -> GameMade:
    """Make a game; the answer holds a secret key for every seat, one for the umpire, and one for spectators."""
    teams = tuple(tuple(team) for team in wanted.teams) if wanted.teams else None
    made = await games.create(
        hall.store,
        games.NewGame(
            wanted.system,
            Wanted(wanted.scenario, wanted.seats, teams, (wanted.options,)),
            wanted.players,
            wanted.umpire,
            wanted.dice == "typed",
            wanted.entropy,
            Settings(wanted.delay, wanted.clock, wanted.increment),
        ),
    )
    return GameMade(game=made.game, keys=made.keys, watch=made.watch)
