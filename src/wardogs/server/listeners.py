"""Who hears what happens at a table."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from wardogs.server.telling import Audience


class Listener(Protocol):
    """A socket, or whatever else wants to hear what happens."""

    audience: Audience

    def tell(self, message: bytes) -> None:
        """Never waits: a listener that cannot keep up is dropped."""


@runtime_checkable
class Staying(Protocol):
    """A listener that asks for more than once by the link it came with."""

    audience: Audience
    secret: str  # the hash of that link

    def tell(self, message: bytes) -> None:
        """As any listener."""

    def show_out(self) -> None:
        """The link is no longer good: he hears nothing more, and may do nothing more."""
