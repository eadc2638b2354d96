"""A match leaves nothing behind that only a look for garbage would find: where many games are kept, nobody looks."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest

from wardogs.kernel.fate import seed_from
from wardogs.kernel.game import Game
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Question, Refused
from wardogs.kernel.system import Wanted
from wardogs.systems import KEYS, load_system

UMPIRE = 0


@pytest.fixture(autouse=True)
def unlooked() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def games() -> int:
    return sum(type(one) is Game for one in gc.get_objects())


def choose(match: Match) -> None:
    question = match.game.question
    assert isinstance(question, Question)
    seat = match.game.waiting[0]
    match.answer(seat, question.asks[seat].default)


def refuse(match: Match) -> None:
    with pytest.raises(Refused):
        match.answer(match.game.waiting[0], {"verb": "dance"})


def undo(match: Match) -> None:
    seat = match.game.waiting[0]
    choose(match)
    assert match.undo(seat, match.header.setup.seats) == ()


def rewind(match: Match) -> None:
    before = match.record.next - 1
    choose(match)
    match.rewind(UMPIRE, before, "so")


def ruled(match: Match) -> None:
    match.rule(UMPIRE, "so", [])


def misruled(match: Match) -> None:
    with pytest.raises(Refused):
        match.rule(UMPIRE, "so", [("nobody", "x", 1)])


def unwritten(match: Match) -> None:
    class Full:
        def write(self, *_: object) -> None:
            raise OSError("the disk is full")

    match.sink = Full()
    with pytest.raises(OSError, match="the disk is full"):
        choose(match)
    match.sink = None


@pytest.mark.parametrize("system", KEYS)
@pytest.mark.parametrize("deed", [choose, refuse, undo, rewind, ruled, misruled, unwritten])
def test_only_the_game_that_stands_is_left(system: str, deed: Callable[[Match], None]) -> None:
    book = load_system(system)
    setup = book.plan(Wanted())
    match = Match.start(book, setup, dict.fromkeys(setup.seats, "person"), seed_from(1), umpire=UMPIRE)
    for _ in range(2):
        deed(match)
        choose(match)
    before = games()
    for _ in range(4):
        deed(match)
        choose(match)
    assert games() <= before + 1  # what is asked may still hold on to the game before a refusal
