"""Is a map sound? Every fault is one line that names the piece and says how to mend it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

import shapely

from wardogs.kernel.errors import WardogsError
from wardogs.table.judge_pieces import LOWEST_STOREY, judge, top_of
from wardogs.table.judging import Faults, Ground, each, wild_faults
from wardogs.table.kinds import Kind
from wardogs.table.model import GROUPS, Building, Map, Opening, Piece, Shaped, Wall
from wardogs.table.outlines import outline_faults, polygon_of
from wardogs.table.shapes import outline
from wardogs.table.units import HIGHEST, LONGEST, inches, thou
from wardogs.table.words import PARTS, WORDS, called, place, safe, short

MOST_PANELS = 200_000
MOST_BUILDINGS = 2_000
MOST_KINDS = 60  # the kernel keeps them as bits of a whole number
MOST_PAIRS = 10_000  # of buildings that are compared: enough to find a fault, and no hang
SHARED = 10_000  # square thous, a hundredth of a square inch, that two buildings may share: rounding


def checked(table: Map, where: str) -> Map:
    """The same map, if it is sound."""
    found = faults(table)
    if not found:
        return table
    more = f" (and {len(found) - 1} more: wardogs map check {where} lists them)" if len(found) > 1 else ""
    raise WardogsError(f"{where}: {found[0]}{more}")


def faults(table: Map) -> list[str]:
    """Everything that is wrong with a map; a table without a size or with too much on it is not looked at further."""
    if first := [*_size_faults(table), *_crowd_faults(table)]:
        return first
    ground = Ground(*table.size, table.catalogue)
    return [*_kind_faults(table), *_id_faults(table), *_piece_faults(table, ground), *_overlap_faults(table)]


# The whole map --------------------------------------------------------------------------------------------------------


def _size_faults(table: Map) -> Faults:
    for word, side in zip(("width", "depth"), table.size, strict=True):
        if not 1 <= side <= LONGEST:
            yield f"size: the table's {word} is {short(side)}: write 1 to {LONGEST:g} inches"


def _crowd_faults(table: Map) -> Faults:
    count = sum(map(sides, chain.from_iterable(getattr(table, group) for group in GROUPS)))
    if count > MOST_PANELS:
        yield f"{count:,} panels of wall: a map may have {MOST_PANELS:,}; split it or leave detail out"
    if len(table.buildings) > MOST_BUILDINGS:
        yield f"{len(table.buildings):,} buildings: a map may have {MOST_BUILDINGS:,}; leave some out"


def sides(piece: Piece) -> int:
    """About how many upright panels a piece has."""
    match piece:
        case Wall():
            return len(piece.line) // 2 - 1 + 2 * len(piece.openings)
        case Building():
            level = len(outline(piece)) + 2 * len(piece.openings)
            return level * (piece.levels if piece.levels < HIGHEST / LOWEST_STOREY else 1) + sum(map(sides, piece.walls))
        case Shaped():
            return len(piece.polygon or "rect")
    return 4


def _kind_faults(table: Map) -> Faults:
    for name, kind in table.kinds.items():
        yield from (f"kinds.{safe(name)}: {fault}" for fault in _own_kind_faults(kind))
    used = {name for _, piece in named(table) if (name := kind_of(piece))}
    if len(used) > MOST_KINDS:
        yield f"{len(used)} kinds of terrain are used: a map may use {MOST_KINDS}; use fewer"


def _own_kind_faults(kind: Kind) -> Faults:
    for word in ("height", "see_through", "min_depth"):
        most = HIGHEST if word == "height" else LONGEST
        if not 0 <= getattr(kind, word) <= most:
            yield f"{word} is {short(getattr(kind, word))}: write 0 to {most:g} inches"


def kind_of(piece: Piece) -> str:
    return getattr(piece, "material", "") or ("" if isinstance(piece, Opening) else getattr(piece, "kind", ""))


def _id_faults(table: Map) -> Faults:
    many = {id_ for id_, count in Counter(piece.id for _, piece in named(table) if piece.id).items() if count > 1}
    first: dict[str, str] = {}
    for name, piece in named(table):
        if len(piece.id) > 80 or not piece.id.isprintable():
            yield f"{name}: its id is too long or not printable: write a short word, such as B1"
        if piece.id in many and piece.id in first:
            yield f"{name}: has the same id as {first[piece.id]}: give one of them another"
        elif piece.id in many:
            first[piece.id] = name


def named(table: Map) -> Iterator[tuple[str, Piece]]:
    """Every piece and every part of one, with its name for people."""
    for group in GROUPS:
        for n, piece in enumerate(getattr(table, group), 1):
            name = called(WORDS[group], n, piece.id)
            yield name, piece
            yield from _named_parts(name, piece)


def _named_parts(name: str, piece: Piece) -> Iterator[tuple[str, Piece]]:
    for field, word in PARTS.items():
        for n, part in enumerate(getattr(piece, field, ()), 1):
            whole = f"{name}, {called(word, n, part.id)}"
            yield whole, part
            yield from _named_parts(whole, part)


def _piece_faults(table: Map, ground: Ground) -> Faults:
    for group in GROUPS:
        yield from each(WORDS[group], getattr(table, group), lambda piece: judge(piece, ground))


def _overlap_faults(table: Map) -> Faults:
    """Two buildings on the same ground at the same heights."""
    sound = [(n, one) for n, one in enumerate(table.buildings, 1) if not (list(wild_faults(one)) or list(outline_faults(one)))]
    rings = [polygon_of(one) for _, one in sound]
    pairs = shapely.STRtree(rings).query(rings, predicate="intersects").T.tolist() if rings else []
    for i, k in islice(((i, k) for i, k in sorted(pairs) if i < k), MOST_PAIRS):
        (n, one), (m, other) = sound[i], sound[k]
        if _same_heights(one, other) and rings[i].intersection(rings[k]).area > SHARED:
            x, y = rings[i].intersection(rings[k]).representative_point().coords[0]
            names = called("building", m, other.id), called("building", n, one.id)
            yield f"{names[0]}: overlaps {names[1]} near {place((inches(x), inches(y)))}: move or cut one of them"


def _same_heights(one: Building, other: Building) -> bool:
    return thou(one.base) < thou(top_of(other)) and thou(other.base) < thou(top_of(one))
