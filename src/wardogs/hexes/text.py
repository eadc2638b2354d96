"""A hex board in characters, for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from string import ascii_uppercase

from wardogs.hexes.grid import Grid, Hex

CELL = 3  # characters for a hex; with the gap an even number, so that half a cell is whole


def board_text(grid: Grid, cell: Callable[[Hex], str]) -> str:
    """Rows from the top, odd ones shifted half a cell, their numbers at both sides; column letters above and below."""
    rows = [[cell(grid.at(column, row)) for column in range(grid.width(row))] for row in range(grid.rows)]
    wide = max(CELL, *(len(written) for cells in rows for written in cells))
    lines = [_line(row, cells, wide) for row, cells in enumerate(rows)]
    length = max(len(line) for line in lines)
    numbered = [f"{row:>2} {line:<{length}} {row}" for row, line in enumerate(lines)]
    above, below = (_line(row, ascii_uppercase[: grid.width(row)], wide).rstrip() for row in (grid.rows - 1, 0))
    return "\n".join([f"   {above}", *reversed(numbered), f"   {below}"])


def _line(row: int, cells: Iterable[str], wide: int) -> str:
    shift = (wide + 1) // 2 * (row % 2)
    return " " * shift + " ".join(f"{written:^{wide}}" for written in cells)
