"""Read by every Python that has this folder on its path, before anything else: there is a sixth system, and it is Tin Soldiers.

So the server, its referees, its bots and its clerk all know it, as if it were installed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import wardogs.systems
from wardogs.kernel.system import System, Wanted

KNOWN = wardogs.systems.load_system


@cache
def load_system(key: str) -> System:
    if key != "tiny":
        return KNOWN(key)
    from tests.kernel.tiny import SKIRMISH, TINY, setup_of

    scenarios = {"skirmish": {**SKIRMISH, "name": "In the nursery", "blurb": "Three tins on a shelf."}}

    def plan(wanted: Wanted) -> object:
        return setup_of(SKIRMISH)

    return replace(TINY, scenarios=scenarios, plan=plan)  # type: ignore[arg-type]


wardogs.systems.KEYS = (*wardogs.systems.KEYS, "tiny")  # type: ignore[assignment]
wardogs.systems.load_system = load_system  # type: ignore[assignment]
