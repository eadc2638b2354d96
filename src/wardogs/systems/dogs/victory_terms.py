"""What a scenario is fought for: places to hold, men to bring out or down, and what ends it before its last turn."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from wardogs.table.model import Circle, Side
from wardogs.table.units import Inches, Point

Ending: TypeAlias = Literal["hvt_off_table", "hvt_killed", "helicopter_gone"]


class Control(Struct, frozen=True, forbid_unknown_fields=True):
    """A place that is held at T5 by the side with more able models inside."""

    centre: Point
    radius: Inches
    per_turn_vp: int


class Score(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """DOW-GEN-17: a side's victory points. A model counts once, at the highest figure that applies; the leader's bonus is added.

    Out of action is: alive, not captured, incapacitated. The bonus is for a leader killed or captured.
    """

    kill_vp: int = 0
    captured_vp: int = 0
    out_of_action_at_end_vp: int = 0
    leader_bonus_vp: int = 0
    leader_killed_vp: int = 0
    hvt_off_table_vp: int = 0
    hvt_captured_on_table_vp: int = 0
    hvt_killed_vp: int = 0
    hvt_free_at_end_vp: int = 0
    crew_aboard_vp: int = 0
    soldier_aboard_vp: int = 0
    crew_killed_or_captured_vp: int = 0

    @property
    def speaks_of(self) -> set[str]:
        """What must be on the table for these figures to mean anything."""
        told = {name.split("_")[0] for name in self.__struct_fields__ if getattr(self, name)}
        return told & {"hvt", "crew"}


class End(Struct, frozen=True, forbid_unknown_fields=True):
    """What ends the game besides the last turn and DOW-GEN-08: at once, or when the turn is over."""

    when: Ending
    at: Literal["once", "T5"] = "T5"


class Victory(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True,
              rename={"scores": "score", "ends": "end"}):  # fmt: skip
    """DOW-GEN-08: the stated objectives; scores go by the side's id."""

    control: Control | None = None
    scores: dict[str, Score] = {}
    ends: tuple[End, ...] = ()


class Hvt(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The man they came for. He is free while alive, on the table and not captured; bleeding or not makes no difference."""

    by: str  # the side that wants him
    exit: Side  # the edge over which it leads or carries him
    jihad: bool = False  # may he have the perk?
    leaves_alone: bool = False  # without leave he stops at the edge, even broken


class Lift(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A helicopter with a timetable: it takes no slot, stands from the first T1 at which its place is clear, and flies home once.

    Models under the hull step the shortest way clear. Wrecked, it takes nobody, and play goes on.
    """

    side: str
    kind: str
    zone: Circle
    from_turn: int
    clear_inches: Inches  # it comes only while no able enemy is this near the middle of its zone
    last_turn: int  # it leaves at the end of this one
    facing: float = 0.0  # DOW-GEN-16
    leaves_when_all_aboard: bool = True
    door_guns: bool = False
