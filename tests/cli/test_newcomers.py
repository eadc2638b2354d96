"""What a newcomer to Dogs of War sees in the terminal: lists he can read, reasons he can use, questions that say what goes on."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from tests.cli.calling import call
from wardogs.cli.asking import Entry
from wardogs.cli.folding import SCREEN, Fold, folded, opened
from wardogs.cli.terminal import Quit, Terminal
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Offer, OneOf
from wardogs.kernel.system import Wanted
from wardogs.systems.dogs import SYSTEM
from wardogs.systems.dogs.chapters import VERBS
from wardogs.systems.dogs.view import SECRET

WALL = {"id": "W", "line": [20, 20, 40, 20], "height": 4, "material": "brick"}


def man(id_: str, side: int, at: list[float], **more: Any) -> dict[str, Any]:
    return {"id": id_, "side": side, "list": "us_rangers" if side == 1 else "taliban", "at": at, **more}


def staged(**setup: Any) -> Match:
    """A match that stands where a case would begin."""
    terms, position = SYSTEM.stage(setup, {})
    system = replace(SYSTEM, terms=lambda _: terms, begin=lambda _: position, names=lambda _: {1: "Rangers", 2: "Taliban"})
    return Match.start(system, SYSTEM.plan(Wanted("crossroads")), {1: "person", 2: "person"}, bytes(32))


def typed(*lines: str, columns: int = 100, **setup: Any) -> str:
    """What the screen says while two people type these lines."""
    given = iter(lines)

    def ask(prompt: str) -> str:
        print(prompt, end="")
        line = next(given, None)
        if line is None:
            raise EOFError
        return line

    out = io.StringIO()
    with redirect_stdout(out), pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        with pytest.raises(Quit):
            Terminal(staged(**setup), {}, ask).play()
    return out.getvalue()


def after(said: str, mark: str) -> list[str]:
    return said.split(mark, 1)[1].splitlines()


# ---- why not ---------------------------------------------------------------------------------------------------------

BEHIND = (man("ann", 1, [30, 10]), man("zoe", 2, [30, 30]), man("yan", 2, [10, 15]), man("xan", 2, [30, 40]))


def reasons(word: str, **setup: Any) -> list[str]:
    said = typed("", f"why {word}".strip(), **setup)
    return after(said, "(help: other things you can type)\n> ")[:-1]


def test_why_fire_gives_a_reason_for_each_enemy() -> None:
    told = reasons("fire", map={"wall": [WALL]}, models=BEHIND, active=["ann"])
    assert len(told) == 2
    for line, enemy in zip(told, ("zoe", "xan"), strict=True):
        assert f"not ann fires at {enemy}: " in line
        assert "[DOW-LOS-" in line


def test_why_fire_says_first_what_keeps_him_from_firing_at_all() -> None:
    tired = (man("ann", 1, [30, 10], state={"ap": 1}), *BEHIND[1:])
    told = reasons("fire", map={"wall": [WALL]}, models=tired, active=["ann"])
    assert "not ann fires: it costs 3 AP and he has 1 [DOW-APT-02]" in told[0]
    assert len(told) == 3


@pytest.mark.parametrize("men", [1, 4])
def test_why_alone_fits_on_a_screen_and_names_everything_once(men: int) -> None:
    team = [man(f"ann{k}", 1, [10 + 4 * k, 10], team="R") for k in range(men)]
    told = reasons("", models=(*team, man("zoe", 2, [30, 30])), active=[one["id"] for one in team])
    assert len(told) <= 26
    assert max(map(len, told)) <= 100
    joined = " ".join(line.strip() for line in told)
    for verb in ("crawl", "lift mine", "open door", "fast rope"):
        assert len(re.findall(rf"\b{verb}\b", joined)) == 1, verb


def test_one_reason_for_several_things_is_told_once() -> None:
    told = reasons("", models=(man("ann", 1, [10, 10]), man("zoe", 2, [30, 30])), active=["ann"])
    assert any("lift mine, set c4, set shaped charge, disarm vest: he is no Combat Engineer" in line for line in told)


def test_why_and_a_word_tells_that_thing_only() -> None:
    setup: dict[str, Any] = {"models": (man("ann", 1, [10, 10]), man("zoe", 2, [30, 30])), "active": ["ann"]}
    assert reasons("lift mine", **setup) == ["  not ann lifts a mine: ann is no Combat Engineer [DOW-EXP-01]"]
    assert reasons("crawl", **setup) == ["  not ann crawls: only a prone man crawls [DOW-MOV-06]"]
    assert "Nothing called walk is barred here" in reasons("walk", **setup)[0]


# ---- long lists ------------------------------------------------------------------------------------------------------


def team_setup(men: int = 4, enemies: int = 6) -> dict[str, Any]:
    team = [man(f"ann{k}", 1, [10 + 4 * k, 10], team="R") for k in range(men)]
    return {"models": (*team, *(man(f"zoe{k}", 2, [10 + 4 * k, 30]) for k in range(enemies))), "active": [m["id"] for m in team]}


def numbered(lines: list[str]) -> list[str]:
    return [line for line in lines if re.match(r" *\d+(-\d+)?  ", line)]


def test_the_list_of_a_team_fits_on_a_screen() -> None:
    lines = after(typed("", **team_setup()), "What do your active men do?")
    assert 4 < len(numbered(lines)) <= SCREEN
    assert any(re.match(r" +1-\d+  ann0 … \(walk, run, prone, turn, fire", line) for line in lines)


def test_a_line_opens_down_to_one_choice_and_nothing_unread_is_chosen() -> None:
    said = typed("", "1", "5", "5", **team_setup())
    whole, man_, fires, done = (part for part in said.split("> ")[0:4])
    assert "ann0 … (" in whole
    assert re.search(r"5-\d+  ann0 fires … \(\d+ ways\) \[3 to 5 AP\]", man_)
    assert re.search(r"  5  ann0 fires a shot with the M16A2 at zoe0 \[3 AP\]", fires)
    assert "DOW-RNG-06" not in man_ + fires
    assert "DOW-RNG-06  Ann0 fires a shot with the M16A2 at zoe0" in done


def test_more_lists_everything_in_one_straight_column() -> None:
    lines = numbered(after(typed("", "more", **team_setup()), "> "))
    assert len(lines) > 100
    assert len({line.index("  ", len(line) - len(line.lstrip())) for line in lines}) == 1


def entries(*kinds: tuple[str, str, int]) -> list[Entry]:
    offers = [Offer(verb, "", {"model": OneOf((who,)), "n": OneOf((k,))}) for who, verb, n in kinds for k in range(n)]
    return [Entry(offer, offer.pick(0)) for offer in offers]


def test_the_largest_kinds_are_folded_first() -> None:
    listed = entries(("a", "walk", 1), ("a", "fire", 30), ("a", "throw", 3))
    folds = folded(listed, Fold(1, len(listed)))
    assert [fold.label for fold in folds] == ["1", "2-31", "32", "33", "34"]
    assert opened(listed, folds, 7) == [Fold(n, n) for n in range(2, 32)]


def test_every_number_is_on_exactly_one_line() -> None:
    listed = entries(*((who, verb, n) for who in "abcd" for verb, n in zip(("walk", "fire", "throw"), count(1, 9), strict=False)))
    for whole in (Fold(1, len(listed)), Fold(1, 20), Fold(31, 60)):
        numbers = [n for fold in folded(listed, whole) for n in range(fold.first, fold.last + 1)]
        assert numbers == list(range(whole.first, whole.last + 1))


# ---- what a watcher is asked -----------------------------------------------------------------------------------------

WATCHED = (man("ann", 1, [10, 10]), man("zoe", 2, [10, 30], facing=180, state={"opfire": True}))


def question(*lines: str, models: Any = WATCHED) -> str:
    said = typed("", *lines, "", models=models, active=["ann"])
    return next(line for line in said.splitlines() if line.startswith("Taliban: Op-Fire"))


def test_the_question_says_who_moves_and_how() -> None:
    assert question("1", "12 10", "0").endswith("does a watcher fire? Ann is walking, now at 11, 10.")
    assert "Ann is running, now at 11, 10." in question("2", "12 10", "0")


def test_the_question_says_what_is_declared() -> None:
    said = typed("", models=WATCHED, active=["ann"])
    number = next(line.split()[0] for line in said.splitlines() if "ann fires a shot with the M16A2 at zoe [3 AP]" in line)
    assert question(number).endswith("Ann is about to fire; it is meant for zoe.")


def test_the_question_does_not_tell_what_is_laid_in_secret() -> None:
    sapper = man("ann", 1, [10, 10], role="leader", state={"stores": [["ap_mine", 2]]})
    said = typed("", models=(sapper, WATCHED[1]), active=["ann"])
    number = next(line.split()[0] for line in said.splitlines() if "ann lays a mine" in line)
    asked = question(number, "10 10.6", models=(sapper, WATCHED[1]))
    assert asked.endswith("Ann is about to do something.")


def test_only_the_watchers_owner_is_told() -> None:
    match = staged(models=WATCHED, active=["ann"])
    match.answer(1, {"verb": "walk", "model": "ann", "to": [12.0, 10.0, 0.0], "face": 0})
    told = {seat: [report.fact for _, report, _ in match.record.sentences(seat)] for seat in (None, 1, 2)}
    assert "op_fire" in told[2]
    assert "op_fire" not in [*told[1], *told[None]]


def test_every_act_that_watchers_may_answer_has_its_words() -> None:
    watched = {name for name, verb in VERBS.items() if verb.watched and name not in SECRET}
    assert watched <= set(SYSTEM.words["about_to"])


# ---- small things ----------------------------------------------------------------------------------------------------


def test_sentences_begin_with_a_capital() -> None:
    said = call("bout", "dogs", "--seed", "3")[1].splitlines()
    told = [line[12:] for line in said if line.startswith("DOW-")]
    assert len(told) > 50
    assert [line for line in told if line[:1].islower()] == []


def test_house_rules_stand_one_to_a_line_with_the_default_marked() -> None:
    lines = after(call("systems", "dogs")[1], "House rules")[1:]
    assert len(lines) == len(SYSTEM.options.__struct_fields__)
    assert len({re.search(r"DOW-[A-Z]{3}-\d\d ", line).start() for line in lines}) == 1  # type: ignore[union-attr]
    assert all(len(re.findall(r"\[[^\]]+\]", line)) == 1 for line in lines)
    assert any(re.search(r"target_move_memory +\[next_activation\] \| only_while_moving \| turn_end  ", line) for line in lines)


def test_a_missing_scenario_is_no_such_file() -> None:
    code, _, err = call("play", "dogs", "--scenario", "nowhere.toml")
    assert (code, err) == (2, "wardogs: no such file: nowhere.toml\n")


def test_no_label_on_the_map_has_three_characters() -> None:
    crowd = [man(f"ann{k}", 1, [2.5 + 2 * k, 10.5], team="R") for k in range(14)]
    text = SYSTEM.scene(*sight(models=(*crowd, man("zoe", 2, [30, 30])), active=["ann0"])).text
    row = next(line for line in text.splitlines() if "A1A2" in line)
    assert "A1A2A3A4A5A6A7A8A9AaAbAcAdAe" in row
    assert "On the map Aa is A10, Ab is A11, Ac is A12, Ad is A13, Ae is A14." in text


def sight(**setup: Any) -> tuple[Any, Any]:
    match = staged(**setup)
    return match.terms, match.seen(1).view
