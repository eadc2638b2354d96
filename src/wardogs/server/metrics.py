"""How the server is doing, in figures: Prometheus text at /metrics.

Every worker writes its figures into a page of memory that all workers share, each into a row of its own; whichever is asked
adds the rows up. The rows are made before the workers are forked, and who takes a dead worker's place goes on in its row.
"""

from __future__ import annotations

import mmap
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from wardogs.systems import KEYS

WIDTH = 8  # bytes of a figure
TIMES = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
OUTCOMES = ("accepted", "refused", "late", "failed")


class Family(NamedTuple):
    """One figure, or one for each value of a label."""

    name: str
    kind: str  # counter, gauge, histogram
    help: str
    labels: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def series(self) -> Iterator[dict[str, str]]:
        """Every combination of its labels."""
        made: list[dict[str, str]] = [{}]
        for label, values in self.labels:
            made = [{**one, label: value} for one in made for value in values]
        yield from made

    @property
    def cells(self) -> int:
        """A histogram has a cell for each time, one for all that took longer, and one for the sum."""
        return len(TIMES) + 2 if self.kind == "histogram" else 1


SYSTEM = ("system", tuple(KEYS))
FAMILIES = (
    Family("choices", "counter", "Choices, by what became of them", (SYSTEM, ("outcome", OUTCOMES))),
    Family("choice_seconds", "histogram", "From hearing a choice to its being on the disk", (SYSTEM,)),
    Family("bot_decisions", "counter", "What bots were asked", (SYSTEM,)),
    Family("bot_timeouts", "counter", "Bots that gave no answer in time, so that their default was taken", (SYSTEM,)),
    Family("bot_seconds", "histogram", "What a bot took for a decision", (SYSTEM,)),
    Family("commits", "counter", "Transactions written"),
    Family("jobs", "counter", "What was written in them: jobs by commits is how many shared one"),
    Family("requests", "counter", "Answers to requests", (("status", ("2xx", "3xx", "4xx", "5xx")),)),
    Family("errors", "counter", "Lines of the log that tell of an error"),
    Family("rooms", "gauge", "Games in memory", (SYSTEM,)),
    Family("sockets", "gauge", "People who sit at a table or look on"),
    Family("workers", "gauge", "Processes that serve"),
)


class Metrics:
    """A row of figures for each worker; `row` is where this process writes."""

    def __init__(self, rows: int = 1) -> None:
        self.places: dict[tuple[str, ...], int] = {}
        size = 0
        for family in FAMILIES:
            for labels in family.series():
                self.places[family.name, *labels.values()] = size
                size += family.cells
        self.size = size
        self.resize(rows)

    def resize(self, rows: int) -> None:
        """Before anybody is forked: a row for each, all at nought."""
        self.rows, self.row = rows, 0
        self.page = mmap.mmap(-1, rows * self.size * WIDTH)  # shared with all who are forked from here
        self.cells = memoryview(self.page).cast("d")

    def take(self, row: int) -> None:
        """This process writes there from now on; what stood for the one before it stands no more."""
        self.row = row
        for family in FAMILIES:
            if family.kind == "gauge":
                for labels in family.series():
                    self.set(0.0, family.name, *labels.values())

    # ---- written -----------------------------------------------------------------------------------------------

    def _at(self, name: tuple[str, ...]) -> int:
        return self.row * self.size + self.places[name]

    def count(self, *name: str, by: float = 1.0) -> None:
        self.cells[self._at(name)] += by

    def set(self, value: float, *name: str) -> None:
        self.cells[self._at(name)] = value

    def timed(self, seconds: float, *name: str) -> None:
        at = self._at(name)
        self.cells[at + bisect_left(TIMES, seconds)] += 1
        self.cells[at + len(TIMES) + 1] += seconds

    # ---- read --------------------------------------------------------------------------------------------------

    def sum(self, *name: str, cell: int = 0) -> float:
        """Of all workers."""
        at = self.places[name] + cell
        return sum(self.cells[row * self.size + at] for row in range(self.rows))

    def text(self) -> str:
        return "\n".join(line for family in FAMILIES for line in self._lines(family)) + "\n"

    def _lines(self, family: Family) -> Iterator[str]:
        named = f"wardogs_{family.name}" + ("_total" if family.kind == "counter" else "")
        yield f"# HELP {named} {family.help}."
        yield f"# TYPE {named} {family.kind}"
        for labels in family.series():
            if family.kind == "histogram":
                yield from self._histogram(family.name, named, labels)
            else:
                yield f"{named}{braced(labels)} {self.sum(family.name, *labels.values()):.15g}"

    def _histogram(self, name: str, named: str, labels: dict[str, str]) -> Iterator[str]:
        total = 0.0
        for cell, most in enumerate((*TIMES, float("inf"))):
            total += self.sum(name, *labels.values(), cell=cell)
            yield f"{named}_bucket{braced({**labels, 'le': '+Inf' if most > TIMES[-1] else f'{most:g}'})} {total:.15g}"
        yield f"{named}_sum{braced(labels)} {self.sum(name, *labels.values(), cell=len(TIMES) + 1):.15g}"
        yield f"{named}_count{braced(labels)} {total:.15g}"


def braced(labels: dict[str, str]) -> str:
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels.items()) + "}" if labels else ""


metrics = Metrics()
