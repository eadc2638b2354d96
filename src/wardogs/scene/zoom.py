"""A mark at another size: positions and lengths grow, letters and strokes do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from wardogs.scene.model import Area, Disc, Gauge, Line, Mark, Piece, Point, Text, Window


def enlarged(mark: Mark, by: float) -> Mark:
    match mark:
        case Area() | Line():
            return replace(mark, points=tuple(_point(point, by) for point in mark.points))
        case Disc():
            return replace(mark, at=_point(mark.at, by), radius=mark.radius * by)
        case Piece():
            return replace(mark, at=_point(mark.at, by), size=_point(mark.size, by), pivot=mark.pivot * by)
        case Window():
            return replace(mark, at=_point(mark.at, by), size=_point(mark.size, by))
        case Text() | Gauge():
            return replace(mark, at=_point(mark.at, by))


def every(marks: Iterable[Mark]) -> Iterator[Mark]:
    """The marks and those in their windows."""
    for mark in marks:
        yield mark
        if isinstance(mark, Window):
            yield from every(mark.marks)


def _point(point: Point, by: float) -> Point:
    return point[0] * by, point[1] * by
