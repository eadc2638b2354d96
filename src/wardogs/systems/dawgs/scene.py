"""How a dogfight looks."""

from __future__ import annotations

from wardogs.scene.model import Scene
from wardogs.systems.dawgs.state import Terms
from wardogs.systems.dawgs.view import Sight


def draw(terms: Terms, sight: Sight) -> Scene:
    return Scene(terms.scenario.name, 1, 1, (), ())
