"""The register of a system's rules, and the score of what code and cases make of it."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from wardogs.kernel.errors import WardogsError

RULE_IDS = re.compile(r"\b([A-Z]{3}-[A-Z]{2,4})-(\d{2,3})((?:(?:, | and | to )-\d{2,3})*)")


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule in our words: where it comes from, how it was ruled, which switch varies it."""

    name: str
    text: str
    source: str = ""
    ruling: str = ""
    variant: str = ""


class Register(Struct, frozen=True):
    version: str
    rules: dict[str, Rule]

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(self.rules)

    def varied_by(self, option: str) -> str:
        """The first rule that a switch changes."""
        return next((id_ for id_, rule in self.rules.items() if option in rule.variant.split(", ")), "")

    def search(self, word: str) -> list[str]:
        """An id alone; else the rules that have the word in their name, then those that have it anywhere."""
        wanted = word.lower()
        if word.upper() in self.rules:
            return [word.upper()]
        found = [id_ for id_, rule in self.rules.items() if wanted in f"{id_} {rule.name}".lower()]
        return found + [id_ for id_, rule in self.rules.items() if id_ not in found and wanted in _all_of(rule)]


def _all_of(rule: Rule) -> str:
    return f"{rule.text} {rule.ruling} {rule.source} {rule.variant}".lower()


class Coverage(Struct, frozen=True):
    """How many rules there are, and those that no code names or no case shows."""

    rules: int
    missing_code: list[str]
    missing_cases: list[str]

    @property
    def complete(self) -> bool:
        return not self.missing_code and not self.missing_cases


def read_register(path: Path) -> Register:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        version = str(raw.pop("version"))
        return Register(version, msgspec.convert(raw, dict[str, Rule]))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, msgspec.ValidationError) as error:
        raise WardogsError(f"{path}: not a register of rules: {error}") from error


def ids_in_code(folder: Path) -> set[str]:
    """Every rule id that stands in a string of the Python files of a folder."""
    found: set[str] = set()
    for path in sorted(folder.glob("**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= ids_in_text(node.value)
    return found


def ids_in_text(text: str) -> set[str]:
    """The ids of a text; an area may be named once for several: `DAW-SPD-02 to -04, -08`."""
    found: set[str] = set()
    for area, first, more in RULE_IDS.findall(text):
        last = first
        found.add(f"{area}-{first}")
        for link, number in re.findall(r"(, | and | to )-(\d+)", more):
            between = range(int(last) + 1, int(number)) if link == " to " else ()
            found.update(f"{area}-{n:0{len(number)}}" for n in (*between, int(number)))
            last = number
    return found


def coverage(register: Register, code: Path, shown: Iterable[str]) -> Coverage:
    named, cased = ids_in_code(code), set(shown)
    return Coverage(
        len(register.rules),
        [id_ for id_ in register.rules if id_ not in named],
        [id_ for id_ in register.rules if id_ not in cased],
    )
