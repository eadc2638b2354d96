"""The rims of hexes, in whole numbers: half a hex across, a third of a row up, from the centre of hex (0, 0)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from wardogs.hexes.grid import Hex

Corner: TypeAlias = tuple[int, int]

RIM: tuple[Corner, ...] = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))


def middle(hex_: Hex) -> Corner:
    q, r = hex_
    return 2 * q + r, 3 * r


def corners(hex_: Hex) -> tuple[Corner, ...]:
    """Its six corners, counter-clockwise from the top."""
    x, y = middle(hex_)
    return tuple((x + right, y + up) for right, up in RIM)


def outline(hexes: Iterable[Hex]) -> list[tuple[Corner, ...]]:
    """The closed lines around some hexes, one for each part that hangs together (or hole in it)."""
    sides = {side for hex_ in hexes for side in _sides(corners(hex_))}
    ahead = {here: there for here, there in sides if (there, here) not in sides}
    loops = []
    while ahead:
        loops.append(tuple(_follow(ahead, min(ahead))))
    return loops


def _sides(ring: tuple[Corner, ...]) -> Iterable[tuple[Corner, Corner]]:
    return zip(ring, ring[1:] + ring[:1], strict=True)


def _follow(ahead: dict[Corner, Corner], corner: Corner) -> Iterable[Corner]:
    """Walk along the sides, taking each away, until back at the start."""
    while corner in ahead:
        yield corner
        corner = ahead.pop(corner)
