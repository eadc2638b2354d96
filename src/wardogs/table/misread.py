"""What is wrong with the text of a map, in words: `building 2 (B2), opening 3: unknown field "widht": did you mean width?`"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from wardogs.table import model
from wardogs.table.kinds import Kind
from wardogs.table.words import PARTS, WORDS, called, safe

STRUCTS: dict[str, type[Struct]] = {
    "": model.Map, "building": model.Building, "wall": model.Wall, "area": model.Area, "hill": model.Hill, "slope": model.Slope,
    "pit": model.Pit, "slab": model.Slab, "thing": model.Thing, "ladder": model.Ladder, "zone": model.Zone,
    "opening": model.Opening, "stairs": model.Stairs, "room": model.RoomName, "kinds": Kind,
}  # fmt: skip
NUMBERED = {"polygon": "corner"}  # what the items of a list of figures are called
TYPES = {
    "float": "a figure in inches", "int": "a whole number", "str": "a word in quotes", "bool": "true or false",
    "array": "a list", "object": "a table", "float | array": "a figure or [x, y]",
}  # fmt: skip
GIVEN = {
    "float": "a broken number", "int": "a number", "str": "a word", "bool": "true or false", "array": "a list",
    "object": "a table", "date": "a date", "datetime": "a date", "time": "a time",
}  # fmt: skip


def in_words(error: msgspec.ValidationError, raw: dict[str, Any]) -> str:
    """The place and the fault of a map that is not as it should be."""
    text, _, path = str(error).partition(" - at `$")
    steps = [int(step[1:-1]) if step[1:-1].isdigit() else step.strip(".") for step in re.findall(r"\.\w+|\[[^]]*\]", path)]
    if steps[:2] == ["kinds", "[...]"] and (name := _bad_kind(raw)):
        steps[1] = name
    places, struct, field = _walk(steps, raw)
    return ": ".join(part for part in (", ".join(places), _fault(text, struct, field)) if part)


def _bad_kind(raw: dict[str, Any]) -> str:
    """The kind that is wrong: the message does not tell."""
    for name, kind in raw["kinds"].items():
        try:
            msgspec.convert(kind, Kind)
        except msgspec.ValidationError:
            return str(name)
    return ""


def _walk(steps: list[str | int], raw: Any) -> tuple[list[str], type[Struct], str]:
    """The path in words, the record that it ends in, and the field of that record."""
    places: list[str] = []
    struct, field, word, here = STRUCTS[""], "", "", raw
    for step in steps:
        here = _inside(here, step)
        if isinstance(step, int) and word and word in STRUCTS:
            struct, field = STRUCTS[word], ""
            places[-1] = called(word, step + 1, _id(here))
        elif isinstance(step, int):
            places.append(f"{NUMBERED.get(word, 'figure')} {step + 1}")
            word = ""
        elif word == "kinds":
            struct, field, word = Kind, "", ""
            places[-1] = f"kinds.{safe(step)}"
        else:
            field = step
            word = PARTS.get(step, step)
            places.append(step)
    return places, struct, field


def _inside(here: Any, step: str | int) -> Any:
    try:
        return here[step]
    except (KeyError, IndexError, TypeError):
        return None


def _id(here: Any) -> str:
    named = here.get("id", "") if isinstance(here, dict) else ""
    return named if isinstance(named, str) else ""


def _fault(text: str, struct: type[Struct], field: str) -> str:
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", text, re.DOTALL):
        return f'unknown field "{safe(found[1])}": {_near(found[1], struct.__struct_encode_fields__)}'
    if found := re.fullmatch(r"Object missing required field `(.*)`", text):
        return f"{found[1]} is missing: write {found[1]} = ..."
    if found := re.fullmatch(r"Invalid enum value '?(.*?)'?", text, re.DOTALL):
        return f'"{safe(found[1])}" is none of {", ".join(_allowed(struct, field))}'
    if found := re.fullmatch(r"Expected `array` of length (\d+), got (\d+)", text):
        return f"must have {found[1]} figures, not {found[2]}"
    if found := re.fullmatch(r"Expected `(.*)`, got `(.*)`", text):
        return _mistyped(found[1], found[2], struct, field)
    if text == "Number out of range":
        return "is far too large: write a figure in inches"
    return text[:1].lower() + text[1:]


def _mistyped(wanted: str, got: str, struct: type[Struct], field: str) -> str:
    kind = wanted.removesuffix(" | null")
    if struct is model.Map and field in WORDS.values():
        return f"write [[{field}]] with two brackets, once for each"
    return f"must be {TYPES.get(kind, kind)}, not {GIVEN.get(got, got)}"


def _near(name: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"


def _allowed(struct: type[Struct], field: str) -> list[str]:
    """The words that a field may have."""
    hint = get_type_hints(struct).get(field)
    options = [hint, *get_args(hint)]
    return [
        str(word) for option in options if get_origin(option) is not None for word in get_args(option) if isinstance(word, str)
    ]
