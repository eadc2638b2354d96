"""Properties of any dogfight, whatever is chosen, undone or saved: hypothesis looks for the game that breaks one."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from wardogs.kernel.fate import seed_from
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Question, Refused
from wardogs.kernel.record import Record
from wardogs.kernel.replay import rebuild
from wardogs.kernel.system import Wanted
from wardogs.systems import load_system
from wardogs.systems.dawgs.data import SPECIALS, TOP_SPEED
from wardogs.systems.dawgs.state import Air

DAWGS = load_system("dawgs")
FLAGS = ["opt_damaging", "opt_not_round", "opt_constant_altitude", "opt_redraw_special", "opt_delayed_respawn"]
switches = st.fixed_dictionaries(
    {
        "round_limit": st.integers(1, 6),
        "opt_continuous_fire": st.booleans(),
        "overflow_hits": st.sampled_from(["stay", "destroyed"]),
        "redraw_choice": st.sampled_from(["must", "may"]),
        "vertex_increment": st.sampled_from(["line", "zigzag"]),
        "fire_declaration": st.sampled_from(["simultaneous", "seat_order"]),
        "check_victory": st.sampled_from(["end_of_round", "immediate"]),
        **{flag: st.booleans() for flag in FLAGS},
    }
)


class Dogfight(RuleBasedStateMachine):
    match: Match

    @initialize(seats=st.integers(2, 8), options=switches, seed=st.integers(0, 10**6))
    def begin(self, seats: int, options: dict[str, Any], seed: int) -> None:
        setup = DAWGS.plan(Wanted(None, seats, None, (options,)))
        self.match = Match.start(DAWGS, setup, {}, seed_from(seed))

    def going_on(self) -> bool:
        return not self.match.over

    @precondition(going_on)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        question = self.match.game.question
        assert isinstance(question, Question)
        seat = data.draw(st.sampled_from(sorted(question.asks)))
        offer = data.draw(st.sampled_from(question.asks[seat].offers))
        self.match.answer(seat, offer.pick(data.draw(st.integers(0, offer.size - 1))))

    @precondition(going_on)
    @rule()
    def silence(self) -> None:
        for seat in self.match.game.waiting:
            question = self.match.game.question
            assert isinstance(question, Question)
            self.match.answer(seat, question.asks[seat].default)

    @precondition(going_on)
    @rule(seat=st.integers(1, 8), agreed=st.booleans())
    def undo(self, seat: int, agreed: bool) -> None:
        with suppress(Refused):
            self.match.undo(seat, self.match.header.setup.seats if agreed else ())

    @precondition(going_on)
    @rule()
    def save_and_load(self) -> None:
        position = self.match.game.position
        self.match.stand_at(DAWGS.load(DAWGS.save(position)))
        assert self.match.game.position == position

    def is_over(self) -> bool:
        return self.match.over

    @precondition(is_over)
    @rule(seat=st.integers(1, 8))
    def nothing_more_can_be_done(self, seat: int) -> None:
        with suppress(Refused):
            self.match.answer(seat, {"verb": "concede"})
        with suppress(Refused):
            self.match.undo(seat, self.match.header.setup.seats)
        assert self.match.record.entries[-1].kind == "end"

    @invariant()
    def planes_are_possible(self) -> None:
        air: Air = self.match.game.position.state
        for plane in air.planes:
            assert 0 <= plane.speed <= TOP_SPEED
            assert plane.damage is None or 0 <= plane.damage <= TOP_SPEED
            assert 0 <= plane.facing < 12
            if plane.flying and air.phase in ("place", "fire", "adjust", "breakup"):
                space = self.match.terms.space
                assert space.grid.on_map(plane.front)
                assert not space.touches_ground(plane.front, plane.facing)
            assert plane.cf_on is None or (plane.in_the_sky and air[plane.cf_on].in_the_sky)

    @invariant()
    def every_special_is_somewhere_once(self) -> None:
        air: Air = self.match.game.position.state
        held = [plane.special for plane in air.planes if plane.special is not None]
        assert sorted([*held, *air.pile, *air.discard]) == sorted(SPECIALS)

    @invariant()
    def somebody_is_asked_or_it_is_over(self) -> None:
        if self.match.over:
            assert self.match.outcome is not None
        else:
            assert self.match.game.waiting

    def teardown(self) -> None:
        """The record rebuilds the very game, undos and all."""
        if hasattr(self, "match"):
            again = rebuild(DAWGS, Record(list(self.match.record.entries)))
            assert again.record.hash == self.match.record.hash


Dogfight.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
TestDogfight = Dogfight.TestCase
