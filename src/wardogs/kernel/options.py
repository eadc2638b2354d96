"""House rules: one typed switch per variant of the register, from defaults, a scenario, a file and `k=v`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from wardogs.kernel.errors import WardogsError, unknown

O = TypeVar("O", bound=Struct)  # noqa: E741


def choose_options(kind: type[O], *layers: Mapping[str, Any]) -> O:
    """The options record, later layers over earlier ones."""
    merged: dict[str, Any] = {}
    for layer in layers:
        for name, value in layer.items():
            if name not in kind.__struct_fields__:
                raise unknown("option", name, kind.__struct_fields__)
            merged[name] = _checked(kind, name, value)
    return kind(**merged)


def _checked(kind: type[O], name: str, value: Any) -> Any:
    try:
        return getattr(msgspec.convert({name: value}, kind, strict=not isinstance(value, str)), name)
    except msgspec.ValidationError:
        raise WardogsError(f"option {name}={value}: it takes {admitted(kind, name)}") from None


def admitted(kind: type[O], name: str) -> str:
    """The values that an option takes, for messages and help."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    shape = next(field.type for field in info.fields if field.name == name)
    if isinstance(shape, msgspec.inspect.Metadata):
        shape = shape.type
    match shape:
        case msgspec.inspect.LiteralType(values=values):
            return " or ".join(str(value) for value in values)
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
            return _range("a whole number" if isinstance(shape, msgspec.inspect.IntType) else "a number", shape)
        case _:
            return "text"


def _range(what: str, shape: msgspec.inspect.IntType | msgspec.inspect.FloatType) -> str:
    limits = (("from", shape.ge), ("over", shape.gt), ("to", shape.le), ("below", shape.lt))
    return " ".join([what, *(f"{word} {limit}" for word, limit in limits if limit is not None)])


def parse_pairs(pairs: Iterable[str]) -> dict[str, str]:
    """`k=v` words from the command line; several may stand in one word, with commas."""
    options: dict[str, str] = {}
    for pair in (part for word in pairs for part in word.split(",") if part):
        name, equals, value = pair.partition("=")
        if not equals:
            raise WardogsError(f"{pair}: write it as name=value")
        options[name.strip()] = value.strip()
    return options


def read_options(path: Path) -> dict[str, Any]:
    """A file of house rules: TOML, one line per switch."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise WardogsError(f"{path}: no such file of options") from None
    except OSError as error:
        raise WardogsError(f"{path}: not a file of options: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WardogsError(f"{path}: not TOML: {error}") from None
