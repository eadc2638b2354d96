"""The air: where a plane lies on the hexes, where it flies to, and what its guns cover. Pure geometry, kept once found."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Literal, NamedTuple

from wardogs.hexes.grid import Grid, Hex, distance, increment, plus, square, within_arc
from wardogs.systems.dawgs.data import BOARDS, FACINGS, FIRE, Board
from wardogs.systems.dawgs.options import Options

DOWN = 6  # the heading of a fall, DAW-MOV-04


class Flown(NamedTuple):
    """Where a move ended and how: in the air, stopped at the top, in the ground, or out by a side."""

    front: Hex
    end: Literal["air", "top", "ground", "left", "right"]
    path: tuple[Hex, ...]


class Airspace:
    """One board under one set of house rules."""

    def __init__(self, board: Board, options: Options, extra_ground: tuple[str, ...] = ()) -> None:
        self.board, self.options = board, options
        self.grid: Grid = board.grid
        self.hills = frozenset(self.grid.parse(label) for label in (*board.extra_ground, *extra_ground))
        self.by_hexes = options.cone == "hexes" or options.vertex_increment == "zigzag"
        self._grounded: dict[tuple[Hex, int], bool] = {}
        self._thin: dict[tuple[Hex, int], bool] = {}
        self._covers: dict[tuple[Hex, int], int] = {}
        self._cones: dict[tuple[Hex, int, int], int] = {}
        self._flights: dict[tuple[Hex, int, int, int | None], Flown] = {}

    # ---- the plane on the board ----------------------------------------------------------------------------------

    def footprint(self, front: Hex, facing: int) -> tuple[Hex, ...]:
        """DAW-PLN-01, -03: the front hex and what the tail covers; parts may hang over an edge."""
        if self.options.footprint == "front_only":
            return (front,)
        return tuple([plus(front, offset) for offset in FACINGS[facing].footprint])

    def is_ground(self, hex_: Hex) -> bool:
        """DAW-BRD-04, -08: row 0, all below it, and the hills of a scenario."""
        return hex_[1] <= max(self.board.ground_rows) or hex_ in self.hills

    def touches_ground(self, front: Hex, facing: int) -> bool:
        """DAW-MOV-08: any part of the plane in the ground."""
        key = (front, facing)
        found = self._grounded.get(key)
        if found is None:
            found = self._grounded[key] = any(self.is_ground(hex_) for hex_ in self.footprint(front, facing))
        return found

    def in_thin_air(self, front: Hex, facing: int) -> bool:
        """DAW-BRD-05: any part in the top three rows, or above them."""
        key = (front, facing)
        found = self._thin.get(key)
        if found is None:
            lowest = min(self.board.thin_air_rows)
            found = self._thin[key] = any(hex_[1] >= lowest for hex_ in self.footprint(front, facing))
        return found

    def start(self, side: str, row: int) -> tuple[Hex, int]:
        """DAW-SET-10, DAW-OFF-03: at the edge of a side, the whole counter on the map, level, facing inward."""
        board = self.board
        place = board.start_left if side == "left" else board.start_right_odd if row % 2 else board.start_right_even
        return self.grid.at(place.front_col, row), place.facing

    # ---- flying --------------------------------------------------------------------------------------------------

    def fly(self, front: Hex, facing: int, speed: int, flank: int | None = None) -> Flown:
        key = (front, facing, speed, flank)
        found = self._flights.get(key)
        if found is None:
            found = self._flights[key] = self._fly(front, self._directions(facing, speed, flank))
        return found

    def _directions(self, facing: int, speed: int, flank: int | None) -> list[int]:
        """DAW-MOV-01, -03, -04: the direction of each increment; speed 0 is one increment down."""
        heading = facing if speed else DOWN
        if flank is None:
            return [heading] * max(speed, 1)
        other = (2 * heading - flank) % 12
        return [other if n % 2 else flank for n in range(max(speed, 1))]

    def _fly(self, front: Hex, directions: list[int]) -> Flown:
        """DAW-MOV-07, DAW-OFF-06, -08, -09: increment by increment; the front hex decides; vertical limits come first."""
        path: list[Hex] = []
        here = front
        for direction in directions:
            ahead = plus(here, increment(direction))
            beyond: Literal["left", "right"] | None = None
            if not self.grid.in_columns(ahead):
                beyond = "left" if self.grid.column(ahead) < 0 else "right"
            if beyond and self.options.corner == "side_first":
                return Flown(here, beyond, tuple(path))
            if ahead[1] >= self.grid.rows:
                flown = [] if self.options.top_stop == "no_move" else path
                return Flown(flown[-1] if flown else front, "top", tuple(flown))
            if self.is_ground(ahead):
                return Flown(ahead, "ground", (*path, ahead))
            if beyond:
                return Flown(here, beyond, tuple(path))
            here = ahead
            path.append(ahead)
        return Flown(here, "air", tuple(path))

    # ---- aiming --------------------------------------------------------------------------------------------------

    def cone(self, front: Hex, facing: int, increments: int = FIRE.cone_increments) -> int:
        """The hexes of a cone of fire on the map, as a mask."""
        key = (front, facing, increments)
        found = self._cones.get(key)
        if found is None:
            offsets = cone_offsets(facing, increments, self.by_hexes)
            found = self._cones[key] = self.grid.mask([plus(front, offset) for offset in offsets])
        return found

    def aimed_at(self, front: Hex, facing: int) -> list[Hex]:
        """DAW-FIR-05: the hexes by which a plane can be aimed at: any on-map part, or by the house rules its front."""
        parts = (front,) if self.options.cone_target == "front_hex" else self.footprint(front, facing)
        return [hex_ for hex_ in parts if self.grid.on_map(hex_)]

    def covers(self, front: Hex, facing: int) -> int:
        """The same as a mask."""
        key = (front, facing)
        found = self._covers.get(key)
        if found is None:
            found = self._covers[key] = self.grid.mask(self.aimed_at(front, facing))
        return found


@lru_cache(maxsize=64)
def airspace(board: str, options: Options, extra_ground: tuple[str, ...]) -> Airspace:
    """Games flown in the same air share what has been found out about it."""
    return Airspace(BOARDS[board], options, extra_ground)


@cache
def cone_offsets(facing: int, increments: int, by_hexes: bool) -> tuple[Hex, ...]:
    """DAW-FIR-03, -04: offsets within 60 degrees ahead and within reach, nearest first; never the front hex itself."""
    far = square(FACINGS[facing].increment) * increments * increments
    reach = range(-2 * increments, 2 * increments + 1)
    inside = [
        (q, r)
        for q in reach
        for r in reach
        if within_arc((q, r), facing) and (distance((q, r)) <= increments if by_hexes else square((q, r)) <= far)
    ]
    return tuple(sorted(inside, key=lambda offset: (square(offset), offset)))


def mirrored(grid: Grid, front: Hex, facing: int) -> tuple[Hex, int]:
    """DAW-BRD-02: the same plane on the other side of the centre line."""
    return grid.mirrored(front), (12 - facing) % 12
