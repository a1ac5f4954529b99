"""Servers for tests: each is put together anew, behind routes that another has left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from litestar import Litestar
from litestar.testing import TestClient

from bulge.server.app import equip, routes
from bulge.server.settings import Settings
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
