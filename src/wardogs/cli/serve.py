"""wardogs serve and wardogs backup: games over the network, and a copy of them all."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import typer

from wardogs.cli.output import say
from wardogs.kernel.errors import WardogsError

MOST = 1_000_000  # of anything in a second or an hour

Database = Annotated[
    str | None,
    typer.Option(
        help="Where the games are kept: a file, or postgresql://user@host/name; also WARDOGS_DATABASE.",
        envvar="WARDOGS_DATABASE",
        show_default="a file in your data folder",
        show_envvar=False,
    ),
]


def serve(
    host: Annotated[str, typer.Option(help="The address to serve on; 0.0.0.0 for all of this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 for any that is free.", min=0, max=65535)] = 8765,
    database: Database = None,
    workers: Annotated[int, typer.Option(help="Processes that serve: one a core; many want PostgreSQL.", min=1, max=64)] = 1,
    referees: Annotated[int, typer.Option(help="Processes for the rules, beside each worker.", min=0, max=64)] = 2,
    thinkers: Annotated[int, typer.Option(help="Processes for bots, beside each worker.", min=1, max=64)] = 1,
    public_url: Annotated[str, typer.Option(help="How people reach it, if not by its own address.", show_default=False)] = "",
    proxied: Annotated[
        bool, typer.Option("--proxied", help="A reverse proxy on this machine passes people's addresses on.")
    ] = False,
    rate: Annotated[float, typer.Option(help="Requests a second that are heard from one address.", min=0.1, max=MOST)] = 20.0,
    games_an_hour: Annotated[int, typer.Option(help="Games that one address may make in an hour.", min=1, max=MOST)] = 60,
    metrics_token: Annotated[
        str, typer.Option(help="Who knows it may read /metrics from afar.", envvar="WARDOGS_METRICS_TOKEN", show_default=False)
    ] = "",
    log_level: Annotated[Literal["debug", "info", "warning", "error"], typer.Option(help="How much it logs.")] = "info",
) -> None:
    """Serve games to people at other machines, until Ctrl-C. Everything they choose is on the disk before they are told so.

    \b
    Examples:
      wardogs serve
      wardogs serve --host 0.0.0.0 --database games.db
      wardogs serve --proxied --public-url https://games.example.org
      wardogs serve --workers 4 --database postgresql://wardogs@localhost/wardogs
    """
    with installed():
        from wardogs.server.config import Config, Limits
        from wardogs.server.database import default_url
        from wardogs.server.serving import serve as run
    check_url(public_url)
    check_rate(rate)
    limits = Limits(requests=rate, request_burst=max(1, int(rate * 5)), games_an_hour=games_an_hour)
    config = Config(
        default_url() if database is None else database, host, port, workers, referees, thinkers,
        public_url=public_url.rstrip("/"), proxied=proxied, metrics_token=metrics_token, log_level=log_level, limits=limits,
    )  # fmt: skip
    run(config, tell)
    say("Stopped; every game is kept.")


def tell(at: str, kept: str) -> None:
    """On stdout and at once: stderr is the log's, and whoever started this waits for the line."""
    say(f"Wardogs serves at {at} and keeps its games in {kept}; Ctrl-C stops it.")
    sys.stdout.flush()


def backup(
    file: Annotated[Path, typer.Argument(help="Where the copy goes; a new file.")],
    database: Database = None,
) -> None:
    """Copy all games while they go on: the SQLite database of a server, whole and as of one moment.

    \b
    Examples:
      wardogs backup monday.db
      wardogs backup monday.db --database games.db
    """
    with installed():
        from wardogs.server import database as server
    text = server.default_url() if database is None else database
    where = server.read_url(text)
    if where.get_backend_name() == "sqlite" and not Path(str(where.database)).is_file():
        raise WardogsError(f"{where.database}: no such database; name it with --database")
    engine = server.open_engine(text)
    server.backup(engine, file)
    engine.dispose()
    say(f"{file}: a copy of {server.shown(engine)}; to go back to it: wardogs serve --database {file}")


def check_url(url: str) -> None:
    """What is named is scheme, host and perhaps a port: links are made from it, and browsers compare their pages with it."""
    if url and not is_origin(url):
        shown = re.sub("//.*@", "//***@", url)  # somebody may have written a password
        raise WardogsError(f"--public-url {shown}: write it like https://games.example.org, without a path")


def is_origin(url: str) -> bool:
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    plain = url.isprintable() and not set(url) & set(" ?#@\\")
    return named and plain and parts.scheme in ("http", "https") and not parts.path.strip("/")


def check_rate(rate: float) -> None:
    """Whatever is no number is in no range, and out of none."""
    if isnan(rate):
        raise WardogsError("--rate nan: write a number of requests a second, like 20")


@contextmanager
def installed() -> Iterator[None]:
    """The server is an extra; without it all other commands work."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "wardogs":
            raise
        raise WardogsError(f"the server is not installed ({error.name} is missing): pip install 'wardogs[serve]'") from None
