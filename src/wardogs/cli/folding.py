"""Long lists for a screen: choices of one man, or of one kind for him, folded into one line that opens when it is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from wardogs.cli.asking import Entry
from wardogs.kernel.offers import Spot

SCREEN = 25  # lines that a person takes in at once


class Fold(NamedTuple):
    """A line of the screen: the numbers of the entries that it stands for, from 1."""

    first: int
    last: int

    @property
    def size(self) -> int:
        return self.last - self.first + 1

    @property
    def label(self) -> str:
        return str(self.first) if self.size == 1 else f"{self.first}-{self.last}"

    def of(self, listed: Sequence[Entry]) -> Sequence[Entry]:
        return listed[self.first - 1 : self.last]


def doer(entry: Entry) -> Any:
    """Who would do it: the field that comes first, if the offer leaves no choice there."""
    domain = next(iter(entry.offer.fields.values()), None)
    return None if domain is None or isinstance(domain, Spot) or domain.size != 1 else domain.pick(0)


def kind(entry: Entry) -> tuple[Any, str]:
    return doer(entry), entry.offer.verb


def single(whole: Fold) -> list[Fold]:
    return [Fold(n, n) for n in range(whole.first, whole.last + 1)]


def folded(listed: Sequence[Entry], whole: Fold, screen: int = SCREEN) -> list[Fold]:
    """The lines for some entries: all of them if they fit, else the largest kinds folded until they do, else man by man."""
    kinds = _runs(listed, whole, kind)
    if whole.size <= screen or len(kinds) == 1:
        return single(whole)
    lines, folds = whole.size, set[Fold]()
    for run in sorted(kinds, key=lambda run: -run.size):
        if lines > screen:
            folds.add(run)
            lines -= run.size - 1
    men = _runs(listed, whole, doer)
    if lines > screen and len(men) > 1:
        return men
    return [line for run in kinds for line in ([run] if run in folds else single(run))]


def _runs(listed: Sequence[Entry], whole: Fold, key: Callable[[Entry], Any]) -> list[Fold]:
    """Entries in a row that are alike; what nobody in particular does is alike to nothing."""
    return [*_split(groupby(whole.of(listed), lambda entry: (doer(entry) is None, key(entry))), whole.first)]


def _split(groups: Any, first: int) -> Iterator[Fold]:
    for (nobody, _), group in groups:
        run = Fold(first, first + len(list(group)) - 1)
        yield from single(run) if nobody else [run]
        first = run.last + 1


def opened(listed: Sequence[Entry], shown: Sequence[Fold], number: int) -> list[Fold]:
    """What comes to light behind the line that a number stands in; a number that was on no line stands for itself."""
    around = [fold for fold in shown if fold.first <= number <= fold.last]
    return folded(listed, min(around, key=lambda fold: fold.size)) if around else [Fold(number, number)]
