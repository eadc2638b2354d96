"""What every piece of a map is measured against: the table, the heights, the kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple, TypeAlias, TypeVar

from msgspec.structs import astuple

from wardogs.table.kinds import Catalogue
from wardogs.table.model import Piece
from wardogs.table.outlines import Box
from wardogs.table.units import HIGHEST, LONGEST, Inches, Point, thou
from wardogs.table.words import called, length, safe, short

Faults: TypeAlias = Iterator[str]
SomePiece = TypeVar("SomePiece", bound=Piece)

SIDE_NAMES = ("west", "south", "east", "north")


class Ground(NamedTuple):
    """What every piece is measured against."""

    width: Inches
    depth: Inches
    kinds: Catalogue

    @property
    def says(self) -> str:
        return f"the table is {short(self.width)} x {short(self.depth)}"


def each(word: str, group: Sequence[SomePiece], ask: Callable[[SomePiece], Iterable[str]]) -> Faults:
    """The faults of each piece, behind its name; one with figures that are none is not looked at further."""
    for n, piece in enumerate(group, 1):
        for fault in list(wild_faults(piece)) or ask(piece):
            yield f"{called(word, n, piece.id)}{'' if fault.startswith(', ') else ': '}{fault}"


def wild_faults(piece: Piece) -> Faults:
    for field, value in zip(piece.__struct_fields__, astuple(piece), strict=True):
        if not tame(value):
            yield f"{field} has a figure that is not finite or far too large: write a plain one"


def tame(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(tame, value))
    return not isinstance(value, float | int) or abs(value) <= 100 * LONGEST


def height_faults(word: str, height: Inches | None) -> Faults:
    if height is not None and not 0 < thou(height) <= thou(HIGHEST):
        yield f"{word} is {short(height)}: write more than 0 and at most {HIGHEST:g} inches"


def rise_faults(height: Inches | None, base: Inches, usual: Inches) -> Faults:
    """Of a piece that stands on its base; without a height it has the usual one."""
    found = [*height_faults("height", height), *level_faults("base", base)]
    yield from found
    if not found and thou(top := base + (usual if height is None else height)) > thou(HIGHEST):
        yield f"its top is {short(top)} inches up: the highest is {HIGHEST:g}; lower its base or height"


def level_faults(word: str, z: Inches) -> Faults:
    if abs(z) > HIGHEST:
        yield f"{word} is {short(z)}: write {-HIGHEST:g} to {HIGHEST:g} inches"


def top_faults(top: Inches, base: Inches, word: str = "height") -> Faults:
    if thou(top) <= thou(base):
        yield f"{word} {short(top)} is not above its base {short(base)}: it is the height of the top above the table"


def outside_faults(box: Box, ground: Ground, loose: Inches = 0.0) -> Faults:
    left, lower, right, upper = box
    out = max(zip((-left, -lower, right - ground.width, upper - ground.depth), SIDE_NAMES, strict=True))
    if thou(out[0]) > thou(loose):
        yield f"lies {length(out[0])} outside the table in the {out[1]} ({ground.says}): move it in or cut it off"


def spot_faults(at: Point, ground: Ground) -> Faults:
    return outside_faults((*at, *at), ground)


def known_faults(word: str, name: str, kinds: Catalogue) -> Faults:
    if name not in kinds:
        yield f'{word} "{safe(name)}" is unknown: {_hint(name, tuple(kinds))}'


@cache
def _hint(name: str, kinds: tuple[str, ...]) -> str:
    near = get_close_matches(name, kinds, n=1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(kinds)}"
