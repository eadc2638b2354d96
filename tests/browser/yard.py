"""A battle small enough to be played through in a test: four men a side over an open yard, one turn, everybody in sight."""

from __future__ import annotations

from typing import Any

YARD: dict[str, Any] = {
    "id": "yard",
    "name": "The Yard",
    "blurb": "A Ranger team and a Taliban team over an open yard.",
    "turns": 1,
    "side": [
        {
            "id": "rangers", "name": "Rangers", "edge": "S", "deploy": {"rect": [0, 0, 20, 3]},
            "team": [{"name": "Rangers", "roster": {"list": "us_rangers", "gunner": "m249"}}],
        },
        {
            "id": "taliban", "name": "Taliban", "edge": "N", "deploy": {"rect": [0, 17, 20, 20]},
            "team": [{"name": "Taliban", "roster": {"list": "taliban"}}],
        },
    ],
    "victory": {"score": {side: {"kill_vp": 2, "out_of_action_at_end_vp": 1} for side in ("rangers", "taliban")}},
    "map": {"name": "The Yard", "size": [20, 20], "wall": [{"line": [2, 10, 4, 10], "height": 0.6, "material": "stone"}]},
}  # fmt: skip
