"""Figures that stand in the texts of the rules, beside the charts of data.py."""

from __future__ import annotations

from msgspec import Struct

from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.data import load


class Moves(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    stairs_inches: float
    storey: float
    flight: float
    prone_height: float
    least: float
    low_wall: float
    fall: float
    mine_reach: float
    source: Source


MOVES = load("moves.toml", "moves", Moves)
