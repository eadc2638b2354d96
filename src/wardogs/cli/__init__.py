"""The command line."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from wardogs import __version__
from wardogs.cli.bout import bout
from wardogs.cli.case import case
from wardogs.cli.lookout import reach, sight
from wardogs.cli.map import map_app
from wardogs.cli.muster import muster_app
from wardogs.cli.odds import odds
from wardogs.cli.output import note, say
from wardogs.cli.play import play
from wardogs.cli.replay import replay
from wardogs.cli.rules import rules
from wardogs.cli.serve import backup, serve
from wardogs.cli.systems import systems
from wardogs.kernel.errors import WardogsError

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def wardogs(version: Annotated[bool, typer.Option("--version", help="Tell the version.")] = False) -> None:
    """Wardogs plays tabletop war games by the book."""
    if version:
        say(f"wardogs {__version__}")


for command in (play, serve, backup, bout, replay, case, rules, odds, systems):
    app.command()(command)
map_app.command()(sight)
map_app.command()(reach)
app.add_typer(map_app, name="map")
app.add_typer(muster_app, name="muster")

UsageError: type[typer.BadParameter] = typer.BadParameter.__mro__[
    1
]  # a call that typer cannot read; it has no name of its own there


def main(args: list[str] | None = None) -> None:
    """Exit 0 done, 1 the answer is no, 2 the call or the file is wrong: one clear line, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = app(args or sys.argv[1:] or ["--help"], standalone_mode=False)
    except WardogsError as error:
        note(f"wardogs: {error}")
        code = 2
    except UsageError as error:
        note(f"wardogs: {error.format_message()} (see wardogs --help)")
        code = 2
    except (KeyboardInterrupt, typer.Abort):
        note("wardogs: stopped")
        code = 130
    except BrokenPipeError:
        code = 0
    except FileNotFoundError as error:
        note(f"wardogs: no such file: {error.filename}")
        code = 2
    except OSError as error:
        note(f"wardogs: {error}")
        code = 2
    sys.exit(code if isinstance(code, int) else 0)
