"""What goes over a socket, both ways. One JSON document a message; `do` names a request, `type` an answer or news."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta, Raw, Struct

from wardogs.kernel.offers import Choice, Seat
from wardogs.server.patch import Edit

Id: TypeAlias = int | str | None  # the sender's own mark, given back with the answer
Role: TypeAlias = Literal["player", "umpire", "spectator"]
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=1000)]
Key: TypeAlias = Annotated[str, Meta(max_length=100)]
Number: TypeAlias = Annotated[int, Meta(ge=-1, le=2**31 - 2)]  # of an entry, as a database can count it


class Request(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    id: Id = None


class Sit(Request, frozen=True, tag="sit", kw_only=True):
    """The first message: who one is, and the last entry one has seen; `draw`: be shown boards instead of views."""

    game: Key
    key: Key
    after: Number | None = None
    draw: bool = False


class Choose(Request, frozen=True, tag="choose", kw_only=True):
    """An answer. `n` is the number that it will have in the record: sent twice, it counts once."""

    n: int
    choice: Choice
    seat: Seat | None = None  # an umpire decides for this seat


class Enter(Request, frozen=True, tag="enter", kw_only=True):
    """What a real die shows."""

    n: int
    face: Any


class Undo(Request, frozen=True, tag="undo"):
    """Take the last choice back; where others must agree, ask them."""


class Agree(Request, frozen=True, tag="agree", kw_only=True):
    """Yes or no to what another seat proposes."""

    kind: Literal["undo", "draw"]
    yes: bool = True


class Draw(Request, frozen=True, tag="draw"):
    """Propose that nobody wins."""


class Resign(Request, frozen=True, tag="resign"):
    """Give up, whoever is asked now."""


class Draft(Request, frozen=True, tag="draft", kw_only=True):
    """An answer begun and not yet given: kept for this seat alone, on whatever device."""

    n: int
    choice: Choice | None


class Look(Request, frozen=True, kw_only=True):
    """Something asked about a question that stands: one's own, or that of the seat which an umpire names."""

    seat: Seat | None = None


class Put(Look, frozen=True, tag="question", kw_only=True):
    """The question itself; nothing if none is put."""


class Odds(Look, frozen=True, tag="odds", kw_only=True):
    """What would follow a choice."""

    choice: Choice


class Why(Look, frozen=True, tag="why", kw_only=True):
    """Why this cannot be chosen; without a choice, all that is barred."""

    choice: Choice | None = None


class OffersOf(Look, frozen=True, tag="offers", kw_only=True):
    """What may be chosen for one of those that a question is put for (its `doers`)."""

    doer: Any


class Spots(Look, frozen=True, tag="spots", kw_only=True):
    """Points that a field of a choice would take: some of them, spread evenly. The other fields of the choice say which offer."""

    choice: Choice
    field: str
    most: Annotated[int, Meta(ge=1, le=2000)] = 200


class Hint(Look, frozen=True, tag="hint"):
    """What a drilled bot would choose here."""


class ThroughEyes(Look, frozen=True, tag="eye", kw_only=True):
    """What somebody on the table could see from where he stands, as far as this seat knows; `who` is the id of his token."""

    who: str | int


class Say(Request, frozen=True, tag="say", kw_only=True):
    """To all at the table, or whispered to some."""

    text: Text
    to: Annotated[list[Seat], Meta(max_length=16)] = []


class Ruling(Request, frozen=True, tag="rule", kw_only=True):
    """An umpire's ruling: fields of pieces set to values."""

    because: Text
    changes: Annotated[list[tuple[Any, str, Any]], Meta(min_length=1, max_length=100)]


class Rewind(Request, frozen=True, tag="rewind", kw_only=True):
    """An umpire takes the game back to where it stood after an entry."""

    to: Number
    because: Text


class Note(Request, frozen=True, tag="note", kw_only=True):
    """The umpire's own notes, kept whole."""

    text: Annotated[str, Meta(max_length=20_000)]


class Watchable(Request, frozen=True, tag="watchable", kw_only=True):
    """May spectators look on? All people at the table must agree."""

    yes: bool


class TakeOver(Request, frozen=True, tag="take_over", kw_only=True):
    """Who plays a seat from now on: a bot by name, or `person` for its holder again."""

    seat: Seat
    player: Annotated[str, Meta(max_length=16)]


class Ping(Request, frozen=True, tag="ping"):
    """Is anybody there?"""


ToServer: TypeAlias = (
    Sit | Choose | Enter | Undo | Agree | Draw | Resign | Draft | Put | Odds | Why | OffersOf | Spots | Hint | ThroughEyes | Say
    | Ruling | Rewind | Note | Watchable | TakeOver | Ping
)  # fmt: skip


class Told(Struct, frozen=True, omit_defaults=True):
    """One report, in figures and in words."""

    rule: str
    fact: str
    data: dict[str, Any]
    text: str


class Happened(Struct, frozen=True, omit_defaults=True):
    """An entry of the record, as far as this seat may know it."""

    n: int
    kind: str
    seat: Seat | None = None
    by: Seat | None = None
    undone: tuple[int, ...] = ()
    reports: list[Raw] = []  # of Told


class Asked(Struct, frozen=True, omit_defaults=True):
    """What this seat is asked. Where it may choose for several, `by` names the field that says for whom, `doers` are those,
    and `offers` holds only what is for nobody in particular: ask `offers` for the rest, one by one."""

    rule: str
    topic: str
    text: str
    offers: list[Any]
    default: Choice
    by: str = ""
    doers: tuple[Any, ...] = ()


class Thrown(Struct, frozen=True):
    """A real die or card that the game waits for."""

    rule: str
    kind: str
    faces: list[Any]
    about: dict[str, Any]


class Proposal(Struct, frozen=True):
    kind: str
    seat: Seat
    agreed: list[Seat]
    needs: list[Seat]


class Chair(Struct, frozen=True):
    """Who sits where, as everyone may know."""

    seat: Seat
    role: str
    side: str
    player: str
    name: str
    present: bool
    watchable: bool
    time_left: float | None = None
    resigned: bool = False


class Line(Struct, frozen=True, tag_field="type", tag="said"):
    """A line of talk."""

    seat: Seat
    to: list[Seat]
    text: str


class Sat(Struct, frozen=True, tag_field="type", tag="sat", omit_defaults=True):
    """All that a seat needs to begin or to go on. Who draws has a `board` and no `view`; an umpire's `views` are boards then."""

    id: Id
    game: str
    system: str
    title: str
    role: Role
    n: int
    view: Raw | None
    waiting: tuple[Seat, ...]
    chairs: list[Chair]
    seat: Seat | None = None
    briefing: str = ""
    entries: list[Happened] = []
    question: Raw | None = None  # Asked
    throw: Thrown | None = None
    draft: Any = None
    talk: list[Line] = []
    proposals: list[Proposal] = []
    outcome: Any = None
    notes: str | None = None
    views: dict[Seat, Raw] | None = None  # an umpire sees what every seat sees
    board: Raw | None = None  # wardogs.scene.board.Board
    names: dict[Seat, str] = {}  # of the sides


class News(Struct, frozen=True, tag_field="type", tag="news", omit_defaults=True):
    """Something has happened: apply the edits to the view (or the board); the question is for this seat."""

    n: int
    entries: list[Happened]
    edits: list[Edit]
    waiting: tuple[Seat, ...]
    question: Raw | None = None
    throw: Thrown | None = None
    outcome: Any = None
    views: dict[Seat, list[Edit]] | None = None


class Table(Struct, frozen=True, tag_field="type", tag="table"):
    """Who sits at the table, and what is proposed, has changed."""

    chairs: list[Chair]
    proposals: list[Proposal] = []


class Done(Struct, frozen=True, tag_field="type", tag="done", omit_defaults=True):
    id: Id
    n: int | None = None
    data: Any = None


class Refused(Struct, frozen=True, tag_field="type", tag="refused", omit_defaults=True):
    """The rules, or the state of the game, forbid it; nothing has changed."""

    id: Id
    text: str
    rule: str = ""
    fact: str = ""
    data: dict[str, Any] = {}


class Wrong(Struct, frozen=True, tag_field="type", tag="wrong"):
    """The message cannot be used; nothing has changed."""

    id: Id
    text: str


FromServer: TypeAlias = Sat | News | Table | Line | Done | Refused | Wrong

_read = msgspec.json.Decoder(ToServer).decode


def read_request(raw: bytes) -> Any:
    """One of ToServer."""
    return _read(whole_text(raw))


def whole_text(raw: bytes) -> bytes:
    """JSON that can be kept: PostgreSQL has no place for the character of nothing, nor the rules for endless nests."""
    if NOTHING in raw:
        raise msgspec.DecodeError("the character \\u0000 cannot be kept")
    if raw.count(b"[") + raw.count(b"{") > DEEPEST and depth(raw) > DEEPEST:
        raise msgspec.DecodeError(f"lists and records are nested more than {DEEPEST} deep")
    return raw


NOTHING = b"\\u0000"
DEEPEST = 100


_DEEPER = np.zeros(256, np.int64)
_DEEPER[list(b"[{")], _DEEPER[list(b"]}")] = 1, -1


def depth(raw: bytes) -> int:
    """How deep lists and records lie in one another, at most: brackets in words count too."""
    return int(_DEEPER[np.frombuffer(raw, np.uint8)].cumsum().max(initial=0))


class _Marked(Struct):
    id: Id = None


_marked = msgspec.json.Decoder(_Marked).decode


def mark_of(raw: bytes) -> Id:
    """The sender's mark of a message that is otherwise not understood, if it can be found."""
    try:
        return None if NOTHING in raw else _marked(raw).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


written = msgspec.json.Encoder().encode


def raw(part: bytes | None) -> Any:
    """Part of a message that is written already."""
    return None if part is None else Raw(part)
