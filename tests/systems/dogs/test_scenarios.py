"""The scenarios: they load, cost what they may, lie on sound tables with room for all; wrong ones say why."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.record import Setup
from wardogs.kernel.system import Wanted
from wardogs.systems.dogs.data import STRUCTURES, VEHICLES
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.roster import cost, soldiers, violations
from wardogs.systems.dogs.scenario import (
    SCENARIOS,
    STANDARD,
    End,
    Scenario,
    Score,
    Zone,
    checked,
    device_zone,
    plan,
    read_scenario,
    zone_of,
)
from wardogs.table.check import faults
from wardogs.table.faces import floor_of
from wardogs.table.generate import THEMES
from wardogs.table.mapfile import dump_map, load_map
from wardogs.table.model import Map, Side
from wardogs.table.reach import Field, graph_of

RADIUS = 0.5
EACH = pytest.mark.parametrize("name", SCENARIOS)


def scenario(name: str) -> Scenario:
    return checked(SCENARIOS[name])


def places(table: Map, zone: Zone) -> list[tuple[float, float, float]]:
    """Where on a lattice of an inch a base can stand in a zone: no two of these overlap."""
    left, lower, right, upper = zone.box
    found = product(range(int(left), int(right) + 1), range(int(lower), int(upper) + 1), zone.floors or (0.0,))
    graph = graph_of(table)
    return [at for at in found if zone.contains(at, RADIUS) and graph.stands(at)]


# The three ------------------------------------------------------------------------------------------------------------


@EACH
def test_it_loads_once(name: str) -> None:
    """DOW-SET-01: the same data give the very same table, by whatever way they came."""
    again = msgspec.json.decode(msgspec.json.encode(SCENARIOS[name]))
    assert checked(again) is scenario(name)
    assert checked(again).map is scenario(name).map


@EACH
def test_the_forces_cost_their_points(name: str) -> None:
    """DOW-GEN-07: all six cost 500, not one point less."""
    for side in scenario(name).sides:
        assert violations(side.roster, side.points) == []
        assert cost(side.roster) == side.points == STANDARD.points


@EACH
def test_the_table_is_sound(name: str, tmp_path: Path) -> None:
    table = scenario(name).map
    file = tmp_path / f"{name}.toml"
    file.write_text(dump_map(table), encoding="utf-8")
    assert faults(table) == []
    assert load_map(file) == table


@EACH
def test_every_opening_has_an_id_of_its_own(name: str) -> None:
    """Doors are 1.5 inches high and shut, windows from 0.5 to 1.3 without a pane (DOW-MOV-21)."""
    openings = [opening for house in scenario(name).map.buildings for opening in house.openings]
    assert len({opening.id for opening in openings}) == len(openings) > 0
    assert {(one.sill, one.head) for one in openings if one.kind == "window"} == {(0.5, 1.3)}
    assert {(one.sill, one.head) for one in openings if one.kind == "door"} == {(None, 1.5)}
    assert {one.state for one in openings} <= {None, "locked", "barred"}


@EACH
def test_every_building_is_a_structure_of_the_book(name: str) -> None:
    """DOW-SET-04."""
    assert {house.material for house in scenario(name).map.buildings} <= {kind.cover for kind in STRUCTURES.values()}
    assert {house.storey for house in scenario(name).map.buildings} == {2}


@EACH
def test_every_zone_has_room(name: str) -> None:
    """DOW-SET-07: for all the men who share it, with half as much again to choose from."""
    whole = scenario(name)
    men: dict[Zone, int] = {}
    for side in whole.sides:
        for team in (team for team in side.teams if not team.reserve):
            zone = zone_of(whole, team, side)
            men[zone] = men.get(zone, 0) + len(soldiers(team.roster, Options()))
    assert all(len(places(whole.map, zone)) >= 1.5 * count for zone, count in men.items())


@EACH
def test_stairs_lead_to_every_floor_and_the_roof(name: str) -> None:
    """DOW-MOV-21: a flight joins the floors, and the top floor with the roof."""
    table = scenario(name).map
    for house in (house for house in table.buildings if house.levels > 1):
        assert house.rect
        middle = (house.rect[0] + house.rect[2]) / 2, (house.rect[1] + house.rect[3]) / 2
        field = Field(graph_of(table), (*middle, 0.0), 40.0, ())
        assert [flight.level for flight in house.stairs] == list(range(house.levels))
        assert all(field.cost((*middle, floor_of(house, level))) for level in range(1, house.levels + 1))


@EACH
def test_the_plan_holds_all(name: str) -> None:
    """A set-up that went through a file is the same set-up, and lacks nothing."""
    setup = plan(Wanted(name))
    assert setup.seats == (1, 2)
    assert msgspec.json.decode(msgspec.json.encode(setup), type=Setup) == setup
    assert checked(setup.scenario) is scenario(name)
    assert msgspec.convert(setup.options, Options) == Options()


@EACH
def test_the_wrecks_have_the_size_of_their_kind(name: str) -> None:
    """Facing on the map is from east, counter-clockwise; the book's is from north, clockwise (DOW-GEN-16)."""
    kinds = {"crossroads": ("car", 20), "night_snatch": ("truck", 90), "bird_down": ("uh60_black_hawk", 75)}
    (wreck,) = scenario(name).map.things
    kind, bearing = kinds[name]
    assert (*wreck.size, wreck.height) == VEHICLES[kind].size
    assert wreck.facing == (90 - bearing) % 360


def test_crossroads() -> None:
    whole = scenario("crossroads")
    assert (whole.light, whole.turns, whole.title) == ("day", 8, "Crossroads")
    assert [side.edge for side in whole.sides] == ["S", "N"]
    assert whole.victory.control
    assert (whole.victory.control.centre, whole.victory.control.radius, whole.victory.control.per_turn_vp) == ((24, 24), 5, 1)
    assert whole.score(1) == whole.score(2) == Score(kill_vp=2, out_of_action_at_end_vp=1, captured_vp=3, leader_bonus_vp=1)
    assert [item.kind for item in whole.items] == ["pipe", "chair"]
    assert whole.victory.ends == ()


def test_night_snatch() -> None:
    whole = scenario("night_snatch")
    guards, bodyguard = whole.side(2).teams
    assert (whole.light, whole.turns, whole.air) == ("night", 10, False)
    assert (guards.vests, bodyguard.hvt) == (("scout",), "leader")
    assert bodyguard.zone
    assert (bodyguard.zone.building, bodyguard.zone.floors) == ("H1", (0, 2))
    assert whole.hvt
    assert (whole.hvt.by, whole.hvt.exit, whole.hvt.jihad, whole.hvt.leaves_alone) == ("delta", "S", False, False)
    assert whole.victory.ends == (End("hvt_off_table", "once"), End("hvt_killed", "once"))
    assert whole.score(1) == Score(hvt_off_table_vp=10, hvt_captured_on_table_vp=5, hvt_killed_vp=2, kill_vp=1)
    assert whole.score(2) == Score(hvt_free_at_end_vp=8, kill_vp=3, captured_vp=4)
    door = whole.map.buildings[0].openings[0]
    assert (door.state, door.material, door.level) == ("locked", "steel", 0)


def test_bird_down() -> None:
    whole = scenario("bird_down")
    pilot, chief = whole.extras
    assert (whole.turns, whole.seat_of("somalia"), len(whole.side(2).teams)) == (12, 2, 6)
    assert (pilot.weapons, pilot.ammo, pilot.state.hp, pilot.state.conscious) == (("handgun",), {"9mm": 15}, 2, True)
    assert (chief.weapons, chief.state.hp, chief.state.conscious, chief.state.prone) == ((), 1, False, True)
    assert all(graph_of(whole.map).stands((*extra.at, 0.0)) for extra in whole.extras)
    assert [(team.name, team.from_turn) for team in whole.side(1).teams if team.reserve] == [("Airborne", 2)]
    assert whole.lift
    assert (whole.lift.zone, whole.lift.from_turn, whole.lift.last_turn, whole.lift.clear_inches) == ((6, 24, 4), 8, 12, 6)
    assert not whole.lift.door_guns
    assert whole.victory.ends == (End("helicopter_gone", "T5"),)
    assert whole.score(1) == Score(crew_aboard_vp=6, soldier_aboard_vp=1, leader_killed_vp=1)
    assert whole.score(2) == Score(crew_killed_or_captured_vp=5, kill_vp=3, captured_vp=4)


# Zones ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "inside", "outside"),
    [
        (Zone(rect=(0, 0, 48, 6)), (0.5, 5.5), (10, 5.6)),
        (Zone(circle=(24, 24, 6)), (29.5, 24), (29.6, 24)),
        (Zone(polygon=((0, 0), (10, 0), (0, 10))), (2, 2), (5, 4.9)),
        (Zone(rect=(0, 0, 8, 8), floors=(0, 2)), (4, 4, 2), (4, 4, 4)),
    ],
)
def test_the_whole_base_must_be_inside(zone: Zone, inside: tuple[float, ...], outside: tuple[float, ...]) -> None:
    """DOW-SET-07."""
    assert zone.contains(inside, RADIUS)  # type: ignore[arg-type]
    assert not zone.contains(outside, RADIUS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("edge", "rect"),
    [("N", (0, 42, 48, 48)), ("E", (42, 0, 48, 48)), ("S", (0, 0, 48, 6)), ("W", (0, 0, 6, 48))],
)
def test_the_standard_zone_is_six_inches_deep(edge: Side, rect: tuple[float, ...]) -> None:
    """DOW-SET-05, -07: at the edge that was rolled for; mines may lie twelve inches in (DOW-SET-08)."""
    whole = checked(plan(Wanted("skirmish")).scenario)
    side = whole.side(1)
    assert (side.edge, side.deploy) == ("", None)
    assert zone_of(whole, side.teams[0], side, edge).rect == rect
    assert device_zone(whole, side, edge).contains((24, 24)) is False
    assert device_zone(whole, side, edge).contains({"N": (24, 36), "E": (36, 24), "S": (24, 12), "W": (12, 24)}[edge])


# Free battles ---------------------------------------------------------------------------------------------------------


def test_no_scenario_is_a_free_battle() -> None:
    assert plan(Wanted()) == plan(Wanted("skirmish")) == plan(Wanted({"id": "skirmish"}))


def test_a_battle_has_no_more_points_than_find_room() -> None:
    """To hire a force of a million takes minutes."""
    with pytest.raises(WardogsError, match="points: expected int <= 3000"):
        plan(Wanted({"theme": "village", "points": 3_001}))


def test_a_free_battle_replays_from_its_set_up_alone() -> None:
    setup = plan(Wanted({"theme": "compound", "seed": 5, "points": 400, "lists": ["us_rangers", "taliban"]}))
    whole = checked(msgspec.json.decode(msgspec.json.encode(setup.scenario)))
    assert whole.generated
    assert (whole.generated.theme, whole.generated.seed, whole.map.name) == ("compound", 5, "compound-5")
    assert [team.roster.list for side in whole.sides for team in side.teams[:1]] == ["us_rangers", "taliban"]
    assert all(cost(side.roster) <= side.points == 400 for side in whole.sides)
    assert plan(Wanted(setup.scenario)).scenario == setup.scenario


def test_seeds_make_other_battles() -> None:
    one, two = (checked(plan(Wanted({"seed": seed})).scenario) for seed in (2, 3))
    assert one.map != two.map
    assert [side.roster for side in one.sides] != [side.roster for side in two.sides]


@pytest.mark.parametrize("theme", THEMES)
def test_a_free_battle_has_room_at_every_edge(theme: str) -> None:
    """DOW-SET-05: whoever rolls low may take any of the four."""
    whole = checked(plan(Wanted({"theme": theme, "seed": 4})).scenario)
    men = max(sum(len(soldiers(team.roster, Options())) for team in side.teams) for side in whole.sides)
    side, edges = whole.side(1), list[Side](["N", "E", "S", "W"])
    assert faults(whole.map) == []
    assert all(len(places(whole.map, zone_of(whole, side.teams[0], side, edge))) > men for edge in edges)


def test_options_lie_over_the_scenario_s_own() -> None:
    raw = {**SCENARIOS["crossroads"], "switches": {"concussion": False, "thin_depth": 6}}
    setup = plan(Wanted(raw, options=({"thin_depth": 2},)))
    assert (setup.options["concussion"], setup.options["thin_depth"]) == (False, 2)


# Wrong scenarios ------------------------------------------------------------------------------------------------------


def changed(name: str, change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    raw = deepcopy(SCENARIOS[name])
    change(raw)
    return raw


def put(*path: Any) -> Callable[[dict[str, Any]], Any]:
    """A change: the last of the path is put where the others lead."""

    def change(raw: Any) -> None:
        *steps, last, value = path
        for step in steps:
            raw = raw[step]
        raw[last] = value

    return change


WRONG = [
    ("crossroads", put("lihgt", "day"), "unknown field 'lihgt': did you mean light?"),
    ("crossroads", put("light", "dusk"), "light: invalid enum value 'dusk'"),
    ("crossroads", put("turns", "eight"), "turns: must be a whole number, not a word in quotes"),
    ("crossroads", put("turns", 0), "turns: expected int >= 1"),
    ("crossroads", put("side", 0, "deploy", "rectt", [0, 0, 1, 1]), "side 1, deploy: unknown field 'rectt': did you mean rect?"),
    ("crossroads", put("side", 1, "edge", "S"), "both sides have the edge S: write opposite edges (DOW-SET-07)"),
    ("crossroads", put("side", 1, "edge", ""), "one side has an edge and the other none: write both, or neither"),
    ("crossroads", put("side", []), "0 sides: Dogs of War has two; write [[scenario.side]] twice"),
    ("crossroads", put("side", 0, "team", []), "side rangers: no team: write [[scenario.side.team]]"),
    ("crossroads", put("side", 0, "team", 0, "roster", "list", "rangers"), "unknown list rangers: did you mean us_rangers?"),
    ("crossroads", put("side", 0, "team", 0, "name", "second Rangers"), "there are 2 of the team or model 'second Rangers'"),
    ("crossroads", put("side", 0, "deploy", "rect", [0, 0, 60, 6]), "side rangers, deploy: it must be a part of the table"),
    ("crossroads", put("side", 0, "calls", {"mortar": 2}), "side rangers, calls: unknown shell 'mortar'"),
    ("crossroads", put("item", 0, "kind", "pip"), "item: unknown kind 'pip': did you mean pipe?"),
    ("crossroads", put("item", 0, "at", [12, 49]), "item: (12, 49) is off the table"),
    ("crossroads", put("map", "wall", 0, "hight", 2), 'map: wall 1: unknown field "hight": did you mean height?'),
    ("crossroads", put("map", "building", 0, "material", "cheese"), 'map: building 1 (B1): material "cheese" is unknown'),
    ("crossroads", put("generated", {"theme": "wood", "seed": 1}), "write [scenario.map], or generated ="),
    ("crossroads", put("victory", "end", [{"when": "hvt_killed"}]), "victory, end: hvt_killed can never be"),
    ("crossroads", put("victory", "score", "us", {}), "victory, score: unknown side 'us'"),
    ("crossroads", put("victory", "score", "rangers", "hvt_killed_vp", 2), "it speaks of the hvt, but there is none"),
    ("night_snatch", put("side", 1, "team", 1, "zone", "building", "H3"), "no building H3 on the map: there are H1, H2"),
    ("night_snatch", put("side", 1, "team", 1, "zone", "level", 2), "H1 has levels 0 to 1, not 2"),
    ("night_snatch", put("side", 1, "team", 1, "hvt", "boss"), "team bodyguard: unknown role 'boss'"),
    ("night_snatch", put("side", 1, "team", 0, "hvt", "leader"), "2 wanted men: write hvt = (a role) for one team"),
    ("night_snatch", put("hvt", "by", "al_qaeda"), "hvt, by: the wanted man is of al_qaeda himself"),
    ("night_snatch", put("side", 1, "team", 1, "roster", "buy", [{"role": "leader", "perk": "jihad"}]), "he has the perk jihad"),
    ("bird_down", put("side", 1, "team", 0, "reserve", "para_air_assault"), "Somalia Militia cannot jump in"),
    ("bird_down", put("side", 0, "team", 1, "from_turn", 0), "team Airborne: a reserve needs both"),
    ("bird_down", put("lift", "last_turn", 13), "lift: it stands from turn 8 to 13, the game has 12"),
    ("bird_down", put("lift", "kind", "truck"), "lift: unknown helicopter 'truck'"),
    ("bird_down", put("extra", 0, "weapons", ["hand gun"]), "extra pilot: unknown weapon 'hand gun': did you mean handgun?"),
    ("bird_down", put("extra", []), "score of us: it speaks of the crew, but there is none"),
]


@pytest.mark.parametrize(("name", "change", "said"), WRONG, ids=[said[:50] for _, _, said in WRONG])
def test_a_wrong_scenario_says_why(name: str, change: Callable[[dict[str, Any]], Any], said: str) -> None:
    with pytest.raises(WardogsError) as told:
        checked(changed(name, change))
    message = str(told.value)
    assert said in message
    assert message.startswith(f"scenario dow_{name}: ")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted("crossroad"), "unknown scenario crossroad: did you mean crossroads?"),
        (Wanted("crossroads", seats=3), "Crossroads is fought by 2 seats, not 3"),
        (Wanted("crossroads", teams=((1,), (2,))), "leave the teams out"),
        (Wanted("crossroads", options=({"concusion": True},)), "unknown option concusion: did you mean concussion?"),
        (Wanted({"theme": "villages"}), "unknown theme villages: did you mean village?"),
        (Wanted({"lists": ["rangers", ""]}), "rangers: did you mean us_rangers?"),
        (Wanted({"themes": "wood"}), "themes"),
        (Wanted(changed("crossroads", put("side", 0, "points", 499))), "side rangers: "),
        (Wanted(changed("crossroads", put("side", 0, "team", 1, "roster", {"list": "taliban"}))), "DOW-BLD-01"),
    ],
)
def test_a_wrong_wish_says_why(wanted: Wanted, said: str) -> None:
    with pytest.raises(WardogsError) as told:
        plan(wanted)
    assert said in str(told.value)
    assert "\n" not in str(told.value)


def test_a_file_that_is_no_scenario_says_so(tmp_path: Path) -> None:
    for text in ("side = 1", "not = toml = at all"):
        file = tmp_path / "wrong.toml"
        file.write_text(text)
        with pytest.raises(WardogsError, match="not a scenario"):
            read_scenario(file)


def test_the_guide_s_own_battle_can_be_fought() -> None:
    page = (Path(__file__).parents[3] / "docs" / "dogs" / "scenarios.md").read_text(encoding="utf-8")
    raw = tomllib.loads(page.partition("```toml\n")[2].partition("```")[0])["scenario"]
    whole = checked(plan(Wanted(raw)).scenario)
    assert (whole.light, whole.turns, whole.side(1).points) == ("night", 8, 400)
