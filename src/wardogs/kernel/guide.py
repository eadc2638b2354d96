"""A guided first game: what a newcomer is told, and when."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from wardogs.kernel.errors import WardogsError

START = "start"
Said = Annotated[str, Meta(min_length=1, max_length=400)]  # what fits on a small card


class Step(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing to say, when a question is put or something has been reported; `then` is an action to try."""

    when: Said  # START, the topic of a question, or a fact
    say: Said
    then: str = ""  # a verb


class Guide(Struct, frozen=True, forbid_unknown_fields=True):
    """The steps in order, and the scenario that is best for a first game."""

    scenario: str = ""
    steps: tuple[Step, ...] = ()


def read_guide(path: Path) -> Guide:
    """A file with `scenario` and any number of `[[steps]]`."""
    try:
        guide = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Guide)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise WardogsError(f"{path}: not a guide: {error}") from error
    if not guide.steps:
        raise WardogsError(f"{path}: not a guide: it has no [[steps]]")
    return guide
