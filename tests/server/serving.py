"""Servers for tests: each is put together anew, behind routes that another has left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from litestar import Litestar
from litestar.testing import TestClient

from bulge.server.app import create_app, equip, routes
from bulge.server.deadlines import PromptProtocol
from bulge.server.settings import Settings
from bulge.server.sockets import WaryWebSocket
from tests.server.guest import Client

_FREE: list[Litestar] = []
"""Routes without a server: to make them takes longer than most tests do."""


@contextmanager
def serving(settings: Settings, base_url: str = "http://127.0.0.1") -> Iterator[Client]:
    app = _FREE.pop() if _FREE else routes()
    equip(app, settings)
    with TestClient(app, base_url=base_url) as client:
        yield client
    _FREE.append(app)


@asynccontextmanager
async def listening(settings: Settings, http: type[PromptProtocol]) -> AsyncIterator[int]:
    """A server that listens at a port of this machine: that port."""
    config = uvicorn.Config(create_app(settings), port=0, http=http, log_level="critical", ws=WaryWebSocket)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await serving
