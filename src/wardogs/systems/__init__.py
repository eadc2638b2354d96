"""The rulebooks: one system each, all alike inside."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from wardogs.kernel.errors import unknown
from wardogs.kernel.system import System

KEYS = ("dawgs", "dogs")


@cache
def load_system(key: str) -> System:
    """A system by its key; only the one asked for is imported."""
    if key not in KEYS:
        raise unknown("system", key, KEYS)
    system: System = import_module(f"wardogs.systems.{key}").SYSTEM
    return system
