"""The spatial index: which panels and solids touch each cell of two inches."""

from __future__ import annotations

from math import floor

from wardogs.table.compiled import Floats, Ints, blank_ints, compiled
from wardogs.table.rays import CELL, beam_row


@compiled
def fill_cells(boxes: Floats, slopes: Ints, grid: Ints, cells: Ints, write: bool) -> None:
    """Count (or write) every item into the cells it touches; a panel only into those along its line.

    `boxes` holds ax, ay, bx, by of each item; `slopes` is 1 for a panel. `cells` begins with the place of each cell's list,
    one more than there are cells, then the lists; while writing, the places are moved on and end where the next list begins.
    """
    columns, rows = grid[0], grid[1]
    for item in range(len(slopes)):
        ax, ay, bx, by = boxes[4 * item], boxes[4 * item + 1], boxes[4 * item + 2], boxes[4 * item + 3]
        first_row = min(max(floor(min(ay, by) / CELL), 0), rows - 1)
        last_row = min(max(floor(max(ay, by) / CELL), 0), rows - 1)
        for row in range(first_row, last_row + 1):
            west, east = min(ax, bx), max(ax, bx)
            if slopes[item] and first_row < last_row and 0 < row < rows - 1:
                x, y = bx - ax, by - ay
                west, east = beam_row(x, y, x, y, row * CELL - ay, (row + 1) * CELL - ay)
                west, east = west + ax, east + ax
            first = min(max(floor(west / CELL), 0), columns - 1)
            last = min(max(floor(east / CELL), 0), columns - 1)
            for cell in range(row * columns + first, row * columns + last + 1):
                if write:
                    cells[cells[cell]] = item
                cells[cell] += 1


def cell_lists(boxes: Floats, slopes: Ints, grid: Ints) -> Ints:
    """First the place of each cell's list, then the lists."""
    count = grid[0] * grid[1]
    sizes = blank_ints(count + 1)
    fill_cells(boxes, slopes, grid, sizes, False)
    total = sum(int(size) for size in sizes)
    cells, place = blank_ints(count + 1 + total), count + 1
    for cell in range(count):
        cells[cell], place = place, place + int(sizes[cell])
    cells[count] = place
    starts = cells[: count + 1].copy()
    fill_cells(boxes, slopes, grid, cells, True)
    cells[: count + 1] = starts
    return cells
