"""Calling the command line as a shell would, in this process."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout

from wardogs.cli import main


def call(*args: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(list(args))
        except SystemExit as exit_:
            return int(exit_.code or 0), out.getvalue(), err.getvalue()
    raise AssertionError("main must end with an exit code")
