"""Plain data as TOML that a person would have written: short values first, then a block for each table of a list."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def dump(raw: Mapping[str, Any]) -> str:
    """Lists of tables become [[blocks]] at the end."""
    lists = {key: rows for key, rows in raw.items() if _is_tables(rows)}
    head = "\n".join(f"{key} = {value(part)}" for key, part in raw.items() if key not in lists)
    blocks = [f"[[{key}]]\n" + "\n".join(_lines(row)) for key, rows in lists.items() for row in rows]
    return "\n\n".join([head, *blocks]) + "\n"


def _is_tables(rows: Any) -> bool:
    return isinstance(rows, list | tuple) and bool(rows) and all(isinstance(row, Mapping) for row in rows)


def _lines(row: Mapping[str, Any]) -> Iterator[str]:
    """A list of tables inside a block has one to a line."""
    for key, part in row.items():
        if _is_tables(part):
            yield "\n".join([f"{key} = [", *(f"  {value(one)}," for one in part), "]"])
        else:
            yield f"{key} = {value(part)}"


def value(part: Any) -> str:
    if isinstance(part, str):
        return json.dumps(part, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(part, Mapping):
        return "{ " + ", ".join(f"{key} = {value(one)}" for key, one in part.items()) + " }"
    if isinstance(part, list | tuple):
        return f"[{', '.join(map(value, part))}]"
    return str(part).lower() if isinstance(part, bool) else str(part)
