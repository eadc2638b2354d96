"""What terrain is made of: each kind has a sight, a cover and a movement class. The shipped ones are in data/kinds.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from wardogs.kernel.errors import unknown
from wardogs.table.units import Inches

SightClass: TypeAlias = Literal["open", "glass", "thin", "smoke", "solid"]
CoverClass: TypeAlias = Literal["none", "soft", "medium", "hard", "prepared"]
MoveClass: TypeAlias = Literal["open", "rough", "slow", "deep", "blocked"]

COVERS: tuple[CoverClass, ...] = ("none", "soft", "medium", "hard", "prepared")  # from the lightest


class Kind(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of terrain.

    sight: `open` is never in the way; `glass` covers but does not hide; `thin` (foliage) and `smoke` hide what lies behind
    more than `see_through` inches of it (0: however much there is, it never hides); `solid` hides.
    """

    sight: SightClass = "solid"
    cover: CoverClass = "none"
    move: MoveClass = "blocked"
    height: Inches = 0.0  # of an area that does not say its own
    see_through: Inches = 0.0
    min_depth: Inches = 0.0  # rays that cross less of it pass as if it were not there
    says: str = ""  # how a sentence names it: "the low wall"


Catalogue: TypeAlias = Mapping[str, Kind]


@cache
def shipped() -> dict[str, Kind]:
    """The catalogue that every map starts from."""
    text = files("wardogs.table").joinpath("data", "kinds.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=dict[str, Kind])


def find(kinds: Catalogue, name: str) -> Kind:
    if name not in kinds:
        raise unknown("kind of terrain", name, sorted(kinds))
    return kinds[name]


def hardest(covers: list[CoverClass]) -> CoverClass:
    return max(covers, key=COVERS.index, default="none")
