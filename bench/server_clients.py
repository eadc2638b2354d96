"""Who plays against the servers: seats that answer as soon as they are asked, or each game at its own pace."""

from __future__ import annotations

import asyncio
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable
from itertools import count
from time import perf_counter
from typing import Any, TypeAlias

import msgspec
from msgspec import Raw, Struct

from bench.server_wire import HOST, Wire

AT_ONCE = 50  # connections being made
OPENING = 60.0  # seconds for one of them

encode = msgspec.json.encode


class Load:
    """All games against one server, and what is measured of them."""

    def __init__(self, games: int, pace: float | None, seed: int = 1) -> None:
        self.games, self.pace = games, pace  # pace: choices a second in each game; None: as fast as it goes
        self.random = random.Random(seed).random
        self.tables: list[Table] = []
        self.spare: deque[Table] = deque()
        self.counting = False
        self.latencies: list[float] = []
        self.requests = self.late = self.ended = self.playing = 0
        self.least = games  # games at once, when there were fewest
        self.sits = 0.0  # seats that sat down in a second
        self.paused = False  # whoever is asked waits
        self.troubles: Counter[str] = Counter()

    async def seat(self, tables: Iterable[Table]) -> None:
        """Connect all of them; they wait until they may begin."""
        self.tables = list(tables)
        gate, loop = asyncio.Semaphore(AT_ONCE), asyncio.get_running_loop()

        async def connect(seat: Seat) -> None:
            async with gate:
                await loop.create_connection(lambda: seat, HOST, seat.port)
                await asyncio.wait_for(seat.seated.wait(), OPENING)
                if seat.over:
                    raise ConnectionError(f"port {seat.port}: the server hangs up on {type(seat).__name__}")

        seats, start = [seat for table in self.tables for seat in table.seats], perf_counter()
        await asyncio.gather(*map(connect, seats))
        self.sits = len(seats) / (perf_counter() - start)

    async def pause(self) -> None:
        """Nobody answers any more; when this returns, nothing is under way."""
        self.paused, self.counting = True, False
        while any(seat.since is not None for table in self.tables for seat in table.seats):
            await asyncio.sleep(0.02)

    def resume(self) -> None:
        self.paused = False
        for table in self.tables:
            if table.playing and not table.over:
                table.serve()

    def count(self) -> None:
        """From now on, and from nought."""
        self.latencies = []
        self.requests = self.late = self.ended = 0
        self.least, self.counting = self.games, True

    def begin(self) -> None:
        self.spare = deque(self.tables)
        for k in range(self.games):
            self.next(k / self.games)

    def next(self, phase: float = 0.0) -> None:
        """Another game begins, if one is left."""
        if self.spare:
            self.playing += 1
            self.spare.popleft().begin(phase)
        self.least = min(self.least, self.playing) if self.counting else self.games

    def accepted(self, since: float) -> None:
        if self.counting:
            self.latencies.append(perf_counter() - since)

    def close(self) -> None:
        for table in self.tables:
            for seat in table.seats:
                seat.close()


class Table:
    """One game: its seats, and which of them are asked now."""

    def __init__(self, load: Load) -> None:
        self.load, self.seats = load, []
        self.asked: list[Seat] = []
        self.owed: deque[float] = deque()  # moments at which a choice was due
        self.playing = self.over = False

    seats: list[Seat]

    def begin(self, phase: float) -> None:
        self.playing = True
        if self.load.pace is not None:
            loop = asyncio.get_running_loop()
            loop.call_later(phase / self.load.pace, self._tick, loop, loop.time() + phase / self.load.pace)
        self.serve()

    def _tick(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        """A choice is due, whether or not the last one is through: a slow server is not spared the next."""
        if self.over or not self.playing or self.load.pace is None:
            return
        self.owed.append(perf_counter() - (loop.time() - due))
        loop.call_at(due + 1 / self.load.pace, self._tick, loop, due + 1 / self.load.pace)
        self.serve()

    def ask(self, seat: Seat) -> None:
        if seat not in self.asked:
            self.asked.append(seat)
        if self.playing:
            self.serve()

    def unask(self, seat: Seat) -> None:
        if seat in self.asked:
            self.asked.remove(seat)

    def serve(self) -> None:
        if self.load.paused:
            return
        if self.load.pace is None:
            asked, self.asked = self.asked, []
            for seat in asked:
                seat.answer(perf_counter())
        while self.owed and self.asked:
            self.asked.pop(0).answer(self.owed.popleft())

    def end(self) -> None:
        if not self.over:
            self.over = True
            self.asked.clear()
            if self.playing:
                self.load.ended += self.load.counting
                self.load.playing -= 1
                self.load.next(self.load.random())


class Seat(Wire):
    """One client. `since` is when its answer was due that is not yet through."""

    def __init__(self, table: Table, port: int) -> None:
        super().__init__(port)
        self.table, self.load = table, table.load
        self.since: float | None = None
        self.seated = asyncio.Event()
        table.seats.append(self)

    def answer(self, since: float) -> None:
        raise NotImplementedError

    def ask(self, message: Any) -> None:
        self.load.requests += self.load.counting
        self.send(encode(message))

    def done(self) -> None:
        assert self.since is not None
        self.load.accepted(self.since)
        self.since = None

    def lost(self) -> None:
        self.load.troubles["hung up"] += 1
        self.seated.set()


# ---- a bare echo ---------------------------------------------------------------------------------------------------


class EchoSeat(Seat):
    """As many bytes as a choice has."""

    def opened(self) -> None:
        self.seated.set()
        self.table.ask(self)

    def answer(self, since: float) -> None:
        self.since = since
        self.ask({"do": "choose", "n": 12, "choice": {"verb": "card", "card": "clockwise_2"}, "id": "c"})

    def heard(self, payload: bytes) -> None:
        self.done()
        self.table.ask(self)


def echo_tables(load: Load, port: int, number: int) -> list[Table]:
    tables = [Table(load) for _ in range(number)]
    for table in tables:
        EchoSeat(table, port)
    return tables


# ---- boardgame.io --------------------------------------------------------------------------------------------------


class BoardgameContext(Struct, rename={"player": "currentPlayer"}):
    player: str


class BoardgameState(Struct, rename={"number": "_stateID"}):
    ctx: BoardgameContext
    number: int


class BoardgameSync(Struct):
    state: BoardgameState


_read_event = msgspec.json.Decoder(list[Raw]).decode
_read_update = msgspec.json.Decoder(BoardgameState).decode
_read_sync = msgspec.json.Decoder(BoardgameSync).decode
_fresh_match = count(1)


class BoardgameSeat(Seat):
    """Speaks socket.io over a websocket, as boardgame.io's own client does."""

    path = "/socket.io/?EIO=4&transport=websocket"
    space = b"/bench,"

    def __init__(self, table: Table, port: int, match: str, player: str) -> None:
        super().__init__(table, port)
        self.match, self.player, self.state, self.sent = match, player, 0, -1

    def emit(self, *message: Any) -> None:
        self.load.requests += self.load.counting
        self.send(b"42" + self.space + encode(message))

    def answer(self, since: float) -> None:
        self.since, self.sent = since, self.state
        action = {"type": "MAKE_MOVE", "payload": {"type": "move", "args": [], "playerID": self.player}}
        self.emit("update", action, self.state, self.match, self.player)

    def heard(self, payload: bytes) -> None:
        if payload.startswith(b"42"):
            name, _, *rest = _read_event(payload[2 + len(self.space) :])
            if bytes(name) == b'"update"':
                self.stands(_read_update(rest[0]))
            elif bytes(name) == b'"sync"':
                self.stands(_read_sync(rest[0]).state)
                self.seated.set()
        elif payload.startswith(b"40"):
            self.emit("sync", self.match, self.player, None, 2)
        elif payload.startswith(b"0"):
            self.send(b"40" + self.space)
        elif payload == b"2":
            self.send(b"3")

    def stands(self, state: BoardgameState) -> None:
        self.state = state.number
        if self.since is not None and self.state > self.sent:
            self.done()
        if state.ctx.player == self.player and self.since is None:
            self.table.ask(self)


def boardgame_tables(load: Load, port: int, number: int) -> list[Table]:
    """New matches: in memory an old one grows slower with every move."""
    tables = [Table(load) for _ in range(number)]
    for table in tables:
        match = f"match{next(_fresh_match)}"
        for player in ("0", "1"):
            BoardgameSeat(table, port, match, player)
    return tables


# ---- Wardogs -------------------------------------------------------------------------------------------------------


class Sitting(Struct):
    """A game that was made before, with its keys, and the last entry that the generator knows."""

    game: str
    keys: dict[int, str]
    n: int
    script: dict[int, tuple[int, dict[str, Any]]] = {}  # by entry: who chooses what, as it was played before


class Asked(Struct):
    offers: list[Raw]
    by: str = ""


class Stands(Struct, tag_field="type"):
    n: int
    waiting: tuple[int, ...]
    question: Asked | None = None
    outcome: Any = None


class Sat(Stands, tag="sat"):
    pass


class News(Stands, tag="news"):
    pass


class Done(Struct, tag_field="type", tag="done"):
    id: Any = None
    data: Any = None


class Refused(Struct, tag_field="type", tag="refused"):
    text: str
    fact: str = ""


class Wrong(Struct, tag_field="type", tag="wrong"):
    text: str


class TableNews(Struct, tag_field="type", tag="table"):
    pass


class Said(Struct, tag_field="type", tag="said"):
    pass


class Offered(Struct):
    verb: str
    fields: dict[str, dict[str, Any]] = {}
    gives_up: bool = False


Answer: TypeAlias = Sat | News | Done | Refused | Wrong | TableNews | Said
_read = msgspec.json.Decoder(Answer).decode
_read_offer = msgspec.json.Decoder(Offered).decode
CHOICE, LOOK = "c", "l"


class WardogsSeat(Seat):
    """Chooses an offer uniformly among those it got, never giving up, and each of its fields uniformly.

    Where a game follows a script it looks at the offers of the man whom it chooses for, and then chooses as the script says.
    """

    path = "/api/live"

    def __init__(self, table: Table, port: int, sitting: Sitting, seat: int) -> None:
        super().__init__(table, port)
        self.sitting, self.seat = sitting, seat
        self.n, self.question = 0, None
        self.choice: dict[str, Any] = {}

    question: Asked | None

    def opened(self) -> None:
        self.ask({"do": "sit", "game": self.sitting.game, "key": self.sitting.keys[self.seat], "after": self.sitting.n})

    def heard(self, payload: bytes) -> None:
        said = _read(payload)
        if isinstance(said, Stands):
            self.stands(said)
        elif isinstance(said, Done):
            self.answered(said)
        elif isinstance(said, Refused | Wrong):
            self.refused(said)

    def stands(self, said: Stands) -> None:
        self.n = self.sitting.n = said.n
        self.question = said.question if self.seat in said.waiting and self.is_next() else None
        self.seated.set()
        if said.outcome is not None or (self.sitting.script and self.n + 1 not in self.sitting.script):
            self.question = None
            self.table.end()
        elif self.since is None:
            self.put()

    def is_next(self) -> bool:
        """By the script, if there is one."""
        script = self.sitting.script
        return not script or (self.n + 1 in script and script[self.n + 1][0] == self.seat)

    def put(self) -> None:
        if self.question is not None:
            self.table.ask(self)
        else:
            self.table.unask(self)

    def answered(self, said: Done) -> None:
        if said.id == CHOICE:
            self.done()
            self.put()
        elif said.id == LOOK and self.question is not None:
            self.choose()

    def refused(self, said: Refused | Wrong) -> None:
        """Somebody else was first: once more, if the question still stands."""
        if isinstance(said, Refused) and said.fact == "late":
            self.load.late += self.load.counting
        else:
            self.load.troubles[said.text[:80]] += 1
        if self.question is None:
            self.since = None
        elif self.since is not None:
            self.pick()

    def answer(self, since: float) -> None:
        self.since = since
        self.pick()

    def pick(self) -> None:
        assert self.question is not None
        if self.sitting.script:
            self.follow(self.question)
            return
        offers, draw = self.question.offers, self.load.random
        while (offer := _read_offer(offers[int(draw() * len(offers))])).gives_up or _empty(offer):
            continue
        self.choice = {"verb": offer.verb, **{name: picked(domain, draw) for name, domain in offer.fields.items()}}
        self.choose()

    def follow(self, question: Asked) -> None:
        seat, self.choice = self.sitting.script.get(self.n + 1, (0, {}))
        if seat != self.seat:
            self.question = None
        elif question.by in self.choice:
            self.ask({"do": "offers", "doer": self.choice[question.by], "id": LOOK})
        else:
            self.choose()

    def choose(self) -> None:
        self.ask({"do": "choose", "n": self.n + 1, "choice": self.choice, "id": CHOICE})


def _empty(offer: Offered) -> bool:
    return any(domain["type"] == "one" and not domain["among"] for domain in offer.fields.values())


def picked(domain: dict[str, Any], draw: Callable[[], float]) -> Any:
    kind = domain["type"]
    if kind == "one":
        return domain["among"][int(draw() * len(domain["among"]))]
    if kind == "flag":
        return draw() < 0.5
    if kind == "number":
        step = domain.get("step", 1)
        return domain["low"] + step * int(draw() * ((domain["high"] - domain["low"]) // step + 1))
    among, most = list(domain["among"]), min(domain["most"], len(domain["among"]))
    number = domain["least"] + int(draw() * (most - domain["least"] + 1))
    return [among.pop(int(draw() * len(among))) for _ in range(number)]


def wardogs_tables(load: Load, port: int, sittings: Iterable[Sitting]) -> list[Table]:
    tables = []
    for sitting in sittings:
        tables.append(Table(load))
        for seat in sitting.keys:
            WardogsSeat(tables[-1], port, sitting, seat)
    return tables
