"""Exact odds of ranged attacks: against simulated games, against formulas written out, and the register's worked figures."""

from __future__ import annotations

import os
from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game, Position, Step
from wardogs.kernel.odds import choosing
from wardogs.systems.dogs import SYSTEM
from wardogs.systems.dogs.attack_odds import CLASSES, UNHURT, ManOdds, Outcome, attack_odds, hits_of, wounds_by_hits
from wardogs.systems.dogs.modifiers import Attack
from wardogs.systems.dogs.odds_tables import attack_rows
from wardogs.systems.dogs.shooting import round_of, shots
from wardogs.systems.dogs.state import Fight, Model

SIMULATIONS = int(os.environ.get("WARDOGS_SIMULATIONS", "20000"))
ERRORS = 4  # standard errors that a simulated share may be away from the exact one

RIFLE = {"id": "a", "side": 1, "list": "us_rangers", "at": [10, 10], "state": {"expert_left": False}}
TALIBAN = {"id": "b", "side": 2, "list": "taliban", "at": [10, 20], "facing": 180}
RANGER = {"id": "b", "side": 2, "list": "us_rangers", "at": [10, 20], "facing": 180}
AK = {"id": "a", "side": 1, "list": "taliban", "at": [10, 10]}
GUNNER = {
    **RIFLE,
    "role": "gunner",
    "state": {"expert_left": False, "weapons": [{"id": "m249", "loaded": 200}], "in_hand": "m249"},
}
CROWD = (TALIBAN, {**TALIBAN, "id": "c", "at": [11.2, 17]}, {**RANGER, "id": "d", "at": [8.8, 24]})
SHOT = Attack("a", "m16a2", "SA", "b")


def fight(*models: dict[str, Any], **table: Any) -> Fight:
    """A bare table with these men, nothing to do yet."""
    terms, position = SYSTEM.stage({"models": list(models), **table}, {})
    return Game(SYSTEM.rules, terms, position, Fast(0))


def exact(g: Fight, attack: Attack) -> ManOdds:
    """The odds for the man who is shot at."""
    return attack_odds(g, attack)[0]


# ---- simulated games -------------------------------------------------------------------------------------------------


def fate_of(man: Model) -> tuple[int, bool, bool]:
    """The worst that happened to him, if he is down, if he is dead."""
    return man.worst, not (man.alive and man.conscious and man.hp > 0), not man.alive


def simulated(start: Fight, attack: Attack, seed: str) -> dict[str, Counter[tuple[int, bool, bool]]]:
    """What became of each man, attack by attack, with one game that is set back to where it began."""
    state, step = start.state, Step("aim", (shots(start.state[attack.by], attack), *attack))
    game: Fight = Game(start.rules, start.terms, Position(state, (step,)), Fast(seed), choosing({}))
    game.silent = True
    found: dict[str, Counter[tuple[int, bool, bool]]] = {man.id: Counter() for man in state.models}
    for _ in range(SIMULATIONS):
        game.state, game.agenda = state, (step,)
        game.advance()
        for man in game.state.models:
            found[man.id][fate_of(man)] += 1
    return found


def is_near(exact_share: Fraction, count: int) -> bool:
    p = float(exact_share)
    return abs(count / SIMULATIONS - p) <= ERRORS * sqrt(p * (1 - p) / SIMULATIONS)


OPEN: dict[str, Any] = {}
WALL: dict[str, Any] = {"wall": [{"id": "w", "line": [5, 19, 15, 19], "height": 0.6, "material": "brick"}]}
SCENES: dict[str, tuple[tuple[dict[str, Any], ...], Attack, dict[str, Any]]] = {
    "an aimed shot": ((RIFLE, RANGER), Attack("a", "m16a2", "SA", "b", aimed=True), OPEN),
    "a burst": ((RIFLE, TALIBAN), Attack("a", "m16a2", "BU", "b"), OPEN),
    "ten rounds of full automatic into three": ((GUNNER, *CROWD), Attack("a", "m249", "FA", "b"), OPEN),
    "a burst over a wall, behind which a man may fall or duck": ((RIFLE, TALIBAN), Attack("a", "m16a2", "BU", "b"), WALL),
}


@pytest.mark.parametrize("name", SCENES)
def test_exact_odds_are_those_of_simulated_games(name: str) -> None:
    models, attack, table = SCENES[name]
    start = fight(*models, map=table)
    seen = simulated(start, attack, name)
    for man in attack_odds(start, attack):
        ends = seen[man.id]
        for worst, label in enumerate(CLASSES):
            assert is_near(man.classes[label], sum(n for end, n in ends.items() if end[0] == worst)), (man.id, label)
        assert is_near(man.down, sum(n for end, n in ends.items() if end[1])), man.id
        assert is_near(man.killed, sum(n for end, n in ends.items() if end[2])), man.id


# ---- by hand ---------------------------------------------------------------------------------------------------------

TENTH = Fraction(1, 10)
PLACES = {
    "head": 1,
    "chest": 2,
    "stomach": 2,
    "abdomen": 1,
    "right_leg": 1,
    "left_leg": 1,
    "right_arm": 1,
    "left_arm": 1,
}  # faces


def by_hand(hit: Fraction, dpr: int, saves: dict[str, Fraction]) -> tuple[dict[str, Fraction], Fraction]:
    """One shot in the open: a place by its faces, a save by armor, a column of the chart; a head in the first kills."""
    limits = ((-9, 0), (1, 2), (3, 5), (6, 9))
    columns = [Fraction(sum(low <= face - dpr <= high for face in range(1, 11)), 10) for low, high in limits]
    wounded = {place: faces * TENTH * (1 - saves.get(place, Fraction(0))) for place, faces in PLACES.items()}
    classes = {name: hit * sum(wounded.values(), Fraction(0)) * column for name, column in zip(CLASSES, columns, strict=False)}
    classes["nothing"] = 1 - sum(classes.values(), Fraction(0))
    return classes, hit * wounded["head"] * columns[0]


def test_a_single_shot_is_what_the_formula_says() -> None:
    classes, killed = by_hand(Fraction(6, 10), 4, {})
    man = exact(fight(RIFLE, TALIBAN), SHOT)
    assert (man.classes, man.killed) == (classes, killed)


def test_a_single_shot_at_armor_is_what_the_formula_says() -> None:
    """AR 5 and ARM -2: three faces in ten save head, chest and stomach."""
    saves = dict.fromkeys(("head", "chest", "stomach"), Fraction(3, 10))
    classes, killed = by_hand(Fraction(5, 10), 5, saves)
    man = exact(fight(AK, RANGER), Attack("a", "ak47", "SA", "b"))
    assert (man.classes, man.killed) == (classes, killed)


def test_out_of_range_there_is_nothing_to_hope_for() -> None:
    pistol = {**RIFLE, "state": {"expert_left": True, "weapons": [{"id": "handgun", "loaded": 5}], "in_hand": "handgun"}}
    man = exact(fight(pistol, {**TALIBAN, "at": [10, 39]}), Attack("a", "handgun", "SA", "b"))
    assert (man.hit, man.down, man.classes["nothing"]) == (Fraction(0), Fraction(0), Fraction(1))


@pytest.mark.parametrize(("wp", "stance", "hit"), [(1, "standing", TENTH), (14, "standing", 9 * TENTH), (10, "prone", 9 * TENTH)])
def test_naturals(wp: int, stance: str, hit: Fraction) -> None:
    """WX-03: however hopeless or sure, one face in ten is the other way."""
    moved = {"moved": "run", "saw": ["b"]} if wp == 1 else {}
    man = exact(fight({**RIFLE, "stance": stance, "set": {"wp": wp}, "state": {"expert_left": False, **moved}}, TALIBAN), SHOT)
    assert man.hit == hit


# ---- the register's figures ------------------------------------------------------------------------------------------


def after_one_hit(g: Fight, attack: Attack) -> dict[Outcome, Fraction]:
    return wounds_by_hits(g, attack.target, round_of(g, attack), 1)[1]


def columns(ends: dict[Outcome, Fraction]) -> list[Fraction]:
    return [sum((share for end, share in ends.items() if end.worst == worst), Fraction(0)) for worst in range(UNHURT + 1)]


def killed(ends: dict[Outcome, Fraction]) -> Fraction:
    return sum((share for end, share in ends.items() if not end.alive), Fraction(0))


def test_one_rifle_hit_on_an_unarmored_man() -> None:
    """WX-08."""
    ends = after_one_hit(fight(RIFLE, TALIBAN), SHOT)
    assert columns(ends) == [Fraction(2, 5), Fraction(1, 5), Fraction(3, 10), Fraction(1, 10), 0]
    assert killed(ends) == Fraction(1, 25)


def test_one_kalashnikov_hit_on_a_ranger() -> None:
    """WX-09."""
    ends = after_one_hit(fight(AK, RANGER), Attack("a", "ak47", "SA", "b"))
    assert killed(ends) == Fraction(7, 200)
    assert columns(ends)[UNHURT] == Fraction(3, 20)


def test_a_rangers_shot_at_a_fresh_man() -> None:
    """WX-10: needing six."""
    man = exact(fight(RIFLE, TALIBAN), SHOT)
    assert (man.need, man.killed, man.down) == (6, Fraction(3, 125), Fraction(9, 250))


def test_a_rangers_burst_at_a_fresh_man() -> None:
    """WX-11: needing five."""
    man = exact(fight(RIFLE, TALIBAN), SHOT._replace(mode="BU"))
    assert (man.need, man.killed, man.down) == (5, Fraction(7351, 125000), Fraction(93, 320))


def test_an_aimed_shot_at_a_ranger_behind_a_wall() -> None:
    """WX-12: stomach, abdomen and legs covered; the shooter turns a 2 into a 1."""
    post = {"id": "v", "line": [9.8, 18.9, 10.2, 18.9], "height": 0.85, "material": "brick"}
    table = {"wall": [{"id": "w", "line": [5, 19, 15, 19], "height": 0.7, "material": "brick"}, post]}
    man = exact(fight(AK, RANGER, map=table), Attack("a", "ak47", "SA", "b", aimed=True))
    assert (man.need, man.killed) == (6, Fraction(21, 500))
    assert 1 - man.classes["nothing"] == Fraction(813, 2500)


def test_an_expert_riflemans_burst() -> None:
    """WX-04: needing five, one miss rolled again."""
    expert = {**RIFLE, "state": {"expert_left": True}}
    hits = hits_of(fight(expert, TALIBAN), SHOT._replace(mode="BU"), 3)["b"]
    assert hits[0] == Fraction(1, 16)
    assert sum(n * share for n, share in hits.items()) == Fraction(31, 16)


def test_full_automatic_into_three() -> None:
    """WX-05: four dice on the target, three on each of the others, needing three."""
    hits = hits_of(fight(GUNNER, *CROWD), Attack("a", "m249", "FA", "b"), 10)
    assert hits["b"][0] == Fraction(2401, 10000)
    assert {id_: max(shares) for id_, shares in hits.items()} == {"b": 4, "c": 3, "d": 3}


def test_a_walkers_burst_at_a_runner() -> None:
    """WX-02: needing one, at least one hit of three."""
    walker = {**RIFLE, "state": {"expert_left": False, "moved": "walk"}}
    man = exact(fight(walker, {**TALIBAN, "state": {"seen_moving": "run"}}), SHOT._replace(mode="BU"))
    assert (man.need, man.hit) == (1, Fraction(271, 1000))


def test_an_aimed_shot_at_a_walker() -> None:
    """WX-01."""
    man = exact(fight(RIFLE, {**TALIBAN, "at": [10, 31], "state": {"seen_moving": "walk"}}), SHOT._replace(aimed=True))
    assert (man.need, man.hit) == (5, Fraction(1, 2))


@pytest.mark.parametrize(
    ("given", "rule"),
    [({"mode": "BU", "aimed": "yes"}, "DOW-MOD-01"), ({"scope": "yes"}, "DOW-MOD-02"), ({"range": "far"}, "range=far")],
)
def test_what_no_rule_allows_has_no_odds(given: dict[str, str], rule: str) -> None:
    with pytest.raises(WardogsError, match=rule):
        attack_rows(given)
