"""Answers packed for the way (gzip): what all get alike is packed once, anything else in its asker's turn."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections import OrderedDict

from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send

from bulge.server.guard import PRIVATE
from bulge.server.turns import Turns
from bulge.server.uses import network_of

GZIP = "gzip"
LEVEL = 5
WORDY = re.compile(r"text/|application/(.*\+)?json|image/svg\+xml")
"""So begin the kinds of what becomes smaller by packing; other pictures are packed already."""
SMALLEST = 500
QUICK = 8 * 1024
"""So much is packed sooner than handed to a thread."""
KEPT = 32 * 1024 * 1024
"""So many bytes of answers are kept, those that were asked for last."""
PART = 1 << 18
"""So many bytes are sent at a time: whoever reads slowly does not have the whole of it wait in memory."""


class Packing:
    """Stands between the guard and the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._turns = Turns()
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        """Public answers as they are and as they are sent."""
        self._size = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        start: HTTPResponseStartEvent | None = None

        async def send_packed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if start is not None and message["type"] == "http.response.body":
                head, start = start, None
                if not message.get("more_body"):
                    await self._send(head, message["body"], scope, send)
                    return
                await send(head)
            await send(message)

        await self._app(scope, receive, send_packed)

    async def _send(self, head: HTTPResponseStartEvent, body: bytes, scope: Scope, send: Send) -> None:
        headers = MutableScopeHeaders(head)
        if _is_worth_it(headers, body):
            headers.extend_header_value("vary", "Accept-Encoding")
            if GZIP in Headers.from_scope(scope).get("accept-encoding", ""):
                body = await self._packed(body, scope)
                headers["Content-Encoding"] = GZIP
                headers["Content-Length"] = str(len(body))
        await send(head)
        for at in range(0, len(body) or 1, PART):
            more = at + PART < len(body)
            await send({"type": "http.response.body", "body": body[at : at + PART], "more_body": more})

    async def _packed(self, body: bytes, scope: Scope) -> bytes:
        if body in self._kept:
            self._kept.move_to_end(body)
            return self._kept[body]
        if len(body) <= QUICK:
            packed = gzip.compress(body, LEVEL, mtime=0)
        else:
            async with self._turns.of(_asker(scope)):
                if body in self._kept:  # since others asked for it at the same time
                    return self._kept[body]
                packed = await asyncio.to_thread(gzip.compress, body, LEVEL, mtime=0)
        if not scope["path"].startswith(PRIVATE):
            self._keep(body, packed)
        return packed

    def _keep(self, body: bytes, packed: bytes) -> None:
        self._kept[body] = packed
        self._size += len(body) + len(packed)
        while self._size > KEPT:
            old = self._kept.popitem(last=False)
            self._size -= sum(map(len, old))


def _is_worth_it(headers: MutableScopeHeaders, body: bytes) -> bool:
    kind = headers.get("content-type", "")
    return len(body) >= SMALLEST and WORDY.match(kind) is not None and "content-encoding" not in headers


def _asker(scope: Scope) -> str:
    client = scope.get("client")
    return network_of(client[0]) if client else ""
