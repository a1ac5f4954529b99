"""What a stranger may send on a WebSocket: nothing before it is answered, and no flood of what nobody answers."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

log = logging.getLogger("bulge.server")

MOST_ASIDE = 1000
"""So many frames that are no message (pings, pongs, parts of one), or come after our good-bye, are read between
two pings of ours: a browser sends a handful, and reading them takes the processor from others."""


class WaryWebSocket(WebSocketsSansIOProtocol):
    """WebSockets as uvicorn speaks them, for those who keep to no protocol."""

    _aside = 0
    """How many such frames have come since our last ping."""

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated and not self.handshake_complete:
            self.transport.abort()  # whoever asks for a WebSocket waits for the answer (RFC 6455, 4.1)
            return
        try:
            super().data_received(data)
        except Exception as error:  # from uvicorn, or what it reads frames with: no word of the match is read here
            log.warning("a WebSocket was cut off: %r", error)
            self.transport.abort()
            return
        self._answer()
        if not self.handshake_initiated:  # its request could not be read, though to HTTP it was one
            self.transport.close()

    def _answer(self) -> None:
        """What is due to be said of all that came at once: pings by the hundred are answered in one go."""
        due = b"".join(self.conn.data_to_send())
        if due and not self.transport.is_closing():
            self.transport.write(due)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; uvicorn would write a traceback for each that is no UTF-8."""
        if self.close_sent:
            self._count_aside()  # what comes between our good-bye and theirs
        elif self.curr_msg_data_type == "text" and not _is_utf8(b"".join(self.frames)):
            self._cut_off(CloseCode.INVALID_DATA, "this is no UTF-8")
        else:
            super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        self._count_aside()

    def handle_pong(self, event: Frame) -> None:
        self._count_aside()
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        self._count_aside()
        super().handle_cont(event)

    def _count_aside(self) -> None:
        self._aside += 1
        if self._aside > MOST_ASIDE:
            self._cut_off(CloseCode.POLICY_VIOLATION, "too many pings, pongs or parts of messages")

    def _cut_off(self, code: CloseCode, reason: str) -> None:
        if self.close_sent:
            self.transport.abort()
        else:
            self.conn.fail(code, reason)
            self.handle_parser_exception()

    def send_keepalive_ping(self) -> None:
        self._aside = 0
        super().send_keepalive_ping()

    async def send(self, message: ASGISendEvent) -> None:
        if self.transport.is_closing():  # what is written to a lost line writes a line into the log
            raise ClientDisconnected
        await super().send(message)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
