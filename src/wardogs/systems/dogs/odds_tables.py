"""`wardogs odds dogs attack …`: the exact odds of any ranged attack, laid out on a bare table and run through the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game, Rules
from wardogs.kernel.system import OddsTable
from wardogs.systems.dogs.attack_odds import ManOdds, attack_odds
from wardogs.systems.dogs.chapters import paragraphs
from wardogs.systems.dogs.data import WEAPONS
from wardogs.systems.dogs.ground import KINDS
from wardogs.systems.dogs.lists import TEAMS
from wardogs.systems.dogs.modifiers import Attack
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.roster import soldiers, team_from
from wardogs.systems.dogs.staging import stage
from wardogs.systems.dogs.state import Battle

ASKED = {
    "by": ("us_rangers", "the list of who fires"),
    "role": ("scout", "his role in it"),
    "weapon": ("", "what he fires; his first, if left out"),
    "mode": ("", "SS, SA, BU or FA; the weapon's first, if left out"),
    "at": ("taliban", "the list of who is fired at"),
    "at_role": ("scout", "his role in it"),
    "range": ("8", "inches between the bases"),
    "targets": ("1", "how many stand side by side, for full automatic fire"),
    "aimed": ("no", "yes: an aimed shot"),
    "scope": ("no", "yes: with the scope"),
    "moved": ("none", "none, walk or run: the firer"),
    "prone": ("no", "yes: the firer lies"),
    "at_moved": ("none", "none, walk or run: the target"),
    "at_prone": ("no", "yes: the target lies"),
    "at_hp": ("", "the target's HP, if not all of them"),
    "cover": ("", "what stands right before the target, for example brick"),
    "cover_height": ("0.6", "how high, in inches"),
    "light": ("day", "day or night"),
    "gear": ("", "what the firer has besides: nvg, laser"),
}


def attack_rows(given: Mapping[str, str]) -> list[tuple[Any, ...]]:
    """One row for each modifier, then the chances of each man who is exposed."""
    wish = {name: given.get(name, default) for name, (default, _) in ASKED.items()}
    game, attack = laid_out(wish)
    rows: list[tuple[Any, ...]] = []
    for man in attack_odds(game, attack):
        rows += [(man.id, f"{term.rule}", term.value) for term in man.terms]
        rows += chances(man)
    return rows


def chances(man: ManOdds) -> list[tuple[Any, ...]]:
    found = [(man.id, "needs", man.need), (man.id, "hit at least once", man.hit)]
    found += [(man.id, f"at worst {name}", chance) for name, chance in man.classes.items()]
    return [*found, (man.id, "put down", man.down), (man.id, "killed", man.killed)]


def laid_out(wish: Mapping[str, str]) -> tuple[Any, Attack]:
    by, _ = _listed(wish["by"], wish["role"]), _listed(wish["at"], wish["at_role"])
    weapon = wish["weapon"] or next((w for w in by if WEAPONS[w].fires is None), "")
    if weapon not in WEAPONS or WEAPONS[weapon].fires is not None or WEAPONS[weapon].template:
        raise unknown("weapon that fires at one man", weapon, [w for w, arm in WEAPONS.items() if arm.dpr is not None])
    mode = wish["mode"] or next(iter(WEAPONS[weapon].modes))
    if mode not in WEAPONS[weapon].modes:
        raise unknown(f"mode of the {weapon}", mode, WEAPONS[weapon].modes)
    if _yes(wish["aimed"]) and WEAPONS[weapon].modes[mode].dice > 1:
        raise WardogsError(f"aimed=yes: only single shots are aimed, not {mode} (DOW-MOD-01): leave it out, or give another mode")
    if _yes(wish["scope"]) and not WEAPONS[weapon].scope:
        raise WardogsError(f"scope=yes: the {weapon} has none (DOW-MOD-02): leave it out, or give another weapon")
    far, count = _number("range", wish["range"]), int(_number("targets", wish["targets"]))
    terms, position = stage(_table(wish, weapon, far, max(1, min(count, 9))), {"premeasure": True})
    rules = Rules("dogs", paragraphs(), frozenset(), Battle)
    game: Any = Game(rules, terms, position, Fast(0))
    game.silent = True
    return game, Attack("firer", weapon, mode, "target", _yes(wish["aimed"]), _yes(wish["scope"]))


def _table(wish: Mapping[str, str], weapon: str, far: float, count: int) -> dict[str, Any]:
    size = max(48.0, far + 10)
    if size > 120:
        raise WardogsError(f"range {far:g}: a table is at most 120 inches long: give 110 or less")
    middle, line = size / 2, 3.0 + 1.0 + far
    gear = [part.strip() for part in wish["gear"].split(",") if part.strip()]
    firer: dict[str, Any] = {
        "id": "firer", "side": 1, "list": wish["by"], "role": wish["role"], "at": [middle, 3.0],
        "state": {
            "weapons": [{"id": weapon, "loaded": WEAPONS[weapon].magazine}], "in_hand": weapon, "moved": wish["moved"],
            "stance": "prone" if _yes(wish["prone"]) else "standing", "gear": gear, "expert_left": False,
        },
    }  # fmt: skip
    state: dict[str, Any] = {"seen_moving": wish["at_moved"], "stance": "prone" if _yes(wish["at_prone"]) else "standing"}
    if wish["at_hp"]:
        state["hp"] = int(_number("at_hp", wish["at_hp"]))
    men = [
        {
            "id": "target" if k == 0 else f"target {k + 1}", "side": 2, "list": wish["at"], "role": wish["at_role"],
            "at": [middle + 1.1 * ((k + 1) // 2) * (-1) ** k, line], "facing": 180, "state": state,
        }
        for k in range(count)
    ]  # fmt: skip
    table: dict[str, Any] = {"size": [size, size]}
    if wish["cover"]:
        if wish["cover"] not in KINDS:
            raise unknown("cover", wish["cover"], KINDS)
        height = _number("cover_height", wish["cover_height"])
        line_of_wall = [middle - 4, line - 0.55, middle + 4, line - 0.55]
        table["wall"] = [{"id": "cover", "line": line_of_wall, "height": height, "material": wish["cover"]}]
    return {"models": [firer, *men], "map": table, "light": wish["light"]}


def _listed(list_: str, role: str) -> tuple[str, ...]:
    if list_ not in TEAMS:
        raise unknown("list", list_, TEAMS)
    roles = [one.role for one in TEAMS[list_].roles]
    if role not in roles:
        raise unknown(f"role of {list_}", role, roles)
    man = soldiers(team_from({"list": list_}), Options())[roles.index(role)]
    return tuple(carried.id for carried in man.weapons)


def _number(name: str, text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 1000:
        raise WardogsError(f"{name}={text}: write a number, for example {name}={ASKED[name][0] or 5}")
    return found


def _yes(text: str) -> bool:
    return text.lower() in ("yes", "y", "true", "1")


ODDS_TABLES = {
    "attack": OddsTable(
        "A ranged attack, as you describe it",
        "DOW-RNG-01",
        ("who", "what", "figure"),
        lambda: attack_rows({}),
        {name: f"{about} ({default or 'none'})" for name, (default, about) in ASKED.items()},
        attack_rows,
    )
}
