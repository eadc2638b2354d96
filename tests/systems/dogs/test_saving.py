"""A position with every kind of change to its table comes back as it was."""

from __future__ import annotations

from msgspec.structs import replace

from wardogs.systems import load_system
from wardogs.systems.dogs.state import Change

DOGS = load_system("dogs")
CHANGES: tuple[Change, ...] = (
    ("opening", "H1/0", "open", 0),
    ("breach", "H1", (7.175, 19.65), 1.5, 0),
    ("collapse", "H1", 1),
    ("remove", "truck"),
    ("area", "rubble", (10.0, 12.5, 2.0)),
)


def test_a_changed_table_comes_back() -> None:
    _, position = DOGS.stage({"models": [{"id": "a", "side": 1, "at": [10, 10]}, {"id": "b", "side": 2, "at": [10, 30]}]}, {})
    position = replace(position, state=replace(position.state, changes=CHANGES))
    loaded = DOGS.load(DOGS.save(position))
    assert loaded == position
    assert hash(loaded.state) == hash(position.state)
