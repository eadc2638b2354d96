"""Rosters of Dogs of War: read, costed, checked, told, and turned into soldiers."""

from __future__ import annotations

from wardogs.systems.dogs.roster_chat import TITLE, chat, read_chat, tidy
from wardogs.systems.dogs.roster_check import Violation, notes, team_faults, violations
from wardogs.systems.dogs.roster_issue import Carried, Soldier, soldiers, vest_wearers
from wardogs.systems.dogs.roster_model import (
    Buy,
    Line,
    Roster,
    Team,
    cost,
    roster_dict,
    roster_from,
    team_bill,
    team_cost,
    team_from,
)
from wardogs.systems.dogs.roster_words import bill, bill_text, catalogue, force, sentence, sheet

__all__ = [
    "TITLE", "Buy", "Carried", "Line", "Roster", "Soldier", "Team", "Violation", "bill", "bill_text", "catalogue", "chat", "cost",
    "force", "notes", "read_chat", "roster_dict", "roster_from", "sentence", "sheet", "soldiers", "team_bill", "team_cost",
    "team_faults", "team_from", "tidy", "vest_wearers", "violations",
]  # fmt: skip
