"""What a choice would bring is what the rules bring; and before one may measure, nothing of it tells the range."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game
from wardogs.kernel.odds import choosing, odds
from wardogs.kernel.system import Seen
from wardogs.scene.board import Reckoned
from wardogs.systems.dogs import SYSTEM
from wardogs.systems.dogs.attack_odds import attack_odds, staged
from wardogs.systems.dogs.shooting import attack_of
from wardogs.systems.dogs.state import Battle

RIFLE = {"id": "a", "side": 1, "list": "us_rangers", "at": [10, 10], "state": {"expert_left": False}}
TALIBAN = {"id": "b", "side": 2, "list": "taliban", "at": [10, 20], "facing": 180}
SECOND = {**TALIBAN, "id": "c", "at": [11.2, 19]}
GUNNER = {**RIFLE, "state": {"expert_left": False, "weapons": [{"id": "m249", "loaded": 200}], "in_hand": "m249"}}
SHOTGUN = {**RIFLE, "state": {"expert_left": False, "weapons": [{"id": "shotgun", "loaded": 5}], "in_hand": "shotgun"}}
WALL = {"wall": [{"id": "w", "line": [5, 19.2, 15, 19.2], "height": 0.6, "material": "brick"}]}
HIGH = {"wall": [{"id": "w", "line": [5, 15, 15, 15], "height": 3, "material": "brick"}]}
MEASURED = {"premeasure": True}
SHOT: dict[str, Any] = {
    "verb": "fire", "model": "a", "weapon": "m16a2", "mode": "SA", "target": "b", "aimed": False, "scope": False,
}  # fmt: skip
SCATTER: dict[str, Any] = {"verb": "scatter_shot", "model": "a", "weapon": "shotgun", "target": "b", "aimed": False}
LAUNCH: dict[str, Any] = {"verb": "launch", "model": "a", "weapon": "m203", "target": "b", "aimed": False}
THROW: dict[str, Any] = {"verb": "throw", "model": "a", "kind": "m67", "target": "b"}
BLOW: dict[str, Any] = {"verb": "blow", "model": "a", "weapon": "m16a2", "target": "b"}


def seen(*models: dict[str, Any], options: dict[str, Any] | None = None, **table: Any) -> Seen:
    terms, position = SYSTEM.stage({"models": list(models), **table}, options or {})
    return SYSTEM.seen(Game(SYSTEM.rules, terms, position, Fast(0)), 1, None)


def reckoned(choice: dict[str, Any], *models: dict[str, Any], **table: Any) -> Reckoned:
    found: Reckoned = SYSTEM.reckon(seen(*models, **table), choice)
    return found


def shares(found: Reckoned) -> dict[str, Fraction]:
    return {one.what: Fraction(one.exactly) for one in found.chances}


# ---- measured --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("men", "choice"),
    [
        ((RIFLE, TALIBAN), SHOT),
        ((RIFLE, TALIBAN), {**SHOT, "mode": "BU"}),
        ((RIFLE, {**TALIBAN, "stance": "prone"}), {**SHOT, "aimed": True}),
        ((GUNNER, TALIBAN, SECOND), {**SHOT, "weapon": "m249", "mode": "FA"}),
    ],
)
def test_the_chances_of_a_shot_are_those_of_the_rules(men: tuple[dict[str, Any], ...], choice: dict[str, Any]) -> None:
    asked = seen(*men, options=MEASURED, map=WALL)
    found = shares(SYSTEM.reckon(asked, choice))
    exact = attack_odds(asked.imagined(Fast(0)), attack_of(choice))
    prefixes = [f"{man.id}: " if len(exact) > 1 else "" for man in exact]
    assert found == {
        f"{prefix}{what}": getattr(man, what)
        for prefix, man in zip(prefixes, exact, strict=True)
        for what in ("hit", "down", "killed")
    }


@pytest.mark.parametrize(
    ("choice", "men"),
    [
        (SHOT, (RIFLE, {**TALIBAN, "at": [10, 40], "state": {"seen_moving": "run"}})),
        (SCATTER, (SHOTGUN, TALIBAN)),
        (LAUNCH, (RIFLE, TALIBAN)),
        (THROW, (RIFLE, TALIBAN)),
        (BLOW, (RIFLE, {**TALIBAN, "at": [10, 11.02], "stance": "prone"})),
    ],
)
def test_terms_add_up_to_what_is_needed_and_each_has_its_rule(choice: dict[str, Any], men: tuple[dict[str, Any], ...]) -> None:
    found = reckoned(choice, *men, options=MEASURED)
    assert found.total == f"needs {sum(term.value for term in found.terms)}"
    assert {term.rule for term in found.terms} <= SYSTEM.register.ids
    assert all(term.what and term.what == term.what.strip() for term in found.terms)
    assert all(0 <= Fraction(one.exactly) <= 1 and one.share == float(Fraction(one.exactly)) for one in found.chances)


@pytest.mark.parametrize("choice", [SHOT, SCATTER])
def test_nobody_is_killed_without_being_down_or_down_without_being_hit(choice: dict[str, Any]) -> None:
    found = shares(reckoned(choice, SHOTGUN if choice is SCATTER else RIFLE, TALIBAN, options=MEASURED))
    assert 0 < found["killed"] <= found["down"] <= found["hit"] < 1


def test_out_of_range_nothing_is_to_be_hoped_for() -> None:
    found = reckoned(SCATTER, SHOTGUN, {**TALIBAN, "at": [10, 40]}, options=MEASURED)
    assert (found.total, set(shares(found).values())) == ("out of range", {Fraction(0)})


def test_the_chances_of_a_blow_are_those_of_the_rules() -> None:
    men = (RIFLE, {**TALIBAN, "at": [10, 11.02]})
    game = staged(seen(*men).imagined(Fast(0)), "swing", ("a", "m16a2", "b", False))

    def read(battle: Battle) -> bool:
        return not battle["b"].alive

    assert shares(reckoned(BLOW, *men))["killed"] == odds(game, choosing({}), read).of[True]


def test_a_grenade_tells_who_would_be_caught_friend_or_foe() -> None:
    friend = {**RIFLE, "id": "d", "at": [8.5, 20]}
    found = shares(reckoned(THROW, RIFLE, TALIBAN, friend, options=MEASURED))
    assert found["on the mark"] == Fraction(6, 10)
    assert found["if on the mark, b: down"] > found["if on the mark, d: down"] > 0


# ---- before it is measured -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", [SHOT, {**SHOT, "mode": "BU"}, {**SHOT, "aimed": True}, LAUNCH, THROW, SCATTER])
@pytest.mark.parametrize("stance", ["standing", "prone"])
def test_two_ranges_that_need_the_same_cover_are_told_alike(choice: dict[str, Any], stance: str) -> None:
    """Other bands too: all are listed, whichever it is."""
    by = SHOTGUN if choice is SCATTER else RIFLE
    told = [
        replace(reckoned(choice, by, {**TALIBAN, "at": [10, far], "stance": stance}), marks=())
        for far in (13.2, 17.0, 20.9, 24.9)
    ]
    assert told[0].chances
    assert all(one == told[0] for one in told)


def test_measured_they_are_told_apart() -> None:
    near, far = (reckoned(SHOT, RIFLE, {**TALIBAN, "at": [10, y]}, options=MEASURED) for y in (13.2, 30))
    assert replace(near, marks=()) != replace(far, marks=())


@pytest.mark.parametrize(("far", "where"), [(14.0, 'to 12"'), (30.0, 'to 24"'), (44.0, 'beyond 24"')])
@pytest.mark.parametrize("mode", ["SA", "BU"])
def test_the_band_that_it_is_has_the_chances_of_the_rules(far: float, where: str, mode: str) -> None:
    men, choice = (RIFLE, {**TALIBAN, "at": [10, far]}), {**SHOT, "mode": mode}
    by_band, measured = shares(reckoned(choice, *men)), shares(reckoned(choice, *men, options=MEASURED))
    assert {what: by_band[f"{where}: {what}"] for what in measured} == measured


@pytest.mark.parametrize(("far", "where"), [(13.5, 'to 3"'), (15.0, 'to 12"')])
def test_a_man_who_lies_is_told_by_where_that_helps_him(far: float, where: str) -> None:
    men = (RIFLE, {**TALIBAN, "at": [10, far], "stance": "prone"})
    assert shares(reckoned(SHOT, *men))[f"{where}: hit"] == shares(reckoned(SHOT, *men, options=MEASURED))["hit"]


def test_terms_leave_the_range_out() -> None:
    found = reckoned(SHOT, RIFLE, {**TALIBAN, "at": [10, 40], "stance": "prone"})
    assert [term.rule for term in found.terms] == ["DOW-MOD-17"]
    assert found.total == "6 before the range"


# ---- marks, moves, and what is not reckoned --------------------------------------------------------------------------


def test_lines_of_sight_are_drawn_as_they_are_judged() -> None:
    clear = reckoned(SHOT, RIFLE, TALIBAN).marks[0]
    half = reckoned(SHOT, RIFLE, TALIBAN, map=WALL).marks[0]
    assert "stroke-dasharray" not in clear
    assert "stroke-dasharray" in half


def test_a_wall_that_hides_all_is_crossed_where_it_stands() -> None:
    lob = {**LAUNCH, "verb": "fire", "weapon": "m16a2", "mode": "SA"}
    assert 'stroke="#857d6e"' in reckoned(lob, RIFLE, TALIBAN, map=HIGH).marks[0]


def test_a_move_tells_its_cost_its_end_and_who_watches() -> None:
    table = {"active": ["a"]}
    to = {"verb": "walk", "model": "a", "to": [13, 10, 0], "face": 0}
    assert reckoned(to, RIFLE, TALIBAN, **table).text == "3 AP, 7 left; to 13, 10"
    watched = reckoned(to, RIFLE, {**TALIBAN, "state": {"opfire": True}}, **table)
    assert watched.text == "3 AP, 7 left; to 13, 10; in sight of b on Op-Fire"
    hidden = reckoned(to, RIFLE, {**TALIBAN, "state": {"opfire": True}}, map=HIGH, **table)
    assert hidden.text == "3 AP, 7 left; to 13, 10"


def test_a_tackle_sets_strength_against_strength() -> None:
    found = reckoned({"verb": "tackle", "model": "a", "target": "b"}, RIFLE, {**TALIBAN, "at": [10, 14]}, active=["a"])
    need = sum(term.value for term in found.terms)
    assert (found.total, shares(found)) == (f"needs {need}", {"overpowered": Fraction(need, 10)})


@pytest.mark.parametrize(
    "choice", [{"verb": "end", "model": "a"}, {"verb": "fire", "model": "a"}, {"verb": "throw", "model": "a"}]
)
def test_what_is_not_chosen_yet_is_not_reckoned(choice: dict[str, Any]) -> None:
    assert reckoned(choice, RIFLE, TALIBAN) == Reckoned()


@pytest.mark.parametrize("choice", [SHOT, LAUNCH, THROW, BLOW])
def test_a_preview_is_the_text_of_it(choice: dict[str, Any]) -> None:
    asked = seen(RIFLE, {**TALIBAN, "at": [10, 11.02]})
    assert SYSTEM.preview(asked, choice) == SYSTEM.reckon(asked, choice).text != ""


def test_a_vest_that_nobody_has_shown_changes_nothing() -> None:
    plain, vest = (reckoned(SHOT, RIFLE, {**TALIBAN, "state": {"vest": n}}) for n in (0, 1))
    assert plain == vest


def test_what_would_take_minutes_is_not_reckoned() -> None:
    """With the full number of dice at each of five men there are 161,051 ways to hit."""
    row = [{**TALIBAN, "id": id_, "at": [10, 20 + k], "stance": "prone"} for k, id_ in enumerate("bcdef")]
    options = {"premeasure": True, "fa_allocation": "full_each"}
    found: Reckoned = SYSTEM.reckon(
        seen(GUNNER, *row, options=options), {**SHOT, "weapon": "m249", "mode": "FA"}
    )  # fmt: skip
    assert found.text == "too many rounds at too many men to reckon beforehand"
