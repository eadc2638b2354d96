"""Through a man's eye: what the rules judge by is what is shown."""

from __future__ import annotations

from typing import Any

import pytest

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game
from wardogs.scene.board import Beheld, Eye
from wardogs.systems.dogs import SYSTEM
from wardogs.systems.dogs.eye import JUDGED
from wardogs.systems.dogs.seeing import looks
from wardogs.systems.dogs.state import Fight

MAN = {"id": "a", "side": 1, "list": "us_rangers", "at": [10, 10]}
OTHER = {"id": "b", "side": 2, "list": "taliban", "at": [10, 20], "facing": 180}
LOW = {"id": "w", "line": [5, 19, 15, 19], "height": 0.6, "material": "brick"}
TABLES: dict[str, dict[str, Any]] = {
    "bare": {},
    "a low wall": {"wall": [LOW]},
    "a high wall": {"wall": [{**LOW, "height": 3}]},
    "a wood": {"area": [{"kind": "woods", "rect": [5, 14, 15, 16]}]},
    "a house": {
        "building": [
            {
                "id": "h", "rect": [5, 14, 15, 18], "levels": 1, "material": "brick",
                "openings": [{"id": "o", "kind": "window", "at": [10, 14], "width": 2}],
            }
        ]
    },
}  # fmt: skip


def fight(*models: dict[str, Any], **table: Any) -> Fight:
    terms, position = SYSTEM.stage({"models": list(models), **table}, {})
    return Game(SYSTEM.rules, terms, position, Fast(0))


def eye(g: Fight, who: str = "a", seat: int | None = 1) -> Eye:
    assert SYSTEM.eye is not None
    found: Eye = SYSTEM.eye(g.terms, SYSTEM.view(g, seat), who)
    return found


def seen(*models: dict[str, Any], **table: Any) -> Beheld:
    return next(other for other in eye(fight(*models, **table)).others if other.id == "b")


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("stance", ["standing", "prone"])
def test_every_point_is_judged_as_the_rules_judge_it(name: str, stance: str) -> None:
    g = fight(MAN, {**OTHER, "stance": stance}, map=TABLES[name])
    (other,) = eye(g).others
    look = looks(g, g.state["a"], g.state["b"])
    parts, _, states, _ = look.samples
    assert [probe.seen for probe in other.probes] == [JUDGED[state] for state in states]
    body = [probe for probe in other.probes if probe.part != "base"]
    assert sum(probe.seen in ("clear", "thin") for probe in body) / len(body) == look.visible
    assert [part for part, _ in other.shares] == [part.replace("_", " ") for part, _, _ in parts]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bare", "sees all of him"),
        ("a low wall", "sees 64% of him: head, chest, stomach, abdomen and arms; legs behind brick"),
        ("a high wall", "sees nothing of him, behind brick"),
        ("a wood", "sees all of him, through woods"),
    ],
)
def test_it_is_told_in_words(name: str, text: str) -> None:
    assert seen(MAN, OTHER, map=TABLES[name]).text == text


def test_words_tell_what_else_is_in_the_way() -> None:
    assert seen({**MAN, "facing": 180}, OTHER).text == "sees all of him; outside his arc"
    assert seen(MAN, OTHER, {**OTHER, "id": "c", "at": [10, 15]}).text == "sees all of him; c stands between"
    assert seen(MAN, {**OTHER, "at": [10, 30]}, light="night").text == "sees all of him; too dark"


@pytest.mark.parametrize(("stance", "top"), [("standing", 1.2), ("prone", 0.3)])
def test_boxes_hold_the_points_of_the_body(stance: str, top: float) -> None:
    other = seen(MAN, {**OTHER, "stance": stance})
    assert max(high for _, _, _, high, _ in other.shape) == top
    for probe in other.probes:
        x, y, z = probe.at
        near = [box for box in other.shape if max(abs(x - box[0]), abs(y - box[1])) <= box[4] + 0.002 and box[2] <= z <= box[3]]
        assert near or probe.part == "base"


def test_an_opening_is_left_out_of_its_wall() -> None:
    walls = [solid for solid in eye(fight(MAN, OTHER, map=TABLES["a house"])).solids if solid.look == "wall"]
    before = [(wall.bottom, wall.top) for wall in walls if wall.outline[0][1] == wall.outline[1][1] == 14]
    middle = [
        (w.bottom, w.top) for w in walls if {p[1] for p in w.outline} == {14.0} and {p[0] for p in w.outline} == {9.0, 11.0}
    ]
    assert len(before) == 4
    assert middle == [(0.0, 0.6), (1.6, 2.0)]


def test_solids_are_where_the_map_has_them() -> None:
    table = {
        "area": [{"kind": "woods", "rect": [5, 14, 15, 16]}],
        "hill": [{"circle": [30, 30, 4], "height": 1.5}],
        "slope": [{"rect": [20, 4, 28, 8], "height": 2, "up": "E"}],
    }
    found = eye(fight(MAN, OTHER, map=table)).solids
    (wood,) = (solid for solid in found if solid.look == "woods")
    assert set(wood.outline) == {(5.0, 14.0), (15.0, 14.0), (15.0, 16.0), (5.0, 16.0)}
    assert wood.clear
    (hill,) = (solid for solid in found if solid.top == 1.5)
    assert all(abs(((x - 30) ** 2 + (y - 30) ** 2) ** 0.5 - 4) < 0.01 for x, y in hill.outline)
    steps = [solid for solid in found if min(x for x, _ in solid.outline) >= 20 and max(y for _, y in solid.outline) <= 8]
    assert [round(step.top, 3) for step in sorted(steps, key=lambda step: step.outline[0])] == [
        0.125, 0.375, 0.625, 0.875, 1.125, 1.375, 1.625, 1.875,
    ]  # fmt: skip


def test_smoke_and_vehicles_stand_about_too() -> None:
    g = fight(
        MAN, OTHER,
        vehicles=[{"id": "jeep", "kind": "humvee", "side": 1, "at": [30, 30, 0], "facing": 0, "sp": 6}],
        clouds=[{"kind": "smoke_grenade", "at": [20, 20, 0], "radius": 3, "turns_left": 2}],
    )  # fmt: skip
    looks_of = {solid.look: solid for solid in eye(g).solids}
    assert looks_of["smoke"].clear
    assert not looks_of["vehicle"].clear
    assert len(looks_of["vehicle"].outline) == 4


def test_the_dead_are_not_looked_at_and_do_not_look() -> None:
    g = fight(MAN, OTHER, {**OTHER, "id": "c", "at": [20, 20], "state": {"alive": False}})
    assert [other.id for other in eye(g).others] == ["b"]
    with pytest.raises(WardogsError, match="c"):
        eye(g, "c")


def test_what_a_seat_may_not_know_changes_nothing() -> None:
    plain, vest = (eye(fight(MAN, {**OTHER, "state": {"vest": n}})) for n in (0, 1))
    assert plain == vest
