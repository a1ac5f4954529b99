"""`bulge serve`: where it listens, how databases are written, and what a file may say."""

from __future__ import annotations

import asyncio
import io
import socket
from pathlib import Path

import pytest

from bulge.cli import main
from bulge.cli.serve import _listen, _shown, database_url
from bulge.cli.serve_settings import SettingsFile, read_settings
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


def test_a_file_says_what_the_command_line_need_not(tmp_path: Path) -> None:
    file = tmp_path / "bulge.toml"
    file.write_text(
        'host = "0.0.0.0"\nport = 80\ndatabase = "postgresql://bulge:secret@db/bulge"\nlogs = "json"\n'
    )
    told = read_settings(file)
    assert (told.host, told.port, told.logs, told.public_url) == ("0.0.0.0", 80, "json", None)
    assert told.database == "postgresql://bulge:secret@db/bulge"
    assert read_settings(None) == SettingsFile()


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("hots = 1", "unknown field `hots`; allowed are host, port"),
        ("port = 70000", "<= 65535"),
        ("thinking_cores = 0", ">= 1"),
        ("port =", "is no TOML file"),
    ],
)
def test_a_file_with_a_mistake_is_refused_in_words(tmp_path: Path, written: str, said: str) -> None:
    file = tmp_path / "bulge.toml"
    file.write_text(written)
    with pytest.raises(BulgeError) as raised:
        read_settings(file)
    assert said in str(raised.value)


def test_alone_at_a_terminal_it_plays_in_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", io.StringIO())
    monkeypatch.setattr(main, "page_is_built", lambda: True)
    assert main._alone() == []
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert main._alone() == ["serve"]
    monkeypatch.setattr(main, "page_is_built", lambda: False)
    assert main._alone() == []
