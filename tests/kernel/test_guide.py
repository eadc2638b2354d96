"""Guides: files that are read, files that are none, and that both systems' guides speak of what there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.guide import START, Guide, Step, read_guide
from wardogs.systems import KEYS, load_system

GOOD = """
scenario = "duel"

[[steps]]
when = "start"
say = "Look round."

[[steps]]
when = "walk"
say = "Off you go."
then = "walk"
"""


def test_a_guide_is_read(tmp_path: Path) -> None:
    path = tmp_path / "guide.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert read_guide(path) == Guide("duel", (Step(START, "Look round."), Step("walk", "Off you go.", "walk")))


@pytest.mark.parametrize(
    "content",
    [
        "",
        'scenario = "duel"\n',
        "steps = []\n",
        "scenario = 3\n" + GOOD.replace('scenario = "duel"', ""),
        GOOD.replace('when = "start"', ""),
        GOOD.replace('say = "Look round."', ""),
        GOOD.replace('say = "Look round."', 'say = ""'),
        GOOD.replace("Look round.", "Look round. " * 50),
        GOOD + 'colour = "red"\n',
        GOOD + "then = 5\n",
        "[[steps]\n",
    ],
)
def test_a_bad_guide_is_refused_in_one_line_that_names_it(tmp_path: Path, content: str) -> None:
    path = tmp_path / "guide.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(WardogsError, match=r"guide\.toml: not a guide: ") as error:
        read_guide(path)
    assert "\n" not in str(error.value)


def test_a_guide_that_cannot_be_read_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "guide.toml").write_bytes(b"\xff\xfe")
    for path in (tmp_path / "guide.toml", tmp_path / "gone.toml", tmp_path):
        with pytest.raises(WardogsError, match=path.name):
            read_guide(path)


# ---- those that there are --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_every_system_has_a_guide_of_a_few_steps(key: str) -> None:
    guide = load_system(key).guide
    assert 8 <= len(guide.steps) <= 16
    assert guide.steps[0].when == START
    assert guide.scenario in load_system(key).scenarios


@pytest.mark.parametrize("key", KEYS)
def test_its_steps_wait_for_what_is_asked_or_told(key: str) -> None:
    system = load_system(key)
    facts = {fact.split(".")[0] for fact in system.words["reports"]}
    known = {START, *system.words["questions"], *facts}
    assert [step.when for step in system.guide.steps if step.when not in known] == []


@pytest.mark.parametrize("key", KEYS)
def test_what_it_wants_to_be_tried_can_be_chosen(key: str) -> None:
    system = load_system(key)
    assert [step.then for step in system.guide.steps if step.then and step.then not in system.words["choices"]] == []
