"""How messages call the pieces of a map, and how they print places and figures."""

from __future__ import annotations

from collections.abc import Sequence

WORDS = {
    "buildings": "building", "walls": "wall", "areas": "area", "hills": "hill", "slopes": "slope", "pits": "pit",
    "slabs": "slab", "things": "thing", "ladders": "ladder", "zones": "zone",
}  # fmt: skip
PARTS = {"openings": "opening", "walls": "wall", "stairs": "stairs", "ladders": "ladder", "rooms": "room"}


def called(word: str, n: int, id_: str) -> str:
    """`building 2 (B2)`; an id that says the same is left out."""
    return f"{word} {n} ({safe(id_)})" if id_ and id_ != f"{word}-{n}" else f"{word} {n}"


def safe(text: str) -> str:
    """Somebody's word inside a message of one line."""
    return text[:60] if text.isprintable() else ascii(text[:60])


def short(figure: float) -> str:
    """To the thou, without zeros at the end."""
    return f"{round(figure, 3):.10g}" if abs(figure) < 1e9 else f"{figure:.40}"


def length(figure: float) -> str:
    return "1 inch" if short(figure) == "1" else f"{short(figure)} inches"


def place(at: Sequence[float]) -> str:
    return f"({', '.join(map(short, at))})"
