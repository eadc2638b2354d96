"""The data of the rulebook, loaded once into typed records. Gaps, overlaps and unknown keys are refused."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from wardogs.hexes.grid import Grid, Hex, increment, minus
from wardogs.kernel.errors import WardogsError

FOLDER = Path(__file__).parent / "data"
Source = Literal["document", "public", "reconstructed"]
D = TypeVar("D")


@cache
def _grid(rows: int, even: int, odd: int) -> Grid:
    return Grid(rows, even, odd)


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    rear_col: int
    front_col: int
    facing: int


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """DAW-BRD-01 to -06: the sky seen from the side, ground at the bottom, thin air at the top."""

    id: str
    size_in: tuple[float, float]
    orientation: Literal["pointy_top"]
    hex_flat_to_flat_in: float
    hex_side_in: float
    rows: int
    width_even_rows: int
    width_odd_rows: int
    row_pitch_in: float
    origin_in: tuple[float, float]
    ground_rows: tuple[int, ...]
    extra_ground: tuple[str, ...]
    thin_air_rows: tuple[int, ...]
    start_rows: tuple[int, ...]
    start_left: Start
    start_right_even: Start
    start_right_odd: Start
    hex_count: int
    source: Source

    @property
    def grid(self) -> Grid:
        return _grid(self.rows, self.width_even_rows, self.width_odd_rows)

    def centre(self, hex_: Hex) -> tuple[float, float]:
        """DAW-BRD-03: the centre of a hex in inches from the lower left corner of the board."""
        x = self.origin_in[0] + self.grid.column(hex_) + 0.5 * (hex_[1] % 2)
        return x, self.origin_in[1] + self.row_pitch_in * hex_[1]


class Facing(Struct, frozen=True, forbid_unknown_fields=True):
    """DAW-PLN-02, DAW-ORI-03: one of the twelve directions, one position (30 degrees) apart."""

    h: int
    kind: Literal["vertex", "edge"]
    angle_deg: int
    pointing: Literal["up", "level", "down"]
    from_parallel: int
    speed_change: int
    levels_off: bool
    increment: Hex
    footprint: tuple[Hex, ...]
    source: Source


class Space(Struct, frozen=True, forbid_unknown_fields=True):
    speed: int
    vuln: int
    source: Source


class TrackRules(Struct, frozen=True, forbid_unknown_fields=True):
    start_speed: int
    damage_first_space: int
    damage_step: int
    identical_planes: bool


class Counter(Struct, frozen=True, forbid_unknown_fields=True):
    length_in: float
    width_in: float
    pivot_behind_nose_in: float
    count: int
    source: Source


class Pilot(Struct, frozen=True, forbid_unknown_fields=True):
    seat: int
    pilot: str
    colour: str
    source: Source


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    kind: Literal["rotate", "no_change", "number"]
    copies: int
    source: Source
    sign: int = 0
    value: int = 0


class Placing(Struct, frozen=True, forbid_unknown_fields=True):
    cards: int
    numbers: int
    others: tuple[str, ...]
    source: Source


class Effect(Struct, frozen=True, forbid_unknown_fields=True):
    """What a special ability card does at a step of the round."""

    at: Literal["P2.0", "P2.1", "P2.2", "P2.3", "P2.3.end", "P3.1", "P3.2", "P4", "P4.end", "P5", "shot"]
    op: str
    steps: Literal["", "6", "N", "N+1"] = ""
    sign: Literal["", "placed"] = ""
    delta: int = 0
    min: int = 0
    max: int = 3
    when: Literal["", "N=1", "N=2", "N=3", "hits_taken=0"] = ""
    unless: Literal["", "left_map"] = ""
    dice: int = 1
    keep: Literal["", "highest"] = ""
    instead_of: Literal["", "P3"] = ""
    only_if_placed: bool = False
    turn: int = 0
    increments: int = 0
    fire_mod: int = 0
    value: int = 0


class Special(Struct, frozen=True, forbid_unknown_fields=True):
    """DAW-SPC-07: one copy of each of the twelve."""

    id: str
    name: str
    rule: str
    stay_in_play: bool
    needs_direction: bool
    uses_number: bool
    effects: tuple[Effect, ...]
    source: Source


class Token(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    count: int
    per_seat: int
    source: Source
    only_with: str = ""


class OneDie(Struct, frozen=True, forbid_unknown_fields=True):
    sides: int
    count: int
    source: Source


class SeatFigures(Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    least: int
    most: int
    source: Source


class FireFigures(Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    cone_increments: int
    two_hits_over: int
    most_hits: int
    continuous_fire_bonus: int
    source: Source


class SpeedFigures(Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    steep: int
    dive: int
    climb: int
    thin_air: int
    level_off_to: int
    respawn: int
    top_stop: int
    source: Source


class BreakupFigures(Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    per_space: int
    source: Source


def load(file: str, table: str, kind: type[D]) -> D:
    """One table of a data file as a typed record."""
    path = FOLDER / file
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8"))[table], kind)
    except (tomllib.TOMLDecodeError, KeyError, msgspec.ValidationError) as error:
        raise WardogsError(f"{path}, [{table}]: {error}") from None


BOARDS = {"reference": load("board.toml", "board", Board)}
FACINGS = load("facings.toml", "facing", tuple[Facing, ...])
TRACK = load("track.toml", "track", tuple[Space, ...])
TRACK_RULES = load("track.toml", "track_rules", TrackRules)
COUNTER = load("planes.toml", "plane_counter", Counter)
PILOTS = {pilot.seat: pilot for pilot in load("planes.toml", "plane", tuple[Pilot, ...])}
CARDS = {card.id: card for card in load("cards.toml", "card", tuple[Card, ...])}
PLACING = load("cards.toml", "placing", Placing)
SPECIALS = {special.id: special for special in load("specials.toml", "special", tuple[Special, ...])}
TOKENS = {token.id: token for token in load("tokens.toml", "token", tuple[Token, ...])}
DIE = load("tokens.toml", "die", OneDie)
SEATS = load("figures.toml", "seats", SeatFigures)
FIRE = load("figures.toml", "fire", FireFigures)
SPEED = load("figures.toml", "speed", SpeedFigures)
BREAKUP = load("figures.toml", "breakup", BreakupFigures)

TOP_SPEED = TRACK[-1].speed
NUMBERS = {card.value: card.id for card in CARDS.values() if card.kind == "number"}


def facing_as_derived(h: int) -> dict[str, Any]:
    """What the geometry of the hexes makes of a facing (DAW-PLN-02, -03, DAW-MOV-02, -03, DAW-SPD-01 to -06)."""
    from_parallel = 3 - min(h, 12 - h)
    here: Hex = (0, 0)
    behind = (minus(here, increment(h)),) if h % 2 else tuple(minus(here, increment(h + turn)) for turn in (-1, 1))
    return {
        "h": h,
        "kind": "edge" if h % 2 else "vertex",
        "angle_deg": (90 - 30 * h) % 360,
        "pointing": "up" if from_parallel > 0 else "down" if from_parallel < 0 else "level",
        "from_parallel": from_parallel,
        "speed_change": (from_parallel <= -SPEED.steep) * SPEED.dive + (from_parallel >= SPEED.steep) * SPEED.climb,
        "levels_off": from_parallel <= 0,
        "increment": increment(h),
        "footprint": {here, *behind},
    }


def check_data() -> None:
    """Refuse data that contradicts itself, naming the place."""
    for h, facing in enumerate(FACINGS):
        for name, value in facing_as_derived(h).items():
            written = getattr(facing, name)
            if (set(written) if name == "footprint" else written) != value:
                raise WardogsError(f"{FOLDER / 'facings.toml'}: facing {h}: {name} is {written}, the hexes make it {value}")
    for speed, space in enumerate(TRACK):
        if space.speed != speed:
            raise WardogsError(f"{FOLDER / 'track.toml'}: the track has a gap at speed {speed}")
    for board in BOARDS.values():
        if len(board.grid.hexes) != board.hex_count:
            raise WardogsError(f"{FOLDER / 'board.toml'}: {board.id} has {len(board.grid.hexes)} hexes, not {board.hex_count}")


check_data()
