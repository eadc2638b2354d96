"""The OpenAPI document: what FastAPI knows of the requests, and beside it the messages of the live socket."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from wardogs.kernel.offers import Offer
from wardogs.scene.board import Board, Eye, Reckoned
from wardogs.server import messages as m

REF = "#/components/schemas/{name}"
ABOUT = """\
Tabletop war games by the book, live and over days.

Requests make games and play them without a socket. The live socket is at `/api/live`: one JSON document a message, `ToServer`
one way and `FromServer` the other (see these two schemas, and docs/protocol.md). Who holds a key holds the seat.
"""
ENCODED = {  # what is already written when it is put into a message: the type that a reader finds there
    ("Happened", "reports"): {"type": "array", "items": {"$ref": REF.format(name="Told")}, "default": []},
    ("Asked", "offers"): {"type": "array", "items": {"$ref": REF.format(name="Offer")}},
    ("Sat", "question"): {"anyOf": [{"$ref": REF.format(name="Asked")}, {"type": "null"}], "default": None},
    ("News", "question"): {"anyOf": [{"$ref": REF.format(name="Asked")}, {"type": "null"}], "default": None},
    ("Sat", "board"): {"anyOf": [{"$ref": REF.format(name="Board")}, {"type": "null"}], "default": None},
}


def messages() -> dict[str, Any]:
    """The socket's messages as JSON schemas by name."""
    every = [m.ToServer, m.FromServer, m.Told, m.Asked, Offer, Board, Reckoned, Eye]
    (to, from_, *_), parts = msgspec.json.schema_components(every, ref_template=REF)
    for (name, field), schema in ENCODED.items():
        parts[name]["properties"][field] = schema
    return {**parts, "ToServer": to, "FromServer": from_}


def document(app: FastAPI) -> dict[str, Any]:
    """Made once."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=app.version, description=ABOUT, routes=app.routes)
        schemas = made.setdefault("components", {}).setdefault("schemas", {})
        live = messages()
        if both := sorted(schemas.keys() & live.keys()):
            raise ValueError(f"two schemas have one name: {', '.join(both)}")
        schemas.update(live)
        app.openapi_schema = made
    return app.openapi_schema
