"""Compiled kernels: with numba (the `fast` extra) the hot loops run as machine code, without it the same lines run as Python.

Kernels read flat sequences only, a[6 * k + 2], so that without numba they can be plain lists, which Python reads fastest.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
Floats: TypeAlias = Any  # a flat float64 array, or a list of floats
Ints: TypeAlias = Any  # a flat int64 array, or a list of ints

try:
    if os.environ.get("WARDOGS_PLAIN"):
        raise ImportError
    from numba import njit

    FAST = True
except ImportError:
    FAST = False


def compiled(function: F) -> F:
    """Machine code, kept in a cache beside the source; IEEE arithmetic as in Python, nothing reordered."""
    return cast(F, njit(cache=True, nogil=True, error_model="numpy")(function)) if FAST else function


def floats(values: Sequence[float] | np.ndarray[Any, Any]) -> Floats:
    return np.asarray(values, dtype=np.float64).ravel() if FAST else [float(value) for value in np.ravel(values)]


def ints(values: Sequence[int] | np.ndarray[Any, Any]) -> Ints:
    return np.asarray(values, dtype=np.int64).ravel() if FAST else [int(value) for value in np.ravel(values)]


def blank(count: int) -> Floats:
    return np.zeros(count, dtype=np.float64) if FAST else [0.0] * count


def blank_ints(count: int) -> Ints:
    return np.zeros(count, dtype=np.int64) if FAST else [0] * count
