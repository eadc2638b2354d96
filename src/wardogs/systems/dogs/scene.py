"""The table as a picture and as text: the plan, who stands on it, and a list of everybody beside it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from msgspec.structs import replace

from wardogs.kernel.offers import Seat
from wardogs.scene.model import Area, Disc, Line, Mark, Piece, Point, Scene, Text
from wardogs.systems.dogs.board_text import (
    about,
    board,
    heading,
    in_hand,
    others,
    side_name,
    states,
    table_now,
    tags,
)
from wardogs.systems.dogs.state import Battle, Model, Team, Terms
from wardogs.systems.dogs.tokens import COLOURS, SIGNS, Layer, angle, arc, circle, clouds, face, men, places, things
from wardogs.systems.dogs.view import Sight
from wardogs.table.draw.labels import Box
from wardogs.table.draw.legend import WIDTH, columns, entries, legend_marks, tall
from wardogs.table.draw.page import GUTTER, compass, fitting, framed, scale_bar
from wardogs.table.draw.plan import storeys_plan
from wardogs.table.draw.strokes import Pen
from wardogs.table.model import Circle, Map
from wardogs.table.terrain import Same

TOP, BELOW, APART = 0.45, 0.45, 0.45  # inches of paper around the plan
ROSTER = 6.6  # the width of the list
FOOT = 1.3  # below the key: scale and compass
ROW, GAP = 0.25, 0.12


def draw(terms: Terms, sight: Sight) -> Scene:
    """Drawn from a view, so it shows nothing that the seat may not know."""
    battle, table = sight.battle, shown_table(terms, sight.battle)
    scale, (wide, high) = fitting(table.size), table.size
    layer = Layer(terms, battle, table, tags(battle), Pen(scale, table.catalogue))
    legend = columns(entries(table, 0, layer.pen), max(high * scale, 8.0))
    lists, signs = [*roster(layer)], [*key()]
    under = tall(legend[-1]) + tall_rows(signs) + FOOT <= max(
        high * scale, tall_rows(lists)
    )  # room for the key in the last column
    lists += [] if under else signs
    height = round(max(high * scale + BELOW, tall_rows(lists) + FOOT) + TOP, 3)
    right, view = round(GUTTER + wide * scale + APART, 3), (0.0, 0.0, wide, high)
    marks = framed((GUTTER, height - TOP - high * scale), view, scale, table_marks(layer))
    marks += stacked(lists, (right, height - TOP))
    for n, rows in enumerate(legend):
        marks += legend_marks(rows, (right + ROSTER + n * WIDTH, height - TOP + 0.28), layer.pen)
    width = right + ROSTER + WIDTH * len(legend)
    marks += stacked(signs, (width - WIDTH, height - TOP - tall(legend[-1]))) if under else []
    marks += [Text((0, height - 0.1), subtitle(terms, battle), "subtitle", anchor="start", room=width)]
    marks += [*scale_bar((width - WIDTH + 0.1, 0.35), scale), *compass((width - 0.5, 0.4))]
    return Scene(heading(terms, sight), width, height, tuple(marks), spoken(terms, sight), board(terms, sight), "plan")


def shown_table(terms: Terms, battle: Battle) -> Map:
    """The table as it is now; where sides deployed is of no interest afterwards."""
    table, lift = table_now(terms, battle), terms.scenario.lift
    return table if battle.phase == "setup" else _without_sides(Same(table), lift.zone if lift else None)


@lru_cache(maxsize=64)
def _without_sides(same: Same, landing: Circle | None) -> Map:
    zones = same.map.zones
    return replace(same.map, zones=tuple(zone for zone in zones if not zone.side or (landing and zone.circle == landing)))


def subtitle(terms: Terms, battle: Battle) -> str:
    return "; ".join(remarks(terms, battle))


def remarks(terms: Terms, battle: Battle) -> list[str]:
    """The light, what it is about, who is active."""
    scenario = terms.scenario
    said = ["by night" if terms.night else "by day"]
    if control := scenario.victory.control:
        said.append(f"the ground in the middle is worth {control.per_turn_vp} VP a turn")
    if lift := scenario.lift:
        said.append(f"a helicopter lands from turn {lift.from_turn} and leaves at the end of turn {lift.last_turn}")
    if battle.active:
        said.append(f"active: {', '.join(battle.active)}")
    return said


def spoken(terms: Terms, sight: Sight) -> tuple[str, ...]:
    """The same for whoever cannot see it."""
    battle = sight.battle
    return (heading(terms, sight), *(about(terms, battle, man) for man in battle.models), *others(battle))


def table_marks(layer: Layer) -> list[Mark]:
    """The plan and everything upon it."""
    ground = named_ground(Same(layer.table), tuple(item.at for item in layer.terms.scenario.items))
    return [*ground, *places(layer), *clouds(layer.battle), *things(layer), *men(layer)]


@lru_cache(maxsize=32)
def named_ground(same: Same, lying: tuple[Point, ...]) -> tuple[Mark, ...]:
    """The plan with its names, off what lies about from the start.

    It is drawn once for each state of the table: to find room for all names takes a while.
    """
    table = same.map
    pen, (wide, high) = Pen(fitting(table.size), table.catalogue), table.size
    return tuple(storeys_plan(table, [0] * len(table.buildings), pen, (0.0, 0.0, wide, high), off_what_lies(lying)))


def off_what_lies(lying: tuple[Point, ...]) -> list[Box]:
    """The boxes around things and the words beside them."""
    return [(x - 0.4, y - 1.0, x + 2.0, y + 0.4) for x, y in lying]


# ---- the list beside the plan ----------------------------------------------------------------------------------------

Row: TypeAlias = tuple[float, list[Mark]]  # its height on paper, and what is drawn about the middle of its left end
Rows: TypeAlias = Iterator[Row]


def tall_rows(rows: list[Row]) -> float:
    return sum(high for high, _ in rows)


def stacked(rows: list[Row], corner: Point) -> list[Mark]:
    """One below the other, on paper."""
    (x, y), marks = corner, list[Mark]()
    for high, drawn in rows:
        y -= high
        marks += [moved(mark, (x, y + ROW / 2)) for mark in drawn]
    return marks


def moved(mark: Mark, by: Point) -> Mark:
    """The same, elsewhere."""
    if isinstance(mark, Area | Line):
        return replace(mark, points=tuple(_plus(point, by) for point in mark.points))
    return replace(mark, at=_plus(mark.at, by))


def _plus(a: Point, b: Point) -> Point:
    """No finer than a thou."""
    return round(a[0] + b[0], 3), round(a[1] + b[1], 3)


def roster(layer: Layer) -> Rows:
    """Side by side, team by team, man by man."""
    for side in layer.battle.sides:
        yield from side_rows(layer, side.seat)
        yield GAP, []


def side_rows(layer: Layer, seat: Seat) -> Rows:
    name, points = side_name(layer.terms, seat), layer.battle.side(seat).vp
    yield 0.36, [Text((0.0, 0.06), f"{name.upper()}, {points} VP", "caption", anchor="start", room=ROSTER - 0.3)]
    for team in layer.battle.teams:
        if team.side == seat:
            yield from team_rows(layer, team)
    loose = [man for man in layer.battle.models if man.side == seat and not man.team]
    if loose:
        yield ROW, [Text((0.0, 0.0), "of no team", "heading", anchor="start")]
        yield from ((ROW, man_marks(layer, man)) for man in loose)


def team_rows(layer: Layer, team: Team) -> Rows:
    letter = layer.tags[team.members[0]][:1] if team.members else ""
    heads = ((2.4, "HP"), (2.8, "AP"), (3.15, "IN HAND"))
    yield (
        ROW,
        [
            Text((0.0, 0.0), f"{letter}  {team.id}", "heading", anchor="start", room=2.8),
            *(Text((x, 0.0), says, "entry_note", anchor="start") for x, says in heads if team == layer.battle.teams[0]),
        ],
    )
    yield from ((ROW, man_marks(layer, layer.battle[id_])) for id_ in team.members)


def man_marks(layer: Layer, man: Model) -> list[Mark]:
    """His token, name, figures and states."""
    told = [part for part in states(layer.terms, layer.battle, man) if part != "leads his team"]
    name, tag = short_name(man), layer.tags[man.id]
    look = "entry" if man.alive else "entry_note"
    found: list[Mark] = [
        *sample(man.side, tag, about(layer.terms, layer.battle, man), man.alive),
        Text((0.42, 0.0), name, look, anchor="start", room=1.9),
        Text((2.4, 0.0), f"{max(man.hp, 0)}/{layer.terms.who[man.id].hp}", look, anchor="start"),
        Text((3.15, 0.0), in_hand(man), look, anchor="start", room=1.15),
        Text((4.35, 0.0), shortened(", ".join(told), 40), "entry_note", anchor="start", room=2.2),
    ]
    if man.id in layer.battle.active:
        found.append(Text((2.8, 0.0), str(man.ap), "figure", anchor="start"))
    return found


def short_name(man: Model) -> str:
    """Without the name of his team, which stands above."""
    return man.id.removeprefix(man.team).strip() or man.id


def shortened(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: most - 1].rstrip(' ,')}…"


def sample(side: Seat, tag: str, name: str, alive: bool) -> list[Mark]:
    """A small token for the list."""
    if not alive:
        cross = [Line(((0.05, -0.07 * way), (0.21, 0.07 * way)), "cross") for way in (1, -1)]
        return [Disc((0.13, 0.0), 0.1, "ring", name=name), *cross]
    at = (0.13, 0.0)
    return [Disc(at, 0.125, "body", COLOURS[side], name=name), *face(side, at, 0.125, tag, name, 1.0)]


# ---- the key ---------------------------------------------------------------------------------------------------------


def key() -> Rows:
    """What the tokens and the signs beside them mean."""
    yield 0.3, [Text((0.0, 0.0), "TOKENS", "heading", anchor="start")]
    standing = [Disc((0.2, 0.0), 0.1, "body", COLOURS[1], angle(90.0))]
    yield ROW + 0.05, [*standing, _says("standing; the tick shows where he looks")]
    yield ROW + 0.05, [Piece((0.22, 0.0), 0.0, (0.36, 0.18), 0.18, COLOURS[2], "", ""), _says("prone")]
    watcher = Model("", 1, at=(0.16, 0.0, 0.0), facing=90.0)
    shown = arc(watcher)
    assert isinstance(shown, Area)
    small = tuple((0.16 + (x - 0.16) * 0.03, y * 0.03) for x, y in shown.points)
    yield ROW + 0.05, [Area(small, "faint"), Disc((0.16, 0.0), 0.07, "body", COLOURS[1], 0.0), _says("on Op-Fire: his arc")]
    upstairs: list[Mark] = [Disc((0.2, 0.0), 0.13, "open_dot"), Disc((0.2, 0.0), 0.08, "body", COLOURS[1])]
    yield ROW + 0.05, [*upstairs, _says("L1: one floor up, and so on")]
    yield ROW + 0.05, [Area(circle((0.2, 0.0), 0.08, 4), "cut"), _says("a mine or charge that you know of")]
    yield ROW, [Text((0.2, 0.0), "-2", "figure"), _says("health points lost; then")]
    for sign, words in SIGNS.items():
        yield ROW, [Text((0.2, 0.0), sign, "figure"), _says(words)]


def _says(words: str) -> Mark:
    return Text((0.5, 0.0), words, "entry", anchor="start")
