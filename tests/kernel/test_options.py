"""House rules: layers, types, `name=value` words, and messages that name what is admitted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.options import admitted, choose_options, parse_pairs, read_options


class House(Struct, frozen=True):
    los_half: Literal["ge", "gt"] = "ge"
    fog: bool = False
    rounds: Annotated[int, Meta(ge=1)] = 6
    bonus: int = 0
    dice: Annotated[int, Meta(ge=1, le=4)] = 1
    reach: float = 1.5
    name: str = "plain"
    night: Annotated[bool, Meta(description="fought in the dark")] = False


def wrong(**layer: Any) -> str:
    with pytest.raises(WardogsError) as error:
        choose_options(House, layer)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_no_layers_give_the_defaults() -> None:
    assert choose_options(House) == House()
    assert choose_options(House, {}, {}) == House()


def test_later_layers_go_over_earlier_ones() -> None:
    found = choose_options(House, {"fog": True, "rounds": 3}, {"rounds": 4}, {"name": "x"})
    assert found == House(fog=True, rounds=4, name="x")


def test_an_earlier_layer_is_checked_although_a_later_one_hides_it() -> None:
    with pytest.raises(WardogsError, match="rounds"):
        choose_options(House, {"rounds": 0}, {"rounds": 4})


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("fog=true", House(fog=True)),
        ("fog=false", House()),
        ("rounds=12", House(rounds=12)),
        ("los_half=gt", House(los_half="gt")),
        ("bonus=-2", House(bonus=-2)),
        ("reach=2.25", House(reach=2.25)),
        ("name=5", House(name="5")),
        ("name=a=b", House(name="a=b")),
    ],
)
def test_words_become_what_the_switch_takes(word: str, expected: House) -> None:
    assert choose_options(House, parse_pairs([word])) == expected


@pytest.mark.parametrize(
    "layer",
    [
        {"fog": 1},
        {"fog": "maybe"},
        {"rounds": True},
        {"rounds": 2.5},
        {"rounds": "2.5"},
        {"rounds": ""},
        {"bonus": "many"},
        {"name": 5},
        {"los_half": 1},
        {"los_half": "GT"},
        {"fog": None},
        {"fog": []},
        {"rounds": {"most": 3}},
    ],
)
def test_a_value_of_another_type_is_refused_by_name(layer: dict[str, Any]) -> None:
    (name, value), *_ = layer.items()
    assert f"option {name}={value}" in wrong(**layer)


@pytest.mark.parametrize(
    ("layer", "takes"),
    [
        ({"los_half": "lt"}, "ge or gt"),
        ({"fog": "maybe"}, "true or false"),
        ({"rounds": 0}, "a whole number from 1"),
        ({"name": 3}, "text"),
        ({"night": 3}, "true or false"),
    ],
)
def test_a_bad_value_names_what_is_admitted(layer: dict[str, Any], takes: str) -> None:
    assert wrong(**layer).endswith(f"it takes {takes}")


def test_a_number_that_may_be_negative_is_not_said_to_start_at_nothing() -> None:
    assert choose_options(House, {"bonus": -3}).bonus == -3
    assert "from 0" not in wrong(bonus="many")


def test_an_upper_bound_is_named() -> None:
    assert "4" in wrong(dice=5).replace("dice=5", "")


def test_a_length_takes_a_number_not_text() -> None:
    assert admitted(House, "reach") != "text"
    assert "number" in wrong(reach="far")


def test_an_unknown_name_comes_with_a_suggestion_and_all_there_are() -> None:
    said = wrong(los_halve="gt")
    assert "unknown option los_halve: did you mean los_half?" in said
    assert "there are los_half, fog, rounds, bonus, dice, reach, name, night" in said


def test_a_name_like_no_other_comes_without_a_suggestion() -> None:
    said = wrong(zzzzzz=1)
    assert "did you mean" not in said
    assert "there are los_half" in said


# ---- words and files -------------------------------------------------------------------------------------------------


def test_several_pairs_in_one_word_and_in_many() -> None:
    assert parse_pairs(["a=1,b=2", "c = x ", ",", ""]) == {"a": "1", "b": "2", "c": "x"}
    assert parse_pairs([]) == {}
    assert parse_pairs(["a=1", "a=2"]) == {"a": "2"}


@pytest.mark.parametrize("word", ["fog", "a=1,fog", "a:1"])
def test_a_word_without_a_value_says_how_to_write_it(word: str) -> None:
    with pytest.raises(WardogsError, match="write it as name=value"):
        parse_pairs([word])


def test_a_file_is_a_layer(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('fog = true\nlos_half = "gt"\n', encoding="utf-8")
    assert choose_options(House, read_options(file), {"fog": False}) == House(los_half="gt")


@pytest.mark.parametrize("content", [b"fog = maybe\n", b"fog\n", b"\xff\xfe", b"[half\n"])
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes(content)
    with pytest.raises(WardogsError, match=r"house\.toml: not TOML"):
        read_options(file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WardogsError, match=r"house\.toml: no such file"):
        read_options(tmp_path / "house.toml")


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(WardogsError, match=str(tmp_path)):
        read_options(tmp_path)


def test_a_table_in_a_file_of_options_is_an_unknown_option(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text("[tiny]\nfog = true\n", encoding="utf-8")
    with pytest.raises(WardogsError, match="unknown option tiny"):
        choose_options(House, read_options(file))
