"""The baseline: how fast the first sketch of the kernel plays its own scene."""

import random
import sys
from pathlib import Path
from typing import Any

from bench.timing import best_rate

sys.path.append(str(Path(__file__).parent / "sketch"))  # its modules know each other as `kernel` and `dogs`

from dogs.rules import DOGS, DogsTable, Soldier
from kernel import Game, Sampled, Step

SCENES = 200
PATH = (1, 2, 3, 4, 5, 6)


def sketch_inputs_per_second(seconds: float) -> float:
    """A soldier walks six inches under the eyes of two expert watchers, who fire and re-roll whenever they may."""
    inputs = [_inputs(seed) for seed in range(SCENES)]

    def play(seed: int) -> int:
        _play(seed % SCENES, _always)
        return inputs[seed % SCENES]

    return best_rate(play, seconds)


def _inputs(seed: int) -> int:
    """The rolls and answers of one scene, counted apart so that counting costs the timed run nothing."""
    answers = 0

    def counted(game: Game, decision: Any) -> bool:
        nonlocal answers
        answers += 1
        return True

    game = _play(seed, counted)
    return answers + sum(report.fact == "rolled" for report in game.reports)


def _play(seed: int, policy: Any) -> Game:
    walker = Soldier(0, 0, 5, behind=frozenset({"leg"}))
    watchers = [Soldier(1, 9, 5, on_op_fire=True, expert=True) for _ in range(2)]
    chance = Sampled(random.Random(seed).random)
    game = Game(DOGS, DogsTable([walker, *watchers]), chance, [Step("walk", (0, PATH))])
    game.policy = policy
    game.advance()
    return game


def _always(game: Game, decision: Any) -> bool:
    return True
