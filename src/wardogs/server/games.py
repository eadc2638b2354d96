"""New games: what a host asks for, checked by the rulebook, and the secret links that come of it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, func, insert, select

from wardogs.bots import BOTS
from wardogs.kernel.errors import unknown
from wardogs.kernel.offers import Seat
from wardogs.kernel.system import Wanted
from wardogs.server import tables as t
from wardogs.server.calls import Begin
from wardogs.server.keys import hashed, new_id, new_key
from wardogs.server.lines import Begun, entry_of, line_of
from wardogs.server.referee import PERSON, STAND_IN
from wardogs.server.referees import AtHome, Bench
from wardogs.server.store import Settings, Store
from wardogs.systems import KEYS

UMPIRE = 0  # the umpire's seat, beside those of the players


class NewGame(NamedTuple):
    """What a host asks for."""

    system: str
    wanted: Wanted = Wanted()
    players: Mapping[Seat, str] = MappingProxyType({})  # who fills a seat: person (unless said otherwise) or the name of a bot
    umpire: bool = False
    typed_dice: bool = False
    entropy: str = ""
    settings: Settings = Settings()
    seed: bytes | None = None  # only tests and forks choose it
    rosters: Mapping[Seat, Any] = MappingProxyType({})  # forces of their own, as plain data


class Made(NamedTuple):
    """A game and its links. They are shown once: only their hashes are kept."""

    game: str
    keys: dict[Seat, str]
    watch: str


async def create(store: Store, new: NewGame, bench: Bench | None = None) -> Made:
    """The game, begun, and a link for every seat, for the umpire and for the spectators."""
    if new.system not in KEYS:
        raise unknown("system", new.system, KEYS)
    seed = b"" if new.typed_dice else new.seed or secrets.token_bytes(32)
    umpire = UMPIRE if new.umpire else None
    begin = Begin(new.system, new.wanted, dict(new.players), seed, new.entropy, umpire, dict(new.rosters))
    return await keep(store, await (bench or AtHome()).ask(begin, Begun), new.settings)


async def keep(store: Store, begun: Begun, settings: Settings) -> Made:
    """Write a whole game as a new one."""
    game, watch, header = new_id(), new_key(), entry_of(begun.lines[0]).header
    assert header is not None
    people = {seat: player if player in BOTS else PERSON for seat, player in header.players.items()}
    people |= {header.umpire: PERSON} if header.umpire is not None else {}
    gone = () if begun.over else begun.gone
    plays = {seat: STAND_IN if player == PERSON and seat in gone else player for seat, player in people.items()}
    keys = {seat: new_key() for seat in people}
    now = time.time()
    row = {
        "id": game, "system": header.system, "title": str(header.setup.scenario.get("name", ""))[:120],
        "head": line_of(begun.lines[-1]).n, "position": begun.position, "seed": begun.seed, "luck": secrets.token_bytes(16),
        "waiting": ",".join(map(str, begun.waiting)), "over": begun.over, "stamp": 0,
        "settings": msgspec.json.encode(settings).decode(), "created": now, "moved": now,
    }  # fmt: skip
    chairs: list[dict[str, Any]] = [
        {
            "game": game, "seat": seat, "role": "umpire" if seat == header.umpire else "player", "key": hashed(keys[seat]),
            "player": plays[seat], "name": "", "person": None, "watchable": player != PERSON, "told": 0,
            "time_left": settings.clock if seat != header.umpire else None,
        }
        for seat, player in people.items()
    ]  # fmt: skip
    lines = [{"game": game, "n": line_of(line).n, "at": now, "body": line} for line in begun.lines]

    def write(connection: Connection) -> None:
        if connection.execute(select(t.games.c.id).where(t.games.c.id == game)).first() is not None:
            return  # it is ours: the commit came through, though we have not heard so
        connection.execute(insert(t.games), [row])
        connection.execute(insert(t.entries), lines)
        connection.execute(insert(t.seats), chairs)
        connection.execute(insert(t.watchers), [{"game": game, "key": hashed(watch)}])

    await store.writer.write(write)
    return Made(game, keys, watch)


def open_games(store: Store) -> int:
    with store.engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(t.games).where(t.games.c.over.is_(False))).scalar() or 0)
