"""The gallery of sight: hand-made scenes with the answer worked out beforehand, each with its picture.

    python tools/gallery.py

judges every scene of tests/gallery and draws it into docs/gallery, with a page that shows them all.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.scene.model import Scene as Drawing
from wardogs.scene.svg import svg
from wardogs.table.bodies import BASE, Body, Hull, Model, eye_of
from wardogs.table.check import checked
from wardogs.table.lookout import sight_scene, why
from wardogs.table.mapfile import with_ids
from wardogs.table.model import Map
from wardogs.table.sight import Seen, in_the_way, look
from wardogs.table.terrain import Terrain
from wardogs.table.units import Place

ROOT = Path(__file__).resolve().parents[1]
SCENES, PICTURES = ROOT / "tests" / "gallery", ROOT / "docs" / "gallery"

Raw: TypeAlias = dict[str, Any]


# Reading --------------------------------------------------------------------------------------------------------------


class View(NamedTuple):
    """One look of a scene, with its answer: the scene itself, or what it is after a change."""

    name: str  # of its picture
    title: str
    about: str
    map: Map
    looker: Body | None
    eye: Place
    target: Model
    others: tuple[Model, ...]
    skip: float
    expect: Raw


class Sheet(Struct, forbid_unknown_fields=True, kw_only=True):
    """A scene as its file has it; `from` is a body that looks, `eye` a bare point."""

    title: str
    about: str
    map: Raw
    target: Raw
    expect: Raw
    eye: Place | None = None
    looker: Raw | None = msgspec.field(name="from", default=None)
    others: tuple[Raw, ...] = ()
    skip: float = 0.0
    also: tuple[Change, ...] = ()


class Change(Struct, forbid_unknown_fields=True, kw_only=True):
    """What is different: the eye, some of the target, some of the pieces, which are named by their ids."""

    title: str
    about: str
    expect: Raw
    eye: Place | None = None
    looker: Raw | None = msgspec.field(name="from", default=None)
    target: Raw = {}
    skip: float | None = None
    change: tuple[Raw, ...] = ()


def scenes(folder: Path = SCENES) -> dict[str, list[View]]:
    """All views of all scenes, by the name of the scene."""
    return {path.stem: read(path.stem, path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.toml"))}


def read(name: str, text: str) -> list[View]:
    """The scene, then each of its changes."""
    try:
        sheet = msgspec.convert(tomllib.loads(text), Sheet)
        return [view(name, sheet), *(view(f"{name}-{n}", after(sheet, change)) for n, change in enumerate(sheet.also, 2))]
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, WardogsError) as error:
        raise WardogsError(f"{name}: {error}") from None


def after(sheet: Sheet, change: Change) -> Sheet:
    """The scene with a change made to it."""
    moved = change.eye is not None or change.looker is not None
    return replace(
        sheet,
        title=f"{sheet.title}: {change.title}",
        about=change.about,
        expect=change.expect,
        eye=change.eye if moved else sheet.eye,
        looker=change.looker if moved else sheet.looker,
        target={**sheet.target, **change.target},
        skip=sheet.skip if change.skip is None else change.skip,
        map=changed(sheet.map, change.change),
    )


def changed(table: Raw, changes: Sequence[Raw]) -> Raw:
    """The map with other fields for the pieces and openings of these ids."""
    left = {change["id"]: change for change in changes}

    def walk(part: Any) -> Any:
        if isinstance(part, list):
            return [walk(each) for each in part]
        if not isinstance(part, dict):
            return part
        walked = {key: walk(value) for key, value in part.items()}
        return {**walked, **left.pop(part.get("id"), {})}

    found: Raw = walk(table)
    if left:
        raise WardogsError(f"no piece is called {', '.join(left)}: give the piece that changes an id")
    return found


def view(name: str, sheet: Sheet) -> View:
    table = checked(with_ids(msgspec.convert(sheet.map, Map)), "map")
    looker = model(sheet.looker) if sheet.looker else None
    if (sheet.eye is None) == (looker is None):
        raise WardogsError("write eye = [x, y, z] or from = { at = [x, y, z] }, one of them")
    eye = sheet.eye or eye_of(looker or Body(at=(0, 0, 0)))
    others = tuple(map(model, sheet.others))
    body = looker if isinstance(looker, Body) else None
    return View(name, sheet.title, sheet.about, table, body, eye, model(sheet.target), others, sheet.skip, sheet.expect)


def model(raw: Raw) -> Model:
    """A vehicle if it has a size, else a figure."""
    fields = (Hull if "size" in raw else Body).__struct_fields__
    for key in raw:
        if key not in fields:
            raise unknown("key of a model", key, fields)
    return msgspec.convert(raw, Hull) if "size" in raw else msgspec.convert(raw, Body)


# Judging --------------------------------------------------------------------------------------------------------------


class Count(Struct, frozen=True, forbid_unknown_fields=True):
    """How a part is seen: how many of its samples are how visible, and behind what."""

    clear: int = 0
    covered: int = 0
    hidden: int = 0
    behind: str | tuple[str, ...] = ()

    def __str__(self) -> str:
        names = [self.behind] if isinstance(self.behind, str) else sorted(self.behind)
        counts = [f"{getattr(self, state)} {state}" for state in ("clear", "covered", "hidden") if getattr(self, state)]
        return ", ".join(counts) + (f" behind {' and '.join(names)}" if names else "")


def seen_by(view: View) -> Seen:
    return look(Terrain.of(view.map), view.eye, view.target, view.skip)


def disagreements(view: View) -> list[str]:
    """Where the program's answer differs from the one that was worked out; a wrong answer sheet is an error."""
    seen = seen_by(view)
    found = answers(view, seen)
    try:
        wanted = expected(view, seen)
    except msgspec.ValidationError as error:
        raise WardogsError(f"{view.name}: expect: {error}") from None
    keys, none = dict.fromkeys([*found, *wanted]), "nothing"
    pairs = ((key, found.get(key, none), wanted.get(key, none)) for key in keys)
    return [f"{view.name}: {key}: found {one}, expected {other}" for key, one, other in pairs if one != other]


def answers(view: View, seen: Seen) -> dict[str, str]:
    """What the program says, a word for each part, and the shares of figure and base."""
    parts = {part.name: str(counted(seen, part.name)) for part in seen.body}
    shares = {"visible": share(seen, parts), **({BASE: share(seen, [BASE])} if isinstance(view.target, Body) else {})}
    return {**parts, **shares, **{f"in the way: {name}": str(by) for name, by in blocked(view, seen).items()}}


def expected(view: View, seen: Seen) -> dict[str, str]:
    """What the scene says, in the same words."""
    sheet = dict(view.expect)
    shares = {key: sheet.pop(key) for key in ("visible", BASE) if key in sheet}
    ways = {f"in the way: {name}": str(dict(sorted(by.items()))) for name, by in sheet.pop("in_the_way", {}).items()}
    rest, names = sheet.pop("rest", None), [part.name for part in seen.body]
    for key in sheet:
        if key not in names:
            raise unknown(f"part in {view.name}", key, names)
    said = {name: sheet.get(name, rest) for name in names if name in sheet or rest}
    return {**{name: str(count_of(word, seen.part(name).samples)) for name, word in said.items()}, **shares, **ways}


def count_of(word: str | Raw, samples: int) -> Count:
    """'clear', 'hidden: the low wall (hard)', or counts."""
    if not isinstance(word, str):
        return msgspec.convert(word, Count)
    state, _, behind = word.partition(": ")
    return msgspec.convert({state: samples, **({"behind": behind} if behind else {})}, Count)


def counted(seen: Seen, name: str) -> Count:
    part, (first, last) = seen.part(name), next((first, last) for part, first, last in seen.parts if part == name)
    behind = {reason(seen, k) for k in range(first, last) if seen.states[k] != "clear"}
    return Count(part.clear, part.covered, part.hidden, tuple(sorted(behind)))


def reason(seen: Seen, sample: int) -> str:
    """'the low wall (hard)'."""
    return why(seen, sample) + (f" ({seen.covers[sample]})" if seen.covers[sample] != "none" else "")


def share(seen: Seen, names: Sequence[str] | dict[str, str]) -> str:
    parts = [seen.part(name) for name in names]
    return f"{sum(part.clear + part.covered for part in parts)}/{sum(part.samples for part in parts)}"


def blocked(view: View, seen: Seen) -> dict[str, dict[str, int]]:
    """For every other model in the way, how many samples of which part it stands before."""
    found = {}
    for name, rays in in_the_way(view.eye, seen.points, view.others).items():
        counts = {part: sum(first <= ray < last for ray in rays) for part, first, last in seen.parts}
        found[name] = {part: count for part, count in sorted(counts.items()) if count}
    return found


# Drawing --------------------------------------------------------------------------------------------------------------


def picture(view: View) -> Drawing:
    """Plan, cut and counts, with the bases of all models."""
    others = (*view.others, *([view.looker] if view.looker else []))
    return sight_scene(view.map, view.eye, view.target, view.title, view.skip, others)


def page(found: dict[str, list[View]]) -> str:
    """All pictures with their sentences."""
    lines = [
        "# The gallery of sight",
        "",
        f"{len(found)} scenes, made by hand. What is to be seen in each was worked out with pencil and paper; the arithmetic",
        "stands in the scene's file in `tests/gallery`, and the tests hold the program to it, part by part. A figure has",
        "56 points, its base 8, a vehicle 64. `python tools/gallery.py` draws the pictures anew.",
    ]
    for name, views in found.items():
        lines += ["", f"## {int(name[:2])}. {views[0].title}"]
        for view in views:
            lines += ["", f"{view.about} {told(view)}", "", f"![{view.title}]({view.name}.svg)"]
    return "\n".join(lines) + "\n"


def told(view: View) -> str:
    """The shares in words."""
    what = "vehicle" if isinstance(view.target, Hull) else "figure"
    base = f", {view.expect[BASE].replace('/', ' of ')} of its base" if BASE in view.expect else ""
    return f"*To be seen: {view.expect['visible'].replace('/', ' of ')} points of the {what}{base}.*"


def main() -> int:
    found = scenes()
    wrong = [line for views in found.values() for view in views for line in disagreements(view)]
    PICTURES.mkdir(parents=True, exist_ok=True)
    for old in PICTURES.glob("*.svg"):
        old.unlink()
    for view in (view for views in found.values() for view in views):
        (PICTURES / f"{view.name}.svg").write_text(svg(picture(view)), encoding="utf-8")
    (PICTURES / "README.md").write_text(page(found), encoding="utf-8")
    print("\n".join([*wrong, f"{len(found)} scenes, {sum(map(len, found.values()))} pictures, {len(wrong)} disagreements"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
