"""A board as one small picture: the plan and who stands on it, without lists and keys."""

from __future__ import annotations

from wardogs.scene.board import Board, Token
from wardogs.scene.model import Disc, Mark, Piece
from wardogs.scene.paint import PAPERS
from wardogs.scene.parts import box, figure, safe, tag
from wardogs.scene.sketch import sketch

MARGIN = 0.3  # inches of paper


def thumbnail(board: Board) -> str:
    """One SVG file that needs nothing else."""
    wide, high = board.width * board.scale + 2 * MARGIN, board.height * board.scale + 2 * MARGIN
    drawn = [
        tag("title", safe(board.title)),
        board.patterns,
        box((-MARGIN, -MARGIN), (wide, high), fill=PAPERS["plan"], stroke="none"),
        board.floors[0].svg,
        *board.marks,
        sketch([counter(token) for token in board.tokens if token.at is not None], board.scale),
    ]
    return tag(
        "svg",
        "\n".join(["", *drawn, ""]),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(figure(part) for part in (-MARGIN, MARGIN - high, wide, high)),
        width=f"{wide:g}in",
        height=f"{high:g}in",
        role="img",
        aria_label=board.title,
        font_family="sans-serif",
    )


def counter(token: Token) -> Mark:
    assert token.at is not None
    long, wide = token.size
    if token.shape in ("plane", "vehicle"):
        pivot = long / 2 if token.pivot is None else token.pivot
        return Piece(token.at, token.angle or 0.0, token.size, pivot, token.colour, token.label[:2], token.name)
    return Disc(token.at, min(long, wide) / 2, "body", token.colour, token.angle, token.label[:2], token.name)
