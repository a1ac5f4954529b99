"""Whatever a stranger sends on a line: the log stays empty, the line is cut, and others are served."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn

from bulge.server.deadlines import READ_AT_ONCE
from bulge.server.logs import A_WHILE, MOST_ALIKE, Sparing
from bulge.server.sockets import MOST_ASIDE, WaryWebSocket
from tests.server.process import Json, Server

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
TIMES = 8
"""Some of this goes wrong only now and then: it depends on what the server reads at once."""
PATIENCE = 20.0


class Attacked(Server):
    """A server of its own, all of whose complaints can be read."""

    match: Json

    @property
    def log(self) -> str:
        httpx.get(f"{self.address}/api/health").raise_for_status()
        assert self.errors is not None
        return self.errors.read_text()

    def line(self) -> socket.socket:
        place = urlsplit(self.address)
        return socket.create_connection((place.hostname, place.port), PATIENCE)

    def upgrade(self, more: str = "", method: str = "GET") -> bytes:
        return (
            f"{method} /api/matches/{self.match['id']}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
            f"X-Token: {self.match['host']}\r\n{more}\r\n"
        ).encode()

    def page(self) -> socket.socket:
        """A WebSocket that has been answered."""
        line = self.line()
        line.sendall(self.upgrade())
        assert b" 101 " in line.recv(4096)
        return line


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, maps: Path) -> Iterator[Attacked]:
    folder = tmp_path_factory.mktemp("lines")
    with Attacked(folder, maps.parent, errors=folder / "errors") as server:
        server.match = server.make({"game": "ford"})
        yield server


def frame(kind: int, text: bytes = b"", *, whole: bool = True) -> bytes:
    """As a browser would send it; the mask is none."""
    head = bytes([(0x80 if whole else 0) | kind, 0x80 | len(text)])
    return head + bytes(4) + text


BROKEN = b"\xf1\x81" + bytes(4) + b"a"


def rest_of(line: socket.socket) -> bytes:
    """All that comes until the line is cut."""
    found = b""
    with suppress(ConnectionError):
        while part := line.recv(1 << 16):
            found += part
    return found


def send(line: socket.socket, text: bytes) -> None:
    with suppress(ConnectionError):
        line.sendall(text)


@pytest.mark.parametrize(
    "flood",
    [
        frame(TEXT) * 20_000 + BROKEN,
        frame(PING) * 20_000 + frame(PING)[3:] * 20_000,
        frame(TEXT, b"[]") * 5_000 + frame(TEXT)[3:] * 5_000,
        frame(TEXT, b"\xff") * 1_000,
    ],
    ids=["empty", "pings", "nonsense", "no UTF-8"],
)
def test_whoever_does_not_wait_for_the_answer_is_cut_off(server: Attacked, flood: bytes) -> None:
    """Each wrote a traceback into the log, by the thousand in three minutes."""
    for _ in range(TIMES):
        with server.line() as line:
            line.sendall(server.upgrade())
            send(line, flood)
            with suppress(OSError):  # it may be cut off already
                line.shutdown(socket.SHUT_WR)
            rest_of(line)
    assert server.log == ""


@pytest.mark.parametrize(
    "text",
    [
        frame(TEXT, b"\xff"),
        frame(TEXT, b"\xff") + frame(CLOSE, b"\x03\xe8"),
        frame(TEXT, b"\xff") + BROKEN,
        frame(TEXT, b"[]") * 500 + BROKEN,
        frame(TEXT, b"{", whole=False) + frame(TEXT, b"{"),
        frame(CLOSE, b"\x00\x01"),
        frame(CLOSE, b"\x03\xe8\xff\xff"),
    ],
    ids=["no UTF-8", "and good-bye", "and broken", "nonsense", "a message in another", "code", "reason"],
)
def test_frames_that_cannot_be_read_write_no_lines(server: Attacked, text: bytes) -> None:
    for _ in range(TIMES):
        with server.page() as line:
            send(line, text)
            rest_of(line)
    assert server.log == ""


@pytest.mark.parametrize(
    "request_",
    [
        b"POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n\x00\x01 no HTTP\r\n\r\n",
        b"\x00\r\n\r\n" * 3,
    ],
    ids=["a body", "a body of none", "another behind it", "nothing else"],
)
def test_requests_that_are_broken_as_they_come_write_no_lines(server: Attacked, request_: bytes) -> None:
    """The answer was still being made when another had been given: that the second failed was logged."""
    for _ in range(TIMES):
        with server.line() as line:
            send(line, request_)
            assert b" 400 " in rest_of(line)
    assert server.log == ""


@pytest.mark.parametrize("flood", [frame(PING) * 600, frame(TEXT, b"[]") * 600], ids=["pings", "nonsense"])
def test_whoever_is_gone_before_the_answer_writes_no_lines(server: Attacked, flood: bytes) -> None:
    for _ in range(TIMES):
        with server.page() as line:
            send(line, flood)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closed with a reset
    assert server.log == ""


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("POST", "Content-Length: 5\r\n"),
        ("GET", "".join(f"X-{n}: a\r\n" for n in range(150))),
        ("GET", f"X-A: {'a' * 9000}\r\n"),
    ],
    ids=["POST", "many headers", "a long header"],
)
def test_a_websocket_that_cannot_be_asked_for_so_is_not_left_open(
    server: Attacked, method: str, more: str
) -> None:
    """HTTP passed it on, WebSockets did not take it, and no deadline held for it any more."""
    with server.line() as line:
        line.sendall(server.upgrade(more, method))
        assert b" 101 " not in rest_of(line)


# ---------------------------------------------------------------------- floods


@pytest.mark.parametrize(
    "flood",
    [
        frame(PING) * 20_000,
        frame(PONG) * 20_000,
        frame(TEXT, b"{", whole=False) + frame(0, b" ", whole=False) * 20_000,
        frame(TEXT, b"{", whole=False) + frame(0, whole=False) * 20_000,
    ],
    ids=["pings", "pongs", "parts", "empty parts"],
)
def test_a_flood_of_frames_that_are_no_message_is_cut_off(server: Attacked, flood: bytes) -> None:
    """They were read to the last, also when whoever had sent them was long gone."""
    with server.page() as line:
        send(line, flood)
        answer = rest_of(line)
    assert answer.count(frame_of_server(PONG)) <= MOST_ASIDE + READ_AT_ONCE // len(frame(PING))
    assert server.log == ""


def frame_of_server(kind: int) -> bytes:
    return bytes([0x80 | kind, 0])


def test_a_page_that_pings_now_and_then_is_served(server: Attacked) -> None:
    with server.page() as line:
        line.sendall(frame(PING) * (MOST_ASIDE // 2) + frame(TEXT, b'{"type":"why","n":0,"about":"B1","re":7}'))
        found = b""
        while b'"re":7' not in found:
            part = line.recv(1 << 16)
            assert part, "cut off"
            found += part
    assert found.count(frame_of_server(PONG)) == MOST_ASIDE // 2


class Wire(asyncio.Transport):
    """Where a protocol writes to, and whether it has let go."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.aborted = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True


def test_whoever_goes_on_after_a_good_bye_is_not_read_to_the_end() -> None:
    """For ten seconds the server read and threw away what came from a line that it had closed."""

    async def app(_: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": 1008})

    async def talk() -> tuple[bool, bool]:
        wire = Wire()
        config = uvicorn.Config(app, log_config=None)
        config.load()
        protocol = WaryWebSocket(config, uvicorn.Server(config).server_state, {})
        protocol.connection_made(wire)
        protocol.data_received(
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        while not protocol.close_sent:
            await asyncio.sleep(0)
        protocol.data_received(frame(TEXT, b"[]") * 20)
        soon = wire.aborted
        protocol.data_received(frame(TEXT, b"[]") * MOST_ASIDE)
        return soon, wire.aborted

    assert asyncio.run(talk()) == (False, True)


# ---------------------------------------------------------------------- whatever is found next


def complaint(words: str, error: Exception | None = None) -> logging.LogRecord:
    told = (type(error), error, error.__traceback__) if error else None
    return logging.makeLogRecord({"name": "asyncio", "levelno": logging.ERROR, "msg": words, "exc_info": told})


def raised(words: str) -> Exception:
    try:
        raise AssertionError(words)
    except AssertionError as error:
        return error


def test_of_what_is_logged_again_and_again_only_some_is_written_down() -> None:
    now = 0.0
    sparing = Sparing(lambda: now)
    written = [record for n in range(500) if sparing.filter(record := complaint(f"fd {n}", raised(f"{n}")))]
    assert len(written) == MOST_ALIKE
    assert "more of the kind are left out" in written[-1].getMessage()
    assert sparing.filter(complaint("another kind")), "what else goes wrong is still told"
    now = A_WHILE + 1
    again = complaint("fd 500", raised("500"))
    assert sparing.filter(again)
    assert f"{500 - MOST_ALIKE} more before it were left out" in again.getMessage()


def test_lines_that_say_what_was_answered_are_all_written_down() -> None:
    sparing = Sparing(lambda: 0.0)
    told = {"name": "bulge.server.requests", "levelno": logging.INFO, "msg": "%s %s %s"}
    assert all(sparing.filter(logging.makeLogRecord(told)) for _ in range(10 * MOST_ALIKE))
