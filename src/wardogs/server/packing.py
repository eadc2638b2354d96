"""Long answers, packed for whoever can unpack them."""

from __future__ import annotations

import asyncio
import gzip
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

WORTH = 1_000  # bytes: below, packing gains nothing
REFUSED = re.compile(r"\s*(gzip|\*)\s*;\s*q=0(\.0*)?\s*")


def unpacks(accepted: str) -> bool:
    """Does this Accept-Encoding take gzip?"""
    said = [part for part in accepted.lower().split(",") if part.strip().partition(";")[0].strip() in ("gzip", "*")]
    return bool(said) and not any(REFUSED.fullmatch(part) for part in said)


def squeezed(body: bytes) -> bytes:
    """The same bytes always give the same bytes."""
    return gzip.compress(body, 6, mtime=0)


async def packed(request: Request, answer: Response) -> Response:
    """Off the loop, since it takes a while."""
    answer.headers["Vary"] = "Accept-Encoding"
    if len(answer.body) < WORTH or not unpacks(request.headers.get("accept-encoding", "")):
        return answer
    body = await asyncio.to_thread(squeezed, bytes(answer.body))
    answer.body = body
    answer.headers["Content-Encoding"], answer.headers["Content-Length"] = "gzip", str(len(body))
    return answer
