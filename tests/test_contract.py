"""The contract: what every system must keep, at every question of random games with random options."""

from __future__ import annotations

import os
import random
from typing import Any

import msgspec
import pytest

from tests.kernel.rehearsal import Rehearsed
from tests.systems.dawgs import worlds as dawgs
from tests.systems.dogs import worlds as dogs
from wardogs.bots.random import Random
from wardogs.kernel.fate import Fast, seed_from
from wardogs.kernel.game import Game
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Ask, Choice, Question, Refused
from wardogs.kernel.replay import verify
from wardogs.kernel.system import System, Wanted
from wardogs.scene.svg import svg
from wardogs.systems import KEYS, load_system

GAMES = {"dawgs": 200, "dogs": int(os.environ.get("WARDOGS_CONTRACT", "24"))}  # dogs: all 200 with make contract
BATCHES = 12
AHEAD = 30  # paragraphs that a copy plays on
WORLDS = {"dawgs": dawgs, "dogs": dogs}


def random_switches(system: System, rng: random.Random) -> dict[str, Any]:
    """Three in ten switches thrown at random."""
    switches: dict[str, Any] = {}
    for field in msgspec.inspect.type_info(system.options).fields:
        if rng.random() < 0.3:
            match field.type:
                case msgspec.inspect.LiteralType(values=values):
                    switches[field.name] = rng.choice(list(values))
                case msgspec.inspect.BoolType():
                    switches[field.name] = rng.random() < 0.7
    return switches


def random_setup(system: System, rng: random.Random) -> Any:
    return WORLDS[system.key].random_setup(system, random_switches(system, rng), rng)


def random_choice(ask: Ask, rng: random.Random) -> Choice:
    if rng.random() < 0.003 and (ends := [offer for offer in ask.offers if offer.gives_up]):
        return ends[0].pick(0)
    return ask.drawn(rng.random)


def spoiled(choice: Choice, rng: random.Random) -> Any:
    """A choice that no offer admits."""
    ways = [{**choice, "verb": "dance"}, {**choice, "extra": 1}, {"verb": choice["verb"], "nothing": 0}, "pass", {}]
    for field in choice:
        if field != "verb":
            ways += [{**choice, field: value} for value in (99, -1, "XX", None, True, [1])]
            ways.append({key: value for key, value in choice.items() if key != field})
    return rng.choice(ways)


def outputs(system: System, game: Game[Any, Any], seat: int | None, draw: bool) -> list[bytes]:
    """Everything that leaves the table for a seat."""
    ask = game.question.asks.get(seat) if isinstance(game.question, Question) and seat is not None else None
    seen = system.seen(game, seat, ask)
    said = [msgspec.json.encode(seen.view), msgspec.json.encode(seen.waiting)]
    if draw:  # a scene is drawn from the view alone: equal views, equal pictures
        scene = system.scene(game.terms, seen.view)
        said += [scene.text.encode(), svg(scene).encode()]
    if ask is not None:
        said += [msgspec.json.encode(tuple(ask.offers)), msgspec.json.encode(ask.default)]
        said += [system.preview(seen, offer.pick(0)).encode() for offer in ask.open_offers[:3] if offer.size]
        said.append(msgspec.json.encode(ask.barred() if ask.barred else ()))
    return said


def check_copy(game: Game[Any, Any], rng: random.Random) -> None:
    before, question = game.position, game.question
    twin = game.copy(Fast(rng.random()), Random(str(rng.random())).policy)
    twin.question = None
    for _ in range(AHEAD):
        if twin.agenda:
            twin.step()
    assert game.position == before
    assert game.question is question


def check_offers(match: Match, rng: random.Random) -> None:
    before, entries = match.game.position, len(match.record.entries)
    for seat, ask in match.game.question.asks.items():
        for offer in rng.sample(ask.offers, min(len(ask.offers), 4)):
            sample = offer.pick(rng.randrange(offer.size)) if offer.size else ask.default
            assert offer.admits(sample) or not offer.size
            assert ask.refusal(sample) is None
        assert ask.refusal(ask.default) is None
        bad = spoiled(random_choice(ask, rng), rng)
        if ask.refusal(bad) is None:
            assert ask.offer_of(bad) is not None
        else:
            with pytest.raises(Refused) as refused:
                match.answer(seat, bad)
            assert refused.value.refusal.rule in match.system.register.ids
    assert match.game.position == before
    assert len(match.record.entries) == entries


def check_worlds(system: System, game: Game[Any, Any], rng: random.Random, draw: bool) -> None:
    """Two worlds that differ only in what a seat may not know give it byte-identical output."""
    seat = rng.choice([*game.question.asks, None])
    other = other_game(system, game, seat, rng)
    assert outputs(system, game, seat, draw) == outputs(system, other, seat, draw)


def other_game(system: System, game: Game[Any, Any], seat: int | None, rng: random.Random) -> Game[Any, Any]:
    position = WORLDS[system.key].other_world(game.terms, game.position, seat, rng)
    other: Game[Any, Any] = Game(system.rules, game.terms, position, Fast(0))
    other.advance()
    asks = other.question.asks
    mine = {seat} | {s for s in game.answers if seat is not None and s in system.view(game, seat).commitments}
    other.answers = {s: game.answers[s] if s in mine else random_choice(asks[s], rng) for s in game.answers}
    return other


def play_with_checks(system: System, number: int) -> None:
    rng = random.Random(number)
    setup = random_setup(system, rng)
    players = dict.fromkeys(setup.seats, "random")
    straight = Match.start(system, setup, players, seed_from(number))
    stopped = Match.start(system, setup, players, seed_from(number))
    while not straight.over:
        check_copy(straight.game, rng)
        check_offers(straight, rng)
        check_worlds(system, straight.game, rng, draw=rng.random() < 0.1)
        saved = system.save(stopped.game.position)
        assert system.load(saved) == stopped.game.position
        assert system.save(system.load(saved)) == saved  # the very bytes: 94 and 94.0 are equal, and yet two things to tell
        stopped.stand_at(system.load(saved))
        seat = rng.choice(straight.game.waiting)
        choice = random_choice(straight.game.question.asks[seat], rng)
        straight.answer(seat, choice)
        stopped.answer(seat, choice)
    assert stopped.record.hash == straight.record.hash
    assert verify(system, straight.record) == straight.rolls


def rehearse(system: System, number: int) -> None:
    """Every step played twice from the same inputs is equal."""
    rng = random.Random(number)
    setup = random_setup(system, rng)
    terms = system.terms(setup)
    game = Rehearsed(system.rules, terms, system.begin(terms), Fast(number), Random(str(number)).policy)
    game.advance()
    assert not game.agenda


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("key", KEYS)
def test_contract(key: str, batch: int) -> None:
    system = load_system(key)
    for number in range(batch, GAMES[key], BATCHES):
        play_with_checks(system, number)
        rehearse(system, number)


def test_a_whole_game_in_two_worlds_sounds_the_same() -> None:
    """Seats 2 and 3 hold each other's special and never play it: seat 1 and a spectator hear the same game."""
    system = load_system("dawgs")
    for number in range(20):
        setup = system.plan(Wanted(None, 4, None, ({"round_limit": 6},)))
        one = Match.start(system, setup, {}, seed_from(number))
        other = Match.start(system, setup, {}, seed_from(number))
        cards = {seat: one.game.position.state[seat].special for seat in (2, 3)}
        other.stand_at(swapped(other.game.position, cards))
        rng = random.Random(number)
        while not one.over:
            for seat in one.game.waiting:
                plain = [c for c in one.game.question.asks[seat].playable if c.get("other") not in cards.values()]
                choice = rng.choice(plain)
                one.answer(seat, choice)
                other.answer(seat, choice)
        for listener in (1, 4, None):
            heard = [[said for _, report, said in m.record.sentences(listener)] for m in (one, other)]
            heard = [[line for line in lines if "discarded" not in line] for lines in heard]
            assert heard[0] == heard[1]


def swapped(position: Any, cards: dict[int, str]) -> Any:
    air = position.state.edited(2, {"special": cards[3]}).edited(3, {"special": cards[2]})
    return msgspec.structs.replace(position, state=air)
