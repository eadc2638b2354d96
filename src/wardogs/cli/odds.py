"""wardogs odds: exact odds, from the rules themselves."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from wardogs.cli import wanted
from wardogs.cli.output import emit
from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.options import parse_pairs
from wardogs.kernel.system import OddsTable


def odds(
    system: Annotated[str, typer.Argument(help="Which game, for example dawgs.")],
    table: Annotated[str, typer.Argument(help="Which table; all if left out.")] = "",
    where: Annotated[list[str], typer.Argument(help="Only rows with column=value, for example speed=2.")] = [],  # noqa: B006
    json: Annotated[bool, typer.Option("--json", help="One JSON document, exact fractions.")] = False,
) -> None:
    """Exact odds of an attack or a check, computed by running the rules in every way the dice can fall.

    \b
    Examples:
      wardogs odds dawgs
      wardogs odds dawgs fire speed=2
      wardogs odds dawgs breakup --json
      wardogs odds dogs attack weapon=m249 role=gunner mode=FA targets=3 range=14
      wardogs odds dogs attack aimed=yes cover=brick range=20 at=us_rangers by=al_qaeda
    """
    tables = wanted.system_named(system).odds_tables
    if table and table not in tables:
        raise unknown("table of odds", table, tables)
    chosen = {name: _rows(tables[name], parse_pairs(where)) for name in ([table] if table else tables)}
    if json:
        emit(chosen)
    else:
        for name, rows in chosen.items():
            _show(tables[name], rows)


def _rows(table: OddsTable, where: dict[str, str]) -> list[dict[str, Any]]:
    if table.asked is not None:
        for name in where:
            if name not in table.takes:
                raise unknown("description", name, table.takes)
        return [dict(zip(table.columns, row, strict=True)) for row in table.asked(where)]
    for column in where:
        if column not in table.columns:
            raise unknown("column", column, table.columns)
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows()]
    found = [row for row in rows if all(str(row[column]) == value for column, value in where.items())]
    if not found:
        raise WardogsError(f"no row of {table.title!r} has {', '.join(f'{k}={v}' for k, v in where.items())}")
    return found


def _show(table: OddsTable, rows: list[dict[str, Any]]) -> None:
    shown = Table(title=f"{table.title} ({table.rule})", title_justify="left")
    for column in table.columns:
        shown.add_column(column, justify="right")
    for row in rows:
        shown.add_row(*(_said(value) for value in row.values()))
    console = Console(highlight=False)
    console.print(shown)
    if table.takes:
        console.print("You may describe it, name=value:")
        for name, about in table.takes.items():
            console.print(f"  {name:13} {about}")


def _said(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value} ({float(value):.0%})" if isinstance(value, Fraction) and 0 < value < 1 else str(value)
