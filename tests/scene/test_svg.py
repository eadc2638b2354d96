"""Pictures: well formed, complete, the same every time, and readable without colour."""

from __future__ import annotations

import re
from itertools import pairwise
from math import cos, dist, radians, sin
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game
from wardogs.scene.model import Area, Disc, Gauge, Line, Mark, Piece, Scene, Text, Window
from wardogs.scene.paint import AREAS, BADGES, PAINTS
from wardogs.scene.parts import shape
from wardogs.scene.svg import svg
from wardogs.scene.terrain import DISCS, LETTERS, STROKES, TERRAIN, TILES
from wardogs.systems import load_system

DAWGS = load_system("dawgs")
SVG = "{http://www.w3.org/2000/svg}"

DUEL = {
    "scenario": "dawn_patrol",
    "planes": [
        {"front": "F6", "facing": 2, "speed": 2, "damage": 2, "special": "roll_over"},
        {"front": "L8", "facing": 9, "special": "cold_nose", "special_public": True, "special_in_play": True},
    ],
    "phases": ["place_cards"],
}
CROWD = {
    "planes": [
        {"front": "F6", "facing": 2, "speed": 2, "damage": 2},
        {"front": "L8", "facing": 9, "cf_on": 1},
        {"front": "C9", "facing": 4, "speed": 3, "damage": 0, "cf_on": 1},
        {"front": "H4", "facing": 0, "speed": 0},
        {"front": "M3", "facing": 10, "damage": 3},
        {"front": "J10", "facing": 5, "speed": 2, "damage": 1},
        {"front": "E2", "facing": 3},
        {"front": "O6", "facing": 7, "speed": 3, "cf_on": 6},
    ],
    "phases": ["place_cards"],
}
RIDGE = {
    "scenario": "courier",
    "planes": [
        {"front": "G6", "facing": 4, "speed": 2, "special": "off_the_leash"},
        {"front": "D3", "facing": 6, "status": "crashed", "lost": {"round": 2, "phase": "ground_check", "cause": "crashed"}},
        {"front": "L4", "facing": 9},
        {"front": "O3", "facing": 3, "status": "off_map", "exit_side": "right", "exit_row": 3, "left_round": 2},
    ],
    "phases": ["place_cards"],
    "round": 3,
}
SETTING_UP = {"seats": 4, "teams": [[1, 3], [2, 4]], "phases": ["set_up"]}
STAGES: dict[str, dict[str, Any]] = {"duel": DUEL, "crowd": CROWD, "ridge": RIDGE, "setting_up": SETTING_UP}


def scene_of(stage: dict[str, Any], seat: int | None = None, answers: dict[int, dict[str, Any]] | None = None) -> Scene:
    terms, position = DAWGS.stage(stage, {})
    game = Game(DAWGS.rules, terms, position, Fast(0))
    game.advance()
    for who, choice in (answers or {}).items():
        game.answer(who, choice)
    scene: Scene = DAWGS.scene(terms, DAWGS.view(game, seat))
    return scene


def drawing(*marks: Mark, title: str = "A table", words: tuple[str, ...] = ()) -> Scene:
    return Scene(title, 4, 3, marks, words)


def counter(**changes: Any) -> Piece:
    plain = Piece((2, 1), 0, (1.75, 0.75), 0.45, "red", "7", "seven", "Us", (("speed", "2"), ("damage", "3")))
    return msgspec.structs.replace(plain, **changes)


def parsed(scene: Scene) -> ElementTree.Element:
    return ElementTree.fromstring(svg(scene))


def printed(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def pieces(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    """The groups that say what they are, by what they say."""
    groups = [(group.find(f"{SVG}title"), group) for group in root.iter(f"{SVG}g")]
    return {title.text or "": group for title, group in groups if title is not None}


def points(element: ElementTree.Element) -> list[tuple[float, float]]:
    """Of a polygon, back in inches with y upwards."""
    pairs = (pair.split(",") for pair in element.attrib["points"].split())
    return [(float(x) / 100, -float(y) / 100) for x, y in pairs]


def brightness(colour: str) -> float:
    """How bright a colour is in black and white (WCAG relative luminance)."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


# ---- any scene -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STAGES)
@pytest.mark.parametrize("seat", [None, 1, 2])
def test_well_formed_and_the_same_every_time(name: str, seat: int | None) -> None:
    scene = scene_of(STAGES[name], seat)
    assert svg(scene) == svg(scene_of(STAGES[name], seat))
    root = parsed(scene)
    assert root.tag == f"{SVG}svg"
    assert (root[0].tag, root[0].text) == (f"{SVG}title", scene.title)
    assert (root[1].tag, root[1].text) == (f"{SVG}desc", "\n".join(scene.words))
    assert root.attrib["aria-labelledby"].split() == [root[0].attrib["id"], root[1].attrib["id"]]


@pytest.mark.parametrize("name", STAGES)
def test_stands_alone(name: str) -> None:
    """No scripts, no fonts, no files; patterns are its own."""
    said = svg(scene_of(STAGES[name]))
    root = ElementTree.fromstring(said)
    assert not {element.tag for element in root.iter()} & {f"{SVG}{tag}" for tag in ("script", "image", "style", "use")}
    own = {f"url(#{element.attrib['id']})" for element in root.iter(f"{SVG}pattern")}
    assert set(re.findall(r"url\([^)]*\)", said)) <= own
    assert "href" not in said


def test_all_is_on_the_paper() -> None:
    root = parsed(scene_of(CROWD))
    left, top, width, height = (float(part) / 100 for part in root.attrib["viewBox"].split())
    for polygon in root.iter(f"{SVG}polygon"):
        for x, y in points(polygon):
            assert left <= x <= left + width
            assert top <= -y <= top + height


def test_size_on_paper_is_true() -> None:
    root = parsed(drawing())
    _, _, width, height = (float(part) for part in root.attrib["viewBox"].split())
    assert (root.attrib["width"], root.attrib["height"]) == (f"{width / 100:g}in", f"{height / 100:g}in")


def test_text_is_escaped() -> None:
    rude = 'Rex & "Fido" <script>\x00\x1b\ud800'
    gauge = Gauge((0, 0), rude, "red", "1", ("<0>",), note=rude)
    scene = drawing(counter(name=rude, team=rude), gauge, Text((0, 0), rude), title=rude, words=(rude,))
    root = parsed(scene)
    clean = 'Rex & "Fido" <script>'
    assert root[0].text == root[1].text == clean
    assert clean in pieces(root)
    assert printed(root).count(clean) == 5
    assert "<0>" in printed(root)


def test_an_unknown_look_or_colour_is_drawn_plainly() -> None:
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    marks = (Area(square, "swamp", label="A1"), Line(square, "fence"), counter(colour="mauve", badges=(("luck", "5"),)))
    assert {"A1", "7", "5"} <= set(printed(parsed(drawing(*marks))))


# ---- windows and terrain ---------------------------------------------------------------------------------------------

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def test_a_window_shows_its_view_at_its_place() -> None:
    inside = (Area(((10.0, 10.0), (12.0, 10.0), (12.0, 11.0)), "rubble"), Disc((11, 10.5), 0.5, "body", "red"))
    root = parsed(drawing(Window((1, 1), (2, 1), (10, 10, 14, 12), inside)))
    (nested,) = list(root.iter(f"{SVG}svg"))[1:]
    assert [nested.attrib[key] for key in ("x", "y", "width", "height")] == ["100", "-200", "200", "100"]
    assert nested.attrib["viewBox"] == "500 -600 200 100"
    assert points(next(nested.iter(f"{SVG}polygon"))) == [(5, 5), (6, 5), (6, 5.5)]
    assert next(nested.iter(f"{SVG}circle")).attrib["r"] == "25"


def test_a_window_with_a_scale_is_shrunk_as_a_whole() -> None:
    path = (Line(SQUARE, "path"),)
    plain, shrunk = (parsed(drawing(Window((0, 0), (2, 2), (0, 0, 4, 4), path, scale))) for scale in (0.0, 2.0))
    widths = [next(root.iter(f"{SVG}polyline")).attrib["stroke-width"] for root in (plain, shrunk)]
    assert widths[0] == widths[1], "strokes have their size on paper"
    assert [root[-1].attrib["viewBox"] for root in (plain, shrunk)] == ["0 -200 200 200", "0 -800 800 800"]


def test_windows_nest() -> None:
    inner = Window((1, 1), (2, 2), (0, 0, 1, 1), (Area(SQUARE, "water"),))
    root = parsed(drawing(Window((0, 0), (2, 2), (0, 0, 4, 4), (inner,))))
    *_, deepest = root.iter(f"{SVG}svg")
    assert [deepest.attrib[key] for key in ("x", "width")] == ["50", "100"]
    assert "wardogs-water" in {pattern.attrib["id"] for pattern in root.iter(f"{SVG}pattern")}


def test_a_drawing_defines_only_the_patterns_it_needs() -> None:
    root = parsed(drawing(Area(SQUARE, "woods"), Area(SQUARE, "open")))
    assert [pattern.attrib["id"] for pattern in root.iter(f"{SVG}pattern")] == ["wardogs-hatch", "wardogs-dots", "wardogs-woods"]


@pytest.mark.parametrize("look", TERRAIN)
def test_every_terrain_can_be_drawn(look: str) -> None:
    root = parsed(drawing(Area(SQUARE, look)))
    fill = next(root.iter(f"{SVG}polygon")).attrib["fill"]
    own = {f"url(#{pattern.attrib['id']})" for pattern in root.iter(f"{SVG}pattern")}
    assert not fill.startswith("url") or fill in own


def test_terrain_does_not_take_the_name_of_another_look() -> None:
    assert not set(TERRAIN) & set(AREAS)
    assert set(TILES) <= set(TERRAIN)


@pytest.mark.parametrize("look", STROKES)
def test_a_line_has_its_casing_below_and_its_core_above(look: str) -> None:
    lines = list(parsed(drawing(Line(SQUARE, look))).iter(f"{SVG}polyline"))
    stroke = STROKES[look]
    assert [float(each.attrib["stroke-width"]) for each in lines] == [
        pytest.approx(width * 100, abs=0.06) for width in (stroke.casing, stroke.width, stroke.core) if width
    ]
    assert len([each for each in lines if each.attrib["stroke"] == stroke.ink]) == 1


def test_lines_that_follow_each_other_and_look_alike_are_one() -> None:
    wall, rail = Line(SQUARE, "wall_low_hard"), Line(SQUARE[:2], "wall_low_hard")
    root = parsed(drawing(wall, rail, Line(SQUARE, "tick"), wall))
    (casing, ink) = root.iter(f"{SVG}path")
    assert casing.attrib["d"] == ink.attrib["d"] == "".join(f"M{shape(mark.points)}" for mark in (wall, rail))
    assert [line.attrib["points"] for line in root.iter(f"{SVG}polyline")] == [shape(SQUARE)] * 3


def test_lines_of_other_drawings_stay_apart() -> None:
    assert list(parsed(drawing(*[Line(SQUARE, "border")] * 2)).iter(f"{SVG}path")) == []


def test_words_may_turn_lean_on_an_end_and_shrink() -> None:
    says = Text((1, 1), "a long street of houses", "name", angle=90, anchor="start", room=0.5)
    (_, text) = parsed(drawing(says)).iter(f"{SVG}text")
    assert text.attrib["text-anchor"] == "start"
    assert text.attrib["transform"] == "rotate(-90 100 -100)"
    assert float(text.attrib["font-size"]) < 100 * LETTERS["name"].height
    assert text.attrib["paint-order"] == "stroke", "its halo lies behind it"


@pytest.mark.parametrize("look", LETTERS)
def test_words_on_a_plan_can_be_read(look: str) -> None:
    for paper in ("#f4eedf", "#faf6eb"):
        assert contrast(LETTERS[look].ink, paper) >= 4.5


def test_a_disc_has_a_nose_where_it_faces() -> None:
    faced, blank = (parsed(drawing(Disc((2, 1), 0.5, "body", "red", angle, "7", "Rex"))) for angle in (90.0, None))
    nose = points(next(faced.iter(f"{SVG}polygon")))
    assert nose[0] == (2, 1.75)
    assert not list(blank.iter(f"{SVG}polygon"))
    assert printed(pieces(faced)["Rex"]) == ["7"]


@pytest.mark.parametrize("look", DISCS)
def test_every_disc_can_be_drawn(look: str) -> None:
    *_, circle = parsed(drawing(Disc((2, 1), 0.5, look))).iter(f"{SVG}circle")
    assert (circle.attrib["r"], circle.attrib["cx"]) == ("50", "200")


# ---- pieces ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("angle", range(0, 360, 30))
def test_a_counter_lies_true_to_size_about_its_pivot(angle: int) -> None:
    (group,) = pieces(parsed(drawing(counter(angle=angle)))).values()
    body = points(next(group.iter(f"{SVG}polygon")))
    ahead = cos(radians(angle)), sin(radians(angle))
    along = [(x - 2) * ahead[0] + (y - 1) * ahead[1] for x, y in body]
    across = [(y - 1) * ahead[0] - (x - 2) * ahead[1] for x, y in body]
    assert (max(along), min(along)) == pytest.approx((0.45, 0.45 - 1.75), abs=0.002)
    assert (max(across), min(across)) == pytest.approx((0.375, -0.375), abs=0.002)
    assert along.index(max(along)) == 0, "the nose leads"


@pytest.mark.parametrize("angle", range(0, 360, 30))
def test_what_is_printed_on_a_counter_is_never_upside_down(angle: int) -> None:
    (group,) = pieces(parsed(drawing(counter(angle=angle)))).values()
    turns = [re.findall(r"rotate\((\S+)", text.attrib.get("transform", "rotate(0"))[0] for text in group.iter(f"{SVG}text")]
    assert all(cos(radians(float(turn))) > -0.01 for turn in turns)
    assert printed(group) == ["Us", "2", "3", "7"]


def test_badges_of_a_crowded_counter_stay_apart() -> None:
    badges = tuple(("fire", str(n)) for n in range(1, 8))
    (group,) = pieces(parsed(drawing(counter(badges=badges)))).values()
    _, *tokens = [points(polygon) for polygon in group.iter(f"{SVG}polygon")]
    middles = sorted(sum(x for x, _ in token) / len(token) for token in tokens)
    assert len(middles) == 7
    assert min(b - a for a, b in pairwise(middles)) > 0.1


# ---- without colour --------------------------------------------------------------------------------------------------


def test_areas_differ_by_pattern() -> None:
    fills = [AREAS[look].fill for look in ("ground", "thin_air", "sky")]
    assert len(set(fills)) == 3
    assert [fill.startswith("url(#") for fill in fills] == [True, True, False]


def test_outlines_differ_by_dashes_and_never_cover_each_other() -> None:
    assert len({paint.dash for paint in PAINTS.values()}) == len(PAINTS)
    assert len({paint.inset for paint in PAINTS.values()}) == len(PAINTS)


def test_tokens_differ_by_outline() -> None:
    assert len({outline for outline, _ in BADGES.values()}) == len(BADGES)


@pytest.mark.parametrize("colour", PAINTS)
def test_what_is_printed_on_a_colour_can_be_read(colour: str) -> None:
    paint = PAINTS[colour]
    assert contrast(paint.fill, paint.ink) >= 4.5
    assert contrast(paint.line, "#ffffff") >= 3
    assert contrast(paint.line, AREAS["sky"].fill) >= 3


def test_every_piece_is_known_by_its_label() -> None:
    for group in pieces(parsed(scene_of(CROWD))).values():
        *_, label = group.iter(f"{SVG}text")
        disc = next(group.iter(f"{SVG}circle"))
        assert contrast(disc.attrib["fill"], label.attrib["fill"]) > 10


# ---- a dogfight ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", [DUEL, CROWD], ids=["duel", "crowd"])
def test_every_flying_plane_appears(stage: dict[str, Any]) -> None:
    scene = scene_of(stage)
    groups = pieces(parsed(scene))
    assert tuple(groups) == scene.words
    assert [printed(group)[-1] for group in groups.values()] == [str(n + 1) for n in range(len(stage["planes"]))]


def test_sides_are_named_whatever_the_colour() -> None:
    scene = scene_of(DUEL)
    red, blue = (mark for mark in scene.marks if isinstance(mark, Piece))
    assert (red.colour, red.team, blue.colour, blue.team) == ("red", "Kennel Blue", "blue", "Kennel Red")
    root = parsed(scene)
    assert {"Kennel Blue", "Kennel Red", "Angus Howles (Kennel Blue)"} <= set(printed(root))


def test_words() -> None:
    assert scene_of(DUEL).words == (
        "1 Angus Howles (Kennel Blue): F6, flying up to the right, speed 2, damage token on 2, special hidden",
        "2 General Pit Matheson (Kennel Red): L8, flying level to the left, speed 1, no damage, special Cold Nose in play",
    )


def test_own_special_is_shown_to_its_seat_alone() -> None:
    assert "Roll Over" in svg(scene_of(DUEL, 1))
    for seat in (None, 2):
        scene = scene_of(DUEL, seat)
        assert "Roll Over" not in svg(scene) + scene.text


def test_cards_lie_hidden_until_revealed() -> None:
    pair = {"verb": "place_cards", "number": 3, "other": "CCW"}
    scene = scene_of(DUEL, 2, {1: pair})
    assert "Counter-Clockwise" not in svg(scene) + scene.text
    assert scene.words[0].endswith("special hidden, has chosen")
    scene = scene_of({**DUEL, "phases": ["place_cards", "reveal"]}, None, {1: pair, 2: {**pair, "number": 1}})
    assert "plays Counter-Clockwise 3" in scene.words[0]


def test_lost_and_waiting_planes_have_a_card_but_no_counter() -> None:
    scene = scene_of(RIDGE)
    assert [mark.label for mark in scene.marks if isinstance(mark, Piece)] == ["1", "3"]
    cards = {mark.label: mark for mark in scene.marks if isinstance(mark, Gauge)}
    assert (cards["2"].note, cards["2"].tokens) == ("crashed in round 2", ())
    assert cards["4"].note == "off the map, left by the right in row 3, no special"
    assert cards["4"].tokens == ((1, "speed"),)
    assert scene.words[3].endswith(": off the map, left by the right in row 3, speed 1, no damage, no special")
    assert (cards["1"].note, cards["3"].note) == ("special hidden", "no special")


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("exited", "out by the right in round 3"),
        ("crashed", "crashed in round 5"),
        ("broken_up", "broken up in round 5"),
        ("destroyed", "destroyed in round 5"),
        ("conceded", "conceded in round 5"),
    ],
)
def test_how_a_plane_was_lost(status: str, said: str) -> None:
    gone = {"exit_side": "right", "left_round": 3, "lost": {"round": 5, "phase": "move", "cause": status}}
    scene = scene_of({"planes": [{"status": status, **gone}, {"front": "F6"}], "phases": ["place_cards"]})
    (card, _) = (mark for mark in scene.marks if isinstance(mark, Gauge))
    assert (card.note, card.tokens) == (said, ())
    assert scene.words[0] == f"1 Angus Howles: {said}"
    assert scene.words[0] in scene.text


def test_nothing_flies_before_the_start() -> None:
    scene = scene_of(SETTING_UP, 1)
    assert not [mark for mark in scene.marks if isinstance(mark, Piece) or (isinstance(mark, Area) and mark.look == "cone")]
    assert scene.words[1] == "2 General Pit Matheson (Team 2): not yet in the air, special hidden"


def test_condition_cards() -> None:
    cards = [mark for mark in scene_of(CROWD).marks if isinstance(mark, Gauge)]
    assert cards[0].spaces == ("0 / VULN 5", "1 / VULN 4", "2 / VULN 3", "3 / VULN 2")
    assert cards[0].tokens == ((2, "speed"), (2, "damage"))
    assert cards[0].badges == (("fire", "2"), ("fire", "3"))
    assert cards[1].tokens == ((1, "speed"),)
    assert [card.at for card in cards] == [(17, 11 - 1.375 * seat) for seat in range(1, 9)]


def test_the_paper_holds_the_board_and_the_cards() -> None:
    scene = scene_of(CROWD)
    assert (scene.width, scene.height) == (22, 11)
    assert "speed 2, damage token on 2, continuous fire token of 2 and 3, no special" in scene.words[0]


def test_letters_and_numbers_around_the_board() -> None:
    written = [mark for mark in scene_of(DUEL).marks if isinstance(mark, Text)]
    assert written[:2] == [Text((1, 0), "A", "edge"), Text((2, 0), "B", "edge")]
    assert len(written) == 16 + 2 * 12
    assert {mark.says for mark in written if mark.look == "large"} == {
        *(f"{row}→" for row in range(1, 7)),
        *(f"←{row}" for row in range(1, 7)),
    }
    assert Text((0, 0.737), "0", "edge") in written
    assert Text((0.5, 10.263), "11", "edge") in written
    assert Text((17, 5.933), "←6", "large") in written


def test_an_arrow_for_every_facing() -> None:
    """Steep ones are marked, because they change the speed."""
    arrows = []
    for facing in range(12):
        planes = [{"front": "F6", "facing": facing}, {"front": "L3"}]
        text = scene_of({"planes": planes, "phases": ["place_cards"]}).text
        arrows += re.findall(r" 1([^ =]+)", text.splitlines()[7])
    assert " ".join(arrows) == "↑^ ↗^ ↗ → ↘ ↘v ↓v ↙v ↙ ← ↖ ↖^"


def test_ground_thin_air_and_the_line_between() -> None:
    scene = scene_of(RIDGE)
    look = {mark.label: mark.look for mark in scene.marks if isinstance(mark, Area) and mark.look != "cone"}
    assert len(look) == 186
    assert (look["A0"], look["H4"], look["H5"], look["A8"], look["A9"]) == ("ground", "ground", "sky", "sky", "thin_air")
    (border,) = [mark for mark in scene.marks if isinstance(mark, Line)]
    lowest = [y for mark in scene.marks if isinstance(mark, Area) and mark.label[1:] == "9" for _, y in mark.points]
    assert min(y for _, y in border.points) == min(lowest)
    assert border.look == "border"
    assert len(border.points) == 3 * 15
    assert border.points[:3] == ((1.0, 8.243), (1.5, 7.954), (2.0, 8.243))


def test_hexes_are_an_inch_across_and_fit_together() -> None:
    hexes = {mark.label: mark.points for mark in scene_of(DUEL).marks if isinstance(mark, Area) and mark.look != "cone"}
    assert len(set(hexes["F6"]) & set(hexes["G6"])) == len(set(hexes["F6"]) & set(hexes["F7"])) == 2
    assert max(x for x, _ in hexes["F6"]) - min(x for x, _ in hexes["F6"]) == pytest.approx(1)
    assert all(dist(corner, (6.0, 5.933)) == pytest.approx(0.577, abs=0.002) for corner in hexes["F6"])


def test_a_cone_covers_its_hexes() -> None:
    cones = [mark for mark in scene_of(DUEL).marks if isinstance(mark, Area) and mark.look == "cone"]
    sizes = []
    for cone in cones:
        sides = zip(cone.points, cone.points[1:] + cone.points[:1], strict=True)
        sizes.append(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in sides) / 2 / (3**0.5 / 2))
    assert sizes == pytest.approx([21, 7], abs=0.05)
    assert [(cone.label, cone.colour) for cone in cones] == [("1", "red"), ("2", "blue")]


def test_a_plane_that_looks_off_the_map_has_no_cone() -> None:
    scene = scene_of({"planes": [{"front": "A6", "facing": 9}, {"front": "F6"}], "phases": ["place_cards"]})
    assert [mark.label for mark in scene.marks if isinstance(mark, Area) and mark.look == "cone"] == ["2"]


def test_the_end_is_told() -> None:
    both: dict[int, dict[str, Any]] = {seat: {"verb": "concede"} for seat in (1, 2)}
    assert scene_of(DUEL, None, both).title.startswith("Dawn Patrol: round 1, Nobody wins (")
    one: dict[int, dict[str, Any]] = {1: {"verb": "concede"}, 2: {"verb": "place_cards", "number": 1, "other": "NC"}}
    assert scene_of(DUEL, None, one).title == "Dawn Patrol: round 1, Kennel Red wins (by concession)."


GOLDEN = """\
Free-for-all: round 1, place cards
      A   B   C   D   E   F   G   H   I   J   K   L   M   N   O
11    :   :   :   :   :   :   :   :   :   :   :   :   :   :   :    11
10  :   :   :   :   :   :   :   :   :   :   :   :   :   :   :   :  10
 9    :   :   :   :   :   :   :   :   :   :   :   :   :   :   :    9
 8  .   .   .   .   .   .   .   .   .   .   .  23  2=   .   .   .  8
 7    .   .   .   .   .   .   .   .   .   .   .  3=   .   .   .    7
 6  .   .   .   .  1=  1↗   .   .   .   .   .   .   .   .   .   .  6
 5    .   .   .   .  1=   .   .   .   .   .   .   .   .   .   .    5
 4  .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .  4
 3    .   .   .   .   .   .   .   .   .   .  4=   .   .   .   .    3
 2  .   .   .   .   .   .   .   .   .   .   .  4↘v  .   .   .   .  2
 1    .   .   .   .   .   .   .   .   .   .   .   .   .   .   .    1
 0 ### ### ### ### ### ### ### ### ### ### ### ### ### ### ### ### 0
    A   B   C   D   E   F   G   H   I   J   K   L   M   N   O   P
# ground, : thin air, = tail, ^ steeply up: loses speed, v steeply down: gains speed
1 Angus Howles: speed 2, damage token on 2, continuous fire token of 2, no special
2 General Pit Matheson: speed 1, no damage, no special
3 Bernard Dupant: speed 1, no damage, special hidden
4 Madam Woufier: speed 3, damage token on 0, no special"""


def test_golden_board_in_characters() -> None:
    planes = [
        {"front": "F6", "facing": 2, "speed": 2, "damage": 2},
        {"front": "L8", "facing": 9, "cf_on": 1},
        {"front": "L8", "facing": 11, "special": "thick_hide"},
        {"front": "L2", "facing": 5, "speed": 3, "damage": 0},
    ]
    assert scene_of({"planes": planes, "phases": ["place_cards"]}).text == GOLDEN
