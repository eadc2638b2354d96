"""make strength: how often one bot beats another, with 95% intervals; and how long a game and a decision take.

    python -m bench.strength --system dogs --games 200 [--scenario crossroads]

Of a system with sides that differ, every scenario is played from both sides, and by the first bot against itself.
"""

import argparse
from functools import partial
from math import sqrt
from statistics import median

from bench.playing import Played, play, spread, table_of
from wardogs.kernel.system import Setup
from wardogs.systems import load_system

RANGERS = ("us_rangers", "us_rangers")
EVEN = (("theme", "village"), ("points", 250), ("seed", 10), ("lists", RANGERS))  # two like teams of four on one table


def wilson(won: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """The interval in which the true share lies, 95 times in 100."""
    if not of:
        return 0.0, 1.0
    share, spread_ = won / of, z * z / of
    middle = (share + spread_ / 2) / (1 + spread_)
    half = z * sqrt(share * (1 - share) / of + spread_ / of / 4) / (1 + spread_)
    return middle - half, middle + half


def share(won: int, of: int) -> str:
    low, high = wilson(won, of)
    return f"{won} of {of} ({won / max(1, of):.1%}, 95% interval {low:.1%} to {high:.1%})"


def times(games: list[Played]) -> str:
    seconds = median(game.seconds for game in games)
    return f"median {seconds:.2f} s a game, longest decision {max(game.worst for game in games):.3f} s"


def duel(key: str, ours: str, theirs: str, number: int) -> tuple[int, int]:
    """Seats change every game: did the first bot win, did the second?"""
    names = (ours, theirs) if number % 2 == 0 else (theirs, ours)
    side = play(load_system(key), table_of(key, None, (), (("round_limit", 200),)), names, number).side
    winner = None if side is None else names[side - 1]
    return int(winner == ours), int(winner == theirs)


def duels(key: str, ours: str, theirs: str, games: int) -> None:
    found = list(spread(partial(duel, key, ours, theirs), range(games), "duels"))
    won, lost = sum(one for one, _ in found), sum(two for _, two in found)
    print(f"{ours} beats {theirs} in {share(won, won + lost)} decided duels; {games - won - lost} undecided")


def battle(key: str, name: str, names: tuple[str, str], number: int) -> Played:
    return play(load_system(key), setup_of(key, name), names, number)


def setup_of(key: str, name: str) -> Setup:
    return table_of(key, None, EVEN, ()) if name == "even" else table_of(key, name, (), ())


def scenario(key: str, name: str, ours: str, theirs: str, games: int) -> None:
    """Both sides in turn against the other bot, then both sides by the first bot."""
    sides = load_system(key).names(setup_of(key, name))
    for names in ((ours, theirs), (theirs, ours), (ours, ours)):
        title = f"{name}: {names[0]} as {sides[1]} against {names[1]} as {sides[2]}"
        found = list(spread(partial(battle, key, name, names), range(games), title))
        seat = 2 if names == (theirs, ours) else 1
        won, drawn = sum(game.side == seat for game in found), sum(game.side is None for game in found)
        print(f"{title}: {sides[seat]} wins {share(won, games)}, {drawn} drawn; {times(found)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", default="dawgs")
    parser.add_argument("--ours", default="drill")
    parser.add_argument("--theirs", default="random")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--scenario", help="only this one; 'even' is a small battle of like teams")
    args = parser.parse_args()
    if args.system == "dawgs":
        duels(args.system, args.ours, args.theirs, args.games)
        return
    for name in [args.scenario] if args.scenario else [*load_system(args.system).scenarios, "even"]:
        scenario(args.system, name, args.ours, args.theirs, args.games)


if __name__ == "__main__":
    main()
