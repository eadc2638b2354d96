"""Edits turn the old view into the new one, and say nothing of what has not changed."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.server.plug import applied
from tests.test_contract import random_setup
from wardogs.kernel.fate import seed_from
from wardogs.kernel.match import Match
from wardogs.server.patch import edits
from wardogs.systems import KEYS, load_system


class Inner(msgspec.Struct, frozen=True):
    a: int
    b: tuple[int, ...] = ()


class Outer(msgspec.Struct, frozen=True):
    one: Inner
    many: tuple[Inner, ...]
    named: dict[int, str]


OLD = Outer(Inner(1, (1, 2)), (Inner(1), Inner(2)), {1: "x"})


@pytest.mark.parametrize(
    ("new", "told"),
    [
        (OLD, []),
        (Outer(Inner(1, (1, 2)), (Inner(1), Inner(2)), {1: "x"}), []),
        (msgspec.structs.replace(OLD, one=Inner(2, (1, 2))), [(("one", "a"), 2)]),
        (msgspec.structs.replace(OLD, one=Inner(1, (1, 3))), [(("one", "b"), (1, 3))]),
        (msgspec.structs.replace(OLD, many=(Inner(1), Inner(3))), [(("many", 1, "a"), 3)]),
        (msgspec.structs.replace(OLD, many=(Inner(1),)), [(("many",), (Inner(1),))]),
        (msgspec.structs.replace(OLD, named={1: "y"}), [(("named", 1), "y")]),
        (msgspec.structs.replace(OLD, named={2: "y"}), [(("named",), {2: "y"})]),
        (7, [((), 7)]),
    ],
)
def test_only_what_has_changed_is_told(new: object, told: object) -> None:
    assert edits(OLD, new) == told


@pytest.mark.parametrize("key", KEYS)
def test_a_client_that_applies_the_edits_sees_what_the_server_sees(key: str) -> None:
    system, rng = load_system(key), random.Random(5)
    for number in range(3):
        match = Match.start(system, random_setup(system, rng), {}, seed_from(number))
        seats = [*match.header.setup.seats, None]
        views = {seat: system.view(match.game, seat) for seat in seats}
        shown = {seat: msgspec.json.decode(msgspec.json.encode(view)) for seat, view in views.items()}
        while not match.over:
            seat = rng.choice(match.game.waiting)
            match.answer(seat, match.game.question.asks[seat].drawn(rng.random))
            for who in seats:
                new = system.view(match.game, who)
                sent = msgspec.json.decode(msgspec.json.encode(edits(views[who], new)))
                shown[who], views[who] = applied(shown[who], sent), new
                assert shown[who] == msgspec.json.decode(msgspec.json.encode(new))
