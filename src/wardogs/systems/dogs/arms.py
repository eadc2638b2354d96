"""The arms of Dogs of War as typed records: firearms, blasts, clouds, demolitions and what is swung in close quarters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

Source = Literal["document", "reconstructed", "public"]
Ability = Literal["WP", "WK", "CQ", "ST", "FT", "ML"]
C4Table = Literal["army", "elite"]
FIRE_MODES = ("SS", "SA", "BU", "FA")
CLOSE = 1e-6  # distances are sums of floats; one so near a limit is at it


def rising(what: str, limits: Sequence[float], above: float = 0) -> None:
    """Bands and rings follow one another outward: no overlap, and none left empty."""
    for limit in limits:
        if limit <= above:
            raise ValueError(f"{what} end at {', '.join(map(str, limits))}: {limit} is not beyond {above}")
        above = limit
    if not limits:
        raise ValueError(f"there are no {what}")


class Mode(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-RNG-04, -10: a way to fire; a limit of 0 is none."""

    ap: int
    dice: int
    limit: int


class CloseQuarters(Struct, frozen=True, forbid_unknown_fields=True):
    """DOW-RNG-14: the weapon as a club."""

    bonus: int
    dpr: int
    ap: int
    blunt: bool


class Bands(Struct, frozen=True, forbid_unknown_fields=True):
    """A modifier by distance, nearest band first; a limit belongs to the nearer band (DOW-GEN-12)."""

    bands: tuple[tuple[int, int], ...]
    source: Source

    def __post_init__(self) -> None:
        rising("bands", [far for far, _ in self.bands])

    @property
    def reach(self) -> int:
        return self.bands[-1][0]

    def at_range(self, distance: float) -> int | None:
        number = band(self.bands, distance)
        return None if number is None else self.bands[number][1]


def band(bands: Sequence[tuple[int, int]], distance: float) -> int | None:
    """The number of the band, 0 for the nearest; none beyond the last."""
    return next((number for number, (far, _) in enumerate(bands) if distance <= far + CLOSE), None)


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-RNG-04, -09, -13, -14: a row of the Weapons Chart. A launcher has no DPR of its own: it fires a blast."""

    id: str
    name: str
    calibre: str
    soviet_block: bool
    hands: Literal[1, 2]
    difficulty: int
    points: int
    bands: tuple[tuple[int, int], ...]
    modes: dict[str, Mode]
    magazine: int
    reload_ap: int
    flash_suppressor: bool
    source: Source
    dpr: int | None = None
    arm: int | None = None
    soft: int | None = None
    hard: int | None = None
    bayonet: bool = False
    scope: bool = False
    cq: CloseQuarters | None = None
    min_range: int = 0
    fires: str | None = None
    indirect: bool = False
    template: str | None = None
    ring_dpr: tuple[int, ...] = ()
    ring_arm: tuple[int, ...] = ()
    ring_hits: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        rising("bands", [far for far, _ in self.bands], self.min_range)
        if unknown := set(self.modes) - set(FIRE_MODES):
            raise ValueError(f"no such fire mode: {', '.join(sorted(unknown))}")
        if self.template and any(len(row) != len(self.bands) for row in (self.ring_dpr, self.ring_arm, self.ring_hits)):
            raise ValueError("a template needs a DPR, an ARM and a number of hits for each band")
        if sum(given is not None and given != () for given in (self.dpr, self.fires, self.ring_dpr)) != 1:
            raise ValueError("a weapon has a DPR, or rings, or a blast that it fires")

    @property
    def reach(self) -> int:
        """The far edge of the last band."""
        return self.bands[-1][0]

    def band(self, distance: float) -> int | None:
        """0 short, 1 medium, 2 long; none out of range."""
        return band(self.bands, distance)

    def at_range(self, distance: float) -> int | None:
        """DOW-RNG-09: the modifier of the band; none out of range."""
        number = self.band(distance)
        return None if number is None else self.bands[number][1]


class Ring(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """DOW-BLS-01, -02: out to its radius, so many wound rolls of its DPR."""

    radius: int
    dpr: int
    rolls: int


class Blast(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-BLS-01, -02, -04, -05: rings round the burst point. `kill` is automatic death, `zone` the kill zone of the book."""

    id: str
    name: str
    soviet_block: bool
    throw: Literal["hand", "m203", "rpg", "placed", "call"]
    blast_number: int
    zone: int
    kill: int
    rings: tuple[Ring, ...]
    arm: int
    soft: int
    hard: int
    source: Source
    sdpr: int | None = None
    difficulty: int | None = None
    points: int | None = None
    per_purchase: int = 1
    limits_exclusive: bool = False
    breach: bool = False
    template: str | None = None
    wire: int | None = None
    dud_tn_civilians: int | None = None

    def __post_init__(self) -> None:
        rising("rings", [ring.radius for ring in self.rings], self.kill)
        if self.rings[-1].radius != self.blast_number:
            raise ValueError(f"the rings end at {self.rings[-1].radius}, the blast number is {self.blast_number}")

    def kills(self, distance: float) -> bool:
        """DOW-BLS-06: inside the radius of automatic death?"""
        return self.kill > 0 and distance <= self.kill + CLOSE

    def ring_at(self, distance: float) -> Ring | None:
        """DOW-BLS-07: a limit belongs to the inner ring; to the outer one where the limits are exclusive (DOW-EXP-03)."""
        at_limit = -CLOSE if self.limits_exclusive else CLOSE
        return next((ring for ring in self.rings if distance < ring.radius + at_limit), None)


class Cloud(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Smoke and tear gas; `turns` counts the one it is thrown in."""

    id: str
    radius: int
    height: int
    turns: int
    difficulty: int
    points: int
    source: Source
    to_hit: int = 0
    inside_to_hit: int = 0
    no_aim: bool = False
    check: Ability | None = None
    ap_lost: int = 0


class Zones(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A charge's radii: dead, several rolls, one roll."""

    kill: int
    multi: int
    blast: int


class Wounding(Struct, frozen=True, forbid_unknown_fields=True):
    dpr: int
    rolls: int


class Radii(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """DOW-EXP-07, -08: the zones of one to four quarters of a pound; the printed chart's multiple wounds, where there is one."""

    zones: tuple[Zones, ...]
    source: Source
    multi_chart: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        for zones in self.zones:
            rising("zones", (zones.kill, zones.multi, zones.blast))
        if self.multi_chart and len(self.multi_chart) != len(self.zones):
            raise ValueError("the chart of multiple wounds has a gap")

    def of(self, quarters: int, chart: bool) -> Zones:
        zones = self.zones[quarters - 1]
        if chart and self.multi_chart:
            return Zones(zones.kill, self.multi_chart[quarters - 1][1], zones.blast)
        return zones


class StructuralDPR(Struct, frozen=True, forbid_unknown_fields=True):
    by_quarters: tuple[int, ...]
    per_extra_quarter: int
    source: Source


class Demolition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """C4, by the quarter of a pound."""

    points_per_lb: int
    ap_per_quarter: int
    difficulty: int
    multi: Wounding
    outer: Wounding
    arm: int
    soft: int
    hard: int
    over_pound_kill_per_quarter: int
    army: Radii
    elite: Radii
    structure: StructuralDPR
    source: Source

    def __post_init__(self) -> None:
        if {len(self.army.zones), len(self.elite.zones)} != {self.quarters_per_lb}:
            raise ValueError("a table of zones or of structural DPR has a gap")

    @property
    def quarters_per_lb(self) -> int:
        return len(self.structure.by_quarters)

    def zones(self, table: C4Table, quarters: int, *, chart: bool = False) -> Zones:
        """DOW-EXP-07 to -09: over a pound the blast stays, and the kill and multiple zones grow up to it."""
        extra = self._over_pound(quarters)
        pound = (self.army if table == "army" else self.elite).of(quarters - extra, chart)
        more = extra * self.over_pound_kill_per_quarter
        return Zones(min(pound.kill + more, pound.blast), min(pound.multi + more, pound.blast), pound.blast)

    def sdpr(self, quarters: int) -> int:
        extra = self._over_pound(quarters)
        return self.structure.by_quarters[quarters - extra - 1] + extra * self.structure.per_extra_quarter

    def _over_pound(self, quarters: int) -> int:
        if quarters < 1:
            raise ValueError(f"no charge of {quarters} quarters")
        return max(0, quarters - self.quarters_per_lb)


class Melee(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is swung; a bonus of "weapon" is that of the firearm it is part of."""

    id: str
    bonus: int | Literal["weapon"]
    dpr: int
    ap: int
    blunt: bool
    source: Source
    breaks_on_hit: bool = False
