"""Every fact that the rules report, offer, refuse or ask has its sentence, and no id or field name shows through."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from wardogs.bots.random import Random
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Ask, Choice, Question, Refusal
from wardogs.kernel.phrases import Phrasebook
from wardogs.kernel.report import Report
from wardogs.kernel.system import Wanted
from wardogs.systems.dogs import SYSTEM
from wardogs.systems.dogs.data import COVERS, LOCATIONS, WEAPONS

FOLDER = Path(__file__).parents[3] / "src" / "wardogs" / "systems" / "dogs"
WORDS = SYSTEM.words
BOOK = Phrasebook(WORDS, {1: "Rangers", 2: "Taliban"})
CHOICES = 90  # of a game that is listened to
SOURCES = [
    path for path in sorted(FOLDER.glob("*.py")) if not path.name.startswith(("roster", "scenario", "recruits", "skirmish"))
]

# ---- games that are listened to --------------------------------------------------------------------------------------


def faults(kind: str, fact: str, said: str, known: bool) -> Iterator[str]:
    """What is wrong with one sentence."""
    if not known:
        yield f"{kind} {fact}: no sentence"
    elif any(letter in said for letter in "{}_") or re.search(r"\bNone\b|\bTrue\b|\bFalse\b", said):
        yield f"{kind} {fact}: {said}"


def report_faults(report: Report) -> Iterator[str]:
    book = WORDS["reports"]
    key = f"{report.fact}.{report.rule}"
    yield from faults("report", key, BOOK.report(report), key in book or report.fact in book)


def refusal_faults(refusal: Refusal) -> Iterator[str]:
    yield from faults("refusal", refusal.fact, BOOK.refusal(refusal), refusal.fact in WORDS["refusals"])


def choice_faults(choice: Choice) -> Iterator[str]:
    yield from faults("choice", choice["verb"], BOOK.choice(choice), choice["verb"] in WORDS["choices"])


def ask_faults(ask: Ask) -> Iterator[str]:
    if ask.topic not in WORDS["questions"]:
        yield f"question {ask.topic}: no sentence"
    yield from (f"choice {offer.verb}: no sentence" for offer in ask.offers if offer.verb not in WORDS["choices"])


def barred_faults(ask: Ask) -> Iterator[str]:
    for barred in ask.barred() if ask.barred else ():
        yield from refusal_faults(barred.refusal)


def game_faults(name: str, seed: str) -> set[str]:
    """A short game of random bots, all of it read aloud."""
    match = Match.start(SYSTEM, SYSTEM.plan(Wanted(name)), {1: "one", 2: "two"}, seed.encode().ljust(32, b"."))
    bot, heard, found = Random(seed), 0, set[str]()
    for number in range(CHOICES):
        question = match.game.question
        if match.over or not isinstance(question, Question):
            break
        seat = next(seat for seat in question.asks if seat not in match.game.answers)
        ask = question.asks[seat]
        choice = bot.pick(ask)
        found |= {*ask_faults(ask), *choice_faults(choice), *(barred_faults(ask) if number % 20 == 0 else ())}
        match.answer(seat, choice)
        for entry in match.record.entries[heard:]:
            found |= {fault for report in entry.reports for fault in report_faults(report)}
        heard = len(match.record.entries)
    return found


@pytest.mark.parametrize("name", ["skirmish", *SYSTEM.scenarios])
def test_a_game_can_be_followed_aloud(name: str) -> None:
    if "set_up" not in SYSTEM.rules.paragraphs:
        pytest.skip("set-up is not written yet")
    found = game_faults(name, "fight")
    assert not found, "\n".join(sorted(found))


# ---- the book itself -------------------------------------------------------------------------------------------------

FACTS = {
    "reports": (r'g\.report\(\s*[^,()]+(?:\([^()]*\))?,\s*"(\w+)"', ""),
    "rolls": (r'g\.roll\(\s*"(DOW-[A-Z]+-\d+)"', "rolled."),
    "refusals": (r'Refusal\(\s*[^,()]+,\s*"(\w+)"', ""),
    "questions": (r'\bAsk\(\s*"(\w+)"', ""),
    "choices": (r'\bOffer\(\s*"(\w+)"', ""),
}


@pytest.mark.parametrize("kind", FACTS)
def test_every_fact_in_the_rules_has_a_sentence(kind: str) -> None:
    pattern, prefix = FACTS[kind]
    book = WORDS["reports" if kind == "rolls" else kind]
    known = {*book, *(key.partition(".")[0] for key in book if not prefix)}
    missing = {
        f"{path.name}: {prefix}{fact}"
        for path in SOURCES
        for fact in re.findall(pattern, path.read_text(encoding="utf-8"))
        if prefix + fact not in known
    }
    assert not missing, "\n".join(sorted(missing))


def test_every_table_that_a_sentence_names_is_there() -> None:
    named = {table for book in WORDS.values() for said in book.values() for table in re.findall(r":@(\w+)", said)}
    assert named <= set(WORDS), named - set(WORDS)


@pytest.mark.parametrize("kind", ["reports", "refusals", "choices"])
def test_every_hole_is_closed(kind: str) -> None:
    for said in WORDS[kind].values():
        assert "{" not in BOOK.fill(said, {})


def test_every_question_is_a_question() -> None:
    assert all(said.strip() and said[0].isupper() for said in WORDS["questions"].values())


def test_weapons_locations_and_covers_have_names() -> None:
    assert set(WEAPONS) <= set(WORDS["weapon"])
    assert set(LOCATIONS) <= set(WORDS["location"])
    assert set(COVERS) <= set(WORDS["cover"])
    assert set(COVERS) <= set(WORDS["stops"])


# ---- a few of them ---------------------------------------------------------------------------------------------------

SHOT = {
    "who": "A",
    "at": "B",
    "weapon": "m16a2",
    "mode": "BU",
    "dice": 3,
    "range": 12.4,
    "aimed": False,
    "scope": False,
    "watch": True,
}


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (Report("DOW-RNG-06", "fires", SHOT), "Op-Fire: A fires a burst with the M16A2 at B, 12.4 inches off: 3 dice."),
        (
            Report("DOW-RNG-06", "fires", {**SHOT, "mode": "SA", "dice": 1, "aimed": True, "scope": True, "watch": False}),
            "A fires a shot with the M16A2, aimed, through the scope at B, 12.4 inches off: one die.",
        ),
        (Report("DOW-HIT-02", "rolled", {"at": "B", "face": 5, "need": 5, "means": True}), "At B: 5 against 5: a hit!"),
        (Report("DOW-COV-03", "stopped", {"who": "B", "cover": "sandbags", "location": "left_leg"}),
         "The sandbags stop what was meant for B's left leg."),
        (Report("DOW-DMG-03", "wounded", {"who": "B", "location": "chest", "column": 1, "hp": 3, "by": "A"}),
         "B takes a bad wound in the chest: 3 HP gone."),
        (Report("DOW-DMG-03", "wounded", {"who": "B", "location": "right_arm", "column": 3, "hp": 0, "by": "A"}),
         "It only just misses B's right arm."),
        (Report("DOW-HLT-17", "killed", {"who": "B", "by": ""}), "B is dead."),
        (Report("DOW-HLT-17", "killed", {"who": "B", "by": "A"}), "B is dead, killed by A."),
    ],
)  # fmt: skip
def test_how_it_sounds(report: Report, said: str) -> None:
    assert BOOK.report(report) == said
