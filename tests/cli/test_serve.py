"""`bulge serve`: where it listens, and how databases are written."""

from __future__ import annotations

import asyncio
import socket

import pytest

from bulge.cli.serve import _listen, _shown, database_url
from bulge.core.errors import BulgeError


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("file.sqlite", "sqlite+aiosqlite:///file.sqlite"),
        ("/a/b.sqlite", "sqlite+aiosqlite:////a/b.sqlite"),
        ("sqlite:///x", "sqlite+aiosqlite:///x"),
        ("postgresql://u@h/d", "postgresql+asyncpg://u@h/d"),
        ("postgres://u@h/d", "postgresql+asyncpg://u@h/d"),
        ("postgresql+psycopg://u@h/d", "postgresql+psycopg://u@h/d"),
    ],
)
def test_databases_are_understood_as_people_write_them(written: str, meant: str) -> None:
    assert database_url(written) == meant


def test_a_free_port_is_taken_where_the_usual_one_is_not_free() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with _listen("127.0.0.1", None, port) as found:
            assert found.getsockname()[1] != port
        with pytest.raises(BulgeError, match=f"port {port}"):
            _listen("127.0.0.1", port, port)


def test_an_address_can_be_typed_into_a_browser() -> None:
    assert _shown("::1") == "[::1]"
    assert _shown("127.0.0.1") == "127.0.0.1"
    assert _shown("0.0.0.0") != "0.0.0.0"


def test_answers_are_not_held_back_until_more_follows() -> None:
    async def answered_without_delay() -> int:
        delays: list[int] = []

        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            delays.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with _listen("127.0.0.1", None, 0) as listener:
            server = await asyncio.start_server(answer, sock=listener)
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            await reader.read()
            writer.close()
            await writer.wait_closed()
            server.close()
            await server.wait_closed()
        return delays[0]

    assert asyncio.run(answered_without_delay()) != 0
