"""make bench: Wardogs beside its peers, one thread, in one run; look at the ratios, machines are noisy."""

import os
import platform
import subprocess
import sys
from time import perf_counter

from bench.dawgs_speed import copy_microseconds, decisions_per_second, fire_odds_milliseconds, save_and_load_microseconds
from bench.dogs_speed import drilled_figures
from bench.kernel_speed import kernel_inputs_per_second
from bench.peers import catanatron_decisions_per_second, openspiel_decisions_per_second
from bench.sketch_speed import sketch_inputs_per_second
from bench.table_peers import embree, scipy_dijkstra, shapely_tree, tcod_dijkstra
from bench.table_speed import fastest, look_seconds, looker, reach_seconds, summary, views_seconds, village, walls_only

SECONDS = 5.0


def line(what: str, figure: float, unit: str, aim: str = "") -> None:
    print(f"{what:58} {figure:12,.{1 if figure >= 10 else 3}f} {unit:20} {aim}", flush=True)


def kernel() -> None:
    sketch, ours = sketch_inputs_per_second(SECONDS), kernel_inputs_per_second(SECONDS)
    line("kernel inputs, the sketch", sketch, "inputs/s")
    line("kernel inputs, Wardogs (with reports, as the sketch)", ours, "inputs/s", f"{ours / sketch:.2f} x the sketch, aim 1")
    silent = kernel_inputs_per_second(SECONDS, silent=True)
    line("kernel inputs, Wardogs (bulk: no reports)", silent, "inputs/s", f"{silent / sketch:.2f} x the sketch")


def positions() -> None:
    line("copy a game of 8 planes", copy_microseconds(), "us", "aim under 3")
    line("save and load it", save_and_load_microseconds(), "us", "aim under 200")


def play() -> None:
    catan = catanatron_decisions_per_second(SECONDS)
    line("random play, catanatron, 4 bots", catan, "decisions/s")
    for seats in (2, 4, 8):
        ours = decisions_per_second(seats, SECONDS)
        line(f"random play, Dawgs of War, {seats} bots", ours, "decisions/s", f"{ours / catan:.2f} x catanatron, aim 1")
    for name, rate in openspiel_decisions_per_second(SECONDS).items():
        line(f"random play, OpenSpiel {name}", rate, "decisions/s")


def drilled() -> None:
    catan = catanatron_decisions_per_second(SECONDS)
    seconds, worst = drilled_figures(31)
    line("a game of Dogs of War, 8 models, drill on both sides", seconds, "s, median of 31", "aim under 0.5")
    line("its longest decision", worst, "s", "aim under 0.5")
    line("random play, catanatron, beside it", catan, "decisions/s", f"{seconds * catan:,.0f} of them in one such game's time")


def odds() -> None:
    for shooters in (1, 2, 4, 6):
        line(f"exact odds of a round's fire, {shooters} on one", fire_odds_milliseconds(shooters), "ms", "aim under 5")


def sight() -> None:
    """Queries of 64 rays on a table of walls, which is all that the peers know, and on a whole village."""
    for name, table in (("walls", walls_only(400)), ("village", village())):
        print(f"{name}: {summary(table)}")
        ours, one = 1e6 * fastest(looker(table, 200)) / 200, 1e6 * fastest(looker(table, 1))
        batch, single = 1e6 * fastest(embree(table, 200)) / 200, 1e6 * fastest(embree(table, 1, prepared=False))
        line("sight, 200 queries, embreex (walls only)", batch, "us a query")
        line("sight, 200 queries, Wardogs", ours, "us a query", f"{batch / ours:.2f} x embreex, aim 1")
        line("sight, one query, embreex, its rays laid out before", 1e6 * fastest(embree(table, 1)), "us")
        line("sight, one query, embreex, from eye and points", single, "us")
        line("sight, one query, Wardogs, from eye and points", one, "us", f"{single / one:.2f} x embreex, aim 4")
        tree = 1e6 * fastest(shapely_tree(table, 200)) / 200
        line("sight, 200 queries, shapely STRtree (plan only)", tree, "us a query", f"Wardogs {tree / ours:.0f} x, aim 100")
        line("a look through the front door, judged", 1e6 * look_seconds(table), "us")


def ways() -> None:
    """A map of reach over 48 x 48 inches, half an inch a place."""
    table = village()
    ours, near = 1e3 * reach_seconds(table, 200.0), 1e3 * reach_seconds(table, 8.0)
    scipy, tcod = 1e3 * fastest(scipy_dijkstra(table)), 1e3 * fastest(tcod_dijkstra(table))
    line("reach, all the table, scipy dijkstra on our graph", scipy, "ms")
    line("reach, all the table, tcod dijkstra2d, 8 directions", tcod, "ms")
    beside = f"{scipy / ours:.2f} x scipy, aim 3; {tcod / ours:.2f} x tcod, aim 5"
    line("reach, all the table, Wardogs, 16 directions", ours, "ms", beside)
    line("reach, 8 inches", near, "ms")


def growth() -> None:
    """Cost against the number of panels and models."""
    for panels in (100, 400, 1600):
        table = walls_only(panels)
        line(f"sight, 200 queries, {panels} panels", 1e6 * fastest(looker(table, 200)) / 200, "us a query")
        for models in (8, 60):
            case = f"{panels} panels, {models} models"
            line(f"every model looks at every other, {case}", 1e6 * views_seconds(table, models), "us a look")
            line(f"reach, all the table, {case}", 1e3 * reach_seconds(table, 200.0, models), "ms")


def start() -> None:
    """From the import to the first answer, with the kernels in their cache."""
    code = "import bench.table_speed as t; t.first_answers()"
    begin = perf_counter()
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    line("a new process, to its end", perf_counter() - begin, "s")
    for words in told.splitlines():
        print(words)


def plain() -> None:
    """The same code without numba."""
    code = "import bench.table_speed as t; t.plain_figures()"
    environment = {**os.environ, "WARDOGS_PLAIN": "1"}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    print(told.stdout, end="")


PARTS = {
    "kernel": (kernel, positions), "play": (play, drilled, odds), "table": (sight, ways, growth, start, plain),
}  # fmt: skip

if __name__ == "__main__":
    wanted = sys.argv[1:] or list(PARTS)
    if unknown := set(wanted) - set(PARTS):
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}: there are {', '.join(PARTS)}")
    print(f"Python {platform.python_version()}, one thread")
    for name in wanted:
        for part in PARTS[name]:
            part()
