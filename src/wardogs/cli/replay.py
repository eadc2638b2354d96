"""wardogs replay: read a game back, verify it, draw it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wardogs.cli import wanted
from wardogs.cli.output import called, emit, note, say, sentence
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.record import Record, read_record
from wardogs.kernel.replay import rebuild, verify


def replay(
    record: Annotated[Path, typer.Argument(help="The record of a game.")],
    verified: Annotated[bool, typer.Option("--verify", help="Run the rules again and recompute every die.")] = False,
    to: Annotated[int | None, typer.Option(help="Only up to this entry.", show_default=False)] = None,
    seat: Annotated[int | None, typer.Option(help="What this seat could know.", show_default="a spectator")] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the table as it stood then.", show_default=False)] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Read a game back in words, from its record alone; no rules are needed for that.

    \b
    Examples:
      wardogs replay game.wardogs
      wardogs replay game.wardogs --verify
      wardogs replay game.wardogs --to 12 --svg out.svg
    """
    read = read_record(record)
    _check_range(record, read, to, seat)
    if verified:
        _verify(record, read, json)
    elif svg is not None:
        _draw(record, read, to, seat, svg)
        if json:
            emit({"svg": str(svg), "entry": read.entries[-1].n if to is None else to})
    elif json:
        emit([{"entry": n, "rule": report.rule, "says": sentence(said)} for n, report, said in read.sentences(seat, to)])
    else:
        for n, report, said in read.sentences(seat, to):
            say(f"{n:4} {report.rule:11} {sentence(said)}")
        if not read.finished:
            note(f"{record}: not over yet; go on with: {called()} play --resume {record}")


def _check_range(path: Path, read: Record, to: int | None, seat: int | None) -> None:
    last = read.entries[-1].n
    if to is not None and not 0 <= to <= last:
        raise WardogsError(f"{path}: has entries 0 to {last}, not {to}")
    if seat is not None and not read.finished:
        raise WardogsError(f"{path}: not over yet: what a seat knows is told when the game is over")
    if seat is not None and seat not in read.header.setup.seats:
        raise WardogsError(f"{path}: has seats {', '.join(map(str, read.header.setup.seats))}, not {seat}")


def _verify(path: Path, read: Record, json: bool) -> None:
    try:
        checked = verify(wanted.system_named(read.header.system), read)
    except WardogsError as error:
        raise WardogsError(f"{path}: {error}") from None
    if json:
        emit({"entries": len(read.entries), "faces_checked": checked, "finished": read.finished, "hash": read.hash})
        return
    sealed = f"{checked} faces are what the sealed seed gives" if checked else "the seed is opened when the game ends"
    if read.header.dice == "typed":
        sealed = "its dice were typed in"
    say(f"{path}: {len(read.entries)} entries follow from the rules; {sealed}; hash {read.hash[:16]}")


def _draw(path: Path, read: Record, to: int | None, seat: int | None, svg: Path) -> None:
    from wardogs.scene.svg import svg as render

    match = rebuild(wanted.system_named(read.header.system), read, to)
    picture = render(match.system.scene(match.terms, match.seen(seat).view))
    try:
        svg.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise WardogsError(f"{svg}: cannot be written: {error.strerror}") from None
    note(f"{svg}: {path} after entry {read.entries[-1].n if to is None else to}")
