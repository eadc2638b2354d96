"""People: a name and a sign-in link, without passwords. Who holds the link has all the seats that were taken with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, func, insert, or_, select, update

from wardogs.kernel.offers import Seat
from wardogs.server import tables as t
from wardogs.server.errors import NoSuchLink, ServerError, TooMuch
from wardogs.server.hall import Hall
from wardogs.server.keys import hashed, new_id, new_key
from wardogs.server.store import Store, numbers, touched


class NotSignedIn(ServerError):
    """Unknown and old sign-in links are answered alike."""

    status = 401

    def __init__(self) -> None:
        super().__init__("no such sign-in link: sign in with the newest one, or make a new one")


class Taken(ServerError):
    status = 409


class Person(NamedTuple):
    id: str
    name: str
    webhook: str
    created: float


def find(store: Store, key: str) -> Person:
    """Whose sign-in link is it?"""
    column = t.people.c
    asked = select(column.id, column.name, column.webhook, column.created).where(column.key == hashed(key))
    with store.engine.connect() as connection:
        row = connection.execute(asked).one_or_none()
    if row is None:
        raise NotSignedIn
    return Person(*row)


async def join(store: Store, name: str) -> tuple[Person, str]:
    """Somebody new, and his link, which is shown this once."""
    person, key = Person(new_id(), name, "", time.time()), new_key()
    row = {**person._asdict(), "key": hashed(key)}

    def write(connection: Connection) -> None:
        connection.execute(insert(t.people), [row])

    await store.writer.write(write)
    return person, key


async def change(hall: Hall, person: Person, **values: str) -> Person:
    """Another name, or another webhook; the name changes at all his tables."""

    def write(connection: Connection) -> list[str]:
        connection.execute(update(t.people).where(t.people.c.id == person.id).values(**values))
        if "name" not in values:
            return []
        games = _tables(connection, person)
        connection.execute(update(t.seats).where(t.seats.c.person == person.id).values(name=values["name"]))
        return games

    await _everywhere(hall, write)
    return person._replace(name=values.get("name", person.name), webhook=values.get("webhook", person.webhook))


async def renew(hall: Hall, person: Person) -> str:
    """A new sign-in link; the old one is void at once, at every table."""
    key = new_key()

    def write(connection: Connection) -> list[str]:
        connection.execute(update(t.people).where(t.people.c.id == person.id).values(key=hashed(key)))
        return _tables(connection, person)

    await _everywhere(hall, write)
    return key


def _tables(connection: Connection, person: Person) -> list[str]:
    games = list(connection.execute(select(t.seats.c.game).where(t.seats.c.person == person.id)).scalars())
    for game in sorted(set(games)):
        touched(connection, game)
    return games


async def _everywhere(hall: Hall, write: Callable[[Connection], list[str]]) -> None:
    for game in await hall.store.writer.write(write):
        await hall.refresh(game)


# ---- seats ---------------------------------------------------------------------------------------------------------


async def take_seat(hall: Hall, person: Person, game: str, key: str) -> Seat:
    """Who holds a seat's secret link may sit there under his name, and find it again wherever he signs in."""
    room, _ = await hall.enter(game, key)
    row = next((row for row in room.seats if row.key == hashed(key)), None)
    if row is None:
        raise NoSuchLink
    most, seat = hall.config.limits.open_games, row.seat

    def write(connection: Connection) -> None:
        touched(connection, game)
        if (other := _seat_of(connection, person, game)) not in (None, seat):
            raise Taken(f"you have seat {other} of this game already: play another side of it with that side's own link")
        if row.person != person.id and _running(connection, person) >= most:
            raise TooMuch(f"you are in {most} running games already: end or leave one first")
        mine = (t.seats.c.game == game, t.seats.c.seat == seat, t.seats.c.key == row.key)
        if not connection.execute(update(t.seats).where(*mine).values(person=person.id, name=person.name)).rowcount:
            raise NoSuchLink  # the link has been replaced meanwhile

    await hall.store.writer.write(write)
    await room.refresh()
    return seat


async def leave_seat(hall: Hall, person: Person, game: str) -> None:
    """The seat is open again to whoever holds its link."""

    def write(connection: Connection) -> None:
        if _seat_of(connection, person, game) is None:
            raise NoSuchLink
        touched(connection, game)
        mine = (t.seats.c.game == game, t.seats.c.person == person.id)
        connection.execute(update(t.seats).where(*mine).values(person=None, name=""))

    await hall.store.writer.write(write)
    await hall.refresh(game)


def _seat_of(connection: Connection, person: Person, game: str) -> Seat | None:
    column = t.seats.c
    found = connection.execute(select(column.seat).where(column.game == game, column.person == person.id)).scalar()
    return None if found is None else int(found)


def _running(connection: Connection, person: Person) -> int:
    joined = t.seats.join(t.games, t.seats.c.game == t.games.c.id)
    mine = (t.seats.c.person == person.id, t.games.c.over.is_(False))
    return int(connection.execute(select(func.count()).select_from(joined).where(*mine)).scalar() or 0)


# ---- my games ------------------------------------------------------------------------------------------------------


class MyGame(NamedTuple):
    game: str
    system: str
    title: str
    over: bool
    n: int
    waiting: list[Seat]
    seat: Seat
    role: str
    moved: float
    created: float

    @property
    def my_turn(self) -> bool:
        return not self.over and self.seat in self.waiting


class Page(NamedTuple):
    games: list[MyGame]
    next: tuple[float, str] | None  # where the next page begins


def games_of(store: Store, person: Person, before: tuple[float, str] | None, most: int) -> Page:
    """Newest first."""
    games = t.games.c
    where: list[Any] = []
    if before is not None:
        where = [or_(games.moved < before[0], and_(games.moved == before[0], games.id < before[1]))]
    rows = _my_games(store, person, where, most + 1)
    last = rows[most - 1] if len(rows) > most else None
    return Page(rows[:most], (last.moved, last.game) if last else None)


def turns_of(store: Store, person: Person, most: int) -> list[MyGame]:
    """The games that wait for him, the longest waiting last."""
    where = [t.games.c.over.is_(False), t.games.c.waiting != ""]
    return [game for game in _my_games(store, person, where, None) if game.my_turn][:most]


def _my_games(store: Store, person: Person, where: list[Any], most: int | None) -> list[MyGame]:
    games, seats = t.games.c, t.seats.c
    asked = (
        select(
            games.id, games.system, games.title, games.over, games.head, games.waiting, seats.seat, seats.role, games.moved,
            games.created,
        )
        .select_from(t.games.join(t.seats, seats.game == games.id))
        .where(seats.person == person.id, *where)
        .order_by(games.moved.desc(), games.id.desc())
        .limit(most)
    )  # fmt: skip
    with store.engine.connect() as connection:
        rows = connection.execute(asked).all()
    return [
        MyGame(
            row.id, row.system, row.title, row.over, row.head, numbers(row.waiting), row.seat, row.role, row.moved, row.created
        )
        for row in rows
    ]  # fmt: skip


def names_at(store: Store, games: list[str]) -> dict[str, list[tuple[Seat, str, str]]]:
    """Who sits where: seat, player, name."""
    column, found = t.seats.c, dict[str, list[tuple[Seat, str, str]]]()
    asked = select(column.game, column.seat, column.player, column.name).where(column.game.in_(games)).order_by(column.seat)
    with store.engine.connect() as connection:
        for row in connection.execute(asked):
            found.setdefault(row.game, []).append((row.seat, row.player, row.name))
    return found
