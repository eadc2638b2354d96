"""make bench: Wardogs beside its peers, one thread, in one run; look at the ratios, machines are noisy."""

import platform

from bench.dawgs_speed import copy_microseconds, decisions_per_second, fire_odds_milliseconds, save_and_load_microseconds
from bench.kernel_speed import kernel_inputs_per_second
from bench.peers import catanatron_decisions_per_second, openspiel_decisions_per_second
from bench.sketch_speed import sketch_inputs_per_second

SECONDS = 5.0


def line(what: str, figure: float, unit: str, aim: str = "") -> None:
    print(f"{what:58} {figure:12,.1f} {unit:20} {aim}", flush=True)


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


def odds() -> None:
    for shooters in (1, 2, 4, 6):
        line(f"exact odds of a round's fire, {shooters} on one", fire_odds_milliseconds(shooters), "ms", "aim under 5")


if __name__ == "__main__":
    print(f"Python {platform.python_version()}, one thread")
    for part in (kernel, positions, play, odds):
        part()
