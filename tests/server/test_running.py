"""What whoever runs a server needs: health, numbers, copies; and connections that send half of something."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient
from msgspec.structs import replace
from websockets.asyncio.client import connect

from bulge.core.errors import BulgeError
from bulge.server.app import create_app
from bulge.server.deadlines import READ_AT_ONCE, PromptProtocol
from bulge.server.logs import _is_a_fault, set_up_logs
from bulge.server.settings import Settings
from bulge.server.storage import prepare
from bulge.server.uses import Uses
from tests.cli.conftest import Bulge, bulge, home
from tests.server.guest import Client
from tests.server.serving import listening, serving
from tests.server.table import Table

__all__ = ["bulge", "home"]  # fixtures of the command line


def test_health_and_numbers(client: Client, table: Table) -> None:
    assert client.get("/api/health").json() == {"healthy": True}
    with table.page() as page:
        page.ask("choose", id="B1")
        measures = {name: value for name, _, value in client.app.state.hub.measures()}
    assert measures["choices_total"] == 1
    assert measures["pages_open"] == 1
    assert client.get("/api/metrics").status_code == 403, "numbers are for this machine alone"


class Hasty(PromptProtocol):
    most_seconds = 0.5


def test_half_sent_requests_are_cut_off_and_whole_ones_served(quick: Settings) -> None:
    header = b"HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    half = [
        b"",
        b"GET / " + header + b"X-Slow: ",
        b"POST /api/matches " + header + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    ]

    async def ask(port: int, path: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        found = await asyncio.wait_for(reader.read(), 20)
        writer.close()
        return found

    async def attack() -> tuple[list[bytes], bytes]:
        async with listening(quick, Hasty) as port:
            lines = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20) for _ in half]
            for (_, writer), text in zip(lines, half * 20, strict=True):
                writer.write(text)
            whole = await ask(port, b"/api/health") + await ask(port, b"/api/metrics")
            cut = [await asyncio.wait_for(_rest_of(reader), 20) for reader, _ in lines]
            for _, writer in lines:
                writer.close()
        return cut, whole

    cut, whole = asyncio.run(attack())
    assert whole.count(b"200 OK") == 2
    assert b"bulge_matches_open 0" in whole
    assert not any(b"200 OK" in answer or b"201" in answer for answer in cut)


def test_a_page_that_stays_open_is_not_cut_off(quick: Settings) -> None:
    async def stay() -> str:
        async with listening(quick, Hasty) as port:
            place = f"127.0.0.1:{port}"
            async with httpx.AsyncClient(base_url=f"http://{place}") as client:
                made = (await client.post("/api/matches", json={"game": "ford"})).json()
            async with connect(
                f"ws://{place}/api/matches/{made['id']}/live", additional_headers={"X-Token": made["host"]}
            ) as page:
                await page.recv()
                await asyncio.sleep(2 * Hasty.most_seconds)
                await page.send('{"type": "why", "n": 0, "about": "B1"}')
                answer = str(await page.recv())
        return answer

    assert '"type":"answer"' in asyncio.run(stay())


class Counting(PromptProtocol):
    read: ClassVar[list[int]] = []

    def data_received(self, data: bytes) -> None:
        self.read.append(len(data))
        super().data_received(data)


def test_nobody_has_much_read_at_once_and_bodies_in_thousands_of_parts_are_refused(quick: Settings) -> None:
    """Parts of one byte, or frames of six, by the hundred thousand: others waited for seconds."""
    head = b"POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    parts = head + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n[\r\n" * 50
    large = head + b"Content-Length: 60000\r\n\r\n" + b"[" * 60_000

    async def send() -> list[bytes]:
        async with listening(quick, Counting) as port:
            answers = []
            for text in (parts, large):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(text)
                answers.append(await asyncio.wait_for(reader.readuntil(b'"}'), 20))
                if text is parts:
                    assert await asyncio.wait_for(_rest_of(reader), 20) == b"", "nothing more is read of it"
                writer.close()
        return answers

    in_parts, at_once = asyncio.run(send())
    assert in_parts.startswith(b"HTTP/1.1 411")
    assert b"Content-Length" in in_parts
    assert at_once.startswith(b"HTTP/1.1 400")
    assert max(Counting.read) <= READ_AT_ONCE


def test_frames_that_cannot_be_read_fill_no_log() -> None:
    """A stranger wrote seven lines with each."""
    told = logging.getLogger("uvicorn.error").makeRecord
    nonsense, fault = (
        told("uvicorn.error", logging.ERROR, "", 0, words, (), None)
        for words in ("Invalid UTF-8 sequence received from client.", "Exception in ASGI application")
    )
    assert not _is_a_fault(nonsense)
    assert _is_a_fault(fault)


async def _rest_of(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""


def test_a_copy_is_made_and_brought_back(bulge: Bulge, tmp_path: Path) -> None:
    database = tmp_path / "matches.sqlite"
    asyncio.run(prepare(f"sqlite+aiosqlite:///{database}"))
    copy = tmp_path / "copy.sqlite"
    assert bulge("backup", str(copy), "--database", str(database)).code == 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert bulge("backup", str(copy), "--database", str(database)).code == 2, "nothing is overwritten"
    with closing(sqlite3.connect(database)) as changed, changed:
        changed.execute("delete from alembic_version")
    assert bulge("restore", str(copy), "--database", str(database)).code == 0
    with closing(sqlite3.connect(database)) as restored:
        assert restored.execute("select count(*) from alembic_version").fetchone() == (1,)
    assert (tmp_path / "matches.sqlite.before").exists()


def test_whoever_looks_after_a_server_names_its_settings_instead_of_its_database(
    bulge: Bulge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, settings = tmp_path / "club.sqlite", tmp_path / "settings.toml"
    asyncio.run(prepare(f"sqlite+aiosqlite:///{database}"))
    with closing(sqlite3.connect(database)) as known, known:
        known.execute(
            "insert into bulge_person (id, name, key, password, role, email, words, created, suspended, quiet) "
            "values ('1', 'Anne', 'anne', '', 'player', '', '', '2026-01-01 00:00:00', 0, '')"
        )
    settings.write_text(f"database = '{database}'\n")
    assert "Anne: player" in bulge("people", "--settings", str(settings)).out
    monkeypatch.setenv("BULGE_SETTINGS", str(settings))
    monkeypatch.setenv("BULGE_DATABASE", "")  # as compose.yaml has it
    assert "Anne: moderator" in bulge("people", "Anne", "--role", "moderator").out
    assert bulge("backup", str(tmp_path / "copy")).code == 0
    assert bulge("restore", str(tmp_path / "copy")).out.endswith(f"Restored {database}.\n")


def started_with(bulge: Bulge, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Settings:
    """What a server would be started with by such a command line."""
    found: list[Settings] = []

    def note(**given: Any) -> None:
        found.append(Settings(**given))
        raise BulgeError("enough is known")

    monkeypatch.setattr("bulge.server.settings.Settings", note)
    bulge("serve", "--no-open", *arguments)
    return found[0]


def test_how_many_cores_may_think_is_said_in_three_ways(
    bulge: Bulge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bulge.toml"
    file.write_text("thinking_cores = 2\n")
    told = ("--settings", str(file))
    assert started_with(bulge, monkeypatch).thinking_cores is None
    assert started_with(bulge, monkeypatch, *told).thinking_cores == 2
    monkeypatch.setenv("BULGE_THINKING_CORES", "3")
    assert started_with(bulge, monkeypatch, *told).thinking_cores == 3
    assert started_with(bulge, monkeypatch, *told, "--thinking-cores", "1").thinking_cores == 1


def test_where_there_is_no_database_nobody_is_looked_for(bulge: Bulge, tmp_path: Path) -> None:
    missing = tmp_path / "missing.sqlite"
    asked = bulge("people", "--database", str(missing))
    assert (asked.code, asked.out) == (2, "")
    assert f"there is no database {missing}" in asked.err
    assert not missing.exists()


@pytest.mark.parametrize("package", ["asyncpg", "pywebpush", "argon2-cffi"])
def test_a_server_in_a_container_lacks_nothing_that_is_offered(package: str) -> None:
    locked = (Path(__file__).parents[2] / "requirements" / "serve.txt").read_text("utf-8")
    assert f"\n{package}==" in locked


def test_what_is_no_copy_is_not_put_in_place(bulge: Bulge, tmp_path: Path) -> None:
    database = tmp_path / "matches.sqlite"
    asyncio.run(prepare(f"sqlite+aiosqlite:///{database}"))
    kept = database.read_bytes()
    (tmp_path / "text").write_text("no database" * 500)
    assert bulge("restore", str(tmp_path / "text"), "--database", str(database)).code == 2
    assert bulge("restore", str(tmp_path / "nothing"), "--database", str(database)).code == 2
    assert bulge("backup", str(tmp_path / "x"), "--database", "postgresql://u@h/d").code == 2
    assert database.read_bytes() == kept


def test_one_address_opens_only_so_many_pages(table: Table) -> None:
    uses: Uses = table.client.app.state.uses
    uses.quotas = replace(uses.quotas, address=replace(uses.quotas.address, pages=2))
    with table.page() as one, table.page() as two:
        with pytest.raises(WebSocketDisconnect) as refused, table.page():
            pass
        assert "2 open pages are allowed to one address" in refused.value.detail
        assert one.ask("why", about="B1")["type"] == two.ask("why", about="B1")["type"] == "answer"
    for _ in range(500):
        if not uses.pages:
            break
        time.sleep(0.01)
    with table.page() as again:
        assert again.state["n"] == 0


@contextmanager
def logs_of(kind: str) -> Iterator[None]:
    """As the server would log, and afterwards as before."""
    root, level = logging.getLogger(), logging.getLogger("bulge").level
    kept, usual = root.handlers[:], root.level
    try:
        set_up_logs(kind)
        yield
    finally:
        root.handlers[:] = kept
        root.setLevel(usual)
        logging.getLogger("bulge").setLevel(level)


def test_logs_for_machines_hold_no_query_and_are_json_line_by_line(
    quick: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    with logs_of("json"), serving(quick) as client:
        client.get("/api/matches/none?token=secret")
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    asked = [line for line in lines if line["logger"] == "bulge.server.requests"]
    assert [(line["method"], line["path"], line["status"]) for line in asked] == [
        ("GET", "/api/matches/none", 403)
    ]
    assert "secret" not in str(lines)
    with pytest.raises(BulgeError, match="text or json, not 'xml'"):
        set_up_logs("xml")


SECRET = "a-secret-that-nobody-may-write-down"


def test_a_token_in_an_address_is_refused_in_words(client: Client, table: Table) -> None:
    answer = client.get(f"/api/matches/{table.id}", params={"token": table.host})
    assert (answer.status_code, "send it as X-Token" in answer.json()["words"]) == (403, True)
    with (
        pytest.raises(WebSocketDisconnect) as cut,
        client.websocket_connect(f"/api/matches/{table.id}/live?token={table.host}") as page,
    ):
        page.receive_text(timeout=5)
    assert "X-Token" in cut.value.detail


def test_a_browser_gives_its_token_as_a_protocol(client: Client, table: Table) -> None:
    line = f"/api/matches/{table.id}/live"
    with client.websocket_connect(line, subprotocols=["bulge", f"token.{table.host}"]) as page:
        assert json.loads(page.receive_text(timeout=5))["decision"]["mine"]
        assert page.accepted_subprotocol == "bulge"
    with client.websocket_connect(line, subprotocols=["bulge", "token.wrong"]) as page:
        assert json.loads(page.receive_text(timeout=5))["type"] == "error"


@pytest.mark.parametrize("kind", ["text", "json"])
def test_no_log_holds_a_secret(kind: str, quick: Settings, capfd: pytest.CaptureFixture[str]) -> None:
    """Wherever a client may put one: address, headers, cookie, body, WebSocket; answered, refused or failed."""
    with logs_of(kind):
        app = create_app(quick)
        with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
            keys = {
                "X-Token": SECRET,
                "X-Tokens": SECRET,
                "X-Invitation": SECRET,
                "Cookie": f"bulge_session={SECRET}",
            }
            for path in ("/api/matches", "/api/matches/none", "/api/me", "/api/tables/none", "/nothing"):
                client.get(f"{path}?token={SECRET}", headers=keys)
                client.get(path, headers=keys)
            for path in ("/api/session", "/api/people", "/api/matches/import", "/api/tables/none/sit"):
                client.post(path, json={"name": "Anne", "password": SECRET, "secret": SECRET}, headers=keys)
            for offered in (["bulge", f"token.{SECRET}"], []):
                with client.websocket_connect(
                    "/api/matches/none/live", subprotocols=offered, headers=keys
                ) as page:
                    page.receive_text(timeout=5)
            app.state.hub.stories = None  # from here on everything fails
            failed = client.get("/api/matches/none", headers=keys)
            assert failed.status_code == 500
    said = capfd.readouterr().err
    assert "a request failed" in said
    assert SECRET not in said
