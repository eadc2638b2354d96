"""wardogs muster: make up, check, cost, show and convert rosters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wardogs.cli.output import emit, note, say
from wardogs.cli.wanted import Options
from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.options import choose_options, parse_pairs

if TYPE_CHECKING:
    from wardogs.muster.forms import Force

muster_app = typer.Typer(rich_markup_mode=None, invoke_without_command=True)

Source = Annotated[
    str, typer.Argument(help="A roster: a file (TOML, text or JSON), its link, or - for what is piped in.", show_default=False)
]
Limit = Annotated[int | None, typer.Option(help="Points allowed.", show_default="as the roster says", min=0)]
Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]
Form = Annotated[str, typer.Option("--to", help="toml, text (for a chat), link (one line) or json.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Write it here.", show_default="the screen")]
Force_ = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


@muster_app.callback()
def muster(context: typer.Context) -> None:
    """Rosters by points: make up, check, cost, show, convert."""
    if context.invoked_subcommand is None:
        say(context.get_help())


@muster_app.command()
def new(
    system: Annotated[str, typer.Argument(help="Which game, for example dogs.", show_default=False)],
    points: Annotated[int, typer.Option(help="What it may cost.", min=1, max=100_000)] = 500,
    seed: Annotated[int, typer.Option(help="The same seed gives the same force.")] = 1,
    of: Annotated[str | None, typer.Option(help="A list or a faction; see wardogs muster lists.", show_default="any")] = None,
    options: Options = [],  # noqa: B006
    to: Form = "toml",
    out: Out = None,
    force: Force_ = False,
) -> None:
    """Make up a legal force by chance.

    \b
    Examples:
      wardogs muster new dogs
      wardogs muster new dogs --points 750 --of us_rangers --seed 7 -o rangers.toml
      wardogs muster new dogs --of Somalia --to text
    """
    from wardogs.muster import NEAR, musterer
    from wardogs.muster.forms import Force

    by = musterer(system)
    made = Force(by, by.random(points, seed, of, choose_options(by.options, parse_pairs(options))))
    _put(made, to, out, force)
    if (cost := by.cost(made.roster)) < NEAR * points:
        note(f"{cost} of {points} points: nothing of use that its lists sell comes nearer")


@muster_app.command()
def check(
    sources: Annotated[list[str], typer.Argument(help="Rosters: files, links, or -.", show_default=False)],
    points: Limit = None,
    mixed: Annotated[bool, typer.Option("--mixed", help="Allow several factions in one force.")] = False,
    options: Options = [],  # noqa: B006
    json: Json = False,
) -> None:
    """Check rosters: exit 0 if all are legal, 1 with everything that is against the rules, 2 if one cannot be read.

    \b
    Examples:
      wardogs muster check rangers.toml
      wardogs muster check rangers.toml --points 400
      wardogs muster check *.toml --options reconstructed_options=false --json
    """
    told = [_checked(source, points, mixed, options) for source in sources]
    if json:
        emit([result for result, _ in told])
    else:
        for result, _ in told:
            _tell(result)
    raise typer.Exit(max(code for _, code in told))


def _checked(source: str, points: int | None, mixed: bool, pairs: list[str]) -> tuple[dict[str, Any], int]:
    """What to say about a roster, and the exit code."""
    try:
        by, roster = _read(source)
    except WardogsError as error:
        return {"file": source, "legal": False, "unreadable": str(error)}, 2
    options = choose_options(by.options, parse_pairs(pairs))
    limit = roster.points if points is None else points
    found = [_fault(by.sentence(fault), fault) for fault in by.violations(roster, limit, options, mixed=mixed)]
    notes = [_fault(by.sentence(fault), fault) for fault in by.notes(roster)]
    told = {"file": source, "legal": not found, "cost": by.cost(roster), "points": limit, "violations": found, "notes": notes}
    return told, 1 if found else 0


def _fault(says: str, fault: Any) -> dict[str, Any]:
    return {"rule": fault.rule, "fact": fault.fact, "data": fault.data, "says": says}


def _tell(result: dict[str, Any]) -> None:
    if "unreadable" in result:
        note(f"wardogs: {result['unreadable']}")
        return
    file = result["file"]
    for fault in result["violations"]:
        say(f"{file}: {fault['says']}")
    for fault in result["notes"]:
        say(f"{file}: note: {fault['says']}")
    if result["legal"]:
        say(f"{file}: legal: {result['cost']} of {result['points']} points")


@muster_app.command()
def cost(source: Source, json: Json = False) -> None:
    """What a roster costs, line by line.

    \b
    Examples:
      wardogs muster cost rangers.toml
      wardogs muster cost rangers.toml --json
    """
    by, roster = _read(source)
    if json:
        emit({"cost": by.cost(roster), "points": roster.points, "teams": by.bill(roster)})
    else:
        say(by.bill_text(roster))


@muster_app.command()
def show(source: Source, options: Options = [], json: Json = False) -> None:  # noqa: B006
    """Every soldier as he steps onto the table: abilities, armor, weapons, what is loaded and what is spare.

    \b
    Examples:
      wardogs muster show rangers.toml
      wardogs muster show rangers.toml --options vest_covers_abdomen=true
    """
    by, roster = _read(source)
    chosen = choose_options(by.options, parse_pairs(options))
    if json:
        emit({"system": by.key, "name": roster.name, "cost": by.cost(roster), "teams": by.soldiers(roster, chosen)})
    else:
        say(by.sheet(roster, chosen))


@muster_app.command()
def convert(source: Source, to: Form = "text", out: Out = None, force: Force_ = False) -> None:
    """Turn a roster into another form; every form is read back.

    \b
    Examples:
      wardogs muster convert rangers.toml
      wardogs muster convert rangers.toml --to link
      wardogs muster convert message.txt --to toml -o rangers.toml
    """
    _put(_read(source), to, out, force)


@muster_app.command()
def lists(
    system: Annotated[str, typer.Argument(help="Which game, for example dogs.", show_default=False)],
    of: Annotated[str, typer.Argument(metavar="[LIST]", help="Tell more about this one: men, weapons, prices.")] = "",
) -> None:
    """The team lists and what they may buy, with the ids that rosters use.

    \b
    Examples:
      wardogs muster lists dogs
      wardogs muster lists dogs us_rangers
    """
    from wardogs.muster import musterer

    say(musterer(system).catalogue(of))


def _read(source: str) -> Force:
    from wardogs.muster.forms import read

    return read(source)


def _put(made: Force, form: str, out: Path | None, force: bool) -> None:
    """To the screen or, whole or not at all, into a file."""
    from wardogs.muster.forms import FORMS, write

    if form not in FORMS:
        raise unknown("form", form, FORMS)
    text = write(made, form)
    if out is None:
        say(text.rstrip("\n"))
        return
    from wardogs.table.mapfile import write_whole

    write_whole(out, text.encode(), force)
    note(f"{out}: {made.by.cost(made.roster)} of {made.roster.points} points")
