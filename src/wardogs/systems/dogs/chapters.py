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


def _modules() -> list[ModuleType]:
    from importlib.util import find_spec  # while chapters are being written

    names = [f"wardogs.systems.dogs.{name}" for name in CHAPTERS]
    return [import_module(name) for name in names if find_spec(name)]


VERBS: dict[str, Verb] = {verb.name: verb for module in _modules() for verb in getattr(module, "VERBS", ())}


def paragraphs() -> dict[str, Paragraph]:
    """Every paragraph by its name; no name may stand twice."""
    from importlib.util import find_spec

    rest = [
        import_module(f"wardogs.systems.dogs.{name}")
        for name in ("acting", "play", "setting_up", "victory")
        if find_spec(f"wardogs.systems.dogs.{name}")
    ]
    found: dict[str, Paragraph] = {}
    for module in (*_modules(), *rest):
        for paragraph in getattr(module, "PARAGRAPHS", ()):
            assert paragraph.__name__ not in found, paragraph.__name__
            found[paragraph.__name__] = paragraph
    return _Unwritten(found)


class _Unwritten(dict):  # type: ignore[type-arg]  # while chapters are being written
    def __missing__(self, name: str) -> Paragraph:
        if name == "who_is_hit":
            return self["strike"]  # type: ignore[no-any-return]
        return lambda g, *args: None
