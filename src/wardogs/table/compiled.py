"""Compiled kernels: with numba (the `fast` extra) the hot loops run as machine code, without it the same lines run as Python.

Kernels read flat sequences only, a[6 * k + 2], so that without numba they can be plain lists, which Python reads fastest.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
Floats: TypeAlias = Any  # a flat float64 array, or a list of floats
Ints: TypeAlias = Any  # a flat int64 array, or a list of ints

try:
    if os.environ.get("WARDOGS_PLAIN"):
        raise ImportError
    from numba import njit
    from numba.core import config
    from numba.cpython.unsafe.numbers import trailing_zeros

    FAST = True
except ImportError:
    FAST = False


def cache_folder() -> Path:
    """Where machine code is kept: beside the source, or in the user's cache if that cannot be written.

    A kernel calls kernels of other files, and numba looks only at a kernel's own file to see if its code is out of date. So
    the folder is named after the source of all files with kernels: another source, another folder.
    """
    here = Path(__file__).parent
    sources = [path.read_bytes() for path in sorted(here.glob("*.py"))]
    text = b"".join(source for source in sources if b"@compiled" in source)
    name = f"kernels-{sha256(text).hexdigest()[:12]}"
    beside = here / "__pycache__"
    if os.access(beside if beside.exists() else here, os.W_OK):
        return beside / name
    return Path(os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or gettempdir()) / "wardogs" / name


_FOLDER = str(cache_folder()) if FAST else ""


def compiled(function: F) -> F:
    """Machine code, kept in a cache; IEEE arithmetic as in Python, nothing reordered."""
    if not FAST:
        return function
    settings: Any = config
    before, settings.CACHE_DIR = settings.CACHE_DIR, _FOLDER
    try:
        return cast(F, njit(cache=True, nogil=True, error_model="numpy")(function))
    finally:
        settings.CACHE_DIR = before


def floats(values: Sequence[float] | np.ndarray[Any, Any]) -> Floats:
    return np.asarray(values, dtype=np.float64).ravel() if FAST else [float(value) for value in np.ravel(values)]


def ints(values: Sequence[int] | np.ndarray[Any, Any]) -> Ints:
    return np.asarray(values, dtype=np.int64).ravel() if FAST else [int(value) for value in np.ravel(values)]


def blank(count: int) -> Floats:
    return np.zeros(count, dtype=np.float64) if FAST else [0.0] * count


def blank_ints(count: int) -> Ints:
    return np.zeros(count, dtype=np.int64) if FAST else [0] * count


def whole(value: int) -> Any:
    """An unsigned number of 32 bits: numba asks of every other index if it is negative."""
    return np.uint32(value) if FAST else value


ONE, ALL_BITS = whole(1), whole(0xFFFFFFFF)


@compiled
def lowest_bit(bits: int) -> int:
    return int(trailing_zeros(bits) if FAST else (bits & -bits).bit_length() - 1)  # type: ignore[call-arg]
