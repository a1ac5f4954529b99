"""What one connection may take: half-sent requests, and floods of small frames, must not keep others out."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_SECONDS = 15.0
"""So long a connection may take for what it sends of one request, from its first sign to its last."""
READ_AT_ONCE = 4096
"""So many bytes, before others have their turn: 256 kB of the smallest frames would take most of a second."""


class PromptProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with a deadline for whoever asks."""

    most_seconds = MOST_SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        with suppress(AttributeError):  # of another loop than asyncio's own
            transport.max_size = READ_AT_ONCE  # type: ignore[attr-defined]
        super().connection_made(transport)
        self._deadline: asyncio.TimerHandle | None = None
        self._upgraded = False
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._upgraded:  # a WebSocket is no half-sent request, though to HTTP it looks like one for ever
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._upgraded = True
        self._rest()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Say that something is no HTTP, in place of an answer that is still in the making."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def _watch(self) -> None:
        """Start the deadline when a request has begun, and stop it when it is whole."""
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing():
            if self._deadline is None:
                self._deadline = self.loop.call_later(self.most_seconds, self._give_up)
        else:
            self._rest()

    def _rest(self) -> None:
        deadline: Any = getattr(self, "_deadline", None)
        if deadline is not None:
            deadline.cancel()
        self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self.transport.abort()
