"""Cases: what passes, what fails for each kind of check, and that a wrong case is an error and never a pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel.tiny import TINY
from wardogs.kernel.cases import Case, CaseFailed, find_cases, read_cases, run_case, shown_by
from wardogs.kernel.errors import WardogsError

HEAD = """
title = "A walk"
system = "tiny"
rules = ["TIN-WLK-01"]
"""

SETUP = """
[setup]
steps = [["walk", "a", [1, 2]]]
soldiers = [
  { id = "a", side = 1 },
  { id = "b", side = 2, x = 6, watching = true, expert = true },
  { id = "c", side = 3, x = 12 },
]
"""

CARDS = """
[setup]
steps = [["plan"]]
hands = { 1 = ["A", "B"], 2 = ["C"], 3 = ["E"] }
soldiers = [{ id = "a", side = 1 }, { id = "b", side = 2, x = 6 }, { id = "c", side = 3, x = 12 }]
"""

WALK = HEAD + SETUP
FIRE = 'seat = 2\nchoose = { verb = "fire", at = "a" }\n'
ODDS = WALK + "[[do]]\nasked = [2]\n[[odds]]\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "case.toml"


def run(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    for case in read_cases(path):
        run_case(TINY, case)


def wrong(path: Path, text: str) -> str:
    """One clear line; not a pass, not a failure of the rules, and never another kind of error."""
    with pytest.raises(WardogsError) as error:
        run(path, text)
    assert "\n" not in str(error.value)
    return str(error.value)


def fails(path: Path, text: str) -> str:
    with pytest.raises(CaseFailed) as error:
        run(path, text)
    return str(error.value)


# ---- each kind of check: what passes, and what must fail -------------------------------------------------------------

CHECKS = [
    ('expect = { "a.x" = 1 }', 'expect = { "a.x" = 2 }'),
    ('expect = { "b.watching" = true }', 'expect = { "b.watching" = 1 }'),
    ('expect = { "b.watching" = true, "a.hp" = 5 }', 'expect = { "b.watching" = true, "a.hp" = 4 }'),
    ("expect = { round = 1 }", "expect = { round = true }"),
    ('expect = { "1.hand" = [] }', 'expect = { "1.hand" = ["A"] }'),
    ('reports = [{ fact = "walked" }]', 'reports = [{ fact = "rolled" }]'),
    ('reports = [{ fact = "walked", to = 1, left = [2] }]', 'reports = [{ fact = "walked", to = 1, left = [3] }]'),
    ('reports = [{ rule = "TIN-WLK-01" }]', 'reports = [{ rule = "TIN-WLK-01" }, { rule = "TIN-WLK-01" }]'),
    ('reports = [{ who = "a" }]', 'reports = [{ whom = "a" }]'),
    ('never = [{ fact = "wounded" }]', 'never = [{ fact = "wounded" }, { fact = "walked" }]'),
    ('hears = { 1 = [{ fact = "walked" }] }', 'hears = { 1 = [{ fact = "drew" }] }'),
    ('hears_not = { 1 = [{ fact = "drew" }] }', 'hears_not = { 1 = [{ fact = "walked" }] }'),
    ("asked = [2]", "asked = [1]"),
    ("asked = [2]", "asked = [2, 3]"),
    ("asked = [2]", "asked = []\nover = false"),
    ('topic = "op_fire"', 'topic = "card"'),
    ('offered = { 2 = [{ verb = "hold" }, { at = "a", verb = "fire" }] }', 'offered = { 2 = [{ verb = "hold" }] }'),
    ('offered = { 2 = [{ verb = "hold" }, { verb = "fire", at = "a" }] }', 'offered = { 1 = [{ verb = "hold" }] }'),
    ('barred = { 2 = [{ verb = "fire", at = "c", rule = "TIN-OPF-02" }] }', "barred = { 2 = [] }"),
    (
        'barred = { 2 = [{ verb = "fire", at = "c", rule = "TIN-OPF-02" }] }',
        'barred = { 2 = [{ verb = "fire", at = "c", rule = "TIN-OPF-01" }] }',
    ),
    ('barred = { 2 = [{ verb = "fire", at = "c", rule = "TIN-OPF-02" }] }', "barred = { 1 = [] }"),
    ("views = { 2 = { pile_size = 12 } }", "views = { 2 = { pile_size = 11 } }"),
    ('scores = { 2 = [{ verb = "fire", score = 1.0 }] }', 'scores = { 2 = [{ verb = "fire", score = 0.9 }] }'),
    ('scores = { 2 = [{ verb = "hold", score = 0.25 }] }', 'scores = { 1 = [{ verb = "hold", score = 0.25 }] }'),
    ('previews = { 2 = [{ verb = "hold", says = "to hold" }] }', 'previews = { 2 = [{ verb = "hold", says = "to fire" }] }'),
    ('previews = { 2 = [{ verb = "hold", says = "to hold" }] }', 'previews = { 3 = [{ verb = "hold", says = "to hold" }] }'),
    ('drawn = [{ kind = "soldier", who = "a", x = 1 }]', 'drawn = [{ kind = "soldier", who = "a", x = 0 }]'),
    ('shows = ["a at 1", "round 1"]', 'shows = ["a at 1", "round 2"]'),
    ("over = false", "over = true"),
]


@pytest.mark.parametrize(("good", "bad"), CHECKS)
def test_each_check_passes_and_fails(path: Path, good: str, bad: str) -> None:
    run(path, f"{WALK}[[do]]\n{good}\n")
    assert fails(path, f"{WALK}[[do]]\n{bad}\n").startswith("move 1: ")


def test_a_check_holds_for_its_own_move_only(path: Path) -> None:
    second = '[[do]]\nseat = 2\nchoose = { verb = "hold" }\n'
    run(path, f"{WALK}[[do]]\nasked = [2]\n{second}reports = [{{ to = 2 }}]\nnever = [{{ to = 1 }}]\n")
    assert "move 2: " in fails(path, f"{WALK}[[do]]\nasked = [2]\n{second}reports = [{{ to = 1 }}]\n")


def test_a_seat_without_a_choice_chooses_nothing(path: Path) -> None:
    run(path, f"{WALK}[[do]]\nseat = 2\nasked = [2]\n")


def test_all_that_is_barred_must_be_named(path: Path) -> None:
    """As many rows as patterns is not enough: one row named twice must not hide another."""
    both = WALK.replace('{ id = "c", side = 3, x = 12 }', '{ id = "c", side = 3, x = 12 }, { id = "d", side = 3 }') + "[[do]]\n"
    c, d = (f'{{ verb = "fire", at = "{who}", rule = "TIN-OPF-02" }}' for who in "cd")
    run(path, f"{both}barred = {{ 2 = [{d}, {c}] }}\n")
    assert "barred" in fails(path, f"{both}barred = {{ 2 = [{c}, {c}] }}\n")
    assert "barred" in fails(path, f"{both}barred = {{ 2 = [{c}] }}\n")


def test_reports_come_in_order(path: Path) -> None:
    shot = f"{WALK}[[do]]\n[[do]]\n{FIRE}fate = [3, 6]\n"
    run(path, shot + 'reports = [{ fact = "interrupts" }, { face = 3 }, { fact = "wounded", hp = 0 }]\n')
    assert "in its place" in fails(path, shot + 'reports = [{ fact = "wounded" }, { face = 3 }]\n')


def test_hidden_reports_are_heard_by_their_seat_alone(path: Path) -> None:
    deal = HEAD + CARDS.replace('["plan"]', '["deal"]') + '[[do]]\nfate = ["F", "G", "H", "I", "J", "K"]\n'
    run(
        path,
        deal + 'hears = { 1 = [{ card = "F" }, { card = "I" }] }\nhears_not = { 2 = [{ card = "F" }], 9 = [{ card = "F" }] }\n',
    )
    assert "heard" in fails(path, deal + 'hears_not = { 1 = [{ card = "F" }] }\n')
    assert "not reported" in fails(path, deal + 'hears = { 2 = [{ card = "F" }] }\n')


def test_simultaneous_answers_and_those_who_keep_silent(path: Path) -> None:
    cards = HEAD + CARDS + "[[do]]\nfate = [10, 10, 10]\n"
    run(path, cards.replace("fate", "#") + 'answers = { 2 = { verb = "place", card = "C" } }\nasked = [1, 3]\n')
    placed = 'answers = { 1 = { verb = "place", card = "B" } }\nothers = "default"\n'
    run(path, cards + placed + 'reports = [{ fact = "revealed", card = "E" }, { card = "C" }, { card = "B" }]\nasked = [1]\n')
    assert "not reported" in fails(path, cards + placed + 'reports = [{ fact = "revealed", card = "A" }]\n')


def test_an_answer_may_be_refused_by_its_rule_with_nothing_changed(path: Path) -> None:
    at_c = f"{WALK}[[do]]\n[[do]]\n" + FIRE.replace('"a"', '"c"')
    run(path, at_c + 'refused = "TIN-OPF-02"\nasked = [2]\n')
    run(path, at_c + 'refused = { rule = "TIN-OPF-02", fact = "not_the_mover", mover = "a" }\n')
    assert "expected 'TIN-OPF-01'" in fails(path, at_c + 'refused = "TIN-OPF-01"\n')
    assert "expected 'b'" in fails(path, at_c + 'refused = { rule = "TIN-OPF-02", mover = "b" }\n')
    assert "seat 2 is refused" in fails(path, at_c + "asked = [2]\n")
    assert "may choose" in fails(path, f'{WALK}[[do]]\n[[do]]\n{FIRE}fate = [10]\nrefused = "TIN-OPF-02"\n')


def test_the_end_and_its_outcome(path: Path) -> None:
    end = HEAD + SETUP.replace('["walk", "a", [1, 2]]', '["end_turn"]').replace("steps", "round = 3\nsteps") + "[[do]]\n"
    run(path, end + 'over = true\noutcome = { winner = "none", reason = "rounds", turns = 3 }\n')
    assert "over" in fails(path, end + "over = false\n")
    assert "winner" in fails(path, end + 'outcome = { winner = "Red" }\n')
    assert "turns" in fails(path, end + "outcome = { turns = 2 }\n")


@pytest.mark.parametrize("outcome", ['winner = "none"', 'wniner = "none"', 'reason = "none"'])
def test_a_game_that_is_not_over_has_no_outcome_not_even_none(path: Path, outcome: str) -> None:
    """Nobody has won yet is not: nobody has won."""
    with pytest.raises((CaseFailed, WardogsError)):
        run(path, f"{WALK}[[do]]\noutcome = {{ {outcome} }}\n")


def test_facts(path: Path) -> None:
    run(path, HEAD + "facts = { deck = 12, wounds = [1, 1, 2, 2, 2, 5] }\n")
    assert "deck is 12" in fails(path, HEAD + "facts = { deck = 13 }\n")
    assert "no such fact" in wrong(path, HEAD + "facts = { deke = 12 }\n")


def test_a_setup_that_must_be_refused(path: Path) -> None:
    strange = WALK + "weather = 3\n"
    run(path, 'cannot_be_set_up = "unknown key weather"\n' + strange)
    assert "refused with" in fails(path, 'cannot_be_set_up = "too cold"\n' + strange)
    assert "not refused" in fails(path, 'cannot_be_set_up = "unknown key"\n' + WALK)


def test_options_are_switched(path: Path) -> None:
    shot = f"[[do]]\n[[do]]\n{FIRE}fate = [3]\n" + 'expect = { "a.hp" = 4 }\n'
    run(path, HEAD + 'options = { wounds = "one" }\n' + SETUP + shot)
    assert "too few faces" in wrong(path, WALK + shot)
    assert "wounds=three" in wrong(path, HEAD + 'options = { wounds = "three" }\n' + SETUP + shot)
    assert "unknown option" in wrong(path, HEAD + "options = { wonds = 1 }\n" + SETUP + shot)


# ---- odds ------------------------------------------------------------------------------------------------------------

EXACT = 'of = "a.hp"\nexpect = { 5 = "2/5", 4 = "1/5", 3 = "3/10", 0 = "1/10" }\n'


def test_odds_of_a_choice(path: Path) -> None:
    run(path, ODDS + FIRE + EXACT + 'dice = "8/5"\n')
    run(path, ODDS + 'answers = { 2 = { verb = "fire", at = "a" } }\n' + EXACT)
    run(path, ODDS + 'of = "a.hp"\nexpect = { 5 = "1" }\ndice = "0"\n')
    run(path, ODDS + FIRE + 'of = ["a.x", "b.watching"]\nexpect = { "2,false" = "9/10", "1,false" = "1/10" }\n')


@pytest.mark.parametrize(
    "odds",
    [
        FIRE + EXACT.replace("2/5", "1/2"),
        FIRE + EXACT.replace(', 0 = "1/10"', ""),
        FIRE + EXACT.replace("5 =", "6 ="),
        EXACT,
        FIRE + EXACT + 'dice = "9/5"\n',
        FIRE + 'dice = "1"\n',
        FIRE.replace('"a"', '"c"') + EXACT,
    ],
)
def test_odds_that_differ_fail(path: Path, odds: str) -> None:
    fails(path, ODDS + odds)


def test_odds_as_decimals_are_exact_too(path: Path) -> None:
    run(path, ODDS + FIRE + EXACT.replace("2/5", "0.4"))


def test_odds_until_a_paragraph(path: Path) -> None:
    run(path, ODDS + FIRE + 'until = "wounds"\nof = "a.hp"\nexpect = { 5 = "1" }\ndice = "8/5"\n')
    fails(path, ODDS + FIRE + 'until = "wounds"\nof = "a.hp"\nexpect = { 4 = "1" }\n')


def test_odds_until_a_paragraph_that_does_not_exist(path: Path) -> None:
    assert "wuonds" in wrong(path, ODDS + FIRE + 'until = "wuonds"\n' + EXACT)


@pytest.mark.parametrize("fraction", ["two fifths", "2/0", "", "2/5/1"])
def test_odds_that_are_no_fraction(path: Path, fraction: str) -> None:
    wrong(path, ODDS + FIRE + EXACT.replace("2/5", fraction))


def test_a_number_of_dice_that_is_no_fraction(path: Path) -> None:
    wrong(path, ODDS + FIRE + EXACT + 'dice = "many"\n')


def test_odds_of_a_seat_that_is_not_asked(path: Path) -> None:
    assert "seat 3" in fails(path, ODDS + FIRE.replace("2", "3") + EXACT)


def test_odds_of_a_choice_when_nobody_is_asked(path: Path) -> None:
    """The choice cannot be made, so its odds mean nothing."""
    done = HEAD + SETUP.replace("watching = true", "watching = false") + "[[do]]\nover = true\n[[odds]]\n"
    fails(path, done + FIRE + 'of = "a.hp"\nexpect = { 5 = "1" }\n')


def test_odds_of_a_choice_without_its_seat(path: Path) -> None:
    assert "seat" in wrong(path, ODDS + FIRE.replace("seat = 2\n", "") + 'of = "a.hp"\nexpect = { 5 = "1" }\n')


def test_odds_go_on_from_the_answers_that_are_in(path: Path) -> None:
    placed = (
        HEAD + CARDS + '[[do]]\nseat = 1\nchoose = { verb = "place", card = "B" }\nasked = [2, 3]\n[[odds]]\nuntil = "reveal"\n'
    )
    run(path, placed + 'of = "1.card"\nexpect = { B = "1" }\n')


# ---- wrong cases -----------------------------------------------------------------------------------------------------

DONE = "[[do]]\nover = false\n"

WRONG = {
    "unknown key": (HEAD + "colour = 3\n" + SETUP + DONE, "colour"),
    "unknown key of a move": (WALK + DONE + "exect = { round = 1 }\n", "exect"),
    "unknown key of odds": (ODDS + FIRE + EXACT + "expected = 3\n", "expected"),
    "unknown key of the setup": (WALK + "weather = 3\n" + DONE, "weather"),
    "no title": (WALK.replace('title = "A walk"', "") + DONE, "without a title"),
    "no system": (WALK.replace('system = "tiny"', "") + DONE, "system"),
    "no rules": (WALK.replace('rules = ["TIN-WLK-01"]', "") + DONE, "rules"),
    "empty rules": (WALK.replace('["TIN-WLK-01"]', "[]") + DONE, "name the rules it shows"),
    "unknown rule": (
        WALK.replace('["TIN-WLK-01"]', '["TIN-WLK-01", "TIN-FLY-01"]') + DONE,
        "TIN-FLY-01 is not in the register",
    ),
    "a title that is no text": (WALK.replace('"A walk"', "3") + DONE, "title"),
    "not TOML": ("title = A walk", "not a case"),
    "an impossible face": (f"{WALK}[[do]]\n[[do]]\n{FIRE}fate = [11]\nover = false\n", "move 2: face 1 is 11"),
    "true for a one": (f"{WALK}[[do]]\n[[do]]\n{FIRE}fate = [true]\nover = false\n", "move 2: face 1 is True"),
    "a face as text": (f'{WALK}[[do]]\n[[do]]\n{FIRE}fate = ["3"]\nover = false\n', "not on the d10"),
    "too few faces": (
        f"{WALK}[[do]]\n[[do]]\n{FIRE}fate = [3]\nover = false\n",
        "move 2: too few faces: TIN-DMG-01 throws a d6",
    ),
    "too many faces": (f"{WALK}[[do]]\n[[do]]\n{FIRE}fate = [10, 4, 5]\nover = false\n", "move 2: too many faces: [4, 5]"),
    "faces that nobody throws": (f"{WALK}[[do]]\nfate = [4]\nasked = [2]\n", "move 1: too many faces"),
    "a choice without a seat": (
        f"{WALK}[[do]]\n[[do]]\n" + FIRE.replace("seat = 2", "") + "over = false\n",
        "needs its 'seat'",
    ),
    "nothing at all": (HEAD, "expects nothing"),
    "a move that expects nothing": (f"{WALK}[[do]]\n[[do]]\n{FIRE}fate = [10]\n", "expects nothing"),
    "odds that expect nothing": (f"{WALK}[[do]]\n[[odds]]\n{FIRE}" + 'of = "a.hp"\n', "expects nothing"),
    "a refusal of nothing": (f'{WALK}[[do]]\nrefused = "TIN-OPF-02"\n', "refused"),
    "others who do not know what": (f'{WALK}[[do]]\nothers = "defualt"\nasked = [2]\n', "defualt"),
    "a seat that is no number": (f'{WALK}[[do]]\nhears = {{ red = [{{ fact = "walked" }}] }}\n', "hears"),
    "a place that is not there": (f'{WALK}[[do]]\nexpect = {{ "a.wings" = 2 }}\n', "a.wings"),
    "the score of no such choice": (f'{WALK}[[do]]\nscores = {{ 2 = [{{ verb = "flee", score = 1.0 }}] }}\n', "flee"),
    "the score of a choice with a slip": (f'{WALK}[[do]]\nscores = {{ 2 = [{{ vreb = "fire", score = 1.0 }}] }}\n', "vreb"),
    "a score that is not said": (f'{WALK}[[do]]\nscores = {{ 2 = [{{ verb = "fire" }}] }}\n', "score"),
    "a preview that says nothing": (f'{WALK}[[do]]\npreviews = {{ 2 = [{{ verb = "fire", at = "a" }}] }}\n', "says"),
    "one case for a list of cases": (HEAD + SETUP + '[case]\ntitle = "One"\n', "case"),
    "a number for a list of cases": ("case = 3\n" + WALK + DONE, "case"),
    "a setup that is no table": (HEAD + "setup = 3\n[[case]]\nsetup = { round = 2 }\nfacts = { deck = 12 }\n", "setup"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_case_is_one_clear_error(path: Path, name: str) -> None:
    text, words = WRONG[name]
    assert words in wrong(path, text)


def test_nobody_is_asked_is_something_to_expect(path: Path) -> None:
    """docs/cases.md: `asked`, `[]` for nobody."""
    run(path, HEAD + SETUP.replace("watching = true", "watching = false") + "[[do]]\nasked = []\n")
    fails(path, f"{WALK}[[do]]\nasked = []\n")


# ---- files -----------------------------------------------------------------------------------------------------------


def test_several_cases_share_what_stands_at_the_top(path: Path) -> None:
    text = (
        HEAD + "options = { round_limit = 5 }\n" + SETUP
        + '[[case]]\ntitle = "One"\nsetup = { round = 2 }\n[[case.do]]\nexpect = { round = 2 }\n'
        + '[[case]]\nrules = ["TIN-OPF-01"]\noptions = { nested = false }\n[[case.do]]\nexpect = { round = 1 }\n'
    )  # fmt: skip
    run(path, text)
    one, two = read_cases(path)
    assert (one.title, two.title) == ("One", "A walk")
    assert (one.options, two.options) == ({"round_limit": 5}, {"round_limit": 5, "nested": False})
    assert one.setup["soldiers"] == two.setup["soldiers"]
    assert list(shown_by([one, two], "tiny")) == ["TIN-WLK-01", "TIN-OPF-01"]
    assert list(shown_by([one, two], "dogs")) == []


def test_the_case_that_is_wrong_among_several_is_named(path: Path) -> None:
    text = WALK + '[[case]]\ntitle = "One"\n[[case.do]]\nover = false\n[[case]]\ntitle = "Two"\n'
    assert "case 2 (Two): it expects nothing" in wrong(path, text)


def test_cases_are_found_in_folders_and_by_name(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    files = [tmp_path / "b.toml", tmp_path / "deep" / "a.toml"]
    for file in (*files, tmp_path / "notes.md"):
        file.touch()
    assert find_cases([tmp_path]) == sorted(files)
    assert find_cases([files[1], files[0]]) == [files[1], files[0]]
    with pytest.raises(WardogsError, match="no such case"):
        find_cases([tmp_path / "gone.toml"])


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_bytes(b"\xff")
    for file in (tmp_path / "bad.toml", tmp_path / "gone.toml", tmp_path):
        with pytest.raises(WardogsError, match=file.name):
            read_cases(file)


def test_a_refusal_that_changes_something_would_be_noticed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wardogs.kernel.game import Game
    from wardogs.kernel.offers import Refusal, Refused

    def answer(self: Game, seat: int, choice: object) -> None:
        self.told += 1
        raise Refused(Refusal("TIN-OPF-02", "no"))

    monkeypatch.setattr(Game, "answer", answer)
    assert "position after a refusal" in fails(path, f'{WALK}[[do]]\n[[do]]\n{FIRE}refused = "TIN-OPF-02"\n')


def test_a_case_in_python_is_a_case() -> None:
    run_case(TINY, Case("Twelve cards", "tiny", ("TIN-CRD-01",), facts={"deck": 12}))
