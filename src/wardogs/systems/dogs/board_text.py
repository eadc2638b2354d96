"""The table in words and characters: what can be said of each man, a list of all, and a coarse map."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from textwrap import wrap
from typing import Any

from wardogs.kernel.offers import Seat
from wardogs.systems.dogs.ground import changed
from wardogs.systems.dogs.lists import CALIBRES
from wardogs.systems.dogs.roster_words import named
from wardogs.systems.dogs.scenario_model import STANDARD
from wardogs.systems.dogs.state import Battle, Device, Id, Item, Model, Terms
from wardogs.systems.dogs.view import Sight
from wardogs.systems.dogs.words import WORDS
from wardogs.systems.dogs.zones import Zone, strip
from wardogs.table.draw.strokes import bounds, far, gap, within
from wardogs.table.faces import levels_standing
from wardogs.table.model import Building, Map, Wall
from wardogs.table.shapes import corners_of, outline
from wardogs.table.terrain import Same
from wardogs.table.units import Inches, Place, Point

WIDEST = 100
LETTERS = "ABCDEFGJKLMNPQRSTUVWYZ"  # no H: that is a house
NO_TEAM = "X"
AWAY = {"reserve": "in reserve", "fled": "fled", "exited": "off the table", "aboard": "flown out", "off_edge": "off the edge"}
LEGEND = (
    "Letter and number: a man; xx: dead; A+, ++: several. # house, . its floor, = wall, o thing,",
    "O vehicle, : rubble, % trees and hedges, ~ water, grass and other ground, s smoke, g gas,",
    "* something lies there, @ a mine or charge, 0 ground to hold or landing zone.",
)
ZONES = ", and ; where the first and the second side deploy."


def table_now(terms: Terms, battle: Battle) -> Map:
    return changed(Same(terms.map), battle.changes)


# ---- names -----------------------------------------------------------------------------------------------------------


def tags(battle: Battle) -> dict[Id, str]:
    """A letter for each team and a number for each man of it; men of no team are X."""
    letters = {team.id: LETTERS[k % len(LETTERS)] for k, team in enumerate(battle.teams)}
    numbers: dict[str, int] = {}
    found = {}
    for man in battle.models:
        letter = letters.get(man.team, NO_TEAM)
        numbers[letter] = numbers.get(letter, 0) + 1
        found[man.id] = f"{letter}{numbers[letter]}"
    return found


def side_name(terms: Terms, seat: Seat) -> str:
    return terms.scenario.side(seat).name


def wanted_man(terms: Terms, battle: Battle) -> Id:
    """The man whom one side has come for, if there is one."""
    for side in terms.scenario.sides:
        for plan in side.teams:
            if plan.hvt:
                members = next((team.members for team in battle.teams if team.id == plan.name), ())
                return next((id_ for id_ in members if terms.who[id_].role == plan.hvt), "")
    return ""


# ---- one man ---------------------------------------------------------------------------------------------------------


def level_of(table: Map, at: Place) -> int:
    """The storey that somebody stands on, inside a house or on its roof; 0 is the ground."""
    for house in table.buildings:
        if at[2] > house.base + house.storey / 2 and within(outline(house), (at[0], at[1])):
            return min(round((at[2] - house.base) / house.storey), levels_standing(house))
    return 0


def states(terms: Terms, battle: Battle, man: Model) -> list[str]:
    """Everything out of the ordinary about him, the gravest first."""
    team = battle.team(man.team)
    leads, high = team is not None and team.leader == man.id, team is not None and team.khat_high
    return condition(man, leads, high, man.id == wanted_man(terms, battle))


def condition(man: Model, leads: bool, high: bool, wanted: bool) -> list[str]:
    """The same, of him as he is; what his team makes of him is told."""
    if not man.alive:
        return ["dead", *([AWAY[man.away]] if man.away else [])]
    flags = (
        (man.away != "", AWAY.get(man.away, "")),
        (not man.conscious, "unconscious"),
        (man.captured, "captured"),
        (man.bound, "bound"),
        (man.held_by != "", f"held by {man.held_by}"),
        (man.broken, "broken"),
        (man.ducking != "", "ducking"),
        (man.opfire, "Op-Fire"),
        *_wounds(man),
        (man.breathless, "out of breath"),
        (man.seen_moving == "run" and man.on_table, "running"),
        (man.seen_moving == "walk" and man.on_table, "walking"),
        (man.climbing > 0, "climbing"),
        (man.carrying != "", f"carries {man.carrying}"),
        (man.carried_by != "", f"carried by {man.carried_by}"),
        (man.leading != "", f"leads {man.leading}"),
        (man.vehicle != "", f"aboard {man.vehicle}"),
        (man.mask_on, "gas mask on"),
        (man.nvg_down, "goggles down"),
        (man.vest > 0, "deadman vest"),
        (leads, "leads his team"),
        (high, "high on khat"),
        (wanted, "wanted"),
    )
    return [words for holds, words in flags if holds]


def _wounds(man: Model) -> Iterator[tuple[bool, str]]:
    yield man.bleeding, "bleeding"
    yield man.ima, "needs a bandage"
    yield man.stabilized and man.hp <= 0, "stabilized"
    yield man.immobilized, "cannot walk"
    yield man.slow and not man.immobilized, "slowed"
    for arm in man.useless:
        yield True, f"{arm} arm useless"
    for arm in man.painful:
        yield arm not in man.useless, f"{arm} arm hurts"


def in_hand(man: Model) -> str:
    """What he holds, and the rounds in it."""
    held = man.weapon(man.in_hand)
    return f"{named(held.id)} {held.loaded}" if held else named(man.in_hand) or "bare hands"


def kit(man: Model) -> str:
    """All his weapons with their rounds, what is spare, what he carries."""
    arms = [f"{named(weapon.id)} ({weapon.loaded} loaded{', bayonet fixed' if weapon.bayonet else ''})" for weapon in man.weapons]
    spare = [f"{n} {calibre} spare" for calibre, n in man.ammo]
    stores = [f"{n} {named(kind)}" for kind, n in man.stores]
    return ", ".join([*arms, *spare, *stores]) or "no weapon"


def compass(facing: float) -> str:
    """DOW-GEN-16, in whole degrees."""
    return f"{round(facing) % 360}°"


def where(man: Model, table: Map) -> str:
    if man.away:
        return AWAY[man.away]
    level = level_of(table, man.at)
    return f"{man.at[0]:.1f}, {man.at[1]:.1f}" + (f" L{level}" if level else f" z{man.at[2]:.1f}" if man.at[2] > 0.05 else "")


def about(terms: Terms, battle: Battle, man: Model) -> str:
    """One sentence that says it all, for a tooltip or a screen reader."""
    soldier, table = terms.who[man.id], table_now(terms, battle)
    place = f"at {where(man, table)}, facing {compass(man.facing)}, {man.stance}" if not man.away else AWAY[man.away]
    points = f", {man.ap} AP" if man.id in battle.active else ""
    told = [part for part in states(terms, battle, man) if part != AWAY.get(man.away)]
    tail = f"; {', '.join(told)}" if told else ""
    return (
        f"{tags(battle)[man.id]} {man.id} ({side_name(terms, man.side)}, {soldier.title or soldier.role}): {place}, "
        f"{max(man.hp, 0)} of {soldier.hp} HP{points}; {kit(man)}{tail}"
    )


# ---- the heading -----------------------------------------------------------------------------------------------------


def heading(terms: Terms, sight: Sight) -> str:
    """The turn, the phase, whose slot it is, the points."""
    return f"{standing(terms, sight.battle)}. {points(terms, sight.battle)}"


def standing(terms: Terms, battle: Battle) -> str:
    phase = WORDS["phase"][battle.phase]
    if battle.result is not None:
        winner = "nobody wins" if battle.result.side is None else f"victory for {side_name(terms, battle.result.side)}"
        phase = f"{winner}: {WORDS['reason'][battle.result.reason]}"
    turn = f"turn {battle.turn} of {terms.scenario.turns}, " if battle.turn else ""
    slot = f", {side_name(terms, battle.slot_side)} to act" if battle.slot_side and battle.result is None else ""
    return f"{terms.scenario.title}: {turn}{phase}{slot}"


def points(terms: Terms, battle: Battle) -> str:
    return ", ".join(f"{side_name(terms, side.seat)} {side.vp} VP" for side in battle.sides)


# ---- the list --------------------------------------------------------------------------------------------------------


def board(terms: Terms, sight: Sight) -> str:
    """All for a terminal, at most 100 columns wide."""
    battle, table = sight.battle, table_now(terms, sight.battle)
    lines = [*wrap(heading(terms, sight), WIDEST), "", *characters(terms, battle, table), *LEGEND]
    lines += _short_tags(battle)
    lines += [ZONES] if battle.phase == "setup" else []
    lines += wrap(houses(table), WIDEST)
    for side in battle.sides:
        lines += ["", *_side_lines(terms, battle, table, side.seat)]
    return "\n".join([*lines, *_other_lines(battle)])


def houses(table: Map) -> str:
    """What stands, by its name and by the id that choices have for it, and where its middle is."""
    found = [
        f"{house.name or 'house'} ({house.id}) at {spot((*_middle(house), 0.0))}"
        for house in table.buildings
        if levels_standing(house)
    ]
    return f"Houses: {'; '.join(found)}." if found else ""


def _middle(house: Building) -> Point:
    left, lower, right, upper = bounds(outline(house))
    return (left + right) / 2, (lower + upper) / 2


def _side_lines(terms: Terms, battle: Battle, table: Map, seat: Seat) -> Iterator[str]:
    side = battle.side(seat)
    edge = f", {WORDS['edge'][side.edge]} edge" if side.edge else ""
    yield f"{side_name(terms, seat)}{edge}, {side.vp} VP"
    yield f"    {'who':<27}{'where':<16}{'look':<5}{'stance':<9}{'HP':<4}{'AP':<3}{'in hand':<14}{'states'}"
    named_tags = tags(battle)
    for man in battle.models:
        if man.side == seat:
            yield from _man_lines(terms, battle, man, table, named_tags[man.id])


def _man_lines(terms: Terms, battle: Battle, man: Model, table: Map, tag: str) -> Iterator[str]:
    """One line; what does not fit on it follows below."""
    hp = f"{max(man.hp, 0)}/{terms.who[man.id].hp}"
    faces, stance = ("", "") if man.away else (compass(man.facing), man.stance)
    points_left = str(man.ap) if man.id in battle.active else ""
    name = man.id if len(man.id) <= 26 else f"{man.id[:25]}…"
    line = f"{tag:<4}{name:<27}{where(man, table):<16}{faces:<5}{stance:<9}{hp:<4}{points_left:<3}{in_hand(man):<13}"
    told = ", ".join(part for part in states(terms, battle, man) if part != AWAY.get(man.away))
    if len(line) + 1 + len(told) <= WIDEST:
        yield f"{line} {told}".rstrip()
    else:
        yield line.rstrip()
        yield from (f"      {rest}" for rest in wrap(told, WIDEST - 6))


def _other_lines(battle: Battle) -> Iterator[str]:
    """Vehicles, clouds, devices and what lies about."""
    found = [*others(battle)]
    if found:
        yield ""
        yield "On the table"
        for line in found:
            yield from wrap(line, WIDEST, initial_indent="    ", subsequent_indent="      ")


def others(battle: Battle) -> Iterator[str]:
    for vehicle in battle.vehicles:
        if vehicle.there:
            crew = ", ".join(id_ for id_ in vehicle.seats if id_) or "empty"
            state = "wrecked" if vehicle.wrecked else f"{vehicle.sp} SP, {crew}"
            yield f"{vehicle.id} ({plain(vehicle.kind)}) at {spot(vehicle.at)}, facing {compass(vehicle.facing)}: {state}"
    for cloud in battle.clouds:
        left = _many(cloud.turns_left, "turn")
        yield f"{cloud_name(cloud.kind)} at {spot(cloud.at)}, {cloud.radius:g} inches about, {left} left"
    for device in battle.devices:
        yield f"{device_name(device)} at {spot(device.at)}"
    for item in battle.items:
        yield f"{item_name(item)} at {spot(item.at)}"
    for mission in battle.missions:
        yield f"fire mission ({plain(mission.shell)}) on {spot(mission.at)}"


def _many(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


DEVICES = {"ap_mine": "mine", "claymore": "Claymore", "c4": "C4", "shaped_charge": "shaped charge"}


def device_name(device: Device) -> str:
    return DEVICES[device.kind] + (f" ({device.quarters / 4:g} lb)" if device.quarters else "")


def item_name(item: Item) -> str:
    if item.kind in CALIBRES:
        return f"{_many(item.n, 'round')} of {item.kind}"
    return plain(item.kind) if item.n == 1 else f"{item.n} x {plain(item.kind)}"


def cloud_name(kind: str) -> str:
    return "smoke" if kind == "smoke_grenade" else "tear gas"


def plain(kind: str) -> str:
    """How a thing is called; an id that nobody has named loses its underscores."""
    said = named(kind)
    return said if said != kind else kind.replace("_", " ")


def spot(at: Place) -> str:
    return f"{at[0]:.1f}, {at[1]:.1f}" + (f", height {at[2]:.1f}" if at[2] > 0.05 else "")


# ---- the map in characters -------------------------------------------------------------------------------------------

TENTH = "abcdefghijkmnpqrstuvwxyz"  # for numbers of two figures; neither l nor o
WIDE, HIGH = 1.0, 2.0  # inches of the table to a character, which is twice as high as it is wide


def characters(terms: Terms, battle: Battle, table: Map) -> list[str]:
    """The ground, and over it what lies and who stands there."""
    rows = [list(row) for row in _ground(Same(table))]
    if battle.phase == "setup":
        for seat, zone in deployment(terms, battle):
            _fill(rows, zone, "," if seat == 1 else ";")
    for (x, y), sign in _signs(terms, battle):
        _put(rows, (x, y), sign)
    here: dict[tuple[int, int], list[str]] = {}
    named_tags = tags(battle)
    for man in battle.models:
        if man.on_table and not man.carried_by and not man.vehicle:
            place = (int(man.at[0] / (2 * WIDE)), int(man.at[1] / HIGH))
            here.setdefault(place, []).append(short(named_tags[man.id]) if man.alive else "xx")
    for (column, row), found in here.items():
        living = [tag for tag in found if tag != "xx"]
        sign = "xx" if not living else living[0] if len(living) == 1 else _several(living)
        _put(rows, (column * 2 * WIDE + WIDE / 2, row * HIGH + HIGH / 2), sign)
    return [*_framed(rows)]


def short(tag: str) -> str:
    """A tag as the map has room for it: from the tenth man of a team on, a small letter for his number."""
    return tag if len(tag) == 2 else f"{tag[0]}{TENTH[(int(tag[1:]) - 10) % len(TENTH)]}"


def _short_tags(battle: Battle) -> list[str]:
    """Who is meant by them, if there are any."""
    found = [f"{short(tag)} is {tag}" for tag in tags(battle).values() if short(tag) != tag]
    return wrap(f"On the map {', '.join(found)}.", WIDEST) if found else []


def deployment(terms: Terms, battle: Battle) -> dict[tuple[Seat, Zone], None]:
    """DOW-SET-07: where each side's teams begin, each zone once; none for a side that has yet to roll for its edge."""
    found: dict[tuple[Seat, Zone], None] = {}
    for side in battle.sides:
        plan = terms.scenario.side(side.seat)
        for team in plan.teams:
            edge: Any = side.edge
            zone = team.zone or plan.deploy or (strip(edge, terms.map.size, STANDARD.deploy_depth) if edge else None)
            if zone and not team.reserve:
                found[side.seat, zone] = None
    return found


def _fill(rows: list[list[str]], zone: Zone, sign: str) -> None:
    """A sign in every other column, on open ground and floors."""
    for k, row in enumerate(rows):
        for column in range(0, len(row), 2):
            at = (column * WIDE + WIDE / 2, (len(rows) - 1 - k) * HIGH + HIGH / 2)
            if row[column] in " ." and zone.contains(at):
                row[column] = sign


def _several(found: list[str]) -> str:
    """More than one in a square: their team if it is one."""
    return f"{found[0][0]}+" if len({tag[0] for tag in found}) == 1 else "++"


def _framed(rows: list[list[str]]) -> Iterator[str]:
    """North is up; inches along the left and the lower edge."""
    wide = len(rows[0])
    yield "    +" + "-" * wide + "+  N is up"
    for k, row in enumerate(rows):
        low = (len(rows) - 1 - k) * HIGH
        yield f"{f'{low:g}' if low % 6 == 0 else '':>3} |{''.join(row)}|"
    yield "    +" + "-" * wide + "+"
    marks = "".join(f"{round(x * WIDE):<6}" for x in range(0, wide + 1, 6))
    yield f"     {marks}".rstrip()


def _put(rows: list[list[str]], at: Point, sign: str) -> None:
    row, column = len(rows) - 1 - int(at[1] / HIGH), int(at[0] / WIDE)
    for k, letter in enumerate(sign):
        if 0 <= row < len(rows) and 0 <= column + k < len(rows[row]):
            rows[row][column + k] = letter


def _signs(terms: Terms, battle: Battle) -> Iterator[tuple[Point, str]]:
    scenario = terms.scenario
    if scenario.victory.control:
        yield scenario.victory.control.centre, "0"
    if scenario.lift:
        yield (scenario.lift.zone[0], scenario.lift.zone[1]), "0"
    for cloud in battle.clouds:
        yield from ((at, "s" if cloud.kind == "smoke_grenade" else "g") for at in _disc(cloud.at, cloud.radius))
    for item in battle.items:
        yield (item.at[0], item.at[1]), "*"
    for device in battle.devices:
        yield (device.at[0], device.at[1]), "@"
    for vehicle in battle.vehicles:
        if vehicle.there:
            yield (vehicle.at[0], vehicle.at[1]), "OO"


def _disc(at: Place, radius: Inches) -> Iterator[Point]:
    reach = int(radius)
    for x in range(-reach, reach + 1):
        for y in range(-reach, reach + 1):
            if x * x + y * y <= radius * radius:
                yield (at[0] + x, at[1] + y)


@lru_cache(maxsize=8)
def _ground(same: Same) -> tuple[str, ...]:
    table = same.map
    columns, rows = int(-(-table.size[0] // WIDE)), int(-(-table.size[1] // HIGH))
    return tuple(
        "".join(_glyph(table, (column * WIDE + WIDE / 2, row * HIGH + HIGH / 2)) for column in range(columns))
        for row in reversed(range(rows))
    )  # fmt: skip


GLYPHS = {"rubble": ":", "wreckage": ":", "woods": "%", "orchard": "%", "bushes": "%", "hedge": "%", "road": " ", "open": " "}


def _glyph(table: Map, at: Point) -> str:
    """What stands at a place: a house, a thing, a wall that passes near by, or the ground."""
    for house in table.buildings:
        if levels_standing(house) and within(ring := outline(house), at):
            edge = min(gap(at, a, b) for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))
            return "#" if edge <= HIGH / 2 else "."
    if any(within(corners_of(thing), at) for thing in table.things):
        return "o"
    if any(_runs_by(wall, at) for wall in table.walls):
        return "="
    kinds = [area.kind for area in table.areas if within(outline(area), at)]
    return GLYPHS.get(kinds[-1], "~") if kinds else " "


def _runs_by(wall: Wall, at: Point) -> bool:
    """Does it cross the cell around the place?"""
    points = [(wall.line[k], wall.line[k + 1]) for k in range(0, len(wall.line), 2)]
    return any(_crosses_cell(a, b, at) for a, b in pairwise(points))


def _crosses_cell(a: Point, b: Point, at: Point) -> bool:
    steps = max(2, int(far(a, b) * 2))
    for k in range(steps + 1):
        x, y = a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps
        if -WIDE / 2 <= x - at[0] < WIDE / 2 and -HIGH / 2 <= y - at[1] < HIGH / 2:
            return True
    return False
