"""What the host of a server decides."""

from __future__ import annotations

from msgspec import Struct


class Limits(Struct, frozen=True):
    """How much one link, or one address, may ask for. Nobody on the server's own machine is held to what an address may."""

    messages: float = 30.0  # a second on one socket
    burst: int = 90  # at once
    strikes: int = 200  # heard too fast so often, one is shown out
    message_bytes: int = 64 * 1024
    body_bytes: int = 4 * 1024 * 1024  # of a request: an imported record is the largest
    requests: float = 20.0  # a second from one address; a socket that opens is one too
    request_burst: int = 100  # at once
    addresses: int = 20_000  # remembered at a time
    sockets_of_a_seat: int = 8
    spectators: int = 200  # of one game
    games_an_hour: int = 60  # made from one address
    open_games: int = 50  # of one sign-in link


class Config(Struct, frozen=True):
    database: str
    host: str = "127.0.0.1"
    port: int = 8765
    workers: int = 1
    referees: int = 2  # processes for the rules, beside each worker; 0: it runs them itself, and its sockets wait for them
    thinkers: int = 1  # processes for bots, beside each worker
    think: float = 10.0  # seconds that a bot may take for a decision
    absent: float = 60.0  # seconds that a seat may be empty before other players may hand it to a bot
    public_url: str = ""  # how the outside reaches this server; its own address if empty
    proxied: bool = False  # behind a reverse proxy: believe what it says about addresses
    metrics_token: str = ""  # who may read the metrics from afar; nobody if empty
    log_level: str = "info"
    inner_webhooks: bool = False  # notices may go to this machine and its own network
    limits: Limits = Limits()
