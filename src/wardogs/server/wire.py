"""The websocket protocol as uvicorn speaks it, with one thing mended."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState


class Wire(WebSocketsSansIOProtocol):
    """Somebody who says goodbye right behind text that is no UTF-8 is only shown out: uvicorn 0.54 would fail over the answer."""

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        except InvalidState:
            self.transport.close()
