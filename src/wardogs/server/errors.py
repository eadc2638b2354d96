"""What may go wrong between a client and a game; each says in one line what, and what to do about it."""

from __future__ import annotations


class ServerError(Exception):
    """A request that cannot be met; nothing has changed."""

    status = 400


class NoSuchLink(ServerError):
    """Unknown, old and other games' links and games are all answered alike: nobody learns which of them exist."""

    status = 404

    def __init__(self) -> None:
        super().__init__("no such game, or no such link to it: ask who invited you for a new one")


class Late(ServerError):
    """Somebody was first, or the message was sent twice."""

    status = 409

    def __init__(self, next_n: int, at: int = -1) -> None:
        when = "too soon" if at > next_n else "too late"
        super().__init__(f"{when}: the next entry of this game is number {next_n}; look at what has happened and choose again")
        self.next = next_n


class NotYours(ServerError):
    """Only another seat, or the umpire, may do this."""

    status = 403


class Broken(ServerError):
    """The rules failed in this game. It stands where it stood; other games are not touched."""

    status = 409

    def __init__(self) -> None:
        super().__init__("the rules failed here and nothing has changed: choose something else, or send the record to us")


class TooMuch(ServerError):
    """A limit is reached."""

    status = 429


class Unavailable(ServerError):
    """The database does not answer."""

    status = 503

    def __init__(self) -> None:
        super().__init__("the games cannot be written now and nothing has changed: try again in a moment")
