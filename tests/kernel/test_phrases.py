"""Phrases: every form of a hole, holes in holes, and sentences that come out even when a figure is missing."""

from __future__ import annotations

from typing import Any

import pytest

from wardogs.kernel.offers import Refusal
from wardogs.kernel.phrases import KERNEL_REFUSALS, Phrasebook
from wardogs.kernel.report import Report, heard

BOOK = Phrasebook(
    {
        "reports": {
            "walked": "{who:seat} walks to {to}.",
            "rolled": "a die shows {face}.",
            "rolled.TIN-HIT-01": "{who} rolls {face}: {means:True=a hit|False=a miss}.",
            "empty": "",
        },
        "refusals": {"too_far": "needs {needs}, has {has}", "not_offered": "our own words for {value}"},
        "choices": {"walk": "walk to {to}"},
        "questions": {"op_fire": "Fire?"},
        "values": {"True": "yes", "rifle": "an old rifle", "None": "nothing"},
        "card": {"NC": "No Change", "2": "Two"},
    },
    {1: "Red", 2: "Blue", -1: "Nobody"},
)


@pytest.mark.parametrize(
    ("template", "data", "said"),
    [
        ("plain", {}, "plain"),
        ("{n}", {"n": 3}, "3"),
        ("{n}{n}", {"n": 3}, "33"),
        ("<{n}>", {"n": "{n}"}, "<{n}>"),
        ("{gun}", {"gun": "rifle"}, "an old rifle"),
        ("{ok}", {"ok": True}, "yes"),
        ("{list}", {"list": ["a", "rifle", 3]}, "a, an old rifle and 3"),
        ("{list}", {"list": ("a", "b")}, "a and b"),
        ("{list}", {"list": [["a", "b"], "c"]}, "a and b and c"),
        ("{list}", {"list": []}, ""),
        ("{who:seat}", {"who": 1}, "Red"),
        ("{who:seat}", {"who": "2"}, "Blue"),
        ("{who:seat}", {"who": -1}, "Nobody"),
        ("{who:seat}", {"who": 7}, "seat 7"),
        ("{who:seat}", {"who": "the crowd"}, "the crowd"),
        ("{who:seats}", {"who": [1, 2]}, "Red and Blue"),
        ("{who:seats}", {"who": (2, 7, 1)}, "Blue, seat 7 and Red"),
        ("{who:seats}", {"who": [1]}, "Red"),
        ("{who:seats}", {"who": []}, ""),
        ("{path:last}", {"path": ["A1", "rifle"]}, "an old rifle"),
        ("{path:last}", {"path": []}, ""),
        ("{to:place}", {"to": [12.0, 4.5, 0.0]}, "12, 4.5"),
        ("{to:place}", {"to": (12.34, 4)}, "12.3, 4"),
        ("{to:place}", {"to": [12.0, 4.5, 0.5]}, "12, 4.5"),
        ("{to:place}", {"to": [12.0, 4.5, 3.0]}, "12, 4.5, 3 inches up"),
        ("{to:place}", {"to": 42.0}, "42"),
        ("{to:place}", {"to": 41.3}, "41.3"),
        ("{to:place}", {"to": 6}, "6"),
        ("{to:place}", {"to": "the edge"}, "the edge"),
        ("walks{to:None=|*= to {to:place}}", {"to": None}, "walks"),
        ("{c:@card}", {"c": "NC"}, "No Change"),
        ("{c:@card}", {"c": 2}, "Two"),
        ("{c:@card}", {"c": "joker"}, "joker"),
        ("{c:@no_such_table}", {"c": "joker"}, "joker"),
        ("{n:0=misses|1=hits|*=hits {n} times}", {"n": 0}, "misses"),
        ("{n:0=misses|1=hits|*=hits {n} times}", {"n": 1}, "hits"),
        ("{n:0=misses|1=hits|*=hits {n} times}", {"n": 4}, "hits 4 times"),
        ("{n:0=misses|1=hits}", {"n": 4}, "4"),
        ("{n:None=|*= by {n}}", {"n": None}, ""),
        ("{ok:True=a|False=b}", {"ok": False}, "b"),
        ("{a:x={b:1=one|*={c:@card}}|y=why}", {"a": "x", "b": 1}, "one"),
        ("{a:x={b:1=one|*={c:@card}}|y=why}", {"a": "x", "b": 2, "c": "NC"}, "No Change"),
        ("{a:x={b:1=one|*={c:@card}}|y=why}", {"a": "y"}, "why"),
        ("{a:x=1 = 1|*=a: b}", {"a": "x"}, "1 = 1"),
        ("{a:x=1 = 1|*=a: b}", {"a": "z"}, "a: b"),
        ("{a:*={a:*={a}}}!", {"a": 5}, "5!"),
    ],
)
def test_every_form(template: str, data: dict[str, Any], said: str) -> None:
    assert BOOK.fill(template, data) == said


@pytest.mark.parametrize(
    "form", ["", ":seat", ":seats", ":last", ":place", ":@card", ":0=a|*=b", ":0=a", ":*={gone:seats}", ":None={gone:last}|*=b"]
)
def test_a_missing_field_does_not_crash(form: str) -> None:
    said = BOOK.fill("<{gone" + form + "}>", {})
    assert said[0] + said[-1] == "<>"
    assert "{" not in said


def test_what_is_said_is_never_taken_for_a_template() -> None:
    """A player may call himself what he likes."""
    book = Phrasebook({"values": {"x": "{secret}"}}, {1: "{secret}"})
    assert (
        book.fill("{who:seat} {what} {a:1={who:seat}}", {"who": 1, "what": "x", "a": 1, "secret": "ace"})
        == "{secret} {secret} {secret}"
    )


def test_a_hole_that_is_not_closed_is_an_error_of_the_book() -> None:
    with pytest.raises(ValueError, match="not closed"):
        BOOK.fill("{who:1={x}", {"who": 1})


# ---- what is told ----------------------------------------------------------------------------------------------------


def test_a_report_is_told_by_fact_and_rule_then_by_fact_then_bare() -> None:
    assert BOOK.report(Report("TIN-HIT-01", "rolled", {"who": "a", "face": 9, "means": False})) == "a rolls 9: a miss."
    assert BOOK.report(Report("TIN-DMG-01", "rolled", {"face": 9})) == "a die shows 9."
    assert BOOK.report(Report("TIN-XXX-01", "fell_over", {"who": 3, "how": "badly"})) == "fell over: who 3, how badly"
    assert BOOK.report(Report("TIN-XXX-01", "fell_over")) == "fell over"


def test_a_ruling_is_told_by_every_book() -> None:
    assert Phrasebook({}, {}).report(Report("", "ruling", {"because": "I say so", "by": 9})) == "The umpire rules: I say so."


def test_a_refusal_is_told_with_its_rule() -> None:
    assert BOOK.refusal(Refusal("TIN-WLK-01", "too_far", {"needs": 3, "has": 2})) == "needs 3, has 2 [TIN-WLK-01]"
    assert BOOK.refusal(Refusal("", "not_asked", {"seat": 3})) == "seat 3 is not asked now"
    assert BOOK.refusal(Refusal("TIN-WLK-01", "not_offered", {"field": "to", "value": 3})) == "our own words for 3 [TIN-WLK-01]"
    assert BOOK.refusal(Refusal("TIN-WLK-01", "too_hot", {"by": 3})) == "too hot: by 3 [TIN-WLK-01]"


@pytest.mark.parametrize("fact", KERNEL_REFUSALS)
def test_every_refusal_of_the_kernel_has_words(fact: str) -> None:
    said = Phrasebook({}, {}).refusal(
        Refusal("", fact, dict(seat=1, verb="go", field="to", value=1, face=7, die="d6", why="so", to=3))
    )
    assert "None" not in said
    assert "{" not in said


def test_choices_and_questions() -> None:
    assert BOOK.choice({"verb": "walk", "to": 3}) == "walk to 3"
    assert BOOK.choice({"verb": "run_away", "to": 3}) == "run away: to 3"
    assert BOOK.question("op_fire") == "Fire?"
    assert BOOK.question("which_card") == "which card"


def test_an_empty_book_tells_everything_somehow() -> None:
    book = Phrasebook({}, {})
    assert book.report(Report("TIN-WLK-01", "walked", {"who": 1})) == "walked: who 1"
    assert book.choice({"verb": "hold"}) == "hold"
    assert book.name(1) == "seat 1"


# ---- who hears it ----------------------------------------------------------------------------------------------------


def test_heard_is_what_is_for_everyone_and_what_is_for_me() -> None:
    everyone, mine, ours, nobodys = (
        Report("", name, {}, to) for name, to in (("e", None), ("m", (1,)), ("o", (1, 2)), ("n", ()))
    )
    reports = [everyone, mine, ours, nobodys]
    assert heard(reports, 1) == [everyone, mine, ours]
    assert heard(reports, 2) == [everyone, ours]
    assert heard(reports, None) == [everyone]


@pytest.mark.parametrize("at", [[[1], [2], [3]], ["a", "b", "c"], [None, None, None], [1, 2, {}]])
def test_points_that_are_none_are_told_too(at: Any) -> None:
    assert Phrasebook({"choices": {"walk": "walk to {to:place}"}}, {}).choice({"verb": "walk", "to": at})
