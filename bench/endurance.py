"""make endurance: many games over generated tables, with random rosters, light, lengths and switches: do all end by themselves?

python -m bench.endurance --random 1000 --drill 300
"""

import argparse
import random
import sys
import traceback
from collections import Counter
from functools import partial
from typing import Any

from bench.playing import play, spread
from tests.test_contract import random_switches
from wardogs.kernel.system import System, Wanted
from wardogs.systems import load_system

THEMES = ("village", "compound", "wood", "industrial", "street")


def wanted(system: System, rng: random.Random) -> Wanted:
    """One game in five a scenario, the others on generated tables; three switches in ten thrown."""
    switches = (random_switches(system, rng),) if rng.random() < 0.7 else ()
    if rng.random() < 0.2:
        return Wanted(rng.choice(list(system.scenarios)), options=switches)
    table: dict[str, Any] = {
        "theme": rng.choice(THEMES),
        "seed": rng.randrange(60),
        "points": rng.choice([100, 150, 250, 400]),
        "turns": rng.choice([3, 5, 8]),
        "light": rng.choice(["day", "night"]),
        "hidden_devices": True,
    }
    return Wanted(table, options=switches)


def game(key: str, bot: str, number: int) -> str:
    """How it ended, or what it raised."""
    system = load_system(key)
    want = wanted(system, random.Random(f"{bot}/{number}"))
    try:
        played = play(system, system.plan(want), (bot, bot), number)
    except Exception:
        return f"FAILED {number} {want}\n{traceback.format_exc(limit=-4)}"
    return played.reason


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", default="dogs")
    parser.add_argument("--random", type=int, default=1000)
    parser.add_argument("--drill", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    failed = 0
    for bot in ("random", "drill"):
        numbers = range(args.first, args.first + getattr(args, bot))
        ends: Counter[str] = Counter()
        for end in spread(partial(game, args.system, bot), numbers, f"{bot} games"):
            ends[end.split()[0]] += 1
            if end.startswith("FAILED"):
                print(end, flush=True)
        failed += ends["FAILED"]
        print(f"{bot}: {len(numbers)} games, {ends['FAILED']} failed: {dict(ends)}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
