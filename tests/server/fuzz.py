"""Messages that no client would send, and some that one would."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

KINDS = (
    "sit", "choose", "enter", "undo", "agree", "draw", "resign", "draft", "question", "odds", "why", "offers", "spots", "hint",
    "eye", "say", "rule", "rewind", "note", "watchable", "take_over", "ping",
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308, "", " ", "1", "\\u0000", "é" * 400,
    "\\ud800", "'; DROP TABLE games; --", "../../etc/passwd", [], {}, [[]], [None] * 50, {"": {}}, {"verb": None},
    [{"verb": "x"}],
)  # fmt: skip
TEXTS = ("hello", "\\u0000", "\\ud83d\\ude00", "x" * 1000)
FIELDS = ("id", "game", "key", "after", "n", "choice", "seat", "face", "kind", "yes", "offer", "field", "most", "text", "to",
          "because", "changes", "player", "who", "draw", "do", "type", "__class__")  # fmt: skip


def tree(rng: random.Random, depth: int = 4) -> Any:
    """Any JSON."""
    roll = rng.random()
    if depth == 0 or roll < 0.4:
        return rng.choice(ODD)
    if roll < 0.7:
        return [tree(rng, depth - 1) for _ in range(rng.randrange(5))]
    return {rng.choice(FIELDS): tree(rng, depth - 1) for _ in range(rng.randrange(5))}


def sound(rng: random.Random, n: int, choices: list[dict[str, Any]]) -> dict[str, Any]:
    """A message as a client would send it, that may or may not suit the moment."""
    kind = rng.choice(KINDS)
    choice = rng.choice(choices) if choices and rng.random() < 0.8 else {"verb": rng.choice(["pass", "fire", "concede", ""])}
    fields: dict[str, dict[str, Any]] = {
        "sit": {"game": "0" * 16, "key": "k"},
        "choose": {"n": n, "choice": choice, **({"seat": rng.randrange(-1, 4)} if rng.random() < 0.3 else {})},
        "enter": {"n": n, "face": rng.randrange(12)},
        "agree": {"kind": rng.choice(["undo", "draw"]), "yes": rng.random() < 0.5},
        "draft": {"n": n, "choice": rng.choice([choice, None])},
        "odds": {"choice": choice},
        "why": {"choice": choice} if rng.random() < 0.7 else {},
        "offers": {"doer": rng.choice(["R1", 1, None, [], {}])},
        "spots": {
            "choice": {"verb": rng.choice(["walk", "place_cards", "x"])},
            "field": rng.choice(["to", "at", "path", "x"]),
            "most": rng.choice([1, 50, 2000]),
        },
        "eye": {"who": rng.choice([1, 2, "R1", "first side, team 1 leader", "", -1])},
        "say": {"text": rng.choice(TEXTS), "to": rng.sample(range(-1, 4), rng.randrange(3))},
        "rule": {"because": "so", "changes": [[rng.choice([1, 2, "1", None]), rng.choice(["damage", "ap"]), rng.choice(ODD)]]},
        "rewind": {"to": rng.randrange(-2, n + 2), "because": "so"},
        "note": {"text": "n" * rng.randrange(3000)},
        "watchable": {"yes": rng.random() < 0.5},
        "take_over": {"seat": rng.randrange(-1, 4), "player": rng.choice(["person", "random", "drill", "nobody"])},
    }  # fmt: skip
    return {"do": kind, "id": rng.choice([None, 1, "mark"]), **fields.get(kind, {})}


def bent(rng: random.Random, message: dict[str, Any]) -> dict[str, Any]:
    """A sound message with something wrong in it."""
    message = dict(message)
    for _ in range(rng.randrange(1, 3)):
        name = rng.choice([*message, rng.choice(FIELDS)])
        if rng.random() < 0.3:
            message.pop(name, None)
        else:
            message[name] = tree(rng, 2)
    if isinstance(message.get("choice"), dict) and message["choice"]:
        message["choice"] = {**message["choice"], rng.choice([*message["choice"], "x"]): tree(rng, 2)}
    return message


def written(message: Any) -> str:
    """Escapes in ODD are meant for the reader of the JSON."""
    return json.dumps(message).replace("\\\\u", "\\u")


def deep(rng: random.Random) -> str:
    depth, (open_, shut) = rng.choice([50, 900, 5000, 30_000]), rng.choice([("[", "]"), ('{"a":', "}")])
    nest = open_ * depth + "1" + (shut * depth if rng.random() < 0.7 else "")
    return nest if rng.random() < 0.3 else f'{{"do":"choose","n":1,"choice":{{"verb":{nest}}}}}'


def cut(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(["", "\x00", '"', "}", "NaN", "Infinity", "\ufeff", text]) + text[at + rng.randrange(2) :]


def noise(rng: random.Random) -> bytes:
    return rng.randbytes(rng.randrange(200))


Frame = tuple[str, str | bytes]  # text, binary, or bytes that only pretend to be text


def frame(rng: random.Random, n: int, choices: list[dict[str, Any]]) -> Frame:
    made: list[tuple[float, Callable[[], Frame]]] = [
        (0.30, lambda: ("text", written(sound(rng, n, choices)))),
        (0.30, lambda: ("text", written(bent(rng, sound(rng, n, choices))))),
        (0.12, lambda: ("text", written(tree(rng)))),
        (0.10, lambda: ("text", cut(rng, written(sound(rng, n, choices))))),
        (0.05, lambda: ("text", deep(rng))),
        (0.04, lambda: ("binary", written(sound(rng, n, choices)).encode())),
        (0.04, lambda: ("binary", noise(rng))),
        (0.02, lambda: ("pretended", b'{"do":"say","text":"\xff\xfe\xed\xa0\x80"}')),
        (0.02, lambda: ("text", written({"do": "say", "text": "x" * rng.choice([70_000, 200_000])}))),
        (0.01, lambda: ("text", "")),
    ]
    return rng.choices([one for _, one in made], [weight for weight, _ in made])[0]()
