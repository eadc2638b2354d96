"""Play the golden games anew: only when the rules version is raised on purpose.

    python tools/golden.py [NAME...]

A golden game is a whole record that must verify for ever, and beside it the same game in words, for reviewers.
"""

from __future__ import annotations

import sys
from pathlib import Path

from wardogs.bots import make_bot, play_out
from wardogs.kernel.fate import seed_from
from wardogs.kernel.match import Match
from wardogs.kernel.record import RecordFile
from wardogs.kernel.system import Wanted
from wardogs.systems import load_system

SHELF = Path(__file__).resolve().parent.parent / "tests" / "golden"
ALL_LEAVING = {"opt_damaging": True, "opt_not_round": True, "opt_delayed_respawn": True, "opt_redraw_special": True}
GAMES = {
    "dawn_patrol": ("dawgs", Wanted("dawn_patrol"), "drill", 11),
    "courier": ("dawgs", Wanted("courier"), "drill", 12),
    "last_flying": ("dawgs", Wanted("last_flying"), "drill", 13),
    "eight_at_random": ("dawgs", Wanted(None, 8, None, ({"round_limit": 30},)), "random", 14),
    "zigzag_teams": (
        "dawgs",
        Wanted(None, 5, ((1, 4), (2, 5), (3,)), ({"round_limit": 15, "vertex_increment": "zigzag", **ALL_LEAVING},)),
        "drill",
        15,
    ),
    "crossroads": ("dogs", Wanted("crossroads"), "drill", 21),
    "night_snatch": ("dogs", Wanted("night_snatch"), "drill", 22),
    "village_at_random": (
        "dogs",
        Wanted({"theme": "village", "seed": 3, "points": 150, "turns": 3, "hidden_devices": True}),
        "random",
        23,
    ),
}


def play(name: str) -> None:
    key, wanted, bot, seed = GAMES[name]
    system = load_system(key)
    setup = system.plan(wanted)
    folder = SHELF / key
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.wardogs").unlink(missing_ok=True)
    file = RecordFile(folder / f"{name}.wardogs")
    match = Match.start(system, setup, dict.fromkeys(setup.seats, bot), seed_from(seed), entropy="golden", sink=file)
    play_out(match, {seat: make_bot(bot, seed, seat) for seat in setup.seats})
    file.close()
    lines = [f"{n:4} {report.rule:11} {said}" for n, report, said in match.record.sentences()]
    (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{name}: {len(match.record.entries)} entries, {match.rolls} rolls, {match.outcome}")


if __name__ == "__main__":
    for name in sys.argv[1:] or GAMES:
        play(name)
