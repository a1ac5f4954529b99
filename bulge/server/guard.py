"""Before every request: only browsers that mean this server, and answers that browsers cannot misuse."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable
from urllib.parse import parse_qs, urlsplit

from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from bulge.server.logs import log_request
from bulge.server.uses import is_address

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # drawn maps carry their own style sheet
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
PRIVATE = (
    "/api/matches",
    "/api/me",
    "/api/session",
    "/api/people",
    "/api/tables",
    "/api/moderation",
    "/api/reports",
)
"""What is one person's affair, and not to be kept on the way."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """Checks the names under which we are called, and where calls come from; adds headers to every answer.

    It stands before the whole application: a middleware would not see what leads to no route.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.answer_to((), "")

    def answer_to(self, host_names: Iterable[str], public_url: str) -> None:
        """The names under which we may be called, beside those of this machine."""
        self._public = _place(public_url)
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", *(name.lower() for name in host_names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        complaint = self._complaint(scope)
        if scope["type"] == ScopeType.WEBSOCKET:
            if complaint:
                await receive()
                await send({"type": "websocket.close", "code": 4403, "reason": complaint})
                return
            await self._app(scope, receive, send)
            return

        begun = time.monotonic()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                log_request(scope["method"], scope["path"], message["status"], time.monotonic() - begun)
                headers = MutableScopeHeaders(message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith(PRIVATE):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        if complaint:
            await _refusal(complaint, 403)(scope, receive, send_with_headers)
            return
        if any(name.lower() == b"transfer-encoding" for name, _ in scope["headers"]):
            # To read a body in thousands of parts takes the processor for long, and no browser sends one.
            words = "say how long it is (Content-Length) instead of sending it in parts"
            await _refusal(words, 411, Connection="close")(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _complaint(self, scope: Scope) -> str | None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if not self._is_ours(host):
            # A stranger's name that leads to this machine is how a hostile page would get at it.
            return "this server does not go by that name"
        if "token" in parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True):
            return "a token does not belong into an address, where others may read it: send it as X-Token"
        origin = headers.get(b"origin")
        changes = scope["type"] == ScopeType.WEBSOCKET or scope["method"] not in SAFE
        elsewhere = origin is not None and _place(origin) not in self._homes(host)
        if changes and (elsewhere or headers.get(b"sec-fetch-site") == "cross-site"):
            return "this request comes from another page"
        return None

    def _homes(self, host: str) -> set[str]:
        """Where our own pages come from: where we are called, or the public address of a proxy before us."""
        return {host.lower()} | ({self._public} if self._public else set())

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or is_address(name)


def _refusal(words: str, status: int, **headers: str) -> ASGIResponse:
    body = b'{"words":"' + words.encode() + b'"}'
    return ASGIResponse(body=body, media_type="application/json", status_code=status, headers=headers)


def _place(origin: str) -> str | None:
    """The host and port that a page comes from."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None
