"""wardogs play: a game in the browser, or in the terminal."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

from wardogs.bots import BOTS, Bot, make_bot
from wardogs.cli import browser, wanted
from wardogs.cli.output import called, note, say
from wardogs.cli.savegame import Keeper, copy_game, new_path, resume_game
from wardogs.cli.terminal import Quit, Terminal
from wardogs.cli.wanted import PERSON
from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.fate import seed_from
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Seat
from wardogs.kernel.record import Setup, read_record
from wardogs.kernel.system import System


def play(
    system: Annotated[str, typer.Argument(help="Which game; you choose there if you leave it out.", show_default=False)] = "",
    scenario: wanted.Scenario = None,
    seats: wanted.Seats = "",
    teams: wanted.Teams = "",
    options: wanted.Options = [],  # noqa: B006
    options_file: wanted.OptionsFile = None,
    dice: Annotated[Literal["sealed", "typed"], typer.Option(help="typed: roll real dice and type what they show.")] = "sealed",
    seed: Annotated[str | None, typer.Option(help="Play the same dice again.", show_default="fresh")] = None,
    entropy: Annotated[str, typer.Option(help="Words of your own, mixed into every die.")] = "",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only tell the address.")] = False,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play right here.")] = False,
    record: Annotated[
        Path | None, typer.Option(help="In the terminal: keep the game here.", show_default="among your games")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="In the terminal: go on with this game.", show_default=False)] = None,
) -> None:
    """Play in the browser, served by this machine: you in seat 1 against drilled bots, unless --seats says otherwise.

    \b
    Examples:
      wardogs play
      wardogs play dawgs --scenario courier
      wardogs play dogs --scenario crossroads
      wardogs play dawgs --seats 1=person,2=person
      wardogs play dogs --dice typed
      wardogs play dawgs --terminal
    """
    if dice == "typed" and (seed is not None or entropy):
        raise WardogsError("typed dice have no seed: leave --seed and --entropy out")
    flags = Flags(scenario, seats, teams, options, options_file)
    luck = Luck(dice, seed, entropy)
    if resume is not None:
        if any(flags) or seed or entropy or record or dice == "typed":
            raise WardogsError("a resumed game goes on as it was set up: give --resume alone")
        match, path = _resumed(resume)
        run(match, _bots(match, seed), path, resumed=True)
    elif terminal or record is not None or browser.is_missing():
        in_terminal(system or which_game(), flags, luck, record)
    else:
        browser.play(_laid(system, flags, luck), look=not no_browser)


class Flags(NamedTuple):
    """How the game shall be set up."""

    scenario: str | None
    seats: str
    teams: str
    options: list[str]
    file: Path | None


class Luck(NamedTuple):
    dice: str
    seed: str | None
    entropy: str


def in_terminal(system: str, flags: Flags, luck: Luck, record: Path | None) -> None:
    loaded = wanted.system_named(system)
    setup, named = wanted.plan(loaded, *flags)
    path = record or new_path(system)
    match = _started(loaded, setup, _players(setup, named), path, _seed(luck.dice, luck.seed), luck.entropy)
    run(match, _bots(match, luck.seed), path, resumed=False)


def _bots(match: Match, seed: str | None) -> dict[Seat, Bot]:
    luck = seed if seed is not None else secrets.token_hex(16)  # never from what the header shows: bots must not be read
    return {seat: make_bot(name, luck, seat) for seat, name in match.header.players.items() if name != PERSON}


def _laid(system: str, flags: Flags, luck: Luck) -> browser.Wish | None:
    """The game that the browser opens, checked while a mistake can still be told; None: people choose one there."""
    if not system:
        if any(flags) or luck != Luck("sealed", None, ""):
            raise WardogsError("these flags are for one game: say which, for example wardogs play dawgs --seats 4")
        return None
    loaded = wanted.system_named(system)
    setup, named = wanted.plan(loaded, *flags)
    wish, _ = wanted.wished(loaded, *flags)
    return browser.Wish(system, wish, _players(setup, named), _seed(luck.dice, luck.seed), luck.entropy)


def which_game(read: Callable[[str], str] = input) -> str:
    """Ask a person; where nobody can be asked it is the first."""
    from wardogs.systems import KEYS

    if not sys.stdin.isatty():
        return KEYS[0]
    for number, key in enumerate(KEYS, 1):
        loaded = wanted.system_named(key)
        say(f"  {number}  {loaded.title}: {loaded.blurb}")
    while True:
        try:
            typed = read("Which game? ").strip().lower()
        except EOFError:
            return KEYS[0]
        if typed in KEYS:
            return typed
        if typed.isdigit() and 1 <= int(typed) <= len(KEYS):
            return KEYS[int(typed) - 1]
        say(f"Type a number from 1 to {len(KEYS)}.")


def _players(setup: Setup, named: dict[Seat, str]) -> dict[Seat, str]:
    default = dict.fromkeys(setup.seats, "drill") if named else dict.fromkeys(setup.seats, "drill") | {setup.seats[0]: PERSON}
    players = {seat: named.get(seat, default[seat]) for seat in setup.seats}
    for name in players.values():
        if name not in (*BOTS, PERSON, "me"):
            raise unknown("bot", name, [*BOTS, PERSON])
    players = {seat: PERSON if name == "me" else name for seat, name in players.items()}
    if PERSON not in players.values():
        raise WardogsError("no seat is yours: name one, for example --seats 1=person,2=drill, or watch with wardogs bout")
    return players


def _seed(dice: str, seed: str | None) -> bytes | None:
    if dice == "typed":
        return None
    return seed_from(seed) if seed is not None else secrets.token_bytes(32)


def _started(system: System, setup: Setup, players: dict[Seat, str], path: Path, seed: bytes | None, entropy: str) -> Match:
    match = Match.start(system, setup, players, seed, entropy, sink=Keeper(path, system, seed))
    raw = setup.scenario
    say(f"{system.title}: {raw['name']}. {raw.get('blurb', '')}".rstrip())
    for seat in (seat for seat, player in players.items() if player == PERSON):
        say(system.briefing(match.terms, seat))
    if seed is not None:
        say(f"The dice are sealed: {match.header.commitment[:16]}…; the seed is opened at the end.")
    return match


def _resumed(path: Path) -> tuple[Match, Path]:
    record = read_record(path)
    say(f"{record.header.setup.scenario['name']}, taken up again after entry {record.entries[-1].n}; log tells what was before.")
    return resume_game(wanted.system_named(record.header.system), path, record), path


def save_picture(path: Path, turn: int, drawn: str) -> str:
    """Beside the record, one for each turn; a game that cannot be drawn to disk goes on."""
    to = path.with_name(f"{path.stem}-turn-{turn}.svg")
    try:
        to.write_text(drawn, encoding="utf-8")
    except OSError as error:
        return f"not saved ({error.strerror})"
    return str(to)


def run(match: Match, bots: dict[Seat, Bot], path: Path, resumed: bool) -> None:
    try:
        Terminal(
            match, bots, save=lambda to: copy_game(path, Path(to).expanduser()), resumed=resumed,
            picture=lambda turn, drawn: save_picture(path, turn, drawn),
        ).play()  # fmt: skip
        say(f"\nThe whole game: {called()} replay {path}\nCheck every die: {called()} replay {path} --verify")
    except (Quit, KeyboardInterrupt):
        note(f"\nThe game is kept. Go on with: {called()} play --resume {path}")
