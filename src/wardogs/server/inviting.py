"""A table laid before the server serves: a game in its database, and the links to its seats."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import NamedTuple

from wardogs.kernel.offers import Seat
from wardogs.server.database import open_engine, ready
from wardogs.server.games import NewGame, create
from wardogs.server.referee import PERSON
from wardogs.server.rulebooks import rulebook
from wardogs.server.store import Store

OPPONENT = "drill"


class Laid(NamedTuple):
    """`link` is the first person's; the spectators' where only bots play."""

    game: str
    link: str
    links: dict[Seat, str]
    watch: str


def link_to(at: str, game: str, key: str) -> str:
    """How the client opens a place; what stands after # never leaves the browser."""
    return f"{at.rstrip('/')}/#/table/{game}/{key}"


def lay_table(database: str, at: str, new: NewGame) -> Laid:
    """Seats that nobody is named for: the first is a person's unless one is named elsewhere, bots have the others.

    `at` is the server's address, as `serve` tells it to `started`, which is the time to call this.
    """
    new = new._replace(players=seated(new))
    store = Store(ready(open_engine(database)))
    try:
        made = asyncio.run(create(store, new))
    finally:
        store.close()
    links = {seat: link_to(at, made.game, key) for seat, key in made.keys.items()}
    people = [seat for seat, player in new.players.items() if player == PERSON]
    watch = link_to(at, made.game, made.watch)
    return Laid(made.game, links[min(people)] if people else watch, links, watch)


def seated(new: NewGame) -> Mapping[Seat, str]:
    """Who fills each seat."""
    seats, named = rulebook(new.system).plan(new.wanted).seats, dict(new.players)
    free = [seat for seat in seats if seat not in named]
    if free and PERSON not in named.values():
        named[free.pop(0)] = PERSON
    return named | dict.fromkeys(free, OPPONENT)
