"""Generates many tables of every theme and tries each: is it sound, dense enough, and can one walk from edge to edge?"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

from rich.progress import Progress

from wardogs.table.check import faults
from wardogs.table.generate import THEMES, covered, generate
from wardogs.table.model import Map, pieces
from wardogs.table.modes import Mode
from wardogs.table.picture import contact_sheet
from wardogs.table.reach import graph_of, reach
from wardogs.table.units import Place, Point

DENSE = 0.3
AFOOT = Mode(name="afoot", climb=None, ladder=None)  # nobody should have to climb a wall to get across
Tried = tuple[str, int, float, int, list[str]]


def tried(case: tuple[str, int]) -> Tried:
    """Theme, seed, share covered, pieces, and what is wrong with the table."""
    theme, seed = case
    table = generate(theme, seed)
    wrong = list(faults(table))
    if (share := covered(table)) < DENSE:
        wrong.append(f"only {share:.0%} covered")
    wrong += [f"cannot be walked from the {name} edge" for name in unreached(table)]
    return theme, seed, share, len(pieces(table)), wrong


def unreached(table: Map) -> list[str]:
    """The edges from which the opposite one cannot be reached."""
    width, height = table.size
    across, up = [x / 2 for x in range(1, int(2 * width))], [y / 2 for y in range(1, int(2 * height))]
    edges = {
        "south": standing(table, [(x, 0.5) for x in across]), "north": standing(table, [(x, height - 0.5) for x in across]),
        "west": standing(table, [(0.5, y) for y in up]), "east": standing(table, [(width - 0.5, y) for y in up]),
    }  # fmt: skip
    pairs = (("south", "north"), ("north", "south"), ("west", "east"), ("east", "west"))
    return [here for here, there in pairs if not crossed(table, edges[here], edges[there])]


def standing(table: Map, points: list[Point]) -> list[Place]:
    """Where a base has room on level ground, not on top of a crate or in a ditch."""
    graph = graph_of(table, AFOOT)
    return [(x, y, 0.0) for x, y in points if graph.ground.height_at((x, y)) == 0.0 and graph.stands((x, y, 0.0))]


def crossed(table: Map, here: list[Place], there: list[Place]) -> bool:
    """From the middle of one edge, can most of the other be reached? A pocket behind a row of wagons may need a climb."""
    if not here or not there:
        return False
    field = reach(table, here[len(here) // 2], AFOOT)
    reached = sum(field.cost(place) is not None for place in there)
    return 2 * reached >= len(there)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sheet", type=Path, help="draw 25 of them into this SVG file")
    asked = parser.parse_args()
    if asked.sheet:
        maps = [(f"{theme} {seed}", generate(theme, seed)) for theme, seed in product(THEMES, range(1, 6))]
        asked.sheet.write_text(contact_sheet(maps, 5))
    results = run(list(product(THEMES, range(asked.seeds))), asked.jobs)
    for theme in THEMES:
        mine = [result for result in results if result[0] == theme]
        shares, sizes = [share for _, _, share, _, _ in mine], [size for _, _, _, size, _ in mine]
        bad = sum(bool(wrong) for *_, wrong in mine)
        dense = f"covered {min(shares):.1%} to {max(shares):.1%}, mean {sum(shares) / len(mine):.1%}"
        print(f"{theme:11} {len(mine)} tables, {bad} bad; {dense}; {min(sizes)} to {max(sizes)} pieces")
    for theme, seed, _, _, wrong in results:
        for fault in wrong:
            print(f"{theme} {seed}: {fault}")
    return 1 if any(wrong for *_, wrong in results) else 0


def run(cases: list[tuple[str, int]], jobs: int) -> list[Tried]:
    with ProcessPoolExecutor(jobs) as pool, Progress(transient=True) as progress:
        task = progress.add_task("tables", total=len(cases))
        results = []
        for result in pool.map(tried, cases, chunksize=5):
            results.append(result)
            progress.advance(task)
    return results


if __name__ == "__main__":
    sys.exit(main())
