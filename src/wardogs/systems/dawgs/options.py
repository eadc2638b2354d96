"""House rules of Dawgs of War: one switch per variant of the register."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Whole = Annotated[int, Meta(ge=0)]


class Options(Struct, frozen=True, kw_only=True):
    """DAW-OPT-01: every switch may be mixed with every other; the defaults are the game as written."""

    use_specials: bool = True  # DAW-SET-03
    team_cards_open: bool = False  # DAW-CMP-06
    board: Literal["reference"] = "reference"  # DAW-BRD-02
    footprint: Literal["standard", "front_only"] = "standard"  # DAW-PLN-03
    vertex_increment: Literal["line", "zigzag"] = "line"  # DAW-MOV-03
    corner: Literal["vertical_first", "side_first"] = "vertical_first"  # DAW-MOV-07
    top_stop: Literal["partial", "no_move"] = "partial"  # DAW-OFF-08
    respawn_clear: Literal["respawners", "all", "none"] = "respawners"  # DAW-OFF-07
    cone: Literal["increments", "hexes"] = "increments"  # DAW-FIR-04
    cone_target: Literal["any_part", "front_hex"] = "any_part"  # DAW-FIR-05
    fire_declaration: Literal["simultaneous", "seat_order"] = "simultaneous"  # DAW-FIR-11
    overflow_hits: Literal["stay", "destroyed"] = "stay"  # DAW-DMG-04
    speed_order: Literal["document", "level_first"] = "document"  # DAW-SPD-07
    breakup_match: Literal["at_least", "exact"] = "at_least"  # DAW-BRK-03
    check_victory: Literal["end_of_round", "immediate"] = "end_of_round"  # DAW-VIC-04
    round_limit: Whole = 0  # DAW-VIC-08; 0: none
    opt_damaging: bool = False  # DAW-OPT-02
    opt_not_round: bool = False  # DAW-OPT-03
    opt_constant_altitude: bool = False  # DAW-OPT-04
    opt_redraw_special: bool = False  # DAW-OPT-05
    redraw_choice: Literal["must", "may"] = "must"  # DAW-OPT-05
    opt_delayed_respawn: bool = False  # DAW-OPT-06
    opt_continuous_fire: bool = False  # DAW-CFT-01
    cf_bonus: Literal["any", "own"] = "any"  # DAW-CFT-02
