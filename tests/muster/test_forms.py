"""Rosters in all their forms: each is read back as it was, and damaged ones are refused in one line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from time import process_time
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wardogs.kernel.errors import WardogsError
from wardogs.muster import KEYS, musterer
from wardogs.muster.forms import FORMS, Force, parse, read, write
from wardogs.muster.link import is_link, pack, unpack
from wardogs.muster.tomltext import dump
from wardogs.systems.dogs.data import WEAPONS
from wardogs.systems.dogs.lists import CALIBRES, PERKS, PURCHASES, TEAMS
from wardogs.systems.dogs.recruits import random_roster
from wardogs.systems.dogs.roster import Roster, cost, roster_from, soldiers, tidy

DOGS = musterer("dogs")
NAMES = st.text(st.characters(categories=("L", "N", "P", "S"), include_characters=" "), max_size=20).map(str.strip)


@st.composite
def buys(draw: st.DrawFn, roles: list[str]) -> dict[str, Any]:
    """One purchase, legal or not."""
    kind, ids = draw(st.sampled_from([("item", [*PURCHASES, *WEAPONS]), ("perk", list(PERKS))]))
    buy = {"role": draw(st.sampled_from(roles)), kind: draw(st.sampled_from(ids)), "n": draw(st.integers(1, 9))}
    if buy.get("item") == "rounds":
        buy["calibre"] = draw(st.sampled_from(["", *CALIBRES]))
    return buy


@st.composite
def teams(draw: st.DrawFn) -> dict[str, Any]:
    own = draw(st.sampled_from(list(TEAMS.values())))
    roles = [role.role for role in own.roles]
    weapons = st.lists(st.sampled_from(list(WEAPONS)), max_size=3)
    return {
        "list": own.id,
        "name": draw(NAMES),
        "gunner": draw(st.sampled_from(["", "m249", "m60e3", "rpk"])),
        "weapons": draw(st.dictionaries(st.sampled_from(roles), weapons, max_size=3)),
        "all": draw(st.lists(st.sampled_from(list(PURCHASES)), max_size=2)),
        "buy": draw(st.lists(buys(roles), max_size=5)),
        "vest": draw(st.lists(st.sampled_from(roles), unique=True, max_size=2)),
    }


ROSTERS = st.builds(
    lambda name, points, teams: roster_from({"name": name, "points": points, "teams": teams}),
    NAMES,
    st.integers(0, 5000),
    st.lists(teams(), max_size=4),
)


def force(roster: Roster) -> Force:
    return Force(DOGS, roster)


def men(roster: Roster) -> list[Any]:
    """Who steps onto the table, whatever the order of his kit."""
    plain = [msgspec.to_builtins(soldier) for team in roster.teams for soldier in soldiers(team)]
    return [{key: sorted(value) if key in ("gear", "perks") else value for key, value in man.items()} for man in plain]


@given(ROSTERS)
@settings(max_examples=150, deadline=None)
def test_files_and_links_are_read_back_as_they_were(roster: Roster) -> None:
    for form in ("toml", "json", "link"):
        assert parse(write(force(roster), form), form) == force(roster)


@given(ROSTERS)
@settings(max_examples=150, deadline=None)
def test_a_text_is_read_back_as_the_same_force(roster: Roster) -> None:
    told = parse(write(force(roster), "text"), "text").roster
    assert told == tidy(roster)
    assert (cost(told), men(told)) == (cost(roster), men(roster))  # type: ignore[arg-type]
    assert tidy(told) == told  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMS)
def test_forces_made_up_by_chance_go_round(form: str) -> None:
    for seed in range(25):
        made = force(random_roster(300 + 50 * seed, seed))
        assert parse(write(made, form), form) == made


# Links ----------------------------------------------------------------------------------------------------------------

LINK = pack("dogs", {"name": "North gate", "teams": [{"list": "us_rangers", "gunner": "m249"}]})


def test_a_link_is_short_and_needs_no_quoting() -> None:
    assert set(LINK) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
    assert LINK.startswith("wd1.dogs.")
    assert LINK[-1].isalnum()
    made = force(random_roster(500, 1, "us_rangers"))
    assert len(write(made, "link")) < len(write(made, "text"))


@given(st.data())
def test_no_damage_goes_unseen(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(LINK) - 1))
    letter = data.draw(st.sampled_from("abcXYZ019-_. /"))
    for damaged in (LINK[:at] + LINK[at + 1 :], LINK[:at] + letter + LINK[at + 1 :], LINK[:at]):
        if damaged.strip() != LINK:
            with pytest.raises(WardogsError):
                parse(damaged, "link")


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (LINK[:-9], "damaged"),
        (LINK.replace("wd1", "wd2"), "of form wd2, and this program reads wd1"),
        (pack("chess", {}), "unknown system with rosters chess"),
        (pack("dogs", {"teams": [{"list": "martians"}]}), "team 1: unknown list martians"),
        (pack("dogs", {"name": "x" * 200_000}), "holds more than a roster can"),
    ],
)
def test_links_that_cannot_be_used_say_why(link: str, said: str) -> None:
    with pytest.raises(WardogsError) as error:
        parse(link, "link")
    assert str(error.value).startswith("link: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_link_may_stand_in_an_address() -> None:
    assert is_link(f"https://example.org/muster#{LINK}")
    assert read(f"https://example.org/muster?r={LINK}") == parse(LINK, "link")
    assert unpack(f"  {LINK}\n")[0] == "dogs"


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("name = 'x'", 'begin it with system = "dogs"'),
        ("system = 'chess'", "unknown system"),
        ("system = 'dogs'\nteams = 3", "teams: write a list, not a whole number"),
        ("system = 'dogs'\n[[teams]]\nlist = us", "line 3"),
        ("{", "not JSON"),
        ("Dogs of War", "line 1"),
        ("Dogs of War: 500 points", "begin with"),
        ("Dogs of War: x, 5 of 5 points\n\nMartians, 5 points", "line 3: unknown team Martians"),
        ("Dogs of War: x, 5 of 5 points\n\nStreet gang\n- Boss: AK-47", "line 3: Street gang has 4 men"),
        (
            "Dogs of War: 5 of 5 points\ngang\n- Boss: AK-48\n- Gunman:\n- Gunman:\n- Gunman:",
            "line 3: unknown weapon, item or perk AK-48",
        ),
        ("Dogs of War: 5 of 5 points\ngang\n- Boss:\n- Gunmen:\n- Gunman:\n- Gunman:", "line 4: this is the line of the Gunman"),
        ("Dogs of War: 5 of 5 points\ngang\n- Boss: 150 rounds\n- Gunman:\n- Gunman:\n- Gunman:", "rounds are sold by the 100"),
    ],
)
def test_wrong_texts_say_where_and_how(text: str, said: str) -> None:
    with pytest.raises(WardogsError) as error:
        parse(text, "force.toml")
    assert str(error.value).startswith("force.toml: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_text_typed_by_hand() -> None:
    text = (
        "dogs of war: Home team, 0 of 300 points\r\n\r\nsomalia_militia\r\n* leader: ak-47\r\n* scout: ak47, 2 x soviet frag\r\n"
    )
    text += "* gunner: RPD-46\r\n* assistant: AK-47, rpg_with_round\r\n"
    roster = parse(text, "message").roster
    assert roster == roster_from(
        {
            "name": "Home team",
            "points": 300,
            "teams": [
                {
                    "list": "somalia_militia",
                    "gunner": "rpd46",
                    "buy": [{"role": "scout", "item": "frag_soviet", "n": 2}, {"role": "assistant", "item": "rpg_with_round"}],
                }
            ],
        }
    )


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "large").write_bytes(b"#" * 1_000_001)
    wrong = {
        "": "folder",
        "none.toml": "no such file",
        "binary": "line 1: byte 0xff is not UTF-8",
        "large": "far too large",
        "a\0b": "no such file",
    }
    for name, said in wrong.items():
        with pytest.raises(WardogsError, match=said):
            read(str(tmp_path / name))


@given(st.dictionaries(st.sampled_from("abc"), st.text() | st.integers() | st.booleans() | st.lists(st.text()), min_size=1))
def test_toml_as_a_person_would_write_it(row: dict[str, Any]) -> None:
    raw = {**row, "rows": [row, {"inner": [row], "one": row}]}
    assert tomllib.loads(dump(raw)) == raw


def test_every_registered_system_has_a_record() -> None:
    for key in KEYS:
        assert musterer(key).key == key
    with pytest.raises(WardogsError, match="unknown form"):
        write(force(Roster()), "pdf")


def test_the_guide_shows_one_force_in_every_form() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "muster.md").read_text()
    toml, text, link = (re.search(rf"```{kind}\n(.*?)```", guide, re.DOTALL) for kind in ("toml", "text", "link"))
    assert toml
    assert text
    assert link
    shown = parse(toml[1], "guide")
    assert write(shown, "text") == text[1]
    assert parse(link[1], "guide") == shown
    assert DOGS.violations(shown.roster) == []


@pytest.mark.parametrize("text", ["Dogs of War:" + " " * 90_000 + "x", 'system = "dogs"\n' + "a." * 45_000 + "a = 1"])
def test_a_monstrous_line_is_refused_at_once(text: str) -> None:
    started = process_time()
    with pytest.raises(WardogsError, match=r"letters|dots"):
        parse(text, "roster")
    assert process_time() - started < 2
