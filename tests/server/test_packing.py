"""Answers packed for the way: once if all get the same, in the asker's turn otherwise."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bulge.lab.atlas.models import PAGE
from bulge.server import packing
from bulge.server.packing import KEPT, PART, QUICK, SMALLEST, Packing
from bulge.server.routes_atlas import _fingerprint
from bulge.server.settings import Settings
from tests.server.guest import Client
from tests.server.serving import serving
from tests.server.table import Table

LONG = "a sentence of the atlas. " * 20_000
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture
def client(quick: Settings, tmp_path: Path, maps: Path) -> Iterator[Client]:
    """With an atlas that is drawn, and nothing packed before."""
    cache = tmp_path / "cache"
    drawn = cache / "atlas" / _fingerprint()
    drawn.mkdir(parents=True)
    (drawn / PAGE).write_text(LONG)
    (drawn / "figures.csv").write_text(LONG)
    (cache / "maps").symlink_to(maps / "maps")
    (quick.static / "assets" / "app.js").write_text(LONG)
    with serving(replace(quick, cache=cache)) as found:
        packer = found.app.state.guard._app
        assert isinstance(packer, Packing)
        packer._kept.clear()
        packer._size = 0
        yield found


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """All that is packed from now on."""
    found: list[bytes] = []
    compress = gzip.compress

    def counted(body: bytes, *how: Any, **more: Any) -> bytes:
        found.append(body)
        return compress(body, *how, **more)

    monkeypatch.setattr(gzip, "compress", counted)
    return found


@pytest.mark.parametrize(
    "path",
    [
        "/atlas",
        "/atlas/figures.csv",
        "/assets/app.js",
        "/api/games",
        "/api/games/ford/look",
        "/api/games/the_bulge/board",
        "/api/games/the_bulge/rules",
        "/api/schema",
    ],
)
def test_what_all_get_alike_is_packed_once(client: Client, packed: list[bytes], path: str) -> None:
    """The atlas was packed anew for each: twenty who asked without end made all others wait for two seconds."""
    answers = [client.get(path) for _ in range(3)]
    assert [answer.headers["content-encoding"] for answer in answers] == ["gzip"] * 3
    plain = client.get(path, headers=PLAIN)
    assert "content-encoding" not in plain.headers
    assert {answer.content for answer in (*answers, plain)} == {plain.content}
    assert plain.headers["vary"] == answers[0].headers["vary"] == "Accept-Encoding"
    assert packed == [plain.content]


def test_pictures_and_small_answers_are_sent_as_they_are(client: Client, packed: list[bytes]) -> None:
    for path in (
        "/api/games/ford/tiles/4/0/0",
        "/api/games/ford/map.webp",
        "/api/games/ford/map.svg",
        "/api/health",
    ):
        assert client.get(path).status_code == 200
    assert packed == []


def test_what_is_one_persons_affair_is_not_kept(client: Client, packed: list[bytes]) -> None:
    table = Table.make(client, {"game": "ford"})
    own = [client.get(f"/api/matches/{table.id}/look", headers={"X-Token": table.host}) for _ in range(2)]
    assert [answer.headers["content-encoding"] for answer in own] == ["gzip"] * 2
    assert packed.count(own[0].content) == 2
    assert not client.app.state.guard._app._kept


def test_whether_the_atlas_fits_its_results_is_found_out_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All results were read for each request."""
    _fingerprint.cache_clear()
    asked: list[int] = []
    sha256 = hashlib.sha256

    def counted(*data: bytes) -> Any:
        asked.append(1)
        return sha256(*data)

    monkeypatch.setattr(hashlib, "sha256", counted)
    for path in ("/atlas", "/atlas", "/atlas/figures.csv"):
        assert client.get(path).text == LONG
    assert len(asked) == 1


def test_the_atlas_names_its_alphabet_once(client: Client) -> None:
    assert client.get("/atlas").headers["content-type"] == "text/html; charset=utf-8"


# ---------------------------------------------------------------------- by itself


async def ask(packer: Packing, path: str, *, who: str = "", encoding: bytes = b"gzip") -> list[Any]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is asked for")

    scope: Any = {"type": "http", "path": path, "client": (who, 1), "headers": [(b"accept-encoding", encoding)]}
    await packer(scope, receive, send)
    return sent


def answering(text: dict[str, bytes]) -> Packing:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(text[scope["path"]]))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": text[scope["path"]], "more_body": False})

    return Packing(app)


def test_whoever_has_much_packed_waits_behind_themselves(packed: list[bytes]) -> None:
    many = {f"/api/matches/{n}": bytes([n]) * 2 * QUICK for n in range(40)}
    other = b"of another" * QUICK

    async def ask_at_once() -> None:
        packer = answering({**many, "/api/matches/other": other})
        asked = [ask(packer, path, who="192.0.2.1") for path in many]
        await asyncio.gather(*asked, ask(packer, "/api/matches/other", who="192.0.2.2"))

    asyncio.run(ask_at_once())
    assert packed.index(other) <= 1
    assert len(packed) == 41


def test_what_many_ask_for_at_once_is_packed_once(packed: list[bytes]) -> None:
    async def ask_at_once() -> None:
        packer = answering({"/atlas": b"the atlas" * QUICK})
        await asyncio.gather(*(ask(packer, "/atlas", who=f"192.0.2.{n}") for n in range(20)))

    asyncio.run(ask_at_once())
    assert len(packed) == 1


def test_a_long_answer_is_sent_in_parts() -> None:
    long = bytes(range(256)) * (3 * PART // 256) + b"."
    head, *parts = asyncio.run(ask(answering({"/": long}), "/", encoding=b"identity"))
    assert b"".join(part["body"] for part in parts) == long
    assert [(len(part["body"]), part["more_body"]) for part in parts] == [(PART, True)] * 3 + [(1, False)]
    assert (b"content-length", b"%d" % len(long)) in head["headers"]


def test_only_so_much_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"/{n}": b"%d " % n * SMALLEST for n in range(20)}
    packer = answering(texts)
    monkeypatch.setattr(packing, "KEPT", 5 * len(texts["/0"]))
    for path in texts:
        asyncio.run(ask(packer, path))
    assert 0 < packer._size <= packing.KEPT < KEPT
    assert packer._size == sum(len(body) + len(small) for body, small in packer._kept.items())
    assert texts["/19"] in packer._kept
    assert texts["/0"] not in packer._kept
