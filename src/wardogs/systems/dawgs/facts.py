"""Figures of the data by name, for cases and look-ups: what is in the box, and what the geometry makes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from wardogs.kernel.errors import WardogsError
from wardogs.systems.dawgs import data
from wardogs.systems.dawgs.airspace import Airspace, cone_offsets, mirrored
from wardogs.systems.dawgs.odds_tables import ODDS_TABLES, breakup_odds, shot_odds
from wardogs.systems.dawgs.options import Options
from wardogs.systems.dawgs.scenario import SCENARIOS

TABLES: dict[str, Any] = {
    "board": data.BOARDS["reference"],
    "facings": data.FACINGS,
    "track": data.TRACK,
    "track_rules": data.TRACK_RULES,
    "counter": data.COUNTER,
    "pilots": data.PILOTS,
    "cards": data.CARDS,
    "placing": data.PLACING,
    "specials": data.SPECIALS,
    "tokens": data.TOKENS,
    "die": data.DIE,
    "seats": data.SEATS,
    "fire": data.FIRE,
    "speed": data.SPEED,
    "breakup": data.BREAKUP,
    "scenarios": SCENARIOS,
    "options": Options(),
}


def fact(name: str) -> Any:
    """`table.key.key` from the data, or a computed figure: `how_many.x`, `centre.F6`, `cone.F6.3`, `footprint.F6.3`..."""
    first, *rest = name.split(".")
    if first in COMPUTED:
        try:
            return COMPUTED[first](*rest)
        except (ValueError, TypeError, KeyError) as error:
            raise WardogsError(f"no such fact: {name}: {error}") from None
    found = msgspec.to_builtins(TABLES.get(first))
    for key in rest:
        if isinstance(found, dict) and (key in found or key.isdigit()):
            found = found[key] if key in found else found[int(key)]
        elif isinstance(found, list | tuple) and key.isdigit() and int(key) < len(found):
            found = found[int(key)]
        else:
            raise WardogsError(f"no such fact: {name}")
    return found


def _space(**switches: Any) -> Airspace:
    return Airspace(data.BOARDS["reference"], Options(**switches))


def how_many(what: str) -> int:
    """DAW-CMP-03, -04, DAW-SET-02: what is in the box and in a hand."""
    standard = len(data.CARDS)
    return {
        "facings": len(data.FACINGS),
        "hexes": len(_space().grid.hexes),
        "standard_cards": sum(card.copies for card in data.CARDS.values()),
        "special_cards": len(data.SPECIALS),
        "control_cards": sum(card.copies for card in data.CARDS.values()) + len(data.SPECIALS),
        "cards_per_seat": standard + 1,
        "stay_in_play": sum(special.stay_in_play for special in data.SPECIALS.values()),
        "pilots": len(data.PILOTS),
    }[what]


def centre(label: str) -> list[float]:
    """DAW-BRD-03: in thousandths of an inch, so that figures compare exactly."""
    board = data.BOARDS["reference"]
    return [round(1000 * part) for part in board.centre(board.grid.parse(label))]


def axial(label: str) -> list[int]:
    return list(data.BOARDS["reference"].grid.parse(label))


def cone(label: str, facing: str, increments: str = "3", reach: str = "increments") -> list[str]:
    """DAW-FIR-03, -04: the hexes of a cone, nearest first."""
    space = _space(cone=reach)
    front = space.grid.parse(label)
    offsets = cone_offsets(int(facing), int(increments), space.by_hexes)
    hexes = [(front[0] + q, front[1] + r) for q, r in offsets]
    return sorted(space.grid.label(hex_) for hex_ in hexes if space.grid.on_map(hex_))


def cone_size(facing: str, increments: str = "3", reach: str = "increments") -> int:
    return len(cone_offsets(int(facing), int(increments), reach == "hexes"))


def footprint(label: str, facing: str, how: str = "standard") -> list[str]:
    space = _space(footprint=how)
    return [space.grid.label(hex_) for hex_ in space.footprint(space.grid.parse(label), int(facing))]


def mirror_holds(corner: str = "vertical_first") -> bool:
    """DAW-BRD-02, DAW-BRD-07: for every hex, facing and speed the mirrored plane makes the mirrored move."""
    space = _space(corner=corner)
    swapped = {"left": "right", "right": "left"}
    for front in space.grid.hexes:
        for facing in range(len(data.FACINGS)):
            for speed in range(data.TOP_SPEED + 1):
                other_front, other_facing = mirrored(space.grid, front, facing)
                one, other = space.fly(front, facing, speed), space.fly(other_front, other_facing, speed)
                if space.grid.mirrored(one.front) != other.front or swapped.get(one.end, one.end) != other.end:
                    return False
    return True


def odds_of_shot(speed: str, mod: str) -> list[str]:
    """The chances of no, one and two hits, as `wardogs odds` shows them."""
    return [str(chance) for chance in shot_odds(int(speed), mod)]


def odds_table(name: str) -> dict[str, Any]:
    """A whole table as `wardogs odds` shows it."""
    table = ODDS_TABLES[name]
    rows = [[str(figure) for figure in row] for row in table.rows()]
    return {"title": table.title, "rule": table.rule, "columns": list(table.columns), "rows": rows}


def odds_of_breakup(damage: str, speed: str) -> str:
    return str(breakup_odds(int(damage), int(speed)))


COMPUTED: dict[str, Callable[..., Any]] = {
    "how_many": how_many,
    "centre": centre,
    "axial": axial,
    "cone": cone,
    "cone_size": cone_size,
    "footprint": footprint,
    "mirror_holds": mirror_holds,
    "odds_of_shot": odds_of_shot,
    "odds_of_breakup": odds_of_breakup,
    "odds_table": odds_table,
}
