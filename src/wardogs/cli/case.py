"""wardogs case: run rule cases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wardogs.cli.output import emit, say
from wardogs.cli.wanted import system_named
from wardogs.kernel.cases import Case, CaseFailed, find_cases, read_cases, run_case
from wardogs.kernel.errors import WardogsError

Paths = Annotated[list[Path], typer.Argument(help="Case files, or folders of them.", show_default=False)]


def case(
    paths: Paths,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Name the cases that pass, too.")] = False,
) -> None:
    """Run rule cases: exit 1 if the rules do not do what a case says.

    \b
    Examples:
      wardogs case tests/cases/dawgs
    """
    failures: list[dict[str, str]] = []
    count = 0
    for path in find_cases(paths):
        for one in read_cases(path):
            count += 1
            if why := _failure(path, one):
                failures.append({"file": str(path), "title": one.title, "why": why})
            elif verbose:
                say(f"ok    {one.title}")
    if json:
        emit({"cases": count, "failed": failures})
    else:
        for failed in failures:
            say(f"FAIL  {failed['file']}: {failed['title']}: {failed['why']}")
        say(f"{count - len(failures)} passed, {len(failures)} failed")
    raise typer.Exit(1 if failures else 0)


def _failure(path: Path, one: Case) -> str:
    try:
        run_case(system_named(one.system), one)
    except CaseFailed as failed:
        return str(failed)
    except WardogsError as error:
        raise WardogsError(f"{path}: {one.title}: {error}") from None
    return ""
