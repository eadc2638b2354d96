"""The scene of the sketch on the kernel as it is now: a walk under opportunity fire, with re-rolls."""

from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bench.sketch_speed import PATH, SCENES
from bench.timing import best_rate
from wardogs.kernel.dice import D10, at_most, reading
from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game, Position, Rules, Step
from wardogs.kernel.offers import Ask, Choice, Flag, Offer

WOUNDS = {"head": (9, 4, 1, 0), "chest": (4, 3, 1, 0), "stomach": (3, 3, 1, 0)}
LIMB = (3, 2, 1, 0)
LOCATIONS = ("head", "chest", "chest", "stomach", "stomach", "abdomen", "leg", "leg", "arm", "arm")
ARMOURED = frozenset({"head", "chest", "stomach"})
YES: Choice = {"verb": "answer", "yes": True}
ASK = Ask("yes_or_no", (Offer("answer", "op-fire", {"yes": Flag()}),), YES)
DPR, ARM, HARD = 4, -2, 5


class Soldier(Struct, frozen=True):
    side: int
    x: int
    hp: int
    wp: int = 6
    ar: int = 5
    behind: frozenset[str] = frozenset()
    on_op_fire: bool = False
    expert: bool = False


class Field(Struct, frozen=True):
    soldiers: tuple[Soldier, ...]

    def edited(self, who: int, fields: Any) -> "Field":
        s = self.soldiers
        return Field((*s[:who], replace(s[who], **fields), *s[who + 1 :]))


@cache
def wound(location: str) -> tuple[int, ...]:
    bands = WOUNDS.get(location, LIMB)
    return reading(D10, lambda f: bands[0 if f <= DPR else 1 if f <= DPR + 2 else 2 if f <= DPR + 5 else 3])


def shoot(g: Any, a: int, t: int) -> None:
    if not to_hit(g, a):
        return
    location = g.roll("hit-location", D10, LOCATIONS)
    target = g.state.soldiers[t]
    if location in target.behind and not g.roll("cover-roll", D10, at_most(D10, HARD)):
        return
    if location in ARMOURED and g.roll("armor-check", D10, at_most(D10, target.ar + ARM, always=1)):
        return
    lost = g.roll("damage-assessment", D10, wound(location))
    g.edit(t, hp=target.hp - lost)
    g.report("damage-assessment", "wounded", who=t, location=location, lost=lost)


def to_hit(g: Any, a: int) -> bool:
    means = at_most(D10, g.state.soldiers[a].wp - 1, always=1, never=10)
    hit = g.roll("to-hit", D10, means)
    shooter = g.state.soldiers[a]
    if not hit and shooter.expert and g.ask("expert-rifleman", shooter.side, ASK)["yes"]:
        g.edit(a, expert=False)
        hit = g.roll("to-hit", D10, means)
    return bool(hit)


def walk(g: Any, m: int, path: tuple[int, ...]) -> None:
    if g.state.soldiers[m].hp <= 0 or not path:
        return
    g.edit(m, x=path[0])
    g.report("walk", "moved", who=m, x=path[0])
    for w, watcher in enumerate(g.state.soldiers):
        if watcher.on_op_fire and watcher.side != g.state.soldiers[m].side:
            g.then(op_fire, w, m)
    g.then(walk, m, path[1:])


def op_fire(g: Any, w: int, m: int) -> None:
    watcher, mover = g.state.soldiers[w], g.state.soldiers[m]
    if mover.hp > 0 and g.ask("op-fire", watcher.side, ASK)["yes"]:
        g.edit(w, on_op_fire=False)
        shoot(g, w, m)


IDS = frozenset(
    {"to-hit", "expert-rifleman", "hit-location", "cover-roll", "armor-check", "damage-assessment", "walk", "op-fire"}
)
RULES = Rules("scene", {p.__name__: p for p in (walk, op_fire, shoot)}, IDS, Field)


def _always(game: Any, seat: int, ask: Ask) -> Choice:
    return YES


def play_scene(seed: int, policy: Any = _always, silent: bool = False) -> Game[Any, Any]:
    walker = Soldier(0, 0, 5, behind=frozenset({"leg"}))
    watchers = [Soldier(1, 9, 5, on_op_fire=True, expert=True) for _ in range(2)]
    position = Position(Field((walker, *watchers)), (Step("walk", (0, PATH)),))
    game: Game[Any, Any] = Game(RULES, None, position, Fast(seed), policy)
    game.silent = silent
    game.advance()
    return game


def kernel_inputs_per_second(seconds: float, silent: bool = False) -> float:
    """Rolls and answers a second, counted apart as for the sketch."""
    inputs = [_inputs(seed) for seed in range(SCENES)]

    def play(seed: int) -> int:
        play_scene(seed % SCENES, silent=silent)
        return inputs[seed % SCENES]

    return best_rate(play, seconds)


def _inputs(seed: int) -> int:
    answers = 0

    def counted(game: Any, seat: int, ask: Ask) -> Choice:
        nonlocal answers
        answers += 1
        return YES

    drawn = len(play_scene(seed, counted).drawn)
    return drawn + answers
