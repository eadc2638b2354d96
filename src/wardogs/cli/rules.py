"""wardogs rules: look a rule up, or count what code and cases make of the register."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wardogs.cli.output import emit, say
from wardogs.cli.wanted import system_named
from wardogs.kernel.cases import find_cases, read_cases, shown_by
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.register import Coverage, Register, coverage
from wardogs.kernel.system import System


def rules(
    system: Annotated[str, typer.Argument(help="Which game, for example dawgs.")],
    word: Annotated[str, typer.Argument(help="A rule id or a word to look for.")] = "",
    covered: Annotated[bool, typer.Option("--coverage", help="Count the rules that code names and cases show.")] = False,
    cases: Annotated[Path | None, typer.Option(help="Where the cases are.", show_default="tests/cases/SYSTEM")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """The register of a game's rules, in our words.

    \b
    Examples:
      wardogs rules dawgs DAW-BRK-03
      wardogs rules dawgs breakup
      wardogs rules dawgs --coverage
    """
    loaded = system_named(system)
    if covered:
        _count(loaded, cases or Path("tests/cases") / system, json)
        return
    found = loaded.register.search(word)
    if not found:
        raise WardogsError(f"no rule of {loaded.title} has {word!r} in it; try a shorter word")
    if json:
        emit({id_: loaded.register.rules[id_] for id_ in found})
    else:
        _tell(loaded.register, found)


def _tell(register: Register, found: list[str]) -> None:
    whole = len(found) <= 5
    for id_ in found:
        rule = register.rules[id_]
        say(f"{id_}  {rule.name}" + (f"\n  {rule.text}" if whole else ""))
        for label, text in (("source", rule.source), ("ruling", rule.ruling), ("switch", rule.variant)):
            if whole and text:
                say(f"  {label}: {text}")


def _count(system: System, folder: Path, json: bool) -> None:
    if not folder.exists():
        raise WardogsError(f"{folder}: no cases there; say where they are with --cases FOLDER")
    shown = shown_by((one for path in find_cases([folder]) for one in read_cases(path)), system.key)
    score = coverage(system.register, system.folder, shown)
    if json:
        emit(score)
    else:
        _tell_score(score)
    raise typer.Exit(0 if score.complete else 1)


def _tell_score(score: Coverage) -> None:
    for title, missing in (("named by no code", score.missing_code), ("shown by no case", score.missing_cases)):
        if missing:
            say(f"{title}: {', '.join(missing)}")
    named, shown = score.rules - len(score.missing_code), score.rules - len(score.missing_cases)
    say(f"{score.rules} rules: {named} named in code, {shown} shown by a case")
