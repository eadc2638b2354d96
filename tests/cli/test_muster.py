"""wardogs muster: what it prints, what it writes, and how it refuses."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path

import pytest

from tests.cli.calling import call

GUARDS = """
system = "dogs"
name = "North gate"

[[teams]]
list = "al_qaeda"
name = "guards"
buy = [
  { role = "scout", perk = "jihad" },
  { role = "assistant", perk = "jihad" },
  { role = "leader", item = "frag_soviet" },
]
vest = ["scout"]
"""


@pytest.fixture
def guards(tmp_path: Path) -> str:
    path = tmp_path / "guards.toml"
    path.write_text(GUARDS)
    return str(path)


def test_a_legal_roster_is_one_line(guards: str) -> None:
    assert call("muster", "check", guards) == (0, f"{guards}: legal: 300 of 500 points\n", "")


def test_every_fault_is_listed_with_its_rule(guards: str) -> None:
    Path(guards).write_text(GUARDS.replace("jihad", "gun_nut"))
    code, out, _ = call("muster", "check", guards, "--points", "200")
    lines = out.splitlines()
    assert code == 1
    assert len(lines) == 5
    assert lines[0] == f"{guards}: 220 points where 200 are allowed: leave out 20 [DOW-GEN-07]"
    assert all(line.startswith(f"{guards}: team 1 (guards)") for line in lines[1:])


def test_check_in_json(guards: str) -> None:
    code, out, err = call("muster", "check", guards, "none.toml", "--points", "299", "--json")
    over, missing = json.loads(out)
    assert (code, err) == (2, "")
    assert (over["legal"], over["cost"], over["violations"][0]["data"]) == (False, 300, {"cost": 300, "limit": 299, "over": 1})
    assert missing["unreadable"].startswith("none.toml: no such file")


def test_house_rules_and_mixed_forces(guards: str) -> None:
    with Path(guards).open("a") as file:
        file.write('\n[[teams]]\nlist = "gang"\n')
    assert call("muster", "check", guards)[0] == 1
    assert call("muster", "check", guards, "--mixed")[0] == 0
    code, out, _ = call("muster", "check", guards, "--mixed", "--options", "reconstructed_options=false")
    assert code == 1
    assert "DOW-GEN-15" in out
    assert call("muster", "check", guards, "--options", "nonsense=1")[0] == 2


def test_cost_line_by_line(guards: str) -> None:
    code, out, _ = call("muster", "cost", guards)
    assert code == 0
    assert out.splitlines()[:4] == [
        "  200  Al Qaeda terrorist fire team [DOW-GEN-07]",
        "   20  Team Leader: Soviet frag [DOW-EQP-17]",
        "   40  Scout: Jihad [DOW-BLD-06]",
        "   40  Assistant Machine Gunner: Jihad [DOW-BLD-06]",
    ]
    assert out.endswith("  300  in all, of 500\n")
    bill = json.loads(call("muster", "cost", guards, "--json")[1])
    assert bill["cost"] == sum(line["points"] for team in bill["teams"] for line in team["lines"]) == 300


def test_show_tells_every_soldier(guards: str) -> None:
    code, out, _ = call("muster", "show", guards)
    assert code == 0
    assert "  Scout: WP 5 WK 5 CQ 5 ST 4 FT 4 ML 7 HP 5 CC 6/LOS, worth 90\n    weapons  AK-74 (30 of 30 loaded)\n" in out
    assert "    vest     1 x quarter pound of C4\n" in out
    shown = json.loads(call("muster", "show", guards, "--json")[1])
    assert [man["vest"] for man in shown["teams"][0]["soldiers"]] == [0, 1, 0, 0]


def test_convert_there_and_back(guards: str, monkeypatch: pytest.MonkeyPatch) -> None:
    toml = call("muster", "convert", guards, "--to", "toml")[1]
    link = call("muster", "convert", guards, "--to", "link")[1].strip()
    assert call("muster", "convert", link, "--to", "toml")[1] == toml
    code, text, _ = call("muster", "convert", guards)
    assert code == 0
    assert text.startswith('Dogs of War: North gate, 300 of 500 points\n\nAl Qaeda terrorist fire team "guards", 300 points\n')
    monkeypatch.setattr(sys, "stdin", StringIO(text))
    assert call("muster", "cost", "-")[1] == call("muster", "cost", guards)[1]


def test_new_makes_a_legal_force(tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    code, out, err = call("muster", "new", "dogs", "--points", "750", "--of", "Somalia", "--seed", "7", "-o", str(path))
    assert (code, out, err) == (0, "", f"{path}: 750 of 750 points\n")
    assert call("muster", "check", str(path))[0] == 0
    assert call("muster", "new", "dogs", "--points", "750", "--of", "Somalia", "--seed", "7")[1] == path.read_text()
    code, _, err = call("muster", "new", "dogs", "-o", str(path))
    assert code == 2
    assert "--force" in err


def test_new_says_when_it_falls_short() -> None:
    code, _, err = call("muster", "new", "dogs", "--points", "215", "--of", "al_qaeda")
    assert (code, err) == (0, "200 of 215 points: nothing of use that its lists sell comes nearer\n")


def test_lists_tell_ids_and_prices() -> None:
    assert "us_rangers          250  Ranger fire team (US)\n" in call("muster", "lists", "dogs")[1]
    assert "  perk    jihad                   40  Jihad\n" in call("muster", "lists", "dogs", "al_qaeda")[1]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("check", "none.toml"), "none.toml: no such file"),
        (("cost", "wd1.dogs.abc.00000000"), "link: damaged"),
        (("new", "chess"), "unknown system with rosters chess: there are dogs"),
        (("new", "dogs", "--of", "ranger"), "unknown list or faction ranger"),
        (("new", "dogs", "--points", "10"), "10 points buy no team of any list"),
        (("new", "dogs", "--to", "pdf"), "unknown form pdf"),
        (("lists", "dogs", "rangers"), "did you mean us_rangers?"),
        (("convert",), "Missing argument"),
    ],
)
def test_wrong_calls_give_one_line(args: tuple[str, ...], said: str) -> None:
    code, out, err = call("muster", *args)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_bare_muster_is_its_help() -> None:
    code, out, _ = call("muster")
    assert code == 0
    assert "convert" in out
