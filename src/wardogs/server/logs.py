"""What the server writes about itself: one JSON object a line on stderr, or a line for people if a terminal reads it.

A line is built up from fields that may be told, as a view is: no key, no seed, no choice, no view, and of an exception only
its type and where it was raised, for what it says may hold any of these.
"""

from __future__ import annotations

import logging
import re
import sys
import time
import traceback
from typing import Any, TextIO

import msgspec

from wardogs.server.metrics import Metrics, metrics

LEVELS = ("debug", "info", "warning", "error")
TOLD = ("game", "n", "seat", "system", "error", "at", "worker", "status", "seconds", "jobs", "bot", "kind", "why")
OURS = "wardogs"
LONGEST = 200
FRAMES = 4
NO_ERRORS = (  # what uvicorn calls so: a client's fault, and a socket that we refuse with a reason
    "Invalid UTF-8 sequence received from client.",
    "ASGI callable returned without completing handshake.",
)


def fields(record: logging.LogRecord) -> dict[str, Any]:
    """All of a record that may be told."""
    told: dict[str, Any] = {
        "time": f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03d}Z",
        "level": record.levelname.lower(),
        "from": record.name,
        "what": _what(record),
    }
    told |= {name: value for name in TOLD if (value := record.__dict__.get(name)) is not None}
    if record.exc_info and record.exc_info[1] is not None:
        told |= {"error": type(record.exc_info[1]).__name__, "at": where(record.exc_info[1])}
    elif told["what"].startswith("Traceback"):
        told |= {"what": "failed", **_printed(str(record.msg))}
    return told


def _printed(traceback_: str) -> dict[str, Any]:
    """Of a traceback that somebody has written out already."""
    frames = re.findall(r'File "[^"]*", line (\d+), in (\w+)', traceback_)
    kind = traceback_.strip().splitlines()[-1].partition(":")[0]
    return {"error": kind[:LONGEST], "at": [f"{name}:{line}" for line, name in frames[-FRAMES:]]}


def _what(record: logging.LogRecord) -> str:
    """Other people's lines may end in what went wrong, word for word: of them only the beginning is told."""
    if record.name.partition(".")[0] == OURS:
        return record.getMessage()[:LONGEST]
    return str(record.msg).strip().partition("\n")[0].partition("(")[0].strip()[:LONGEST]


def where(error: BaseException) -> list[str]:
    """The last functions that an exception came through."""
    return [f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-FRAMES:]]


class Lines(logging.Formatter):
    """For programs."""

    def format(self, record: logging.LogRecord) -> str:
        return msgspec.json.encode(fields(record), enc_hook=lambda value: type(value).__name__).decode()


class Words(logging.Formatter):
    """For people."""

    def format(self, record: logging.LogRecord) -> str:
        told = fields(record)
        told.pop("from")
        clock, level, what = told.pop("time")[11:19], told.pop("level"), told.pop("what")
        rest = "  ".join(f"{name}={','.join(value) if isinstance(value, list) else value}" for name, value in told.items())
        return f"{clock} {level:7} {what}{'  ' if rest else ''}{rest}"


class Counted(logging.Filter):
    """Errors are counted as they are written; what is no error is neither."""

    def __init__(self, board: Metrics = metrics) -> None:
        super().__init__()
        self.board = board

    def filter(self, record: logging.LogRecord) -> bool:
        if record.msg in NO_ERRORS:
            return False
        if record.levelno >= logging.ERROR:
            self.board.count("errors")
        return True


def start(level: str, stream: TextIO | None = None) -> logging.Handler:
    """From now on all that is logged in this process goes there, and nowhere else."""
    stream = stream or sys.stderr
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Words() if stream.isatty() else Lines())
    handler.addFilter(Counted())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(level.upper())
    return handler
