"""A hostile client gets an error and changes nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect

from bulge.server.settings import LARGE_BODY, SMALL_BODY, Settings
from tests.server.conftest import page_in
from tests.server.guest import Client
from tests.server.serving import serving
from tests.server.table import Page, Table, play_apart


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, maps: Path) -> Iterator[Client]:
    """One server for all that is sent here: whatever came before, it goes on refusing, and serving."""
    folder = tmp_path_factory.mktemp("hostile")
    database = f"sqlite+aiosqlite:///{folder / 'matches.sqlite'}"
    settings = Settings(database=database, cache=maps, static=page_in(folder))
    with serving(settings) as found:
        yield found


def unchanged(table: Table, before: dict[str, Any], token: str | None = None) -> bool:
    return {**table.state(token), "thinking": None} == {**before, "thinking": None}


@pytest.mark.parametrize(
    ("side", "type_", "fields"),
    [
        ("Red", "choose", {"id": "B1"}),
        ("Red", "go", {"id": "0203"}),
        ("Red", "undo", {}),
        ("Red", "redo", {}),
        ("Red", "why", {"about": "B1"}),
        ("Red", "preview", {"id": "B1"}),
        ("Red", "reach", {}),
        ("Red", "hint", {}),
        ("Blue", "choose", {"id": "R1"}),
        ("Blue", "choose", {"id": "0"}),
        ("Blue", "choose", {"id": ""}),
        ("Blue", "choose", {"id": "B1\x00"}),
        ("Blue", "choose", {"id": "<script>alert(1)</script>"}),
        ("Blue", "choose", {"id": "x" * 201}),
        ("Blue", "choose", {"id": 1}),
        ("Blue", "choose", {"id": None}),
        ("Blue", "choose", {"id": "B1", "n": 1}),
        ("Blue", "choose", {"id": "B1", "n": -1}),
        ("Blue", "choose", {"id": "B1", "n": 10**30}),
        ("Blue", "choose", {"id": "B1", "n": "0"}),
        ("Blue", "choose", {"id": "B1", "rev": 7}),
        ("Blue", "choose", {}),
        ("Blue", "go", {"id": "9999"}),
        ("Blue", "redo", {}),
        ("Blue", "trace", {"unit": "nobody"}),
        ("Blue", "threat", {"unit": "nobody"}),
        ("Blue", "resign", {}),
        ("Blue", "cut", {"choice": "0"}),
        ("Blue", "", {}),
    ],
)
def test_a_wrong_request_is_refused(table: Table, side: str, type_: str, fields: dict[str, Any]) -> None:
    token = table.tokens[side]
    before = table.state(token)
    with table.page(token) as page:
        answer = page.ask(type_, **fields)
    assert answer["type"] == "error"
    assert answer["words"]
    assert "Traceback" not in answer["words"]
    assert unchanged(table, before, token)


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "0", '"choose"', '{"type":"choose"}', "[" * 10_000, '{"type":' + "[" * 5_000,
     '{"type":"choose","n":0,"id":"B1","re":{"a":1}}', "\ud83d\ude00", '{"type":["choose"],"n":0}'],
)  # fmt: skip
def test_nonsense_is_refused(table: Table, text: str) -> None:
    before = table.state()
    with table.page() as page:
        assert page.raw(text)["words"]
        assert page.ask("why", about="R1")["type"] == "answer", "the page goes on working"
    assert unchanged(table, before)


def test_bytes_are_no_request(table: Table) -> None:
    before = table.state()
    address = f"/api/matches/{table.id}/live"
    with table.client.websocket_connect(address, headers={"X-Token": table.host}) as session:
        session.receive_text(timeout=5)
        session.send_bytes(b"\x00\xff")
        assert json.loads(session.receive_text(timeout=5))["type"] == "error"
    assert unchanged(table, before)


def test_a_stale_request_is_refused_even_when_the_count_is_the_same_again(table: Table) -> None:
    with table.page() as one, table.page() as two:
        one.ask("choose", id="B1")
        two.until(1)
        seen = two.state
        one.ask("undo")
        one.ask("choose", id="B2")
        answer = two.ask("choose", id=seen["decision"]["options"][0]["id"], n=seen["n"], rev=seen["rev"])
        assert answer["type"] == "error"
        assert "gone on" in answer["words"]
    assert table.journal()["choices"] == ["B2"]


def test_of_two_pages_that_choose_at_once_one_is_refused(table: Table) -> None:
    with table.page() as one, table.page() as two:
        one.send("choose", id="B1")
        two.send("choose", id="B1")
        one.until(1)
        two.until(1)
    assert table.journal()["choices"] == ["B1"]


def test_a_token_opens_its_own_match_only(client: Client) -> None:
    mine, other = (Table.make(client, {"game": "ford"}) for _ in range(2))
    for path in ("", "/journal", "/replay/0", "/look"):
        for token in (other.host, other.tokens["Blue"], "", "x", None, "é" * 50):
            answer = client.get(
                f"/api/matches/{mine.id}{path}", headers={b"X-Token": token.encode()} if token else {}
            )
            assert answer.status_code == 403, path
            assert set(answer.json()) == {"words"}
    address, stolen = f"/api/matches/{mine.id}/live", {"X-Token": other.host}
    with client.websocket_connect(address, headers=stolen) as session:
        assert json.loads(session.receive_text())["type"] == "error"
        with pytest.raises(WebSocketDisconnect):
            session.receive_text(timeout=5)


def test_an_unknown_match_looks_like_a_wrong_token(client: Client, table: Table) -> None:
    wrong = client.get(f"/api/matches/{table.id}", headers={"X-Token": "x"})
    unknown = client.get("/api/matches/0123456789abcdef", headers={"X-Token": "x"})
    assert (wrong.status_code, wrong.json()) == (unknown.status_code, unknown.json())


def test_an_oversized_body_is_refused(client: Client) -> None:
    big = {"game": "ford", "options": {"a": "x" * SMALL_BODY}}
    assert client.post("/api/matches", json=big).status_code in (400, 413)
    assert client.post("/api/matches", content=b" " * (SMALL_BODY + 1)).status_code in (400, 413)
    huge = client.post("/api/matches/import", content=b"x" * (LARGE_BODY + 1))
    assert huge.status_code == 413


def test_an_oversized_message_ends_the_connection(table: Table) -> None:
    before = table.state()
    with pytest.raises(WebSocketDisconnect), table.page() as page:
        page.raw('{"type":"choose","n":0,"id":"' + "x" * SMALL_BODY + '"}')
    assert unchanged(table, before)


PATHS = [
    "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/../../secret.txt",
    "/assets/%2e%2e/%2e%2e/secret.txt", "/....//secret.txt", "//etc/passwd", "/etc/passwd", "/%2fetc%2fpasswd",
    "/assets/..%5c..%5csecret.txt", "/secret.txt%00.js", "/index.html/../../secret.txt", "/.%2e/secret.txt",
    "/api/games/..%2f..%2fsecret.txt/map.svg", "/api/games/../../secret.txt", "/api/matches/..%2f/journal",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_paths_lead_nowhere(client: Client, path: str) -> None:
    answer = client.get(path)
    assert "do not tell" not in answer.text
    assert "root:" not in answer.text
    assert answer.status_code < 500


def test_a_link_out_of_the_static_folder_is_not_followed(quick: Settings, tmp_path: Any) -> None:
    (quick.static / "out.txt").symlink_to(tmp_path / "secret.txt")
    with serving(quick) as client:
        assert client.get("/out.txt").status_code == 404
        assert client.get("/assets/app.js").text == "export {}"


@pytest.mark.parametrize(
    "wish",
    [
        {"game": "chess"},
        {"game": "../ford"},
        {"game": "ford", "scenario": "nope"},
        {"game": "ford", "seats": {"Green": "human"}},
        {"game": "ford", "seats": {"Red": "genius"}},
        {"game": "ford", "seats": {"*": "human"}},
        {"game": "ford", "seats": []},
        {"game": "ford", "extra": 1},
        {"game": "ford", "seed": "x" * 201},
        {"game": "ford", "options": {str(n): "x" for n in range(51)}},
        {"game": 1},
        {},
        [],
        None,
        "ford",
    ],
)
def test_a_match_that_cannot_be_is_not_made(client: Client, wish: Any) -> None:
    answer = client.post("/api/matches", json=wish)
    assert answer.status_code in (400, 404)
    assert answer.json()["words"]


def test_script_in_a_name_stays_data(client: Client) -> None:
    script = "<script>alert(1)</script>"
    answer = client.post("/api/matches", json={"game": "ford", "seats": {script: "human"}})
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_every_answer_has_strict_headers(client: Client) -> None:
    for path in ("/", "/api/games", "/api/matches/x", "/nothing.js", "/api/nothing"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_pages_of_strangers_are_kept_out(client: Client, table: Table) -> None:
    wish = {"game": "ford"}
    assert client.post("/api/matches", json=wish, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.post("/api/matches", json=wish, headers={"Origin": "null"}).status_code == 403
    assert client.post("/api/matches", json=wish, headers={"Origin": "http://[x"}).status_code == 403
    assert client.post("/api/matches", json=wish, headers={"Origin": "http://127.0.0.1"}).status_code == 201
    assert client.get("/api/games", headers={"Host": "evil.example"}).status_code == 403
    assert client.get("/api/games", headers={"Host": "[::1"}).status_code == 403
    address, key = f"/api/matches/{table.id}/live", {"X-Token": table.host}
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(address, headers={**key, "Origin": "http://evil.example"}) as session,
    ):
        session.receive_text(timeout=5)
    with client.websocket_connect(address, headers={**key, "Origin": "http://127.0.0.1"}) as session:
        assert json.loads(session.receive_text())["type"] == "state"


def test_a_hostile_page_by_the_hundred(table: Table) -> None:
    """Random requests, well-formed and not, of both sides: none may do what the rules do not allow."""
    rng = random.Random(0)
    with table.page(table.tokens["Blue"]) as blue, table.page(table.tokens["Red"]) as red:
        for _ in range(400):
            page = rng.choice((blue, red))
            before = table.state()
            answer = _random_request(page, rng)
            if answer["type"] != "state":
                assert unchanged(table, before)
            else:
                assert page.state["n"] != before["n"]
    play_apart(table, rng)
    journal = table.client.post("/api/matches/import", json=table.journal())
    assert journal.status_code == 201, "what came of it is still a proper match"


def _random_request(page: Page, rng: random.Random) -> dict[str, Any]:
    ids = [
        "B1",
        "B2",
        "R1",
        "0203",
        "done",
        "fight",
        "stand",
        "",
        "\u0000",
        "x" * 300,
        7,
        None,
        ["B1"],
        *page.options,
    ]
    type_ = rng.choice(
        [
            "choose",
            "choose",
            "go",
            "undo",
            "redo",
            "why",
            "preview",
            "reach",
            "trace",
            "threat",
            "dangers",
            "together",
            "overlays",
            "hint",
            "seed",
        ]
    )
    fields: dict[str, Any] = {key: rng.choice(ids) for key in ("id", "about", "unit") if rng.random() < 0.9}
    if rng.random() < 0.2:
        fields["n"] = rng.choice([-1, 0, 1, 5, 2**70, "1", None, 1.5])
    if rng.random() < 0.2:
        fields["rev"] = rng.choice([-1, 0, 3, None, "x"])
    if rng.random() < 0.1:
        fields["side"] = "Blue"
    return page.ask(type_, **fields)
