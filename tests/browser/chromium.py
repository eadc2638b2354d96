"""Where a Chromium is: the one that is named, the machine's, Playwright's own, or one that is installed now."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
INSTALL = ("apt-get", "-o", "DPkg::Lock::Timeout=600", "install", "-y", "chromium")  # waits while somebody else installs
MENDED = "no Chromium: name one in WARDOGS_CHROMIUM, or run: .venv/bin/playwright install --with-deps chromium"


def found(playwright: Playwright) -> str:
    """Fails where there is none: a test that is skipped in silence tests nothing."""
    for path in candidates(playwright):
        if path and Path(path).is_file():
            return path
    pytest.fail(MENDED, pytrace=False)


def candidates(playwright: Playwright) -> Iterator[str | None]:
    """The next is looked for, or installed, only if the one before was not there."""
    if named := os.environ.get("WARDOGS_CHROMIUM"):
        yield named
        return
    yield from map(shutil.which, NAMES)
    own = playwright.chromium.executable_path
    yield own
    ran(sys.executable, "-m", "playwright", "install", "chromium")
    yield own
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        ran(*INSTALL)
        yield from map(shutil.which, NAMES)
        ran("apt-get", "update")  # there was no list of packages yet, or an old one
        ran(*INSTALL)
        yield from map(shutil.which, NAMES)


def ran(*command: str) -> None:
    """Whether it worked is seen by what is there afterwards."""
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=900)
