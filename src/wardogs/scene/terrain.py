"""How terrain looks on a plan: calm tints, and patterns that tell the kinds apart in grey as well."""

from __future__ import annotations

from collections.abc import Iterable

from wardogs.scene.paint import PAPERS, Letter, Look, Stroke

PAPER, CLEAR = PAPERS["plan"], "#faf6eb"  # the sheet; the bare table on it
INK, SOFT, FAINT = "#2b2924", "#6b655a", "#a39b8b"
LEAF, EARTH, WATER = "#5d6b45", "#8f7650", "#5f7f8a"
THIN, FINE = 0.014, 0.009

# Patterns: width, height and turn of the tile, its ground, and what is drawn on it. In units of the drawing.
Tile = tuple[float, float, float, str, str]


def _lines(path: str, ink: str, width: float = 1.3) -> str:
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{width:g}" stroke-linecap="round"/>'


def _shapes(path: str, fill: str, ink: str, width: float = 1.1) -> str:
    return f'<path d="{path}" fill="{fill}" stroke="{ink}" stroke-width="{width:g}" stroke-linejoin="round"/>'


def _dots(places: Iterable[tuple[float, float]], radius: float, ink: str) -> str:
    return "".join(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{ink}"/>' for x, y in places)


TILES: dict[str, Tile] = {
    "grass": (44, 36, 0, "#e9ebd6", _lines("M9 15l-3-7M11 15v-9M13 15l3-7M31 33l-3-7M33 33v-9M35 33l3-7", "#98a37b")),
    "woods": (16, 16, 0, "#cfd8b9", _dots(((4, 4), (12, 12)), 1.1, "#a5b388")),
    "orchard": (22, 22, 0, "#e4e8cd", _lines("M4 11h3M15 11h3", "#b3bc94")),
    "crops": (18, 14, 18, "#efe4bd", _lines("M0 7h18M4 7l-2-4M4 7l2-4M13 7l-2-4M13 7l2-4", "#a98f45", 1.2)),
    "bushes": (30, 26, 0, "#d8dec2",
               _shapes("M3 11a4 4 0 0 1 4-5a4 4 0 0 1 7 0a4 4 0 0 1 3 5z", "#b9c49b", LEAF)
               + _shapes("M18 24a3.4 3.4 0 0 1 3-4a3.4 3.4 0 0 1 5 0a3.4 3.4 0 0 1 3 4z", "#b9c49b", LEAF)),
    "hedge": (12, 10, 0, "#9fae80", _lines("M0 5a3 3 0 0 1 6 0a3 3 0 0 1 6 0", "#46553a", 1.3)),
    "road": (60, 60, 0, "#fffdf6", _dots(((10, 14), (41, 8), (26, 37), (52, 49), (7, 53)), 0.9, "#c9c0ab")),
    "rough": (40, 34, 0, "#efe9d8", _lines("M6 12l4-5 4 5M26 28l3-4 3 4M28 9l2-3 2 3M8 29l2-3 2 3", "#968b74")),
    "rubble": (38, 32, 0, "#e4ddce",
               _shapes("M4 9l5-5 6 2 1 6-7 2zM22 6l6-2 4 4-3 5-6-1zM14 22l5-4 6 3-2 6-7 1zM30 22l4-3 3 5-4 4zM3 24l4-2 3 4-4 3z",
                       "#f6f1e6", "#6f685b")),
    "wreckage": (16, 16, 30, "#d9d3c6", _lines("M0 0L16 16M16 0L0 16M0 8h16", "#6f685b", 1.1)),
    "vehicle": (40, 40, 0, "#dcd8ce", ""),
    "furniture": (14, 14, 0, "#efe6d3", _lines("M0 7h14", "#b5a88c", 1)),
    "stalls": (14, 14, 0, "#efe6d3", '<rect width="7" height="14" fill="#cbbd9d"/>'),
    "crates": (20, 20, 0, "#e7d9b9", _lines("M0 0h20v20M0 0l20 20M20 0L0 20", "#8b754a", 1.1)),
    "container": (7, 20, 0, "#d3d2cc", _lines("M3.5 0v20", "#77756d", 1.4)),
    "earth": (40, 40, 0, "#ece0c7", ""),
    "rock": (34, 30, 0, "#d6d0c4", _lines("M3 12l7-8 8 3M10 4l2 9M20 26l6-9 7 2M26 17l2 9M4 27l4-5", "#5f594d", 1.3)),
    "ditch": (10, 10, 45, "#ddcfb2", _lines("M5 0v10", "#a58e66", 1.2)),
    "swamp": (46, 38, 0, "#e0e4d2",
              _lines("M5 15h14M9 15l-2-6M12 15v-8M15 15l2-6M28 11h9", "#66785f", 1.2)
              + _lines("M26 34h14M30 34l-2-6M33 34v-8M36 34l2-6M6 28h9", "#66785f", 1.2)),
    "shallows": (48, 26, 0, "#e3ebea", _lines("M4 8q4-5 8 0t8 0M28 21q4-5 8 0t8 0", "#84a0a8")),
    "water": (24, 16, 0, "#c3d4d8", _lines("M0 5q3-4 6 0t6 0t6 0t6 0M0 13q3-4 6 0t6 0t6 0t6 0", WATER, 1.2)),
    "smoke": (40, 34, 0, "#dedcd6",
              _lines("M4 15a6 6 0 0 1 9-6a7 7 0 0 1 11 2M22 30a5 5 0 0 1 8-5a6 6 0 0 1 9 2", "#77736b", 1.3)),
    "gas": (26, 24, 0, "#e8e9da", _dots(((6, 6), (19, 6), (12.5, 12), (6, 18), (19, 18)), 1.4, "#7d8062")),
    "fire": (34, 36, 0, "#f3dcc4",
             _shapes("M9 20c-5 0-7-4-5-8c1 2 2 2 2 1c0-4 2-6 3-9c1 4 6 6 5 11c-1 4-3 5-5 5z", "#fbf0e0", "#9c4a22", 1.3)
             + _shapes("M26 35c-4 0-5-3-4-6c1 1 2 1 2 0c0-3 1-4 2-6c1 3 4 4 4 8c0 3-2 4-4 4z", "#fbf0e0", "#9c4a22", 1.2)),
    "block": (11, 11, 45, "#e6dfd0", _lines("M5.5 0v11", "#8c8474", 1.2)),
    "roof": (60, 15, 0, "#e9e1d0", _lines("M0 14h60", "#cfc4ac", 1)),
    "cut_earth": (9, 9, 45, "#e3d4b6", _lines("M4.5 0v9", "#94794b", 1.2)),
}  # fmt: skip


def _tiled(tile: str, line: str, width: float = THIN, opacity: str = "", dash: str = "") -> Look:
    return Look(f"url(#wardogs-{tile})", line, width, INK, opacity, dash)


TERRAIN: dict[str, Look] = {
    **{tile: _tiled(tile, SOFT) for tile in TILES},
    "grass": _tiled("grass", "#b5bd9b", FINE),
    "woods": _tiled("woods", LEAF, 0.016),
    "orchard": _tiled("orchard", LEAF, THIN, dash="9 4"),
    "crops": _tiled("crops", "#a98f45", THIN),
    "bushes": _tiled("bushes", LEAF),
    "hedge": _tiled("hedge", "#46553a"),
    "road": _tiled("road", "#94896f", THIN, dash="16 5"),
    "rough": _tiled("rough", "#a99d86", THIN, dash="3 4"),
    "rock": _tiled("rock", INK, 0.02),
    "ditch": _tiled("ditch", "none", 0),
    "earth": _tiled("earth", "none", 0),
    "water": _tiled("water", WATER, 0.02),
    "shallows": _tiled("shallows", "#84a0a8"),
    "swamp": _tiled("swamp", "#66785f", THIN, dash="8 4 2 4"),
    "smoke": _tiled("smoke", "#77736b", THIN, "0.72"),
    "gas": _tiled("gas", "#7d8062", THIN, "0.7", "3 4"),
    "fire": _tiled("fire", "#9c4a22", THIN, "0.85"),
    **{look: _tiled(look, INK, 0.018) for look in ("vehicle", "crates", "container", "block", "stalls", "furniture", "wreckage")},
    "open": Look("none", FAINT, THIN, dash="2 5"),
    "tabletop": Look(CLEAR, "none", 0),
    "frame": Look("none", INK, 0.028),
    "floor": Look("#fffefa", "none", 0),
    "leaf": Look("#fffefa", INK, 0.014),
    "hatch_door": Look("#f2ecdd", INK, 0.014, dash="4 3"),
    "steps": Look("#fffefa", INK, THIN),
    "slab": Look("#ffffff", INK, 0.018, "", "0.45", "10 6"),
    "zone": Look("#8a8271", SOFT, 0.024, "", "0.05", "3 7"),
    "veil": Look(PAPER, "none", 0, "", "0.68"),
    "ink": Look(INK, "none", 0),
    "paper": Look(PAPER, INK, THIN),
    "cut": Look(INK, INK, 0.006),
    "aside": Look("none", SOFT, THIN, dash="5 4"),
    "hull": Look("#e6e0d2", INK, 0.026),
    **{f"band_{n}": Look("#3a3020", "none", 0, "", opacity) for n, opacity in
       enumerate(("0.04", "0.11", "0.19", "0.27", "0.35", "0.44"))},
    "key_box": Look("none", INK, THIN),
}  # fmt: skip

DISCS: dict[str, Look] = {
    "tree": Look("#b4c296", LEAF, THIN),
    "fruit_tree": Look("#eef0dc", LEAF, 0.018),
    "body": Look("", "#000", 0.02),
    "prone": Look("", "#000", 0.024, "", "", "4 3"),
    "open_dot": Look("#fff", INK, 0.018),
    "full_dot": Look(INK, INK, 0.018),
    "ring": Look("none", INK, 0.02),
}

_WEIGHTS = {"low": 0.032, "chest": 0.062, "high": 0.088}


def _walls(weight: str, width: float) -> dict[str, Stroke]:
    """The higher a wall the heavier its line; the softer its cover the more broken."""
    cased, dot, dash, gap = width + 0.05, width * 90, max(width, 0.045) * 300, width * 60 + 5
    return {
        f"wall_{weight}_none": Stroke(FINE, INK),
        f"wall_{weight}_soft": Stroke(width, INK, f"0.1 {dot + 5:g}", cased, round=True),
        f"wall_{weight}_medium": Stroke(width, INK, f"{dash:g} {gap:g}", cased),
        f"wall_{weight}_hard": Stroke(width, INK, "", cased),
        f"wall_{weight}_prepared": Stroke(width + 0.04, INK, "", width + 0.08, width * 0.5),
    }


STROKES: dict[str, Stroke] = {
    **{look: stroke for weight, width in _WEIGHTS.items() for look, stroke in _walls(weight, width).items()},
    "wire": Stroke(THIN, INK, "", 0.04),
    "pane": Stroke(THIN, INK),
    "swing": Stroke(FINE, INK, "5 3"),
    "contour": Stroke(0.016, EARTH),
    "rim": Stroke(0.022, "#6f5a39"),
    "step": Stroke(FINE, INK),
    "arrow": Stroke(0.02, INK),
    "faint": Stroke(FINE, FAINT),
    "grid": Stroke(FINE, "#e3dbc9"),
    "tick": Stroke(FINE, SOFT),
    "ridge": Stroke(FINE, SOFT),
    "ground_line": Stroke(0.024, INK),
    "ray_clear": Stroke(0.013, INK),
    "ray_covered": Stroke(0.016, INK, "7 4"),
    "ray_hidden": Stroke(0.013, "#857d6e"),
    "ray_beyond": Stroke(FINE, FAINT, "1.5 4"),
    "cross": Stroke(0.022, INK, "", 0.044),
    "sight_line": Stroke(FINE, SOFT, "14 4 2 4"),
    "path": Stroke(0.05, INK, "", 0.1),
    "isoline": Stroke(THIN, "#4c4434"),
    "rule": Stroke(FINE, FAINT),
}

LETTERS: dict[str, Letter] = {
    "name": Letter(0.19, "bold", INK, CLEAR),
    "place": Letter(0.16, "normal", INK, CLEAR),
    "note": Letter(0.13, "normal", "#4c473d", CLEAR),
    "height": Letter(0.15, "normal", "#5a4526", CLEAR, "italic"),
    "zone_name": Letter(0.2, "bold", SOFT, CLEAR, "", 0.03),
    "edge_figure": Letter(0.15, "normal", SOFT),
    "subtitle": Letter(0.2, "normal", SOFT),
    "heading": Letter(0.14, "bold", SOFT, "", "", 0.02),
    "entry": Letter(0.155, "normal", INK),
    "entry_note": Letter(0.125, "normal", SOFT),
    "figure": Letter(0.17, "bold", INK),
    "part": Letter(0.19, "normal", INK),
    "count": Letter(0.2, "bold", INK),
    "part_note": Letter(0.165, "normal", "#4c473d"),
    "caption": Letter(0.2, "bold", INK),
    "compass": Letter(0.24, "bold", INK),
}


def tiles(looks: Iterable[str]) -> str:
    """The definitions of the patterns that these looks need; nothing if they need none."""
    used = sorted({TERRAIN[look].fill[13:-1] for look in looks if look in TERRAIN and TERRAIN[look].fill.startswith("url(")})
    return "\n".join(["<defs>", *map(_pattern, used), "</defs>"]) if used else ""


def _pattern(name: str) -> str:
    width, height, turn, ground, drawn = TILES[name]
    turned = f' patternTransform="rotate({turn:g})"' if turn else ""
    size = f'width="{width:g}" height="{height:g}"'
    ground = f'<rect {size} fill="{ground}"/>'
    return f'<pattern id="wardogs-{name}" {size} patternUnits="userSpaceOnUse"{turned}>{ground}{drawn}</pattern>'
