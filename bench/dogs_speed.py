"""Dogs of War against the clock: whole games between drilled bots."""

from statistics import median

from bench.playing import Played, play
from wardogs.kernel.system import Wanted
from wardogs.systems import load_system

EIGHT = {"theme": "village", "points": 250, "seed": 10}  # two teams of four


def drilled_games(games: int) -> list[Played]:
    """The first is played once before, so that nothing is compiled while the clock runs."""
    dogs = load_system("dogs")
    setup = dogs.plan(Wanted(EIGHT))
    return [play(dogs, setup, ("drill", "drill"), seed) for seed in (1, *range(1, games + 1))][1:]


def drilled_figures(games: int) -> tuple[float, float]:
    """Seconds of a game at the median, and of the longest decision."""
    played = drilled_games(games)
    return median(game.seconds for game in played), max(game.worst for game in played)
