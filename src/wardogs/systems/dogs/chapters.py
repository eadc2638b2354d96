"""All chapters of the book: the acts that they offer and the paragraphs that play them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from wardogs.kernel.game import Paragraph
from wardogs.systems.dogs.verbs import Verb

CHAPTERS = (
    "moving", "climbing", "crossing", "jumping", "shooting", "shotguns", "launching", "throwing", "deviation", "blasts",
    "clouds", "fire_missions", "explosives", "mines", "claymores", "charges", "fuses", "vests",
    "structures", "opfire", "wounds", "falling", "morale", "fleeing",
    "compulsions", "commanding", "healing", "carrying", "closing", "tackling", "prisoners", "things", "learning", "doors",
    "vehicles", "vehicle_fire", "airborne", "helicopters", "campaign", "rulings",
)  # fmt: skip


FRAME = ("acting", "play", "setting_up", "victory")  # what the chapters are played within


def _modules(names: tuple[str, ...]) -> list[ModuleType]:
    return [import_module(f"wardogs.systems.dogs.{name}") for name in names]


VERBS: dict[str, Verb] = {verb.name: verb for module in _modules(CHAPTERS) for verb in getattr(module, "VERBS", ())}


def paragraphs() -> dict[str, Paragraph]:
    """Every paragraph by its name; no name may stand twice."""
    found: dict[str, Paragraph] = {}
    for module in _modules((*CHAPTERS, *FRAME)):
        for paragraph in getattr(module, "PARAGRAPHS", ()):
            assert paragraph.__name__ not in found, paragraph.__name__
            found[paragraph.__name__] = paragraph
    return found
