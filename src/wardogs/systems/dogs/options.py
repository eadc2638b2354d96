"""House rules of Dogs of War: one switch per variant of the register."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Whole = Annotated[int, Meta(ge=0)]


class Options(Struct, frozen=True, kw_only=True):
    """Every switch may be mixed with every other; the defaults are the game as ruled."""

    all_broken_loses: bool = True  # DOW-GEN-08
    naturals_in_cq: bool = True  # DOW-GEN-03
    naturals_for_grenades: bool = True  # DOW-GEN-03
    wk_lockout: Literal["activation_end", "first_other_action"] = "activation_end"  # DOW-ABL-05
    vest_covers_abdomen: bool = False  # DOW-ABL-12
    initiative_cc: Literal["best", "commander_only"] = "best"  # DOW-SEQ-04
    rubble_run_cost: Literal[5, 3] = 5  # DOW-MOV-10
    jump_cost: Literal["text", "column"] = "text"  # DOW-MOV-14
    jump_test: bool = False  # DOW-MOV-15
    move_fire: Literal["activation", "interleaved"] = "activation"  # DOW-MOV-19
    target_move_memory: Literal["next_activation", "turn_end", "only_while_moving"] = "next_activation"  # DOW-MOV-19
    opfire_grenades: bool = True  # DOW-OPF-03
    opfire_single_attack: bool = False  # DOW-OPF-04
    opfire_expiry: Literal["next_activation", "turn_end"] = "next_activation"  # DOW-OPF-07
    cohesion: Literal["leader", "chain"] = "leader"  # DOW-COM-01
    cc_los: Literal["and", "or"] = "and"  # DOW-COM-02
    courage_is_morale: bool = False  # DOW-COM-06
    strict_unknown: bool = False  # DOW-COM-08
    los_half: Literal["ge", "gt"] = "ge"  # DOW-LOS-04
    thin_depth: Whole = 4  # DOW-LOS-17; inches
    priority_ground: bool = False  # DOW-RNG-05
    premeasure: bool = False  # DOW-RNG-06
    aimed_auto: bool = False  # DOW-MOD-01
    spotter_pays: Literal["spotter", "shooter"] = "spotter"  # DOW-MOD-03
    nvg_figures: Literal["per_team", "table"] = "per_team"  # DOW-MOD-14
    fa_allocation: Literal["even", "choice", "full_each"] = "even"  # DOW-HIT-05
    cover_each: bool = False  # DOW-COV-05
    armor_in_cq: bool = False  # DOW-ARM-04
    sfg_helmet: Literal[5, 2] = 5  # DOW-ARM-05
    right_arm: Literal["printed_plus_useless", "mirror_left", "printed"] = "printed_plus_useless"  # DOW-DMG-07
    near_miss: Literal["pass_or_duck", "choice", "rout"] = "pass_or_duck"  # DOW-DMG-10
    ima_bleeds: bool = False  # DOW-HLT-05
    survivability_strict: bool = False  # DOW-HLT-06
    bleed_timing: Literal["split", "turn_start", "activation_end"] = "split"  # DOW-HLT-07
    wake_now: bool = False  # DOW-HLT-13
    quick_casualties: bool = False  # DOW-HLT-16
    bandage_per_wound: bool = False  # DOW-AID-03
    carry_team_only: bool = False  # DOW-CAR-01
    cq_formula: Literal["attacker_minus_defender", "printed_summary"] = "attacker_minus_defender"  # DOW-CQC-01
    charge_all_attacks: bool = False  # DOW-CQC-07
    aoo_ranged: bool = False  # DOW-CQC-17
    ko_nonlethal: bool = False  # DOW-KNO-06
    grenade_full_mods: bool = False  # DOW-GRN-05
    opening_difficult_from: Literal[2, 5] = 2  # DOW-GRN-07
    frag_autokill: bool = False  # DOW-BLS-06
    concussion: bool = True  # DOW-BLS-09
    collapse_hits_all: bool = False  # DOW-STR-07
    team_check_every_turn: bool = False  # DOW-MOR-04
    shellshock_timing: Literal["immediate", "end_of_turn"] = "immediate"  # DOW-MOR-05
    surrender_only_if_trapped: bool = False  # DOW-MOR-09
    fuse_fixed: bool = False  # DOW-EXP-04
    c4_multi: Literal["text", "chart"] = "text"  # DOW-EXP-07
    c4_table: Literal["per_team", "army", "elite"] = "per_team"  # DOW-EXP-08
    vests_hidden: bool = True  # DOW-EXP-14
    expert_firearms_only: bool = False  # DOW-TRT-01
    khat: Literal["permanent", "this_turn"] = "permanent"  # DOW-TRT-04
    khat_per_model: bool = False  # DOW-TRT-04
    elite_innates: bool = False  # DOW-TRT-20
    reconstructed_options: bool = True  # DOW-GEN-15
