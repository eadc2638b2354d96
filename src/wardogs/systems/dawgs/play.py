"""The sequence of play: set-up, then round after round until the game is over."""

from __future__ import annotations

from wardogs.kernel.game import Step
from wardogs.systems.dawgs import breakup, cards, firing, moving, setting_up, speed, turning, wounds
from wardogs.systems.dawgs.setting_up import choose_sides, deal_specials, find_heights, roll_sides
from wardogs.systems.dawgs.state import Flight
from wardogs.systems.dawgs.victory import cut_off, end, end_if_decided


def set_up(g: Flight) -> None:
    """DAW-SET-02, -05, -12: planes, cards and counters are issued; deal, find sides and heights; then round 1 starts."""
    g.then(deal_specials)
    g.then(choose_sides if g.terms.scenario.mode == "teams" else roll_sides)
    g.then(find_heights)
    g.then(play_round)


def play_round(g: Flight) -> None:
    """DAW-RND-01, -02: every phase is completed by everybody before the next starts."""
    g.change(phase="place")
    g.then_all(ROUND_STEPS)


def check_for_victory(g: Flight) -> None:
    """DAW-VIC-04, -05, DAW-CRD-07: only now, after breakup; nobody has won, so the cards return and a new round begins."""
    g.change(phase="victory")
    if end_if_decided(g, completed=True):
        return
    limit = cut_off(g)
    if limit is not None:
        end(g, limit)
        return
    cards.cards_return(g)
    g.change(round=g.state.round + 1)
    g.report("DAW-RND-02", "new_round", round=g.state.round)
    g.then(play_round)


ROUND = (
    cards.place_cards,
    cards.reveal,
    turning.change_orientation,
    firing.snap_window,
    moving.move,
    moving.ground_check,
    firing.fire,
    wounds.apply_damage,
    firing.place_tokens,
    speed.adjust_speed,
    breakup.roll_for_breakup,
    check_for_victory,
)

ROUND_STEPS = tuple(Step(phase.__name__) for phase in ROUND)

PARAGRAPHS = (
    set_up,
    deal_specials,
    choose_sides,
    setting_up.choose_side,
    roll_sides,
    find_heights,
    setting_up.roll_heights,
    play_round,
    *ROUND,
    moving.fly,
    moving.settle_leavers,
    moving.leave,
    moving.bring_back,
    moving.come_back,
    moving.skid_turns,
    firing.declare_fire,
    firing.fire_in_turn,
    firing.shot,
    breakup.breakup_roll,
    breakup.break_up,
)
