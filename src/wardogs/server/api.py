"""The requests, all under /api."""

from __future__ import annotations

from fastapi import APIRouter

from wardogs.server import api_games, api_muster, api_people, api_records, api_systems
from wardogs.server.api_common import InHall, StrictRoute, tell_errors, the_hall

__all__ = ["InHall", "StrictRoute", "router", "tell_errors", "the_hall"]

router = APIRouter(prefix="/api")
for part in (api_systems, api_muster, api_games, api_people, api_records):
    router.include_router(part.router)
