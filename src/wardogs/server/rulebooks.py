"""The systems as the server holds them: set-ups that were read once are shared by all games that begin from them."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec

from wardogs.kernel.game import Position
from wardogs.kernel.record import Setup
from wardogs.kernel.system import System
from wardogs.systems import KEYS, load_system

HELD = 256  # set-ups

_reading = {key: threading.Lock() for key in KEYS}
_read: set[str] = set()


def rulebook(key: str) -> System:
    """A system, read once."""
    with _reading[key]:
        system = _rulebook(key)
        _read.add(key)
        return system


def read_all() -> None:
    for key in KEYS:
        rulebook(key)


async def fetched(key: str) -> System:
    """The same, while others play on: the first time takes a second where the rules are long."""
    return rulebook(key) if key in _read else await asyncio.to_thread(rulebook, key)


@lru_cache
def _rulebook(key: str) -> System:
    """A system whose set-ups are remembered: 500 games on one table share its terrain, and all that was found out about it."""
    system = load_system(key)
    opened: OrderedDict[bytes, Any] = OrderedDict()
    begun: dict[int, Position[Any]] = {}

    def terms(setup: Setup) -> Any:
        known = msgspec.json.encode(setup)
        if known in opened:
            opened.move_to_end(known)
        else:
            opened[known] = system.terms(setup)
            begun[id(opened[known])] = system.begin(opened[known])
            if len(opened) > HELD:
                begun.pop(id(opened.popitem(last=False)[1]), None)
        return opened[known]

    def begin(read: Any) -> Position[Any]:
        return begun[id(read)] if id(read) in begun else system.begin(read)

    return replace(system, terms=terms, begin=begin)
