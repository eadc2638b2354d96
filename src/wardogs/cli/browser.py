"""wardogs play in the browser: a server for this machine alone, and a game laid ready in it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import webbrowser
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import wardogs
from wardogs.cli.output import called, note, say
from wardogs.cli.wanted import PERSON
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.garbage import look_seldom
from wardogs.kernel.offers import Seat
from wardogs.kernel.system import Wanted

if TYPE_CHECKING:
    from wardogs.server.inviting import Laid

HERE, PORT = "127.0.0.1", 8765  # the same each time if it is free: a browser remembers games by the address
NEEDED = ("alembic", "fastapi", "httptools", "psycopg", "sqlalchemy", "uvicorn", "websockets")
PAGE = Path(wardogs.__file__).parent / "client" / "index.html"


class Wish(NamedTuple):
    """A game to be laid ready; without a seed the dice are typed."""

    system: str
    wanted: Wanted
    players: dict[Seat, str]
    seed: bytes | None
    entropy: str


def is_missing() -> bool:
    """The server is an extra; where it is not, one plays in the terminal and is told why."""
    if not hasattr(os, "fork"):
        note("This system cannot serve games to a browser, so you play in the terminal.")
        return True
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        note(f"{missing[0]} is missing, so you play in the terminal; for the browser: pip install 'wardogs[serve]'")
    return bool(missing)


def play(wish: Wish | None, look: bool) -> None:
    """Serve until Ctrl-C. The rules of the game are read before the server forks, so that it has them at once."""
    look_seldom()  # all that is read now stays
    from wardogs.server.config import Config
    from wardogs.server.database import default_url
    from wardogs.server.serving import serve

    if not PAGE.is_file():
        raise WardogsError("the browser client is not built: make client; or play with --terminal")
    config = Config(default_url(), HERE, free_port(), log_level="warning")
    laid: list[Laid] = []

    def started(at: str, kept: str) -> None:
        if wish is not None:
            laid.append(lay(config.database, at, wish))
        invite(laid[0].link if laid else f"{at}/", look)
        import_module("wardogs.server.desk")  # while the browser opens: the workers are born with it

    serve(config, started)
    say(come_back(laid[0] if laid else None))


def free_port() -> int:
    """The usual one, or any: another Wardogs may serve there."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as port:
        port.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            port.bind((HERE, PORT))
        except OSError:
            return 0
    return PORT


def lay(database: str, at: str, wish: Wish) -> Laid:
    from wardogs.server.games import NewGame
    from wardogs.server.inviting import lay_table

    new = NewGame(
        wish.system, wish.wanted, wish.players, typed_dice=wish.seed is None, entropy=wish.entropy, seed=wish.seed
    )  # fmt: skip
    laid = lay_table(database, at, new)
    people = [seat for seat, player in wish.players.items() if player == PERSON]
    for seat in people[1:]:
        say(f"Seat {seat} is another person's: {laid.links[seat]}")
    return laid


def invite(link: str, look: bool) -> None:
    """On stdout and at once: whoever started this waits for the line."""
    if look and not can_look():
        say("There is no display here to open a browser on; open the link yourself.")
    elif look:
        show(link)
    say(f"Play at {link}\nCtrl-C stops the server; your games are kept.")
    sys.stdout.flush()


def can_look() -> bool:
    """A browser in this terminal would be in the way; one that somebody has named is wanted."""
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    if not screen and sys.platform not in ("darwin", "win32"):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def show(link: str) -> None:
    """In a process of its own: some browsers answer only after seconds, and Ctrl-C is not meant for them."""
    quiet = subprocess.DEVNULL
    subprocess.Popen(
        [sys.executable, "-m", "webbrowser", link], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
    )  # fmt: skip


def come_back(laid: Laid | None) -> str:
    """The link, at the address that the server has next time."""
    again = f"\nStopped; your games are kept. Go on with: {called()} play"
    return f"{again}, then open http://{HERE}:{PORT}/#{laid.link.partition('#')[2]}" if laid else again
