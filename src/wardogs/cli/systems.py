"""wardogs systems: what there is to play."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from wardogs.cli import wanted
from wardogs.cli.output import emit, say
from wardogs.kernel.options import admitted
from wardogs.kernel.system import System


def systems(
    system: Annotated[str, typer.Argument(help="Tell more about this one: scenarios and house rules.")] = "",
    plain: Annotated[bool, typer.Option("--plain", help="The keys, one a line.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """What there is to play.

    \b
    Examples:
      wardogs systems
      wardogs systems dawgs
    """
    from wardogs.systems import KEYS

    loaded = [wanted.system_named(key) for key in ([system] if system else KEYS)]
    if plain:
        say("\n".join(one.key for one in loaded))
    elif json:
        emit([_summary(one) for one in loaded])
    elif system:
        _tell(loaded[0])
    else:
        for one in loaded:
            say(f"{one.key:8} {one.title}, {seats(one)}: {one.blurb}")


def seats(system: System) -> str:
    least, most = system.seats
    return f"{least} to {most} seats" if least < most else f"{most} seats"


def _summary(system: System) -> dict[str, object]:
    return {
        "key": system.key,
        "title": system.title,
        "seats": system.seats,
        "rules": len(system.register.rules),
        "rules_version": system.register.version,
        "scenarios": {name: raw["name"] for name, raw in system.scenarios.items()},
        "options": msgspec.to_builtins(system.options()),
    }


def _tell(system: System) -> None:
    say(f"{system.title}: {system.blurb}\n\nScenarios")
    for name, raw in system.scenarios.items():
        say(f"  {name:14} {raw['name']}. {raw.get('blurb', '')}")
    say("\nHouse rules (--options name=value; the default stands in brackets)")
    rows = [(name, _values(system, name, default), _about(system, name)) for name, default in _defaults(system).items()]
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    for name, values, about in rows:
        say(f"  {name:{first}}  {values:{second}}  {about}".rstrip())


def _defaults(system: System) -> dict[str, object]:
    found: dict[str, object] = msgspec.to_builtins(system.options())
    return found


def _values(system: System, name: str, default: object) -> str:
    """What it takes, the default in brackets: [true] | false."""
    usual, values = str(default).lower(), admitted(system.options, name).split(" or ")
    if usual not in values:
        return f"{values[0]} [{usual}]"
    return " | ".join(f"[{value}]" if value == usual else value for value in values)


def _about(system: System, name: str) -> str:
    """The rule that it changes."""
    rule = system.register.varied_by(name)
    return f"{rule} {system.register.rules[rule].name}" if rule else ""
