"""Tin Soldiers: a whole small system in one file, for the tests of the kernel.

Three seats, two secret cards each. The cards decide who walks first; a walk is told inch by inch, watchers may interrupt
every inch, and be interrupted themselves; an expert may throw a miss again; hits are collected, then applied at once.
Beside it stands a toy box: rules made on the spot from a few paragraphs, for one question each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from wardogs.kernel.dice import D6, D10, as_is, at_most
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Fate, Scripted
from wardogs.kernel.game import Game, Paragraph, Policy, Position, Rules, Step
from wardogs.kernel.match import Match, Sink
from wardogs.kernel.offers import Ask, Barred, Choice, Flag, Offer, OneOf, Refusal, Seat
from wardogs.kernel.options import choose_options
from wardogs.kernel.record import Entry, Outcome, Record, Setup, chained
from wardogs.kernel.register import Register, Rule
from wardogs.kernel.system import Seen, System, Wanted
from wardogs.scene.board import Bar, Board, Floor, Reckoned, Score, Token

DECK = tuple("ABCDEFGHIJKL")  # a later letter beats an earlier one
WOUNDS = (1, 1, 2, 2, 2, 5)  # what each face of the damage die takes
UMPIRE = 9
SEED, ENTROPY = bytes(range(32)), "red blue green"

REGISTER = Register(
    "1",
    {
        "TIN-CRD-01": Rule("Deal", "Two cards each, drawn face down from twelve."),
        "TIN-CRD-02": Rule("Place", "All place one card at the same time."),
        "TIN-CRD-03": Rule("Order", "The highest card walks first."),
        "TIN-WLK-01": Rule("Walk", "An inch at a time."),
        "TIN-OPF-01": Rule("Opportunity fire", "A watcher may fire at who walks or fires."),
        "TIN-OPF-02": Rule("Only at him", "And at nobody else."),
        "TIN-OPF-03": Rule("Watch", "Each side says whether it watches."),
        "TIN-HIT-01": Rule("To hit", "At most the skill; a 1 always, a 10 never."),
        "TIN-EXP-01": Rule("Expert", "May throw one miss again."),
        "TIN-DMG-01": Rule("Wounds", "A die for what is lost."),
        "TIN-DMG-02": Rule("At once", "All hits of a step count together."),
        "TIN-END-01": Rule("End", "One side left, or the last round."),
        "TIN-TOY-01": Rule("Toy", "For toys."),
        "TIN-TOY-02": Rule("Other toy", "For toys."),
    },
)

WORDS = {
    "reports": {
        "drew": "{who:seat} draws {card}.",
        "placed": "{who:seat} lays {card} face down.",
        "revealed": "{who:seat} shows {card}.",
        "walked": "{who} walks to {to}.",
        "rolled.TIN-HIT-01": "{who} fires at {at}: {face} {means:True=hits|False=misses}.",
        "wounded": "{who} loses {lost}.",
        "ended": "{winner:None=Nobody wins|*={winner:seat} wins} ({reason}).",
        "ruling": "The umpire rules: {because}.",
    },
    "refusals": {"not_the_mover": "only at {mover}"},
    "questions": {"card": "Which card?"},
    "choices": {"fire": "fire at {at}", "place": "lay {card}"},
}


# ---- what is on the table --------------------------------------------------------------------------------------------


class Options(Struct, frozen=True):
    round_limit: Annotated[int, Meta(ge=1)] = 3
    wounds: Literal["die", "one"] = "die"
    nested: bool = True


class Soldier(Struct, frozen=True):
    id: str
    side: Seat
    x: int = 0
    hp: int = 5
    wp: int = 6
    watching: bool = False
    expert: bool = False

    @property
    def alive(self) -> bool:
        return self.hp > 0


class Side(Struct, frozen=True):
    seat: Seat
    hand: tuple[str, ...] = ()
    card: str | None = None


class Tin(Struct, frozen=True):
    soldiers: tuple[Soldier, ...]
    sides: tuple[Side, ...]
    pile: tuple[str, ...] = DECK
    due: tuple[tuple[str, int], ...] = ()
    round: int = 1
    winner: Seat | None = None
    reason: str = ""

    def __getitem__(self, who: Any) -> Any:
        for piece in self.sides if isinstance(who, int) else self.soldiers:
            if who == (piece.seat if isinstance(piece, Side) else piece.id):
                return piece
        raise LookupError(f"nobody is {who}")

    def edited(self, who: Any, fields: Mapping[str, Any]) -> Tin:
        if who == "table":
            return replace(self, **fields)
        old = self[who]
        new = replace(old, **fields)
        where = "sides" if isinstance(old, Side) else "soldiers"
        return replace(self, **{where: tuple(new if piece is old else piece for piece in getattr(self, where))})

    @property
    def seats_alive(self) -> list[Seat]:
        return sorted({soldier.side for soldier in self.soldiers if soldier.alive})


@dataclass(frozen=True)
class Terms:
    options: Options
    seats: tuple[Seat, ...]
    scenario: dict[str, Any]


# ---- the paragraphs --------------------------------------------------------------------------------------------------


def deal(g: Game[Tin, Terms]) -> None:
    """Two cards each, from a pile without an order; each sees his own only."""
    for seat in (*g.terms.seats, *g.terms.seats):
        card = g.draw("TIN-CRD-01", g.state.pile, (seat,), who=seat)
        g.change(pile=tuple(other for other in g.state.pile if other != card))
        g.edit(seat, hand=(*g.state[seat].hand, card))


def watch(g: Game[Tin, Terms], seat: Seat) -> None:
    """Said openly, but nothing is thrown or told: it can be taken back for free."""
    choice = g.ask("TIN-OPF-03", seat, WATCH)
    for soldier in g.state.soldiers:
        if soldier.side == seat:
            g.edit(soldier.id, watching=choice["yes"])


def plan(g: Game[Tin, Terms]) -> None:
    """Secret and simultaneous: no card shows before all are down."""
    placed = g.ask_all("TIN-CRD-02", {side.seat: card_ask(side) for side in g.state.sides if side.hand})
    for seat, choice in placed.items():
        if choice["verb"] == "place":
            hand = tuple(card for card in g.state[seat].hand if card != choice["card"])
            g.edit(seat, card=choice["card"], hand=hand)
            g.report("TIN-CRD-02", "placed", (seat,), who=seat, card=choice["card"])
        else:
            for soldier in g.state.soldiers:
                if soldier.side == seat:
                    g.edit(soldier.id, hp=0)
    g.then(reveal)


def reveal(g: Game[Tin, Terms]) -> None:
    for side in sorted(g.state.sides, key=lambda side: side.card or "", reverse=True):
        if side.card:
            g.report("TIN-CRD-03", "revealed", who=side.seat, card=side.card)
            g.then(march, side.seat)
    g.then(volley)
    g.then(end_turn)


def march(g: Game[Tin, Terms], seat: Seat) -> None:
    for soldier in g.state.soldiers:
        if soldier.side == seat and soldier.alive:
            g.then(walk, soldier.id, (soldier.x + 1, soldier.x + 2))


def walk(g: Game[Tin, Terms], mover: str, path: tuple[int, ...]) -> None:
    """An inch at a time; watchers may interrupt each."""
    if not g.state[mover].alive or not path:
        return
    g.edit(mover, x=path[0])
    g.report("TIN-WLK-01", "walked", who=mover, to=path[0], left=path[1:])
    for watcher in watchers(g.state, mover):
        g.then(op_fire, watcher, mover)
    g.then(walk, mover, path[1:])


def op_fire(g: Game[Tin, Terms], watcher: str, mover: str) -> None:
    """A watcher may fire; who fires can be fired at, first."""
    w, m = g.state[watcher], g.state[mover]
    if not (w.alive and w.watching and m.alive):
        return
    if g.ask("TIN-OPF-01", w.side, fire_ask(g.state, watcher, mover))["verb"] == "hold":
        return
    g.edit(watcher, watching=False)
    g.report("TIN-OPF-01", "interrupts", who=watcher, at=mover)
    if g.terms.options.nested:
        for other in watchers(g.state, watcher):
            g.then(op_fire, other, watcher)
    g.then(shoot, watcher, mover)
    g.then(wounds)


def shoot(g: Game[Tin, Terms], shooter: str, target: str) -> None:
    """To hit, the expert's second throw, damage: three dice and a question in one paragraph."""
    if not (g.state[shooter].alive and g.state[target].alive):
        return
    need = at_most(D10, g.state[shooter].wp, always=1, never=10)
    hit = g.roll("TIN-HIT-01", D10, need, who=shooter, at=target)
    if not hit and g.state[shooter].expert and g.ask("TIN-EXP-01", g.state[shooter].side, AGAIN)["yes"]:
        g.edit(shooter, expert=False)
        hit = g.roll("TIN-EXP-01", D10, need, who=shooter, at=target)
    if hit:
        lost = 1 if g.terms.options.wounds == "one" else g.roll("TIN-DMG-01", D6, WOUNDS, who=target)
        g.change(due=(*g.state.due, (target, lost)))


def wounds(g: Game[Tin, Terms]) -> None:
    """Collected before, applied now: two can kill each other."""
    for target, lost in g.state.due:
        g.edit(target, hp=max(0, g.state[target].hp - lost))
        g.report("TIN-DMG-02", "wounded", who=target, lost=lost, hp=g.state[target].hp)
    g.change(due=())


def volley(g: Game[Tin, Terms]) -> None:
    for soldier in g.state.soldiers:
        foes = [other for other in g.state.soldiers if other.side != soldier.side and other.alive]
        if soldier.alive and foes:
            g.then(shoot, soldier.id, min(foes, key=lambda foe: (abs(foe.x - soldier.x), foe.id)).id)
    g.then(wounds)


def end_turn(g: Game[Tin, Terms]) -> None:
    alive = g.state.seats_alive
    if len(alive) > 1 and g.state.round < g.terms.options.round_limit:
        for side in g.state.sides:
            g.edit(side.seat, card=None)
        g.change(round=g.state.round + 1)
        g.then(plan)
        return
    reason = "rounds" if len(alive) > 1 else "last_side"
    g.change(winner=alive[0] if len(alive) == 1 else None, reason=reason)
    g.report("TIN-END-01", "ended", winner=g.state.winner, reason=reason)
    g.stop()


def unreachable(g: Game[Tin, Terms]) -> None:
    raise AssertionError("the game went on after stop()")


def watchers(t: Tin, mover: str) -> Iterator[str]:
    return (s.id for s in t.soldiers if s.watching and s.alive and s.side != t[mover].side)


# ---- what may be chosen ----------------------------------------------------------------------------------------------

YES, NO = {"verb": "say", "yes": True}, {"verb": "say", "yes": False}
HOLD, CONCEDE = {"verb": "hold"}, {"verb": "concede"}


def yes_no(topic: str, rule: str) -> Ask:
    return Ask(topic, (Offer("say", rule, {"yes": Flag()}),), NO)


WATCH, AGAIN = yes_no("watch", "TIN-OPF-03"), yes_no("again", "TIN-EXP-01")


def fire(at: str) -> Choice:
    return {"verb": "fire", "at": at}


def place(card: str) -> Choice:
    return {"verb": "place", "card": card}


def card_ask(side: Side) -> Ask:
    offers = (Offer("place", "TIN-CRD-02", {"card": OneOf(side.hand)}), Offer("concede", "TIN-END-01", gives_up=True))
    return Ask("card", offers, place(side.hand[0]))


def fire_ask(t: Tin, watcher: str, mover: str) -> Ask:
    def why_not(choice: Choice) -> Refusal | None:
        elsewhere = choice.get("verb") == "fire" and choice.get("at") != mover
        return Refusal("TIN-OPF-02", "not_the_mover", {"mover": mover}) if elsewhere else None

    def barred() -> tuple[Barred, ...]:
        others = [s.id for s in t.soldiers if s.side != t[watcher].side and s.id != mover]
        return tuple(Barred(fire(s), Refusal("TIN-OPF-02", "not_the_mover", {"mover": mover})) for s in others)

    offers = (Offer("fire", "TIN-OPF-01", {"at": OneOf((mover,))}), Offer("hold", "TIN-OPF-01"))
    return Ask("op_fire", offers, HOLD, why_not, barred)


# ---- what may be known -----------------------------------------------------------------------------------------------


class Sight(Struct, frozen=True):
    """The table as one seat sees it: his own hand, and of the others how many cards."""

    seat: Seat | None
    soldiers: tuple[Soldier, ...]
    hands: dict[Seat, tuple[str, ...]]
    hand_sizes: dict[Seat, int]
    pile_size: int
    round: int
    agenda: tuple[Step, ...]
    committed: tuple[Seat, ...]
    commitments: dict[Seat, Choice]


def view(g: Game[Tin, Terms], seat: Seat | None) -> Sight:
    t = g.position.state
    shown = {side.seat: side.hand for side in t.sides if seat in (side.seat, UMPIRE)}
    return Sight(
        seat, t.soldiers, shown, {side.seat: len(side.hand) for side in t.sides}, len(t.pile), t.round, g.agenda,
        tuple(g.answers), {other: choice for other, choice in g.answers.items() if seat in (other, UMPIRE)},
    )  # fmt: skip


def imagine(terms: Terms, sight: Sight) -> Position[Tin]:
    """The unseen cards in the order of the deck: one world of many."""
    unseen = [card for card in DECK if not any(card in hand for hand in sight.hands.values())]
    sides = []
    for seat, size in sight.hand_sizes.items():
        hand = sight.hands.get(seat) or tuple(unseen.pop() for _ in range(size))
        sides.append(Side(seat, hand))
    return Position(Tin(sight.soldiers, tuple(sides), tuple(unseen), round=sight.round), sight.agenda)


class Mark(Struct, frozen=True):
    kind: str
    who: str
    x: int


class Scene(Struct, frozen=True):
    marks: tuple[Mark, ...]
    text: str
    words: tuple[str, ...]


def draw(terms: Terms, sight: Sight) -> Scene:
    marks = tuple(Mark("soldier", s.id, s.x) for s in sight.soldiers)
    return Scene(marks, "\n".join(f"{mark.who} at {mark.x}" for mark in marks), (f"round {sight.round}",))


def board(terms: Terms, sight: Sight) -> Board:
    """A row of men on an empty strip."""
    men = tuple(
        Token(
            s.id, s.id, s.id, "man" if s.alive else "fallen", (float(s.x), 1.0), f"inch {s.x}", s.side,
            colour=COLOURS[s.side], bars=(Bar("HP", s.hp, 12),), lost=not s.alive,
        )
        for s in sight.soldiers
    )  # fmt: skip
    scores = tuple(Score(seat, NAMES[seat], COLOURS[seat], f"{n} cards") for seat, n in sight.hand_sizes.items())
    return Board("Tin Soldiers", 30.0, 2.0, 1.0, "", (Floor("ground", ""),), (), men, scores=scores, turn=sight.round)


# ---- the system ------------------------------------------------------------------------------------------------------

PARAGRAPHS = (deal, watch, plan, reveal, march, walk, op_fire, shoot, wounds, volley, end_turn, unreachable)
RULES = Rules("tiny", {paragraph.__name__: paragraph for paragraph in PARAGRAPHS}, REGISTER.ids, Tin)
SKIRMISH = {
    "soldiers": [
        {"id": "a", "side": 1, "x": 0, "hp": 12},
        {"id": "b", "side": 2, "x": 6, "hp": 12, "expert": True},
        {"id": "c", "side": 3, "x": 12, "hp": 12, "expert": True},
    ],
    "steps": [["deal"], ["watch", 1], ["watch", 2], ["watch", 3], ["plan"], ["unreachable"]],
}


def terms_of(setup: Setup) -> Terms:
    return Terms(choose_options(Options, setup.options), setup.seats, setup.scenario)


def begin(terms: Terms) -> Position[Tin]:
    return position_of(terms.scenario, terms.seats)


def position_of(raw: Mapping[str, Any], seats: Iterable[Seat]) -> Position[Tin]:
    if strange := sorted(set(raw) - {"soldiers", "steps", "hands", "pile", "round"}):
        raise WardogsError(f"setup: unknown key {strange[0]}")
    hands = {int(seat): tuple(hand) for seat, hand in raw.get("hands", {}).items()}
    sides = tuple(Side(seat, hands.get(seat, ())) for seat in seats)
    pile = tuple(raw.get("pile", DECK))
    t = Tin(msgspec.convert(raw["soldiers"], tuple[Soldier, ...]), sides, pile, round=raw.get("round", 1))
    steps = tuple(Step(name, tuple(tuple(a) if isinstance(a, list) else a for a in args)) for name, *args in raw["steps"])
    return Position(t, steps)


def stage(raw: Mapping[str, Any], options: Mapping[str, Any]) -> tuple[Terms, Position[Tin]]:
    setup = setup_of(dict(raw) or SKIRMISH, **options)
    terms = terms_of(setup)
    return terms, begin(terms)


def look(terms: Terms, table: Any, path: str) -> Any:
    first, _, rest = path.partition(".")
    found = table if not rest else table[int(first) if first.isdigit() else first]
    if not hasattr(found, rest or first):
        raise WardogsError(f"{path}: there is nothing of that name to look at")
    return getattr(found, rest or first)


def outcome(terms: Terms, t: Tin) -> Outcome | None:
    return Outcome(NAMES[t.winner] if t.winner else None, t.reason, t.round) if t.reason else None


def settle(terms: Terms, t: Tin, gone: tuple[Seat, ...]) -> Outcome | None:
    left = [seat for seat in t.seats_alive if seat not in gone]
    if len(left) > 1:
        return None
    return Outcome(NAMES[left[0]], "resigned", t.round) if left else Outcome(None, "agreed_draw", t.round)


def fact(name: str) -> Any:
    facts = {"deck": len(DECK), "wounds": WOUNDS}
    if name not in facts:
        raise WardogsError(f"{name}: no such fact")
    return facts[name]


def scores(seen: Seen) -> list[float]:
    assert seen.ask is not None
    return [1.0 if choice["verb"] == "fire" else 0.25 for choice in seen.ask.playable]


NAMES = {1: "Red", 2: "Blue", 3: "Green"}
COLOURS = {1: "red", 2: "blue", 3: "green"}

TINY = System(
    key="tiny",
    title="Tin Soldiers",
    blurb="for tests",
    seats=(2, 3),
    folder=Path(__file__).parent,
    rules=RULES,
    register=REGISTER,
    options=Options,
    words=WORDS,
    scenarios={"skirmish": SKIRMISH},
    plan=lambda wanted: setup_of(SKIRMISH) if isinstance(wanted, Wanted) else None,  # type: ignore[arg-type, return-value]
    terms=terms_of,
    begin=begin,
    names=lambda setup: {seat: NAMES[seat] for seat in setup.seats},
    briefing=lambda terms, seat: f"You are seat {seat}.",
    outcome=outcome,
    settle=settle,
    view=view,
    imagine=imagine,
    scores=scores,
    preview=lambda seen, choice: f"to {choice['verb']}",
    scene=draw,
    board=board,
    reckon=lambda seen, choice: Reckoned(f"to {choice['verb']}"),
    odds_tables={},
    stage=stage,
    look=look,
    fact=fact,
)


# ---- ways to play it -------------------------------------------------------------------------------------------------


def setup_of(scenario: dict[str, Any] = SKIRMISH, **options: Any) -> Setup:
    return Setup(scenario, options, (1, 2, 3))


def scene(steps: list[list[Any]], *soldiers: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A scenario of a few soldiers that begins where a test wants it to; `a` is Red's, `b` Blue's, `c` Green's."""
    stock = {"a": {"side": 1, "x": 0}, "b": {"side": 2, "x": 6}, "c": {"side": 3, "x": 12}}
    return {"soldiers": [{**stock[s["id"][0]], **s} for s in soldiers], "steps": steps, **more}


def game(
    scenario: dict[str, Any], faces: Iterable[Any] | Fate = (), policy: Policy | None = None, **options: Any
) -> Game[Any, Any]:
    """A game of Tin Soldiers, advanced to its first question."""
    fate = faces if hasattr(faces, "index") and not isinstance(faces, list | tuple) else Scripted(faces)
    played = TINY.game(setup_of(scenario, **options), fate, policy)
    played.advance()
    return played


def begun(scenario: dict[str, Any] = SKIRMISH, seed: bytes | None = SEED, sink: Sink | None = None, **options: Any) -> Match:
    players = {1: "person", 2: "person", 3: "bot"}
    return Match.start(TINY, setup_of(scenario, **options), players, seed, ENTROPY, UMPIRE, sink)


def play_on(match: Match, most: int = 1000) -> Match:
    """Bots that need no memory: the choice depends on the number of the entry alone, so a resumed game plays alike."""
    for _ in range(most):
        if match.over:
            return match
        n = len(match.record.entries)
        if match.game.waiting:
            seat = match.game.waiting[0]
            ask = match.seen(seat).ask
            assert ask is not None
            match.answer(seat, ask.nth_playable(n * 7 % ask.playable_size))
        else:
            faces = match.game.question.faces  # type: ignore[union-attr]
            match.enter(faces[n * 5 % len(faces)])
    return match


def forged(record: Record, n: int, **changes: Any) -> Record:
    """The record with one entry changed and every hash made good again: a liar who knows the format."""
    return chained_anew([replace(entry, **changes) if entry.n == n else entry for entry in record.entries])


def chained_anew(entries: Iterable[Entry]) -> Record:
    record = Record([])
    for n, entry in enumerate(entries):
        record.entries.append(chained(replace(entry, n=n), record.hash if n else ""))
    return record


def written(path: Path, record: Record) -> Path:
    """On disk, as a RecordFile would have written it entry by entry, but without waiting for the disk each time."""
    path.write_bytes(b"".join(msgspec.json.encode(entry) + b"\n" for entry in record.entries))
    return path


def played(scenario: dict[str, Any] = SKIRMISH, seed: bytes | None = SEED, **options: Any) -> Match:
    """A whole game."""
    return play_on(begun(scenario, seed, **options))


# ---- the toy box -----------------------------------------------------------------------------------------------------


class Box(Struct, frozen=True):
    n: int = 0
    log: tuple[Any, ...] = ()

    def edited(self, who: Any, fields: Mapping[str, Any]) -> Box:
        return replace(self, **fields)


TOY, TOY2 = "TIN-TOY-01", "TIN-TOY-02"
SURE = yes_no("sure", TOY)


def book(*paragraphs: Paragraph) -> Rules:
    return Rules("toys", {paragraph.__name__: paragraph for paragraph in paragraphs}, REGISTER.ids, Box)


def toy(
    *paragraphs: Paragraph, fate: Fate | None = None, policy: Policy | None = None, args: tuple[Any, ...] = ()
) -> Game[Box, Any]:
    """A game whose agenda is the first of these paragraphs. Not advanced yet."""
    start = Position(Box(), (Step(paragraphs[0].__name__, args),))
    return Game(book(*paragraphs), None, start, fate or Scripted(), policy)


def roll_then_ask(g: Game[Box, Any]) -> None:
    face = g.roll(TOY, D6, as_is(D6))
    if g.ask(TOY2, 1, SURE)["yes"]:
        g.change(n=face)


def by_heart(game: Game[Any, Any], seat: int, ask: Ask) -> Any:
    return ask.nth_playable((seat + len(game.inputs) + len(game.agenda)) % ask.playable_size)


def always(choice: Choice) -> Policy:
    return lambda game, seat, ask: choice


def facts(reports: Iterable[Any]) -> list[str]:
    return [report.fact for report in reports]
