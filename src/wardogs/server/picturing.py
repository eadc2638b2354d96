"""The table of a scenario at its beginning, as a picture. Drawn in the clerk's process, since it takes a while."""

from __future__ import annotations

from wardogs.kernel.match import Match
from wardogs.kernel.system import Wanted
from wardogs.scene.thumbnail import thumbnail
from wardogs.server.rulebooks import rulebook

SEED = bytes(32)  # the same picture for everybody


def picture(key: str, scenario: str) -> str:
    system = rulebook(key)
    setup = system.plan(Wanted(scenario))
    match = Match.start(system, setup, dict.fromkeys(setup.seats, "person"), SEED)
    return thumbnail(system.board(match.terms, system.view(match.game, None)))
