"""TypeScript types for the client, from the OpenAPI document: the requests, and the messages of the live socket.

python tools/typescript.py writes client/src/lib/api.d.ts; with --check it only says whether that file is current.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wardogs.server.desk import make_desk
from wardogs.systems import KEYS

TO = Path(__file__).parents[1] / "client" / "src" / "lib" / "api.d.ts"
HEAD = "// Made from the server's OpenAPI document by tools/typescript.py: do not edit, make it anew.\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
NOT_OURS = ("HTTPValidationError", "ValidationError")  # FastAPI adds them, each version its own
METHODS = ("get", "put", "post", "patch", "delete")


def typed(schema: Any) -> str:
    """A JSON schema as a type."""
    if schema is True or not isinstance(schema, dict):
        return "unknown"
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if {*schema.get("enum", ())} & {*KEYS}:  # a client takes whatever systems there are
        return "string"
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema.get("enum", [schema.get("const")]))
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return either([typed(one) for one in schema[several]])
    kind = schema.get("type")
    if isinstance(kind, list):
        return either([typed({**schema, "type": one}) for one in kind])
    if kind == "array":
        return listed(schema)
    if kind == "object":
        return mapped(schema)
    return PLAIN.get(str(kind), "unknown")


def either(types: list[str]) -> str:
    return "unknown" if "unknown" in types else " | ".join(dict.fromkeys(types))


def listed(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return "[" + ", ".join(typed(one) for one in schema["prefixItems"]) + "]"
    inside = typed(schema.get("items", {}))
    return f"({inside})[]" if " | " in inside else f"{inside}[]"


def mapped(schema: dict[str, Any]) -> str:
    if "properties" in schema:
        return "{ " + " ".join(fields(schema)) + " }"
    return f"Record<string, {typed(schema.get('additionalProperties', {}))}>"


def fields(schema: dict[str, Any]) -> Iterator[str]:
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        yield f"{name if name.isidentifier() else json.dumps(name)}{'' if name in required else '?'}: {typed(field)};"


def declared(name: str, schema: dict[str, Any]) -> Iterator[str]:
    """A named schema, with what it says about itself."""
    if about := schema.get("description"):
        yield f"/** {' '.join(about.split()).replace('*/', '* /')} */"
    if "properties" not in schema:
        yield f"export type {name} = {typed(schema)};"
        return
    yield f"export interface {name} {{"
    yield from (f"  {field}" for field in fields(schema))
    yield "}"


def operations(paths: dict[str, Any]) -> Iterator[str]:
    """Every request by its method and path: what it needs and what it is answered with."""
    yield "/** The requests. */"
    yield "export interface Requests {"
    for path, at in paths.items():
        for method in METHODS:
            if method in at:
                yield f"  /** {' '.join(at[method].get('description', at[method].get('summary', '')).split())} */"
                yield f'  "{method.upper()} {path}": {{ {" ".join(operation(at[method]))} }};'
    yield "}"


def operation(asked: dict[str, Any]) -> Iterator[str]:
    for where in ("path", "query", "header"):
        given = [one for one in asked.get("parameters", ()) if one["in"] == where]
        if given:
            shape = {
                "properties": {one["name"]: one.get("schema", {}) for one in given},
                "required": [one["name"] for one in given if one.get("required")],
            }
            yield f"{where}: {{ {' '.join(fields(shape))} }};"
    if "requestBody" in asked:
        yield f"body: {either([typed(kind.get('schema', {})) for kind in asked['requestBody']['content'].values()])};"
    yield f"answer: {either([answer(said) for status, said in asked['responses'].items() if status.startswith('2')])};"


def answer(said: dict[str, Any]) -> str:
    """JSON by its schema; anything else is text; nothing is nothing."""
    content = said.get("content")
    if not content:
        return "null"
    return either([typed(kind.get("schema", {})) if "json" in name else "string" for name, kind in content.items()])


def types(document: dict[str, Any]) -> str:
    schemas = {name: schema for name, schema in document["components"]["schemas"].items() if name not in NOT_OURS}
    parts = [line for name, schema in schemas.items() for line in (*declared(name, schema), "")]
    return "\n".join([HEAD, *parts, *operations(document["paths"]), ""])


def current() -> str:
    return types(make_desk().openapi())


def main() -> None:
    if "--check" in sys.argv:
        sys.exit(0 if TO.is_file() and TO.read_text(encoding="utf-8") == current() else f"{TO}: not current; make it anew")
    TO.parent.mkdir(parents=True, exist_ok=True)
    TO.write_text(current(), encoding="utf-8")


if __name__ == "__main__":
    main()
