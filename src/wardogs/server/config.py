"""What the host of a server decides."""

from __future__ import annotations

from msgspec import Struct


class Limits(Struct, frozen=True):
    """How much one link may ask for."""

    messages: float = 30.0  # a second on one socket
    burst: int = 90  # at once
    strikes: int = 200  # heard too fast so often, one is shown out
    message_bytes: int = 64 * 1024
    body_bytes: int = 4 * 1024 * 1024  # of a request: an imported record is the largest
    requests: float = 20.0  # a second from one address
    request_burst: int = 100
    sockets_of_a_seat: int = 8
    games_an_hour: int = 60  # made from one address
    open_games: int = 50  # of one sign-in link


class Config(Struct, frozen=True):
    database: str
    host: str = "127.0.0.1"
    port: int = 8765
    workers: int = 1
    thinkers: int = 1  # processes for bots, beside each worker
    think: float = 10.0  # seconds that a bot may take for a decision
    public_url: str = ""  # how the outside reaches this server; its own address if empty
    proxied: bool = False  # behind a reverse proxy: believe what it says about addresses
    limits: Limits = Limits()
