"""The commands as people use them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.calling import call
from wardogs.kernel.register import coverage, read_register
from wardogs.systems import load_system

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases" / "dawgs"


def bout(*args: str) -> dict[str, object]:
    code, out, err = call("bout", "dawgs", *args, "--json")
    assert (code, err) == (0, "")
    found: dict[str, object] = json.loads(out)
    return found


def test_bout_json_has_what_the_design_promises() -> None:
    found = bout("--seed", "7")
    wanted = "system scenario rules_version seed seats winner reason turns choices rolls seconds hash"
    assert set(wanted.split()) <= set(found)
    assert found["scenario"] == "dawgs_dawn_patrol"


BOUTS = [
    *(["--scenario", "ffa", "--seats", str(n)] for n in (2, 3, 5, 8)),
    *(["--scenario", "teams", "--seats", str(n)] for n in (2, 3, 5, 8)),
    ["--teams", "1,4/2/3,5"],
    *(["--scenario", name] for name in ("dawn_patrol", "courier", "last_flying")),
    *(
        ["--scenario", "ffa", "--seats", "3", "--options", option]
        for option in (
            "use_specials=false", "team_cards_open=true", "footprint=front_only", "vertex_increment=zigzag",
            "corner=side_first", "top_stop=no_move", "respawn_clear=all", "respawn_clear=none", "cone=hexes",
            "cone_target=front_hex", "fire_declaration=seat_order", "overflow_hits=destroyed", "speed_order=level_first",
            "breakup_match=exact", "check_victory=immediate", "round_limit=5", "opt_damaging=true", "opt_not_round=true",
            "opt_constant_altitude=true", "opt_redraw_special=true,redraw_choice=may", "opt_delayed_respawn=true",
            "opt_continuous_fire=true,cf_bonus=own",
        )
    ),
]  # fmt: skip


def test_the_same_seed_gives_the_same_hash_in_any_process() -> None:
    """Twice here, and in other processes under other hash seeds: every mode, scenario and option."""
    here = [bout("--seed", "7", *args)["hash"] for args in BOUTS]
    assert here == [bout("--seed", "7", *args)["hash"] for args in BOUTS]
    assert len(set(here)) > len(here) * 0.8
    for hash_seed in ("0", "4242"):
        assert in_another_process(hash_seed) == here


def in_another_process(hash_seed: str) -> list[str]:
    program = (
        "import json, sys; from tests.cli.test_commands import BOUTS, bout;"
        "print(json.dumps([bout('--seed', '7', *args)['hash'] for args in BOUTS]))"
    )
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], env=env, cwd=ROOT, capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def test_another_seed_gives_another_game() -> None:
    assert bout("--seed", "7")["hash"] != bout("--seed", "8")["hash"]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.wardogs"
    assert call("bout", "dawgs", "--seed", "7", "--seats", "3", "--record", str(path))[0] == 0
    return path


def test_replay_tells_verifies_and_draws(record: Path, tmp_path: Path) -> None:
    code, told, _ = call("replay", str(record))
    assert code == 0
    assert "Angus Howles" in told
    assert "DAW-MOV-01" in told
    code, said, _ = call("replay", str(record), "--verify")
    assert code == 0
    assert "faces are what the sealed seed gives" in said
    picture = tmp_path / "out.svg"
    assert call("replay", str(record), "--to", "5", "--svg", str(picture))[0] == 0
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_the_commitment_stands_before_the_first_roll(record: Path) -> None:
    header, begin = (json.loads(line) for line in record.read_text().splitlines()[:2])
    assert len(header["header"]["commitment"]) == 64
    assert "faces" not in header
    assert begin["faces"]


def test_a_record_is_told_without_any_rules(record: Path, tmp_path: Path) -> None:
    """The rules package made unimportable: the words still come, the same as ever."""
    told = call("replay", str(record))[1]
    program = (
        "import sys\n"
        "class No:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'wardogs.systems' or name.startswith('wardogs.systems.'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, No())\n"
        "from wardogs.cli import main\n"
        f"main(['replay', {str(record)!r}])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == told


def test_what_a_seat_may_not_know_is_not_told(record: Path) -> None:
    spectator, seat = call("replay", str(record))[1], call("replay", str(record), "--seat", "2")[1]
    assert "is dealt" not in spectator
    assert seat.count("is dealt") == 1


def test_coverage_is_complete_and_fails_when_an_id_is_missing(tmp_path: Path) -> None:
    code, out, _ = call("rules", "dawgs", "--coverage", "--cases", str(CASES))
    assert code == 0
    assert out.splitlines()[-1] == "158 rules: 158 named in code, 158 shown by a case"
    fewer = tmp_path / "cases"
    shutil.copytree(CASES, fewer)
    for path in fewer.glob("*.toml"):
        path.write_text(path.read_text().replace('"DAW-BRK-06"', '"DAW-BRK-05"'))
    code, out, _ = call("rules", "dawgs", "--coverage", "--cases", str(fewer))
    assert code == 1
    assert "shown by no case: DAW-BRK-06" in out
    assert json.loads(call("rules", "dawgs", "--coverage", "--cases", str(fewer), "--json")[1])["missing_cases"] == ["DAW-BRK-06"]


def test_coverage_misses_an_id_that_no_code_names(tmp_path: Path) -> None:
    system = load_system("dawgs")
    code = tmp_path / "dawgs"
    shutil.copytree(system.folder, code, ignore=shutil.ignore_patterns("__pycache__"))
    for path in code.glob("*.py"):
        path.write_text(path.read_text().replace("DAW-BRK-04", "DAW-BRK-05"))
    score = coverage(read_register(system.folder / "rules.toml"), code, system.register.rules)
    assert score.missing_code == ["DAW-BRK-04"]
    assert not score.complete


def test_rules_are_found_by_id_and_by_word() -> None:
    assert "DAW-BRK-03  Limit" in call("rules", "dawgs", "DAW-BRK-03")[1]
    assert "DAW-SPC-16  Snap Shot" in call("rules", "dawgs", "snap")[1]


def test_systems_plain_lists_the_keys() -> None:
    assert call("systems", "--plain") == (0, "dawgs\ndogs\n", "")
    assert "courier" in call("systems", "dawgs")[1]


def test_every_command_has_help_with_an_example() -> None:
    for command in ("play", "bout", "replay", "case", "rules", "odds", "systems"):
        code, out, _ = call(command, "--help")
        assert code == 0
        assert f"wardogs {command}" in out.split("Example", 1)[1]
