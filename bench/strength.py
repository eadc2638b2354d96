"""make strength: how often one bot beats another in duels, with its 95% interval."""

import argparse
from math import sqrt
from typing import Any

from wardogs.bots import make_bot
from wardogs.kernel.fate import Fast
from wardogs.kernel.system import Wanted
from wardogs.systems import load_system


def duels(system_key: str, ours: str, theirs: str, games: int) -> tuple[int, int]:
    """Wins of the first bot and of the second; seats change every game; draws count for neither."""
    system = load_system(system_key)
    setup = system.plan(Wanted(None, 2, None, ({"round_limit": 200},)))
    start = system.opening(setup)
    won = lost = 0
    for number in range(games):
        names = (ours, theirs) if number % 2 == 0 else (theirs, ours)
        bots = {seat: make_bot(name, number, seat) for seat, name in enumerate(names, 1)}

        def policy(game: Any, seat: int, ask: Any, bots: Any = bots) -> Any:
            return bots[seat].choose(system.seen(game, seat, ask))

        game = start(Fast(number), policy)
        game.silent = True
        game.advance()
        side = game.state.result.side
        won += side is not None and names[side - 1] == ours
        lost += side is not None and names[side - 1] == theirs
    return won, lost


def wilson(won: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """The interval in which the true share lies, 95 times in 100."""
    share, spread = won / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / of + spread / of / 4) / (1 + spread)
    return middle - half, middle + half


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="dawgs")
    parser.add_argument("--ours", default="drill")
    parser.add_argument("--theirs", default="random")
    parser.add_argument("--games", type=int, default=500)
    args = parser.parse_args()
    won, lost = duels(args.system, args.ours, args.theirs, args.games)
    low, high = wilson(won, won + lost)
    print(
        f"{args.ours} beats {args.theirs} in {won} of {won + lost} decided duels ({won / (won + lost):.1%}, "
        f"95% interval {low:.1%} to {high:.1%}); {args.games - won - lost} undecided"
    )


if __name__ == "__main__":
    main()
